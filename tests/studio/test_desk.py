"""What a trader finds around the chart: settings that fit, data of every plot, alerts of scripts, a phone's width."""

import json
from collections.abc import Iterator

import pytest

from pinebench.studio.session import StudioSession
from tests.studio.support import BARS, CHART, FRAMES, Driver, Tabs, away
from tests.studio.test_look import findings

ALT = 1
SCRIPT = """//@version=6
indicator("Speaks", overlay = true)
one = input.int(5, "One", inline = "a")
two = input.int(6, "Two", inline = "a")
on = input.bool(true, "On", inline = "a")
last = input.int(7, "Last")
plot(ta.sma(close, one), "Mean")
plot(close * 2, "Twice", display = display.data_window)
if bar_index % 10 == 0
    alert("ten at " + str.tostring(bar_index), alert.freq_once_per_bar)
alertcondition(ta.crossover(close, open + 1e9), "never", "never")
alertcondition(bar_index % 100 == 0, "hundred", "hundred at {{close}}")
"""
LONG = (
    '//@version=6\nindicator("Long")\n'
    + "".join(f'f{number} = input.float({number}.0, "Field {number}")\n' for number in range(40))
    + "plot(close)\n"
)


@pytest.fixture
def page(shared: Driver) -> Iterator[Driver]:
    """The module's page without studies, as wide as a desk, the pointer away."""
    size(shared, 1440, 900)
    away(shared)
    yield shared
    shared.js("document.querySelector('[role=dialog] [aria-label=Close]')?.click(), 1")
    shared.js(f"{CHART}.removeAllStudies()")
    shared.js("TradingView.bottomWidgetBar.showWidget('pine-editor')")


def size(page: Driver, width: int, height: int) -> None:
    page.connection.command(
        "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
    )
    page.until(f"innerWidth === {width}")
    page.js(FRAMES)  # the chart has its new width, too


def add(page: Driver, text: str) -> None:
    page.editor.write(text)
    assert page.editor.compile().outcome == "added"


def settings(page: Driver) -> None:
    page.click('.legend [aria-label^="Settings"]')
    page.until("document.querySelector('[data-name=\"indicator-properties-dialog\"]') !== null")


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844), (1024, 600)])
def test_the_buttons_of_a_long_dialog_stay_in_it(page: Driver, width: int, height: int) -> None:
    add(page, LONG)
    size(page, width, height)
    settings(page)
    inside = page.js(
        "(() => { const box = document.querySelector('[role=dialog]').getBoundingClientRect();"
        " return [...document.querySelectorAll('[role=dialog] .dialog__buttons button')].every((button) => {"
        " const at = button.getBoundingClientRect();"
        " return at.bottom <= box.bottom && at.bottom <= innerHeight && at.height > 0; }); })()"
    )
    assert inside
    # The last field can be reached and is not under the buttons.
    assert page.js(
        "(() => { const fields = [...document.querySelectorAll('[role=dialog] input')]; const last = fields.at(-1);"
        " last.scrollIntoView(); const box = last.getBoundingClientRect();"
        " return document.elementFromPoint(box.x + 5, box.y + box.height / 2) === last; })()"
    )
    assert findings(page) == []


def test_inputs_of_one_line_stand_side_by_side(page: Driver) -> None:
    add(page, SCRIPT)
    settings(page)
    tops = page.js(
        "[...document.querySelectorAll('[role=dialog] input')].map((one) => {"
        " const box = one.getBoundingClientRect(); return Math.round(box.top + box.height / 2); })"
    )
    one, two, on, last = tops
    assert abs(one - two) <= 2
    assert abs(one - on) <= 2
    assert last > one + 10


