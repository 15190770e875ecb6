"""Handles keys and pastes one after another: each waits until the previous one has taken effect.

Textual gives a key to the widget that has the focus. A key that the widget does not know goes up to the application,
which looks for a binding; meanwhile Textual handles the next key. Over a slow line, several keys arrive together. A
backspace would then delete a character that was typed after it, and an answer to a question would be typed into the
script.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from textual import events
from textual.message_pump import MessagePump

if TYPE_CHECKING:
    from pinebench.tui.base_workbench import BaseWorkbench

LOOKS = 200
"""Looks after which the next key is handled, even if the one before has not had its effect: about a second.

Turns of the event loop are counted, and not seconds: on a machine under load both the effect and a look take longer.
"""
QUESTION_LOOKS = 30 * LOOKS
"""The number of looks, as in LOOKS, if the key before opens a question, whose answer must not be typed into the
script."""
_LOOK = 0.005
"""Seconds between two looks."""
GIVE_UP = "alt+q"
"""The key that gives up a question that does not appear, together with the keys that were typed for it."""

Input = events.Key | events.Paste


class Turns:
    """The queue of keys of a workbench.

    `hear` handles one key. `is_calm` returns whether the work that the key started is done or waits for a person.
    `asks` returns whether a question or a panel is being created, for which the next keys are meant; `give_up` stops
    its creation.
    """

    def __init__(
        self,
        bench: BaseWorkbench,
        hear: Callable[[events.Event], Awaitable[None]],
        is_calm: Callable[[], bool],
        asks: Callable[[], bool],
        give_up: Callable[[], None],
    ) -> None:
        self._bench, self._hear, self._is_calm, self._asks, self._give_up = bench, hear, is_calm, asks, give_up
        self._waiting: deque[Input] = deque()
        self._turn: asyncio.Task[None] | None = None
        self._last = time.monotonic()
        self._is_late = False
        """Whether an expected question does not appear."""

    @property
    def next_writes(self) -> bool:
        """Whether the next key in the queue writes a character."""
        event = self._waiting[0] if self._waiting else None
        return isinstance(event, events.Key) and event.is_printable

    @property
    def is_over(self) -> bool:
        """Whether every key so far has taken effect."""
        return self._turn is None and not self._waiting

    @property
    def quiet_seconds(self) -> float:
        """The seconds since the last key, or since the start."""
        return time.monotonic() - self._last

    async def take(self, event: Input) -> None:
        """Handle a key immediately, or after the earlier keys."""
        self._bench.has_heard_keys = True
        self._last = time.monotonic()
        if self._is_late and isinstance(event, events.Key) and event.key == GIVE_UP:
            self._waiting.clear()
            self._is_late = False
            self._give_up()
            return
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
        """Wait until the effect of a key is there, for a limited time; then start the next key."""
        effect = asyncio.create_task(self._effect(pumps))
        looks = 0
        while looks < LOOKS or (self._asks() and looks < QUESTION_LOOKS):
            if (await asyncio.wait([effect], timeout=_LOOK))[0]:
                break
            looks += 1
            if looks == LOOKS and self._asks():
                self._is_late = True
                self._bench.say("this takes a moment; your keys are processed afterwards (alt+q cancels)")
        effect.cancel()
        self._turn, self._is_late = None, False
        if self._waiting:
            self._bench.call_later(self._next)

    async def _effect(self, pumps: Sequence[MessagePump]) -> None:
        """Wait until all widgets have handled a key, and the work that it started is calm."""
        # The application is handling the key at the same time, before anything that is added to its queue here.
        for pump in (self._bench, *pumps, self._bench):
            await _worked_off(pump)
        while not self._is_calm():
            await asyncio.sleep(_LOOK)


async def _worked_off(pump: MessagePump) -> None:
    """Wait until a message pump has handled everything that was in its queue before this call."""
    done = asyncio.Event()
    if pump.is_running and pump.call_later(done.set):
        await done.wait()
