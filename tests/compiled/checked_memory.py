"""Machine code that says each place which it reads or writes, so that a test finds a place that is not its own.

A block of memory that a run takes has a guard after it: a place that nothing may read or write.
"""

from __future__ import annotations

import ast
import ctypes
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from pinebench.compiled import lists, machine, native, script_code, sources
from pinebench.compiled.handles import LOG
from pinebench.compiled.kernels import FREE, MEMORY_END, ROUNDS_LEFT, STATUS
from pinebench.compiled.native_source import NativeSource
from pinebench.compiled.run_memory import RunMemory

_GUARDED = 15
"""The place in memory that holds the first place of the last block that was taken. Nothing else uses it."""
_HEAD = {
    STATUS: {"fail"},
    FREE: {"take_room", "sort"},
    MEMORY_END: {"take_room_at_end", "put_back"},
    ROUNDS_LEFT: {"may_repeat"},
    _GUARDED: {"take_room"},
}
"""The functions that may write the places at the head of the memory."""
_LOG = range(LOG, LOG + lists.SPARE)
"""The list of the records of the log, which is at the head."""
_OF_SCRIPTS = re.compile(r"f\d+|run|bar|again")
"""The functions of a script, which count the rounds of loops."""
_OF_COPIES = re.compile("arrays_.*|(max|min)_of_items")
"""The functions that read a copy of an array after they gave its places back. They take no others before that."""
_TAKEN = f"""
def take_room(m: P, count: int) -> int:
    place = int(m[{FREE}])
    if count < 0 or float(count) + 1.0 > m[{MEMORY_END}] - m[{FREE}]:
        fail(m, 2.0)
        return 0
    m[{FREE}] = m[{FREE}] + float(count) + 1.0
    m[{_GUARDED}] = float(place)
    m[place + count] = 0.0
    return place
"""


class PlaceChecks:
    """What the machine code of a test reads and writes."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.looks = 0
        """The number of places that were looked at."""
        self.functions: list[tuple[str, bool]] = []
        """The functions of the places in the code, and whether they write."""
        self._sizes: dict[int, tuple[str, int]] = {}
        self._guards: dict[int, list[int]] = {}

    def number(self, function: str, *, writes: bool) -> int:
        self.functions.append((function, writes))
        return len(self.functions) - 1

    def take(self, prepared: RunMemory) -> None:
        """Note the memory of a run."""
        for kind, made in (("m", prepared.memory), ("b", prepared.columns), ("o", prepared.outputs)):
            self._sizes[made.ctypes.data] = kind, made.size
        self._guards[prepared.memory.ctypes.data] = []

    def look(self, address: int, place: int, number: int) -> None:
        """Look at a place. `address` is the begin of the memory."""
        self.looks += 1
        function, writes = self.functions[number]
        kind, size = self._sizes.get(address, ("", 0))
        if not 0 <= place < size or (writes and kind == "b"):
            self._found(f"{function} {'writes' if writes else 'reads'} {kind}[{place}] of {size}")
        if kind != "m":
            return
        memory = ctypes.cast(address, ctypes.POINTER(ctypes.c_double))
        guards = self._guards.setdefault(address, [])
        if place < script_code.HEAD and place not in _LOG:
            if writes and not self._is_own(place, function):
                self._found(f"{function} writes the head at {place}")
        elif memory[FREE] <= place < memory[MEMORY_END]:
            if writes or not _OF_COPIES.fullmatch(function):
                self._found(f"{function} {'writes' if writes else 'reads'} {place}, which is free")
        elif writes and function == "take_room":
            while guards and guards[-1] >= memory[_GUARDED]:
                guards.pop()
            guards.append(place)
        elif guards and place in self._valid(guards, memory[FREE]):
            self._found(f"{function} {'writes' if writes else 'reads'} {place}, the end of a block")

    def _is_own(self, place: int, function: str) -> bool:
        """Whether a function may write a place of the head."""
        if place == ROUNDS_LEFT and _OF_SCRIPTS.fullmatch(function):
            return True
        return function in _HEAD.get(place, ()) or (place == FREE and function.startswith("arrays_"))

    def _valid(self, guards: list[int], free: float) -> list[int]:
        while guards and guards[-1] >= free:
            guards.pop()
        return guards

    def _found(self, told: str) -> None:
        if len(self.faults) < 20:
            self.faults.append(told)


_current: list[PlaceChecks] = []


def _looked(address: int, place: int, number: int) -> None:
    _current[-1].look(address, place, number)


_LOOK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(_looked)


@contextmanager
def checked_places() -> Iterator[PlaceChecks]:
    """Compile with a look at each place. Scripts must be compiled and run inside."""
    made = PlaceChecks()
    body: Any = native._Body  # pyright: ignore[reportPrivateUsage]
    place_of, store, int_at, take = body._place_of, body._store, body._int_at, RunMemory._take
    writing: list[bool] = [False]

    def looked_place(self: Any, memory: str, node: ast.expr) -> str:
        writes, writing[-1] = writing[-1], False
        found = place_of(self, memory, node)
        match = re.search(rf"ptr %{memory}, i64 (\S+)$", self._lines[-1])
        if match is not None and "%state" not in self._lines[-1]:
            number = made.number(self.node.name, writes=writes)
            self.declared["pine_look"] = "declare void @pine_look(ptr, i64, i64) nounwind"
            self._lines.append(f"call void @pine_look(ptr %{memory}, i64 {match.group(1)}, i64 {number})")
        return found

    def looked_store(self: Any, target: ast.expr, value: Any) -> None:
        writing[-1] = isinstance(target, ast.Subscript)
        store(self, target, value)
        writing[-1] = False

    def looked_int_at(self: Any, memory: ast.expr, place: ast.expr, *value: ast.expr) -> Any:
        if value and any(isinstance(node, ast.Subscript | ast.Call) for each in value for node in ast.walk(each)):
            return int_at(self, memory, place, *value)  # the value reads places itself
        writing[-1] = bool(value)
        found = int_at(self, memory, place, *value)
        writing[-1] = False
        return found

    def noted_take(self: RunMemory, size: int) -> None:
        take(self, size)
        made.take(self)

    def whole_kernels() -> Any:
        found = plain_kernels().with_more("")
        found.functions |= NativeSource(_TAKEN).functions
        found.held = {}
        return found

    plain_kernels = sources.kernels
    machine._llvm().add_symbol("pine_look", ctypes.cast(_LOOK, ctypes.c_void_p).value)  # pyright: ignore
    _current.append(made)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(body, "_place_of", looked_place)
        patch.setattr(body, "_store", looked_store)
        patch.setattr(body, "_int_at", looked_int_at)
        patch.setattr(RunMemory, "_take", noted_take)
        patch.setattr(sources, "kernels", whole_kernels)
        for name in ("broker_source", "broker"):
            patch.setattr(sources, name, getattr(sources, name).__wrapped__)
        yield made
    _current.pop()
