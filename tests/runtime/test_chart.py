"""Columns that are computed from the prices of a bar."""

import pytest

from pinebench.market.bars import Bars, SymbolInfo
from pinebench.runtime.chart import Chart, fixed
from tests.runtime.running import START, bars_of, values


def test_means_of_prices_are_rounded_as_tradingview_rounds_them() -> None:
    """The close is doubled before it is added: 16 bars of an export tell that from a sum of four prices."""
    bars = Bars([START], [1.0642], [1.0657], [1.062], [1.06505], [1.0])
    assert (1.0657 + 1.062 + 1.06505 + 1.06505) / 4 == 1.0644500000000001
    assert values("plot(hlcc4)", bars) == [1.06445]
    assert values("plot(hl2)", bars) == [(1.0657 + 1.062) / 2]
    assert values("plot(hlc3)", bars) == [(1.0657 + 1.062 + 1.06505) / 3]
    assert values("plot(ohlc4)", bars) == [(1.0642 + 1.0657 + 1.062 + 1.06505) / 4]


@pytest.mark.parametrize(
    ("ticker", "kind", "root"),
    [
        ("ES1!", "crypto", "ES"),
        ("6E2!", "futures", "6E"),
        ("ESZ2024", "futures", "ES"),
        ("ESZ2024", "stock", "ESZ2024"),
    ],
)
def test_the_root_of_a_contract_has_no_number_and_no_month(ticker: str, kind: str, root: str) -> None:
    assert fixed(Chart(bars_of([1.0]), SymbolInfo(ticker, type=kind)), "syminfo.root") == root
