"""What long work carries with it: how long it may take, whether somebody stopped it, and where its progress goes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from pinebench.errors import PinebenchError

Progress = Callable[[str, float | None], None]
"""Called with one short sentence and the share that is done (0 to 1), or None where no share is known."""


class Cancelled(PinebenchError):
    """Somebody asked the work to stop."""

    exit_code = 130


class DeadlineExceeded(PinebenchError):
    """The work did not finish in the time it was given."""


def _ignore(text: str, fraction: float | None = None) -> None:
    """Report progress to nobody."""


class Context:
    """The deadline, the stop signal and the progress receiver of one piece of work.

    `deadline` is a reading of `time.monotonic()` or None for no limit; `cancelled` is an event that anybody may set, from any
    thread; `progress(text, fraction)` tells whoever watches. One context may be shared by several threads.
    """

    def __init__(
        self,
        deadline: float | None = None,
        cancelled: threading.Event | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.deadline = deadline
        self.cancelled = cancelled or threading.Event()
        self._progress = progress or _ignore

    @classmethod
    def within(
        cls, seconds: float, *, cancelled: threading.Event | None = None, progress: Progress | None = None
    ) -> Context:
        """A context that ends `seconds` from now."""
        return cls(time.monotonic() + seconds, cancelled, progress)

    def remaining(self, limit: float | None = None) -> float | None:
        """The seconds left, never below 0 and never above `limit`; None when neither a deadline nor a limit is set."""
        if self.deadline is None:
            return limit
        left = max(0.0, self.deadline - time.monotonic())
        return left if limit is None else min(left, limit)

    def check(self) -> None:
        """Return if the work may go on; raise `Cancelled` or `DeadlineExceeded` if not."""
        if self.cancelled.is_set():
            raise Cancelled("stopped on request")
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise DeadlineExceeded("the time limit was reached", "give it more time, or less to do")

    def wait(self, seconds: float) -> None:
        """Sleep for `seconds`, but end early with `Cancelled` or `DeadlineExceeded` when either comes first."""
        self.check()
        self.cancelled.wait(self.remaining(seconds))
        self.check()

    def progress(self, text: str, fraction: float | None = None) -> None:
        """Tell whoever watches what is being done, in one short sentence."""
        self._progress(text, fraction)
