"""Writes files in one step, replaces only regular files, and removes the temporary files of killed processes."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator
from typing import BinaryIO

from pinebench.errors import UsageError
from pinebench.files.regular_files import LIMIT, MissingFile, kind, read_bytes, reason

_WINDOWS = os.name == "nt"
_ATTEMPTS = 10
_PREFIX, _SUFFIX = ".pinebench-", ".tmp"
_REMOVED = ".removed"
"""The ending of a file that is about to be removed. It may hold what somebody else wrote, so it is never swept."""
_NAME_LENGTH = len(_PREFIX) + 16 + len(_SUFFIX)
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | sum(getattr(os, name, 0) for name in ("O_CLOEXEC", "O_BINARY"))
_LOOK = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC"))

_swept: set[str] = set()
"""The folders in which this process has already removed the temporary files of killed processes."""


class ChangedFile(UsageError):
    """Raised if a file no longer has the content that the writer expects."""


def write_atomically(
    path: str | os.PathLike[str], data: bytes, *, private: bool = False, durable: bool = True
) -> str | None:
    """Replace or create the file at `path` in one step: a reader sees the old bytes or the new ones, never a mixture.

    A symbolic link still points to the same file. Owner, group and permissions are kept, except the bits that set a
    user or group. A `private` file is readable for its owner only. A file that is not `durable` may be lost if the
    computer crashes. Return a message for people about the file, or None.

    An existing file is replaced whatever it contains. To save changes to a file's text, use `replace`.

    Raises UsageError, and changes nothing, if `path` is not a regular file (for example a folder, a pipe or a device),
    is a broken link, is write-protected, or cannot be written.
    """
    return _written(os.fspath(path), data, os.replace, private, durable)


def replace(
    path: str | os.PathLike[str], data: bytes, before: bytes | None, *, private: bool = False, hint: str = "run again"
) -> str | None:
    """Write like `write_atomically`, but only if the file still has the content `before` (None: there was no file).

    The content is compared when the new file is complete, right before it takes the place of the old one. Raises
    ChangedFile with `hint`, and changes nothing, if the file has changed. Raises the errors of `write_atomically`.
    """
    name = os.fspath(path)

    def put(temporary: str, target: str) -> None:
        if not _holds(target, before):
            raise ChangedFile(f"{name} was changed by someone else in the meantime, so it was left alone", hint)
        if before is not None:
            os.replace(temporary, target)
            return
        try:
            _put_new(temporary, target)
        except FileExistsError:
            raise ChangedFile(
                f"{name} was created by someone else in the meantime, so it was left alone", hint
            ) from None

    return _written(name, data, put, private, durable=True)


def remove(path: str | os.PathLike[str], before: bytes, hint: str = "run again") -> None:
    """Remove the file at `path`, but only if it still has the content `before`.

    The file is first renamed to a unique name and compared under that name, so that nobody can write it in between.

    Raises ChangedFile with `hint`, and leaves the file, if its content differs or it is now a symbolic link. Raises
    UsageError if it cannot be removed.
    """
    name = os.fspath(path)
    if not _is_own(name, before):
        raise ChangedFile(f"{name} was changed by someone else in the meantime, so it was left alone", hint)
    aside = os.path.join(os.path.dirname(name), f"{_PREFIX}{os.urandom(8).hex()}{_REMOVED}")
    try:
        os.rename(name, aside)
        if not _is_own(aside, before):
            raise ChangedFile(_put_back(aside, name), hint)
        os.unlink(aside)
    except OSError as error:
        raise UsageError(f"{name} cannot be removed: {reason(error)}", "remove it yourself") from None


def _is_own(name: str, content: bytes) -> bool:
    """Whether `name` is a file with this content, and not a link to one."""
    return not os.path.islink(name) and _holds(name, content)


def _put_back(aside: str, name: str) -> str:
    """Give what somebody else wrote its name back, unless the name is taken again. Return words about both."""
    try:
        if os.path.lexists(name):
            raise FileExistsError
        if os.path.islink(aside) or not os.path.isfile(aside):
            os.rename(aside, name)
        else:
            _put_new(aside, name)
            with contextlib.suppress(FileNotFoundError):  # without hard links, it was renamed
                os.unlink(aside)
    except FileExistsError:
        return f"{name} was changed twice by someone else in the meantime; the first of the two versions is now {aside}"
    return f"{name} was changed by someone else in the meantime, so it was left alone"


def change(path: str | os.PathLike[str], by: Callable[[bytes | None], bytes], *, private: bool = False) -> None:
    """Replace the content of the file at `path` with `by(content)`. The content is None if there is no file.

    `by` is called again if somebody else writes the file meanwhile, so that no change is lost. Raises UsageError if
    that happens too often. Raises the errors of `read_bytes` and `write_atomically`.
    """
    for _ in range(_ATTEMPTS):
        try:
            before = read_bytes(path)
        except MissingFile:
            before = None
        try:
            replace(path, by(before), before, private=private)
        except ChangedFile:
            continue
        return
    raise UsageError(f"{os.fspath(path)} was not changed: another program keeps writing it", "try again")


def _holds(target: str, content: bytes | None) -> bool:
    """Whether the file `target` has this content; None means that there is no file."""
    try:
        return read_bytes(target, max(LIMIT, len(content or b""))) == content
    except MissingFile:
        return content is None and not os.path.lexists(target)
    except UsageError:
        return False


def _written(name: str, data: bytes, put: Callable[[str, str], None], private: bool, durable: bool) -> str | None:
    """Write a temporary file beside the file `name`, and let `put` give it the file's name."""
    try:
        target, found = _target(name)
        with _temporary(target, 0o600 if private or found else 0o666) as (file, temporary):
            said = None if private or found is None else _take_over(file, target, found)
            _fill(file, data, durable)
            put(temporary, target)
    except (OSError, ValueError) as error:
        raise _refusal(name, error) from None
    return said and f"{name}: {said}"


