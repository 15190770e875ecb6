"""How many bars a year has, counted by hand."""

import pytest

from pinebench.market import SymbolInfo
from pinebench.quant.yearly import bars_a_year

DAY = 86_400_000
SHARE = "0930-1600:23456"


@pytest.mark.parametrize(
    ("timeframe", "session", "kind", "expected"),
    [
        ("1D", "24x7", "crypto", 365),
        ("60", "24x7", "crypto", 24 * 365),
        ("240", "24x7", "crypto", 6 * 365),
        ("1D", SHARE, "stock", 252),
        ("60", SHARE, "stock", 7 * 252),  # six hours and a half: the last bar is short
        ("15", SHARE, "stock", 26 * 252),
        ("30S", SHARE, "stock", 780 * 252),
        ("1D", "0000-0000:23456", "forex", 260),
        ("60", "1700-1700:23456", "forex", 24 * 260),
        ("1W", SHARE, "stock", 52),
        ("3M", SHARE, "stock", 4),
        ("2D", SHARE, "stock", 126),
    ],
)
def test_by_the_sessions(timeframe: str, session: str, kind: str, expected: float) -> None:
    symbol = SymbolInfo(timeframe=timeframe, session=session, type=kind)
    assert bars_a_year(symbol).bars == pytest.approx(expected)
    assert bars_a_year(symbol).remark == ""


def test_ticks_have_no_year() -> None:
    assert bars_a_year(SymbolInfo(timeframe="10T")).bars is None


def test_a_file_without_a_session_whose_bars_rest_on_weekends() -> None:
    monday = 4 * DAY  # 5 January 1970
    days = [monday + day * DAY for day in range(30) if day % 7 < 5]
    found = bars_a_year(SymbolInfo(timeframe="1D"), days)
    assert found.bars == 252 and "24x7" in found.remark
    hours = [day + hour * 3_600_000 for day in days for hour in range(14, 21)]
    assert bars_a_year(SymbolInfo(timeframe="60"), hours).bars == 7 * 252
    evenings = [day - 2 * 3_600_000 for day in days]  # a currency's week begins on Sunday at 22:00 UTC
    assert bars_a_year(SymbolInfo(timeframe="1D"), evenings).bars == 252
    assert bars_a_year(SymbolInfo(timeframe="1D"), days[:5]).bars == 365
    assert bars_a_year(SymbolInfo(timeframe="1D"), [monday + day * DAY for day in range(30)]).bars == 365
