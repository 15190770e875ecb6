"""Panes, saved layouts and tabs of the browser."""

from __future__ import annotations

import time
from typing import Annotated, TypedDict

from pinebench.errors import UsageError
from pinebench.near import hint_of_names
from pinebench.tools.arguments import Flag, IntegerArgument, TextArgument
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.data import change_percent
from pinebench.tools.health import current, pages
from pinebench.tools.registry import Needs, tool
from pinebench.tools.timing import SYMBOL, show
from pinebench.tools.tool_calls import ToolRefused
from pinebench.tradingview import chart_results, page_internals, page_results

LAYOUTS = {
    "s": "one chart",
    "2h": "two side by side",
    "2v": "two, one above the other",
    "2-1": "two above one",
    "1-2": "one above two",
    "3h": "three side by side",
    "3v": "three, one above the other",
    "3s": "one beside two",
    "4": "two by two",
    "4h": "four side by side",
    "4v": "four, one above the other",
    "4s": "one beside three",
    "6": "six",
    "8": "eight",
    "10": "ten",
    "12": "twelve",
    "14": "fourteen",
    "16": "sixteen",
}
"""TradingView's codes for arrangements of panes."""

LOAD_SECONDS = 10.0
"""The longest wait in seconds for a new tab to load its chart."""

NEW_SECONDS = 30.0
"""The longest wait in seconds for the chart to show a new layout, and then for the page to list it."""

_ALIASES = {
    "single": "s", "1": "s", "1x1": "s", "2x1": "2h", "1x2": "2v", "2x2": "4", "grid": "4", "quad": "4", "3x1": "3h",
    "1x3": "3v",
}  # fmt: skip


class Panes(TypedDict):
    """The panes of the layout, each with its symbol and timeframe, and the index of the active one."""

    layout: str
    layout_name: str
    chart_count: int
    active_index: int
    panes: list[page_results.ChartPane]


@tool("layout", "List the panes with their symbols, and which one is active.")
def pane_list(at: ToolContext) -> Panes:
    """Return the panes of the layout."""
    found: page_results.ChartPanes = at.read("panes")
    return {
        "layout": found["layout"],
        "layout_name": LAYOUTS.get(found["layout"], found["layout"]),
        "chart_count": len(found["panes"]),
        "active_index": found["active"],
        "panes": found["panes"],
    }


class PaneArrangement(TypedDict):
    """The arrangement of the panes: its code, its name and the number of charts."""

    layout: str
    layout_name: str
    chart_count: int
    verified: bool


@tool(
    "layout",
    "Arrange panes: s, 2h, 2v, 2-1, 1-2, 3h, 3v, 3s, 4, 4h, 4v, 4s, 6 … 16, or 2x2 and the like.",
    changes=True,
    proof="the arrangement, read back",
)
def pane_set_layout(
    at: ToolContext, layout: Annotated[str, TextArgument("a layout's code", longest=10, example="2h")]
) -> PaneArrangement:
    """Arrange the panes, and read back the arrangement and the number of panes."""
    code = _ALIASES.get(layout.strip().lower(), layout.strip().lower())
    if code not in LAYOUTS:
        raise UsageError(f"layout must be one of {', '.join(LAYOUTS)}, got: {layout}")
    done: page_results.LayoutCode = at.act("set_layout", {"code": code, "limit": 5000})
    if done["layout"] != code:
        raise ToolRefused(f"the layout is still {done['layout']} instead of {code}", "your plan may allow fewer panes")
    return {
        "layout": code,
        "layout_name": LAYOUTS[code],
        "chart_count": done["count"],
        "verified": done["layout"] == code,
    }


class FocusedPane(TypedDict):
    """The active pane; its index counts from 0."""

    focused_index: int
    total_panes: int
    verified: bool


_INDEX = IntegerArgument("from 0", 0, 63)


@tool(
    "layout",
    "Make a pane the active one; all tools work on the active chart.",
    changes=True,
    proof="the active pane, read back",
)
def pane_focus(at: ToolContext, index: Annotated[int, _INDEX]) -> FocusedPane:
    """Make a pane active, like a click on it."""
    done: page_results.PaneFocus = at.act("focus_pane", {"index": index, "limit": 2000})
    if index >= done["total"]:
        raise UsageError(f"index must be from 0 to {done['total'] - 1}, got: {index}", "pane_list lists the panes")
    if done["focused"] != index:
        raise ToolRefused(f"the active pane is {done['focused']}, not {index}", "click on it in the browser")
    return {"focused_index": index, "total_panes": done["total"], "verified": done["focused"] == index}


