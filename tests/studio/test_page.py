"""The page in a real browser: TradingView's contract for chart and editor, and what a person sees."""

import itertools
import json
import math
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from pinebench import __version__
from pinebench.studio import documents
from pinebench.studio.session import StudioSession
from pinebench.tradingview import browser
from pinebench.tradingview.errors import PageError
from tests.studio.support import BARS, CHART, CLEAN, CTRL, LIMIT, SHIFT, WRONG, Driver, Tabs, reload, studio_session
from tests.tradingview.chart_waiting import wait_for_chart_ready

# -- the chart's contract --------------------------------------------------------------------------------------------


def test_the_marker_says_what_the_page_is(shared: Driver) -> None:
    assert shared.js("window.__PINEBENCH_STUDIO__") == {"version": __version__}


def test_monaco_is_not_a_global(shared: Driver) -> None:
    assert shared.js("typeof window.monaco") == "undefined"


@pytest.mark.parametrize(
    "path",
    [
        CHART,
        "TradingViewApi._chartWidgetCollection",
        "TradingView.bottomWidgetBar",
        "ChartApiInstance",
        "TradingViewApi.getSavedCharts",
        "TradingViewApi.searchSymbols",
        "TradingViewApi.pineEditorTestApi()",
    ],
)
def test_the_objects_of_the_contract_are_there_with_enumerable_methods(shared: Driver, path: str) -> None:
    assert shared.js(f"{path} != null")
    if not path.startswith("TradingViewApi.get") and not path.startswith("TradingViewApi.search"):
        assert shared.js(f"Object.keys({path}).some((key) => typeof {path}[key] === 'function')")


@pytest.mark.parametrize(
    "call",
    [
        f"{CHART}.symbolExt()",
        f"{CHART}.getAllStudies()",
        f"{CHART}.getVisibleRange()",
        f"{CHART}.exportData()",
        f"{BARS}.valueAt(0)",
        f"{CHART}._chartWidget.model().model().dataSources()",
        "TradingViewApi._chartWidgetCollection.getAll()",
        "new Promise((done) => TradingViewApi.getSavedCharts(done))",
        "TradingViewApi.searchSymbols('a')",
    ],
)
def test_what_the_api_returns_can_be_serialised(shared: Driver, call: str) -> None:
    shared.js(f"{CHART}.createStudy('RSI')")
    assert shared.js(f"Promise.resolve({call}).then((value) => JSON.stringify(value).length > 1)")


def test_the_widget_is_the_collections_widget(shared: Driver) -> None:
    assert shared.js(f"{CHART}._chartWidget === TradingViewApi._chartWidgetCollection.getAll()[0]")
    assert shared.js(f"{CHART}._chartWidget === {CHART}._chartWidget")
    assert shared.js(f"{CHART} === {CHART}")


def test_bars_have_six_numbers_and_ascend(shared: Driver) -> None:
    bars = shared.js(
        f"(() => {{ const b = {BARS};"
        " return [b.size(), b.firstIndex(), b.lastIndex(), b.valueAt(0), b.valueAt(-1)] })()"
    )
    assert bars[0] == 500
    assert bars[1:3] == [0, 499]
    assert len(bars[3]) == 6
    assert bars[4] is None


def test_symbol_and_resolution_changed_together_are_one_change(page: Driver) -> None:
    page.js(f"{CHART}.setSymbol('nasdaq:msft', {{}}); {CHART}.setResolution('60', {{}}); 1")
    assert wait_for_chart_ready(page.page, "NASDAQ:MSFT", "60", int(LIMIT * 1000))
    assert page.js(f"[{CHART}.symbol(), {CHART}.resolution()]") == ["NASDAQ:MSFT", "60"]
    assert page.js(f"{BARS}.valueAt(499)[0] - {BARS}.valueAt(498)[0]") == 3600


def test_a_callback_is_told_when_the_symbol_is_there(page: Driver) -> None:
    assert page.js(f"new Promise((done) => {CHART}.setSymbol('AMEX:SPY', () => done({CHART}.symbol())))") == "AMEX:SPY"


def test_a_day_is_1d(page: Driver) -> None:
    page.js(f"new Promise((done) => {CHART}.setResolution('D', done))")
    assert page.js(f"{CHART}.resolution()") == "1D"


def test_the_legend_names_the_symbol_that_was_asked_for(page: Driver) -> None:
    page.js(f"new Promise((done) => {CHART}.setSymbol('OANDA:EURUSD', done))")
    page.until("document.querySelector('[data-name=\"legend-source-title\"]').textContent === 'OANDA:EURUSD'")


