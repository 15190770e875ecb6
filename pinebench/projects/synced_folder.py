"""The state of a folder and of the account's saved scripts: their common scripts, and the differences. This module
changes no file and no script."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from pinebench import files
from pinebench.errors import UsageError
from pinebench.files import MissingFile
from pinebench.projects.account import ScriptAccount, digest, plain
from pinebench.projects.lock_file import LockEntry, LockStore, is_plain
from pinebench.projects.renames import exchanged, may_be
from pinebench.tradingview.script_service import SavedScript

_RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"{name}{i}" for name in ("com", "lpt") for i in range(1, 10))})

_LONGEST_STEM = 200

COPY = re.compile(r"\.account-(\d+)( \(\d+\))?\.pine$")
"""The end of the name of a file that keeps the account's text beside the file of a person."""


class BlankScript(UsageError):
    """The error for a `script` of the account whose newest version is empty."""

    def __init__(self, script: SavedScript) -> None:
        super().__init__(
            f"version {script.version} of '{script.name}' in the account is empty",
            "look at the script on TradingView, and save a text",
        )
        self.script = script


class ScriptState(NamedTuple):
    """The state of a script, or the change that was made to it.

    `state` is a short phrase for tables; `told` is a sentence for the user. `settled` is false if the user still has to
    act, or if the step failed.
    """

    file: str
    state: str
    told: str = ""
    settled: bool = True


class LocalFile(NamedTuple):
    """The current content of a file: its bytes, its text, and its encoding and line ends."""

    data: bytes
    text: str
    form: files.DecodedText

    def bytes_of(self, text: str) -> bytes:
        """Encode `text` with the encoding of this file and the line endings of most of its lines."""
        crlf = 2 * self.form.text.count("\r\n") > self.form.text.count("\n")
        return self.form.encode(text.replace("\n", "\r\n") if crlf else text)


