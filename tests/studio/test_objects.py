"""What is on a chart as a whole: the object tree, menus, sources of studies, other symbols, trades that are marked."""

import json
import re
from collections.abc import Iterator

import pytest

from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call
from tests.studio.gallery.drawing import hide_panel, settled, shot
from tests.studio.support import BARS, CHART, CTRL, FRAMES, Driver, away
from tests.studio.test_desk import add, size
from tests.studio.test_drawing_tools import SHAPES, mouse
from tests.studio.test_drawn import places
from tests.studio.test_look import findings
from tests.studio.test_moves import put

MENU = "document.querySelector('[data-name=\"context-menu\"]')"
ENTRIES = f"[...({MENU}?.querySelectorAll('[role=menuitem]') ?? [])].map((one) => one.firstChild.textContent)"
DIALOG = "document.querySelector('[role=dialog]')"
PLACE = (400, 250)


@pytest.fixture
def page(shared: Driver) -> Iterator[Driver]:
    """The module's page without studies and drawings, nothing in it focused."""
    size(shared, 1440, 900)
    hide_panel(shared)
    shared.js(f"{CHART}.removeAllShapes(), {CHART}.removeAllStudies(), document.activeElement?.blur(), 1")
    away(shared)
    yield shared
    shared.js("document.querySelector('[role=dialog] [aria-label=Close]')?.click(), 1")
    shared.press("Escape", "Escape", 27)
    shared.js(f"{CHART}.removeAllShapes(), {CHART}.removeAllStudies(), 1")
    if shared.js("document.querySelector('[data-name=\"object-tree\"]') !== null"):
        shared.click('[data-name="object-tree-button"]')


def right_click(page: Driver, place: tuple[float, float]) -> None:
    mouse(page, "mousePressed", place, button="right", buttons=2, clickCount=1)
    mouse(page, "mouseReleased", place, button="right", clickCount=1)
    page.until(f"{MENU} !== null")


def choose(page: Driver, label: str) -> None:
    entries = f"[...{MENU}.querySelectorAll('[role=menuitem]')]"
    found = f"{entries}.find((one) => one.textContent.startsWith({json.dumps(label)}))"
    page.js(f"{found}.click(), 1")
    page.until(f"{MENU} === null")


def draw(page: Driver, name: str = "horizontal_line", color: str = "#ff00aa") -> str:
    bar = f"{BARS}.valueAt({BARS}.lastIndex() - 40)"
    return page.js(
        f"{CHART}.createShape({{time: {bar}[0], price: {bar}[4]}},"
        f" {{shape: '{name}', overrides: {{linecolor: '{color}', linewidth: 3}}}})"
    )


def tree(page: Driver) -> list[str]:
    return page.js(
        "[...document.querySelectorAll('[data-name=\"object-tree-item\"] .objects__name')]"
        ".map((one) => one.textContent.trim())"
    )


def open_tree(page: Driver) -> None:
    page.click('[data-name="object-tree-button"]')
    page.until("document.querySelector('[data-name=\"object-tree\"]') !== null")


def in_tree(page: Driver, label: str) -> None:
    page.click(f'[data-name="object-tree"] [aria-label="{label}"]')


def test_the_tree_lists_hides_locks_renames_moves_and_removes(page: Driver) -> None:
    line = draw(page)
    for name in ("SMA", "RSI", "MACD"):
        page.js(f"{CHART}.createStudy('{name}')")
    open_tree(page)
    page.until("document.querySelectorAll('[data-name=\"object-tree-item\"]').length === 5")
    before = tree(page)
    assert [one.split(" ")[0] for one in before] == ["Horizontal", "SMA", "Volume", "RSI", "MACD"]
    assert findings(page) == []
    away(page)
    assert len(places(shot(page), (255, 0, 170))) > 200
    in_tree(page, "Hide Horizontal line")
    page.until(f"{CHART}.getShapeById('{line}').isVisible() === false")
    away(page)
    assert not places(shot(page), (255, 0, 170))
    in_tree(page, "Show Horizontal line")
    in_tree(page, "Lock Horizontal line")
    page.until(f"{CHART}.getShapeById('{line}').isLocked()")
    assert page.js("document.querySelector('[aria-label=\"Remove Horizontal line\"]').disabled")
    in_tree(page, "Unlock Horizontal line")
    # A name of one's own, in the tree and for the registry's tools.
    in_tree(page, "More for Horizontal line")
    page.until(f"{MENU} !== null")
    assert findings(page) == []
    choose(page, "Rename")
    page.until(f"{DIALOG} !== null")
    put(page, "[data-name=name-dialog] input", "Resistance")
    page.click("[data-name=name-dialog] [type=submit]")
    page.until("document.querySelector('[data-name=\"object-tree\"]').textContent.includes('Resistance')")
    assert page.js(f"{CHART}.getShapeById('{line}').getProperties().title") == "Resistance"
    # Panes change places, on the chart too.
    in_tree(page, f"More for {before[4]}")
    page.until(f"{MENU} !== null")
    choose(page, "Move up")
    tops = (
        "[...document.querySelectorAll('.legend__study--pane')]"
        ".sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top)).map((one) => one.textContent.slice(0, 3))"
    )
    page.until(f"{tops}.join() === 'MAC,RSI'")
    assert [one.split(" ")[0] for one in tree(page)] == ["Resistance", "SMA", "Volume", "MACD", "RSI"]
    in_tree(page, f"Remove {before[1]}")
    page.until(f"{CHART}.getAllStudies().length === 2")
    in_tree(page, "Remove Resistance")
    page.until(f"{SHAPES}.length === 0")


