"""Stops a run that takes too long or too much memory, at no cost to other runs.

A second thread watches the run and interrupts it. That thread cannot run during an endless call of C code. Therefore
the process of a worker (`workers.worker`) also sets limits of the operating system around each run, with `bounded_by`.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import Any, Protocol

from pinebench.runtime.faults import RuntimeFault, StackFrame

_EACH = 0.02
"""Seconds between two checks of a run."""
_AGAIN = 0.5
"""Seconds that a run has to end after an interruption, before it is interrupted again."""
_ENDLESS = 0.5
"""Seconds of processor time on one bar after which a loop that certainly has no end is stopped. TradingView stops it
after the same time on its own machines."""
_BUSY = 5
"""On a busy machine, wall-clock time may be this many times the budget's seconds before the run is stopped."""


@dataclass(frozen=True)
class RunBudget:
    """The limits of a run: seconds of processor time in total and on one bar, and bytes of memory in addition to those
    that were used before the run.

    TradingView stops a loop after 500 ms on its own machines. Generated Python takes about ten times as long as machine
    code, so the time of one bar is ten times as long. These limits are our own, and messages say so. Only a loop that
    certainly never ends is reported with TradingView's message.
    """

    seconds: float = 40
    bar_seconds: float = 5
    memory: int = 1 << 30

    @property
    def wall_seconds(self) -> float:
        """The longest time in seconds that a run may take on a machine that is busy with other work."""
        return self.seconds * _BUSY


class GuardedRun(Protocol):
    """A run that a guard watches. `index` is the index of the current bar.

    `stack` returns the script's lines in a traceback. `endless` returns the Python frame that runs a loop of the script
    that certainly never ends, or None.
    """

    index: int

    def stack(self, traceback: TracebackType | None, /) -> list[StackFrame]: ...

    def endless(self, frame: FrameType | None, /) -> FrameType | None: ...


class Overrun(BaseException):
    """Raised in the running code by the watching thread. No code of a script can catch it."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)


class _Endless(Overrun):
    pass


class _TooSlow(Overrun):
    pass


class _TooLongOnOneBar(Overrun):
    pass


class _TooLarge(Overrun):
    pass


OWN_LIMITS = ("run-time-limit", "bar-time-limit")
"""The codes of the errors of runs that one of pinebench's own limits stopped."""
Bounds = Callable[[RunBudget], AbstractContextManager[Callable[[], object]]]
"""Limits of the operating system around a run; they return a function that is called when the next bar begins."""


@contextlib.contextmanager
def _no_bounds(_: RunBudget) -> Iterator[Callable[[], None]]:
    yield lambda: None


_bounds: list[Bounds] = [_no_bounds]


def bounded_by(bounds: Bounds) -> None:
    """Set the limits of the operating system that apply to every guarded run of this process."""
    _bounds[:] = [bounds]


@contextlib.contextmanager
def guarded(running: GuardedRun, budget: RunBudget) -> Iterator[None]:
    """Raise an error from the code in the block as soon as it uses more than its budget: `run-time-limit` or
    `bar-time-limit` for the time, `memory-limit` for the memory, and RE10022 for a loop that certainly never ends.

    A run without a time limit, such as one that waits for a person, is not watched. A run in a browser cannot be
    watched, because Python has no threads there; instead, the page ends the worker that runs it.
    """
    if budget.seconds == math.inf or sys.platform == "emscripten":
        yield
        return
    with _no_words_about_overruns(), _bounds[0](budget) as next_bar:
        watch = _Watch(running, budget, next_bar)
        watch.start()
        try:
            yield
            watch.stop()
        except (Overrun, MemoryError) as overrun:
            watch.stop()
            raise _fault(overrun, running, budget, watch.used) from None
        finally:
            watch.stop()


def _fault(overrun: Overrun | MemoryError, running: GuardedRun, budget: RunBudget, used: str) -> RuntimeFault:
    fault = fault_of(_code(overrun), budget, used)
    fault.stack = running.stack(overrun.__traceback__)
    # The frames hold the values of the run, which may take up all the memory.
    overrun.__traceback__ = None
    return fault


