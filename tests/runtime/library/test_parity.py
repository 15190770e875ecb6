"""The kernels give what TradingView exported, to the last digit and with the same missing values."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pinebench.market.bars import SymbolInfo
from pinebench.runtime.library import CONTEXT_FUNCTIONS, KERNELS, SOURCES
from tests.parity import same, series
from tests.runtime.library.drive import Surroundings

Bars = dict[str, list[float]]


def _run(name: str, *arguments: Any) -> Callable[[Bars], Iterator[Any]]:
    """A kernel over bars; an argument is a column's name, an iterable of values, or a constant."""

    def rows(bars: Bars) -> Iterator[Any]:
        kernel: Any = KERNELS[name]()
        count = len(bars["close"])
        given = (SOURCES[name], *arguments) if name in SOURCES else arguments
        columns = [_column(argument, bars) for argument in given]
        read = [_column(read, bars) for read in kernel.reads]
        for i in range(count):
            yield kernel(i, *(column[i] for column in columns), *(column[i] for column in read))

    return rows


def _column(argument: Any, bars: Bars) -> list[Any]:
    count = len(bars["close"])
    if callable(argument):
        values: Any = argument(bars)
        return list(values)
    if argument == "hl2":
        return [(high + low) / 2 for high, low in zip(bars["high"], bars["low"], strict=True)]
    if argument == "hlc3":
        return [(h + lo + c) / 3 for h, lo, c in zip(bars["high"], bars["low"], bars["close"], strict=True)]
    if argument == "close[1]":
        return [float("nan"), *bars["close"][:-1]]
    if isinstance(argument, str) and argument in bars:
        return bars[argument]
    return [argument] * count


def _part(k: int, rows: Callable[[Bars], Iterator[Any]]) -> Callable[[Bars], Iterator[Any]]:
    return lambda bars: (row[k] for row in rows(bars))


FOREX = SymbolInfo(mintick=0.00001, timezone="America/New_York", session="1700-1700:23456")


def _change(timeframe: str) -> Callable[[Bars], Iterator[bool]]:
    """`timeframe.change` on a market whose day begins at 17:00 in New York."""

    def rows(bars: Bars) -> Iterator[bool]:
        context = Surroundings(FOREX, "15", [int(time) * 1000 for time in bars["time"]])
        for i in range(len(context.times)):
            context.bar_index = i
            yield CONTEXT_FUNCTIONS["timeframe.change"](context, timeframe)

    return rows


_DAY = _change("D")
_EMA = _run("ta.ema", "close", 20)


def _levels(k: int, kind: str) -> Callable[[Bars], Iterator[Any]]:
    rows = _run("ta.pivot_point_levels", kind, _DAY, False)
    return lambda bars: (row.items[k] for row in rows(bars))


def _times(factor: float, rows: Callable[[Bars], Iterator[Any]]) -> Callable[[Bars], Iterator[Any]]:
    return lambda bars: (factor * row for row in rows(bars))


def _every_third(bars: Bars) -> Iterator[bool]:
    return (i % 3 == 0 for i in range(len(bars["close"])))


def _odd_only(bars: Bars) -> Iterator[float]:
    return (close if i % 2 else float("nan") for i, close in enumerate(bars["close"]))


