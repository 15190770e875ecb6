"""The parent's side of workers: starts them, sends them requests, monitors them and ends them.

On Linux, a process without other threads forks its workers itself. In other cases on POSIX, a small preloaded process
forks them (`worker.breed`). On systems without `fork`, a worker is a new interpreter.
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
from pinebench.workers import worker_protocol
from pinebench.workers.request import WorkerStop

AT_ONCE = 4
"""The number of workers that may run at the same time. Further requests wait for their turn."""
_KEPT = 2
"""The number of idle workers that are kept for later requests."""
_EACH = 0.05
"""The seconds between two checks of a running worker."""
_LAST_WORDS = 0.5
"""The seconds that a worker gets to write which lines are running, before it is killed."""
GRACE = 10.0
"""The seconds of processor time that reading, checking and answering may take in addition to a run."""
_BUSY = 5
"""The elapsed time of a request may be this many times its processor time, because the machine may be busy."""
_MOST_ANSWERED = 2 << 30
_FRAME = re.compile(rb'File "(<pine[^"\n]*>)", line (\d+) in (\S+)')


class WorkerEnded(Exception):
    """A worker had to be ended, or ended by itself. `stop` is the reason, None if unknown. `spent` is the processor
    time in seconds that it used for the request, None if unknown."""

    def __init__(self, stop: WorkerStop | None, spent: float | None = None) -> None:
        super().__init__("a worker ended")
        self.stop = stop
        self.spent = spent


class Worker:
    """One process that runs scripts, and the pipes to it."""

    def __init__(self, asking: int, answering: int, number: int, end: Callable[[], None]) -> None:
        """`asking` and `answering` are our ends of the pipes, `number` is the process id, `end` kills the process."""
        self._asking = asking
        self._answering = answering
        self.number = number
        self._end = end
        self.is_fit = True
        """Whether the worker can get another request."""

    def ask(self, message: bytes, seconds: float, memory: int, context: Context) -> Any:
        """Send one request and return its answer.

        The process is ended after `seconds` of processor time (or five times as long on the clock), if it uses `memory`
        bytes more than at the beginning, or if `context.check` raises. Raises WorkerEnded, and the errors of
        `context.check`.
        """
        watch = _WorkerWatch(self, seconds, memory, context)
        self.is_fit = False
        try:
            with watch:
                worker_protocol.send(self._asking, message)
                told = worker_protocol.receive(self._answering, _MOST_ANSWERED)
        except (worker_protocol.WireError, OSError) as error:
            context.check()
            raise WorkerEnded(_why(watch.why, error), watch.spent) from None
        self.is_fit = not told[0]
        return worker_protocol.answer_of(told[1:])

    def end(self) -> None:
        """Kill the process immediately and close the pipes. May be called again."""
        if self._asking >= 0:
            self._end()
            self.close()

    def close(self) -> None:
        """Close the pipes. A worker ends after its pipes are closed in all other processes."""
        self.is_fit = False
        for file in (self._asking, self._answering):
            if file >= 0:
                os.close(file)
        self._asking = self._answering = -1

    def kill(self) -> None:
        """Kill the process. A thread that waits for its answer gets an error."""
        self._signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)

    def stop(self) -> None:
        """Make the process write which lines are running, and then end. Do nothing on Windows."""
        if sys.platform != "win32":
            self._signal(signal.SIGPROF)

    def _signal(self, number: int) -> None:
        with contextlib.suppress(OSError):
            os.kill(self.number, number)


def _why(code: str | None, error: Exception) -> WorkerStop | None:
    """Return the reason why a process ended, with the lines that were running; None if it ended for another reason.

    `code` is the reason of the thread that monitored the process. Without a code, the system's timer may have ended it.
    """
    left = error.left if isinstance(error, worker_protocol.WireError) else b""
    frames = tuple((file.decode(), int(row), name.decode()) for file, row, name in _FRAME.findall(left))
    if code is not None:
        return WorkerStop(code, frames)
    is_clock = b"(most recent call first)" in left and b"Fatal Python error" not in left
    return WorkerStop("run-time-limit", frames) if is_clock else None


class _WorkerWatch(threading.Thread):
    """A thread that monitors a worker during a request, and ends it if it exceeds its limits."""

    def __init__(self, worker: Worker, seconds: float, memory: int, context: Context) -> None:
        super().__init__(name="worker watch", daemon=True)
        self.worker = worker
        self.context = context
        self.why: str | None = None
        """The code of the runtime error for the limit that the worker exceeded, None if it did not exceed one."""
        self.spent: float | None = None
        """The processor time in seconds that the worker had used at the last check."""
        self._seconds = seconds
        self._memory = memory
        self._over = threading.Event()

    def __enter__(self) -> _WorkerWatch:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        # Only if there is no other thread, this process forks the next worker by itself.
        self.join()

    def run(self) -> None:
        """Check the worker until the answer has arrived."""
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
        """Return the code of the runtime error for the limit that the worker exceeds now; None if it exceeds none."""
        now = _used(self.worker.number)
        if begin is None or now is None:
            return "run-time-limit" if wall > self._seconds else None
        self.spent = now[0] - begin[0]
        if self.spent > self._seconds or wall > self._seconds * _BUSY:
            return "run-time-limit"
        return "memory-limit" if now[1] - begin[1] > self._memory else None

    def _is_called_off(self) -> bool:
        try:
            self.context.check()
        except Exception:  # whatever it raises ends the run: `ask` calls it again, and raises it to the caller
            return True
        return False


def _used(number: int) -> tuple[float, int] | None:
    """Return the processor seconds and the bytes of memory that a process has used; None if they are unknown."""
    try:
        with open(f"/proc/{number}/stat", encoding="ascii", errors="replace") as file:
            told = file.read().rpartition(")")[2].split()
        ticks = int(told[11]) + int(told[12])
        return ticks / os.sysconf("SC_CLK_TCK"), int(told[21]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


# starting


def _pipes() -> tuple[int, int, int, int]:
    """Make two pipes. The worker reads from the first and writes to the last of the four files."""
    return (*os.pipe(), *os.pipe())


NICENESS = 5
"""The amount by which the niceness of workers is above the niceness of a process to which they give way."""


class Nursery:
    """Starts workers. Any thread may use it."""

    def __init__(self, niceness: int = 0) -> None:
        """Workers with a `niceness` (as of `nice`) give way to this process when processors are busy."""
        self.niceness = niceness
        self._lock = threading.Lock()
        self._breeder: tuple[subprocess.Popen[bytes], Any] | None = None

    def start(self) -> Worker:
        """Start a new worker."""
        if not hasattr(os, "fork"):
            return _spawned()
        alone = threading.active_count() == 1 and threading.current_thread() is threading.main_thread()
        return _forked() if alone and sys.platform == "linux" else self._bred()

    def warm(self) -> None:
        """Start the process that forks workers, before the first worker is needed."""
        if hasattr(os, "fork"):
            with self._lock:
                self._running()

    def _bred(self) -> Worker:
        reading, asking, answering, writing = _pipes()
        try:
            with self._lock:
                try:
                    number = self._fork([reading, writing])
                except OSError:  # The process that forks workers was ended: start another one.
                    self._stop()
                    number = self._fork([reading, writing])
        finally:
            os.close(reading)
            os.close(writing)
        worker = Worker(asking, answering, number, lambda: worker.kill())
        return worker

    def _fork(self, files: list[int]) -> int:
        """Fork a worker with these pipes and return its process id. Raises OSError if that fails."""
        import socket

        control = self._running()
        socket.send_fds(control, [b"w"], files)
        return int.from_bytes(_whole(control, 8), "big")

    def _running(self) -> Any:
        """Return the socket of the process that forks workers, and start this process if it does not run."""
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
        if self.niceness:
            with contextlib.suppress(OSError):  # then they have the same priority
                own = os.getpriority(os.PRIO_PROCESS, 0)
                os.setpriority(os.PRIO_PROCESS, process.pid, own + self.niceness)
        return ours

    def forget(self) -> None:
        """Forget the process that forks workers, because it belongs to the parent of this forked process."""
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
    """Read `size` bytes from a socket. Raises OSError if it is closed."""
    found = b""
    while len(found) < size:
        part = control.recv(size - len(found))
        if not part:
            raise ConnectionError
        found += part
    return found


def _forked() -> Worker:
    from pinebench.workers import worker as child

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
    """Return the command line of an interpreter with the same import folders, without the current folder."""
    places = [place for place in sys.path if place]
    begin = f"import sys; sys.path[:] = {places!r}; from pinebench.workers.worker import begin; begin({control!r})"
    return [sys.executable, "-I", "-c", begin]


def _spawned() -> Worker:
    process = subprocess.Popen(_command(None), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
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
    """A pool of workers; each handles one request at a time. Any thread may use it."""

    def __init__(self) -> None:
        self._nursery = Nursery()
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._free: list[Worker] = []
        self._busy: set[Worker] = set()
        self._turn = threading.BoundedSemaphore(AT_ONCE)

    def ask(self, job: Callable[[Any], Any], request: Any, seconds: float, memory: int, context: Context) -> Any:
        """Run `job(request)` in a worker and return its answer: a word for the kind of answer, and its content.

        Raises WorkerEnded if the worker had to be ended, and the errors of `context.check`.
        """
        message = pickle.dumps((job, request), pickle.HIGHEST_PROTOCOL)
        self._wait(context)
        try:
            return self._ask(message, seconds + GRACE, memory, context)
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
        except WorkerEnded as ended:
            # A worker may have been ended while it was idle: try another one.
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

    def lasting(self) -> Worker:
        """Start a worker for the caller alone, for requests that belong together. The caller must end it."""
        return self._nursery.start()

    def warm(self) -> None:
        """Start a worker before the first request arrives."""
        with self._lock:
            has_none = not self._free and not self._busy
        if has_none:
            self._give_back(self._nursery.start())

    def close(self) -> None:
        """End all workers. Threads that wait for an answer get an error. The pool can be used again."""
        with self._lock:
            free, self._free = self._free, []
            busy = list(self._busy)
        for worker in busy:
            worker.kill()
        for worker in free:
            worker.end()
        self._nursery.close()

    def forget(self) -> None:
        """Forget the workers, because they belong to the parent of this forked process."""
        for worker in (*self._free, *self._busy):
            worker.close()
        self._nursery.forget()
        self._begin()


shared = Pool()
"""The workers of this process. They end when it ends."""

atexit.register(shared.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=shared.forget)
