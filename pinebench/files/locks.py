"""Advisory locks between processes. Each lock is a file with the holder's process id, and ends with that process."""

from __future__ import annotations

import contextlib
import os
import time
from types import TracebackType
from typing import Self

from pinebench.errors import UnavailableError

_PID_BYTES = 20
_FIRST_LOOK_SECONDS = 1.0
"""The seconds that a new holder has to write its process number into the file."""


class LockHeld(UnavailableError):
    """Another process holds the lock. `pid` is its process id, or None if it is unknown."""

    def __init__(self, message: str, pid: int | None, hint: str | None = None) -> None:
        super().__init__(message, hint)
        self.pid = pid


class Lock:
    """The lock with the file `path`, whose folder must exist.

    The system releases it when the process ends in any way, so a left-over file locks nothing. The object holds the
    lock: two objects in one process exclude each other too.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._file: int | None = None

    def acquire(self) -> None:
        """Take the lock without waiting. Raises LockHeld if another process holds it, and OSError if the file cannot
        be opened."""
        while self._file is None:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
            try:
                taken = _try(handle)
                if taken and _is_at(handle, self.path):
                    os.ftruncate(handle, 0)
                    os.lseek(handle, 0, os.SEEK_SET)
                    os.write(handle, b"%d\n" % os.getpid())
                    self._file, handle = handle, -1
                elif not taken:
                    pid = _holder(handle)
                    who = f"process {pid}" if pid else "another process"
                    raise LockHeld(f"{self.path} is held by {who}", pid)
            finally:
                if handle >= 0:
                    os.close(handle)

    def release(self) -> None:
        """Release the lock and remove its file."""
        if self._file is None:
            return
        # removed before the release, so that a waiting process creates a new file instead of locking the removed one
        with contextlib.suppress(OSError):
            os.unlink(self.path)
        os.close(self._file)
        self._file = None

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def holder(path: str) -> int | None:
    """Return the id of the process that holds the lock file `path`: None if nobody holds it, 0 if it is unknown."""
    try:
        handle = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        return None
    try:
        return None if _try(handle) else _holder(handle) or 0
    finally:
        os.close(handle)  # which also releases the lock that was tried


def _is_at(handle: int, path: str) -> bool:
    """Whether the open file is still the one at `path`. An earlier holder may have removed it meanwhile."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False


def _holder(handle: int) -> int | None:
    end = time.monotonic() + _FIRST_LOOK_SECONDS
    while True:
        os.lseek(handle, 0, os.SEEK_SET)
        text = os.read(handle, _PID_BYTES)
        if text.endswith(b"\n") and text.strip().isdigit():
            return int(text)
        if time.monotonic() > end:
            return None
        time.sleep(0.01)


if os.name == "nt":  # pragma: no cover
    import msvcrt

    _PLACE = 1 << 30
    """The locked byte. It is beyond the written bytes, because Windows does not allow reading locked ones."""

    def _try(handle: int) -> bool:
        os.lseek(handle, _PLACE, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
