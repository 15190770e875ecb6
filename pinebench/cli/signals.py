"""Commands that run until they are told to stop: a signal ends them quietly, cleaning up on the way."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = [
    number
    for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", None), getattr(signal, "SIGBREAK", None))
    if number is not None
]


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
