"""A client written for TradingView's page, with the narrow habits of such clients, works on the studio unchanged."""

import json

import pytest

from pinebench.studio.session import StudioSession
from tests.soak.outside_calls import CALLS, Call
from tests.soak.outside_client import failed
from tests.studio.support import BARS, CHART, CTRL, WRONG, Driver

ALT = 1

FIND = """(() => {
  const container = document.querySelector('.monaco-editor.pine-editor-monaco');
  if (!container) return null;
  let node = container, key;
  for (let i = 0; i < 20 && node; i++, node = node.parentElement) {
    key = Object.keys(node).find((name) => name.startsWith('__reactFiber$'));
    if (key) break;
  }
  if (!key) return null;
  let fiber = node[key];
  for (let i = 0; i < 15 && fiber; i++, fiber = fiber.return) {
    const env = fiber.memoizedProps?.value?.monacoEnv;
    if (typeof env?.editor?.getEditors === 'function' && env.editor.getEditors().length > 0) {
      return { editor: env.editor.getEditors()[0], env };
    }
  }
  return null;
})()"""

MARKERS = f"""(() => {{
  const found = {FIND};
  const model = found.editor.getModel();
  return found.env.editor.getModelMarkers({{ resource: model.uri }})
    .map((marker) => [marker.startLineNumber, marker.startColumn, marker.message, marker.severity]);
}})()"""

PRESS = """(() => {
  const buttons = [...document.querySelectorAll('button')];
  const text = (button) => button.textContent.trim();
  const press = (button) => { button.click(); return text(button); };
  const both = buttons.find((button) => /save and add to chart/i.test(text(button)));
  if (both) return press(both);
  for (const label of [/^add to chart$/i, /^update on chart$/i]) {
    const button = buttons.find((one) => label.test(text(one)));
    if (button) return press(button);
  }
  return null;
})()"""

READY = """(() => {
  const spinner = document.querySelector('[class*="loader"], [class*="loading"], [data-name="loading"]');
  const legend = document.querySelector('[data-name="legend-source-title"]');
  return {
    loading: spinner !== null && spinner.offsetParent !== null,
    bars: document.querySelectorAll('[class*="bar"]').length,
    legend: legend?.textContent ?? '',
  };
})()"""


def test_the_editor_is_opened_found_written_and_compiled(page: Driver) -> None:
    page.js("TradingView.bottomWidgetBar.hideWidget('pine-editor')")
    page.until(f"{FIND} === null")
    page.js("TradingView.bottomWidgetBar.activateScriptEditorTab()")
    page.js("document.querySelector('[aria-label=\"Pine\"]').click()")
    page.until(f"{FIND} !== null")
    page.js(f"{FIND}.editor.setValue({json.dumps(WRONG)})")
    assert page.js(f"{FIND}.editor.getValue()") == WRONG
    assert page.js(PRESS) == "Add to chart"
    page.until(f"{MARKERS}.length === 3")
    assert page.js(MARKERS)[0] == [3, 5, 'Undeclared identifier "zzz" (CE10272)', 8]
    rows = page.js("[...document.querySelectorAll('[class*=\"consoleRow\"]')].map((row) => row.textContent)")
    assert any("Undeclared" in row for row in rows)


def test_the_keyboard_compiles_and_saves(page: Driver, session: StudioSession) -> None:
    page.js(f"{FIND}.editor.setValue(\"//@version=6\\nindicator('Keys')\\nplot(close)\\n\")")
    page.press("Enter", "Enter", 13, CTRL)
    page.until(f"{CHART}.getAllStudies().length === 1")
    for version in ("1.0", "2.0"):  # the first save asks for a name
        page.js(f"{FIND}.editor.setValue(\"//@version=6\\nindicator('Keys')\\nplot(close) // {version}\\n\")")
        page.press("s", "KeyS", 83, CTRL)
        if version == "1.0":
            save = "[...document.querySelectorAll('[role=dialog] button')].find((b) => b.textContent === 'Save')"
            page.until(f"!!{save}")
            page.js(f"{save}.click()")
        told = f"row.textContent.includes('version {version}')"
        page.until(f"[...document.querySelectorAll('.consoleRow')].some((row) => {told})")
    assert "Keys" in (session.studio.store.source(session.studio.store.scripts()[0].id) or "")


