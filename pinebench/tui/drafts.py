"""Unsaved texts, kept beside the files until they are saved, so that they outlive the workbench however that ends."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
import uuid
from typing import NamedTuple

from pinebench import config, files
from pinebench.errors import PinebenchError
from pinebench.locks import Lock, Locked

_FOLDER = "drafts"
_ENDING = ".draft.json"
LIMIT = 50_000_000


class Draft(NamedTuple):
    """An unsaved text of a workbench that is gone: of which file (None where it had none), what it is called, the text,
    and when it was kept, in seconds since 1970; `kept` is the file that holds it."""

    path: str | None
    name: str
    text: str
    time: float
    kept: str


class Drafts:
    """The drafts of one workbench, and those that others left; made where a folder for them can be had.

    Raises UsageError where it cannot.
    """

    def __init__(self) -> None:
        self._folder = config.private_state_folder(_FOLDER)
        self._session = uuid.uuid4().hex[:12]
        # Held as long as this process lives: what belongs to a held lock is nobody else's.
        self._lock = Lock(os.path.join(self._folder, f"{self._session}.lock"))
        self._lock.acquire()
        self._known: dict[str, str] = {}

    def keep(self, key: str, path: str | None, name: str, text: str) -> None:
        """Keep `text`, the unsaved text of the editor `key`. Raises UsageError where that cannot be done."""
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        if self._known.get(key) == digest and os.path.exists(self._file(key)):
            return
        plain = {"path": path, "name": name, "text": text, "time": time.time(), "pid": os.getpid()}
        files.write_atomically(self._file(key), json.dumps(plain).encode(), private=True)
        self._known[key] = digest

    def forget(self, key: str) -> None:
        """Remove the draft of the editor `key`: its text is saved, or its person gave it up."""
        self._known.pop(key, None)
        with contextlib.suppress(OSError):
            os.unlink(self._file(key))

    def _file(self, key: str) -> str:
        return os.path.join(self._folder, f"{self._session}-{key}{_ENDING}")

    def left(self) -> list[Draft]:
        """The drafts of workbenches that are gone, the newest first; what cannot be read is passed over and stays."""
        found: list[Draft] = []
        for name in os.listdir(self._folder):
            session = name.partition("-")[0]
            if not name.endswith(_ENDING) or session == self._session or self._lives(session):
                continue
            kept = os.path.join(self._folder, name)
            with contextlib.suppress(PinebenchError, ValueError, KeyError, TypeError):
                found.append(_read(kept))
        return sorted(found, key=lambda draft: -draft.time)

    def drop(self, draft: Draft) -> None:
        """Remove a draft that was taken over or given up."""
        with contextlib.suppress(OSError):
            os.unlink(draft.kept)

    def close(self) -> None:
        """Let go of what is still there: it is offered at the next start."""
        self._lock.release()

    def _lives(self, session: str) -> bool:
        path = os.path.join(self._folder, f"{session}.lock")
        if not os.path.exists(path):
            return False
        try:
            with Lock(path):
                return False
        except Locked:
            return True
        except OSError:
            return False


def _read(kept: str) -> Draft:
    plain = json.loads(files.read(kept, LIMIT).text)
    path, name, text = plain["path"], plain["name"], plain["text"]
    if not isinstance(name, str) or not isinstance(text, str) or not isinstance(path, str | None):
        raise TypeError(f"{kept} is no draft")
    return Draft(path, name, text, float(plain["time"]), kept)
