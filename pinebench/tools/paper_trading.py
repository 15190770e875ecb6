"""The tools of the trading engine: alerts that it watches, its notifications, and a paper account."""

from __future__ import annotations

import json
from itertools import accumulate
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypedDict

from pinebench.errors import UnavailableError, UsageError
from pinebench.tools.arguments import (
    ChoiceArgument,
    Fields,
    Flag,
    IntegerArgument,
    ListArgument,
    Number,
    TextArgument,
    ValuesArgument,
)
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import Needs, tool
from pinebench.tools.tool_calls import ToolRefused

if TYPE_CHECKING:
    from pinebench.engine import TradingEngine

_SYMBOL = TextArgument("a symbol that the engine follows", 40, example="BTCUSDT")
_ID = TextArgument("an id from the other tools", 80)
_SETTINGS = ValuesArgument("settings of the indicator", empty=True)
_NAME = TextArgument("an indicator from list_indicators", 60, example="rsi")
_OF_INDICATOR = {"indicator": _NAME, "settings": _SETTINGS}
CONDITION = Fields(
    {
        "price_above": Number("the close is at or above this price"),
        "price_below": Number("the close is at or below this price"),
        "indicator_signal": Fields(
            {**_OF_INDICATOR, "signal": TextArgument("the label of one of its signals", 60, example="flip_up")},
            optional=frozenset(["settings"]),
        ),
        "crossing": Fields(
            {"level": Number(), "direction": ChoiceArgument(("up", "down", "any"))}, optional=frozenset(["direction"])
        ),
        "percent": Fields(
            {"change": Number("in percent; negative for a fall"), "bars": IntegerArgument(least=1, most=500)},
            optional=frozenset(["bars"]),
        ),
        "indicator_value": Fields(
            {**_OF_INDICATOR, "line": TextArgument("a line", 200), "above": Number(), "below": Number()},
            optional=frozenset(["settings", "line", "above", "below"]),
        ),
        "pine": TextArgument("a Pine expression of type bool", 2_000, example="ta.rsi(close, 14) > 70"),
        "script": Fields(
            {
                "pine": TextArgument("the source of an indicator with alert() or alertcondition()", 200_000),
                "inputs": ValuesArgument("values of its inputs", empty=True),
                "title": TextArgument("only the alertcondition with this title", 200),
            },
            optional=frozenset(["inputs", "title"]),
        ),
    },
    "exactly one of the keys",
    frozenset(
        ["price_above", "price_below", "indicator_signal", "crossing", "percent", "indicator_value", "pine", "script"]
    ),
)
_WEBHOOK = Fields(
    {
        "url": TextArgument("an HTTP or HTTPS address", 2_000),
        "secret": TextArgument("key that signs the deliveries; 16 characters or more", 200),
    },
    "where to send the alert by HTTP",
)
_LEAST_SECRET = 16


def _engine(at: ToolContext) -> TradingEngine:
    """Return the engine that runs in this process. Raises UnavailableError if none does."""
    engine: TradingEngine | None = at.context.engine
    if engine is None:
        raise UnavailableError(
            "Trading engine not running", "a person starts it with pinebench mcp --trade SYMBOL, for example BTCUSDT"
        )
    if engine.problem is not None:
        raise UnavailableError(f"the trading engine has ended: {engine.problem}", "a person must start it again")
    return engine


def _fitting(rows: list[dict[str, Any]]) -> Any:
    """Return the first of `rows` that fit into one answer, at least one. A longer answer would be cut, which a bare
    list does not show; the other rows come on the next page."""
    from pinebench.engine import LARGEST_ANSWER

    room = accumulate(len(json.dumps(row, ensure_ascii=False)) for row in rows)
    return [row for at, (row, used) in enumerate(zip(rows, room, strict=True)) if not at or used <= LARGEST_ANSWER]


def _newest(rows: list[dict[str, Any]]) -> Any:
    """Return the newest of `rows`, which are the last ones, as far as they fit into one answer."""
    return _fitting(rows[::-1])[::-1]


def _user(at: ToolContext) -> str:
    """Return the user of this call; the owner if nobody logged in."""
    return at.context.subject or "owner"


# paper orders


class AcceptedOrder(TypedDict):
    """A paper order that was accepted."""

    order_id: str
    status: str


