"""The chart: read and change its symbol, timeframe, type, studies and visible range."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict, cast

from pinebench.errors import UsageError
from pinebench.near import hint_of_names
from pinebench.tools.arguments import ChoiceArgument, Flag, IntegerArgument, Number, TextArgument, ValuesArgument, shown
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import tool
from pinebench.tools.timing import SYMBOL, TIMEFRAME, moment, show
from pinebench.tools.tool_calls import ToolRefused
from pinebench.tradingview import chart_results, page_internals, page_results
from pinebench.tradingview.errors import ServiceError

CHART_TYPES = (
    "Bars",
    "Candles",
    "Line",
    "Area",
    "Renko",
    "Kagi",
    "PointAndFigure",
    "LineBreak",
    "HeikinAshi",
    "HollowCandles",
)
"""The names of chart types by TradingView's numbers."""

ENTITY = TextArgument("an id from chart_get_state", 100, pattern=r"[\w$;:@.\-]+", example="aB3xYz")


class ChartOverview(TypedDict):
    """Symbol, timeframe, chart type and studies of the chart."""

    symbol: str
    resolution: str
    chartType: int
    chart_type: str
    studies: list[chart_results.StudyEntry]


@tool(
    "chart",
    "Read symbol, timeframe, chart type and studies with their ids; ask once and reuse the ids.",
    untrusted=("studies",),
)
def chart_get_state(at: ToolContext) -> ChartOverview:
    """Return the state of the active chart."""
    found: chart_results.ChartSummary = at.read("chart_summary")
    if found["symbol"] is None:
        at.page.require("chartApi")
    number = found["chartType"] if found["chartType"] is not None else -1
    return {
        "symbol": found["symbol"] or "",
        "resolution": found["resolution"] or "",
        "chartType": number,
        "chart_type": type_name(number),
        "studies": found["studies"],
    }


def type_name(number: int) -> str:
    """Return the name of a chart type, or its number as text if it is not in CHART_TYPES."""
    return CHART_TYPES[number] if 0 <= number < len(CHART_TYPES) else str(number)


class ChartSelection(TypedDict):
    """The symbol and timeframe that the chart shows now."""

    symbol: str
    timeframe: NotRequired[str]
    resolution: str
    chart_ready: bool
    verified: bool


@tool(
    "chart",
    "Show another symbol and wait for its bars; if it does not exist, the old one comes back.",
    changes=True,
    proof="the bars, and the chart's description of its symbol",
)
def chart_set_symbol(at: ToolContext, symbol: Annotated[str, SYMBOL]) -> ChartSelection:
    """Show a symbol, and wait for its bars."""
    done = show(at, symbol, None)
    return {
        "symbol": done["symbol"],
        "resolution": done["resolution"],
        "chart_ready": done["ready"],
        "verified": done["ready"],
    }


@tool("chart", "Show another timeframe and wait for its bars.", changes=True, proof="the distance between the bars")
def chart_set_timeframe(at: ToolContext, timeframe: Annotated[str, TIMEFRAME]) -> ChartSelection:
    """Show a timeframe, and wait for its bars."""
    done = show(at, None, timeframe)
    return {
        "symbol": done["symbol"],
        "timeframe": timeframe,
        "resolution": done["resolution"],
        "chart_ready": done["ready"],
        "verified": done["ready"],
    }


class ChartType(TypedDict):
    """The chart's type, which determines how bars are drawn."""

    chart_type: str
    type_num: int
    verified: bool


