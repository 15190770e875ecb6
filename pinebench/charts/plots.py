"""Draws plots in a pane: lines, areas, columns, shapes, arrows, candles, fills, horizontal lines and backgrounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from pinebench.charts.marks import sign
from pinebench.charts.scales import Axis, Scale
from pinebench.charts.scene import SceneText, Shape, Stroke, Surface, rectangle, text_height, text_width
from pinebench.runtime import BarColumns, Output

BLUE = 0x2962FFFF
GRAY = 0x787B86FF
GREEN, RED = 0x089981FF, 0xF23645FF
SHOWN_IN_PANE = 2
SHOWN_ON_SCALE = 4
SHOWN_IN_STATUS_LINE = 8
SIZES = {"auto": 9, "tiny": 6, "small": 8, "normal": 11, "large": 16, "huge": 24}
_BANDS = 8
"""The number of steps of a gradient."""


class Pane:
    """A pane with its time axis, its scale and its shapes. Later shapes are drawn on top."""

    def __init__(self, axis: Axis, scale: Scale, bars: Any) -> None:
        self.axis = axis
        self.scale = scale
        self.bars = bars
        self.shapes: list[Shape] = []


_NEEDED = {"hline": "price", "plotshape": "location", "plotchar": "location"}
"""For each function, a setting that its output has once the call has run."""


def is_shown(output: Output, where: int = SHOWN_IN_PANE) -> bool:
    """Return whether an output is displayed at `where`, a flag of Pine's `display.*` constants (default: a pane).

    An output is not displayed if its call never ran because the run stopped before it.
    """
    needed = _NEEDED.get(output.function)
    if needed is not None and needed not in output.settings:
        return False
    display = output.settings.get("display", where)
    return not isinstance(display, int) or bool(display & where)


def scaled_values(output: Output, axis: Axis, bars: BarColumns) -> list[float]:
    """Return the values of an output that its pane's scale must include. Shapes beside bars need bar prices."""
    if output.function == "hline":
        return [output.settings["price"]]
    if output.function == "plot":
        found = [value for _, value in _shifted(output, axis, "series")]
        is_based = output.settings.get("style") in ("histogram", "columns", "area")
        return [*found, output.settings["histbase"]] if is_based and found else found
    if output.function in ("plotbar", "plotcandle"):
        return [value for name in ("high", "low") for _, value in _shifted(output, axis, name)]
    location = str(output.settings.get("location"))
    if location == "absolute":
        return [value for _, value in _shifted(output, axis, "series") if output.is_drawn(value)]
    prices = {"abovebar": bars.high, "belowbar": bars.low}.get(location, ())
    shown = (index for index, value in _shifted(output, axis, "series") if value and _is_number(value))
    return [prices[index] for index in shown if 0 <= index < len(prices)]


def _shifted(output: Output, axis: Axis, column: str) -> list[tuple[int, Any]]:
    """The visible bars, each with its value after the output's `offset` and `show_last` are applied."""
    values, begin, offset = _placed(output, column)
    seen = range(max(axis.first, begin + offset), min(axis.last + axis.ahead, len(values) + offset))
    return [(index, values[index - offset]) for index in seen]


def _placed(output: Output, column: str) -> tuple[Sequence[Any], int, int]:
    """The values of a column, the first of them that `show_last` leaves, and the number of bars they are moved by."""
    values = output.columns.get(column, [])
    begin = max(len(values) - _whole(output.settings.get("show_last"), len(values)), 0)
    return values, begin, _whole(output.settings.get("offset"), 0)


def _led(output: Output, axis: Axis, *, breaks: bool) -> list[tuple[int, Any]]:
    """The visible values of a line, and before them the value that leads to them, which is outside of the picture.

    The dashes of the line begin there. A line that `breaks` at na is led only by the value of the bar before.
    """
    seen = _shifted(output, axis, "series")
    values, begin, offset = _placed(output, "series")
    at = axis.first - 1 - offset
    while not breaks and begin <= at < len(values) and not _is_number(values[at]):
        at -= 1
    return [(at + offset, values[at]), *seen] if begin <= at < len(values) else seen


def _whole(value: Any, otherwise: int) -> int:
    return int(value) if isinstance(value, int | float) and math.isfinite(value) else otherwise


def _color_of(output: Output, name: str, default: int, offset: int = 0) -> Callable[[int], int | None]:
    """A function that returns the colour of a bar; None if nothing is drawn there."""
    column = output.columns.get(name)
    if column is not None:
        return lambda index: column[index - offset] if 0 <= index - offset < len(column) else None
    fixed = output.settings.get(name, default)
    return lambda _: fixed


