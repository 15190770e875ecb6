"""The chart's prices: quotes, order book, bars and older bars; also as CSV files, with studies or trades."""

from __future__ import annotations

import math
from typing import Annotated, Any, NotRequired, TypedDict, cast

from pinebench import files
from pinebench.calendars.dates import iso_text
from pinebench.errors import UsageError
from pinebench.tools import timing
from pinebench.tools.arguments import ChoiceArgument, Flag, IntegerArgument, ListArgument, TextArgument
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import tool
from pinebench.tools.strategy import trades_table
from pinebench.tools.timing import SYMBOL, kept, moment, show
from pinebench.tools.tool_calls import ToolRefused
from pinebench.tradingview import chart_results

MOST_BARS = 500
"""The largest number of bars that one call returns."""


class Quote(TypedDict):
    """The last bar of a symbol; `last` is its close, and `volume` is None if the page has no volume."""

    symbol: str
    time: int
    open: float
    high: float
    low: float
    close: float
    last: float
    volume: float | None
    bid: NotRequired[float]
    ask: NotRequired[float]
    header_price: NotRequired[float]
    description: NotRequired[str]
    exchange: NotRequired[str]
    type: NotRequired[str]


@tool(
    "data",
    "Read the last price. Another symbol is shown briefly, then the chart is restored.",
    untrusted=("description",),
    prices=True,
)
def quote_get(at: ToolContext, symbol: Annotated[str | None, SYMBOL] = None) -> Quote:
    """Return the last bar of the chart, or of another symbol."""
    from pinebench.tradingview.shown_symbol import same_symbol

    if symbol is None or same_symbol(symbol, at.read("chart_summary")["symbol"] or ""):
        return _quote(at.read("quote"))
    with kept(at):
        show(at, symbol, None)
        return _quote(at.read("quote"))


def _quote(found: chart_results.LastBar) -> Quote:
    bar = found["bar"]
    if bar is None:
        raise ToolRefused(f"the chart has no bars of {found['symbol']}", "look at the page in the browser")
    quote: Quote = {
        "symbol": found["symbol"],
        "time": int(bar[0]),
        "open": bar[1],
        "high": bar[2],
        "low": bar[3],
        "close": bar[4],
        "last": bar[4],
        "volume": bar[5] if len(bar) > 5 else None,
    }
    if found["bid"] is not None:
        quote["bid"] = found["bid"]
    if found["ask"] is not None:
        quote["ask"] = found["ask"]
    if found["header"] is not None:
        quote["header_price"] = found["header"]
    if found["description"]:
        quote["description"] = found["description"]
    if found["exchange"]:
        quote["exchange"] = found["exchange"]
    if found["type"]:
        quote["type"] = found["type"]
    return quote


class ListedQuote(TypedDict):
    """The last price of a symbol, and its change today in percent. `delay` is the delay of its prices in seconds; None
    if unknown."""

    symbol: str
    last: float
    open: float | None
    high: float | None
    low: float | None
    volume: float | None
    change: float | None
    change_percent: float | None
    currency: str | None
    description: str
    delay: int | None


class Quotes(TypedDict):
    """Quotes of symbols. `unknown` lists the symbols without a quote."""

    count: int
    source: str
    quotes: list[ListedQuote]
    unknown: list[str]


_QUOTED = ("close", "open", "high", "low", "volume", "change", "change_abs", "currency", "description", "update_mode")


@tool(
    "batch",
    "Read last prices of symbols from TradingView's quote service; the chart stays.",
    outside=True,
    untrusted=("quotes",),
    prices=True,
)
def quotes_get(
    at: ToolContext, symbols: Annotated[list[str], ListArgument(SYMBOL, "EXCHANGE:TICKER", most=50)]
) -> Quotes:
    """Request one symbol after another. Each symbol needs its full name, because the service knows no other names."""
    quotes: list[ListedQuote] = []
    unknown: list[str] = []
    for symbol in dict.fromkeys(symbols):
        found = _listed_quote(at, symbol) if ":" in symbol else None
        if found is None:
            unknown.append(symbol)
        else:
            quotes.append(found)
    at.symbols.extend(each["symbol"] for each in quotes)
    return {"count": len(quotes), "source": "quote_service", "quotes": quotes, "unknown": unknown}


