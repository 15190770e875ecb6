"""The return types of the page functions that the chart tools use."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class Doubt(TypedDict):
    """The reason why the chart's bars cannot be said to be of its symbol and timeframe.

    `kind` is `loading` if the chart has not loaded its symbol, `symbol` if the bars are of another one, `timeframe` if
    they have another timeframe, `restless` if the page returns different bars each time. `of` is the symbol to which
    the bars belong, if it is known.
    """

    kind: Literal["loading", "symbol", "timeframe", "restless"]
    of: str | None


class Interruption(TypedDict):
    """A dialog that says that the page's prices may have stopped."""

    kind: str
    text: str


class Evidence(TypedDict):
    """The evidence for the numbers that were read in the same call.

    `symbol` is None if they do not belong to the chart's symbol. `replay_date` is in milliseconds; `age` is the number
    of seconds since the last bar opened.
    """

    symbol: str | None
    resolution: str | None
    doubt: Doubt | None
    interruptions: list[Interruption]
    replay: bool
    replay_date: float | None
    age: float | None
    spacing: float | None


class StudyEntry(TypedDict):
    """A study on a chart."""

    id: str
    name: str


class ChartSummary(TypedDict):
    """The symbol, resolution, type and studies of the active chart; None if the page has no chart API."""

    symbol: str | None
    resolution: str | None
    chartType: int | None
    studies: list[StudyEntry]


class UiState(TypedDict):
    """Which panels are open, and which buttons are on the screen."""

    bottom_panel: dict[str, Any]
    right_panel: dict[str, Any]
    pine_editor: dict[str, Any]
    strategy_tester: dict[str, Any]
    widgetbar: dict[str, Any]
    buttons: dict[str, list[dict[str, Any]]]
    key_buttons: dict[str, Any]
    chart: dict[str, Any]
    replay: dict[str, Any]
    dialogs: list[str]


class SwitchResult(TypedDict):
    """The chart after it was asked for another symbol or resolution; `ready` says that its bars are stable.

    `missing` says what was missing at the end; `bars_of` is the symbol that the bars are known to be of.
    """

    ready: bool
    missing: str | None
    bars_of: str | None
    dialogs: list[dict[str, Any]]
    symbol: str
    resolution: str
    bars: int
    previous: dict[str, str]


class ChartType(TypedDict):
    """How bars are drawn."""

    type: int


class InputValue(TypedDict):
    """The value of an input of a study."""

    id: str
    value: Any


class AddedStudy(TypedDict):
    """The study that was added, or why none was."""

    id: str | None
    count: int
    refused: str | None
    dialog: str | None
    computed: str | None
    inputs: list[InputValue] | None
    unknown: list[str]
    settings: list[str]
    had: int
    has: int


class DialogRow(TypedDict):
    """A row of the dialog in which indicators are searched."""

    title: str
    text: str
    id: str


class StudyVersion(TypedDict):
    """The version of a script that a study runs, and the id of that script if the page shows it."""

    script: str | None
    version: str


class IndicatorDialog(TypedDict):
    """The rows that the dialog found, and the study that was added.

    `version` is of an added script; None for another study. `asked` is the text of a dialog that came instead.
    """

    dialog: bool
    rows: list[DialogRow]
    pressed: DialogRow | None
    added: StudyEntry | None
    version: StudyVersion | None
    count: int
    asked: str | None


class LoadedHistory(TypedDict):
    """The bars after older ones were requested; times in Unix seconds.

    `able` says whether the page can load bars, `met` whether the request was met, and `exhausted` whether the server
    has no older bars.
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
    """One log record of a script. `time` is a Unix time in seconds or milliseconds; `study` is None if the record was
    read from the panel."""

    study: str | None
    level: str | None
    message: str
    time: float | None
    line: int | None


class Logs(TypedDict):
    """The log records of scripts, and where they were read: `data_source`, `panel`, or None if the page has none."""

    studies: int
    source: str | None
    logs: list[LogRecord]


class ListingCheck(TypedDict):
    """Whether the page itself lists the given thing; None if the page does not say so."""

    listed: bool | None


class RemovalResult(TypedDict):
    """Whether a study or drawing was there, and whether it is removed now."""

    found: bool
    gone: bool
    left: int
    known: list[str]


class StudyDetails(TypedDict):
    """A study's inputs and whether it is shown."""

    id: str
    name: str
    visible: bool
    inputs: list[InputValue]


