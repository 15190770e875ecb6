"""The owner's passphrase: given, or kept from an earlier start, or made."""

from __future__ import annotations

import os

from pinebench.errors import UsageError
from pinebench.files.reading import reason
from pinebench.mcp.web import passphrases
from pinebench.mcp.web.store import Store

VARIABLE = "PINEBENCH_PASSPHRASE"
_SETTING = "passphrase"


def given(file: str | None) -> str | None:
    """The passphrase from `file`, or else from the environment; None if there is none.

    Raises UsageError if the file cannot be read, or the passphrase is too short or too long.
    """
    if file is None:
        text = os.environ.get(VARIABLE)
        return passphrases.checked(text, VARIABLE) if text else None
    try:
        with open(file, "rb") as source:
            text = source.read(10_000).decode("utf-8")
    except OSError as error:
        raise UsageError(f"--passphrase-file {file}: cannot be read: {reason(error)}") from None
    except UnicodeDecodeError:
        raise UsageError(f"--passphrase-file {file}: is not UTF-8 text") from None
    return passphrases.checked(text.strip("\r\n"), f"--passphrase-file {file}")


def kept(store: Store, passphrase: str | None, *, may_make: bool = True) -> tuple[str, str | None]:
    """The hash of the passphrase that counts from now on, and the passphrase itself if it was made just now.

    Another passphrase than before ends every approval, because it is changed when somebody else may know it. Raises
    UsageError if none was given or kept and none may be made.
    """
    before = store.setting(_SETTING)
    if passphrase is None and before is not None:
        return before, None
    if passphrase is not None and before is not None and passphrases.is_right(passphrase, before):
        return before, None
    if passphrase is None and not may_make:
        hint = f"name a file with --passphrase-file, or set {VARIABLE}; one that is made would be shown in the log"
        raise UsageError("there is no passphrase yet", hint)
    new = passphrases.made() if passphrase is None else passphrase
    hashed = passphrases.hashed(new)
    store.set_setting(_SETTING, hashed)
    store.revoke_all()
    return hashed, new if passphrase is None else None