class PaneSymbol(TypedDict):
    """The symbol that a pane shows now."""

    index: int
    symbol: str
    verified: bool


@tool(
    "layout",
    "Show a symbol in one pane, which becomes the active one.",
    changes=True,
    proof="the active pane, and the bars and the description of its symbol",
)
def pane_set_symbol(at: ToolContext, index: Annotated[int, _INDEX], symbol: Annotated[str, SYMBOL]) -> PaneSymbol:
    """Make a pane active, and show a symbol in it."""
    focused = pane_focus(at, index)
    done = show(at, symbol, None)
    return {"index": index, "symbol": done["symbol"], "verified": focused["verified"] and done["ready"]}


class LayoutEntry(TypedDict):
    """A saved layout. `modified` is the time of its last change, as the page gives it."""

    id: str
    name: str
    symbol: str
    resolution: str
    modified: float | str | None


class LayoutList(TypedDict):
    """The saved layouts."""

    layout_count: int
    source: str
    layouts: list[LayoutEntry]


@tool("layout", "List the saved chart layouts.", untrusted=("layouts",))
def layout_list(at: ToolContext) -> LayoutList:
    """Return every saved layout."""
    found = _layouts(at)
    listed: list[LayoutEntry] = [
        {
            "id": each["id"],
            "name": each["name"],
            "symbol": each["symbol"],
            "resolution": each["resolution"],
            "modified": each["modified"],
        }
        for each in found
    ]
    return {"layout_count": len(listed), "source": "internal_api", "layouts": listed}


def _layouts(at: ToolContext) -> list[page_results.SavedLayout]:
    found: page_results.SavedLayouts = at.read("layouts", {"limit": 5000})
    if not found["answered"]:
        raise ToolRefused("the page does not list its layouts", "log in on the page, then try again")
    return found["layouts"]


def _chosen_layout(layouts: list[page_results.SavedLayout], name: str) -> page_results.SavedLayout:
    """The layout with the id or name `name`, or else the only one whose name contains it. Raises ToolRefused."""
    wanted = name.strip().casefold()
    found = [each for each in layouts if each["id"] == name.strip()]
    found = found or [each for each in layouts if each["name"].casefold() == wanted]
    found = found or [each for each in layouts if wanted in each["name"].casefold()]
    if len(found) == 1:
        return found[0]
    hint = hint_of_names("layouts", (f"'{each['name']}' ({each['id']})" for each in (found or layouts)[:20]))
    raise ToolRefused(f"{'several layouts match' if found else 'there is no layout'} '{name}'", hint)


class LayoutChange(TypedDict):
    """The layout that is shown now, and whether unsaved changes were discarded (`unsaved_dialog_dismissed`)."""

    layout: str
    layout_id: str
    source: str
    action: str
    unsaved_dialog_dismissed: bool
    verified: bool


@tool(
    "layout",
    "Load a saved layout by name or id; unsaved changes stay unless discarded.",
    changes=True,
    untrusted=("layout",),
    proof="the layout that the chart names, its symbol and timeframe",
)
def layout_switch(
    at: ToolContext,
    name: Annotated[str, TextArgument("name or id", 200)],
    discard: Annotated[bool, Flag("discard unsaved changes of the layout")] = False,
) -> LayoutChange:
    """Load a layout, and verify that the chart shows it."""
    layouts = _layouts(at)
    layout = _chosen_layout(layouts, name)
    request = {
        "ids": _ids(layout),
        "known": [each for one in layouts for each in _ids(one)],
        "symbol": layout["symbol"],
        "resolution": layout["resolution"],
        "discard": discard,
    }
    done: page_results.LoadedLayout = at.act("load_layout", {**request, "limit": 8000}, timeout=20)
    if done["asked"] and not done["dismissed"]:
        raise ToolRefused(
            f"the page asked a question: {done['asked']}", "save the layout, or call again with discard: true"
        )
    if not done["shows"]:
        raise ToolRefused(f"the chart does not show the layout '{layout['name']}'", "look at the page in the browser")
    if not done["proved"]:
        raise ToolRefused(
            f"it is not known whether the page has loaded '{layout['name']}': nothing on the page shows it",
            "look at the page in the browser",
        )
    return {
        "layout": layout["name"],
        "layout_id": layout["id"],
        "source": "internal_api",
        "action": "loaded",
        "unsaved_dialog_dismissed": done["dismissed"],
        "verified": done["proved"],
    }


