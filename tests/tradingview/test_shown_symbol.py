"""When the chart shows the symbol that was asked for."""

from pinebench.tradingview.shown_symbol import same_symbol
from tests.tables import each


@each(
    ("wanted", "shown", "same"),
    [
        ("AAPL", "NASDAQ:AAPL", True),
        ("nasdaq:aapl", "NASDAQ:AAPL", True),
        ("NASDAQ:AAPL", "AAPL", True),
        ("NASDAQ:AAPL", "BATS:AAPL", True),
        ("NASDAQ:AAPL", "NASDAQ:AAP", False),
        ("BINANCE:BTCUSDT", "BYBIT:BTCUSDT", False),
        ("", "NASDAQ:AAPL", False),
    ],
)
def test_symbols_are_compared_without_case_and_missing_exchanges(wanted: str, shown: str, same: bool) -> None:
    assert same_symbol(wanted, shown) is same
