"""The return types of the page functions about the chart: its bars, studies, strategies and drawings of scripts."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

COMPUTED_TYPES = {4: "Renko", 5: "Kagi", 6: "PointAndFigure", 7: "LineBreak", 8: "HeikinAshi", 11: "Range"}
"""The chart types whose bars TradingView computes, by number: nobody traded at their prices."""


class Doubt(TypedDict):
    """The reason why it is not certain that the chart's bars belong to its symbol and timeframe.

    `kind` is `loading` if the chart has not loaded its symbol, `symbol` if the bars belong to another symbol,
    `timeframe` if they have another timeframe, and `restless` if the page returns different bars each time. `of` is the
    symbol to which the bars belong, if it is known.
    """

    kind: Literal["loading", "symbol", "timeframe", "restless"]
    of: str | None


class Interruption(TypedDict):
    """A dialog warning that the page's prices may have stopped."""

    kind: str
    text: str


class Evidence(TypedDict):
    """The facts that show to which symbol, timeframe and time the prices of the same call belong. `symbol` is None if
    the prices do not belong to the chart's symbol. `chart_type` is the number of the chart's type, and `replay_date` is
    in milliseconds UTC. `age` is the number of seconds since the last bar opened, and `spacing` the number of seconds
    between bars."""

    symbol: str | None
    resolution: str | None
    chart_type: int | None
    doubt: Doubt | None
    interruptions: list[Interruption]
    replay: bool
    replay_date: float | None
    age: float | None
    spacing: float | None


class StudyEntry(TypedDict):
    """The id and the name of a study on a chart."""

    id: str
    name: str


class ChartSummary(TypedDict):
    """The active chart's symbol, resolution, type and studies. Each is None, or empty, if the page has no chart API."""

    symbol: str | None
    resolution: str | None
    chartType: int | None
    studies: list[StudyEntry]


class SwitchResult(TypedDict):
    """The chart after a switch of symbol or resolution. `ready` says whether its bars are stable. If not, `missing`
    names the reason, such as `bars`, `symbol` or `loading`. `bars_of` is the symbol to which the bars belong, if it is
    known."""

    ready: bool
    missing: str | None
    bars_of: str | None
    dialogs: list[dict[str, Any]]
    symbol: str
    resolution: str
    bars: int
    previous: dict[str, str]


class ChartTypeNumber(TypedDict):
    """The number by which TradingView identifies the chart type, that is, how bars are drawn."""

    type: int


class InputValue(TypedDict):
    """The value of a study's input."""

    id: str
    value: Any


class AddedStudy(TypedDict):
    """The study that was added, or the reason why none was added. `count` is the number of studies on the chart.
    `unknown` lists requested inputs that the study does not have, and `settings` requested inputs that belong to the
    page. `had` and `has` are the numbers of its inputs before and after they were set."""

    id: str | None
    count: int
    refused: str | None
    dialog: str | None
    computed: str | None
    failure: str | None
    inputs: list[InputValue] | None
    unknown: list[str]
    settings: list[str]
    had: int
    has: int


class LoadedHistory(TypedDict):
    """The chart's bars after older bars were requested. Times are in Unix seconds.

    `able` says whether the page can load bars. `had` and `size` are the numbers of bars before and after. `met` says
    whether the request was met, and `exhausted` whether the server has no older bars. `stalled` says whether the page
    stopped answering, and `moved` whether the view could not be restored.
    """

    evidence: Evidence
    able: bool
    had: int
    size: int
    first: float | None
    last: float | None
    met: bool
    exhausted: bool
    stalled: bool
    moved: bool


class LogRecord(TypedDict):
    """One log record of a script. `time` is a Unix time in seconds or milliseconds. `study` is None if the record was
    read from the panel."""

    study: str | None
    level: str | None
    message: str
    time: float | None
    line: int | None


class ScriptLogs(TypedDict):
    """The log records of scripts, and their source: `data_source`, `panel`, or None if neither can be read. `computing`
    are the names of scripts that were still being computed, so that they may log more."""

    studies: int
    source: str | None
    computing: list[str]
    logs: list[LogRecord]


class StudyDetails(TypedDict):
    """A study's inputs and whether it is shown."""

    id: str
    name: str
    visible: bool
    inputs: list[InputValue]


