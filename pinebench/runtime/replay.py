"""Running bars in order, and the last of them again when it changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pinebench.runtime.drawings import ChartPoint
from pinebench.runtime.execution import Execution
from pinebench.runtime.library.collections import Array, Map, Matrix, Slice
from pinebench.runtime.objects import Object


class Replay:
    """An execution with what its bars gave; the state before the last bar is kept, so that this bar can run again."""

    def __init__(self, execution: Execution) -> None:
        self.execution = execution
        self.results: list[Any] = []
        self._before: Before | None = None

    def history(self, stop: int | None = None) -> None:
        """Run all bars that have not run, up to `stop`; the state before the last is kept."""
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
        """Run the last bar again, from the state before it."""
        assert self._before is not None
        self._before.restore()
        self.results[-1] = self.execution.run_bar(len(self.results) - 1)


class Before:
    """The state of an execution at one moment, with what its variables reach."""

    def __init__(self, execution: Execution) -> None:
        self._execution = execution
        self._state = execution.save()
        self._contents = contents(execution.reached())
        self._drawings = execution.drawings.save()

    def restore(self) -> None:
        """Bring it back; `varip` variables and fields stay as they are."""
        self._execution.restore(self._state)
        self._execution.drawings.restore(self._drawings)
        for holder, held in self._contents:
            put_back(holder, held)


def contents(roots: Iterable[Any]) -> list[tuple[Any, Any]]:
    """Everything that can change and is reached from `roots`, with what it holds."""
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
    """What one holder holds now, and what may be reached through it."""
    if isinstance(value, Slice):
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
    """Let a holder hold again what it held; an array keeps its own list, which others may share."""
    if isinstance(holder, Slice):
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
