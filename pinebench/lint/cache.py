"""Remembers what was found in a text, so that an unchanged folder is linted without checking anything again.

An entry's name is the hash of the text and of the code that checks it, so a stale answer cannot be found; entries that
cannot be read count as missing, and a folder that cannot be written only costs the memory.
"""

from __future__ import annotations

import contextlib
import json
import os
from hashlib import blake2b

from pinebench import __version__, config, files
from pinebench.diagnostics import Position, Severity
from pinebench.errors import UsageError
from pinebench.lint.findings import Finding

LIMIT = 10_000
"""Entries kept; beyond this the older half goes."""

_CHECKING_ROOMS = ("syntax", "check", "codes", "reference", "lint")


class Cache:
    """Findings by the text they were found in, one small file each."""

    def __init__(self, folder: str | None = None) -> None:
        self._folder = folder or os.path.join(config.cache_folder(), "lint")
        self._salt = _fingerprint()
        self._wrote = False

    def get(self, text: str, path: str) -> list[Finding] | None:
        """What was found in `text`, reported for `path`; None when that is not known."""
        try:
            with open(self._file(text), encoding="utf-8") as file:
                return [_from_row(row, path) for row in json.load(file)]
        except (OSError, ValueError, TypeError):
            return None

    def put(self, text: str, findings: list[Finding]) -> None:
        """Remember what was found in `text`."""
        entry = json.dumps([_to_row(finding) for finding in findings]).encode()
        with contextlib.suppress(OSError, UsageError):
            os.makedirs(self._folder, exist_ok=True)
            files.write_atomically(self._file(text), entry, private=True, durable=False)
            self._wrote = True

    def close(self) -> None:
        """Drop the older half of the entries when there are too many."""
        if not self._wrote:
            return
        with contextlib.suppress(OSError):
            entries = sorted(os.scandir(self._folder), key=lambda entry: entry.stat().st_mtime)
            for entry in entries[: len(entries) // 2] if len(entries) > LIMIT else ():
                os.unlink(entry.path)

    def _file(self, text: str) -> str:
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=20, salt=self._salt)
        return os.path.join(self._folder, digest.hexdigest() + ".json")


def _to_row(finding: Finding) -> list[object]:
    return [*finding[1:]]


def _from_row(row: list[object], path: str) -> Finding:
    finding = Finding(path, *row)  # type: ignore[arg-type]
    tv = finding.tv
    return finding._replace(severity=Severity(finding.severity), tv=None if tv is None else Position(*tv))


def _fingerprint() -> bytes:
    """Sixteen bytes that change whenever the code or the data that checks scripts changes."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    digest = blake2b(__version__.encode(), digest_size=blake2b.SALT_SIZE)
    for room in _CHECKING_ROOMS:
        for folder, folders, names in os.walk(os.path.join(package, room)):
            folders.sort()
            for name in sorted(names):
                if not name.endswith(".pyc"):
                    state = os.stat(os.path.join(folder, name))
                    digest.update(f"{room}/{name}:{state.st_size}:{state.st_mtime_ns};".encode())
    return digest.digest()
