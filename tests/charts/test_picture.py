"""Pictures of runs: what the script left stands where it belongs, and nothing it says becomes more than text."""

import io
import math
from dataclasses import replace
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from pinebench.charts import ChartDescription, FillMark, as_png, as_svg, picture, view_of
from pinebench.charts.picture_layout import scene as laid_out
from pinebench.charts.png import scene_as_png
from pinebench.charts.scene import Layer, Scene, SceneText, Stroke, Surface, text_width
from pinebench.checker import open_program
from pinebench.market.bars import SymbolInfo
from pinebench.runtime.runtime import Runtime
from tests.runtime.running import bars_of

CLOSES = [10.0, 12.0, 11.0, 13.0, 12.0, 15.0, 14.0, 16.0]
RED, BLUE, ODD = 0xF23645FF, 0x2962FFFF, 0x123456FF
OVER = '//@version=6\nindicator("Over", overlay = true)\n'
UNDER = '//@version=6\nindicator("Under")\n'


def described(body: str, head: str = OVER, closes: list[float] = CLOSES, **view: Any) -> ChartDescription:
    program, bars = open_program(head + body), bars_of(closes)
    symbol = SymbolInfo(timeframe="15")
    result = Runtime(program, bars, symbol).run()
    assert result.error is None
    return picture(result, bars, symbol, view_of(program, **view))


def drawn(body: str, head: str = OVER, closes: list[float] = CLOSES, **view: Any) -> Scene:
    return laid_out(described(body, head, closes, **view))


def shapes(scene: Scene, kind: type, color: int) -> list[Any]:
    return [each for layer in scene.layers for each in layer.shapes if isinstance(each, kind) and each.color == color]


def words(scene: Scene) -> str:
    return "\n".join(each.text for layer in scene.layers for each in layer.shapes if isinstance(each, SceneText))


def panes(scene: Scene) -> list[Layer]:
    wide = [layer for layer in scene.layers if layer.left == 8 and layer.bottom - layer.top > 10]
    return [layer for layer in wide if any(isinstance(each, SceneText) for each in layer.shapes)]


def plotted(style: str, values: str = "close", more: str = "") -> Scene:
    return drawn(f"plot({values}, color = #123456, style = plot.style_{style}{more})")


def test_every_bar_that_is_seen_has_a_candle() -> None:
    bodies = [each for color in (RED, 0x089981FF) for each in shapes(drawn("plot(na)"), Surface, color)]
    assert len(bodies) == 2 * len(CLOSES) + 1  # bodies, wicks, and the mark of the last price
    part = drawn("plot(na)", first=2, last=5)
    assert len([each for color in (RED, 0x089981FF) for each in shapes(part, Surface, color)]) == 7


def test_an_infinite_value_has_no_label_on_the_axis() -> None:
    chart = described("plot(close / 0, color = #123456)", UNDER, CLOSES)
    assert shapes(laid_out(chart), Surface, 0x123456FF) == [] and "inf" not in as_svg(chart)


def test_a_shape_at_the_price_0_is_drawn() -> None:
    body = "plotshape({}, style = shape.circle, location = location.{}, color = #123456)"
    at_price = drawn(body.format("bar_index == 2 ? 0.0 : na", "absolute"), UNDER)
    assert len(shapes(at_price, Surface, 0x123456FF)) == 1
    assert shapes(drawn(body.format("0.0", "top")), Surface, 0x123456FF) == []


def test_a_run_that_stopped_before_its_plots_is_drawn_without_them() -> None:
    body = """upper = hline(20, color = #123456)
lower = hline(5)
if bar_index >= 0
    runtime.error("stop")
third = hline(8)
fill(upper, lower)
fill(upper, third)
plot(close, style = plot.style_columns)
plotshape(true, text = "a")
plotchar(true, char = "b")
plotarrow(1)
plotcandle(open, high, low, close)
bgcolor(#123456)
barcolor(#123456)
"""
    program, bars, symbol = open_program(OVER + body), bars_of(CLOSES), SymbolInfo(timeframe="15")
    result = Runtime(program, bars, symbol).run()
    assert result.error is not None
    chart = picture(result, bars, symbol, view_of(program))
    assert "<svg" in as_svg(chart)
    assert as_png(chart)


