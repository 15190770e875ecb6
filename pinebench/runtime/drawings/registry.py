"""The drawings of one run, and the functions of Pine that make and change them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from operator import attrgetter
from typing import Any, Protocol

from pinebench.runtime.drawings.objects import (
    Box,
    ChartPoint,
    Drawing,
    Label,
    Line,
    Linefill,
    Polyline,
    alive,
    not_negative,
    reachable,
)
from pinebench.runtime.drawings.tables import Table
from pinebench.runtime.library.collections import Array
from pinebench.runtime.values import whole

NA = float("nan")
NO_LIMIT = float("inf")
_CLASSES: dict[str, type[Drawing]] = {made.kind: made for made in (Line, Label, Box, Polyline, Linefill, Table)}


SURPLUS = 5
"""The number of drawings above its limit that a kind can have before the oldest are deleted (recorded probes)."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest number of drawings of each kind; if there are more, the oldest are deleted. The number of fills and
    tables is not limited."""

    line: int = 50
    label: int = 50
    box: int = 50
    polyline: int = 50


class LivingDrawings:
    """The drawings of a kind that were not deleted, oldest first. In machine code, the list can also contain deleted
    drawings."""

    __slots__ = ("drawings", "end", "is_held")

    def __init__(self, drawings: list[Any], is_held: Callable[[Any], bool], end: Callable[[Any], bool]) -> None:
        """Take the drawings of a kind. `is_held` returns whether a variable holds a drawing. `end` deletes one, and
        returns whether it existed."""
        self.drawings = drawings
        self.is_held = is_held
        self.end = end

    def trim(self, count: float, limit: float) -> None:
        """Delete the oldest of `count` drawings until `limit` remain. The newest drawing, and drawings that a variable
        holds, are not deleted."""
        drawings = self.drawings
        k, stay, newest = 0, 0, len(drawings) - 1
        while count > limit and k < newest:
            drawing = drawings[k]
            if self.is_held(drawing):
                drawings[stay] = drawing
                stay += 1
            elif self.end(drawing):
                count -= 1
            k += 1
        del drawings[stay:k]


class DrawingRun(Protocol):
    """The run that makes drawings: the index of its bar, and the values that drawings need from it."""

    index: int

    def column(self, name: str) -> list[Any]: ...

    def held(self, kind: str) -> Iterable[Any]: ...


class Drawings:
    """Pine's functions for drawings, tables and chart points as methods, such as `line_new` for `line.new`.

    A method has the function's name with underscores for dots. Its arguments have the same names as in the reference. A
    call on na or on a deleted drawing changes nothing, and its result is na.

    `add`, `delete`, `move` and `setter` make and change all drawings. A class that watches drawings overrides them.
    """

    def __init__(self, running: DrawingRun, limits: Limits) -> None:
        self.running = running
        self.limits = limits
        self._most: dict[str, float] = dict.fromkeys(_CLASSES, NO_LIMIT)
        self._most.update({kind: limit + SURPLUS for kind, limit in asdict(limits).items()})
        self.alive: dict[str, list[Drawing]] = {kind: [] for kind in _CLASSES}
        self.changed: set[Any] | None = None
        """A set for the drawings that change; None in a run without a recorder."""

    def all(self, kind: str) -> Array:
        """Return the drawings of a kind, oldest first."""
        return Array(list(self.alive[kind]))

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Make the setter or getter of a single property when it is first used."""
        kind, _, rest = name.partition("_")
        verb, _, prop = rest.partition("_")
        if kind == "table" and rest.startswith("cell_set_"):
            made = _cell_setter(rest.removeprefix("cell_set_"))
        elif kind in _CLASSES and verb in ("set", "get") and prop in _CLASSES[kind].properties:
            made = self.setter(kind, name, prop) if verb == "set" else _getter(prop)
        else:
            raise AttributeError(name)
        setattr(self, name, made)
        return made

    def setter(self, kind: str, name: str, prop: str) -> Callable[..., None]:
        """Make a function that sets the property `prop` of a kind of drawing. `name` is the function's name for
        messages."""
        changed = self.changed
        if prop not in _ACROSS[kind]:
            return _setter_at_rest(prop, changed)

        def change(*, id: Drawing | None = None, table_id: Drawing | None = None, **values: Any) -> None:
            [value] = values.values()
            drawing = id or table_id
            if drawing is None or drawing.deleted:
                return
            self._reachable(name, [(prop, value)], getattr(drawing, "xloc", ""))
            setattr(drawing, prop, whole(value))
            if changed is not None:
                changed.add(drawing)

        return change

    # creating and deleting

    def add(self, drawing: Drawing) -> Drawing:
        """Add a new drawing to the chart, and delete the oldest ones if there are too many."""
        drawings = self.alive[drawing.kind]
        drawings.append(drawing)
        if len(drawings) > self._most[drawing.kind]:
            held = {*self.running.held(drawing.kind)}
            living = LivingDrawings(drawings, held.__contains__, self._end)
            living.trim(len(drawings), getattr(self.limits, drawing.kind))
        return drawing

    def delete(self, drawing: Drawing | None) -> None:
        """Delete a drawing, and the fills of a line. Do nothing for na and for a deleted drawing. A line that is
        deleted because there are too many keeps its fills (recorded)."""
        if drawing is None or drawing.deleted:
            return
        self._end(drawing)
        if isinstance(drawing, Line):
            fills: list[Any] = self.alive["linefill"]
            for fill in [each for each in fills if drawing in (each.line1, each.line2)]:
                self.delete(fill)
        drawings = self.alive[drawing.kind]
        for number, other in enumerate(drawings):
            if other is drawing:
                del drawings[number]
                return

    def _end(self, drawing: Drawing) -> bool:
        drawing.deleted = True
        if self.changed is not None:
            self.changed.add(drawing)
        return True

    def _tell(self, drawing: Drawing) -> None:
        if self.changed is not None:
            self.changed.add(drawing)

    def line_delete(self, *, id: Drawing | None) -> None:
        self.delete(id)

    label_delete = box_delete = polyline_delete = linefill_delete = line_delete

    def table_delete(self, *, table_id: Drawing | None) -> None:
        self.delete(table_id)

    def line_copy(self, *, id: Drawing | None) -> Drawing | None:
        return None if id is None or id.deleted else self.add(type(id)(**id.state()))

    label_copy = box_copy = line_copy

    def _reachable(self, function: str, places: list[tuple[str, float]], xloc: str) -> None:
        """Raise RE10020 or RE10026 for bars that are too far from the running one."""
        if xloc == "bar_time":
            return
        current = self.running.index
        for argument, x in places:
            if x is not None:
                reachable(x, current, argument, function)

    # lines

    def line_new(
        self, *, first_point: ChartPoint | None = None, second_point: ChartPoint | None = None, **values: Any
    ) -> Drawing:
        xloc = values["xloc"]
        if "x1" not in values:
            values["x1"], values["y1"] = _coordinates(first_point, xloc)
            values["x2"], values["y2"] = _coordinates(second_point, xloc)
        values["x1"], values["x2"] = whole(values["x1"]), whole(values["x2"])
        self._reachable("line_new", [("x1", values["x1"]), ("x2", values["x2"])], xloc)
        return self.add(Line(**values))

    def line_set_xy1(self, *, id: Line | None, x: float, y: float) -> None:
        self.move("line_set_xy1", id, x1=x, y1=y)

    def line_set_xy2(self, *, id: Line | None, x: float, y: float) -> None:
        self.move("line_set_xy2", id, x2=x, y2=y)

    def line_set_first_point(self, *, id: Line | None, point: ChartPoint | None) -> None:
        if id is not None:
            x, y = _coordinates(point, id.xloc)
            self.move("line_set_first_point", id, x1=x, y1=y)

    def line_set_second_point(self, *, id: Line | None, point: ChartPoint | None) -> None:
        if id is not None:
            x, y = _coordinates(point, id.xloc)
            self.move("line_set_second_point", id, x2=x, y2=y)

    def line_set_xloc(self, *, id: Line | None, x1: float, x2: float, xloc: str) -> None:
        self._relocate(id, xloc=xloc, x1=x1, x2=x2)

    def line_get_price(self, *, id: Line | None, x: float) -> float:
        return NA if id is None or id.deleted else id.price(x)

    def move(self, function: str, drawing: Drawing | None, **values: float) -> None:
        """Set coordinates of a drawing. `function` is the name of the Pine function in messages."""
        if drawing is None or drawing.deleted:
            return
        across = [(name, value) for name, value in values.items() if name in _ACROSS[drawing.kind]]
        self._reachable(function, across, getattr(drawing, "xloc", ""))
        for name, value in values.items():
            setattr(drawing, name, whole(value) if name in _ACROSS[drawing.kind] else value)
        self._tell(drawing)

    def _relocate(self, drawing: Drawing | None, **values: Any) -> None:
        if drawing is not None and not drawing.deleted:
            drawing.xloc = values.pop("xloc")  # type: ignore[attr-defined]
            self._tell(drawing)
            self.move(f"{drawing.kind}_set_xloc", drawing, **values)

    # labels

    def label_new(self, *, point: ChartPoint | None = None, **values: Any) -> Drawing:
        if "x" not in values:
            values["x"], values["y"] = _coordinates(point, values["xloc"])
        x = values["x"] = whole(values["x"])
        self._reachable("label_new", [("x", x)], values["xloc"])
        return self.add(Label(**values))

    def label_set_xy(self, *, id: Label | None, x: float, y: float) -> None:
        self.move("label_set_xy", id, x=x, y=y)

    def label_set_point(self, *, id: Any, point: ChartPoint | None) -> None:
        if id is not None:
            x, y = _coordinates(point, id.xloc)
            self.move("label_set_point", id, x=x, y=y)

    def label_set_xloc(self, *, id: Label | None, x: float, xloc: str) -> None:
        self._relocate(id, xloc=xloc, x=x)

    def label_set_size(self, *, id: Any, size: Any) -> None:
        """Set the size of a label. Raises RE10001 for a negative size."""
        if isinstance(size, int | float):
            not_negative("size", size, "label.set_size")
        if id is not None and not id.deleted:
            id.size = size
            self._tell(id)

    # boxes

    def box_new(
        self, *, top_left: ChartPoint | None = None, bottom_right: ChartPoint | None = None, **values: Any
    ) -> Drawing:
        xloc = values["xloc"]
        if "left" not in values:
            values["left"], values["top"] = _coordinates(top_left, xloc)
            values["right"], values["bottom"] = _coordinates(bottom_right, xloc)
        values["left"], values["right"] = whole(values["left"]), whole(values["right"])
        self._reachable("box_new", [("left", values["left"]), ("right", values["right"])], xloc)
        return self.add(Box(**values))

    def box_set_lefttop(self, *, id: Box | None, left: float, top: float) -> None:
        self.move("box_set_lefttop", id, left=left, top=top)

    def box_set_rightbottom(self, *, id: Box | None, right: float, bottom: float) -> None:
        self.move("box_set_rightbottom", id, right=right, bottom=bottom)

    def box_set_top_left_point(self, *, id: Any, point: ChartPoint | None) -> None:
        if id is not None:
            x, y = _coordinates(point, id.xloc)
            self.move("box_set_top_left_point", id, left=x, top=y)

    def box_set_bottom_right_point(self, *, id: Any, point: ChartPoint | None) -> None:
        if id is not None:
            x, y = _coordinates(point, id.xloc)
            self.move("box_set_bottom_right_point", id, right=x, bottom=y)

    def box_set_xloc(self, *, id: Box | None, left: float, right: float, xloc: str) -> None:
        self._relocate(id, xloc=xloc, left=left, right=right)

    # fills and polylines

    def linefill_new(self, *, line1: Line | None, line2: Line | None, color: int | None) -> Drawing | None:
        """Fill the space between two lines. A second fill between the same lines replaces the first."""
        if alive(line1) is None or alive(line2) is None:
            return None
        fills: list[Any] = self.alive["linefill"]
        same = [
            other
            for other in fills
            if (other.line1 is line1 and other.line2 is line2) or (other.line1 is line2 and other.line2 is line1)
        ]
        for other in same:
            self.delete(other)
        return self.add(Linefill(line1=line1, line2=line2, color=color))

    def polyline_new(self, *, points: Array | None, **values: Any) -> Drawing:
        """Connect points. `polyline.new(na)`, a common first value in published scripts, makes a polyline without
        points and does not raise an error."""
        given = points.items if points is not None else ()
        copied = [ChartPoint(point.time, point.index, point.price) for point in given if point is not None]
        return self.add(Polyline(points=copied, **values))

    # tables

    def table_new(self, **values: Any) -> Drawing:
        for name in ("columns", "rows"):
            not_negative(name, values[name], "table.new")
        for other in list(self.alive["table"]):
            if other.position == values["position"]:  # type: ignore[attr-defined]
                self.delete(other)
        return self.add(Table(**values))

    def table_cell(self, *, table_id: Table | None, column: float, row: float, **values: Any) -> None:
        if table_id is not None and not table_id.deleted:
            table_id.set_cell(column, row, values)

    def table_merge_cells(self, *, table_id: Table | None, **corners: float) -> None:
        if table_id is not None and not table_id.deleted:
            table_id.merge(**corners)

    def table_clear(self, *, table_id: Table | None, **corners: float) -> None:
        if table_id is not None and not table_id.deleted:
            table_id.clear(**corners)

    # points

    def chart_point_new(self, *, time: float, index: float, price: float) -> ChartPoint:
        return ChartPoint(whole(time), whole(index), price)

    def chart_point_from_index(self, *, index: float, price: float) -> ChartPoint:
        return ChartPoint(NA, whole(index), price)

    def chart_point_from_time(self, *, time: float, price: float) -> ChartPoint:
        return ChartPoint(whole(time), NA, price)

    def chart_point_now(self, *, price: float) -> ChartPoint:
        index = self.running.index
        return ChartPoint(self.running.column("time")[index], index, price)

    def chart_point_copy(self, *, id: ChartPoint | None) -> ChartPoint | None:
        return None if id is None else ChartPoint(id.time, id.index, id.price)

    # restoring earlier states

    def save(self) -> list[tuple[str, list[tuple[Drawing, tuple[Any, ...]]]]]:
        """Return all drawings with their properties, for `restore`."""
        return [(kind, [(each, each.save()) for each in drawings]) for kind, drawings in self.alive.items()]

    def restore(self, saved: list[tuple[str, list[tuple[Drawing, tuple[Any, ...]]]]]) -> None:
        """Restore the drawings that `save` returned: new drawings are deleted, and deleted ones exist again."""
        for kind, drawings in saved:
            kept = {id(each) for each, _ in drawings}
            for drawing in self.alive[kind]:
                if id(drawing) not in kept:
                    drawing.deleted = True
            self.alive[kind] = [each for each, _ in drawings]
            for drawing, state in drawings:
                drawing.restore(state)


