"""Tools for TradingView's alerts on prices and scripts, and for the log of fired alerts. They use the page's log-in."""

from __future__ import annotations

import contextlib
import json
import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, TypedDict, cast

from pinebench.errors import PinebenchError, UnavailableError, UsageError
from pinebench.tools.arguments import ChoiceArgument, Flag, IntegerArgument, ListArgument, Number, TextArgument
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import tool
from pinebench.tools.timing import SYMBOL, resolution
from pinebench.tools.tool_calls import ToolRefused
from pinebench.tradingview import chart_results

CONDITIONS = {
    "crossing": "cross",
    "crossing_up": "cross_up",
    "crossing_down": "cross_down",
    "greater_than": "greater",
    "less_than": "less",
}
"""The names of conditions, each with the name that the alert service uses for it."""

DAYS = 60
"""The default number of days after which an alert ends; most plans allow at most 88."""

_CONDITION = ChoiceArgument(tuple(CONDITIONS), "how the price meets the level")
_MESSAGE = TextArgument("the message of the alert", longest=4_000, empty=True)
_ID = IntegerArgument("from alert_list", 0)
_PRICE = Number("the price level", least=-1e12, most=1e12)
_LISTED = 500
"""How many characters of a message a list of alerts shows."""

_DELAYED = ("BATS", "CBOE", "CBOE_DLY")
"""Exchanges whose delayed prices the service may use in place of the prices of another exchange."""

_OWN = frozenset(
    {"alert_id", "id", "type", "condition", "conditions", "message", "active", "create_time", "last_fire_time"}
    | {"last_fire_bar_time", "last_error", "last_stop_reason"}
)
"""The keys of an alert that are not settings of its owner. They may differ if the alert is created again."""

_Row = dict[str, Any]
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


class ChartAlertList(TypedDict):
    """All alerts of the user who is logged in."""

    alert_count: int
    source: str
    alerts: list[ChartAlert]


@tool("alerts", "List the alerts.", outside=True, untrusted=("alerts",), prices=True)
def alert_list(at: ToolContext) -> ChartAlertList:
    """Return all alerts of the alert service."""
    found = [_entry(row) for row in _rows(at)]
    for each in found:
        each["message"] = each["message"][:_LISTED]
    return {"alert_count": len(found), "source": "internal_api", "alerts": found}


class CreatedAlert(TypedDict):
    """An alert, read back from the service. `price_set` means that it has a price, and `expiration` is the time at
    which the service ends it. If that is not the requested time, `verified` is false."""

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


@tool(
    "alerts",
    "Create an alert on a price of the chart's symbol, or of another one.",
    changes=True,
    outside=True,
    proof="the alert in the service's list",
    prices=True,
)
def alert_create(
    at: ToolContext,
    condition: Annotated[str, _CONDITION],
    price: Annotated[float, _PRICE],
    message: Annotated[str, _MESSAGE] = "",
    symbol: Annotated[str | None, SYMBOL] = None,
    days: Annotated[int, IntegerArgument("until it ends", 1, 88)] = DAYS,
) -> CreatedAlert:
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
    row = _made(at, payload)
    made = _entry(row)
    _let_page_list(at, [made["alert_id"]], [])
    return _told(made, verified=_as_asked(row, payload) and _ends_as_asked(row, payload))


@tool(
    "alerts",
    "Change condition, price or message of an alert on a price; it gets a new id, its other settings stay.",
    changes=True,
    outside=True,
    prices=True,
    proof="the alerts in the service's list",
)
def alert_edit(
    at: ToolContext,
    alert_id: Annotated[int, _ID],
    condition: Annotated[str | None, _CONDITION] = None,
    price: Annotated[float, _PRICE] | None = None,
    message: Annotated[str | None, _MESSAGE] = None,
) -> CreatedAlert:
    """Create the changed alert first, and delete the old one when the new one exists."""
    if condition is None and price is None and message is None:
        raise UsageError("there is nothing to change", "give condition, price or message")
    old = _remakable(_row(at, alert_id), alert_id)
    now = _entry(old)
    kind = now["condition"] if condition is None else CONDITIONS[condition]
    changed = {
        "conditions": [_crossing(kind, now["price"] if price is None else price, now["resolution"], _condition(old))],
        "message": now["message"] if message is None else message,
    }
    return _replaced(at, alert_id, {**_settings(old), **changed, "active": now["active"]})


