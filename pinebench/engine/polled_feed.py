"""The feed of markets without a stream: it fetches closed bars when the next bar of a series should have closed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from pinebench.engine.series import Key

EACH = 15.0
"""Seconds between two checks of the series."""
FIRST_PAUSE, LONGEST_PAUSE = 30.0, 900.0
"""The first and longest pause in seconds before a series without news is requested again; each doubles the last."""


class BarReceiver(Protocol):
    """A receiver of bars. Its methods run in the event loop."""

    def is_due(self, key: Key) -> bool:
        """Return whether the next bar of a series should have closed, given the sessions of its market."""
        ...

    async def poll(self, keys: Sequence[Key]) -> set[Key] | None:
        """Fetch and process the bars that closed. Return the series that got new bars, or None if the fetch failed."""
        ...


class Polls:
    """A feed that polls for the bars of series. It has the same status attributes as a feed with a stream."""

    def __init__(
        self, keys: Sequence[Key], sink: BarReceiver, *, pause: Callable[[float], Any] = asyncio.sleep
    ) -> None:
        """`pause` waits for a number of seconds."""
        self._keys = list(keys)
        self._sink = sink
        self._pause = pause
        self._waits: dict[Key, tuple[float, float]] = {}
        self._asked: dict[Key, float] = {}
        self.is_connected = True
        self.heard: float | None = None
        self.ignored = 0
        self.connections = 1

    async def run(self) -> None:
        """Poll for closed bars until the task is cancelled."""
        while True:
            await self._pause(EACH)
            await self.look(time.monotonic())

    async def look(self, now: float) -> None:
        """Fetch the series whose bars should have closed at `now`, in seconds of `time.monotonic()`.

        Each series is fetched at least every LONGEST_PAUSE seconds, because the computer's clock may be wrong.
        """
        due = [key for key in self._keys if self._is_due(key, now)]
        self._asked.update(dict.fromkeys(due, now))
        found = await self._sink.poll(due) if due else set[Key]()
        if found is not None and not self.is_connected:
            self.connections += 1
        self.is_connected = found is not None
        if found is not None:
            self.heard = now
        for key in due:
            if found is not None and key in found:
                self._waits.pop(key, None)
            else:
                pause = min(max(2 * self._waits.get(key, (now, 0.0))[1], FIRST_PAUSE), LONGEST_PAUSE)
                self._waits[key] = now + pause, pause

    def _is_due(self, key: Key, now: float) -> bool:
        if now >= self._asked.setdefault(key, now) + LONGEST_PAUSE:
            return True
        return self._sink.is_due(key) and self._waits.get(key, (now, 0.0))[0] <= now
