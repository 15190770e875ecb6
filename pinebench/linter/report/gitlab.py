"""GitLab's code quality report: a JSON array, shown beside a merge request."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pinebench.diagnostics import Severity
from pinebench.linter.report.file_names import in_repository, outside
from pinebench.linter.report.json import dump
from pinebench.linter.report.text import not_checked
from pinebench.syntax.lines import LineIndex

if TYPE_CHECKING:
    from pinebench.linter.project import FileProblem
    from pinebench.linter.report import LintRun

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "minor", Severity.INFO: "info", Severity.HINT: "info"}

_START = {"line": 1, "column": 1}


def render(run: LintRun) -> str:
    """Return the run as a code quality report."""
    seen: Counter[str] = Counter()
    issues = [_unchecked(problem) for problem in run.problems]
    for result in run.results:
        lines = LineIndex(result.script.text)
        failing = [error for error in result.hidden_errors if run.fails(error)]
        for finding in (*result.findings, *failing):  # a hidden error that fails the job is shown too
            # The fingerprint leaves out the line number, so that edits above do not turn old findings into new ones.
            key = f"{_path(finding.path)}\n{finding.code}\n{lines.line_text(finding.line).strip()}"
            seen[key] += 1
            fingerprint = _fingerprint(f"{key}\n{seen[key]}")
            issues.append(
                {
                    "type": "issue",
                    "check_name": finding.code,
                    "description": finding.message,
                    "fingerprint": fingerprint,
                    "severity": _SEVERITIES[finding.severity],
                    "categories": ["Bug Risk"],
                    "location": {
                        "path": _path(finding.path),
                        "positions": {
                            "begin": {"line": finding.line, "column": finding.column},
                            "end": {"line": finding.end_line, "column": finding.end_column},
                        },
                    },
                }
            )
        issues += (_unread(result.script.path, library) for library in result.unread)
    return dump(issues)


def _unchecked(problem: FileProblem) -> dict[str, Any]:
    return {
        "type": "issue",
        "check_name": problem.code,
        "description": problem.message,
        "fingerprint": _fingerprint(f"{_path(problem.path)}\n{problem.code}"),
        "severity": "blocker",
        "categories": ["Bug Risk"],
        "location": {"path": _path(problem.path), "positions": {"begin": _START, "end": _START}},
    }


def _unread(path: str, library: str) -> dict[str, Any]:
    """The entry for a library that the script at `path` imports, and whose text was not found or cannot be read."""
    return {
        "type": "issue",
        "check_name": "not-checked",
        "description": not_checked([library]),
        "fingerprint": _fingerprint(f"{_path(path)}\nnot-checked\n{library}"),
        "severity": _SEVERITIES[Severity.INFO],
        "categories": ["Bug Risk"],
        "location": {"path": _path(path), "positions": {"begin": _START, "end": _START}},
    }


def _path(path: str) -> str:
    return in_repository(path) or outside(path)


def _fingerprint(key: str) -> str:
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
