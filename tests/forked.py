"""Starts `pinebench` in processes of their own, without the second that a new interpreter takes to import everything.

A nursery is an interpreter that has imported what commands use, and does nothing else. Each command is a fork of it,
with its own arguments, folder, environment and streams, and it ends as `python -m pinebench` does, but for the freeing
of what the interpreter holds. What concerns the start of the interpreter itself (imports, streams that are closed,
signals while it starts) is tested with a new one.

A fork of a process can hang for reasons that a new process does not have. If one hangs, the test warns where, and the
command runs once more in a new interpreter, whose result counts.
"""

import atexit
import contextlib
import faulthandler
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests import homes

_CHECKOUT = Path(__file__).resolve().parents[1]
_MOST = 1 << 20
_WHERE = signal.SIGUSR1
"""The signal on which a command writes what its threads are doing."""
_PATIENCE = 90
"""The seconds that a command gets as a fork."""
_IMPORTED = (
    *("PIL.Image", "anthropic", "numpy", "platformdirs.unix", "queue", "tomllib", "xml.etree.ElementTree"),
    *("pinebench.authoring.author", "pinebench.backtesting.trade_list", "pinebench.charts.bar_cut"),
    *("pinebench.checker.hints", "pinebench.compiled.tiers", "pinebench.files.outputs", "pinebench.files.workbook"),
    *("pinebench.linter.batch", "pinebench.linter.report.json", "pinebench.linter.rules", "pinebench.linter.suggest"),
    *("pinebench.market.bar_choice", "pinebench.market.feeds.candles", "pinebench.market.information"),
    *("pinebench.testing.goals", "pinebench.why.near_misses", "pinebench.workers.dispatch", "pinebench.workers.worker"),
)
"""What most commands import once they know what they do: each would otherwise take 30 ms for it."""
_SHORTLY = 90
"""The seconds that the nursery gets to start a command, and that the last output of a command gets to arrive."""


class Running:
    """A command that was started, with pipes or the given file descriptors as its streams."""

    def __init__(self, reply: socket.socket, number: int) -> None:
        self._reply = reply
        self.pid = number

    def wait(self, seconds: float) -> int:
        """Wait until it ends; the exit code, or minus the signal.

        Raises TimeoutError. Before that, the command writes to standard error where it hangs, and is killed.
        """
        self._reply.settimeout(seconds)
        try:
            told = self._reply.recv(64)
        except TimeoutError:
            os.kill(self.pid, _WHERE)
            time.sleep(1)
            os.kill(self.pid, signal.SIGKILL)
            raise
        finally:
            self._reply.close()
        return os.waitstatus_to_exitcode(int(told))


def start(
    arguments: Sequence[str], *, folder: Path, environment: Mapping[str, str], streams: tuple[int, int, int]
) -> Running:
    """Start `pinebench ARGUMENTS` in `folder` with exactly this environment. `streams` stay open here."""
    # Messages stay apart: the number of the process, and how it ended.
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    request = json.dumps([list(arguments), str(folder), dict(environment)]).encode()
    with theirs, _lock:
        nursery = _nursery()
        socket.send_fds(nursery, [len(request).to_bytes(4, "big")], [*streams, theirs.fileno()])
        nursery.sendall(request)
    ours.settimeout(_SHORTLY)
    return Running(ours, int(ours.recv(64)))


def run(
    arguments: Sequence[str], *, folder: Path, environment: Mapping[str, str], stdin: bytes, seconds: float
) -> tuple[int, bytes, bytes]:
    """Run `pinebench ARGUMENTS` and wait for it: its exit code, and what it wrote to both streams.

    Raises subprocess.TimeoutExpired if it does not end within `seconds` in a new interpreter either.
    """
    try:
        return _run(arguments, folder=folder, environment=environment, stdin=stdin, seconds=_PATIENCE)
    except (OSError, ValueError) as error:
        warnings.warn(f"a fork failed, so the command ran in a new interpreter: {error}", stacklevel=2)
    _started.clear()
    command = [sys.executable, "-m", "pinebench", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=dict(environment), input=stdin, capture_output=True, timeout=seconds, check=False
    )
    return done.returncode, done.stdout, done.stderr


