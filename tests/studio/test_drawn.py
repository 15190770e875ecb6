"""What is drawn, pixel by pixel and without the pointer on the page: order, scales, themes, text, kinds of bars."""

import base64
import io
import json
from collections.abc import Iterator

import pytest
from PIL import Image, ImageChops

from tests.studio.gallery.drawing import hide_panel, prepare, settled, shot
from tests.studio.support import BARS, CHART, CTRL, FRAMES, Driver

OVER = '//@version=6\nindicator("Over", overlay = true)\n'
PINK, BLUE = (255, 0, 170), (0, 192, 255)
LAST = "if barstate.islast\n    "


@pytest.fixture
def page(shared: Driver) -> Iterator[Driver]:
    """The module's page with a chart of a known size and no studies, in the dark theme."""
    prepare(shared)
    yield shared
    shared.js(f"{CHART}.removeAllStudies(); {CHART}.setChartType(1)")
    shared.js("localStorage.removeItem('pinebench-studio-theme')")
    if shared.js("document.documentElement.dataset.theme") == "light":
        shared.click('[data-name="header-toolbar-theme"]')


def add(page: Driver, source: str) -> Image.Image:
    """Add a script and look at the chart."""
    page.editor.write(source)
    assert page.editor.compile().outcome in ("added", "updated")
    hide_panel(page)
    settled(page)
    return shot(page)