@tool(
    "alerts",
    "Switch an alert on or off; it gets a new id.",
    changes=True,
    outside=True,
    prices=True,
    proof="the alerts in the service's list",
)
def alert_toggle(
    at: ToolContext, alert_id: Annotated[int, _ID], active: Annotated[bool, Flag("true switches it on")]
) -> CreatedAlert:
    """Create the alert again, active or stopped, and delete the old one when the new one exists."""
    row = _row(at, alert_id)
    now = _entry(row)
    if now["active"] == active:
        return _told(now, verified=now["active"] == active)
    old = _remakable(row, alert_id)
    if active and _ended(now["expiration"]):
        raise ToolRefused(f"alert {alert_id} has ended on {now['expiration']}", "create it again with alert_create")
    kept = {"conditions": [_condition(old)], "message": now["message"]}
    return _replaced(at, alert_id, {**_settings(old), **kept, "active": active})


class MadeOnScript(CreatedAlert):
    """An alert on a script, read back from the service: its script, and the `alertcondition()` that fires it."""

    script: str
    fires_on: str
    webhook: str | None


_KINDS = ChoiceArgument(("alertcondition", "alert", "orders"), "what fires it")
_WEBHOOK = TextArgument("an https address that gets the message (the account needs 2FA)", 2_000)
_ORDERS = (
    "TradingView's form of alerts on orders is not known, so that none could be checked",
    "call alert() beside the orders and use kind alert, or create it in the browser's dialog",
)


@tool(
    "alerts",
    "Create an alert on a saved script of the chart: on an alertcondition() or on its calls of alert().",
    changes=True,
    outside=True,
    proof="the alert, its script, inputs and webhook in the service's list",
    untrusted=("script", "fires_on", "message"),
    prices=True,
)
def alert_create_script(
    at: ToolContext,
    kind: Annotated[str, _KINDS],
    study: Annotated[str, TextArgument("id or name of the script (default: the only one)", 200, empty=True)] = "",
    condition: Annotated[
        str, TextArgument("title or id of the alertcondition (default: the only one)", 200, empty=True)
    ] = "",
    message: Annotated[str, _MESSAGE] = "",
    webhook: Annotated[str | None, _WEBHOOK] = None,
    once: Annotated[bool, Flag("end it after it has fired once")] = False,
    on_close: Annotated[bool, Flag("fire only at the close of a bar")] = True,
    days: Annotated[int, IntegerArgument("until it ends", 1, 88)] = DAYS,
) -> MadeOnScript:
    """Create the alert with the script's present inputs, and read it back."""
    if kind == "orders":
        raise ToolRefused(*_ORDERS)
    if webhook is not None and not webhook.startswith("https://"):
        raise UsageError("webhook must be an https address", "give for example https://example.com/hook")
    chart, script, pine_id = _alert_script(at, study)
    chosen = _chosen_condition(at, script, condition) if kind == "alertcondition" else None
    form = _script_form(chart, script, pine_id, chosen, on_close=on_close)
    end = datetime.now(UTC) + timedelta(days=days)
    payload = {
        "conditions": [form],
        "symbol": "=" + json.dumps({"symbol": chart["symbol"], "adjustment": "splits"}),
        "resolution": str(chart["resolution"]),
        "message": message,
        "web_hook": webhook,
        "auto_deactivate": once,
        "expiration": end.isoformat(timespec="seconds").replace("+00:00", "Z"),
        "active": True,
    }
    row = _made(at, payload)
    made = _entry(row)
    problem = _script_problem(row, payload)
    if problem is not None:
        _delete(at, made["alert_id"])
        raise ToolRefused(
            f"the alert service changed a part of the alert ({problem}), so the alert was deleted again",
            "create it in the browser",
        )
    _let_page_list(at, [made["alert_id"]], [])
    fires_on = "alert()" if chosen is None else chosen["title"] or chosen["id"]
    return {
        **_told(made, verified=problem is None and _ends_as_asked(row, payload)),
        "script": script["name"],
        "fires_on": fires_on,
        "webhook": webhook,
    }


