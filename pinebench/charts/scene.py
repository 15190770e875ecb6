"""The parts of a picture: lines, surfaces and texts in pixels, in layers that are cut at their edges."""

from __future__ import annotations

from dataclasses import dataclass, field

Point = tuple[float, float]
Color = int
"""A colour as 0xRRGGBBAA."""

DASHES: dict[str, tuple[int, ...]] = {"dashed": (7, 5), "dotted": (2, 4)}


@dataclass(slots=True, frozen=True)
class Stroke:
    """A line through points; `style` is solid, dashed or dotted."""

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
class Look:
    """The style of a text."""

    bold: bool = False
    italic: bool = False
    monospace: bool = False


@dataclass(slots=True, frozen=True)
class Words:
    """A text of one or more lines. `x` is its left edge, middle or right edge, as `align` says; `y` is its middle."""

    x: float
    y: float
    text: str
    color: Color
    size: int = 12
    align: str = "left"
    tip: str = ""
    look: Look = Look()
    outline: Color | None = None


Shape = Stroke | Surface | Words


@dataclass(slots=True)
class Layer:
    """Shapes inside the rectangle `left`, `top`, `right`, `bottom`; they are cut at its edges."""

    left: float
    top: float
    right: float
    bottom: float
    shapes: list[Shape] = field(default_factory=list)


@dataclass(slots=True)
class Scene:
    """A whole picture; `title` is the title of its page."""

    width: int
    height: int
    background: Color
    title: str
    layers: list[Layer] = field(default_factory=list)


def rectangle(left: float, top: float, right: float, bottom: float, color: Color) -> Surface:
    """A filled rectangle."""
    return Surface(((left, top), (right, top), (right, bottom), (left, bottom)), color)


def text_width(text: str, size: int) -> float:
    """The approximate width of the longest line of a text, in pixels."""
    return max((len(line) for line in text.split("\n")), default=0) * size * 0.6


def wrapped(text: str, size: int, width: float) -> str:
    """Wrap a text so that no line is wider than `width` pixels. Words are not cut, so a long word can be wider."""
    found: list[str] = []
    for line in text.split("\n"):
        row = ""
        for word in line.split(" "):
            longer = f"{row} {word}" if row else word
            if row and text_width(longer, size) > width:
                found.append(row)
                longer = word
            row = longer
        found.append(row)
    return "\n".join(found)


def text_height(text: str, size: int) -> float:
    return (text.count("\n") + 1) * size * 1.3
