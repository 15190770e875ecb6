"""Saves unsaved texts in the state folder, so that they survive any end of the workbench."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import threading
import time
import uuid
from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from pinebench import config, files
from pinebench.errors import PinebenchError
from pinebench.files.locks import Lock, LockHeld

_FOLDER = "drafts"
_DROPPED = "dropped"
_ENDING = ".draft.json"
LIMIT = 50_000_000
_DAMAGED = ".damaged"
MOST_REPLACED = 20
"""The number of texts of one tab that are kept when a changed file is loaded again and again."""
KEPT_DAYS = 30
"""The number of days for which a dropped draft can still be restored."""


class Draft(NamedTuple):
    """An unsaved text in the state folder: an earlier workbench left it behind, or a person dropped it."""

    path: str | None
    """The file that the draft belongs to; None for a script that never had one."""
    name: str
    text: str
    time: float
    """The time at which the draft was kept, in seconds since 1970."""
    kept: str
    """The file in the state folder that holds the draft."""
    base: str | None = None
    """The digest of the file's text from which this text began; None if it is unknown."""

    def file_changed(self, saved: str, written: float) -> bool:
        """Return whether the file changed after this text was written. `saved` is the file's text now, and `written` is
        the file's modification time, in seconds since 1970."""
        if self.base is None:
            return written > self.time
        return digest(saved) != self.base


