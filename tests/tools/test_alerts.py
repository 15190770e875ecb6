"""Alerts of whoever is logged in: what a change of one may never lose, told by a service of the test's own."""

import copy
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from pinebench.errors import PinebenchError
from pinebench.tools import alerts
from pinebench.tools.alert_service import is_as_asked
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.tool_calls import ToolRefused
from pinebench.tradingview.errors import ServiceError
from tests.tables import each

LATER = (datetime.now(UTC) + timedelta(days=20)).isoformat()


class Service:
    """An alert service, and a chart beside it; `meddle` is called with a new alert before it is kept."""

    def __init__(self, *rows: dict[str, Any]) -> None:
        self.rows = list(rows)
        self.says_id = True
        self.drops: tuple[str, ...] = ()
        self.alters: dict[str, Any] = {}
        self.another: dict[str, Any] | None = None
        self.silent: tuple[str, ...] = ()
        """The requests that are done, and that get no answer in time."""
        self.down: tuple[str, ...] = ()
        """The requests that are refused."""
        self.fires: list[dict[str, Any]] = []
        self.lines: list[str] = []
        self.chart: dict[str, Any] = {"symbol": "NASDAQ:AAPL", "resolution": "60"}
        self.scripts: dict[str, Any] = {}

    def read(self, name: str, argument: Any = None) -> dict[str, Any]:
        return {"chart_summary": self.chart, "alert_script": {**self.chart, **self.scripts}}[name]

    def act(self, name: str, argument: dict[str, Any], timeout: float = 20.0) -> dict[str, Any]:
        if name == "alerts_listed":
            return {"listed": None}
        assert (name, timeout > 0) == ("alert_request", True)
        path, payload = argument["path"], argument["payload"]
        if path in self.down:
            return {"status": 500, "data": None, "text": ""}
        if path in self.silent:
            getattr(self, path.removeprefix("/"))(payload)
            return {"status": 0, "data": None, "text": "no answer in time"}
        return {"status": 200, "data": {"s": "ok", "r": getattr(self, path.removeprefix("/"))(payload)}, "error": None}

    @property
    def connection(self) -> "Service":
        return self

    def notify(self, line: str) -> None:
        self.lines.append(line)

    def list_fires(self, payload: dict[str, Any]) -> list[dict[str, Any]]:
        """The newest of all fires: this service does not choose those of one alert."""
        return copy.deepcopy(self.fires[: payload["limit"]])

    def list_alerts(self, payload: None) -> list[dict[str, Any]]:
        return copy.deepcopy(self.rows)

    def create_alert(self, payload: dict[str, Any]) -> Any:
        number = max((row["alert_id"] for row in self.rows), default=100) + 1
        made = {key: value for key, value in payload.items() if key not in ("conditions", *self.drops)}
        self.rows.append({**made, "condition": payload["conditions"][0], **self.alters, "alert_id": number})
        if self.another is not None:
            self.rows.append({**self.another, "alert_id": number + 1})
        return {"alert_id": number} if self.says_id else {}

    def delete_alerts(self, payload: dict[str, Any]) -> dict[str, Any]:
        self.rows = [row for row in self.rows if row["alert_id"] not in payload["alert_ids"]]
        return {}


def alert(number: int = 7, **more: Any) -> dict[str, Any]:
    """An alert on a price with all that its owner may have chosen."""
    condition = {"type": "cross_up", "frequency": "on_bar_close", "resolution": "240", "cross_interval": True}
    return {
        "alert_id": number,
        "symbol": '={"symbol":"OANDA:EURUSD","adjustment":"splits"}',
        "type": "price",
        "message": "up",
        "active": True,
        "condition": {**condition, "series": [{"type": "barset"}, {"type": "value", "value": 1.1}]},
        "resolution": "240",
        "create_time": "2024-01-01T00:00:00Z",
        "last_fire_time": None,
        "expiration": LATER,
        "name": "My level",
        "web_hook": "https://example.com/hook",
        "email": True,
        **more,
    }


def at(service: Service) -> ToolContext:
    return cast("ToolContext", service)


def test_a_changed_alert_keeps_all_that_was_not_to_change() -> None:
    long = "buy now " * 300
    service = Service(alert(message=long))
    alerts.alert_edit(at(service), 7, price=1.25)
    (row,) = service.rows
    expected = alert(message=long)
    expected["condition"]["series"][1]["value"] = 1.25
    ignored = {"alert_id", "create_time", "last_fire_time", "type"}
    assert {key: value for key, value in row.items() if key not in ignored} == {
        key: value for key, value in expected.items() if key not in ignored
    }


