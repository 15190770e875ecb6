"""What is known about a symbol, and from where."""

from pathlib import Path

import pytest

from pinebench.errors import UsageError
from pinebench.market.bar_spacing import spacing, timeframe_of
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.information import Description, description, read_description, symbol_info
from pinebench.market.ticks import tick_of

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
    assert tick_of(bars(0, price=price)).size == tick


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
    known = symbol_info(tmp_path / name, bars(0, MINUTE)).symbol
    assert (known.prefix, known.symbol, known.timeframe) == (prefix, symbol, timeframe)


def test_the_file_beside_the_bars_decides(tmp_path: Path) -> None:
    (tmp_path / "NASDAQ_AAPL_60.toml").write_text('symbol = "APPLE"\nmintick = 1\nsession = "0930-1600:23456"\n')
    path = tmp_path / "NASDAQ_AAPL_60.csv"
    known = symbol_info(path, bars(0), description(path)).symbol
    assert (known.symbol, known.prefix, known.mintick, known.session) == ("APPLE", "NASDAQ", 1.0, "0930-1600:23456")


def test_a_file_may_say_everything(tmp_path: Path) -> None:
    path = tmp_path / "any.toml"
    path.write_text(
        'symbol = "ETHUSDT.P"\nprefix = "BINANCE"\ndescription = "Ether"\ntype = "swap"\ncurrency = "USDT"\n'
        'basecurrency = "ETH"\nmintick = 0.01\npointvalue = 1\nmincontract = 0.001\ntimezone = "Etc/UTC"\n'
        'session = "24x7"\ntimeframe = "15"\nvolumetype = "base"\n'
    )
    assert SymbolInfo(**read_description(path).fields) == SymbolInfo(
        "ETHUSDT.P", "BINANCE", "Ether", "swap", "USDT", "ETH", 0.01, 1.0, 0.001, "Etc/UTC", "24x7", "15", "base"
    )


@pytest.mark.parametrize(
    ("text", "words", "hint"),
    [
        ("mintik = 1", "'mintik' is not a property of a symbol", "did you mean 'mintick'?"),
        ('mintick = "1"', "is not a positive number", "mintick = 0.01"),
        ("mintick = 0", "is not a positive number", "mintick = 0.01"),
        ("mintick = nan", "is not a positive number", "mintick = 0.01"),
        ("symbol = 5", "is not a string", 'symbol = "..."'),
        ('timeframe = "15m"', "is not a valid timeframe", '"15"'),
        ('type = "stocks"', "is not a type", "did you mean 'stock'?"),
        ('volumetype = "x"', "is not a type of volume", '"base"'),
        ("symbol", "any.toml", "TOML"),
        ('data_timezone = "Mars/Olympus"', "is not a valid time zone", "New_York"),
        ("data_timezone = 5", "is not a string", "UTC"),
        ("is_made_up = 1", "is not true or false", "true"),
    ],
)
def test_what_a_file_cannot_say_is_refused(tmp_path: Path, text: str, words: str, hint: str) -> None:
    path = tmp_path / "any.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=words) as refused:
        read_description(path)
    assert hint in (refused.value.hint or "")


HOURS = bars(*(n * 60 * MINUTE for n in range(40)))


def test_a_description_replaces_only_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "es.toml").write_text("mintick = 0.25\n")
    (tmp_path / "named.toml").write_text("mintick = 0.25\n")
    beside = symbol_info(tmp_path / "es.csv", HOURS, description(tmp_path / "es.csv"))
    named = symbol_info(tmp_path / "es.csv", HOURS, description(tmp_path / "es.csv", tmp_path / "named.toml"))
    assert beside.symbol == named.symbol
    assert (named.symbol.timeframe, named.symbol.mintick, named.tick) == ("60", 0.25, "from named.toml")


@pytest.mark.parametrize("named", ["1D", "15", "240", "1W", "30S"])
def test_a_timeframe_that_the_bars_do_not_have_is_refused(named: str) -> None:
    said = Description(Path("es.toml"), {"timeframe": named})
    with pytest.raises(UsageError, match=f'timeframe = "{named}" does not fit the bars') as refused:
        symbol_info(Path("es.csv"), HOURS, said)
    assert refused.value.hint


@pytest.mark.parametrize(
    ("times", "named"),
    [
        ([n * 18 * MINUTE + n % 3 * MINUTE for n in range(40)], "1"),  # range bars
        ([n * 60 * MINUTE for n in range(200) if n % 3], "60"),  # hours without trades
        ([n * DAY for n in range(40) if n % 7 < 5], "1D"),
        ([n * 7 * DAY for n in range(40)], "1W"),
        ([0, 31 * DAY, 59 * DAY, 90 * DAY, 120 * DAY], "1M"),
        ([n * DAY - (60 * MINUTE if n > 20 else 0) for n in range(40)], "1D"),  # summer time
    ],
)
def test_a_timeframe_that_the_bars_may_have_is_taken(times: list[int], named: str) -> None:
    assert symbol_info(Path("x.csv"), bars(*times), Description(Path("x.toml"), {"timeframe": named})).symbol.timeframe


def test_a_name_that_the_bars_contradict_is_told_and_not_believed() -> None:
    known = symbol_info(Path("NASDAQ_AAPL_15.csv"), HOURS)
    assert known.symbol.timeframe == "60"
    assert "its name says 15 minutes" in known.remarks[0]


def test_a_tick_that_the_prices_do_not_keep_is_told() -> None:
    odd = bars(*(n * MINUTE for n in range(9)), price=100.1)
    known = symbol_info(Path("es.csv"), odd, Description(Path("es.toml"), {"mintick": 0.25}))
    assert "100 % of the last prices are not multiples of mintick = 0.25" in known.remarks[0]


@pytest.mark.parametrize(
    ("times", "irregular", "words"),
    [
        ([n * 60 * MINUTE for n in range(40)], False, ""),
        ([n * DAY for n in range(40) if n % 7 < 5], False, ""),  # from Thursday, 1 January 1970: 0 to 4 is Thu to Mon
        (
            [sum((2, 3, 4, 7, 11)[k % 5] for k in range(n)) * MINUTE for n in range(100)],
            True,
            "20 % of the bars open 2 minutes after the bar before; 4 other distances occur",
        ),
        ([0], False, "fewer than two bars"),
        ([1_704_412_800_000, 1_704_672_000_000], False, ""),  # a Friday and a Monday
    ],
)
def test_the_share_of_the_usual_step_is_told(times: list[int], irregular: bool, words: str) -> None:
    found = spacing(times)
    assert (found.is_irregular, words in found.in_words) == (irregular, True)
    if len(times) == 2:
        assert found.timeframe == "1D"
