"""The MCP endpoint: checks whether a client may send a message, and passes the message on to the SDK."""

from __future__ import annotations

import re
import secrets
from collections import Counter, OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pinebench.context import PushSource
from pinebench.mcp import sent_events
from pinebench.mcp.web import rpc_messages
from pinebench.mcp.web.addresses import PATHS, Addresses
from pinebench.mcp.web.bodies import RefusedBody, as_json, read, with_body
from pinebench.mcp.web.grants import SUBJECT, Grants
from pinebench.mcp.web.json_answers import JsonAnswers
from pinebench.mcp.web.metrics import Figures
from pinebench.mcp.web.oauth import metadata_path
from pinebench.mcp.web.public_tools import GRANT, STILL, ServedOffer
from pinebench.mcp.web.scopes import Scopes
from pinebench.mcp.web.shares import Owner
from pinebench.mcp.web.streams import AlertStream

_SESSION = re.compile(r"[\x21-\x7e]{1,200}")
_SESSION_HEADER = "mcp-session-id"
_MOST_SESSIONS, _SESSIONS_EACH = 1_000, 20
_MOST_STREAMS, _STREAMS_EACH = 1_000, 20
"""The largest number of sessions and of streams, of all clients and of one."""
_BUSY_SECONDS = 5
_RETRY = {"Retry-After": str(_BUSY_SECONDS)}
_BOTH = "application/json, text/event-stream"
_EVENT = re.compile(r"\d{1,18}")


class _Session(NamedTuple):
    """A session of the SDK: who opened it, its version of the protocol, and how many of its calls are running."""

    owner: Owner
    version: str
    calls: Counter[str]


