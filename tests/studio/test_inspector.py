"""The inspector on the page: values beside lines that never become text, the table of names, breakpoints, and "why"."""

import json
import os
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pinebench.studio.session import StudioSession
from tests.studio.support import BARS, CHART, CTRL, FRAMES, Driver, Tabs, reload
from tests.studio.test_look import findings

SCRIPT = """//@version=6
indicator("Looked into", overlay = true)
twice(float x) =>
    float y = x * 2
    y
n = input.int(3, "N")
mean = ta.sma(close, n)
rising = close > mean
if rising
    both = twice(close) + twice(open)
plot(mean, "Mean")
"""
STRATEGY = """//@version=6
strategy("Steps", overlay = true)
if bar_index % 40 == 10
    strategy.entry("In", strategy.long)
if bar_index % 40 == 30
    strategy.close("In")
"""
INLINE = (
    "[...document.querySelectorAll('.view-lines .inlineValue')]"
    ".map((one) => one.textContent.replaceAll('\\u00a0', ' ').trim()).filter(Boolean)"
)
MEAN = f"{INLINE}.find((text) => text.includes('mean ='))"
NAMES = "[...document.querySelectorAll('[data-name=\"inspector-name\"]')]"
REQUESTS = "performance.getEntriesByType('resource').filter((one) => one.name.includes('/inspect/')).length"
PANEL = "document.querySelector('.inspector')"
EARLIER = f"[...{PANEL}.querySelectorAll('.button')].find((one) => one.textContent.includes('‹ Hit')).click()"
BAR = "document.querySelector('[data-name=\"inspector-bar\"]').textContent"
BREAKPOINTS = "document.querySelectorAll('.breakpoint').length"
ANSWER = "document.querySelector('[data-name=\"inspector-answer\"]')"
SIZES = [(1440, 900), pytest.param(1024, 700, marks=pytest.mark.soak)]


@pytest.fixture
def page(shared: Driver) -> Iterator[Driver]:
    """The module's page with the script on the chart; the inspector and the values beside lines are off."""
    shared.js("TradingView.bottomWidgetBar.showWidget('pine-editor')")
    yield shared
    shared.connection.command("Emulation.clearDeviceMetricsOverride")
    shared.js("document.querySelector('[data-name=\"inspector-button\"][aria-pressed=true]')?.click()")
    shared.js("document.querySelector('[data-name=\"inline-values\"][aria-pressed=true]')?.click()")
    shared.js(f"{CHART}.removeAllStudies()")
    shared.js("localStorage.removeItem('pinebench-studio-inline-values')")


def add(page: Driver, source: str = SCRIPT) -> None:
    page.editor.write(source)
    assert page.editor.compile().outcome in ("added", "updated")


def values_on(page: Driver) -> None:
    page.js("document.querySelector('[data-name=\"inline-values\"][aria-pressed=false]')?.click()")
    page.until(f"!!{MEAN}")


def point(page: Driver, bar: int) -> None:
    """Put the pointer on a bar of the chart."""
    page.js(f"{CHART}.setVisibleRange({{from: {BARS}.valueAt({bar} - 30)[0], to: {BARS}.valueAt({bar} + 10)[0]}})")
    place = page.js(
        "(() => { const spot = document.querySelector('.chart-markup-table').getBoundingClientRect();"
        " return [spot.left, spot.top, spot.width, spot.height]; })()"
    )
    left, top, width, height = place
    page.connection.command("Input.dispatchMouseEvent", type="mouseMoved", x=left + width * 0.55, y=top + height * 0.5)


