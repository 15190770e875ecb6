"""Sends the waiting deliveries of an engine's outbox, several at a time, and retries until they arrive or fail."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from pinebench.databases import DatabaseProblem
from pinebench.engine import delivery_senders, outbox
from pinebench.engine.delivery_senders import Notifiers
from pinebench.engine.engine_store import EngineStore
from pinebench.engine.outbox import Letter, SendResult

AT_ONCE = 8
SHARE = 2
"""The largest number of deliveries of one user, and to one receiver, that are on their way at the same time."""
_LONGEST_SLEEP = 30.0
_RETRY_SECONDS = 1.0
"""The pause before a locked or full file is tried again."""
_log = logging.getLogger(__name__)


class Deliveries:
    """The deliveries of one store. `run` sends them in an event loop. Call `wake` (from any thread) after adding
    some."""

    def __init__(
        self, store: EngineStore, notifiers: Notifiers, webhook_hosts: Sequence[str], clock: Callable[[], int]
    ) -> None:
        """`webhook_hosts` may have private addresses. `clock` returns the time in milliseconds UTC."""
        self._store = store
        self._clock = clock
        self._ways = {
            "webhook": delivery_senders.Webhooks(clock, tuple(webhook_hosts)).send,
            "notifier": notifiers.send,
        }
        self._loop: asyncio.AbstractEventLoop | None = None
        self._more = asyncio.Event()
        self._on_the_way: dict[str, Letter] = {}
        self._ended = threading.Event()
        self.may_send: Callable[[], bool] = lambda: True
        """Called before each delivery; deliveries wait while it returns False."""

    async def run(self) -> None:
        """Send until cancelled. As soon as one delivery ends, the next one begins."""
        self._loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(AT_ONCE, "outbox") as threads:
            try:
                while True:
                    self._more.clear()
                    pause = self._begun(threads)
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(pause):
                            await self._more.wait()
            finally:
                self._ended.set()
                threads.shutdown(wait=False, cancel_futures=True)

    def _begun(self, threads: ThreadPoolExecutor) -> float:
        """Start the deliveries that are ready to send. Return the seconds until the next check."""
        try:
            self._begin(threads)
            return self._pause()
        except DatabaseProblem as problem:
            if not problem.is_passing:
                raise
            return _RETRY_SECONDS

    def _begin(self, threads: ThreadPoolExecutor) -> None:
        """Pass ready deliveries to free threads, up to a share for each user and each receiver."""
        if not self.may_send():
            return
        while len(self._on_the_way) < AT_ONCE:
            running = list(self._on_the_way.values())
            full = [name for name, count in Counter(each.subject for each in running).items() if count >= SHARE]
            busy = [name for name, count in Counter(each.target for each in running).items() if count >= SHARE]
            letter = outbox.next_letter(self._store, self._clock(), list(self._on_the_way), full, busy)
            if letter is None:
                return
            self._on_the_way[letter.id] = letter
            threads.submit(self._sent, letter)

    def _pause(self) -> float:
        """Return the seconds until the next delivery is ready. `run` also wakes when a running delivery ends."""
        if not self.may_send():
            return 1.0
        due = outbox.next_due(self._store, list(self._on_the_way))
        if due is None or len(self._on_the_way) >= AT_ONCE:
            return _LONGEST_SLEEP
        # A delivery that waits for its share gets it when another one ends.
        wait = (due - self._clock()) / 1000
        return min(wait if wait > 0 else 1.0, _LONGEST_SLEEP)

    def _sent(self, letter: Letter) -> None:
        try:
            if self._note(letter, self._send(letter)):
                self._on_the_way.pop(letter.id, None)
        finally:
            self.wake()

    def wake(self) -> None:
        """Make `run` check immediately for deliveries to send. Any thread may call it."""
        if self._loop is not None and not self._loop.is_closed():
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._more.set)

    def _send(self, letter: Letter) -> SendResult:
        try:
            return self._ways[letter.kind](letter)
        except Exception as error:  # whatever one delivery meets, the others go on
            return SendResult(False, f"{type(error).__name__}: {error}")

    def _note(self, letter: Letter, sent: SendResult) -> bool:
        """Record the result of an attempt, and return whether it was recorded.

        A delivery whose result cannot be stored stays marked as running, so that it is not sent again until the next
        start.
        """
        while True:
            try:
                outbox.note(self._store, letter, sent, self._clock())
                return True
            except DatabaseProblem as problem:
                if not problem.is_passing or self._ended.wait(_RETRY_SECONDS):
                    _log.error("delivery %s is sent again at the next start: %s", letter.id, problem.message)
                    return False
