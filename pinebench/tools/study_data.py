"""Tools for studies on the chart: their inputs and values, and the drawings and shapes of scripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, NotRequired, TypedDict

from pinebench.tools import timing
from pinebench.tools.arguments import Flag, IntegerArgument, TextArgument
from pinebench.tools.chart import ENTITY
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import tool
from pinebench.tradingview import chart_results

FILTER = TextArgument("part of a study's name", 200, empty=True)


class StudyDescription(TypedDict):
    """A study's inputs, and whether the study is visible."""

    entity_id: str
    name: str
    visible: bool
    inputs: list[chart_results.InputValue]


@tool("data", "Read a study's inputs and whether it is shown.", untrusted=("name", "inputs"), prices=True)
def data_get_indicator(at: ToolContext, entity_id: Annotated[str, ENTITY]) -> StudyDescription:
    """Return the inputs of one study."""
    found: chart_results.StudyDetails = at.read("study_details", {"id": entity_id})
    return {"entity_id": found["id"], "name": found["name"], "visible": found["visible"], "inputs": found["inputs"]}


class StudyReading(TypedDict):
    """The values of one study by title. `source` is `data_window`, `series` or `none`.

    `series` means that the values come from the study itself: it is outside the price pane, or the data window shows
    another bar, as `note` says. `none` means that there are no values, for the reason in `note`.
    """

    id: str
    name: str
    values: dict[str, str]
    source: str
    note: NotRequired[str]


class StudyValues(TypedDict):
    """The values of studies at the last bar, as strings. Studies without values are listed, too."""

    symbol: str
    study_count: int
    studies: list[StudyReading]


@tool(
    "data",
    "Read the values of all studies at the last bar (RSI, averages, plots of scripts).",
    untrusted=("studies",),
    prices=True,
)
def data_get_study_values(at: ToolContext, study_filter: Annotated[str, FILTER] = "") -> StudyValues:
    """Return the values that the data window shows for each study. If it shows none, or shows the bar under the
    crosshair, return the last values of the study's series."""
    found: chart_results.AllStudyValues = at.read("study_values", {"filter": study_filter, "limit": timing.COMPUTED_MS})
    studies = [_reading(each) for each in found["studies"]]
    return {"symbol": found["symbol"], "study_count": len(studies), "studies": studies}


def _reading(each: chart_results.StudyReadings) -> StudyReading:
    told: StudyReading = {"id": each["id"], "name": each["name"], "values": each["values"], "source": each["source"]}
    return told if each["note"] is None else {**told, "note": each["note"]}


class DrawingsByStudy(TypedDict):
    """Drawings of scripts on the chart of a symbol, grouped by study."""

    symbol: str
    study_count: int
    studies: list[dict[str, Any]]


_VERBOSE = Flag("also ids, times and colours")
_PRECISION = IntegerArgument("decimals of prices (two above 10)", 0, 12)


@tool("data", "Read the levels of horizontal lines that scripts drew.", untrusted=("studies",), prices=True)
def data_get_pine_lines(
    at: ToolContext,
    study_filter: Annotated[str, FILTER] = "",
    verbose: Annotated[bool, _VERBOSE] = False,
    precision: Annotated[int | None, _PRECISION] = None,
) -> DrawingsByStudy:
    """Return the horizontal lines by study: each level once, from high to low."""

    def told(items: list[dict[str, Any]]) -> dict[str, Any]:
        level = [item["y1"] for item in items if item.get("y1") is not None and item["y1"] == item.get("y2")]
        flat = {rounded(price, precision) for price in level}
        lines = [
            {
                "id": item["id"],
                "y1": item.get("y1"),
                "y2": item.get("y2"),
                "x1": item.get("x1"),
                "x2": item.get("x2"),
                "horizontal": item.get("y1") == item.get("y2"),
                "style": item.get("st"),
                "width": item.get("w"),
                "color": item.get("ci"),
            }
            for item in items
        ]
        return {"horizontal_levels": sorted(flat, reverse=True), **({"all_lines": lines} if verbose else {})}

    return _drawn(at, "lines", study_filter, "total_lines", told)


@tool("data", "Read the labels that scripts drew, the newest last.", untrusted=("studies",), prices=True)
def data_get_pine_labels(
    at: ToolContext,
    study_filter: Annotated[str, FILTER] = "",
    max_labels: Annotated[int, IntegerArgument("labels of each study, the newest", least=1, most=500, clamp=True)] = 50,
    verbose: Annotated[bool, _VERBOSE] = False,
    precision: Annotated[int | None, _PRECISION] = None,
) -> DrawingsByStudy:
    """Return the labels by study: text and price."""

    def told(items: list[dict[str, Any]]) -> dict[str, Any]:
        said = [item for item in items if item.get("t") or item.get("y") is not None][-max_labels:]
        labels: list[dict[str, Any]] = []
        for item in said:
            label = {"text": str(item.get("t") or ""), "price": rounded(item.get("y"), precision)}
            if verbose:
                more = {"x": "x", "yloc": "yl", "size": "sz", "textColor": "tci", "color": "ci"}
                label |= {"id": item["id"], **{name: item.get(key) for name, key in more.items()}}
            labels.append(label)
        return {"showing": len(labels), "labels": labels}

    return _drawn(at, "labels", study_filter, "total_labels", told)


