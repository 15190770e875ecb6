"""Records the calls of the script that made, changed or deleted each drawing, with their bars."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pinebench.runtime import Drawing, Drawings, Execution, Limits

_MOST_WRITES = 20
"""The number of last changes that are recorded for each drawing."""


@dataclass(frozen=True)
class Write:
    """One change of a drawing on bar `bar`. `what` is `made`, or the function that changed or deleted it. `lines` lists
    the lines of the script that were running, the innermost call first."""

    bar: int
    what: str
    lines: tuple[int, ...]


@dataclass
class DrawingHistory:
    """A drawing's creation (`made`), its last changes (`writes`), and the number of all changes after its creation
    (`count`)."""

    kind: str
    made: Write
    writes: list[Write] = field(default_factory=list[Write])
    count: int = 0
    is_deleted: bool = False


class WatchedDrawings(Drawings):
    """Drawings that record the calls that make, change or delete them. Automatic deletions at the limit are not
    recorded."""

    def __init__(self, running: Execution, limits: Limits) -> None:
        super().__init__(running, limits)
        self._execution = running
        self.written: dict[Drawing, DrawingHistory] = {}

    def add(self, drawing: Drawing) -> Drawing:
        """Add a new drawing, and record the call that made it."""
        self.written[drawing] = DrawingHistory(drawing.kind, self._write("made"))
        return super().add(drawing)

    def delete(self, drawing: Drawing | None) -> None:
        """Delete a drawing, and record the call that deleted it."""
        self._note(drawing, f"{drawing.kind}.delete" if drawing is not None else "")
        super().delete(drawing)

    def move(self, function: str, drawing: Drawing | None, **values: float) -> None:
        """Move a drawing, and record the call that moved it."""
        self._note(drawing, function.replace("_", ".", 1))
        super().move(function, drawing, **values)

    def setter(self, kind: str, name: str, prop: str) -> Callable[..., None]:
        """Return a function that sets a property and records its call."""
        change = super().setter(kind, name, prop)

        def watched(*, id: Drawing | None = None, table_id: Drawing | None = None, **values: Any) -> None:
            self._note(id or table_id, name.replace("_", ".", 1))
            if table_id is not None:
                change(table_id=table_id, **values)
            else:
                change(id=id, **values)

        return watched

    def table_cell(self, *, table_id: Any, **values: Any) -> None:
        """Write a cell of a table, and record the call."""
        self._note(table_id, "table.cell")
        super().table_cell(table_id=table_id, **values)

    def _note(self, drawing: Drawing | None, what: str) -> None:
        known = self.written.get(drawing) if drawing is not None and not drawing.deleted else None
        if known is not None:
            known.writes.append(self._write(what))
            del known.writes[:-_MOST_WRITES]
            known.count += 1

    def _write(self, what: str) -> Write:
        lines: list[int] = []
        frame = sys._getframe(1)
        code = self._execution.code
        while frame is not None:
            if frame.f_code.co_filename.startswith("<pine"):
                called = code.called(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
                if called is not None:
                    lines.append(called.line)
            frame = frame.f_back
        return Write(self._execution.index, what, tuple(lines))


class Pens:
    """The factory for the drawings of one run. `drawings` has the drawings of the script itself, without those that its
    `request.*()` calls make."""

    def __init__(self) -> None:
        self.drawings: WatchedDrawings | None = None

    def make(self, execution: Execution, limits: Limits) -> Drawings:
        """Create the collection of drawings for an execution: of the script itself, or of one of its requests."""
        made = WatchedDrawings(execution, limits)
        self.drawings = self.drawings or made
        return made
