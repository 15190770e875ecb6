"""Makes the drawings, alerts and logs of a run again from its log, with the code of the Python tier."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pinebench.compiled import lists
from pinebench.compiled.handles import LOG
from pinebench.compiled.layouts import LOGGED_CALL
from pinebench.compiled.script_code import TOLD, LoggedCall, Program, text_of
from pinebench.compiled.settled_values import SettledValues, UnsettledValue
from pinebench.runtime import ChartPoint, Runtime
from pinebench.runtime import builtins as library


class CallLog:
    """The log of one run, which is in its memory."""

    def __init__(self, generated: Program, memory: Any, settled: SettledValues, runtime: Runtime) -> None:
        self._generated = generated
        self._memory = memory
        self._settled = settled
        self._runtime = runtime
        self._execution = runtime.execution
        self._drawings: dict[int, Any] = {}
        """The drawings by their places in the memory; None for one that was not made."""
        self._texts: dict[int, str] = {}
        self._held: dict[str, dict[float, Any]] = {}
        """The drawings that variables hold, by their type and by the place of the variable."""

    def tell(self) -> None:
        """Make everything in the log again. Earlier drawings, alerts and logs are removed.

        Raises RuntimeFault where the script stops, and UnsettledValue if only the Python tier knows the drawings.
        """
        running = self._execution
        self._runtime.host.forget()
        for kind in running.drawings.alive:
            running.hold(kind, lambda kind=kind: self._holders(kind))
        for place in self._records():
            call = self._generated.calls[int(self._memory[place + LOGGED_CALL.number])]
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

    def _records(self) -> Iterator[int]:
        """The places of the records of the log."""
        whole = self._memory.view("int64")
        at, count = int(whole[LOG + lists.AT]), int(whole[LOG + lists.COUNT])
        yield from whole[at : at + count].tolist()

    def _holders(self, kind: str) -> list[Any]:
        if self._generated.has_held_history:
            raise UnsettledValue
        return list(self._held.get(kind, {}).values())

    def _function(self, name: str) -> Any:
        method = name.replace(".", "_")
        return getattr(self._execution if name.partition(".")[0] in TOLD else self._execution.drawings, method)

    def _arguments(self, call: LoggedCall, place: int) -> list[Any]:
        found: list[Any] = []
        for each in call.arguments:
            if not isinstance(each, tuple):
                found.append(self._settled.value(each))
            elif each[1] == "point":
                at = place + LOGGED_CALL.places + each[0]
                point, time, index, price = self._memory[at : at + 4].tolist()
                known = (_number(time, "int"), _number(index, "int"), price)
                found.append(ChartPoint(*known) if point == point else None)
            else:
                found.append(self._value(float(self._memory[place + LOGGED_CALL.places + each[0]]), each[1]))
        return found

    def _value(self, number: float, kind: str) -> Any:
        if kind == "string":
            if number < 0.0:
                at = int(-number)
                return self._texts[at] if at in self._texts else self._text(at)
            return text_of(number, self._generated.texts)
        if kind == "object":
            return self._drawings.get(int(number)) if number == number else None
        return _number(number, kind)

    def _text(self, place: int) -> str:
        """The text of the record at a place."""
        pending = [place]  # a text may be a part of a text that is a part of a text, as deep as there are bars
        while pending:
            at = pending[-1]
            call = self._generated.calls[int(self._memory[at + LOGGED_CALL.number])]
            places = [each[0] for each in call.arguments if isinstance(each, tuple) and each[1] == "string"]
            numbers = [float(self._memory[at + LOGGED_CALL.places + k]) for k in places]
            missing = [int(-number) for number in numbers if number < 0.0 and int(-number) not in self._texts]
            if missing:
                pending += missing
                continue
            pending.pop()
            self._texts[at] = self._put_together(call, at)
        return self._texts[place]

    def _put_together(self, call: LoggedCall, place: int) -> str:
        given = self._arguments(call, place)
        if call.name == "+":
            return (given[0] or "") + (given[1] or "")
        if call.name not in library.CONTEXT_FUNCTIONS:
            return library.FUNCTIONS[call.name](*given)
        return library.CONTEXT_FUNCTIONS[call.name](self._execution, *given)


def _number(value: float, kind: str) -> Any:
    """The number with the type that it has in the Python tier."""
    if kind == "bool":
        return value != 0.0
    if kind == "color":
        return int(value) if value == value else None
    if kind == "int":
        return int(value) if value - value == 0 and value == int(value) else value
    return value