def _ids(layout: page_results.SavedLayout) -> list[str]:
    """Return the names by which the page may know a layout: its number, and its id in the address."""
    return [layout["id"], *([layout["url"]] if layout["url"] else [])]


class NewLayout(TypedDict):
    """The new layout, which is shown now, and the layout that was shown before."""

    layout: str
    layout_id: str
    former: str | None
    verified: bool


@tool(
    "layout",
    "Create a layout and show it; the page reloads.",
    changes=True,
    destroys=True,
    outside=True,
    untrusted=("layout", "former"),
    proof="the layout that the chart shows, its entry in the list, and the names of all others",
)
def layout_new(
    at: ToolContext,
    name: Annotated[str, TextArgument("its name", 200)],
    confirm: Annotated[bool, Flag("a script not saved in the Pine editor is lost")] = False,
) -> NewLayout:
    """Make an empty layout, load it, and save it under its name once the chart really shows it. The page puts a new
    layout into the address while the chart still shows the former one. A save at that time would rename the former
    layout, so the code trusts the layout that the chart itself reports, never the address."""
    wanted = name.strip()
    listed = _layouts(at)
    if any(each["name"].casefold() == wanted.casefold() for each in listed):
        raise ToolRefused(f"there is already a layout '{wanted}'", "choose another name, or load it with layout_switch")
    former = _leavable(at, confirm=confirm)
    made: page_results.MadeLayout = at.act("layout_made", {"name": wanted, "limit": 8000}, timeout=20)
    if made["id"] is None:
        raise ToolRefused("the page gave no id for a new layout", "look at the layouts in the browser")
    at.act("layout_opened", {"id": made["id"]})
    _await_layout(at, former, made["id"])
    saved: page_results.NamedLayout = at.act("layout_named", {"former": former["id"], "name": wanted})
    if not saved["moved"]:
        raise ToolRefused(_not_shown(former, made["id"]), "load it in the browser and name it there")
    entry = _await_name(at, wanted, listed)
    same = _names(_layouts(at)).items() >= _names(listed).items()
    if not same:
        raise ToolRefused("another layout was renamed in the meantime", "look at the layouts in the browser")
    return {"layout": entry["name"], "layout_id": entry["id"], "former": former["name"], "verified": same}


def _leavable(at: ToolContext, *, confirm: bool) -> page_results.ShownLayout:
    """Return the layout that is shown now. Raises ToolRefused if leaving it would lose something."""
    shown: page_results.ShownLayout = at.read("layout_shown")
    if not shown["able"] or shown["id"] is None:
        raise ToolRefused("this page has no function that creates a layout", "make it in the browser's menu of layouts")
    if shown["changed"] is None:
        raise ToolRefused(
            f"it is not known whether '{shown['name']}' has unsaved changes", "make it in the browser's menu"
        )
    if shown["changed"]:
        raise ToolRefused(f"the layout '{shown['name']}' has unsaved changes", "save it in the browser first")
    if not confirm:
        raise ToolRefused(
            "the page must be reloaded, which loses an unsaved script in the Pine editor",
            "call again with confirm: true",
        )
    return shown


def _await_layout(at: ToolContext, former: page_results.ShownLayout, made: str) -> None:
    """Wait until the chart shows another layout than `former`.

    Raises ToolRefused if it does not, or at once if the page asks to log in; nothing is saved then.
    """
    end = time.monotonic() + NEW_SECONDS
    while time.monotonic() < end:
        shown = _shown_unless_loading(at)
        asked = next((each for each in shown["dialogs"] if each["kind"] in _SESSION_DIALOGS), None) if shown else None
        if asked is not None:
            reason = f"the layout '{made}' was created, but the page asks {asked['text'][:80]!r}, so nothing was saved"
            raise ToolRefused(reason, page_internals.DIALOGS[asked["kind"]].meaning)
        if shown is not None and shown["ready"] and shown["id"] not in (None, former["id"]):
            return
        at.context.sleep(0.1)
    raise ToolRefused(_not_shown(former, made), "load it in the browser and name it there")


_SESSION_DIALOGS = ("sign-in", "session-disconnected")
"""The kinds of dialogs that stop a page from saving."""


def _shown_unless_loading(at: ToolContext) -> page_results.ShownLayout | None:
    """Return the layout that is shown now; None while the page loads another document. Other errors are raised at
    once."""
    from pinebench.tradingview.connection import document_gone
    from pinebench.tradingview.errors import PageError, ProtocolError

    try:
        return at.read("layout_shown")
    except (ProtocolError, PageError) as error:
        if not document_gone(error):
            raise
        return None