def test_a_line_goes_on_over_na_and_breaks_only_where_its_style_says() -> None:
    values = "bar_index == 3 ? na : close"
    assert [len(each.points) for each in shapes(plotted("line", values), Stroke, ODD)] == [7]
    assert [len(each.points) for each in shapes(plotted("linebr", values), Stroke, ODD)] == [3, 4]
    assert [len(each.points) for each in shapes(plotted("stepline"), Stroke, ODD)] == [15]


def led(values: str, style: str = "line") -> list[float]:
    """Where the points of the first line are, in bars from the first visible one."""
    body = f"plot({values}, color = #123456, style = plot.style_{style})"
    places = [x for x, _ in shapes(drawn(body, first=4), Stroke, ODD)[0].points]
    step = places[-1] - places[-2]
    return [round((x - places[-1]) / step) + 3 for x in places]


def test_a_line_comes_from_the_last_value_before_the_picture() -> None:
    assert led("close") == [-1, 0, 1, 2, 3]
    assert led("bar_index == 3 ? na : close") == [-2, 0, 1, 2, 3]
    assert led("bar_index == 3 ? na : close", "linebr") == [0, 1, 2, 3]
    assert led("bar_index < 5 and bar_index != 1 ? na : close") == [-3, 1, 2, 3]
    assert led("bar_index < 5 ? na : close") == [1, 2, 3]


@pytest.mark.parametrize(("style", "count"), [("columns", 8), ("histogram", 8), ("circles", 8), ("cross", 8)])
def test_single_marks_stand_on_each_bar(style: str, count: int) -> None:
    drawn = panes(plotted(style))[0].shapes
    assert sum(isinstance(each, Surface) and each.color == ODD for each in drawn) == count


def test_areas_are_filled_to_their_base_in_a_fainter_colour() -> None:
    assert len(shapes(plotted("area"), Surface, 0x12345666)) == 1
    assert len(shapes(plotted("areabr", "bar_index == 3 ? na : close"), Surface, 0x12345666)) == 2


def test_an_offset_moves_a_plot_and_a_limit_shows_its_end() -> None:
    [moved] = shapes(plotted("line", more=", offset = -2"), Stroke, ODD)
    [plain] = shapes(plotted("line"), Stroke, ODD)
    assert len(moved.points) == 7
    assert moved.points[1][0] == plain.points[0][0]
    assert [y for _, y in moved.points] == [y for _, y in plain.points[1:]]
    [last] = shapes(plotted("line", more=", show_last = 3"), Stroke, ODD)
    assert last.points == plain.points[-3:]


def test_colours_change_by_bar_and_na_hides() -> None:
    scene = drawn("plot(close, color = close > 12 ? #123456 : na)\nplot(open, color = na)\nplot(high)")
    assert [len(each.points) for each in shapes(scene, Stroke, ODD)] == [2, 4]
    assert len(shapes(scene, Stroke, BLUE)) == 1


def test_what_is_hidden_is_not_drawn() -> None:
    assert not shapes(plotted("line", more=", display = display.none"), Stroke, ODD)
    assert not shapes(plotted("line", more=", display = display.data_window"), Stroke, ODD)
    assert shapes(plotted("line", more=", display = display.all - display.status_line"), Stroke, ODD)


def test_an_indicator_has_a_pane_of_its_own_but_for_what_is_forced_on_the_price() -> None:
    body = "plot(bar_index, color = #123456)\nplot(close, color = #654321, force_overlay = true)\nhline(3)"
    price, own = panes(drawn(body, UNDER))
    assert [each for each in own.shapes if isinstance(each, Stroke) and each.color == ODD]
    assert [each for each in price.shapes if isinstance(each, Stroke) and each.color == 0x654321FF]
    assert [each for each in own.shapes if isinstance(each, Stroke) and each.style == "dashed"]
    assert len(panes(drawn("plot(close)"))) == 1


