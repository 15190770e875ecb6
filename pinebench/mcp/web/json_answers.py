"""Sends answers of a single message as JSON, even where the SDK would send a stream of one event."""

from __future__ import annotations

import json

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECONDS = 5.0
"""The longest time in seconds that a stream is held back. If no answer has come by then, the client gets the stream."""


class JsonAnswers:
    """An ASGI application whose streams become JSON if their first message is the answer and comes within `SECONDS`."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        holding = _HeldResponse(send)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(holding.until_late)
            await self._application(scope, receive, holding.take)
            tasks.cancel_scope.cancel()


class _HeldResponse:
    """The messages of one response. They are held back until it is known whether the response is a stream."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._turn = anyio.Lock()
        self._held: list[Message] = []
        self._is_passing = False
        self._is_answered = False

    async def take(self, message: Message) -> None:
        """Take the next message of the response."""
        async with self._turn:
            if self._is_answered:
                return
            if self._is_passing:
                await self._send(message)
                return
            self._held.append(message)
            if message["type"] == "http.response.start":
                if Headers(raw=message["headers"]).get("content-type", "").startswith("text/event-stream"):
                    return
            elif message.get("more_body") and (told := _message_of(message["body"])) is not None:
                if "result" in told or "error" in told:
                    await self._answer(told)
                    return
            elif message.get("more_body"):
                return
            await self._pass_on()

    async def until_late(self) -> None:
        """After `SECONDS` seconds, send the response as a stream."""
        await anyio.sleep(SECONDS)
        async with self._turn:
            if self._held and not self._is_answered:
                await self._pass_on()

    async def _pass_on(self) -> None:
        self._is_passing = True
        held, self._held = self._held, []
        for message in held:
            await self._send(message)

    async def _answer(self, told: dict[str, object]) -> None:
        self._is_answered = True
        body = json.dumps(told, separators=(",", ":")).encode()
        start = {**self._held[0], "headers": list(self._held[0]["headers"])}
        headers = MutableHeaders(raw=start["headers"])
        headers["content-type"], headers["content-length"] = "application/json", str(len(body))
        await self._send({**start, "headers": headers.raw})
        await self._send({"type": "http.response.body", "body": body})


def _message_of(event: bytes) -> dict[str, object] | None:
    """Return the JSON-RPC message in an event; None if the event has none."""
    data = "".join(line[5:].strip() for line in event.decode().splitlines() if line.startswith("data:"))
    if not data:
        return None
    told = json.loads(data)
    return told if isinstance(told, dict) else None
