"""Renders a picture as a PNG. It is drawn at twice the size and then reduced, so that lines are smooth."""

from __future__ import annotations

import io
import math
from functools import lru_cache
from importlib import import_module
from itertools import pairwise
from typing import Any

from pinebench.charts.scene import DASHES, LINE, Layer, Point, Scene, SceneText, Shape, Stroke, Surface, TextStyle
from pinebench.extras import missing

_SCALE = 2
_MOST_PIXELS = 4096 * 2304
"""A picture with more pixels is drawn in its own size, because of the memory that a larger one needs."""
_THIN = 2
"""Lines up to this width, in pixels of the large picture, are drawn as lines of one pixel side by side."""
_COMPRESSION = 3
"""The level of compression. A higher one makes a file a tenth smaller, and takes nearly twice as long."""
_FONTS = ("DejaVuSans.ttf", "NotoSans-Regular.ttf", "Arial Unicode.ttf", "Arial.ttf", "arial.ttf")


def require_pillow() -> None:
    """Raise UnavailableError if Pillow, which the extra `run` installs, is missing."""
    try:
        import_module("PIL")
    except ImportError:
        raise missing("a PNG picture", "run") from None


def scene_as_png(scene: Scene) -> bytes:
    """Return the picture as a PNG file. Raises UnavailableError without Pillow, which the extra `run` installs."""
    require_pillow()
    from PIL import Image

    scale = _SCALE if scene.width * scene.height <= _MOST_PIXELS else 1
    whole = Image.new("RGB", (scene.width * scale, scene.height * scale), _color(scene.background)[:3])
    for layer in scene.layers:
        _paste(whole, layer, scale)
    small = whole if scale == 1 else whole.reduce(scale)
    file = io.BytesIO()
    small.save(file, "PNG", compress_level=_COMPRESSION)
    return file.getvalue()


def _paste(whole: Any, layer: Layer, scale: int) -> None:
    """Draw a layer on its part of the picture. Shapes are cut at the edges of the layer."""
    from PIL import ImageDraw

    edges = [round(value * scale) for value in (layer.left, layer.top, layer.right, layer.bottom)]
    if edges[2] <= edges[0] or edges[3] <= edges[1]:
        return
    part = whole.crop(tuple(edges))
    draw = ImageDraw.Draw(part, "RGBA")
    for shape in layer.shapes:
        _draw(draw, shape, (layer.left, layer.top), scale)
    whole.paste(part, (edges[0], edges[1]))


def _draw(draw: Any, shape: Shape, corner: Point, scale: int) -> None:
    left, top = corner
    if isinstance(shape, SceneText):
        _write(draw, shape, corner, scale)
        return
    points = [_placed(x - left, y - top, scale) for x, y in shape.points]
    if isinstance(shape, Surface):
        _cover(draw, points, shape.color)
        return
    width = max(round(shape.width * scale), 1)
    is_clear = shape.color & 0xFF < 0xFF
    for piece in _pieces(points, shape, scale):
        line = _behind(piece) if is_clear else piece
        if width <= _THIN:
            _draw_thin(draw, line, shape.color, width)
        else:
            draw.line(line, fill=_color(shape.color), width=width, joint="curve")


def _draw_thin(draw: Any, points: list[Point], color: int, width: int) -> None:
    """Draw a thin line at its full width in every direction. Pillow makes flat lines of 2 pixels half as wide.

    A line of `width` pixels is some pixels tall in each column if it is flat, or wide in each row if it is steep. So it
    is as many lines of one pixel side by side, and a fainter one for the rest.
    """
    for (is_flat, fourths), part in _directions(points, width):
        whole, rest = divmod(fourths, 4)
        x, y = (0, fourths / 8) if is_flat else (fourths / 8, 0)
        begins = [(round(px - x), round(py - y)) for px, py in part]
        for number in range(whole + (rest > 0)):
            dx, dy = (0, number) if is_flat else (number, 0)
            ink = color if number < whole else color & 0xFFFFFF00 | (color & 0xFF) * rest // 4
            draw.line([(px + dx, py + dy) for px, py in begins], fill=_color(ink), width=1)


