"""What the page functions behind chart tools return, as types."""

from __future__ import annotations

from typing import Any, Literal, TypedDict


class StudyEntry(TypedDict):
    """A study on a chart."""

    id: str
    name: str


class ChartSummary(TypedDict):
    """What the active chart shows; None where the page has no chart API."""

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


class Switched(TypedDict):
    """What the chart shows after it was asked for another symbol or resolution; `ready` once its bars stand still."""

    ready: bool
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


class LogRecord(TypedDict):
    """What a script logged; `time` is a Unix time in seconds or milliseconds, `study` is unknown in the panel."""

    study: str | None
    level: str | None
    message: str
    time: float | None
    line: int | None


class Logs(TypedDict):
    """What scripts logged, and where that was read: `data_source`, `panel`, or None where the page says nothing."""

    studies: int
    source: str | None
    logs: list[LogRecord]


class Listed(TypedDict):
    """Whether the page itself lists what it was asked for; None where it does not say."""

    listed: bool | None


class Removed(TypedDict):
    """Whether a study or drawing was there, and whether it has gone."""

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
    """The inputs that were changed, as they are now; `unknown` are names that the study has not."""

    unknown: list[str]
    known: list[str]
    computed: str | None
    inputs: list[InputValue]


class Visible(TypedDict):
    """Whether something is shown."""

    visible: bool


class VisibleRange(TypedDict):
    """What part of the time is shown, in seconds and in indices of bars; `spacing` are seconds between two bars."""

    visible_range: dict[str, float] | None
    bars_range: dict[str, float] | None
    spacing: float | None


class ShownRange(TypedDict):
    """What is shown after a part was asked for; `ends` are the first and the last bar's time."""

    shown: bool
    ends: list[float | None]
    actual: dict[str, float] | None
    spacing: float | None


class SymbolInfo(TypedDict):
    """What the chart knows about its symbol."""

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


class Answer(TypedDict):
    """What a service answered: HTTP status (0: nothing came), JSON if it was any, else the beginning of the text."""

    status: int
    data: Any
    text: str


class LastBar(TypedDict):
    """The last bar with its symbol."""

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
    """How much is offered or asked for at a price."""

    price: float
    size: float


class Depth(TypedDict):
    """The order book as its panel shows it; `found` says whether the panel is open, `raw` has numbers that cannot be
    told apart.
    """

    symbol: str
    found: bool
    bids: list[Level]
    asks: list[Level]
    raw: list[float]


class Bars(TypedDict):
    """Bars of the chart: time, open, high, low, close, volume."""

    symbol: str
    resolution: str
    total: int
    last_index: int | None
    bars: list[list[float | None]]


class StudyValues(TypedDict):
    """A study's values by title, as the data window shows them."""

    id: str
    name: str
    values: dict[str, str]


class AllStudyValues(TypedDict):
    """The values of all studies."""

    symbol: str
    studies: list[StudyValues]


class Drawn(TypedDict):
    """What one script drew of a kind, as the page keeps it."""

    name: str
    total: int
    items: list[dict[str, Any]]


class Graphics(TypedDict):
    """What scripts drew on the chart of a symbol."""

    symbol: str | None
    studies: list[Drawn]


class Strategy(TypedDict):
    """What the strategy on the chart came to: a part of it; `strategy` is None where there is none, `source` is empty
    where it has nothing to tell yet."""

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
    """The panes; `active` is the index of the active one, -1 where it is none of them."""

    layout: str
    count: int
    active: int
    panes: list[Pane]


class LayoutCode(TypedDict):
    """How panes are arranged."""

    layout: str
    count: int


class Focused(TypedDict):
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


class Layouts(TypedDict):
    """The saved layouts, and the id in the page's address."""

    answered: bool
    layouts: list[SavedLayout]
    shown: str | None


class LoadedLayout(TypedDict):
    """What loading a layout did."""

    asked: str | None
    dismissed: bool
    shows: bool
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


class Replaced(TypedDict):
    """What the watchlist service answered, first to the question what it holds; `asked` where it was asked to write."""

    before: Answer
    asked: bool
    answer: Answer | None


class Watchlist(TypedDict):
    """The watchlist."""

    panel: bool
    opened: bool
    symbols: list[WatchedSymbol]


class OpenedDialog(TypedDict):
    """Whether the button was there, and whether a field has taken the focus."""

    button: bool
    input: bool


class RemovedSymbol(TypedDict):
    """What removing a symbol did."""

    found: bool
    button: bool
    gone: bool