def painted(output: Output, count: int) -> Callable[[int], int | None]:
    """Return a function that maps a bar's index to its colour from a `barcolor()` call; None if it has none. `count` is
    the number of bars."""
    offset = _whole(output.settings.get("offset"), 0)
    begin = max(count - _whole(output.settings.get("show_last"), count), 0) + offset
    color_of = _color_of(output, "color", 0, offset)
    return lambda index: color_of(index) if index >= begin and is_shown(output) else None


def _is_number(value: Any) -> bool:
    return value is not None and math.isfinite(value)


_RANKS = {"bgcolor": 0, "fill": 1, "hline": 3}
_PLOTS = 2


def draw_outputs(pane: Pane, outputs: Sequence[Output], every: Sequence[Output], *, as_called: bool) -> None:
    """Draw outputs in the order of the layers in TradingView's manual; later outputs are on top.

    With `as_called`, draw them in the order of their calls instead, with backgrounds first.
    """

    def rank(output: Output) -> int:
        name = output.function
        return _PLOTS if as_called and name != "bgcolor" else _RANKS.get(name, _PLOTS)

    for output in sorted(outputs, key=rank):
        draw_output(pane, output, every)


def draw_output(pane: Pane, output: Output, outputs: Sequence[Output]) -> None:
    """Draw one output."""
    if not is_shown(output):
        return
    if output.function == "fill":
        _fill(pane, output, outputs)
    elif output.function in _DRAWN:
        _DRAWN[output.function](pane, output)


def _plot(pane: Pane, output: Output) -> None:
    style = output.settings.get("style", "line")
    if style in ("histogram", "columns"):
        _columns(pane, output, wide=style == "columns")
    elif style in ("circles", "cross"):
        _points(pane, output, style)
    else:
        _line(pane, output, style, output.settings.get("linewidth", 1))
    if output.settings.get("trackprice"):
        _track(pane, output)


def _track(pane: Pane, output: Output) -> None:
    """Draw a dotted horizontal line at the last value."""
    last = len(output.values) - 1
    color = _color_of(output, "color", BLUE)(last)
    if last >= 0 and _is_number(output.values[last]) and color is not None:
        y = pane.scale.y(output.values[last])
        pane.shapes.append(Stroke(((pane.axis.left, y), (pane.axis.right, y)), color, 1, "dotted"))


_DASHED = ("line", "linebr", "stepline", "stepline_diamond", "area")
"""The plot styles whose lines can be dashed or dotted."""


def _line(pane: Pane, output: Output, style: str, width: float) -> None:
    axis, scale, settings = pane.axis, pane.scale, output.settings
    color_of = _color_of(output, "color", BLUE, _whole(settings.get("offset"), 0))
    breaks, steps = style.endswith("br"), style.startswith("step")
    base = scale.y(settings.get("histbase", 0))
    before: tuple[float, float] | None = None
    pieces: list[tuple[int, list[tuple[float, float]]]] = []
    for index, value in _led(output, axis, breaks=breaks):
        if not _is_number(value):
            before = None if breaks else before
            continue
        here = axis.x(index), scale.y(value)
        color = color_of(index)
        if before is not None and color is not None:
            way = [before, (here[0], before[1]), here] if steps else [before, here]
            if pieces and pieces[-1][0] == color and pieces[-1][1][-1] == before:
                pieces[-1][1].extend(way[1:])
            else:
                pieces.append((color, way))
        if style == "stepline_diamond" and color is not None:
            pane.shapes.append(sign("diamond", *here, 4, color))
        before = here
    dash = settings.get("linestyle", "solid") if style in _DASHED else "solid"
    if style.startswith("area"):
        for color, points in pieces:
            edge = ((points[0][0], base), *points, (points[-1][0], base))
            pane.shapes.append(Surface(edge, _fainter(color)))
    pane.shapes += [Stroke(tuple(points), color, width, dash) for color, points in pieces]


def _fainter(color: int) -> int:
    return color & 0xFFFFFF00 | (color & 0xFF) * 40 // 100


def _columns(pane: Pane, output: Output, *, wide: bool) -> None:
    axis, scale = pane.axis, pane.scale
    base = scale.y(output.settings.get("histbase", 0))
    color_of = _color_of(output, "color", BLUE, _whole(output.settings.get("offset"), 0))
    half = axis.step * 0.4 if wide else max(output.settings.get("linewidth", 1) / 2, 0.5)
    for index, value in _shifted(output, axis, "series"):
        color = color_of(index)
        if _is_number(value) and color is not None:
            x = axis.x(index)
            pane.shapes.append(rectangle(x - half, scale.y(value), x + half, base, color))


