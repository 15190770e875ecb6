"""Drawings in the panes of studies, and price levels of alerts that are dragged."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call
from tests.studio.gallery.drawing import hide_panel, settled, shot
from tests.studio.support import BARS, CHART, CTRL, SHIFT, Driver, away
from tests.studio.test_desk import size
from tests.studio.test_drawing_tools import BLUE, POINTS, SHAPES, click, drag, mouse, take
from tests.studio.test_drawn import places
from tests.studio.test_look import findings

ALERTS = "TradingViewApi._alertService.getAlerts()"
LEVEL = "document.querySelector('[data-name=\"alert-level\"]')"
VALUES = f"{ALERTS}.then((all) => all.map((one) => one.condition.series[1].value))"


@pytest.fixture
def page(shared: Driver) -> Iterator[Driver]:
    """The module's page without drawings, studies and alerts."""
    size(shared, 1440, 900)
    hide_panel(shared)
    away(shared)
    yield shared
    shared.press("Escape", "Escape", 27)
    shared.js(f"{CHART}.removeAllShapes(), {CHART}.removeAllStudies(), 1")
    shared.js(
        f"{ALERTS}.then((all) => fetch('/pricealerts/delete_alerts', {{method: 'POST', body:"
        " JSON.stringify({payload: {alert_ids: all.map((one) => one.alert_id)}})}))"
    )
    shared.until(f"{LEVEL} === null")


@pytest.fixture
def oscillator(page: Driver) -> str:
    """The id of an RSI in a pane below the prices."""
    study = page.js(f"{CHART}.createStudy('Relative Strength Index')")
    page.until("document.querySelector('.legend__study--pane') !== null")
    settled(page)
    return study


def below(page: Driver) -> tuple[float, float, float]:
    """The left edge, the top and the height of the study's pane, from the corner of the prices."""
    panes = "[...document.querySelectorAll('td:nth-child(2) canvas')].map((one) => one.getBoundingClientRect())"
    return page.js(
        f"(({{panes}}) => {{ const heights = panes.filter(({{height}}) => height > 40);"
        " const prices = heights[0], pane = heights.find(({top}) => top >= prices.bottom);"
        f" return [pane.left - prices.left, pane.top - prices.top, pane.height]; }})({{panes: {panes}}})"
    )


def test_a_drawing_in_the_pane_of_a_study_belongs_to_it(page: Driver, oscillator: str, desk: ChartBrowser) -> None:
    _, top, height = below(page)
    one, two = (250, top + height * 0.3), (500, top + height * 0.7)
    take(page, "trend_line")
    click(page, one, two)
    page.until(f"{SHAPES}.length === 1")
    points = page.js(POINTS)
    assert all(0 < point["price"] < 100 for point in points), "values of the study, and no prices"
    assert points[0]["price"] > points[1]["price"]
    away(page)
    image = shot(page, ".chart-markup-table")
    corner = page.js("document.querySelector('.chart-markup-table').getBoundingClientRect().top")
    prices = page.js("document.querySelector('[data-name=\"pane-canvas\"]').getBoundingClientRect().top")
    drawn = places(image, BLUE, 40)
    assert any(y > prices - corner + top + height * 0.4 for _, y in drawn), "it is drawn in its pane"
    # The registry's tools see it there, and another pane's drawings elsewhere.
    entity = page.js(f"{SHAPES}.at(-1).id")
    listed = call(desk, "draw_list", {})["shapes"]
    assert listed == [{"id": entity, "name": "trend_line", "study": oscillator}]
    assert call(desk, "draw_get_properties", {"entity_id": entity})["study"] == oscillator
    bar = {"time": points[0]["time"], "price": page.js(f"{BARS}.valueAt({BARS}.lastIndex())[4]")}
    call(desk, "draw_shape", {"shape": "horizontal_line", "point": bar})
    assert [one["study"] for one in call(desk, "draw_list", {})["shapes"]] == [oscillator, ""]
    # A drag moves it, and undo moves it back.
    page.js("new Promise((done) => setTimeout(done, 400))")  # changes within 300 ms are one step
    middle = ((one[0] + two[0]) / 2, (one[1] + two[1]) / 2)
    drag(page, middle, (middle[0], middle[1] - 20))
    page.until(f"{CHART}.getShapeById('{entity}').getPoints()[0].price > {points[0]['price']} + 1")
    page.js("new Promise((done) => setTimeout(done, 400))")
    page.press("z", "KeyZ", 90, CTRL)
    page.until(f"Math.abs({CHART}.getShapeById('{entity}').getPoints()[0].price - {points[0]['price']}) < 0.01")
    # The pane takes its drawings with it, and undo brings both back.
    page.js(f"{CHART}.removeEntity('{oscillator}'), 1")
    page.until(f"{SHAPES}.length === 1")
    page.js("new Promise((done) => setTimeout(done, 400))")
    page.press("z", "KeyZ", 90, CTRL)
    page.until(f"{SHAPES}.length === 2 && {CHART}.getAllStudies().length === 1")