def _script_form(
    chart: chart_results.AlertScripts,
    script: chart_results.AlertScript,
    pine_id: str,
    chosen: chart_results.AlertCondition | None,
    *,
    on_close: bool,
) -> dict[str, Any]:
    """Return the condition of an alert on a script, as the service takes it."""
    series = {
        "type": "study",
        "study": f"{'StrategyScript' if script['strategy'] else 'Script'}@tv-scripting-101",
        "pine_id": pine_id,
        "pine_version": script["version"],
        "inputs": {each["id"]: each["value"] for each in script["inputs"]},
        "offsets_by_plot": script["offsets"],
    }
    form: dict[str, Any] = {
        "type": "pine_alert" if chosen is None else "alert_cond",
        "frequency": "on_bar_close" if on_close else "on_first_fire",
        "series": [series],
        "resolution": str(chart["resolution"]),
    }
    return form if chosen is None else {**form, "alert_cond_id": chosen["id"]}


def _alert_script(at: ToolContext, study: str) -> tuple[chart_results.AlertScripts, chart_results.AlertScript, str]:
    """Return the chart, the one saved script on it that `study` names, and its id. Raises ToolRefused if there is
    none."""
    from pinebench.tools.chart_scripts import PINE_ID

    found: chart_results.AlertScripts = at.read("alert_script", {"study": study})
    script = found["script"]
    if script is None:
        listed = ", ".join(f"{each['name']} ({each['id']})" for each in (found["fitting"] or found["known"])[:10])
        raise ToolRefused(
            f"there are {len(found['fitting']) or 'no'} scripts on the chart"
            + (f" that fit '{study}'" if study else ""),
            f"name one: {listed}" if listed else "add the script to the chart",
        )
    known = PINE_ID.search(script["pine_id"] or "") or PINE_ID.search(script["meta_id"])
    if known is None or script["version"] is None:
        raise ToolRefused(
            f"'{script['name']}' is not a saved version of a script, so that no alert can run it",
            "save it, and add it to the chart again",
        )
    return found, script, known[0]


def _chosen_condition(at: ToolContext, script: chart_results.AlertScript, wanted: str) -> chart_results.AlertCondition:
    """Return the `alertcondition()` with the title or id `wanted`. Raises ToolRefused unless there is exactly one."""
    known = list(script["conditions"])
    titles = _titles(at, script)
    if len(titles) == len(known):
        for place, title in enumerate(titles):
            known[place] = {"id": known[place]["id"], "title": known[place]["title"] or title}
    chosen = [each for each in known if not wanted or wanted in (each["id"], each["title"])]
    if len(chosen) == 1:
        return chosen[0]
    listed = ", ".join(f"{each['title'] or '?'} ({each['id']})" for each in known) or "none"
    what = f"called '{wanted}'" if wanted else "in it"
    raise ToolRefused(f"'{script['name']}' has {len(chosen) or 'no'} alertcondition() {what}", f"there are: {listed}")


def _titles(at: ToolContext, script: chart_results.AlertScript) -> list[str]:
    """Return the titles of the script's calls of `alertcondition()` in their order; empty if its text cannot be
    read."""
    from pinebench.syntax import parse
    from pinebench.syntax.nodes import Call, Literal, NamedArgument
    from pinebench.syntax.walk import walk
    from pinebench.tools.chart_scripts import script_text

    text = script_text(at, script["pine_id"], script["meta_id"], script["version"]).text
    document = parse(text)
    found: list[str] = []
    for chunk in document.chunks:
        for node in walk(chunk.body):
            if not isinstance(node, Call):
                continue
            start, end = chunk.start + node.callee.start, chunk.start + node.callee.end
            if document.text[start:end] != "alertcondition":
                continue
            named = [each.value for each in node.arguments if isinstance(each, NamedArgument) and each.name == "title"]
            plain = [each for each in node.arguments if not isinstance(each, NamedArgument)]
            title = named[0] if named else plain[1] if len(plain) > 1 else None
            found.append(title.text.strip("\"'") if isinstance(title, Literal) else "")
    return found