class SetInputs(TypedDict):
    """The changed inputs with their new values; `unknown` are names of inputs that the study does not have.

    `settings` are inputs that belong to the page. `had` and `has` are the numbers of inputs before and after the write.
    """

    unknown: list[str]
    settings: list[str]
    had: int
    has: int
    known: list[str]
    computed: str | None
    inputs: list[InputValue]


class Visible(TypedDict):
    """Whether something is shown."""

    visible: bool


class VisibleRange(TypedDict):
    """The visible range, in Unix seconds and in indices of bars; `spacing` is the number of seconds between bars."""

    visible_range: dict[str, float] | None
    bars_range: dict[str, float] | None
    spacing: float | None


class ShownRange(TypedDict):
    """The visible range after another one was asked for; `ends` are the times of the first and the last bar."""

    shown: bool
    ends: list[float | None]
    actual: dict[str, float] | None
    spacing: float | None


class SymbolInfo(TypedDict):
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
    """An `alertcondition()` of a script; `title` is empty if the page does not show it."""

    id: str
    title: str


class AlertScript(TypedDict):
    """A script of the chart, with all that an alert on it needs."""

    id: str
    name: str
    meta_id: str
    pine_id: str | None
    version: str | None
    strategy: bool
    inputs: list[InputValue]
    conditions: list[AlertCondition]
    offsets: dict[str, int]


class AlertScripts(TypedDict):
    """The chart, and the one script that fits a name; `script` is None unless exactly one of `fitting` does."""

    symbol: str | None
    resolution: str | None
    fitting: list[NamedStudy]
    known: list[NamedStudy]
    script: AlertScript | None


class SessionDialog(TypedDict):
    """Whether the dialog of a session that was taken over was there, its button, and whether the dialog is gone."""

    found: bool
    pressed: str | None
    gone: bool


class PaneStudy(TypedDict):
    """A study's values at its last bar by title; None if they cannot be read."""

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
    """The contents of all panes, and the evidence of the active one."""

    evidence: Evidence
    layout: str
    active: int
    panes: list[PaneContent]


class AccountNames(TypedDict):
    """Names of the user and of the saved layouts."""

    names: list[str]
    layouts: list[str]


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
    """A study's inputs, its plots by bar (`[time, value, value …]`), and the trades of a strategy as the page has them.

    `version` and `pine_id` are None if the page does not show them; `trades` is None without a report.
    """

    id: str
    name: str
    meta_id: str
    version: str | None
    pine_id: str | None
    strategy: bool
    state: str | None
    inputs: list[InputValue]
    properties: dict[str, Any]
    plots: list[PlotInfo]
    rows: list[list[float | None]]
    trades: list[Any] | None


class ChartSeries(TypedDict):
    """The chart's bars with one study. `fitting` are the studies that fit the name; `study` is None unless it is one.

    `more` says whether there are older bars, None if the page does not say so; `info` are properties of the symbol.
    `old_of` is the chart to which the strategy's report belongs, if that is another one.
    """

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


class HttpAnswer(TypedDict):
    """The answer of a service: HTTP status (0: no answer), and JSON data, or the beginning of any other text."""

    status: int
    data: Any
    text: str


class LastBar(TypedDict):
    """The last bar with its symbol."""

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
    """A price of the order book, and the size that is offered or wanted at this price."""

    price: float
    size: float


class Depth(TypedDict):
    """The order book as its panel shows it. `found` says whether the panel is open; `raw` holds numbers for which it is
    unknown whether they belong to bids or asks.
    """

    evidence: Evidence
    symbol: str
    found: bool
    bids: list[Level]
    asks: list[Level]
    raw: list[float]


class Bars(TypedDict):
    """Bars of the chart: time, open, high, low, close, volume."""

    evidence: Evidence
    symbol: str
    resolution: str
    total: int
    last_index: int | None
    bars: list[list[float | None]]


class StudyValues(TypedDict):
    """A study's values by title. `source` is `data_window`, `series`, or `none`; then `note` says why."""

    id: str
    name: str
    values: dict[str, str]
    source: str
    note: str | None


class AllStudyValues(TypedDict):
    """The values of all studies."""

    evidence: Evidence
    symbol: str
    studies: list[StudyValues]


class ScriptDrawings(TypedDict):
    """The drawings of one kind that one script made, as the page keeps them."""

    name: str
    total: int
    items: list[dict[str, Any]]


class Graphics(TypedDict):
    """The drawings of scripts on the chart of a symbol."""

    evidence: Evidence
    symbol: str | None
    studies: list[ScriptDrawings]


