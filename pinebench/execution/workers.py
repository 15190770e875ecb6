"""Workers as their parent sees them: how they are started, asked, watched from outside and ended.

On Linux a process without other threads forks its workers itself. Everywhere else on POSIX a small process that stays
warm forks them (`worker.breed`), and where nothing can be forked a worker is a new interpreter.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from pinebench.context import Context
from pinebench.execution import wire
from pinebench.execution.request import Stop

AT_ONCE = 4
"""Workers that run at the same time; further requests wait for their turn."""
_KEPT = 2
"""Workers that are kept warm."""
_EACH = 0.05
"""Seconds between two looks at a worker that runs."""
_LAST_WORDS = 0.5
"""Seconds that a worker has to write which lines are running, before it is killed."""
_GRACE = 10.0
"""Seconds of the processor that reading, checking and answering may take beside a run."""
_BUSY = 5
"""A busy machine may take so many times the seconds that a request may."""
_MOST_ANSWERED = 2 << 30
_FRAME = re.compile(rb'File "(<pine[^"\n]*>)", line (\d+) in (\S+)')


class Ended(Exception):
    """A worker had to be ended, or ended by itself; `stop` says why, None where nobody knows.

    `spent` are the seconds of the processor that it had for the request, None where that is not known.
    """

    def __init__(self, stop: Stop | None, spent: float | None = None) -> None:
        super().__init__("a worker ended")
        self.stop = stop
        self.spent = spent


class Worker:
    """One process that runs scripts, and the pipes to it."""

    def __init__(self, asking: int, answering: int, number: int, end: Callable[[], None]) -> None:
        """`asking` and `answering` are our ends of the pipes, `number` is the process, `end` ends it at once."""
        self._asking = asking
        self._answering = answering
        self.number = number
        self._end = end
        self.is_fit = True
        """Whether it can be asked again."""

    def ask(self, message: bytes, seconds: float, memory: int, context: Context) -> Any:
        """One request and its answer.

        The run is ended after `seconds` of the processor, with `memory` bytes more than at its begin, or when the
        context says so. Raises Ended, and what `context.check` raises.
        """
        watch = _Watch(self, seconds, memory, context)
        self.is_fit = False
        try:
            with watch:
                wire.send(self._asking, message)
                told = wire.receive(self._answering, _MOST_ANSWERED)
        except (wire.Broken, OSError) as error:
            context.check()
            raise Ended(_why(watch.why, error), watch.spent) from None
        self.is_fit = not told[0]
        return wire.answer_of(told[1:])

    def end(self) -> None:
        """End the process, whatever it does, and close the pipes. May be called again."""
        if self._asking >= 0:
            self._end()
            self.close()

    def close(self) -> None:
        """Close the pipes; a worker whose pipes nobody holds ends."""
        self.is_fit = False
        for file in (self._asking, self._answering):
            if file >= 0:
                os.close(file)
        self._asking = self._answering = -1

    def kill(self) -> None:
        """End the process; whoever waits for its answer is told."""
        self._signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)

    def stop(self) -> None:
        """End the process once it has written which lines are running."""
        if sys.platform != "win32":
            self._signal(signal.SIGPROF)

    def _signal(self, number: int) -> None:
        with contextlib.suppress(OSError):
            os.kill(self.number, number)


def _why(code: str | None, error: Exception) -> Stop | None:
    """Why a process ended, and at which lines: who watched it says the `code`, else the system's clock ended it.

    None for a process that ended in another way.
    """
    left = error.left if isinstance(error, wire.Broken) else b""
    frames = tuple((file.decode(), int(row), name.decode()) for file, row, name in _FRAME.findall(left))
    if code is not None:
        return Stop(code, frames)
    is_clock = b"(most recent call first)" in left and b"Fatal Python error" not in left
    return Stop("RE10110", frames) if is_clock else None


class _Watch(threading.Thread):
    """Looks at a worker from outside while it runs, and ends it when it uses more than it may."""

    def __init__(self, worker: Worker, seconds: float, memory: int, context: Context) -> None:
        super().__init__(name="worker watch", daemon=True)
        self.worker = worker
        self.context = context
        self.why: str | None = None
        """The error of what the worker used too much of."""
        self.spent: float | None = None
        """Seconds of the processor that the worker had when it was last looked at."""
        self._seconds = seconds
        self._memory = memory
        self._over = threading.Event()

    def __enter__(self) -> _Watch:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        # Where no thread is left, this process forks the next worker by itself.
        self.join()

    def run(self) -> None:
        """Look until the answer is there."""
        wall, begin = time.monotonic(), _used(self.worker.number)
        while not self._over.wait(_EACH):
            self.why = self._excess(time.monotonic() - wall, begin)
            if self.why is not None:
                self.worker.stop()
                self._over.wait(_LAST_WORDS)
            if self.why is not None or self._is_called_off():
                if not self._over.is_set():
                    self.worker.kill()
                return

    def _excess(self, wall: float, begin: tuple[float, int] | None) -> str | None:
        """The error of what the worker uses too much of."""
        now = _used(self.worker.number)
        if begin is None or now is None:
            return "RE10110" if wall > self._seconds else None
        self.spent = now[0] - begin[0]
        if self.spent > self._seconds or wall > self._seconds * _BUSY:
            return "RE10110"
        return "RE10139" if now[1] - begin[1] > self._memory else None

    def _is_called_off(self) -> bool:
        try:
            self.context.check()
        except Exception:
            return True
        return False


def _used(number: int) -> tuple[float, int] | None:
    """Seconds of the processor and bytes of memory that a process has used; None where that cannot be known."""
    try:
        with open(f"/proc/{number}/stat", encoding="ascii", errors="replace") as file:
            told = file.read().rpartition(")")[2].split()
        ticks = int(told[11]) + int(told[12])
        return ticks / os.sysconf("SC_CLK_TCK"), int(told[21]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


# starting


def _pipes() -> tuple[int, int, int, int]:
    """Where a worker reads and we write, and where we read and it writes."""
    return (*os.pipe(), *os.pipe())


class Nursery:
    """Starts workers; safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._breeder: tuple[subprocess.Popen[bytes], Any] | None = None

    def start(self) -> Worker:
        """A new worker."""
        if not hasattr(os, "fork"):
            return _spawned()
        alone = threading.active_count() == 1 and threading.current_thread() is threading.main_thread()
        return _forked() if alone and sys.platform == "linux" else self._bred()

    def warm(self) -> None:
        """Have what forks workers ready before the first is needed."""
        if hasattr(os, "fork"):
            with self._lock:
                self._running()

    def _bred(self) -> Worker:
        reading, asking, answering, writing = _pipes()
        try:
            with self._lock:
                try:
                    number = self._fork([reading, writing])
                except OSError:  # Somebody ended the process that forks: another one does it.
                    self._stop()
                    number = self._fork([reading, writing])
        finally:
            os.close(reading)
            os.close(writing)
        worker = Worker(asking, answering, number, lambda: worker.kill())
        return worker

    def _fork(self, files: list[int]) -> int:
        """The number of a new worker with these pipes. Raises OSError where nobody forks it."""
        import socket

        control = self._running()
        socket.send_fds(control, [b"w"], files)
        return int.from_bytes(_whole(control, 8), "big")

    def _running(self) -> Any:
        """The socket of the process that forks workers; it is started where there is none."""
        import socket

        if self._breeder is not None and self._breeder[0].poll() is None:
            return self._breeder[1]
        self._stop()
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(
                _command(theirs.fileno()),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        self._breeder = process, ours
        return ours

    def forget(self) -> None:
        """Leave that process to the one that this process was forked from."""
        self._lock = threading.Lock()
        if self._breeder is not None:
            process, control = self._breeder
            self._breeder = None
            control.close()
            process.returncode = 0  # It is not ours to wait for.

    def close(self) -> None:
        """End the process that forks workers."""
        with self._lock:
            self._stop()

    def _stop(self) -> None:
        if self._breeder is None:
            return
        process, control = self._breeder
        self._breeder = None
        control.close()
        process.kill()
        process.wait()


def _whole(control: Any, size: int) -> bytes:
    """So many bytes of a socket. Raises OSError where it is closed."""
    found = b""
    while len(found) < size:
        part = control.recv(size - len(found))
        if not part:
            raise ConnectionError
        found += part
    return found


def _forked() -> Worker:
    from pinebench.execution import worker as child

    reading, asking, answering, writing = _pipes()
    parent = os.getpid()
    number = os.fork()
    if not number:
        child.begin_forked(reading, writing, parent)
    os.close(reading)
    os.close(writing)

    def end() -> None:
        worker.kill()
        with contextlib.suppress(ChildProcessError):
            os.waitpid(number, 0)

    worker = Worker(asking, answering, number, end)
    return worker


def _command(control: int | None) -> list[str]:
    """The command line of an interpreter that finds what this one finds, and nothing in its current folder."""
    places = [place for place in sys.path if place]
    begin = f"import sys; sys.path[:] = {places!r}; from pinebench.execution.worker import begin; begin({control!r})"
    return [sys.executable, "-I", "-c", begin]


def _spawned() -> Worker:
    process = subprocess.Popen(
        _command(None),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    asking, answering = os.dup(process.stdin.fileno()), os.dup(process.stdout.fileno())
    process.stdin.close()
    process.stdout.close()

    def end() -> None:
        process.kill()
        process.wait()

    return Worker(asking, answering, process.pid, end)


# sharing


class Pool:
    """Workers that take one request after the other; safe to use from many threads."""

    def __init__(self) -> None:
        self._nursery = Nursery()
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._free: list[Worker] = []
        self._busy: set[Worker] = set()
        self._turn = threading.BoundedSemaphore(AT_ONCE)

    def ask(self, job: Callable[[Any], Any], request: Any, seconds: float, memory: int, context: Context) -> Any:
        """What a worker answers to `job` of `request`: a word that says what came, and the rest of it.

        Raises Ended where the worker had to be ended, and what `context.check` raises.
        """
        message = pickle.dumps((job, request), pickle.HIGHEST_PROTOCOL)
        self._wait(context)
        try:
            return self._ask(message, seconds + _GRACE, memory, context)
        finally:
            self._turn.release()

    def _ask(self, message: bytes, seconds: float, memory: int, context: Context) -> Any:
        with self._lock:
            known = self._free.pop() if self._free else None
        worker = known or self._nursery.start()
        with self._lock:
            self._busy.add(worker)
        try:
            return worker.ask(message, seconds, memory, context)
        except Ended as ended:
            # Somebody may have ended a worker while it waited: another one is asked.
            if ended.stop is not None or known is None:
                raise
        finally:
            self._give_back(worker)
        return self._ask(message, seconds, memory, context)

    def _wait(self, context: Context) -> None:
        while not self._turn.acquire(timeout=0.1):
            context.check()

    def _give_back(self, worker: Worker) -> None:
        with self._lock:
            self._busy.discard(worker)
            keeps = worker.is_fit and len(self._free) < _KEPT
            if keeps:
                self._free.append(worker)
        if not keeps:
            worker.end()

    def warm(self) -> None:
        """Have a worker ready before the first request comes."""
        with self._lock:
            has_none = not self._free and not self._busy
        if has_none:
            self._give_back(self._nursery.start())

    def close(self) -> None:
        """End all workers; whoever waits for one is told. The pool can be used again."""
        with self._lock:
            free, self._free = self._free, []
            busy = list(self._busy)
        for worker in busy:
            worker.kill()
        for worker in free:
            worker.end()
        self._nursery.close()

    def forget(self) -> None:
        """Leave the workers to the process that this one was forked from."""
        for worker in (*self._free, *self._busy):
            worker.close()
        self._nursery.forget()
        self._begin()


shared = Pool()
"""The workers of this process, which end with it."""

atexit.register(shared.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=shared.forget)
