"""The one writer: a file changes in one step, only a file is ever replaced, and what a killed process left is swept."""

from __future__ import annotations

import contextlib
import os
import stat
from typing import TYPE_CHECKING

from pinebench.errors import UsageError
from pinebench.files.reading import kind, reason

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

_WINDOWS = os.name == "nt"
_ATTEMPTS = 10
_PREFIX, _SUFFIX = ".pinebench-", ".tmp"
_NAME_LENGTH = len(_PREFIX) + 16 + len(_SUFFIX)
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | sum(getattr(os, name, 0) for name in ("O_CLOEXEC", "O_BINARY"))
_LOOK = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC"))

_swept: set[str] = set()
"""Folders in which this process has looked for what others left."""


def write_atomically(
    path: str | os.PathLike[str], data: bytes, *, private: bool = False, durable: bool = True
) -> str | None:
    """Replace the file at `path` (or create it) in one step: a reader sees the old bytes or the new ones, never a part.

    A symbolic link keeps pointing where it did. Owner, group and permissions stay, but the file runs as nobody else
    after this: bits that set a user or group are dropped. A `private` file is for its owner alone; one that is not
    `durable` may be lost when the computer dies. Answers what a person should be told about the file, or None.

    Raises UsageError, and changes nothing, when `path` is no file (a folder, a pipe, a device), a link to nothing,
    protected against writing, or cannot be written.
    """
    name = os.fspath(path)
    try:
        target, found = _target(name)
        with _temporary(target, 0o600 if private or found else 0o666) as (file, temporary):
            said = None if private or found is None else _take_over(file, target, found)
            _fill(file, data, durable)
            os.replace(temporary, target)
    except (OSError, ValueError) as error:
        raise _refusal(name, error) from None
    return said and f"{name}: {said}"


def create(path: str | os.PathLike[str], data: bytes) -> None:
    """Make a file at `path` that holds `data`, in one step.

    Raises UsageError when anything is there already, a link to nothing included, or when it cannot be written.
    """
    name = os.fspath(path)
    try:
        with _temporary(os.path.abspath(name), 0o666) as (file, temporary):
            _fill(file, data, durable=True)
            if os.path.lexists(name):
                raise FileExistsError
            try:
                os.link(temporary, name)  # unlike a renaming, this never replaces what has come meanwhile
            except FileExistsError:
                raise
            except OSError:  # a file system that has no second names
                os.replace(temporary, name)
    except FileExistsError:
        raise UsageError(f"{name}: exists already", "choose another name") from None
    except (OSError, ValueError) as error:
        raise _refusal(name, error) from None


def _target(name: str) -> tuple[str, os.stat_result | None]:
    """Where a write to `name` goes, and what is there now; raises UsageError where nothing may be replaced."""
    linked = os.path.islink(name)
    if linked and _is_planted(name):
        raise UsageError(f"{name}: is a link that somebody else put into a shared folder", "choose another file")
    try:
        found = os.stat(name)
    except FileNotFoundError:
        if linked:
            raise UsageError(
                f"{name}: is a link to {os.readlink(name)}, where nothing is", "remove the link, or name the file"
            ) from None
        found = None
    if found is None:
        return os.path.realpath(name), None
    if not stat.S_ISREG(found.st_mode):
        raise UsageError(f"{name}: cannot be written: it is {kind(found.st_mode)}, not a file")
    # Replacing would work, and for root so would writing, but who protects a file means it.
    if not found.st_mode & 0o222 or not os.access(name, os.W_OK):
        raise UsageError(f"{name}: cannot be written: it is read-only")
    return os.path.realpath(name), found


def _is_planted(link: str) -> bool:
    """Whether `link` stands in a folder open to all, such as /tmp, and belongs to neither us nor the folder's owner."""
    folder, owner = os.stat(os.path.dirname(os.path.abspath(link))), os.lstat(link).st_uid
    is_shared = folder.st_mode & stat.S_ISVTX and folder.st_mode & stat.S_IWOTH
    return bool(is_shared) and hasattr(os, "geteuid") and owner not in (os.geteuid(), folder.st_uid)