def digest(text: str) -> str:
    """Return the SHA-256 of a text in hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Drafts:
    """The drafts of one workbench, and drafts that earlier workbenches left behind. Raises UsageError if the folder for
    drafts cannot be made."""

    def __init__(self) -> None:
        self._session = uuid.uuid4().hex[:12]
        self._folder, self._lock = self._held_folder()
        self._known: dict[str, str] = {}
        """The digest of the text in the draft of each editor."""
        self._declined: dict[str, str] = {}
        """The digest of the text that the person gave up in each editor. It is among the dropped drafts."""
        self._replaced: dict[str, deque[str]] = {}
        """The dropped drafts of each editor whose texts were replaced from disk, the oldest first."""
        self._ended: set[str] = set()
        """The closed editors. A draft that a thread is still writing must not be kept after its editor has closed."""
        self._writing = threading.Lock()
        self._remove_old()

    def _held_folder(self) -> tuple[str, Lock]:
        """Make the folder, and the lock that is held as long as this process lives: nobody else offers or removes the
        drafts of a held lock."""
        folder = config.private_state_folder(_FOLDER)
        lock = Lock(os.path.join(folder, f"{self._session}.lock"))
        lock.acquire()
        return folder, lock

    def keep(self, key: str, path: str | None, name: str, text: str, saved: str = "") -> None:
        """Save `text`, the unsaved text of the editor `key`, as its draft; `saved` is the file's text that it changes.
        Nothing is saved if the person has discarded this text. Raises UsageError if the draft cannot be written."""
        known = digest(text)
        with self._writing:
            if key in self._ended or self._declined.get(key) == known:
                return
            if self._known.get(key) == known and os.path.exists(self._file(key)):
                return
            self._make_folder_again()
            self._write(self._file(key), path, name, text, saved)
            self._known[key] = known
            self._declined.pop(key, None)

    def holds(self, key: str, text: str) -> bool:
        """Return whether the draft of the editor `key` has the text `text`."""
        return self._known.get(key) == digest(text)

    def has(self, key: str) -> bool:
        """Return whether the editor `key` has a draft."""
        return key in self._known

    def _make_folder_again(self) -> None:
        """Make the folder if somebody removed it while the workbench runs."""
        if not os.path.exists(self._lock.path):
            self._lock.release()
            self._folder, self._lock = self._held_folder()

    def _write(self, file: str, path: str | None, name: str, text: str, saved: str) -> None:
        plain = {"path": path, "name": name, "text": text, "time": time.time(), "base": digest(saved)}
        files.write_atomically(file, json.dumps(plain).encode(), private=True)

    def give_up(self, key: str, path: str | None, name: str, text: str, saved: str = "") -> None:
        """Save `text` as a dropped draft, because the person closes the editor `key` without saving or loads its file
        again. `saved`: see `keep`.

        Raises UsageError if the draft cannot be written.
        """
        with self._writing:
            self._drop(key, path, name, text, saved)
            self._declined[key] = digest(text)
            self._forget(key)

    def keep_replaced(self, key: str, path: str | None, name: str, text: str) -> None:
        """Save `text`, which the file's new content replaces in the editor `key`, as a dropped draft. Only the most
        recent of such texts are kept. Raises UsageError if the draft cannot be written."""
        with self._writing:
            file = self._drop(key, path, name, text, text)
            files_of = self._replaced.setdefault(key, deque())
            if file not in files_of:
                files_of.append(file)
            if len(files_of) > MOST_REPLACED:
                with contextlib.suppress(OSError):
                    os.unlink(files_of.popleft())

    def _drop(self, key: str, path: str | None, name: str, text: str, saved: str) -> str:
        """Write a dropped draft, and return its file. Each text has a file of its own."""
        self._make_folder_again()
        folder = os.path.join(self._folder, _DROPPED)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        file = os.path.join(folder, f"{self._session}-{key}-{digest(text)[:16]}{_ENDING}")
        self._write(file, path, name, text, saved)
        return file

    def take_back(self) -> None:
        """Let `keep` save discarded texts as drafts again, because the person stays in the workbench after all."""
        self._declined.clear()

    def forget(self, key: str) -> None:
        """Remove the draft of the editor `key`, because its text is saved."""
        with self._writing:
            self._declined.pop(key, None)
            self._forget(key)

    def end(self, key: str) -> None:
        """Remove the draft of the editor `key`, and save no further draft, because the editor is closed."""
        with self._writing:
            self._ended.add(key)
            self._forget(key)

    def _forget(self, key: str) -> None:
        self._known.pop(key, None)
        with contextlib.suppress(OSError):
            os.unlink(self._file(key))

    def _file(self, key: str) -> str:
        return os.path.join(self._folder, f"{self._session}-{key}{_ENDING}")

    def left(self) -> list[Draft]:
        """Return the drafts of workbenches that are no longer running, newest first. Unreadable drafts are left out."""
        return self._found(self._names_left())

    def damaged(self) -> list[str]:
        """Return the files of drafts that cannot be offered. None of them is deleted. A damaged file is renamed with
        another extension, and returned only once. A file that cannot be read now keeps its name, because it may be
        readable later."""
        found: list[str] = []
        for name in self._names_left():
            path = os.path.join(self._folder, name)
            try:
                _read(path)
            except PinebenchError:
                found.append(path)
            except ValueError:
                with contextlib.suppress(OSError):
                    os.replace(path, path + _DAMAGED)
                    path += _DAMAGED
                found.append(path)
        return found

    def _names_left(self) -> list[str]:
        """The files of the drafts of workbenches that are gone."""
        names = self._names_in(self._folder)
        sessions = {name: name.partition("-")[0] for name in names}
        return [name for name in names if sessions[name] != self._session and not self._lives(sessions[name])]

    def dropped(self) -> list[Draft]:
        """Return the drafts that were dropped in the last few days and can still be restored, newest first."""
        names = self._names_in(os.path.join(self._folder, _DROPPED))
        return self._found(os.path.join(_DROPPED, name) for name in names)

    def _found(self, names: Iterable[str]) -> list[Draft]:
        found: list[Draft] = []
        for name in names:
            with contextlib.suppress(PinebenchError, ValueError):
                found.append(_read(os.path.join(self._folder, name)))
        return sorted(found, key=lambda draft: -draft.time)

    @staticmethod
    def _names_in(folder: str) -> list[str]:
        """The names of the drafts in a folder; none if the folder is missing or cannot be read."""
        with contextlib.suppress(OSError):
            return [name for name in os.listdir(folder) if name.endswith(_ENDING)]
        return []

    def drop(self, draft: Draft) -> None:
        """Turn a draft into a dropped draft, which can be restored for some days."""
        folder = os.path.join(self._folder, _DROPPED)
        with contextlib.suppress(OSError):
            os.makedirs(folder, mode=0o700, exist_ok=True)
            os.utime(draft.kept)  # the days count from now
            os.replace(draft.kept, os.path.join(folder, os.path.basename(draft.kept)))

    def taken_over(self, draft: Draft) -> None:
        """Remove a draft whose text this workbench now saves itself."""
        with contextlib.suppress(OSError):
            os.unlink(draft.kept)

    def _remove_old(self) -> None:
        """Remove the drafts that were dropped too long ago."""
        folder = os.path.join(self._folder, _DROPPED)
        for name in self._names_in(folder):
            path = os.path.join(folder, name)
            with contextlib.suppress(OSError):
                if time.time() - os.stat(path).st_mtime > KEPT_DAYS * 86_400:
                    os.unlink(path)

    def close(self) -> None:
        """Release the lock. The next start offers the drafts that are still there."""
        self._lock.release()

    def _lives(self, session: str) -> bool:
        path = os.path.join(self._folder, f"{session}.lock")
        if not os.path.exists(path):
            return False
        try:
            with Lock(path):
                return False
        except LockHeld:
            return True
        except OSError:
            return False


def _read(kept: str) -> Draft:
    """Read the draft in the file `kept`.

    Raises UsageError if the file cannot be read, and ValueError if it holds no draft.
    """
    data = files.read_bytes(kept, LIMIT)
    try:
        plain = json.loads(data)
        path, name, text, base = plain["path"], plain["name"], plain["text"], plain.get("base")
        moment = float(plain["time"])
        time.localtime(moment)  # the question shows it
    except (KeyError, TypeError, AttributeError, OverflowError, RecursionError, OSError) as error:
        raise ValueError(f"{kept} is not a draft") from error
    if not isinstance(name, str) or not isinstance(text, str):
        raise ValueError(f"{kept} is not a draft")
    if not isinstance(path, str | None) or not isinstance(base, str | None):
        raise ValueError(f"{kept} is not a draft")
    return Draft(path, name, text, moment, kept, base)