class SyncedFolder:
    """The current state of a folder and an account. `records` is the lock file: their last common state."""

    def __init__(self, folder: str, account: ScriptAccount) -> None:
        """Read the lock file of `folder`. Raises UsageError if it is damaged."""
        self._folder = folder
        self._account = account
        self.records = LockStore(folder)

    def entries(self, only: Collection[str]) -> list[tuple[str, LockEntry]]:
        """Return the ids and entries of the folder's scripts, sorted by file. `only` limits them to some files."""
        held = sorted(self.records.held.scripts.items(), key=lambda item: item[1].file)
        return [(id, entry) for id, entry in held if not only or entry.file in only]

    def listed(self) -> dict[str, SavedScript]:
        """Return the account's scripts by id. Raises the errors of the account."""
        return {each.id: each for each in self._account.scripts() if each.id}

    def unknown(self, listed: Mapping[str, SavedScript], only: Collection[str] = ()) -> list[SavedScript]:
        """Return the account's scripts that the folder does not have. `only` limits them to some file names."""
        held = self.records.held.scripts
        found = [each for id, each in listed.items() if id not in held]
        return [each for each in found if not only or file_name(each.name) in only]

    def not_found(self, only: Collection[str], listed: Mapping[str, SavedScript]) -> list[ScriptState]:
        """Return an outcome for each name in `only` that belongs to no script in the folder or the account."""
        held = self.records.held
        known = {*self.owned(), *held.creating, *self.strangers(), *(each.moving for each in held.scripts.values())}
        known |= {file_name(each.name) for each in self.unknown(listed)}
        missed = sorted(set(only) - known)
        return [
            ScriptState(name, "not found", "no script here or in the account has this file", False) for name in missed
        ]

    def strangers(self) -> list[str]:
        """Return the scripts in the folder that the lock file does not know, except copies of the account's texts."""
        held = self.records.held.scripts.values()
        known = {name for each in held for name in (each.file, each.moving, each.clash.file if each.clash else "")}
        found = [entry.name for entry in os.scandir(self._folder) if is_plain(entry.name) and entry.is_file()]
        strange = [name for name in found if name not in known and not COPY.search(name)]
        return sorted(name for name in strange if not self._is_respelled(name, known))

    def _is_respelled(self, name: str, known: Collection[str]) -> bool:
        """Return whether `name` is a known file, on a disk that ignores case or Unicode forms."""
        alike = [self.path(each) for each in known if folded(each) == folded(name)]
        return any(os.path.exists(each) and os.path.samefile(each, self.path(name)) for each in alike)

    def renamed(self) -> dict[str, str]:
        """Map the old names of renamed files to the new ones. The user renamed them, or an interrupted run did.

        A file that the user renamed is recognized by its text: it is the only unknown file with the last text of a
        missing file, and no other missing file had this text.
        """
        gone = [each for _, each in self.entries(()) if self._is_missing(each.file)]
        found: dict[str, str] = {}
        strangers = {name: self.digest_of(name) for name in self.strangers()} if gone else {}
        for entry in gone:
            had = entry.here or entry.text
            if entry.moving and not self._is_missing(entry.moving):
                found[entry.file] = entry.moving
            elif [each for each in gone if (each.here or each.text) == had] == [entry]:
                names = [name for name, text in strangers.items() if text == had]
                found |= {entry.file: names[0]} if len(names) == 1 else {}
        return found

    def _is_missing(self, name: str) -> bool:
        return not os.path.exists(self.path(name))

    def owned(self) -> set[str]:
        """Return the files that belong to a script of the account."""
        return {each.file for each in self.records.held.scripts.values()}

    def path(self, name: str) -> str:
        """Return the path of the file `name`."""
        return os.path.join(self._folder, name)

    def local(self, name: str) -> LocalFile | None:
        """Read the current content of a file; None if there is no file. Raises UsageError if it is not text."""
        path = self.path(name)
        try:
            data = files.read_bytes(path)
        except MissingFile:
            return None
        form = files.decode(data, path)
        return LocalFile(data, plain(form.text), form)

    def digest_of(self, name: str) -> str:
        """Return the digest of a file's text; "" if there is no file."""
        try:
            local = self.local(name)
        except UsageError:
            return ""
        return digest(local.text) if local is not None else ""

    def readable(self, name: str) -> str:
        """Return the text of a file; "" if it is missing or not text."""
        try:
            local = self.local(name)
        except UsageError:
            return ""
        return local.text if local is not None else ""

    def free_names(self, name: str, text: str) -> Iterator[str]:
        """Yield names similar to `name` that no file has, or whose file already has the text."""
        stem = name.removesuffix(".pine")
        for number in range(1, 10_000):
            tried = name if number == 1 else f"{stem} ({number}).pine"
            if not os.path.lexists(self.path(tried)) or (
                tried not in self.owned() and self.digest_of(tried) == digest(text)
            ):
                yield tried

    def theirs(self, script: SavedScript) -> str:
        """Return the account's newest text of a script.

        Raises BlankScript if it is blank, and UsageError if the account gives no text or no file can store it.
        """
        source = self._account.source(script.id, script.version)
        if source is None:
            raise UsageError(
                f"the account gave no text for version {script.version} of '{script.name}'", "run the command again"
            )
        if not source.strip():
            raise BlankScript(script)
        line = half_of_a_character(source)
        if line is not None:
            said = f"version {script.version} of '{script.name}' in the account"
            raise UsageError(f"{said} contains a lone surrogate in line {line}", "correct this line on TradingView")
        return plain(source)

    def base(self, id: str, entry: LockEntry) -> str | None:
        """Return the text that both sides last had in common; None if it can no longer be found."""
        kept = self.records.kept(entry.text)
        if kept is not None:
            return kept
        source = self._account.source(id, entry.version)
        return source if source is not None and digest(source) == entry.text else None

    def state(self, id: str, entry: LockEntry, listed: Mapping[str, SavedScript]) -> ScriptState:
        """Return the state of a script: the changes in the file and in the account since their last common text."""
        script = listed.get(id)
        if script is None:
            return gone_state(entry)
        local = self.local(entry.file)
        if local is None and (name := self.renamed().get(entry.file)):
            outcome = self.state(id, replace(entry, file=name, moving=""), listed)
            told = f"its earlier name is {entry.file}; 'pinebench sync pull' or 'push' records the new one"
            state = "renamed here" if outcome.state == "same" else outcome.state
            return outcome._replace(state=state, told="; ".join(filter(None, (told, outcome.told))))
        if local is None:
            outcome = self.missing(id, entry, script)
            if entry.sending is None:
                return outcome
            told = "the last text that was sent is not confirmed: the next push or pull looks for it"
            return outcome._replace(told=f"{outcome.told}; {told}")
        if entry.clash is not None:
            return ScriptState(entry.file, "clash", advice_on(entry.clash.file), settled=False)
        if entry.sending is not None:
            return ScriptState(entry.file, "sent, not confirmed", "run 'pinebench sync push' again", settled=False)
        told = f"renamed there to '{script.name}'" if script.name != entry.name else ""
        here, there = digest(local.text) != entry.text, script.version != entry.version
        if self._is_blank(script):
            outcome = self.blank_state(script, entry)
            return outcome._replace(told="; ".join(filter(None, (told, outcome.told))))
        state = {(0, 0): "same", (1, 0): "changed here", (0, 1): "changed there", (1, 1): "changed on both sides"}
        return ScriptState(entry.file, state[here, there], told or (f"version {script.version}" if there else ""))

    def unknown_state(self, script: SavedScript, told: str = "") -> ScriptState:
        """Return the state of a script that only the account has; `told` says how to get it."""
        if self._is_blank(script):
            return empty_state(script, "")
        return ScriptState(file_name(script.name), "new there", told)

    def blank(self, listed: Mapping[str, SavedScript]) -> dict[str, str]:
        """Map the ids of scripts whose newest version is known to be empty to that version."""
        return {id: script.version for id, script in listed.items() if self._is_blank(script)}

    def _is_blank(self, script: SavedScript) -> bool:
        return self.records.held.blank.get(script.id) == script.version

    def blank_state(self, script: SavedScript, entry: LockEntry | None) -> ScriptState:
        """Return the state of a script whose newest version is empty; `entry` is None if the folder has no file."""
        if entry is None:
            return empty_state(script, "")
        outcome = empty_state(script, entry.file)
        changed = "the file was changed here" if self.digest_of(entry.file) != entry.text else ""
        return outcome._replace(told="; ".join(filter(None, (outcome.told, changed))))

    def last(self, id: str, entry: LockEntry) -> str | None:
        """Return the text that the file last had, or else the last common text; None if neither can be found."""
        text = self.records.kept(entry.here) or self.base(id, entry)
        return plain(text) if text else None

    def missing(self, id: str, entry: LockEntry, script: SavedScript) -> ScriptState:
        """Return the outcome of a script whose file is missing, with other files that may be the missing one."""
        names = self.names_of(id, entry)
        again = "restores it"
        if self._is_blank(script):
            again = f"writes its last text, because version {script.version} in the account is empty"
        told = f"'pinebench sync pull --restore' {again}"
        if names:
            shown = " or ".join(names)
            told = (
                f"{shown} may be this file under a new name: then 'pinebench sync moved --script OLD --to NEW'; "
                f"otherwise 'pinebench sync pull --restore --script OLD' {again}"
            )
        return ScriptState(entry.file, "missing here", told, settled=False)

    def names_of(self, id: str, entry: LockEntry) -> list[str]:
        """Return the files that may be a script's missing file under a new name; empty if that file is not missing."""
        if self.local(entry.file) is not None:
            return []
        strangers = self.strangers()
        had = self.records.kept(entry.here) if strangers else ""
        if had is None:
            had = self.base(id, entry) or ""
        return [name for name in strangers if may_be(had, self.readable(name))]

    def swapped(self) -> dict[str, str]:
        """Return the files whose text may belong to another script, each with that script's file."""
        last: dict[str, str] = {}
        now: dict[str, str] = {}
        for _, entry in self.entries(()):
            text = self.readable(entry.file)
            if digest(text) in (entry.here, entry.text) or entry.moving or entry.clash:
                continue
            last[entry.file] = self.records.kept(entry.here) or self.records.kept(entry.text) or ""
            if text:
                now[entry.file] = text
        return exchanged(last, now)


