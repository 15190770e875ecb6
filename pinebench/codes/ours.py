"""What concerns the script as a whole: its version, and what pinebench itself has to say about it."""

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
            "This script is written in Pine v{version} and was not checked: only v6 is. "
            "`pinebench migrate` brings it to v6"
        ),
        why=(
            "pinebench finds errors of syntax in older versions, but it does not check their names and types: that "
            "nothing else is reported does not mean that nothing is wrong."
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
            "A comment that hides nothing any more would hide the next fault that is made there. "
            "`pinebench lint --fix` takes it out."
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
            "A comment hides only what it names, so that it cannot hide what nobody has seen: "
            "`// pinebench: ignore[CW10003]` behind code speaks of its line, alone on a line of the next one, and "
            "`// pinebench: ignore-file[CW10003]` of the whole script. Several codes stand with commas between them, "
            "and a beginning such as `CW` names a group."
        ),
        bad="//@version=6\n" + 'indicator("Example")\nplot(close) // pinebench: ignore\n',
        good="//@version=6\n" + _SCRIPT,
        text=OURS,
    ),
)
