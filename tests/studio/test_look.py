"""What people see: contrast and roles by axe-core, legends where their lines are, room for the chart."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.studio.support import CHART, WRONG, Driver

AXE = Path(__file__).resolve().parents[2] / "pinebench/studio/page/node_modules/axe-core/axe.min.js"
DIALOG = "document.querySelector('[role=\"dialog\"]')"


def findings(page: Any, inside: str = "") -> list[tuple[str, Any]]:
    """What axe-core finds wrong with the page, or with what a selector names."""
    if page.js("typeof window.axe") != "object":
        page.js(f"{AXE.read_text(encoding='utf-8')}; 1")
    found: list[dict[str, Any]] = page.js(
        f"axe.run({json.dumps(inside)} || document, {{resultTypes: ['violations']}}).then(({{violations}}) =>"
        " violations.map(({id, nodes}) => ({id, nodes: nodes.map((node) => node.target.join(' '))})))"
    )
    return [(one["id"], one["nodes"]) for one in found]


def choose(page: Driver, label: str) -> None:
    page.click('[data-name="pine-script-menu"]')
    items = "[...document.querySelectorAll('[role=\"menuitem\"]')]"
    page.until(f"{items}.length > 0")
    page.js(f"{items}.find((item) => item.textContent.includes({json.dumps(label)})).click()")
    page.until(f"{DIALOG} !== null")


def test_axe_core_finds_nothing_on_the_main_screens(page: Driver) -> None:
    page.until("document.querySelectorAll('[data-symbol-full] .cell').length >= 18")
    for name in ("MACD", "SMA", "Volume", "Bollinger Bands"):
        page.js(f"{CHART}.createStudy('{name}')")
    page.js(f"{CHART}.getStudyById({CHART}.getAllStudies()[0].id).setVisible(false)")
    assert findings(page) == []
    page.editor.write(WRONG)
    page.editor.compile()
    page.until("document.querySelectorAll('.consoleRow--error').length > 3")
    assert findings(page) == []
    page.js("TradingViewApi._chartWidgetCollection.setLayout('4')")
    page.until("document.querySelectorAll('[data-name=\"legend-source-title\"]').length === 4")
    assert findings(page) == []
    page.js("TradingView.bottomWidgetBar.hideWidget('pine-editor')")
    page.click('[data-name="base-watchlist-widget-button"]')
    page.until("document.querySelector('.watchlist') === null")
    assert findings(page) == []


def test_axe_core_finds_nothing_in_the_light_theme(page: Driver) -> None:
    page.until("document.querySelectorAll('[data-symbol-full] .cell').length >= 18")
    page.click('[data-name="header-toolbar-theme"]')
    page.until("document.documentElement.dataset.theme === 'light'")
    try:
        for name in ("MACD", "SMA", "Bollinger Bands"):
            page.js(f"{CHART}.createStudy('{name}')")
        page.editor.write(WRONG)
        page.editor.compile()
        page.until("document.querySelectorAll('.consoleRow--error').length > 3")
        assert findings(page) == []
        page.click('[data-name="chart-scale-menu"]')
        page.until("document.querySelector('[role=\"menu\"]') !== null")
        assert findings(page) == []
    finally:
        page.js("localStorage.removeItem('pinebench-studio-theme')")


@pytest.mark.parametrize(
    ("width", "height", "theme"),
    [
        (1440, 900, "dark"),
        (390, 844, "light"),
        pytest.param(1440, 900, "light", marks=pytest.mark.soak),
        pytest.param(390, 844, "dark", marks=pytest.mark.soak),
    ],
)
def test_axe_core_finds_nothing_in_the_tester_of_a_strategy_on_averaged_bars(
    page: Driver, width: int, height: int, theme: str
) -> None:
    page.connection.command(
        "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
    )
    page.until(f"innerWidth === {width}")
    if theme == "light":
        page.js("document.querySelector('[data-name=\"header-toolbar-theme\"]').click()")
    page.until(f"document.documentElement.dataset.theme === '{theme}'")
    try:
        page.editor.write(
            '//@version=6\nstrategy("Steps", overlay = true)\nif bar_index % 40 == 10\n'
            '    strategy.entry("In", strategy.long)\nif bar_index % 40 == 30\n    strategy.close("In")\n'
        )
        page.editor.compile()
        page.js("document.querySelector('[data-name=\"backtesting-dialog-button\"]').click()")
        page.js(f"{CHART}.setChartType(8)")
        page.until("document.querySelector('[data-name=\"not-standard\"]') !== null")
        page.until("document.querySelector('.strategyReport__chart canvas') !== null")
        assert findings(page) == []
        page.js("document.querySelectorAll('.strategyReport__tab')[2].click()")
        page.until("document.querySelector('[data-name=\"trade-row\"]') !== null")
        assert findings(page) == []
        page.js("document.querySelector('[data-name=\"data-window-button\"]').click()")
        page.until("document.querySelector('.dataWindow tbody tr') !== null")
        assert findings(page) == []
    finally:
        page.js("localStorage.removeItem('pinebench-studio-theme')")


@pytest.mark.soak
def test_axe_core_finds_nothing_at_any_width_in_either_theme(page: Driver) -> None:
    """The chart with studies, each side panel, the tester, and the settings of a study and of the chart."""
    page.editor.write(
        '//@version=6\nstrategy("Steps", overlay = true)\nlength = input.int(9, "Length")\n'
        'plot(ta.sma(close, length))\nif bar_index % 40 == 10\n    strategy.entry("In", strategy.long)\n'
        'if bar_index % 40 == 30\n    strategy.close("In")\n'
    )
    page.editor.compile()
    faults: list[tuple[object, ...]] = []

    def look(*where: object) -> None:
        faults.extend((*where, one) for one in findings(page))

    try:
        for theme in ("dark", "light"):
            if page.js("document.documentElement.dataset.theme") != theme:
                page.js("document.querySelector('[data-name=\"header-toolbar-theme\"]').click()")
            page.until(f"document.documentElement.dataset.theme === '{theme}'")
            for width, height in ((390, 844), (1024, 768), (1440, 900)):
                page.connection.command(
                    "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
                )
                page.until(f"innerWidth === {width}")
                for panel in ("alerts", "object-tree", "trading", "inspector", "assistant", "base-watchlist-widget"):
                    page.js(f"document.querySelector('[data-name=\"{panel}-button\"]').click()")
                    look(theme, width, panel)
                page.js("document.querySelector('[data-name=\"backtesting-dialog-button\"]').click()")
                for tab in range(4):
                    page.js(f"document.querySelectorAll('.strategyReport__tab')[{tab}].click()")
                    look(theme, width, "tester", tab)
                for kind in ("study", "chart"):
                    opener = (
                        "document.querySelector('.legend [aria-label^=\"Settings of\"]').click()"
                        if kind == "study"
                        else "document.querySelector('[data-name=\"chart-scale-menu\"]').click()"
                    )
                    page.js(opener)
                    if kind == "chart":
                        page.until("document.querySelector('[role=menu]') !== null")
                        page.js("[...document.querySelectorAll('[role=menuitem]')].at(-1).click()")
                    page.until(f"{DIALOG} !== null")
                    look(theme, width, kind)
                    page.press("Escape", "Escape", 27)
                    page.until(f"{DIALOG} === null")
                assert page.js("document.documentElement.scrollWidth") <= width
        assert faults == []
    finally:
        page.js("localStorage.removeItem('pinebench-studio-theme')")


@pytest.mark.soak
def test_axe_core_finds_nothing_in_the_menus_and_dialogs(page: Driver) -> None:
    page.open_sample()
    page.js(f"{CHART}.createStudy('MACD')")
    for name in ("header-toolbar-chart-styles", "header-toolbar-arrangement", "save-load-menu", "pine-script-menu"):
        page.click(f'[data-name="{name}"]')
        page.until("document.querySelector('[role=\"menu\"]') !== null")
        assert (name, findings(page)) == (name, [])
        page.press("Escape", "Escape", 27)
    for opener in (
        '[aria-label="Change symbol"]',
        '[data-name="open-indicators-dialog"]',
        '[aria-label="Settings of MACD"]',
    ):
        page.click(opener)
        page.until(f"{DIALOG} !== null")
        assert (opener, findings(page)) == (opener, [])
        page.press("Escape", "Escape", 27)
        page.until(f"{DIALOG} === null")
    for label in ("Open…", "Make a copy…", "Rename…", "Version history…", "Delete a script…"):
        choose(page, label)
        page.until(f"{DIALOG}.querySelector('[role=\"listbox\"]')?.ariaBusy !== 'true'")
        assert (label, findings(page)) == (label, [])
        page.press("Escape", "Escape", 27)
        page.until(f"{DIALOG} === null")
    page.js("document.activeElement.blur()")
    page.connection.command("Input.dispatchKeyEvent", type="keyDown", key="7", text="7")
    page.until(f"{DIALOG} !== null")
    assert findings(page) == []
    page.press("Escape", "Escape", 27)
    page.editor.write(WRONG)
    page.js("void TradingViewApi.pineEditorTestApi().openNewScript()")
    page.until(f"{DIALOG} !== null")
    assert findings(page) == []
    page.press("Escape", "Escape", 27)
    page.set(sessionDisconnected=True, cookieBanner=True, loggedOut=True)
    page.until("document.querySelector('[role=\"alertdialog\"]') !== null")
    assert findings(page) == []


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), pytest.param(390, 844, marks=pytest.mark.soak)])
def test_axe_core_finds_nothing_in_drawings_objects_menus_and_alerts(
    page: Driver, theme: str, width: int, height: int
) -> None:
    page.connection.command(
        "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
    )
    if theme == "light":
        page.click('[data-name="header-toolbar-theme"]')
    page.until(f"document.documentElement.dataset.theme === '{theme}'")
    try:
        page.js(
            f"(async () => {{ const chart = {CHART}, at = (i) => (([time, , , , price]) => ({{time, price}}))"
            "(chart._chartWidget.model().mainSeries().bars().valueAt(i));"
            " const rsi = await chart.createStudy('Relative Strength Index');"
            " await chart.createMultipointShape([at(420), at(470)], {shape: 'fib_retracement'});"
            " await chart.createMultipointShape([{...at(440), price: 70}, {...at(470), price: 40}],"
            " {shape: 'rectangle', ownerStudyId: rsi});"
            " const level = {symbol: 'NASDAQ:AAPL', resolution: '1D', conditions: [{type: 'cross', resolution: '1D',"
            " series: [{type: 'barset'}, {type: 'value', value: at(490).price}]}]};"
            " await fetch('/pricealerts/create_alert', {method: 'POST', body: JSON.stringify({payload: level})}); })()"
        )
        page.until("document.querySelector('[data-name=\"alert-level\"]') !== null")
        page.click('.strip [aria-label="Object tree"]')
        page.click(".objects__name")
        page.until("document.querySelector('[data-name=\"drawing-properties\"]') !== null")
        assert findings(page) == []
        page.click('[data-name="object-tree-item"] [aria-haspopup="menu"]')
        page.until("document.querySelector('[role=menu]') !== null")
        assert findings(page) == []
        page.press("Escape", "Escape", 27)
        page.click('.strip [data-name="alerts"]')
        page.until("document.querySelector('.alerts__list li') !== null")
        assert findings(page) == []
        page.js("document.querySelector('#header-toolbar-compare').click(), 1")
        page.until(f"{DIALOG}?.querySelector('[role=option]') != null")
        assert findings(page) == []
        page.press("Escape", "Escape", 27)
        page.js("document.querySelector('[data-name=\"open-indicators-dialog\"]').click(), 1")
        page.until("document.querySelector('[data-name=\"row-picture\"][src]') !== null")
        assert findings(page) == []
        page.press("Escape", "Escape", 27)
        page.js("document.querySelector('[data-name=\"data-window-button\"]').click(), 1")
        page.until("document.querySelector('.dataWindow tbody tr') !== null")
        assert findings(page) == []
    finally:
        page.js("localStorage.removeItem('pinebench-studio-theme')")


@pytest.mark.usefixtures("session")
def test_the_editors_menu_has_a_background(page: Driver) -> None:
    spot = page.js(
        "(({x, y}) => ({x: x + 200, y: y + 60}))(document.querySelector('.pine-editor-monaco').getBoundingClientRect())"
    )
    for kind in ("mousePressed", "mouseReleased"):
        page.connection.command("Input.dispatchMouseEvent", type=kind, **spot, button="right", clickCount=1)
    menu = "document.querySelector('.monaco-menu-container .monaco-menu .actions-container')"
    page.until(f"{menu} !== null")
    colours = page.js(
        f"(() => {{ const found = []; for (let e = {menu}; e; e = e.parentElement) {{"
        " found.push(getComputedStyle(e).backgroundColor); if (e.matches('.monaco-menu-container')) break; }"
        " return found; })()"
    )
    assert any(colour != "rgba(0, 0, 0, 0)" for colour in colours)
    assert findings(page) == []
    page.press("ArrowDown", "ArrowDown", 40)
    page.until("document.querySelector('.monaco-menu .focused') !== null")
    page.press("Escape", "Escape", 27)
    page.until(f"{menu} === null")


def test_a_study_has_its_legend_in_its_own_pane(page: Driver) -> None:
    for name in ("SMA", "RSI", "MACD"):
        page.js(f"{CHART}.createStudy('{name}')")
    places = (
        "(() => { const box = (node) => node.getBoundingClientRect();"
        "const panes = [...document.querySelectorAll('.chart-markup-table tr')].map(box).filter((b) => b.height > 20);"
        "return [...document.querySelectorAll('[data-name=\"legend-source-item\"]')].map((item) => {"
        " const {top, bottom} = box(item);"
        " return panes.findIndex((pane) => top >= pane.top - 1 && bottom <= pane.bottom + 1); }); })()"
    )
    page.until(f"{places}.join() === '0,1,2'")
    heights = page.js(
        "[...document.querySelectorAll('.chart-markup-table tr')].map((n) => n.getBoundingClientRect().height)"
        ".filter((height) => height > 20)"
    )
    prices, *studies = heights[:3]
    assert [round(prices / height, 1) for height in studies] == pytest.approx([2.5, 2.5], abs=0.1)
    page.js(f"{CHART}.removeEntity({CHART}.getAllStudies()[1].id)")
    page.until(f"{places}.join() === '0,1'")


def test_a_small_window_takes_room_from_the_editor_first(page: Driver) -> None:
    for height in (700, 500, 400, 330):
        page.connection.command(
            "Emulation.setDeviceMetricsOverride", width=1200, height=height, deviceScaleFactor=1, mobile=False
        )
        page.until(f"innerHeight === {height}")
        page.until(
            "(() => { const box = (css) => document.querySelector(css).getBoundingClientRect();"
            "const chart = box('.charts'), foot = box('[class*=\"layout__area--bottom\"]'), tab = box('.bottom-tabs');"
            "return chart.height >= 150 && foot.top >= chart.bottom"
            " && foot.bottom <= innerHeight + 1 && tab.bottom <= innerHeight; })()"
        )


def test_the_tabs_of_the_panel_are_in_one_row_in_a_small_window(page: Driver) -> None:
    page.connection.command(
        "Emulation.setDeviceMetricsOverride", width=800, height=600, deviceScaleFactor=1, mobile=False
    )
    try:
        page.until("innerWidth === 800")
        places = page.js(
            "[...document.querySelectorAll('.bottom-tabs__tab')].map((tab) => tab.getBoundingClientRect())"
            ".map(({top, right}) => [top, right])"
        )
        room = page.js("document.querySelector('.bottom-tabs').getBoundingClientRect().right")
    finally:
        page.connection.command("Emulation.clearDeviceMetricsOverride")
    assert len({top for top, _ in places}) == 1
    assert places[-1][1] <= room


def test_the_buttons_of_the_header_are_in_one_row_at_any_width(page: Driver) -> None:
    """In a window that is too narrow for all, the header scrolls; it never wraps."""
    outside = (
        "(() => { const header = document.querySelector('.header');"
        "const scrolls = getComputedStyle(header).overflowX === 'auto';"
        "const {top, bottom, right} = header.getBoundingClientRect();"
        "return [...header.querySelectorAll('button')].filter((each) => { const box = each.getBoundingClientRect();"
        "return box.width > 0 && (box.top < top || box.bottom > bottom || (!scrolls && box.right > right)); })"
        ".map((each) => each.getAttribute('aria-label') ?? each.textContent); })()"
    )
    try:
        for width in (*range(1001, 1420, 19), 1024, 1180, 1181, 1280, 1330, 1331, 1366):
            page.connection.command(
                "Emulation.setDeviceMetricsOverride", width=width, height=700, deviceScaleFactor=1, mobile=False
            )
            page.until(f"innerWidth === {width}")
            assert page.js(outside) == [], width
    finally:
        page.connection.command("Emulation.clearDeviceMetricsOverride")
