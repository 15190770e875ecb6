"""Runs bars in order, and runs the last bar again if it changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pinebench.runtime.drawings import ChartPoint
from pinebench.runtime.execution import Execution
from pinebench.runtime.library.collections import Array, ArraySlice, Map, Matrix
from pinebench.runtime.objects import Object


class Replay:
    """An execution with the results of its bars. It stores the state before the last bar, so that this bar can run
    again."""

    def __init__(self, execution: Execution) -> None:
        self.execution = execution
        self.results: list[Any] = []
        self._before: Before | None = None

    def history(self, stop: int | None = None) -> None:
        """Run the bars before `stop` (default: all) that have not run yet. Store the state before the last of them."""
        count = len(self.execution.chart) if stop is None else stop
        results = self.results
        if not results:
            self.execution.prepare()
        if len(results) < count - 1:
            results += self.execution.run_bars(len(results), count - 1) or [None] * (count - 1 - len(results))
        if len(results) < count:
            self.begin()

    def begin(self) -> None:
        """Run the next bar for the first time."""
        self._before = Before(self.execution)
        self.results.append(self.execution.run_bar(len(self.results)))

    def again(self) -> None:
        """Run the last bar again, from the state before it. Without bars there is nothing to do."""
        if self._before is None:
            return
        self._before.restore()
        self.results[-1] = self.execution.run_bar(len(self.results) - 1)


class Before:
    """The state of an execution at one point in time, with the contents of all objects that its variables reach."""

    def __init__(self, execution: Execution) -> None:
        self._execution = execution
        self._state = execution.save()
        self._contents = contents(execution.reached())
        self._drawings = execution.drawings.save()

    def restore(self) -> None:
        """Restore the state. `varip` variables and fields keep their current values."""
        self._execution.restore(self._state)
        self._execution.drawings.restore(self._drawings)
        for holder, held in self._contents:
            put_back(holder, held)
        if self._execution.recorder is not None:
            self._execution.recorder.restored()


def contents(roots: Iterable[Any]) -> list[tuple[Any, Any]]:
    """Return every changeable value that can be reached from `roots`, with a copy of its contents."""
    found: list[tuple[Any, Any]] = []
    known: set[int] = set()
    pending = list(roots)
    while pending:
        value = pending.pop()
        if not isinstance(value, Array | Matrix | Map | Object | ChartPoint | list | tuple) or id(value) in known:
            continue
        known.add(id(value))
        held, inner = _held(value)
        if held is not None:
            found.append((value, held))
        pending.extend(inner)
    return found


def _held(value: Any) -> tuple[Any, Iterable[Any]]:
    """Return a copy of the contents of `value`, and the values that can be reached through it."""
    if isinstance(value, ArraySlice):
        return (value.parent, value.start, value.size), (value.parent,)
    if isinstance(value, Array):
        return list(value.items), value.items
    if isinstance(value, Matrix):
        return ([list(row) for row in value.rows], value.columns), (each for row in value.rows for each in row)
    if isinstance(value, Map):
        return dict(value.pairs), value.pairs.values()
    if isinstance(value, Object):
        inner = [getattr(value, field) for field in value.fields if field not in value.varip]
        return [getattr(value, field) for field in value.fields], inner
    if isinstance(value, ChartPoint):
        return (value.time, value.index, value.price), ()
    return None, value


def put_back(holder: Any, held: Any) -> None:
    """Restore the contents of `holder` from the copy `held`. An array keeps its own list object, because slices may
    share it."""
    if isinstance(holder, ArraySlice):
        holder.parent, holder.start, holder.size = held
    elif isinstance(holder, Array):
        holder.items[:] = held
    elif isinstance(holder, Matrix):
        holder.rows = [list(row) for row in held[0]]
        holder.columns = held[1]
    elif isinstance(holder, Map):
        holder.pairs.clear()
        holder.pairs.update(held)
    elif isinstance(holder, ChartPoint):
        holder.time, holder.index, holder.price = held
    else:
        for field, value in zip(holder.fields, held, strict=True):
            if field not in holder.varip:
                setattr(holder, field, value)