def test_an_unknown_symbol_is_said_and_has_no_bars(page: Driver) -> None:
    page.js(f"new Promise((done) => {CHART}.setSymbol('NASDAQ:NOPE', done))")
    assert page.js(f"[{CHART}.symbol(), {BARS}.size(), {BARS}.lastIndex()]") == ["NASDAQ:NOPE", 0, None]
    page.until("document.body.innerText.includes('Invalid symbol')")
    page.js(f"new Promise((done) => {CHART}.setSymbol('AAPL', done))")
    assert page.js(f"{BARS}.size()") == 500


def test_an_idle_page_shows_no_loading_mark_and_has_bar_nodes(shared: Driver) -> None:
    loading = '[class*="loader"], [class*="loading"], [data-name="loading"]'
    assert (
        shared.js(f"[...document.querySelectorAll('{loading}')].filter((node) => node.offsetParent !== null).length")
        == 0
    )
    assert shared.js("document.querySelectorAll('[class*=\"bar\"]').length") > 0


@pytest.mark.parametrize("kind", [0, 1, 2, 3, 8, 9])
def test_every_chart_type_is_drawn(shared: Driver, kind: int) -> None:
    shared.js(f"{CHART}.setChartType({kind})")
    assert shared.js(f"{CHART}.chartType()") == kind
    assert shared.js("document.querySelectorAll('[data-name=\"pane-canvas\"]').length") > 0


def test_studies_are_added_read_changed_hidden_and_removed(shared: Driver) -> None:
    shared.js(f"{CHART}.removeAllStudies()")
    study = shared.js(f"{CHART}.createStudy('Relative Strength Index', false, false, [21])")
    assert shared.js(f"{CHART}.getAllStudies()") == [{"id": study, "name": "Relative Strength Index"}]
    one = f"{CHART}.getStudyById({json.dumps(study)})"
    assert shared.js(f"{one}.getInputValues()") == [{"id": "length", "value": 21}]
    value = f"{CHART}._chartWidget.model().model().dataSources()[0].dataWindowView().items()[0]._value"
    before = shared.js(value)
    shared.js(f"{one}.setInputValues([{{id: 'length', value: 5}}])")
    assert shared.js(value) != before
    assert float(shared.until(f"{value} !== '∅' && {value}")) != float(before)
    shared.js(f"{one}.setVisible(false)")
    assert shared.js(f"{one}.isVisible()") is False
    shared.js(f"{CHART}.removeEntity({json.dumps(study)})")
    assert shared.js(f"{CHART}.getAllStudies()") == []
    assert shared.js(one) is None


def test_inputs_as_a_list_of_ids_are_passed_over_as_on_the_real_page(shared: Driver) -> None:
    study = shared.js(f"{CHART}.createStudy('SMA', false, false, [{{id: 'length', value: 5}}])")
    assert shared.js(f"{CHART}.getStudyById({json.dumps(study)}).getInputValues()") == [{"id": "length", "value": 20}]


def test_an_unknown_indicator_is_refused(shared: Driver) -> None:
    assert "no indicator" in shared.js(f"{CHART}.createStudy('None such').catch((error) => error.message)")


def sma(values: list[float], length: int) -> float:
    return sum(values[-length:]) / length


def wma(values: list[float], length: int) -> float:
    return sum(value * (at + 1) for at, value in enumerate(values[-length:])) / (length * (length + 1) / 2)


def rma(values: list[float], length: int) -> float:
    average = sma(values[:length], length)
    for value in values[length:]:
        average += (value - average) / length
    return average


def rsi(bars: list[list[float]]) -> float:
    moves = [after[4] - before[4] for before, after in pairwise(bars)]
    up, down = rma([max(move, 0) for move in moves], 14), rma([max(-move, 0) for move in moves], 14)
    return 100 - 100 / (1 + up / down)


def cci(bars: list[list[float]]) -> float:
    prices = [sum(bar[2:5]) / 3 for bar in bars[-20:]]
    mean = sum(prices) / 20
    return (prices[-1] - mean) / (0.015 * sum(abs(price - mean) for price in prices) / 20)


def stochastic(bars: list[list[float]]) -> float:
    low, high = min(bar[3] for bar in bars[-14:]), max(bar[2] for bar in bars[-14:])
    return (bars[-1][4] - low) / (high - low) * 100


def true_ranges(bars: list[list[float]]) -> list[float]:
    first = bars[0][2] - bars[0][3]
    return [first, *(max(now[2], before[4]) - min(now[3], before[4]) for before, now in pairwise(bars))]


def closes(bars: list[list[float]]) -> list[float]:
    return [bar[4] for bar in bars]


def hull(bars: list[list[float]]) -> float:
    ends = [closes(bars)[: len(bars) - back] for back in (2, 1, 0)]
    return wma([2 * wma(end, 4) - wma(end, 9) for end in ends], 3)


