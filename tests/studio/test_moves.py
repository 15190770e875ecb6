"""Moving about: dates, stretches of time, keys, undo and redo, charts that follow each other, scripts by name."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from pinebench.studio.app import Studio
from pinebench.studio.compile import compile_source
from pinebench.studio.web import StudioRequest
from tests.studio.support import BARS, CHART, CTRL, FRAMES, Driver, away
from tests.studio.test_desk import size
from tests.studio.test_look import findings

SHOWN = f"{CHART}.getVisibleRange()"


@pytest.fixture
def page(shared: Driver) -> Iterator[Driver]:
    """The module's page, nothing in it focused."""
    size(shared, 1440, 900)
    shared.js("document.activeElement?.blur(), 1")
    away(shared)
    yield shared
    shared.js("document.querySelector('[role=dialog] [aria-label=Close]')?.click(), 1")
    shared.js(f"{CHART}.removeAllStudies()")
    shared.js("TradingViewApi.setLayout?.('s'), 1")
    shared.js(f"new Promise((done) => {{ {CHART}.setSymbol('NASDAQ:AAPL'); {CHART}.setResolution('1D', done); }})")


def put(page: Driver, selector: str, value: str) -> None:
    page.js(
        f"(() => {{ const field = document.querySelector({json.dumps(selector)});"
        f" Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, {json.dumps(value)});"
        " field.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )


def test_a_date_is_gone_to_and_end_and_home_lead_to_the_ends(page: Driver) -> None:
    page.press("g", "KeyG", 71, 1)
    page.until("document.querySelector('[data-name=\"go-to-date-dialog\"]') !== null")
    assert findings(page) == []
    put(page, "[data-name=go-to-date-dialog] input", "2023-03-01T16:00")
    page.click("[data-name=go-to-date-dialog] [type=submit]")
    wanted = page.js("Date.parse('2023-03-01T16:00Z') / 1000")
    # In the middle of what is shown.
    page.until(f"Math.abs({SHOWN}.from + {SHOWN}.to - 2 * {wanted}) < 86400 * 20")
    page.press("End", "End", 35)
    page.until(f"{SHOWN}.to === {BARS}.valueAt({BARS}.lastIndex())[0]")
    page.press("Home", "Home", 36)
    page.until(f"{SHOWN}.from === {BARS}.valueAt(0)[0] && {BARS}.size() > 1100")


def test_stretches_of_time_show_what_they_say(page: Driver) -> None:
    newest = f"{BARS}.valueAt({BARS}.lastIndex())[0]"
    for name, days in (("1M", 30), ("1Y", 365)):
        page.click(f'[data-range="{name}"]')
        page.until(f"Math.abs({newest} - {SHOWN}.from - {days} * 86400) < 86400 * 6 && {SHOWN}.to === {newest}")
    page.click('[data-range="All"]')
    page.until(f"{BARS}.size() > 1100 && {SHOWN}.from === {BARS}.valueAt(0)[0] && {SHOWN}.to === {newest}")


def test_a_date_is_gone_to_when_the_symbol_that_was_asked_for_is_there(page: Driver) -> None:
    page.js(f"new Promise((done) => {CHART}.setSymbol('NASDAQ:MSFT', done))")
    before = page.js(f"{BARS}.size()")
    loaded = f"{CHART}.setVisibleRange({{from: 0, to: {BARS}.valueAt(100)[0]}}).then(() => {BARS}.size())"
    assert page.js(f"({CHART}.setSymbol('NASDAQ:NVDA'), {loaded})") > max(before, 1100)
    assert page.js(f"{CHART}.symbol()") == "NASDAQ:NVDA"


def test_what_was_done_to_the_charts_is_undone_and_done_again(page: Driver) -> None:
    studies = f"{CHART}.getAllStudies().map((one) => one.name)"
    page.js(f"{CHART}.createStudy('RSI')")
    name = page.until(f"{studies}[0]")
    page.until("document.querySelector('[data-name=\"undo\"]').disabled === false")
    page.js("new Promise((done) => setTimeout(done, 350))")  # a change of an earlier test could be undone before
    page.js(f"new Promise((done) => {CHART}.setSymbol('NASDAQ:MSFT', done))")
    page.js(f"{CHART}.removeAllStudies()")
    page.js("document.activeElement?.blur(), 1")
    page.press("z", "KeyZ", 90, CTRL)
    page.until(f"{studies}[0] === {json.dumps(name)} && {CHART}.symbol() === 'NASDAQ:MSFT'")
    page.press("z", "KeyZ", 90, CTRL)
    page.until(f"{studies}[0] === {json.dumps(name)} && {CHART}.symbol() === 'NASDAQ:AAPL'")
    page.press("y", "KeyY", 89, CTRL)
    page.until(f"{CHART}.symbol() === 'NASDAQ:MSFT'")
    page.press("y", "KeyY", 89, CTRL)
    page.until(f"{studies}.length === 0")


def test_what_is_removed_as_soon_as_it_is_made_comes_back(page: Driver) -> None:
    bar = f"{BARS}.valueAt({BARS}.lastIndex() - 40)"
    point = f"{{time: {bar}[0], price: {bar}[4]}}"
    drawn = f"{CHART}.getAllShapes().length"
    for removal in ("removeAllShapes()", "removeEntity(id)"):
        page.js(
            f"{CHART}.createShape({point}, {{shape: 'horizontal_line'}}).then((id) => {{ {CHART}.{removal}; }})"
            ".then(() => document.activeElement?.blur())"
        )
        assert page.js(drawn) == 0
        page.press("z", "KeyZ", 90, CTRL)
        page.until(f"{drawn} === 1")
        page.js(f"{CHART}.removeAllShapes()")


def test_undo_in_the_editor_is_the_texts_own(page: Driver) -> None:
    page.js(f"{CHART}.createStudy('RSI')")
    page.until("document.querySelector('[data-name=\"undo\"]').disabled === false")
    page.editor.write("//@version=6\nindicator('One')\n")
    field = "document.querySelector('.pine-editor-monaco').querySelector('textarea, .native-edit-context')"
    page.js(f"void {field}.focus()")
    page.press("z", "KeyZ", 90, CTRL)
    page.js(FRAMES)
    assert page.js(f"{CHART}.getAllStudies().length") == 1


def test_the_map_of_keys(page: Driver) -> None:
    page.press("?", "Slash", 191, 8)
    page.until("document.querySelector('[data-name=\"keys-dialog\"]')?.textContent.includes('go to a date')")
    assert findings(page) == []


def test_templates_and_own_scripts_are_added_by_their_names(page: Driver) -> None:
    listed = json.loads(Studio().handle(StudioRequest("GET", "/studio/api/templates")).body)
    assert len(listed) >= 15
    assert all(compile_source(one["source"]).ok for one in listed[:3])
    page.click('[data-name="open-indicators-dialog"]')
    choices = "[...document.querySelectorAll('[role=option]')]"
    page.until(f"{choices}.some((one) => one.textContent.includes('Trend ribbon'))")
    title = listed[0]["title"]
    page.js(f"{choices}.find((one) => one.textContent.startsWith({json.dumps(title)})).click(), 1")
    page.until(f"{CHART}.getAllStudies().length === 1")
    page.click('[data-name="open-indicators-dialog"]')
    page.until(f"{choices}.some((one) => one.textContent.includes('your script'))")
    page.js(f"{choices}.find((one) => one.textContent.startsWith('Trend ribbon')).click(), 1")
    page.until(f"{CHART}.getAllStudies().some((one) => one.name === 'Trend ribbon')")


def _move_until(page: Driver, expression: str, place: dict[str, float]) -> None:
    """Move the pointer around a place until `expression` is true. A chart that has no bars yet ignores the pointer."""
    for step in range(2000):
        at: dict[str, Any] = {"x": place["x"] + step % 2, "y": place["y"]}
        page.connection.command("Input.dispatchMouseEvent", type="mouseMoved", **at)
        if page.js(expression):
            return
    raise AssertionError(f"still not true: {expression}")


def _two_charts(page: Driver) -> tuple[dict[str, float], str]:
    """Show two charts side by side. Return the middle of the first one, and the expression of the dates in both
    legends."""
    page.js("TradingViewApi._chartWidgetCollection.setLayout('2h'), 1")
    page.until("document.querySelectorAll('.chart-container').length === 2")
    page.until("document.querySelectorAll('.chart-container')[1].querySelector('canvas') !== null")
    middle = page.js(
        "(({x, y, width, height}) => ({x: x + width / 2, y: y + height / 2}))"
        "(document.querySelectorAll('.chart-container')[0].getBoundingClientRect())"
    )
    dates = "[...document.querySelectorAll('.legend__date')].map((one) => one.textContent)"
    page.until(f"{dates}.length === 2")
    return middle, dates


def test_charts_of_a_layout_share_the_crosshair_and_the_symbol_where_one_wants_it(page: Driver) -> None:
    box, dates = _two_charts(page)
    _move_until(page, f"{dates}[0] === {dates}[1] && {dates}[0] < '2026-10-29'", box)
    page.js(f"new Promise((done) => {CHART}.setSymbol('NASDAQ:NVDA', done))")
    titles = "[...document.querySelectorAll('[data-name=\"legend-source-title\"]')].map((one) => one.textContent)"
    page.until(f"{titles}[0] === 'NASDAQ:NVDA'")
    assert page.js(f"{titles}[1]") == "NASDAQ:AAPL", "nobody asked for it"
    page.click('[data-name="header-toolbar-arrangement"]')
    items = "[...document.querySelectorAll('[role=menuitem]')]"
    page.js(f"{items}.find((one) => one.textContent.includes('share the symbol')).click(), 1")
    page.js(f"new Promise((done) => {CHART}.setSymbol('NASDAQ:TSLA', done))")
    page.until(f"{titles}[0] === 'NASDAQ:TSLA' && {titles}[1] === 'NASDAQ:TSLA'")
    page.js("TradingViewApi._chartWidgetCollection.setLayout('s'), 1")


def test_the_crosshair_of_the_other_chart_stays_on_the_date_when_that_chart_moves(page: Driver) -> None:
    box, dates = _two_charts(page)
    last = page.js(f"{dates}[0]")
    _move_until(page, f"{dates}[0] === {dates}[1] && {dates}[0] < '{last}'", box)
    date = page.js(f"{dates}[0]")
    scale = "TradingViewApi._chartWidgetCollection.getAll()[1].model().timeScale()"
    for count in (40, 290, 120):
        page.js(f"{scale}.zoomToBarsRange({BARS}.lastIndex() - {count}, {BARS}.lastIndex() + 5), 1")
        page.js(FRAMES)
        page.until(f"{dates}[0] === '{date}' && {dates}[1] === '{date}'")
    away(page)
    page.until(f"{dates}[0] === '{last}' && {dates}[1] === '{last}'")
    page.js("TradingViewApi._chartWidgetCollection.setLayout('s'), 1")


def test_a_time_is_gone_to_as_the_time_axis_has_it(page: Driver) -> None:
    page.js(f"new Promise((done) => {CHART}.setResolution('60', done))")
    page.press("g", "KeyG", 71, 1)
    page.until("document.querySelector('[data-name=\"go-to-date-dialog\"]') !== null")
    put(page, "[data-name=go-to-date-dialog] input", "2026-09-22T15:30")
    page.click("[data-name=go-to-date-dialog] [type=submit]")
    index = f"((time) => {{ let i = 0; while ({BARS}.valueAt(i)[0] < time) i++; return i; }})"
    wanted = "Date.parse('2026-09-22T15:30-04:00') / 1000"
    page.until(f"Math.abs(({index}({SHOWN}.from) + {index}({SHOWN}.to)) / 2 - {index}({wanted})) < 2")