def _directions(points: list[Point], width: int) -> list[tuple[tuple[bool, int], list[Point]]]:
    """The parts of a line with the same direction: whether it is flat, and its pixels across the axis in fourths."""
    found: list[tuple[tuple[bool, int], list[Point]]] = []
    for (x1, y1), (x2, y2) in pairwise(points):
        along = max(abs(x2 - x1), abs(y2 - y1))
        if not along:
            continue
        direction = abs(x2 - x1) >= abs(y2 - y1), round(4 * width * math.hypot(x2 - x1, y2 - y1) / along)
        if found and found[-1][0] == direction:
            found[-1][1].append((x2, y2))
        else:
            found.append((direction, [(x1, y1), (x2, y2)]))
    return found


def _behind(line: list[Point]) -> list[Point]:
    """The line without its first pixel, which is the last one of the line before it: both would be seen there."""
    if len(line) < 2:
        return line
    (x, y), (to_x, to_y) = line[:2]
    far = math.hypot(to_x - x, to_y - y)
    return line if far <= 2 else [(x + (to_x - x) / far, y + (to_y - y) / far), *line[1:]]


def _cover(draw: Any, points: list[Point], color: int) -> None:
    """Draw a surface. A rectangle ends one pixel earlier, so that the next one can begin there."""
    if (
        len(points) == 4
        and points[0][1] == points[1][1]
        and points[0][0] == points[3][0]
        and points[2][1] == points[3][1]
    ):
        (left, top), (right, bottom) = points[0], points[2]
        left, right, top, bottom = round(left), round(right) - 1, round(min(top, bottom)), round(max(top, bottom)) - 1
        if points[1][0] == points[2][0] and right >= left:
            draw.rectangle((left, top, right, max(bottom, top)), fill=_color(color))
            return
    draw.polygon(points, fill=_color(color))


def _placed(x: float, y: float, scale: int) -> Point:
    """Convert a point to pixels of the large picture. A point far outside is moved to where it can be drawn."""
    return max(-1e5, min(x * scale, 1e5)), max(-1e5, min(y * scale, 1e5))


def _pieces(points: list[Point], stroke: Stroke, scale: int) -> list[list[Point]]:
    """The pieces of a line: the whole line, or its dashes."""
    dashes = DASHES.get(stroke.style)
    if dashes is None:
        return [points]
    on, off = (length * scale * max(stroke.width, 1) for length in dashes)
    found: list[list[Point]] = []
    passed = 0.0  # since the beginning of a dash, so that dashes go on around corners
    for (x1, y1), (x2, y2) in pairwise(points):
        length = math.hypot(x2 - x1, y2 - y1)
        count = min(int((length + passed) / (on + off)) + 1, 5000) if length else 0
        for number in range(count):
            begin = number * (on + off) - passed
            ends = max(begin, 0) / length, min(begin + on, length) / length
            if ends[1] > ends[0]:
                found.append([(x1 + (x2 - x1) * at, y1 + (y2 - y1) * at) for at in ends])
        passed = (passed + length) % (on + off)
    return found


def _write(draw: Any, words: SceneText, corner: Point, scale: int) -> None:
    left, top = corner
    anchor = {"left": "lm", "center": "mm", "right": "rm"}[words.align]
    lines = words.text.split("\n")
    first = words.y - (len(lines) - 1) * words.size * LINE / 2
    font = _font(words.size * scale, words.look)
    outline: dict[str, Any] = {}
    if words.outline is not None:
        outline = {"stroke_width": max(2, words.size // 5), "stroke_fill": _color(words.outline)}
    for number, line in enumerate(lines):
        place = _placed(words.x - left, first + number * words.size * LINE - top, scale)
        text = "".join(character for character in line if character.isprintable())
        draw.text(place, text, fill=_color(words.color), font=font, anchor=anchor, **outline)


@lru_cache(32)
def _font(size: int, look: TextStyle) -> Any:
    from PIL import ImageFont

    for name in (*_own_fonts(look), *_FONTS):
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)


def _own_fonts(look: TextStyle) -> list[str]:
    """The names of font files with this style, the best one first; the others have a similar style."""
    family = "DejaVuSansMono" if look.monospace else "DejaVuSans"
    weight = "Bold" if look.bold else ""
    slant = "Oblique" if look.italic else ""
    styles = dict.fromkeys((weight + slant, weight, slant, ""))
    return [f"{family}-{style}.ttf" if style else f"{family}.ttf" for style in styles]


def _color(color: int) -> tuple[int, int, int, int]:
    return color >> 24 & 0xFF, color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF
