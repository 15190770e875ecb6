"""The stream of fired alerts to one client, as server-sent events."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, cast

import anyio
import anyio.lowlevel
from starlette.types import Receive, Scope, Send

from pinebench.context import PushSource

KEEPALIVE_SECONDS = 30.0


class AlertStream:
    """A response that sends the alerts of a user as they fire. It ends when the client disconnects, the engine stops or
    the token is no longer valid.

    `is_allowed` is called before each event and at each keepalive; it says whether the token is still valid. `after` is
    the number of the last event that the client got. Without `pushing` there is no engine, and only keepalives are
    sent.
    """

    def __init__(
        self,
        pushing: PushSource | None,
        subject: str,
        after: int | None,
        is_allowed: Callable[[], Awaitable[bool]],
        headers: dict[str, str],
    ) -> None:
        self._pushing = pushing
        self._subject = subject
        self._after = after
        self._is_allowed = is_allowed
        self._headers = headers
        self._turn = anyio.Lock()
        self._over = anyio.Event()

    def end(self) -> None:
        """End the stream, for example to make room for another stream of the same client."""
        self._over.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream."""
        del scope
        headers = {
            "content-type": "text/event-stream; charset=utf-8",
            "cache-control": "no-cache, no-transform",
            "x-accel-buffering": "no",
            **self._headers,
        }
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 200, "headers": raw})

        async def write(text: str) -> None:
            if not await self._is_allowed():
                tasks.cancel_scope.cancel()
                await anyio.lowlevel.checkpoint()
            async with self._turn:
                await send({"type": "http.response.body", "body": text.encode("utf-8", "replace"), "more_body": True})

        try:
            async with anyio.create_task_group() as tasks:
                await write(": connected\n\n")
                for part in (self._until_gone, self._until_over, self._keep_alive, self._push):
                    tasks.start_soon(_first_to_end, part, write, receive, tasks.cancel_scope)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except* OSError:
            pass  # the client has gone

    async def _until_gone(self, write: Callable[[str], Awaitable[None]], receive: Receive) -> None:
        del write
        while (await receive())["type"] != "http.disconnect":
            pass

    async def _until_over(self, write: Callable[[str], Awaitable[None]], receive: Receive) -> None:
        del write, receive
        await self._over.wait()

    async def _keep_alive(self, write: Callable[[str], Awaitable[None]], receive: Receive) -> None:
        del receive
        while True:
            await anyio.sleep(KEEPALIVE_SECONDS)
            await write(": keepalive\n\n")

    async def _push(self, write: Callable[[str], Awaitable[None]], receive: Receive) -> None:
        del receive
        if self._pushing is None:
            await anyio.sleep_forever()
            return
        async with aclosing(closable(self._pushing.stream(self._subject, self._after))) as events:
            async for number, told in events:
                await write(f"id: {number}\nevent: message\ndata: {json.dumps(told)}\n\n")


async def _first_to_end(
    part: Callable[[Callable[[str], Awaitable[None]], Receive], Awaitable[None]],
    write: Callable[[str], Awaitable[None]],
    receive: Receive,
    scope: anyio.CancelScope,
) -> None:
    await part(write, receive)
    scope.cancel()


async def closable(events: AsyncIterator[tuple[int, dict[str, Any]]]) -> AsyncGenerator[tuple[int, dict[str, Any]]]:
    """Return the same events as a generator, which can be closed."""
    try:
        async for each in events:
            yield each
    finally:
        close = getattr(events, "aclose", None)
        if close is not None:
            await cast("Callable[[], Awaitable[None]]", close)()
