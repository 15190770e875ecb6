"""A client written for TradingView's page, with the narrow habits of such clients, works on the studio unchanged."""

from __future__ import annotations

import json

from pinebench.studio.session import Session
from tests.studio.support import CHART, CTRL, WRONG, Driver

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


def test_the_keyboard_compiles_and_saves(page: Driver, session: Session) -> None:
    page.js(f"{FIND}.editor.setValue(\"//@version=6\\nindicator('Keys')\\nplot(close)\\n\")")
    page.press("Enter", "Enter", 13, CTRL)
    page.until(f"{CHART}.getAllStudies().length === 1")
    page.press("s", "KeyS", 83, CTRL)
    page.until("[...document.querySelectorAll('.consoleRow')].some((row) => row.textContent.includes('version 2.0'))")
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