def places(image: Image.Image, color: tuple[int, int, int], near: int = 6) -> list[tuple[int, int]]:
    """Where a picture has a colour."""
    bands = [
        band.point([255 if abs(value - wanted) <= near else 0 for value in range(256)])
        for band, wanted in zip(image.split(), color, strict=True)
    ]
    mask = ImageChops.multiply(ImageChops.multiply(bands[0], bands[1]), bands[2]).tobytes()
    found, at = [], mask.find(b"\xff")
    while at >= 0:
        found.append((at % image.width, at // image.width))
        at = mask.find(b"\xff", at + 1)
    return found


def test_an_overlay_is_drawn_as_soon_as_it_is_added_and_gone_with_it(page: Driver) -> None:
    page.js("TradingView.bottomWidgetBar.activateScriptEditorTab?.()")
    page.editor.write(OVER + "plot(close, color = #FF00AA, linewidth = 3)\n")
    page.js("document.querySelector('.pine-editor-monaco textarea, .pine-editor-monaco [contenteditable]').focus()")
    page.press("Enter", "Enter", 13, CTRL)
    page.until(f"{CHART}.getAllStudies().length === 1")
    settled(page)
    assert len(places(shot(page), PINK)) > 100
    page.js(f"{CHART}.removeAllStudies()")
    settled(page)
    assert not places(shot(page), PINK)


def test_a_built_in_is_drawn_as_soon_as_it_is_added(page: Driver) -> None:
    before = shot(page)
    page.js(f"{CHART}.createStudy('Bollinger Bands')")
    settled(page)
    after, area = shot(page), (0, 80, 560, 440)
    one, other = (each.crop(area).convert("RGB").tobytes() for each in (before, after))
    changed = [one[at : at + 3] != other[at : at + 3] for at in range(0, len(one), 3)]
    assert sum(changed) > 1000


def test_the_saved_picture_has_what_is_seen(page: Driver) -> None:
    add(
        page,
        '//@version=6\nstrategy("Traded", overlay = true)\nplot(close, color = #FF00AA, linewidth = 3)\n'
        "if bar_index == last_bar_index - 9\n    strategy.entry('In', strategy.long)\n"
        + LAST
        + 'label.new(bar_index - 40, high, "said", color = #00C0FF)\n',
    )
    data = page.js("TradingViewApi._chartWidgetCollection.takeScreenshot()").partition(",")[2]
    picture = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")
    assert len(places(picture, PINK)) > 100
    assert len(places(picture, BLUE)) > 100
    assert len(places(picture, (0x5A, 0x9C, 0xF8))) > 20, "the arrow of the order"
    mark = places(picture, (0xFF, 0xD5, 0x4F))
    assert len(mark) > 1000 and max(x for x, _ in mark) < 320 and max(y for _, y in mark) < 40, "prices are made up"


def test_candles_lie_over_a_script_unless_it_asks_for_the_front(page: Driver) -> None:
    line = "plot(hl2, color = #FF00AA, linewidth = 4)\n"
    behind = len(places(add(page, OVER + line), PINK))
    front = '//@version=6\nindicator("Over", overlay = true, behind_chart = false)\n'
    assert len(places(add(page, front + line), PINK)) > behind * 1.2


def test_plots_lie_in_the_manuals_order_or_in_that_of_their_calls(page: Driver) -> None:
    body = (
        "hline(50, color = #00C0FF, linewidth = 4, linestyle = hline.style_solid)\n"
        "plot(50, color = #FF00AA, linewidth = 4)\n"
    )
    plain = add(page, '//@version=6\nindicator("Order")\n' + body).crop((60, 0, 560, 440))
    assert len(places(plain, PINK)) < 50, "a level lies over a plot"
    asked = '//@version=6\nindicator("Order", explicit_plot_zorder = true)\n'
    assert len(places(add(page, asked + body), PINK)) > 800


def test_the_grid_lies_below_backgrounds(page: Driver) -> None:
    image = add(page, OVER + "bgcolor(color.new(#FF00AA, 0))\n")
    column = {image.getpixel((x, 70)) for x in range(260, 530)}
    assert column == {PINK}


@pytest.mark.parametrize("scale", ["none", "left"])
def test_a_scale_of_its_own_leaves_the_candles_as_they_are(page: Driver, scale: str) -> None:
    up = (0x2F, 0xAE, 0x86)
    before = [y for x, y in places(shot(page), up) if x < 560 and y < 360]
    head = f'//@version=6\nindicator("Volume", overlay = true, scale = scale.{scale})\n'
    after = add(page, head + "plot(volume, color = color.new(#FF00AA, 50), style = plot.style_columns)\n")
    now = [y for x, y in places(after, up) if x < 560 and y < 360]
    assert max(now) - min(now) == pytest.approx(max(before) - min(before), abs=8)
    labels = [x for x, _ in places(after, PINK) if x < 60 or x > 566]
    assert bool(labels) == (scale == "left"), "the axis of the scale"


def test_colours_of_the_chart_follow_the_theme(page: Driver) -> None:
    source = (
        OVER
        + LAST
        + (
            "t = table.new(position.middle_center, 1, 1, bgcolor = chart.bg_color)\n"
            '    t.cell(0, 0, "READ", text_color = chart.fg_color, text_size = size.huge, width = 30, height = 30)\n'
        )
    )
    middle = (220, 180, 400, 270)
    dark = add(page, source).crop(middle)
    assert dark.getpixel((2, 2)) == (0x0F, 0x13, 0x18)
    assert max(dark.convert("L").tobytes()) > 190
    page.click('[data-name="header-toolbar-theme"]')
    page.until("document.documentElement.dataset.theme === 'light'")
    page.until(f"{CHART}.getAllStudies().length === 1")
    settled(page)
    light = shot(page).crop(middle)
    assert light.getpixel((2, 2)) == (255, 255, 255)
    assert min(light.convert("L").tobytes()) < 60


def test_heikin_ashi_is_what_legend_script_and_clients_see(page: Driver) -> None:
    plain = page.js(f"{BARS}.valueAt({BARS}.lastIndex())")
    before = page.js(f"{BARS}.valueAt({BARS}.lastIndex() - 1)")
    page.js(f"{CHART}.setChartType(8)")
    page.until(f"{BARS}.valueAt({BARS}.lastIndex())[4] !== {plain[4]}")
    averaged = page.js(f"{BARS}.valueAt({BARS}.lastIndex())")
    assert averaged[4] == pytest.approx(sum(plain[1:5]) / 4)
    assert averaged[1] != plain[1] and before != plain
    add(
        page,
        OVER + 'plot(close, "C")\nplot(open, "O")\nplot(chart.is_heikinashi and not chart.is_standard ? 1 : 0, "K")\n'
        'plot(request.security(ticker.standard(syminfo.tickerid), timeframe.period, close), "S")\n'
        'plot(request.security(syminfo.tickerid, timeframe.period, close), "T")\n',
    )
    sources = f"{CHART}._chartWidget.model().model().dataSources()"
    page.until(f"{sources}.at(-1).dataWindowView().items()[2]?._value === '1.00'")
    shown = {item["_title"]: item["_value"] for item in page.js(f"{sources}.at(-1).dataWindowView().items()")}
    expected = {"C": averaged[4], "O": averaged[1], "K": 1, "S": plain[4], "T": averaged[4]}
    assert shown == {name: f"{value:.2f}" for name, value in expected.items()}
    assert f"{averaged[4]:.2f}" in page.js("document.querySelector('.legend__values').textContent")


def test_types_that_are_not_computed_are_told_apart(page: Driver) -> None:
    page.click('[data-name="header-toolbar-chart-styles"]')
    items = page.until("[...document.querySelectorAll('[role=\"menuitem\"]')].map((item) => item.textContent)")
    page.press("Escape", "Escape", 27)
    assert items[:6] == ["Bars", "Candles", "Hollow candles", "Heikin Ashi", "Line", "Area"]
    assert all(item.endswith("not here") for item in items[6:])


# text


def label(more: str, text: str = "Ag", at: int = 20) -> str:
    return (
        OVER + LAST + f'label.new(bar_index - {at}, high[{at}] + 14, "{text}", color = #FF00AA, '
        f"textcolor = color.white, {more})\n"
    )


def extent(image: Image.Image, color: tuple[int, int, int] = PINK) -> tuple[int, int, int, int]:
    """The least box around a colour: left, top, right, bottom."""
    found = places(image, color)
    xs, ys = [x for x, _ in found], [y for _, y in found]
    return min(xs), min(ys), max(xs), max(ys)


def test_labels_grow_with_their_size(page: Driver) -> None:
    heights = []
    for size in ("size.tiny", "size.small", "size.normal", "size.large", "size.huge", "30"):
        _, top, _, bottom = extent(add(page, label(f"size = {size}")))
        heights.append(bottom - top)
    assert heights == sorted(set(heights))
    assert heights[-1] > 2.5 * heights[0]


def test_pointers_leave_from_the_corner_that_the_style_names(page: Driver) -> None:
    bodies = {
        style: extent(add(page, label(f"style = label.style_label_{style}", "wide text")))
        for style in ("lower_left", "lower_right", "upper_left", "upper_right")
    }
    assert bodies["lower_left"][0] - bodies["lower_right"][2] == pytest.approx(0, abs=3)
    assert bodies["upper_left"][0] - bodies["upper_right"][2] == pytest.approx(0, abs=3)
    assert bodies["lower_left"][3] - bodies["upper_left"][1] == pytest.approx(0, abs=3)


def test_an_outline_has_the_labels_colour(page: Driver) -> None:
    image = add(page, label("style = label.style_text_outline, size = size.huge"))
    assert len(places(image, PINK)) > 60
    plain = add(page, label("style = label.style_none, size = size.huge"))
    assert not places(plain, PINK)


def test_bold_and_italic_letters_are_others(page: Driver) -> None:
    pictures = [
        add(page, label(f"text_formatting = text.format_{name}, size = size.huge", "words"))
        for name in ("none", "bold", "italic")
    ]
    assert len({image.tobytes() for image in pictures}) == 3
    widths = [extent(image)[2] - extent(image)[0] for image in pictures]
    assert widths[1] > widths[0]


def test_text_is_wrapped_at_the_sides_of_its_box(page: Driver) -> None:
    body = (
        OVER
        + LAST
        + (
            "box.new(bar_index - 60, high[60] + 14, bar_index - 45, high[60] - 4, bgcolor = color.black, "
            'border_color = color.black, text = "some words that go on and on", text_color = #FF00AA, text_size = 12, '
        )
    )
    wrapped = extent(add(page, body + "text_wrap = text.wrap_auto)\n"))
    straight = extent(add(page, body + "text_wrap = text.wrap_none)\n"))
    assert wrapped[2] - wrapped[0] < (straight[2] - straight[0]) / 2
    assert wrapped[3] - wrapped[1] > 2 * (straight[3] - straight[1])


def test_a_label_of_several_lines_stands_clear_of_its_candle(page: Driver) -> None:
    drawn = "bar_index == last_bar_index - 30, style = shape.labeldown, color = #FF00AA, display = display.pane"
    one = extent(add(page, OVER + f'plotshape({drawn}, text = "a")\n'))
    many = extent(add(page, OVER + f'plotshape({drawn}, text = "a\\nb\\nc")\n'))
    assert many[3] == pytest.approx(one[3], abs=1), "its point stays where it is"
    assert many[1] < one[1] - 20


def test_a_tooltip_is_shown_where_the_pointer_rests(page: Driver) -> None:
    source = (
        OVER
        + LAST
        + (
            'label.new(bar_index - 20, high[20] + 14, "Ag", color = #FF00AA, tooltip = "of the label")\n'
            "    t = table.new(position.bottom_left, 1, 1, bgcolor = #00C0FF)\n"
            '    t.cell(0, 0, "        ", tooltip = "of the cell", width = 20, height = 10)\n'
        )
    )
    image = add(page, source)
    corner = page.js("(({x, y}) => [x, y])(document.querySelector('.chart-container').getBoundingClientRect())")
    for color, said in ((PINK, "of the label"), (BLUE, "of the cell")):
        left, top, right, bottom = extent(image, color)
        place = {"x": corner[0] + (left + right) / 2, "y": corner[1] + (top + bottom) / 2}
        page.connection.command("Input.dispatchMouseEvent", type="mouseMoved", **place)
        page.until(f"document.querySelector('[role=\"tooltip\"]')?.textContent === {json.dumps(said)}")
    page.connection.command("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=5)
    page.until("document.querySelector('[role=\"tooltip\"]') === null")


# axes


def choose(page: Driver, label: str) -> None:
    page.click('[data-name="chart-scale-menu"]')
    items = "[...document.querySelectorAll('[role=\"menuitem\"]')]"
    page.until(f"{items}.length > 5")
    page.js(f"{items}.find((item) => item.textContent.startsWith({json.dumps(label)})).click()")
    settled(page)


def test_time_is_that_of_the_exchange_until_a_zone_is_chosen(page: Driver) -> None:
    shown = "document.querySelector('.legend__date').textContent"
    page.js(f"new Promise((done) => {CHART}.setResolution('15', done))")
    try:
        page.connection.command(
            "Emulation.setDeviceMetricsOverride", width=1440, height=560, deviceScaleFactor=1, mobile=False
        )
        page.until(f"{shown}.endsWith('15:45')")  # a quarter of an hour before New York's close
        axis = shot(page).crop((0, 400, 900, 474)).tobytes()
        choose(page, "Tokyo")
        page.until(f"{shown}.endsWith('04:45')")
        assert shot(page).crop((0, 400, 900, 474)).tobytes() != axis
        choose(page, "Exchange time")
        page.until(f"{shown}.endsWith('15:45')")
    finally:
        page.js(f"new Promise((done) => {CHART}.setResolution('1D', done))")


def rise(image: Image.Image) -> int:
    """How many pixels a line ends above its beginning."""
    found = sorted((x, y) for x, y in places(image, PINK) if y > 70 and x < 560)
    return found[0][1] - found[-1][1]


def test_the_scale_can_be_inverted_logarithmic_and_in_percent(page: Driver) -> None:
    add(
        page,
        OVER + "plot(bar_index > last_bar_index - 70 ? close[0] + (bar_index - last_bar_index) / 4 : na, "
        "color = #FF00AA, linewidth = 4)\n",
    )
    choose(page, "Regular")  # the button of the menu has the focus from now on
    plain = _still(page)
    seen = {plain.tobytes()}
    for name in ("Inverted", "Logarithmic", "Percent"):
        choose(page, name)
        seen.add(shot(page).tobytes())
        if name == "Inverted":
            assert rise(plain) > 0 > rise(shot(page))
    assert len(seen) == 4
    choose(page, "Inverted")
    choose(page, "Regular")
    # The browser may blend the ground behind the legend one step of 255 higher or lower.
    assert max(ImageChops.difference(_still(page), plain).tobytes()) <= 1


def _still(page: Driver) -> Image.Image:
    """The chart when nothing of it fades any more."""
    before = shot(page)
    for _ in range(200):
        page.js(FRAMES)
        now = shot(page)
        if now.tobytes() == before.tobytes():
            return now
        before = now
    raise AssertionError("the chart does not come to rest")


def test_the_price_label_is_the_last_price_wherever_one_looks(page: Driver) -> None:
    choose(page, "Auto")  # the scale stays as it is from now on

    def label_at() -> set[int]:
        axis = shot(page).crop((575, 0, 620, 440))
        return {y for _, y in places(axis, (0x2F, 0xAE, 0x86)) + places(axis, (0xE0, 0x5A, 0x62))}

    before = label_at()
    assert before
    shown = page.js(f"{CHART}.getVisibleRange()")
    day = 86_400
    page.js(f"{CHART}.setVisibleRange({{from: {shown['from'] - 90 * day}, to: {shown['to'] - 60 * day}}})")
    settled(page)
    assert label_at() == before
    choose(page, "Auto")


# legends


def test_legends_stay_in_their_panes_and_no_logo_lies_on_tables(page: Driver) -> None:
    for name in ("SMA", "EMA", "Bollinger Bands", "Keltner Channels", "Donchian Channels", "VWAP", "RSI", "MACD"):
        page.js(f"{CHART}.createStudy('{name}')")
    spilled = (
        "(() => { const box = (node) => node.getBoundingClientRect();"
        "const panes = [...document.querySelectorAll('.chart-markup-table tr')].map(box).filter((b) => b.height > 20);"
        "const legend = box(document.querySelector('.legend__prices'));"
        "return legend.bottom > panes[0].bottom + 1; })()"
    )
    page.until(f"{spilled} === false")
    assert page.js("document.querySelector('#tv-attr-logo')") is None
    assert page.js("document.querySelector('a[href=\"https://www.tradingview.com/\"]').textContent")


def test_what_differs_from_tradingview_is_listed_and_nothing_else(page: Driver) -> None:
    shown = "document.querySelector('[data-name=\"study-differences\"]')"
    add(page, OVER + "plot(close, color = color.red)\n")
    assert page.js(shown) is None
    add(page, OVER + "plot(barstate.isrealtime ? close : open)\n")
    page.until(f"{shown} !== null")
    page.click('[data-name="study-differences"]')
    said = page.until("document.querySelector('[data-name=\"differences-dialog\"]')?.textContent")
    assert "barstate.isrealtime: All bars are history here" in said
    page.press("Escape", "Escape", 27)
    page.until("document.querySelector('[role=\"dialog\"]') === null")


def test_panes_move_grow_and_collapse(page: Driver) -> None:
    for name in ("RSI", "MACD"):
        page.js(f"{CHART}.createStudy('{name}')")
    rows = "[...document.querySelectorAll('.legend__study--pane')]"
    page.until(f"{rows}.length === 2")
    order = (
        f"{rows}.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)"
        ".map((row) => row.querySelector('[data-name=\"legend-study-title\"]').textContent.split(' ')[0]).join()"
    )
    heights = (
        "[...document.querySelectorAll('.chart-markup-table tr')].map((row) => row.getBoundingClientRect().height)"
        ".filter((height) => height > 26)"
    )

    def press(label: str) -> None:
        row = f"{rows}.find((row) => row.textContent.startsWith('MACD'))"
        page.js(f"{row}.querySelector('[aria-label=\"{label}\"]').click()")
        settled(page)

    page.until(f"{order} === 'RSI,MACD'")
    press("Move pane up")
    page.until(f"{order} === 'MACD,RSI'")
    before = page.js(heights)
    press("Maximise pane")
    # The other panes are as low as their legends then, and so is a pane that is collapsed.
    page.until(f"{heights}.length === 2 && {heights}[0] > 300")
    press("Maximise pane")
    page.until(f"{heights}.length === 4 && Math.abs({heights}[0] - {before[0]}) < 3")
    press("Collapse pane")
    page.until(f"{heights}.length === 3 && {heights}[0] > {before[0]}")
    press("Collapse pane")
    page.until(f"{heights}.length === 4 && Math.abs({heights}[1] - {before[1]}) < 3")


def test_the_legend_stands_between_the_axes(page: Driver) -> None:
    plots = "".join(f"plot(close + {number}, display = display.all)\n" for number in range(20))
    add(page, '//@version=6\nindicator("Many", overlay = true, scale = scale.left)\n' + plots)
    axis, edge = (
        f"document.querySelector('.chart-markup-table td:nth-child({cell})').getBoundingClientRect().{side}"
        for cell, side in ((1, "right"), (3, "left"))
    )
    row = "document.querySelector('.legend__study').getBoundingClientRect()"
    page.until(f"{axis} > 20 && {row}.left >= {axis} && {row}.right <= {edge}")
    button = "document.querySelector('.legend__study [aria-label=\"Remove\"]').getBoundingClientRect()"
    assert page.js(f"{button}.width > 0 && {button}.right <= {edge}"), "its buttons can be reached"


def test_the_last_price_has_the_colour_that_a_script_gives_its_bar(page: Driver) -> None:
    image = add(page, OVER + "barcolor(#FF00AA)\n")
    width = page.js("document.querySelector('.chart-markup-table td:nth-child(3)').getBoundingClientRect().width")
    label = [place for place in places(image, PINK) if place[0] > image.width - width + 5]
    assert len(label) > 300


def test_fills_have_no_seams(page: Driver) -> None:
    """Between two level lines a row of pixels has one colour, or the two that alternate from bar to bar."""
    lines = "a = plot(100, display = display.none)\nb = plot(0, display = display.none)\nplot(200)\nplot(-100)\n"
    for call, most in (
        ("fill(a, b, 100, 0, color.aqua, color.navy)", 1),
        ("fill(a, b, bar_index % 2 == 0 ? #FF00AA : #00C0FF)", 2),
    ):
        image = add(page, f'//@version=6\nindicator("Fill")\n{lines}{call}\n')
        for y in range(image.height - 94, image.height - 78):
            row = image.crop((300, y, 510, y + 1)).tobytes()
            kinds: list[bytes] = []
            for at in range(0, len(row), 3):  # a gradient is dithered by a level
                color = row[at : at + 3]
                if not any(max(abs(a - b) for a, b in zip(color, kind, strict=True)) <= 3 for kind in kinds):
                    kinds.append(color)
            assert len(kinds) == most, (call, kinds)
        page.js(f"{CHART}.removeAllStudies()")


def test_curves_are_smooth_and_volume_is_behind_drawings(page: Driver) -> None:
    page.js(WATCH_LINES)
    image = add(
        page,
        OVER
        + "if barstate.islast\n"
        + "    polyline.new(array.from(chart.point.from_index(bar_index - 100, low),"
        + " chart.point.from_index(bar_index - 60, high * 1.1), chart.point.from_index(bar_index - 10, low)),"
        + " curved = true, line_color = #00C0FF)\n"
        + "    box.new(bar_index - 60, close, bar_index - 20, 0, bgcolor = #FF00AA, border_color = #FF00AA)\n",
    )
    assert 0 < page.until("window.__longest") < 8, "pieces of a curve are too short for corners"
    inside = places(image.crop((0, image.height - 90, image.width, image.height - 60)), PINK)
    across = {x for x, _ in inside}
    assert len(across) > 80
    assert len(inside) == len(across) * 30, "no column of volume lies over the box"


def test_a_study_stays_while_older_bars_load(page: Driver) -> None:
    add(page, OVER + "plot(close, color = #FF00AA, linewidth = 3)\n")
    page.js(HOLD_RUNS)
    try:
        page.js(f"{CHART}._chartWidget.model().timeScale().zoomToBarsRange(-5, 120)")
        page.until(f"{BARS}.size() > 600")
        running = "document.querySelector('.legend__study .legend__detail')?.textContent === '…'"
        page.until(running)
        page.js(FRAMES)
        assert page.js(running) and len(places(shot(page), PINK)) > 100
    finally:
        page.js("window.__release()")
    settled(page)
    assert len(places(shot(page), PINK)) > 100


HOLD_RUNS = """(() => {
  const { fetch } = window;
  let open;
  const opened = new Promise((done) => { open = done; });
  window.fetch = async (path, init) => {
    if (String(path).endsWith('/api/run')) await opened;
    return fetch(path, init);
  };
  window.__release = () => { window.fetch = fetch; open(); };
})()"""
"""Lets no request for a run reach the studio until it is released."""
WATCH_LINES = """(() => {
  window.__longest = 0;
  const plain = CanvasRenderingContext2D.prototype;
  const { lineTo, moveTo, beginPath } = plain;
  let before = null, count = 0, longest = 0;
  plain.beginPath = function () {
    if (count > 60) window.__longest = longest;
    [before, count, longest] = [null, 0, 0];
    return beginPath.call(this);
  };
  plain.moveTo = function (x, y) {
    before = [x, y];
    return moveTo.call(this, x, y);
  };
  plain.lineTo = function (x, y) {
    if (before !== null) longest = Math.max(longest, Math.hypot(x - before[0], y - before[1]));
    before = [x, y];
    count += 1;
    return lineTo.call(this, x, y);
  };
})()"""
"""Notes how long the longest piece of the last way of many pieces is."""


MUCH = (
    '//@version=6\nindicator("Much", overlay = true, max_labels_count = 300, max_boxes_count = 300)\n'
    "bgcolor(bar_index % 7 == 0 ? color.new(color.blue, 85) : na)\n"
    "fill(plot(ta.sma(close, 20)), plot(ta.sma(close, 50)), color.new(close > open ? color.green : color.red, 80))\n"
    "label.new(bar_index, high, str.tostring(bar_index), color = #FF00AA, textcolor = color.white, tooltip = 'here')\n"
    "box.new(bar_index - 2, high, bar_index + 2, low, bgcolor = color.new(#00C0FF, 80))\n"
)


def dragged(page: Driver, by: int) -> int:
    """Drag the chart to the right; return how many labels were drawn meanwhile."""
    page.js(
        "(() => { const real = CanvasRenderingContext2D.prototype.fillText; window.__texts = 0;"
        " window.__real ??= real; CanvasRenderingContext2D.prototype.fillText = function (...all) {"
        " window.__texts += /^[0-9]{3}$/.test(all[0]) ? 1 : 0; return window.__real.apply(this, all); }; })()"
    )
    for kind, x in (
        ("mousePressed", 300),
        *(("mouseMoved", 300 + step) for step in range(0, by, 4)),
        ("mouseReleased", 300 + by),
    ):
        pressed = {"button": "left", "buttons": 0 if kind == "mouseReleased" else 1, "clickCount": 1}
        page.connection.command("Input.dispatchMouseEvent", type=kind, x=x, y=300, **pressed)
        page.js("new Promise((done) => requestAnimationFrame(() => done(1)))")
    return page.js("(CanvasRenderingContext2D.prototype.fillText = window.__real, window.__texts)")


def test_a_drag_moves_the_picture_of_a_heavy_script_and_nothing_looks_different(page: Driver) -> None:
    add(page, MUCH)
    page.js(f"{CHART}._chartWidget.model().timeScale().zoomToBarsRange(330, 430)")
    choose(page, "Auto")  # not any more: the prices stay where they are
    settled(page)
    texts = dragged(page, 120)
    assert texts < 8 * 100, "labels were drawn again in each of thirty frames"
    page.connection.command("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=5)
    settled(page)
    moved = shot(page)
    study = f"{CHART}.getStudyById({CHART}.getAllStudies()[0].id)"
    page.js(f"{study}.setVisible(false)")
    settled(page)
    assert len(places(shot(page), PINK)) == 0
    page.js(f"{study}.setVisible(true)")
    settled(page)
    drawn = shot(page)
    choose(page, "Auto")
    far = [
        sum(pixel)
        for pixel in zip(*(band.tobytes() for band in ImageChops.difference(moved, drawn).split()), strict=True)
    ]
    assert sum(one > 24 for one in far) < 20
