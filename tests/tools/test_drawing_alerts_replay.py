"""Tools for drawings, alerts and replay, compared with what the page and its service keep."""

from typing import Any

import pytest

from pinebench.tools.chart_drawings import POINTS
from tests.studio.support import BARS, CHART
from tests.tools.conftest import Bench

SHAPES = f"{CHART}.getAllShapes()"
REPLAY = "TradingViewApi._replayApi"


def test_shapes_are_drawn_listed_described_and_removed(use: Any, refused: Any, bench: Bench) -> None:
    first, last = bench.js(f"[30, 5].map(i => {BARS}.valueAt({BARS}.lastIndex() - i))")
    one, two = {"time": first[0], "price": first[4]}, {"time": last[0], "price": last[4]}
    line = use("draw_shape", shape="horizontal_line", point=one, overrides='{"linecolor": "#ff0000"}')
    trend = use("draw_shape", shape="trend_line", point=one, point2=two, text="up")
    assert line["verified"] and trend["verified"]
    assert bench.js(f"{SHAPES}.map(s => s.name)") == ["horizontal_line", "trend_line"]
    assert bench.js(f"{CHART}.getShapeById('{trend['entity_id']}').getPoints()") == [one, two]
    assert [each["id"] for each in use("draw_list")["shapes"]] == [line["entity_id"], trend["entity_id"]]
    told = use("draw_get_properties", entity_id=line["entity_id"])
    assert told["properties"] == {"linecolor": "#ff0000"}
    assert told["points"] == [one]
    assert told["visible"] is True and "getPoints" in told["available_methods"]
    assert use("draw_remove_one", entity_id=line["entity_id"])["remaining_shapes"] == 1
    assert "no shape" in refused("draw_remove_one", entity_id=line["entity_id"])
    assert "no drawing" in refused("draw_get_properties", entity_id="zzzzzz")
    assert "all 1 drawings" in refused("draw_clear")
    assert use("draw_clear", confirm=True)["removed"] == 1
    assert bench.js(f"{SHAPES}.length") == 0


def test_the_drawing_of_a_person_at_the_same_moment_is_not_taken_for_ours(use: Any, bench: Bench) -> None:
    time = bench.js(f"{BARS}.valueAt({BARS}.lastIndex())[0]")
    bench.js(
        f"""void (() => {{ const chart = {CHART}; const own = chart.createShape;
        chart.createShape = async (point, options) => {{
        await own.call(chart, {{...point, price: 1}}, {{shape: "horizontal_line"}});
        await new Promise((done) => setTimeout(done, 100));
        return own.call(chart, point, options); }}; window.undo = () => {{ chart.createShape = own; }}; }})()"""
    )
    try:
        made = use("draw_shape", shape="horizontal_line", point={"time": time, "price": 200})
    finally:
        bench.js("window.undo()")
    assert made["verified"] and made["points"][0]["price"] == 200
    assert use("draw_clear", confirm=True)["removed"] == 2


@pytest.mark.parametrize(
    ("ours", "words"),
    [("throw new Error('unknown shape')", "unknown shape"), ("return 'notListed'", "that is not on the chart")],
)
def test_a_new_drawing_is_not_ours_if_the_page_refuses_or_names_another(
    use: Any, refused: Any, bench: Bench, ours: str, words: str
) -> None:
    time = bench.js(f"{BARS}.valueAt({BARS}.lastIndex())[0]")
    bench.js(
        f"""void (() => {{ const chart = {CHART}; const own = chart.createShape;
        chart.createShape = async (point, options) => {{ await own.call(chart, point, options); {ours}; }};
        window.undo = () => {{ chart.createShape = own; }}; }})()"""
    )
    try:
        told = refused("draw_shape", shape="horizontal_line", point={"time": time, "price": 200})
    finally:
        bench.js("window.undo()")
    (appeared,) = use("draw_list")["shapes"]
    assert words in told and f"but a drawing appeared: {appeared['id']}" in told
    assert use("draw_clear", confirm=True)["removed"] == 1


def test_every_kind_of_drawing_is_made_with_its_points(use: Any, bench: Bench) -> None:
    times = bench.js(f"[60, 40, 20].map(i => {BARS}.valueAt({BARS}.lastIndex() - i)[0])")
    places = [{"time": time, "price": 200 + 5 * number} for number, time in enumerate(times)]
    for shape, count in POINTS.items():
        given = dict(zip(("point", "point2", "point3"), places[:count], strict=False))
        made = use("draw_shape", shape=shape, text="here", **given)
        assert made["verified"], shape
        assert made["points"] == places[:count]
    assert bench.js(f"{SHAPES}.map(s => s.name)") == list(POINTS)
    use("draw_clear", confirm=True)


