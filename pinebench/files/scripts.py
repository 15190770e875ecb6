"""Reads files as scripts, and refuses files that are plainly not scripts, such as tables of prices or pictures."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from pinebench.errors import UsageError
from pinebench.files.regular_files import DecodedText, read
from pinebench.patterns import lazy_pattern

ENDINGS = (".pine", ".pinescript")
"""The file name endings of scripts."""

_PLAIN = (*ENDINGS, ".txt", "")
"""Endings with which a file is read as a script, whatever it contains. A file to be changed needs one of ENDINGS, or a
text that declares a script, because prices and notes are kept in files with the other endings too."""
_DECLARED = lazy_pattern(r"^\s*//\s*@version\s*=|^\s*(?:indicator|strategy|library|study)\s*\(", re.MULTILINE)


def matching(paths: Iterable[str]) -> list[str]:
    """Return `paths` with each pattern, such as `*.pine`, replaced by the files that match it.

    Shells on Windows do not do this. A pattern that names a file, or that nothing matches, stays as it is.
    """
    found: list[str] = []
    for path in paths:
        matches: list[str] = []
        if any(mark in path for mark in "*?[") and not os.path.lexists(path):
            import glob

            matches = sorted(glob.glob(path, recursive=True))
        found += matches or [path]
    return found


def read_script(path: str, *, changing: bool = False) -> DecodedText:
    """Return the script in the file at `path`. `changing` says that the file will be written.

    Raises the errors of `read`. Raises UsageError if the file is plainly not a script: its name has a different
    extension, and its text has neither a version line nor a declaration statement.
    """
    text = read(path)
    enough = ENDINGS if changing else _PLAIN
    if os.path.splitext(path)[1].lower() not in enough and not _DECLARED.search(text.text):
        raise UsageError(
            f"{path} is not a Pine script: it has no //@version line, and no indicator(), strategy() or library()",
            f"name a script, which ends in {' or '.join(ENDINGS)}",
        )
    return text
