"""JSON for programs: one object, its keys fixed by `version`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pinebench.diagnostics import Severity
from pinebench.lint.findings import PLACE, encode
from pinebench.printable import in_json

if TYPE_CHECKING:
    from pinebench.lint.findings import Finding
    from pinebench.lint.project import Problem
    from pinebench.lint.report import Run
    from pinebench.lint.suppress import Hidden


def render(run: Run) -> str:
    """The run as one JSON object."""
    return dump(as_object(run))


def as_object(run: Run) -> dict[str, Any]:
    """The run as the object that `render` writes; `compile` adds to it. `suppressed` is there when something is."""
    hidden = {"suppressed": [_hidden(each) for each in run.hidden]} if run.hidden else {}
    return {
        "version": 1,
        "files": run.paths,
        "diagnostics": sorted(
            [*map(_diagnostic, run.findings), *map(_unchecked, run.problems)],
            key=lambda row: (row["path"], row["line"], row["column"], row["code"]),
        ),
        "summary": {
            "files": len(run.paths),
            "errors": run.counts[Severity.ERROR] + len(run.problems),
            "warnings": run.counts[Severity.WARNING],
            "infos": run.counts[Severity.INFO],
            "hints": run.counts[Severity.HINT],
        },
        **hidden,
    }


def dump(value: object) -> str:
    """`value` as JSON that people can read too, on a terminal as well."""
    return in_json(json.dumps(value, indent=2, ensure_ascii=False)) + "\n"


def _unchecked(problem: Problem) -> dict[str, Any]:
    """A file that was not checked, as an error at its beginning."""
    place = {"path": problem.path, "line": 1, "column": 1, "end_line": 1, "end_column": 1}
    words = {"code": problem.code, "message": problem.message, "hint": problem.hint}
    return {**place, "severity": Severity.ERROR.label, **words, "fix": None, "tv": None}


def _hidden(hidden: Hidden) -> dict[str, Any]:
    """A finding that is kept from view, by what, and why in its author's words."""
    row = _diagnostic(hidden.finding)
    return {**row, "by": "comment" if hidden.by_comment else "settings", "reason": hidden.reason or None}


def _diagnostic(finding: Finding) -> dict[str, Any]:
    plain, fix, position = encode(finding), finding.fix, finding.tv
    return {
        "path": finding.path,
        **{name: plain[name] for name in (*PLACE, "severity", "code", "message", "hint")},
        "fix": None if fix is None else "safe" if fix.safe else "unsafe",
        "tv": None if position is None else position._asdict(),
    }
