"""How a lint run is written down: one format a module, each with `render(run) -> str`."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from pinebench.diagnostics import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pinebench.linter.findings import Finding
    from pinebench.linter.project import FileProblem, Result
    from pinebench.linter.suppress import Hidden

FORMATS = ("text", "json", "sarif", "github", "gitlab", "junit")
"""Every format's name; also the name of its module here."""


class Run:
    """What a lint run found, as every format needs it: scripts in order, each with the findings to show.

    `problems` are the files that could not be checked; every report for programs holds them, so that none looks clean
    when not everything was looked at. People are told of them apart.
    """

    def __init__(
        self,
        results: list[Result],
        problems: Sequence[FileProblem] = (),
        fails: Callable[[Finding], bool] = lambda finding: finding.severity is Severity.ERROR,
    ) -> None:
        self.results = results
        self.fails = fails
        """Whether a finding fails the run; hidden ones do as shown ones do."""
        self.problems = sorted(problems, key=lambda problem: problem.path)

    @property
    def paths(self) -> list[str]:
        """The scripts that were checked."""
        return [result.script.path for result in self.results]

    @cached_property
    def findings(self) -> list[Finding]:
        """Everything to show, in report order."""
        return [finding for result in self.results for finding in result.findings]

    @cached_property
    def hidden(self) -> list[Hidden]:
        """What comments and settings keep from view, in report order."""
        return [each for result in self.results for each in result.hidden]

    @cached_property
    def hidden_failures(self) -> list[Finding]:
        """The errors among what is hidden that fail the run, in report order."""
        return [error for result in self.results for error in result.hidden_errors if self.fails(error)]

    @cached_property
    def counts(self) -> Counter[Severity]:
        """How many findings of each severity there are."""
        return Counter(finding.severity for finding in self.findings)