def _points(pane: Pane, output: Output, style: str) -> None:
    color_of = _color_of(output, "color", BLUE, _whole(output.settings.get("offset"), 0))
    size = 1.5 + output.settings.get("linewidth", 1)
    if output.settings.get("join"):
        _line(pane, output, "line", 1)
    for index, value in _shifted(output, pane.axis, "series"):
        color = color_of(index)
        if _is_number(value) and color is not None:
            name = "circle" if style == "circles" else "cross"
            pane.shapes.append(sign(name, pane.axis.x(index), pane.scale.y(value), size, color))


# shapes


def _shape(pane: Pane, output: Output) -> None:
    settings = output.settings
    offset = _whole(settings.get("offset"), 0)
    color_of, text_of = _color_of(output, "color", BLUE, offset), _color_of(output, "textcolor", BLUE, offset)
    size = SIZES.get(str(settings.get("size")), 9)
    text, style, where = settings.get("text") or "", str(settings.get("style", "")), settings["location"]
    labelled = bool(text) and style.startswith("label")
    for index, value in _shifted(output, pane.axis, "series"):
        if not output.is_drawn(value) or not _is_number(value):
            continue
        x, y, up = pane.axis.x(index), *_location(pane, where, index, value, 0 if labelled else size)
        color, ink = color_of(index), text_of(index)
        if labelled:
            pane.shapes += _labelled((x, y), text, 1 if style == "labelup" else -1, where, (color, ink))
            continue
        if color is not None and output.function == "plotchar":
            pane.shapes.append(SceneText(x, y, settings["char"] or "", color, size + 5, "center"))
        elif color is not None:
            pane.shapes.append(sign(style, x, y, size / 2 + 1, color))
        if text and ink is not None:
            away = (size + 8 + text.count("\n") * 7) * (-1 if up else 1)
            pane.shapes.append(SceneText(x, y + away, text, ink, 11, "center"))


_BEYOND = {"top": 1, "belowbar": 1, "bottom": -1, "abovebar": -1}
"""Whether a label is below (1) or above (-1) the height of its location."""
_TIP = 5


def _labelled(
    place: tuple[float, float], text: str, away: int, where: str, colors: tuple[int | None, int | None]
) -> list[Shape]:
    """A label that is as large as its text. With `away` 1 its body is below its point, with -1 above it."""
    (x, y), (color, ink) = place, colors
    half, tall = text_width(text, 11) / 2 + 4, text_height(text, 11) + 4
    if _BEYOND.get(where, away) != away:
        y -= away * (tall + _TIP)
    edge, end = y + away * _TIP, y + away * (_TIP + tall)
    found: list[Shape] = []
    if color is not None:
        found.append(rectangle(x - half, min(edge, end), x + half, max(edge, end), color))
        found.append(Surface(((x - 5, edge), (x + 5, edge), (x, y)), color))
    return found if ink is None else [*found, SceneText(x, (edge + end) / 2, text, ink, 11, "center")]


def _location(pane: Pane, location: str, index: int, value: float, size: float) -> tuple[float, bool]:
    """The height of a shape, and whether its text is above it."""
    scale = pane.scale
    if location == "top":
        return scale.top + size + 4, False
    if location == "bottom":
        return scale.bottom - size - 4, True
    if location == "absolute":
        return scale.y(value), True
    place = min(max(index, 0), len(pane.bars.time) - 1)
    if location == "belowbar":
        return scale.y(pane.bars.low[place]) + size + 6, False
    return scale.y(pane.bars.high[place]) - size - 6, True


def _arrow(pane: Pane, output: Output) -> None:
    settings = output.settings
    offset = _whole(settings.get("offset"), 0)
    seen = [(index, value) for index, value in _shifted(output, pane.axis, "series") if value and _is_number(value)]
    most = max((abs(value) for _, value in seen), default=1)
    least, greatest = settings.get("minheight", 5), settings.get("maxheight", 100)
    up_of, down_of = _color_of(output, "colorup", GREEN, offset), _color_of(output, "colordown", RED, offset)
    for index, value in seen:
        color = up_of(index) if value > 0 else down_of(index)
        if color is None:
            continue
        x, tall = pane.axis.x(index), least + (greatest - least) * abs(value) / most
        place = min(max(index, 0), len(pane.bars.time) - 1)
        if value > 0:
            tip = pane.scale.y(pane.bars.low[place]) + 5
            pane.shapes += [Stroke(((x, tip), (x, tip + tall)), color, 2), sign("triangleup", x, tip + 3, 4, color)]
        else:
            tip = pane.scale.y(pane.bars.high[place]) - 5
            pane.shapes += [Stroke(((x, tip), (x, tip - tall)), color, 2), sign("triangledown", x, tip - 3, 4, color)]