HAND_WORKED: dict[str, Callable[[list[list[float]]], float]] = {
    "Moving Average Simple": lambda bars: sma(closes(bars), 20),
    "Moving Average": lambda bars: sma(closes(bars), 20),
    "Bollinger Bands": lambda bars: sma(closes(bars), 20),
    "Moving Average Weighted": lambda bars: wma(closes(bars), 9),
    "Hull Moving Average": hull,
    "Relative Strength Index": rsi,
    "Average True Range": lambda bars: rma(true_ranges(bars), 14),
    "Commodity Channel Index": cci,
    "Stochastic": stochastic,
    "Williams %R": lambda bars: stochastic(bars) - 100,
    "Donchian Channels": lambda bars: (max(b[2] for b in bars[-20:]) + min(b[3] for b in bars[-20:])) / 2,
    "Volume": lambda bars: bars[-1][5],
    "VWAP": lambda bars: sum(bars[-1][2:5]) / 3,  # a daily bar is its whole day
    "Momentum": lambda bars: bars[-1][4] - bars[-11][4],
    "Rate Of Change": lambda bars: (bars[-1][4] / bars[-10][4] - 1) * 100,
    "On Balance Volume": lambda bars: sum(
        math.copysign(1, now[4] - before[4]) * now[5] for before, now in pairwise(bars) if now[4] != before[4]
    ),
}


def test_computed_indicators_agree_with_a_computation_by_hand(shared: Driver) -> None:
    # Scripts run on all bars that there are, and so must the hand.
    shared.js(f"{CHART}.setVisibleRange({{from: 0, to: {BARS}.valueAt(100)[0]}})")
    bars = shared.js(f"{CHART}.exportData({{includedStudies: 'none'}}).then((exported) => exported.data)")
    for name, compute in HAND_WORKED.items():
        shared.js(f"{CHART}.removeAllStudies()")
        shown = shared.js(
            f"{CHART}.createStudy({json.dumps(name)}).then(() => {CHART}.exportData())"
            ".then((exported) => exported.data.map((row) => row[6]))"
        )
        assert shown[-1] == pytest.approx(compute(bars), rel=1e-9), name
    shared.js(f"{CHART}.removeAllStudies()")


def test_nothing_is_drawn_where_nothing_can_be_computed(chromium: browser.RunningBrowser, tmp_path: Path) -> None:
    rows = [f"{1700000000 + 3600 * number},{price},{price},{price},{price},1" for number, price in enumerate(FLAT)]
    (tmp_path / "XETR_FLAT_60.csv").write_text("\n".join(["time,open,high,low,close,volume", *rows]))
    with studio_session(bars=tmp_path) as session:
        tabs = Tabs(chromium.port, session)
        page = tabs()
        page.js(f"new Promise((done) => {CHART}.setSymbol('XETR:FLAT', done))")
        page.js(f"new Promise((done) => {CHART}.setResolution('60', done))")
        for name, flat in (("Commodity Channel Index", 0), ("Stochastic", None), ("Williams %R", None)):
            page.js(f"{CHART}.removeAllStudies()")
            shown = page.js(
                f"{CHART}.createStudy({json.dumps(name)}).then(() => {CHART}.exportData())"
                ".then((exported) => exported.data.map((row) => Number.isFinite(row[6]) ? row[6] : null))"
            )
            assert shown[39] == flat, name  # as TradingView has it: recorded probes
            assert shown[-1] is not None, name
        tabs.close()


def test_a_volume_that_is_not_known_is_no_volume_of_zero(chromium: browser.RunningBrowser, tmp_path: Path) -> None:
    rows = [f"{1700000000 + 3600 * number},{price},{price},{price},{price}" for number, price in enumerate(FLAT)]
    (tmp_path / "XETR_FLAT_60.csv").write_text("\n".join(["time,open,high,low,close", *rows]))
    zeros = ["time,open,high,low,close,volume", *(f"{row},0" for row in rows)]
    (tmp_path / "XETR_QUIET_60.csv").write_text("\n".join(zeros))
    with studio_session(bars=tmp_path) as session:
        tabs = Tabs(chromium.port, session)
        page = tabs()
        page.until("document.querySelector('[data-name=\"details\"]')?.innerText.includes('Volume')")
        page.click("[data-name='data-window-button']")
        page.until("document.querySelector('[data-name=\"data-window-bar\"]')?.innerText.includes('Volume')")
        page.js(f"new Promise((done) => {CHART}.setSymbol('XETR:FLAT', done))")
        page.js(f"new Promise((done) => {CHART}.setResolution('60', done))")
        page.until("document.querySelector('.details__name')?.innerText.includes('your data')")
        details = page.js("document.querySelector('[data-name=\"details\"]').innerText")
        assert "Volume" not in details
        assert "80 bars of 1 hour; times in seconds; no volume; tick" in details, "what was read is told"
        page.until("/Volume\\s*∅/.test(document.querySelector('[data-name=\"data-window-bar\"]').innerText)")
        page.js(f"new Promise((done) => {CHART}.setSymbol('XETR:QUIET', done))")
        page.until("/Volume\\s*0/.test(document.querySelector('[data-name=\"data-window-bar\"]').innerText)")
        page.until("document.querySelector('.details__name')?.innerText.includes('QUIET')")
        page.until("document.querySelector('[data-name=\"details\"]').innerText.includes('Volume')")
        tabs.close()