def test_the_drawing_that_comes_last_lies_on_top(page: Driver) -> None:
    pink, _blue = draw(page), draw(page, color="#00c0ff")
    away(page)
    assert len(places(shot(page), (0, 192, 255))) > 200 > len(places(shot(page), (255, 0, 170)))
    open_tree(page)
    page.js("[...document.querySelectorAll('[aria-label=\"More for Horizontal line\"]')].at(-1).click(), 1")
    page.until(f"{MENU} !== null")
    choose(page, "Bring to front")
    page.until(f"{SHAPES}.at(-1).id === '{pink}'")
    away(page)
    assert len(places(shot(page), (255, 0, 170))) > 200 > len(places(shot(page), (0, 192, 255)))


def test_an_alert_is_offered_at_the_whole_price_of_a_currency(page: Driver) -> None:
    """The level was rounded to four decimals: the alert was at another price than the menu said."""
    shown = page.js(f"{CHART}.symbol()")
    page.js(f"new Promise((done) => {CHART}.setSymbol('OANDA:EURUSD', done)).then(() => 1)")
    try:
        page.until(f"{BARS}.size() > 0 && {BARS}.valueAt({BARS}.lastIndex())[4] < 2")
        price = ""
        for down in range(20):  # a place whose price has a fifth decimal
            right_click(page, (PLACE[0], PLACE[1] + down))
            (price,) = re.findall(r"Add alert on \S+ at (\S+)…", str(page.js(ENTRIES)))
            if not price.endswith("0"):
                break
            page.press("Escape", "Escape", 27)
            page.until(f"{MENU} === null")
        choose(page, "Add alert on")
        page.until(f"{DIALOG} !== null")
        assert page.js(f"{DIALOG}.querySelector('[name=value0]').value") == price
    finally:
        page.js(f"new Promise((done) => {CHART}.setSymbol({json.dumps(shown)}, done)).then(() => 1)")


def test_the_chart_has_a_menu_where_it_is_asked_for(page: Driver) -> None:
    right_click(page, PLACE)
    entries = page.js(ENTRIES)
    for wanted in ("Reset chart view", "Copy price", "Indicators…", "Object tree", "Remove drawings"):
        assert wanted in entries
    assert findings(page) == []
    # By keys alone.
    page.press("ArrowDown", "ArrowDown", 40)
    assert page.js("document.activeElement.textContent").startswith("Copy price")
    page.press("Escape", "Escape", 27)
    page.until(f"{MENU} === null")
    right_click(page, PLACE)
    choose(page, "Draw a horizontal line here")
    page.until(f"{SHAPES}.length === 1")
    page.press("Escape", "Escape", 27)
    # On the drawing, its own menu.
    right_click(page, (200, PLACE[1]))
    assert "Bring to front" in page.js(ENTRIES)
    assert page.js(f"{MENU}.ariaLabel") == "Horizontal line"
    choose(page, "Clone")
    page.until(f"{SHAPES}.length === 2")
    right_click(page, (420, 60))
    choose(page, "Remove drawings")
    page.until(f"{SHAPES}.length === 0")
    page.press("z", "KeyZ", 90, CTRL)
    page.until(f"{SHAPES}.length === 2")
    # The axes have the menu of scales.
    box = page.js(
        "(({x, y, width, height}) => [x + width - 20, y + height / 3])"
        "(document.querySelector('.chart-container').getBoundingClientRect())"
    )
    for kind, buttons in (("mousePressed", 2), ("mouseReleased", 0)):
        page.connection.command(
            "Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="right", buttons=buttons, clickCount=1
        )
    page.until("document.querySelector('[role=menu]')?.textContent.includes('Logarithmic')")
    page.press("Escape", "Escape", 27)