def test_drawings_are_on_the_picture(use: Any, bench: Bench) -> None:
    def red() -> int:
        return bench.js(
            "(async () => { const c = document.createElement('canvas'); const p = await TradingViewApi"
            "._chartWidgetCollection.takeScreenshot(); const i = new Image(); i.src = p; await i.decode();"
            "c.width = i.width; c.height = i.height; const x = c.getContext('2d'); x.drawImage(i, 0, 0);"
            "const d = x.getImageData(0, 0, c.width, c.height).data; let n = 0;"
            "for (let k = 0; k < d.length; k += 4) if (d[k] > 240 && d[k + 1] < 15 && d[k + 2] > 240) n++;"
            "return n; })()"
        )

    bar = bench.js(f"{BARS}.valueAt({BARS}.lastIndex() - 3)")
    place = {"time": bar[0], "price": bar[4]}
    assert red() == 0
    use("draw_shape", shape="horizontal_line", point=place, overrides={"linecolor": "#ff00ff", "linewidth": 3})
    bench.driver.until("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(true))))")
    assert red() > 100
    use("draw_clear", confirm=True)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"shape": "trend_line", "point": {"time": 1, "price": 1}}, "point2 is missing"),
        (
            {"shape": "horizontal_line", "point": {"time": 1, "price": "abc"}},
            "point.price must be a finite number, got: abc",
        ),
        (
            {"shape": "triangle", "point": {"time": 1, "price": 1}, "point2": {"time": 2, "price": 1}},
            "point3 is missing: a triangle has 3 points",
        ),
        ({"shape": "text", "point": {"time": 1, "price": 1}}, "text is missing"),
        ({"shape": "flag", "point": {"time": 1, "price": 1}, "point2": {"time": 1, "price": 1}}, "does not use point2"),
    ],
)
def test_what_cannot_be_drawn_is_refused(refused: Any, bench: Bench, given: dict[str, Any], words: str) -> None:
    assert words in refused("draw_shape", **given)
    assert bench.js(f"{SHAPES}.length") == 0


def test_alerts_are_made_listed_changed_and_deleted(use: Any, refused: Any, bench: Bench) -> None:
    listed = "TradingViewApi._alertService.getAlerts()"
    made = use("alert_create", condition="crossing_up", price=123.45, message="high")
    assert (made["symbol"], made["condition"], made["price"], made["active"]) == (
        "NASDAQ:AAPL",
        "cross_up",
        123.45,
        True,
    )
    other = use("alert_create", condition="less_than", price=1.0853, symbol="OANDA:EURUSD")
    assert [each["alert_id"] for each in use("alert_list")["alerts"]] == [made["alert_id"], other["alert_id"]]
    assert [each["alert_id"] for each in bench.js(listed)] == [made["alert_id"], other["alert_id"]]
    use("ui_open_panel", panel="alerts", action="open")
    rows = "[...document.querySelectorAll('[data-name=alerts] .alert-item')].map(n => n.textContent).join()"
    edited = use("alert_edit", alert_id=made["alert_id"], price=130)
    assert made["price_set"] and edited["price_set"]
    bench.driver.until(f"{rows}.includes('130') && !{rows}.includes('123.45')")
    use("ui_open_panel", panel="watchlist", action="open")
    assert (edited["price"], edited["condition"], edited["message"]) == (130, "cross_up", "high")
    stopped = use("alert_toggle", alert_id=edited["alert_id"], active=False)
    assert stopped["active"] is False
    assert use("alert_list")["alert_count"] == 2
    assert use("alert_toggle", alert_id=stopped["alert_id"], active=False)["alert_id"] == stopped["alert_id"]
    assert "no alert 5" in refused("alert_edit", alert_id=5, price=1)
    assert "there is nothing to change" in refused("alert_edit", alert_id=stopped["alert_id"])
    assert use("alert_delete", alert_id=stopped["alert_id"])["remaining"] == 1
    assert "no alert" in refused("alert_delete", alert_id=stopped["alert_id"])
    assert "give alert_id" in refused("alert_delete")
    assert "deleted permanently" in refused("alert_delete", delete_all=True)
    assert use("alert_delete", delete_all=True, confirm=True)["remaining"] == 0
    assert bench.js(listed) == []


