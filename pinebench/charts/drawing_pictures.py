"""Draws labels, lines, boxes, polylines, fills between lines, and tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pinebench.charts.marks import sign
from pinebench.charts.plots import Pane
from pinebench.charts.scene import (
    Layer,
    Point,
    SceneText,
    Shape,
    Stroke,
    Surface,
    TextStyle,
    rectangle,
    text_height,
    text_width,
    wrapped,
)
from pinebench.runtime import Drawing, Table

_TEXT_SIZES = {"tiny": 8, "small": 10, "normal": 14, "large": 20, "huge": 36}
"""The font sizes of boxes and tables in pixels, from the manual. An automatic size depends on the box."""
_LABEL_SIZES = {"tiny": 7, "small": 10, "normal": 12, "large": 18, "huge": 24}
"""The font sizes of labels in pixels, from the manual."""
_AUTO = 12
_LARGEST = 500
_LEAST_AUTO, _LARGEST_AUTO = 6, 18
_FAR = 1e5
_PIECE, _LEAST_PIECES, _MOST_PIECES = 4, 8, 64
"""The pixels of a straight piece of a curve, and the limits of the number of pieces between two points."""
_BODIES = {
    "label_down": (-0.5, -1, 0, -1),
    "label_up": (-0.5, 0, 0, 1),
    "label_left": (0, -0.5, 1, 0),
    "label_right": (-1, -0.5, -1, 0),
    "label_lower_left": (0, -1, 0, -1),
    "label_lower_right": (-1, -1, 0, -1),
    "label_upper_left": (0, 0, 0, 1),
    "label_upper_right": (-1, 0, 0, 1),
    "label_center": (-0.5, -0.5, 0, 0),
    "text_outline": (-0.5, -0.5, 0, 0),
    "none": (-0.5, -0.5, 0, 0),
}
"""The offset of a label's upper left corner from its position, for each style.

The first two numbers are widths and heights of the label, the last two are lengths of its pointer.
"""
_POINTER = 6
_HEAD, _HEAD_EACH = 9, 3
"""The length of the side of an arrow's head for lines of one pixel, and what each further pixel adds."""


def draw_drawings(pane: Pane, drawings: dict[str, Sequence[Drawing]]) -> None:
    """Draw all drawings except tables, which do not belong to a bar.

    The order follows the layers in TradingView's manual; later drawings are on top.
    """
    for drawing in drawings.get("linefill", ()):
        _between_lines(pane, drawing)
    for drawing in drawings.get("polyline", ()):
        _polyline(pane, drawing)
    for drawing in drawings.get("line", ()):
        _line(pane, drawing)
    for drawing in drawings.get("box", ()):
        _box(pane, drawing)
    for drawing in drawings.get("label", ()):
        _label(pane, drawing)


def _x(pane: Pane, value: float, xloc: str) -> float:
    return pane.axis.x(pane.axis.index_of(value) if xloc == "bar_time" else value)


def _ends(pane: Pane, line: Any) -> tuple[Point, Point] | None:
    """The two ends of a line, extended as its `extend` says."""
    values = (line.x1, line.y1, line.x2, line.y2)
    if any(value is None or not math.isfinite(value) for value in values):
        return None
    first = _x(pane, line.x1, line.xloc), pane.scale.y(line.y1)
    second = _x(pane, line.x2, line.xloc), pane.scale.y(line.y2)
    ends = [first, second]
    if line.extend in ("right", "both"):
        ends[1] = _beyond(first, second)
    if line.extend in ("left", "both"):
        ends[0] = _beyond(second, first)
    return ends[0], ends[1]


def _beyond(start: Point, through: Point) -> Point:
    across, down = through[0] - start[0], through[1] - start[1]
    by = 5000 / (math.hypot(across, down) or 1)
    return through[0] + across * by, through[1] + down * by


def _line(pane: Pane, line: Any) -> None:
    ends = _ends(pane, line)
    if ends is None or line.color is None:
        return
    width = max(line.width, 1)
    heads = [line.style in ("arrow_left", "arrow_both"), line.style in ("arrow_right", "arrow_both")]
    # A wide line ends inside of its head, so that the head has a point.
    first, second = (_toward(ends[at], ends[1 - at], width) if heads[at] else ends[at] for at in (0, 1))
    pane.shapes.append(Stroke((first, second), line.color, width, line.style))
    pane.shapes += [_head(ends[1 - at], ends[at], line.color, width) for at in (1, 0) if heads[at]]


def _head(start: Point, tip: Point, color: int, width: int) -> Surface:
    angle, long = math.atan2(tip[1] - start[1], tip[0] - start[0]), _HEAD + _HEAD_EACH * (width - 1)
    sides = [(tip[0] - long * math.cos(angle + turn), tip[1] - long * math.sin(angle + turn)) for turn in (0.45, -0.45)]
    return Surface((tip, *sides), color)


