"""Private folders and files, which only their owner can read."""

from __future__ import annotations

import os
import stat
from typing import BinaryIO, Literal

from pinebench.errors import UsageError
from pinebench.files.regular_files import reason

_FOLDER, _FILE = 0o700, 0o600


def private_folder(path: str) -> None:
    """Create the folder at `path` if it is missing, and make it and everything in it private: folders 0700, files
    0600.

    See `make_private` for the changes. Raises UsageError if the folder cannot be created.
    """
    try:
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        os.makedirs(path, mode=_FOLDER, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{path} cannot be made: {reason(error)}") from None
    make_private(path)


def make_private(path: str) -> None:
    """Make the file or folder at `path`, with everything in it, readable and writable for its owner only.

    Links are not followed. Files of other users, and files whose permissions cannot be changed, stay as they are.
    """
    restrict(path)
    for folder, folders, names in () if os.path.islink(path) else os.walk(path):
        for name in (*folders, *names):
            restrict(os.path.join(folder, name))


def restrict(path: str) -> None:
    """Make the file or folder at `path` readable and writable for its owner only. Do nothing for a link or another
    user's file."""
    if os.name == "nt":
        return
    try:
        found = os.lstat(path)
        wanted = {stat.S_IFDIR: _FOLDER, stat.S_IFREG: _FILE}.get(stat.S_IFMT(found.st_mode))
        if wanted and found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) != wanted:
            os.chmod(path, wanted)
    except OSError:
        # it was removed meanwhile, or its file system has no permissions
        return


def open_private(path: str | os.PathLike[str], mode: Literal["rb", "ab", "a+b", "r+b", "w+b", "wb"]) -> BinaryIO:
    """Open the file at `path` like `open`, and make it readable and writable for its owner only, whether it is new
    or existed before.

    Raises OSError like `open`, and also if `path` is a link or not a regular file.
    """
    flags = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    file = open(path, mode, opener=lambda name, wanted: os.open(name, wanted | flags, _FILE))  # noqa: SIM115  (the caller closes it)
    found = os.fstat(file.fileno()).st_mode
    if not stat.S_ISREG(found):
        file.close()
        raise OSError(None, "is not a file", os.fspath(path))
    if stat.S_IMODE(found) != _FILE and hasattr(os, "fchmod"):
        os.fchmod(file.fileno(), _FILE)
    return file