def test_the_data_window_has_what_is_displayed_nowhere_else(page: Driver) -> None:
    add(page, SCRIPT)
    page.click('[data-name="data-window-button"]')
    told = (
        "Object.fromEntries([...document.querySelectorAll('[data-name=\"data-window-bar\"] > div')]"
        ".map((row) => [row.querySelector('dt').childNodes[0].textContent.trim(),"
        " row.querySelector('dd').textContent]))"
    )
    close = page.js(f"{BARS}.valueAt({BARS}.lastIndex())[4]")
    page.until(f"{told}.Twice === '{2 * close:.2f}'")
    assert page.js(f"{told}.Close") == f"{close:.2f}"
    # Bar by bar, too, and on the bar under the pointer.
    rows = "[...document.querySelectorAll('.dataWindow tbody tr')]"
    assert page.js(f"{rows}.length") == 100
    before = page.js(f"{BARS}.valueAt({BARS}.lastIndex() - 1)[4]")
    assert page.js(f"[...{rows}[1].cells].map((cell) => cell.textContent)")[1:] == [
        f"{before:.2f}",
        page.js(f"{rows}[1].cells[2].textContent"),
        f"{2 * before:.2f}",
    ]
    x, y = page.js(
        "(({x, y, width, height}) => [x + width / 3, y + height / 3])"
        "(document.querySelector('[data-name=\"pane-canvas\"]').getBoundingClientRect())"
    )
    page.connection.command("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    page.until(f"{told}.Close !== '{close:.2f}'")
    assert findings(page) == []


def test_alerts_of_scripts_are_listed_over_all_bars(page: Driver) -> None:
    add(page, SCRIPT)
    page.js("document.querySelector('.alerts__list') ?? document.querySelector('.strip [data-name=alerts]').click(), 1")
    items = "[...document.querySelectorAll('[data-name=\"script-alerts\"] li')].map((one) => one.textContent)"
    page.until(f"{items}.length > 100")
    texts = page.js(items)
    assert any("ten at 1140" in text for text in texts)
    assert any("hundred at " in text for text in texts)
    assert not any("never" in text for text in texts)
    moment = page.js(f"Date.parse({items}.at(-1).slice(0, 16).replace(' ', 'T') + 'Z') / 1000")
    page.js("[...document.querySelectorAll('[data-name=\"script-alerts\"] button')].at(-1).click(), 1")
    # The list has the exchange's time, hours from UTC.
    page.until(f"(({{from, to}}) => from <= {moment} + 43200 && to >= {moment})({CHART}.getVisibleRange())")
    assert findings(page) == []
    page.js("document.querySelector('.strip [data-name=\"alerts\"]').click(), 1")


def test_alerts_that_fire_in_a_replay_are_shown_as_they_come(page: Driver) -> None:
    add(page, SCRIPT)
    api = "TradingViewApi._replayApi"
    studies = f"{CHART}._chartWidget.model().model().dataSources()"
    page.js(f"{api}.selectDate({BARS}.valueAt(300)[0] * 1000)")
    page.until(f"{BARS}.size() === 301 && !{studies}.at(-1).isLoading()")
    assert page.js("document.querySelectorAll('[data-name=\"toast\"]').length") == 0, "the past is no news"
    for step in range(1, 12):
        page.js(f"{api}.doStep()")
        page.until(f"{BARS}.size() === {301 + step} && !{studies}.at(-1).isLoading()")
    page.until(
        "[...document.querySelectorAll('[data-name=\"toast\"]')].some((one) => one.textContent.includes('ten at'))"
    )
    page.js(f"{api}.stopReplay()")


def test_the_text_is_put_in_order_by_tradingviews_key(page: Driver) -> None:
    page.editor.write('//@version=6\nindicator("x")\nplot( close )\n')
    page.js(
        "void document.querySelector('.pine-editor-monaco').querySelector('textarea, .native-edit-context').focus()"
    )
    page.press("F", "KeyF", 70, ALT | 8)
    page.until("document.querySelector('.view-lines').textContent.includes('plot(close)')")


def test_a_script_that_takes_long_is_spoken_of_and_can_be_stopped(page: Driver) -> None:
    page.editor.write('//@version=6\nindicator("Endless")\nint n = 0\nwhile n >= 0\n    n += 1\nplot(n)\n')
    page.editor.compile()
    stop = "[...document.querySelectorAll('[data-name=\"toast\"] button')].find((one) => one.textContent === 'Stop')"
    page.until(f"{stop} !== undefined")
    page.js(f"{stop}.click()")
    page.until("document.querySelector('[data-name=\"study-error\"]')?.textContent.includes('You stopped the run')")


def test_a_phone_shows_tabs_save_and_the_tester(open_page: Tabs, session: StudioSession) -> None:
    del session
    page = open_page()
    size(page, 390, 844)
    strategy = '//@version=6\nstrategy("S")\nif bar_index % 40 == 10\n    strategy.entry("a", strategy.long)\n'
    page.editor.write(strategy + 'if bar_index % 40 == 30\n    strategy.close("a")\n')
    assert page.editor.compile().outcome == "added"
    seen = (
        "((selector) => { const node = document.querySelector(selector), box = node.getBoundingClientRect();"
        " const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);"
        " const fits = box.right <= innerWidth && box.bottom <= innerHeight && box.height >= 18;"
        " return fits && (node === at || node.contains(at)); })"
    )
    for selector in (
        '[data-name="pine-dialog-button"]',
        '[data-name="backtesting-dialog-button"]',
        '[class*="saveButton"]',
        '[data-name="add-script-to-chart"]',
    ):
        assert page.js(f"{seen}({json.dumps(selector)})"), selector
    page.click('[data-name="backtesting-dialog-button"]')
    page.until("document.querySelectorAll('.reportItem').length === 8")
    for selector in (
        ".strategyReport__tab",
        ".strategyReport__tab:last-child",
        '[data-name="export-trades"]',
        '[data-name="ran-on"]',
    ):
        assert page.js(f"{seen}({json.dumps(selector)})"), selector
    assert page.js("document.querySelector('[data-name=ran-on]').textContent").startswith("made-up prices · ")
    assert page.js("document.documentElement.scrollWidth <= innerWidth")
    assert findings(page) == []


def test_candles_have_bodies_on_a_phone(shared: Driver) -> None:
    """Bars have three pixels or more at each first view, beside the axis."""
    size(shared, 390, 844)
    try:
        for resolution in ("1W", "1D", "60"):
            shared.js(f"new Promise((done) => {CHART}.setResolution('{resolution}', done))")
            times = f"Array.from({{length: {BARS}.size()}}, (_, at) => {BARS}.valueAt(at)[0])"
            seen = shared.js(
                f"(({{from}}) => {times}.filter((time) => time >= from).length)({CHART}.getVisibleRange())"
            )
            width = shared.js("document.querySelector('[data-name=\"pane-canvas\"]').getBoundingClientRect().width")
            assert 20 <= seen <= width / 3, resolution
    finally:
        size(shared, 1440, 900)
        shared.js(f"new Promise((done) => {CHART}.setResolution('1D', done))")


STRATEGY = """//@version=6
strategy("Tabs", overlay = true, initial_capital = 5000, default_qty_type = strategy.fixed, default_qty_value = 1)
length = input.int(10, "Length")
if bar_index % 40 == length
    strategy.entry("In", strategy.long)
if bar_index % 40 == 30
    strategy.close("In")
plot(ta.sma(close, length), "Mean", color.blue, 2)
"""
DIALOG = "document.querySelector('[data-name=\"indicator-properties-dialog\"]')"
STUDY = f"{CHART}._chartWidget.model().model().dataSources().at(-1)"


def open_tab(page: Driver, name: str) -> None:
    settings(page)
    page.js(f"[...{DIALOG}.querySelectorAll('[role=tab]')].find((one) => one.textContent === '{name}').click(), 1")
    page.until(f"{DIALOG}.querySelector('[role=tabpanel]').getAttribute('aria-label') === '{name}'")
    assert findings(page) == []


def put(page: Driver, selector: str, value: str) -> None:
    """Change a field as a person would, so that the page hears of it."""
    page.js(
        f"(() => {{ const field = {DIALOG}.querySelector({json.dumps(selector)});"
        " const kind = field instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement;"
        f" Object.getOwnPropertyDescriptor(kind.prototype, 'value').set.call(field, {json.dumps(value)});"
        " field.dispatchEvent(new Event('input', {bubbles: true}));"
        " field.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )


def ok(page: Driver) -> None:
    page.js(f"{DIALOG}.querySelector('[type=submit]').click(), 1")
    page.until(f"{DIALOG} === null")


def test_properties_of_a_strategy_are_those_it_is_tested_with(page: Driver) -> None:
    add(page, STRATEGY)
    page.until(f"{STUDY}.reportData() !== null")
    one = page.js(f"{STUDY}.reportData().performance.all")
    open_tab(page, "Properties")
    shown = page.js(f"{DIALOG}.querySelector('[name=initial_capital]').value")
    assert shown == "5000", "what the declaration says stands there"
    put(page, "[name=default_qty_value]", "3")
    put(page, "[name=initial_capital]", "7000")
    ok(page)
    page.until(f"{STUDY}.reportData()?.trades[0].q === 3")
    three = page.js(f"{STUDY}.reportData().performance.all")
    assert three["totalTrades"] == one["totalTrades"]
    assert three["netProfit"] == pytest.approx(3 * one["netProfit"])
    assert page.js(f"{STUDY}.reportData().performance.initialCapital") == 7000
    open_tab(page, "Properties")
    assert page.js(f"{DIALOG}.querySelector('[name=default_qty_value]').value") == "3"
    page.js(f"[...{DIALOG}.querySelectorAll('button')].find((one) => one.textContent === 'Defaults').click(), 1")
    ok(page)
    page.until(f"{STUDY}.reportData()?.trades[0].q === 1")
    assert page.js(f"{STUDY}.reportData().performance.all.netProfit") == pytest.approx(one["netProfit"])


def test_a_style_changes_the_look_and_no_number(page: Driver) -> None:
    add(page, STRATEGY)
    page.until(f"{STUDY}.reportData() !== null")
    legend = 'document.querySelector(\'.legend__study [title="Mean"], .legend [title="Mean"]\')'
    before = page.until(f"{legend}?.textContent")
    open_tab(page, "Style")
    put(page, "[data-style='plot 1'] input[type=color]", "#ff8800")
    ok(page)
    page.until(f"getComputedStyle({legend}).color === 'rgb(255, 136, 0)'")
    assert page.js(f"{legend}.textContent") == before
    open_tab(page, "Style")
    page.js(f"{DIALOG}.querySelector(\"[data-style='plot 1'] input[type=checkbox]\").click(), 1")
    ok(page)
    page.until(f"{legend} === null")
    assert page.js(f"{STUDY}.reportData() !== null")


def test_a_study_is_shown_on_the_intervals_it_is_for(page: Driver) -> None:
    add(page, STRATEGY)
    open_tab(page, "Visibility")
    page.js(f"{DIALOG}.querySelector('[name=Weeks]').click(), 1")
    ok(page)
    assert page.js(f"{STUDY}.isVisible()") is True
    page.js(f"new Promise((done) => {CHART}.setResolution('1W', done))")
    page.until(f"{STUDY}.isVisible() === false")
    page.js(f"new Promise((done) => {CHART}.setResolution('1D', done))")
    page.until(f"{STUDY}.isVisible() === true")