def test_a_new_price_with_a_message_that_names_the_old_one_is_refused() -> None:
    """The message would tell a person, or an order, the price of before."""
    for message in ("EURUSD Crossing Up 1.10", "sell, at 1.1!", "1.1"):
        service = Service(alert(message=message))
        with pytest.raises(ToolRefused, match="names the old price"):
            alerts.alert_edit(at(service), 7, price=1.25)
        assert service.rows == [alert(message=message)]
        assert alerts.alert_edit(at(service), 7, price=1.25, message="at 1.25")["message"] == "at 1.25"
    for message in ("11.1 of 1.101, or 21.1", "up"):
        assert alerts.alert_edit(at(Service(alert(message=message))), 7, price=1.25)["price"] == 1.25
    assert alerts.alert_edit(at(Service(alert(message="1.1"))), 7, condition="crossing")["price"] == 1.1


def test_no_alert_is_made_on_a_chart_that_is_not_known() -> None:
    service = Service()
    service.chart = {"symbol": None, "resolution": None}
    for symbol in (None, "NASDAQ:AAPL"):
        with pytest.raises(ToolRefused, match="does not say what its chart shows"):
            alerts.alert_create(at(service), "crossing", 5.0, symbol=symbol)
    assert service.rows == []


def test_an_alert_does_not_run_a_script_with_an_input_that_it_cannot_have() -> None:
    """It would run with the default, and fire at other moments than the chart shows."""
    script = {"name": "Trend", "pine_id": "USER;abc1", "meta_id": "", "version": "3.0", "strategy": False}
    more = {"inputs": [{"id": "in_0", "value": 5}], "conditions": [], "offsets": {}, "id": "s1"}
    service = Service()
    service.scripts = {"fitting": [], "known": [], "script": {**script, **more, "odd": ["in_1"]}}
    with pytest.raises(ToolRefused, match="the input in_1 of 'Trend'"):
        alerts.alert_create_script(at(service), "alert")
    assert service.rows == []
    service.scripts["script"]["odd"] = []
    assert alerts.alert_create_script(at(service), "alert")["fires_on"] == "alert()"


def test_a_stopped_alert_keeps_all() -> None:
    service = Service(alert())
    assert alerts.alert_toggle(at(service), 7, active=False)["active"] is False
    (row,) = service.rows
    assert (row["web_hook"], row["name"], row["condition"], row["expiration"], row["message"]) == (
        "https://example.com/hook",
        "My level",
        alert()["condition"],
        LATER,
        "up",
    )


def test_an_alert_that_ends_earlier_than_requested_is_not_called_verified() -> None:
    """As a plan may have it."""
    service = Service()
    assert alerts.alert_create(at(service), "crossing", 200.0)["verified"]
    for end in (LATER, None):
        service.alters = {"expiration": end}
        made = alerts.alert_create(at(service), "crossing", 200.0)
        assert (made["verified"], made["expiration"]) == (False, end)


def test_an_alert_that_would_fire_more_often_than_requested_is_deleted_again() -> None:
    service = Service()
    series = [{"type": "barset"}, {"type": "value", "value": 200.0}]
    service.alters = {"condition": {"type": "cross", "frequency": "all", "series": series}}
    with pytest.raises(ToolRefused, match="an alert that differs from the request"):
        alerts.alert_create(at(service), "crossing", 200.0)
    assert service.rows == []


@each(
    ("alters", "words"),
    [
        ({"auto_deactivate": False}, "stops after it has fired"),
        ({"resolution": "5"}, "timeframe"),
        ({"resolution": "11D"}, "timeframe"),
        ({"resolution": "24h"}, "timeframe"),
        ({"resolution": "1d"}, None),
        ({"resolution": None}, None),
        ({"pine_version": "2.0"}, "version of the script"),
        ({"pine_version": "3.1"}, "version of the script"),
        ({"pine_version": "30"}, "version of the script"),
        ({"pine_version": "3"}, None),
        ({"pine_version": 3}, None),
        ({"pine_version": None}, None),
        ({}, None),
    ],
)
def test_what_the_service_did_not_keep_of_an_alert_on_a_script_is_named(
    alters: dict[str, Any], words: str | None
) -> None:
    series = {"pine_id": "USER;1", "pine_version": "3.0", "inputs": {"in_0": 5}}
    form = {"type": "pine_alert", "frequency": "on_bar_close", "series": [series]}
    asked = {"conditions": [form], "auto_deactivate": True, "resolution": "1D", "web_hook": None}
    changed = {key: value for key, value in alters.items() if key == "pine_version"}
    kept = {**form, "series": [{**series, **changed}]}
    row = {**asked, "conditions": [kept], "resolution": "D", **alters}
    found = alerts._script_problem(row, asked)
    assert found is None if words is None else found is not None and words in found


