"""Buttons, panels, keys and the mouse, for everything that no other tool can do.

A click or a key may also delete something or send an order, so these tools are declared as destructive: a client asks
its user before it calls them.
"""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from pinebench.errors import UsageError
from pinebench.tools.arguments import ChoiceArgument, Flag, IntegerArgument, ListArgument, Number, TextArgument
from pinebench.tools.chart_browser import EVALUATE_VARIABLE, ToolContext
from pinebench.tools.registry import tool
from pinebench.tools.tool_calls import ToolRefused
from pinebench.tradingview import chart_results, page_results

_BY = ChoiceArgument(("aria-label", "data-name", "text", "class-contains", "selector"), "how value is compared")
_VALUE = TextArgument("what to look for", 300)


class ClickResult(TypedDict):
    """The element that was clicked; `matches` is the number of visible elements that match."""

    clicked: page_results.ElementName
    matches: int
    verified: bool


@tool(
    "ui",
    "Click the first visible element that matches.",
    changes=True,
    destroys=True,
    untrusted=("clicked",),
    proof="the element on the screen before the click; not what the click did",
)
def ui_click(at: ToolContext, by: Annotated[str, _BY], value: Annotated[str, _VALUE]) -> ClickResult:
    """Find an element and click it."""
    done = _element(at, by, value, press=True)
    assert done["element"] is not None
    return {"clicked": done["element"], "matches": done["count"], "verified": done["found"]}


def _element(at: ToolContext, by: str, value: str, *, press: bool) -> page_results.ClickTarget:
    from pinebench.tradingview.errors import PageError

    try:
        done: page_results.ClickTarget = at.act("click_element", {"by": by, "value": value, "press": press})
    except PageError as error:
        if "not a valid selector" in error.description:
            raise UsageError(f"value is not a CSS selector: {value}") from None
        raise
    if not done["found"]:
        hidden = f"; {done['hidden']} elements that are not on the screen match" if done["hidden"] else ""
        raise ToolRefused(
            f"no element on the screen has {by} {value!r}{hidden}", "ui_find_element or tv_ui_state lists the elements"
        )
    if press and done["disabled"]:
        raise ToolRefused(
            f"the element with {by} {value!r} is disabled, so it was not clicked", "look at the page first"
        )
    return done


class HoverResult(TypedDict):
    """The element under the mouse, and its position in CSS pixels."""

    hovered: dict[str, Any]
    verified: bool


@tool(
    "ui",
    "Move the mouse over an element.",
    changes=True,
    untrusted=("hovered",),
    proof="the element on the screen; not what the page did",
)
def ui_hover(at: ToolContext, by: Annotated[str, _BY], value: Annotated[str, _VALUE]) -> HoverResult:
    """Find an element and move the mouse to its middle."""
    done = _element(at, by, value, press=False)
    _mouse(at, "mouseMoved", done["x"], done["y"])
    return {"hovered": {**(done["element"] or {}), "x": done["x"], "y": done["y"]}, "verified": done["found"]}


class PanelState(TypedDict):
    """The state of a panel before and after the call."""

    panel: str
    action: str
    was_open: bool
    is_open: bool
    performed: str
    verified: bool


@tool("ui", "Open, close or toggle a panel.", changes=True, proof="whether the panel is open, read back")
def ui_open_panel(
    at: ToolContext,
    panel: Annotated[
        str, ChoiceArgument(("pine-editor", "strategy-tester", "watchlist", "alerts", "trading"), "which panel")
    ],
    action: Annotated[
        str, ChoiceArgument(("open", "close", "toggle"), "toggle opens a closed panel and closes an open one")
    ] = "open",
) -> PanelState:
    """Open or close a panel, and verify its state."""
    done: page_results.PanelChange = at.act("open_panel", {"panel": panel, "action": action, "limit": 4000})
    wanted = not done["was"] if action == "toggle" else action == "open"
    if done["open"] != wanted:
        why = (
            "the page has no control for it"
            if not done["available"]
            else f"it is still {'open' if done['open'] else 'closed'}"
        )
        raise ToolRefused(
            f"the panel {panel} could not be {'opened' if wanted else 'closed'}: {why}",
            "open or close it in the browser",
        )
    return {
        "panel": panel,
        "action": action,
        "was_open": done["was"],
        "is_open": done["open"],
        "performed": done["performed"],
        "verified": done["open"] == wanted,
    }


