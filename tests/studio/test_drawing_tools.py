"""Drawings made by hand: mouse, finger and keyboard, what is seen of them, and what the registry's tools see."""

import base64
import io
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image

from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call
from tests.studio.gallery.drawing import hide_panel, settled, shot
from tests.studio.support import BARS, CHART, CTRL, FRAMES, SHIFT, Driver, away
from tests.studio.test_desk import size
from tests.studio.test_drawn import places
from tests.studio.test_look import findings

ALT = 1
BLUE = (0x5A, 0x9C, 0xF8)
SHAPES = f"{CHART}.getAllShapes()"
POINTS = f"{CHART}.getShapeById({SHAPES}.at(-1).id).getPoints()"
ONE, TWO, THREE = (300, 300), (520, 180), (400, 380)
"""Places in the pane of the prices, in pixels from its corner."""


@pytest.fixture
def page(shared: Driver) -> Iterator[Driver]:
    """The module's page without drawings, with room for the chart and the pointer away."""
    size(shared, 1440, 900)
    hide_panel(shared)
    shared.js(f"{CHART}.removeAllShapes(), document.activeElement?.blur(), 1")
    away(shared)
    yield shared
    shared.press("Escape", "Escape", 27)
    shared.js("document.querySelector('[role=dialog] [aria-label=Close]')?.click(), 1")
    shared.js(f"{CHART}.removeAllShapes(), {CHART}.removeAllStudies(), 1")


def mouse(page: Driver, kind: str, place: tuple[float, float], **more: Any) -> None:
    x, y = page.js(
        "(({x, y}) => [x, y])(document.querySelector('[data-name=\"pane-canvas\"]').getBoundingClientRect())"
    )
    page.connection.command("Input.dispatchMouseEvent", type=kind, x=x + place[0], y=y + place[1], **more)


def click(page: Driver, *spots: tuple[float, float]) -> None:
    for spot in spots:
        mouse(page, "mouseMoved", spot)
        mouse(page, "mousePressed", spot, button="left", buttons=1, clickCount=1)
        mouse(page, "mouseReleased", spot, button="left", clickCount=1)


def drag(page: Driver, start: tuple[float, float], end: tuple[float, float]) -> None:
    mouse(page, "mouseMoved", start)
    mouse(page, "mousePressed", start, button="left", buttons=1, clickCount=1)
    mouse(page, "mouseMoved", ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), button="left", buttons=1)
    mouse(page, "mouseMoved", end, button="left", buttons=1)
    mouse(page, "mouseReleased", end, button="left", clickCount=1)


def take(page: Driver, tool: str) -> None:
    page.click(f'[data-tool="{tool}"]')
    page.until(f"document.querySelector('[data-tool=\"{tool}\"]').ariaPressed === 'true'")


def names(page: Driver) -> list[str]:
    return page.js(f"{SHAPES}.map((one) => one.name)")


def lined(
    page: Driver, one: tuple[float, float], two: tuple[float, float], color: tuple[int, int, int] = BLUE
) -> float:
    """Which share of the places between two has a colour on the screen."""
    away(page)
    image = shot(page, '[data-name="pane-canvas"]')
    seen = set(places(image, color, 40))
    steps = 40
    hits = 0
    for step in range(4, steps - 3):
        x, y = (round(a + (b - a) * step / steps) for a, b in zip(one, two, strict=True))
        hits += any((x + dx, y + dy) in seen for dx in range(-4, 5) for dy in range(-4, 5))
    return hits / (steps - 7)


@pytest.mark.parametrize(
    ("tool", "spots", "line"),
    [
        ("trend_line", (ONE, TWO), (ONE, TWO)),
        ("ray", (ONE, TWO), (TWO, (600, 136))),
        ("horizontal_line", (ONE,), ((20, 300), (700, 300))),
        ("vertical_line", (ONE,), ((300, 200), (300, 500))),
        ("rectangle", (ONE, TWO), ((300, 300), (520, 300))),
        ("parallel_channel", (ONE, TWO, THREE), (ONE, TWO)),
        ("fib_retracement", (ONE, TWO), None),
        ("date_and_price_range", (ONE, TWO), None),
        ("long_position", (ONE,), None),
        ("short_position", (ONE,), None),
    ],
)
def test_each_tool_draws_where_it_was_pointed(
    page: Driver,
    tool: str,
    spots: tuple[tuple[float, float], ...],
    line: tuple[tuple[float, float], tuple[float, float]] | None,
) -> None:
    before = shot(page, '[data-name="pane-canvas"]')
    take(page, tool)
    click(page, *spots)
    page.until(f"{SHAPES}.length === 1")
    assert names(page) == [tool]
    assert page.js("document.querySelector('[data-tool=\"cursor\"]').ariaPressed") == "true", "one drawing at a time"
    if line is not None:
        assert lined(page, *line) > 0.9
    else:
        away(page)
        after = shot(page, '[data-name="pane-canvas"]')
        area = (300, 200, 400, 400)
        one, other = (each.crop(area).tobytes() for each in (before, after))
        assert sum(one[at : at + 3] != other[at : at + 3] for at in range(0, len(one), 3)) > 300
    # Times are those of bars.
    (first, *_) = page.js(POINTS)
    assert page.js(f"Array.from({{length: {BARS}.size()}}, (_, i) => {BARS}.valueAt(i)[0]).includes({first['time']})")


