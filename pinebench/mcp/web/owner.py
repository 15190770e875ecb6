"""The passphrases of the owner and of other users: given now, stored at an earlier start, or generated."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping

from pinebench.errors import UsageError
from pinebench.files.regular_files import reason
from pinebench.mcp.web import passphrases
from pinebench.mcp.web.grant_store import Store
from pinebench.mcp.web.grants import SUBJECT

VARIABLE = "PINEBENCH_PASSPHRASE"
_SETTING, _USERS = "passphrase", "users"
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,39}")
_MOST_USERS = 100


def given(file: str | None) -> str | None:
    """Return the passphrase from `file`. Without a file, return the environment variable PINEBENCH_PASSPHRASE; None if
    it is not set. Raises UsageError if the file cannot be read, or the passphrase is too short or too long."""
    if file is None:
        text = os.environ.get(VARIABLE)
        return passphrases.checked(text, VARIABLE) if text else None
    where = f"--passphrase-file {file}"
    return passphrases.checked(_text(file, where).strip("\r\n"), where)


def users_given(file: str) -> dict[str, str]:
    """Return the passphrases of users by their names, from lines `NAME PASSPHRASE` of `file`. Lines with `#` are
    comments.

    Raises UsageError if the file cannot be read, or a line is wrong; the message never contains a passphrase.
    """
    found: dict[str, str] = {}
    for number, line in enumerate(_text(file, f"--users {file}").splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        where = f"--users {file}: line {number}"
        name, _, passphrase = line.strip().partition(" ")
        if not _NAME.fullmatch(name) or name == SUBJECT or name in found:
            hint = (
                "expected NAME PASSPHRASE, with each name only once; a name consists of a-z, 0-9, '_', '.' "
                "and '-', and owner is set by --passphrase-file"
            )
            raise UsageError(f"{where}: the name cannot be used", hint)
        found[name] = passphrases.checked(passphrase.strip(), where)
    if not 0 < len(found) <= _MOST_USERS:
        raise UsageError(f"--users {file}: the file has {len(found)} users", f"expected from 1 to {_MOST_USERS}")
    return found


def _text(file: str, where: str) -> str:
    try:
        with open(file, "rb") as source:
            return source.read(200_000).decode("utf-8")
    except OSError as error:
        raise UsageError(f"{where}: the file cannot be read: {reason(error)}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{where}: the file is not UTF-8 text") from None


def users_kept(store: Store, given: Mapping[str, str]) -> dict[str, str]:
    """Store the users in `given` in place of the earlier ones, and return the hashes of their passphrases by name.
    Approvals are revoked for users who are no longer in `given` or whose passphrase has changed."""
    before: dict[str, str] = json.loads(store.setting(_USERS) or "{}")
    now: dict[str, str] = {}
    for name, passphrase in given.items():
        known = before.get(name)
        same = known is not None and passphrases.is_right(passphrase, known)
        now[name] = known if known is not None and same else passphrases.hashed(passphrase)
    for name in before:
        if now.get(name) != before[name]:
            store.revoke_subject(name)
    if now != before:
        store.set_setting(_USERS, json.dumps(now))
    return now


def kept(store: Store, passphrase: str | None, *, may_make: bool = True) -> tuple[str, str | None]:
    """Return the hash of the passphrase that is valid from now on, and the passphrase itself if it was just generated.
    If the passphrase changes, every approval is revoked, because somebody else may know the old one. Raises UsageError
    if no passphrase was given or stored and none may be generated (`may_make`)."""
    before = store.setting(_SETTING)
    if passphrase is None and before is not None:
        return before, None
    if passphrase is not None and before is not None and passphrases.is_right(passphrase, before):
        return before, None
    if passphrase is None and not may_make:
        hint = (
            f"name a file with --passphrase-file, or set {VARIABLE}; pinebench makes none here, because it "
            "would appear in the log"
        )
        raise UsageError("there is no passphrase yet", hint)
    new = passphrases.made() if passphrase is None else passphrase
    hashed = passphrases.hashed(new)
    store.set_setting(_SETTING, hashed)
    store.revoke_all()
    return hashed, new if passphrase is None else None
