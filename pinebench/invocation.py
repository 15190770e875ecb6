"""The command with which other programs start this pinebench. It is written into configurations, plugins and hooks.

A client starts such a command in its working folder, and that folder may belong to anybody. `python -m` alone searches
the working folder first, so that a file `pinebench.py` there would run in place of ours. Therefore the command always
isolates Python.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_SECONDS = 30
_LOOK = "from importlib.util import find_spec; s = find_spec('pinebench'); print(s.origin if s else '')"
ISOLATED = ("-I",), ("-E", "-P")
"""The options of Python that keep the working folder out, the strictest first. The second one still finds packages in
the user's own folder (`pip install --user`)."""


@functools.cache
def command() -> tuple[str, ...]:
    """Return the command that runs this pinebench from any folder: Python and its arguments, without the working
    folder."""
    for options in ISOLATED:
        if _finds(options):
            return sys.executable, *options, "-m", "pinebench"
    # It is not installed, but found by PYTHONPATH, so the command names its folder.
    begin = f"import sys; sys.path.insert(0, {str(_PACKAGE.parent)!r}); from pinebench.__main__ import main; main()"
    return sys.executable, "-I", "-c", begin


def by_name() -> tuple[str, ...] | None:
    """Return the command `pinebench` if the PATH finds this pinebench by that name, otherwise None.

    The command is the same on every machine, so it suits shared files. It never imports from the working folder.
    """
    found = shutil.which("pinebench")
    scripts = Path(sysconfig.get_path("scripts")).resolve()
    return ("pinebench",) if found is not None and Path(found).resolve().parent == scripts else None


def paths_in(words: Iterable[object]) -> list[str]:
    """Return those `words` of a command line that contain a path on this machine."""
    folder = str(_PACKAGE.parent)
    return [word for word in words if isinstance(word, str) and (os.path.isabs(word) or folder in word)]


def is_isolated(arguments: Sequence[object]) -> bool:
    """Return whether Python with these arguments imports nothing from the working folder, or does not run `-m
    pinebench`.

    Words before Python's own options are skipped: they belong to a program that starts Python, such as uv.
    """
    words = [str(word) for word in arguments]
    for at, word in enumerate(words):
        letters = word[1:] if word.startswith("-") and not word.startswith("--") else ""
        option = next((letter for letter in letters if letter in _WITH_VALUE), None)
        if option is None:
            continue
        before, _, value = letters.partition(option)
        if option == "m" and (value or "".join(words[at + 1 : at + 2])).partition(".")[0] == "pinebench":
            return any(letter in "IP" for letter in _switches(words[:at]) + before)
    return True


_WITH_VALUE = "cmWX"
"""The options of Python that take the rest of the word, or the next word, as their value."""


def _switches(words: Sequence[str]) -> str:
    """Return the letters of Python's options without a value in `words`."""
    found = ""
    for word in words:
        if word.startswith("-") and not word.startswith("--"):
            found += word[1:] if not set(word) & set(_WITH_VALUE) else re.split(f"[{_WITH_VALUE}]", word[1:])[0]
    return found


def _finds(options: Sequence[str]) -> bool:
    """Whether Python with these options finds this very package. It runs in the root folder, which holds no package."""
    try:
        found = subprocess.run(
            [sys.executable, *options, "-c", _LOOK],
            cwd=os.path.abspath(os.sep),
            capture_output=True,
            text=True,
            timeout=_SECONDS,
        )
        return Path(found.stdout.strip()).resolve().parent == _PACKAGE
    except (OSError, subprocess.TimeoutExpired):
        return False
