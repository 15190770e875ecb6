"""Alerts on prices, by TradingView's alert service with the page's log-in."""

from __future__ import annotations

import contextlib
import json
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, TypedDict, cast

from pinebench.errors import PinebenchError, UsageError
from pinebench.tools.arguments import Choice, Flag, Number, Several, Text, Whole
from pinebench.tools.calling import Refused
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import tool
from pinebench.tools.timing import SYMBOL

CONDITIONS = {
    "crossing": "cross",
    "crossing_up": "cross_up",
    "crossing_down": "cross_down",
    "greater_than": "greater",
    "less_than": "less",
}
"""Conditions by name, as the alert service calls them."""

DAYS = 60
"""Days after which an alert ends by itself; most plans allow no longer than 88."""

_CONDITION = Choice(tuple(CONDITIONS), "how the price meets the level")
_MESSAGE = Text("what the alert says", longest=4_000, empty=True)
_ID = Whole("from alert_list", 0)
_PRICE = Number("the price level", least=-1e12, most=1e12)
_LISTED = 500
"""Characters of a message that a list of alerts shows."""

_DELAYED = ("BATS", "CBOE", "CBOE_DLY")
"""Exchanges whose prices stand in for those of others, whose own cost more."""

_OWN = frozenset(
    {"alert_id", "id", "type", "condition", "conditions", "message", "active", "create_time", "last_fire_time"}
    | {"last_fire_bar_time", "last_error", "last_stop_reason"}
)
"""What the service says of an alert besides the settings that its owner gave it: made anew, it may differ."""

_Row = dict[str, Any]
"""An alert as the service lists it."""


class Alert(TypedDict):
    """An alert."""

    alert_id: int
    symbol: str
    type: str
    condition: str
    price: float | None
    message: str
    active: bool
    resolution: str
    created: str | None
    last_fired: str | None
    expiration: str | None


class Alerts(TypedDict):
    """All alerts of whoever is logged in."""

    alert_count: int
    source: str
    alerts: list[Alert]


@tool("alerts", "List the alerts.", outside=True, untrusted=("alerts",), prices=True)
def alert_list(at: ToolContext) -> Alerts:
    """Ask the alert service for all alerts."""
    found = [_entry(row) for row in _rows(at)]
    for each in found:
        each["message"] = each["message"][:_LISTED]
    return {"alert_count": len(found), "source": "internal_api", "alerts": found}


class Made(TypedDict):
    """An alert, read back from the service; `price_set` says that it has the price that was asked for."""

    alert_id: int
    symbol: str
    condition: str
    price: float | None
    price_set: bool
    message: str
    active: bool
    source: str
    verified: bool


@tool(
    "alerts",
    "Create an alert on a price of the chart's symbol, or of another one.",
    changes=True,
    outside=True,
    prices=True,
)
def alert_create(
    at: ToolContext,
    condition: Annotated[str, _CONDITION],
    price: Annotated[float, _PRICE],
    message: Annotated[str, _MESSAGE] = "",
    symbol: Annotated[str | None, SYMBOL] = None,
    days: Annotated[int, Whole("until it ends", 1, 88)] = DAYS,
) -> Made:
    """Create an alert, and read it back."""
    chart = at.read("chart_summary")
    wanted = symbol or str(chart["symbol"])
    end = datetime.now(UTC) + timedelta(days=days)
    payload = {
        "conditions": [_crossing(CONDITIONS[condition], price, str(chart["resolution"]))],
        "symbol": "=" + json.dumps({"symbol": wanted, "adjustment": "splits"}),
        "resolution": str(chart["resolution"]),
        "message": message,
        "expiration": end.isoformat(timespec="seconds").replace("+00:00", "Z"),
        "active": True,
    }
    made = _entry(_made(at, payload))
    _let_page_list(at, [made["alert_id"]], [])
    return _told(made)


