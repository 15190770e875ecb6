"""SARIF 2.1.0, the exchange format of code scanning services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pinebench import __version__, codes
from pinebench.diagnostics import Severity
from pinebench.lint.report.json import dump

if TYPE_CHECKING:
    from pinebench.lint.findings import Finding
    from pinebench.lint.project import Problem
    from pinebench.lint.report import Run
    from pinebench.lint.suppress import Hidden

_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "note",
    Severity.HINT: "note",
}


def render(run: Run) -> str:
    """The run as a SARIF log with one run."""
    told = [(finding, None) for finding in run.findings] + [(each.finding, each) for each in run.hidden]
    told.sort(key=lambda pair: pair[0].order)
    used = sorted({finding.code for finding, _ in told})
    driver = {
        "name": "pinebench",
        "semanticVersion": __version__,
        "rules": [_rule(name) for name in used],
    }
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                # Without this a reader may count columns in UTF-16 units or in code points; we say which.
                "columnKind": "utf16CodeUnits",
                # A reader must not take a run for complete when a file could not be checked.
                "invocations": [
                    {
                        "executionSuccessful": not run.problems,
                        "toolExecutionNotifications": [_unchecked(problem) for problem in run.problems],
                    }
                ],
                "artifacts": [{"location": {"uri": _uri(path)}} for path in run.paths],
                "results": [_result(finding, used.index(finding.code), hidden) for finding, hidden in told],
            }
        ],
    }
    return dump(log)


def _unchecked(problem: Problem) -> dict[str, Any]:
    return {
        "descriptor": {"id": problem.code},
        "level": "error",
        "message": {"text": f"{problem.message}\n{problem.hint}" if problem.hint else problem.message},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(problem.path)}}}],
    }


def _uri(path: str) -> str:
    """`path` as a URI; a name that is not UTF-8 on disk keeps its bytes."""
    return quote(path, errors="surrogateescape")


def _rule(name: str) -> dict[str, Any]:
    code = codes.find(name)
    rule: dict[str, Any] = {"id": name}
    if code is not None:
        rule["fullDescription"] = {"text": code.why}
        rule["defaultConfiguration"] = {"level": _LEVELS[code.severity]}
    return rule


def _result(finding: Finding, rule_index: int, hidden: Hidden | None) -> dict[str, Any]:
    words = f"{finding.message}\n{finding.hint}" if finding.hint else finding.message
    region = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endLine": finding.end_line,
        "endColumn": finding.end_column,
    }
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule_index,
        "level": _LEVELS[finding.severity],
        "message": {"text": words},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(finding.path)}, "region": region}}],
    }
    if hidden is not None:
        result["suppressions"] = [_suppression(hidden)]
    return result


def _suppression(hidden: Hidden) -> dict[str, Any]:
    kind = {"kind": "inSource" if hidden.by_comment else "external"}
    return {**kind, "justification": hidden.reason} if hidden.reason else kind
