"""Runs `pinebench lint` on a Pine script that Claude Code has just written or edited.

Usage: python check_edited.py PINEBENCH… < EVENT, where PINEBENCH… is the command that runs pinebench. The exit code is
2, with the report on stderr, if the script has errors, or was not checked because its version of Pine is too old.
Claude reads that report. Otherwise the exit code is 0, or 1 with a reason on stderr if pinebench could not be run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

ENDINGS = (".pine", ".pinescript")
SECONDS = 50
NOT_CHECKED = "0 scripts checked, 1 not checked"
"""The words in the summary for a script of an older version, which has no verdict. The settings cannot hide them."""


def main() -> int:
    path = edited(sys.stdin.read())
    if path is None:
        return 0
    try:
        ran = subprocess.run([*sys.argv[1:], "lint", "--", path], capture_output=True, text=True, timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"pinebench could not check {path}: {error}", file=sys.stderr)
        return 1
    is_checked = NOT_CHECKED not in ran.stdout
    if ran.returncode == 0 and is_checked:
        return 0
    print(ran.stdout.strip() or ran.stderr.strip(), file=sys.stderr)
    return 2 if ran.returncode == 1 or not is_checked else 1


def edited(event: str) -> str | None:
    """Return the Pine script that the event is about; None if it is about another file, or malformed."""
    try:
        told = json.loads(event)
        path = os.path.join(told.get("cwd") or "", told["tool_input"]["file_path"])
        return path if path.lower().endswith(ENDINGS) and os.path.isfile(path) else None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


if __name__ == "__main__":
    sys.exit(main())
