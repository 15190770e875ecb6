"""Performs one action for many symbols and timeframes: switches the chart, reads it, and restores it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, TypedDict

from pinebench.errors import PinebenchError
from pinebench.tools import data
from pinebench.tools.arguments import ChoiceArgument, Flag, IntegerArgument, ListArgument
from pinebench.tools.capture import capture_screenshot
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import tool
from pinebench.tools.strategy import data_get_strategy_results
from pinebench.tools.study_data import data_get_study_values
from pinebench.tools.timing import SYMBOL, TIMEFRAME, kept, show

_SYMBOLS = ListArgument(SYMBOL, "the symbols, one after another", most=50)
_TIMEFRAMES = ListArgument(TIMEFRAME, "all of them for each symbol (default: the chart's)", most=10)
_COUNT = IntegerArgument("how many bars", least=1, most=500, clamp=True)
_ACTION = ChoiceArgument(
    ("quote", "ohlcv", "get_ohlcv", "study_values", "get_strategy_results", "screenshot"), "what to do for each"
)


class BatchRow(TypedDict):
    """The result for one symbol and timeframe."""

    symbol: str
    timeframe: str
    success: bool
    result: dict[str, Any] | None
    error: str | None


class BatchResults(TypedDict):
    """The results for all symbols and timeframes. `restored` is True if the chart shows its former symbol and timeframe
    again."""

    total_iterations: int
    successful: int
    failed: int
    results: list[BatchRow]
    restored: bool
    verified: bool


@tool(
    "batch",
    "Do one thing for several symbols and timeframes, then put the chart back.",
    changes=True,
    prices=True,
    proof="the bars, and the chart's description of each symbol",
)
def batch_run(
    at: ToolContext,
    symbols: Annotated[list[str], _SYMBOLS],
    action: Annotated[str, _ACTION] = "quote",
    timeframes: Annotated[list[str] | None, _TIMEFRAMES] = None,
    ohlcv_count: Annotated[int, _COUNT] = 100,
    delay_ms: Annotated[int, IntegerArgument("extra wait after each switch", 0, 60_000)] = 0,
    restore: Annotated[bool, Flag("put the chart back")] = True,
) -> BatchResults:
    """Show each symbol and timeframe, wait for its bars, and perform `action`. A failure does not stop the work."""
    pairs = [(symbol, timeframe) for symbol in symbols for timeframe in timeframes or [""]]
    rows: list[BatchRow] = []
    with kept(at, is_optional=True) if restore else at.connection.exclusive(at.context) as chart:
        for number, (symbol, timeframe) in enumerate(pairs):
            at.context.check_cancelled()  # after the time limit the rest fails, and what was read is kept
            at.context.progress(f"{symbol} {timeframe}".strip(), number / len(pairs))
            rows.append(_row(at, symbol, timeframe, action, ohlcv_count, delay_ms))
    is_restored = chart is not None and chart.is_restored
    at.context.progress("the chart was restored" if is_restored else "all were shown", 1.0)
    good = sum(row["success"] for row in rows)
    return {
        "total_iterations": len(rows),
        "successful": good,
        "failed": len(rows) - good,
        "results": rows,
        "restored": is_restored,
        "verified": at.is_proved,
    }


def _row(at: ToolContext, symbol: str, timeframe: str, action: str, count: int, delay: int) -> BatchRow:
    try:
        done = show(at, symbol, timeframe or None)
        shown = timeframe or done["resolution"]
        at.context.sleep(delay / 1000)
        result: dict[str, Any] = dict(_ACTIONS[action](at, count))
    except PinebenchError as error:
        at.context.check_cancelled()
        return {"symbol": symbol, "timeframe": timeframe, "success": False, "result": None, "error": error.message}
    return {"symbol": done["symbol"], "timeframe": shown, "success": True, "result": result, "error": None}


def _quote(at: ToolContext, _: int) -> Mapping[str, Any]:
    return data.quote_get(at)


def _bars(at: ToolContext, count: int) -> Mapping[str, Any]:
    return data.data_get_ohlcv(at, count, summary=True)


def _values(at: ToolContext, _: int) -> Mapping[str, Any]:
    return data_get_study_values(at)


def _strategy(at: ToolContext, _: int) -> Mapping[str, Any]:
    return data_get_strategy_results(at)


def _picture(at: ToolContext, _: int) -> Mapping[str, Any]:
    return capture_screenshot(at, "chart", None, embed=False)


_ACTIONS = {
    "quote": _quote,
    "ohlcv": _bars,
    "get_ohlcv": _bars,
    "study_values": _values,
    "get_strategy_results": _strategy,
    "screenshot": _picture,
}


class SymbolComparison(TypedDict):
    """Symbols by their change over the same number of bars, the strongest first. `correlation` is with the first of the
    requested symbols; null if that symbol failed."""

    timeframe: str
    bar_count: int
    symbols: list[dict[str, Any]]
    failed: dict[str, str]
    restored: bool
    verified: bool


@tool(
    "batch",
    "Compare symbols by the chart, which is put back: change, range, correlation with the first. Without it:"
    " quant_compare.",
    changes=True,
    prices=True,
    proof="the bars, and the chart's description of each symbol",
)
def compare_symbols(
    at: ToolContext,
    symbols: Annotated[list[str], ListArgument(SYMBOL, "the first one is compared with the others", least=2, most=20)],
    timeframe: Annotated[str | None, TIMEFRAME] = None,
    count: Annotated[int, _COUNT] = 100,
) -> SymbolComparison:
    """Read the bars of each symbol, and compare them."""
    series: dict[str, list[data.BarRecord]] = {}
    first: list[data.BarRecord] = []
    failed: dict[str, str] = {}
    resolution = ""
    with kept(at, is_optional=True) as chart:
        for number, symbol in enumerate(symbols):
            at.context.check_cancelled()  # after the time limit the rest fails, and what was read is kept
            at.context.progress(symbol, number / len(symbols))
            try:
                resolution = show(at, symbol, timeframe)["resolution"]
                found = data.data_get_ohlcv(at, count)
                series[found["symbol"]] = found.get("bars", [])
                first = first if number else series[found["symbol"]]
            except PinebenchError as error:
                at.context.check_cancelled()
                failed[symbol] = error.message
    rows = [{"symbol": symbol, **_compared(bars, first)} for symbol, bars in series.items()]
    rows.sort(key=lambda row: -math.inf if row["change_percent"] is None else row["change_percent"], reverse=True)
    return {
        "timeframe": resolution,
        "bar_count": count,
        "symbols": rows,
        "failed": failed,
        "restored": chart.is_restored,
        "verified": at.is_proved,
    }


def _compared(bars: list[data.BarRecord], first: list[data.BarRecord]) -> dict[str, Any]:
    """Return the figures of a symbol's bars, compared with the bars of the first symbol."""
    return {
        "close": bars[-1]["close"],
        "change_percent": _change(bars[0]["open"], bars[-1]["close"]),
        "high": max(bar["high"] for bar in bars),
        "low": min(bar["low"] for bar in bars),
        "bars": len(bars),
        "correlation": correlation(first, bars),
    }