class PaperOrder(TypedDict):
    """A paper order; `type` is market, limit@PRICE or stop@PRICE."""

    id: str
    symbol: str
    side: str
    type: str
    quantity: float
    state: str
    fill_price: NotRequired[float]
    fee: NotRequired[float]
    take_profit: NotRequired[float]
    stop_loss: NotRequired[float]
    reduce_only: NotRequired[bool]
    reason: NotRequired[str]


class PaperOrders(TypedDict):
    """Paper orders, the oldest first."""

    orders: list[PaperOrder]


class PaperPosition(TypedDict):
    """An open paper position; `price_age` is the age of `current_price` in seconds."""

    symbol: str
    side: str
    quantity: float
    entry_price: float
    current_price: float | None
    unrealized_pnl: float | None
    price_at: NotRequired[str]
    price_age: NotRequired[float]


class PaperPositions(TypedDict):
    """The open paper positions."""

    positions: list[PaperPosition]


class FollowedSymbol(TypedDict):
    """A symbol that the engine follows; `price_age` is the age of its price in seconds."""

    symbol: str
    intervals: list[str]
    price: float | None
    price_at: NotRequired[str]
    price_age: NotRequired[float]


class Balance(TypedDict):
    """The paper account in the currency of its prices. `available` is the money that is not needed as margin. `halted`
    is the reason why no orders are accepted; it is missing while orders are accepted."""

    initial_capital: float
    balance: float
    equity: float
    available: float
    realized_pnl: float
    unrealized_pnl: float
    fees: float
    paper: bool
    halted: NotRequired[str]
    followed: list[FollowedSymbol]


class Confirmation(TypedDict):
    """The reply to a request; `ok` is True if the request was carried out."""

    ok: bool


@tool(
    "trading",
    "Place a paper order: market, limit or stop, with take_profit and stop_loss if wanted. No real money is used.",
    needs=Needs.NOTHING,
    changes=True,
    destroys=True,
)
def place_order(
    at: ToolContext,
    symbol: Annotated[str, _SYMBOL],
    side: Annotated[str, ChoiceArgument(("buy", "sell"), "buy or sell")],
    quantity: Annotated[float, Number("how much, greater than 0", least=0)],
    type: Annotated[str, ChoiceArgument(("market", "limit", "stop"), "how it is filled")] = "market",
    price: Annotated[float | None, Number("the price of a limit or stop order", least=0)] = None,
    take_profit: Annotated[float | None, Number("close the position at this price or a better one", least=0)] = None,
    stop_loss: Annotated[float | None, Number("close the position at this price or a worse one", least=0)] = None,
    reduce_only: Annotated[bool, Flag("only make a position smaller")] = False,
    client_order_id: Annotated[
        str | None, TextArgument("your id: the order is accepted only once, however often it is sent", 80)
    ] = None,
) -> AcceptedOrder:
    """Place an order. It is filled at the next price that meets its conditions."""
    engine, user = _engine(at), _user(at)
    id = engine.place_order(
        user,
        symbol,
        side,
        quantity,
        type,
        price,
        take_profit=take_profit,
        stop_loss=stop_loss,
        client_id=client_order_id,
        reduces=reduce_only,
    )
    return {"order_id": id, "status": "Pending" if client_order_id is None else engine.order_state(user, id)}


class TradingHalt(TypedDict):
    """The result of halting trading. `halted` is True if no orders are accepted; `ended` is the number of cancelled
    orders."""

    halted: bool
    ended: int


@tool(
    "trading",
    "The kill switch of paper trading: cancel every open order and accept no new ones; or resume trading.",
    needs=Needs.NOTHING,
    changes=True,
    destroys=True,
)
def halt_trading(
    at: ToolContext,
    on: Annotated[bool, Flag("false: resume trading")] = True,
    reason: Annotated[str, TextArgument("why", 200)] = "stopped by the owner",
) -> TradingHalt:
    """Stop all paper trading of this engine, or let it continue."""
    engine = _engine(at)
    if _user(at) != "owner":
        raise ToolRefused("only the owner of the engine can stop trading", "cancel_order cancels your own orders")
    if not on:
        engine.paper.resume()
        return {"halted": False, "ended": 0}
    return {"halted": True, "ended": engine.paper.halt(reason)}


@tool("trading", "Cancel an open paper order.", needs=Needs.NOTHING, changes=True, destroys=True)
def cancel_order(at: ToolContext, order_id: Annotated[str, _ID]) -> Confirmation:
    """Cancel an order that is not filled yet."""
    _engine(at).paper.cancel(_user(at), order_id)
    return {"ok": True}