CASES: dict[tuple[str, str], Callable[[Bars], Iterator[Any]]] = {
    ("accdist+pvi+pvt+wad+wvad", "ta.pvi"): _run("ta.pvi"),
    ("accdist+pvi+pvt+wad+wvad", "ta.pvt"): _run("ta.pvt"),
    ("accdist+pvi+pvt+wad+wvad", "ta.wad"): _run("ta.wad"),
    ("bb", "ta.bb(close, 20, 2).base"): _part(0, _run("ta.bb", "close", 20, 2)),
    ("bb", "ta.bb(close, 20, 2).lower"): _part(2, _run("ta.bb", "close", 20, 2)),
    ("bb", "ta.bbw(close, 20, 2.1)"): _run("ta.bbw", "close", 20, 2.1),
    ("cci+cmo+cog", "ta.cci(close, 20)"): _run("ta.cci", "close", 20),
    ("cci+cmo+cog", "ta.cog(close, 21)"): _run("ta.cog", "close", 21),
    ("cross", "ta.cross(ema1, ema2)"): _times(
        0.5, _run("ta.cross", _run("ta.ema", "close", 5), _run("ta.ema", "close", 11))
    ),
    ("dmi", "ta.dmi(17, 14).dip"): _part(0, _run("ta.dmi", 17, 14)),
    ("dmi", "ta.dmi(17, 14).dim"): _part(1, _run("ta.dmi", 17, 14)),
    ("falling+rising", "ta.rising(ema, 5)"): _run("ta.rising", _EMA, 5),
    ("highest+lowest", "ta.highest(10)"): _run("ta.highest#0", 10),
    ("highest+lowest", "ta.highest(close, 10)"): _run("ta.highest#1", "close", 10),
    ("highest+lowest", "ta.lowest(close, 10)"): _run("ta.lowest#1", "close", 10),
    ("highest+lowest", "ta.highestbars(close, 10)"): _run("ta.highestbars#1", "close", 10),
    ("iii+nvi+obv", "ta.iii"): _run("ta.iii"),
    ("iii+nvi+obv", "ta.obv"): _run("ta.obv"),
    ("linreg", "ta.linreg(close, 20, 0)"): _run("ta.linreg", "close", 20, 0),
    ("ma", "ta.sma(close, 10)"): _run("ta.sma", "close", 10),
    ("ma", "ta.sma(hl2, 20)"): _run("ta.sma", "hl2", 20),
    ("ma", "ta.sma(hlc3, 15)"): _run("ta.sma", "hlc3", 15),
    ("ma", "ta.ema(close, 20)"): _EMA,
    ("ma", "ta.rma(high, 15)"): _run("ta.rma", "high", 15),
    ("ma", "ta.alma(close, 5, 0.85, 6)"): _run("ta.alma", "close", 5, 0.85, 6),
    ("ma", "ta.alma(close, 10, 0.55, 12)"): _run("ta.alma", "close", 10, 0.55, 12),
    ("ma", "ta.wma(close, 20)"): _run("ta.wma", "close", 20),
    ("ma", "ta.hma(close, 9)"): _run("ta.hma", "close", 9),
    ("ma", "ta.hma(close, 20)"): _run("ta.hma", "close", 20),
    ("ma", "ta.vwma(close, 20)"): _run("ta.vwma", "close", 20),
    ("macd", "ta.macd(close, 12, 26, 9).macd"): _part(0, _run("ta.macd", "close", 12, 26, 9)),
    ("macd", "ta.macd(close, 12, 26, 9).hist"): _part(2, _run("ta.macd", "close", 12, 26, 9)),
    ("mfi+rsi+stoch", "ta.mfi(close, 14)"): _run("ta.mfi", "close", 14),
    ("mfi+rsi+stoch", "ta.rsi(close, 14)"): _run("ta.rsi", "close", 14),
    ("mfi+rsi+stoch", "ta.stoch(close, high, low, 20)"): _run("ta.stoch", "close", "high", "low", 20),
    ("min+max+median+mode", "min(close)"): _run("ta.min", "close"),
    ("min+max+median+mode", "median(close)"): _run("ta.median", "close", 20),
    ("pivot", "ta.pivothigh(10, 5)"): _run("ta.pivothigh#0", 10, 5),
    ("pivot", "ta.pivothigh(close, 10, 5)"): _run("ta.pivothigh#1", "close", 10, 5),
    ("pivot", "ta.pivotlow(10, 5)"): _run("ta.pivotlow#0", 10, 5),
    ("pivot_point_levels", "P_trad"): _levels(0, "Traditional"),
    ("pivot_point_levels", "R1_trad"): _levels(1, "Traditional"),
    ("pivot_point_levels", "S1_trad"): _levels(2, "Traditional"),
    ("pivot_point_levels", "R2_trad"): _levels(3, "Traditional"),
    ("pivot_point_levels", "S2_trad"): _levels(4, "Traditional"),
    ("pivot_point_levels", "S3_trad"): _levels(6, "Traditional"),
    ("pivot_point_levels", "R1_fib"): _levels(1, "Fibonacci"),
    ("pivot_point_levels", "S1_fib"): _levels(2, "Fibonacci"),
    ("pivot_point_levels", "P_dm"): _levels(0, "DM"),
    ("pivot_point_levels", "R1_dm"): _levels(1, "DM"),
    ("pivot_point_levels", "S1_dm"): _levels(2, "DM"),
    ("pivot_point_levels", "P_cam"): _levels(0, "Camarilla"),
    ("pivot_point_levels", "S4_cam"): _levels(8, "Camarilla"),
    ("pivot_point_levels", "P_woodie"): _levels(0, "Woodie"),
    ("ppp", "ta.percentile_nearest_rank(close, 20, 0)"): _run(
        "ta.percentile_nearest_rank",
        "close",
        20,
        20,  # what was plotted; the title says another percentage
    ),
    ("ppp", "ta.percentrank(close, 33)"): _run("ta.percentrank", "close", 33),
    ("range", "ta.range(close, 20)"): _run("ta.range", "close", 20),
    ("rci", "ta.rci(close, 20)"): _run("ta.rci", "close", 20),
    ("rci", "ta.rci(hl2, 20)"): _run("ta.rci", "hl2", 20),
    ("rci", "hl2"): lambda bars: iter(_column("hl2", bars)),
    ("tr", "ta.atr(14)"): _run("ta.atr", 14),
    ("valuewhen_na", "v0"): _run("ta.valuewhen#2", _every_third, _odd_only, 0),
    ("valuewhen_na", "v2"): _run("ta.valuewhen#2", _every_third, _odd_only, 2),
    ("valuewhen_na", "w0"): _run("ta.valuewhen#2", _every_third, "close", 0),
    ("vwap", "ta.vwap(close, timeframe.change(&quot;240&quot;))"): _run("ta.vwap#0", "close", _change("240")),
    ("vwap", "ta.vwap(close, timeframe.change(&quot;360&quot;), 2.0).upper_band"): _part(
        1, _run("ta.vwap#1", "close", _change("360"), 2.0)
    ),
    ("vwap", "ta.vwap(close, timeframe.change(&quot;360&quot;), 2.0).lower_band"): _part(
        2, _run("ta.vwap#1", "close", _change("360"), 2.0)
    ),
    ("wpr", "ta.wpr(20)"): _run("ta.wpr", 20),
}


@pytest.mark.parametrize(("export", "column"), list(CASES))
def test_kernel_gives_what_tradingview_exported(export: str, column: str) -> None:
    bars, columns = series(export)
    if column not in columns:
        pytest.fail(f"{export} has no column {column}: {list(columns)}")
    texts = columns[column]
    wrong = [
        (i, value, text)
        for i, (value, text) in enumerate(zip(CASES[export, column](bars), texts, strict=True))
        if not same(value, text)
    ]
    assert not wrong, f"{len(wrong)} of {len(texts)} differ, first {wrong[:3]}"
