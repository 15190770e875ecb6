"""Writes the results of a lint run. Each format is a module with `render(run) -> str`."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from pinebench.diagnostics import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pinebench.linter.findings import Finding
    from pinebench.linter.project import FileProblem, ScriptFindings
    from pinebench.linter.suppress import HiddenFinding

FORMATS = ("text", "json", "sarif", "github", "gitlab", "junit")
"""The name of every format, which is also the name of its module."""


class LintRun:
    """The results of a lint run for every format: the scripts in order, each with the findings to show.

    `problems` lists the files that could not be checked. Every report for programs includes them, so that no report
    looks clean if some files were not checked. The report for people does not contain them; the command prints them
    itself.
    """

    def __init__(
        self,
        results: list[ScriptFindings],
        problems: Sequence[FileProblem] = (),
        fails: Callable[[Finding], bool] = lambda finding: finding.severity is Severity.ERROR,
    ) -> None:
        self.results = results
        self.fails = fails
        """Whether a finding fails the run; hidden findings can fail it too."""
        self.problems = sorted(problems, key=lambda problem: problem.path)

    @property
    def paths(self) -> list[str]:
        """The paths of the scripts, including those in older versions of Pine."""
        return [result.script.path for result in self.results]

    @property
    def unchecked(self) -> int:
        """The number of scripts in older versions of Pine, which were not checked."""
        return sum(not result.is_checked for result in self.results)

    @cached_property
    def findings(self) -> list[Finding]:
        """The findings to show, in report order."""
        return [finding for result in self.results for finding in result.findings]

    @cached_property
    def unread(self) -> list[str]:
        """The paths of the libraries without a readable text, so that uses of them were not checked."""
        return list(dict.fromkeys(path for result in self.results for path in result.unread))

    @cached_property
    def hidden(self) -> list[HiddenFinding]:
        """The findings that comments and settings hide, in report order."""
        return [each for result in self.results for each in result.hidden]

    @cached_property
    def hidden_failures(self) -> list[Finding]:
        """The hidden errors that fail the run, in report order."""
        return [error for result in self.results for error in result.hidden_errors if self.fails(error)]

    @cached_property
    def counts(self) -> Counter[Severity]:
        """The number of shown findings of each severity."""
        return Counter(finding.severity for finding in self.findings)
