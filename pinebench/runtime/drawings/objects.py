"""The classes of drawings, one for each kind, with the properties of Pine's reference."""

from __future__ import annotations

from typing import Any, ClassVar

from pinebench.runtime.faults import RuntimeFault

NA = float("nan")
FARTHEST_AHEAD = 500
FARTHEST_BACK = 10_000


class ChartPoint:
    """A point on the chart: time, bar index and price."""

    __slots__ = ("index", "price", "time")

    def __init__(self, time: float, index: float, price: float) -> None:
        self.time = time
        self.index = index
        self.price = price

    def along(self, xloc: str) -> float:
        """Return the point's position on the time axis: a bar index, or a time in milliseconds UTC, depending on
        `xloc`."""
        return self.time if xloc == "bar_time" else self.index


def not_negative(argument: str, value: float, function: str) -> None:
    """Raise RE10001 if `value`, an argument of `function`, is below 0."""
    if value < 0:
        raise RuntimeFault("RE10001", argName=argument, value=value, funName=function, op=">=")


def reachable(x: float, bar: float, argument: str, function: str) -> None:
    """Raise RE10020 or RE10026 if the bar `x` is too far from the current bar. `function` is the name of a method of
    `Drawings`."""
    if x > bar + FARTHEST_AHEAD:
        raise RuntimeFault("RE10020", maxOffsetInFutureForDrawings=FARTHEST_AHEAD)
    if x < bar - FARTHEST_BACK:
        raise RuntimeFault("RE10026", arg=argument, n=x, fn=function.replace("_", ".", 1))


class Drawing:
    """One drawing. `deleted` is true if the script or a limit deleted it."""

    __slots__ = ("deleted",)
    kind: ClassVar[str] = ""
    properties: ClassVar[tuple[str, ...]] = ()

    def __init__(self, **values: Any) -> None:
        """Set the given properties; the others are None. Each kind has a faster generated version."""

    def __init_subclass__(cls) -> None:
        if "properties" in cls.__dict__ and "__init__" not in cls.__dict__:
            cls.__init__ = constructor(cls.properties)  # type: ignore[method-assign]

    def state(self) -> dict[str, Any]:
        """Return the current properties."""
        return {name: getattr(self, name) for name in self.properties}

    def save(self) -> tuple[Any, ...]:
        return (self.deleted, *(getattr(self, name) for name in self.properties))

    def restore(self, saved: tuple[Any, ...]) -> None:
        self.deleted = saved[0]
        for name, value in zip(self.properties, saved[1:], strict=True):
            setattr(self, name, value)


def constructor(properties: tuple[str, ...]) -> Any:
    """Make the constructor of a kind of drawing with these properties. It is generated, because a run can make
    thousands of drawings."""
    given = ", ".join(f"{name}=None" for name in properties)
    lines = [f"def __init__(self, *, {given}, **_):", " self.deleted = False"]
    lines += [f" self.{name} = {name}" for name in properties]
    namespace: dict[str, Any] = {}
    exec("\n".join(lines), {"__builtins__": {}}, namespace)
    return namespace["__init__"]


def alive(drawing: Drawing | None) -> Drawing | None:
    """Return the drawing if it exists and is not deleted, else None (na)."""
    return None if drawing is None or drawing.deleted else drawing


class Line(Drawing):
    properties = ("x1", "y1", "x2", "y2", "xloc", "extend", "color", "style", "width", "force_overlay")
    __slots__ = properties
    kind = "line"
    x1: float
    y1: float
    x2: float
    y2: float
    xloc: str

    @property
    def is_timed(self) -> bool:
        """Whether the line is placed by time."""
        return self.xloc == "bar_time"

    def price(self, x: float) -> float:
        """Return the price of the line at bar `x`, which may be beyond its ends. Raises RE10119 for a line that is
        placed by time."""
        if self.is_timed:
            raise RuntimeFault("RE10119")
        if self.x1 == self.x2:
            return self.y1 if x == self.x1 else NA
        return self.y1 + (self.y2 - self.y1) * (x - self.x1) / (self.x2 - self.x1)


class Label(Drawing):
    properties = (
        "x",
        "y",
        "text",
        "xloc",
        "yloc",
        "color",
        "style",
        "textcolor",
        "size",
        "textalign",
        "tooltip",
        "text_font_family",
        "force_overlay",
        "text_formatting",
    )
    __slots__ = properties
    kind = "label"


class Box(Drawing):
    properties = (
        "left",
        "top",
        "right",
        "bottom",
        "border_color",
        "border_width",
        "border_style",
        "extend",
        "xloc",
        "bgcolor",
        "text",
        "text_size",
        "text_color",
        "text_halign",
        "text_valign",
        "text_wrap",
        "text_font_family",
        "force_overlay",
        "text_formatting",
    )
    __slots__ = properties
    kind = "box"


class Polyline(Drawing):
    properties = (
        "points",
        "curved",
        "closed",
        "xloc",
        "line_color",
        "fill_color",
        "line_style",
        "line_width",
        "force_overlay",
    )
    __slots__ = properties
    kind = "polyline"


class Linefill(Drawing):
    properties = ("line1", "line2", "color")
    __slots__ = properties
    kind = "linefill"
    line1: Line | None
    line2: Line | None
