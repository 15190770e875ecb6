"""Reads regular files only, up to a size limit, and refuses bytes that are not text."""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from typing import BinaryIO, cast

from pinebench.errors import UsageError
from pinebench.records import NamedTuple

LIMIT = 10_000_000
"""The largest size in bytes of a script, a library or a configuration. Published scripts have at most 0.3 million."""

_CHUNK = 1 << 18
# opening a pipe without a writer must not block, and a terminal must not become ours
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"))

_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


_files_read: set[str] | None = None


@contextmanager
def recorded_reads() -> Generator[None]:
    """Record the files that the body of the `with` statement opens, for `files_read`."""
    global _files_read
    before, _files_read = _files_read, set()
    try:
        yield
    finally:
        _files_read = before


def files_read() -> frozenset[str]:
    """Return the names of the files that this process opened for reading within the innermost `recorded_reads`."""
    return frozenset(_files_read or ())


_MOST_COMPARED = 5000
"""The largest number of names in a folder with which the name of a missing file is compared."""


class MissingFile(UsageError):
    """Raised if there is no such file."""


class DecodedText(NamedTuple):
    """A decoded file: its text without byte order mark, and the encoding and mark that are used to write it back."""

    text: str
    encoding: str = "utf-8"
    bom: bytes = b""

    def encode(self, text: str) -> bytes:
        """Encode `text` in the file's encoding, with its byte order mark."""
        return self.bom + text.encode(self.encoding)


def decode(data: bytes, name: str) -> DecodedText:
    """Decode `data` as UTF-8, or as UTF-16 if a byte order mark says so. Line ends are kept.

    Raises UsageError for the first byte that is not text. `name` is the file's name in that message.
    """
    bom, encoding = next(((mark, codec) for mark, codec in _BOMS if data.startswith(mark)), (b"", "utf-8"))
    codec = "utf-8" if bom == codecs.BOM_UTF8 else encoding
    try:
        return DecodedText(data[len(bom) :].decode(codec), codec, bom)
    except UnicodeDecodeError as error:
        where = len(bom) + error.start
        what = f"{name} is not {codec.upper()} text: byte 0x{data[where]:02x} at offset {where}"
        raise UsageError(what, _how_to_save(data)) from None


def _how_to_save(data: bytes) -> str:
    """A hint for the user whose file has the content `data`, which is not text."""
    if data.startswith(b"PK\x03\x04"):
        return "a spreadsheet or an archive is not text: export its content as CSV, or as a script"
    if b"\0" in data[:_CHUNK]:
        return "this is not a text file: name another one"
    return "save the file as UTF-8"


def read(path: str | os.PathLike[str], limit: int = LIMIT) -> DecodedText:
    """Return the text of the file at `path`, of at most `limit` bytes.

    Raises the errors of `read_named` and `decode`.
    """
    name = os.fspath(path)
    return decode(read_named(name, limit), name)


def read_named(path: str | os.PathLike[str], limit: int = LIMIT) -> bytes:
    """Return the content of the file at `path`, a path that a person entered.

    Raises the errors of `read_bytes`. The hint of MissingFile suggests a file that may be meant.
    """
    name = os.fspath(path)
    try:
        return read_bytes(name, limit)
    except MissingFile as error:
        raise MissingFile(error.message, error.hint or _like(name)) from None


def _like(name: str) -> str | None:
    """A question that names the file in the same folder with this name and an ending, or with a name like it."""
    from difflib import get_close_matches

    folder, wanted = os.path.split(name)
    try:
        there = [each for each in os.listdir(folder or ".")[:_MOST_COMPARED] if each != wanted]
    except (OSError, ValueError):
        return None
    # The names without their endings must be alike, too: "my.csv" is not like "empty.csv".
    stem = os.path.splitext(wanted)[0]
    found = sorted(each for each in there if os.path.splitext(each)[0] == wanted) or [
        each
        for each in get_close_matches(wanted, there, 3, 0.8)
        if get_close_matches(stem, [os.path.splitext(each)[0]])
    ]
    return f"did you mean '{os.path.join(folder, found[0])}'?" if found else None


def read_bytes(path: str | os.PathLike[str], limit: int = LIMIT) -> bytes:
    """Return the content of the regular file at `path`. A link is followed.

    Raises MissingFile if there is none. Raises UsageError if it is a folder, a pipe or a device, has more than `limit`
    bytes, or cannot be read.
    """
    name = os.fspath(path)
    with open_regular(name) as file:
        return read_open(file, name, limit)


def open_regular(name: str) -> BinaryIO:
    """Open the regular file `name` for reading, without a buffer. Raises the errors of `read_bytes`."""
    try:
        # Checked before opening, because opening a device may have effects, and after opening, because the file may
        # have been replaced in between.
        _require_regular(name, os.stat(name).st_mode)
        file = open(os.open(name, _FLAGS), "rb", buffering=0)  # noqa: SIM115  (the caller closes it)
    except (FileNotFoundError, NotADirectoryError):
        if os.path.islink(name):
            raise MissingFile(f"{name} is a link to {os.readlink(name)}, which does not exist") from None
        raise MissingFile(f"{name}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{name} cannot be read: {reason(error)}") from None
    try:
        _require_regular(name, os.fstat(file.fileno()).st_mode)
    except BaseException:
        file.close()
        raise
    if _files_read is not None:
        _files_read.add(name)
    return cast("BinaryIO", file)


def read_open(file: BinaryIO, name: str, limit: int = LIMIT) -> bytes:
    """Read an open file, of at most `limit` bytes, to its end. `name` is its name in messages.

    Raises UsageError if it is larger, or cannot be read.
    """
    try:
        return _limited(file, name, limit, os.fstat(file.fileno()).st_size + 1)
    except (OSError, ValueError) as error:
        raise UsageError(f"{name} cannot be read: {reason(error)}") from None


def read_stream(stream: BinaryIO, name: str, limit: int = LIMIT) -> bytes:
    """Read the rest of `stream`, such as standard input. `name` is its name in messages.

    Raises UsageError if it has more than `limit` bytes, or cannot be read.
    """
    try:
        return _limited(stream, name, limit)
    except (OSError, ValueError) as error:
        raise UsageError(f"{name} cannot be read: {reason(error)}") from None


def kind(mode: int) -> str:
    """Return the kind of a file with an article, such as `a folder`. `mode` is its `st_mode`."""
    kinds = {stat.S_IFREG: "a file", stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
    return kinds.get(stat.S_IFMT(mode), "a device")


def reason(error: OSError | ValueError) -> str:
    """Return the operating system's text about an error."""
    return error.strerror.lower() if isinstance(error, OSError) and error.strerror else str(error)


def _require_regular(name: str, mode: int) -> None:
    if not stat.S_ISREG(mode):
        hint = "name a file in it" if stat.S_ISDIR(mode) else "save its output as a file"
        raise UsageError(f"{name} is {kind(mode)}, not a file", hint)


def _limited(stream: BinaryIO, name: str, limit: int, most: int = _CHUNK) -> bytes:
    parts: list[bytes] = []
    left = limit + 1
    while left and (part := stream.read(min(left, most))):
        parts.append(part)
        left -= len(part)
    if not left:
        raise UsageError(f"{name} has more than {limit / 1e6:g} MB, the limit for this kind of file")
    return b"".join(parts)