@each(
    ("kind", "often", "same"),
    [
        ("alert_cond", "on_bar_close", True),
        ("alert_cond", "ON_BAR_CLOSE", True),
        ("alert_cond", "onBarClose", True),
        ("alert_cond", None, True),
        ("alert_cond", "on_first_fire", False),
        ("pine_alert", "all", True),
    ],
)
def test_only_a_frequency_with_which_an_alert_would_fire_otherwise_makes_it_another(
    kind: str, often: str | None, same: bool
) -> None:
    """Calls of `alert()` say themselves how often they fire."""
    asked = {"symbol": "NASDAQ:AAPL", "active": True, "conditions": [{"type": kind, "frequency": "on_bar_close"}]}
    made = {**asked, "conditions": [{"type": kind, "frequency": often}]}
    assert is_as_asked(made, asked) is same


@pytest.mark.parametrize("dropped", ["web_hook", "name", "expiration"])
def test_an_alert_stays_where_the_service_would_not_keep_all_of_it(dropped: str) -> None:
    service = Service(alert())
    service.drops = (dropped,)
    with pytest.raises(ToolRefused, match=f"'{dropped}' of alert 7, so the alert was not changed"):
        alerts.alert_edit(at(service), 7, price=2)
    assert service.rows == [alert()]


@each(
    "other",
    [
        {"condition": {"type": "cross", "series": [{"type": "barset"}, {"type": "study", "study": "RSI"}]}},
        {"condition": {"type": "channel", "series": [{"type": "barset"}, {"type": "value", "value": 1}]}},
        {"condition": {"type": "alert_cond", "alert_cond_id": "plot_3", "series": [{"type": "study"}]}},
        {"conditions": [alert()["condition"], alert()["condition"]]},
        {"condition": "cross"},
        {"condition": None},
    ],
)
def test_an_alert_on_something_else_is_not_made_anew(other: dict[str, Any]) -> None:
    row = alert(**other)
    service = Service(row)
    for change in (
        lambda: alerts.alert_edit(at(service), 7, price=2),
        lambda: alerts.alert_toggle(at(service), 7, False),
    ):
        with pytest.raises(ToolRefused, match="this tool changes only alerts on one price"):
            change()
    assert service.rows == [row]


def test_an_alert_that_ended_is_not_switched_on() -> None:
    row = alert(active=False, expiration="2020-01-01T00:00:00Z")
    service = Service(row)
    with pytest.raises(ToolRefused, match="expired on 2020"):
        alerts.alert_toggle(at(service), 7, active=True)
    assert service.rows == [row]


@pytest.mark.parametrize("says_id", [True, False])
def test_an_alert_that_somebody_else_makes_meanwhile_stays(says_id: bool) -> None:
    service = Service()
    service.says_id = says_id
    service.another = alert(message="somebody else's")
    made = alerts.alert_create(at(service), "less_than", 90.5, "mine")
    assert (made["message"], made["condition"], made["price"]) == ("mine", "less", 90.5)
    assert [row["message"] for row in service.rows] == ["mine", "somebody else's"]


def test_nothing_is_deleted_that_is_not_surely_ours() -> None:
    service = Service()
    service.says_id = False
    service.alters = {"active": False}
    with pytest.raises(ToolRefused, match="does not list it"):
        alerts.alert_create(at(service), "less_than", 90.5, "mine")
    assert len(service.rows) == 1


@pytest.mark.parametrize(
    "otherwise", [{"active": False}, {"symbol": "NASDAQ:MSFT"}, {"symbol": "NYSE:AAPL"}, {"symbol": None}]
)
def test_an_alert_made_otherwise_than_asked_is_deleted_again(otherwise: dict[str, Any]) -> None:
    service = Service(alert())
    service.alters = otherwise
    with pytest.raises(ToolRefused, match="pinebench deleted it"):
        alerts.alert_create(at(service), "less_than", 90.5, "mine")
    assert service.rows == [alert()]