@tool(
    "view",
    "Draw the bars as Candles, Bars, Line, Area, HeikinAshi, HollowCandles, Renko … or by number.",
    changes=True,
    proof="the chart's type, read back",
)
def chart_set_type(
    at: ToolContext, chart_type: Annotated[str, TextArgument("name, or 0 to 9", 20, example="Candles")]
) -> ChartType:
    """Change the chart's type, and read it back."""
    from pinebench.tradingview.errors import PageError

    names = {name.lower(): number for number, name in enumerate(CHART_TYPES)}
    wanted = chart_type.strip().lower().replace(" ", "").replace("_", "")
    number = names.get(wanted, int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 3 else -1)
    if not 0 <= number < len(CHART_TYPES):
        raise UsageError(
            f"chart_type must be one of {', '.join(CHART_TYPES)}, or 0 to {len(CHART_TYPES) - 1}, got: {chart_type}"
        )
    try:
        done = at.act("set_chart_type", {"type": number})["type"]
    except PageError as error:
        raise ToolRefused(f"the page refused the chart type {CHART_TYPES[number]}: {error.message}") from error
    if done != number:
        raise ToolRefused(
            f"the chart still shows {type_name(done)} instead of {CHART_TYPES[number]}", "choose another type"
        )
    return {"chart_type": CHART_TYPES[number], "type_num": number, "verified": done == number}


class IndicatorChange(TypedDict):
    """The result of adding or removing an indicator. `study_error` is the run-time error that stopped it, if it has
    failed."""

    action: str
    indicator: NotRequired[str]
    entity_id: str | None
    inputs: NotRequired[dict[str, Any]]
    new_study_count: int
    computed: NotRequired[bool]
    study_error: NotRequired[str]
    verified: bool


@tool(
    "chart",
    'Add an indicator by its full name ("Relative Strength Index") or remove one by entity_id.',
    changes=True,
    destroys=True,
    proof="the chart's list of studies, and the inputs, read back",
)
def chart_manage_indicator(
    at: ToolContext,
    action: Annotated[str, ChoiceArgument(("add", "remove"), "add by `indicator`, or remove by `entity_id`")],
    indicator: Annotated[str | None, TextArgument("full name, to add", 200)] = None,
    entity_id: Annotated[str | None, ENTITY] = None,
    inputs: Annotated[dict[str, Any] | None, ValuesArgument("input values by id")] = None,
) -> IndicatorChange:
    """Add or remove a study, verify the change, and wait for the values of an added study."""
    if action == "remove":
        if entity_id is None:
            raise UsageError("entity_id is missing: it names the study to remove", "chart_get_state lists them")
        done = remove(at, entity_id, "study")
        return {"action": action, "entity_id": entity_id, "new_study_count": done["left"], "verified": done["gone"]}
    if indicator is None:
        raise UsageError(
            "indicator is missing: it names the indicator to add", 'for example, "Relative Strength Index"'
        )
    added, id = _added(at, indicator, inputs)
    result: IndicatorChange = {
        "action": action,
        "indicator": indicator,
        "entity_id": id,
        "new_study_count": added["count"],
        "computed": added["computed"] == "done",
        "verified": _is_listed(at, id),
    }
    if added["failure"] is not None:
        result["study_error"] = added["failure"]
    if inputs:
        _refuse_lost_inputs(added["had"], added["has"], id)
        now = {each["id"]: each["value"] for each in added["inputs"] or []}
        result["inputs"] = {name: now.get(name) for name in inputs}
        result["verified"] = result["verified"] and result["inputs"] == inputs
    return result


def _added(at: ToolContext, indicator: str, inputs: dict[str, Any] | None) -> tuple[chart_results.AddedStudy, str]:
    """Add a study, and return it with its id. Raises ToolRefused if the page does not add it or an input is unknown."""
    added: chart_results.AddedStudy = at.act(
        "add_study", {"name": indicator, "inputs": inputs, "limit": 8000}, timeout=35
    )
    if added["id"] is None and added["refused"] and not added["dialog"]:
        # Some builds add no study by its name, so it is added as a person does it.
        added = _add_by_dialog(at, indicator, inputs, added["refused"])
    if added["id"] is None:
        why = added["dialog"] or added["refused"] or "no new study appeared"
        full = added["dialog"] is not None
        hint = (
            page_internals.DIALOGS["plan-limit"].meaning
            if full
            else "use the indicator's full name as the page lists it"
        )
        raise ToolRefused(f"'{indicator}' was not added: {why}"[:400], hint)
    wrong = [*added["unknown"], *added["settings"]]
    if wrong:
        remove(at, added["id"], "study")
        raise ToolRefused(
            f"'{indicator}' has no input {', '.join(wrong)} that can be set, so pinebench removed the indicator",
            "add it without inputs; data_get_indicator then lists its inputs",
        )
    return added, added["id"]