def _code(overrun: Overrun | MemoryError) -> str:
    if isinstance(overrun, _TooLarge | MemoryError):
        return "memory-limit"
    if isinstance(overrun, _Endless):
        return "RE10022"
    return "bar-time-limit" if isinstance(overrun, _TooLongOnOneBar) else "run-time-limit"


def fault_of(code: str, budget: RunBudget, used: str) -> RuntimeFault:
    """Make the error of a run that used more than its budget. `used` is a phrase such as "5 s of processor time".
    `code` is `run-time-limit`, `bar-time-limit`, RE10022 or `memory-limit`."""
    limit = budget.bar_seconds if code == "bar-time-limit" else budget.seconds
    return RuntimeFault(code, used=used, limit=limit) if code in OWN_LIMITS else RuntimeFault(code)


def processor_time(seconds: float | None) -> str:
    """Return seconds of processor time as a phrase for messages; "longer" if they are not known (None)."""
    if seconds is None:
        return "longer"
    return f"{seconds:.3g} s of processor time"


@contextlib.contextmanager
def _no_words_about_overruns() -> Iterator[None]:
    """Print no message if Python drops an interruption, for example in a destructor; the run is interrupted again."""
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
    """A thread that watches a run."""

    def __init__(self, running: GuardedRun, budget: RunBudget, next_bar: Callable[[], object]) -> None:
        super().__init__(name="pine guard", daemon=True)
        self.running = running
        self.budget = budget
        self.watched = threading.get_ident()
        self._endless: FrameType | None = None
        """The frame that was at a loop without an end at the last check."""
        self.used = ""
        """The time that was used when the run was interrupted, in words."""
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
            # Before the first bar, no bar can take too long.
            if self.running.index != bar or bar < 0:
                bar, since = self.running.index, now
                self._begin_bar()
            elapsed = time.monotonic() - wall
            overrun = self._overrun(now - begin, now - since, elapsed, resident() - memory)
            if overrun is not None:
                self._interrupt(overrun)
                # Python drops an exception that is raised in a destructor or in garbage collection. Then interrupt
                # again.
                self._ended.wait(_AGAIN)

    def _overrun(self, seconds: float, bar_seconds: float, elapsed: float, memory: int) -> type[Overrun] | None:
        is_late, is_bar_over = elapsed > self.budget.wall_seconds, bar_seconds > self.budget.bar_seconds
        is_over = is_late or seconds > self.budget.seconds
        if is_over or is_bar_over or bar_seconds > _ENDLESS:
            before, self._endless = self._endless, self.running.endless(sys._current_frames().get(self.watched))
            # At the first time the loop may not have begun: the head of a function counts as its first statement.
            if self._endless is not None and before is None:
                return None
            if self._endless is not None and self._endless is before:
                return _Endless
        if is_over or is_bar_over:
            used = processor_time(seconds if is_over else bar_seconds)
            self.used = f"{elapsed:.3g} s on a busy machine ({_BUSY} times the limit)" if is_late else used
            return _TooSlow if is_over else _TooLongOnOneBar
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
        """End the watch: nothing is raised after this."""
        with self._lock:
            self._ended.set()
            self._endless = None


def _processor_clock(thread: int) -> Callable[[], float]:
    """Return a function that gives the seconds of processor time of a thread, or of the process if that is not
    possible."""
    try:
        number = time.pthread_getcpuclockid(thread)
    except (AttributeError, OSError):  # Windows and macOS do not have it.
        return time.process_time
    return lambda: time.clock_gettime(number)


def resident() -> int:
    """Return the bytes of memory that this process uses now, or its peak if that is not known; 0 if neither is
    known."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return _peak()


def _peak() -> int:
    try:
        import resource
    except ImportError:  # Windows does not have it.
        return 0
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if os.uname().sysname == "Darwin" else used * 1024