def test_a_change_of_symbol_is_seen_in_the_legend(page: Driver) -> None:
    page.js(f"{CHART}.setSymbol('NASDAQ:MSFT', {{}}); 1")
    page.until(f"(({{loading, bars, legend}}) => !loading && bars > 0 && legend.includes('NASDAQ:MSFT'))({READY})")


def test_areas_are_where_such_clients_measure_them(page: Driver) -> None:
    height = "document.querySelector('[class*=\"layout__area--bottom\"]').offsetHeight"
    assert page.js(f"{height} > 50")
    assert page.js("document.querySelector('[class*=\"layout__area--right\"]').offsetWidth > 50")
    assert page.js("document.querySelector('[data-name=\"widgetbar-wrap\"]') !== null")
    box = page.js(
        "(({x, y, width, height}) => ({x, y, width, height}))"
        "(document.querySelector('[data-name=\"pane-canvas\"]').getBoundingClientRect())"
    )
    assert box["width"] > 300
    assert box["height"] > 100
    picture = page.page.screenshot(box)
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 5_000


def test_discovery_counts_methods(page: Driver) -> None:
    counts = page.js(
        f"[{CHART}, TradingViewApi._chartWidgetCollection, TradingView.bottomWidgetBar, ChartApiInstance]"
        ".map((object) => Object.keys(object).filter((name) => typeof object[name] === 'function').length)"
    )
    assert all(count >= 2 for count in counts)
    assert counts[0] >= 15


@pytest.mark.usefixtures("session")
def test_side_panels_open_by_their_buttons_and_by_the_tabs_around_them(page: Driver) -> None:
    pressed = "[...document.querySelectorAll('.strip [aria-pressed=\"true\"]')].map((node) => node.dataset.name)"
    for selector, name in (
        ('[class*="widgetbar"] [data-name="base"]', None),
        ('[class*="widgetbar"] [data-name="base"]', "base-watchlist-widget-button"),
        ('[data-name="alerts"]', "alerts-button"),
        ('[data-name="trading-button"]', "trading-button"),
        ('[aria-label="Trading Panel"]', None),
    ):
        page.click(selector)
        page.until(f"JSON.stringify({pressed}) === JSON.stringify({json.dumps([name] if name else [])})")


def test_the_alerts_button_has_a_menu_that_stands_in_nobodys_way(page: Driver) -> None:
    page.js(f"{CREATE}.then(() => {CREATE})")
    page.js("document.querySelector('[data-name=\"alerts\"]').click()")
    menu = "new MouseEvent('contextmenu', {bubbles: true, clientX: 100, clientY: 100})"
    page.js(f"void document.querySelector('[data-name=\"alerts\"]').dispatchEvent({menu})")
    page.js(f"void document.querySelector('.strip [data-name=\"alerts\"]').dispatchEvent({menu})")
    page.until("document.querySelector('[role=\"menuitem\"]') !== null")
    assert page.js("document.querySelector('[role=\"dialog\"]') === null"), "what comes next must not be blocked"
    page.click('[role="menuitem"]')
    page.click('[role="dialog"] button[name="cancel"]')
    assert page.js("TradingViewApi._alertService.getAlerts().then((all) => all.length)") == 2
    page.js(f"void document.querySelector('.strip [data-name=\"alerts\"]').dispatchEvent({menu})")
    page.click('[role="menuitem"]')
    page.until("/2/.test(document.querySelector('[role=\"dialog\"] p').textContent)")
    page.click('[role="dialog"] button[name="yes"]')
    page.until("TradingViewApi._alertService.getAlerts().then((all) => all.length === 0)")


CREATE = """fetch('https://pricealerts.tradingview.com/create_alert', {method: 'POST', body: JSON.stringify({payload: {
  symbol: 'NASDAQ:AAPL', resolution: '1D', message: 'm',
  conditions: [{type: 'cross', series: [{type: 'barset'}, {type: 'value', value: 5}]}],
}})}).then((answer) => answer.json())"""


def test_alerts_are_made_by_key_and_a_field_of_text(page: Driver) -> None:
    page.press("a", "KeyA", 65, ALT)
    field = 'document.querySelector(\'[class*="alert"] input[type="text"]\')'
    page.until(f"{field} !== null")
    labelled = f"{field}.closest('[class*=\"row\"]').querySelector('[class*=\"label\"]').textContent"
    assert page.js(labelled) == "Value"


