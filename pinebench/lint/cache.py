"""Remembers what was found in a text, so that an unchanged folder is linted without checking anything again.

An entry's name is the hash of the text and of the code that checks it, so a stale answer cannot be found; entries that
cannot be read count as missing, and a folder that cannot be written only costs the memory.
"""

from __future__ import annotations

import contextlib
import json
import os
import unicodedata
from hashlib import blake2b
from typing import TYPE_CHECKING

from pinebench import __version__, config, decoding, files
from pinebench.errors import UsageError
from pinebench.lint.findings import decode, encode

if TYPE_CHECKING:
    from pinebench.lint.findings import Finding

LIMIT = 10_000
"""Entries kept; beyond this the older half goes."""

_CHECKING_ROOMS = ("syntax", "check", "codes", "reference", "lint")


class Cache:
    """Findings by the text they were found in, one small file each."""

    def __init__(self, folder: str | None = None) -> None:
        self._folder = folder or os.path.join(config.cache_folder(), "lint")
        self._salt = fingerprint(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        self._wrote = False

    def get(self, text: str, path: str) -> list[Finding] | None:
        """What was found in `text`, reported for `path`; None when that is not known."""
        try:
            rows = decoding.loads(files.read_bytes(self._file(text)), [{}])
            return [decode(row, path) for row in rows]
        except (UsageError, KeyError, TypeError, ValueError):
            return None

    def put(self, text: str, findings: list[Finding]) -> None:
        """Remember what was found in `text`."""
        entry = json.dumps([encode(finding) for finding in findings]).encode()
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


def fingerprint(package: str) -> bytes:
    """Sixteen bytes that change whenever the code or the data in the folder `package` that checks scripts changes, and
    with nothing else: not when it is installed again, nor with times that an archive or a cache of builds gave it."""
    # Which characters a name may have is Python's own table.
    digest = blake2b(f"{__version__};{unicodedata.unidata_version};".encode(), digest_size=blake2b.SALT_SIZE)
    for path in _checking_files(package):
        content = files.read_bytes(os.path.join(package, path))
        digest.update(f"{path}:{len(content)};".encode())
        digest.update(content)
    return digest.digest()


def _checking_files(package: str) -> list[str]:
    found = ["diagnostics.py"]
    for room in _CHECKING_ROOMS:
        for folder, folders, names in os.walk(os.path.join(package, room)):
            folders[:] = [name for name in folders if name != "__pycache__"]
            inside = os.path.relpath(folder, package)
            found += [os.path.join(inside, name) for name in names if name.endswith(".py")]
    return sorted(found)