def _not_shown(former: page_results.ShownLayout, made: str) -> str:
    return f"the layout '{made}' was created, but the chart still shows '{former['name']}', so nothing was saved"


def _await_name(at: ToolContext, name: str, before: list[page_results.SavedLayout]) -> page_results.SavedLayout:
    """Wait until the page lists a layout `name` that was not there before. Raises ToolRefused if it does not."""
    known, end = _names(before), time.monotonic() + NEW_SECONDS
    while True:
        found = [each for each in _layouts(at) if each["name"] == name and each["id"] not in known]
        if found:
            return found[0]
        if time.monotonic() > end:
            raise ToolRefused(f"the page does not list the new layout '{name}'", "look at the layouts in the browser")
        at.context.sleep(0.1)


def _names(layouts: list[page_results.SavedLayout]) -> dict[str, str]:
    return {each["id"]: each["name"] for each in layouts}


class TabEntry(TypedDict):
    """A tab with a chart. `chart_id` is the id of the saved layout in the address, or None."""

    index: int
    id: str
    title: str
    url: str
    chart_id: str | None


class Tabs(TypedDict):
    """The tabs with charts."""

    tab_count: int
    tabs: list[TabEntry]


@tool("layout", "List the browser's tabs that show charts.", needs=Needs.BROWSER, untrusted=("tabs",))
def tab_list(at: ToolContext) -> Tabs:
    """Return the tabs. An index stays the same when another tab is used, opened or closed."""
    found = _tabs(at)
    return {"tab_count": len(found), "tabs": found}


def _tabs(at: ToolContext) -> list[TabEntry]:
    found = {each.id: each for each in pages(at) if each.is_chart}
    known = at.chart_browser.tabs
    known += sorted(found.keys() - {*known})
    return [
        {
            "index": index,
            "id": id,
            "title": found[id].title[:200],
            "url": found[id].address[:300],
            "chart_id": found[id].chart_id,
        }
        for index, id in enumerate(known)
        if id in found
    ]


class TabChange(TypedDict):
    """The result of opening, closing or switching a tab."""

    action: str
    index: int | None
    tab_id: str
    chart_id: str | None
    tabs_before: int
    tabs_after: int
    verified: bool


@tool(
    "layout",
    "Open the chart in a new tab; the old tab stays the controlled one.",
    needs=Needs.BROWSER,
    changes=True,
    proof="the browser's list of tabs",
)
def tab_new(at: ToolContext) -> TabChange:
    """Open a new tab with the address of the current page."""
    from urllib.parse import quote

    from pinebench.tradingview import targets

    before = _tabs(at)
    tab = at.connection.tab(at.context)
    host, port, _ = at.chart_browser.endpoint()
    entry = targets.ask_browser(host, port, f"/json/new?{quote(str(tab.identity['href']), safe='')}", "PUT")
    made = str(entry["id"])
    _await_chart(at, made)
    after = _await_tab(at, made, there=True)
    return _tab_change("opened", made, before, after, _has(after, made))


@tool(
    "layout",
    "Close a tab by its index; never the last one.",
    needs=Needs.BROWSER,
    changes=True,
    destroys=True,
    proof="the browser's list of tabs",
)
def tab_close(
    at: ToolContext,
    index: Annotated[int, _INDEX],
    confirm: Annotated[bool, Flag("its unsaved changes are lost")] = False,
) -> TabChange:
    """Close a tab, which may hold unsaved changes."""
    from pinebench.tradingview import targets

    before = _tabs(at)
    chosen = _tab(before, index)
    if len(before) < 2:
        raise ToolRefused("the last tab is never closed", "open another one with tab_new first")
    if not confirm:
        raise ToolRefused("closing a tab discards its unsaved changes", "call again with confirm: true")
    host, port, _ = at.chart_browser.endpoint()
    is_current = current(at) == chosen["id"]
    targets.ask_browser(host, port, f"/json/close/{chosen['id']}")
    after = _await_tab(at, chosen["id"], there=False)
    latest = next((each for each in pages(at) if each.is_chart), None)
    if is_current and latest is not None and latest.id != chosen["id"]:
        at.chart_browser.drive(latest.id)
        at.connection.notify(f"the closed tab was the controlled one; pinebench now controls {latest.describe()}")
    return _tab_change("closed", chosen["id"], before, after, not _has(after, chosen["id"]))


