"""Workflow commands for GitHub Actions: each finding becomes an annotation on the changed line.

A hidden error that fails the run becomes an annotation too, so that the reason for the failure is visible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.diagnostics import Severity
from pinebench.linter.report.file_names import in_repository
from pinebench.linter.report.text import not_checked
from pinebench.printable import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pinebench.linter.findings import Finding
    from pinebench.linter.project import FileProblem
    from pinebench.linter.report import LintRun

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice", Severity.HINT: "notice"}


def render(run: LintRun) -> str:
    """Return one workflow command per line: files that could not be checked, findings, and unread libraries."""
    told = sorted([*run.findings, *run.hidden_failures], key=lambda finding: finding.order)
    # GitHub shows ten notices of a step, so that one names all libraries.
    unread = [_line("notice", {"title": "not checked"}, not_checked(run.unread))] if run.unread else []
    return "".join([*map(_unchecked, run.problems), *(_command(finding, run) for finding in told), *unread])


def _unchecked(problem: FileProblem) -> str:
    # The message of a problem contains the file's name already.
    return _line("error", {"title": problem.code, "file": in_repository(problem.path)}, _words(problem))


def _level(finding: Finding, run: LintRun) -> str:
    """The level of an annotation. It is `error` if and only if the finding fails the run, so that annotations and the
    job agree."""
    level = _LEVELS[finding.severity]
    return "error" if run.fails(finding) else "warning" if level == "error" else level


def _command(finding: Finding, run: LintRun) -> str:
    file = in_repository(finding.path)
    if file is None:  # GitHub would show it at another file, in the repository
        words = f"{finding.path}:{finding.line}:{finding.column}: {_words(finding)}"
        return _line(_level(finding, run), {"title": finding.code}, words)
    properties = {"title": finding.code, "file": file, "line": finding.line, "endLine": finding.end_line}
    if finding.line == finding.end_line:
        # GitHub refuses columns on an annotation of several lines; its end column is inclusive.
        properties["col"] = finding.column
        properties["endColumn"] = max(finding.column, finding.end_column - 1)
    return _line(_level(finding, run), properties, _words(finding))


def _line(level: str, properties: Mapping[str, object], words: str) -> str:
    fields = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items() if value is not None)
    return f"::{level} {fields}::{_data(words)}\n"


def _words(finding: Finding | FileProblem) -> str:
    return f"{finding.message}\n{finding.hint}" if finding.hint else finding.message


def _data(text: str) -> str:
    # GitHub has escapes for line ends only, so other control characters are made visible for the terminal with its log.
    text = printable(text, keep="\r\n")
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