def test_a_press_finds_a_drawing_that_is_not_painted_yet_and_none_that_is_gone(page: Driver) -> None:
    """Who is quicker than the next frame still gets what is there."""
    right_click(page, PLACE)
    choose(page, "Draw a horizontal line here")
    page.until(f"{SHAPES}.length === 1")
    page.js(
        "window.ask = () => {"
        "  const {x, y} = document.querySelector('[data-name=\"pane-canvas\"]').getBoundingClientRect();"
        f"  const place = {{clientX: x + 200, clientY: y + {PLACE[1]}, bubbles: true, cancelable: true}};"
        "  document.querySelector('[data-name=\"pane-canvas\"]').dispatchEvent(new MouseEvent('contextmenu', place));"
        f"}}, window.point = {CHART}.getShapeById({SHAPES}[0].id).getPoints()[0], 1"
    )
    label = f"{MENU}?.ariaLabel"
    page.js(f"{CHART}.removeAllShapes(), ask(), 1")
    page.until(f"{label}?.startsWith('Chart of ')")
    page.press("Escape", "Escape", 27)
    page.until(f"{MENU} === null")
    page.js(f"{CHART}.createShape(point, {{shape: 'horizontal_line'}}), ask(), 1")
    page.until(f"{label} === 'Horizontal line'")
    page.press("Escape", "Escape", 27)
    page.until(f"{MENU} === null")
    # A selected drawing that is hidden has no handles either.
    open_tree(page)
    page.until("document.querySelectorAll('[data-name=\"object-tree-item\"]').length === 2")
    page.js("document.querySelector('[aria-label=\"Hide Horizontal line\"]').click(), ask(), 1")
    page.until(f"{label}?.startsWith('Chart of ')")


def test_a_study_has_a_menu_and_is_moved_to_a_pane_and_back(page: Driver) -> None:
    page.js(f"{CHART}.createStudy('SMA')")
    page.until("document.querySelector('.legend__study') !== null")
    page.click('.legend [aria-label="More for SMA"]')
    page.until(f"{MENU} !== null")
    assert {"Settings…", "Source code", "Rename…", "Remove"} <= set(page.js(ENTRIES))
    choose(page, "Move to a new pane")
    page.until("document.querySelectorAll('.legend__study--pane').length === 1")
    page.click('.legend [aria-label="More for SMA"]')
    page.until(f"{MENU} !== null")
    choose(page, "Move back to the pane that its script names")
    page.until("document.querySelectorAll('.legend__study--pane').length === 0")


def test_the_source_of_a_study_opens_and_no_unsaved_text_is_lost(page: Driver) -> None:
    mine = "//@version=6\nindicator('Unsaved of mine')\nplot(close)\n"
    page.js(f"{CHART}.createStudy('MACD')")
    page.editor.write(mine)
    page.click('.legend [aria-label="Source code of MACD"]')
    page.until(f"{DIALOG}?.textContent.includes('Unsaved changes')")
    page.click("[role=dialog] button[name=cancel]")
    page.until(f"{DIALOG} === null")
    assert page.editor.read() == mine
    page.click('.legend [aria-label="Source code of MACD"]')
    page.until(f"{DIALOG} !== null")
    page.js(f"[...{DIALOG}.querySelectorAll('button')].find((one) => one.textContent === 'Open anyway').click(), 1")
    page.until("document.querySelector('.pine-editor__toolbar').textContent.includes('read-only')")
    assert findings(page) == []
    lines = "document.querySelector('.view-lines').textContent"
    page.until(f"{lines}.includes('MACD')")
    shown = page.editor.read()
    page.js(
        "void document.querySelector('.pine-editor-monaco').querySelector('textarea, .native-edit-context').focus()"
    )
    page.page.insert_text("x")
    page.js(FRAMES)
    assert page.editor.read() == shown, "a built-in is only read"
    page.click('[data-name="copy-built-in"]')
    page.until("document.querySelector('.pine-editor__toolbar').textContent.includes('unsaved')")
    page.page.insert_text("// mine\n")
    page.until(f"{lines}.includes('mine')")
    # A script of one's own opens as it is.
    page.editor.write(mine)
    assert page.editor.compile().outcome == "added"
    page.click('.legend [aria-label="Source code of Unsaved of mine"]')
    page.js(FRAMES)
    assert page.js(f"{DIALOG} === null")
    assert page.editor.read() == mine
    page.editor.write("//@version=6\nindicator('Done')\n")