def _coordinates(point: ChartPoint | None, xloc: str) -> tuple[float, float]:
    return (NA, NA) if point is None else (point.along(xloc), point.price)


def _cell_setter(prop: str) -> Callable[..., None]:
    def change(*, table_id: Table | None, column: float, row: float, **values: Any) -> None:
        if table_id is not None and not table_id.deleted:
            table_id.change_cell(column, row, prop, *values.values())

    return change


def _setter_at_rest(prop: str, changed: set[Any] | None) -> Callable[..., None]:
    """Make a function that sets a property that is not a coordinate on the time axis."""

    def change(*, id: Drawing | None = None, table_id: Drawing | None = None, **values: Any) -> None:
        drawing = id or table_id
        if drawing is not None and not drawing.deleted:
            setattr(drawing, prop, *values.values())
            if changed is not None:
                changed.add(drawing)

    return change


def _getter(prop: str) -> Callable[..., Any]:
    empty, take = _EMPTY.get(prop, NA), attrgetter(prop)

    def read(*, id: Drawing | None) -> Any:
        return empty if id is None or id.deleted else take(id)

    return read


_EMPTY = {"text": None, "line1": None, "line2": None}
_ACROSS = {
    "line": {"x1", "x2"},
    "label": {"x"},
    "box": {"left", "right"},
    "table": set[str](),
    "polyline": set[str](),
    "linefill": set[str](),
}
"""The properties that are coordinates on the time axis."""
