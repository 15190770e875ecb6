"""The approvals of the owner: codes, access tokens and refresh tokens, in the form that the SDK's OAuth handlers
need."""

from __future__ import annotations

import json
import logging
from uuid import uuid4

from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    RegistrationError,
    TokenError,
)
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

from pinebench.mcp.web.addresses import Addresses
from pinebench.mcp.web.client_documents import RefusedError, RemoteDocuments, looks_like_one
from pinebench.mcp.web.grant_store import Family, Store, StoredGrant, new_secret
from pinebench.mcp.web.redirects import MOST, PublicClient, problem
from pinebench.printable import printable

CODE_SECONDS = 300
ACCESS_SECONDS = 604_800
"""The life of an access token in seconds: a week. Every request looks up its token, so a revoked token ends at once."""
REFRESH_SECONDS = 30 * 86_400
"""The time without any use, in seconds, after which the owner must approve the client again."""

SUBJECT = "owner"
"""The name of the owner, who is the person with the server's passphrase."""

_log = logging.getLogger(__name__)


class FamilyCode(AuthorizationCode):
    """An authorization code with its family: the approval that it came from."""

    family: str


class Refresh(RefreshToken):
    """A refresh token with its family: the approval that it came from."""

    family: str


class FamilyAccessToken(AccessToken):
    """An access token with its family: the approval that it came from."""

    family: str