def _listed_quote(at: ToolContext, symbol: str) -> ListedQuote | None:
    """Return the quote of one symbol; None if the service does not know it. Raises ServiceError if the service
    fails."""
    from pinebench.tradingview.script_service import service_data

    answer = at.read("quote_service", {"symbol": symbol, "fields": list(_QUOTED), "limit": 5_000})
    if answer["status"] == 404:
        return None
    data: Any = service_data(answer, f"read the quote of {symbol}")
    told = cast("dict[str, Any]", data) if isinstance(data, dict) else {}

    def number(name: str) -> float | None:
        value = told.get(name)
        return float(value) if isinstance(value, int | float) and math.isfinite(value) else None

    last = number("close")
    if last is None:
        return None
    mode = str(told.get("update_mode") or "")
    delay = 0 if mode == "streaming" else int(mode.rpartition("_")[2]) if mode[-1:].isdigit() else None
    return {
        "symbol": symbol,
        "last": last,
        "open": number("open"),
        "high": number("high"),
        "low": number("low"),
        "volume": number("volume"),
        "change": number("change_abs"),
        "change_percent": number("change"),
        "currency": str(told["currency"]) if told.get("currency") else None,
        "description": str(told.get("description") or ""),
        "delay": delay,
    }


class Depth(TypedDict):
    """The order book: bids from high to low, asks from low to high.

    `source` is `page`, or `studio sample` for numbers that a studio made up.
    """

    symbol: str
    source: str
    bid_levels: int
    ask_levels: int
    spread: float | None
    bids: list[chart_results.Level]
    asks: list[chart_results.Level]
    raw_values: NotRequired[list[float]]
    note: NotRequired[str]


@tool("data", "Read the order book while its panel is open (ui_open_panel trading in a studio).", prices=True)
def depth_get(at: ToolContext) -> Depth:
    """Return bids and asks as the page shows them. In a studio, the numbers are sample data."""
    found: chart_results.OrderBook = at.read("depth")
    if not found["found"]:
        raise ToolRefused(
            "the page shows no order book (depth of market)",
            "open it in the browser; in a studio ui_open_panel with panel trading does it",
        )
    bids, asks = found["bids"], found["asks"]
    spread = float(f"{asks[0]['price'] - bids[0]['price']:.6g}") if bids and asks else None
    told: Depth = {
        "symbol": found["symbol"],
        "source": "studio sample" if at.connection.origin(at.context) == "studio" else "page",
        "bid_levels": len(bids),
        "ask_levels": len(asks),
        "spread": spread,
        "bids": bids,
        "asks": asks,
    }
    if (bids or asks) and not found["raw"]:
        return told
    note = (
        "pinebench cannot tell which numbers in the panel are bids and which are asks"
        if found["raw"]
        else "the panel shows no levels"
    )
    return {**told, "raw_values": found["raw"], "note": note}


class BarRecord(TypedDict):
    """One bar; `time` is in unix seconds, and `volume` is None if the page has no volume."""

    time: int
    open: float
    high: float
    low: float
    close: float
    volume: float | None


class Ohlcv(TypedDict):
    """Bars, or a summary of them."""

    symbol: str
    resolution: str
    bar_count: int
    total_available: NotRequired[int]
    source: NotRequired[str]
    bars: NotRequired[list[BarRecord]]
    period: NotRequired[dict[str, int]]
    open: NotRequired[float]
    close: NotRequired[float]
    high: NotRequired[float]
    low: NotRequired[float]
    range: NotRequired[float]
    change: NotRequired[float]
    change_pct: NotRequired[str]
    avg_volume: NotRequired[float | None]
    last_5_bars: NotRequired[list[BarRecord]]