def _add_by_dialog(
    at: ToolContext, indicator: str, inputs: dict[str, Any] | None, refused: str
) -> chart_results.AddedStudy:
    """Add an indicator by the page's dialog, and set its inputs, after the page refused it by its name."""
    found = _indicator_dialog(at, indicator, indicator, 20)
    study = found["added"]
    if study is None:
        why = f"the page refused the name ({refused}), and {_why_not_added(found, indicator)}"
        raise ToolRefused(
            f"'{indicator}' was not added: {why}"[:400], "indicator_search lists the titles that the page knows"
        )
    request = {"id": study["id"], "inputs": inputs or {}, "limit": 5000}
    done: chart_results.SetInputs = at.act("set_inputs", request)
    return {
        "id": study["id"],
        "count": found["count"],
        "refused": None,
        "dialog": None,
        "computed": done["computed"],
        "failure": done["failure"],
        "inputs": done["inputs"],
        "unknown": done["unknown"],
        "settings": done["settings"],
        "had": done["had"],
        "has": done["has"],
    }


class FoundIndicator(TypedDict):
    """An indicator that the page's dialog lists: its title, and the full text of its row."""

    title: str
    about: str


class FoundIndicators(TypedDict):
    """The indicators that the page's dialog found for the query."""

    query: str
    count: int
    indicators: list[FoundIndicator]


_QUERY = TextArgument("a part of its title", 100, example="supertrend")


@tool(
    "chart",
    "Search the page's dialog for indicators: built-in, community, saved.",
    changes=False,
    untrusted=("indicators",),
)
def indicator_search(
    at: ToolContext,
    query: Annotated[str, _QUERY],
    limit: Annotated[int, IntegerArgument("how many at most", least=1, most=100, clamp=True)] = 20,
) -> FoundIndicators:
    """Type the query into the dialog, read its rows, and close the dialog."""
    found = _indicator_dialog(at, query, None, limit)
    rows: list[FoundIndicator] = [{"title": row["title"], "about": row["text"]} for row in found["rows"]]
    return {"query": query, "count": len(rows), "indicators": rows}


class AddedIndicator(TypedDict):
    """The study that was added through the page's dialog."""

    indicator: str
    entity_id: str
    name: str
    new_study_count: int
    verified: bool


@tool(
    "chart",
    "Add an indicator by the page's dialog, also of the community or a saved script. indicator_search lists titles.",
    changes=True,
    untrusted=("name",),
    proof="the chart's list of studies",
)
def indicator_add(at: ToolContext, title: Annotated[str, TextArgument("its exact title", 200)]) -> AddedIndicator:
    """Press the row with this title in the page's dialog, and verify that the chart has a new study."""
    found = _indicator_dialog(at, title, title, 20)
    added = found["added"]
    if added is None:
        raise ToolRefused(_why_not_added(found, title), "indicator_search lists the titles that the page knows")
    try:
        newest = _newest(at, found["version"], title)
    except ServiceError as error:
        raise ToolRefused(
            f"'{title}' was added, but its version cannot be compared with the saved one: {error.message}",
            "open the script and compile it, so that the chart has the newest version",
            entity_id=added["id"],
        ) from None
    if newest is not None:
        remove(at, added["id"], "study")
        raise ToolRefused(
            f"the page added a version of '{title}' that is older than the saved {newest}, so pinebench removed it",
            "the page keeps old versions after a save: reload it, or open the script and compile it",
        )
    return {
        "indicator": title,
        "entity_id": added["id"],
        "name": added["name"],
        "new_study_count": found["count"],
        "verified": _is_listed(at, added["id"]),
    }