FLAT = [5.0] * 40 + [6.0, 7.0, 6.0, 5.0] * 10
"""Prices that stand still for 40 bars and then move."""


def test_a_chart_type_that_is_not_drawn_is_refused_by_name(shared: Driver) -> None:
    shared.js(f"{CHART}.setChartType(1)")
    for number, name in ((4, "Renko"), (5, "Kagi"), (6, "Point & figure"), (7, "Line break"), (11, "Range")):
        with pytest.raises(PageError, match=f"{name} charts are not drawn here"):
            shared.js(f"{CHART}.setChartType({number})")
    with pytest.raises(PageError, match="no chart of type 12"):
        shared.js(f"{CHART}.setChartType(12)")
    assert shared.js(f"{CHART}.chartType()") == 1


def test_a_range_of_bars_can_be_shown(shared: Driver) -> None:
    shared.js(f"{CHART}._chartWidget.model().timeScale().zoomToBarsRange(100, 150)")
    shared.until(f"{CHART}.getVisibleBarsRange().from === 100 && {CHART}.getVisibleBarsRange().to === 150")
    shown = shared.js(f"{CHART}.getVisibleRange()")
    assert shown["from"] == shared.js(f"{BARS}.valueAt(100)[0]")


def test_charts_can_be_arranged_and_focused(page: Driver) -> None:
    page.js("TradingViewApi._chartWidgetCollection.setLayout('4')")
    assert page.js("TradingViewApi._chartWidgetCollection.inlineChartsCount.value()") == 4
    page.until("document.querySelectorAll('[data-name=\"legend-source-title\"]').length === 4")
    page.js("TradingViewApi._chartWidgetCollection.getAll()[2]._mainDiv.click()")
    assert page.js(f"{CHART}._chartWidget === TradingViewApi._chartWidgetCollection.getAll()[2]")
    page.js(f"new Promise((done) => {CHART}.setSymbol('SPY', done))")
    symbols = page.js("TradingViewApi._chartWidgetCollection.getAll().map((w) => w.model().mainSeries().symbol())")
    assert symbols == ["NASDAQ:AAPL", "NASDAQ:AAPL", "AMEX:SPY", "NASDAQ:AAPL"]
    assert "unknown" in page.js("TradingViewApi._chartWidgetCollection.setLayout('99').catch((error) => error.message)")
    page.js("TradingViewApi._chartWidgetCollection.setLayout('s')")
    assert page.js(f"{CHART}.symbol()") == "NASDAQ:AAPL"


@pytest.mark.parametrize(
    ("code", "count"),
    [("2-1", 3), ("1-2", 3), ("3s", 3), ("4h", 4), ("4v", 4), ("4s", 4), ("10", 10), ("16", 16), ("s", 1)],
)
def test_every_arrangement_fills_the_place(shared: Driver, code: str, count: int) -> None:
    collection = "TradingViewApi._chartWidgetCollection"
    shared.js(f"{collection}.setLayout('{code}')")
    boxes = "[...document.querySelectorAll('.chart-container')].map((node) => node.getBoundingClientRect())"
    shared.until(f"{boxes}.length === {count} && {boxes}.every((box) => box.width > 30 && box.height > 10)")
    assert shared.js(f"[{collection}._layoutType.value(), {collection}.getAll().length]") == [code, count]
    shared.js(f"{collection}.setLayout('s')")


# -- the editor's contract ---------------------------------------------------------------------------------------------


def test_the_editor_is_found_through_react_where_clients_look(shared: Driver) -> None:
    found = shared.editor.find()
    assert found is not None
    assert (found.strategy, found.parents, found.steps) == ("value.monacoEnv", 11, 11)
    assert shared.js("document.querySelectorAll('.monaco-editor.pine-editor-monaco').length") == 1


def test_five_thousand_lines_are_read_back_identical(shared: Driver) -> None:
    source = "//@version=6\nindicator('x')\n" + "// 😀 \u2028 `${a}` \"q\" 'r' \\ é漢\n" * 5000 + "plot(close)\n"
    assert shared.editor.write(source).verified
    assert shared.editor.read() == source