@tool(
    "data",
    "Read the chart's last bars; summary true gives their range, change and last five instead of all.",
    prices=True,
)
def data_get_ohlcv(
    at: ToolContext,
    count: Annotated[int, IntegerArgument(f"at most {MOST_BARS}", 1, MOST_BARS, clamp=True)] = 100,
    summary: Annotated[bool, Flag("a summary instead of all bars")] = False,
) -> Ohlcv:
    """Return the last bars of the active chart, or their summary."""
    found: chart_results.BarRows = at.read("bars", {"count": count})
    bars = [_bar(row) for row in found["bars"]]
    if not bars:
        raise ToolRefused(f"the chart has no bars of {found['symbol']}", "look at the page in the browser")
    head: Ohlcv = {"symbol": found["symbol"], "resolution": found["resolution"], "bar_count": len(bars)}
    if not summary:
        return {**head, "total_available": found["total"], "source": "direct_bars", "bars": bars}
    return cast("Ohlcv", {**head, **summarised(bars)})


MOST_HISTORY = 21_000
"""The approximate number of bars that TradingView's server gives for one chart."""


class ChartHistory(TypedDict):
    """The bars of the chart after older bars were loaded. Times are in unix seconds. `complete` is True if there are
    as many bars as requested; if not, `note` gives the reason."""

    symbol: str
    resolution: str
    bar_count: int
    loaded: int
    first_time: int | None
    last_time: int | None
    complete: bool
    history_exhausted: bool
    note: NotRequired[str]
    verified: bool


@tool(
    "batch",
    "Load older bars, up to a number or back to a date; the view stays. data_export_csv then writes all bars.",
    changes=True,
    proof="the bars and the visible range, read back",
)
def data_load_history(
    at: ToolContext,
    bars: Annotated[int | None, IntegerArgument("how many bars the chart should have", 1, 100_000)] = None,
    since: Annotated[str | None, TextArgument("ISO 8601, or unix seconds", 40, example="2020-01-31")] = None,
) -> ChartHistory:
    """Request older bars until the chart has enough of them, or until the server has no more."""
    if (bars is None) == (since is None):
        raise UsageError(
            "give either bars or since, which say how far back the chart should go", "for example, bars 5000"
        )
    start = None if since is None else moment("since", since)
    request = {"count": bars or 0, "since": start, "limit": 60_000}
    found: chart_results.LoadedHistory = at.act("load_history", request, timeout=70)
    at.prove(found["evidence"])
    if not found["able"]:
        raise ToolRefused("the page has no function that loads older bars", "scroll the chart back in the browser")
    first, last = found["first"], found["last"]
    result: ChartHistory = {
        "symbol": found["evidence"]["symbol"] or "",
        "resolution": found["evidence"]["resolution"] or "",
        "bar_count": found["size"],
        "loaded": found["size"] - found["had"],
        "first_time": None if first is None else int(first),
        "last_time": None if last is None else int(last),
        "complete": found["met"],
        "history_exhausted": found["exhausted"],
        "verified": not found["moved"],
    }
    return result if found["met"] else {**result, "note": _why_incomplete(found)}


def _why_incomplete(found: chart_results.LoadedHistory) -> str:
    if found["exhausted"]:
        return f"the server has no older bars of this chart; TradingView gives about {MOST_HISTORY} at most"
    if found["stalled"]:
        return "the page stopped answering requests for older bars; ask again"
    return "the time limit was reached before all bars were loaded; call again to continue"


class Summary(TypedDict):
    """A summary of bars; `period` has the first and last time in unix seconds. `avg_volume` is None if a bar has no
    volume."""

    period: dict[str, int]
    open: float
    close: float
    high: float
    low: float
    range: float
    change: float
    change_pct: str
    avg_volume: float | None
    last_5_bars: list[BarRecord]