class McpEndpoint:
    """The endpoint at `/mcp` and its other paths.

    A client that logged in, begins a conversation and accepts streams gets a session of the SDK: its calls report
    progress, can be cancelled, and continue when its connection breaks. Every other message is answered separately, as
    JSON, and a session id that comes with it is only sent back.

    `grants` checks the tokens; with None, everybody is served, which is meant only for a server on this computer.
    """

    def __init__(
        self,
        offer: ServedOffer,
        grants: Grants | None,
        addresses: Addresses,
        scopes: Scopes,
        pushing: PushSource | None = None,
        figures: Figures | None = None,
    ) -> None:
        server = offer.server()
        self._offer = offer
        self._grants = grants
        self._addresses = addresses
        self._scopes = scopes
        self._pushing = pushing
        self._figures = figures
        self._streams: dict[Owner, list[AlertStream]] = {}
        self._single = StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, max_request_body_size=rpc_messages.LARGEST
        )
        self._lasting = StreamableHTTPSessionManager(
            server,
            event_store=sent_events.SentEvents(),
            retry_interval=1_000,
            max_request_body_size=rpc_messages.LARGEST,
            max_sessions=_MOST_SESSIONS,
        )
        self._sessions: ASGIApp = sent_events.Conversations(JsonAnswers(self._lasting.handle_request))
        self._resumed: ASGIApp = sent_events.Conversations(self._lasting.handle_request)
        self._open: OrderedDict[str, _Session] = OrderedDict()

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Serve requests while the body of the `with` statement runs."""
        async with self._single.run(), self._lasting.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for the endpoint."""
        request = Request(scope, receive)
        session = request.headers.get(_SESSION_HEADER, "")
        echo = session if _SESSION.fullmatch(session) else None

        async def echoing(message: Message) -> None:
            if echo is not None and message["type"] == "http.response.start":
                message = {**message, "headers": list(message["headers"])}
                MutableHeaders(raw=message["headers"])[_SESSION_HEADER] = echo
            await send(message)

        methods = {"POST": self._post, "GET": self._get, "DELETE": self._delete}
        handle = methods.get(request.method)
        if handle is None:
            refused = Response(status_code=405, headers={"Allow": "GET, POST, DELETE"})
            await refused(scope, receive, echoing)
        else:
            await handle(request, echo, echoing)

    async def _post(self, request: Request, session: str | None, send: Send) -> None:
        scope, receive = request.scope, request.receive
        accept = _joined(request.headers, "accept")
        if not rpc_messages.accepts_json(accept):
            refused = rpc_messages.error(
                rpc_messages.INVALID_REQUEST, "Not Acceptable: accept application/json", None, 406
            )
            await refused(scope, receive, send)
            return
        grant = await self._grant(request)
        try:
            told = rpc_messages.message(
                await read(request, rpc_messages.LARGEST if grant else rpc_messages.LARGEST_UNKNOWN)
            )
        except RefusedBody as error:
            await rpc_messages.error(rpc_messages.INVALID_REQUEST, error.message, None, error.status)(
                scope, receive, send
            )
            return
        except rpc_messages.NotAMessage as error:
            await rpc_messages.error(error.code, error.message)(scope, receive, send)
            return
        refusal = self._refusal(request, told, grant)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        known = {**scope, GRANT: grant, STILL: self._still(request)}
        scope, receive = with_body(known, receive, as_json(told), "application/json")
        await self._answer(scope, receive, send, told, grant, session, rpc_messages.accepts_stream(accept))

    async def _answer(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        told: dict[str, Any],
        grant: AccessToken | None,
        session: str | None,
        takes_streams: bool,
    ) -> None:
        """Pass a message to the part of the SDK that answers it."""
        version = Headers(scope=scope).get("mcp-protocol-version")
        is_modern = version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS
        begins = told.get("method") == "initialize"
        owner = None if grant is None else _owner(grant)
        own = self._own(session, grant)
        if begins and not is_modern and session is None and owner is not None and takes_streams:
            if not await self._make_room(scope, owner):
                await _busy("too many of your sessions are open and in use", told.get("id"))(scope, receive, send)
                return
            await self._sessions(_accepting(scope, _BOTH), receive, self._remembering(send, owner, told))
        elif takes_streams and is_modern:
            await self._sessions(_accepting(scope, _BOTH), receive, send)
        elif takes_streams and own is not None and not begins:
            own.calls["running"] += 1
            try:
                await self._sessions(_speaking(_accepting(scope, _BOTH), own.version), receive, send)
            finally:
                own.calls["running"] -= 1
        else:
            minted = secrets.token_hex(16) if begins and session is None else None
            single = _accepting(scope, "application/json", drop=_SESSION_HEADER.encode())
            await self._single.handle_request(single, receive, _with_session(send, minted))

    async def _make_room(self, scope: Scope, owner: Owner) -> bool:
        """If this client has too many sessions, end the one that was idle longest. Return False if all of them are in
        use."""
        mine = [name for name, each in self._open.items() if each.owner == owner]
        if len(mine) < _SESSIONS_EACH:
            return True
        idle = next((name for name in mine if not self._open[name].calls["running"]), None)
        if idle is None:
            return False
        version = self._open.pop(idle).version
        headers = [each for each in scope["headers"] if each[0] != _SESSION_HEADER.encode()]
        ending = {**scope, "method": "DELETE", "headers": [*headers, (_SESSION_HEADER.encode(), idle.encode())]}
        await self._resumed(_speaking(_accepting(ending, _BOTH), version), _nothing_more, _unheard)
        return True

    def _own(self, session: str | None, grant: AccessToken | None) -> _Session | None:
        """Return the session with this id, if the client with this token opened it."""
        found = None if session is None else self._open.get(session)
        if found is None or session is None or grant is None or found.owner != _owner(grant):
            return None
        self._open.move_to_end(session)
        return found

    def _remembering(self, send: Send, owner: Owner, told: dict[str, Any]) -> Send:
        """Pass a response on, and remember who opened a session with it, and in which version of the protocol."""
        params = told.get("params")
        asked = params.get("protocolVersion") if isinstance(params, dict) else None
        version = asked if asked in HANDSHAKE_PROTOCOL_VERSIONS else LATEST_HANDSHAKE_VERSION

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                session = Headers(raw=message["headers"]).get(_SESSION_HEADER)
                if session is not None:
                    self._open[session] = _Session(owner, version, Counter())
                    while len(self._open) > 2 * _MOST_SESSIONS:
                        self._open.popitem(last=False)
            await send(message)

        return noted

    def _refusal(self, request: Request, told: dict[str, Any], grant: AccessToken | None) -> Response | None:
        """Return the response to a message that its sender may not send; None if it may."""
        method, number = told.get("method"), told.get("id")
        if grant is None:
            if isinstance(method, str) and method in rpc_messages.OPEN and number is not None:
                return None
            words = "a token is needed: log in, and send 'Authorization: Bearer TOKEN'"
            return rpc_messages.error(rpc_messages.UNAUTHORIZED, words, number, 401, self._challenge(request))
        params = told.get("params")
        name = params.get("name") if method == "tools/call" and isinstance(params, dict) else None
        needed = self._scopes.of(name) if isinstance(name, str) else None
        if needed is None or needed in grant.scopes:
            is_full = isinstance(name, str) and self._offer.computes(name) and self._offer.turns.is_full(_owner(grant))
            return _busy("too many of your calls are waiting", number) if is_full else None
        words = f"this client may not use {name}: it needs the scope {needed}"
        told_headers = self._challenge(request, f'error="insufficient_scope", scope="{needed}"')
        return rpc_messages.error(rpc_messages.UNAUTHORIZED, words, number, 403, told_headers)

    def _challenge(self, request: Request, why: str = "") -> dict[str, str]:
        """Return the header that directs a client to the authorization server (RFC 9728)."""
        base = self._addresses.base_for(request.headers.get("host", "")) or self._addresses.main
        path = request.url.path if request.url.path in PATHS else ""
        if not why and "authorization" in request.headers:
            why = 'error="invalid_token"'
        parts = [f'resource_metadata="{base}{metadata_path(path)}"', *([why] if why else [])]
        return {"WWW-Authenticate": f'Bearer realm="pinebench", {", ".join(parts)}', "Cache-Control": "no-store"}

    async def _grant(self, request: Request) -> AccessToken | None:
        """Return the token of a request, with its scopes; None if the sender did not log in."""
        if self._grants is None:
            return AccessToken(token="", client_id="local", scopes=list(self._scopes.all), subject=SUBJECT)
        given = request.headers.getlist("authorization")
        scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
        token = token.strip()
        if scheme.lower() != "bearer" or not 0 < len(token) <= 200:
            return None
        return await self._grants.load_access_token(token)

    def _still(self, request: Request) -> Callable[[], Awaitable[bool]]:
        """Return a function that says whether the token of a request is still valid."""

        async def is_good() -> bool:
            return await self._grant(request) is not None

        return is_good

    async def _get(self, request: Request, session: str | None, send: Send) -> None:
        """Open the stream of fired alerts, or continue the stream of a call whose connection broke."""
        scope, receive = request.scope, request.receive
        grant = await self._grant(request)
        if grant is None:
            refused = PlainTextResponse("log in first\n", 401, self._challenge(request))
            await refused(scope, receive, send)
            return
        accept = _joined(request.headers, "accept")
        if accept is not None and not rpc_messages.accepts_stream(accept):
            await rpc_messages.error(
                rpc_messages.INVALID_REQUEST, "Not Acceptable: accept text/event-stream", None, 406
            )(scope, receive, send)
            return
        last = request.headers.get("last-event-id", "")
        own = self._own(session, grant)
        if last.startswith(sent_events.MARK) and own is not None:
            resumed = _accepting(scope, "text/event-stream")
            await self._resumed(_speaking(resumed, own.version), receive, send)
            return
        if "alerts" not in grant.scopes:
            told = self._challenge(request, 'error="insufficient_scope", scope="alerts"')
            await PlainTextResponse("this client may not receive alerts\n", 403, told)(scope, receive, send)
            return
        owner = _owner(grant)
        is_full = sum(map(len, self._streams.values())) >= _MOST_STREAMS
        if is_full and not self._streams.get(owner):  # else the oldest one of the same client makes room
            await PlainTextResponse("too many streams are open\n", 503, {"Retry-After": "30"})(scope, receive, send)
            return
        after = int(last) if _EVENT.fullmatch(last) else None
        headers = {_SESSION_HEADER: session or secrets.token_hex(16)}
        stream = AlertStream(self._pushing, str(grant.subject), after, self._still(request), headers)
        await self._streaming(stream, owner, scope, receive, send)

    async def _streaming(self, stream: AlertStream, owner: Owner, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a stream. If the client has too many streams, or if the server has, end the client's oldest one."""
        mine = self._streams.setdefault(owner, [])
        while len(mine) >= _STREAMS_EACH or (mine and sum(map(len, self._streams.values())) >= _MOST_STREAMS):
            mine.pop(0).end()
        mine.append(stream)
        self._count_stream(1)
        try:
            await stream(scope, receive, send)
        finally:
            self._count_stream(-1)
            if stream in mine:
                mine.remove(stream)
            if not mine:
                self._streams.pop(owner, None)

    def _count_stream(self, change: int) -> None:
        if self._figures is not None:
            self._figures.streaming(change)

    async def _delete(self, request: Request, session: str | None, send: Send) -> None:
        """End a session. Only the client that began a session can end it."""
        scope, receive = request.scope, request.receive
        grant = await self._grant(request)
        if grant is None:
            told = rpc_messages.error(
                rpc_messages.UNAUTHORIZED, "a token is needed", None, 401, self._challenge(request)
            )
            await told(scope, receive, send)
        elif session is not None and (own := self._own(session, grant)) is not None:
            del self._open[session]
            await self._resumed(_speaking(scope, own.version), receive, send)
        else:
            await Response(status_code=405, headers={"Allow": "GET, POST"})(scope, receive, send)


async def _nothing_more() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _unheard(message: Message) -> None:
    del message


def _busy(words: str, number: Any) -> Response:
    """Return the answer to a client that has too many calls, streams or sessions."""
    return rpc_messages.error(rpc_messages.BUSY, f"{words}: try again in {_BUSY_SECONDS} s", number, 429, _RETRY)


def _owner(grant: AccessToken) -> Owner:
    return grant.client_id, grant.subject


def _joined(headers: Headers, name: str) -> str | None:
    """Return all headers with this name as one; None if there is none."""
    found = headers.getlist(name)
    return ", ".join(found) if found else None


def _accepting(scope: Scope, accept: str, drop: bytes = b"") -> Scope:
    """Return the same request at the SDK's address, with this header `Accept`."""
    headers = [each for each in scope["headers"] if each[0] not in (b"accept", drop)]
    return {**scope, "headers": [*headers, (b"accept", accept.encode())]}


def _speaking(scope: Scope, version: str) -> Scope:
    """Return the same request in the version of its session, whatever version its header names."""
    name = b"mcp-protocol-version"
    headers = [each for each in scope["headers"] if each[0] != name]
    return {**scope, "headers": [*headers, (name, version.encode())]}


def _with_session(send: Send, session: str | None) -> Send:
    """Pass a response on, with a new session id. Clients that get none open no stream."""

    async def minted(message: Message) -> None:
        if session is not None and message["type"] == "http.response.start" and message["status"] < 400:
            message = {**message, "headers": list(message["headers"])}
            MutableHeaders(raw=message["headers"])[_SESSION_HEADER] = session
        await send(message)

    return minted
