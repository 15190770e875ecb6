"""Stops a run that takes too long or too much memory, without any cost to one that does not."""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from pinebench.runtime.faults import RuntimeFault

_EACH = 0.02
"""Seconds between two looks at a run."""
_AGAIN = 0.5
"""Seconds that a run has to end once it was interrupted, before it is interrupted again."""


@dataclass(frozen=True)
class Budget:
    """What a run may use: seconds in all and on one bar, and bytes of memory beside what was there before."""

    seconds: float = 40
    bar_seconds: float = 20
    memory: int = 1 << 30


class Running(Protocol):
    """What is watched: the number of the bar that runs."""

    index: int


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


@contextlib.contextmanager
def guarded(running: Running, budget: Budget) -> Iterator[None]:
    """Raise RE10110, RE10022 or RE10139 from the code within, as soon as it uses more than its budget."""
    watch = _Watch(running, budget)
    watch.start()
    try:
        yield
        watch.stop()
    except Overrun as overrun:
        watch.stop()
        raise _fault(overrun, budget) from None
    finally:
        watch.stop()


def _fault(overrun: Overrun, budget: Budget) -> RuntimeFault:
    if isinstance(overrun, _TooLarge):
        return RuntimeFault("RE10139")
    if isinstance(overrun, _TooLongOnOneBar):
        return RuntimeFault("RE10022")
    return RuntimeFault("RE10110", seconds=budget.seconds)


class _Watch(threading.Thread):
    """Looks at a run from beside it."""

    def __init__(self, running: Running, budget: Budget) -> None:
        super().__init__(name="pine guard", daemon=True)
        self.running = running
        self.budget = budget
        self.watched = threading.get_ident()
        self._ended = threading.Event()
        self._lock = threading.Lock()

    def run(self) -> None:
        begin = time.monotonic()
        memory = resident()
        bar, since = self.running.index, begin
        while not self._ended.wait(_EACH):
            now = time.monotonic()
            # Before the first bar there is none that could take too long.
            if self.running.index != bar or bar < 0:
                bar, since = self.running.index, now
            overrun = self._overrun(now - begin, now - since, resident() - memory)
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

    def _interrupt(self, kind: type[Overrun]) -> None:
        with self._lock:
            if not self._ended.is_set():
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.watched), ctypes.py_object(kind))

    def stop(self) -> None:
        """The run is over: nothing is raised any more."""
        with self._lock:
            self._ended.set()


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