@tool("data", "Read the boxes (zones) that scripts drew, from high to low.", untrusted=("studies",), prices=True)
def data_get_pine_boxes(
    at: ToolContext,
    study_filter: Annotated[str, FILTER] = "",
    verbose: Annotated[bool, _VERBOSE] = False,
    precision: Annotated[int | None, _PRECISION] = None,
) -> DrawingsByStudy:
    """Return the boxes by study: each pair of high and low once."""

    def told(items: list[dict[str, Any]]) -> dict[str, Any]:
        sized = [item for item in items if item.get("y1") is not None and item.get("y2") is not None]
        edges = [sorted((item["y1"], item["y2"]), reverse=True) for item in sized]
        zones = {(rounded(high, precision), rounded(low, precision)) for high, low in edges}
        boxes = [
            {
                "id": item["id"],
                "high": max(item["y1"], item["y2"]),
                "low": min(item["y1"], item["y2"]),
                "x1": item.get("x1"),
                "x2": item.get("x2"),
                "borderColor": item.get("c"),
                "bgColor": item.get("bc"),
            }
            for item in sized
        ]
        listed = [{"high": high, "low": low} for high, low in sorted(zones, reverse=True)]
        return {"zones": listed, **({"all_boxes": boxes} if verbose else {})}

    return _drawn(at, "boxes", study_filter, "total_boxes", told)


@tool("data", "Read the tables that scripts drew, row by row.", untrusted=("studies",), prices=True)
def data_get_pine_tables(at: ToolContext, study_filter: Annotated[str, FILTER] = "") -> DrawingsByStudy:
    """Return the tables by study: each row as one string, with " | " between its cells. Empty cells stay, because the
    column of a cell tells what it means; rows without any text are left out."""

    def told(items: list[dict[str, Any]]) -> dict[str, Any]:
        tables: dict[Any, dict[int, dict[int, str]]] = {}
        for item in items:
            text = str(item.get("t") or "").strip()
            if text:
                row = tables.setdefault(item.get("tid"), {}).setdefault(int(item.get("row") or 0), {})
                row[int(item.get("col") or 0)] = text
        return {
            "tables": [
                {"rows": [_row(cells, 1 + max(map(max, rows.values()))) for _, cells in sorted(rows.items())]}
                for rows in tables.values()
            ]
        }

    return _drawn(at, "tables", study_filter, "total_cells", told)


def _row(cells: dict[int, str], columns: int) -> str:
    """Return a row of a table with this number of columns as one string."""
    return " | ".join(cells.get(column, "") for column in range(columns)).rstrip()


@tool(
    "data",
    "Read the shapes, characters and arrows that scripts plotted on bars (signals), the newest last.",
    untrusted=("studies",),
    prices=True,
)
def data_get_pine_shapes(
    at: ToolContext,
    study_filter: Annotated[str, FILTER] = "",
    max_shapes: Annotated[int, IntegerArgument("shapes of each study, the newest", least=1, most=500, clamp=True)] = 50,
) -> DrawingsByStudy:
    """Return the plotted shapes by study, each with its time and its title."""
    found: chart_results.ScriptGraphics = at.read(
        "plotted_shapes", {"filter": study_filter, "most": max_shapes, "limit": timing.COMPUTED_MS}
    )
    studies = [
        {
            "name": each["name"],
            "total_shapes": each["total"],
            "showing": len(each["items"]),
            "shapes": [_shape(item) for item in each["items"]],
            **_noted(each),
        }
        for each in found["studies"]
    ]
    return {"symbol": found["symbol"] or "", "study_count": len(studies), "studies": studies}


def _shape(item: dict[str, Any]) -> dict[str, Any]:
    """Return the known fields of one plotted shape. Only a shape that is placed at a price also has that price."""
    told = {name: item[name] for name in ("time", "title", "text", "location") if item.get(name)}
    return told | ({"price": rounded(item["value"])} if str(item.get("location")).lower() == "absolute" else {})


def _noted(drawings: chart_results.ScriptDrawings) -> dict[str, Any]:
    return {} if drawings["note"] is None else {"note": drawings["note"]}


def _drawn(
    at: ToolContext, kind: str, study_filter: str, total: str, told: Callable[[list[dict[str, Any]]], dict[str, Any]]
) -> DrawingsByStudy:
    found: chart_results.ScriptGraphics = at.read(
        "graphics", {"kind": kind, "filter": study_filter, "most": 5000, "limit": timing.COMPUTED_MS}
    )
    studies = [
        {"name": each["name"], total: each["total"], **told(each["items"]), **_noted(each)} for each in found["studies"]
    ]
    return {"symbol": found["symbol"] or "", "study_count": len(studies), "studies": studies}


def rounded(price: Any, precision: int | None = None) -> Any:
    """Round a price to `precision` decimals.

    Without `precision`, a price from 10 up gets two decimals, and a lower one eight significant digits. A value that is
    not a number is returned unchanged.
    """
    if not isinstance(price, int | float):
        return price
    if precision is not None:
        return round(float(price), precision)
    return round(price, 2) if abs(price) >= 10 else float(f"{price:.8g}")
