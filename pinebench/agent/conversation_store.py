"""Stores conversations on this computer, each in a private file, so that they can be resumed."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple, Self

from pinebench import config, decoding, files
from pinebench.agent.chat_history import MessageHistory, without_pictures
from pinebench.authoring.author import Usage
from pinebench.errors import UsageError
from pinebench.files.locks import Lock, LockHeld

MOST_KEPT = 50
"""The largest number of conversations that are kept; the oldest ones are removed."""

_ENDING = ".json"
_SHAPE = {"version": int, "folder": str, "model": str, "dollars": float, "messages": str}
_VERSION = 1


class ConversationContent(NamedTuple):
    """The content of a stored conversation: its messages, its model, and its cost so far."""

    history: MessageHistory
    model: str
    spent: Usage


class StoredConversation:
    """The file of one conversation. A lock prevents other processes from continuing the same conversation. `content` is
    the stored conversation. It is None for a new conversation, whose file is created by the first `save`. `skipped` has
    a sentence for each newer file that cannot be read."""

    def __init__(
        self,
        path: str,
        folder: str,
        lock: Lock,
        content: ConversationContent | None = None,
        skipped: tuple[str, ...] = (),
    ) -> None:
        self.path = path
        self.content = content
        self.skipped = skipped
        self._folder = folder
        self._lock = lock

    def save(self, history: MessageHistory, model: str, spent: Usage) -> None:
        """Write the conversation atomically, without its pictures. Saving an empty conversation removes the file.

        Raises UsageError if the file cannot be written.
        """
        if not history:
            with contextlib.suppress(OSError):
                os.unlink(self.path)
            return
        told: dict[str, Any] = {
            "version": _VERSION,
            "folder": self._folder,
            "model": model,
            "dollars": spent.dollars,
            "messages": without_pictures(history).dumps(),
        }
        files.write_atomically(self.path, json.dumps(told).encode(), private=True, durable=False)

    def close(self) -> None:
        """Release the lock, so that other processes can resume the conversation."""
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def begin(folder: str) -> StoredConversation:
    """Return a new conversation about the folder `folder`."""
    home = _home()
    _remove_oldest(home)
    stamp = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{time.time_ns() % 10**9:09d}-{secrets.token_hex(4)}"
    path = os.path.join(home, stamp + _ENDING)
    return StoredConversation(path, folder, _locked(path))


def newest(folder: str) -> StoredConversation:
    """Return the newest readable conversation about `folder`; its `skipped` lists newer files that cannot be read.
    Raises UsageError if there is none, and LockHeld if another process has it open."""
    skipped: list[str] = []
    for path, _ in _contents(folder, skipped):
        lock = _locked(path)
        try:
            _, content = _read(path)  # again: the process that had it open may have added to it
        except BaseException:
            lock.release()
            raise
        return StoredConversation(path, folder, lock, content, tuple(skipped))
    said = f": {'; '.join(skipped)}" if skipped else ""
    raise UsageError(f"there is no conversation about {folder} to resume{said}", "start one without --resume")


def last_kept(folder: str) -> str:
    """Return the local date and time of the last saved conversation about `folder`; empty if there is none."""
    for path, _ in _contents(folder, []):
        with contextlib.suppress(OSError):
            return time.strftime("%Y-%m-%d %H:%M", time.localtime(os.stat(path).st_mtime))
    return ""


def _contents(folder: str, skipped: list[str]) -> Iterator[tuple[str, ConversationContent]]:
    """Yield the conversations about `folder`, the newest first. A sentence about each file that cannot be read is added
    to `skipped`; such a file may be about another folder."""
    home = _home()
    for name in sorted(_names(home), reverse=True):
        path = os.path.join(home, name)
        try:
            about, content = _read(path)
        except files.MissingFile:
            continue  # another process removed it meanwhile
        except UsageError as error:
            skipped.append(f"{error.message}; it was skipped")
            continue
        if about == folder:
            yield path, content


def _read(path: str) -> tuple[str, ConversationContent]:
    """Return the folder that a conversation is about, and its content. Raises UsageError if the file cannot be read."""
    try:
        found = decoding.loads(files.read_bytes(path), _SHAPE)
        if found["version"] != _VERSION:
            raise decoding.MalformedDocument(f"version is {found['version']}, not {_VERSION}")
        history = MessageHistory.loads(found["messages"])
    except decoding.MalformedDocument as error:
        raise UsageError(f"{path} is not a conversation: {error}") from None
    return found["folder"], ConversationContent(history, found["model"], Usage(dollars=found["dollars"]))


def _locked(path: str) -> Lock:
    lock = Lock(path + ".lock")
    try:
        lock.acquire()
    except LockHeld as error:
        who = f"process {error.pid}" if error.pid else "another process"
        raise LockHeld(f"the conversation is open in {who}", error.pid, "end it there, or begin another one") from None
    return lock


def _home() -> str:
    return config.private_state_folder("conversations")


def _names(home: str) -> list[str]:
    return [name for name in os.listdir(home) if name.endswith(_ENDING)]


def _remove_oldest(home: str) -> None:
    for name in sorted(_names(home))[: -(MOST_KEPT - 1)]:
        path = os.path.join(home, name)
        if not os.path.exists(path + ".lock"):
            with contextlib.suppress(OSError):
                os.unlink(path)
