"""The return types of the page functions that are not about the chart: panels, layouts, watchlists, dialogs, replay."""

from __future__ import annotations

from typing import Any, TypedDict

from pinebench.tradingview.chart_results import Evidence, StudyEntry


class UiState(TypedDict):
    """The open panels and the visible buttons."""

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


class DialogRow(TypedDict):
    """A row of the indicator search dialog."""

    title: str
    text: str
    id: str


class StudyVersion(TypedDict):
    """The version of a script that a study runs, and the id of that script if the page shows it."""

    script: str | None
    version: str


class IndicatorDialog(TypedDict):
    """The rows that the dialog found, and the study that was added. `version` is the version of an added script, or
    None for other studies. `asked` is the text of another dialog that appeared instead."""

    dialog: bool
    rows: list[DialogRow]
    pressed: DialogRow | None
    added: StudyEntry | None
    version: StudyVersion | None
    count: int
    asked: str | None


class ListingCheck(TypedDict):
    """Whether the page itself lists the requested alerts (`listed`); None if the page does not show its list."""

    listed: bool | None


class RemovalResult(TypedDict):
    """Whether a study or drawing was there (`found`), and whether it has been removed (`gone`). `left` is the number
    that remains. If it was not there, `known` has the ids of up to 20 others."""

    found: bool
    gone: bool
    left: int
    known: list[str]


class Visible(TypedDict):
    """Whether the study is shown."""

    visible: bool


class SessionDialog(TypedDict):
    """The dialog about another device's session: whether it was there, the pressed button, and whether it is gone."""

    found: bool
    pressed: str | None
    gone: bool


class AccountNames(TypedDict):
    """Names of the user and of the saved layouts."""

    names: list[str]
    layouts: list[str]


class HttpAnswer(TypedDict):
    """The answer of a service: its HTTP status (0: no answer), and JSON data, or the beginning of any other text."""

    status: int
    data: Any
    text: str


class ChartPane(TypedDict):
    """A pane: its index from 0, and the symbol and resolution of its chart."""

    index: int
    symbol: str
    resolution: str


class ChartPanes(TypedDict):
    """The chart's panes. `active` is the index of the active pane, or -1 if no pane is active."""

    layout: str
    count: int
    active: int
    panes: list[ChartPane]


class LayoutCode(TypedDict):
    """The code of the pane arrangement, and the number of panes."""

    layout: str
    count: int


class PaneFocus(TypedDict):
    """The index of the active pane, and the number of panes."""

    focused: int
    total: int


class SavedLayout(TypedDict):
    """A saved layout. `modified` is the time of its last change, as the page gives it."""

    id: str
    url: str | None
    name: str
    symbol: str
    resolution: str
    modified: float | str | None


class SavedLayouts(TypedDict):
    """The saved layouts, and the id of the layout in the page's address. `answered` is false if the page returned no
    list."""

    answered: bool
    layouts: list[SavedLayout]
    shown: str | None


class LoadedLayout(TypedDict):
    """The result of loading a layout. `asked` is the text of a question that the page asked about unsaved changes, and
    `dismissed` says whether it was answered with "discard". `shows` says that the chart has the layout's
    symbol and timeframe, and that the page names no other layout. `proved` says that the page names the layout or has
    visibly changed."""

    asked: str | None
    dismissed: bool
    shows: bool
    proved: bool


class ShownLayout(TypedDict):
    """The layout that the chart shows, and whether it has unsaved changes. Fields that the page does not show are None.
    `ready` says whether its bars are loaded, and `able` whether the page has a function to create layouts. `dialogs`
    lists the open dialogs."""

    id: str | None
    name: str | None
    changed: bool | None
    ready: bool
    dialogs: list[dict[str, Any]]
    able: bool


class MadeLayout(TypedDict):
    """The id of a new layout."""

    id: str | None


class NamedLayout(TypedDict):
    """Whether the page moved to the new layout, which it does after the layout was saved under its name."""

    moved: bool


class PageBox(TypedDict):
    """A rectangle in CSS pixels."""

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
    """The answers of the watchlist service: `before` to the read request, and `answer` to the write request. `asked`
    says whether the request to write was sent."""

    before: HttpAnswer
    asked: bool
    answer: HttpAnswer | None


class ShownWatchlist(TypedDict):
    """The watchlist as its panel shows it."""

    evidence: Evidence
    panel: bool
    opened: bool
    symbols: list[WatchedSymbol]


class OpenedDialog(TypedDict):
    """Whether the button that opens the dialog was there, and whether an input field has the focus now."""

    button: bool
    input: bool


class RemovedSymbol(TypedDict):
    """The result of removing a symbol from the watchlist: whether it was listed, had a remove button, and is gone
    now."""

    found: bool
    button: bool
    gone: bool