def test_shapes_stand_at_their_bars() -> None:
    scene = drawn(
        "plotshape(bar_index == 3, style = shape.triangleup, location = location.belowbar, color = #123456)\n"
        'plotchar(bar_index == 4, char = "X", location = location.abovebar, color = #654321, text = "said")\n'
        "plotarrow(bar_index == 5 ? 1 : na, colorup = #112233)"
    )
    [triangle] = shapes(scene, Surface, ODD)
    character, _in_legend = shapes(scene, SceneText, 0x654321FF)
    [head] = shapes(scene, Surface, 0x112233FF)
    across = [min(x for x, _ in triangle.points), character.x, min(x for x, _ in head.points)]
    assert across == sorted(across)
    assert character.text == "X"
    assert "said" in words(scene)


def test_fills_and_backgrounds_join_bars_of_one_colour() -> None:
    scene = drawn(
        "a = plot(high)\nb = plot(low)\nfill(a, b, bar_index < 4 ? #123456 : #654321)\n"
        "bgcolor(bar_index > 1 and bar_index < 5 ? #112233 : na)"
    )
    [first], [second] = shapes(scene, Surface, ODD), shapes(scene, Surface, 0x654321FF)
    assert (len(first.points), len(second.points)) == (8, 10)
    assert len(shapes(scene, Surface, 0x112233FF)) == 1


def test_the_colours_of_a_fill_move_with_its_plots() -> None:
    """Also beyond the last bar, as in a cloud that is drawn ahead."""
    scene = drawn(
        "a = plot(high, offset = 2)\nb = plot(low, offset = 2)\nfill(a, b, bar_index < 4 ? #123456 : #654321)"
    )
    [first], [second] = shapes(scene, Surface, ODD), shapes(scene, Surface, 0x654321FF)
    assert (len(first.points), len(second.points)) == (8, 10)


def test_a_gradient_goes_from_one_colour_to_the_other() -> None:
    scene = drawn("a = plot(high)\nb = plot(low)\nfill(a, b, high, low, #000000, #FFFFFF)")
    grays = {each.color for layer in scene.layers for each in layer.shapes if isinstance(each, Surface)}
    assert len({color for color in grays if color >> 24 == color >> 16 & 0xFF == color >> 8 & 0xFF}) >= 8


def test_a_gradient_without_values_is_not_painted() -> None:
    plots = "a = plot(high)\nb = plot(low)\n"
    assert drawn(f"{plots}fill(a, b, top_color = #000000, bottom_color = #FFFFFF)").layers == drawn(plots).layers


def test_bars_take_the_colour_that_a_script_gives() -> None:
    """So does the mark of the last price."""
    assert len(shapes(drawn("barcolor(bar_index > 3 ? #123456 : na)"), Surface, ODD)) == 9


def test_drawings_stand_at_their_places() -> None:
    scene = drawn("""
if barstate.islast
    line.new(1, 10, 3, 12, color = #123456, extend = extend.right)
    box.new(1, 14, 3, 11, bgcolor = #654321, text = "zone")
    label.new(bar_index + 3, 15, "ahead", color = #112233)
    a = line.new(0, 10, 7, 10, color = na)
    b = line.new(0, 11, 7, 11, color = na)
    linefill.new(a, b, #221133)
    points = array.from(chart.point.from_index(0, 10), chart.point.from_index(4, 15), chart.point.from_index(7, 12))
    polyline.new(points, curved = true, line_color = #332211)
    label.new(2, 13, color = na, textcolor = #445566, text = "bare")
""")
    [line] = shapes(scene, Stroke, ODD)
    assert line.points[1][0] > scene.width  # goes on beyond the picture
    assert len(shapes(scene, Surface, 0x654321FF)) == 1
    assert len(shapes(scene, Surface, 0x112233FF)) == 2  # the label and its pointer
    assert len(shapes(scene, Surface, 0x221133FF)) == 1
    [curve] = shapes(scene, Stroke, 0x332211FF)
    longest = max(math.dist(one, other) for one, other in pairwise(curve.points))
    assert longest < 16, "no corner is seen"
    assert len(shapes(scene, SceneText, 0x445566FF)) == 1
    assert {"zone", "ahead", "bare"} <= set(words(scene).split("\n"))
    [ahead] = [
        each for layer in scene.layers for each in layer.shapes if isinstance(each, SceneText) and each.text == "ahead"
    ]
    assert ahead.x < scene.width - 84  # there is room for what is drawn ahead


