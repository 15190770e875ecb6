"""The parts of a picture: lines, surfaces and texts with pixel positions, in layers that are clipped at their edges."""

from __future__ import annotations

from dataclasses import dataclass, field
from unicodedata import east_asian_width

Point = tuple[float, float]
LINE = 1.25
"""The distance between lines of text, as a multiple of the font size."""
Color = int
"""A colour as 0xRRGGBBAA."""

DASHES: dict[str, tuple[int, int]] = {"dashed": (5, 4), "dotted": (1, 3)}
"""The lengths of dashes and of the gaps between them, in widths of the line."""


@dataclass(slots=True, frozen=True)
class Stroke:
    """A line through points. `style` is solid, dashed or dotted."""

    points: tuple[Point, ...]
    color: Color
    width: float = 1
    style: str = "solid"


@dataclass(slots=True, frozen=True)
class Surface:
    """A filled polygon."""

    points: tuple[Point, ...]
    color: Color


@dataclass(slots=True, frozen=True)
class TextStyle:
    """The font style of a text."""

    bold: bool = False
    italic: bool = False
    monospace: bool = False


@dataclass(slots=True, frozen=True)
class SceneText:
    """A text of one or more lines. `x` is the position of its left edge, middle or right edge, depending on `align`.
    `y` is the position of its middle."""

    x: float
    y: float
    text: str
    color: Color
    size: int = 12
    align: str = "left"
    tip: str = ""
    look: TextStyle = TextStyle()
    outline: Color | None = None


Shape = Stroke | Surface | SceneText


@dataclass(slots=True)
class Layer:
    """Shapes inside the rectangle `left`, `top`, `right`, `bottom`. They are clipped at its edges."""

    left: float
    top: float
    right: float
    bottom: float
    shapes: list[Shape] = field(default_factory=list)


@dataclass(slots=True)
class Scene:
    """A complete picture. `title` is the title of its page."""

    width: int
    height: int
    background: Color
    title: str
    layers: list[Layer] = field(default_factory=list)


def rectangle(left: float, top: float, right: float, bottom: float, color: Color) -> Surface:
    """Return a filled rectangle. Its edges are in pixels."""
    return Surface(((left, top), (right, top), (right, bottom), (left, bottom)), color)


_ADVANCES = (
    "32 40 46 84 64 95 78 27 39 39 50 84 32 36 32 34 64 64 64 64 64 64 64 64 64 64 34 34 84 84 84 53 100 68 69 70 77 "
    "63 58 77 75 29 29 66 56 86 75 79 60 79 69 63 61 73 68 99 69 61 69 39 34 39 84 50 50 61 63 55 63 62 35 63 63 28 28 "
    "58 28 97 63 61 63 63 41 52 39 63 59 82 59 59 52 64 34 64 84"
)
_WIDTHS = {chr(32 + number): int(width) for number, width in enumerate(_ADVANCES.split())}
"""The widths of the printable characters of ASCII in DejaVu Sans, in hundredths of the font size."""
_MONOSPACE, _BOLD = 60, 1.13


def text_width(text: str, size: int, look: TextStyle = TextStyle()) -> float:
    """Return an estimate of the longest line's width, in pixels. Real fonts can be slightly wider or narrower."""
    width = max(sum(map(_monospace_width if look.monospace else _width, line)) for line in text.split("\n"))
    return width * size / 100 * (_BOLD if look.bold and not look.monospace else 1)


def _width(character: str) -> int:
    return _WIDTHS.get(character) or (100 if east_asian_width(character) in "WF" else 64)


def _monospace_width(character: str) -> int:
    return _MONOSPACE * (2 if east_asian_width(character) in "WF" else 1)


def wrapped(text: str, size: int, width: float, look: TextStyle = TextStyle()) -> str:
    """Wrap a text so that its lines are at most `width` pixels wide. Long words are not split and can be wider."""
    found: list[str] = []
    for line in text.split("\n"):
        row = ""
        for word in line.split(" "):
            longer = f"{row} {word}" if row else word
            if row and text_width(longer, size, look) > width:
                found.append(row)
                longer = word
            row = longer
        found.append(row)
    return "\n".join(found)


def text_height(text: str, size: int) -> float:
    """Return the height of all lines of a text, in pixels. `size` is the font size in pixels."""
    return (text.count("\n") + 1) * size * LINE