def test_a_megabyte_with_foreign_line_ends_is_read_back(shared: Driver) -> None:
    source = "//@version=6\r\nindicator('x')\r\n" + "// \" ' ` ${a} \\ \u2028 😀 漢\r\n" * 40_000 + "plot(close)\r\n"
    assert len(source.encode()) > 1_000_000
    assert shared.editor.write(source).verified
    assert shared.editor.read().replace("\r\n", "\n") == source.replace("\r\n", "\n")


@pytest.mark.usefixtures("session")
def test_compiling_errors_gives_markers_rows_and_counts(page: Driver) -> None:
    page.editor.write(WRONG)
    compiled = page.editor.compile()
    assert [(m["line"], m["column"], m["code"]) for m in compiled.errors] == [
        (3, 5, "CE10272"),
        (4, 5, "CE10272"),
        (5, 6, "CE10272"),
    ]
    assert page.js(f"{CHART}.getAllStudies()") == []
    page.until("document.querySelectorAll('[class*=\"consoleRow\"]').length === 5")
    assert page.js("/^\\d\\d:\\d\\d:\\d\\d /.test(document.querySelector('[class*=\"consoleRow\"]').textContent)")
    page.until("document.querySelector('.statusline').textContent.trim().startsWith('3')")


def test_an_update_is_claimed_only_when_the_chart_has_it(page: Driver) -> None:
    page.editor.write(CLEAN)
    assert page.editor.compile().outcome == "added"
    page.set(lateMarkers=500)
    page.editor.write(WRONG)
    assert page.editor.compile().outcome == "errors"
    page.editor.write(CLEAN.replace("close", "open"))
    assert page.editor.compile().outcome == "updated"  # by the same name as before


def test_a_clean_script_goes_on_the_chart_and_is_updated(page: Driver) -> None:
    page.editor.write(CLEAN)
    assert page.editor.compile().outcome == "added"
    assert [study["name"] for study in page.js(f"{CHART}.getAllStudies()")] == ["Mine"]
    page.until("[...document.querySelectorAll('button')].some((b) => b.textContent === 'Update on chart')")
    page.editor.write(CLEAN.replace("Mine", "Other"))
    assert page.editor.compile().outcome == "updated"
    assert [study["name"] for study in page.js(f"{CHART}.getAllStudies()")] == ["Other"]
    source = f"{CHART}._chartWidget.model().model().dataSources()[0].metaInfo()"
    assert page.js(source)["description"] == "Other"
    page.js(f"{CHART}.removeEntity({CHART}.getAllStudies()[0].id)")


def test_a_strategy_is_not_a_price_study(page: Driver) -> None:
    page.editor.write("//@version=6\nstrategy('S', overlay = true)\nstrategy.entry('L', strategy.long)\n")
    assert page.editor.compile().outcome == "added"
    meta = page.js(f"{CHART}._chartWidget.model().model().dataSources()[0].metaInfo()")
    assert (meta["is_price_study"], meta["isTVScriptStrategy"]) == (False, True)
    assert meta["id"].startswith("StrategyScript$")


def test_typing_is_checked_without_a_button(shared: Driver) -> None:
    shared.editor.write(WRONG)
    shared.until("document.querySelectorAll('.pine-editor-monaco .squiggly-error').length >= 3")
    shared.editor.write(CLEAN)
    shared.until("document.querySelectorAll('.pine-editor-monaco .squiggly-error').length === 0")


def test_the_text_survives_closing_the_panel_and_undo_too(page: Driver) -> None:
    page.open_sample()
    page.editor.write(CLEAN)
    page.js("TradingView.bottomWidgetBar.hideWidget('pine-editor')")
    page.until("document.querySelector('.pine-editor-monaco') === null")
    assert page.js("document.querySelector('[class*=\"layout__area--bottom\"]').offsetHeight") < 50
    page.js("document.querySelector('[aria-label=\"Pine\"]').click()")
    page.until("document.querySelector('.pine-editor-monaco') !== null")
    assert page.editor.open().strategy == "value.monacoEnv"
    assert page.editor.read() == CLEAN
    page.js("TradingViewApi.pineEditorTestApi().focusEditor()")
    page.press("z", "KeyZ", 90, CTRL)
    page.until("document.querySelector('.view-lines').textContent.replace(/\\u00a0/g, ' ').includes('Trend ribbon')")


def test_the_button_named_pine_only_opens(shared: Driver) -> None:
    for _ in range(2):
        shared.js("document.querySelector('[aria-label=\"Pine\"]').click()")
        assert shared.js("document.querySelector('[class*=\"layout__area--bottom\"]').offsetHeight") > 50


