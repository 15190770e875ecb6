"""TradingView's alert service (`pricealerts`), backed by the studio's own store, with the same URLs and data formats.

Alerts are stored, listed and deleted. The page reports which alerts fire on the bars of a replay. An alert is
deactivated after it has fired, unless it was created with `auto_deactivate: false`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from pinebench import decoding
from pinebench.studio import documents
from pinebench.studio.scripts import ScriptStore
from pinebench.studio.web import BadRequest, Handler, Response, Routes, StudioRequest, json_response

_DOCUMENT = "alerts"
_FIRES = "fires"
_MOST_FIRES = 1000
_ON_SCRIPT = ("alert_cond", "pine_alert")
"""The types of conditions on a script: an alertcondition(), or its calls of alert()."""
_LONGEST_MESSAGE = 4096
_MOST_ALERTS = 1000
_SETTINGS = ("name", "email", "mobile_push", "popup", "web_hook", "sound_file", "sound_duration", "auto_deactivate")
"""Optional settings of an alert; they are kept as they were given."""


class AlertRoutes:
    """The routes of the alert service; `store` holds its alerts."""

    def __init__(self, store: ScriptStore) -> None:
        self._store = store

    def add_to(self, routes: Routes) -> None:
        """Add the service's addresses to `routes`."""
        root = "(?:/pricealerts)?/"
        routes.add("GET", root + "list_alerts/?", _guarded(lambda _: _answer(self._all())))
        routes.add("POST", root + "create_alert/?", _guarded(self._create))
        routes.add("POST", root + "list_fires/?", _guarded(self._fires))
        routes.add("POST", root + "delete_alerts/?", _guarded(self._delete))
        routes.add("POST", "/studio/api/alerts/fired", _guarded(self._fired))

    def _create(self, request: StudioRequest) -> Response:
        wanted = _payload(request)
        condition = _condition(wanted)
        if condition is None or not isinstance(wanted.get("symbol"), str) or not wanted["symbol"]:
            return _refusal("an alert needs a symbol and a condition on two or three series, or on one script")
        made: dict[str, Any] = {}

        def more(known: list[dict[str, Any]] | None) -> list[dict[str, Any]]:
            alerts = known or []
            if len(alerts) >= _MOST_ALERTS:
                raise BadRequest(f"there are already {_MOST_ALERTS} alerts; delete one first")
            made.update(
                {
                    **{key: wanted[key] for key in _SETTINGS if key in wanted},
                    "alert_id": max((alert["alert_id"] for alert in alerts), default=1000) + 1,
                    "symbol": wanted["symbol"],
                    "type": "indicator" if condition["type"] in _ON_SCRIPT else "price",
                    "message": str(wanted.get("message") or "")[:_LONGEST_MESSAGE],
                    "active": wanted.get("active") is not False,
                    "condition": condition,
                    "resolution": str(wanted.get("resolution") or condition.get("resolution") or "1D"),
                    "create_time": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
                    "last_fire_time": None,
                    "expiration": wanted.get("expiration"),
                }
            )
            return [*alerts, made]

        documents.change(self._store, _DOCUMENT, more)
        return _answer(made)

    def _delete(self, request: StudioRequest) -> Response:
        numbers = _payload(request).get("alert_ids")
        if not isinstance(numbers, list):
            return _refusal("expected a list of ids: {payload: {alert_ids: [...]}}")
        gone: set[int] = set()

        def fewer(known: list[dict[str, Any]] | None) -> list[dict[str, Any]]:
            gone.clear()
            gone.update(alert["alert_id"] for alert in known or () if alert["alert_id"] in numbers)
            return [alert for alert in known or () if alert["alert_id"] not in gone]

        documents.change(self._store, _DOCUMENT, fewer)
        return _answer({"deleted": len(gone)})

    def _fired(self, request: StudioRequest) -> Response:
        told = request.json()
        try:
            decoding.check(told, {"ids": [int], "time": int}, "the body")
            moment = datetime.fromtimestamp(told["time"], UTC).isoformat().replace("+00:00", "Z")  # pyright: ignore
        except (decoding.MalformedDocument, OverflowError, OSError, ValueError) as error:
            raise BadRequest(str(error)) from None
        ids: list[int] = told["ids"]  # pyright: ignore

        def told_of(alert: dict[str, Any]) -> dict[str, Any]:
            if alert["alert_id"] not in ids:
                return alert
            active = alert["active"] and alert.get("auto_deactivate") is False
            return {**alert, "active": active, "last_fire_time": moment}

        alerts = documents.change(self._store, _DOCUMENT, lambda known: [told_of(alert) for alert in known or ()])
        fired = [alert for alert in alerts if alert["alert_id"] in ids]
        documents.change(self._store, _FIRES, lambda known: _logged(known or [], fired, moment))
        return _answer({"fired": sum(alert["alert_id"] in ids for alert in alerts)})

    def _fires(self, request: StudioRequest) -> Response:
        """The newest fired alerts first, of one alert if it is named."""
        wanted = _payload(request)
        fires: list[dict[str, Any]] = documents.read(self._store, _FIRES) or []
        chosen = [fire for fire in reversed(fires) if wanted.get("alert_id") in (None, fire["alert_id"])]
        limit = wanted.get("limit")
        return _answer(chosen[:limit] if isinstance(limit, int) else chosen)

    def _all(self) -> list[dict[str, Any]]:
        return documents.read(self._store, _DOCUMENT) or []


def _guarded(answer: Callable[[StudioRequest], Response]) -> Handler:
    """Return a handler that answers errors in the shape that the service uses."""

    def handle(request: StudioRequest) -> Response:
        try:
            return answer(request)
        except BadRequest as error:
            return _refusal(str(error))
        except documents.DamagedDocument as error:
            return _refusal(str(error), 500)

    return handle


def _payload(request: StudioRequest) -> dict[str, Any]:
    body = request.json()
    payload = body.get("payload") if isinstance(body, dict) else None
    if not isinstance(payload, dict):
        raise BadRequest("expected {payload: {...}}")
    return payload


def _condition(wanted: dict[str, Any]) -> dict[str, Any] | None:
    """The one condition of the alert, or None if it is invalid; newer clients send a list with one condition."""
    conditions = wanted.get("conditions") or [wanted.get("condition")]
    condition = conditions[0] if isinstance(conditions, list) else None
    if not isinstance(condition, dict) or not isinstance(condition.get("type"), str):
        return None
    series = condition.get("series")
    if condition["type"] in _ON_SCRIPT and _is_script(series):
        return condition
    return condition if isinstance(series, list) and 2 <= len(series) <= 3 else None


def _is_script(series: Any) -> bool:
    """Whether the one series of a condition is a script, named by its id."""
    one = series[0] if isinstance(series, list) and len(series) == 1 else None  # pyright: ignore
    return isinstance(one, dict) and one.get("type") == "study" and isinstance(one.get("pine_id"), str)  # pyright: ignore


def _logged(known: list[dict[str, Any]], fired: list[dict[str, Any]], moment: str) -> list[dict[str, Any]]:
    """The log of fired alerts with the ones that fired now."""
    first = max((fire["fire_id"] for fire in known), default=0) + 1
    more = [
        {
            "fire_id": first + number,
            **{key: alert[key] for key in ("alert_id", "symbol", "message", "resolution")},
            "fire_time": moment,
        }
        for number, alert in enumerate(fired)
    ]
    return [*known, *more][-_MOST_FIRES:]


def _answer(value: object) -> Response:
    return json_response({"s": "ok", "r": value})


def _refusal(reason: str, status: int = 400) -> Response:
    return json_response({"s": "error", "errmsg": reason}, status)