@tool(
    "alerts",
    "Change the condition, price or message of an alert on a price; it gets a new id, all else of it stays.",
    changes=True,
    outside=True,
    prices=True,
)
def alert_edit(
    at: ToolContext,
    alert_id: Annotated[int, _ID],
    condition: Annotated[str | None, _CONDITION] = None,
    price: Annotated[float, _PRICE] | None = None,
    message: Annotated[str | None, _MESSAGE] = None,
) -> Made:
    """Make the changed alert first, and delete the old one once the new one is there."""
    if condition is None and price is None and message is None:
        raise UsageError("nothing is to be changed", "give condition, price or message")
    old = _remakable(_row(at, alert_id), alert_id)
    now = _entry(old)
    kind = now["condition"] if condition is None else CONDITIONS[condition]
    changed = {
        "conditions": [_crossing(kind, now["price"] if price is None else price, now["resolution"], _condition(old))],
        "message": now["message"] if message is None else message,
    }
    return _replaced(at, alert_id, {**_settings(old), **changed, "active": now["active"]})


@tool("alerts", "Switch an alert on or off; it gets a new id.", changes=True, outside=True, prices=True)
def alert_toggle(
    at: ToolContext, alert_id: Annotated[int, _ID], active: Annotated[bool, Flag("true switches it on")]
) -> Made:
    """Make the alert anew in the other state, and delete the old one once the new one is there."""
    row = _row(at, alert_id)
    now = _entry(row)
    if now["active"] == active:
        return _told(now)
    old = _remakable(row, alert_id)
    if active and _ended(now["expiration"]):
        raise Refused(f"alert {alert_id} has ended on {now['expiration']}", "create it again with alert_create")
    kept = {"conditions": [_condition(old)], "message": now["message"]}
    return _replaced(at, alert_id, {**_settings(old), **kept, "active": active})


class Deleted(TypedDict):
    """Which alerts are gone."""

    deleted: list[int]
    remaining: int
    source: str
    verified: bool


@tool(
    "alerts",
    "Delete alerts by id, or all of them with delete_all and confirm.",
    changes=True,
    destroys=True,
    outside=True,
)
def alert_delete(
    at: ToolContext,
    alert_id: Annotated[int, _ID] | None = None,
    alert_ids: Annotated[list[int] | None, Several(_ID, "which alerts", most=200)] = None,
    delete_all: Annotated[bool, Flag("all alerts instead")] = False,
    confirm: Annotated[bool, Flag("needed for more than one")] = False,
) -> Deleted:
    """Delete, and see that they are gone."""
    named = [*(alert_ids or []), *([alert_id] if alert_id is not None else [])]
    wanted = list(dict.fromkeys(named))
    if bool(wanted) == delete_all:
        raise UsageError("say which: alert_id, alert_ids, or delete_all", "alert_list lists them")
    known = [_entry(row)["alert_id"] for row in _rows(at)]
    chosen = known if delete_all else wanted
    missing = [each for each in chosen if each not in known]
    if missing:
        raise Refused(f"there is no alert {missing[0]}", f"there are: {', '.join(map(str, known[:50])) or 'none'}")
    if (delete_all or len(chosen) > 1) and not confirm:
        raise Refused(f"{len(chosen)} alerts would be gone for good", "say confirm: true")
    if chosen:
        _service(at, "/delete_alerts", {"alert_ids": chosen}, "delete alerts")
    left = [_entry(row)["alert_id"] for row in _rows(at)]
    stayed = [each for each in chosen if each in left]
    if stayed:
        raise Refused(f"alert {stayed[0]} is still there", "delete it in the browser")
    _let_page_list(at, [], chosen)
    return {"deleted": chosen, "remaining": len(left), "source": "internal_api", "verified": True}


def _crossing(kind: str, price: float | None, resolution: str, like: _Row | None = None) -> _Row:
    """The condition that the price does `kind` with `price`; all else, as how often it fires, stays as in `like`."""
    series = [{"type": "barset"}, {"type": "value", "value": price}]
    return {"frequency": "on_first_fire", "resolution": resolution, **(like or {}), "type": kind, "series": series}


