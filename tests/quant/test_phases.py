"""Phases of the trading day."""

from datetime import UTC, datetime

import pytest

from pinebench.market import SymbolInfo, load_named
from pinebench.quant.phases import by_phase, phase_at

SHARE = SymbolInfo(timeframe="30", session="0930-1600:23456", timezone="America/New_York", type="stock")


def at(hour: int, minute: int = 0) -> int:
    """A time on a Wednesday in winter, on the clock of New York."""
    return int(datetime(2024, 1, 10, hour + 5, minute, tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("hour", "minute", "name"),
    [
        (9, 29, None),
        (9, 30, "opening"),
        (10, 0, "morning"),
        (11, 30, "midday"),
        (13, 0, "early afternoon"),
        (14, 30, "late afternoon"),
        (15, 0, "last hour"),
        (15, 30, "close"),
        (15, 59, "close"),
        (16, 0, None),
    ],
)
def test_the_phases_of_new_york(hour: int, minute: int, name: str | None) -> None:
    assert phase_at(at(hour, minute), SHARE) == name


def test_a_market_around_the_clock_has_phases_by_the_clock() -> None:
    coin = SymbolInfo(timeframe="60", session="24x7")
    hours = {phase_at(at(hour - 5), coin) for hour in (5, 6)}
    assert hours == {"Asia"}
    assert [phase_at(at(hour), coin) for hour in (2, 8, 16)] == ["Europe", "America", "between"]


def test_shares_of_volume_add_up() -> None:
    data = load_named("sample:NASDAQ:AAPL@30x520")
    found = by_phase(data.bars, data.symbol)
    assert not isinstance(found, str)
    assert [each.name for each in found] == [
        *("opening", "morning", "midday", "early afternoon", "late afternoon", "last hour", "close")
    ]
    assert sum(each.volume_share.value or 0 for each in found) == pytest.approx(1)
    assert [each.bars for each in found][:2] == [40, 120]
    assert all(each.mean_range.value for each in found)


def test_days_have_no_phases() -> None:
    data = load_named("sample:NASDAQ:AAPL@1Dx20")
    assert by_phase(data.bars, data.symbol) == "phases of the day need bars that are shorter than a day"