def _toward(place: Point, other: Point, by: float) -> Point:
    """A place moved toward another one by pixels, at most to the middle between them."""
    across, down = other[0] - place[0], other[1] - place[1]
    share = min(by / (math.hypot(across, down) or 1), 0.5)
    return place[0] + across * share, place[1] + down * share


def _between_lines(pane: Pane, fill: Any) -> None:
    first, second = _ends(pane, fill.line1), _ends(pane, fill.line2)
    if first is not None and second is not None and fill.color is not None:
        pane.shapes.append(Surface((*first, *reversed(second)), fill.color))


def _box(pane: Pane, box: Any) -> None:
    values = (box.left, box.top, box.right, box.bottom)
    if any(value is None or not math.isfinite(value) for value in values):
        return
    left, right = sorted((_x(pane, box.left, box.xloc), _x(pane, box.right, box.xloc)))
    top, bottom = sorted((pane.scale.y(box.top), pane.scale.y(box.bottom)))
    if box.extend in ("right", "both"):
        right = _FAR
    if box.extend in ("left", "both"):
        left = -_FAR
    if box.bgcolor is not None:
        pane.shapes.append(rectangle(left, top, right, bottom, box.bgcolor))
    if box.border_color is not None and box.border_width > 0:
        corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
        pane.shapes.append(Stroke(corners, box.border_color, box.border_width, box.border_style))
    if box.text and box.text_color is not None and right > pane.axis.left and left < pane.axis.right:
        shown = max(left, pane.axis.left), max(min(right, pane.axis.right), pane.axis.left + 1)
        text, size = _fitting(box, (right - left - 8, bottom - top - 4))
        area = (shown[0], top, shown[1], bottom)
        words = _inside(area, text, box.text_color, size, box.text_halign, box.text_valign)
        if box.text_wrap == "auto":
            words = _above(words, bottom)
        pane.shapes.append(replace(words, look=_look(box.text_formatting, box.text_font_family)))


def _above(words: SceneText, bottom: float) -> SceneText:
    """A text without the lines that begin below a height."""
    lines, step = words.text.split("\n"), text_height("", words.size)
    first = words.y - (len(lines) - 1) / 2 * step
    shown = [line for number, line in enumerate(lines) if first + number * step - words.size / 2 < bottom]
    return replace(words, text="\n".join(shown), y=first + (len(shown) - 1) / 2 * step)


def _fitting(box: Any, room: tuple[float, float]) -> tuple[str, int]:
    """The text of a box and its size in pixels.

    The text is wrapped at the sides of the box if its `text_wrap` says so. An automatic size is as large as the box
    allows, from 6 to 18.
    """
    wide, tall = room

    look = _look(box.text_formatting, box.text_font_family)

    def at(size: int) -> str:
        return wrapped(box.text, size, max(wide, 1), look) if box.text_wrap == "auto" else box.text

    if box.text_size not in ("auto", 0):
        size = _size(box.text_size)
        return at(size), size
    sizes = range(_LARGEST_AUTO, _LEAST_AUTO, -1)
    fits = (size for size in sizes if text_width(at(size), size, look) <= wide and text_height(at(size), size) <= tall)
    found = next(fits, _LEAST_AUTO)
    return at(found), found


def _size(size: Any, sizes: Mapping[str, int] = _TEXT_SIZES) -> int:
    if isinstance(size, str):
        return sizes.get(size, _AUTO)
    return int(min(size, _LARGEST)) if size and math.isfinite(size) and size >= 1 else _AUTO


def _look(formatting: Any, family: Any) -> TextStyle:
    """The style of a text; `formatting` has the bits of Pine's `text.format_bold` and `text.format_italic`."""
    bits = formatting if isinstance(formatting, int) else 0
    return TextStyle(bold=bool(bits & 1), italic=bool(bits & 2), monospace=family == "monospace")


def _inside(
    area: tuple[float, float, float, float], text: str, color: int, size: int, across: str, down: str, tip: str = ""
) -> SceneText:
    """A text in a rectangle, aligned to its sides or its middle."""
    left, top, right, bottom = area
    x = {"left": left + 4, "right": right - 4}.get(across, (left + right) / 2)
    half = text_height(text, size) / 2
    y = {"top": top + half + 2, "bottom": bottom - half - 2}.get(down, (top + bottom) / 2)
    return SceneText(x, y, text, color, size, across if across in ("left", "right") else "center", tip)


