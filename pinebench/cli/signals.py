"""What signals do: Ctrl-C counts whenever it comes, a report that has begun is finished, services end quietly."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
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


def heed_lost_interrupts() -> None:
    """Let Ctrl-C count wherever it falls: an exception within a callback, as of a weak reference, is only printed."""
    before = sys.unraisablehook

    def hook(lost: sys.UnraisableHookArgs) -> None:
        if issubclass(lost.exc_type, KeyboardInterrupt):
            # Not here, where it would be lost again.
            threading.Timer(0.01, _interrupt_main_thread).start()
        else:
            before(lost)

    sys.unraisablehook = hook


def _interrupt_main_thread() -> None:
    """Send Ctrl-C to the main thread itself: one that another thread is sent would not end what it waits for."""
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, signal.SIGINT)
    else:
        signal.raise_signal(signal.SIGINT)


class _Stopped(BaseException):
    """Raised in the main thread by a signal; a BaseException, so that nothing on the way takes it for a failure."""


@contextmanager
def until_stopped() -> Generator[None]:
    """Run the body until it ends or SIGINT, SIGTERM or SIGHUP arrives; later signals do not disturb the cleaning up.

    A signal that the caller had us ignore, as `nohup` does, stays ignored.
    """
    heeded = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]

    def stop(_number: int, _frame: FrameType | None) -> None:
        for number in heeded:
            signal.signal(number, signal.SIG_IGN)
        raise _Stopped

    before = [(number, signal.signal(number, stop)) for number in heeded]
    try:
        yield
    except _Stopped:
        pass
    finally:
        for number, handler in before:
            signal.signal(number, handler)