def test_an_alert_may_be_on_delayed_prices_of_its_symbol_and_name_the_exchange_of_a_ticker() -> None:
    service = Service()
    service.alters = {"symbol": '={"symbol":"BATS:AAPL"}'}
    assert alerts.alert_create(at(service), "less_than", 90.5, "mine")["symbol"] == "BATS:AAPL"
    service.alters = {"symbol": "OANDA:EURUSD"}
    assert alerts.alert_create(at(service), "less_than", 1.1, "other", "eurusd")["symbol"] == "OANDA:EURUSD"


def test_an_alert_that_was_made_without_an_answer_is_told_as_made() -> None:
    service = Service(alert())
    service.silent = ("/create_alert",)
    assert alerts.alert_create(at(service), "less_than", 90.5, "mine")["message"] == "mine"
    assert len(service.rows) == 2


def test_a_service_that_did_not_make_the_alert_is_told() -> None:
    service = Service(alert())
    service.down = ("/create_alert",)
    with pytest.raises(ServiceError, match="cannot create the alert: HTTP 500"):
        alerts.alert_create(at(service), "less_than", 90.5, "mine")


def test_of_two_alerts_where_the_old_one_stays_both_are_named() -> None:
    service = Service(alert())
    service.down = ("/delete_alerts",)
    with pytest.raises(ToolRefused, match="the new alert 8 exists, but the old alert 7 could not be deleted"):
        alerts.alert_edit(at(service), 7, price=1.2)
    assert [row["alert_id"] for row in service.rows] == [7, 8]


def test_an_old_alert_that_was_deleted_without_an_answer_is_gone() -> None:
    service = Service(alert())
    service.silent = ("/delete_alerts",)
    assert alerts.alert_edit(at(service), 7, price=1.2)["alert_id"] == 8
    assert [row["alert_id"] for row in service.rows] == [8]


def test_an_alert_that_is_named_twice_is_one() -> None:
    service = Service(alert(7), alert(8))
    assert alerts.alert_delete(at(service), 7, [7, 7])["deleted"] == [7]
    assert [row["alert_id"] for row in service.rows] == [8]


def test_a_message_of_the_services_own_is_taken() -> None:
    service = Service()
    service.alters = {"message": "AAPL Less Than 90.5"}
    assert alerts.alert_create(at(service), "less_than", 90.5)["message"] == "AAPL Less Than 90.5"


@pytest.mark.parametrize("rows", [[1], ["a"], [None], [alert(), 3]])
def test_a_list_of_another_shape_is_refused(rows: list[Any]) -> None:
    service = Service()
    service.rows = rows
    with pytest.raises(PinebenchError, match="unexpected form"):
        alerts.alert_list(at(service))


@each(
    "odd",
    [
        {"alert_id": "7"},
        {"alert_id": None},
        {"condition": 3},
        {"condition": {"type": 1, "series": 5}},
        {"conditions": {}},
        {"symbol": "={"},
        {"symbol": "=[]"},
        {"message": None},
    ],
)
def test_odd_alerts_are_listed_all_the_same(odd: dict[str, Any]) -> None:
    assert alerts.alert_list(at(Service({**alert(), **odd})))["alert_count"] == 1


def test_fires_of_one_alert_are_found_behind_those_of_others_and_unread_ones_are_told() -> None:
    service = Service()
    service.fires = [{"alert_id": 8, "fire_time": 1_700_000_000 - number} for number in range(60)]
    service.fires.append({"alert_id": 7, "fire_time": 1_600_000_000})
    assert [fire["alert_id"] for fire in alerts.alert_log(at(service), 50, 7)["fires"]] == [7]
    assert service.lines == []
    service.fires = service.fires[:60] * 10
    assert alerts.alert_log(at(service), 50, 7)["count"] == 0
    assert service.lines == ["only the newest 500 fired alerts were read, so alert 7 may have older"]


def test_a_cut_message_says_so() -> None:
    service = Service(alert(1, message="a" * 500), alert(2, message="a" * 501))
    whole, cut = [each["message"] for each in alerts.alert_list(at(service))["alerts"]]
    assert whole == "a" * 500
    assert cut == "a" * 499 + "…"