@tool("trading", "List your paper orders and their states.", needs=Needs.NOTHING, bare="orders")
def get_orders(
    at: ToolContext,
    filter: Annotated[str, ChoiceArgument(("open", "all"), "only open ones, or all")] = "all",
    limit: Annotated[int, IntegerArgument("the newest ones, at most", 1, 1_000)] = 200,
    before: Annotated[str | None, TextArgument("an id: only entries older than it", 80)] = None,
) -> PaperOrders:
    """Return the newest orders before the order `before`, from oldest to newest."""
    found = _engine(at).orders(_user(at), only_open=filter == "open", most=limit, before=before)
    return {"orders": _newest(found)}


@tool(
    "trading",
    "List your open paper positions with their open profit.",
    needs=Needs.NOTHING,
    prices=True,
    bare="positions",
)
def get_positions(at: ToolContext) -> PaperPositions:
    """Return the positions, by symbol."""
    at.prices = "exchange"
    found: Any = _engine(at).positions(_user(at))
    return {"positions": found}


@tool(
    "trading", "Your paper account: balance, equity, realized and open profit, fees.", needs=Needs.NOTHING, prices=True
)
def get_balance(at: ToolContext) -> Balance:
    """Return the account at the newest prices."""
    at.prices = "exchange"
    found: Any = _engine(at).balance(_user(at))
    return found


# alerts


class AlertSet(TypedDict):
    """A new alert, with notes about its script."""

    alert_id: str
    notes: NotRequired[list[str]]


class PendingAlert(TypedDict):
    """An alert that waits for its condition."""

    id: str
    symbol: str
    condition: dict[str, Any]
    created_at: str
    interval: str
    frequency: str
    rearm: NotRequired[bool]
    armed: NotRequired[bool]
    expires_at: NotRequired[str]
    message: NotRequired[str]
    webhook: NotRequired[str]
    notify: NotRequired[list[str]]
    notes: NotRequired[list[str]]


class PendingAlertList(TypedDict):
    """The alerts, the oldest first."""

    alerts: list[PendingAlert]


class Notification(TypedDict):
    """A fired alert. `triggered_at` is the end of the bar on which it fired. If an alert has ended because its script
    stopped, `condition` has the key alert_ended, and `message` has the reason."""

    alert_id: str
    symbol: str
    condition: dict[str, Any]
    triggered_at: str
    value: float | None
    message: NotRequired[str]
    notes: NotRequired[list[str]]
    id: NotRequired[str]
    interval: NotRequired[str]
    bar_time: NotRequired[str]


class Notifications(TypedDict):
    """The alerts that fired since the last call, the oldest first. With `history`, the alerts that fired in the last
    three months, the newest first, with ids."""

    notifications: list[Notification]


@tool("trading", "Set an alert that is tested on each closed bar of a symbol.", needs=Needs.NOTHING, changes=True)
def set_alert(
    at: ToolContext,
    symbol: Annotated[str, _SYMBOL],
    condition: Annotated[dict[str, Any], CONDITION],
    interval: Annotated[
        str | None, TextArgument("an interval that the engine follows; without it, the shortest", 10)
    ] = None,
    frequency: Annotated[
        Literal["once", "once_per_bar", "all"],
        ChoiceArgument(("once", "once_per_bar", "all"), "only once, once per bar, or every alert of a script"),
    ] = "once",
    rearm: Annotated[bool, Flag("fire again after the condition was false in between")] = False,
    expires_at: Annotated[str | None, TextArgument("when it ends", 40, example="2027-01-31T09:30:00Z")] = None,
    message: Annotated[
        str | None, TextArgument("a message with {{ticker}}, {{interval}}, {{close}}, {{time}}", 4_000)
    ] = None,
    webhook: Annotated[dict[str, str] | None, _WEBHOOK] = None,
    notify: Annotated[
        list[str] | None, ListArgument(TextArgument("a name", 60), "notifiers that the owner named", most=10)
    ] = None,
) -> AlertSet:
    """Set an alert that fires on bars that close from now on."""
    engine = _engine(at)
    if webhook is not None and len(webhook["secret"]) < _LEAST_SECRET:
        raise ToolRefused(f"webhook.secret must have {_LEAST_SECRET} characters or more")
    id = engine.set_alert(
        _user(at),
        symbol,
        condition,
        interval=interval,
        frequency=frequency,
        rearm=rearm,
        expires_at=expires_at,
        message=message or "",
        webhook=webhook,
        notify=notify,
    )
    told: AlertSet = {"alert_id": id}
    notes = next((each.get("notes") for each in engine.alerts.listing(_user(at)) if each["id"] == id), None)
    if notes:
        told["notes"] = notes
    return told


