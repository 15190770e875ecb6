"""Reading scripts and replacing files: which bytes are text, and how a file changes without ever being half written."""

from __future__ import annotations

import codecs
import os
from typing import NamedTuple

from pinebench.errors import UsageError

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Text(NamedTuple):
    """A decoded file: its text without byte order mark, and what is needed to write it back as it was."""

    text: str
    encoding: str = "utf-8"
    bom: bytes = b""

    def encode(self, text: str) -> bytes:
        """`text` in the encoding, and with the byte order mark, that the file had."""
        return self.bom + text.encode(self.encoding)


def decode(data: bytes, name: str) -> Text:
    """The text of `data`: UTF-8, or UTF-16 when a byte order mark says so; line ends stay as they are.

    Raises UsageError naming the first byte that is no text; `name` is what the file is called in that message.
    """
    bom, encoding = next(((mark, codec) for mark, codec in _BOMS if data.startswith(mark)), (b"", "utf-8"))
    codec = "utf-8" if bom == codecs.BOM_UTF8 else encoding
    try:
        return Text(data[len(bom) :].decode(codec), codec, bom)
    except UnicodeDecodeError as error:
        where = len(bom) + error.start
        raise UsageError(
            f"{name}: not {codec.upper()} text: byte 0x{data[where]:02x} at offset {where}", "save the file as UTF-8"
        ) from None


def read(path: str) -> Text:
    """The text of the file at `path`. Raises UsageError when it cannot be read or is not text."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        raise UsageError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise UsageError(f"{path}: is a folder, not a script") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be read: {_reason(error)}") from None
    return decode(data, path)


def write_atomically(path: str, data: bytes) -> None:
    """Replace the file at `path` (or create it) in one step: a reader sees the old bytes or the new ones, never a part.

    A symbolic link keeps pointing where it did, and permissions stay. Raises UsageError when that cannot be done or the
    file may not be written.
    """
    import tempfile  # here, because reading must not pay for it

    target = os.path.realpath(path)
    temporary = ""
    if os.path.exists(target) and not os.access(target, os.W_OK):
        # Replacing would work, but who protects a file means it.
        raise UsageError(f"{path}: cannot be written: it is read-only")
    try:
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".pinebench-", suffix=".tmp")
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
    except OSError as error:
        if temporary and os.path.exists(temporary):
            os.unlink(temporary)
        raise UsageError(f"{path}: cannot be written: {_reason(error)}") from None


def private_folder(path: str) -> None:
    """Make the folder at `path` and leave it, and everything in it, to its owner alone: folders 0700, files 0600.

    What is there already is corrected. Links are not followed, and what belongs to another user is left as it is.
    Raises UsageError when the folder cannot be made.
    """
    try:
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        os.makedirs(path, mode=0o700, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{path}: cannot be made: {_reason(error)}") from None
    restrict(path, 0o700)
    for folder, folders, names in os.walk(path):
        for name in folders:
            restrict(os.path.join(folder, name), 0o700)
        for name in names:
            restrict(os.path.join(folder, name), 0o600)


def restrict(path: str, mode: int) -> None:
    """Give what is at `path` the permissions `mode` where it is ours and no link; does nothing where that fails."""
    import stat

    if os.name == "nt":
        return
    try:
        found = os.lstat(path)
        ours = found.st_uid == os.geteuid() and not stat.S_ISLNK(found.st_mode)
        if ours and stat.S_IMODE(found.st_mode) != mode:
            os.chmod(path, mode)
    except OSError:
        # It has gone meanwhile, or lies where permissions cannot be changed.
        return


def _mode(target: str) -> int:
    """The permissions of `target`, or those a new file gets."""
    if os.path.exists(target):
        return os.stat(target).st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _reason(error: OSError | ValueError) -> str:
    return error.strerror.lower() if isinstance(error, OSError) and error.strerror else str(error)
