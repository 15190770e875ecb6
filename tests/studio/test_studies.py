"""Scripts that really run on the chart, in a real browser: values, drawings, inputs, errors, other bars."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.studio.support import BARS, CHART, Driver

SOURCES = f"{CHART}._chartWidget.model().model().dataSources()"
DRAWN = """//@version=6
indicator("Drawn", overlay = true)
int length = input.int(3, "Length", minval = 1)
float level = input.float(1.5, "Level")
bool marks = input.bool(true, "Marks")
color ink = input.color(color.orange, "Ink", group = "Looks")
string mode = input.string("fast", "Mode", options = ["fast", "slow"])
plot(ta.sma(close, length), "Mean", ink)
plot(mode == "fast" ? level : -level, "Level", display = display.data_window)
plotshape(close > open, "Up", shape.triangleup, location.belowbar, color.green, text = "U")
barcolor(close > open ? color.yellow : na)
if barstate.islast and marks
    label.new(bar_index, high, "top", color = color.red)
    line.new(bar_index - 5, 100, bar_index, 100, color = color.blue, width = 2)
    box.new(time[4], 120, time, 110, xloc = xloc.bar_time)
    table cells = table.new(position.top_right, 2, 1)
    table.cell(cells, 0, 0, "close")
    table.cell(cells, 1, 0, str.tostring(close))
"""
FAILING = """//@version=6
indicator("Failing")
plot(close)
if bar_index == 7
    runtime.error("out of luck")
"""


@pytest.fixture
def page(shared: Driver) -> Iterator[Driver]:
    """The module's page without studies."""
    yield shared
    shared.js(f"{CHART}.removeAllStudies()")


def add(page: Driver, source: str) -> str:
    page.editor.write(source)
    assert page.editor.compile().outcome == "added"
    return page.js(f"{CHART}.getAllStudies().at(-1).id")


def values(page: Driver) -> dict[str, str]:
    items = page.js(f"{SOURCES}.at(-1).dataWindowView().items()")
    return {item["_title"]: item["_value"] for item in items}


def closes(page: Driver) -> list[float]:
    return page.js(f"Array.from({{length: {BARS}.size()}}, (_, i) => {BARS}.valueAt(i)[4])")


def raw(page: Driver, holder: str, name: str) -> list[dict[str, Any]]:
    graphics = f"{SOURCES}.at(-1)._graphics._primitivesCollection.{holder}.get('{name}')"
    return page.js(
        f"(({{...all}}) => [...(all.inner ?? all.flat)._primitivesDataById.values()])"
        f"({{inner: {graphics}.get?.(false), flat: {graphics}}})"
    )


def test_a_script_runs_and_what_it_shows_can_be_read(page: Driver) -> None:
    add(page, DRAWN)
    mean = sum(closes(page)[-3:]) / 3
    shown = values(page)
    assert shown["Mean"] == f"{mean:.2f}"
    assert shown["Level"] == "1.50"
    last = page.js(f"{BARS}.lastIndex()")
    (label,) = raw(page, "dwglabels", "labels")
    assert (label["t"], label["x"], label["ci"]) == ("top", last, "#F23645FF")
    (line,) = raw(page, "dwglines", "lines")
    assert (line["x1"], line["x2"], line["y1"], line["w"]) == (last - 5, last, 100, 2)
    (box,) = raw(page, "dwgboxes", "boxes")
    assert (box["x1"], box["x2"], box["y1"], box["y2"]) == (last - 4, last, 120, 110)
    cells = raw(page, "dwgtablecells", "tableCells")
    assert [cell["t"] for cell in cells] == ["close", f"{closes(page)[-1]:g}"]
    exported = page.js(f"{CHART}.exportData().then((all) => [all.schema.at(-3).plotTitle, all.data.at(-1).at(-3)])")
    assert exported == ["Mean", pytest.approx(mean)]
    meta = page.js(f"{SOURCES}.at(-1).metaInfo().plots.map((plot) => plot.type)")
    assert meta == ["line", "line", "shapes"]
    assert page.js(f"{SOURCES}.at(-1).data().valueAt({last})[1]") == pytest.approx(mean)