@contextlib.contextmanager
def _temporary(target: str, mode: int) -> Iterator[tuple[BinaryIO, str]]:
    """A new file beside `target`, held so that no other process sweeps it; it is gone afterwards, or has moved."""
    folder = os.path.dirname(target)
    _sweep(folder)
    file, path = _new(folder, mode)
    try:
        with file:
            yield file, path
    finally:
        with contextlib.suppress(OSError):
            os.unlink(path)


def _new(folder: str, mode: int) -> tuple[BinaryIO, str]:
    for _ in range(_ATTEMPTS):
        path = os.path.join(folder, _PREFIX + os.urandom(8).hex() + _SUFFIX)
        file = open(os.open(path, _FLAGS, mode), "wb")  # noqa: SIM115  (whoever asked closes it)
        try:
            if _hold(file) and os.fstat(file.fileno()).st_nlink:
                return file, path
        except OSError:  # a file system without locks: there nothing is swept either
            return file, path
        file.close()  # another process swept it in the moment in which nobody held it
        with contextlib.suppress(OSError):
            os.unlink(path)
    raise OSError(None, "its folder does not keep new files")


def _fill(file: BinaryIO, data: bytes, durable: bool) -> None:
    file.write(data)
    file.flush()
    if durable:
        os.fsync(file.fileno())
    if _WINDOWS:  # moves nothing that is open
        file.close()


def _take_over(file: BinaryIO, target: str, found: os.stat_result) -> str | None:
    """Give the new file the owner, group, permissions and attributes of the one that it replaces, as far as we may.

    Answers what could not be kept, or that the old content goes on under another name.
    """
    kept = _chown(file, found) if hasattr(os, "fchown") else True
    mode = stat.S_IMODE(found.st_mode) & 0o777
    if os.fstat(file.fileno()).st_gid != found.st_gid:
        mode = mode & 0o707 | (mode & 0o007) << 3  # another group must not read what this one could
    if hasattr(os, "fchmod"):
        os.fchmod(file.fileno(), mode)
    _copy_attributes(target, file)
    if found.st_nlink > 1:
        return f"had {found.st_nlink} names (hard links); the others keep the old text"
    return None if kept else "belonged to somebody else, and is yours now"


def _chown(file: BinaryIO, found: os.stat_result) -> bool:
    now = os.fstat(file.fileno())
    if (now.st_uid, now.st_gid) == (found.st_uid, found.st_gid):
        return True
    with contextlib.suppress(OSError):
        os.fchown(file.fileno(), found.st_uid, found.st_gid)
        return True
    with contextlib.suppress(OSError):  # the group alone may still be given
        os.fchown(file.fileno(), -1, found.st_gid)
    return now.st_uid == found.st_uid


def _copy_attributes(source: str, file: BinaryIO) -> None:
    """Keep a person's own attributes and access list; never those that give rights to a program."""
    if not hasattr(os, "listxattr"):
        return
    with contextlib.suppress(OSError):
        for name in os.listxattr(source):
            if name.startswith("user.") or name == "system.posix_acl_access":
                os.setxattr(file.fileno(), name, os.getxattr(source, name))


def _sweep(folder: str) -> None:
    """Remove what processes that were killed while they wrote left in `folder`; looks once a process."""
    if folder in _swept:
        return
    _swept.add(folder)
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            name = entry.name
            if len(name) == _NAME_LENGTH and name.startswith(_PREFIX) and name.endswith(_SUFFIX):
                _remove_if_left(entry.path)


def _remove_if_left(path: str) -> None:
    with contextlib.suppress(OSError):
        file = open(os.open(path, _LOOK), "rb")  # noqa: SIM115  (Windows removes only what is closed)
        with file:
            left = stat.S_ISREG(os.fstat(file.fileno()).st_mode) and _hold(file)
            if left and not _WINDOWS:
                os.unlink(path)
        if left and _WINDOWS:
            os.unlink(path)


def _hold(file: BinaryIO) -> bool:
    """Whether the file is this process's alone from now on, until it is closed or the process ends, however that be.

    Raises OSError where the file system has no locks.
    """
    if _WINDOWS:  # which removes nothing that is open
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _refusal(name: str, error: OSError | ValueError) -> UsageError:
    folder = os.path.dirname(name)
    if isinstance(error, FileNotFoundError) and folder and not os.path.isdir(folder):
        return UsageError(f"{name}: cannot be written: there is no folder {folder}", "make it first")
    return UsageError(f"{name}: cannot be written: {reason(error)}")
