"""Handles signals: Ctrl-C is never lost, a report that has begun is finished, and services end quietly."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from types import CodeType, FrameType
from typing import Any

_SIGNALS = [
    number
    for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", None), getattr(signal, "SIGBREAK", None))
    if number is not None
]


@contextmanager
def finishing() -> Generator[None]:
    """Let the `with` block, which writes a report, run to its end. A first signal takes effect after the block, a
    second one immediately."""
    kept: list[int] = []
    before: dict[int, Any] = {}

    def keep(number: int, _frame: FrameType | None) -> None:
        _restore(before)
        kept.append(number)

    if threading.current_thread() is threading.main_thread():
        heeded = [number for number in _SIGNALS if signal.getsignal(number) not in (signal.SIG_IGN, None)]
        before |= {number: signal.signal(number, keep) for number in heeded}
    try:
        yield
    finally:
        _restore(before)
        for number in kept:
            signal.raise_signal(number)


def _restore(handlers: dict[int, Any]) -> None:
    for number, handler in handlers.items():
        signal.signal(number, handler)


def heed_lost_signals() -> None:
    """Make sure that no signal is lost.

    If a signal arrives during a callback, for example of a weak reference, Python only prints the exception. This
    function makes Python send the signal again.
    """
    before = sys.unraisablehook

    def hook(lost: sys.UnraisableHookArgs) -> None:
        if isinstance(lost.exc_value, _SignalInterrupt):
            again = lost.exc_value.again
        elif issubclass(lost.exc_type, KeyboardInterrupt):
            again = partial(_send_to_main_thread, signal.SIGINT)
        else:
            return before(lost)
        threading.Thread(target=_send_after, args=(hook.__code__, again), daemon=True).start()
        return None

    sys.unraisablehook = hook


def _send_after(code: CodeType, again: Callable[[], None]) -> None:
    """Call `again` once the main thread does not run `code` any longer: a signal would be lost there again."""
    main = threading.main_thread().ident
    assert main is not None
    while _runs(sys._current_frames().get(main), code):
        time.sleep(0.01)
    again()


def _runs(frame: FrameType | None, code: CodeType) -> bool:
    while frame is not None:
        if frame.f_code is code:
            return True
        frame = frame.f_back
    return False


def end_at_once() -> None:
    """From now on, exit immediately with code 0 on SIGINT, SIGTERM or SIGHUP.

    This is for a server with a thread that waits for a line on standard input, because such a thread cannot be woken. A
    signal that was already ignored when the process started stays ignored.
    """

    def leave(_number: int, _frame: FrameType | None) -> None:
        sys.stderr.flush()
        os._exit(0)

    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, leave)


def _send_to_main_thread(number: int) -> None:
    """Send a signal to the main thread itself; a signal to another thread would not interrupt its wait."""
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, number)
    else:
        signal.raise_signal(number)


class _SignalInterrupt(KeyboardInterrupt):
    """Raised in the main thread by a signal. Like KeyboardInterrupt, it is not caught as an error on the way. If it was
    lost, `again` raises it once more."""

    def __init__(self, again: Callable[[], None]) -> None:
        super().__init__()
        self.again = again


@contextmanager
def until_stopped() -> Generator[None]:
    """Run the `with` block until it ends, or until SIGINT, SIGTERM or SIGHUP arrives. Later signals do not interrupt
    the clean-up.

    A signal that was already ignored when the process started, for example by `nohup`, stays ignored.
    """
    heeded = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    stopping = False

    def stop(number: int, _frame: FrameType | None) -> None:
        nonlocal stopping
        if not stopping:
            stopping = True
            raise _SignalInterrupt(partial(again, number))

    def again(number: int) -> None:
        nonlocal stopping
        stopping = False
        _send_to_main_thread(number)

    before = [(number, signal.signal(number, stop)) for number in heeded]
    try:
        yield
    except _SignalInterrupt:
        pass
    finally:
        for number, handler in before:
            signal.signal(number, handler)
