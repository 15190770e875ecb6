"""The findings of a verdict in files other than the script, and the libraries that could not be read."""

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
    """Return a result for each library that has findings."""
    found: list[ScriptFindings] = []
    for path, diagnostics in verdict.elsewhere.items():
        file = files.read_script(path)
        found.append(ScriptFindings(LintedFile(path, file), locate(diagnostics, LineIndex(file.text), path)))
    return found


def unread_by(verdict: Verdict) -> list[str]:
    """Return the libraries whose source our checker could not read; empty for other compilers."""
    if verdict.origin not in OURS or verdict.program is None:
        return []
    return verdict.program.unread_paths


def first_elsewhere(verdict: Verdict) -> str:
    """Return the position and the message of the worst finding in a file other than the script; "" if there is none."""
    findings = [finding for result in results_elsewhere(verdict) for finding in result.findings]
    worst = min(findings, key=lambda each: (each.severity, each.order), default=None)
    return "" if worst is None else f"{worst.path}:{worst.line}:{worst.column}: {worst.code} {worst.message}"
