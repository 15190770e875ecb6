"""The one reader: regular files only, never more than a limit, and bytes that are text or are refused."""

from __future__ import annotations

import codecs
import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from pinebench.errors import UsageError

if TYPE_CHECKING:
    from typing import BinaryIO

LIMIT = 10_000_000
"""Bytes that a script, a library or a configuration may have; published scripts have at most 0.3 million."""

_CHUNK = 1 << 18
# A pipe that has nobody at its other end must not hold us, nor become our terminal.
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"))

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class MissingFile(UsageError):
    """There is no such file."""


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
        what = f"{name}: not {codec.upper()} text: byte 0x{data[where]:02x} at offset {where}"
        raise UsageError(what, _how_to_save(data)) from None


def _how_to_save(data: bytes) -> str:
    """What to do about a file that is not text."""
    if data.startswith(b"PK\x03\x04"):
        return "a spreadsheet or an archive is not text: export what it holds as CSV, or as a script"
    if b"\0" in data[:_CHUNK]:
        return "this is not a text file: name another one"
    return "save the file as UTF-8"


def read(path: str | os.PathLike[str], limit: int = LIMIT) -> Text:
    """The text of the file at `path`, which has at most `limit` bytes. Raises as `read_bytes` does, and as `decode`."""
    return decode(read_bytes(path, limit), os.fspath(path))


def read_bytes(path: str | os.PathLike[str], limit: int = LIMIT) -> bytes:
    """The content of the regular file at `path`, or of the one that it links to.

    Raises MissingFile when there is none, and UsageError when it is a folder, a pipe or a device, has more than `limit`
    bytes, or cannot be read.
    """
    name = os.fspath(path)
    try:
        # Asked before it is opened, because opening a device may set it in motion, and after, because it may have
        # become another file in between.
        _require_regular(name, os.stat(name).st_mode)
        with open(os.open(name, _FLAGS), "rb", buffering=0) as file:  # what is read at once needs no buffer
            found = os.fstat(file.fileno())
            _require_regular(name, found.st_mode)
            return _limited(file, name, limit, found.st_size + 1)
    except FileNotFoundError:
        if os.path.islink(name):
            raise MissingFile(f"{name}: is a link to {os.readlink(name)}, where nothing is") from None
        raise MissingFile(f"{name}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{name}: cannot be read: {reason(error)}") from None


def read_stream(stream: BinaryIO, name: str, limit: int = LIMIT) -> bytes:
    """Everything that `stream`, such as standard input, still has to say; `name` is what messages call it.

    Raises UsageError when that is more than `limit` bytes, or cannot be read.
    """
    try:
        return _limited(stream, name, limit)
    except (OSError, ValueError) as error:
        raise UsageError(f"{name}: cannot be read: {reason(error)}") from None


def kind(mode: int) -> str:
    """What a file with the mode `mode` is called, with its article."""
    kinds = {stat.S_IFREG: "a file", stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
    return kinds.get(stat.S_IFMT(mode), "a device")


def reason(error: OSError | ValueError) -> str:
    """The operating-system error in its own words."""
    return error.strerror.lower() if isinstance(error, OSError) and error.strerror else str(error)


def _require_regular(name: str, mode: int) -> None:
    if not stat.S_ISREG(mode):
        hint = None if stat.S_ISDIR(mode) else "save what comes from it as a file"
        raise UsageError(f"{name}: is {kind(mode)}, not a file", hint)


def _limited(stream: BinaryIO, name: str, limit: int, most: int = _CHUNK) -> bytes:
    parts: list[bytes] = []
    left = limit + 1
    while left and (part := stream.read(min(left, most))):
        parts.append(part)
        left -= len(part)
    if not left:
        raise UsageError(f"{name}: has more than {limit / 1e6:g} MB, which is more than is read")
    return b"".join(parts)
