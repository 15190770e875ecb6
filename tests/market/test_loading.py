"""Bars by the names that people give them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pinebench.errors import UsageError
from pinebench.market.loading import load_named

ROW = "time,open,high,low,close\n2026-01-05T14:30:00Z,1,2,1,2\n2026-01-05T14:45:00Z,2,3,1,2\n"


def test_a_name_is_a_file_or_says_that_the_bars_are_made_up(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text(ROW)
    assert len(load_named(str(tmp_path / "own.csv")).bars) == 2
    made = load_named("sample:AAPL")
    assert (len(made.bars), made.symbol.symbol, made.symbol.timeframe) == (500, "AAPL", "1D")


@pytest.mark.parametrize(
    ("name", "wanted", "count", "expected"),
    [
        ("sample:BTCUSDT@60x20", None, 500, (20, "60")),
        ("sample:BTCUSDT@60", None, 7, (7, "60")),
        ("sample:BTCUSDT", "15", 9, (9, "15")),
        ("sample:BTCUSDT@15x8", "60", 500, (2, "60")),
    ],
)
def test_timeframe_and_number_of_made_up_bars(
    name: str, wanted: str | None, count: int, expected: tuple[int, str]
) -> None:
    made = load_named(name, None, wanted, count)
    assert (len(made.bars), made.symbol.timeframe) == expected


@pytest.mark.parametrize("name", ["sample:NOSUCH", "sample:AAPL@60x0", "sample:AAPL@60xmany", "sample:AAPL@soon"])
def test_made_up_bars_that_there_are_not(name: str) -> None:
    with pytest.raises(UsageError):
        load_named(name)