def _polyline(pane: Pane, drawing: Any) -> None:
    points = [
        (_x(pane, point.along(drawing.xloc), drawing.xloc), pane.scale.y(point.price))
        for point in drawing.points
        if math.isfinite(point.along(drawing.xloc)) and math.isfinite(point.price)
    ]
    if len(points) < 2:
        return
    if drawing.closed:
        points.append(points[0])
    if drawing.curved:
        points = _curve(points)
    if drawing.fill_color is not None:
        pane.shapes.append(Surface(tuple(points), drawing.fill_color))
    if drawing.line_color is not None:
        pane.shapes.append(Stroke(tuple(points), drawing.line_color, max(drawing.line_width, 1), drawing.line_style))


def _curve(points: list[Point]) -> list[Point]:
    """A smooth curve through all points, as straight pieces."""
    found = [points[0]]
    for number in range(len(points) - 1):
        around = [points[min(max(number + step, 0), len(points) - 1)] for step in (-1, 0, 1, 2)]
        pieces = min(max(math.ceil(math.dist(around[1], around[2]) / _PIECE), _LEAST_PIECES), _MOST_PIECES)
        found += (_on_curve(around, step / pieces) for step in range(1, pieces + 1))
    return found


def _on_curve(around: list[Point], at: float) -> Point:
    """The point of a Catmull-Rom curve between the second and the third of four points."""
    weights = (
        -0.5 * at + at**2 - 0.5 * at**3,
        1 - 2.5 * at**2 + 1.5 * at**3,
        0.5 * at + 2 * at**2 - 1.5 * at**3,
        -0.5 * at**2 + 0.5 * at**3,
    )
    x, y = (math.fsum(weight * point[axis] for weight, point in zip(weights, around, strict=True)) for axis in (0, 1))
    return x, y


# labels


def _label(pane: Pane, label: Any) -> None:
    if label.x is None or not math.isfinite(label.x):
        return
    x = _x(pane, label.x, label.xloc)
    y, style = _height(pane, label), label.style
    if y is None:
        return
    text, size = label.text or "", _size(label.size, _LABEL_SIZES)
    if style in _BODIES:
        pane.shapes += _balloon(label, (x, y), _body_size(label), size)
        return
    if label.color is not None:
        pane.shapes.append(sign(style.replace("_", ""), x, y, size * 0.7, label.color))
    if text and label.textcolor is not None:
        above = y - size * 1.2 - text_height(text, size) / 2
        look = _look(label.text_formatting, label.text_font_family)
        pane.shapes.append(SceneText(x, above, text, label.textcolor, size, "center", label.tooltip or "", look))


def _body_size(label: Any) -> tuple[float, float]:
    text, size = label.text or "", _size(label.size, _LABEL_SIZES)
    look = _look(label.text_formatting, label.text_font_family)
    return (text_width(text, size, look) if text else 8) + 12, text_height(text or " ", size) + 6


def reach(label: Any) -> float:
    """Return the space that a label needs to the right of its anchor point, in pixels."""
    if label.style not in _BODIES:
        return _size(label.size, _LABEL_SIZES) * 0.7
    body, (wide, _) = _BODIES[label.style], _body_size(label)
    return (1 + body[0]) * wide + body[2] * _POINTER


def _height(pane: Pane, label: Any) -> float | None:
    """The height of a label: at its price, or above or below its bar."""
    if label.yloc == "price":
        return pane.scale.y(label.y) if label.y is not None and math.isfinite(label.y) else None
    index = pane.axis.index_of(label.x) if label.xloc == "bar_time" else label.x
    place = min(max(int(index), 0), len(pane.bars.time) - 1)
    if label.yloc == "abovebar":
        return pane.scale.y(pane.bars.high[place]) - 6
    return pane.scale.y(pane.bars.low[place]) + 6


def _balloon(label: Any, place: Point, extent: tuple[float, float], size: int) -> Iterable[Shape]:
    """A rectangle with a text, and a pointer to its position if the style has one."""
    (x, y), (wide, tall), style = place, extent, label.style
    body = _BODIES[style]
    left, top = x + body[0] * wide + body[2] * _POINTER, y + body[1] * tall + body[3] * _POINTER
    found: list[Shape] = []
    if label.color is not None and style.startswith("label"):
        found.append(rectangle(left, top, left + wide, top + tall, label.color))
        if style != "label_center":
            found.append(Surface((place, *_foot(style, place, (left, top, left + wide, top + tall))), label.color))
    if label.text and label.textcolor is not None:
        area = (left, top, left + wide, top + tall)
        words = _inside(area, label.text, label.textcolor, size, label.textalign, "center", label.tooltip or "")
        look = _look(label.text_formatting, label.text_font_family)
        found.append(replace(words, look=look, outline=label.color if style == "text_outline" else None))
    return found


def _foot(style: str, place: Point, body: tuple[float, float, float, float]) -> tuple[Point, Point]:
    """The two points at which a pointer leaves the label: at the middle of a side, or at a corner."""
    (x, y), (left, top, right, bottom) = place, body
    if style in ("label_left", "label_right"):
        side = left if style == "label_left" else right
        return (side, y - 5), (side, y + 5)
    edge = bottom if style == "label_down" or "lower" in style else top
    begin = {"left": left, "right": right - 9}.get(style.rpartition("_")[2], x - 5)
    return (begin, edge), (begin + (10 if begin == x - 5 else 9), edge)


