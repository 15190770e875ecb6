"""Reading what is named as a script: a table of prices or a picture is refused rather than judged, or reformatted."""

from __future__ import annotations

import os
import re

from pinebench.errors import UsageError
from pinebench.files.reading import Text, read

ENDINGS = (".pine", ".pinescript")
"""What the names of scripts end in."""

_PLAIN = (*ENDINGS, ".txt", "")
"""What the names of files end in that may be scripts whatever they hold."""
_DECLARED = re.compile(r"^\s*//\s*@version\s*=|^\s*(?:indicator|strategy|library|study)\s*\(", re.MULTILINE)


def read_script(path: str) -> Text:
    """The script in the file at `path`. Raises as `read` does, and UsageError for what is plainly something else: its
    name ends in another way, and it has neither a version nor a declaration."""
    text = read(path)
    if os.path.splitext(path)[1].lower() not in _PLAIN and not _DECLARED.search(text.text):
        raise UsageError(
            f"{path}: is not a Pine script: it has no //@version line, and no indicator(), strategy() or library()",
            f"name a script, which ends in {' or '.join(ENDINGS)}",
        )
    return text
