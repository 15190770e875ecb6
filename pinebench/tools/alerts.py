"""Alerts on prices, by TradingView's alert service with the page's log-in."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, TypedDict, cast

from pinebench.errors import UsageError
from pinebench.tools.arguments import Choice, Flag, Number, Several, Text, Whole
from pinebench.tools.calling import Refused
from pinebench.tools.desk import Call
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

_CONDITION = Choice(tuple(CONDITIONS))
_MESSAGE = Text(longest=4_000, empty=True)
_ID = Whole("from alert_list", 0)
_PRICE = Number(least=-1e12, most=1e12)


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


@tool("alerts", "List the alerts.", outside=True, untrusted=("alerts",))
def alert_list(at: Call) -> Alerts:
    """Ask the alert service for all alerts."""
    found = _alerts(at)
    return {"alert_count": len(found), "source": "internal_api", "alerts": found}


class Made(TypedDict):
    """An alert, read back from the service."""

    alert_id: int
    symbol: str
    condition: str
    price: float | None
    message: str
    active: bool
    source: str
    verified: bool


@tool("alerts", "Create an alert on a price of the chart's symbol, or of another one.", changes=True, outside=True)
def alert_create(
    at: Call,
    condition: Annotated[str, _CONDITION],
    price: Annotated[float, _PRICE],
    message: Annotated[str, _MESSAGE] = "",
    symbol: Annotated[str | None, SYMBOL] = None,
    days: Annotated[int, Whole("until it ends", 1, 88)] = DAYS,
) -> Made:
    """Create an alert, and read it back."""
    chart = at.read("chart_summary")
    wanted = symbol or str(chart["symbol"])
    return _made(at, wanted, str(chart["resolution"]), CONDITIONS[condition], price, message, days, active=True)


@tool("alerts", "Change an alert's condition, price or message; it gets a new id.", changes=True, outside=True)
def alert_edit(
    at: Call,
    alert_id: Annotated[int, _ID],
    condition: Annotated[str | None, _CONDITION] = None,
    price: Annotated[float, _PRICE] | None = None,
    message: Annotated[str | None, _MESSAGE] = None,
) -> Made:
    """Make the changed alert first, and delete the old one once the new one is there."""
    if condition is None and price is None and message is None:
        raise UsageError("nothing is to be changed", "give condition, price or message")
    old = _alert(at, alert_id)
    value = old["price"] if price is None else price
    kind = old["condition"] if condition is None else CONDITIONS[condition]
    return _replaced(at, old, kind, value, old["message"] if message is None else message, old["active"])


@tool("alerts", "Switch an alert on or off; it gets a new id.", changes=True, outside=True)
def alert_toggle(at: Call, alert_id: Annotated[int, _ID], active: Annotated[bool, Flag()]) -> Made:
    """Make the alert anew in the other state, and delete the old one once the new one is there."""
    old = _alert(at, alert_id)
    if old["active"] == active:
        return _told(old)
    return _replaced(at, old, old["condition"], old["price"], old["message"], active)


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
    at: Call,
    alert_id: Annotated[int, _ID] | None = None,
    alert_ids: Annotated[list[int] | None, Several(_ID, most=200)] = None,
    delete_all: Annotated[bool, Flag()] = False,
    confirm: Annotated[bool, Flag("needed for more than one")] = False,
) -> Deleted:
    """Delete, and see that they are gone."""
    wanted = [*(alert_ids or []), *([alert_id] if alert_id is not None else [])]
    if bool(wanted) == delete_all:
        raise UsageError("say which: alert_id, alert_ids, or delete_all", "alert_list lists them")
    known = [each["alert_id"] for each in _alerts(at)]
    chosen = known if delete_all else wanted
    missing = [each for each in chosen if each not in known]
    if missing:
        raise Refused(f"there is no alert {missing[0]}", f"there are: {', '.join(map(str, known[:50])) or 'none'}")
    if (delete_all or len(chosen) > 1) and not confirm:
        raise Refused(f"{len(chosen)} alerts would be gone for good", "say confirm: true")
    if chosen:
        _service(at, "/delete_alerts", {"alert_ids": chosen}, "delete alerts")
    left = [each["alert_id"] for each in _alerts(at)]
    stayed = [each for each in chosen if each in left]
    if stayed:
        raise Refused(f"alert {stayed[0]} is still there", "delete it in the browser")
    return {"deleted": chosen, "remaining": len(left), "source": "internal_api", "verified": True}


def _replaced(at: Call, old: Alert, condition: str, price: float | None, message: str, active: bool) -> Made:
    if price is None:
        raise Refused(f"alert {old['alert_id']} has no price", "alerts on other conditions are changed in the browser")
    made = _made(at, old["symbol"], old["resolution"], condition, price, message, _days_left(old), active=active)
    _service(at, "/delete_alerts", {"alert_ids": [old["alert_id"]]}, "delete the old alert")
    if any(each["alert_id"] == old["alert_id"] for each in _alerts(at)):
        raise Refused(f"the old alert {old['alert_id']} is still there, beside the new one {made['alert_id']}")
    return made


def _made(
    at: Call,
    symbol: str,
    resolution: str,
    condition: str,
    price: float,
    message: str,
    days: int,
    *,
    active: bool,
) -> Made:
    """Create an alert and read it back; one that is not as it was asked for is deleted again."""
    before = {each["alert_id"] for each in _alerts(at)}
    series: list[dict[str, Any]] = [{"type": "barset"}, {"type": "value", "value": price}]
    payload = {
        "conditions": [{"type": condition, "frequency": "on_first_fire", "series": series, "resolution": resolution}],
        "symbol": "=" + json.dumps({"symbol": symbol, "adjustment": "splits"}),
        "resolution": resolution,
        "message": message,
        "expiration": (datetime.now(UTC) + timedelta(days=days)).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "active": active,
    }
    _service(at, "/create_alert", payload, "create the alert")
    fresh = [each for each in _alerts(at) if each["alert_id"] not in before]
    if not fresh:
        raise Refused("the alert service took the alert but does not list it", "look at the alerts in the browser")
    made = max(fresh, key=lambda each: each["alert_id"])
    if (made["condition"], made["price"], made["active"]) != (condition, price, active):
        _service(at, "/delete_alerts", {"alert_ids": [made["alert_id"]]}, "delete the alert")
        raise Refused(
            f"the alert service made another alert than was asked for ({made['condition']} {made['price']}, "
            f"{'active' if made['active'] else 'stopped'}); it was deleted again",
            "create it in the browser",
        )
    return _told(made)


def _told(alert: Alert) -> Made:
    return {
        "alert_id": alert["alert_id"],
        "symbol": alert["symbol"],
        "condition": alert["condition"],
        "price": alert["price"],
        "message": alert["message"],
        "active": alert["active"],
        "source": "internal_api",
        "verified": True,
    }


def _alert(at: Call, alert_id: int) -> Alert:
    found = _alerts(at)
    for each in found:
        if each["alert_id"] == alert_id:
            return each
    known = ", ".join(str(each["alert_id"]) for each in found[:50]) or "none"
    raise Refused(f"there is no alert {alert_id}", f"there are: {known}")


def _days_left(alert: Alert) -> int:
    try:
        end = datetime.fromisoformat(str(alert["expiration"]))
    except ValueError:
        return DAYS
    left = (end if end.tzinfo else end.replace(tzinfo=UTC)) - datetime.now(UTC)
    return min(88, max(1, round(left.total_seconds() / 86_400)))


def _alerts(at: Call) -> list[Alert]:
    rows: Any = _service(at, "/list_alerts", None, "list the alerts")
    if not isinstance(rows, list):
        raise Refused("the alert service's list has an unexpected shape", "look at the alerts in the browser")
    return [_entry(row) for row in cast("list[dict[str, Any]]", rows)]


def _entry(row: dict[str, Any]) -> Alert:
    conditions: list[Any] = row.get("conditions") or [row.get("condition") or {}]
    condition = _object(conditions[0]) or {"type": conditions[0]}
    series: list[Any] = condition.get("series") or []
    prices = [value for value in (_object(each).get("value") for each in series) if isinstance(value, int | float)]
    return {
        "alert_id": int(row.get("alert_id") or row.get("id") or 0),
        "symbol": symbol_in(str(row.get("symbol") or "")),
        "type": str(row.get("type") or ""),
        "condition": str(condition.get("type") or ""),
        "price": prices[0] if prices else None,
        "message": str(row.get("message") or "")[:500],
        "active": bool(row.get("active")),
        "resolution": str(row.get("resolution") or ""),
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


def _service(at: Call, path: str, payload: dict[str, Any] | None, what: str) -> Any:
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
