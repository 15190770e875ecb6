"""Recorded answers of TradingView's editor, against ours under `--tradingview`: code, words and line of each error."""

import pytest

from scripts.data.parity_verdicts import editor_agrees as agrees
from tests.recorded import editor_records

LEAST = 0.97


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