def _script_problem(row: _Row, payload: _Row) -> str | None:
    """Return the part of a requested alert on a script that the service stored differently; None if there is none."""
    condition, form = _condition(row), payload["conditions"][0]
    series: Any = condition.get("series")
    kept = _object(cast("list[Any]", series)[0]) if isinstance(series, list) and series else {}
    wanted = form["series"][0]
    if condition.get("alert_cond_id") != form.get("alert_cond_id") and form["type"] == "alert_cond":
        return "the alertcondition"
    if kept.get("pine_id") != wanted["pine_id"]:
        return "the script"
    lost = [name for name, value in wanted["inputs"].items() if _object(kept.get("inputs")).get(name) != value]
    if lost:
        return f"the input {lost[0]}"
    if _version(kept.get("pine_version") or wanted["pine_version"]) != _version(wanted["pine_version"]):
        return "the version of the script"
    if bool(row.get("auto_deactivate", payload["auto_deactivate"])) != payload["auto_deactivate"]:
        return "whether it ends after it has fired"
    timeframe = _entry(row)["resolution"]
    if timeframe and _timeframe(timeframe) != _timeframe(str(payload["resolution"])):
        return "the timeframe"
    return "the webhook" if (row.get("web_hook") or None) != payload["web_hook"] else None


def _version(value: Any) -> str:
    """Return the version of a script in the one form that is compared: `12.0` and 12 are the same version."""
    return re.sub(r"(\.0+)+$", "", str(value))


def _timeframe(text: str) -> str:
    """Return a timeframe in the one form that is compared: `D` and `1D` are the same, and so are `1h` and `60`."""
    try:
        return resolution(text)
    except UsageError:
        return text


def _frequency(condition: _Row) -> str | None:
    """Return how often a condition fires, in the one form that is compared; None if the service does not say. Calls of
    `alert()` set their own frequency, so the alert's own setting has no effect."""
    often = condition.get("frequency")
    return None if often is None or condition.get("type") == "pine_alert" else re.sub(r"[^a-z]", "", str(often).lower())


class Fire(TypedDict):
    """An alert that has fired; a field that the service does not give is None."""

    alert_id: int | None
    symbol: str
    message: str
    fired: str | None
    resolution: str | None


class Fires(TypedDict):
    """The log of fired alerts, the newest first."""

    count: int
    source: str
    fires: list[Fire]


@tool("alerts", "Read the log of fired alerts, the newest first.", outside=True, untrusted=("fires",), prices=True)
def alert_log(
    at: ToolContext,
    limit: Annotated[int, IntegerArgument("how many, newest first", 1, 500, clamp=True)] = 50,
    alert_id: Annotated[int, _ID] | None = None,
) -> Fires:
    """Ask the alert service which alerts have fired."""
    payload = {"limit": limit, **({} if alert_id is None else {"alert_id": alert_id})}
    rows: Any = _service(at, "/list_fires", payload, "list the fired alerts")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in cast("list[Any]", rows)):
        raise ToolRefused("the alert service's log has an unexpected shape", "look at the log in the browser")
    fires = [_fire(row) for row in cast("list[_Row]", rows)]
    if alert_id is not None:
        fires = [each for each in fires if each["alert_id"] == alert_id]
    return {"count": len(fires[:limit]), "source": "internal_api", "fires": fires[:limit]}


def _fire(row: _Row) -> Fire:
    number, time = row.get("alert_id"), row.get("fire_time") or row.get("time")
    if isinstance(time, int | float):
        time = datetime.fromtimestamp(time if time < 1e11 else time / 1000, UTC).isoformat()
    return {
        "alert_id": number if isinstance(number, int) else None,
        "symbol": symbol_in(str(row.get("symbol") or "")),
        "message": str(row.get("message") or "")[:_LISTED],
        "fired": time if isinstance(time, str) else None,
        "resolution": str(row["resolution"]) if row.get("resolution") else None,
    }


class AlertDeletion(TypedDict):
    """The ids of the deleted alerts, and the number of alerts that remain."""

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
    proof="the service's list of alerts",
)
def alert_delete(
    at: ToolContext,
    alert_id: Annotated[int, _ID] | None = None,
    alert_ids: Annotated[list[int] | None, ListArgument(_ID, "which alerts", most=200)] = None,
    delete_all: Annotated[bool, Flag("all alerts instead")] = False,
    confirm: Annotated[bool, Flag("needed for more than one")] = False,
) -> AlertDeletion:
    """Delete alerts, and verify that they are gone."""
    named = [*(alert_ids or []), *([alert_id] if alert_id is not None else [])]
    wanted = list(dict.fromkeys(named))
    if bool(wanted) == delete_all:
        raise UsageError("give alert_id, alert_ids or delete_all", "alert_list lists the alerts")
    known = [_entry(row)["alert_id"] for row in _rows(at)]
    chosen = known if delete_all else wanted
    missing = [each for each in chosen if each not in known]
    if missing:
        raise ToolRefused(f"there is no alert {missing[0]}", f"there are: {', '.join(map(str, known[:50])) or 'none'}")
    if (delete_all or len(chosen) > 1) and not confirm:
        raise ToolRefused(f"{len(chosen)} alerts would be deleted permanently", "call again with confirm: true")
    if chosen:
        _service(at, "/delete_alerts", {"alert_ids": chosen}, "delete alerts")
    left = [_entry(row)["alert_id"] for row in _rows(at)]
    stayed = [each for each in chosen if each in left]
    if stayed:
        raise ToolRefused(f"alert {stayed[0]} is still there", "delete it in the browser")
    _let_page_list(at, [], chosen)
    return {"deleted": chosen, "remaining": len(left), "source": "internal_api", "verified": not stayed}


