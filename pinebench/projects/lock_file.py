"""The lock file of a folder with saved scripts: for each script, the last text that both sides had in common."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from pinebench import decoding, files
from pinebench.errors import UsageError
from pinebench.files import MissingFile
from pinebench.projects.account import digest

NAME = "pinebench-sync.json"
"""The lock file, beside the scripts."""

TEXTS = ".pinebench-sync"
"""The folder with the texts that both sides had or wrote, by their digests."""

MOST_OTHERS = 200
"""The number of kept texts that the lock file does not name any more."""

_FORMAT = 1


@dataclass
class PendingSave:
    """A save that was sent: the digest of its text, and the version that the text was edited from."""

    text: str
    base: str


@dataclass
class Clash:
    """A conflict: both sides changed, and the texts could not be merged.

    `file` contains the account's text. `version` and `text` (a digest) describe the account's newest version, on which
    the folder's file will be based after the conflict is resolved.
    """

    file: str
    version: str
    text: str


@dataclass
class LockEntry:
    """A script that is in the folder and in the account.

    `version` and `text` (a digest) describe the text that both sides last had in common. `here` is the digest of the
    file's text when it was last read or written; "" if unknown. `sending` is a save that was not confirmed yet.
    `given_up` are the digests of texts that were sent but did not arrive, one entry for each attempt. `moving` is the
    new name of a file that is being renamed.
    """

    file: str
    name: str
    version: str
    text: str
    sending: PendingSave | None = None
    given_up: list[str] = field(default_factory=list[str])
    clash: Clash | None = None
    moving: str = ""
    here: str = ""


@dataclass
class Creation:
    """A new script that was sent: its name, and the digest of its text."""

    name: str
    text: str


@dataclass
class LockFile:
    """The content of the lock file: scripts by their TradingView ids, and files that were sent as new scripts.

    `blank` maps the ids of scripts whose newest version was empty to that version.
    """

    scripts: dict[str, LockEntry] = field(default_factory=dict[str, LockEntry])
    creating: dict[str, Creation] = field(default_factory=dict[str, Creation])
    blank: dict[str, str] = field(default_factory=dict[str, str])


class LockStore:
    """The lock file of a folder, and the texts stored beside it. `held` is its content, which `write` saves."""

    def __init__(self, folder: str) -> None:
        """Read the lock file of `folder`. Raises UsageError if it is damaged."""
        self.folder = folder
        self._path = os.path.join(folder, NAME)
        self._texts = os.path.join(folder, TEXTS)
        try:
            self._bytes = files.read_bytes(self._path)
        except MissingFile:
            self._bytes = None
        self.held = self._decoded()

    def go_back(self) -> None:
        """Discard the changes of `held` since the lock file was last read or written."""
        self.held = self._decoded()

    def _decoded(self) -> LockFile:
        if self._bytes is None:
            return LockFile()
        try:
            raw = decoding.loads(self._bytes, {"format": int, "scripts": {str: decoding.Anything}})
            if raw["format"] != _FORMAT:
                raise decoding.MalformedDocument(
                    f"format is {raw['format']}, not {_FORMAT}; this version of pinebench cannot read it"
                )
            decoding.check(raw, decoding.shape_of(LockFile))
            return _lock_file(raw)
        except decoding.MalformedDocument as error:
            hint = (
                "restore it from your version control; without it, "
                "pinebench does not know which file belongs to which script"
            )
            raise UsageError(f"{self._path} cannot be used: {error}", hint) from None

    def write(self) -> None:
        """Write the lock file in one step. Raises ChangedFile if another process has changed it since it was read."""
        shown = {"format": _FORMAT, **dataclasses.asdict(self.held)}
        data = (json.dumps(shown, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode("utf-8")
        if data != self._bytes:
            files.replace(self._path, data, self._bytes)
            self._bytes = data

    def keep(self, text: str) -> str:
        """Store a text beside the lock file, and return its digest. If the text is already stored, its file gets the
        current time, so that `prune` treats it as new."""
        name = digest(text)
        path = self._text_path(name)
        if self.kept(name) is None:
            prepared(self.folder)
            files.write_atomically(path, text.encode("utf-8", "surrogatepass"))
        else:
            os.utime(path)
        return name

    def kept(self, name: str) -> str | None:
        """Return the text with this digest; None if it is not stored, or was damaged."""
        try:
            text = files.read_bytes(self._text_path(name)).decode("utf-8", "surrogatepass")
        except (MissingFile, UnicodeDecodeError):
            return None
        return text if digest(text) == name else None

    def prune(self) -> None:
        """Delete stored texts that the lock file does not name, except for the newest `MOST_OTHERS` of them.

        Such a text was merged, or is in a file or in the account; it is stored only so that people can look it up.
        """
        named = {self._text_path(name) for name in self._named()}
        others: list[tuple[float, str]] = []
        for found in os.scandir(self._texts):
            if found.name.endswith(".pine") and found.path not in named:
                others.append((found.stat(follow_symlinks=False).st_mtime, found.path))
        for _, path in sorted(others, reverse=True)[MOST_OTHERS:]:
            with contextlib.suppress(FileNotFoundError):
                os.remove(path)

    def _named(self) -> Iterator[str]:
        """Yield the digests of all texts that the lock file names."""
        for entry in self.held.scripts.values():
            yield from (entry.text, entry.here)
            yield from entry.given_up
            if entry.sending:
                yield entry.sending.text
            if entry.clash:
                yield entry.clash.text
        for creation in self.held.creating.values():
            yield creation.text

    def _text_path(self, name: str) -> str:
        return os.path.join(self._texts, f"{name[:32]}.pine")


def prepared(folder: str) -> str:
    """Return the folder for stored texts, and create it if it is missing. Version control ignores it."""
    texts = os.path.join(folder, TEXTS)
    os.makedirs(texts, exist_ok=True)
    ignore = os.path.join(texts, ".gitignore")
    if not os.path.exists(ignore):
        files.write_atomically(ignore, b"*\n")
    return texts


def _lock_file(raw: dict[str, object]) -> LockFile:
    """Make the lock file from checked data. Raises MalformedDocument if a file name leaves the folder."""
    held = LockFile(
        {key: _entry(value) for key, value in _object(raw["scripts"]).items()},
        {key: Creation(**_object(value)) for key, value in _object(raw.get("creating", {})).items()},
        _object(raw.get("blank", {})),
    )
    names = [each.file for each in held.scripts.values()]
    names += [each.moving for each in held.scripts.values() if each.moving]
    names += [each.clash.file for each in held.scripts.values() if each.clash]
    for name in (*names, *held.creating):
        if not is_plain(name):
            raise decoding.MalformedDocument(f"{name!r} is not the name of a script in this folder")
    twice = [name for name, count in Counter(each.file for each in held.scripts.values()).items() if count > 1]
    if twice:
        raise decoding.MalformedDocument(f"two scripts have the file {twice[0]!r}")
    return held


def _entry(raw: object) -> LockEntry:
    values = _object(raw)
    sending, clash = values.get("sending"), values.get("clash")
    known = {each.name for each in dataclasses.fields(LockEntry)} & values.keys()
    entry = LockEntry(**{name: values[name] for name in known})
    entry.sending = PendingSave(**_object(sending)) if sending else None
    entry.clash = Clash(**_object(clash)) if clash else None
    return entry


def _object(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value)


def is_plain(name: str) -> bool:
    """Return whether `name` is the plain name of a script file, without a folder."""
    return (
        name.endswith(".pine")
        and not name.startswith(".")
        and os.path.basename(name) == name
        and "\\" not in name
        and name.isprintable()
    )
