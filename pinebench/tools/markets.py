"""The bars on which tools run scripts: the arguments that choose them, and their description in results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, NotRequired, TypedDict

from pinebench.errors import UsageError
from pinebench.tools.arguments import (
    Flag,
    IntegerArgument,
    NamesArgument,
    TextArgument,
    TimeframeArgument,
    ValuesArgument,
)
from pinebench.tools.chart_browser import ToolContext

if TYPE_CHECKING:
    from collections.abc import Sized

    from pinebench.checker import Program
    from pinebench.market import Data
    from pinebench.runtime import RequestSource
    from pinebench.workers.request import Request

SYMBOL = TextArgument("a sample symbol, with made-up prices (default: NASDAQ:AAPL)", 80, example="NASDAQ:AAPL")
SYMBOL_ONLY = TextArgument("a sample symbol, with made-up prices", 80, example="NASDAQ:AAPL")
TIMEFRAME = TimeframeArgument("aggregate bars to it (default: their own; samples: 1D)")
MOST_BARS = 20_000
BARS = IntegerArgument("how many (default: 1000); a file is used whole", 1, MOST_BARS)
DATA = NamesArgument(
    "a CSV or Parquet file, binance:BTCUSDT:4h, yahoo:AAPL:1d, ccxt:EXCHANGE:SYMBOL:TIMEFRAME,"
    " sample:SYMBOL@TIMEFRAMExCOUNT; a list adds SYMBOL=BARS for requests",
    4096,
    example="bars.csv",
)
LIKE_RUNS = NamesArgument(
    "a CSV file, binance:BTCUSDT:4h, sample:SYMBOL@TIMEFRAMExCOUNT, or as in pine_run", 4096, example="bars.csv"
)
"""The argument `DATA` with a shorter description, because each tool's description costs tokens in every
conversation."""
INFO = TextArgument("a TOML file with the symbol's properties", 4096, example="bars.toml")
INPUTS = ValuesArgument("input values by title or variable")
IMAGE = Flag("also a picture (PNG) of the script on the bars")
PROPERTIES = ValuesArgument("arguments of strategy() that replace the script's, such as slippage or initial_capital")
FROM = TextArgument("from this date on (ISO 8601, UTC)", 40, example="2024-01-31")
TO = TextArgument("before this date (ISO 8601, UTC)", 40, example="2024-02-29T14:30")

DEFAULT_SYMBOL = "NASDAQ:AAPL"


class BarAggregation(TypedDict):
    """An aggregation of shorter bars into the requested timeframe: both timeframes, and both numbers of bars."""

    from_timeframe: str
    from_bars: int
    to_timeframe: str
    to_bars: int


class OnBars(TypedDict):
    """The bars that a script ran on. `read` is a line about their source and the assumptions about them."""

    symbol: str
    made_up: bool
    read: str
    timeframe: str
    bars: int
    aggregated: NotRequired[BarAggregation]
    remarks: list[str]


class Market(NamedTuple):
    """The bars of the chart and of other symbols, and remarks about them."""

    chart: Data
    others: dict[str, RequestSource]
    remarks: list[str]

    @property
    def name(self) -> str:
        """The symbol with its exchange. Made-up prices are marked as such."""
        return self.chart.symbol.name

    def told(self) -> OnBars:
        """Return the part of a result that describes the bars."""
        timeframe, count = self.chart.symbol.timeframe, len(self.chart.bars)
        told: OnBars = {
            "symbol": self.name,
            "made_up": self.chart.symbol.is_made_up,
            "read": self.chart.summary,
            "timeframe": timeframe,
            "bars": count,
            "remarks": self.remarks,
        }
        joined = self.chart.joined
        if joined is not None:
            told["aggregated"] = {
                "from_timeframe": joined.timeframe,
                "from_bars": joined.bars,
                "to_timeframe": timeframe,
                "to_bars": count,
            }
        return told


def market(
    at: ToolContext,
    symbol: str | None = None,
    timeframe: str | None = None,
    bars: int | None = None,
    data: list[str] | None = None,
    symbol_info: str | None = None,
) -> Market:
    """Load the bars that the arguments name, and record the source of the chart's prices in `at`. Raises UsageError if
    the bars cannot be read or made, or if both `symbol` and `data` are given."""
    from pathlib import Path

    from pinebench.market import bar_choice
    from pinebench.runtime import RequestSource

    if symbol is not None and data is not None:
        raise UsageError(
            "symbol names a symbol of the sample market, and data names other bars", "give only one of symbol and data"
        )
    given = data if data is not None else [f"sample:{symbol or DEFAULT_SYMBOL}"]
    names = bar_choice.names(given, "data")
    chosen = bar_choice.choose(names, Path(symbol_info) if symbol_info else None, timeframe, bars)
    at.prices = chosen.chart.kind
    at.bars_read += [each.line for each in (chosen.chart, *chosen.others.values())]
    remarks = [said for each in (chosen.chart, *chosen.others.values()) for said in each.remarks]
    if bars is not None and not bar_choice.takes_count(names.chart) and bars != len(chosen.chart.bars):
        what = "files" if bar_choice.is_file(names.chart) else "a name with a number of bars"
        remarks.append(f"all {len(chosen.chart.bars)} bars were used: bars = {bars} does not apply to {what}")
    others = {name: RequestSource(each.bars, each.symbol) for name, each in chosen.others.items()}
    return Market(chosen.chart, others, remarks)


def run_request(
    at: ToolContext,
    source: str,
    symbol: str | None,
    timeframe: str | None,
    bars: int | None,
    data: list[str] | None,
    symbol_info: str | None,
    inputs: dict[str, Any] | None,
) -> tuple[Program, Market, Request]:
    """Return the checked script, the bars that the arguments name, and the request to run the script on them."""
    from pinebench.checker import open_program
    from pinebench.workers.jobs import request_of

    program = open_program(source, ())
    found = market(at, symbol, timeframe, bars, data, symbol_info)
    request = request_of(program, found.chart.bars, found.chart.symbol, inputs=inputs or {}, others=found.others)
    return program, found, request


def dates(first: str | None, last: str | None) -> tuple[int | None, int | None]:
    """Convert the dates `first` and `last` to milliseconds UTC. Raises UsageError if one is not a date, or if `last` is
    not after `first`."""
    from pinebench.calendars.dates import moment

    begin, end = moment("from", first), moment("to", last)
    if begin is not None and end is not None and begin >= end:
        raise UsageError(f"`to` ({last}) is not after `from` ({first})", "expected a later date")
    return begin, end


def left_out(most: int, **lists: Sized) -> list[str]:
    """Return a remark for each list with more than `most` entries. The remark says how many of its entries are not
    shown."""
    return [
        f"{len(each) - most} {name.replace('_', ' ')} are not shown" for name, each in lists.items() if len(each) > most
    ]
