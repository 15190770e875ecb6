"""Bar replay: begin in the past, step bar by bar, and trade for practice. Its toolbar is never hidden."""

from __future__ import annotations

from typing import Annotated, TypedDict

from pinebench.calendars.dates import iso_text
from pinebench.errors import UsageError
from pinebench.tools.arguments import ChoiceArgument, Flag, IntegerArgument, TextArgument
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import tool
from pinebench.tools.timing import moment
from pinebench.tools.tool_calls import ToolRefused
from pinebench.tradingview import page_results

DELAYS = (100, 143, 200, 300, 1000, 2000, 3000, 5000, 10000)
"""The pauses between two bars that TradingView offers, in milliseconds.

Any other pause breaks an account's replay once the account has stored it.
"""


BEGIN_MS = 8_000
"""The longest wait in milliseconds for a replay to begin."""


class Status(TypedDict):
    """The state of replay. `autoplay_delay` is the pause between bars in milliseconds."""

    is_replay_available: bool
    is_replay_started: bool
    is_autoplay_started: bool
    replay_mode: str | None
    current_date: str | None
    autoplay_delay: float | None
    position: float | None
    realized_pnl: float | None


@tool("replay", "Read whether replay runs, where it is, and the practice position.", prices=True)
def replay_status(at: ToolContext) -> Status:
    """Return the state of the replay."""
    found: page_results.ReplayState = at.read("replay_state")
    return {
        "is_replay_available": found["available"],
        "is_replay_started": found["started"],
        "is_autoplay_started": found["autoplay"],
        "replay_mode": found["mode"],
        "current_date": _date(found),
        "autoplay_delay": found["delay"],
        "position": found["position"],
        "realized_pnl": found["realized"],
    }


def _date(state: page_results.ReplayState) -> str | None:
    """Return the time of a replay in ISO 8601, UTC."""
    if state["date"] is None:
        return None
    return iso_text(state["date"])


class ReplayStart(TypedDict):
    """A replay that has begun."""

    replay_started: bool
    date: str | None
    current_date: str | None
    verified: bool


@tool(
    "replay",
    "Begin a replay at a date, or at the first available bar.",
    changes=True,
    proof="the date of the replay, read back",
)
def replay_start(
    at: ToolContext, date: Annotated[str | None, TextArgument("ISO 8601, UTC", 40, example="2024-01-31")] = None
) -> ReplayStart:
    """Begin a replay at `date`, or at the first available bar, and wait until it has begun. Raises ToolRefused if
    replay is not available, or does not begin at that bar."""
    wanted = None if date is None else moment("date", date) * 1000
    found: page_results.ReplayBegun = at.act("replay_start", {"date": wanted, "limit": BEGIN_MS}, timeout=30)
    if not found["available"]:
        raise ToolRefused("replay is not available on this chart", "choose another symbol or timeframe")
    if found["late"] is not None:
        newest = iso_text(1000 * found["late"])
        raise ToolRefused(f"the chart has no bars at {date}: the newest one is from {newest}", "choose an earlier date")
    if not found["began"]:
        stays = f"the running replay is still at {_date(found)}" if found["started"] else "pinebench stopped it"
        raise ToolRefused(f"the replay did not start{f' at {date}' if date else ''}; {stays}", "choose a later date")
    return {"replay_started": True, "date": date, "current_date": _date(found), "verified": found["near"]}


class ReplayStep(TypedDict):
    """The result of a step: the number of bars by which the replay advanced, and its date."""

    action: str
    bars: int
    current_date: str | None
    verified: bool


@tool(
    "replay", "Advance by one or more bars.", changes=True, prices=True, proof="the date of the replay after each bar"
)
def replay_step(
    at: ToolContext, bars: Annotated[int, IntegerArgument("how many bars", least=1, most=100)] = 1
) -> ReplayStep:
    """Advance the replay, and verify after each bar that the date moved."""
    _running(at)
    found: page_results.ReplaySteps = at.act("replay_step", {"bars": bars, "limit": 4000}, timeout=bars * 4 + 10)
    if found["done"] < bars:
        raise ToolRefused(
            f"replay moved only {found['done']} of {bars} bars, to {_date(found)}",
            "replay may have reached the newest bar",
            bars=found["done"],
        )
    return {"action": "step", "bars": found["done"], "current_date": _date(found), "verified": found["done"] == bars}


class Autoplay(TypedDict):
    """Whether replay advances automatically."""

    autoplay_active: bool
    delay_ms: float | None
    verified: bool


