"""A worker: a process that runs scripts. It answers one request after another, and ends when its parent ends.

A guard in the worker limits each run, and the operating system limits it too. A timer of processor time (SIGPROF) ends
the process if a run does not return from C code; its handler first writes which lines were running. Memory beyond the
budget is refused.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import pickle
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator

from pinebench.errors import PinebenchError
from pinebench.runtime import NotComputed, RunBudget, guard
from pinebench.workers import worker_protocol

GRACE = 1.0
"""The seconds after the end of its budget in which the guard can stop a run, before the system ends the process."""
_SLACK = 256 << 20
"""The bytes beyond its budget that a run may reserve before the system refuses more."""
_GROWN = 128 << 20
"""A worker that uses this many bytes more than at its beginning is replaced."""
_MOST_ASKED = 1 << 31
_DIES_WITH_PARENT = 1
_lasting: list[bool] = []
"""Not empty if this process keeps something for later requests, so that it is not replaced after it has grown."""


def last() -> None:
    """Keep this process for later requests of its owner, even if its memory has grown. A job in the worker calls this
    function."""
    _lasting.append(True)


def serve(reading: int, writing: int, parent: int | None) -> None:
    """Answer requests until the pipe is closed or the memory has grown, then end the process. `parent` is the process
    that forked this one, or None."""
    try:
        _end_with(parent)
        _limit_files()
        gc.freeze()
        begin = guard.resident()
        guard.bounded_by(_Bounds(writing))
        asked = _listen(reading)
        while True:
            told = _answer(asked.get())
            grown = not _lasting and guard.resident() - begin > _GROWN
            worker_protocol.send(writing, bytes([grown]) + told)
            if grown:
                break
            del told
            gc.collect()
    except OSError:
        pass  # The process that sent the request is gone.
    finally:
        os._exit(0)


def _listen(reading: int) -> queue.SimpleQueue[bytes]:
    """Return a queue of messages. A thread reads them, so that the process ends as soon as the pipe is closed."""
    came: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        try:
            while True:
                came.put(worker_protocol.receive(reading, _MOST_ASKED))
        except (worker_protocol.WireError, OSError):
            os._exit(0)

    threading.Thread(target=listen, name="requests", daemon=True).start()
    return came


def _answer(message: bytes) -> bytes:
    """Return the pickled answer to a request: a word such as `done` or `refused`, and the result or the error."""
    try:
        job, request = pickle.loads(message)
        return worker_protocol.answer(("done", job(request)))
    except NotComputed as refusal:
        return pickle.dumps(("not computed", (refusal.name, refusal.line, refusal.hint)))
    except PinebenchError as error:
        return pickle.dumps(("refused", (type(error).__name__, error.exit_code, error.message, error.hint)))
    except MemoryError:
        return pickle.dumps(("memory", ()))
    except Exception:  # a fault of ours: the parent raises it with this traceback, and the worker can go on
        return pickle.dumps(("failed", (traceback.format_exc(),)))


# what holds a run


class _Bounds:
    """The limits of the operating system for each guarded run."""

    def __init__(self, writing: int) -> None:
        self._clocks = _clocks(writing)

    @contextlib.contextmanager
    def __call__(self, budget: RunBudget) -> Iterator[Callable[[], object]]:
        """Set the limits for a run. Yield a function that restarts the timer of a single bar."""
        run, bar = self._clocks
        before = _limit_memory(budget.memory + _SLACK)
        run(budget.seconds + GRACE)
        bar(budget.bar_seconds + GRACE)
        try:
            yield lambda: bar(budget.bar_seconds + GRACE)
        finally:
            run(0)
            bar(0)
            before()


Clock = Callable[[float], object]
"""Sets the seconds after which the process ends; 0 means never."""


def _clocks(writing: int) -> tuple[Clock, Clock]:
    """Return the timers of a whole run and of one bar. A timer that ends the process first writes which lines are
    running.

    They count processor time. On Windows there is only the timer of the whole run, and it counts elapsed time.
    """
    faulthandler.enable(writing)
    if not hasattr(signal, "setitimer"):  # Windows

        def later(seconds: float) -> None:
            if seconds:
                faulthandler.dump_traceback_later(seconds, exit=True, file=writing)
            else:
                faulthandler.cancel_dump_traceback_later()

        return later, lambda _: None
    for number in (signal.SIGPROF, signal.SIGVTALRM):
        signal.signal(number, signal.SIG_DFL)
        faulthandler.register(number, writing, all_threads=True, chain=True)
    return (
        lambda seconds: signal.setitimer(signal.ITIMER_PROF, seconds),
        lambda seconds: signal.setitimer(signal.ITIMER_VIRTUAL, seconds),
    )


def _limit_memory(more: int) -> Callable[[], None]:
    """Limit this process to `more` bytes beyond its present memory. Return a function that removes the limit."""
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            now = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = now + more if hard == resource.RLIM_INFINITY else min(now + more, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    except (ImportError, OSError, ValueError):  # On such a system only the guard inside limits memory.
        return lambda: None
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _limit_files() -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    for kind in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        # Some systems do not accept these limits.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (0, 0))


def _end_with(parent: int | None) -> None:
    """Make the system end this process when its parent ends, even while a script is running. Only on Linux."""
    if parent is None or sys.platform != "linux":
        return
    import ctypes

    ctypes.CDLL(None).prctl(_DIES_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


# how a worker begins


def begin_forked(reading: int, writing: int, parent: int) -> None:
    """Become a worker, in a process that was just forked."""
    try:
        os.setpgid(0, 0)
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL)
        _close_others(reading, writing)
    except BaseException:  # a forked process must never go on in the code of its parent
        os._exit(1)
    serve(reading, writing, parent)


def _close_others(*kept: int) -> None:
    """Close every file except `kept`, because the ends of other workers' pipes would stay open here."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    first = 3
    for number in sorted(kept):
        os.closerange(first, number)
        first = number + 1
    os.closerange(first, min(os.sysconf("SC_OPEN_MAX"), 1 << 16))


def breed(control: int) -> None:
    """Fork a worker for each pair of pipes that arrives, and send its process id, until the socket `control` is closed.

    This process has already loaded all modules that scripts need. It has no other threads.
    """
    import socket

    from pinebench.workers import jobs

    jobs.load()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # The system removes workers that have ended.
    gc.freeze()
    own = os.getpid()
    with socket.socket(fileno=control) as asked:
        while True:
            _, files, _, _ = socket.recv_fds(asked, 1, 2)
            if len(files) != 2:
                os._exit(0)
            number = os.fork()
            if not number:
                begin_forked(files[0], files[1], own)
            for file in files:
                os.close(file)
            asked.sendall(number.to_bytes(8, "big"))


def begin(control: int | None) -> None:
    """Start in a new interpreter. With the socket `control`, fork workers; without it, answer requests on standard
    input and output."""
    if control is not None:
        breed(control)
    reading, writing = os.dup(0), os.dup(1)
    if sys.platform == "win32":
        import msvcrt

        for file in (reading, writing):
            msvcrt.setmode(file, os.O_BINARY)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):
        os.dup2(nothing, number)
    serve(reading, writing, None)