def summarised(bars: list[BarRecord]) -> Summary:
    """Summarise bars: period, first open, last close, high and low, change, mean volume, and the last five bars."""
    first, last = bars[0], bars[-1]
    high, low = max(bar["high"] for bar in bars), min(bar["low"] for bar in bars)
    change = last["close"] - first["open"]
    percent = change_percent(first["open"], last["close"])
    volumes = [bar["volume"] for bar in bars if bar["volume"] is not None]
    return {
        "period": {"from": first["time"], "to": last["time"]},
        "open": first["open"],
        "close": last["close"],
        "high": high,
        "low": low,
        "range": neat(high - low, bars),
        "change": neat(change, bars),
        "change_pct": "n/a" if percent is None else f"{percent:.2f}%",
        "avg_volume": round(sum(volumes) / len(bars)) if len(volumes) == len(bars) else None,
        "last_5_bars": bars[-5:],
    }


def change_percent(first: float, last: float) -> float | None:
    """Return the change from the price `first` to the price `last` in percent of the size of `first`, which may be
    negative. None if it is 0, or if a price is missing."""
    return (last - first) / abs(first) * 100 if first and math.isfinite(last - first) else None


def neat(value: float, bars: list[BarRecord]) -> float:
    """Round a price difference to the number of decimals in the closes of the last 20 bars, between 2 and 8."""
    digits = 2
    for bar in bars[-20:]:
        text = f"{bar['close']:.10f}".rstrip("0")
        digits = max(digits, len(text.partition(".")[2]))
    return round(value, min(digits, 8))


def _bar(row: list[float | None]) -> BarRecord:
    time, o, h, low, c = (math.nan if value is None else value for value in row[:5])
    return {"time": int(time), "open": o, "high": h, "low": low, "close": c, "volume": row[5] if len(row) > 5 else None}


class ExportedFile(TypedDict):
    """The CSV file that was written."""

    file_path: str
    rows: int
    columns: list[str]
    size_bytes: int
    verified: bool


@tool(
    "batch",
    "Write the chart's bars, also with studies' plots, or the strategy's trades into a new CSV file.",
    changes=True,
    prices=True,
    proof="the file, read back",
)
def data_export_csv(
    at: ToolContext,
    path: Annotated[str, TextArgument("a file that does not exist yet", 4096, example="aapl.csv")],
    what: Annotated[
        str,
        ChoiceArgument(("bars", "studies", "trades"), "bars, bars with the plots of studies, or the strategy's trades"),
    ] = "bars",
) -> ExportedFile:
    """Write all bars that the chart holds, oldest first, with times in ISO 8601 (UTC). Trades are written in the format
    of TradingView's tester."""
    from pinebench.files import csv_text

    if not path.lower().endswith(".csv"):
        raise UsageError(f"path must end in .csv, got: {path[-40:]}")
    head, *rows = trades_table(at) if what == "trades" else _bars_table(at, what == "studies")
    data = csv_text.as_csv([head, *([_cell(value) for value in row] for row in rows)]).encode()
    files.create(path, data)
    return {
        "file_path": path,
        "rows": len(rows),
        "columns": head,
        "size_bytes": len(data),
        "verified": files.read_bytes(path) == data,
    }


def _bars_table(at: ToolContext, studies: bool) -> list[list[Any]]:
    """Return the names of the columns, then one row for each bar."""

    request = {"studies": studies, "limit": timing.COMPUTED_MS}
    found: chart_results.ExportedData = at.read("export_data", request, timeout=20)
    if not found["rows"]:
        raise ToolRefused("the chart has no bars", "look at the page in the browser")
    if found["computing"]:
        raise ToolRefused(
            f"the chart is still computing {', '.join(found['computing'])}, so nothing was written",
            "try again in a moment",
        )
    moments = (iso_text(1000 * (row[0] or 0)) for row in found["rows"])
    return [found["columns"], *([moment, *row[1:]] for moment, row in zip(moments, found["rows"], strict=True))]


def _cell(value: Any) -> str:
    """Return a text of the page unchanged, a number with all of its digits, or an empty text for None."""
    if isinstance(value, str):
        return value
    return "" if value is None else repr(value)
