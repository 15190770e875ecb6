"""The settings of studies and charts under real clicks and keys: changes are seen at once, and Cancel undoes them."""

import json
import time
from collections.abc import Callable

import pytest
from PIL import Image

from tests.studio.gallery.drawing import hide_panel, settled, shot
from tests.studio.support import BARS, CHART, CTRL, Driver, away, click_at, type_text
from tests.studio.test_desk import DIALOG, add, page
from tests.studio.test_displays import on_scales
from tests.studio.test_drawn import places
from tests.studio.test_look import findings
from tests.tradingview.support import LIMIT

__all__ = ["page"]

STUDY = f"{CHART}._chartWidget.model().model().dataSources().at(-1)"
PINK = (255, 0, 170)
INPUTS = """//@version=6
indicator("Fields", overlay = true)
length = input.int(10, "Length")
frame = input.timeframe("60", "Frame", tooltip = "What is asked for")
hours = input.session("0930-1600", "Hours")
other = input.symbol("", "Other")
since = input.time(timestamp("2024-01-01"), "Since")
level = input.price(100, "Level")
plot(ta.sma(close, length), "Mean", #FF00AA, 2)
plot(level, "Level", color.gray)
"""

FIELDS = {
    "Length": "INPUTtext",
    "Frame": "SELECTselect-one",
    "Hours": "INPUTtime",
    "Other": "INPUTtext",
    "Since": "INPUTdatetime-local",
    "Level": "INPUTtext",
}
"""The inputs of the script in their order, each with the kind of its field."""


def open_settings(page: Driver, tab: str = "Inputs") -> None:
    """Open the settings of the only study by a click on its gear."""
    away(page)
    click_at(page, '.legend__study [aria-label^="Settings of"]')
    page.until(f"{DIALOG} !== null")
    click_at(page, f"[role=dialog] [role=tab]:nth-child({page.js(tab_number(tab))})")
    page.until(f"{DIALOG}.querySelector('[role=tabpanel]').getAttribute('aria-label') === '{tab}'")


def tab_number(tab: str) -> str:
    names = f"[...{DIALOG}.querySelectorAll('[role=tab]')].map((one) => one.textContent)"
    return f"{names}.indexOf({json.dumps(tab)}) + 1"


def field(name: str) -> str:
    return f'[role=dialog] [name="in_{list(FIELDS).index(name)}"]'


def value(page: Driver, name: str) -> object:
    values = f"{CHART}.getStudyById({STUDY}.id()).getInputValues()"
    return page.js(f"{values}.find((one) => one.id === 'in_{list(FIELDS).index(name)}').value")


def retype(page: Driver, selector: str, text: str) -> None:
    """Replace the text of a field as a person does: by a click, Ctrl+A and keys."""
    click_at(page, selector)
    page.press("a", "KeyA", 65, CTRL)
    type_text(page, text)


def press_enter(page: Driver) -> None:
    common = {"key": "Enter", "windowsVirtualKeyCode": 13}
    page.connection.command("Input.dispatchKeyEvent", type="keyDown", text="\r", **common)
    page.connection.command("Input.dispatchKeyEvent", type="keyUp", **common)


def prices(page: Driver) -> Image.Image:
    """What is seen of the prices left of the dialog and below the legend."""
    settled(page)
    image = shot(page, '[data-name="pane-canvas"]')
    return image.crop((0, 60, 440, image.height))


def counted(page: Driver, color: tuple[int, int, int], is_wanted: Callable[[int], bool], near: int = 6) -> int:
    """Wait until the number of pixels of a colour on the prices is as wanted, and return it."""
    away(page)
    end = time.monotonic() + LIMIT
    while True:
        found = len(places(prices(page), color, near))
        if is_wanted(found):
            return found
        assert time.monotonic() < end, f"{found} pixels of {color}"