def test_a_hidden_study_shows_neither_values_nor_drawings(page: Driver) -> None:
    study = add(page, DRAWN)
    page.js(f"{CHART}.getStudyById({json.dumps(study)}).setVisible(false)")
    assert set(values(page).values()) == {"∅"}
    assert raw(page, "dwglabels", "labels") == []


def test_the_dialog_asks_for_each_input_by_its_type_and_the_script_runs_again(page: Driver) -> None:
    study = add(page, DRAWN)
    page.click('[aria-label="Settings of Drawn"]')
    page.until('document.querySelector(\'[role="dialog"] [name="in_0"]\') !== null')
    kinds = page.js(
        "[...document.querySelectorAll('[role=\"dialog\"] [name]')].map((field) => [field.name, field.type])"
    )
    assert kinds == [
        ["in_0", "text"],
        ["in_1", "text"],
        ["in_2", "checkbox"],
        ["in_4", "select-one"],
        ["in_3", "color"],
    ]
    page.js("document.querySelector('[name=\"in_0\"]').select()")
    page.page.insert_text("5")
    page.js("document.querySelector('[name=\"in_2\"]').click()")
    page.js("document.querySelector('[role=\"dialog\"] form').requestSubmit()")
    page.until("document.querySelector('[role=\"dialog\"]') === null")
    given = page.js(f"{CHART}.getStudyById({json.dumps(study)}).getInputValues()")
    assert [one["value"] for one in given] == [5, 1.5, False, "#FF9800FF", "fast"]
    page.until(f"{SOURCES}.at(-1).dataWindowView().items()[0]._value !== '∅'")
    assert values(page)["Mean"] == f"{sum(closes(page)[-5:]) / 5:.2f}"
    assert raw(page, "dwglabels", "labels") == []


def test_inputs_that_make_no_sense_change_nothing(page: Driver) -> None:
    study = add(page, DRAWN)
    one = f"{CHART}.getStudyById({json.dumps(study)})"
    before = page.js(f"{one}.getInputValues()")
    for name, value in (("in_0", 0), ("in_0", 2.5), ("in_0", "x"), ("in_4", "other"), ("in_3", "red"), ("in_9", 1)):
        page.js(f"{one}.setInputValues([{{id: {json.dumps(name)}, value: {json.dumps(value)}}}])")
        assert page.js(f"{one}.getInputValues()") == before, (name, value)


def test_a_runtime_error_is_shown_with_its_line_and_no_value(page: Driver) -> None:
    add(page, FAILING)
    assert set(values(page).values()) <= {"∅"}
    text = page.until("document.querySelector('[data-name=\"study-error\"]')?.textContent")
    assert "Line 5: Error on bar 7: out of luck" in text
    page.until("[...document.querySelectorAll('.consoleRow--error')].some((row) => row.textContent.includes('line 5'))")
    page.click('[data-name="study-error"]')
    page.until(
        "[...document.querySelectorAll('.status span, footer span, span')]"
        ".some((node) => node.textContent.startsWith('Line 5, column 1'))"
    )


def test_what_is_not_computed_is_said(page: Driver) -> None:
    add(page, '//@version=6\nindicator("Other")\nplot(request.security("NYSE:NOBODY", "D", close))\n')
    text = page.until("document.querySelector('[data-name=\"study-error\"]')?.textContent")
    assert "NYSE:NOBODY is not computed by pinebench" in text
    page.until(
        "[...document.querySelectorAll('.consoleRow--error')].some((row) => row.textContent.includes('Not run'))"
    )
    assert values(page) == {}