def _remakable(row: _Row, alert_id: int) -> _Row:
    """`row`, if all of it can be said anew. Raises Refused for an alert on anything but one price."""
    condition = _condition(row)
    series = condition.get("series")
    on_price = isinstance(series, list) and [_object(each).get("type") for each in cast("list[Any]", series)] == [
        "barset",
        "value",
    ]
    several = isinstance(row.get("conditions"), list) and len(row["conditions"]) > 1
    if several or not on_price or condition.get("type") not in CONDITIONS.values():
        raise Refused(f"alert {alert_id} is not on a price alone", "change it in the browser")
    return row


def _settings(row: _Row) -> _Row:
    """What the owner of an alert chose beside its condition and message: when it ends, where it tells, its name."""
    return {key: value for key, value in row.items() if key not in _OWN and value is not None}


def _replaced(at: ToolContext, old: int, payload: _Row) -> Made:
    """Make an alert in the place of another one, which goes only once the new one is there with all it had."""
    row = _made(at, payload)
    made = _entry(row)
    lost = [key for key, value in payload.items() if key not in _OWN and row.get(key) != value]
    if lost:
        _delete(at, made["alert_id"])
        raise Refused(
            f"the alert service would not keep '{lost[0]}' of alert {old}; it stays as it was",
            "change it in the browser",
        )
    _delete(at, old)
    if any(_entry(each)["alert_id"] == old for each in _rows(at)):
        raise Refused(f"the old alert {old} is still there, beside the new one {made['alert_id']}")
    _let_page_list(at, [made["alert_id"]], [old])
    return _told(made)


def _made(at: ToolContext, payload: _Row) -> _Row:
    """Create an alert and read it back; one that is not as it was asked for is deleted again.

    Others may create alerts meanwhile, so ours is the one that the service names, or the one that is as asked for.
    """
    before = {_entry(row)["alert_id"] for row in _rows(at)}
    said = _object(_service(at, "/create_alert", payload, "create the alert"))
    fresh = {found["alert_id"]: row for row in _rows(at) if (found := _entry(row))["alert_id"] not in before}
    named = fresh.get(_entry(said)["alert_id"])
    if named is not None and not _as_asked(named, payload):
        made = _entry(named)
        _delete(at, made["alert_id"])
        raise Refused(
            f"the alert service made another alert than was asked for ({made['symbol']} {made['condition']} "
            f"{made['price']}, {'active' if made['active'] else 'stopped'}); it was deleted again",
            "create it in the browser",
        )
    like = [row for row in fresh.values() if _as_asked(row, payload)]
    if named is None and not like:
        raise Refused("the alert service took the alert but does not list it", "look at the alerts in the browser")
    return like[-1] if named is None else named


def _as_asked(row: _Row, payload: _Row) -> bool:
    """Whether an alert of the service's is what `payload` asks for."""
    made, asked = _entry(row), _entry(payload)
    if asked["message"] and made["message"].strip() != asked["message"].strip():
        return False  # without a message the service writes one of its own
    if not _same_symbol(asked["symbol"], made["symbol"]):
        return False
    return all(made[key] == asked[key] for key in ("condition", "price", "active"))


def _same_symbol(asked: str, made: str) -> bool:
    """Whether an alert is on the symbol that was asked for; the service may name the exchange of a bare ticker, and the
    one that delayed prices come from."""
    exchange, _, ticker = asked.upper().rpartition(":")
    found, _, other = made.upper().rpartition(":")
    return ticker == other and (not exchange or found in (exchange, *_DELAYED))


def _delete(at: ToolContext, alert_id: int) -> None:
    _service(at, "/delete_alerts", {"alert_ids": [alert_id]}, f"delete alert {alert_id}")