def _newest(at: ToolContext, of: page_results.StudyVersion | None, title: str) -> str | None:
    """Return the saved version of the user's script if the study runs another version; else None. After a save, a page
    may still offer the version that it had loaded before."""
    if of is None or (of["script"] or "USER;").partition(";")[0] != "USER":
        return None
    own = [
        each
        for each in at.scripts.listed(at.context)
        if (each.id == of["script"] if of["script"] else each.name == title)
    ]
    return own[0].version if len(own) == 1 and own[0].version != of["version"] else None


def _indicator_dialog(at: ToolContext, query: str, add: str | None, most: int) -> page_results.IndicatorDialog:
    request = {"query": query, "add": add, "most": most, "limit": 6000}
    with at.connection.exclusive(at.context):
        found: page_results.IndicatorDialog = at.act("indicator_dialog", request, timeout=35)
    if not found["dialog"]:
        raise ToolRefused(
            "the page's indicator dialog did not open", "'pinebench doctor' shows which elements the page has"
        )
    return found


def _why_not_added(found: page_results.IndicatorDialog, title: str) -> str:
    if found["asked"]:
        return f"'{title}' was not added: the page asks {found['asked']!r}"[:400]
    if found["pressed"] is None:
        near = ", ".join(f"'{row['title']}'" for row in found["rows"][:5]) or "nothing"
        return f"the page's dialog lists no '{title}'; it lists {near}"[:400]
    return f"pinebench clicked '{title}' in the page's dialog, but no new study appeared"


def _is_listed(at: ToolContext, entity_id: str) -> bool:
    """Return whether the chart lists the study now."""
    found: chart_results.ChartSummary = at.read("chart_summary")
    return entity_id in [each["id"] for each in found["studies"]]


def remove(at: ToolContext, entity_id: str, kind: str) -> page_results.RemovalResult:
    """Remove a study or a drawing (`kind` is `study` or `shape`), and return the report of the page about the removal.

    Raises ToolRefused if it is not on the chart, or if the page does not remove it.
    """
    done: page_results.RemovalResult = at.act("remove_entity", {"id": entity_id, "kind": kind, "limit": 3000})
    if not done["found"]:
        raise ToolRefused(f"there is no {kind} {entity_id} on the chart", hint_of_names("ids", done["known"]))
    if not done["gone"]:
        raise ToolRefused(f"the {kind} {entity_id} is still on the chart", "look at the page in the browser")
    return done


class Ranges(TypedDict):
    """The visible range of time, in unix seconds and in indices of bars."""

    visible_range: dict[str, float] | None
    bars_range: dict[str, float] | None


@tool("view", "Read the visible range of time, in unix seconds.")
def chart_get_visible_range(at: ToolContext) -> Ranges:
    """Return the visible range."""
    found: chart_results.VisibleRange = at.read("visible_range")
    return {"visible_range": found["visible_range"], "bars_range": found["bars_range"]}


class SetRange(TypedDict):
    """The requested range of time, and the range that is visible now, in unix seconds."""

    requested: dict[str, float]
    actual: dict[str, float] | None
    verified: bool


_SECONDS = Number("unix seconds", 0, 1e11)


@tool("view", "Scroll and zoom to a range of time.", changes=True, proof="the visible range, read back")
def chart_set_visible_range(
    at: ToolContext, from_: Annotated[float, _SECONDS], to: Annotated[float, _SECONDS]
) -> SetRange:
    """Show the bars between two times in unix seconds."""
    if from_ >= to:
        raise UsageError(f"from must be before to, got: {from_:.15g} and {to:.15g}")
    actual = _show_range(at, from_, to)
    overlaps = actual is not None and actual["from"] <= to and from_ <= actual["to"]
    return {"requested": {"from": from_, "to": to}, "actual": actual, "verified": overlaps}


