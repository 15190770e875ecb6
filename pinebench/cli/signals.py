"""What signals do: Ctrl-C counts whenever it comes, a report that has begun is finished, services end quietly."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Any

_SIGNALS = [
    number
    for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", None), getattr(signal, "SIGBREAK", None))
    if number is not None
]


@contextmanager
def finishing() -> Generator[None]:
    """Run the body, the writing of a report, to its end: the first signal is kept until then, a second acts at once."""
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
    """Let a signal count wherever it falls: an exception within a callback, as of a weak reference, is only printed."""
    before = sys.unraisablehook

    def hook(lost: sys.UnraisableHookArgs) -> None:
        if isinstance(lost.exc_value, _Stopped):
            again = lost.exc_value.again
        elif issubclass(lost.exc_type, KeyboardInterrupt):
            again = partial(_send_to_main_thread, signal.SIGINT)
        else:
            return before(lost)
        # Not here, where it would be lost again.
        threading.Timer(0.01, again).start()
        return None

    sys.unraisablehook = hook


def end_at_once() -> None:
    """From here on end the process with 0 at SIGINT, SIGTERM or SIGHUP.

    For a server whose thread waits for a line on standard input, which nothing else can wake. A signal that the caller
    had us ignore stays ignored.
    """

    def leave(_number: int, _frame: FrameType | None) -> None:
        sys.stderr.flush()
        os._exit(0)

    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, leave)


def _send_to_main_thread(number: int) -> None:
    """Send a signal to the main thread itself: one that another thread is sent would not end what it waits for."""
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, number)
    else:
        signal.raise_signal(number)


class _Stopped(KeyboardInterrupt):
    """Raised in the main thread by a signal, as Ctrl-C is, so that nothing on the way takes it for a failure; `again`
    has it raised once more where it was lost."""

    def __init__(self, again: Callable[[], None]) -> None:
        super().__init__()
        self.again = again


@contextmanager
def until_stopped() -> Generator[None]:
    """Run the body until it ends or SIGINT, SIGTERM or SIGHUP arrives; later signals do not disturb the cleaning up.

    A signal that the caller had us ignore, as `nohup` does, stays ignored.
    """
    heeded = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    stopping = False

    def stop(number: int, _frame: FrameType | None) -> None:
        nonlocal stopping
        if not stopping:
            stopping = True
            raise _Stopped(partial(again, number))

    def again(number: int) -> None:
        nonlocal stopping
        stopping = False
        _send_to_main_thread(number)

    before = [(number, signal.signal(number, stop)) for number in heeded]
    try:
        yield
    except _Stopped:
        pass
    finally:
        for number, handler in before:
            signal.signal(number, handler)
