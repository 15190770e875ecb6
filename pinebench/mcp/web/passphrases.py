"""The owner's passphrase: it is stored as a slow hash. Attempts are checked one at a time, and after several wrong ones
the next attempt must wait."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import time
from collections import deque
from collections.abc import Callable

from pinebench.errors import UsageError

SHORTEST = 8
LONGEST = 1_000
STRENGTH = 15
"""The binary logarithm of scrypt's cost: 32 MB and about a tenth of a second for each attempt."""

_WRONG = 10
_SECONDS = 900.0


def made() -> str:
    """Return a new passphrase of 120 random bits, in groups that can be typed."""
    text = base64.b32encode(secrets.token_bytes(15)).decode().lower()
    return "-".join(text[at : at + 6] for at in range(0, len(text), 6))


def checked(text: str, where: str) -> str:
    """Return the passphrase `text`, which came from `where`. Raises UsageError if it is too short or too long."""
    if not SHORTEST <= len(text) <= LONGEST:
        raise UsageError(
            f"{where}: the passphrase has {len(text)} characters", f"it must have from {SHORTEST} to {LONGEST}"
        )
    return text


def hashed(passphrase: str, strength: int = STRENGTH) -> str:
    """Return the hash to store in place of `passphrase`. It names its method, which later versions may change."""
    salt = secrets.token_bytes(16)
    return f"scrypt${strength}${salt.hex()}${_scrypt(passphrase, salt, strength).hex()}"


def is_right(passphrase: str, kept: str) -> bool:
    """Return whether `kept` is the hash of `passphrase` that `hashed` returned."""
    if len(passphrase) > LONGEST:
        return False
    _, strength, salt, expected = kept.split("$")
    found = _scrypt(passphrase, bytes.fromhex(salt), int(strength))
    return hmac.compare_digest(found, bytes.fromhex(expected))


def _scrypt(passphrase: str, salt: bytes, strength: int) -> bytes:
    text = passphrase.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(text, salt=salt, n=2**strength, r=8, p=1, maxmem=2 ** (strength + 11), dklen=32)


class Throttle:
    """Counts wrong passphrases: after ten within a quarter of an hour, the next attempts must wait.

    Attempts from all addresses are counted together, because an attacker can use many addresses, and a proxy hides
    them.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: deque[float] = deque(maxlen=_WRONG)

    def wait(self) -> int:
        """Return the seconds until the next attempt may be made; 0 if it may be made now."""
        if len(self._wrong) < _WRONG:
            return 0
        return max(0, int(self._wrong[0] + _SECONDS - self._clock()) + 1)

    def begin(self) -> None:
        """Count an attempt. It counts as wrong until it proves right, so parallel attempts cannot evade the limit."""
        self._wrong.append(self._clock())

    def forgive(self) -> None:
        """Reset the count of wrong attempts, because the passphrase was right."""
        self._wrong.clear()