def test_an_unfinished_drawing_stays_in_its_pane(page: Driver, oscillator: str) -> None:
    assert oscillator
    _, top, height = below(page)
    take(page, "trend_line")
    click(page, (250, top + height * 0.3), (300, 100))  # the second point is in the pane of the prices
    page.until(f"{SHAPES}.length === 1")
    first, last = (point["price"] for point in page.js(POINTS))
    assert 0 < first < last < 150, "it stays at the upper edge"


def test_a_finger_draws_in_the_pane_of_a_study(page: Driver, oscillator: str) -> None:
    assert oscillator
    _, top, height = below(page)
    x, y = page.js(
        "(({x, y}) => [x, y])(document.querySelector('[data-name=\"pane-canvas\"]').getBoundingClientRect())"
    )

    def touch(kind: str, *spots: tuple[float, float]) -> None:
        points = [{"x": x + a, "y": y + b} for a, b in spots]
        page.connection.command("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    take(page, "rectangle")
    touch("touchStart", (250, top + height * 0.3))
    touch("touchMove", (350, top + height * 0.5))
    touch("touchMove", (450, top + height * 0.7))
    touch("touchEnd")
    page.until(f"{SHAPES}.length === 1")
    assert all(0 < point["price"] < 100 for point in page.js(POINTS))


@pytest.fixture
def desk(page: Driver) -> Iterator[ChartBrowser]:
    """The registry's view of the page."""
    made = ChartBrowser(port=page.port, target=page.tab)
    yield made
    made.close()


@pytest.fixture
def level(page: Driver) -> float:
    """The price of an alert with a level on the chart, a message and a second setting."""
    price = page.js(f"Math.round({BARS}.valueAt({BARS}.lastIndex())[4]) - 8")
    payload = {
        "symbol": '={"symbol":"NASDAQ:AAPL"}',
        "resolution": "1D",
        "message": "my level",
        "name": "mine",
        "auto_deactivate": False,
        "conditions": [
            {
                "type": "cross_up",
                "frequency": "on_first_fire",
                "series": [{"type": "barset"}, {"type": "value", "value": price}],
                "resolution": "1D",
            }
        ],
    }
    body = json.dumps(json.dumps({"payload": payload}))
    page.js(f"fetch('/pricealerts/create_alert', {{method: 'POST', body: {body}}})")
    page.until(f"{LEVEL}?.ariaValueNow === '{price}'")
    return price


def place_of_level(page: Driver) -> tuple[float, float]:
    return page.js(
        f"(() => {{ const one = {LEVEL}.getBoundingClientRect(), other ="
        " document.querySelector('[data-name=\"pane-canvas\"]').getBoundingClientRect();"
        " return [one.left - other.left + 200, one.top + one.height / 2 - other.top]; })()"
    )


def test_a_level_is_dragged_and_the_alert_follows(page: Driver, level: float) -> None:
    before = page.js(f"{ALERTS}.then((all) => all[0])")
    x, y = place_of_level(page)
    seen = page.js(f"JSON.stringify({CHART}.getVisibleRange())")
    drag(page, (x, y), (x, y - 60))
    page.until(f"{VALUES}.then((all) => all.length === 1 && all[0] > {level})")
    assert page.js(f"JSON.stringify({CHART}.getVisibleRange())") == seen, "the chart itself does not move"
    after = page.js(f"{ALERTS}.then((all) => all[0])")
    kept = ("symbol", "resolution", "message", "name", "auto_deactivate", "active")
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    assert after["condition"]["type"] == before["condition"]["type"]
    page.until(f"{LEVEL}.ariaValueNow === String({after['condition']['series'][1]['value']})")
    assert abs(place_of_level(page)[1] - (y - 60)) < 3
    assert findings(page, ".chart-container") == []
    # Undo and redo, also a second time: each makes another alert.
    page.js("document.activeElement?.blur(), 1")
    for key, code, number, value in (
        ("z", "KeyZ", 90, level),
        ("y", "KeyY", 89, after["condition"]["series"][1]["value"]),
        ("z", "KeyZ", 90, level),
    ):
        page.press(key, code, number, CTRL)
        page.until(f"{VALUES}.then((all) => all.length === 1 && all[0] === {value})")


def test_a_click_and_a_cancelled_drag_move_nothing(page: Driver, level: float) -> None:
    first = page.js(f"{ALERTS}.then((all) => all[0].alert_id)")
    x, y = place_of_level(page)
    click(page, (x, y))
    mouse(page, "mousePressed", (x, y), button="left", buttons=1, clickCount=1)
    mouse(page, "mouseMoved", (x, y - 40), button="left", buttons=1)
    page.js(f"{LEVEL}.focus(), 1")
    page.press("Escape", "Escape", 27)
    mouse(page, "mouseReleased", (x, y - 40), button="left", clickCount=1)
    page.until(f"{LEVEL}.ariaValueNow === '{level}'")
    assert page.js(f"{ALERTS}.then((all) => all[0].alert_id)") == first


def test_keys_and_a_finger_move_a_level(page: Driver, level: float) -> None:
    page.js(f"{LEVEL}.focus(), 1")
    page.press("ArrowUp", "ArrowUp", 38)
    page.press("ArrowUp", "ArrowUp", 38, SHIFT)
    page.until(f"{VALUES}.then((all) => all.length === 1 && Math.abs(all[0] - {level} - 0.11) < 1e-6)")
    page.until("document.querySelectorAll('[data-name=alert-level]').length === 1")
    assert page.js("document.activeElement.dataset.name") == "alert-level"
    x, y = page.js(f"(({{left, top, height}}) => [left + 200, top + height / 2])({LEVEL}.getBoundingClientRect())")

    def touch(kind: str, *spots: tuple[float, float]) -> None:
        points: list[dict[str, Any]] = [{"x": a, "y": b} for a, b in spots]
        page.connection.command("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    touch("touchStart", (x, y))
    touch("touchMove", (x, y + 20))
    touch("touchMove", (x, y + 50))
    touch("touchEnd")
    page.until(f"{VALUES}.then((all) => all.length === 1 && all[0] < {level})")


def test_an_alert_that_is_gone_is_not_made_again_by_a_drag(page: Driver, level: float) -> None:
    assert level
    # Another program deletes it without a word to the page.
    page.js(
        f"(async () => {{ const [one] = await {ALERTS}; const asked = new XMLHttpRequest();"
        " asked.open('POST', '/pricealerts/delete_alerts', false);"
        " asked.send(JSON.stringify({payload: {alert_ids: [one.alert_id]}})); })()"
    )
    x, y = place_of_level(page)
    drag(page, (x, y), (x, y - 60))
    page.until("document.body.textContent.includes('The alert was not moved')")
    assert page.js(VALUES) == []