def test_a_script_that_was_taken_off_the_chart_is_added_anew(page: Driver) -> None:
    study = add(page, DRAWN)
    button = "[...document.querySelectorAll('button')].some((one) => one.textContent.trim() === 'Add to chart')"
    assert page.js(button) is False
    page.js(f"{CHART}.removeEntity({json.dumps(study)})")
    page.until(button)
    add(page, DRAWN)


def test_other_bars_and_replay_run_the_script_again(page: Driver) -> None:
    add(page, '//@version=6\nindicator("Now", overlay = true)\nplot(close, "Now")\nplot(bar_index, "At")\n')
    page.js(f"new Promise((done) => {CHART}.setSymbol('OANDA:EURUSD', done))")
    assert values(page)["Now"] == f"{closes(page)[-1]:.5f}"
    page.js(f"new Promise((done) => {CHART}.setResolution('1W', done))")
    assert values(page)["At"] == f"{page.js(f'{BARS}.lastIndex()'):.5f}"  # all weeks that there are
    page.js(f"new Promise((done) => {CHART}.setSymbol('NASDAQ:AAPL', done))")
    page.js(f"new Promise((done) => {CHART}.setResolution('1D', done))")
    api = "TradingViewApi._replayApi"
    before = int(float(values(page)["At"])) - 499  # scripts count all bars, the chart those that it shows
    assert before > 0
    page.js(f"{api}.selectDate({BARS}.valueAt(300)[0] * 1000)")
    page.until(f"{SOURCES}.at(-1).dataWindowView().items()[1]?._value === '{before + 300}.00'")
    page.js(f"{api}.doStep()")
    page.until(f"{SOURCES}.at(-1).dataWindowView().items()[1]?._value === '{before + 301}.00'")
    assert values(page)["Now"] == f"{closes(page)[-1]:.2f}"
    page.js(f"{api}.stopReplay()")
    page.until(f"{SOURCES}.at(-1).dataWindowView().items()[1]?._value === '{before + 499}.00'")


def test_a_study_of_a_changed_text_keeps_the_inputs_that_it_still_has(page: Driver) -> None:
    study = add(page, DRAWN)
    one = f"{CHART}.getStudyById({json.dumps(study)})"
    page.js(f"{one}.setInputValues([{{id: 'in_0', value: 9}}])")
    page.editor.write(DRAWN.replace('"Mean"', '"Average"'))
    assert page.editor.compile().outcome == "updated"
    assert page.js(f"{one}.getInputValues()[0].value") == 9
    page.until(f"{SOURCES}.at(-1).dataWindowView().items()[0]._title === 'Average'")
    assert values(page)["Average"] == f"{sum(closes(page)[-9:]) / 9:.2f}"


def test_an_interval_that_a_script_asks_for_is_offered(page: Driver) -> None:
    page.js(f"new Promise((done) => {CHART}.setResolution('1D', done))")
    page.editor.write(
        '//@version=6\nindicator("Minutes", overlay = true)\n'
        'if not timeframe.isintraday\n    runtime.error("Intraday charts only.")\nplot(close)\n'
    )
    page.editor.compile()
    offer = "document.querySelector('[data-name=\"study-offer\"]')"
    assert page.until(f"{offer}?.textContent") == "Show 15m bars"
    page.click('[data-name="study-offer"]')
    page.until(f"{CHART}.resolution() === '15' && {offer} === null")
    page.until("document.querySelector('.legend__plots') !== null")
    page.js(f"new Promise((done) => {CHART}.setResolution('1D', done))")


def test_a_line_that_is_not_computed_can_be_gone_to(page: Driver) -> None:
    page.editor.write('//@version=6\nindicator("Bricks")\nt = ticker.renko(syminfo.tickerid, "ATR", 10)\nplot(close)\n')
    page.editor.compile()
    offer = "document.querySelector('[data-name=\"study-offer\"]')"
    assert page.until(f"{offer}?.textContent") == "Go to line 3"
    page.click('[data-name="study-offer"]')
    page.until("document.querySelector('.statusline').textContent.includes('Line 3')")
