"""Remembers what was found in a text, so that an unchanged folder is linted without checking anything again.

An entry's name is the hash of the text, of the rules that are asked and of the code that checks; it holds the hash of
each library that was looked for, and counts only while the same is found. So a stale answer cannot be found; entries
that cannot be read count as missing, and a folder that cannot be written only costs the memory.
"""

from __future__ import annotations

import contextlib
import json
import os
import unicodedata
from collections.abc import Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING

from pinebench import __version__, config, decoding, files
from pinebench.errors import UsageError
from pinebench.files.libraries import find_library
from pinebench.linter.findings import decode, encode

if TYPE_CHECKING:
    from collections.abc import Collection

    from pinebench.linter.engine import Checked
    from pinebench.linter.findings import Finding
    from pinebench.linter.project import SourceFile

LIMIT = 10_000
"""Entries kept; beyond this the older half goes."""

_ENTRY = {"libraries": {str: (str, None)}, "findings": [{}]}
_NOTHING = json.dumps({"libraries": {}, "findings": []}).encode()
"""The entry of most scripts, which needs no reading."""
_CHECKING_ROOMS = ("syntax", "checker", "codes", "reference", "linter")


class Cache:
    """Findings by the script they were found in, one small file each."""

    def __init__(self, folder: str | None = None) -> None:
        self._folder = folder or os.path.join(config.cache_folder(), "lint")
        self._salt = fingerprint(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        self._wrote = False
        self._known_opinions: dict[int, tuple[Collection[str], bytes]] = {}  # with what each id is of, so that it lasts
        self._libraries: dict[tuple[tuple[str, ...], str], str | None] = {}

    def get(self, script: SourceFile) -> list[Finding] | None:
        """What was found in `script`; None when that is not known, or a library has changed since."""
        try:
            document = files.read_bytes(self._file(script))
            if document == _NOTHING:
                return []
            entry = decoding.loads(document, _ENTRY)
            findings = [decode(row, script.path) for row in entry["findings"]]
        except (UsageError, KeyError, TypeError, ValueError):
            return None
        same = all(self._library(script, path) == digest for path, digest in entry["libraries"].items())
        return findings if same else None

    def put(self, script: SourceFile, checked: Checked) -> None:
        """Remember what was found in `script`."""
        libraries = {path: _digest(text) for path, text in checked.libraries.items()}
        entry = {"libraries": libraries, "findings": [encode(finding) for finding in checked.findings]}
        with contextlib.suppress(OSError, UsageError):
            os.makedirs(self._folder, exist_ok=True)
            files.write_atomically(self._file(script), json.dumps(entry).encode(), private=True, durable=False)
            self._wrote = True

    def close(self) -> None:
        """Drop the older half of the entries when there are too many."""
        if not self._wrote:
            return
        with contextlib.suppress(OSError):
            entries = sorted(os.scandir(self._folder), key=lambda entry: entry.stat().st_mtime)
            for entry in entries[: len(entries) // 2] if len(entries) > LIMIT else ():
                os.unlink(entry.path)

    def _library(self, script: SourceFile, path: str) -> str | None:
        """The hash of the library `path` that `script` would import now, found once a run; None where there is none."""
        key = script.libraries, path
        if key not in self._libraries:
            self._libraries[key] = _digest(find_library(script.libraries, path))
        return self._libraries[key]

    def _file(self, script: SourceFile) -> str:
        digest = blake2b(_bytes(script.text), digest_size=20, salt=self._salt)
        if script.opinions:
            digest.update(self._opinions(script.opinions))
        return os.path.join(self._folder, digest.hexdigest() + ".json")

    def _opinions(self, opinions: Collection[str]) -> bytes:
        """What the rules that are asked add to the key; it is made once for all scripts of which the same is asked."""
        known = self._known_opinions.get(id(opinions))
        if known is None:
            known = self._known_opinions[id(opinions)] = opinions, b"\0" + _bytes(_asked(opinions))
        return known[1]


def _asked(opinions: Collection[str]) -> str:
    """The rules that are asked, with the options that are set for each, in one spelling."""
    options = opinions if isinstance(opinions, Mapping) else {}
    return json.dumps({code: options.get(code, {}) for code in opinions}, sort_keys=True)


def _digest(text: str | None) -> str | None:
    return None if text is None else blake2b(_bytes(text), digest_size=20).hexdigest()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


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
