"""The contents of drawings as short plain values.

Tables become rows of strings; labels, lines and boxes keep their positions.
"""

from __future__ import annotations

from typing import Any

_PLACES = {
    "label": ("x", "y", "xloc", "text", "tooltip"),
    "line": ("x1", "y1", "x2", "y2", "xloc"),
    "box": ("left", "top", "right", "bottom", "xloc", "text"),
}
"""The properties that are reported for each kind of drawing."""


def tables(told: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tables in the report `told`. Each has its position and its rows (see `rows`)."""
    return [{"position": each["position"], "rows": rows(each)} for each in told["drawings"].get("table", ())]


def rows(table: dict[str, Any]) -> list[list[str]]:
    """Return the texts of a table's cells, one list for each row, up to the last row and column that have a cell. A
    cell without text is an empty string."""
    cells = {(cell["row"], cell["column"]): str(cell["text"] or "") for cell in table["cells"]}
    if not cells:
        return []
    height, width = max(row for row, _ in cells) + 1, max(column for _, column in cells) + 1
    return [[cells.get((row, column), "") for column in range(width)] for row in range(height)]


def drawn(told: dict[str, Any], most: int) -> dict[str, list[dict[str, Any]]]:
    """Return the last `most` drawings of each kind (labels, lines, boxes) in `told`, with positions and texts."""
    found: dict[str, list[dict[str, Any]]] = {}
    for kind, names in _PLACES.items():
        known = told["drawings"].get(kind, ())
        short = [{name: each[name] for name in names if each[name] not in (None, "")} for each in known[-most:]]
        if short:
            found[f"{kind}s" if kind != "box" else "boxes"] = short
    return found
