"""Drawings on the chart: draw, list, read and remove."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from pinebench.errors import UsageError
from pinebench.near import hint_of_names
from pinebench.tools.arguments import POINT, ChoiceArgument, Flag, TextArgument, ValuesArgument
from pinebench.tools.chart import ENTITY, remove
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import tool
from pinebench.tools.tool_calls import ToolRefused
from pinebench.tradingview import page_results

_ONE_POINT = (
    "horizontal_line",
    "horizontal_ray",
    "vertical_line",
    "cross_line",
    "text",
    "note",
    "arrow_up",
    "arrow_down",
    "flag",
)
_TWO_POINTS = (
    "trend_line",
    "ray",
    "extended",
    "arrow",
    "info_line",
    "trend_angle",
    "rectangle",
    "circle",
    "fib_retracement",
    "price_range",
    "date_range",
    "date_and_price_range",
    "long_position",
    "short_position",
)
_THREE_POINTS = ("parallel_channel", "triangle")
POINTS = {**dict.fromkeys(_ONE_POINT, 1), **dict.fromkeys(_TWO_POINTS, 2), **dict.fromkeys(_THREE_POINTS, 3)}
"""The number of points of each kind of drawing."""


class ChartDrawing(TypedDict):
    """A new drawing, as the chart reports it."""

    shape: str
    entity_id: str
    points: list[page_results.Point]
    verified: bool


@tool(
    "drawing",
    "Draw. Lines, rectangles, ranges, retracements, positions need point2; channels, triangles point3, too.",
    changes=True,
    prices=True,
    proof="the prices of its points, read back",
)
def draw_shape(
    at: ToolContext,
    shape: Annotated[str, ChoiceArgument(tuple(POINTS), "what to draw")],
    point: Annotated[dict[str, float], POINT],
    point2: Annotated[dict[str, float] | None, POINT] = None,
    point3: Annotated[dict[str, float] | None, POINT] = None,
    text: Annotated[str | None, TextArgument("the drawing's text", longest=2000)] = None,
    overrides: Annotated[dict[str, Any] | None, ValuesArgument("linecolor, linewidth …", empty=True)] = None,
) -> ChartDrawing:
    """Put a drawing on the chart and read its points back."""
    count, given = POINTS[shape], {"point2": point2, "point3": point3}
    for number, (name, place) in enumerate(given.items(), 2):
        if place is None and number <= count:
            raise UsageError(f"{name} is missing: a {shape} has {count} points")
        if place is not None and number > count:
            raise UsageError(f"a {shape} does not use {name}", "leave it out")
    if shape == "text" and text is None:
        raise UsageError("text is missing: it is what a text drawing shows on the chart", "give text")
    points = [place for place in (point, point2, point3) if place is not None]
    request = {"shape": shape, "points": points, "text": text, "overrides": overrides or {}, "limit": 3000}
    made: page_results.MadeShape = at.act("draw_shape", request)
    if made["id"] is None and made["others"]:
        why = (made["refused"] or "it names a drawing that is not on the chart")[:400]
        raise ToolRefused(
            f"the page did not confirm the {shape} ({why}), but a drawing appeared: {', '.join(made['others'])}",
            "read it with draw_get_properties before you draw again; a person may have drawn it",
        )
    if made["id"] is None:
        raise ToolRefused(f"the {shape} was not drawn: {made['refused'] or 'no new drawing appeared'}"[:400])
    return {
        "shape": shape,
        "entity_id": made["id"],
        "points": made["points"],
        "verified": _same(points, made["points"]),
    }


def _same(wanted: list[dict[str, float]], found: list[page_results.Point]) -> bool:
    """Return whether points have the prices at which they were placed; a chart may move a time to its bar. A point
    whose price the page does not show is not compared."""
    prices = [each["price"] for each in found]
    return len(found) == len(wanted) and all(
        price is not None and abs(price - place["price"]) <= 1e-9 * max(1.0, abs(place["price"]))
        for price, place in zip(prices, wanted, strict=True)
    )


class DrawingList(TypedDict):
    """The drawings on the chart."""

    count: int
    shapes: list[page_results.ShapeEntry]


@tool("drawing", "List the drawings on the chart.")
def draw_list(at: ToolContext) -> DrawingList:
    """Return every drawing with its id."""
    found: page_results.Shapes = at.read("shapes")
    return {"count": len(found["shapes"]), "shapes": found["shapes"]}


class DrawingProperties(TypedDict):
    """One drawing. `study` is the id of the study in whose pane it is; empty in the price pane."""

    entity_id: str
    name: str
    study: str
    points: list[page_results.Point]
    properties: dict[str, Any]
    visible: bool | None
    locked: bool | None
    selectable: NotRequired[bool | None]
    available_methods: list[str]


@tool("drawing", "Read a drawing's points and properties.", untrusted=("properties",), prices=True)
def draw_get_properties(at: ToolContext, entity_id: Annotated[str, ENTITY]) -> DrawingProperties:
    """Return the points and properties of one drawing."""
    found: page_results.ShapeDetails = at.read("shape_details", {"id": entity_id})
    if not found["found"]:
        raise ToolRefused(f"there is no drawing {entity_id}", hint_of_names("ids", found["known"]))
    return {
        "entity_id": entity_id,
        "name": found["name"],
        "study": found["study"],
        "points": found["points"],
        "properties": found["properties"],
        "visible": found["state"].get("visible"),
        "locked": found["state"].get("locked"),
        "selectable": found["state"].get("selectable"),
        "available_methods": found["methods"],
    }


class DrawingRemoval(TypedDict):
    """The drawing that was removed."""

    entity_id: str
    removed: bool
    remaining_shapes: int
    verified: bool


@tool("drawing", "Remove one drawing from the chart.", changes=True, proof="the chart's list of drawings")
def draw_remove_one(at: ToolContext, entity_id: Annotated[str, ENTITY]) -> DrawingRemoval:
    """Remove a drawing, and verify that it is gone."""
    done = remove(at, entity_id, "shape")
    return {"entity_id": entity_id, "removed": True, "remaining_shapes": done["left"], "verified": done["gone"]}


class DrawingClearance(TypedDict):
    """The number of drawings that were removed."""

    action: str
    removed: int
    verified: bool


@tool(
    "drawing",
    "Remove all drawings from the chart; needs confirm: true.",
    changes=True,
    destroys=True,
    proof="the chart's list of drawings",
)
def draw_clear(at: ToolContext, confirm: Annotated[bool, Flag("yes, all of them")] = False) -> DrawingClearance:
    """Remove every drawing, and verify that none is left."""
    if not confirm:
        count = len(at.read("shapes")["shapes"])
        raise ToolRefused(f"all {count} drawings would be removed", "call again with confirm: true")
    done: page_results.ClearResult = at.act("clear_shapes", {"limit": 3000})
    if done["left"]:
        raise ToolRefused(f"{done['left']} of {done['before']} drawings are still there", "they may be locked")
    return {"action": "all_shapes_removed", "removed": done["before"], "verified": done["left"] == 0}