def test_the_first_save_asks_for_a_name_and_later_ones_do_not(page: Driver, session: StudioSession) -> None:
    page.js("TradingViewApi.pineEditorTestApi().openNewScript()")
    page.editor.write(CLEAN)
    page.press("s", "KeyS", 83, CTRL)
    page.until("document.querySelector('[role=\"dialog\"] input')?.value === 'Mine'")
    buttons = "[...document.querySelectorAll('[role=\"dialog\"] button')]"
    assert page.js(f"{buttons}.map((b) => b.textContent.trim())").count("Save") == 1
    page.js(f"{buttons}.find((b) => b.textContent.trim() === 'Save').click()")
    page.until("document.querySelector('[data-name=\"pine-script-name\"]').textContent === 'Mine'")
    page.until("document.querySelector('[role=\"dialog\"]') === null")
    saved = session.studio.store.scripts()[0]
    assert (saved.name, saved.version, session.studio.store.source(saved.id)) == ("Mine", 1, CLEAN)
    page.editor.write(CLEAN + "// more\n")
    page.press("s", "KeyS", 83, CTRL)
    page.until("[...document.querySelectorAll('.consoleRow')].some((row) => row.textContent.includes('version 2.0'))")
    assert page.js("document.querySelector('[role=\"dialog\"]')") is None
    assert session.studio.store.source(saved.id) == CLEAN + "// more\n"


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 400_000,
        "indicator(" + " " * 400_000,
        *(pytest.param(text, marks=pytest.mark.soak) for text in ("\t" * 400_000, "a" * 400_000 + "(")),
    ],
)
def test_no_text_freezes_the_page_when_it_is_saved_or_completed(page: Driver, text: str) -> None:
    page.js("TradingViewApi.pineEditorTestApi().openNewScript()")
    page.editor.write(text)
    page.js("TradingViewApi.pineEditorTestApi().focusEditor()")
    page.press("End", "End", 35, CTRL)
    page.press(" ", "Space", 32, CTRL)
    page.press(" ", "Space", 32, CTRL | SHIFT)
    page.press("s", "KeyS", 83, CTRL)
    page.until("document.querySelector('[role=\"dialog\"] input')?.value === 'Untitled script'")


def test_a_taken_name_is_said_in_the_dialog(page: Driver, session: StudioSession) -> None:
    page.js("TradingViewApi.pineEditorTestApi().openNewScript()")
    page.editor.write(CLEAN.replace("Mine", "Trend ribbon"))
    page.press("s", "KeyS", 83, CTRL)
    page.until("document.querySelector('[role=\"dialog\"] input')?.value === 'Trend ribbon'")
    page.press("Enter", "Enter", 13)
    page.js("[...document.querySelectorAll('[role=\"dialog\"] button')].find((b) => b.textContent === 'Save').click()")
    page.until("document.querySelector('[role=\"dialog\"]').textContent.includes('exists already')")
    assert [script.version for script in session.studio.store.scripts()] == [1]


def test_opening_asks_before_changes_are_lost(page: Driver) -> None:
    page.editor.write(CLEAN)
    page.js("void TradingViewApi.pineEditorTestApi().openNewScript()")
    page.until("document.querySelector('[data-name=\"confirm-dialog\"]') !== null")
    page.click('[data-name="confirm-dialog"] [name="cancel"]')
    assert page.editor.read() == CLEAN
    page.js("void TradingViewApi.pineEditorTestApi().openNewScript()")
    page.click('[data-name="confirm-dialog"] [name="yes"]')
    page.until("document.querySelector('[data-name=\"pine-script-name\"]').textContent === 'Untitled script'")
    assert "My script" in page.editor.read()


def test_no_ancestor_of_save_looks_like_a_dialog_and_no_class_like_a_log(shared: Driver) -> None:
    save = "document.querySelector('[class*=\"saveButton\"]')"
    looks_like = '[class*="dialog"], [class*="modal"], [class*="popup"], [role="dialog"]'
    assert shared.js(f"{save}.closest('{looks_like}')") is None
    shared.js("document.querySelector('[aria-label=\"Change symbol\"]').click()")
    shared.until("document.querySelector('[role=\"dialog\"]') !== null")
    assert shared.js("document.querySelectorAll('[class*=\"log-\"]').length") == 0
    shared.click('[role="dialog"] [aria-label="Close"]')


# -- what a person sees ------------------------------------------------------------------------------------------------


def test_completion_offers_the_reference(page: Driver) -> None:
    page.editor.write("//@version=6\nindicator('x')\n")
    page.js("TradingViewApi.pineEditorTestApi().focusEditor()")
    page.press("End", "End", 35, CTRL)
    page.page.insert_text("plot(ta.sm")
    page.press(" ", "Space", 32, CTRL)
    page.until("document.querySelector('.suggest-widget.visible')?.textContent.includes('sma')")
    page.press("Enter", "Enter", 13)
    page.until("document.querySelector('.view-lines').textContent.includes('ta.sma')")