class StudyState(TypedDict):
    """The state of a study: `loading`, `failed` or `done`, or None if the page does not show it. `failure` is the
    message of the error that stopped it at run time, if it has failed."""

    state: str | None
    failure: str | None


class SetInputs(TypedDict):
    """The changed inputs with their new values. `unknown` lists requested inputs that the study does not have, and
    `settings` requested inputs that belong to the page. `known` lists all inputs of the study. `had` and `has` are the
    numbers of inputs before and after the change."""

    unknown: list[str]
    settings: list[str]
    had: int
    has: int
    known: list[str]
    computed: str | None
    failure: str | None
    inputs: list[InputValue]


class VisibleRange(TypedDict):
    """The visible range, in Unix seconds and in indices of bars. `spacing` is the number of seconds between bars."""

    visible_range: dict[str, float] | None
    bars_range: dict[str, float] | None
    spacing: float | None


class ShownRange(TypedDict):
    """The visible range after a request for another range. `ends` has the times of the chart's first and last bar in
    Unix seconds."""

    shown: bool
    ends: list[float | None]
    actual: dict[str, float] | None
    spacing: float | None


class ShownSymbolInfo(TypedDict):
    """The chart's information about its symbol."""

    symbol: str
    full_name: str
    pro_name: str
    exchange: str
    description: str
    type: str
    typespecs: list[str]
    currency: str
    resolution: str
    chart_type: int


class AlertCondition(TypedDict):
    """An `alertcondition()` of a script. `title` is empty if the page does not show it."""

    id: str
    title: str


class AlertScript(TypedDict):
    """A script on the chart, with everything that an alert on it needs. `odd` are the inputs whose value is neither a
    number, a string nor a boolean."""

    id: str
    name: str
    meta_id: str
    pine_id: str | None
    version: str | None
    strategy: bool
    inputs: list[InputValue]
    odd: list[str]
    conditions: list[AlertCondition]
    offsets: dict[str, int]


class AlertScripts(TypedDict):
    """The chart, and the script that matches a name. `script` is None unless exactly one script matches. `fitting`
    lists the matching scripts, and `known` all scripts on the chart."""

    symbol: str | None
    resolution: str | None
    fitting: list[NamedStudy]
    known: list[NamedStudy]
    script: AlertScript | None


class PaneStudy(TypedDict):
    """A study's values at its last bar, by title. `values` is None if they cannot be read or are still being
    computed."""

    name: str
    time: float | None
    values: dict[str, float | None] | None


class PaneContent(TypedDict):
    """One pane: its last bars, and its studies."""

    index: int
    symbol: str
    resolution: str
    loading: bool
    bars: list[list[float | None]]
    studies: list[PaneStudy]


class PaneContents(TypedDict):
    """The contents of all panes, and the evidence for the prices of the active pane."""

    evidence: Evidence
    layout: str
    active: int
    panes: list[PaneContent]


class NamedStudy(TypedDict):
    """A study's id and name."""

    id: str
    name: str


class PlotInfo(TypedDict):
    """A plot of a study, as the study's description lists it."""

    id: str
    type: str
    title: str


class StudySeries(TypedDict):
    """A study's inputs, its plots by bar (`[time, value, value …]`), and the trades of a strategy as the page stores
    them. `version` and `pine_id` are None if the page does not show them. `trades` is None without a report. `failure`
    is the message of the error that stopped the study."""

    id: str
    name: str
    meta_id: str
    version: str | None
    pine_id: str | None
    strategy: bool
    state: str | None
    failure: str | None
    inputs: list[InputValue]
    properties: dict[str, Any]
    plots: list[PlotInfo]
    rows: list[list[float | None]]
    trades: list[Any] | None


class ChartSeries(TypedDict):
    """The chart's bars with one study. `fitting` lists the studies that match the name, and `study` is None unless
    exactly one matches. `more` says whether there are older bars, or is None if the page does not show it. `info`
    holds properties of the symbol. `old_of` is the chart to which the strategy's report belongs, if it is a
    different chart."""

    symbol: str | None
    resolution: str | None
    chart_type: int
    fitting: list[NamedStudy]
    known: list[NamedStudy]
    computed: bool
    study: StudySeries | None
    bars: NotRequired[list[list[float | None]]]
    evidence: NotRequired[Evidence]
    old_of: NotRequired[dict[str, str] | None]
    more: NotRequired[bool | None]
    info: NotRequired[dict[str, Any]]