class FullScreen(TypedDict):
    """Whether the page is in full-screen mode now, and whether this call switched it on or off (`action`)."""

    action: str
    is_fullscreen: bool
    verified: bool


@tool("ui", "Switch full screen on or off.", changes=True, proof="the document's state before and after")
def ui_fullscreen(at: ToolContext) -> FullScreen:
    """Click the page's own button with mouse events of the browser, and read back the document's state."""
    done = _element(at, "data-name", "header-toolbar-fullscreen", press=False)
    before = bool(at.read("full_screen", {"was": None, "limit": 0})["on"])
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        _mouse(at, kind, done["x"], done["y"], "left")
    now = bool(at.act("full_screen", {"was": before, "limit": 3000})["on"])
    if now == before:
        raise ToolRefused("the page did not change to or from full screen", "press F11 in the browser")
    return {"action": "entered" if now else "left", "is_fullscreen": now, "verified": now != before}


_KEYS: dict[str, tuple[str, int]] = {
    "Enter": ("Enter", 13), "Escape": ("Escape", 27), "Tab": ("Tab", 9), "Backspace": ("Backspace", 8),
    "Delete": ("Delete", 46), "ArrowUp": ("ArrowUp", 38), "ArrowDown": ("ArrowDown", 40),
    "ArrowLeft": ("ArrowLeft", 37), "ArrowRight": ("ArrowRight", 39), "Space": ("Space", 32), "Home": ("Home", 36),
    "End": ("End", 35), "PageUp": ("PageUp", 33), "PageDown": ("PageDown", 34), "F1": ("F1", 112), "F2": ("F2", 113),
    "F5": ("F5", 116),
}  # fmt: skip
_BITS = {"alt": 1, "ctrl": 2, "meta": 4, "shift": 8}


class KeyPress(TypedDict):
    """The key that was pressed; its effect on the page is not known."""

    key: str
    modifiers: list[str]
    verified: bool


@tool("ui", "Press a key, with modifiers. Its effect is not known: look afterwards.", changes=True, destroys=True)
def ui_keyboard(
    at: ToolContext,
    key: Annotated[str, TextArgument("Enter, Escape, ArrowUp, F5 … or one character", 12, example="Enter")],
    modifiers: Annotated[
        list[str] | None,
        ListArgument(ChoiceArgument(("ctrl", "alt", "shift", "meta")), "keys that are held down", least=0, most=4),
    ] = None,
) -> KeyPress:
    """Press and release one key."""
    if key in _KEYS:
        code, number = _KEYS[key]
        name = " " if key == "Space" else key
    elif len(key) == 1 and key.isascii() and key.isprintable():
        code = f"Key{key.upper()}" if key.isalpha() else f"Digit{key}" if key.isdigit() else ""
        # Other signs have no number here: the code point of "." is the number of the key Delete.
        name, number = key, ord(key.upper()) if code or key == " " else 0
    else:
        raise UsageError(f"key cannot be {key}", f"give one character, or one of {', '.join(_KEYS)}")
    bits = sum(_BITS[each] for each in dict.fromkeys(modifiers or []))
    at.page.press_key(name, code, number, bits, at.context)
    return {"key": key, "modifiers": modifiers or [], "verified": False}


class TypedText(TypedDict):
    """The first 100 characters of the text that was typed into the element with the focus, and its whole length."""

    typed: str
    length: int
    verified: bool


@tool(
    "ui",
    "Type text into the element that has the focus. Never passwords.",
    changes=True,
    proof="the text of the field before and after",
)
def ui_type_text(
    at: ToolContext, text: Annotated[str, TextArgument("typed where the focus is", longest=10000)]
) -> TypedText:
    """Type text, and verify the field's value if it has one. Raises ToolRefused if a password field has the focus."""
    before = at.read("focused")
    if before["secret"]:
        raise ToolRefused("a password field has the focus, and pinebench never types passwords", "type it yourself")
    at.page.insert_text(text)
    after = at.read("focused")
    verified = after["value"] is not None and text in after["value"] and after["value"] != before["value"]
    return {"typed": text[:100], "length": len(text), "verified": verified}


class WheelTurn(TypedDict):
    """The turn of the mouse wheel, and the visible range before and after it."""

    direction: str
    amount: int
    range_before: dict[str, float] | None
    range_after: dict[str, float] | None
    verified: bool


