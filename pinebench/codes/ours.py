"""Codes about the script as a whole: its version, and pinebench's own comments."""

from __future__ import annotations

from pinebench.codes.model import OURS, Code
from pinebench.diagnostics import Severity

_SCRIPT = 'indicator("Example")\nplot(close)\n'

CODES = (
    Code(
        name="version-missing",
        severity=Severity.ERROR,
        template="Supported versions are >= 5",
        why=(
            "A script without a version line counts as version 1, which is no longer compiled. Begin the script with "
            "`//@version=6`."
        ),
        bad=_SCRIPT,
        good="//@version=6\n" + _SCRIPT,
    ),
    Code(
        name="PB0001",
        severity=Severity.WARNING,
        template=(
            "This script is written in Pine v{version} and was not checked: only v6 is. `pinebench migrate` converts"
            " it to v6"
        ),
        why=(
            "pinebench finds syntax errors in older versions, but does not check their names and types. If nothing"
            " else is reported, there can still be errors."
        ),
        bad="//@version=5\n" + _SCRIPT,
        good="//@version=6\n" + _SCRIPT,
        text=OURS,
    ),
    Code(
        name="PB0002",
        severity=Severity.WARNING,
        template="Version {version} of Pine is not known; the script is checked as v6",
        why="The version line names a version newer than this pinebench. Update pinebench, or correct the line.",
        bad="//@version=7\n" + _SCRIPT,
        good="//@version=6\n" + _SCRIPT,
        text=OURS,
    ),
    Code(
        name="PB0004",
        severity=Severity.WARNING,
        template="Unused comment: no {codes} is reported {where}",
        why=(
            "A comment that no longer hides anything would hide the next finding at this place. `pinebench lint"
            " --fix` removes it."
        ),
        bad="//@version=6\n" + 'indicator("Example")\nplot(close) // pinebench: ignore[CW10003]\n',
        good="//@version=6\n" + _SCRIPT,
        text=OURS,
    ),
    Code(
        name="PB0005",
        severity=Severity.WARNING,
        template="This comment hides {what}: {why}",
        why=(
            "A comment only hides the codes that it names, so that it cannot hide anything unseen. `// pinebench:"
            " ignore[CW10003]` after code applies to its line, and alone on a line to the next line. `// pinebench:"
            " ignore-file[CW10003]` applies to the whole script. Separate several codes by commas; a beginning such as"
            " `CW` names a group."
        ),
        bad="//@version=6\n" + 'indicator("Example")\nplot(close) // pinebench: ignore\n',
        good="//@version=6\n" + _SCRIPT,
        text=OURS,
    ),
)
