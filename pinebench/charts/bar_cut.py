"""Cuts a run to its last bars, so that runs with different first bars can be drawn on the same bars."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

from pinebench.runtime import ChartPoint, Drawing, Result

_PLACES = {"line": ("x1", "x2"), "box": ("left", "right"), "label": ("x",)}


def cut(result: Result, first: int) -> Result:
    """Return the results from bar `first` on. Drawings stay on their bars, even those that begin earlier."""
    if not first:
        return result
    outputs = [
        replace(output, columns={name: column[first:] for name, column in output.columns.items()})
        for output in result.outputs
    ]
    return replace(result, times=result.times[first:], outputs=outputs, drawings=_moved(result, first))


def _moved(result: Result, by: int) -> dict[str, list[Drawing]]:
    """The drawings, `by` bars further to the left. Fills between lines belong to the moved lines."""
    lines: dict[int, Any] = {}
    found: dict[str, list[Drawing]] = {}
    for kind, drawings in sorted(result.drawings.items(), key=lambda item: item[0] == "linefill"):
        found[kind] = [_one(kind, drawing, by, lines) for drawing in drawings]
    return found


def _one(kind: str, drawing: Drawing, by: int, lines: dict[int, Any]) -> Drawing:
    moved: Any = copy(drawing)
    if kind == "linefill":
        moved.line1, moved.line2 = (lines.get(id(line), line) for line in (moved.line1, moved.line2))
    elif kind == "polyline":
        moved.points = [ChartPoint(point.time, _less(point.index, by), point.price) for point in moved.points]
    elif kind in _PLACES and moved.xloc != "bar_time":
        for name in _PLACES[kind]:
            setattr(moved, name, _less(getattr(moved, name), by))
    lines[id(drawing)] = moved
    return moved


def _less(place: Any, by: int) -> Any:
    return place if place is None else place - by
