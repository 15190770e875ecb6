"""Advisory locks between processes: one file a lock, held as long as the process lives, which says who holds it."""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING, Self

from pinebench.errors import UnavailableError

if TYPE_CHECKING:
    from types import TracebackType

_PID_BYTES = 20
_FIRST_LOOK_SECONDS = 1.0
"""So long the holder of a lock may take to write its number into it."""


class Locked(UnavailableError):
    """Another process holds the lock; `pid` is its number, or None where that is not known."""

    def __init__(self, message: str, pid: int | None, hint: str | None = None) -> None:
        super().__init__(message, hint)
        self.pid = pid


class Lock:
    """The lock whose file is `path`; its folder must exist.

    The system frees it when the process ends, however that ends, so a file that is left behind locks nothing. It is
    held by the object: two of them in one process exclude each other too.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._file: int | None = None

    def acquire(self) -> None:
        """Take it at once. Raises Locked when another holds it, OSError when the file cannot be opened."""
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
                    raise Locked(f"{self.path}: is held by {who}", pid)
            finally:
                if handle >= 0:
                    os.close(handle)

    def release(self) -> None:
        """Give it back; the file goes with it."""
        if self._file is None:
            return
        # First, so that who waits for it finds a file of its own instead of one that is gone.
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


def _is_at(handle: int, path: str) -> bool:
    """Whether the open file is still the one at `path`: who held it before may have removed it meanwhile."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False


def _holder(handle: int) -> int | None:
    """The number of the process that holds the lock."""
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
    """The byte that is locked: none that is written, since Windows forbids reading what is locked."""

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
