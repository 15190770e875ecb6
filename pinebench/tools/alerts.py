"""Tools for TradingView's alerts on prices and scripts, and for the log of fired alerts. They use the page's log-in."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, TypedDict, cast

from pinebench.errors import PinebenchError, UsageError
from pinebench.near import hint_of_names
from pinebench.tools.alert_service import (
    AlertRow,
    ChartAlert,
    CreatedAlert,
    as_object,
    ask_service,
    condition_of,
    create_alert,
    delete_alert,
    ends_as_asked,
    entry_of,
    is_as_asked,
    let_page_list,
    listed_row,
    listed_rows,
    result_of,
    symbol_in,
)
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

_CONDITION = ChoiceArgument(tuple(CONDITIONS), "how the price must reach the level")
_MESSAGE = TextArgument("the message of the alert", longest=4_000, empty=True)
_ID = IntegerArgument("from alert_list", 0)
_PRICE = Number("the price level", least=-1e12, most=1e12)
_LISTED = 500
"""The largest number of characters of a message that a list of alerts shows."""

_MOST_FIRES = 500
"""The largest number of fired alerts that are requested; the service may not choose the requested alert."""

_OWN = frozenset(
    {"alert_id", "id", "type", "condition", "conditions", "message", "active", "create_time", "last_fire_time"}
    | {"last_fire_bar_time", "last_error", "last_stop_reason"}
)
"""The keys of an alert that are not settings of its owner. They may differ if the alert is created again."""


class ChartAlertList(TypedDict):
    """All alerts of the user who is logged in. A message of more than 500 characters is cut, and ends with `…`."""

    alert_count: int
    source: str
    alerts: list[ChartAlert]


@tool("alerts", "List the alerts.", outside=True, untrusted=("alerts",), prices=True)
def alert_list(at: ToolContext) -> ChartAlertList:
    """Return all alerts of the alert service."""
    found = [entry_of(row) for row in listed_rows(at)]
    for each in found:
        each["message"] = _cut(each["message"])
    return {"alert_count": len(found), "source": "internal_api", "alerts": found}


@tool(
    "alerts",
    "Create an alert on a price of the chart's symbol or another symbol.",
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
    days: Annotated[int, IntegerArgument("until it expires", 1, 88)] = DAYS,
) -> CreatedAlert:
    """Create an alert, and read it back."""
    chart: chart_results.ChartSummary = at.read("chart_summary")
    if chart["symbol"] is None or chart["resolution"] is None:
        raise ToolRefused("the page does not say what its chart shows", "wait until the chart has loaded")
    wanted = symbol or chart["symbol"]
    end = datetime.now(UTC) + timedelta(days=days)
    payload = {
        "conditions": [_crossing(CONDITIONS[condition], price, chart["resolution"])],
        "symbol": "=" + json.dumps({"symbol": wanted, "adjustment": "splits"}),
        "resolution": chart["resolution"],
        "message": message,
        "expiration": end.isoformat(timespec="seconds").replace("+00:00", "Z"),
        "active": True,
    }
    row = create_alert(at, payload)
    made = entry_of(row)
    let_page_list(at, [made["alert_id"]], [])
    return result_of(made, verified=is_as_asked(row, payload) and ends_as_asked(row, payload))


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
    old = _remakable(listed_row(at, alert_id), alert_id)
    now = entry_of(old)
    if message is None and price is not None and price != now["price"] and _names(now["message"], now["price"]):
        raise ToolRefused(
            f"the message of alert {alert_id} names the old price: {_cut(now['message'])!r}",
            "give the new message, too; nothing was changed",
        )
    kind = now["condition"] if condition is None else CONDITIONS[condition]
    changed = {
        "conditions": [_crossing(kind, now["price"] if price is None else price, now["resolution"], condition_of(old))],
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
    """Create the alert again, active or stopped, and delete the old one when the new one exists. An alert that is
    already in this state is left alone."""
    row = listed_row(at, alert_id)
    now = entry_of(row)
    if now["active"] == active:
        return result_of(now, verified=now["active"] == active)
    old = _remakable(row, alert_id)
    if active and _ended(now["expiration"]):
        raise ToolRefused(f"alert {alert_id} expired on {now['expiration']}", "create it again with alert_create")
    kept = {"conditions": [condition_of(old)], "message": now["message"]}
    return _replaced(at, alert_id, {**_settings(old), **kept, "active": active})


class MadeOnScript(CreatedAlert):
    """An alert on a script, read back from the service, with the script and the `alertcondition()` that fires it."""

    script: str
    fires_on: str
    webhook: str | None


_KINDS = ChoiceArgument(("alertcondition", "alert", "orders"), "what fires it")
_WEBHOOK = TextArgument("an HTTPS address that receives the message (the account needs 2FA)", 2_000)
_ORDERS = (
    "pinebench cannot create alerts on orders, because it does not know how TradingView stores them",
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
    once: Annotated[bool, Flag("stop after it has fired once")] = False,
    on_close: Annotated[bool, Flag("fire only at the close of a bar")] = True,
    days: Annotated[int, IntegerArgument("until it expires", 1, 88)] = DAYS,
) -> MadeOnScript:
    """Create the alert with the script's current inputs, and read it back."""
    if kind == "orders":
        raise ToolRefused(*_ORDERS)
    if webhook is not None and not webhook.startswith("https://"):
        raise UsageError("webhook must be an HTTPS address", "give, for example, https://example.com/hook")
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
    row = create_alert(at, payload)
    made = entry_of(row)
    problem = _script_problem(row, payload)
    if problem is not None:
        delete_alert(at, made["alert_id"])
        raise ToolRefused(
            f"the alert service changed a part of the alert ({problem}), so pinebench deleted the alert",
            "create it in the browser",
        )
    let_page_list(at, [made["alert_id"]], [])
    fires_on = "alert()" if chosen is None else chosen["title"] or chosen["id"]
    return {
        **result_of(made, verified=problem is None and ends_as_asked(row, payload)),
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
    if script["odd"]:
        raise ToolRefused(
            f"the value of the input {script['odd'][0]} of '{script['name']}' cannot be given to an alert, which would "
            "run with the script's default instead",
            "create the alert in the browser's dialog",
        )
    known = PINE_ID.search(script["pine_id"] or "") or PINE_ID.search(script["meta_id"])
    if known is None or script["version"] is None:
        raise ToolRefused(
            f"'{script['name']}' is not a saved version of a script, so no alert can run it",
            "save the script, and add it to the chart again",
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
    listed = hint_of_names("titles", (f"{each['title'] or '?'} ({each['id']})" for each in known))
    what = f"called '{wanted}'" if wanted else "in it"
    raise ToolRefused(f"'{script['name']}' has {len(chosen) or 'no'} alertcondition() {what}", listed)


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


def _script_problem(row: AlertRow, payload: AlertRow) -> str | None:
    """Return the part of a requested alert on a script that the service stored differently; None if there is none."""
    condition, form = condition_of(row), payload["conditions"][0]
    series: Any = condition.get("series")
    kept = as_object(cast("list[Any]", series)[0]) if isinstance(series, list) and series else {}
    wanted = form["series"][0]
    if condition.get("alert_cond_id") != form.get("alert_cond_id") and form["type"] == "alert_cond":
        return "the alertcondition"
    if kept.get("pine_id") != wanted["pine_id"]:
        return "the script"
    lost = [name for name, value in wanted["inputs"].items() if as_object(kept.get("inputs")).get(name) != value]
    if lost:
        return f"the input {lost[0]}"
    if _version(kept.get("pine_version") or wanted["pine_version"]) != _version(wanted["pine_version"]):
        return "the version of the script"
    if bool(row.get("auto_deactivate", payload["auto_deactivate"])) != payload["auto_deactivate"]:
        return "whether it stops after it has fired"
    timeframe = entry_of(row)["resolution"]
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


class Fire(TypedDict):
    """An alert that has fired; a field that the service does not give is None."""

    alert_id: int | None
    symbol: str
    message: str
    fired: str | None
    resolution: str | None


class Fires(TypedDict):
    """The log of fired alerts, the newest first. A message of more than 500 characters is cut, and ends with `…`."""

    count: int
    source: str
    fires: list[Fire]


@tool("alerts", "Read the log of fired alerts, the newest first.", outside=True, untrusted=("fires",), prices=True)
def alert_log(
    at: ToolContext,
    limit: Annotated[int, IntegerArgument("how many, newest first", 1, _MOST_FIRES, clamp=True)] = 50,
    alert_id: Annotated[int, _ID] | None = None,
) -> Fires:
    """Return the log of fired alerts from the alert service."""
    payload = {"limit": limit} if alert_id is None else {"limit": _MOST_FIRES, "alert_id": alert_id}
    rows: Any = ask_service(at, "/list_fires", payload, "list the fired alerts")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in cast("list[Any]", rows)):
        raise ToolRefused("the log from the alert service has an unexpected form", "look at the log in the browser")
    fires = [_fire(row) for row in cast("list[AlertRow]", rows)]
    if alert_id is not None:
        own = [each for each in fires if each["alert_id"] == alert_id]
        if len(own) < len(fires) >= _MOST_FIRES and len(own) < limit:
            at.connection.notify(
                f"only the newest {len(fires)} fired alerts were read, so alert {alert_id} may have older"
            )
        fires = own
    return {"count": len(fires[:limit]), "source": "internal_api", "fires": fires[:limit]}


def _cut(message: str) -> str:
    return message if len(message) <= _LISTED else message[: _LISTED - 1] + "…"


def _fire(row: AlertRow) -> Fire:
    number, time = row.get("alert_id"), row.get("fire_time") or row.get("time")
    if isinstance(time, int | float):
        time = datetime.fromtimestamp(time if time < 1e11 else time / 1000, UTC).isoformat()
    return {
        "alert_id": number if isinstance(number, int) else None,
        "symbol": symbol_in(str(row.get("symbol") or "")),
        "message": _cut(str(row.get("message") or "")),
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
    known = [entry_of(row)["alert_id"] for row in listed_rows(at)]
    chosen = known if delete_all else wanted
    missing = [each for each in chosen if each not in known]
    if missing:
        raise ToolRefused(f"there is no alert {missing[0]}", hint_of_names("alerts", known[:50]))
    if (delete_all or len(chosen) > 1) and not confirm:
        raise ToolRefused(f"{len(chosen)} alerts would be deleted permanently", "call again with confirm: true")
    if chosen:
        ask_service(at, "/delete_alerts", {"alert_ids": chosen}, "delete alerts")
    left = [entry_of(row)["alert_id"] for row in listed_rows(at)]
    stayed = [each for each in chosen if each in left]
    if stayed:
        raise ToolRefused(f"alert {stayed[0]} was not deleted: it is still in the list", "delete it in the browser")
    let_page_list(at, [], chosen)
    return {"deleted": chosen, "remaining": len(left), "source": "internal_api", "verified": not stayed}


def _crossing(kind: str, price: float | None, resolution: str, like: AlertRow | None = None) -> AlertRow:
    """Return a condition of type `kind` on the level `price`. Other settings, such as how often it fires, come from
    `like`."""
    series = [{"type": "barset"}, {"type": "value", "value": price}]
    return {"frequency": "on_first_fire", "resolution": resolution, **(like or {}), "type": kind, "series": series}


def _names(message: str, price: float | None) -> bool:
    """Return whether a message has this price as a number, such as `1,234.50` or `1234.5`."""
    return any(float(number.replace(",", "")) == price for number in _NUMBERS.findall(message))


_NUMBERS = re.compile(r"-?\d[\d,]*(?:\.\d+)?", re.ASCII)


def _remakable(row: AlertRow, alert_id: int) -> AlertRow:
    """Return `row` if it can be created again. Raises ToolRefused if its condition is not about one price alone."""
    condition = condition_of(row)
    series = condition.get("series")
    on_price = isinstance(series, list) and [as_object(each).get("type") for each in cast("list[Any]", series)] == [
        "barset",
        "value",
    ]
    several = isinstance(row.get("conditions"), list) and len(row["conditions"]) > 1
    if several or not on_price or condition.get("type") not in CONDITIONS.values():
        raise ToolRefused(
            f"this tool changes only alerts on one price, and alert {alert_id} has another kind of condition",
            "change it in the browser",
        )
    return row


def _settings(row: AlertRow) -> AlertRow:
    """Return the settings of an alert except condition and message: expiration, notifications, name and others."""
    return {key: value for key, value in row.items() if key not in _OWN and value is not None}


def _replaced(at: ToolContext, old: int, payload: AlertRow) -> CreatedAlert:
    """Create an alert in place of the alert `old`, and delete the old one when the new one exists.

    Raises ToolRefused, and deletes the new alert again, if the service does not keep one of the settings.
    """
    row = create_alert(at, payload)
    made = entry_of(row)
    lost = [key for key, value in payload.items() if key not in _OWN and row.get(key) != value]
    if lost:
        delete_alert(at, made["alert_id"])
        raise ToolRefused(
            f"the alert service would also change '{lost[0]}' of alert {old}, so the alert was not changed",
            "change it in the browser",
        )
    try:
        delete_alert(at, old)
    except PinebenchError as error:
        if any(entry_of(each)["alert_id"] == old for each in listed_rows(at)):
            raise ToolRefused(
                f"the new alert {made['alert_id']} exists, but the old alert {old} could not be deleted",
                f"{error.message}; both exist now, so delete one of them",
            ) from error
    if any(entry_of(each)["alert_id"] == old for each in listed_rows(at)):
        raise ToolRefused(
            f"the new alert {made['alert_id']} was created, but the old alert {old} still exists", "delete one of them"
        )
    let_page_list(at, [made["alert_id"]], [old])
    return result_of(made, verified=not lost)


def _ended(expiration: str | None) -> bool:
    """Return whether an alert has expired. False if its expiration cannot be read; the service will report that."""
    try:
        end = datetime.fromisoformat(str(expiration))
    except ValueError:
        return False
    return (end if end.tzinfo else end.replace(tzinfo=UTC)) <= datetime.now(UTC)
