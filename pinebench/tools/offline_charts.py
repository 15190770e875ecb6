"""Charts and indicators without a page: pictures, summaries and values, and the catalogue."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, Protocol, TypedDict

from pinebench.errors import UsageError
from pinebench.tools import markets
from pinebench.tools.arguments import ChoiceArgument, Flag, IntegerArgument, NamesOrObjects, TextArgument
from pinebench.tools.chart_browser import Image, ToolContext
from pinebench.tools.registry import Needs, tool

if TYPE_CHECKING:
    from pinebench.indicators import Indicator, IndicatorAnswer, IndicatorRequest, SourceBars
    from pinebench.market import Bars, SymbolInfo

_DEFAULT = ("ema_stack", "cipher_b", "macd")
_SYMBOL = TextArgument(
    "BTCUSDT (Binance), AAPL (Yahoo), or bars as in data; none: made-up bars", 200, example="BTCUSDT"
)
_INTERVAL = TextArgument("1m, 15m, 1h, 4h (default), 1d, 1wk, or as in Pine", 8, example="4h")
_INDICATORS = NamesOrObjects(
    'names (list_indicators), {"name": "rsi", "length": 21}, or {"pine": path or source, "inputs": {}}'
)
_COMPAT = ChoiceArgument(("chartgen",), "compute as chartgen does, not as TradingView")
_BARS = IntegerArgument("bars to show; earlier bars warm up the indicators", 1, markets.MOST_BARS)
_WINDOW = 200
"""The number of bars that an engine holds of a symbol and an interval."""
_LONGEST_PAGE = 14_000
"""The largest number of characters of a page of indicators."""


class _CatalogueEntry(TypedDict):
    name: str
    description: str
    type: Literal["overlay", "panel", "external"]
    overlay: NotRequired[bool]
    aliases: NotRequired[list[str]]
    configurable_params: NotRequired[list[dict[str, Any]]]
    signals: NotRequired[list[str]]


class IndicatorList(TypedDict):
    """Indicators of the catalogue. `signals` are the labels that an indicator can draw. Without arguments, all
    indicators are listed, without settings and signals. `total` counts the indicators that match the request."""

    total: int
    indicators: list[_CatalogueEntry]
    page: NotRequired[int]
    pages: NotRequired[int]


@tool(
    "indicators",
    "List the indicators by name; with kind, search or page also their settings with defaults, and their signals.",
    needs=Needs.NOTHING,
)
def list_indicators(
    at: ToolContext,
    kind: Annotated[str | None, ChoiceArgument(("overlay", "panel", "external"), "only this kind")] = None,
    search: Annotated[str | None, TextArgument("words from the name or the description", 100, example="volume")] = None,
    page: Annotated[int | None, IntegerArgument("the page of the settings", 1, 100)] = None,
) -> IndicatorList:
    """Return the indicators of the catalogue that match the arguments."""
    from pinebench.indicators import ALL

    words = (search or "").lower().split()
    chosen = [
        one
        for one in ALL
        if (kind is None or one.kind == kind)
        and all(word in f"{one.name} {' '.join(one.aliases)} {one.description}".lower() for word in words)
    ]
    if kind is None and search is None and page is None:
        return {"total": len(chosen), "indicators": [_brief(one) for one in chosen]}
    pages = _pages([_listed(one) for one in chosen])
    number = page or 1
    if number > len(pages):
        raise UsageError(f"there is no page {number}", f"the last page is {len(pages)}")
    return {"total": len(chosen), "indicators": pages[number - 1], "page": number, "pages": len(pages)}


def _brief(one: Indicator) -> _CatalogueEntry:
    return {"name": one.name, "description": one.description, "type": one.kind}


def _listed(one: Indicator) -> _CatalogueEntry:
    from pinebench.indicators.indicator_requests import parameters

    told: _CatalogueEntry = {**_brief(one), "overlay": one.is_overlay}
    if one.aliases:
        told["aliases"] = list(one.aliases)
    settings = parameters(one)
    if settings:
        told["configurable_params"] = settings
    if one.signals:
        told["signals"] = list(one.signals)
    return told


def _pages(listed: list[_CatalogueEntry]) -> list[list[_CatalogueEntry]]:
    """Split the entries into pages that are short enough for a model; one empty page if there are none."""
    pages: list[list[_CatalogueEntry]] = [[]]
    size = 0
    for each in listed:
        own = len(json.dumps(each, indent=2))
        if size + own > _LONGEST_PAGE and pages[-1]:
            pages.append([])
            size = 0
        pages[-1].append(each)
        size += own
    return pages


class IndicatorFeed(TypedDict):
    """The origin of an indicator's series: its source, the first and the last bar of the chart with a value (unix
    seconds), and the time at which it was read."""

    source: str
    first_bar: int
    last_bar: int
    read: str


class IndicatorReport(TypedDict):
    """Indicators on bars. `source` is `fetched`, or `sample` for made-up bars; `last_bar` is in unix seconds.

    The format `summary` gives `price`, and the format `series` gives the list `bars`. `indicators` has an entry for
    each requested indicator, by its name; a second indicator with the same name gets a number. A result that is only a
    picture has none of these keys.
    `feeds` describes the sources of the series that indicators such as funding need; a series that could not be fetched
    has an `error`.
    """

    symbol: str | None
    interval: str
    source: Literal["fetched", "sample"]
    last_bar: int | None
    price: NotRequired[dict[str, Any]]
    bars: NotRequired[list[dict[str, Any]]]
    indicators: NotRequired[dict[str, Any]]
    feeds: NotRequired[dict[str, IndicatorFeed]]
    width: NotRequired[int]
    height: NotRequired[int]
    remarks: list[str]


@tool(
    "indicators",
    "Draw a chart with indicators and your scripts, or give last values and signals (summary) or all values (series).",
    needs=Needs.NOTHING,
    outside=True,
    prices=True,
    unlisted=("ticker", "interval", "panels"),
)
def generate_chart(
    at: ToolContext,
    symbol: Annotated[str | None, _SYMBOL] = None,
    ticker: Annotated[str | None, TextArgument("the same as symbol", 200, example="BTCUSDT")] = None,
    timeframe: Annotated[str | None, _INTERVAL] = None,
    interval: Annotated[str | None, TextArgument("the same as timeframe", 8, example="4h")] = None,
    indicators: Annotated[list[Any] | None, _INDICATORS] = None,
    panels: Annotated[list[Any] | None, NamesOrObjects("the same as indicators")] = None,
    bars: Annotated[int, _BARS] = 200,
    width: Annotated[int, IntegerArgument("pixels, 400 to 7680")] = 1920,
    height: Annotated[int, IntegerArgument("pixels, 300 to 4320")] = 1080,
    format: Annotated[str, TextArgument("png, summary, both or series", 20, example="summary")] = "png",
    log: Annotated[bool, Flag("a logarithmic scale of prices")] = False,
    timezone: Annotated[
        str | None, TextArgument("zone of the time axis (default: the exchange's)", 60, example="UTC")
    ] = None,
    theme: Annotated[str, TextArgument("the colours: light or dark", 20, example="dark")] = "light",
    compat: Annotated[str | None, _COMPAT] = None,
    data: Annotated[list[str] | None, markets.DATA] = None,
) -> IndicatorReport:
    """Draw indicators on bars as a picture, or return their values."""
    from pinebench.indicators import asked, compute_all, draw, series, summary

    form = format.strip().lower()
    if form not in ("png", "summary", "both", "series"):
        raise UsageError(f"format cannot be '{format}'", "it may be png, summary, both or series")
    entries = indicators or panels or list(_DEFAULT)
    wanted = asked(entries, compat)
    loaded = _loaded(at, ticker or symbol, timeframe or interval, bars, data, wanted)
    answered = compute_all(wanted, loaded, at.context, dark=theme.strip().lower() == "dark")
    told = _told(loaded, answered)
    if form in ("png", "both"):
        from pinebench.charts import as_png

        scene = draw(loaded, answered.computed, width, height, logarithmic=log, zone=timezone, theme=theme)
        at.images.append(Image(as_png(scene), "image/png"))
        told["width"], told["height"] = width, height
    if form in ("summary", "both"):
        found = summary(loaded.priced, answered.runs)
        told["price"], told["indicators"] = found["price"], found["indicators"]
    elif form == "series":
        found = series(loaded.priced, answered.runs)
        told["bars"], told["indicators"] = found["bars"], found["indicators"]
    return told


class IndicatorSummaries(TypedDict):
    """The summaries of indicators by name.

    `source` is `engine_cache` for bars that a running engine holds, `fetched` for others, or `sample` for made-up bars.
    """

    symbol: str | None
    interval: str
    source: Literal["engine_cache", "fetched", "sample"]
    last_bar: int | None
    bars: int
    indicators: dict[str, Any]
    feeds: NotRequired[dict[str, IndicatorFeed]]
    remarks: list[str]


@tool(
    "indicators",
    "Last values and signals of indicators on the last 200 bars of a symbol.",
    needs=Needs.NOTHING,
    outside=True,
    prices=True,
)
def get_indicators(
    at: ToolContext,
    symbol: Annotated[str, TextArgument("BTCUSDT (Binance), AAPL (Yahoo), or bars as in data", 200, example="BTCUSDT")],
    indicators: Annotated[list[Any], _INDICATORS],
    timeframe: Annotated[str | None, _INTERVAL] = None,
    bars: Annotated[int, _BARS] = 200,
    compat: Annotated[str | None, _COMPAT] = None,
) -> IndicatorSummaries:
    """Return the summaries of indicators."""
    from pinebench.indicators import asked, compute_all, summary_of

    wanted = asked(indicators, compat)
    loaded = _held(at, symbol, timeframe, bars) or _loaded(at, symbol, timeframe, bars, None, wanted)
    answered = compute_all(wanted, loaded, at.context)
    told = _told(loaded, answered)
    values: IndicatorSummaries = {
        "symbol": told["symbol"],
        "interval": told["interval"],
        "source": "engine_cache" if loaded.kind == "engine" else told["source"],
        "last_bar": told["last_bar"],
        "bars": loaded.shown,
        "indicators": {run.asked.key: summary_of(run) for run in answered.runs},
        "remarks": told["remarks"],
    }
    if "feeds" in told:
        values["feeds"] = told["feeds"]
    return values


class EngineBars(Protocol):
    """A running engine that holds the closed bars of symbols."""

    def window(self, symbol: str, interval: str) -> Bars | None:
        """Return the closed bars that the engine holds, oldest first; None if it does not follow the symbol. `symbol`
        is in capitals without an exchange, such as BTCUSDT; `interval` is for example `15m`, `4h`, `1d` or `1wk`."""
        ...

    def symbol_info(self, symbol: str, interval: str) -> SymbolInfo | None:
        """Return the properties of the symbol that the bars of `window` belong to; None if there are no such bars."""
        ...


def _held(at: ToolContext, symbol: str, interval: str | None, bars: int) -> SourceBars | None:
    """Return the bars that the engine holds for a symbol; None without an engine, or if it does not hold as many."""
    from pinebench.indicators import of_window, window_key

    engine: EngineBars | None = at.context.engine
    key = window_key(symbol, interval) if engine is not None else None
    found = engine.window(*key) if engine is not None and key is not None else None
    if engine is None or key is None or not found or (len(found) < bars and bars > _WINDOW):
        return None
    at.prices = "exchange"
    return of_window(key[0], interval, found, bars, engine.symbol_info(*key))


def _loaded(
    at: ToolContext,
    symbol: str | None,
    interval: str | None,
    bars: int,
    data: list[str] | None,
    wanted: list[IndicatorRequest],
) -> SourceBars:
    from pinebench.indicators import load

    warm_up = max((one.warm_up for one in wanted), default=0)
    loaded = load(symbol, interval, bars, data or (), warm_up=warm_up)
    at.prices = loaded.kind
    at.bars_read += [loaded.read] if loaded.read else []
    return loaded


def _told(loaded: SourceBars, answered: IndicatorAnswer) -> IndicatorReport:
    priced = loaded.priced
    fresh = [loaded.freshness] if loaded.freshness else []
    failed = [run.error.message for run in answered.failed]
    told: IndicatorReport = {
        "symbol": priced.symbol,
        "interval": priced.interval,
        "source": "sample" if loaded.kind == "sample" else "fetched",
        "last_bar": priced.time(len(priced.bars) - 1),
        "remarks": [*loaded.remarks, *fresh, *answered.remarks, *failed],
    }
    if answered.feeds:
        told["feeds"] = {name: IndicatorFeed(**feed) for name, feed in answered.feeds.items()}
    return told
