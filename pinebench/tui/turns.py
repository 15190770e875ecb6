"""Keys and pastes one after another: the next one is heard once the one before has done what it does.

Textual hands a key to what has the focus, and what that does not know goes up to the application, where it is looked
for among the bindings; meanwhile the next key is heard. Over a slow line, where several come at once, a backspace so
deletes what was typed after it, and what was meant for a question is typed into the script.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from textual import events
from textual.message_pump import MessagePump

if TYPE_CHECKING:
    from pinebench.tui.app import Workbench

PATIENCE = 1.0
"""Seconds after which the next key is heard whatever became of the one before."""
_LOOK = 0.005

Input = events.Key | events.Paste


class Turns:
    """Lets the keys of a workbench take turns; `hear` is what becomes of one, `is_calm` whether what it began is done,
    or waits for a person."""

    def __init__(
        self, bench: Workbench, hear: Callable[[events.Event], Awaitable[None]], is_calm: Callable[[], bool]
    ) -> None:
        self._bench, self._hear, self._is_calm = bench, hear, is_calm
        self._waiting: deque[Input] = deque()
        self._turn: asyncio.Task[None] | None = None
        self.has_begun = False
        """Whether any key came so far."""

    @property
    def is_over(self) -> bool:
        """Whether every key has done what it does."""
        return self._turn is None and not self._waiting

    async def take(self, event: Input) -> None:
        """Hear a key now, or once those before it are done."""
        self.has_begun = True
        self._waiting.append(event)
        await self._next()

    async def _next(self) -> None:
        if self._turn is not None or not self._waiting:
            return
        event = self._waiting.popleft()
        focused = self._bench.focused or self._bench.screen
        self._turn = asyncio.create_task(self._finished(focused.ancestors_with_self))
        await self._hear(event)

    async def _finished(self, pumps: Sequence[MessagePump]) -> None:
        """Wait until a key has come all the way up, and what it began is calm; then it is the next one's turn."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                # Hearing it, which goes on in the application beside this, comes first there.
                for pump in (self._bench, *pumps, self._bench):
                    await _worked_off(pump)
                while not self._is_calm():
                    await asyncio.sleep(_LOOK)
        self._turn = None
        if self._waiting:
            self._bench.call_later(self._next)


async def _worked_off(pump: MessagePump) -> None:
    """Wait until a pump has seen to all that it was told before this."""
    done = asyncio.Event()
    if pump.is_running and pump.call_later(done.set):
        await done.wait()