def _show_range(at: ToolContext, start: float, end: float) -> dict[str, float] | None:
    done: chart_results.ShownRange = at.act("show_range", {"from": start, "to": end, "limit": 3000, "load": 12_000})
    if done["actual"] is None:
        first, last = done["ends"]
        raise ToolRefused(
            "the chart has no bars in this range",
            f"its bars go from {first:.15g} to {last:.15g} (unix seconds)"
            if first is not None and last is not None
            else None,
        )
    if not done["shown"]:
        raise ToolRefused(
            f"the chart shows {shown(done['actual'])} instead",
            "fewer bars may fit on the screen",
            actual=done["actual"],
        )
    return done["actual"]


class ChartScroll(TypedDict):
    """The date to which the chart was scrolled, and the visible range in unix seconds."""

    date: str
    centered_on: float
    resolution: str
    window: dict[str, float]
    actual: dict[str, float] | None
    verified: bool


@tool("chart", "Scroll to a date, 25 bars on each side.", changes=True, proof="the visible range, read back")
def chart_scroll_to_date(
    at: ToolContext, date: Annotated[str, TextArgument("ISO 8601, or unix seconds", 40, example="2024-01-31")]
) -> ChartScroll:
    """Centre the chart on a date."""
    centre = moment("date", date)
    found: chart_results.VisibleRange = at.read("visible_range")
    span = 25 * (found["spacing"] or 86_400)
    window = {"from": centre - span, "to": centre + span}
    actual = _show_range(at, window["from"], window["to"])
    if actual is None or not actual["from"] <= centre <= actual["to"]:
        raise ToolRefused(f"the chart has no bars around {date}", f"it shows {shown(actual)}", actual=actual)
    return {
        "date": date,
        "centered_on": centre,
        "resolution": at.read("chart_summary")["resolution"] or "",
        "window": window,
        "actual": actual,
        "verified": actual["from"] <= centre <= actual["to"],
    }


@tool("chart", "Read what the chart knows about its symbol: exchange, description, type.", untrusted=("description",))
def symbol_info(at: ToolContext) -> chart_results.ShownSymbolInfo:
    """Wait until the chart has loaded its symbol, and return the information about the symbol. Until then, the page
    reports the new name together with the former symbol's description, type and exchange."""
    found: dict[str, Any] = at.read("symbol_info")
    return cast("chart_results.ShownSymbolInfo", {key: value for key, value in found.items() if key != "evidence"})


class FoundSymbol(TypedDict):
    """A symbol that the symbol search found."""

    symbol: str
    description: str
    exchange: str
    type: str
    full_name: str


class FoundSymbols(TypedDict):
    """The symbols that the symbol search found, best match first."""

    query: str
    source: str
    results: list[FoundSymbol]
    count: int


@tool("chart", "Find symbols by ticker or name.", outside=True, untrusted=("results",))
def symbol_search(
    at: ToolContext,
    query: Annotated[str, TextArgument("ticker or name", 100)],
    type: Annotated[
        str,
        ChoiceArgument(
            ("", "stock", "crypto", "forex", "futures", "index", "fund", "bond"), "only symbols of this type"
        ),
    ] = "",
    limit: Annotated[int, IntegerArgument("how many results at most", least=1, most=50, clamp=True)] = 15,
) -> FoundSymbols:
    """Query TradingView's symbol search through the page."""
    from pinebench.tradingview.script_service import service_data

    answer = at.read("search_symbols", {"query": query, "type": type, "limit": 8000}, timeout=10)
    data: Any = service_data(answer, "search symbols")
    rows = _rows(data)
    found: list[FoundSymbol] = []
    for row in rows[:limit]:
        said = {key: str(row.get(key) or "").replace("<em>", "").replace("</em>", "") for key in _SYMBOL_KEYS}
        exchange = said["prefix"] or said["exchange"]
        found.append(
            {
                "symbol": said["symbol"],
                "description": said["description"],
                "exchange": said["exchange"],
                "type": said["type"],
                "full_name": f"{exchange}:{said['symbol']}" if exchange else said["symbol"],
            }
        )
    return {"query": query, "source": "rest_api", "results": found, "count": len(found)}