def test_labels_after_the_last_bar_are_not_cut_by_the_axis() -> None:
    for style in ("left", "down", "upper_left", "center"):
        scene = drawn(
            "if barstate.islast\n    label.new(bar_index + 2, 12, 'a label with many words', color = #112233,"
            f" style = label.style_label_{style})\n",
            closes=CLOSES * 10,
        )
        body, *_ = shapes(scene, Surface, 0x112233FF)
        assert max(x for x, _ in body.points) <= scene.width - 84, style


def test_the_head_of_an_arrow_is_wider_than_its_line() -> None:
    for width in (1, 4, 20):
        scene = drawn(
            "if barstate.islast\n    line.new(0, 10, 6, 15, color = #112233, style = line.style_arrow_both,"
            f" width = {width})\n"
        )
        [line], heads = shapes(scene, Stroke, 0x112233FF), shapes(scene, Surface, 0x112233FF)
        assert line.width == width and len(heads) == 2
        for head, end in zip(heads, reversed(line.points), strict=True):
            tip, one, other = head.points
            assert math.dist(one, other) >= width + 5
            assert math.dist(tip, end) == pytest.approx(width), "the line does not cover the point of its head"


def test_a_table_stands_in_its_corner_with_merged_cells() -> None:
    scene = drawn("""
var t = table.new(position.bottom_left, 2, 2, bgcolor = #123456)
if barstate.islast
    t.cell(0, 0, "wide")
    t.cell(1, 0, "hidden")
    t.merge_cells(0, 0, 1, 0)
    t.cell(0, 1, "left")
    t.cell(1, 1, "right")
""")
    [board] = shapes(scene, Surface, ODD)
    assert min(x for x, _ in board.points) == 14
    assert max(y for _, y in board.points) > 850
    said = words(scene).split("\n")
    assert {"wide", "left", "right"} <= set(said) and "hidden" not in said


def test_a_drawing_holds_texts_as_texts() -> None:
    chart = described('label.new(0, 10, "</text><script>alert(1)</script>&\\u0000", tooltip = "\\"><b>")\nplot(1)')
    file = as_svg(chart)
    assert "<script" not in file and "<b>" not in file
    assert ElementTree.fromstring(file.encode()).tag.endswith("svg")


def test_a_picture_has_its_size_and_its_colours() -> None:
    content = as_png(described("bgcolor(bar_index == 0 ? #123456 : na)"))
    image = Image.open(io.BytesIO(content))
    assert image.size == (1600, 900)
    assert image.getpixel((30, 800)) == (0x12, 0x34, 0x56)
    assert image.getpixel((1500, 100)) == (255, 255, 255)


@pytest.mark.parametrize("closes", [[10.0], [10.0, 10.0], [-1.0, 0.0], [1e12, 1e12 + 1], [1e-8, 2e-8]])
def test_few_and_strange_bars_are_drawn(closes: list[float]) -> None:
    body = 'plot(close * 1e9)\nplot(na)\nplot(1 / 0.0)\nline.new(0, 1e300, 1, -1e300)\nlabel.new(-5000, na, "x")'
    chart = described(body, closes=closes)
    assert as_png(chart).startswith(b"\x89PNG")
    ElementTree.fromstring(as_svg(chart).encode())


def test_a_line_one_can_see_through_is_not_darker_where_its_colour_changes() -> None:
    color = "bar_index % 2 == 0 ? color.new(#0000FF, 50) : color.new(#0001FF, 50)"
    head = OVER.replace("overlay = true", "overlay = true, behind_chart = false")
    body = f"plot(close, color = {color}, linewidth = 8)\nbarcolor(#FFFFFF)"
    image = Image.open(io.BytesIO(as_png(described(body, head, [10.0] * 60))))
    plots = image.convert("RGB").crop((30, 100, 1200, 850))
    reds = {color[0] for _, color in plots.getcolors(1 << 24) or () if isinstance(color, tuple) and color[2] == 255}
    assert min(reds) >= 126 and len(reds) > 1


