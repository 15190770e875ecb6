"""The context of long work: its deadline, cancellation and progress reports, and the user for whom it is done."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pinebench.errors import PinebenchError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable


CANCELLED = "the work was cancelled"
"""The message of CancelledError."""


class CancelledError(PinebenchError):
    """The work was cancelled before it was finished."""

    exit_code = 130


class DeadlineError(PinebenchError):
    """The time allowed for the work is over."""


def deadline_passed() -> DeadlineError:
    """Return the error for work that has no time left."""
    return DeadlineError("the time limit for this was reached", "allow more time and try again")


class SpendingAccount(NamedTuple):
    """The account for work that costs money. `left()` returns the remaining dollars; `pay` charges some dollars.

    Both may be called from any thread.
    """

    left: Callable[[], float]
    pay: Callable[[float], None]


class Context:
    """The limits of one piece of work. It can be shared between threads.

    `deadline` is a value of `time.monotonic()` in seconds, or None for no limit. `cancelled()` returns whether the work
    was cancelled. `progress` receives a message and a fraction from 0 to 1, or None if the amount of work is unknown.
    `engine` is the trading engine that runs in this process, or None. `subject` is the user for whom the work is done,
    or None for a user who did not log in. `spending` is the account for work that costs money, or None.
    """

    def __init__(
        self,
        deadline: float | None = None,
        cancelled: Callable[[], bool] | None = None,
        progress: Callable[[str, float | None], None] | None = None,
        *,
        engine: Any = None,
        subject: str | None = None,
        spending: SpendingAccount | None = None,
    ) -> None:
        self.deadline = deadline
        self.engine = engine
        self.subject = subject
        self.spending = spending
        self._cancelled = cancelled
        self._progress = progress

    @classmethod
    def within(cls, seconds: float) -> Context:
        """Return a context whose deadline is `seconds` from now."""
        return cls(time.monotonic() + seconds)

    def remaining(self) -> float:
        """Return the seconds until the deadline, never below 0, or infinity without a deadline."""
        if self.deadline is None:
            return math.inf
        return max(0.0, self.deadline - time.monotonic())

    def narrowed(self, seconds: float) -> Context:
        """Return the same context with a deadline at most `seconds` from now."""
        deadline = time.monotonic() + seconds
        if self.deadline is not None:
            deadline = min(deadline, self.deadline)
        return Context(
            deadline, self._cancelled, self._progress, engine=self.engine, subject=self.subject, spending=self.spending
        )

    @property
    def cancellable(self) -> bool:
        """Whether the work can be cancelled."""
        return self._cancelled is not None

    def check_cancelled(self) -> None:
        """Raise CancelledError if the work was cancelled."""
        if self._cancelled is not None and self._cancelled():
            raise CancelledError(CANCELLED)

    def check(self) -> None:
        """Raise CancelledError if the work was cancelled, or DeadlineError if its time is over."""
        self.check_cancelled()
        if self.remaining() <= 0:
            raise deadline_passed()

    def progress(self, text: str, fraction: float | None = None) -> None:
        """Report the current step. Do nothing if nobody receives the reports."""
        if self._progress is not None:
            self._progress(text, fraction)

    def sleep(self, seconds: float) -> None:
        """Wait `seconds`. Raises the errors of `check` at most 0.1 seconds after a cancellation or the deadline."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.check()
            time.sleep(min(left, 0.1))
        self.check()


class PushSource(Protocol):
    """The source of fired alerts that are pushed to users. `subject` is the name of a user."""

    def subscribe(self, subject: str, symbols: list[str] | None = None, types: list[str] | None = None) -> object:
        """Subscribe a user to alerts for these symbols and types. None and an empty list mean all."""
        ...

    def unsubscribe(self, subject: str) -> object:
        """End the subscription of a user."""
        ...

    def listing(self, subject: str) -> dict[str, Any]:
        """Return a user's subscription: its filters, the number of waiting alerts, and whether a stream is open."""
        ...

    def stream(self, subject: str, after: int | None = None) -> AsyncIterator[tuple[int, dict[str, Any]]]:
        """Yield the number and the JSON-RPC notification of each fired alert of a user.

        Start after alert number `after`, or with the oldest undelivered alert if `after` is None. An alert counts as
        delivered when the caller requests the next one.
        """
        ...


class Engine(Protocol):
    """The engine of alerts and paper orders, as user interfaces see it."""

    @property
    def pushing(self) -> PushSource:
        """The source of fired alerts."""
        ...

    def health(self) -> dict[str, Any]:
        """Return the state of the engine: `problem` (None while it works), `feed`, `outbox`, and the numbers of
        `series`, `alerts`, open `orders` and `fired` alerts."""
        ...
