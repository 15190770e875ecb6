"""Writes the files that commands get with -o. A file that somebody else made is not replaced without `--force`."""

from __future__ import annotations

import contextlib
import hashlib
import os

from pinebench import config, files
from pinebench.errors import UsageError

_FOLDER = "written"


def check(path: str, *, force: bool = False) -> None:
    """Check that the file at `path` may be replaced: it does not exist, is empty, or has the content that was
    written here last.

    With `force`, any file may be replaced. Raises UsageError for other files, for a folder or a device, and for a place
    in a folder that does not exist, so that nobody waits for a result that cannot be kept.
    """
    files.check_place(path)
    if force or not os.path.isfile(path):
        return
    try:
        size, found = os.path.getsize(path), _digest_of(path)
    except FileNotFoundError:  # the file was removed just now
        return
    except OSError:  # an unreadable file was probably not written here
        size, found = 1, None
    if size and (found is None or found != _remembered(path)):
        raise UsageError(
            f"{path}: exists, and pinebench did not write it", "choose another name, or replace it with --force"
        )


def put(path: str, content: bytes, *, force: bool = False) -> str | None:
    """Write `content` to `path` in one step, and remember that the file is ours. Raises UsageError like `check`.

    Return a message for people about the file, or None.
    """
    check(path, force=force)
    said = files.write_atomically(path, content)
    with contextlib.suppress(UsageError, OSError):  # if this fails, the next write asks for --force
        note = hashlib.sha256(content).hexdigest().encode()
        files.write_atomically(_note(path), note, private=True, durable=False)
    return said


def _digest_of(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _remembered(path: str) -> str | None:
    """The SHA-256 of the content that was written to `path` last, or None if it is not known."""
    with contextlib.suppress(UsageError, OSError), open(_note(path), "rb") as file:
        return file.read(100).decode("ascii", "replace")
    return None


def _note(path: str) -> str:
    name = hashlib.sha256(os.path.realpath(path).encode("utf-8", "surrogateescape")).hexdigest()
    return os.path.join(config.private_state_folder(_FOLDER), name)