def test_what_a_strategy_bought_and_sold_stands_beside_its_bars() -> None:
    """Buying below, selling above, each with a mark at its price; what is not seen is not drawn."""
    bars = bars_of(CLOSES)
    result = Runtime(open_program(OVER + "plot(na)"), bars, SymbolInfo(timeframe="15")).run()
    fills = [
        FillMark(2, 11.5, 3, "In"),
        FillMark(2, 12.0, 1, "More"),
        FillMark(4, 12.5, -4, "Out"),
        FillMark(1, 11.0, 9, "Gone"),
    ]
    program = open_program(OVER + "plot(na)")
    scene = laid_out(picture(result, bars, SymbolInfo(timeframe="15"), view_of(program, 2, 8), fills))
    seen = [each for layer in scene.layers for each in layer.shapes if isinstance(each, SceneText)]
    told = {each.text: each for each in seen if each.text.split()[0] in ("In", "More", "Out", "Gone")}
    assert list(told) == ["In +3", "More +1", "Out -4"]
    assert told["In +3"].x == told["More +1"].x < told["Out -4"].x
    lows = [max(point[1] for point in each.points) for each in shapes(scene, Surface, 0x2962FFFF)]
    assert len(lows) == 2 and told["In +3"].y > lows[0] and told["More +1"].y > told["In +3"].y
    assert told["Out -4"].y < min(point[1] for each in shapes(scene, Surface, 0xD500F9FF) for point in each.points)
    marks = [each.points[0][1] for color in (0x2962FFFF, 0xD500F9FF) for each in shapes(scene, Stroke, color)]
    assert len(marks) == 3 and marks[0] > marks[1] > marks[2]


def test_the_legend_has_what_the_status_line_has() -> None:
    values = words(drawn('plot(close * 10, "In pane", display = display.pane)\nplot(close, "Both")'))
    assert "Both 16.00" in values and "In pane" not in " ".join(values)
    candles = words(drawn('plotcandle(close, close + 1, close - 1, close, "Candles")\nplotarrow(close, "Arrows")'))
    assert "Candles 16.00 17.00 15.00 16.00" in candles and "Arrows 16.00" in candles
    shapes = words(drawn('plotchar(bar_index, "Bar", "", location.top)\nplotshape(close > 0, "Up")'))
    assert "Bar 7.00" in shapes and "Up 1.00" in shapes


def test_a_legend_that_is_too_long_goes_on_in_the_next_row() -> None:
    plots = "\n".join(f'plot(close, "Average number {number}")' for number in range(30))
    scene = drawn(plots)
    legend = [
        each
        for layer in panes(scene)
        for each in layer.shapes
        if isinstance(each, SceneText) and "Average" in each.text
    ]
    assert len(legend) == 30 and len({each.y for each in legend}) > 2
    assert all(each.x + text_width(each.text, 11) < 1600 - 84 for each in legend)
    assert all(each.outline == scene.background for each in legend), "they can be read on plots"


@pytest.mark.parametrize("degrees", [0, 3, 10, 25, 40, 50, 75, 90])
@pytest.mark.parametrize("opacity", [0xFF, 0x80])
def test_a_thin_line_is_as_wide_in_every_direction(degrees: int, opacity: int) -> None:
    """A line of one pixel over 800 pixels covers 800 pixels, whatever its direction."""
    x, y = 800 * math.cos(math.radians(degrees)), 800 * math.sin(math.radians(degrees))
    points = tuple((20 + x * part / 100, 20 + y * part / 100) for part in range(101))
    scene = Scene(850, 850, 0xFFFFFFFF, "", [Layer(0, 0, 850, 850, [Stroke(points, opacity, 1)])])
    grey = Image.open(io.BytesIO(scene_as_png(scene))).convert("L")
    ink = sum((255 - value) * count for value, count in enumerate(grey.histogram())) / opacity
    assert ink == pytest.approx(800, rel=0.05)