def test_hovering_explains_a_name(shared: Driver) -> None:
    shared.editor.write("//@version=6\nindicator('x')\nplot(ta.sma(close, 9))\n")
    spot = shared.until(
        "(() => { const spans = [...document.querySelectorAll('.view-line span span')];"
        " const box = spans.find((one) => one.textContent === 'sma')?.getBoundingClientRect();"
        " return box ? {x: box.x + box.width / 2, y: box.y + 8} : null; })()"
    )
    end = time.monotonic() + LIMIT
    # The editor may drop a hover while it still colours or checks the text; a hand moves again then.
    for move in itertools.count():
        shared.connection.command("Input.dispatchMouseEvent", type="mouseMoved", x=spot["x"] + move % 2, y=spot["y"])
        shared.js("new Promise((done) => setTimeout(done, 500))")
        if shared.js("document.querySelector('.monaco-hover')?.textContent.includes('ta.sma(source')"):
            return
        assert time.monotonic() < end, "no hover"


def test_words_are_coloured_by_what_they_are(shared: Driver) -> None:
    shared.editor.write("//@version=6\nindicator('x')\nvar float a = ta.sma(close, 9) // note\n")
    colours = shared.until(
        "(() => { const lines = [...document.querySelectorAll('.view-line')];"
        " const line = lines.find((one) => one.textContent.includes('note')); if (!line) return null;"
        " const spans = [...line.querySelectorAll('span span')];"
        " const words = ['var', 'float', 'sma', '9', '// note'.replace(' ', '\\u00a0')];"
        " const found = words.map((word) => spans.find((one) => one.textContent.trim() === word));"
        " return found.includes(undefined) ? null : found.map((one) => getComputedStyle(one).color); })()"
    )
    assert len(set(colours)) == 5


def test_blocks_fold(shared: Driver) -> None:
    shared.editor.write("//@version=6\nindicator('x')\nif close > open\n    a = 1\n    b = 2\nplot(close)\n")
    shared.until("document.querySelectorAll('.codicon-folding-expanded').length > 0")
    shared.js("TradingViewApi.pineEditorTestApi().focusEditor()")
    shared.press("Home", "Home", 36, CTRL)
    for _ in range(3):
        shared.press("ArrowDown", "ArrowDown", 40)
    shared.press("[", "BracketLeft", 219, CTRL | SHIFT)
    shared.until("!document.querySelector('.view-lines').textContent.includes('b = 2'.replace(/ /g, '\\u00a0'))")
    shared.until("document.querySelectorAll('.codicon-folding-collapsed').length === 1")


def test_the_watchlist_has_rows_with_numbers(page: Driver) -> None:
    page.until(
        "document.querySelectorAll('[data-symbol-full] .cell').length >= 18 && "
        "[...document.querySelectorAll('[data-symbol-full] .cell')].every((cell) => cell.textContent !== '')"
    )
    row = "document.querySelector('[data-symbol-full=\"NASDAQ:AAPL\"]')"
    cells = page.js(f"[...{row}.querySelectorAll('[class*=\"cell\"]')].map((cell) => cell.textContent)")
    assert cells == ["231.40", "+2.78", "+1.22%"]


def test_a_symbol_is_added_to_the_watchlist_by_keyboard(page: Driver, session: StudioSession) -> None:
    page.click('[data-name="add-symbol-button"]')
    page.until("document.activeElement.tagName === 'INPUT'")
    page.page.insert_text("TSLA")
    page.until("document.querySelectorAll('[role=\"option\"]').length === 1")
    page.press("Enter", "Enter", 13)
    page.until("document.querySelector('[data-symbol-full=\"NASDAQ:TSLA\"]') !== null")
    assert page.js("document.querySelector('[role=\"dialog\"]')") is None
    page.until(
        "fetch('/studio/api/documents/watchlist').then((a) => a.json()).then((list) => list.includes('NASDAQ:TSLA'))"
    )
    assert "NASDAQ:TSLA" in (session.studio.store.document("watchlist") or "")


@pytest.mark.parametrize("text", ["NaN", "[[1]]", "[" * 3000])
def test_damaged_documents_are_said_and_the_page_starts(open_page: Tabs, session: StudioSession, text: str) -> None:
    names = ("watchlist", "layouts")
    for name in names:
        session.studio.store.put_document(name, text)
    page = open_page()
    assert page.js(f"{CHART}.symbol()") == "NASDAQ:AAPL"
    for name in names:
        page.until(
            "[...document.querySelectorAll('.consoleRow--error')]"
            f".some((row) => row.textContent.includes('the stored {name} cannot be'))"
        )
        assert session.studio.store.document(name) == text


