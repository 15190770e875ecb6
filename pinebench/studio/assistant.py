"""The studio's assistant: one conversation for each window, over a WebSocket that may disconnect and reconnect.

The events of a window are numbered and stored. A window that reconnects sends its key and the number of the last event
that it received. It gets the later events, and its conversation continues. A window may number its messages, too. Every
event then names the last message that arrived, and a window that reconnects repeats the later messages. Keys are
secret, so windows never share anything.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from pinebench import decoding
from pinebench.errors import PinebenchError, fault

if TYPE_CHECKING:
    from pinebench.agent.chat import Conversation
    from pinebench.agent.consent import Approver, ConsentRequest

PATH = "/api/chat"
"""The address of the WebSocket."""
MOST_WINDOWS = 32
"""The largest number of conversations that are held at the same time."""
MOST_KEPT = 20_000_000
"""The largest size of the events that are kept for a window, in characters; the oldest ones are dropped first."""
AWAY_SECONDS = 600.0
"""The seconds for which the conversation of a window without a connection is kept."""
CONSENT_SECONDS = 600.0
"""The seconds that a person has to answer whether a call may be performed; no answer means no."""
LONGEST_MESSAGE = 1_000_000
"""The largest number of characters of a message from a window."""

_MESSAGES: dict[str, Any] = {
    "chat": {"content": str},
    "clear_history": {},
    "screenshot": {"region?": str},
    "stop": {},
    "confirm": {"id": str, "allow": bool},
}
"""The messages that a window may send, with the shapes of their fields. Each may have a `number`."""


class Socket(Protocol):
    """A connection to a browser window."""

    async def send(self, text: str) -> None:
        """Send one message. Raises OSError if the window has closed."""
        ...

    def received(self) -> AsyncIterator[str]:
        """Yield the messages of the window until it is closed."""
        ...

    async def close(self, code: int) -> None:
        """End the connection."""
        ...


class Assistant:
    """The conversations of all windows.

    `converse` makes a conversation that asks the given approver for consent; it may raise PinebenchError, for example
    without an API key. `picture` takes a picture of a region of the page and returns its data as base64 and its type.
    """

    def __init__(self, converse: Callable[[Approver], Conversation], picture: Callable[[str], tuple[str, str]]) -> None:
        self._converse = converse
        self._picture = picture
        self._windows: dict[str, _WindowConversation] = {}

    async def serve(self, socket: Socket, key: str = "", seen: int = 0, *, back: bool = False) -> None:
        """Serve a window until it is closed. `key` is the key of its earlier connection, and `seen` is the number of
        the last event that the window received.

        `back` is True if the page was reloaded and asks for its earlier conversation. It gets a new conversation if
        another window has the earlier one open.
        """
        known = self._windows.get(key)
        window = self._window("" if back and known is not None and known.is_open else key)
        if window is None:
            await socket.close(1013)
            return
        await window.serve(socket, seen)

    def _window(self, key: str) -> _WindowConversation | None:
        known = self._windows.get(key)
        if known is not None:
            return known
        if len(self._windows) >= MOST_WINDOWS and not self._forget_one():
            return None
        made = _WindowConversation(secrets.token_urlsafe(24), self._converse, self._picture, self._left)
        self._windows[made.key] = made
        return made

    def _left(self, window: _WindowConversation) -> None:
        self._windows.pop(window.key, None)

    def _forget_one(self) -> bool:
        """Forget a window that is away and has nothing to do. Return whether there was one."""
        idle = next((each for each in self._windows.values() if each.is_idle), None)
        if idle is not None:
            idle.end()
        return idle is not None


class _WindowConversation:
    """One window's conversation, its events, and its connection if any. `on_left` is called at its end."""

    def __init__(
        self,
        key: str,
        converse: Callable[[Approver], Conversation],
        picture: Callable[[str], tuple[str, str]],
        on_left: Callable[[_WindowConversation], None],
    ) -> None:
        self.key = key
        self._converse = converse
        self._picture = picture
        self._left = on_left
        self._conversation: Conversation | None = None
        self._events: deque[tuple[int, str]] = deque()
        self._size = 0
        self._number = 0
        self._taken = 0
        self._more = asyncio.Event()
        self._socket: Socket | None = None
        self._work: set[asyncio.Task[None]] = set()
        self._turn: asyncio.Task[None] | None = None
        self._questions: dict[str, asyncio.Future[bool]] = {}
        self._away: asyncio.TimerHandle | None = None

    @property
    def is_open(self) -> bool:
        """Whether the window is connected."""
        return self._socket is not None

    @property
    def is_idle(self) -> bool:
        """Whether the window is away and no answer is being written."""
        return self._socket is None and (self._turn is None or self._turn.done())

    def end(self) -> None:
        """Forget the conversation, and stop what is running."""
        for task in self._work:
            task.cancel()
        self._left(self)

    async def serve(self, socket: Socket, seen: int) -> None:
        """Send the events after number `seen`, and take messages until the connection ends."""
        before, self._socket = self._socket, socket
        if before is not None:
            # The same window has come back before the end of its old connection was noticed.
            await before.close(4001)
        if self._away is not None:
            self._away.cancel()
        sender = asyncio.create_task(self._send(socket, seen))
        try:
            async for text in socket.received():
                self._take(text)
        finally:
            sender.cancel()
            if self._socket is socket:
                self._socket = None
                self._away = asyncio.get_running_loop().call_later(AWAY_SECONDS, self.end)

    async def _send(self, socket: Socket, seen: int) -> None:
        """Send every event after number `seen`, now and later."""
        oldest = self._events[0][0] if self._events else self._number + 1
        # A number that this window never had, or events that are not kept any more, mean that it gets all of them.
        complete = oldest - 1 <= seen <= self._number
        sent = seen if complete else 0
        with suppress(OSError):
            hello = {"type": "connected", "key": self.key, "complete": complete, "taken": self._taken}
            await socket.send(json.dumps(hello))
            while True:
                self._more.clear()
                for number, text in list(self._events):
                    if number > sent:
                        await socket.send(text)
                        sent = number
                await self._more.wait()

    def tell(self, event: dict[str, Any]) -> None:
        """Add an event, which is sent now, or when the window comes back."""
        self._number += 1
        text = json.dumps({**event, "seq": self._number, "taken": self._taken})
        self._events.append((self._number, text))
        self._size += len(text)
        while self._size > MOST_KEPT and len(self._events) > 1:
            self._size -= len(self._events.popleft()[1])
        self._more.set()

    # -- messages of the window ------------------------------------------------------------------------------------

    def _take(self, text: str) -> None:
        try:
            message = decoding.loads(text, {"type": frozenset(_MESSAGES)}, size=LONGEST_MESSAGE)
            shape = {"type": str, "number?": int, **_MESSAGES[message["type"]]}
            message = decoding.loads(text, shape, size=LONGEST_MESSAGE)
        except decoding.MalformedDocument as error:
            self.tell({"type": "error", "error": f"the message is not valid: {error}"})
            return
        if "number" in message:
            if message["number"] <= self._taken:
                return  # it arrived before the connection broke
            self._taken = message["number"]
        match message["type"]:
            case "chat":
                self._begin(message["content"])
            case "clear_history":
                self._clear()
            case "screenshot":
                self._start(self._take_picture(message.get("region", "full")))
            case "stop":
                if self._conversation is not None:
                    self._conversation.stop()
            case _:
                question = self._questions.get(message["id"])
                if question is not None and not question.done():
                    question.set_result(message["allow"])

    def _begin(self, text: str) -> None:
        if self._turn is not None and not self._turn.done():
            self.tell(
                {"type": "error", "error": "an answer is being written", "hint": "wait until it ends, or stop it"}
            )
            return
        self._turn = self._start(self._answer(text))

    def _start(self, work: Any) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return task

    async def _answer(self, text: str) -> None:
        from pinebench.agent.threads import in_thread

        self.tell({"type": "start", "content": text})
        try:
            if self._conversation is None:
                # The first one imports the service's library, which takes a second.
                self._conversation = await in_thread(lambda: self._converse(self._approve))
            async for event in self._conversation.say(text):
                self.tell(event.as_json())
        except PinebenchError as error:
            self.tell({"type": "error", "error": error.message, **({"hint": error.hint} if error.hint else {})})
        except Exception as error:
            self.tell({"type": "error", "error": fault(error).message})

    async def _approve(self, asked: ConsentRequest) -> bool | None:
        question: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._questions[asked.id] = question
        self.tell({"type": "confirm", "id": asked.id, "name": asked.name, "input": asked.input, "reason": asked.reason})
        try:
            async with asyncio.timeout(CONSENT_SECONDS):
                return await question
        except TimeoutError:
            return None
        finally:
            self._questions.pop(asked.id, None)

    def _clear(self) -> None:
        try:
            if self._conversation is not None:
                self._conversation.clear()
        except PinebenchError as error:
            self.tell({"type": "error", "error": error.message, "hint": error.hint or ""})
            return
        self._events.clear()
        self._size = 0
        self.tell({"type": "cleared"})

    async def _take_picture(self, region: str) -> None:
        from pinebench.agent.threads import in_thread

        try:
            data, kind = await in_thread(lambda: self._picture(region))
        except PinebenchError as error:
            self.tell({"type": "error", "error": error.message, **({"hint": error.hint} if error.hint else {})})
            return
        self.tell({"type": "screenshot", "data": data, "mimeType": kind})
