"""Sends what waits in the outbox of an engine: webhooks and notifiers, several at a time, until they arrived."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from pinebench.engine import outbox, sending
from pinebench.engine.outbox import Letter, Sent
from pinebench.engine.sending import Notifiers
from pinebench.engine.store import Store

_SENT_AT_ONCE = 8
_LONGEST_SLEEP = 30.0


class Deliveries:
    """The deliveries of one store. `run` sends them in an event loop; `wake` says from any thread that there are
    more."""

    def __init__(
        self, store: Store, notifiers: Notifiers, webhook_hosts: Sequence[str], clock: Callable[[], int]
    ) -> None:
        """`clock` gives the time in milliseconds UTC."""
        self._store = store
        self._clock = clock
        self._ways = {"webhook": sending.Webhooks(clock, tuple(webhook_hosts)).send, "notifier": notifiers.send}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._more = asyncio.Event()
        self.may_send: Callable[[], bool] = lambda: True
        """Asked before each delivery; while it is False, they wait."""

    async def run(self) -> None:
        """Send until cancelled."""
        self._loop, store, clock = asyncio.get_running_loop(), self._store, self._clock
        with ThreadPoolExecutor(_SENT_AT_ONCE, "outbox") as threads:
            while True:
                self._more.clear()
                letters = outbox.due(store, clock()) if self.may_send() else []
                await asyncio.gather(*(self._loop.run_in_executor(threads, self._send, each) for each in letters))
                if letters:
                    continue
                due = outbox.next_due(store)
                soonest = 0.05 if self.may_send() else 1.0
                wait = _LONGEST_SLEEP if due is None else min(max((due - clock()) / 1000, soonest), _LONGEST_SLEEP)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._more.wait()

    def wake(self) -> None:
        """Look at once whether there is something to send."""
        if self._loop is not None and not self._loop.is_closed():
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._more.set)

    def _send(self, letter: Letter) -> None:
        try:
            sent = self._ways[letter.kind](letter)
        except Exception as error:  # whatever one delivery meets, the others go on
            sent = Sent(False, f"{type(error).__name__}: {error}")
        outbox.note(self._store, letter, sent, self._clock())