def test_each_kind_of_input_has_a_control_of_its_own(page: Driver) -> None:
    add(page, INPUTS)
    hide_panel(page)
    open_settings(page)
    kind = "(node) => node.tagName + (node.type ?? '')"
    shown = {name: page.js(f"({kind})(document.querySelector({json.dumps(field(name))}))") for name in FIELDS}
    assert shown == FIELDS
    offered = page.js(f"[...document.querySelector({json.dumps(field('Frame'))}).options].map((one) => one.value)")
    assert [one for one in offered if one in ("", "1", "240", "1D", "12M")] == ["", "1", "240", "1D", "12M"]
    assert page.js(f"{DIALOG}.querySelector('.field__tip').getAttribute('aria-label')") == "What is asked for"
    assert findings(page) == []
    # Symbols are searched while they are typed.
    retype(page, field("Other"), "msf")
    page.until(f"[...{DIALOG}.querySelectorAll('datalist option')].some((one) => one.value === 'NASDAQ:MSFT')")
    retype(page, field("Other"), "NASDAQ:MSFT")
    # A time and a price are picked on the chart, which stays in sight.
    bars = page.js(f"(({{from, to}}) => [from, to])({CHART}.getVisibleRange())")
    for name, label in (("Since", "Pick a bar"), ("Level", "Pick a price")):
        before = page.js(f"document.querySelector({json.dumps(field(name))}).value")
        click_at(page, f'[role=dialog] [aria-label^="{label}"]')
        page.until("document.querySelector('[data-picking]') !== null")
        click_at(page, ".chart-markup-table", across=0.15, down=0.6)
        page.until("document.querySelector('[data-picking]') === null")
        page.until(f"document.querySelector({json.dumps(field(name))}).value !== {json.dumps(before)}")
    click_at(page, "[role=dialog] [type=submit]")
    page.until(f"{DIALOG} === null")
    assert value(page, "Other") == "NASDAQ:MSFT"
    since, level = value(page, "Since"), value(page, "Level")
    assert isinstance(since, int) and bars[0] <= since / 1000 <= bars[1]
    assert isinstance(level, float) and 50 < level < 500


def test_changes_are_seen_while_they_are_made_and_cancel_undoes_them(page: Driver) -> None:
    add(page, INPUTS)
    hide_panel(page)
    for end, kept in (("Escape", 10), ("Enter", 80)):
        open_settings(page)
        assert page.js("getComputedStyle(document.querySelector('.veil')).backgroundColor") == "rgba(0, 0, 0, 0)"
        retype(page, field("Length"), "80")
        page.until(f"{CHART}.getStudyById({STUDY}.id()).getInputValues()[0].value === 80")
        page.until("document.querySelector('[data-name=\"legend-study-title\"]').textContent.includes('80')")
        if end == "Enter":
            press_enter(page)
        else:
            page.press("Escape", "Escape", 27)
        page.until(f"{DIALOG} === null")
        page.until(f"{CHART}.getStudyById({STUDY}.id()).getInputValues()[0].value === {kept}")
    # All that was tried in the dialog is one step of undo.
    click_at(page, '[data-name="undo"]')
    page.until(f"{CHART}.getStudyById({STUDY}.id()).getInputValues()[0].value === 10")
    click_at(page, '[data-name="redo"]')
    page.until(f"{CHART}.getStudyById({STUDY}.id()).getInputValues()[0].value === 80")