def _let_page_list(at: ToolContext, there: list[int], gone: list[int]) -> None:
    """Wait until the page lists the alerts as the service does, where it says what it lists; the service decides."""
    with contextlib.suppress(PinebenchError):  # what was done is done, whatever the page shows of it
        at.act("alerts_listed", {"there": there, "gone": gone, "limit": 2_000})


def _told(alert: Alert) -> Made:
    return {
        "alert_id": alert["alert_id"],
        "symbol": alert["symbol"],
        "condition": alert["condition"],
        "price": alert["price"],
        "price_set": alert["price"] is not None,
        "message": alert["message"],
        "active": alert["active"],
        "source": "internal_api",
        "verified": True,
    }


def _row(at: ToolContext, alert_id: int) -> _Row:
    """The alert as the service lists it. Raises Refused where there is none."""
    rows = {_entry(row)["alert_id"]: row for row in _rows(at)}
    if alert_id not in rows:
        known = ", ".join(map(str, list(rows)[:50])) or "none"
        raise Refused(f"there is no alert {alert_id}", f"there are: {known}")
    return rows[alert_id]


def _ended(expiration: str | None) -> bool:
    """Whether an alert's end has come; False where it cannot be read, which the service will then say."""
    try:
        end = datetime.fromisoformat(str(expiration))
    except ValueError:
        return False
    return (end if end.tzinfo else end.replace(tzinfo=UTC)) <= datetime.now(UTC)


def _rows(at: ToolContext) -> list[_Row]:
    rows: Any = _service(at, "/list_alerts", None, "list the alerts")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in cast("list[Any]", rows)):
        raise Refused("the alert service's list has an unexpected shape", "look at the alerts in the browser")
    return cast("list[_Row]", rows)


def _condition(row: _Row) -> _Row:
    """The first condition of an alert; older alerts have it by itself."""
    several: Any = row.get("conditions")
    conditions = cast("list[Any]", several) if isinstance(several, list) else []
    first = conditions[0] if conditions else row.get("condition")
    return _object(first) or {"type": str(first or "")}


def _entry(row: _Row) -> Alert:
    condition = _condition(row)
    series: Any = condition.get("series")
    values = [_object(each).get("value") for each in cast("list[Any]", series)] if isinstance(series, list) else []
    prices = [value for value in values if isinstance(value, int | float)]
    number = row.get("alert_id") or row.get("id")
    return {
        "alert_id": number if isinstance(number, int) else 0,
        "symbol": symbol_in(str(row.get("symbol") or "")),
        "type": str(row.get("type") or ""),
        "condition": str(condition.get("type") or ""),
        "price": prices[0] if prices else None,
        "message": str(row.get("message") or ""),
        "active": bool(row.get("active")),
        "resolution": str(row.get("resolution") or condition.get("resolution") or ""),
        "created": row.get("create_time"),
        "last_fired": row.get("last_fire_time"),
        "expiration": row.get("expiration"),
    }


def symbol_in(text: str) -> str:
    """`NASDAQ:AAPL` from the symbol of an alert, which may be `=` and JSON."""
    if not text.startswith("="):
        return text
    try:
        found: Any = json.loads(text[1:])
    except ValueError:
        return text
    return str(_object(found).get("symbol", text))


def _object(value: Any) -> dict[str, Any]:
    """`value` if it is a JSON object, else an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _service(at: ToolContext, path: str, payload: dict[str, Any] | None, what: str) -> Any:
    """What the alert service answers. Raises ServiceError, and Refused with its words where it says no."""
    from pinebench.tradingview.saved import service_data

    answer = at.act("alert_request", {"path": path, "payload": payload, "limit": 10_000}, timeout=12)
    said = _object(answer["data"])
    if said.get("errmsg"):
        raise Refused(f"cannot {what}: {str(said['errmsg'])[:300]}", "look at the alerts in the browser")
    service_data(answer, what)
    if said.get("s") != "ok":
        raise Refused(f"cannot {what}: the alert service answered otherwise than expected")
    return said.get("r")
