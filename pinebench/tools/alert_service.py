"""The alert service behind TradingView's page: lists alerts, and creates alerts and reads them back."""

from __future__ import annotations

import contextlib
import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any, TypedDict, cast

from pinebench.errors import PinebenchError, UnavailableError
from pinebench.near import hint_of_names
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.tool_calls import ToolRefused

_DELAYED = ("BATS", "CBOE", "CBOE_DLY")
"""Exchanges whose delayed prices the service may use in place of the prices of another exchange."""

AlertRow = dict[str, Any]
"""An alert in the form in which the service lists it."""


class ChartAlert(TypedDict):
    """An alert as the alert service lists it. `price` is None if its condition has no price level."""

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


class CreatedAlert(TypedDict):
    """An alert, read back from the service. `price_set` is True if it has a price, and `expiration` is the time at
    which the service ends it. `verified` is False if that is not the requested time."""

    alert_id: int
    symbol: str
    condition: str
    price: float | None
    price_set: bool
    message: str
    active: bool
    expiration: str | None
    source: str
    verified: bool


def create_alert(at: ToolContext, payload: AlertRow) -> AlertRow:
    """Create an alert and read it back. If it differs from the request, delete it and raise ToolRefused.

    Other programs may create alerts at the same time. So the new alert is the one that the service names; if it names
    none, the newest one that matches the request.
    """
    before = {entry_of(row)["alert_id"] for row in listed_rows(at)}
    unanswered: UnavailableError | None = None
    said: dict[str, Any] = {}
    try:
        said = as_object(ask_service(at, "/create_alert", payload, "create the alert"))
    except UnavailableError as error:
        unanswered = error  # the service may have created it anyway
    fresh = {found["alert_id"]: row for row in listed_rows(at) if (found := entry_of(row))["alert_id"] not in before}
    named = fresh.get(entry_of(said)["alert_id"])
    if named is not None and not is_as_asked(named, payload):
        made = entry_of(named)
        delete_alert(at, made["alert_id"])
        raise ToolRefused(
            f"the alert service created an alert that differs from the request ({made['symbol']} "
            f"{made['condition']} {made['price']}, {'active' if made['active'] else 'stopped'}); pinebench "
            "deleted it",
            "create it in the browser",
        )
    like = [row for row in fresh.values() if is_as_asked(row, payload)]
    if unanswered is not None and not like:
        raise unanswered
    if named is None and not like:
        raise ToolRefused(
            "the alert service accepted the alert but does not list it", "look at the alerts in the browser"
        )
    return like[-1] if named is None else named


def is_as_asked(row: AlertRow, payload: AlertRow) -> bool:
    """Return whether the alert `row` from the service matches the request `payload`."""
    made, asked = entry_of(row), entry_of(payload)
    if asked["message"] and made["message"].strip() != asked["message"].strip():
        return False  # if no message is given, the service writes its own
    if not _same_symbol(asked["symbol"], made["symbol"]):
        return False
    often, wanted = frequency_of(condition_of(row)), frequency_of(condition_of(payload))
    if often is not None and often != wanted:
        return False
    return all(made[key] == asked[key] for key in ("condition", "price", "active"))


def ends_as_asked(row: AlertRow, payload: AlertRow) -> bool:
    """Return whether an alert ends within a minute of the requested time. A TradingView plan may allow only an earlier
    end."""
    try:
        made, asked = (datetime.fromisoformat(str(each.get("expiration"))) for each in (row, payload))
    except ValueError:
        return False
    made, asked = (each if each.tzinfo else each.replace(tzinfo=UTC) for each in (made, asked))
    return abs(made - asked) < timedelta(minutes=1)


def _same_symbol(asked: str, made: str) -> bool:
    """Return whether an alert is on the requested symbol. The service may add an exchange to a bare ticker, or name the
    exchange from which delayed prices come."""
    exchange, _, ticker = asked.upper().rpartition(":")
    found, _, other = made.upper().rpartition(":")
    return ticker == other and (not exchange or found in (exchange, *_DELAYED))


