"""The chart's data: quote, bars, values of studies, and drawings of scripts; also as CSV files."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any, NotRequired, TypedDict, cast

from pinebench import files
from pinebench.calendars.dates import iso_text
from pinebench.errors import UsageError
from pinebench.tools.arguments import ChoiceArgument, Flag, IntegerArgument, ListArgument, TextArgument
from pinebench.tools.chart import ENTITY
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import tool
from pinebench.tools.strategy import trades_table
from pinebench.tools.timing import SYMBOL, kept, moment, show
from pinebench.tools.tool_calls import ToolRefused
from pinebench.tradingview import chart_results

MOST_BARS = 500
"""The largest number of bars that one call returns."""

COMPUTED_MS = 5_000
"""The longest wait in milliseconds for studies that are still being computed."""

FILTER = TextArgument("part of a study's name", 200, empty=True)


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

    found: chart_results.LastBar = at.read("quote")
    if symbol is None or same_symbol(symbol, found["symbol"]):
        return _quote(found)
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
    if bids or asks:
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
    volumes = [bar["volume"] for bar in bars if bar["volume"] is not None]
    return {
        "period": {"from": first["time"], "to": last["time"]},
        "open": first["open"],
        "close": last["close"],
        "high": high,
        "low": low,
        "range": neat(high - low, bars),
        "change": neat(change, bars),
        "change_pct": f"{change / first['open'] * 100:.2f}%" if first["open"] else "n/a",
        "avg_volume": round(sum(volumes) / len(bars)) if len(volumes) == len(bars) else None,
        "last_5_bars": bars[-5:],
    }


def neat(value: float, bars: list[BarRecord]) -> float:
    """Round a price difference to the number of decimals that the closes of the last 20 bars have, from 2 to 8."""
    digits = 2
    for bar in bars[-20:]:
        text = f"{bar['close']:.10f}".rstrip("0")
        digits = max(digits, len(text.partition(".")[2]))
    return round(value, min(digits, 8))


def _bar(row: list[float | None]) -> BarRecord:
    time, o, h, low, c = (math.nan if value is None else value for value in row[:5])
    return {"time": int(time), "open": o, "high": h, "low": low, "close": c, "volume": row[5] if len(row) > 5 else None}


class StudyDescription(TypedDict):
    """A study's inputs, and whether the study is visible."""

    entity_id: str
    name: str
    visible: bool
    inputs: list[chart_results.InputValue]


@tool("data", "Read a study's inputs and whether it is shown.", untrusted=("name", "inputs"), prices=True)
def data_get_indicator(at: ToolContext, entity_id: Annotated[str, ENTITY]) -> StudyDescription:
    """Return the inputs of one study."""
    found: chart_results.StudyDetails = at.read("study_details", {"id": entity_id})
    return {"entity_id": found["id"], "name": found["name"], "visible": found["visible"], "inputs": found["inputs"]}


class StudyReading(TypedDict):
    """The values of one study by title. `source` is `data_window`, or `series` for a study outside the price pane. It
    is `none` if there are no values, and `note` gives the reason."""

    id: str
    name: str
    values: dict[str, str]
    source: str
    note: NotRequired[str]


class StudyValues(TypedDict):
    """The values of studies at the last bar, as strings. Studies without values are listed, too."""

    symbol: str
    study_count: int
    studies: list[StudyReading]


@tool(
    "data",
    "Read the values of all studies at the last bar (RSI, averages, plots of scripts).",
    untrusted=("studies",),
    prices=True,
)
def data_get_study_values(at: ToolContext, study_filter: Annotated[str, FILTER] = "") -> StudyValues:
    """Return the values that the data window shows for each study. If it shows none, return the last values of its
    series."""
    found: chart_results.AllStudyValues = at.read("study_values", {"filter": study_filter, "limit": COMPUTED_MS})
    studies = [_reading(each) for each in found["studies"]]
    return {"symbol": found["symbol"], "study_count": len(studies), "studies": studies}


def _reading(each: chart_results.StudyReadings) -> StudyReading:
    told: StudyReading = {"id": each["id"], "name": each["name"], "values": each["values"], "source": each["source"]}
    return told if each["note"] is None else {**told, "note": each["note"]}