# candles


def draw_candle(pane: Pane, index: int, prices: Sequence[float], color: int, wick: int, border: int) -> None:
    """Draw a candle; `prices` are open, high, low and close, and the last three arguments are colours."""
    if not all(map(_is_number, prices)):
        return
    x, half = pane.axis.x(index), max(pane.axis.step * 0.35, 0.5)
    open_, high, low, close = (pane.scale.y(price) for price in prices)
    pane.shapes.append(Stroke(((x, high), (x, low)), wick, 1))
    top, bottom = min(open_, close), max(open_, close, min(open_, close) + 1)
    pane.shapes.append(rectangle(x - half, top, x + half, bottom, color))
    if border != color:
        corners = ((x - half, top), (x + half, top), (x + half, bottom), (x - half, bottom), (x - half, top))
        pane.shapes.append(Stroke(corners, border, 1))


def _candles(pane: Pane, output: Output) -> None:
    names = ("open", "high", "low", "close")
    columns = [dict(_shifted(output, pane.axis, name)) for name in names]
    offset = _whole(output.settings.get("offset"), 0)
    color_of, wick_of, border_of = (
        _color_of(output, name, default, offset)
        for name, default in (("color", BLUE), ("wickcolor", 0), ("bordercolor", 0))
    )
    for index in columns[0]:
        prices, color = [column.get(index) for column in columns], color_of(index)
        if color is None or not all(map(_is_number, prices)):
            continue
        if output.function == "plotcandle":
            draw_candle(pane, index, prices, color, wick_of(index) or color, border_of(index) or color)  # type: ignore[arg-type]
            continue
        x, half = pane.axis.x(index), pane.axis.step * 0.35
        open_, high, low, close = (pane.scale.y(price) for price in prices)  # type: ignore[arg-type]
        pane.shapes += [
            Stroke(((x, high), (x, low)), color, 1),
            Stroke(((x - half, open_), (x, open_)), color, 1),
            Stroke(((x, close), (x + half, close)), color, 1),
        ]


# horizontal lines, backgrounds and fills


def _hline(pane: Pane, output: Output) -> None:
    settings = output.settings
    y, color = pane.scale.y(settings["price"]), settings.get("color", GRAY)
    if color is not None and math.isfinite(y):
        across = ((pane.axis.left, y), (pane.axis.right, y))
        pane.shapes.append(Stroke(across, color, settings.get("linewidth", 1), settings.get("linestyle", "dashed")))


def _background(pane: Pane, output: Output) -> None:
    axis, half = pane.axis, pane.axis.step / 2
    if "color" in output.columns:
        colors = _shifted(output, axis, "color")
    else:
        count, offset = len(pane.bars.time), _whole(output.settings.get("offset"), 0)
        begin = max(count - _whole(output.settings.get("show_last"), count), 0) + offset
        seen = range(max(axis.first, begin), min(axis.last + axis.ahead, count + offset))
        colors = [(index, output.settings.get("color")) for index in seen]
    runs: list[tuple[int, int, int]] = []
    for index, color in colors:
        if color is None:
            continue
        if runs and runs[-1][1:] == (index - 1, color):
            runs[-1] = (runs[-1][0], index, color)
        else:
            runs.append((index, index, color))
    for first, last, color in runs:
        left, right = axis.x(first) - half, axis.x(last) + half
        pane.shapes.append(rectangle(left, pane.scale.top, right, pane.scale.bottom, color))


