"""Checks whether a file still has the content that was read from it or written to it."""

from __future__ import annotations

import os
import time
from typing import Literal

from pinebench.errors import UsageError
from pinebench.files.regular_files import LIMIT, MissingFile, open_regular, read_bytes, read_open
from pinebench.records import NamedTuple

Outside = Literal["same", "changed", "gone"]
"""Whether a file is the same, changed or gone since it was read or written here."""

SETTLED_SECONDS = 3.0
"""Seconds after a change during which a stamp is not trusted. Some file systems only count whole or even seconds, so
that a second change would have the same time."""
_ATTEMPTS = 3


class Stamp(NamedTuple):
    """The facts about a file that change when it is written or replaced. Times are in nanoseconds since 1970."""

    modified: int
    status_changed: int
    size: int
    device: int
    file: int

    @classmethod
    def of(cls, found: os.stat_result) -> Stamp:
        """Return the stamp of a file. `found` is the result of `os.stat`."""
        return cls(found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_dev, found.st_ino)

    def is_settled(self, now: float) -> bool:
        """Return whether a change after `now` (seconds since 1970) is sure to give the file a different stamp, because
        the file's last change is at least `SETTLED_SECONDS` old."""
        return now - max(self.modified, self.status_changed) / 1e9 > SETTLED_SECONDS


class FileState(NamedTuple):
    """The content of a file as it was read, and its stamp, which is None if the stamp does not identify the content."""

    data: bytes
    stamp: Stamp | None = None
    modified: float = 0.0
    """The last modification of the file that was read, in seconds since 1970; 0 if that is unknown."""


class ContentMark(NamedTuple):
    """A short mark of a file's content: its stamp, and the digest of the content if the stamp is too recent to be
    trusted."""

    stamp: Stamp
    digest: str | None = None


def stamp_of(path: str | os.PathLike[str]) -> Stamp | None:
    """Return the stamp of the file at `path`, or None if there is no file or its state cannot be read."""
    try:
        return Stamp.of(os.stat(path))
    except (OSError, ValueError):
        return None


def read_state(path: str | os.PathLike[str], limit: int = LIMIT) -> FileState:
    """Read the regular file at `path` with its stamp. Raises the errors of `read_bytes`.

    The stamp is taken from the open file, before and after the read. A later `stat` of the path could describe newer
    content.
    """
    name = os.fspath(path)
    data = b""
    for _ in range(_ATTEMPTS):
        begun = time.time()
        with open_regular(name) as file:
            before = Stamp.of(os.fstat(file.fileno()))
            data = read_open(file, name, limit)
            after = Stamp.of(os.fstat(file.fileno()))
        if before == after and len(data) == after.size:
            return FileState(data, after if after.is_settled(begun) else None, after.modified / 1e9)
    return FileState(data)  # it is being written all the time


def mark_of(path: str | os.PathLike[str], limit: int = LIMIT) -> ContentMark | None:
    """Return the mark of the file at `path`, or None if there is no file or its state cannot be read.

    Take it before you read the content: if the file is written in between, its next mark differs.
    """
    stamp = stamp_of(path)
    if stamp is None:
        return None
    return ContentMark(stamp, None if stamp.is_settled(time.time()) else _digest(path, limit))


def differs(
    path: str | os.PathLike[str], before: ContentMark | None, after: ContentMark | None, limit: int = LIMIT
) -> bool:
    """Return whether the file at `path` was written, added or removed between two marks of it."""
    if before is None or after is None or before.stamp != after.stamp:
        return before != after
    # Two contents may have the same young stamp: then the content decides.
    return before.digest is not None and before.digest != (after.digest or _digest(path, limit))


def _digest(path: str | os.PathLike[str], limit: int) -> str:
    """The digest of a file's content; empty if it cannot be read."""
    import hashlib  # here, because most files have settled

    try:
        return hashlib.sha256(read_bytes(path, limit)).hexdigest()
    except UsageError:
        return ""


def compare(path: str | os.PathLike[str], held: FileState | None) -> tuple[Outside, FileState | None]:
    """Return whether the file at `path` is the same, changed or gone since `held`; None means that there was no file.

    The content decides, and not the time of change: two contents may have the same time and size. The second result is
    `held`, with a newer stamp if only the time changed.
    """
    if held is not None and held.stamp is not None and stamp_of(path) == held.stamp:
        return "same", held
    try:
        found = read_state(path)
    except MissingFile:
        return "same" if held is None else "gone", held
    except UsageError:
        return "changed", held
    if held is not None and found.data == held.data:
        return "same", found
    return "changed", held
