"""Calls of library functions during a run of machine code: Python computes results that machine code cannot.

A call is a record in the memory of the run, as in the log (`handles`). Machine code writes the arguments to the record
and waits for the answer. Arrays are copied to Python and back. Other collections stay in Python: machine code has a
negative number for each, whose absolute value is the index in the list of the run's Python objects.
"""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter, thread_time
from typing import Any

from pinebench.compiled import lists
from pinebench.compiled.handles import NOTING
from pinebench.compiled.kernels import FREE, MEMORY_END, STATUS
from pinebench.compiled.layouts import LOGGED_CALL
from pinebench.compiled.native import ANSWER, ASKED
from pinebench.compiled.request_arguments import LOWER, REQUESTS
from pinebench.compiled.script_code import ARRAY_OF, AS_PYTHON, LoggedCall, ScriptCode, TextTable, first_value, text_of
from pinebench.compiled.settled_values import SettledValues
from pinebench.runtime import Array, Matrix, values
from pinebench.runtime import builtins as library

_MOST_ELEMENTS = 5_000_000
"""The largest number of elements in all objects of a run, which stay in memory until its end."""
_CHANGED = ("array.sort",)
"""The functions that change the elements of their first argument, but not their number."""
_SHORT = ("map.new", "map.put", "map.get", "map.contains", "map.remove", "map.size", "matrix.get", "matrix.set")
"""The functions that are always fast, whatever their arguments are."""


class _Stop(Exception):
    """Machine code cannot finish the run; `status` is the reason, as a key of `outcomes.REASONS`."""

    def __init__(self, status: float) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True, slots=True)
class CompiledObject:
    """An object, drawing or array from machine code that is contained in a Python collection."""

    place: float


class CallRecords(ABC):
    """Reads the records of calls in the memory of one run."""

    def __init__(
        self, generated: ScriptCode, memory: Any, settled: SettledValues, texts: Sequence[str], context: Any
    ) -> None:
        """Prepare to read the records in `memory`. `context` is the bar on which functions of the library run."""
        self._calls = generated.calls
        self._memory: Any = memoryview(memory)
        self._whole: Any = self._memory.cast("B").cast("q")
        """The memory as whole numbers."""
        self._settled = settled
        self._table = texts
        self._context = context
        self._texts: dict[int, str] = {}
        """The joined texts, by the addresses of their records."""

    def _arguments(self, call: LoggedCall, place: int) -> list[Any]:
        head = place + LOGGED_CALL.places
        return [
            self._given(head + each[0], each[1]) if isinstance(each, tuple) else self._settled.value(each)
            for each in call.arguments
        ]

    def _given(self, place: int, kind: str) -> Any:
        """Return the value of an argument at an address of the memory."""
        return self._value(self._memory[place], kind)

    def _value(self, number: float, kind: str) -> Any:
        """Convert a number in the memory to the value and the type that the Python tier has."""
        if kind == "string":
            return self._text(int(-number)) if number < 0.0 else text_of(number, self._table)
        if kind == "object":
            return self._object(number)
        if kind.startswith(ARRAY_OF):
            if number != number:
                return None
            element = kind.removeprefix(ARRAY_OF)
            return Array([self._value(each, element) for each in self._items(int(number)).tolist()])
        return AS_PYTHON[kind](number) if kind in AS_PYTHON else number

    def _items(self, place: int) -> Any:
        """Return the items of the list at an address."""
        at, count = self._whole[place + lists.AT], self._whole[place + lists.COUNT]
        return self._memory[at : at + count]

    @abstractmethod
    def _object(self, number: float) -> Any:
        """Return the object with a number."""

    def _text(self, place: int) -> str:
        """Return the text of the record at an address."""
        pending = [place]  # a text may be a part of a text that is a part of a text, as deep as there are bars
        while pending and place not in self._texts:
            at = pending[-1]
            call = self._calls[int(self._memory[at + LOGGED_CALL.number])]
            places = [each[0] for each in call.arguments if isinstance(each, tuple) and each[1] == "string"]
            numbers = [self._memory[at + LOGGED_CALL.places + k] for k in places]
            missing = [int(-number) for number in numbers if number < 0.0 and int(-number) not in self._texts]
            if missing:
                pending += missing
                continue
            pending.pop()
            self._texts[at] = self._called(call.name, self._arguments(call, at))
        return self._texts[place]

    def _called(self, name: str, given: list[Any]) -> Any:
        if name == "+":
            return (given[0] or "") + (given[1] or "")
        if name in library.CONTEXT_FUNCTIONS:
            return library.CONTEXT_FUNCTIONS[name](self._context, *given)
        return library.FUNCTIONS[name](*given)


def may_be_long(generated: ScriptCode) -> bool:
    """Return whether a single call that Python performs in a run may take so long that only an external time limit can
    stop it."""
    return any(
        each.has_letters or any(call.kind and call.name not in (*_SHORT, *REQUESTS) for call in each.calls)
        for each in generated.every
    )


