"""SARIF 2.1.0, the exchange format of code scanning services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pinebench import __version__, codes
from pinebench.codes.pages import help_page
from pinebench.diagnostics import Severity
from pinebench.linter.findings import may_have_file
from pinebench.linter.report.file_names import in_repository, outside
from pinebench.linter.report.json import dump
from pinebench.linter.report.text import not_checked
from pinebench.syntax.lines import LineIndex

if TYPE_CHECKING:
    from pinebench.diagnostics import Edit
    from pinebench.linter.findings import Finding
    from pinebench.linter.project import FileProblem, ScriptFindings
    from pinebench.linter.report import LintRun
    from pinebench.linter.suppress import HiddenFinding

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note", Severity.HINT: "note"}


def render(run: LintRun) -> str:
    """Return the run as a SARIF log with one run."""
    used = sorted({finding.code for finding in (*run.findings, *(each.finding for each in run.hidden))})
    driver = {
        "name": "pinebench",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(name) for name in used],
    }
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                # Without this, a reader cannot know whether columns count UTF-16 units or code points.
                "columnKind": "utf16CodeUnits",
                # A reader must not think that a run is complete if a file or a library could not be read.
                "invocations": [
                    {
                        "executionSuccessful": not run.problems,
                        "toolExecutionNotifications": [*map(_unchecked, run.problems), *map(_unread, run.unread)],
                    }
                ],
                "artifacts": [{"location": {"uri": _uri(path)}} for path in run.paths],
                "results": [each for result in run.results for each in _results(result, used)],
            }
        ],
    }
    return dump(log)


def _unchecked(problem: FileProblem) -> dict[str, Any]:
    return {
        "descriptor": {"id": problem.code},
        "level": "error",
        "message": {"text": f"{problem.message}\n{problem.hint}" if problem.hint else problem.message},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(problem.path)}}}],
    }


def _unread(library: str) -> dict[str, Any]:
    return {"level": "note", "message": {"text": not_checked([library])}}


def _uri(path: str) -> str:
    """Return `path` as a URI relative to the repository's root; a name that is not UTF-8 on disk keeps its bytes."""
    inside = in_repository(path)
    if inside is not None:
        return quote(inside, errors="surrogateescape")
    absolute = quote(outside(path), errors="surrogateescape")
    return f"file://{absolute if absolute.startswith('/') else '/' + absolute}" if may_have_file(path) else absolute


def _rule(name: str) -> dict[str, Any]:
    code = codes.find(name)
    rule: dict[str, Any] = {"id": name}
    if code is not None:
        rule["name"] = _identifier(code.alias or code.name)
        page = help_page(name)
        if page is not None:
            rule["helpUri"] = page
        rule["help"] = {"text": f"{code.why}\n\nMore: pinebench explain {name}"}
        rule["fullDescription"] = {"text": code.why}
        rule["defaultConfiguration"] = {"level": _LEVELS[code.severity]}
    return rule


def _identifier(name: str) -> str:
    """Return a rule's name as SARIF writes it: the words joined, each with a capital letter."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("-"))


def _results(result: ScriptFindings, used: list[str]) -> list[dict[str, Any]]:
    lines = LineIndex(result.script.text if result.findings or result.hidden else "")
    told = [(finding, None) for finding in result.findings] + [(each.finding, each) for each in result.hidden]
    told.sort(key=lambda pair: pair[0].order)
    return [_result(finding, used.index(finding.code), lines, hidden) for finding, hidden in told]


def _result(finding: Finding, rule_index: int, lines: LineIndex, hidden: HiddenFinding | None) -> dict[str, Any]:
    words = f"{finding.message}\n{finding.hint}" if finding.hint else finding.message
    region = _region((finding.line, finding.column), (finding.end_line, finding.end_column))
    artifact = {"uri": _uri(finding.path)}
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule_index,
        "level": _LEVELS[finding.severity],
        "message": {"text": words},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
    }
    if finding.fix is not None:
        replacements = [_replacement(edit, lines) for edit in finding.fix.edits]
        # An unsafe fix may change what the script does, and a reader must know that before it offers the fix.
        title = finding.fix.title if finding.fix.safe else f"{finding.fix.title} (a guess)"
        change = {"artifactLocation": artifact, "replacements": replacements}
        result["fixes"] = [{"description": {"text": title}, "artifactChanges": [change]}]
    if hidden is not None:
        result["suppressions"] = [_suppression(hidden)]
    return result


def _replacement(edit: Edit, lines: LineIndex) -> dict[str, Any]:
    region = _region(lines.position(edit.span.start), lines.position(edit.span.end))
    return {"deletedRegion": region, "insertedContent": {"text": edit.text}}


def _region(start: tuple[int, int], end: tuple[int, int]) -> dict[str, int]:
    return {"startLine": start[0], "startColumn": start[1], "endLine": end[0], "endColumn": end[1]}


def _suppression(hidden: HiddenFinding) -> dict[str, Any]:
    kind = {"kind": "inSource" if hidden.by_comment else "external"}
    return {**kind, "justification": hidden.reason} if hidden.reason else kind