class Offered(TypedDict):
    """Whether the dialog offers what was typed, and whether its field holds it and has the focus."""

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
    """What an element is called."""

    tag: str
    text: str
    aria_label: str | None
    data_name: str | None


class Clicked(TypedDict):
    """The element that was found; `hidden` counts those that fit and are not on the screen."""

    found: bool
    hidden: int
    count: int
    x: float
    y: float
    element: ElementName | None


class Panel(TypedDict):
    """What became of a panel."""

    available: bool
    was: bool
    open: bool
    performed: str


class Middle(TypedDict):
    """A place on the page in CSS pixels, and whether it is a Mac's."""

    x: float
    y: float
    mac: bool


class Export(TypedDict):
    """Rows of numbers below the names of their columns; the first is the time in unix seconds."""

    columns: list[str]
    rows: list[list[float | None]]


class Symbols(TypedDict):
    """Symbols."""

    symbols: list[str]


class OpenDialogs(TypedDict):
    """How many dialogs are open."""

    open: int


class FullScreen(TypedDict):
    """Whether the page has the full screen."""

    on: bool


class FocusedField(TypedDict):
    """What has the focus."""

    secret: bool
    value: str | None


class TimeRange(TypedDict):
    """The visible part of the time."""

    visible_range: dict[str, float] | None


class Point(TypedDict):
    """A place on a chart."""

    time: float | None
    price: float | None


class MadeShape(TypedDict):
    """The drawing that was put on the chart, or why none was."""

    id: str | None
    refused: str | None
    name: str
    points: list[Point]


class ShapeEntry(TypedDict):
    """A drawing on the chart."""

    id: str
    name: str


class Shapes(TypedDict):
    """The drawings on the chart."""

    shapes: list[ShapeEntry]


class ShapeDetails(TypedDict):
    """One drawing."""

    found: bool
    known: list[str]
    name: str
    points: list[Point]
    properties: dict[str, Any]
    state: dict[str, Any]
    methods: list[str]


class Cleared(TypedDict):
    """How many drawings there were, and are."""

    before: int
    left: int


class ReplayState(TypedDict):
    """What replay does; `date` in milliseconds."""

    available: bool
    started: bool
    autoplay: bool
    mode: str | None
    date: float | None
    delay: float | None
    position: float | None
    realized: float | None


class ReplayBegun(ReplayState):
    """Whether a replay came up; `near` the moment that was asked for, or `late`: the last bar, where that is older."""

    began: bool
    near: bool
    late: float | None


class ReplaySteps(ReplayState):
    """By how many bars it went on."""

    done: int


class ReplayChange(TypedDict):
    """What replay said before and after."""

    before: ReplayState
    after: ReplayState


RESULTS: dict[str, Any] = {
    "alert_request": Answer,
    "clear_shapes": Cleared,
    "draw_shape": MadeShape,
    "replay_do": ReplayChange,
    "replay_start": ReplayBegun,
    "replay_state": ReplayState,
    "replay_step": ReplaySteps,
    "shape_details": ShapeDetails,
    "shapes": Shapes,
    "close_dialogs": OpenDialogs,
    "export_data": Export,
    "focused": FocusedField,
    "full_screen": FullScreen,
    "range_changed": TimeRange,
    "watchlist_wait": Symbols,
    "add_study": AddedStudy,
    "alerts_listed": Listed,
    "pine_logs": Logs,
    "bars": Bars,
    "chart_middle": Middle,
    "chart_summary": ChartSummary,
    "click_element": Clicked,
    "clip": Box | None,
    "find_elements": Elements,
    "focus_pane": Focused,
    "graphics": Graphics,
    "plotted_shapes": Graphics,
    "strategy": Strategy,
    "layouts": Layouts,
    "load_layout": LoadedLayout,
    "open_panel": Panel,
    "panes": Panes,
    "shown_symbols": list[str],
    "studio_prices": Literal["sample", "file"],
    "depth": Depth,
    "quote": LastBar,
    "remove_entity": Removed,
    "search_symbols": Answer,
    "set_chart_type": ChartType,
    "set_inputs": SetInputs,
    "set_layout": LayoutCode,
    "set_visible": Visible,
    "show_range": ShownRange,
    "study_details": StudyDetails,
    "study_values": AllStudyValues,
    "switch_chart": Switched,
    "symbol_dialog": Offered,
    "symbol_info": SymbolInfo,
    "ui_state": UiState,
    "visible_range": VisibleRange,
    "watchlist": Watchlist,
    "watchlist_request": Answer,
    "watchlist_replace": Replaced,
    "watchlist_open_add": OpenedDialog,
    "watchlist_remove": RemovedSymbol,
}
"""The type of what each of them returns, by its name."""