def test_the_style_tab_changes_kind_line_opacity_and_places_and_no_value(page: Driver) -> None:
    add(page, INPUTS)
    hide_panel(page)
    row = "[role=dialog] [data-style='plot 1']"
    legend = "[...document.querySelectorAll('.legend__plots > span')].map((one) => one.textContent)"
    away(page)
    whole = page.until(f"{legend}[0]")
    open_settings(page, "Style")
    assert findings(page) == []

    line = counted(page, PINK, lambda found: found > 150)
    choose(page, f"{row} [name=kind]", "columns")
    counted(page, PINK, lambda found: found > 3 * line)
    choose(page, f"{row} [name=kind]", "line")
    choose(page, f"{row} [name=line]", "dotted")
    counted(page, PINK, lambda found: found < 0.7 * line)
    choose(page, f"{row} [name=line]", "solid")
    counted(page, PINK, lambda found: found == line)
    before = prices(page).tobytes()
    click_at(page, f"{row} [name=tracked]")
    page.until(f"document.querySelector({json.dumps(row + ' [name=tracked]')}).checked")
    end = time.monotonic() + LIMIT
    while prices(page).tobytes() == before:  # a dotted line across, in a mixed colour
        assert time.monotonic() < end
    page.js(f"document.querySelector({json.dumps(row + ' [type=range]')}).focus()")
    page.press("Home", "Home", 36)  # no opacity
    counted(page, PINK, lambda found: found == 0)
    # The study as a whole: decimals, and what the legend and the scale have.
    choose(page, "[role=dialog] [name=precision]", "4")
    away(page)
    page.until(f"{legend}[0].split('.')[1].length === 4")
    assert page.js(f"{legend}[0]").startswith(whole[:-1])
    title = "document.querySelector('[data-name=\"legend-study-title\"]').textContent"
    assert page.js(title) != "Fields"
    click_at(page, "[role=dialog] [name=inputs]")
    page.until(f"{title} === 'Fields'")
    click_at(page, "[role=dialog] [name=inStatusLine]")
    page.until(f"{legend}.length === 0")
    click_at(page, "[role=dialog] .dialog__buttons button")  # Defaults
    page.until(f"{legend}[0] === {json.dumps(whole)}")
    counted(page, PINK, lambda found: found == line)
    page.press("Escape", "Escape", 27)


def test_the_style_tab_hides_all_drawings_of_a_kind(page: Driver) -> None:
    look = "color = #FF00AA, style = label.style_label_center, size = size.huge"
    drawn = f"label.new(bar_index - 110, close[110], 'Ag', {look})"
    add(page, f'//@version=6\nindicator("Drawn", overlay = true)\nif barstate.islast\n    {drawn}\n')
    hide_panel(page)
    label = counted(page, PINK, lambda found: found > 50)
    open_settings(page, "Style")
    boxes = "[...document.querySelectorAll('[role=dialog] [name^=drawings]')].map((one) => one.name)"
    assert page.js(boxes) == ["drawings label"]
    for is_seen in (False, True):
        click_at(page, "[role=dialog] [name='drawings label']")
        counted(page, PINK, lambda found, is_seen=is_seen: found == (label if is_seen else 0))
    page.press("Escape", "Escape", 27)


def choose(page: Driver, selector: str, option: str) -> None:
    """Choose an entry of a list; the browser's own list cannot be clicked by a program."""
    page.js(
        f"(() => {{ const list = document.querySelector({json.dumps(selector)}); list.focus();"
        f" list.value = {json.dumps(option)}; list.dispatchEvent(new Event('change', {{bubbles: true}})); }})()"
    )


def open_chart_settings(page: Driver) -> None:
    click_at(page, '[data-name="chart-scale-menu"]')
    click_at(page, "[role=menu] [role=menuitem]:last-child")
    page.until("document.querySelector('[data-name=\"chart-properties-dialog\"]') !== null")


