"""The findings of a verdict in other files than the script, and the libraries that were not found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench import files
from pinebench.compilers import OURS
from pinebench.linter import locate
from pinebench.linter.project import LintedFile, ScriptFindings
from pinebench.syntax.lines import LineIndex

if TYPE_CHECKING:
    from pinebench.compilers import Verdict


def results_elsewhere(verdict: Verdict) -> list[ScriptFindings]:
    """A result for each library that has findings."""
    found: list[ScriptFindings] = []
    for path, diagnostics in verdict.elsewhere.items():
        file = files.read_script(path)
        found.append(ScriptFindings(LintedFile(path, file), locate(diagnostics, LineIndex(file.text), path)))
    return found


def unread_by(verdict: Verdict) -> list[str]:
    """The libraries whose uses our check could not judge; none if another compiler judged."""
    if verdict.origin not in OURS or verdict.program is None:
        return []
    return [each.path for each in verdict.program.unread_imports]


def first_elsewhere(verdict: Verdict) -> str:
    """The place and the words of the first error in another file than the script; empty if there is none."""
    findings = [finding for result in results_elsewhere(verdict) for finding in result.findings]
    worst = min(findings, key=lambda each: (each.severity, each.order), default=None)
    return "" if worst is None else f"{worst.path}:{worst.line}:{worst.column}: {worst.code} {worst.message}"
