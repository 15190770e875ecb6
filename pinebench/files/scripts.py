"""Reads files as scripts, and refuses files that are plainly not scripts, such as tables of prices or pictures."""

from __future__ import annotations

import os
import re

from pinebench.errors import UsageError
from pinebench.files.reading import Text, read

ENDINGS = (".pine", ".pinescript")
"""The endings of the names of scripts."""

_PLAIN = (*ENDINGS, ".txt", "")
"""Endings of file names: a file with one of them is read as a script, whatever it contains."""
_DECLARED = re.compile(r"^\s*//\s*@version\s*=|^\s*(?:indicator|strategy|library|study)\s*\(", re.MULTILINE)


def read_script(path: str) -> Text:
    """The script in the file at `path`.

    Raises the errors of `read`. Raises UsageError if the file is plainly not a script: its name has another ending,
    and its text has neither a version line nor a declaration statement.
    """
    text = read(path)
    if os.path.splitext(path)[1].lower() not in _PLAIN and not _DECLARED.search(text.text):
        raise UsageError(
            f"{path}: is not a Pine script: it has no //@version line, and no indicator(), strategy() or library()",
            f"name a script, which ends in {' or '.join(ENDINGS)}",
        )
    return text
