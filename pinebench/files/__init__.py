"""Reads and writes files for all packages: one reader, one writer, and private files."""

from pinebench.files.atomic_writes import ChangedFile, change, check_place, create, remove, replace, write_atomically
from pinebench.files.file_states import (
    ContentMark,
    FileState,
    Outside,
    Stamp,
    compare,
    differs,
    mark_of,
    read_state,
    stamp_of,
)
from pinebench.files.private import make_private, open_private, private_folder, restrict
from pinebench.files.regular_files import (
    LIMIT,
    DecodedText,
    MissingFile,
    decode,
    read,
    read_bytes,
    read_named,
    read_stream,
)
from pinebench.files.scripts import ENDINGS, matching, read_script

__all__ = [
    "ENDINGS",
    "LIMIT",
    "ChangedFile",
    "ContentMark",
    "DecodedText",
    "FileState",
    "MissingFile",
    "Outside",
    "Stamp",
    "change",
    "check_place",
    "compare",
    "create",
    "decode",
    "differs",
    "make_private",
    "mark_of",
    "matching",
    "open_private",
    "private_folder",
    "read",
    "read_bytes",
    "read_named",
    "read_script",
    "read_state",
    "read_stream",
    "remove",
    "replace",
    "restrict",
    "stamp_of",
    "write_atomically",
]
