"""Older bars come when one scrolls back: they move nothing, and studies run over all of them."""

import json

import pytest

from pinebench.studio.session import StudioSession
from tests.studio.support import BARS, CHART, Driver

RANGE = f"{CHART}.getVisibleRange()"
STUDY = "TradingViewApi._activeChartWidgetWV.value()._chartWidget.model().model().dataSources().at(-1)"


def scroll_to(page: Driver, first: int, last: int) -> None:
    page.js(f"{CHART}._chartWidget.model().timeScale().zoomToBarsRange({first}, {last})")


def newest(page: Driver, count: int = 20) -> object:
    return page.js(f"Array.from({{length: {count}}}, (_, i) => {BARS}.valueAt({BARS}.lastIndex() - i))")


def test_scrolling_back_loads_older_bars_and_moves_nothing(page: Driver) -> None:
    page.js(f"new Promise((done) => {CHART}.setResolution('240', done))")
    page.until(f"{BARS}.size() === 500 && {CHART}.dataReady()")
    before, oldest = newest(page), page.js(f"{BARS}.valueAt(0)")
    scroll_to(page, 0, 100)
    page.until(f"{BARS}.size() > 500")
    page.until(f"{RANGE}?.from === {json.dumps(oldest)}[0]")
    assert newest(page) == before
    added = page.js(f"{BARS}.size()") - 500
    assert page.js(f"{BARS}.valueAt({added})") == oldest
    times = page.js(f"Array.from({{length: {BARS}.size()}}, (_, i) => {BARS}.valueAt(i)[0])")
    assert times == sorted(set(times))


def test_bars_that_nobody_scrolled_to_are_not_loaded(page: Driver) -> None:
    scroll_to(page, 200, 300)
    page.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.js(f"{BARS}.size()") == 500


def test_studies_run_over_all_that_is_loaded(page: Driver) -> None:
    page.js(f"new Promise((done) => {CHART}.setResolution('240', done))")
    page.editor.write("//@version=6\nindicator('Count')\nplot(bar_index)\nplot(bar_index == 0 ? close : na, 'First')\n")
    assert page.editor.compile().outcome == "added"
    value = f"{STUDY}.data().valueAt({STUDY}.data().lastIndex() ?? 0)?.[1]"
    page.until(f"{value} === 499")  # of the sample market's 240 there are as many bars as the chart first shows
    page.js(f"{CHART}.setVisibleRange({{from: {BARS}.valueAt(0)[0] - 86400 * 30, to: {BARS}.valueAt(100)[0]}})")
    size = page.until(f"{BARS}.size() > 500 && {BARS}.size()")
    page.until(f"{value} === {size - 1}")
    first = page.js(f"[{STUDY}.data().valueAt(0)[2], {BARS}.valueAt(0)[4]]")
    assert first[0] == first[1]


def test_a_jump_far_back_loads_what_it_needs_and_a_new_symbol_begins_anew(page: Driver) -> None:
    wanted = page.js(f"{BARS}.valueAt(0)[0]") - 86400 * 200
    page.js(f"{CHART}.setVisibleRange({{from: {wanted}, to: {wanted} + 86400 * 60}})")
    assert page.js(f"{BARS}.valueAt(0)[0]") <= wanted
    page.until(f"Math.abs({RANGE}.from - {wanted}) < 86400 * 5")
    page.js(f"new Promise((done) => {CHART}.setSymbol('NASDAQ:MSFT', done))")
    page.until(f"{BARS}.size() === 500")


def test_there_is_an_end_of_history(page: Driver) -> None:
    page.js(f"new Promise((done) => {CHART}.setResolution('1W', done))")
    size = page.until(f"{CHART}.dataReady() && {BARS}.size()")
    page.js("window.asked = performance.getEntriesByType('resource').filter((e) => e.name.includes('/bars?')).length")
    scroll_to(page, 0, 50)
    page.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.js(f"{CHART}.setVisibleRange({{from: 0, to: {BARS}.valueAt(50)[0]}})")
    assert page.js(f"{BARS}.size()") == size < 500
    asked = page.js("performance.getEntriesByType('resource').filter((e) => e.name.includes('/bars?')).length - asked")
    assert asked == 0


def test_a_replay_goes_on_over_older_bars(page: Driver) -> None:
    at = page.js(f"{BARS}.valueAt(400)")
    page.js(f"TradingViewApi._replayApi.selectDate({at[0]} * 1000)")
    page.until(f"{BARS}.size() === 401")
    scroll_to(page, 0, 100)
    page.until(f"{BARS}.size() > 401")
    assert page.js(f"{BARS}.valueAt({BARS}.lastIndex())") == at
    page.js("TradingViewApi._replayApi.doStep()")
    page.until(f"{BARS}.valueAt({BARS}.lastIndex())[0] > {at[0]}")
    page.js("TradingViewApi._replayApi.stopReplay()")
    page.until(f"{BARS}.size() > 500")


@pytest.mark.parametrize("count", ["0", "1", "499"])
def test_whether_there_are_older_bars_is_said(session: StudioSession, count: str) -> None:
    from pinebench.studio.web import StudioRequest

    query = {"symbol": "AAPL", "resolution": "1W", "count": count}
    some = json.loads(session.studio.handle(StudioRequest("GET", "/studio/api/bars", query)).body)
    assert (len(some["bars"]), some["more"]) == (
        (max(1, int(count)), True) if count != "499" else (len(some["bars"]), False)
    )