def test_documents_of_the_right_shape_may_say_anything(open_page: Tabs, session: StudioSession) -> None:
    odd = ["", "X" * 10_000, "<img src=x onerror=alert(1)>", "\u202e\x00", "NASDAQ:AAPL", "NASDAQ:AAPL"]
    documents.write(session.studio.store, "watchlist", odd)
    layouts = [
        {"id": 1, "url": text, "name": text, "symbol": text, "resolution": text, "modified": -(10**12)} for text in odd
    ]
    documents.write(session.studio.store, "layouts", layouts)
    page = open_page()
    page.until("document.querySelectorAll('[data-symbol-full]').length === 5")
    page.js(f"new Promise((done) => {CHART}.setSymbol('AAPL', done))")
    page.js(f"new Promise((done) => {CHART}.setResolution('60', done))")
    assert page.js(f"{BARS}.size()") == 500


def test_the_side_area_is_narrow_when_closed(page: Driver) -> None:
    width = "document.querySelector('[class*=\"layout__area--right\"]').offsetWidth"
    pressed = "document.querySelector('[data-name=\"base-watchlist-widget-button\"]').getAttribute('aria-pressed')"
    assert (page.js(width) > 200, page.js(pressed)) == (True, "true")
    page.click('[data-name="base-watchlist-widget-button"]')
    page.until(f"{width} < 50")
    assert page.js(pressed) == "false"


def test_the_page_asks_nobody_but_its_own_server(page: Driver, session: StudioSession) -> None:
    page.until("document.querySelectorAll('[data-symbol-full] .cell').length >= 18")
    asked = page.js("performance.getEntriesByType('resource').map((entry) => entry.name)")
    origin = f"http://127.0.0.1:{session.port}/"
    assert [url for url in asked if not url.startswith((origin, "data:", "blob:"))] == []


def test_a_first_visit_fetches_little(open_page: Tabs, session: StudioSession) -> None:
    page = open_page()
    page.connection.command("Network.enable")
    page.connection.command("Network.setCacheDisabled", cacheDisabled=True)
    reload(page, session)
    sizes = page.js(
        "Object.fromEntries(['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))"
        ".map((one) => [one.name, one.transferSize]))"
    )
    scripts = [size for name, size in sizes.items() if name.partition("?")[0].endswith(".js")]
    assert max(scripts) > 100_000, "it was fetched and not taken from the cache"
    assert sum(sizes.values()) <= 1_200_000, dict(sorted(sizes.items(), key=lambda one: -one[1])[:5])


def test_requests_of_the_older_kind_are_answered_here(shared: Driver) -> None:
    names = shared.js(
        "new Promise((done, fail) => { const request = new XMLHttpRequest();"
        "request.open('GET', 'https://pine-facade.tradingview.com/pine-facade/list/?filter=saved');"
        "request.withCredentials = true; request.onerror = fail;"
        "request.onload = () => done(JSON.parse(request.responseText).map((script) => script.scriptName));"
        "request.send(); })"
    )
    assert names == ["Trend ribbon"]


def test_the_services_of_tradingview_are_answered_here(shared: Driver) -> None:
    listed = shared.js(
        "fetch('https://pine-facade.tradingview.com/pine-facade/list/?filter=saved', {credentials: 'include'})"
        ".then((answer) => answer.json())"
    )
    assert [script["scriptName"] for script in listed] == ["Trend ribbon"]
    checked = shared.js(
        "fetch('https://pine-facade.tradingview.com/pine-facade/translate_light?user_name=Guest', "
        "{method: 'POST', body: new URLSearchParams({source: 'plot(zzz'})}).then((answer) => answer.json())"
    )
    assert checked["success"] is True
    assert checked["result"]["errors2"]


def test_nothing_overflows_at_the_sizes_people_use(page: Driver) -> None:
    for width, height in ((1400, 900), (1100, 700), (900, 700), (820, 1180)):
        page.connection.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )
        page.until(f"innerWidth === {width}")
        page.until(
            "['.header', '.pine-editor__toolbar', '.watchlist', '.statusline']"
            ".flatMap((part) => [...document.querySelectorAll(part + ' *')]).every((node) => {"
            " const box = node.getBoundingClientRect();"
            " return box.width === 0 || (box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1); })"
        )
        page.until("document.querySelector('.header').scrollWidth <= document.querySelector('.header').clientWidth")


def test_a_narrow_window_keeps_text_and_console_apart(page: Driver) -> None:
    page.connection.command(
        "Emulation.setDeviceMetricsOverride", width=480, height=800, deviceScaleFactor=1, mobile=False
    )
    page.until("innerWidth === 480")
    page.until(
        "(() => { const box = (css) => document.querySelector(css).getBoundingClientRect();"
        "const text = box('.editorHost'), console = box('.console'), strip = box('.strip');"
        "return text.width > 300 && text.height > 80 && console.top >= text.bottom && strip.top >= console.bottom; })()"
    )