def test_a_person_makes_an_alert_by_the_dialog_and_sees_it(use: Any, bench: Bench) -> None:
    use("ui_open_panel", panel="alerts")
    bench.driver.click("#header-toolbar-alerts")
    bench.driver.until("!!document.querySelector('[class*=alert] input')")
    bench.js("document.querySelector('[class*=alert] input').select()")
    use("ui_type_text", text="150")
    use("ui_click", by="text", value="Create")
    bench.driver.until("document.querySelectorAll('[data-name=alerts] .alert-item').length === 1")
    (alert,) = use("alert_list")["alerts"]
    assert (alert["price"], alert["condition"]) == (150, "cross")
    bench.driver.click("[data-name=alerts] .row__remove")
    bench.driver.until("document.querySelectorAll('[data-name=alerts] .alert-item').length === 0")
    assert use("alert_list")["alert_count"] == 0
    use("ui_open_panel", panel="watchlist")


def test_replay_begins_steps_trades_and_stops(use: Any, refused: Any, bench: Bench) -> None:
    full = bench.js(f"{BARS}.size()")
    start = bench.js(f"{BARS}.valueAt({BARS}.lastIndex() - 50)")[0]
    assert "no replay is running" in refused("replay_step")
    begun = use("replay_start", date=str(start))
    assert begun["verified"]
    assert bench.js(f"{BARS}.size()") == full - 50
    assert use("replay_step", bars=3)["bars"] == 3
    assert bench.js(f"{BARS}.size()") == full - 47
    price = bench.js(f"{BARS}.valueAt({BARS}.lastIndex())[4]")
    assert "would be changed" in refused("replay_trade", action="buy")
    assert use("replay_trade", action="buy", confirm=True)["position"] == 1
    use("replay_step")
    closed = use("replay_trade", action="close", confirm=True)
    later = bench.js(f"{BARS}.valueAt({BARS}.lastIndex())[4]")
    assert closed["position"] == 0
    assert closed["realized_pnl"] == pytest.approx(later - price)
    assert "no position to close" in refused("replay_trade", action="close", confirm=True)
    status = use("replay_status")
    assert status["is_replay_started"] and not status["is_autoplay_started"]
    assert use("replay_stop")["action"] == "replay_stopped"
    assert use("replay_stop")["action"] == "already_stopped"
    assert bench.js(f"{BARS}.size()") == full
    assert use("replay_status")["is_replay_started"] is False


def test_a_replay_that_ends_by_itself_has_not_stepped_or_traded(use: Any, refused: Any, bench: Bench) -> None:
    own = f"void (window.ownReplay = {{ doStep: {REPLAY}.doStep, buy: {REPLAY}.buy }})"
    bench.js(own)
    for action, call in (("doStep", "replay_step"), ("buy", "replay_trade")):
        use("replay_start")
        bench.js(f"void ({REPLAY}.{action} = () => {REPLAY}.stopReplay())")
        told = refused(call, **({"action": "buy", "confirm": True} if action == "buy" else {}))
        bench.js(f"void ({REPLAY}.{action} = window.ownReplay.{action})")
        assert ("moved only 0 of 1 bars" if action == "doStep" else "is not the expected result of 'buy'") in told
    assert use("replay_status")["is_replay_started"] is False


def test_a_trade_in_the_other_direction_is_not_told_as_done(use: Any, refused: Any, bench: Bench) -> None:
    use("replay_start")
    bench.js(f"window.ownBuy = {REPLAY}.buy; void ({REPLAY}.buy = () => {REPLAY}.sell())")
    told = refused("replay_trade", action="buy", confirm=True)
    bench.js(f"void ({REPLAY}.buy = window.ownBuy)")
    assert "the position was 0 and is now -1, which is not the expected result of 'buy'" in told
    use("replay_stop")


def test_replay_plays_by_itself_with_listed_pauses_only(use: Any, refused: Any, bench: Bench) -> None:
    use("replay_start")
    before = bench.js(f"{BARS}.size()")
    for speed in (150, 0, 99999):
        assert "speed must be" in refused("replay_autoplay", speed=speed)
    assert use("replay_autoplay", speed=100)["autoplay_active"]
    bench.driver.until(f"{BARS}.size() > {before + 2}")
    assert use("replay_autoplay", active=False)["autoplay_active"] is False
    use("replay_stop")
    assert bench.js("window.__PINEBENCH_STUDIO__.accountCorrupted") is not True
    bench.js(f"{REPLAY}.hideReplayToolbar()")
    assert bench.js("window.__PINEBENCH_STUDIO__.accountCorrupted") is True


