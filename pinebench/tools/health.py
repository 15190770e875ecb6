"""The connection to the browser: its chart page, its open pages, the current page, and the elements on its screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypedDict

from pinebench.errors import PinebenchError, UnavailableError
from pinebench.tools.arguments import ChoiceArgument, Flag, IntegerArgument, TextArgument
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import Needs, tool
from pinebench.tools.tool_calls import ToolRefused
from pinebench.tradingview import page_results

if TYPE_CHECKING:
    from pinebench.tradingview.targets import Target


class TargetEntry(TypedDict):
    """A page of the browser; `current` is True if pinebench uses it for calls without a target."""

    id: str
    kind: str
    title: str
    url: str
    chart_id: str | None
    current: bool


class ConnectionHealth(TypedDict):
    """The state of the connection between pinebench and the chart."""

    cdp_connected: bool
    origin: str
    target_id: str
    target_url: str
    target_title: str
    browser: str
    chart_symbol: str
    chart_resolution: str
    chart_type: int | None
    api_available: bool
    logged_in: bool | None
    visible: bool
    dialogs: list[str]
    table: str


@tool(
    "health",
    "Check that the chart page answers; call it first, and when something fails.",
    untrusted=("target_title", "dialogs"),
)
def tv_health_check(at: ToolContext) -> ConnectionHealth:
    """Report which page is in use and what it shows; a page without a chart API is not an error."""
    from pinebench.tradingview import page_internals, targets

    connection = at.connection
    found = at.read("health")
    state = at.read("chart_summary")
    tab = connection.tab(at.context)
    try:
        browser = targets.version(connection.host, connection.port)["Browser"]
    except (OSError, ValueError):
        browser = "unknown"
    return {
        "cdp_connected": True,
        "origin": connection.origin(at.context),
        "target_id": tab.target.id,
        "target_url": found["url"],
        "target_title": found["title"],
        "browser": browser,
        "chart_symbol": state["symbol"] or "unknown",
        "chart_resolution": state["resolution"] or "unknown",
        "chart_type": state["chartType"],
        "api_available": found["paths"]["chartApi"]["present"],
        "logged_in": found["logged_in"],
        "visible": found["visibility"] == "visible",
        "dialogs": [dialog["text"] for dialog in found["dialogs"]],
        "table": page_internals.TABLE_VERSION,
    }


class Api(TypedDict):
    """An internal object of the page: whether it exists, its path, and its methods."""

    available: bool
    path: str
    methodCount: int
    methods: list[str]


class PageObjects(TypedDict):
    """The objects of the page that pinebench uses, by name, with the number of existing objects and of all objects."""

    apis_available: int
    apis_total: int
    apis: dict[str, Api]


@tool("ui", "List the page's inner objects with their methods, to find out what broke.")
def tv_discover(at: ToolContext) -> PageObjects:
    """Look on the page for every internal object that pinebench uses."""
    from pinebench.tradingview import page_internals

    found = at.read("health")["paths"]
    apis: dict[str, Api] = {
        key: {
            "available": found[key]["present"],
            "path": entry.expression,
            "methodCount": len(found[key]["methods"]),
            "methods": found[key]["methods"],
        }
        for key, entry in page_internals.PATHS.items()
    }
    return {"apis_available": sum(api["available"] for api in apis.values()), "apis_total": len(apis), "apis": apis}


@tool("ui", "See which panels, dialogs and buttons are on the screen.", untrusted=("buttons", "dialogs"))
def tv_ui_state(at: ToolContext) -> page_results.UiState:
    """Return the panels, dialogs and buttons that are on the screen."""
    return at.read("ui_state")


class BrowserLaunch(TypedDict):
    """A browser with a debug port. `started` is false if it was running already."""

    platform: str
    binary: str | None
    pid: int | None
    cdp_port: int
    cdp_url: str
    browser: str
    user_agent: str
    started: bool


@tool(
    "health",
    "Start a browser (or TradingView Desktop) with a debug port; a running program is left alone.",
    needs=Needs.NOTHING,
    changes=True,
    outside=True,
    unlisted=("kill_existing",),
)
def tv_launch(
    at: ToolContext,
    port: Annotated[int, IntegerArgument("debug port", 1, 65535)] = 9222,
    browser: Annotated[str | None, ChoiceArgument(("chrome", "edge", "chromium", "desktop"), "which program")] = None,
    kill_existing: Annotated[bool, Flag("must be false: running programs are never ended")] = False,
) -> BrowserLaunch:
    """Start a browser and wait for its debug port. The tool has no argument for paths: callers must not choose the
    program that runs, or the folder that it writes to. The owner can choose them with `pinebench launch --browser PATH
    --profile FOLDER` or PINEBENCH_BROWSER."""
    from pinebench.tradingview import browser as browsers
    from pinebench.tradingview import browser_programs, targets

    if kill_existing:
        raise ToolRefused(
            "pinebench does not close programs that it did not start", "close the browser yourself, then try again"
        )
    launched = browsers.launch(browser, port=port)
    version = targets.version("127.0.0.1", launched.port)
    return {
        "platform": browser_programs.platform_name(),
        "binary": None if launched.executable is None else str(launched.executable.path),
        "pid": launched.pid,
        "cdp_port": launched.port,
        "cdp_url": f"http://127.0.0.1:{launched.port}",
        "browser": version["Browser"],
        "user_agent": version.get("User-Agent", ""),
        "started": launched.process is not None,
    }


class Targets(TypedDict):
    """The pages of the browser."""

    count: int
    targets: list[TargetEntry]


@tool("health", "List the browser pages that can be controlled.", needs=Needs.BROWSER, untrusted=("targets",))
def target_list(at: ToolContext, all: Annotated[bool, Flag("also pages that are not charts")] = False) -> Targets:
    """Return the pages, charts first."""
    used = current(at)
    found = [_entry(each, used) for each in pages(at) if all or _drivable(each)]
    return {"count": len(found), "targets": found}


class PageSwitch(TypedDict):
    """The page that calls without a target use from now on."""

    target_id: str
    target_url: str
    origin: str
    verified: bool


@tool(
    "health",
    "Control another page from now on; `target` is an id from target_list or a part of an address.",
    needs=Needs.BROWSER,
    changes=True,
    proof="the id of the controlled page",
)
def target_switch(
    at: ToolContext,
    target: Annotated[str, TextArgument("id, or a part of its address", 200)],
    show: Annotated[bool, Flag("also bring its tab to the front")] = False,
) -> PageSwitch:
    """Connect to the page, and use it from now on in calls without a target."""
    connection = at.chart_browser.connection(target)
    tab = connection.tab(at.context)
    if show:
        connection.command("Page.bringToFront", timeout=5, context=at.context)
    at.chart_browser.drive(tab.target.id)
    attached = at.chart_browser.connection().tab(at.context)
    return {
        "target_id": attached.target.id,
        "target_url": str(attached.identity["href"]).split("?")[0],
        "origin": at.chart_browser.connection().origin(at.context),
        "verified": attached.target.id == tab.target.id,
    }


def pages(at: ToolContext) -> list[Target]:
    """Return every page of the browser. Raises UnavailableError if no browser answers."""
    from pinebench.tradingview import targets
    from pinebench.tradingview.connection import LAUNCH_HINT

    host, port, _ = at.chart_browser.endpoint()
    try:
        return targets.list_targets(host, port)
    except (OSError, ValueError) as error:
        raise UnavailableError(f"no browser answers at {host}:{port} ({error})", LAUNCH_HINT) from None


def _drivable(target: Target) -> bool:
    from pinebench.tradingview.targets import PageKind

    return target.kind in (PageKind.CHART, PageKind.LOOPBACK)


def current(at: ToolContext) -> str | None:
    """Return the id of the page in use; None if no page can be driven."""
    try:
        return at.connection.tab(at.context).target.id
    except PinebenchError:
        return None


def _entry(target: Target, current: str | None) -> TargetEntry:
    return {
        "id": target.id,
        "kind": target.kind.name.lower(),
        "title": target.title[:200],
        "url": target.url.split("?")[0][:300],
        "chart_id": target.chart_id,
        "current": target.id == current,
    }


class ReconnectResult(TypedDict):
    """The result of reconnecting; `action` is `reconnected`, or `nothing_to_do` if there was no dialog about a lost
    session."""

    action: str
    button: str | None
    verified: bool


@tool(
    "health",
    "Take the session back from another device, which loses it: press Connect in the page's dialog.",
    changes=True,
    outside=True,
    proof="the page's dialogs, read again",
)
def tv_reconnect(at: ToolContext) -> ReconnectResult:
    """Press the connect button in the page's dialog about the lost session, and verify that the dialog is gone."""
    found: page_results.SessionDialog = at.act("session_dialog", {"limit": 8_000})
    if not found["found"]:
        return {"action": "nothing_to_do", "button": None, "verified": not found["found"]}
    if found["pressed"] is None:
        raise ToolRefused("the dialog about the lost session shows no known button", "press it in the browser")
    if not found["gone"]:
        raise ToolRefused(
            f"pinebench clicked '{found['pressed']}', but the dialog is still open", "look at the dialog in the browser"
        )
    return {"action": "reconnected", "button": found["pressed"], "verified": found["gone"]}
