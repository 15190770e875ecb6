"""Writes the files that commands get with -o. A file that somebody else made is not replaced without `--force`."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterable, Iterator

from pinebench import config, files
from pinebench.errors import UsageError
from pinebench.files.regular_files import files_read

_FOLDER = "written"
_OTHER = "name another file"


def check(path: str, *, force: bool = False) -> None:
    """Check that the file at `path` may be replaced: it does not exist, is empty, or has the content that pinebench
    last wrote there.

    With `force`, any file may be replaced. Raises UsageError for other files, for a folder or a device, for a path in a
    folder that does not exist, and for `-`, so that nobody waits for a result that cannot be saved. A command that
    prints its result for `-` does not call this function in that case.
    """
    if path == "-":
        raise UsageError(
            "this result cannot be written to standard output (-)", "name a file; ./- is a file that is called -"
        )
    files.check_place(path)
    if not force:
        _replaceable(path)


def refuse_to_replace(path: str, read: Iterable[str | os.PathLike[str] | None], hint: str = _OTHER) -> None:
    """Raise UsageError if `path` is one of the files in `read`, even under another name, because it would be lost.

    A script in a folder of `read` counts as well, and so do the configuration files. None and files that do not exist
    are ignored. `hint` says what to do if `path` is one of `read`.
    """
    if not os.path.exists(path):
        return
    named = [os.fspath(each) for each in read if each is not None]
    for each in dict.fromkeys((*named, *configurations([".", *named]))):
        if not os.path.exists(each):
            continue
        if os.path.samefile(path, each) or (os.path.isdir(each) and _is_script_in(path, each)):
            way = hint if each in named else _OTHER
            raise UsageError(f"{path} is an input of this run and would be overwritten", way)


def configurations(starts: Iterable[str]) -> Iterator[str]:
    """Yield the configuration file for each file or folder in `starts`, each once."""
    known = set[str]()
    for start in starts:
        with contextlib.suppress(UsageError):  # the command itself reports a configuration that cannot be read
            file = config.file_for(start)
            if file is not None and file not in known:
                known.add(file)
                yield file


def _is_script_in(path: str, folder: str | os.PathLike[str]) -> bool:
    """Whether a file is a script in a folder or below it."""
    place = os.path.join(os.path.realpath(folder), "")
    return path.lower().endswith(files.ENDINGS) and os.path.realpath(path).startswith(place)


def _replaceable(path: str) -> bytes | None:
    """The content of the file at `path`, which may be replaced; None if there is no file. Raises UsageError if it may
    not be replaced."""
    if not os.path.isfile(path):
        return None
    try:
        found: bytes | None = _content(path)
    except FileNotFoundError:  # the file was removed just now
        return None
    except OSError:  # an unreadable file was probably not written here
        found = None
    if found is None or (found and hashlib.sha256(found).hexdigest() != _remembered(path)):
        raise UsageError(
            f"{path} exists, and pinebench did not write it", "choose another name, or replace it with --force"
        )
    return found


def put(path: str, content: bytes, *, force: bool = False) -> str | None:
    """Write `content` to `path` in one step, and remember that the file is ours. Raises UsageError as `check` does, and
    also if the run has read the file (such as a configuration that it found by itself), or if another program writes
    the file at the same time.

    Return a message for people about the file, or None.
    """
    check(path, force=True)
    refuse_to_replace(path, files_read())
    said = files.write_atomically(path, content) if force else files.replace(path, content, _replaceable(path))
    with contextlib.suppress(UsageError, OSError):  # if this fails, the next write asks for --force
        note = hashlib.sha256(content).hexdigest().encode()
        files.write_atomically(_note(path), note, private=True, durable=False)
    return said


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _remembered(path: str) -> str | None:
    """The SHA-256 of the content that was written to `path` last, or None if it is not known."""
    with contextlib.suppress(UsageError, OSError), open(_note(path), "rb") as file:
        return file.read(100).decode("ascii", "replace")
    return None


def _note(path: str) -> str:
    name = hashlib.sha256(os.path.realpath(path).encode("utf-8", "surrogateescape")).hexdigest()
    return os.path.join(config.private_state_folder(_FOLDER), name)
