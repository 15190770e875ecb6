"""Recreates the drawings, alerts and logs of a finished run from its log, with the code of the Python tier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pinebench.compiled import lists
from pinebench.compiled.handles import LOG
from pinebench.compiled.layouts import LOGGED_CALL
from pinebench.compiled.library_calls import CallRecords
from pinebench.compiled.script_code import NA, TOLD, LoggedCall, ScriptCode
from pinebench.compiled.settled_values import SettledValues, UnsettledValue
from pinebench.runtime import ChartPoint, Runtime

_MOST = 1024.0
"""The largest number of columns, and of rows, of tables whose cells are compared."""


class CallLog(CallRecords):
    """The log of one run, read from its memory: the calls that draw, send alerts or write to Pine's log."""

    def __init__(
        self, generated: ScriptCode, memory: Any, settled: SettledValues, texts: Sequence[str], runtime: Runtime
    ) -> None:
        super().__init__(generated, memory, settled, texts, runtime.execution)
        self._has_held_history = generated.has_held_history
        self._runtime = runtime
        self._execution = runtime.execution
        self._drawings: dict[int, Any] = {}
        """The drawings by their addresses in the memory; None for one that was not made."""
        self._held: dict[str, dict[float, Any]] = {}
        """The drawings that variables hold, by their type and by the address of the variable."""

    def tell(self) -> None:
        """Discard earlier drawings, alerts and logs, and replay all calls in the log. Raises RuntimeFault at the call
        that stops the script, and UnsettledValue if only the Python tier knows the drawings."""
        running = self._execution
        self._runtime.host.forget()
        for kind in running.drawings.alive:
            running.hold(kind, lambda kind=kind: self._holders(kind))
        for place in self._records():
            call = self._calls[int(self._memory[place + LOGGED_CALL.number])]
            running.index = int(self._memory[place + LOGGED_CALL.bar])
            if call.is_holder:
                at = place + LOGGED_CALL.places
                variable, drawing = self._memory[at : at + 2].tolist()
                self._held.setdefault(call.name, {})[variable] = self._value(drawing, "object")
                continue
            given = self._arguments(call, place)
            first = len(given) - len(call.names)
            made = self._function(call.name)(*given[:first], **dict(zip(call.names, given[first:], strict=True)))
            if call.result is not None:
                at = float(self._memory[place + LOGGED_CALL.places + call.result])
                if at == at:
                    self._drawings[int(at)] = made
        self._memory = self._whole = None  # the execution keeps this object, and a run's memory is large

    def _records(self) -> list[int]:
        """Return the addresses of the log's records, without table cell settings that a later setting replaces. The
        first setting of a cell stays, because it decides the order of the cells."""
        import numpy

        at, count = self._whole[LOG + lists.AT], self._whole[LOG + lists.COUNT]
        places = numpy.asarray(self._whole[at : at + count])
        if not count or any(call.name == "table.clear" for call in self._calls):
            return places.tolist()
        memory = numpy.asarray(self._memory)
        numbers, cells = memory[places + LOGGED_CALL.number], numpy.full(count, -1.0)
        for number, call in enumerate(self._calls):
            mine = (numbers == number).nonzero()[0]
            if call.name != "table.cell" or not len(mine):
                continue
            table, column, row = (
                self._each(memory, places[mine], call, name) for name in ("table_id", "column", "row")
            )
            if not (((column % 1 == 0) & (column < _MOST) & (row % 1 == 0) & (row < _MOST)).all()):
                return places.tolist()
            cells[mine] = (table * _MOST + column) * _MOST + row
        mine = (cells != -1.0).nonzero()[0]
        first, last = (numpy.unique(cells[mine][::step], return_index=True)[1] for step in (1, -1))
        stays = cells == -1.0
        stays[mine[first]] = stays[mine[::-1][last]] = True
        return places[stays].tolist()

    def _each(self, memory: Any, places: Any, call: LoggedCall, name: str) -> Any:
        """Return the number that one argument of a call has in each of the records at `places` (addresses in
        memory)."""
        given = call.arguments[len(call.arguments) - len(call.names) + call.names.index(name)]
        if isinstance(given, tuple):
            place, _ = given
            return memory[places + LOGGED_CALL.places + place]
        value = self._settled.value(given)
        return places * 0.0 + (NA if value is None else float(value))

    def _holders(self, kind: str) -> list[Any]:
        if self._has_held_history:
            raise UnsettledValue
        return list(self._held.get(kind, {}).values())

    def _function(self, name: str) -> Any:
        method = name.replace(".", "_")
        return getattr(self._execution if name.partition(".")[0] in TOLD else self._execution.drawings, method)

    def _given(self, place: int, kind: str) -> Any:
        if kind != "point":
            return super()._given(place, kind)
        point, time, index, price = self._memory[place : place + 4].tolist()
        known = (self._value(time, "int"), self._value(index, "int"), price)
        return ChartPoint(*known) if point == point else None

    def _object(self, number: float) -> Any:
        return self._drawings.get(int(number)) if number == number else None
