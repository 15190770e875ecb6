"""Stores sent stream events for a while, so that a client can get the events that it missed while it was not
connected."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from contextvars import ContextVar
from typing import NamedTuple

from mcp.server.streamable_http import EventCallback, EventMessage, EventStore
from mcp_types import JSONRPCMessage
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MARK = "c"
"""The first character of the number of a stored event."""

_LARGEST = 64_000_000
_MOST_SESSIONS = 10_000
_HEADER = "mcp-session-id"

_conversation: ContextVar[str] = ContextVar("conversation", default="")


class _LoggedEvent(NamedTuple):
    conversation: str
    stream: str
    message: JSONRPCMessage | None
    size: int


class SentEvents(EventStore):
    """The events of all sessions, each readable in its own session only. If they take more than 64 MB, the oldest ones
    are dropped. The SDK names a stream by the id of its request. Every client counts these ids from 1, so each event is
    stored with its session as well. `Conversations` determines the session of a request."""

    def __init__(self, largest: int = _LARGEST) -> None:
        self._largest = largest
        self._size = 0
        self._events: OrderedDict[str, _LoggedEvent] = OrderedDict()

    async def store_event(self, stream_id: str, message: JSONRPCMessage | None) -> str:
        """Store an event, and return its number. A message larger than the limit for all events is not stored."""
        number = MARK + secrets.token_urlsafe(12)
        size = 200 + (0 if message is None else len(message.model_dump_json(by_alias=True, exclude_unset=True)))
        if size <= self._largest:
            self._events[number] = _LoggedEvent(_conversation.get(), stream_id, message, size)
            self._size += size
        while self._size > self._largest:
            self._size -= self._events.popitem(last=False)[1].size
        return number

    async def replay_events_after(self, last_event_id: str, send_callback: EventCallback) -> str | None:
        """Resend the events of a stream that follow the event `last_event_id`. Return the stream's id; None if the
        event is not stored or belongs to another session."""
        last = self._events.get(last_event_id)
        if last is None or last.conversation != _conversation.get():
            return None
        is_later = False
        for number, each in list(self._events.items()):
            if is_later and each[:2] == last[:2] and each.message is not None:
                await send_callback(EventMessage(each.message, number))
            is_later = is_later or number == last_event_id
        return last.stream


class Conversations:
    """An ASGI application in which the events of each session are stored separately."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application
        self._known: OrderedDict[str, str] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with its session set for everything that is done for the request."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        own = self._known.get(Headers(scope=scope).get(_HEADER, "")) or secrets.token_urlsafe(12)

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                session = Headers(raw=message["headers"]).get(_HEADER)
                if session is not None:
                    self._known[session] = own
                    self._known.move_to_end(session)
                    while len(self._known) > _MOST_SESSIONS:
                        self._known.popitem(last=False)
            await send(message)

        token = _conversation.set(own)
        try:
            await self._application(scope, receive, noted)
        finally:
            _conversation.reset(token)