def _crossing(kind: str, price: float | None, resolution: str, like: _Row | None = None) -> _Row:
    """Return a condition of type `kind` on the level `price`. Other settings, such as how often it fires, come from
    `like`."""
    series = [{"type": "barset"}, {"type": "value", "value": price}]
    return {"frequency": "on_first_fire", "resolution": resolution, **(like or {}), "type": kind, "series": series}


def _remakable(row: _Row, alert_id: int) -> _Row:
    """Return `row` if it can be created again. Raises ToolRefused if its condition is not about one price alone."""
    condition = _condition(row)
    series = condition.get("series")
    on_price = isinstance(series, list) and [_object(each).get("type") for each in cast("list[Any]", series)] == [
        "barset",
        "value",
    ]
    several = isinstance(row.get("conditions"), list) and len(row["conditions"]) > 1
    if several or not on_price or condition.get("type") not in CONDITIONS.values():
        raise ToolRefused(f"alert {alert_id} is not on a price alone", "change it in the browser")
    return row


def _settings(row: _Row) -> _Row:
    """Return the settings of an alert except condition and message: expiration, notifications, name and others."""
    return {key: value for key, value in row.items() if key not in _OWN and value is not None}


def _replaced(at: ToolContext, old: int, payload: _Row) -> CreatedAlert:
    """Create an alert in place of the alert `old`, and delete the old one when the new one exists.

    Raises ToolRefused, and deletes the new alert again, if the service does not keep one of the settings.
    """
    row = _made(at, payload)
    made = _entry(row)
    lost = [key for key, value in payload.items() if key not in _OWN and row.get(key) != value]
    if lost:
        _delete(at, made["alert_id"])
        raise ToolRefused(
            f"the alert service would change '{lost[0]}' of alert {old}; the alert was not changed",
            "change it in the browser",
        )
    try:
        _delete(at, old)
    except PinebenchError as error:
        if any(_entry(each)["alert_id"] == old for each in _rows(at)):
            raise ToolRefused(
                f"the new alert {made['alert_id']} exists, but the old alert {old} could not be deleted",
                f"{error.message}; both exist now, so delete one of them",
            ) from error
    if any(_entry(each)["alert_id"] == old for each in _rows(at)):
        raise ToolRefused(f"the old alert {old} still exists beside the new alert {made['alert_id']}")
    _let_page_list(at, [made["alert_id"]], [old])
    return _told(made, verified=not lost)


def _made(at: ToolContext, payload: _Row) -> _Row:
    """Create an alert and read it back. If it is not as requested, delete it again and raise ToolRefused.

    Other programs may create alerts at the same time. So the new alert is the one that the service names, or, if it
    names none, one that is as requested.
    """
    before = {_entry(row)["alert_id"] for row in _rows(at)}
    unanswered: UnavailableError | None = None
    said: dict[str, Any] = {}
    try:
        said = _object(_service(at, "/create_alert", payload, "create the alert"))
    except UnavailableError as error:
        unanswered = error  # the service may have created it anyway
    fresh = {found["alert_id"]: row for row in _rows(at) if (found := _entry(row))["alert_id"] not in before}
    named = fresh.get(_entry(said)["alert_id"])
    if named is not None and not _as_asked(named, payload):
        made = _entry(named)
        _delete(at, made["alert_id"])
        raise ToolRefused(
            f"the alert service created another alert than the requested one ({made['symbol']} {made['condition']} "
            f"{made['price']}, {'active' if made['active'] else 'stopped'}); it was deleted again",
            "create it in the browser",
        )
    like = [row for row in fresh.values() if _as_asked(row, payload)]
    if unanswered is not None and not like:
        raise unanswered
    if named is None and not like:
        raise ToolRefused(
            "the alert service accepted the alert but does not list it", "look at the alerts in the browser"
        )
    return like[-1] if named is None else named