def test_a_compared_symbol_has_its_own_scale_on_the_left(page: Driver) -> None:
    amber = (0xE0, 0xA9, 0x4B)
    left = "document.querySelector('.chart-markup-table td').getBoundingClientRect().width"
    title = "document.querySelector('[data-name=\"legend-source-title\"]').getBoundingClientRect().left"
    settled(page)
    away(page)
    before, legend = page.js(left), page.js(title)
    page.click("#header-toolbar-compare")
    page.until(f"{DIALOG}?.querySelector('[role=option]') != null")
    page.js(f"{DIALOG}.querySelector('[value=left]').click(), 1")
    options = f"[...{DIALOG}.querySelectorAll('[role=option]')]"
    page.js(f"{options}.find((one) => one.textContent.includes('EURUSD')).click(), 1")
    page.until(f"{CHART}.getAllStudies().length === 1")
    settled(page)
    away(page)
    assert before == 0 and page.js(left) > 30, "an axis on the left"
    page.until(f"{title} - {legend} === {left}")  # the legend lies between the axes
    image = shot(page)
    line = places(image, amber, 12)
    assert len(line) > 300
    heights = [y for _, y in line]
    assert max(heights) - min(heights) > 60, "a price near 1 fills the height beside prices near 200"
    page.click('[data-name="chart-scale-menu"]')
    page.until("document.querySelector('.menu__item--selected')?.textContent !== undefined")
    marked = "[...document.querySelectorAll('.menu__item--selected')].map((one) => one.textContent)"
    assert "Percent" not in page.js(marked)
    page.press("Escape", "Escape", 27)
    # Without it there is no axis and no line.
    page.js(f"{CHART}.removeAllStudies(), 1")
    page.until(f"{left} === 0 && {title} === {legend}")
    away(page)
    page.js(FRAMES)
    assert places(shot(page), amber, 12) == []


def test_symbols_are_compared_in_percent_on_a_scale_and_in_a_pane(page: Driver) -> None:
    amber = (0xE0, 0xA9, 0x4B)
    page.click("#header-toolbar-compare")
    page.until(f"{DIALOG}?.querySelector('[role=option]') != null")
    assert findings(page) == []
    options = f"[...{DIALOG}.querySelectorAll('[role=option]')]"
    page.until(f"{options}.some((one) => one.textContent.includes('MSFT'))")
    page.js(f"{options}.find((one) => one.textContent.includes('MSFT')).click(), 1")
    page.until(f"{CHART}.getAllStudies().length === 1")
    settled(page)
    assert page.js("document.querySelector('[data-name=\"legend-study-title\"]').textContent") == "NASDAQ:MSFT"
    away(page)
    image = shot(page)
    assert len(places(image, amber, 12)) > 300
    # The prices are in percent now, as the menu of the axis says, and both lines begin at the same height.
    page.click('[data-name="chart-scale-menu"]')
    page.until("document.querySelector('.menu__item--selected')?.textContent !== undefined")
    marked = "[...document.querySelectorAll('.menu__item--selected')].map((one) => one.textContent)"
    assert "Percent" in page.js(marked)
    page.press("Escape", "Escape", 27)
    first = page.js(f"(() => {{ const r = {CHART}.getVisibleRange(); return r.from; }})()")
    seen = [y for x, y in places(image, amber, 12) if x < 12]
    rows = page.js(f"{CHART}.exportData({{includedStudies: 'all'}}).then((all) => all.data)")
    data = next(row for row in rows if row[0] == first)
    assert data[6] != data[4], "it is another symbol's price"
    # The legend says how far the other symbol is from its first visible price, which may be of a bar that is cut.
    shown = page.js("document.querySelector('[data-name=\"compared-change\"]').textContent").replace("−", "-")
    at = rows.index(data)
    changes = {f"{(rows[-1][6] / row[6] - 1) * 100:+.2f}%" for row in rows[at - 2 : at + 3]}
    assert shown in changes, (shown, changes)
    assert seen, "its line begins where the chart does"
    # It is gone from the dialog, and the prices are as they were.
    page.click("#header-toolbar-compare")
    page.until("document.querySelector('[data-name=\"compared\"]') !== null")
    page.click('[data-name="compared"] button')
    page.until(f"{CHART}.getAllStudies().length === 0")
    page.js(f"{DIALOG}.querySelector('[value=pane]').click(), 1")
    page.until(f"{options}.some((one) => one.textContent.includes('TSLA'))")
    page.js(f"{options}.find((one) => one.textContent.includes('TSLA')).click(), 1")
    page.until("document.querySelectorAll('.legend__study--pane').length === 1")
    page.click('[data-name="chart-scale-menu"]')
    assert "Regular" in page.js(marked)
    page.press("Escape", "Escape", 27)
    # The registry's tools compare too, and take away what a person compared.
    desk = ChartBrowser(port=page.port, target=page.tab)
    try:
        added = call(
            desk,
            "chart_manage_indicator",
            {"action": "add", "indicator": "Compare", "inputs": {"symbol": "NASDAQ:NVDA"}},
        )
        assert added["success"], added
        titles = "[...document.querySelectorAll('[data-name=\"legend-study-title\"]')].map((one) => one.textContent)"
        page.until(f"{titles}.includes('NASDAQ:NVDA')")
        by_hand = page.js(f"{CHART}.getAllStudies()[0].id")
        removed = call(desk, "chart_manage_indicator", {"action": "remove", "entity_id": by_hand})
        assert removed["success"], removed
        page.until(f"{titles}.join() === 'NASDAQ:NVDA'")
    finally:
        desk.close()