def test_a_text_is_asked_for_and_nothing_is_drawn_without_one(page: Driver) -> None:
    take(page, "text")
    click(page, ONE)
    page.until("document.querySelector('[data-name=\"name-dialog\"] input') === document.activeElement")
    assert findings(page, "[role=dialog]") == []
    page.press("Escape", "Escape", 27)
    assert names(page) == []
    take(page, "text")
    click(page, ONE)
    page.until("document.querySelector('[data-name=\"name-dialog\"] input') === document.activeElement")
    page.page.insert_text("Support here")
    page.click("[data-name=name-dialog] [type=submit]")
    page.until(f"{SHAPES}.length === 1")
    away(page)
    image = shot(page, '[data-name="pane-canvas"]').crop((300, 285, 400, 315))
    assert len(places(image, BLUE, 60)) > 60


def test_a_line_is_drawn_by_dragging_too_and_escape_takes_back(page: Driver) -> None:
    take(page, "trend_line")
    shown = page.js(f"{CHART}.getVisibleRange()")
    drag(page, ONE, TWO)
    page.until(f"{SHAPES}.length === 1")
    assert lined(page, ONE, TWO) > 0.9
    assert page.js(f"{CHART}.getVisibleRange()") == shown, "the chart stays where it is"
    take(page, "ray")
    click(page, THREE)
    page.press("Escape", "Escape", 27)
    page.js(FRAMES)
    assert page.js("document.querySelector('[data-tool=\"ray\"]').ariaPressed") == "true", "the point is gone first"
    page.press("Escape", "Escape", 27)
    page.until("document.querySelector('[data-tool=\"cursor\"]').ariaPressed === 'true'")
    assert names(page) == ["trend_line"]