class LibraryCalls(CallRecords):
    """Performs the library calls of one run of machine code."""

    def __init__(
        self,
        generated: ScriptCode,
        memory: Any,
        settled: SettledValues,
        texts: TextTable,
        request: Callable[..., Any],
        seconds: float,
    ) -> None:
        """Prepare to answer calls. `request` answers a request (`RequestColumns.answer`). After `seconds` seconds, no
        call is answered."""
        super().__init__(generated, memory, settled, texts.texts, settled.moment)
        self._letters = texts
        self._request = request
        self._made_at = generated.requests_made
        self._objects: list[Any] = [None]
        self._numbers: dict[int, float] = {}
        """The numbers of the objects by their identity."""
        self._elements = 0
        self._sizes: dict[int, int] = {}
        """The numbers of elements of the objects by their identity."""
        self._answered = 0
        """The number of calls that were answered."""
        self._end, self._used = perf_counter() + seconds, thread_time() + seconds
        self.raised: BaseException | None = None
        """The exception that interrupted the run, or None."""
        self._function: Any = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64)(self._answer)
        # `cast` would make a circle of references
        address = ctypes.c_void_p.from_address(ctypes.addressof(self._function)).value
        memory.view("int64")[ANSWER] = address
        memory[ASKED] = 0.0
        memory[NOTING] = max(memory[NOTING], generated.has_letters)

    def end(self) -> None:
        """End the run: free its memory, and set the status to stopped if a call was not answered."""
        self._function = None
        if self._memory[STATUS] == 0.0 and self._memory[ASKED] != self._answered:
            self._memory[STATUS] = 1.0

    def _answer(self, place: int) -> float:
        """Return the result of the call whose record is at the address `place`. For a negative `place`, return the
        number of the text whose record is at `-place`."""
        try:
            if self._memory[STATUS] != 0.0:
                return first_value("float")
            # the processor's clock is slower to read; it decides where the machine is busy
            if perf_counter() > self._end and thread_time() > self._used:
                raise _Stop(4.0)
            if self._memory[ASKED] != self._answered + 1:
                raise _Stop(1.0)  # an interruption came before this function had begun
            if place < 0:
                answer = self._letters.number(self._text(-place))
            else:
                call = self._calls[int(self._memory[place + LOGGED_CALL.number])]
                answer = self._number(self._computed(call, place), call.kind)
            self._answered += 1
            return answer
        except _Stop as stop:
            self._memory[STATUS] = stop.status
        except MemoryError:
            self._memory[STATUS] = 4.0
        except Exception:  # the Python tier says what it is
            self._memory[STATUS] = 1.0
        except BaseException as error:
            self.raised, self._memory[STATUS] = error, 1.0
        return first_value("float")

    def _computed(self, call: LoggedCall, place: int) -> Any:
        bar = self._context.bar_index = int(self._memory[place + LOGGED_CALL.bar])
        given = self._arguments(call, place)
        if call.kernel is not None:
            at = int(given[0])
            if self._memory[at] == 0.0:
                self._memory[at] = self._held(library.KERNELS[call.name](call.kernel.series_length), 0)
            return self._object(self._memory[at])(bar, *given[1:])
        if call.name in REQUESTS:
            number, item, *values = given
            found = self._request(number, item, bar, dict(zip(call.names, values, strict=True)), self._made)
            return Array(found) if call.name == LOWER else found
        found = self._called(call.name, given)
        if call.name in _CHANGED and (slot := call.arguments[0]) and isinstance(slot, tuple):
            items = self._items(int(self._memory[place + LOGGED_CALL.places + slot[0]]))
            for k, each in enumerate(given[0].items):
                items[k] = self._number(each, slot[1].removeprefix(ARRAY_OF))
        for each in given:
            if id(each) in self._sizes:
                self._measure(each)
        return found

    def _made(self, is_new: bool) -> float:
        """Count a request that is new, and return the number of requests that the script has made."""
        self._memory[self._made_at] += is_new
        return self._memory[self._made_at]

    def _object(self, number: float) -> Any:
        if number != number:
            return None
        return CompiledObject(number) if number >= 0.0 else self._objects[int(-number)]

    def _number(self, value: Any, kind: str) -> float:
        """Convert a value of Python to its number in the memory."""
        if value is None or kind == "void":
            return first_value(kind)  # type: ignore[arg-type]
        if kind == "string":
            return self._letters.number(value)
        if isinstance(value, CompiledObject):
            return value.place
        if kind.startswith(ARRAY_OF):
            return self._array([self._number(each, kind.removeprefix(ARRAY_OF)) for each in value.items])
        if kind == "object":
            number = self._held(value, 0)
            self._measure(value)
            return number
        if isinstance(value, int) and abs(value) > values.EXACT:
            raise _Stop(1.0)
        return float(value)

    def _held(self, value: Any, size: int) -> float:
        """Return the number of an object of Python, and store the object if it is new."""
        if id(value) in self._numbers:
            return self._numbers[id(value)]
        self._elements += size + 8
        if self._elements > _MOST_ELEMENTS:
            raise _Stop(4.0)
        self._numbers[id(value)] = -float(len(self._objects))
        self._objects.append(value)
        return self._numbers[id(value)]

    def _measure(self, value: Any) -> None:
        """Count the elements that a map or a matrix gained since the last count."""
        size = len(value.rows) * value.columns if isinstance(value, Matrix) else len(value.pairs)
        self._elements += max(0, size - self._sizes.get(id(value), 0))
        self._sizes[id(value)] = size
        if self._elements > _MOST_ELEMENTS:
            raise _Stop(4.0)

    def _array(self, items: list[float]) -> float:
        """Return a new array of machine code."""
        memory = self._memory
        place = int(memory[FREE])
        first = place + lists.SPARE
        end = first + len(items)
        if end > memory[MEMORY_END]:
            raise _Stop(2.0)
        memory[FREE] = float(end)
        for k, each in ((lists.AT, first), (lists.COUNT, len(items)), (lists.BEGIN, first), (lists.END, end)):
            self._whole[place + k] = each
        for k, each in enumerate(items):
            memory[first + k] = each
        return float(place)