@pytest.mark.parametrize("width", [400, 700, 1600])
def test_the_heading_is_not_cut(width: int) -> None:
    chart = described("plot(close)")
    scene = laid_out(replace(chart, frame=replace(chart.frame, width=width, name="NASDAQ:AAPL with a long name")))
    heading = [each for each in panes(scene)[0].shapes if isinstance(each, SceneText) and each.x == 14]
    assert "C 16.00" in " ".join(each.text for each in heading)
    assert all(each.x + text_width(each.text, each.size) < width - 84 for each in heading)


def test_points_of_the_manual() -> None:
    """Sizes of labels, joins, scales, labels of candles, forms of lines and cut texts, as the manual words them."""
    sizes = {"tiny": 7, "small": 10, "normal": 12, "large": 18, "huge": 24, "20": 20}
    for size, pixels in sizes.items():
        given = size if size == "20" else f"size.{size}"
        scene = drawn(f'if barstate.islast\n    label.new(bar_index, close, "Ag", textcolor = #123456, size = {given})')
        assert [each.size for each in shapes(scene, SceneText, ODD)] == [pixels], size

    # Points are joined by a line of one pixel, however large they are.
    joined = shapes(plotted("circles", more=", join = true, linewidth = 5"), Stroke, ODD)
    assert {each.width for each in joined} == {1}

    # An area that breaks has a scale of its values alone; other areas show their base.
    def floor(style: str) -> float:
        """The pixels between the lowest plotted value and the bottom of the pane."""
        scene = drawn(f"plot(1000 + close, color = #123456, style = plot.style_{style})", UNDER)
        pane = panes(scene)[-1]
        return pane.bottom - max(y for each in shapes(scene, Stroke, ODD) for _, y in each.points)

    assert floor("areabr") < floor("area") / 3

    # A shape beside bars brings their prices into the scale of its pane.
    def spread(location: str) -> float:
        body = (
            f"plot(1.0, color = #123456)\nplot(2.0, color = #123456)\nplotshape(true, location = location.{location})"
        )
        heights = [y for each in shapes(drawn(body, UNDER), Stroke, ODD) for _, y in each.points]
        return max(heights) - min(heights)

    assert spread("abovebar") < spread("top") / 4 and spread("belowbar") < spread("top") / 4

    # Candles have a label on the axis at their close; a bar without one of its prices has none.
    axis = drawn('plotcandle(close, close + 5, close - 5, close + 3.21, "Candles", color = #123456)')
    assert "19.21" in [
        each.text for layer in axis.layers if layer.left > 1000 for each in layer.shapes if isinstance(each, SceneText)
    ]
    axis = drawn('plotcandle(na, close + 5, close - 5, close + 3.21, "Candles", color = #123456)')
    assert "19.21" not in [
        each.text for layer in axis.layers if layer.left > 1000 for each in layer.shapes if isinstance(each, SceneText)
    ]

    # Steps that break have no form of line of their own.
    assert {
        each.style for each in shapes(plotted("areabr", more=", linestyle = plot.linestyle_dashed"), Stroke, ODD)
    } == {"solid"}
    assert {
        each.style for each in shapes(plotted("linebr", more=", linestyle = plot.linestyle_dashed"), Stroke, ODD)
    } == {"dashed"}

    # No precision changes volumes.
    volumes = '//@version=6\nindicator("Volumes", format = format.volume, precision = 4)\n'
    assert "V 1.23M" in words(drawn('plot(1234567, "V")', volumes))

    # A wrapped text is cut at the bottom of its box, another one is not.
    def lines(wrap: str) -> int:
        box = (
            "if barstate.islast\n    box.new(bar_index - 1, 16, bar_index, 15, text = 'a b c d e f g h i j k l m n',"
            f" text_size = 40, text_color = #123456, text_wrap = text.wrap_{wrap}, text_valign = text.align_top)"
        )
        return sum(each.text.count("\n") + 1 for each in shapes(drawn(box), SceneText, ODD))

    assert 1 <= lines("auto") < 6 and lines("none") == 1
