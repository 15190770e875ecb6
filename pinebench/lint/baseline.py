"""A baseline holds the findings a project has accepted for now, so that only new ones are reported.

A finding is known by its file, its code and the text of its line, not by its line number: edits elsewhere do not bring
it back.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from pinebench import files
from pinebench.errors import UsageError
from pinebench.syntax.lines import LineIndex

if TYPE_CHECKING:
    from pinebench.lint.project import Result

Baseline = Counter[tuple[str, str, str]]
"""How often each (path, code, line text) was accepted."""


def load(path: str) -> Baseline:
    """The baseline in the file at `path`. Raises UsageError when it is none."""
    try:
        data = json.loads(files.read(path).text)
        return Counter({(row["path"], row["code"], row["line"]): int(row["count"]) for row in data["findings"]})
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"{path}: is not a baseline", "remove it, and the next run writes a new one") from None


def save(path: str, results: list[Result]) -> int:
    """Write every finding of `results` to the file at `path` and return how many there are."""
    keys = Counter(key for result in results for key in _keys(result))
    rows = [
        {"path": path, "code": code, "line": line, "count": count} for (path, code, line), count in sorted(keys.items())
    ]
    text = json.dumps({"version": 1, "findings": rows}, indent=2) + "\n"
    files.write_atomically(path, text.encode())
    return keys.total()


def without(results: list[Result], accepted: Baseline) -> list[Result]:
    """`results` without the findings that `accepted` knows."""
    left = Counter(accepted)
    return [
        result._replace(
            findings=[
                finding for finding, key in zip(result.findings, _keys(result), strict=True) if not _take(left, key)
            ]
        )
        for result in results
    ]


def _take(left: Baseline, key: tuple[str, str, str]) -> bool:
    if left[key] <= 0:
        return False
    left[key] -= 1
    return True


def _keys(result: Result) -> list[tuple[str, str, str]]:
    lines = LineIndex(result.script.text) if result.findings else None
    return [
        (finding.path, finding.code, lines.line_text(finding.line).strip() if lines else "")
        for finding in result.findings
    ]