def _fill(pane: Pane, output: Output, outputs: Sequence[Output]) -> None:
    settings = output.settings
    edges = [_edge(outputs, settings, names) for names in (("plot1", "hline1"), ("plot2", "hline2"))]
    if edges[0] is None or edges[1] is None:
        return
    offset = _fill_offset(settings, outputs)
    colors = _gradient(output) if _is_gradient(output) else None
    color_of = _color_of(output, "color", _fainter(BLUE), offset)
    before: tuple[float, float, float] | None = None
    runs: list[tuple[int, list[tuple[float, float, float]]]] = []
    count = len(pane.bars.time)
    begin = max(count - _whole(settings.get("show_last"), count), pane.axis.first - 1)
    for index in range(begin, pane.axis.last + pane.axis.ahead):
        upper, lower = edges[0](index), edges[1](index)
        if upper is None or lower is None:
            before = before if settings.get("fillgaps") else None
            continue
        here = pane.axis.x(index), pane.scale.y(upper), pane.scale.y(lower)
        if before is not None and colors is not None:
            pane.shapes += _bands(before, here, colors(index - offset), pane.scale)
        elif before is not None and (color := color_of(index)) is not None:
            if runs and runs[-1][0] == color and runs[-1][1][-1] == before:
                runs[-1][1].append(here)
            else:
                runs.append((color, [before, here]))
        before = here
    for color, places in runs:
        edge = [(x, upper) for x, upper, _ in places] + [(x, lower) for x, _, lower in reversed(places)]
        pane.shapes.append(Surface(tuple(edge), color))


def _fill_offset(settings: dict[str, Any], outputs: Sequence[Output]) -> int:
    """The number of bars by which the colours of a fill are moved: as far as both of its plots are."""
    numbers = [settings.get(name) for name in ("plot1", "plot2")]
    offsets = {_whole(outputs[number].settings.get("offset"), 0) for number in numbers if number is not None}
    return offsets.pop() if len(offsets) == 1 else 0


def _edge(
    outputs: Sequence[Output], settings: dict[str, Any], names: tuple[str, str]
) -> Callable[[int], float | None] | None:
    """A function that returns the value of one edge of a fill on a bar, or None."""
    number = next((settings[name] for name in names if settings.get(name) is not None), None)
    if number is None:
        return None
    other = outputs[number]
    if other.function == "hline":
        return lambda _: other.settings.get("price")
    values, begin, offset = _placed(other, "series")

    def at(index: int) -> float | None:
        value = values[index - offset] if begin <= index - offset < len(values) else None
        return value if _is_number(value) else None

    return at


def _is_gradient(output: Output) -> bool:
    return any(name in output.columns or name in output.settings for name in _GRADIENT)


Gradient = tuple[float, float, int | None, int | None]
_GRADIENT = ("top_value", "bottom_value", "top_color", "bottom_color")


def _gradient(output: Output) -> Callable[[int], Gradient]:
    def at(index: int) -> Gradient:
        found: list[Any] = []
        for name in _GRADIENT:
            column = output.columns.get(name)
            is_there = column is not None and 0 <= index < len(column)
            found.append(column[index] if column is not None and is_there else output.settings.get(name))
        return tuple(found)  # type: ignore[return-value]

    return at


def _bands(
    before: tuple[float, float, float], here: tuple[float, float, float], gradient: Gradient, scale: Scale
) -> list[Shape]:
    """One piece of a fill whose colour changes with the price, as bands of one colour each."""
    top_value, bottom_value, top_color, bottom_color = gradient
    if not _is_number(top_value) or not _is_number(bottom_value):
        return []
    high, low = scale.y(top_value), scale.y(bottom_value)
    found: list[Shape] = []
    for band in range(_BANDS):
        parts = (band / _BANDS, (band + 1) / _BANDS)
        heights = [first + (second - first) * part for first, second in (before[1:], here[1:]) for part in parts]
        middle = math.fsum(heights) / 4
        part = min(max((middle - high) / (low - high), 0), 1) if low != high else 0
        color = _between(top_color, bottom_color, part)
        if color is not None:
            end = here[0] - 0.5  # the next band begins here, so that no pixel is painted twice
            corners = ((before[0], heights[0]), (end, heights[2]), (end, heights[3]), (before[0], heights[1]))
            found.append(Surface(corners, color))
    return found


def _between(first: int | None, second: int | None, part: float) -> int | None:
    """A colour between two colours. na counts as the other colour, fully transparent."""
    if first is None and second is None:
        return None
    first = second & 0xFFFFFF00 if first is None and second is not None else first
    second = first & 0xFFFFFF00 if second is None and first is not None else second
    assert first is not None and second is not None
    found = 0
    for shift in (24, 16, 8, 0):
        one, other = first >> shift & 0xFF, second >> shift & 0xFF
        found |= round(one + (other - one) * part) << shift
    return found


_DRAWN: dict[str, Callable[[Pane, Output], None]] = {
    "plot": _plot,
    "plotshape": _shape,
    "plotchar": _shape,
    "plotarrow": _arrow,
    "plotbar": _candles,
    "plotcandle": _candles,
    "hline": _hline,
    "bgcolor": _background,
}