class StrategyResults(TypedDict):
    """A part of the results of the strategy on the chart. `strategy` is None if there is no strategy; `source` is empty
    if there are no results yet.

    `old_of` is the chart to which the report belongs if it is not the present one. `range` are the times of the test.
    `foreign` of `compared` trades have a price that their bar on the chart cannot have had.
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


class Pane(TypedDict):
    """A pane with its chart."""

    index: int
    symbol: str
    resolution: str


class Panes(TypedDict):
    """The panes; `active` is the index of the active pane, or -1 if no pane is active."""

    layout: str
    count: int
    active: int
    panes: list[Pane]


class LayoutCode(TypedDict):
    """How panes are arranged."""

    layout: str
    count: int


class PaneFocus(TypedDict):
    """Which pane is active."""

    focused: int
    total: int


class SavedLayout(TypedDict):
    """A saved layout."""

    id: str
    url: str | None
    name: str
    symbol: str
    resolution: str
    modified: float | str | None


class SavedLayouts(TypedDict):
    """The saved layouts, and the id in the page's address."""

    answered: bool
    layouts: list[SavedLayout]
    shown: str | None


class LoadedLayout(TypedDict):
    """The result of loading a layout."""

    asked: str | None
    dismissed: bool
    shows: bool
    moved: bool


class ShownLayout(TypedDict):
    """The layout that the chart shows, and whether it has unsaved changes; what the page does not show is None.

    `ready` says that its bars are there, `dialogs` are the open dialogs, and `able` says that the page can make
    layouts.
    """

    id: str | None
    name: str | None
    changed: bool | None
    ready: bool
    dialogs: list[dict[str, Any]]
    able: bool


class MadeLayout(TypedDict):
    """The id of a layout that was made."""

    id: str | None


class NamedLayout(TypedDict):
    """Whether the chart shows another layout than before, so that it was saved under its name."""

    moved: bool