class DrawingsByStudy(TypedDict):
    """Drawings of scripts on the chart of a symbol, grouped by study."""

    symbol: str
    study_count: int
    studies: list[dict[str, Any]]


_VERBOSE = Flag("also ids, times and colours")
_PRECISION = IntegerArgument("decimals of prices (two above 10)", 0, 12)


@tool("data", "Read the levels of horizontal lines that scripts drew.", untrusted=("studies",), prices=True)
def data_get_pine_lines(
    at: ToolContext,
    study_filter: Annotated[str, FILTER] = "",
    verbose: Annotated[bool, _VERBOSE] = False,
    precision: Annotated[int | None, _PRECISION] = None,
) -> DrawingsByStudy:
    """Return the horizontal lines by study: each level once, from high to low."""

    def told(items: list[dict[str, Any]]) -> dict[str, Any]:
        level = [item["y1"] for item in items if item.get("y1") is not None and item["y1"] == item.get("y2")]
        flat = {rounded(price, precision) for price in level}
        lines = [
            {
                "id": item["id"],
                "y1": item.get("y1"),
                "y2": item.get("y2"),
                "x1": item.get("x1"),
                "x2": item.get("x2"),
                "horizontal": item.get("y1") == item.get("y2"),
                "style": item.get("st"),
                "width": item.get("w"),
                "color": item.get("ci"),
            }
            for item in items
        ]
        return {"horizontal_levels": sorted(flat, reverse=True), **({"all_lines": lines} if verbose else {})}

    return _drawn(at, "lines", study_filter, "total_lines", told)


@tool("data", "Read the labels that scripts drew, the newest last.", untrusted=("studies",), prices=True)
def data_get_pine_labels(
    at: ToolContext,
    study_filter: Annotated[str, FILTER] = "",
    max_labels: Annotated[int, IntegerArgument("labels of each study, the newest", least=1, most=500, clamp=True)] = 50,
    verbose: Annotated[bool, _VERBOSE] = False,
    precision: Annotated[int | None, _PRECISION] = None,
) -> DrawingsByStudy:
    """Return the labels by study: text and price."""

    def told(items: list[dict[str, Any]]) -> dict[str, Any]:
        said = [item for item in items if item.get("t") or item.get("y") is not None][-max_labels:]
        labels: list[dict[str, Any]] = []
        for item in said:
            label = {"text": str(item.get("t") or ""), "price": rounded(item.get("y"), precision)}
            if verbose:
                more = {"x": "x", "yloc": "yl", "size": "sz", "textColor": "tci", "color": "ci"}
                label |= {"id": item["id"], **{name: item.get(key) for name, key in more.items()}}
            labels.append(label)
        return {"showing": len(labels), "labels": labels}

    return _drawn(at, "labels", study_filter, "total_labels", told)


@tool("data", "Read the boxes (zones) that scripts drew, from high to low.", untrusted=("studies",), prices=True)
def data_get_pine_boxes(
    at: ToolContext,
    study_filter: Annotated[str, FILTER] = "",
    verbose: Annotated[bool, _VERBOSE] = False,
    precision: Annotated[int | None, _PRECISION] = None,
) -> DrawingsByStudy:
    """Return the boxes by study: each pair of high and low once."""

    def told(items: list[dict[str, Any]]) -> dict[str, Any]:
        sized = [item for item in items if item.get("y1") is not None and item.get("y2") is not None]
        edges = [sorted((item["y1"], item["y2"]), reverse=True) for item in sized]
        zones = {(rounded(high, precision), rounded(low, precision)) for high, low in edges}
        boxes = [
            {
                "id": item["id"],
                "high": max(item["y1"], item["y2"]),
                "low": min(item["y1"], item["y2"]),
                "x1": item.get("x1"),
                "x2": item.get("x2"),
                "borderColor": item.get("c"),
                "bgColor": item.get("bc"),
            }
            for item in sized
        ]
        listed = [{"high": high, "low": low} for high, low in sorted(zones, reverse=True)]
        return {"zones": listed, **({"all_boxes": boxes} if verbose else {})}

    return _drawn(at, "boxes", study_filter, "total_boxes", told)