def delete_alert(at: ToolContext, alert_id: int) -> None:
    """Delete an alert. Raises ToolRefused if the service refuses."""
    ask_service(at, "/delete_alerts", {"alert_ids": [alert_id]}, f"delete alert {alert_id}")


def let_page_list(at: ToolContext, present: list[int], gone: list[int]) -> None:
    """Wait until the page's list of alerts, if it is open, has the ids `present` and lacks the ids `gone`. Never
    raises: only the service's own list decides whether a change succeeded."""
    with contextlib.suppress(PinebenchError):  # the change is done, whatever the page shows
        at.act("alerts_listed", {"there": present, "gone": gone, "limit": 2_000})


def result_of(alert: ChartAlert, *, verified: bool) -> CreatedAlert:
    """Return `alert` in the form in which tools return an alert that they created."""
    return {
        "alert_id": alert["alert_id"],
        "symbol": alert["symbol"],
        "condition": alert["condition"],
        "price": alert["price"],
        "price_set": alert["price"] is not None,
        "message": alert["message"],
        "active": alert["active"],
        "expiration": alert["expiration"],
        "source": "internal_api",
        "verified": verified,
    }


def listed_row(at: ToolContext, alert_id: int) -> AlertRow:
    """Return the alert with this id, as the service lists it. Raises ToolRefused if there is none."""
    rows = {entry_of(row)["alert_id"]: row for row in listed_rows(at)}
    if alert_id not in rows:
        raise ToolRefused(f"there is no alert {alert_id}", hint_of_names("alerts", list(rows)[:50]))
    return rows[alert_id]


def frequency_of(condition: AlertRow) -> str | None:
    """Return how often a condition may fire, in lower-case letters for comparison. None if the service does not say, or
    if the alert fires on calls of `alert()`, because each call sets its own frequency."""
    often = condition.get("frequency")
    return None if often is None or condition.get("type") == "pine_alert" else re.sub(r"[^a-z]", "", str(often).lower())


def listed_rows(at: ToolContext) -> list[AlertRow]:
    """Return all alerts as the service lists them. Raises ToolRefused if the list is malformed."""
    rows: Any = ask_service(at, "/list_alerts", None, "list the alerts")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in cast("list[Any]", rows)):
        raise ToolRefused("the list from the alert service has an unexpected form", "look at the alerts in the browser")
    return cast("list[AlertRow]", rows)


def condition_of(row: AlertRow) -> AlertRow:
    """Return the first condition of an alert. Older alerts have a single `condition` instead of a list."""
    several: Any = row.get("conditions")
    conditions = cast("list[Any]", several) if isinstance(several, list) else []
    first = conditions[0] if conditions else row.get("condition")
    return as_object(first) or {"type": str(first or "")}


def entry_of(row: AlertRow) -> ChartAlert:
    """Return the alert that a row of the service describes."""
    condition = condition_of(row)
    series: Any = condition.get("series")
    values = [as_object(each).get("value") for each in cast("list[Any]", series)] if isinstance(series, list) else []
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
    """Return the symbol of an alert, such as `NASDAQ:AAPL`, from a text that may be `=` followed by JSON."""
    if not text.startswith("="):
        return text
    try:
        found: Any = json.loads(text[1:])
    except ValueError:
        return text
    return str(as_object(found).get("symbol", text))


def as_object(value: Any) -> dict[str, Any]:
    """Return `value` if it is a JSON object, else an empty object."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def ask_service(at: ToolContext, path: str, payload: dict[str, Any] | None, action: str) -> Any:
    """Return the answer of the alert service; `action` names the attempt in error messages. Raises ServiceError, and
    ToolRefused with the service's own message if it reports a problem."""
    from pinebench.tradingview.script_service import service_data

    answer = at.act("alert_request", {"path": path, "payload": payload, "limit": 10_000}, timeout=12)
    said = as_object(answer["data"])
    if said.get("errmsg"):
        raise ToolRefused(f"cannot {action}: {str(said['errmsg'])[:300]}", "look at the alerts in the browser")
    service_data(answer, action)
    if said.get("s") != "ok":
        raise ToolRefused(f"cannot {action}: the answer of the alert service has an unexpected form")
    return said.get("r")