def test_bid_and_ask_are_where_such_clients_look(page: Driver) -> None:
    page.click('[data-name="trading-button"]')
    page.until("document.querySelector('[data-name=\"dom\"]') !== null")
    price = "((css) => parseFloat(document.querySelector(css).textContent.replace(/[^0-9.\\-]/g, '')))"
    bid, ask = (page.js(f'{price}(\'[class*="{side}"] [class*="price"]\')') for side in ("bid", "ask"))
    last = page.js(f"{BARS}.valueAt({BARS}.lastIndex())[4]")
    assert bid <= last < ask < last * 1.001
    rows = page.js(
        "[...document.querySelector('[class*=\"depth\"]').querySelectorAll('[class*=\"row\"]')].map((row) => "
        "[/bid|buy/i.test(row.className + row.innerHTML), /ask|sell/i.test(row.className + row.innerHTML)])"
    )
    assert rows == [[False, True]] * 10 + [[True, False]] * 10


def test_numbers_of_the_watchlist_are_plain(page: Driver) -> None:
    cells = "[...document.querySelectorAll('[data-symbol-full] .cell')].map((cell) => cell.textContent)"
    page.until(f"{cells}.every((text) => text !== '')")
    assert page.js(f"{cells}.filter((text) => !/^[-+]?[\\d,]+\\.?\\d*%?$/.test(text))") == []


def test_the_last_values_of_a_study_are_behind_its_object(page: Driver) -> None:
    page.js(f"{CHART}.createStudy('Relative Strength Index')")
    study = f"{CHART}.getStudyById({CHART}.getAllStudies()[0].id)"
    value = page.until(f"{study}._study._lastBarValues.RSI")
    shown = page.js(f"{CHART}._chartWidget.model().model().dataSources()[0].dataWindowView().items()[0]._value")
    assert f"{value:.2f}" == shown
    assert page.js(f"JSON.stringify({study})") == "{}"


def test_drawings_of_every_kind_have_their_number_of_points(page: Driver) -> None:
    counts = {
        "horizontal_line": 1, "horizontal_ray": 1, "vertical_line": 1, "cross_line": 1, "text": 1, "note": 1, "flag": 1,
        "arrow_up": 1, "arrow_down": 1, "trend_line": 2, "trend_angle": 2, "info_line": 2, "ray": 2, "extended": 2,
        "arrow": 2, "rectangle": 2, "price_range": 2, "date_range": 2, "circle": 2, "fib_retracement": 2, "triangle": 3,
        "parallel_channel": 3, "path": 5, "polyline": 2, "brush": 9,
    }  # fmt: skip
    place = f"(i) => (({{0: time, 4: price}}) => ({{time, price}}))({BARS}.valueAt({BARS}.lastIndex() - 40 + 3 * i))"
    made = page.js(
        f"(async () => {{ const at = {place}, made = []; for (const [shape, count] of Object.entries("
        f"{json.dumps(counts)})) made.push(await {CHART}.createMultipointShape(Array.from({{length: count}}, (_, i) => "
        f"at(i)), {{shape, overrides: {{linecolor: '#ff00ff'}}}})); return made; }})()"
    )
    points = f"{CHART}.getAllShapes().map(({{id, name}}) => [name, {CHART}.getShapeById(id).getPoints().length])"
    assert dict(page.js(points)) == counts
    for shape, count in (("triangle", 2), ("circle", 3), ("path", 1), ("fib_fan_of_nobody", 2)):
        points = f"Array.from({{length: {count}}}, (_, i) => ({place})(i))"
        refused = f"{CHART}.createMultipointShape({points}, {{shape: '{shape}'}})"
        assert shape in page.js(f"{refused}.then(() => '', (error) => error.message)")
    for number, entity in enumerate(made, 1):
        page.js(f"{CHART}.removeEntity({json.dumps(entity)})")
        assert page.js(f"{CHART}.getAllShapes().length") == len(counts) - number


FEW = 45
"""The number of calls that every run of the tests makes: the page's nodes, the symbol and its bars."""


def test_the_first_calls_of_a_session_succeed(page: Driver) -> None:
    assert failed(page.connection, CALLS[:FEW]) == {}


def test_a_call_that_fails_is_counted(page: Driver) -> None:
    wrong = (Call("missing", "TradingViewApi.nothing()"), Call("false", "1 > 2"), Call("true", "2 > 1"))
    assert set(failed(page.connection, wrong)) == {"missing", "false"}


@pytest.mark.soak
def test_at_least_184_of_191_calls_succeed(page: Driver) -> None:
    assert len(CALLS) == 191
    found = failed(page.connection)
    assert len(CALLS) - len(found) >= 184, found