def test_a_replay_before_all_bars_does_not_begin(refused: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinebench.tools.replay.BEGIN_MS", 300)
    assert "the replay did not start" in refused("replay_start", date="1999-01-01")
    assert bench.js(f"{REPLAY}.isReplayStarted().value()") is False


def test_a_replay_that_runs_is_not_taken_for_one_at_another_date(
    use: Any, refused: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A date that no bar has is refused whether or not a replay runs, and the one that runs stays where it is."""
    start = bench.js(f"{BARS}.valueAt({BARS}.lastIndex() - 50)")[0]
    assert "the chart has no bars at 2099-01-01: the newest one is from 20" in refused(
        "replay_start", date="2099-01-01"
    )
    assert use("replay_status")["is_replay_started"] is False
    use("replay_start", date=str(start))
    date = use("replay_status")["current_date"]
    monkeypatch.setattr("pinebench.tools.replay.BEGIN_MS", 300)
    assert f"the running replay is still at {date}" in refused("replay_start", date="1999-01-01")
    assert use("replay_status")["current_date"] == date
    use("replay_stop")


def test_a_replay_that_runs_and_does_not_move_is_not_verified(
    use: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = bench.js(f"{BARS}.valueAt({BARS}.lastIndex() - 50)")[0]
    use("replay_start", date=str(start))
    monkeypatch.setattr("pinebench.tools.replay.BEGIN_MS", 300)
    assert use("replay_start", date=str(start))["verified"]
    bench.js(f"window.ownWays = [{REPLAY}.selectDate, {REPLAY}.selectFirstAvailableDate]")
    bench.js(f"void ({REPLAY}.selectDate = {REPLAY}.selectFirstAvailableDate = () => undefined)")
    assert not use("replay_start", date=str(start - 4 * 86_400))["verified"]
    assert not use("replay_start")["verified"]
    bench.js(f"void ([{REPLAY}.selectDate, {REPLAY}.selectFirstAvailableDate] = window.ownWays)")
    assert use("replay_start")["verified"]
    use("replay_stop")


def test_what_was_bought_is_not_sold_at_the_price_of_another_symbol(use: Any, refused: Any, bench: Bench) -> None:
    use("replay_start", date=str(bench.js(f"{BARS}.valueAt({BARS}.lastIndex() - 50)")[0]))
    bought = bench.js(f"{BARS}.valueAt({BARS}.lastIndex())[4]")
    use("replay_trade", action="buy", confirm=True)
    use("chart_set_symbol", symbol="NASDAQ:MSFT")
    assert use("replay_status")["position"] == 0
    assert "no position to close" in refused("replay_trade", action="close", confirm=True)
    assert use("replay_trade", action="sell", confirm=True)["position"] == -1
    use("chart_set_symbol", symbol="NASDAQ:AAPL")
    use("replay_step")
    closed = use("replay_trade", action="close", confirm=True)
    assert closed["realized_pnl"] == pytest.approx(bench.js(f"{BARS}.valueAt({BARS}.lastIndex())[4]") - bought)
    use("replay_stop")


def test_an_alert_fires_when_replayed_bars_cross_it(use: Any, bench: Bench) -> None:
    rows = bench.js(f"Array.from({{length: 40}}, (_, i) => {BARS}.valueAt({BARS}.lastIndex() - 39 + i))")
    index = next(i for i in range(1, 40) if rows[i][4] > rows[i - 1][4] + 0.02)
    price = round((rows[index][4] + rows[index - 1][4]) / 2, 2)
    alert = use("alert_create", condition="crossing_up", price=price)["alert_id"]
    bench.js("TradingViewApi._alertService.getAlerts()")
    use("replay_start", date=str(rows[index - 1][0]))
    use("replay_step")
    bench.driver.until(
        f"TradingViewApi._alertService.getAlerts().then(a => a.some(o => o.alert_id === {alert} && o.last_fire_time))"
    )
    (fired,) = use("alert_list")["alerts"]
    assert fired["active"] is False
    assert fired["last_fired"]
    use("replay_stop")
    use("alert_delete", alert_id=alert)