def _change(first: float, last: float) -> float | None:
    percent = data.change_percent(first, last)
    return None if percent is None else round(percent, 4)


def _size(row: dict[str, Any]) -> float:
    """Return the size of a row's change; an unknown one is below all others."""
    return -1.0 if row["change_percent"] is None else abs(row["change_percent"])


def correlation(one: list[data.BarRecord], other: list[data.BarRecord]) -> float | None:
    """Return the correlation of the returns of two symbols, -1 to 1, over the bars that both have. Return None if there
    are fewer than three returns, or if one symbol's returns do not vary."""
    closes = {bar["time"]: bar["close"] for bar in other}
    both = [(bar["close"], closes[bar["time"]]) for bar in one if bar["time"] in closes]
    changes = [
        (data.change_percent(before[0], now[0]), data.change_percent(before[1], now[1]))
        for before, now in pairwise(both)
    ]
    pairs = [(own, others) for own, others in changes if own is not None and others is not None]
    if len(pairs) < 3:
        return None
    means = [sum(pair[side] for pair in pairs) / len(pairs) for side in (0, 1)]
    spread = [sum((pair[side] - means[side]) ** 2 for pair in pairs) for side in (0, 1)]
    if spread[0] <= 0 or spread[1] <= 0:
        return None
    joint = sum((a - means[0]) * (b - means[1]) for a, b in pairs)
    return round(joint / (spread[0] * spread[1]) ** 0.5, 4)


class SymbolScan(TypedDict):
    """The symbols that were read, with their change, and the symbols that failed."""

    matches: list[dict[str, Any]]
    scanned: int
    failed: dict[str, str]
    restored: bool
    verified: bool


@tool(
    "batch",
    "Scan symbols by the chart, which is put back: quote, change, study values, the greatest move first. Without it:"
    " pine_screen.",
    changes=True,
    prices=True,
    proof="the bars, and the chart's description of each symbol",
)
def scan_symbols(
    at: ToolContext,
    symbols: Annotated[list[str], _SYMBOLS],
    timeframe: Annotated[str | None, TIMEFRAME] = None,
    count: Annotated[int, _COUNT] = 20,
) -> SymbolScan:
    """Return one row for each symbol, sorted by the size of its change, up or down."""
    found: list[dict[str, Any]] = []
    failed: dict[str, str] = {}
    with kept(at, is_optional=True) as chart:
        for number, symbol in enumerate(symbols):
            at.context.check_cancelled()  # after the time limit the rest fails, and what was read is kept
            at.context.progress(symbol, number / len(symbols))
            try:
                show(at, symbol, timeframe)
                bars = data.data_get_ohlcv(at, count).get("bars", [])
                values = data_get_study_values(at)["studies"]
            except PinebenchError as error:
                at.context.check_cancelled()
                failed[symbol] = error.message
                continue
            told = data.summarised(bars)
            found.append(
                {
                    "symbol": symbol,
                    "close": told["close"],
                    "change_percent": _change(told["open"], told["close"]),
                    "high": told["high"],
                    "low": told["low"],
                    "studies": [
                        {"name": each["name"], "values": each["values"]}
                        | ({"note": each["note"]} if "note" in each else {})
                        for each in values
                    ],
                }
            )
    found.sort(key=_size, reverse=True)
    return {
        "matches": found,
        "scanned": len(found),
        "failed": failed,
        "restored": chart.is_restored,
        "verified": at.is_proved,
    }