def test_a_drawing_is_selected_moved_reshaped_restyled_and_removed(page: Driver) -> None:
    take(page, "trend_line")
    click(page, ONE, TWO)
    page.until(f"{SHAPES}.length === 1")
    made = page.js(POINTS)
    middle = ((ONE[0] + TWO[0]) / 2, (ONE[1] + TWO[1]) / 2)
    drag(page, middle, (middle[0] + 60, middle[1] + 80))
    page.until(f"{POINTS}[0].price < {made[0]['price']}")
    moved = page.js(POINTS)
    assert moved[0]["time"] > made[0]["time"]
    assert moved[1]["price"] - moved[0]["price"] == pytest.approx(made[1]["price"] - made[0]["price"], abs=0.03)
    # An end is dragged alone.
    drag(page, (TWO[0] + 60, TWO[1] + 80), (600, 400))
    page.until(f"{POINTS}[1].price < {moved[1]['price']}")
    assert page.js(POINTS)[0] == moved[0]
    # Colour and width.
    page.js(
        "(() => { const field = document.querySelector('[data-name=\"drawing-properties\"] input[type=color]');"
        " Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '#ff00aa');"
        " field.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )
    page.until(f"{CHART}.getShapeById({SHAPES}[0].id).getProperties().linecolor === '#ff00aa'")
    assert findings(page) == []
    away(page)
    assert len(places(shot(page, '[data-name="pane-canvas"]'), (255, 0, 170))) > 100
    # Each step is taken back by itself; the chart stays as it is.
    page.js("new Promise((done) => setTimeout(done, 350))")
    page.js("document.querySelector('.chart-markup-table').focus()")
    shown = page.js(f"{CHART}.getVisibleRange()")
    page.press("Delete", "Delete", 46)
    page.until(f"{SHAPES}.length === 0")
    page.press("z", "KeyZ", 90, CTRL)
    page.until(f"{SHAPES}.length === 1")
    assert page.js(f"{CHART}.getVisibleRange()") == shown
    page.press("y", "KeyY", 89, CTRL)
    page.until(f"{SHAPES}.length === 0")
    page.press("z", "KeyZ", 90, CTRL)
    page.until(f"{SHAPES}.length === 1")


def test_what_is_locked_neither_moves_nor_goes(page: Driver) -> None:
    take(page, "horizontal_line")
    click(page, ONE)
    page.until(f"{SHAPES}.length === 1")
    made = page.js(POINTS)
    page.click('[data-name="drawing-properties"] [aria-label="Lock"]')
    page.until(f"{CHART}.getShapeById({SHAPES}[0].id).isLocked()")
    drag(page, ONE, THREE)
    page.js("document.querySelector('.chart-markup-table').focus()")
    page.press("ArrowUp", "ArrowUp", 38)
    page.press("Delete", "Delete", 46)
    page.until("[...document.querySelectorAll('[data-name=toast]')].some((one) => one.textContent.includes('locked'))")
    page.click('[data-tool="remove"]')
    page.js(FRAMES)
    assert page.js(POINTS) == made


def test_the_magnet_draws_to_prices_of_the_bar(page: Driver) -> None:
    page.click('[data-tool="magnet"]')
    try:
        bar = f"{BARS}.valueAt({BARS}.lastIndex() - 60)"
        # Near the bar's high, by where a line at it stands.
        high = page.js(f"{bar}[2]")
        page.js(
            f"{CHART}.createShape({{time: {bar}[0], price: {high}}},"
            " {shape: 'cross_line', overrides: {linecolor: '#ff00aa', linewidth: 3}})"
        )
        away(page)
        seen = places(shot(page, '[data-name="pane-canvas"]'), (255, 0, 170), 60)
        y = max({y for _, y in seen}, key=lambda one: sum(place[1] == one for place in seen))
        x = max({x for x, _ in seen}, key=lambda one: sum(place[0] == one for place in seen))
        page.js(f"{CHART}.removeAllShapes()")
        take(page, "horizontal_line")
        click(page, (x, y - 12))
        page.until(f"{SHAPES}.length === 1")
        assert page.js(POINTS) == [{"time": page.js(f"{bar}[0]"), "price": high}]
    finally:
        page.click('[data-tool="magnet"]')


def test_a_drawing_between_two_bars_stands_between_them(page: Driver) -> None:
    """Such as a drawing of a day on a chart of weeks, also after the last bar."""
    page.js(f"new Promise((done) => {CHART}.setResolution('1W', done))")
    try:
        page.js(f"{CHART}._chartWidget.model().timeScale().zoomToBarsRange(200, 240)")
        week = 7 * 86_400
        since = (-20.0, -19.0, -18.5, 0.0, 1.0, 2.5)
        for weeks in since:
            page.js(
                f"{CHART}.createShape({{time: {BARS}.valueAt({BARS}.lastIndex())[0] + {weeks * week}}},"
                " {shape: 'vertical_line', overrides: {linecolor: '#ff00aa', linewidth: 4}})"
            )
        page.until(f"{SHAPES}.length === 6")
        page.press("Escape", "Escape", 27)
        away(page)
        settled(page)
        seen = [x for x, y in places(shot(page, '[data-name="pane-canvas"]'), (255, 0, 170), 60) if y == 200]
        found = [x for x in sorted(seen) if x - 1 not in seen]
        assert len(found) == 6, found
        each = (found[4] - found[0]) / 21
        assert each > 15
        assert all(abs((x - found[3]) / each - at) < 0.1 for x, at in zip(found, since, strict=True)), found
    finally:
        page.js(f"new Promise((done) => {CHART}.setResolution('1D', done))")


def test_the_keyboard_draws_selects_and_moves(page: Driver) -> None:
    page.press("t", "KeyT", 84, ALT)
    page.until("document.querySelector('[data-tool=\"trend_line\"]').ariaPressed === 'true'")
    assert page.js("document.activeElement.classList.contains('chart-markup-table')")
    page.press("Enter", "Enter", 13)
    for _ in range(3):
        page.press("ArrowRight", "ArrowRight", 39, SHIFT)
    page.press("ArrowUp", "ArrowUp", 38, SHIFT)
    page.press("Enter", "Enter", 13)
    page.until(f"{SHAPES}.length === 1")
    one, two = page.js(POINTS)
    index = f"Array.from({{length: {BARS}.size()}}, (_, i) => {BARS}.valueAt(i)[0])"
    assert page.js(f"{index}.indexOf({two['time']}) - {index}.indexOf({one['time']})") == 30
    assert two["price"] > one["price"]
    page.press("ArrowLeft", "ArrowLeft", 37)
    page.until(f"{POINTS}[0].time < {one['time']}")
    # Keys for drawings are not those of the text: what is written stays.
    page.editor.write("//@version=6\nindicator('Kept')\n")
    page.js(
        "void document.querySelector('.pine-editor-monaco').querySelector('textarea, .native-edit-context').focus()"
    )
    page.press("Delete", "Delete", 46)
    page.js(FRAMES)
    assert len(names(page)) == 1
    hide_panel(page)


def test_a_finger_draws_as_a_mouse_does(page: Driver) -> None:
    corner = page.js(
        "(({x, y}) => [x, y])(document.querySelector('[data-name=\"pane-canvas\"]').getBoundingClientRect())"
    )
    take(page, "trend_line")
    shown = page.js(f"{CHART}.getVisibleRange()")
    at = [[{"x": corner[0] + x, "y": corner[1] + y}] for x, y in (ONE, (400, 250), TWO)]
    page.connection.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=at[0])
    page.connection.command("Input.dispatchTouchEvent", type="touchMove", touchPoints=at[1])
    page.connection.command("Input.dispatchTouchEvent", type="touchMove", touchPoints=at[2])
    page.connection.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    page.until(f"{SHAPES}.length === 1")
    assert lined(page, ONE, TWO) > 0.9
    assert page.js(f"{CHART}.getVisibleRange()") == shown


