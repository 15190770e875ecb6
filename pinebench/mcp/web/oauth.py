"""The OAuth endpoints: the server's metadata, registration, tokens and revocation. The SDK's handlers do the work.
Before that, a request is read within limits, checked for problems that the handlers ignore, and passed on as the form
that they expect."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from mcp.server.auth.handlers.register import RegistrationHandler
from mcp.server.auth.handlers.revoke import RevocationHandler
from mcp.server.auth.handlers.token import TokenHandler
from mcp.server.auth.middleware.client_auth import ClientAuthenticator
from mcp.server.auth.settings import ClientRegistrationOptions
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pinebench.decoding import MalformedDocument, loads
from pinebench.mcp.web import redirects
from pinebench.mcp.web.addresses import PATHS, Addresses
from pinebench.mcp.web.bodies import LARGEST_FORM, RefusedBody, as_form, as_json, fields, read, with_body
from pinebench.mcp.web.consent import Consent
from pinebench.mcp.web.grants import Grants
from pinebench.mcp.web.scopes import Scopes

_VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")
_FORM = "application/x-www-form-urlencoded"
_REGISTERED = ("client_name", "client_uri", "contacts", "policy_uri", "software_id", "software_version", "tos_uri")
_NO_STORE = {"Cache-Control": "no-store", "Pragma": "no-cache"}


def metadata_path(path: str) -> str:
    """Return the path of the metadata about the protected resource at `path` (RFC 9728)."""
    return "/.well-known/oauth-protected-resource" + ("" if path in ("", "/") else path)


class OAuth:
    """The endpoints of the authorization server, and the metadata of the resource that it protects."""

    def __init__(self, grants: Grants, consent: Consent, addresses: Addresses, scopes: Scopes) -> None:
        self._addresses = addresses
        self._scopes = scopes
        self._consent = consent
        authenticator = ClientAuthenticator(grants)
        self._tokens = TokenHandler(grants, authenticator)
        self._registration = RegistrationHandler(grants, ClientRegistrationOptions(enabled=True))
        self._revocation = RevocationHandler(grants, authenticator)

    def routes(self) -> list[Route]:
        """Return the routes of the endpoints."""
        server = "/.well-known/oauth-authorization-server"
        return [
            *(Route(server + path, self._server, methods=["GET"]) for path in PATHS),
            Route("/.well-known/openid-configuration", self._server, methods=["GET"]),
            *(Route(metadata_path(path), self._resource_at(path), methods=["GET"]) for path in PATHS),
            Route("/register", self._register, methods=["POST"]),
            Route("/authorize", self._consent.authorize, methods=["GET", "POST"]),
            Route("/consent", self._consent.answer, methods=["POST"]),
            Route("/token", self._token, methods=["POST"]),
            Route("/revoke", self._revoke, methods=["POST"]),
        ]

    def _base(self, request: Request) -> str:
        return self._addresses.base_for(request.headers.get("host", "")) or self._addresses.main

    async def _server(self, request: Request) -> Response:
        """Return the metadata of the authorization server (RFC 8414)."""
        base = self._base(request)
        return JSONResponse(
            {
                "issuer": base,
                "authorization_endpoint": f"{base}/authorize",
                "token_endpoint": f"{base}/token",
                "registration_endpoint": f"{base}/register",
                "revocation_endpoint": f"{base}/revoke",
                "scopes_supported": list(self._scopes.all),
                "response_types_supported": ["code"],
                "response_modes_supported": ["query"],
                "grant_types_supported": ["authorization_code", "refresh_token"],
                "code_challenge_methods_supported": ["S256"],
                "token_endpoint_auth_methods_supported": ["none"],
                "revocation_endpoint_auth_methods_supported": ["none"],
                "client_id_metadata_document_supported": True,
                "authorization_response_iss_parameter_supported": True,
                "logo_uri": f"{base}/favicon.svg",
            }
        )

    def _resource_at(self, path: str) -> Callable[[Request], Any]:
        """Return the endpoint with the metadata of the protected resource, for a client that knows it by `path`."""

        async def told(request: Request) -> Response:
            base = self._base(request)
            return JSONResponse(
                {
                    "resource": base + path,
                    "resource_name": "pinebench",
                    "authorization_servers": [base],
                    "scopes_supported": list(self._scopes.all),
                    "bearer_methods_supported": ["header"],
                }
            )

        return told

    async def _register(self, request: Request) -> Response:
        """Dynamic registration (RFC 7591). Every client becomes a public one, whatever it asks for."""
        try:
            body = await read(request, LARGEST_FORM)
            given: dict[str, Any] = loads(body, {"redirect_uris": [str]}, size=LARGEST_FORM, depth=8, unique=True)
        except RefusedBody as error:
            return _refused("invalid_client_metadata", error.message, error.status)
        except MalformedDocument as error:
            return _refused("invalid_client_metadata", f"the body is not valid: {error}")
        for text in given["redirect_uris"][: redirects.MOST + 1]:
            try:
                wrong = redirects.problem(redirects.parsed(text), text)
            except ValidationError:
                wrong = "an entry in redirect_uris is not an address"
            if wrong is not None:
                return _refused("invalid_redirect_uri", wrong)
        asked = str(given.get("scope") or "").split()
        kept = {
            **{name: given[name] for name in _REGISTERED if given.get(name)},
            "redirect_uris": given["redirect_uris"],
            "token_endpoint_auth_method": "none",
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "scope": " ".join(each for each in self._scopes.all if not asked or each in asked),
        }
        return await self._registration.handle(_changed(request, as_json(kept), "application/json"))

    async def _token(self, request: Request) -> Response:
        """Exchange a code or a refresh token. The body may be a form or JSON."""
        try:
            given = await fields(request)
        except RefusedBody as error:
            return _refused("invalid_request", error.message, error.status)
        if request.url.query:
            return _refused("invalid_request", "parameters belong in the body, not in the address")
        if "resource" in given and not self._addresses.is_resource(given["resource"]):
            return _refused("invalid_target", "resource names another server")
        kind = given.get("grant_type")
        if kind not in ("authorization_code", "refresh_token"):
            error = "unsupported_grant_type" if kind else "invalid_request"
            return _refused(error, "grant_type must be authorization_code or refresh_token")
        if kind == "authorization_code" and not _VERIFIER.fullmatch(given.get("code_verifier", "")):
            return _refused("invalid_grant", "code_verifier must have from 43 to 128 unreserved characters (PKCE)")
        return await self._tokens.handle(_changed(request, as_form(given), _FORM))

    async def _revoke(self, request: Request) -> Response:
        """Revoke a token with everything that came from the same approval (RFC 7009)."""
        try:
            given = await fields(request)
        except RefusedBody as error:
            return _refused("invalid_request", error.message, error.status)
        return await self._revocation.handle(_changed(request, as_form({"client_secret": "", **given}), _FORM))


def _changed(request: Request, body: bytes, kind: str) -> Request:
    return Request(*with_body(request.scope, request.receive, body, kind))


def _refused(error: str, description: str, status: int = 400) -> Response:
    return Response(
        json.dumps({"error": error, "error_description": description}), status, _NO_STORE, "application/json"
    )