def _as_asked(row: _Row, payload: _Row) -> bool:
    """Return whether the alert `row` of the service is as `payload` requested it."""
    made, asked = _entry(row), _entry(payload)
    if asked["message"] and made["message"].strip() != asked["message"].strip():
        return False  # if no message is given, the service writes its own
    if not _same_symbol(asked["symbol"], made["symbol"]):
        return False
    often, wanted = _frequency(_condition(row)), _frequency(_condition(payload))
    if often is not None and often != wanted:
        return False
    return all(made[key] == asked[key] for key in ("condition", "price", "active"))


def _ends_as_asked(row: _Row, payload: _Row) -> bool:
    """Return whether an alert ends at the requested time; a plan may allow less time."""
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


def _delete(at: ToolContext, alert_id: int) -> None:
    _service(at, "/delete_alerts", {"alert_ids": [alert_id]}, f"delete alert {alert_id}")


def _let_page_list(at: ToolContext, there: list[int], gone: list[int]) -> None:
    """Wait until the page lists the same changes as the service, if the page shows its list. The service is decisive:
    if the page does not follow, this is not an error."""
    with contextlib.suppress(PinebenchError):  # the change is done, whatever the page shows
        at.act("alerts_listed", {"there": there, "gone": gone, "limit": 2_000})


def _told(alert: ChartAlert, *, verified: bool) -> CreatedAlert:
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


def _row(at: ToolContext, alert_id: int) -> _Row:
    """Return the alert with this id, as the service lists it. Raises ToolRefused if there is none."""
    rows = {_entry(row)["alert_id"]: row for row in _rows(at)}
    if alert_id not in rows:
        known = ", ".join(map(str, list(rows)[:50])) or "none"
        raise ToolRefused(f"there is no alert {alert_id}", f"there are: {known}")
    return rows[alert_id]


def _ended(expiration: str | None) -> bool:
    """Return whether an alert has expired. False if its expiration cannot be read; the service will report that."""
    try:
        end = datetime.fromisoformat(str(expiration))
    except ValueError:
        return False
    return (end if end.tzinfo else end.replace(tzinfo=UTC)) <= datetime.now(UTC)


def _rows(at: ToolContext) -> list[_Row]:
    rows: Any = _service(at, "/list_alerts", None, "list the alerts")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in cast("list[Any]", rows)):
        raise ToolRefused("the alert service's list has an unexpected shape", "look at the alerts in the browser")
    return cast("list[_Row]", rows)


def _condition(row: _Row) -> _Row:
    """Return the first condition of an alert. Older alerts have a single `condition` instead of a list."""
    several: Any = row.get("conditions")
    conditions = cast("list[Any]", several) if isinstance(several, list) else []
    first = conditions[0] if conditions else row.get("condition")
    return _object(first) or {"type": str(first or "")}


def _entry(row: _Row) -> ChartAlert:
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
    """Return the symbol of an alert, such as `NASDAQ:AAPL`, from a text that may be `=` followed by JSON."""
    if not text.startswith("="):
        return text
    try:
        found: Any = json.loads(text[1:])
    except ValueError:
        return text
    return str(_object(found).get("symbol", text))


def _object(value: Any) -> dict[str, Any]:
    """Return `value` if it is a JSON object, or an empty object."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _service(at: ToolContext, path: str, payload: dict[str, Any] | None, what: str) -> Any:
    """Return the answer of the alert service. Raises ServiceError, and ToolRefused with the service's own message if it
    reports a problem."""
    from pinebench.tradingview.script_service import service_data

    answer = at.act("alert_request", {"path": path, "payload": payload, "limit": 10_000}, timeout=12)
    said = _object(answer["data"])
    if said.get("errmsg"):
        raise ToolRefused(f"cannot {what}: {str(said['errmsg'])[:300]}", "look at the alerts in the browser")
    service_data(answer, what)
    if said.get("s") != "ok":
        raise ToolRefused(f"cannot {what}: the alert service gave an unexpected answer")
    return said.get("r")