@tool(
    "trading",
    "List your alerts that wait for their condition.",
    needs=Needs.NOTHING,
    untrusted=("alerts",),
    bare="alerts",
)
def list_alerts(
    at: ToolContext,
    limit: Annotated[int, IntegerArgument("the newest ones, at most", 1, 1_000)] = 200,
    before: Annotated[str | None, TextArgument("an id: only entries older than it", 80)] = None,
) -> PendingAlertList:
    """Return the newest alerts before the alert `before`, from oldest to newest."""
    return {"alerts": _newest(_engine(at).alerts.listing(_user(at), limit, before))}


@tool("trading", "Cancel an alert.", needs=Needs.NOTHING, changes=True, destroys=True)
def cancel_alert(at: ToolContext, alert_id: Annotated[str, _ID]) -> Confirmation:
    """Cancel an alert that has not fired yet."""
    _engine(at).alerts.cancel(_user(at), alert_id)
    return {"ok": True}


@tool(
    "trading",
    "Remove your fired alerts from the queue, which keeps them for one hour, and return them.",
    needs=Needs.NOTHING,
    changes=True,
    untrusted=("notifications",),
    bare="notifications",
)
def get_notifications(
    at: ToolContext,
    history: Annotated[bool, Flag("the last three months, newest first; the queue does not change")] = False,
    limit: Annotated[int, IntegerArgument("at most; call again for more", 1, 1_000)] = 200,
    before: Annotated[str | None, TextArgument("an id: only entries older than it", 120)] = None,
) -> Notifications:
    """Remove the oldest fired alerts from the queue and return them. With `history`, return the newest fired alerts,
    and leave the queue unchanged."""
    engine, user = _engine(at), _user(at)
    if before is not None and not history:
        raise UsageError("before works only with history", "give history: true, or leave before out")
    if not history:
        taken: Any = engine.notifications(user, limit)
        return {"notifications": taken}
    return {"notifications": _fitting(engine.alerts.history(user, limit, before))}


# streams


class SubscriptionReply(TypedDict):
    """The filters of a subscription; null means all."""

    status: str
    symbols: list[str] | None
    alert_types: list[str] | None


class SubscriptionEnd(TypedDict):
    """Whether there was a subscription to end."""

    status: str


class Subscription(TypedDict):
    """The subscription: its filters, the number of waiting notifications, and whether a stream is open."""

    subscribed: bool
    symbols: NotRequired[list[str] | None]
    alert_types: NotRequired[list[str] | None]
    offline_queue_size: NotRequired[int]
    connected: NotRequired[bool]


_TYPES = ("price_above", "price_below", "indicator_signal", "crossing", "percent", "indicator_value", "pine", "script")


def _subscriber(at: ToolContext) -> str:
    if at.context.subject is None:
        raise ToolRefused(
            "No authentication token: notifications are pushed to users who log in", "get_notifications gives them"
        )
    return at.context.subject


@tool("trading", "Have your alerts pushed to your stream when they fire.", needs=Needs.NOTHING, changes=True)
def subscribe_notifications(
    at: ToolContext,
    symbols: Annotated[list[str] | None, ListArgument(_SYMBOL, "only these symbols", least=0, most=500)] = None,
    alert_types: Annotated[
        list[str] | None, ListArgument(ChoiceArgument(_TYPES), "only these types of conditions", least=0, most=20)
    ] = None,
) -> SubscriptionReply:
    """Subscribe, or replace the filters of the subscription."""
    found: Any = _engine(at).pushing.subscribe(_subscriber(at), symbols, alert_types)
    return found


@tool("trading", "End the subscription, and drop the waiting notifications.", needs=Needs.NOTHING, changes=True)
def unsubscribe_notifications(at: ToolContext) -> SubscriptionEnd:
    """End the subscription."""
    found: Any = _engine(at).pushing.unsubscribe(_subscriber(at))
    return found


@tool(
    "trading", "Say whether your alerts are pushed to you, with which filters, and how many wait.", needs=Needs.NOTHING
)
def list_subscriptions(at: ToolContext) -> Subscription:
    """Return whether the user is subscribed to notifications."""
    found: Any = _engine(at).pushing.listing(_subscriber(at))
    return found