def lose_pointer(page: Driver) -> None:
    page.connection.command("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=5)


def focus_line(page: Driver, line: int, column: int) -> None:
    page.js(f"window.__editor.focus(), window.__editor.setPosition({{lineNumber: {line}, column: {column}}})")


def expose(page: Driver) -> None:
    """Make the editor reachable, as clients find it."""
    page.js(
        "(() => { const node = document.querySelector('.monaco-editor.pine-editor-monaco').closest('.editorHost');"
        " const key = Object.keys(node).find((one) => one.startsWith('__reactFiber$')); let fiber = node[key];"
        " while (fiber && !fiber.memoizedProps?.value?._editorRef) fiber = fiber.return;"
        " window.__editor = fiber.memoizedProps.value._editorRef.current; })()"
    )


def shot(page: Driver, name: str) -> None:
    """A picture for people who want one: STUDIO_PICTURES names the folder."""
    folder = os.environ.get("STUDIO_PICTURES")
    if folder:
        data = page.connection.command("Page.captureScreenshot", format="png")["data"]
        Path(folder, f"{name}.png").write_bytes(b64decode(data))


def copied(page: Driver) -> Any:
    """What the editor gives when all of its text is copied."""
    return page.js(
        "(() => { const data = new DataTransfer(); window.__editor.focus();"
        " window.__editor.setSelection(window.__editor.getModel().getFullModelRange());"
        " const event = new ClipboardEvent('copy', {clipboardData: data, bubbles: true, cancelable: true});"
        " document.activeElement.dispatchEvent(event); return data.getData('text/plain'); })()"
    )


def test_values_beside_lines_are_never_part_of_the_text(page: Driver) -> None:
    add(page)
    expose(page)
    assert page.js(INLINE) == []
    values_on(page)
    assert page.editor.read() == SCRIPT
    assert page.js("window.__editor.getModel().getValue()") == SCRIPT
    assert page.js("TradingViewApi.pineEditorTestApi().getEditorText?.() ?? null") in (SCRIPT, None)
    text = copied(page)
    assert text == SCRIPT
    saved = page.scripts.save("Looked into")
    assert saved.verified
    stored = page.js(
        "(async () => { const all = await (await fetch('/pine-facade/list/?filter=saved')).json();"
        " const id = encodeURIComponent(all.find((one) => one.scriptName === 'Looked into').scriptIdPart);"
        " return await (await fetch(`/pine-facade/get/${id}/last`)).json(); })()"
    )
    assert stored["source"] == SCRIPT
    page.js(
        "window.__editor.executeEdits('test', [{range: {startLineNumber: 11, startColumn: 1, endLineNumber: 11,"
        " endColumn: 1}, text: '// new\\n'}])"
    )
    page.js(FRAMES)  # the editor draws its text and what is beside it once in a frame
    assert page.js(INLINE) == [], "values of another text go away with that text"
    assert page.js("window.__editor.getModel().getValue()").count("// new") == 1
    page.js("window.__editor.trigger('test', 'undo')")
    assert page.js("window.__editor.getModel().getValue()") == SCRIPT
    page.until(f"!!{MEAN}")


def test_values_move_with_the_crosshair_and_the_switch_is_remembered(page: Driver) -> None:
    add(page)
    values_on(page)
    last = page.js(MEAN)
    plotted = f"{CHART}._chartWidget.model().model().dataSources().at(-1).data()"
    del plotted
    requests = page.js(
        "performance.getEntriesByType('resource').filter((one) => one.name.includes('/inspect/')).length"
    )
    point(page, 400)
    page.until(f"{MEAN} !== undefined && {MEAN} !== {json.dumps(last)}")
    shot(page, "inline-on-a-bar")
    assert page.js(f"{INLINE}.some((text) => text.includes('y ='))")
    lose_pointer(page)
    page.until(f"{MEAN} === {json.dumps(last)}")
    assert page.js(REQUESTS) == requests, "the pointer asks the server for nothing"
    assert page.js("localStorage.getItem('pinebench-studio-inline-values')") == "on"
    shot(page, "inline-last-bar")


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_table_lists_all_names_and_leads_to_their_lines(page: Driver, width: int, height: int) -> None:
    page.connection.command(
        "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
    )
    page.until(f"innerWidth === {width}")
    add(page)
    page.click('[data-name="inspector-button"]')
    page.until(f"{NAMES}.length >= 8")
    rows = page.js(f"{NAMES}.map((row) => [...row.children].map((cell) => cell.textContent))")
    by_name = {row[0]: row[1:] for row in rows}
    assert by_name["ninput int"][:2] == ["3", "3"]
    last = page.js(f"{BARS}.valueAt({BARS}.lastIndex())[4]")
    closes = [page.js(f"{BARS}.valueAt({BARS}.lastIndex() - {i})[4]") for i in range(3)]
    assert closes[0] == last
    assert float(by_name["meanseries float"][0]) == pytest.approx(sum(closes) / 3)
    assert findings(page) == []
    shot(page, f"table-{width}")
    page.js(
        "(() => { const field = document.querySelector('.inspector__filter');"
        " Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, 'rising');"
        " field.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )
    page.until(f"{NAMES}.length === 1")
    page.js(f"{NAMES}[0].querySelector('button').click()")
    page.until("document.querySelector('.statusline').textContent.includes('Line 8,')")
    page.js("document.querySelector('[data-name=\"data-window-button\"]').click()")
    page.until("document.querySelectorAll('[data-name=\"data-window-variable\"]').length >= 6")
    assert findings(page) == []
    shot(page, f"data-{width}")


def test_breakpoints_lead_to_the_bars_where_they_are_hit(page: Driver) -> None:
    add(page)
    expose(page)
    focus_line(page, 8, 1)
    page.press("F9", "F9", 120)
    page.until(f"{BREAKPOINTS} === 1")
    page.press("F9", "F9", 120)
    page.until(f"{BREAKPOINTS} === 0")
    spot = page.js(
        "(() => { const {left, top} = document.querySelector('.glyph-margin').getBoundingClientRect();"
        " return [left + 6, top + window.__editor.getTopForLineNumber(8) - window.__editor.getScrollTop() + 10]; })()"
    )
    for kind in ("mousePressed", "mouseReleased"):
        page.connection.command(
            "Input.dispatchMouseEvent", type=kind, x=spot[0], y=spot[1], button="left", clickCount=1
        )
    page.until(f"{BREAKPOINTS} === 1")
    page.press("F9", "F9", 120, 8)
    page.until("document.querySelector('[role=dialog] input') !== null")
    set_field(page, "close +")
    page.until("document.querySelector('[role=alert]')?.textContent.includes('not a valid condition')")
    set_field(page, "bar_index == last_bar_index - 60")
    page.until(
        "document.querySelector('[role=dialog]') === null && document.querySelector('.breakpoint--condition') !== null"
    )
    page.click('[data-name="inspector-button"]')
    page.until("document.querySelector('[data-name=\"breakpoint\"]')?.textContent.includes('1 hit')")
    shot(page, "breakpoints")
    page.js(EARLIER)
    bar = page.js(f"{BARS}.valueAt({BARS}.lastIndex() - 60)[0]")
    page.until(
        f"document.querySelector('[data-name=\"inspector-bar\"]').textContent.includes({json.dumps(day(page, bar))})"
    )
    page.until("document.querySelector('.breakpointHit') !== null")
    assert findings(page) == []
    shot(page, "hit")
    page.js(EARLIER)
    page.until("document.querySelector('.inspector').textContent.includes('No breakpoint is hit on an earlier bar')")
    page.js(
        "window.__editor.executeEdits('test', [{range: {startLineNumber: 2, startColumn: 1, endLineNumber: 2,"
        " endColumn: 1}, text: '// new\\n'}])"
    )
    page.until("document.querySelector('[data-name=\"breakpoint\"]').textContent.includes('Line 9')")
    assert "The text in the editor is not the script on the chart" in page.js(
        "document.querySelector('.inspector').textContent"
    )
    page.js("document.querySelector('[aria-label=\"Remove the breakpoint on line 9\"]').click()")
    page.until(f"{BREAKPOINTS} === 0")


@pytest.mark.soak
def test_breakpoints_are_kept_for_their_script_and_never_in_its_text(open_page: Tabs, session: StudioSession) -> None:
    page = open_page()
    page.js("TradingView.bottomWidgetBar.showWidget('pine-editor')")
    page.open_sample()
    expose(page)
    lines = page.editor.read().splitlines()
    number = next(i for i, text in enumerate(lines, 1) if "=" in text and not text.startswith(("//", " ")))

    def stored() -> str | None:
        store = session.studio.store
        return store.source(store.scripts()[0].id)

    before = stored()
    assert before is not None
    focus_line(page, number, 1)
    page.press("F9", "F9", 120)
    page.until(f"{BREAKPOINTS} === 1")
    assert page.js("document.querySelector('.unsaved') === null"), "a breakpoint is no change of the script"
    page.js(INSERT)
    page.until(f"{GLYPH} === {number + 1}")
    page.js(
        "window.__editor.executeEdits('test', [{range: {startLineNumber: 1, startColumn: 1, endLineNumber: 2,"
        " endColumn: 1}, text: ''}])"
    )
    page.until(f"{GLYPH} === {number}")
    page.js(INSERT)
    page.until("document.querySelector('.unsaved') !== null")
    page.press("s", "KeyS", 83, CTRL)
    page.until("document.querySelector('.unsaved') === null")
    assert stored() == page.editor.read() == "// above\n" + before, "only the edit is saved"
    reload(page, session)
    page.js("TradingView.bottomWidgetBar.showWidget('pine-editor')")
    page.until(f"{BREAKPOINTS} === 1")
    expose(page)
    assert page.js(GLYPH) == number + 1
    page.js("TradingViewApi.pineEditorTestApi().openNewScript()")
    page.until(f"{BREAKPOINTS} === 0")
    page.open_sample()
    page.until(f"{BREAKPOINTS} === 1")
    assert page.js(GLYPH) == number + 1 and stored() == "// above\n" + before
    focus_line(page, number + 1, 1)
    page.press("F9", "F9", 120)
    page.until(f"{BREAKPOINTS} === 0")
    reload(page, session)
    assert page.js(BREAKPOINTS) == 0


INSERT = (
    "window.__editor.executeEdits('test', [{range: {startLineNumber: 1, startColumn: 1, endLineNumber: 1,"
    " endColumn: 1}, text: '// above\\n'}])"
)
GLYPH = (
    "window.__editor.getModel().getAllDecorations().find(({options}) =>"
    " options.glyphMarginClassName?.includes('breakpoint'))?.range.startLineNumber"
)


def set_field(page: Driver, text: str) -> None:
    page.js(
        "(() => { const field = document.querySelector('[role=dialog] input');"
        f" Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, {json.dumps(text)});"
        " field.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )
    page.js("new Promise((done) => setTimeout(done))")
    page.js("document.querySelector('[role=dialog] [type=submit]').click()")


def day(page: Driver, seconds: int) -> str:
    """The date of a daily bar, as panels write it."""
    return page.js(f"new Date({seconds} * 1000).toISOString().slice(0, 10)")


def test_why_of_an_expression_and_of_a_trade(page: Driver) -> None:
    add(page)
    expose(page)
    focus_line(page, 9, 5)
    page.press("w", "KeyW", 87, 1)
    page.until(f"{ANSWER}?.querySelectorAll('[data-name=\"why-part\"]').length > 1")
    told = page.js(f"{ANSWER}.textContent")
    assert told.startswith("rising = ")
    assert "close > mean" in told
    assert findings(page) == []
    shot(page, "why")
    focus_line(page, 4, 11)
    page.press("w", "KeyW", 87, 1)
    page.until(f"{ANSWER}?.textContent.startsWith('y = ') && {ANSWER}.textContent.includes('line 4 ')")
    told = page.js(f"{ANSWER}.textContent")
    rises = page.js(
        f"(([a, b, c]) => c > (a + b + c) / 3)([2, 1, 0].map((i) => {BARS}.valueAt({BARS}.lastIndex() - i)[4]))"
    )
    if rises:
        assert "line 4 ran 2 times on this bar; this is run 2, in twice(open) (line 10)" in told
    else:
        assert "line 4 did not run on this bar: the condition in line 9 was false" in told
    shot(page, "why-inside")
    add(page, STRATEGY)
    page.click('[data-name="backtesting-dialog-button"]')
    page.js("document.querySelectorAll('.strategyReport__tab')[2].click()")
    page.until("document.querySelectorAll('[data-name=\"why-trade\"]').length > 5")
    assert findings(page) == []
    page.js("document.querySelectorAll('[data-name=\"why-trade\"]')[1].click()")
    page.until(f"{ANSWER}?.querySelectorAll('[data-name=\"order-step\"]').length > 1")
    told = page.js(f"{ANSWER}.textContent")
    assert told.startswith("Order In: filled")
    assert "called" in told
    assert findings(page) == []
    shot(page, "life")


def test_a_replay_tells_nothing_of_later_bars(page: Driver) -> None:
    add(page)
    page.click('[data-name="inspector-button"]')
    page.until(f"{NAMES}.length >= 8")
    values_on(page)
    time = page.js(f"{BARS}.valueAt({BARS}.lastIndex() - 100)[0]")
    page.js(f"TradingViewApi._replayApi.selectDate({time} * 1000)")
    try:
        wanted = json.dumps(day(page, time))
        page.until(f"{BAR}.includes({wanted})")
        page.until(f"{NAMES}.length >= 8 && !!{MEAN}")
        closes = page.js(f"[0, 1, 2].map((i) => {BARS}.valueAt({BARS}.lastIndex() - i)[4])")
        shown = page.js(f"{MEAN}")
        assert float(shown.split("=")[1]) == pytest.approx(sum(closes) / 3)
        assert page.js("document.querySelector('[aria-label=\"Next bar\"]').disabled")
    finally:
        page.js("TradingViewApi._replayApi.stopReplay()")


def test_problems_are_told_in_words(page: Driver) -> None:
    page.click('[data-name="inspector-button"]')
    page.until("document.querySelector('.inspector').textContent.includes('Put a script on the chart')")
    add(page, SCRIPT + 'if bar_index == last_bar_index - 5\n    runtime.error("no more")\n')
    page.until("document.querySelector('.inspector').textContent.includes('no more')")
    page.until(f"{NAMES}.length >= 8")


@pytest.mark.soak
def test_the_page_is_clean_in_the_light_theme(page: Driver) -> None:
    page.click('[data-name="header-toolbar-theme"]')
    try:
        add(page)
        page.click('[data-name="inspector-button"]')
        page.until(f"{NAMES}.length >= 8")
        values_on(page)
        assert findings(page) == []
        shot(page, "light")
    finally:
        page.click('[data-name="header-toolbar-theme"]')
