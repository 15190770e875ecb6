"""Reads and writes files for all rooms: one reader, one writer, and private files."""

from pinebench.files.private import make_private, open_private, private_folder, restrict
from pinebench.files.reading import LIMIT, MissingFile, Text, decode, read, read_bytes, read_stream
from pinebench.files.scripts import ENDINGS, matching, read_script
from pinebench.files.writing import check_place, create, write_atomically

__all__ = [
    "ENDINGS",
    "LIMIT",
    "MissingFile",
    "Text",
    "check_place",
    "create",
    "decode",
    "make_private",
    "matching",
    "open_private",
    "private_folder",
    "read",
    "read_bytes",
    "read_script",
    "read_stream",
    "restrict",
    "write_atomically",
]