def test_a_trade_is_shown_and_marked(page: Driver) -> None:
    add(
        page,
        '//@version=6\nstrategy("S", overlay = true)\nif bar_index % 40 == 10\n    strategy.entry("a", strategy.long)\n'
        'if bar_index % 40 == 30\n    strategy.close("a")\n',
    )
    page.click('[data-name="backtesting-dialog-button"]')
    page.js(
        "[...document.querySelectorAll('[role=tab]')].find((one) => one.textContent === 'List of trades').click(), 1"
    )
    rows = "[...document.querySelectorAll('[data-name=trade-row]')]"
    page.until(f"{rows}.length > 5")
    away(page)
    page.js(f"{rows}[4].click(), 1")
    page.until(f"{rows}[4].ariaCurrent === 'true'")
    settled(page)
    away(page)
    before = shot(page, ".chart-markup-table")
    assert page.js(f"{rows}.filter((one) => one.ariaCurrent === 'true').length") == 1
    assert findings(page) == []
    # By the row's menu the mark goes again, and the picture is another.
    page.js(f"{rows}[4].dispatchEvent(new MouseEvent('contextmenu', {{bubbles: true, clientX: 300, clientY: 700}})), 1")
    page.until(f"{MENU} !== null")
    assert "Show the exit" in page.js(ENTRIES)
    choose(page, "Remove the mark")
    page.until(f"{rows}[4].ariaCurrent !== 'true'")
    away(page)
    after = shot(page, ".chart-markup-table")
    one, other = before.tobytes(), after.tobytes()
    changed = sum(one[at : at + 3] != other[at : at + 3] for at in range(0, len(one), 3))
    assert changed > 3000, "a band over the bars of the trade"


def test_the_list_of_indicators_shows_what_each_draws(page: Driver) -> None:
    picture = "document.querySelector('[data-name=\"indicator-picture\"]')"
    colours = (
        f"(() => {{ const canvas = {picture}.querySelector('canvas');"
        " const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height); let count = 0;"
        " for (let at = 3; at < data.length; at += 4) count += data[at] > 0; return count; })()"
    )
    page.click('[data-name="open-indicators-dialog"]')
    page.until(f"{picture} !== null")
    seen = set()
    for wanted in ("MACD", "Bollinger", "Trend ribbon"):
        put(page, "[data-name=indicators-dialog] input", wanted)
        page.until(f"{picture}?.querySelector('canvas').ariaLabel.includes({json.dumps(wanted)})")
        page.until(f"{picture}.ariaBusy === 'false'")
        assert page.js(f"{picture}.querySelector('figcaption').textContent") == ""
        seen.add(page.js(colours))
    assert min(seen) > 500
    assert len(seen) == 3, "each has its own picture"
    assert findings(page) == []
    assert page.js(f"{CHART}.getAllStudies().length") == 0, "nothing is put on the chart by looking"