@tool(
    "ui",
    "Turn the mouse wheel over the chart; up and down zoom, left and right scroll.",
    changes=True,
    proof="the visible range before and after",
)
def ui_scroll(
    at: ToolContext,
    direction: Annotated[str, ChoiceArgument(("up", "down", "left", "right"), "where to scroll")],
    amount: Annotated[int, IntegerArgument("pixels", 1, 5000)] = 300,
) -> WheelTurn:
    """Turn the wheel, and check whether the visible range changed."""
    middle: page_results.Middle = at.read("chart_middle")
    before: chart_results.VisibleRange = at.read("visible_range")
    x = {"left": -amount, "right": amount}.get(direction, 0)
    y = {"up": -amount, "down": amount}.get(direction, 0)
    at.connection.command(
        "Input.dispatchMouseEvent",
        timeout=5,
        context=at.context,
        type="mouseWheel",
        x=middle["x"],
        y=middle["y"],
        deltaX=x,
        deltaY=y,
    )
    after = at.act("range_changed", {"before": before["visible_range"], "limit": 1000})["visible_range"]
    return {
        "direction": direction,
        "amount": amount,
        "range_before": before["visible_range"],
        "range_after": after,
        "verified": after != before["visible_range"],
    }


class MouseClick(TypedDict):
    """The position and the button of a click."""

    x: float
    y: float
    button: str
    double_click: bool
    verified: bool


@tool("ui", "Click at a position in CSS pixels. Its effect is not known: look afterwards.", changes=True, destroys=True)
def ui_mouse_click(
    at: ToolContext,
    x: Annotated[float, Number("CSS pixels from the left", least=0, most=20000)],
    y: Annotated[float, Number("CSS pixels from the top", least=0, most=20000)],
    button: Annotated[str, ChoiceArgument(("left", "right", "middle"), "which mouse button")] = "left",
    double_click: Annotated[bool, Flag("click twice")] = False,
) -> MouseClick:
    """Move the mouse to a position, and press and release a button there."""
    _mouse(at, "mouseMoved", x, y)
    for count in (1, 2) if double_click else (1,):
        _mouse(at, "mousePressed", x, y, button, count)
        _mouse(at, "mouseReleased", x, y, button, count)
    return {"x": x, "y": y, "button": button, "double_click": double_click, "verified": False}


def _mouse(at: ToolContext, kind: str, x: float, y: float, button: str = "none", count: int = 1) -> None:
    at.connection.command(
        "Input.dispatchMouseEvent",
        timeout=5,
        context=at.context,
        type=kind,
        x=x,
        y=y,
        button=button,
        clickCount=0 if kind == "mouseMoved" else count,
    )


class Elements(TypedDict):
    """The elements that match a query, at most 20, and the number of all matches (`count`)."""

    query: str
    strategy: str
    count: int
    elements: list[page_results.Element]


@tool(
    "ui",
    "Find elements by text, aria-label or CSS selector, with their positions.",
    untrusted=("elements",),
    prices=True,
)
def ui_find_element(
    at: ToolContext,
    query: Annotated[str, _VALUE],
    strategy: Annotated[str, ChoiceArgument(("text", "aria-label", "css"), "how query is compared")] = "text",
) -> Elements:
    """Return at most 20 matching elements."""
    from pinebench.tradingview.errors import PageError

    try:
        found: page_results.FoundElements = at.read("find_elements", {"query": query, "strategy": strategy, "most": 20})
    except PageError as error:
        if "not a valid selector" in error.description:
            raise UsageError(f"query is not a CSS selector: {query}") from None
        raise
    return {"query": query, "strategy": strategy, "count": found["count"], "elements": found["elements"]}


class EvaluationResult(TypedDict):
    """The value of an expression. `verified` is False, because the value is not compared with anything."""

    result: Any
    verified: bool


@tool(
    "ui",
    f"Run raw JavaScript on the page. Off unless a person set {EVALUATE_VARIABLE}=1.",
    changes=True,
    destroys=True,
    untrusted=("result",),
    prices=True,
)
def ui_evaluate(
    at: ToolContext, expression: Annotated[str, TextArgument("JavaScript", longest=100000)]
) -> EvaluationResult:
    """Evaluate an expression on the page and return its value; a promise is awaited."""
    if not at.chart_browser.allow_evaluate:
        raise ToolRefused(
            "raw JavaScript on the page is off: it can read and do everything there",
            f"a person can allow it by starting pinebench with {EVALUATE_VARIABLE}=1",
        )
    value = at.connection.evaluate(expression, await_promise=True, timeout=20, context=at.context)
    return {"result": value, "verified": False}