def _put_new(temporary: str, name: str) -> None:
    """Give a temporary file the name `name`. Raises FileExistsError if anything has this name, even a broken link."""
    if os.path.lexists(name):
        raise FileExistsError
    try:
        os.link(temporary, name)  # unlike a rename, a link never replaces a file that appeared meanwhile
    except FileExistsError:
        raise
    except OSError:  # the file system has no hard links
        os.replace(temporary, name)


def check_place(path: str) -> None:
    """Raise UsageError, as `write_atomically` would, if no file can be written at `path`: its folder is missing or
    protected, or it names a folder, a device or a file that is protected."""
    folder = os.path.dirname(path)
    if folder and not os.path.isdir(folder):
        raise _refusal(path, FileNotFoundError())
    try:
        target, _ = _target(path)
        if not os.access(os.path.dirname(target), os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (OSError, ValueError) as error:
        raise _refusal(path, error) from None


def create(path: str | os.PathLike[str], data: bytes) -> None:
    """Create a file at `path` with the content `data`, in one step.

    Raises UsageError if anything exists there, even a broken link, or if the file cannot be written.
    """
    name = os.fspath(path)
    try:
        with _temporary(os.path.abspath(name), 0o666) as (file, temporary):
            _fill(file, data, durable=True)
            _put_new(temporary, name)
    except FileExistsError:
        raise UsageError(f"{name} exists already", "choose another name") from None
    except (OSError, ValueError) as error:
        raise _refusal(name, error) from None


def _target(name: str) -> tuple[str, os.stat_result | None]:
    """The file that a write to `name` replaces, and its current state. Raises UsageError if it must not be replaced."""
    if not name:
        raise UsageError("the name of the file is empty", "name a file")
    linked = os.path.islink(name)
    if linked and _is_planted(name):
        raise UsageError(f"{name} is a link that somebody else put into a shared folder", "choose another file")
    try:
        found = os.stat(name)
    except FileNotFoundError:
        if linked:
            raise UsageError(
                f"{name} is a link to {os.readlink(name)}, which does not exist", "remove the link, or name the file"
            ) from None
        found = None
    if found is None:
        return os.path.realpath(name), None
    if not stat.S_ISREG(found.st_mode):
        raise UsageError(f"{name} cannot be written: it is {kind(found.st_mode)}, not a file")
    # replacing the file would work, but its owner protected it on purpose
    if not found.st_mode & 0o222 or not os.access(name, os.W_OK):
        raise UsageError(f"{name} cannot be written: it is read-only")
    return os.path.realpath(name), found


def _is_planted(link: str) -> bool:
    """Whether `link` is in a folder that is open to all, such as /tmp, and belongs neither to us nor to the folder's
    owner."""
    folder, owner = os.stat(os.path.dirname(os.path.abspath(link))), os.lstat(link).st_uid
    is_shared = folder.st_mode & stat.S_ISVTX and folder.st_mode & stat.S_IWOTH
    return bool(is_shared) and hasattr(os, "geteuid") and owner not in (os.geteuid(), folder.st_uid)


@contextlib.contextmanager
def _temporary(target: str, mode: int) -> Iterator[tuple[BinaryIO, str]]:
    """Create a temporary file next to `target`, locked so that no other process removes it. Afterwards it is
    removed, unless it was renamed."""
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
        file = open(os.open(path, _FLAGS, mode), "wb")  # noqa: SIM115  (the caller closes it)
        try:
            if _hold(file) and os.fstat(file.fileno()).st_nlink:
                return file, path
        except OSError:  # the file system has no locks, so there nothing is swept either
            return file, path
        file.close()  # another process removed it before it was locked
        with contextlib.suppress(OSError):
            os.unlink(path)
    raise OSError(None, "new files in its folder disappear")


def _fill(file: BinaryIO, data: bytes, durable: bool) -> None:
    file.write(data)
    file.flush()
    if durable:
        os.fsync(file.fileno())
    if _WINDOWS:  # Windows does not rename an open file
        file.close()


def _take_over(file: BinaryIO, target: str, found: os.stat_result) -> str | None:
    """Give the new file the owner, group, permissions and attributes of the replaced one, as far as possible.

    Return a message about what could not be kept, or about other hard links to the old content.
    """
    kept = _chown(file, found) if hasattr(os, "fchown") else True
    mode = stat.S_IMODE(found.st_mode) & 0o777
    if os.fstat(file.fileno()).st_gid != found.st_gid:
        mode = mode & 0o707 | (mode & 0o007) << 3  # another group must not get the rights of the old group
    if hasattr(os, "fchmod"):
        os.fchmod(file.fileno(), mode)
    _copy_attributes(target, file)
    if found.st_nlink > 1:
        return f"the file had {found.st_nlink} names (hard links); the other names keep the old text"
    return None if kept else "the file belonged to another user, and is yours now"


def _chown(file: BinaryIO, found: os.stat_result) -> bool:
    now = os.fstat(file.fileno())
    if (now.st_uid, now.st_gid) == (found.st_uid, found.st_gid):
        return True
    with contextlib.suppress(OSError):
        os.fchown(file.fileno(), found.st_uid, found.st_gid)
        return True
    with contextlib.suppress(OSError):  # changing the group alone may still be possible
        os.fchown(file.fileno(), -1, found.st_gid)
    return now.st_uid == found.st_uid


def _copy_attributes(source: str, file: BinaryIO) -> None:
    """Copy the user's own attributes and the access list, but never attributes that give rights to a program."""
    if not hasattr(os, "listxattr"):
        return
    with contextlib.suppress(OSError):
        for name in os.listxattr(source):
            if name.startswith("user.") or name == "system.posix_acl_access":
                os.setxattr(file.fileno(), name, os.getxattr(source, name))


def _sweep(folder: str) -> None:
    """Remove the temporary files in `folder` that killed processes left. Each folder is searched once in a process."""
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
    """Whether this process holds the file exclusively from now on, until it is closed or the process ends in any
    way.

    Raises OSError if the file system has no locks.
    """
    if _WINDOWS:  # Windows does not remove an open file
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
        return UsageError(f"{name} cannot be written: there is no folder {folder}", "make it first")
    return UsageError(f"{name} cannot be written: {reason(error)}")
