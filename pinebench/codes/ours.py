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
)
