"""What is nobody else's business: folders and files for their owner alone."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Literal

from pinebench.errors import UsageError
from pinebench.files.reading import reason

if TYPE_CHECKING:
    from typing import BinaryIO

_FOLDER, _FILE = 0o700, 0o600


def private_folder(path: str) -> None:
    """Make the folder at `path` and leave it, and everything in it, to its owner alone: folders 0700, files 0600.

    What is there already is corrected, as `make_private` does. Raises UsageError when the folder cannot be made.
    """
    try:
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        os.makedirs(path, mode=_FOLDER, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{path}: cannot be made: {reason(error)}") from None
    make_private(path)


def make_private(path: str) -> None:
    """Leave the file or folder at `path`, with everything in it, to its owner alone.

    Links are not followed, what belongs to another user is left as it is, and what cannot be changed stays.
    """
    restrict(path)
    for folder, folders, names in () if os.path.islink(path) else os.walk(path):
        for name in (*folders, *names):
            restrict(os.path.join(folder, name))


def restrict(path: str) -> None:
    """Leave the file or folder at `path` to its owner alone where it is ours and no link; otherwise do nothing."""
    if os.name == "nt":
        return
    try:
        found = os.lstat(path)
        wanted = {stat.S_IFDIR: _FOLDER, stat.S_IFREG: _FILE}.get(stat.S_IFMT(found.st_mode))
        if wanted and found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) != wanted:
            os.chmod(path, wanted)
    except OSError:
        # It has gone meanwhile, or lies where permissions cannot be changed.
        return


def open_private(path: str | os.PathLike[str], mode: Literal["rb", "ab", "a+b", "r+b", "w+b", "wb"]) -> BinaryIO:
    """Open the file at `path` as `open` does; a file that is made is for its owner alone, and so is one that was there.

    Raises OSError as `open` does, also where `path` is a link or no file.
    """
    flags = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    file = open(path, mode, opener=lambda name, wanted: os.open(name, wanted | flags, _FILE))  # noqa: SIM115
    found = os.fstat(file.fileno()).st_mode
    if not stat.S_ISREG(found):
        file.close()
        raise OSError(None, "is not a file", os.fspath(path))
    if stat.S_IMODE(found) != _FILE and hasattr(os, "fchmod"):
        os.fchmod(file.fileno(), _FILE)
    return file
