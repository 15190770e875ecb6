"""JSON for programs: one object. Its key `version` is the version of the format."""

from __future__ import annotations

import json
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any

from pinebench.diagnostics import Severity
from pinebench.linter.findings import PLACE, encode
from pinebench.printable import in_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Edit
    from pinebench.linter.findings import Finding
    from pinebench.linter.project import FileProblem
    from pinebench.linter.report import LintRun
    from pinebench.syntax.lines import LineIndex


def render(run: LintRun) -> str:
    """Return the run as one JSON object."""
    return dump(as_object(run))


def as_object(run: LintRun) -> dict[str, Any]:
    """Return the object that `render` writes. The command `compile` adds keys to it. The key `suppressed` is present
    only if there are hidden findings. `unchecked` in the summary is the number of scripts in older versions of Pine,
    which were not checked. `not_checked` lists the libraries without a readable text, so that uses of them were not
    checked."""
    hidden = {"suppressed": _hidden(run)} if run.hidden else {}
    return {
        "version": 1,
        "files": run.paths,
        "diagnostics": sorted(
            [*_rows(run), *map(_unchecked, run.problems)],
            key=lambda row: (row["path"], row["line"], row["column"], row["code"]),
        ),
        "summary": {
            "files": len(run.paths),
            "unchecked": run.unchecked,
            "errors": run.counts[Severity.ERROR] + len(run.problems),
            "warnings": run.counts[Severity.WARNING],
            "infos": run.counts[Severity.INFO],
            "hints": run.counts[Severity.HINT],
        },
        "not_checked": run.unread,
        **hidden,
    }


def dump(value: object) -> str:
    """Return `value` as indented JSON, without characters that could control a terminal."""
    return in_json(_indented(value, "\n")) + "\n"


def _indented(value: Any, newline: str) -> str:
    """Return the same text as `json.dumps` with an indent of 2, which uses a slow encoder for that."""
    if type(value) is str:
        return encode_basestring(value)
    if type(value) is int:
        return str(value)
    if value is None:
        return "null"
    if isinstance(value, dict) and value:
        inner = newline + "  "
        items = [f"{encode_basestring(key)}: {_indented(item, inner)}" for key, item in value.items()]
        return f"{{{inner}{f',{inner}'.join(items)}{newline}}}"
    if isinstance(value, list | tuple) and value:
        inner = newline + "  "
        return f"[{inner}{f',{inner}'.join([_indented(item, inner) for item in value])}{newline}]"
    return json.dumps(value, ensure_ascii=False)


def _unchecked(problem: FileProblem) -> dict[str, Any]:
    """The row for a file that was not checked: an error at its beginning."""
    place = {"path": problem.path, "line": 1, "column": 1, "end_line": 1, "end_column": 1}
    words = {"code": problem.code, "message": problem.message, "hint": problem.hint}
    return {**place, "severity": Severity.ERROR.label, **words, "fix": None, "tv": None}


def _rows(run: LintRun) -> Iterator[dict[str, Any]]:
    for result in run.results:
        lines = _lines(result.script.text, result.findings)
        yield from (diagnostic(finding, lines) for finding in result.findings)


def _hidden(run: LintRun) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for result in run.results:
        lines = _lines(result.script.text, [each.finding for each in result.hidden])
        for each in result.hidden:
            by = {"by": "comment" if each.by_comment else "settings", "reason": each.reason or None}
            rows.append({**diagnostic(each.finding, lines), **by})
    return rows


def _lines(text: str, findings: list[Finding]) -> LineIndex | None:
    """The index that gives the positions of edits; None if there are no fixes, as in most scripts."""
    if not any(finding.fix for finding in findings):
        return None
    from pinebench.syntax.lines import LineIndex  # here, because a run from the cache does not need it

    return LineIndex(text)


def diagnostic(finding: Finding, lines: LineIndex | None) -> dict[str, Any]:
    """Return one finding as an object of the report. With `lines`, the edits of its fix are included."""
    plain, fix, position = encode(finding), finding.fix, finding.tv
    return {
        "path": finding.path,
        **{name: plain[name] for name in (*PLACE, "severity", "code", "message", "hint")},
        "fix": None if fix is None else "safe" if fix.safe else "unsafe",
        "tv": None if position is None else position._asdict(),
        **({} if fix is None or lines is None else {"edits": [_edit(edit, lines) for edit in fix.edits]}),
    }


def _edit(edit: Edit, lines: LineIndex) -> dict[str, Any]:
    """One edit of a fix; its end is exclusive, as in a finding."""
    start, end = lines.position(edit.span.start), lines.position(edit.span.end)
    return dict(zip(PLACE, (*start, *end), strict=True)) | {"text": edit.text}