class LastBar(TypedDict):
    """The last bar with its symbol: time in Unix seconds, open, high, low, close, volume."""

    evidence: Evidence
    symbol: str
    resolution: str
    bar: list[float] | None
    bid: float | None
    ask: float | None
    header: float | None
    description: str
    exchange: str
    type: str


class Level(TypedDict):
    """A price of the order book, and the size that is offered or wanted at this price; None if it cannot be read."""

    price: float
    size: float | None


class OrderBook(TypedDict):
    """The order book as its panel shows it. `found` says whether the panel is open. `raw` holds numbers that cannot be
    assigned to bids or asks."""

    evidence: Evidence
    symbol: str
    found: bool
    bids: list[Level]
    asks: list[Level]
    raw: list[float]


class BarRows(TypedDict):
    """Bars of the chart: time in Unix seconds, open, high, low, close, volume."""

    evidence: Evidence
    symbol: str
    resolution: str
    total: int
    last_index: int | None
    bars: list[list[float | None]]


class StudyReadings(TypedDict):
    """A study's values by title. `source` is `data_window`, `series` or `none`. `note` gives the reason for `none`."""

    id: str
    name: str
    values: dict[str, str]
    source: str
    note: str | None


class AllStudyValues(TypedDict):
    """The values of all studies."""

    evidence: Evidence
    symbol: str
    studies: list[StudyReadings]


class ScriptDrawings(TypedDict):
    """The drawings of one kind that one script made, as the page stores them. `note` explains why there may be more
    drawings."""

    name: str
    total: int
    items: list[dict[str, Any]]
    note: str | None


class ScriptGraphics(TypedDict):
    """The drawings of scripts on the chart of a symbol."""

    evidence: Evidence
    symbol: str | None
    studies: list[ScriptDrawings]


class StrategyResults(TypedDict):
    """Part of the results of the strategy on the chart. `strategy` is None if there is no strategy. `source` is empty
    if there are no results yet.

    `old_of` is the chart to which the report belongs if it is not the current chart. `range` has the start and end
    times of the test. Of the `compared` trades, `foreign` have a price that is impossible for their bar on the chart.
    """

    evidence: Evidence
    old_of: dict[str, str] | None
    range: dict[str, float] | None
    foreign: int
    compared: int
    strategy: str | None
    id: str
    source: str
    currency: str
    total: int
    report: dict[str, Any] | None
    rows: list[dict[str, Any]]


class ExportedData(TypedDict):
    """Exported data: the names of the columns, and rows of numbers. The first column is the Unix time in seconds.

    `source` is `bars`, `export`, or `series` if the page exports nothing. `computing` are the names of studies that
    were still being computed, so that values of them are missing.
    """

    evidence: Evidence
    source: str
    computing: list[str]
    columns: list[str]
    rows: list[list[float | None]]


RESULTS: dict[str, Any] = {
    "export_data": ExportedData,
    "add_study": AddedStudy,
    "pine_logs": ScriptLogs,
    "bars": BarRows,
    "chart_summary": ChartSummary,
    "graphics": ScriptGraphics,
    "plotted_shapes": ScriptGraphics,
    "strategy": StrategyResults,
    "load_history": LoadedHistory,
    "shown_symbols": list[str],
    "studio_prices": Literal["sample", "file"],
    "depth": OrderBook,
    "quote": LastBar,
    "set_chart_type": ChartTypeNumber,
    "set_inputs": SetInputs,
    "show_range": ShownRange,
    "study_details": StudyDetails,
    "study_state": StudyState,
    "study_values": AllStudyValues,
    "switch_chart": SwitchResult,
    "alert_script": AlertScripts,
    "panes_read": PaneContents,
    "study_series": ChartSeries,
    "symbol_info": ShownSymbolInfo,
    "visible_range": VisibleRange,
}
"""The return type of each page function that the chart tools use, by the function's name."""
