"""Tables: cells by column and row, merged ranges, and the bounds that TradingView checks."""

from __future__ import annotations

from typing import Any

from pinebench.runtime.drawings.objects import Drawing, constructor
from pinebench.runtime.faults import RuntimeFault


def cell_place(value: float) -> int:
    """Return a cell's column or row, or a number of columns or rows, as a whole number; na is 0."""
    return 0 if value != value else int(value)


class Table(Drawing):
    """A table. `cells` has the properties of each cell by (column, row), and `merged` has the ranges shown as one
    cell."""

    properties = (
        "position",
        "columns",
        "rows",
        "bgcolor",
        "frame_color",
        "frame_width",
        "border_color",
        "border_width",
        "force_overlay",
    )
    __slots__ = (*properties, "cells", "merged")
    kind = "table"
    columns: int
    rows: int

    def __init__(self, **values: Any) -> None:
        _take(self, **values)
        self.columns = cell_place(values["columns"])
        self.rows = cell_place(values["rows"])
        self.cells: dict[tuple[int, int], dict[str, Any]] = {}
        self.merged: list[tuple[int, int, int, int]] = []

    def save(self) -> tuple[Any, ...]:
        cells = {place: dict(cell) for place, cell in self.cells.items()}
        return (*super().save(), cells, list(self.merged))

    def restore(self, saved: tuple[Any, ...]) -> None:
        super().restore(saved[:-2])
        self.cells = {place: dict(cell) for place, cell in saved[-2].items()}
        self.merged = list(saved[-1])

    def at(self, column: float, row: float) -> tuple[int, int]:
        """Return a column and a row as a cell's key. Raises RE10039 or RE10040 outside the table; the column is checked
        first."""
        across, down = cell_place(column), cell_place(row)
        if not 0 <= across < self.columns:
            raise RuntimeFault("RE10039", col=across, cols=self.columns)
        if not 0 <= down < self.rows:
            raise RuntimeFault("RE10040", r=down, n=self.rows)
        return across, down

    def corners(
        self, start_column: float, start_row: float, end_column: float, end_row: float
    ) -> tuple[int, int, int, int]:
        """Return the first and the last column and row of a range. Raises RE10127 if its corners are swapped, and the
        errors of `at`."""
        left, top = self.at(start_column, start_row)
        right, bottom = self.at(end_column, end_row)
        if left > right or top > bottom:
            raise RuntimeFault("RE10127", startCol=left, startR=top, endCol=right, endR=bottom)
        return left, top, right, bottom

    def set_cell(self, column: float, row: float, values: dict[str, Any]) -> None:
        """Set a cell, and replace all its properties."""
        self.cells[self.at(column, row)] = values

    def change_cell(self, column: float, row: float, name: str, value: Any) -> None:
        """Set one property of a cell."""
        self.cells.setdefault(self.at(column, row), {})[name] = value

    def merge(self, start_column: float, start_row: float, end_column: float, end_row: float) -> None:
        """Show a range as one cell. Raises the errors of `corners`."""
        self.merged.append(self.corners(start_column, start_row, end_column, end_row))

    def clear(self, start_column: float, start_row: float, end_column: float, end_row: float) -> None:
        """Remove the cells of a range."""
        first, last = self.at(start_column, start_row), self.at(end_column, end_row)
        for column in range(first[0], last[0] + 1):
            for row in range(first[1], last[1] + 1):
                self.cells.pop((column, row), None)


_take = constructor(Table.properties)
