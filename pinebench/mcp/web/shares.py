"""Limits for sessions, streams, listeners and calls of a server, so that no client can block another one. They all
follow the same rule: one owner (a client with its user) has at most `each`, and all owners together have at most
`most`."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager

import anyio

Owner = tuple[str, str | None]
"""The owner of sessions, streams or calls: a client with its user."""


class Full(Exception):
    """An error for a limit that is reached, or for too many waiting calls. The caller may try again after `seconds`."""

    def __init__(self, seconds: int = 5) -> None:
        super().__init__("busy")
        self.seconds = seconds


class OpenCount:
    """Counts open objects, such as streams: at most `each` for one owner, and `most` for all."""

    def __init__(self, most: int, each: int) -> None:
        self._most = most
        self._each = each
        self._taken: Counter[Owner] = Counter()

    @property
    def count(self) -> int:
        """The number of open objects, for all owners together."""
        return self._taken.total()

    @contextmanager
    def place(self, owner: Owner) -> Generator[None]:
        """Count one more open object of `owner` while the body of the `with` statement runs. Raises Full beyond the
        limits."""
        if self.count >= self._most or self._taken[owner] >= self._each:
            raise Full(30)
        self._taken[owner] += 1
        try:
            yield
        finally:
            self._taken[owner] -= 1
            if not self._taken[owner]:
                del self._taken[owner]


class CallTurns:
    """Limits how many calls run at the same time: `each` of one owner, and `most` of all. The next turn goes to the
    owner with the fewest running calls, and among equals to the owner who has waited longest. At most `waiting` calls
    of an owner may wait; Full is raised for any further call."""

    def __init__(self, most: int, each: int, waiting: int) -> None:
        self.most = most
        self.each = each
        """The largest number of turns that one owner has at the same time."""
        self._longest = waiting
        self._running: Counter[Owner] = Counter()
        self._waiting: OrderedDict[Owner, deque[anyio.Event]] = OrderedDict()

    def is_full(self, owner: Owner) -> bool:
        """Return whether an owner already has as many waiting calls as are allowed."""
        return len(self._waiting.get(owner, ())) >= self._longest

    @asynccontextmanager
    async def turn(self, owner: Owner) -> AsyncGenerator[None]:
        """Wait for a turn, and hold it while the body of the `with` statement runs. Raises Full if too many calls
        already wait."""
        if self.is_full(owner):
            raise Full
        granted = anyio.Event()
        self._waiting.setdefault(owner, deque()).append(granted)
        self._next()
        try:
            await granted.wait()
        except BaseException:
            self._leave(owner, granted)
            raise
        try:
            yield
        finally:
            self._end(owner)

    def _leave(self, owner: Owner, granted: anyio.Event) -> None:
        if granted.is_set():
            self._end(owner)
            return
        waiting = self._waiting[owner]
        waiting.remove(granted)
        if not waiting:
            del self._waiting[owner]

    def _end(self, owner: Owner) -> None:
        self._running[owner] -= 1
        if not self._running[owner]:
            del self._running[owner]
        self._next()

    def _next(self) -> None:
        """Assign the free turns."""
        while self._running.total() < self.most:
            able = [owner for owner in self._waiting if self._running[owner] < self.each]
            if not able:
                return
            owner = min(able, key=lambda each: self._running[each])
            waiting = self._waiting[owner]
            granted = waiting.popleft()
            # The next turn goes to another owner who has as few.
            self._waiting.move_to_end(owner)
            if not waiting:
                del self._waiting[owner]
            self._running[owner] += 1
            granted.set()
