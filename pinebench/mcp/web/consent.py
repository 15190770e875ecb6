"""Authorization: a client's request, the consent page for the owner, and the code that goes back to the client."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import logging
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl

import anyio
import anyio.to_thread
from mcp.server.auth.provider import AuthorizationParams, construct_redirect_uri
from mcp.shared.auth import InvalidRedirectUriError
from pydantic import AnyUrl, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from pinebench.mcp.web import pages, passphrases, redirects
from pinebench.mcp.web.addresses import Addresses
from pinebench.mcp.web.bodies import LARGEST_FORM, RefusedBody, read, single
from pinebench.mcp.web.grant_store import new_secret
from pinebench.mcp.web.grants import SUBJECT, Grants
from pinebench.mcp.web.redirects import PublicClient
from pinebench.mcp.web.scopes import Scopes
from pinebench.printable import printable

_SECONDS = 600.0
"""The time in which the owner must answer."""
_MOST_ANSWERED = 10_000
"""The largest number of remembered requests that a person has begun to answer."""
_MOST_WRONG = 5
_KNOWN_COOKIE = "pinebench-known"
_KNOWN_SECONDS = 365 * 86_400
_MOST_KNOWN = 1_000
"""The largest number of browsers with their own count of wrong passphrases."""
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
_LONGEST = 4_000
_IGNORED = frozenset({"offline_access", "openid"})
"""Scopes that clients ask for everywhere. Refresh tokens are always issued."""

_log = logging.getLogger(__name__)


@dataclass
class _PendingRequest:
    """A request that waits for the owner. Only the browser with the cookie may answer it. The page itself holds the
    request, sealed, so the server needs no memory for it, however many requests there are."""

    client: PublicClient
    params: AuthorizationParams
    base: str
    scopes: list[str]
    ends: float
    number: str

    def sealed(self, key: bytes) -> str:
        """Return the request as a sealed text that only this server can make."""
        told = {
            "client": self.client.model_dump_json(exclude_none=True),
            "params": self.params.model_dump_json(),
            "base": self.base,
            "scopes": self.scopes,
            "ends": self.ends,
            "number": self.number,
        }
        body = base64.urlsafe_b64encode(json.dumps(told).encode()).decode()
        return f"{body}.{_mark(key, 'request', body)}"


def _opened(key: bytes, sealed: str) -> _PendingRequest | None:
    """Return the request in a sealed text; None if this server has not made the text."""
    body, _, mark = sealed.partition(".")
    if not _same(mark, _mark(key, "request", body)):
        return None
    told = json.loads(base64.urlsafe_b64decode(body))
    client = PublicClient.model_validate_json(told["client"])
    params = AuthorizationParams.model_validate_json(told["params"])
    return _PendingRequest(client, params, told["base"], told["scopes"], told["ends"], told["number"])


def _mark(key: bytes, purpose: str, text: str) -> str:
    return hmac.new(key, f"{purpose}:{text}".encode(), hashlib.sha256).hexdigest()


class AuthorizationRefusal(Exception):
    """An error for a refused authorization request that may be reported to the client's redirect address."""

    def __init__(self, error: str, description: str) -> None:
        super().__init__(description)
        self.error = error
        self.description = description