def test_the_settings_of_a_chart_are_seen_at_once_and_kept_with_it(page: Driver) -> None:
    hide_panel(page)
    page.js(f"new Promise((done) => {CHART}.setResolution('15', done))")
    gray, grid, volume = (0x56, 0x62, 0x7A), (0x17, 0x1D, 0x25), (0x17, 0x3A, 0x34)

    def seen(color: tuple[int, int, int], is_wanted: Callable[[int], bool]) -> int:
        return counted(page, color, is_wanted, near=24 if color == gray else 3)

    try:
        open_chart_settings(page)
        assert findings(page) == []
        seen(gray, lambda found: found < 50)
        lines = seen(grid, lambda found: found > 300)
        click_at(page, "[role=dialog] [name=sessionBreaks]")
        seen(gray, lambda found: found > 300)
        click_at(page, "[role=dialog] [name=grid]")
        seen(grid, lambda found: found < lines / 2)
        before = seen(volume, lambda found: found > 200)
        click_at(page, "[role=dialog] [name=volume]")
        seen(volume, lambda found: found < before / 4)
        newest = f"{CHART}.getVisibleBarsRange().to - {BARS}.lastIndex()"
        assert page.js(newest) >= 9, "as many free bars as on TradingView"
        retype(page, "[role=dialog] [name=margin]", "30")
        page.until(f"{newest} >= 29")
        click_at(page, "[role=dialog] [name=prices]")
        page.until("document.querySelectorAll('.legend__values i').length === 0")
        click_at(page, "[role=dialog] [type=submit]")
        # Volume is an object of the tree, where it is shown again and removed; undo brings it back.
        click_at(page, '[data-name="object-tree-button"]')
        click_at(page, '[aria-label="Show Volume"]')
        seen(volume, lambda found: found >= before / 4)
        click_at(page, '[aria-label="Remove Volume"]')
        page.until("document.querySelector('[aria-label=\"Remove Volume\"]') === null")
        seen(volume, lambda found: found < before / 4)
        click_at(page, '[data-name="undo"]')
        page.until("document.querySelector('[aria-label=\"Remove Volume\"]') !== null")
        click_at(page, '[data-name="object-tree-button"]')
        open_chart_settings(page)
        click_at(page, "[role=dialog] .dialog__buttons button")  # Defaults
        page.until("document.querySelectorAll('.legend__values i').length === 4")
        seen(gray, lambda found: found < 50)
        click_at(page, "[role=dialog] [type=submit]")
    finally:
        page.js(f"new Promise((done) => {CHART}.setResolution('1D', done))")


def price_of_a_pixel(page: Driver) -> float:
    """How far the prices of the axis are apart, for each pixel between them."""
    marks = [
        (float(text.replace(",", "")), y)
        for text, y in on_scales(page)
        if text.replace(",", "").replace(".", "").isdigit()
    ]
    (low, bottom), (high, top) = min(marks), max(marks)
    return (high - low) / (bottom - top)


def test_a_locked_ratio_zooms_prices_with_bars(page: Driver) -> None:
    hide_panel(page)
    open_chart_settings(page)
    click_at(page, "[role=dialog] [name=locked]")
    click_at(page, "[role=dialog] [type=submit]")
    bars = f"(({{from, to}}) => to - from)({CHART}.getVisibleBarsRange())"
    one, shown = price_of_a_pixel(page), page.js(bars)
    x, y = page.js(
        "(({x, y, width, height}) => [x + width / 2, y + height / 2])"
        "(document.querySelector('[data-name=\"pane-canvas\"]').getBoundingClientRect())"
    )
    for _ in range(6):
        page.connection.command("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=120)
    page.until(f"{bars} > {shown} * 1.2")
    away(page)
    assert price_of_a_pixel(page) / one == pytest.approx(page.js(bars) / shown, rel=0.05)
    click_at(page, '[data-name="chart-scale-menu"]')
    click_at(page, "[role=menu] [role=menuitem]:first-child")  # Auto ends it


def test_every_interval_is_in_a_list_and_a_chart_type_without_bars_is_refused_by_name(page: Driver) -> None:
    click_at(page, '[data-name="header-toolbar-all-intervals"]')
    listed = "[...document.querySelectorAll('[role=menu] [role=menuitem] span')].map((one) => one.textContent)"
    assert {"3 minutes", "30 minutes", "45 minutes", "2 hours", "3 hours", "12 months"} <= set(page.js(listed))
    assert findings(page) == []
    click_at(page, f"[role=menu] [role=menuitem]:nth-of-type({page.js(listed).index('2 hours') + 1})")
    page.until(f"{CHART}.resolution() === '120' && {CHART}.dataReady()")
    page.js(f"new Promise((done) => {CHART}.setResolution('1D', done))")
    click_at(page, '[data-name="header-toolbar-chart-styles"]')
    number = page.js(listed).index("Renko") + 1
    click_at(page, f"[role=menu] [role=menuitem]:nth-of-type({number})")
    page.until(
        "[...document.querySelectorAll('[data-name=\"toast\"]')]"
        ".some((one) => /Renko charts are not drawn/.test(one.textContent))"
    )
    assert page.js(f"{CHART}.chartType()") == 1