# tables


def draw_table(layer: Layer, table: Table) -> None:
    """Draw a table at its position in the pane. Columns and rows fit their contents."""
    columns, rows = _used(table)
    if not columns or not rows:
        return
    area = layer.right - layer.left, layer.bottom - layer.top
    widths = [_widest(table, column, area[0]) for column in columns]
    heights = [_highest(table, row, area[1]) for row in rows]
    whole = math.fsum(widths), math.fsum(heights)
    vertical, _, horizontal = str(table.position).partition("_")  # type: ignore[attr-defined]
    left = {"left": layer.left + 6, "right": layer.right - whole[0] - 6}.get(
        horizontal, (layer.left + layer.right - whole[0]) / 2
    )
    top = {"top": layer.top + 6, "bottom": layer.bottom - whole[1] - 6}.get(
        vertical, (layer.top + layer.bottom - whole[1]) / 2
    )
    frame: Any = table
    if frame.bgcolor is not None:
        layer.shapes.append(rectangle(left, top, left + whole[0], top + whole[1], frame.bgcolor))
    lefts, tops = _starts(left, widths), _starts(top, heights)
    for (column, row), cell in sorted(table.cells.items()):
        last = next((corners[2:] for corners in table.merged if corners[:2] == (column, row)), (column, row))
        hidden = any(
            corners[:2] != (column, row) and corners[0] <= column <= corners[2] and corners[1] <= row <= corners[3]
            for corners in table.merged
        )
        if hidden or column not in columns or row not in rows:
            continue
        end = columns.index(last[0]) if last[0] in columns else columns.index(column)
        foot = rows.index(last[1]) if last[1] in rows else rows.index(row)
        area_of = (lefts[columns.index(column)], tops[rows.index(row)], lefts[end + 1], tops[foot + 1])
        _cell(layer, area_of, cell, frame)
    if frame.frame_color is not None and frame.frame_width > 0:
        layer.shapes.append(_frame((left, top, left + whole[0], top + whole[1]), frame.frame_color, frame.frame_width))


def _used(table: Table) -> tuple[list[int], list[int]]:
    places = list(table.cells)
    return sorted({column for column, _ in places}), sorted({row for _, row in places})


def _starts(begin: float, extents: list[float]) -> list[float]:
    found = [begin]
    for extent in extents:
        found.append(found[-1] + extent)
    return found


def _widest(table: Table, column: int, area: float) -> float:
    merged = {corners[:2] for corners in table.merged if corners[2] > corners[0]}
    cells = [cell for place, cell in table.cells.items() if place[0] == column and place not in merged]
    texts = [_text_width(cell) + 12 for cell in cells]
    return max([12, *texts, *(_share(cell.get("width"), area) for cell in cells)])


def _text_width(cell: dict[str, Any]) -> float:
    look = _look(cell.get("text_formatting"), cell.get("text_font_family"))
    return text_width(cell.get("text") or "", _size(cell.get("text_size", "normal")), look)


def _highest(table: Table, row: int, area: float) -> float:
    cells = [cell for place, cell in table.cells.items() if place[1] == row]
    texts = [text_height(cell.get("text") or " ", _size(cell.get("text_size", "normal"))) + 6 for cell in cells]
    return max([10, *texts, *(_share(cell.get("height"), area) for cell in cells)])


def _share(percent: Any, area: float) -> float:
    """A width or height that is given in percent of the pane."""
    return area * percent / 100 if percent is not None and math.isfinite(percent) and percent > 0 else 0


def _cell(layer: Layer, area: tuple[float, float, float, float], cell: dict[str, Any], table: Any) -> None:
    if cell.get("bgcolor") is not None:
        layer.shapes.append(rectangle(*area, cell["bgcolor"]))
    if table.border_color is not None and table.border_width > 0:
        layer.shapes.append(_frame(area, table.border_color, table.border_width))
    color = cell.get("text_color")
    if cell.get("text") and color is not None:
        across, down = cell.get("text_halign", "center"), cell.get("text_valign", "center")
        size = _size(cell.get("text_size", "normal"))
        words = _inside(area, cell["text"], color, size, across, down, cell.get("tooltip") or "")
        look = _look(cell.get("text_formatting"), cell.get("text_font_family"))
        layer.shapes.append(replace(words, look=look))


def _frame(area: tuple[float, float, float, float], color: int, width: float) -> Stroke:
    left, top, right, bottom = area
    return Stroke(((left, top), (right, top), (right, bottom), (left, bottom), (left, top)), color, width)