class Consent:
    """The authorization endpoint. `kept` is the hash of the owner's passphrase; `users` maps the names of other users
    to the hashes of their passphrases."""

    def __init__(
        self,
        grants: Grants,
        addresses: Addresses,
        scopes: Scopes,
        kept: str,
        clock: Callable[[], float] = time.monotonic,
        *,
        users: Mapping[str, str] | None = None,
    ) -> None:
        self._grants = grants
        self._addresses = addresses
        self._scopes = scopes
        self._kept = {SUBJECT: kept, **(users or {})}
        self._clock = clock
        self._throttle = passphrases.Throttle(clock)
        self._throttles: OrderedDict[str, passphrases.Throttle] = OrderedDict()
        """The counts of browsers from which their users have logged in before, by the mark of the browser."""
        self._turn: anyio.Lock | None = None
        self._key = secrets.token_bytes(32)
        self._answered: OrderedDict[str, int] = OrderedDict()
        """The number of wrong passphrases for each request, by the request's number; -1 if the request is over."""

    async def authorize(self, request: Request) -> Response:
        """GET or POST /authorize: show the consent page, or show what is wrong with the request.

        An error goes to the redirect address only if the client and that address are known. If not, this server
        shows the error.
        """
        try:
            given = await self._given(request)
        except RefusedBody as error:
            return _told("invalid_request", error.message, error.status)
        client = await self._grants.get_client(given.get("client_id", ""))
        if client is None:
            return _told("invalid_client", "the client is not known: it must register first")
        try:
            uri = redirects.parsed(given["redirect_uri"]) if "redirect_uri" in given else None
            target = client.validate_redirect_uri(uri)
        except (ValidationError, InvalidRedirectUriError):
            return _told("invalid_request", "the client has not registered this redirect_uri")
        state, base = given.get("state"), _base(self._addresses, request)
        try:
            scopes = self._checked(given)
        except AuthorizationRefusal as error:
            return _sent(target, base, state, error=error.error, error_description=error.description)
        params = AuthorizationParams(
            state=state,
            scopes=scopes,
            code_challenge=given["code_challenge"],
            redirect_uri=target,
            redirect_uri_provided_explicitly=uri is not None,
        )
        ends = self._clock() + _SECONDS
        waiting = _PendingRequest(client, params, base, scopes, ends, new_secret())
        return self._with_cookie(self._page(waiting), waiting.number)

    def _with_cookie(self, answer: Response, name: str) -> Response:
        """Return the consent page with the cookie that the answer to the page must have."""
        answer.set_cookie(
            _cookie(name),
            _mark(self._key, "cookie", name),
            max_age=int(_SECONDS),
            path="/consent",
            httponly=True,
            samesite="strict",
            secure=self._addresses.is_secure,
        )
        return answer

    async def answer(self, request: Request) -> Response:
        """POST /consent: handle the owner's answer. Send the code to the client, or show the page again."""
        origin = request.headers.get("origin")
        if origin is not None and not self._addresses.is_own(origin):
            return _page_problem("This answer came from a page of another site.", 403)
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return _page_problem("This answer came from a page of another site.", 403)
        try:
            body = await read(request, LARGEST_FORM)
            pairs = parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=200)
            given = single([each for each in pairs if each[0] != "scope"])
        except RefusedBody as error:
            return _page_problem(error.message, error.status)
        except ValueError:
            return _page_problem("The form cannot be read.", 400)
        waiting = _opened(self._key, given.get("request", ""))
        if waiting is None or waiting.ends < self._clock() or self._answered.get(waiting.number, 0) < 0:
            return _page_problem("This request has expired. Start again in the program that asks for access.", 400)
        name = waiting.number
        cookie, csrf = request.cookies.get(_cookie(name), ""), given.get("csrf", "")
        if not (_same(cookie, _mark(self._key, "cookie", name)) and _same(csrf, _mark(self._key, "csrf", name))):
            return _page_problem("This answer came from another browser. Start again.", 403)
        if given.get("decision") == "deny":
            return self._denied(waiting, "the owner denied access")
        chosen = [value for key, value in pairs if key == "scope"]
        if "decision" in given or chosen:
            granted = [scope for scope in waiting.scopes if scope in chosen]
        else:  # sent without a button: what the page showed as chosen
            granted = [scope for scope in waiting.scopes if self._scopes.is_usual(scope)]
        if not granted:
            return self._page(waiting, "Choose at least one thing to allow.", 400)
        user = given.get("user", "").strip().lower() or SUBJECT
        return await self._unlocked(waiting, user, given.get("passphrase", ""), granted, request)

    def _throttle_of(self, request: Request, user: str) -> passphrases.Throttle:
        """Return the count of wrong passphrases for a browser: its own count if the user has logged in from it before.
        Strangers share one count, so they cannot lock a user out of the user's own browser."""
        number, _, mark = request.cookies.get(_KNOWN_COOKIE, "").partition(".")
        if user not in self._kept or not _same(mark, self._known(user, number)):
            return self._throttle
        found = self._throttles.pop(mark, None) or passphrases.Throttle(self._clock)
        self._throttles[mark] = found
        while len(self._throttles) > _MOST_KNOWN:
            self._throttles.popitem(last=False)
        return found

    def _known(self, user: str, number: str) -> str:
        """Return the mark of a browser that is known to a user. It is valid until the user's passphrase changes, also
        after a restart."""
        return _mark(self._kept[user].encode(), "known browser", number)

    def _remember(self, answer: Response, user: str) -> None:
        number = new_secret()
        answer.set_cookie(
            _KNOWN_COOKIE,
            f"{number}.{self._known(user, number)}",
            max_age=_KNOWN_SECONDS,
            path="/consent",
            httponly=True,
            samesite="strict",
            secure=self._addresses.is_secure,
        )

    async def _unlocked(
        self, waiting: _PendingRequest, user: str, passphrase: str, granted: list[str], request: Request
    ) -> Response:
        """Check the passphrase, one at a time. If it is right, send the code to the client, end the request, and
        remember the browser."""
        throttle = self._throttle_of(request, user)
        if self._turn is None:
            self._turn = anyio.Lock()
        async with self._turn:
            seconds = throttle.wait()
            if seconds:
                told = self._page(waiting, f"Too many wrong passphrases. Wait {seconds} seconds.", 429)
                told.headers["Retry-After"] = str(seconds)
                return told
            if self._answered.get(waiting.number, 0) < 0:
                return _page_problem("This request has expired. Start again.", 400)
            throttle.begin()
            # An unknown name takes as long as a known one, so that nobody learns names.
            kept = self._kept.get(user)
            is_right = await anyio.to_thread.run_sync(passphrases.is_right, passphrase, kept or self._kept[SUBJECT])
            if kept is None or not is_right:
                wrong = self._answered.get(waiting.number, 0) + 1
                self._note(waiting, wrong)
                _log.warning("a wrong passphrase for client %s", printable(waiting.client.client_id[:200]))
                if wrong >= _MOST_WRONG:
                    return self._denied(waiting, "too many wrong passphrases")
                said = "The passphrase is wrong." if len(self._kept) == 1 else "The name or the passphrase is wrong."
                return self._page(waiting, said, 403)
            throttle.forgive()
            self._note(waiting, -1)
        code = self._grants.approve(waiting.client, waiting.params, granted, user)
        answer = _sent(waiting.params.redirect_uri, waiting.base, waiting.params.state, code=code)
        if request.headers.get("sec-fetch-site") == "same-origin":  # other programs keep no cookies
            self._remember(answer, user)
        return answer

    def _note(self, waiting: _PendingRequest, wrong: int) -> None:
        """Remember how many wrong passphrases a request had; -1 means that the request is over."""
        self._answered[waiting.number] = wrong
        self._answered.move_to_end(waiting.number)
        while len(self._answered) > _MOST_ANSWERED:
            self._answered.popitem(last=False)

    def _denied(self, waiting: _PendingRequest, why: str) -> Response:
        self._note(waiting, -1)
        return _sent(
            waiting.params.redirect_uri,
            waiting.base,
            waiting.params.state,
            error="access_denied",
            error_description=why,
        )

    def _page(self, waiting: _PendingRequest, wrong: str = "", status: int = 200) -> Response:
        target = waiting.params.redirect_uri
        shown = [(each, self._scopes.about(each), self._scopes.is_usual(each)) for each in waiting.scopes]
        return pages.consent(
            client=waiting.client.client_name or "(no name)",
            client_id=waiting.client.client_id,
            target=redirects.shown(target),
            address=str(target),
            request=waiting.sealed(self._key),
            token=_mark(self._key, "csrf", waiting.number),
            scopes=shown,
            form_target=f"'self' {redirects.source(target)}",
            asks_name=len(self._kept) > 1,
            wrong=wrong,
            status=status,
        )

    async def _given(self, request: Request) -> dict[str, str]:
        if request.method == "POST":
            body = await read(request, LARGEST_FORM)
            query = body.decode("utf-8", "replace")
        else:
            query = request.url.query
        if len(query) > LARGEST_FORM:
            raise RefusedBody(400, "the request is too long")
        try:
            pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=40)
        except ValueError:
            raise RefusedBody(400, "the request has too many parameters") from None
        found = single(pairs)
        if any(len(value) > _LONGEST or "\x00" in value for value in found.values()):
            raise RefusedBody(400, f"a parameter may have at most {_LONGEST} characters")
        return found

    def _checked(self, given: dict[str, str]) -> list[str]:
        """Return the scopes that a request asks for. Raises AuthorizationRefusal if something about it is wrong."""
        if "request" in given or "request_uri" in given:
            raise AuthorizationRefusal("invalid_request", "request objects are not supported")
        if given.get("response_type") != "code":
            raise AuthorizationRefusal("unsupported_response_type", "response_type must be code")
        if given.get("response_mode", "query") != "query":
            raise AuthorizationRefusal("invalid_request", "response_mode must be query")
        if given.get("code_challenge_method", "S256") != "S256":
            raise AuthorizationRefusal("invalid_request", "code_challenge_method must be S256")
        if not _CHALLENGE.fullmatch(given.get("code_challenge", "")):
            raise AuthorizationRefusal(
                "invalid_request", "code_challenge must be a SHA-256 as base64url: 43 characters (PKCE)"
            )
        if "resource" in given and not self._addresses.is_resource(given["resource"]):
            raise AuthorizationRefusal("invalid_target", "resource names another server")
        asked = [each for each in given.get("scope", "").split() if each not in _IGNORED]
        unknown = [each for each in asked if each not in self._scopes.all]
        if unknown:
            raise AuthorizationRefusal("invalid_scope", f"there is no scope {printable(unknown[0][:80])}")
        return [each for each in self._scopes.all if not asked or each in asked]


def _cookie(name: str) -> str:
    """Return the name of the cookie of a request. Each request has its own, so that two pages can be open at once."""
    return f"pinebench-consent-{name[:16]}"


def _base(addresses: Addresses, request: Request) -> str:
    """Return the address of this server as the client knows it."""
    return addresses.base_for(request.headers.get("host", "")) or addresses.main


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "surrogatepass"), other.encode())


def _told(error: str, description: str, status: int = 400) -> Response:
    return JSONResponse(
        {"error": error, "error_description": description}, status, headers={"Cache-Control": "no-store"}
    )


def _page_problem(words: str, status: int) -> Response:
    return pages.page("pinebench", f"<p>{pages.text(words)}</p>", status)


def _sent(target: AnyUrl, base: str, state: str | None, **told: str) -> Response:
    """Send the browser to the client's address with the answer and the issuer, which prevents mix-ups of servers."""
    address = construct_redirect_uri(str(target), **told, state=state, iss=base)
    return RedirectResponse(address, 302, {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"})