class Box(TypedDict):
    """A box in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


class WatchedSymbol(TypedDict):
    """A row of the watchlist."""

    symbol: str
    last: float | None
    change: float | None
    change_percent: float | None
    section: str | None


class WatchlistWrite(TypedDict):
    """The answers of the watchlist service: `before` to reading the list, `answer` to writing it. `asked` says whether
    it was asked to write."""

    before: HttpAnswer
    asked: bool
    answer: HttpAnswer | None


class Watchlist(TypedDict):
    """The watchlist."""

    evidence: Evidence
    panel: bool
    opened: bool
    symbols: list[WatchedSymbol]


class OpenedDialog(TypedDict):
    """Whether the button was there, and whether a field has taken the focus."""

    button: bool
    input: bool


class RemovedSymbol(TypedDict):
    """The result of removing a symbol from the watchlist."""

    found: bool
    button: bool
    gone: bool


class SearchOffer(TypedDict):
    """Whether the dialog offers the typed symbol, and whether its field holds the text and has the focus."""

    offered: bool
    input: bool


class Element(TypedDict):
    """An element of the page, its middle and size in CSS pixels."""

    tag: str
    text: str
    aria_label: str | None
    data_name: str | None
    x: int
    y: int
    width: int
    height: int
    visible: bool


class Elements(TypedDict):
    """Elements that were found."""

    count: int
    elements: list[Element]


class ElementName(TypedDict):
    """The names of an element: its tag, text and attributes."""

    tag: str
    text: str
    aria_label: str | None
    data_name: str | None


class ClickTarget(TypedDict):
    """The element that was found; `hidden` is the number of matching elements that are not visible."""

    found: bool
    hidden: int
    count: int
    x: float
    y: float
    element: ElementName | None


class Panel(TypedDict):
    """The state of a panel before and after an action."""

    available: bool
    was: bool
    open: bool
    performed: str


class Middle(TypedDict):
    """A place on the page in CSS pixels, and whether the browser runs on a Mac."""

    x: float
    y: float
    mac: bool


class ExportedData(TypedDict):
    """Exported data: the names of the columns, and rows of numbers. The first column is the Unix time in seconds.

    `source` is `bars`, `export`, or `series` if the page exports nothing.
    """

    evidence: Evidence
    source: str
    columns: list[str]
    rows: list[list[float | None]]


class Symbols(TypedDict):
    """The symbols that a page function found or changed."""

    symbols: list[str]


class OpenDialogs(TypedDict):
    """How many dialogs are open."""

    open: int


class FullScreen(TypedDict):
    """Whether the chart fills the whole screen."""

    on: bool


class FocusedField(TypedDict):
    """The field that has the focus; `secret` means that its value must not be read."""

    secret: bool
    value: str | None


class TimeRange(TypedDict):
    """The visible range in Unix seconds."""

    visible_range: dict[str, float] | None


class Point(TypedDict):
    """A place on a chart."""

    time: float | None
    price: float | None


class MadeShape(TypedDict):
    """The drawing that was put on the chart, or the reason why that was refused."""

    id: str | None
    refused: str | None
    name: str
    points: list[Point]


class ShapeEntry(TypedDict):
    """A drawing on the chart. `study` is the id of the study in whose pane it is, empty for the prices."""

    id: str
    name: str
    study: str


class Shapes(TypedDict):
    """The drawings on the chart."""

    shapes: list[ShapeEntry]


class ShapeDetails(TypedDict):
    """One drawing. `study` is the id of the study in whose pane it is, empty for the prices."""

    found: bool
    known: list[str]
    name: str
    study: str
    points: list[Point]
    properties: dict[str, Any]
    state: dict[str, Any]
    methods: list[str]


class ClearResult(TypedDict):
    """The number of drawings before the removal, and the number that is left."""

    before: int
    left: int


class ReplayState(TypedDict):
    """The state of the replay; `date` is a Unix time in milliseconds."""

    available: bool
    started: bool
    autoplay: bool
    mode: str | None
    date: float | None
    delay: float | None
    position: float | None
    realized: float | None


class ReplayBegun(ReplayState):
    """Whether a replay began. `near` says that it began near the requested moment; `late` is the time of the last bar
    if that bar is older than the requested moment."""

    began: bool
    near: bool
    late: float | None


class ReplaySteps(ReplayState):
    """The state of the replay, and the number of bars by which it advanced."""

    done: int


class ReplayChange(TypedDict):
    """The state of the replay before and after an action."""

    before: ReplayState
    after: ReplayState


RESULTS: dict[str, Any] = {
    "alert_request": HttpAnswer,
    "clear_shapes": ClearResult,
    "draw_shape": MadeShape,
    "replay_do": ReplayChange,
    "replay_start": ReplayBegun,
    "replay_state": ReplayState,
    "replay_step": ReplaySteps,
    "shape_details": ShapeDetails,
    "shapes": Shapes,
    "close_dialogs": OpenDialogs,
    "export_data": ExportedData,
    "focused": FocusedField,
    "full_screen": FullScreen,
    "range_changed": TimeRange,
    "watchlist_wait": Symbols,
    "add_study": AddedStudy,
    "alerts_listed": ListingCheck,
    "pine_logs": Logs,
    "bars": Bars,
    "chart_middle": Middle,
    "chart_summary": ChartSummary,
    "click_element": ClickTarget,
    "clip": Box | None,
    "find_elements": Elements,
    "focus_pane": PaneFocus,
    "graphics": Graphics,
    "plotted_shapes": Graphics,
    "strategy": StrategyResults,
    "indicator_dialog": IndicatorDialog,
    "load_history": LoadedHistory,
    "layouts": SavedLayouts,
    "load_layout": LoadedLayout,
    "layout_shown": ShownLayout,
    "layout_made": MadeLayout,
    "layout_opened": bool,
    "layout_named": NamedLayout,
    "open_panel": Panel,
    "panes": Panes,
    "shown_symbols": list[str],
    "studio_prices": Literal["sample", "file"],
    "depth": Depth,
    "quote": LastBar,
    "remove_entity": RemovalResult,
    "search_symbols": HttpAnswer,
    "set_chart_type": ChartType,
    "set_inputs": SetInputs,
    "set_layout": LayoutCode,
    "set_visible": Visible,
    "show_range": ShownRange,
    "study_details": StudyDetails,
    "study_values": AllStudyValues,
    "switch_chart": SwitchResult,
    "symbol_dialog": SearchOffer,
    "account_names": AccountNames,
    "alert_script": AlertScripts,
    "lists_request": HttpAnswer,
    "panes_read": PaneContents,
    "quote_service": HttpAnswer,
    "session_dialog": SessionDialog,
    "study_series": ChartSeries,
    "symbol_info": SymbolInfo,
    "ui_state": UiState,
    "visible_range": VisibleRange,
    "watchlist": Watchlist,
    "watchlist_request": HttpAnswer,
    "watchlist_replace": WatchlistWrite,
    "watchlist_open_add": OpenedDialog,
    "watchlist_remove": RemovedSymbol,
}
"""The return type of each page function that the chart tools use, by the function's name."""
