"""How a lint run is written down: one format a module, each with `render(run) -> str`."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pinebench.diagnostics import Severity
    from pinebench.lint.findings import Finding
    from pinebench.lint.project import Result

FORMATS = ("text", "json", "sarif", "github", "gitlab", "junit")
"""Every format's name; also the name of its module here."""


class Run:
    """What a lint run found, as every format needs it: scripts in order, each with the findings to show."""

    def __init__(self, results: list[Result]) -> None:
        self.results = results

    @property
    def paths(self) -> list[str]:
        """The scripts that were checked."""
        return [result.script.path for result in self.results]

    @cached_property
    def findings(self) -> list[Finding]:
        """Everything to show, in report order."""
        return [finding for result in self.results for finding in result.findings]

    @cached_property
    def counts(self) -> Counter[Severity]:
        """How many findings of each severity there are."""
        return Counter(finding.severity for finding in self.findings)