@tool(
    "layout",
    "Bring a tab to the front and control it from now on.",
    needs=Needs.BROWSER,
    changes=True,
    proof="the id of the controlled page",
)
def tab_switch(at: ToolContext, index: Annotated[int, _INDEX]) -> TabChange:
    """Bring a tab to the front, and use it from now on."""
    found = _tabs(at)
    chosen = _tab(found, index)
    connection = at.chart_browser.connection(chosen["id"])
    connection.command("Page.bringToFront", timeout=5, context=at.context)
    at.chart_browser.drive(chosen["id"])
    driven = at.chart_browser.connection().tab(at.context).target.id
    return _tab_change("switched", chosen["id"], found, found, driven == chosen["id"])


def _has(found: list[TabEntry], tab_id: str) -> bool:
    return any(each["id"] == tab_id for each in found)


def _tab(found: list[TabEntry], index: int) -> TabEntry:
    chosen = next((each for each in found if each["index"] == index), None)
    if chosen is None:
        raise UsageError(f"there is no tab {index}", "tab_list lists the tabs")
    return chosen


def _await_chart(at: ToolContext, tab_id: str) -> None:
    """Wait until a new tab can be driven, at most LOAD_SECONDS."""
    from pinebench.tradingview.errors import ConnectionFailed

    end = time.monotonic() + LOAD_SECONDS
    while time.monotonic() < end:
        try:
            at.chart_browser.connection(tab_id).tab(at.context)
        except ConnectionFailed:
            at.context.sleep(0.05)  # its page is still loading
        else:
            return


def _await_tab(at: ToolContext, tab_id: str, *, there: bool) -> list[TabEntry]:
    """Wait until a tab exists (`there`) or has gone, at most five seconds, and return the tabs."""
    end = time.monotonic() + 5
    while True:
        found = _tabs(at)
        if _has(found, tab_id) == there or time.monotonic() > end:
            return found
        at.context.sleep(0.05)


def _tab_change(action: str, tab_id: str, before: list[TabEntry], after: list[TabEntry], verified: bool) -> TabChange:
    if not verified:
        raise ToolRefused(f"the tab was not {action}", "look at the browser")
    entry = next((each for each in [*after, *before] if each["id"] == tab_id), None)
    return {
        "action": action,
        "index": next((each["index"] for each in after if each["id"] == tab_id), None),
        "tab_id": tab_id,
        "chart_id": entry["chart_id"] if entry else None,
        "tabs_before": len(before),
        "tabs_after": len(after),
        "verified": verified,
    }


class PaneReading(TypedDict):
    """One pane: its last bar, the change over the bars that were read, and the values of its studies by title. A study
    whose values cannot be read or are still being computed has None as `values`. Times are in unix seconds."""

    index: int
    symbol: str
    resolution: str
    loading: bool
    bars: int
    time: int | None
    close: float | None
    high: float | None
    low: float | None
    change_percent: float | None
    studies: list[chart_results.PaneStudy]


class PaneReadings(TypedDict):
    """The contents of all panes of the layout."""

    layout: str
    active_index: int
    panes: list[PaneReading]


@tool(
    "layout",
    "Read all panes in one call: symbol, last bar, range, change, values of studies.",
    untrusted=("panes",),
    prices=True,
)
def pane_read(
    at: ToolContext,
    count: Annotated[int, IntegerArgument("bars of each pane for range and change", 1, 500, clamp=True)] = 50,
) -> PaneReadings:
    """Read the panes without focusing or changing any of them."""
    found: chart_results.PaneContents = at.read("panes_read", {"count": count, "limit": 3000})
    panes = [_reading(each) for each in found["panes"]]
    at.symbols.extend(each["symbol"] for each in panes)
    return {"layout": found["layout"], "active_index": found["active"], "panes": panes}


def _reading(pane: chart_results.PaneContent) -> PaneReading:
    bars = [bar for bar in pane["bars"] if len(bar) >= 5 and None not in bar[:5]]
    first, last = (bars[0], bars[-1]) if bars else (None, None)
    opened = first[1] if first is not None else None
    close = last[4] if last is not None else None
    return {
        "index": pane["index"],
        "symbol": pane["symbol"],
        "resolution": pane["resolution"],
        "loading": pane["loading"],
        "bars": len(bars),
        "time": None if last is None or last[0] is None else int(last[0]),
        "close": close,
        "high": max((bar[2] or 0.0 for bar in bars), default=None),
        "low": min((bar[3] or 0.0 for bar in bars), default=None),
        "change_percent": None if opened is None or close is None else change_percent(opened, close),
        "studies": pane["studies"],
    }
