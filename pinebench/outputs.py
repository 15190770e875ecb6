"""What commands write because they were told to with -o: a file that somebody else made is never replaced unasked."""

from __future__ import annotations

import contextlib
import hashlib
import os

from pinebench import config, files
from pinebench.errors import UsageError

_FOLDER = "written"


def check(path: str, *, force: bool = False) -> None:
    """See that the file at `path` may be replaced: it is not there, is empty, or holds what was written here last.

    With `force` it may be whatever it is. Raises UsageError for any other file; what is no file at all is left to the
    writer, which refuses it in its own words.
    """
    if force or not os.path.isfile(path):
        return
    try:
        size, found = os.path.getsize(path), _digest_of(path)
    except FileNotFoundError:  # it has just gone
        return
    except OSError:  # what cannot be read was hardly written here
        size, found = 1, None
    if size and (found is None or found != _remembered(path)):
        raise UsageError(
            f"{path}: exists, and pinebench did not write it", "choose another name, or replace it with --force"
        )


def put(path: str, content: bytes, *, force: bool = False) -> str | None:
    """Write `content` to `path` in one step, and remember that it is ours; raises UsageError as `check` does.

    Answers what a person should be told about the file, or None.
    """
    check(path, force=force)
    said = files.write_atomically(path, content)
    with contextlib.suppress(UsageError, OSError):  # what is not remembered is asked about the next time
        note = hashlib.sha256(content).hexdigest().encode()
        files.write_atomically(_note(path), note, private=True, durable=False)
    return said


def _digest_of(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _remembered(path: str) -> str | None:
    """The SHA-256 of what was written to `path` last, as far as it is remembered."""
    with contextlib.suppress(UsageError, OSError), open(_note(path), "rb") as file:
        return file.read(100).decode("ascii", "replace")
    return None


def _note(path: str) -> str:
    name = hashlib.sha256(os.path.realpath(path).encode("utf-8", "surrogateescape")).hexdigest()
    return os.path.join(config.private_state_folder(_FOLDER), name)