def test_drawings_belong_to_their_symbol_and_stay_with_the_layout(page: Driver) -> None:
    take(page, "horizontal_line")
    click(page, ONE)
    page.until(f"{SHAPES}.length === 1")
    made = page.js(f"JSON.stringify([{SHAPES}, {POINTS}])")
    page.js(f"new Promise((done) => {CHART}.setSymbol('NASDAQ:MSFT', done))")
    assert names(page) == []
    assert lined(page, (20, 300), (700, 300)) < 0.5
    page.js(f"{CHART}.removeAllShapes()")
    page.js(f"new Promise((done) => {CHART}.setSymbol('NASDAQ:AAPL', done))")
    assert page.js(f"JSON.stringify([{SHAPES}, {POINTS}])") == made, "removing what is seen leaves what is not"
    page.until(f"(sessionStorage.getItem('pinebench-studio-desk') ?? '').includes({SHAPES}[0].id)")


def test_the_picture_has_the_drawings_and_no_handles(page: Driver) -> None:
    take(page, "rectangle")
    click(page, ONE, TWO)
    page.until(f"{SHAPES}.length === 1")
    settled(page)
    data = page.js("TradingViewApi._chartWidgetCollection.takeScreenshot()").partition(",")[2]
    picture = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")
    assert len(places(picture, BLUE, 40)) > 500
    assert len(places(picture, (0x29, 0x62, 0xFF), 4)) == 0


def test_tools_and_the_drawing_bar_by_the_keyboard_alone(page: Driver) -> None:
    page.js("document.querySelector('[data-tool=\"cursor\"]').focus()")
    page.press("ArrowDown", "ArrowDown", 40)
    assert page.js("document.activeElement.dataset.tool") == "trend_line"
    assert (
        page.js("[...document.querySelectorAll('.drawing-bar button')].filter((one) => one.tabIndex === 0).length") == 1
    )
    assert findings(page) == []
    page.click('[data-name="header-toolbar-drawings"]')
    page.until("document.querySelector('.drawing-bar') === null")
    page.click('[data-name="header-toolbar-drawings"]')
    page.until("document.querySelector('.drawing-bar') !== null")
    size(page, 390, 844)
    page.until("document.querySelector('.chart-container').clientWidth > 250")
    assert findings(page) == []


def test_the_registrys_tools_see_what_was_drawn_by_hand_and_the_person_sees_theirs(page: Driver) -> None:
    desk = ChartBrowser(port=page.port, target=page.tab)
    try:
        take(page, "fib_retracement")
        click(page, ONE, TWO)
        page.until(f"{SHAPES}.length === 1")
        (entry,) = call(desk, "draw_list", {})["shapes"]
        assert entry["name"] == "fib_retracement"
        told = call(desk, "draw_get_properties", {"entity_id": entry["id"]})
        assert told["points"] == page.js(POINTS)
        assert told["properties"] == {"linecolor": "#5a9cf8", "linewidth": 2}
        bar = page.js(f"{BARS}.valueAt({BARS}.lastIndex() - 60)")
        look = {"linecolor": "#ff00aa", "linewidth": 3}
        place = {"time": bar[0], "price": bar[4]}
        made = call(desk, "draw_shape", {"shape": "horizontal_line", "point": place, "overrides": look})
        # It is taken by the hand as one's own: selected where it is seen, and removed.
        page.js(FRAMES)
        away(page)
        heights = [y for x, y in places(shot(page, '[data-name="pane-canvas"]'), (255, 0, 170)) if x < 250]
        click(page, (100, max(set(heights), key=heights.count)))
        page.until(
            "document.querySelector('[data-name=\"drawing-properties\"]')?.ariaLabel === 'Horizontal line, selected'"
        )
        page.press("Delete", "Delete", 46)
        page.until(f"{SHAPES}.length === 1")
        assert made["entity_id"] not in page.js(f"{SHAPES}.map((one) => one.id)")
        assert call(desk, "draw_remove_one", {"entity_id": entry["id"]})["remaining_shapes"] == 0
        page.until("document.querySelector('[data-name=\"drawing-properties\"]') === null")
    finally:
        desk.close()