def _run(
    arguments: Sequence[str], *, folder: Path, environment: Mapping[str, str], stdin: bytes, seconds: float
) -> tuple[int, bytes, bytes]:
    """Run a command as a fork. Raises TimeoutError where it, or a process that it left and that has its streams, does
    not end, and OSError or ValueError if the nursery is gone."""
    pipes = [os.pipe() for _ in range(3)]
    (input_end, into), (out, output_end), (err, errors_end) = pipes
    running = start(arguments, folder=folder, environment=environment, streams=(input_end, output_end, errors_end))
    for number in (input_end, output_end, errors_end):
        os.close(number)
    read: dict[int, bytes] = {}

    def write() -> None:
        with contextlib.suppress(BrokenPipeError), open(into, "wb") as file:
            file.write(stdin)

    def keep(number: int) -> None:
        with open(number, "rb") as file:
            read[number] = file.read()

    threads = [
        threading.Thread(target=write, daemon=True),
        *(threading.Thread(target=keep, args=(each,), daemon=True) for each in (out, err)),
    ]
    for thread in threads:
        thread.start()
    try:
        code = running.wait(seconds)
    except TimeoutError:
        threads[2].join(_SHORTLY)
        raise TimeoutError(f"pinebench {' '.join(arguments)} hangs:\n{read.get(err, b'').decode()}") from None
    for thread in threads:
        thread.join(_SHORTLY)
        if thread.is_alive():
            raise TimeoutError(f"pinebench {' '.join(arguments)} ended, and a process that it left has its streams")
    return code, read[out], read[err]


_lock = threading.Lock()
_started: list[socket.socket] = []


def _nursery() -> socket.socket:
    """The way to the nursery, which is started when it is first needed and ends with this process."""
    if not _started:
        ours, theirs = socket.socketpair()
        environment = {**os.environ, "PYTHONPATH": str(_CHECKOUT), "PYTHONIOENCODING": "utf-8"}
        command = [sys.executable, "-m", "tests.forked", str(theirs.fileno())]
        subprocess.Popen(
            command, cwd=_CHECKOUT, env=environment, pass_fds=[theirs.fileno()], start_new_session=True
        ).returncode = 0  # nobody waits for it
        theirs.close()
        atexit.register(ours.close)
        _started.append(ours)
    return _started[0]


# the nursery


def _serve(requests: socket.socket) -> None:
    """Fork once for each request, and tell how each command ended. Only a command itself returns, or the end."""
    import gc

    homes.watch()
    _import_all()
    gc.collect()
    gc.freeze()
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    replies: dict[int, int] = {}
    while True:
        ready = select.select([requests, woken], [], [])[0]
        if woken in ready:
            os.read(woken, _MOST)
            _tell_ended(replies)
        if requests not in ready:
            continue
        head, numbers, _flags, _address = socket.recv_fds(requests, 4, 4)
        if not head:
            return
        length = int.from_bytes(head, "big")
        body = b""
        while len(body) < length:
            body += requests.recv(min(_MOST, length - len(body)))
        *streams, reply = numbers
        number = os.fork()
        if number == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            requests.close()
            for own in (woken, wakes, reply, *replies.values()):
                os.close(own)
            _become(json.loads(body), list(streams))
            return
        for stream in streams:
            os.close(stream)
        replies[number] = reply
        with contextlib.suppress(BrokenPipeError):
            os.write(reply, str(number).encode())


def _tell_ended(replies: dict[int, int]) -> None:
    """Tell those who wait how the commands ended that have ended by now."""
    while replies:
        number, status = os.waitpid(-1, os.WNOHANG)
        if number == 0:
            return
        reply = replies.pop(number)
        with contextlib.suppress(BrokenPipeError):  # nobody waits for it any longer
            os.write(reply, str(status).encode())
        os.close(reply)


def _become(request: list[object], streams: list[int]) -> None:
    """Take over what a new process gets from who starts it."""
    arguments, folder, environment = request
    assert isinstance(arguments, list) and isinstance(folder, str) and isinstance(environment, dict)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[0] = folder
    sys.argv = ["pinebench", *arguments]
    encoding = environment.get("PYTHONIOENCODING", "utf-8")
    sys.stdin = sys.__stdin__ = os.fdopen(0, encoding=encoding)
    sys.stdout = sys.__stdout__ = os.fdopen(1, "w", encoding=encoding)
    sys.stderr = sys.__stderr__ = os.fdopen(2, "w", buffering=1, encoding=encoding, errors="backslashreplace")
    faulthandler.register(_WHERE, file=sys.stderr, all_threads=True)


def _end_soon(code: object) -> None:
    """End as an interpreter ends, but free no object: the memory of the nursery would be copied for that.

    Return where the usual end of the interpreter has something to say.
    """
    if not isinstance(code, int | None):
        return
    threading._shutdown()  # type: ignore[attr-defined]  # waits for threads, as the interpreter does first
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return
    os._exit((code or 0) & 0xFF)


def _import_all() -> None:
    """Import what most commands use, without a thread."""
    import importlib
    import pkgutil

    import pinebench.cli.commands

    for module in pkgutil.iter_modules(pinebench.cli.commands.__path__):
        importlib.import_module(f"pinebench.cli.commands.{module.name}")
    for name in _IMPORTED:
        importlib.import_module(name)
    assert threading.active_count() == 1


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as _requests:
        _serve(_requests)
    if sys.argv[0] == "pinebench":
        import runpy

        try:
            runpy.run_module("pinebench", run_name="__main__", alter_sys=True)
        except SystemExit as _ended:
            _end_soon(_ended.code)
            raise
