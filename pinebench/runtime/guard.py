"""Stops a run that takes too long or too much memory, without any cost to one that does not.

A thread beside the run looks at it and interrupts it. What runs inside C without end never lets that thread in: the
process of a worker (`execution.worker`) therefore sets limits of the system around each run as well, by `bounded_by`.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol

from pinebench.runtime.faults import RuntimeFault, StackFrame

_EACH = 0.02
"""Seconds between two looks at a run."""
_AGAIN = 0.5
"""Seconds that a run has to end once it was interrupted, before it is interrupted again."""
_BUSY = 5
"""A busy machine may take so many times the seconds of a budget before a run is stopped by the clock on the wall."""


@dataclass(frozen=True)
class Budget:
    """What a run may use: seconds of processor time in all and on one bar, and bytes of memory beside what was there
    before."""

    seconds: float = 40
    bar_seconds: float = 20
    memory: int = 1 << 30

    @property
    def wall_seconds(self) -> float:
        """The longest time that a run may take on a machine that is busy with other work."""
        return self.seconds * _BUSY


class Running(Protocol):
    """What is watched: the number of the bar that runs, and which lines of the script a traceback goes through."""

    index: int

    def stack(self, traceback: TracebackType | None) -> list[StackFrame]: ...


class Overrun(BaseException):
    """Raised within a run by who watches it; no code of a script can catch it."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)


class _TooSlow(Overrun):
    pass


class _TooLongOnOneBar(Overrun):
    pass


class _TooLarge(Overrun):
    pass


Bounds = Callable[[Budget], AbstractContextManager[Callable[[], object]]]
"""Limits of the system, entered around a run; they give what is to be called when the next bar begins."""


@contextlib.contextmanager
def _no_bounds(_: Budget) -> Iterator[Callable[[], None]]:
    yield lambda: None


_bounds: list[Bounds] = [_no_bounds]


def bounded_by(bounds: Bounds) -> None:
    """Let every guarded run of this process be held by `bounds` too."""
    _bounds[:] = [bounds]


@contextlib.contextmanager
def guarded(running: Running, budget: Budget) -> Iterator[None]:
    """Raise RE10110, RE10022 or RE10139 from the code within, as soon as it uses more than its budget."""
    with _no_words_about_overruns(), _bounds[0](budget) as next_bar:
        watch = _Watch(running, budget, next_bar)
        watch.start()
        try:
            yield
            watch.stop()
        except (Overrun, MemoryError) as overrun:
            watch.stop()
            raise _fault(overrun, running, budget) from None
        finally:
            watch.stop()


def _fault(overrun: Overrun | MemoryError, running: Running, budget: Budget) -> RuntimeFault:
    fault = fault_of(_code(overrun), budget)
    fault.stack = running.stack(overrun.__traceback__)
    # The frames hold what the run has made, which may be all the memory that there is.
    overrun.__traceback__ = None
    return fault


def _code(overrun: Overrun | MemoryError) -> str:
    if isinstance(overrun, _TooLarge | MemoryError):
        return "RE10139"
    return "RE10022" if isinstance(overrun, _TooLongOnOneBar) else "RE10110"


def fault_of(code: str, budget: Budget) -> RuntimeFault:
    """The error RE10110, RE10022 or RE10139 of a run with this budget."""
    return RuntimeFault(code, seconds=budget.seconds) if code == "RE10110" else RuntimeFault(code)


@contextlib.contextmanager
def _no_words_about_overruns() -> Iterator[None]:
    """Say nothing where Python drops an interruption, as in a destructor: the run is interrupted again."""
    before = sys.unraisablehook

    def say(unraisable: Any) -> None:
        if not issubclass(unraisable.exc_type, Overrun):
            before(unraisable)

    sys.unraisablehook = say
    try:
        yield
    finally:
        sys.unraisablehook = before


class _Watch(threading.Thread):
    """Looks at a run from beside it."""

    def __init__(self, running: Running, budget: Budget, next_bar: Callable[[], object]) -> None:
        super().__init__(name="pine guard", daemon=True)
        self.running = running
        self.budget = budget
        self.watched = threading.get_ident()
        self._next_bar = next_bar
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._clock = _processor_clock(self.watched)

    def run(self) -> None:
        clock = self._clock
        wall, begin = time.monotonic(), clock()
        memory = resident()
        bar, since = self.running.index, begin
        while not self._ended.wait(_EACH):
            now = clock()
            # Before the first bar there is none that could take too long.
            if self.running.index != bar or bar < 0:
                bar, since = self.running.index, now
                self._begin_bar()
            late = time.monotonic() - wall > self.budget.wall_seconds
            overrun = _TooSlow if late else self._overrun(now - begin, now - since, resident() - memory)
            if overrun is not None:
                self._interrupt(overrun)
                # What is raised within a destructor or while garbage is collected Python drops: then once more.
                self._ended.wait(_AGAIN)

    def _overrun(self, seconds: float, bar_seconds: float, memory: int) -> type[Overrun] | None:
        if seconds > self.budget.seconds:
            return _TooSlow
        if bar_seconds > self.budget.bar_seconds:
            return _TooLongOnOneBar
        return _TooLarge if memory > self.budget.memory else None

    def _begin_bar(self) -> None:
        with self._lock:
            if not self._ended.is_set():
                self._next_bar()

    def _interrupt(self, kind: type[Overrun]) -> None:
        with self._lock:
            if not self._ended.is_set():
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.watched), ctypes.py_object(kind))

    def stop(self) -> None:
        """The run is over: nothing is raised any more."""
        with self._lock:
            self._ended.set()


def _processor_clock(thread: int) -> Callable[[], float]:
    """The seconds that a thread has had of a processor; where that cannot be known, those of the process."""
    try:
        number = time.pthread_getcpuclockid(thread)
    except (AttributeError, OSError):  # Windows and macOS have none.
        return time.process_time
    return lambda: time.clock_gettime(number)


def resident() -> int:
    """Bytes of memory that this process holds now; where that cannot be known, 0."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return _peak()


def _peak() -> int:
    try:
        import resource
    except ImportError:  # Windows has none.
        return 0
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if os.uname().sysname == "Darwin" else used * 1024