class SearchOffer(TypedDict):
    """Whether the dialog offers the typed symbol, and whether its field holds the text and has the focus."""

    offered: bool
    input: bool


class Element(TypedDict):
    """An element of the page. `x` and `y` are its centre. All sizes are in CSS pixels."""

    tag: str
    text: str
    aria_label: str | None
    data_name: str | None
    x: int
    y: int
    width: int
    height: int
    visible: bool


class FoundElements(TypedDict):
    """The elements found, and the total number of matches."""

    count: int
    elements: list[Element]


class ElementName(TypedDict):
    """The names of an element: its tag, text and attributes."""

    tag: str
    text: str
    aria_label: str | None
    data_name: str | None


class ClickTarget(TypedDict):
    """The element that was found, and whether it is disabled. `hidden` is the number of matching elements that are not
    visible."""

    found: bool
    hidden: int
    disabled: bool
    count: int
    x: float
    y: float
    element: ElementName | None


class PanelChange(TypedDict):
    """The state of a panel before and after an action."""

    available: bool
    was: bool
    open: bool
    performed: str


class Middle(TypedDict):
    """The centre of the chart in CSS pixels, and whether the browser runs on a Mac."""

    x: float
    y: float
    mac: bool


class Symbols(TypedDict):
    """The symbols that a page function found or changed."""

    symbols: list[str]


class OpenDialogs(TypedDict):
    """The number of open dialogs."""

    open: int


class FullScreenState(TypedDict):
    """Whether the chart is in full-screen mode."""

    on: bool


class FocusedField(TypedDict):
    """The field that has the focus. `secret` means that its value must not be read."""

    secret: bool
    value: str | None


class TimeRange(TypedDict):
    """The visible range in Unix seconds."""

    visible_range: dict[str, float] | None


class Point(TypedDict):
    """A point on a chart: time in Unix seconds, and price."""

    time: float | None
    price: float | None


class MadeShape(TypedDict):
    """The drawing that was put on the chart, or the reason why the page refused it. `others` are the ids of drawings
    that appeared at the same time. If `id` is None, one of them may be this drawing."""

    id: str | None
    refused: str | None
    others: list[str]
    name: str
    points: list[Point]


class ShapeEntry(TypedDict):
    """A drawing on the chart. `study` is the id of the study in whose pane it is, or empty in the price pane."""

    id: str
    name: str
    study: str


class Shapes(TypedDict):
    """The drawings on the chart."""

    shapes: list[ShapeEntry]


class ShapeDetails(TypedDict):
    """One drawing. `study` is the id of the study whose pane contains it; empty for a drawing in the price pane."""

    found: bool
    known: list[str]
    name: str
    study: str
    points: list[Point]
    properties: dict[str, Any]
    state: dict[str, Any]
    methods: list[str]


class ClearResult(TypedDict):
    """The number of drawings before the removal, and the number left."""

    before: int
    left: int


class ReplayState(TypedDict):
    """The state of the replay: `date` in Unix milliseconds, and `delay`, the pause between bars in milliseconds."""

    available: bool
    started: bool
    autoplay: bool
    mode: str | None
    date: float | None
    delay: float | None
    position: float | None
    realized: float | None


class ReplayBegun(ReplayState):
    """Whether a replay began. `near` says that it began near the requested time. `late` is the time of the last bar if
    that bar is older than the requested time."""

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
    "focused": FocusedField,
    "full_screen": FullScreenState,
    "range_changed": TimeRange,
    "watchlist_wait": Symbols,
    "alerts_listed": ListingCheck,
    "chart_middle": Middle,
    "click_element": ClickTarget,
    "clip": PageBox | None,
    "find_elements": FoundElements,
    "focus_pane": PaneFocus,
    "indicator_dialog": IndicatorDialog,
    "layouts": SavedLayouts,
    "load_layout": LoadedLayout,
    "layout_shown": ShownLayout,
    "layout_made": MadeLayout,
    "layout_opened": bool,
    "layout_named": NamedLayout,
    "open_panel": PanelChange,
    "panes": ChartPanes,
    "remove_entity": RemovalResult,
    "search_symbols": HttpAnswer,
    "set_layout": LayoutCode,
    "set_visible": Visible,
    "symbol_dialog": SearchOffer,
    "account_names": AccountNames,
    "lists_request": HttpAnswer,
    "quote_service": HttpAnswer,
    "session_dialog": SessionDialog,
    "ui_state": UiState,
    "watchlist": ShownWatchlist,
    "watchlist_request": HttpAnswer,
    "watchlist_replace": WatchlistWrite,
    "watchlist_open_add": OpenedDialog,
    "watchlist_remove": RemovedSymbol,
}
"""The return type of each page function that the chart tools use, by the function's name."""
