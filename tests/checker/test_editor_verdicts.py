"""Recorded answers of TradingView's editor, against ours under `--tradingview`: code, words and line of each error.

A record of an error agrees when one of our errors has all of it that was recorded, one of a warning when we warn so and
have no error, and a script that compiled when we have none.
"""

from __future__ import annotations

from typing import Any

import pytest

from pinebench.diagnostics import Severity
from pinebench.linter import View, lint_text
from tests.recorded import editor_records

LEAST = 0.97


def agrees(record: dict[str, Any]) -> bool:
    """Whether our answer has everything that was recorded."""
    found = lint_text(record["snippet"], view=View(tradingview=True))
    errors = [finding for finding in found if finding.severity is Severity.ERROR]
    if record["verdict"] == "clean":
        return not errors
    if record["verdict"] == "warning" and errors:
        return False
    severity = Severity.ERROR if record["verdict"] == "error" else Severity.WARNING
    return any(
        finding.severity is severity
        and record["code"] in (None, finding.code)
        and record["message"] in (None, finding.message)
        and record["line"] in (None, finding.line)
        for finding in found
    )


def test_agrees_with_the_recorded_answers_of_the_editor() -> None:
    records = editor_records()
    different = [record["id"] for record in records if not agrees(record)]
    print(f"{len(records) - len(different)} of {len(records)}")
    assert 1 - len(different) / len(records) >= LEAST, different


@pytest.mark.parametrize("verdict", ["clean", "warning"])
def test_nothing_that_compiled_is_refused(verdict: str) -> None:
    records = [record for record in editor_records() if record["verdict"] == verdict]
    assert records
    assert [record["id"] for record in records if not agrees(record)] == []