class Grants(OAuthAuthorizationServerProvider[FamilyCode, Refresh, FamilyAccessToken]):
    """The SDK's interface to the store. `seconds` is the lifetime of an access token."""

    def __init__(
        self, store: Store, addresses: Addresses, documents: RemoteDocuments, *, seconds: int = ACCESS_SECONDS
    ) -> None:
        self._store = store
        self._addresses = addresses
        self._documents = documents
        self._seconds = seconds

    async def get_client(self, client_id: str) -> PublicClient | None:
        """Return the client with this id, which registered or is described by a document; None if there is none."""
        if looks_like_one(client_id):
            try:
                return await self._documents.client(client_id)
            except RefusedError as error:
                _log.info("client %s: %s", printable(client_id[:200]), printable(str(error)))
                return None
        found = self._store.client(client_id)
        return None if found is None else PublicClient.model_validate_json(found)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        """Store a client. Raises RegistrationError if its name is too long, or if codes must not be sent to its
        addresses."""
        uris = client_info.redirect_uris or []
        if not 1 <= len(uris) <= MOST:
            raise RegistrationError("invalid_redirect_uri", f"redirect_uris must have from 1 to {MOST} addresses")
        for uri in uris:
            if (found := problem(uri)) is not None:
                raise RegistrationError("invalid_redirect_uri", found)
        if len(client_info.client_name or "") > 200:
            raise RegistrationError("invalid_client_metadata", "client_name may have at most 200 characters")
        self._store.add_client(client_info.client_id, _metadata(client_info))

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        """Not used: the consent page approves clients."""
        raise NotImplementedError

    def approve(
        self, client: PublicClient, params: AuthorizationParams, scopes: list[str], subject: str = SUBJECT
    ) -> str:
        """Return the code for a client that the user `subject` has just approved for `scopes`."""
        if not looks_like_one(str(client.client_id)):
            self._store.keep_client(str(client.client_id), _metadata(client))
        code = new_secret()
        request = FamilyCode(
            code="",
            client_id=client.client_id,
            scopes=scopes,
            expires_at=0,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            family="",
        )
        family = Family(uuid4().hex, client.client_id, subject, self._addresses.audience)
        self._store.add_code(code, family, request.model_dump_json(), CODE_SECONDS)
        return code

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> FamilyCode | None:
        """Return the code of this client; None if it belongs to another client, has expired or was used. A second use
        revokes the whole approval."""
        kept = self._store.code(authorization_code)
        if kept is None:
            return None
        if kept.used:
            self._end(kept, "a code was used twice")
            return None
        found = FamilyCode.model_validate_json(kept.content)
        if not self._is_for(kept, client.client_id):
            return None
        return found.model_copy(update={"code": authorization_code, "expires_at": kept.ends, "family": kept.family.id})

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: FamilyCode
    ) -> OAuthToken:
        """Return the first tokens. If another request has used the code, revoke the approval and raise TokenError."""
        del client
        if not self._store.spend_code(authorization_code.code):
            self._store.revoke(authorization_code.family)
            raise TokenError("invalid_grant", "the authorization code does not exist")
        scopes = authorization_code.scopes
        return self._issued(authorization_code.family, scopes, scopes)

    async def load_refresh_token(self, client: OAuthClientInformationFull, refresh_token: str) -> Refresh | None:
        """Return the refresh token of this client; None if it belongs to another client or has expired. A second use
        revokes the whole approval."""
        kept = self._store.token(refresh_token, "refresh")
        if kept is None:
            return None
        if kept.used:
            self._end(kept, "a refresh token was used twice")
            return None
        if not self._is_for(kept, client.client_id):
            return None
        return Refresh(
            token=refresh_token,
            client_id=kept.family.client,
            scopes=kept.content.split(),
            expires_at=int(kept.ends),
            subject=kept.family.subject,
            family=kept.family.id,
        )

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: Refresh, scopes: list[str]
    ) -> OAuthToken:
        """Return new tokens for old ones. If another request has used the token, revoke the approval and raise
        TokenError."""
        del client
        if not self._store.spend_refresh(refresh_token.token):
            self._store.revoke(refresh_token.family)
            raise TokenError("invalid_grant", "the refresh token does not exist")
        return self._issued(refresh_token.family, scopes, refresh_token.scopes)

    async def load_access_token(self, token: str) -> FamilyAccessToken | None:
        """Return the access token; None if it is not known, has expired, or is for another server."""
        kept = self._store.token(token, "access")
        if kept is None or kept.ends <= self._store.clock() or kept.family.audience != self._addresses.audience:
            return None
        return FamilyAccessToken(
            token=token,
            client_id=kept.family.client,
            scopes=kept.content.split(),
            expires_at=int(kept.ends),
            resource=self._addresses.main,
            subject=kept.family.subject,
            family=kept.family.id,
        )

    async def revoke_token(self, token: FamilyAccessToken | Refresh) -> None:
        """Revoke the token and its whole family."""
        self._store.revoke(token.family)

    def _issued(self, family: str, scopes: list[str], all_scopes: list[str]) -> OAuthToken:
        """Return new tokens. The access token may have fewer scopes than the refresh token, which keeps all of them."""
        access, refresh = new_secret(), new_secret()
        told = " ".join(scopes)
        kept = self._store.add_tokens(
            family,
            [
                ("access", access, told, self._seconds),
                ("refresh", refresh, " ".join(all_scopes), max(REFRESH_SECONDS, self._seconds)),
            ],
        )
        if not kept:
            raise TokenError("invalid_grant", "the approval was revoked")
        return OAuthToken(access_token=access, expires_in=self._seconds, scope=told, refresh_token=refresh)

    def _is_for(self, kept: StoredGrant, client: str) -> bool:
        """Return whether a code or token belongs to this client and this server, and has not ended."""
        is_own = kept.family.client == client and kept.family.audience == self._addresses.audience
        return is_own and kept.ends > self._store.clock()

    def _end(self, kept: StoredGrant, why: str) -> None:
        _log.warning("%s: every token of client %s's approval ends", why, printable(kept.family.client[:200]))
        self._store.revoke(kept.family.id)


def _metadata(client: OAuthClientInformationFull) -> str:
    """Return the metadata of a client that are stored."""
    return json.dumps(
        {
            "client_id": client.client_id,
            "client_name": client.client_name,
            "redirect_uris": [str(each) for each in client.redirect_uris or []],
            "token_endpoint_auth_method": "none",
        }
    )
