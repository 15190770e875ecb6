"""What is known about a symbol, and from where."""

from __future__ import annotations

from pathlib import Path

import pytest

from pinebench.errors import UsageError
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.information import read_symbol_info, symbol_info, tick_of, timeframe_of

MINUTE = 60_000
DAY = 1440 * MINUTE


def bars(*times: int, price: float = 1.0) -> Bars:
    made = Bars()
    for time in times:
        made.append(time, price, price, price, price, 1.0)
    return made


@pytest.mark.parametrize(
    ("steps", "timeframe"),
    [
        ((), "1D"),
        ((MINUTE, MINUTE, 900 * MINUTE), "1"),
        ((15 * MINUTE,), "15"),
        ((240 * MINUTE, 240 * MINUTE), "240"),
        ((30_000,), "30S"),
        ((DAY, DAY, 3 * DAY), "1D"),
        ((7 * DAY,), "1W"),
        ((31 * DAY, 28 * DAY, 31 * DAY), "1M"),
        ((92 * DAY, 91 * DAY, 92 * DAY), "3M"),
    ],
)
def test_the_timeframe_of_bars_is_the_usual_time_between_them(steps: tuple[int, ...], timeframe: str) -> None:
    times = [0]
    for step in steps:
        times.append(times[-1] + step)
    assert timeframe_of(bars(*times)) == timeframe


@pytest.mark.parametrize(("price", "tick"), [(1.5, 0.01), (1.23456, 0.00001), (0.12345678, 0.00000001), (5, 0.01)])
def test_the_tick_is_the_smallest_step_of_the_prices(price: float, tick: float) -> None:
    assert tick_of(bars(0, price=price)) == tick


@pytest.mark.parametrize(
    ("name", "prefix", "symbol", "timeframe"),
    [
        ("BINANCE_BTCUSDT, 15.csv", "BINANCE", "BTCUSDT", "15"),
        ("BINANCE_BTCUSDT, 1D_9b2f1.csv", "BINANCE", "BTCUSDT", "1D"),
        ("NASDAQ_AAPL_60.csv", "NASDAQ", "AAPL", "60"),
        ("xetr_my_own_4h.csv", "XETR", "MY_OWN", "240"),
        ("prices.csv", "PINEBENCH", "PRICES", "1"),
    ],
)
def test_names_of_files_say_what_they_hold(tmp_path: Path, name: str, prefix: str, symbol: str, timeframe: str) -> None:
    known = symbol_info(tmp_path / name, bars(0, MINUTE))
    assert (known.prefix, known.symbol, known.timeframe) == (prefix, symbol, timeframe)


def test_the_file_beside_the_bars_decides(tmp_path: Path) -> None:
    (tmp_path / "NASDAQ_AAPL_60.toml").write_text('symbol = "APPLE"\nmintick = 1\nsession = "0930-1600:23456"\n')
    known = symbol_info(tmp_path / "NASDAQ_AAPL_60.csv", bars(0))
    assert (known.symbol, known.prefix, known.mintick, known.session) == ("APPLE", "NASDAQ", 1.0, "0930-1600:23456")


def test_a_file_may_say_everything(tmp_path: Path) -> None:
    path = tmp_path / "any.toml"
    path.write_text(
        'symbol = "ETHUSDT.P"\nprefix = "BINANCE"\ndescription = "Ether"\ntype = "swap"\ncurrency = "USDT"\n'
        'basecurrency = "ETH"\nmintick = 0.01\npointvalue = 1\nmincontract = 0.001\ntimezone = "Etc/UTC"\n'
        'session = "24x7"\ntimeframe = "15"\nvolumetype = "base"\n'
    )
    assert read_symbol_info(path) == SymbolInfo(
        "ETHUSDT.P", "BINANCE", "Ether", "swap", "USDT", "ETH", 0.01, 1.0, 0.001, "Etc/UTC", "24x7", "15", "base"
    )


@pytest.mark.parametrize(
    ("text", "words", "hint"),
    [
        ("mintik = 1", "'mintik' is not a property of a symbol", "did you mean 'mintick'?"),
        ('mintick = "1"', "is not a positive number", "mintick = 0.01"),
        ("mintick = 0", "is not a positive number", "mintick = 0.01"),
        ("mintick = nan", "is not a positive number", "mintick = 0.01"),
        ("symbol = 5", "is not a text", 'symbol = "..."'),
        ('timeframe = "15m"', "is not a valid timeframe", '"15"'),
        ('type = "stocks"', "is not a type", "did you mean 'stock'?"),
        ('volumetype = "x"', "is not a type of volume", '"base"'),
        ("symbol", "any.toml", "TOML"),
    ],
)
def test_what_a_file_cannot_say_is_refused(tmp_path: Path, text: str, words: str, hint: str) -> None:
    path = tmp_path / "any.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=words) as refused:
        read_symbol_info(path)
    assert hint in (refused.value.hint or "")
