"""Remembers between runs which saved script pinebench put into each page's editor, so that a save never writes to
another script."""

from __future__ import annotations

import json
import threading
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from pinebench import config, decoding, files
from pinebench.errors import UsageError


@dataclass(frozen=True, slots=True)
class Binding:
    """The script that pinebench put into the editor: its name, and its id and version at the script service, which are
    None for a new script."""

    name: str
    script_id: str | None = None
    version: str | None = None


_SHAPE = decoding.shape_of(Binding)
_KEYS = {field.name for field in fields(Binding)}


class Bindings:
    """The bindings of all pages, stored in one small file. A page is identified by its address without the query."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._entries: dict[str, Binding] = {}

    def get(self, page: str) -> Binding | None:
        """Return the binding of `page`, or None."""
        with self._lock:
            self._load()
            return self._entries.get(page)

    def set(self, page: str, binding: Binding | None) -> None:
        """Bind `page` to a script, or remove its binding if `binding` is None."""
        with self._lock:
            self._load()
            self._entries.pop(page, None)
            if binding is not None:
                self._entries[page] = binding
            self._store()

    def _load(self) -> None:
        if self._path is None:
            return
        try:
            data = decoding.loads(files.read_bytes(self._path), {str: _SHAPE})
            self._entries = {
                page: Binding(**{key: entry[key] for key in _KEYS & entry.keys()}) for page, entry in data.items()
            }
        except (UsageError, ValueError):
            self._entries = {}  # without a readable file nothing is bound, and only saving becomes stricter

    def _store(self) -> None:
        if self._path is None:
            return
        recent = {page: asdict(binding) for page, binding in list(self._entries.items())[-50:]}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            files.write_atomically(self._path, json.dumps(recent).encode(), private=True)
        except (OSError, UsageError):
            # The work on the page is done. Without the file, only later saves become stricter.
            self._path = None


def default_bindings() -> Bindings:
    """Return the bindings in the user's state folder."""
    return Bindings(Path(config.state_folder()) / "bindings.json")