@tool("data", "Read the tables that scripts drew, row by row.", untrusted=("studies",), prices=True)
def data_get_pine_tables(at: ToolContext, study_filter: Annotated[str, FILTER] = "") -> DrawingsByStudy:
    """Return the tables by study: each row as one string, with " | " between its cells. Empty cells stay, because the
    column of a cell tells what it means; rows without any text are left out."""

    def told(items: list[dict[str, Any]]) -> dict[str, Any]:
        tables: dict[Any, dict[int, dict[int, str]]] = {}
        for item in items:
            text = str(item.get("t") or "").strip()
            if text:
                row = tables.setdefault(item.get("tid"), {}).setdefault(int(item.get("row") or 0), {})
                row[int(item.get("col") or 0)] = text
        return {
            "tables": [
                {"rows": [_row(cells, 1 + max(map(max, rows.values()))) for _, cells in sorted(rows.items())]}
                for rows in tables.values()
            ]
        }

    return _drawn(at, "tables", study_filter, "total_cells", told)


def _row(cells: dict[int, str], columns: int) -> str:
    """Return a row of a table with this number of columns as one string."""
    return " | ".join(cells.get(column, "") for column in range(columns)).rstrip()


@tool(
    "data",
    "Read the shapes, characters and arrows that scripts plotted on bars (signals), the newest last.",
    untrusted=("studies",),
    prices=True,
)
def data_get_pine_shapes(
    at: ToolContext,
    study_filter: Annotated[str, FILTER] = "",
    max_shapes: Annotated[int, IntegerArgument("shapes of each study, the newest", least=1, most=500, clamp=True)] = 50,
) -> DrawingsByStudy:
    """Return the plotted shapes by study, each with its time and its title."""
    found: chart_results.ScriptGraphics = at.read(
        "plotted_shapes", {"filter": study_filter, "most": max_shapes, "limit": COMPUTED_MS}
    )
    studies = [
        {
            "name": each["name"],
            "total_shapes": each["total"],
            "showing": len(each["items"]),
            "shapes": [_shape(item) for item in each["items"]],
            **_noted(each),
        }
        for each in found["studies"]
    ]
    return {"symbol": found["symbol"] or "", "study_count": len(studies), "studies": studies}


def _shape(item: dict[str, Any]) -> dict[str, Any]:
    """Return the known fields of one plotted shape. Only a shape that is placed at a price also has that price."""
    told = {name: item[name] for name in ("time", "title", "text", "location") if item.get(name)}
    return told | ({"price": rounded(item["value"])} if str(item.get("location")).lower() == "absolute" else {})


def _noted(drawings: chart_results.ScriptDrawings) -> dict[str, Any]:
    return {} if drawings["note"] is None else {"note": drawings["note"]}


def _drawn(
    at: ToolContext, kind: str, study_filter: str, total: str, told: Callable[[list[dict[str, Any]]], dict[str, Any]]
) -> DrawingsByStudy:
    found: chart_results.ScriptGraphics = at.read(
        "graphics", {"kind": kind, "filter": study_filter, "most": 5000, "limit": COMPUTED_MS}
    )
    studies = [
        {"name": each["name"], total: each["total"], **told(each["items"]), **_noted(each)} for each in found["studies"]
    ]
    return {"symbol": found["symbol"] or "", "study_count": len(studies), "studies": studies}


def rounded(price: Any, precision: int | None = None) -> Any:
    """Round a price to `precision` decimals.

    Without `precision`, a price from 10 up gets two decimals, and a lower one eight significant digits. A value that is
    not a number is returned unchanged.
    """
    if not isinstance(price, int | float):
        return price
    if precision is not None:
        return round(float(price), precision)
    return round(price, 2) if abs(price) >= 10 else float(f"{price:.8g}")


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

    found: chart_results.ExportedData = at.read("export_data", {"studies": studies, "limit": COMPUTED_MS}, timeout=20)
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
