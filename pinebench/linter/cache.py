"""The cache of findings: an unchanged folder is linted without checking its scripts again.

The name of an entry is a hash of the script's text, the selected rules and the checker's code. The entry holds the hash
of each library that the script imports, and is valid only while those hashes stay the same. So a stale result is never
returned. An entry that cannot be read counts as missing. If the folder cannot be written, nothing is cached.
"""

from __future__ import annotations

import contextlib
import json
import os
import unicodedata
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from pinebench import __version__, config, decoding, files
from pinebench.errors import UsageError
from pinebench.files.libraries import find_library
from pinebench.linter.findings import Finding, decode, encode
from pinebench.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection

    from pinebench.linter.engine import LintedScript
    from pinebench.linter.project import LintedFile

LIMIT = 10_000
"""The number of entries to keep; if there are more, the older half is deleted."""

_ENTRY = {"libraries": {str: (str, None)}, "unread": [str], "findings": [{}]}
_NOTHING = json.dumps({"libraries": {}, "unread": [], "findings": []}).encode()
"""The entry of a script without findings and libraries, the most common one; it needs no decoding."""
_CHECKING_ROOMS = ("syntax", "checker", "codes", "reference", "linter")
_DATA = ("codes", os.path.join("reference", "data"))
"""The folders whose text files hold the data that the checker uses."""


class CachedFindings(NamedTuple):
    """The findings of a script, and the paths of the libraries whose uses were not checked."""

    findings: list[Finding]
    unread: Sequence[str] = ()


class Cache:
    """The findings of scripts, one small file for each script."""

    def __init__(self, folder: str | None = None) -> None:
        self._folder = folder or os.path.join(config.cache_folder(), "lint")
        self._salt = fingerprint(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        self._wrote = False
        self._known_opinions: dict[int, tuple[Collection[str], bytes]] = {}  # keeps the objects alive
        self._libraries: dict[tuple[tuple[str, ...], str], str | None] = {}

    def get(self, script: LintedFile) -> CachedFindings | None:
        """Return the cached findings of `script`, or None if there are none or a library has changed since."""
        try:
            document = files.read_bytes(self._file(script))
            if document == _NOTHING:
                return CachedFindings([])
            entry = decoding.loads(document, _ENTRY)
            findings = [decode(row, script.path) for row in entry["findings"]]
        except (UsageError, KeyError, TypeError, ValueError):
            return None
        same = all(self._library(script, path) == digest for path, digest in entry["libraries"].items())
        return CachedFindings(findings, tuple(entry["unread"])) if same else None

    def put(self, script: LintedFile, checked: LintedScript) -> None:
        """Store the findings of `script`."""
        libraries = {path: _digest(text) for path, text in checked.libraries.items()}
        entry = {
            "libraries": libraries,
            "unread": list(checked.unread),
            "findings": [encode(finding) for finding in checked.findings],
        }
        with contextlib.suppress(OSError, UsageError):
            os.makedirs(self._folder, exist_ok=True)
            files.write_atomically(self._file(script), json.dumps(entry).encode(), private=True, durable=False)
            self._wrote = True

    def close(self) -> None:
        """Delete the older half of the entries if there are too many."""
        if not self._wrote:
            return
        with contextlib.suppress(OSError):
            entries = sorted(os.scandir(self._folder), key=lambda entry: entry.stat().st_mtime)
            for entry in entries[: len(entries) // 2] if len(entries) > LIMIT else ():
                os.unlink(entry.path)

    def _library(self, script: LintedFile, path: str) -> str | None:
        """The hash of the library `path` that `script` would import now, None if there is none; found once in a run."""
        key = script.libraries, path
        if key not in self._libraries:
            self._libraries[key] = _digest(find_library(script.libraries, path))
        return self._libraries[key]

    def _file(self, script: LintedFile) -> str:
        digest = blake2b(_bytes(script.text), digest_size=20, salt=self._salt)
        if script.opinions:
            digest.update(self._opinions(script.opinions))
        return os.path.join(self._folder, digest.hexdigest() + ".json")

    def _opinions(self, opinions: Collection[str]) -> bytes:
        """Return the part of the key for the selected rules; computed once for scripts that share the same
        `opinions`."""
        known = self._known_opinions.get(id(opinions))
        if known is None:
            known = self._known_opinions[id(opinions)] = opinions, b"\0" + _bytes(_asked(opinions))
        return known[1]


def _asked(opinions: Collection[str]) -> str:
    """Return the selected rules, with the options set for each, as JSON with sorted keys."""
    options = opinions if isinstance(opinions, Mapping) else {}
    return json.dumps({code: options.get(code, {}) for code in opinions}, sort_keys=True)


def _digest(text: str | None) -> str | None:
    return None if text is None else blake2b(_bytes(text), digest_size=20).hexdigest()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def fingerprint(package: str) -> bytes:
    """Return sixteen bytes that identify the code and data for checking scripts in the folder `package`.

    They change if that code or data changes. They stay the same if the package is installed again, or if the files get
    new timestamps from an archive or a build cache.
    """
    # The characters that a name may have come from Python's own table.
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
            found += [os.path.join(inside, name) for name in names if name.endswith(".py") or inside in _DATA]
    return sorted(found)