def _rows(data: Any) -> list[dict[str, Any]]:
    """Return the symbols in an answer, which is a list of symbols or an object that has such a list. Raises
    UnexpectedAnswer for any other shape."""
    from pinebench import decoding
    from pinebench.tradingview.errors import UnexpectedAnswer

    try:
        decoding.check(data, ({"symbols": [{str: decoding.Anything}]}, [{str: decoding.Anything}]))
    except decoding.MalformedDocument as error:
        raise UnexpectedAnswer("the symbol search", str(error)) from None
    return cast("list[dict[str, Any]]", data["symbols"] if isinstance(data, dict) else data)


_SYMBOL_KEYS = ("symbol", "description", "exchange", "prefix", "type")


class Inputs(TypedDict):
    """The inputs of a study after the change. `study_error` is the run-time error that stopped it, if it has failed."""

    entity_id: str
    updated_inputs: dict[str, Any]
    computed: bool
    study_error: NotRequired[str]
    verified: bool


@tool(
    "chart",
    "Change inputs of a study by their ids (data_get_indicator lists them).",
    changes=True,
    proof="the inputs and their number, read back",
)
def indicator_set_inputs(
    at: ToolContext,
    entity_id: Annotated[str, ENTITY],
    inputs: Annotated[dict[str, Any], ValuesArgument("values by input id")],
) -> Inputs:
    """Set inputs, read them back and wait until the study is computed. If one input is unknown, nothing is changed."""
    done: chart_results.SetInputs = at.act("set_inputs", {"id": entity_id, "inputs": inputs, "limit": 5000})
    if done["settings"]:
        raise ToolRefused(
            f"{', '.join(done['settings'])} is a setting of the page and cannot be changed; nothing was changed",
            f"its inputs: {', '.join(done['known']) or 'none'}",
        )
    if done["unknown"]:
        raise ToolRefused(
            f"the study has no input {', '.join(done['unknown'])}; nothing was changed",
            f"its inputs: {', '.join(done['known']) or 'none'}",
        )
    _refuse_lost_inputs(done["had"], done["has"], entity_id)
    now = {each["id"]: each["value"] for each in done["inputs"]}
    if now != inputs:
        raise ToolRefused(
            f"the study has {shown(now)} instead of {shown(inputs)}",
            "a value may be out of range: look at the study's settings in the browser",
            inputs=now,
        )
    computed = done["computed"] == "done"
    told: Inputs = {"entity_id": entity_id, "updated_inputs": now, "computed": computed, "verified": now == inputs}
    if done["failure"] is not None:
        told["study_error"] = done["failure"]
    return told


def _refuse_lost_inputs(had: int, has: int, entity_id: str) -> None:
    """Raise ToolRefused if a study has fewer inputs after a write: the page has damaged it."""
    if has < had:
        raise ToolRefused(
            f"the study {entity_id} has only {has} of its {had} inputs after the change: the page has damaged it",
            "reload the layout without saving it, which restores the study",
        )


class StudyVisibility(TypedDict):
    """Whether a study is shown."""

    entity_id: str
    visible: bool
    verified: bool


@tool("chart", "Show or hide a study.", changes=True, proof="the study's visibility, read back")
def indicator_toggle_visibility(
    at: ToolContext, entity_id: Annotated[str, ENTITY], visible: Annotated[bool, Flag("false hides it")]
) -> StudyVisibility:
    """Set a study's visibility and read it back."""
    done = at.act("set_visible", {"id": entity_id, "visible": visible, "limit": 3000})["visible"]
    if done != visible:
        raise ToolRefused(f"the study is still {'visible' if done else 'hidden'}", "look at the page in the browser")
    return {"entity_id": entity_id, "visible": done, "verified": done == visible}