def folded(name: str) -> str:
    """Return a name in a form for comparisons, as on systems that ignore case and Unicode forms."""
    return unicodedata.normalize("NFC", name).casefold()


def file_name(name: str) -> str:
    """Return the file name for a script of this name, valid on every system."""
    kept = "".join(letter if letter.isprintable() and letter not in '\\/:*?"<>|' else "_" for letter in name)
    kept = shortened(re.sub(r"\s+", " ", kept).strip(" .")[:100]).rstrip(" .")
    if not kept or kept.casefold().partition(".")[0] in _RESERVED:
        kept = f"_{kept}"
    return f"{kept}.pine"


def shortened(stem: str) -> str:
    """Shorten a name so that, with an extension, it fits into the 255 bytes of a file name."""
    return stem.encode("utf-8", "surrogateescape")[:_LONGEST_STEM].decode("utf-8", "ignore")


def half_of_a_character(text: str) -> int | None:
    """Return the number of the first line with a lone surrogate, which no file can store; None if there is none."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        return text.count("\n", 0, error.start) + 1
    return None


def swap_state(entry: LockEntry, swapped: Mapping[str, str]) -> ScriptState | None:
    """Return the outcome of a file that may have the text of another script; None if it does not."""
    other = swapped.get(entry.file)
    if other is None:
        return None
    told = (
        f"its text may be the text of {other}: if you have renamed the files, then 'pinebench sync moved "
        f"--script OLD --to NEW', here from {other} to {entry.file}; if the text is meant for '{entry.name}', "
        "name the file: 'pinebench sync push --script FILE'"
    )
    return ScriptState(entry.file, "perhaps swapped", told, settled=False)


def empty_state(script: SavedScript, file: str) -> ScriptState:
    """Return the outcome of a script whose newest version is empty; `file` is its file, "" if it has none."""
    blank = BlankScript(script)
    if not file:  # a script that was never written leaves nothing to do
        return ScriptState(file_name(script.name), "empty there", f"{blank.message}, so no file is written")
    return ScriptState(file, "empty there", f"{blank.message}, so the file is kept: {blank.hint}", settled=False)


def gone_state(entry: LockEntry) -> ScriptState:
    """Return the outcome of a script that is no longer in the account."""
    told = f"the account no longer has a script '{entry.name}'; the file is kept"
    return ScriptState(entry.file, "gone there", told, settled=False)


def advice_on(copy: str) -> str:
    """Return the advice about a conflict; `copy` is the file with the account's text."""
    return (
        f"both sides changed it; the account's text is in {copy}: edit your file as you want it, then run "
        "'pinebench sync resolve --script FILE'"
    )