@tool(
    "replay",
    f"Play or pause; speed is one of {', '.join(map(str, DELAYS))} ms a bar.",
    changes=True,
    proof="the state of the replay, read back",
)
def replay_autoplay(
    at: ToolContext,
    speed: Annotated[int, IntegerArgument("milliseconds a bar", least=1)] | None = None,
    active: Annotated[bool | None, Flag("play or pause (default: switch between both)")] = None,
) -> Autoplay:
    """Set the time between bars, then play or pause."""
    if speed is not None and speed not in DELAYS:
        raise UsageError(
            f"speed must be one of {', '.join(map(str, DELAYS))}, got: {speed}",
            "TradingView would store any other value in the account, which breaks replay",
        )
    state = _running(at)
    if speed is not None and state["delay"] != speed:
        at.act("replay_do", {"action": "delay", "delay": speed, "limit": 3000})
    if active is None or active != state["autoplay"]:
        at.act("replay_do", {"action": "autoplay", "delay": 0, "limit": 3000})
    after: page_results.ReplayState = at.read("replay_state")
    wanted = not state["autoplay"] if active is None else active
    agrees = after["autoplay"] == wanted and speed in (None, after["delay"])
    if not agrees:
        raise ToolRefused(
            f"replay {'plays' if after['autoplay'] else 'is paused'} with {after['delay']} ms, not as requested",
            "look at its toolbar",
        )
    return {"autoplay_active": after["autoplay"], "delay_ms": after["delay"], "verified": agrees}


class ReplayPosition(TypedDict):
    """The practice position after a trade."""

    action: str
    position: float | None
    realized_pnl: float | None
    verified: bool


@tool(
    "replay",
    "Trade for practice in a replay; needs confirm: true.",
    changes=True,
    destroys=True,
    prices=True,
    proof="the position before and after",
)
def replay_trade(
    at: ToolContext,
    action: Annotated[str, ChoiceArgument(("buy", "sell", "close"), "close ends the position")],
    confirm: Annotated[bool, Flag("yes, trade")] = False,
) -> ReplayPosition:
    """Buy, sell, or close the position, and verify that the position changed. Raises ToolRefused if it did not, if
    there is nothing to close, or if `confirm` is not set."""
    state = _running(at)
    if not confirm:
        raise ToolRefused(f"the position {state['position']} would be changed", "call again with confirm: true")
    if action == "close" and state["position"] == 0:
        raise ToolRefused("there is no position to close", "replay_status shows the position")
    done: page_results.ReplayChange = at.act("replay_do", {"action": action, "delay": 0, "limit": 3000})
    before, after = done["before"]["position"], done["after"]
    if not _is_traded(action, before, after["position"]):
        raise ToolRefused(
            f"the position was {before} and is now {after['position']}, which is not the expected result of '{action}'",
            "look at replay in the browser" if after["started"] else "the replay has ended",
        )
    return {
        "action": action,
        "position": after["position"],
        "realized_pnl": after["realized"],
        "verified": _is_traded(action, before, after["position"]),
    }


def _is_traded(action: str, before: float | None, after: float | None) -> bool:
    """Return whether the position changed in the direction of the action."""
    if after is None:
        return False
    if action == "close":
        return after == 0
    return after > (before or 0) if action == "buy" else after < (before or 0)


class ReplayEnd(TypedDict):
    """The result of stopping a replay. `action` tells whether it was stopped now or had already been stopped."""

    action: str
    verified: bool


@tool(
    "replay",
    "Stop the replay; the chart shows all bars again.",
    changes=True,
    proof="the state of the replay, read back",
)
def replay_stop(at: ToolContext) -> ReplayEnd:
    """End the replay, and verify that it has ended. Raises ToolRefused if it still runs."""
    state: page_results.ReplayState = at.read("replay_state")
    if not state["started"]:
        return {"action": "already_stopped", "verified": not state["started"]}
    done: page_results.ReplayChange = at.act("replay_do", {"action": "stop", "delay": 0, "limit": 5000})
    if done["after"]["started"]:
        raise ToolRefused("replay still runs", "stop it in the browser")
    return {"action": "replay_stopped", "verified": not done["after"]["started"]}


def _running(at: ToolContext) -> page_results.ReplayState:
    state: page_results.ReplayState = at.read("replay_state")
    if not state["started"]:
        raise ToolRefused("no replay is running", "replay_start begins one")
    return state
