"""Synchronizes a folder of files with the saved scripts of an account, so that no text is lost.

These rules hold at all times, even if the program is killed. A file is replaced only if its content is still the one
that was read. The new text must include this content, unless the content was stored first. A script is saved only over
the version that the folder has seen. Nothing is ever deleted. Before any other step with a script, unconfirmed saves
are looked up. A version counts as seen only after its text is in the folder: a failed step is forgotten, and the next
run tries again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping

from pinebench import config, files
from pinebench.checker import open_program
from pinebench.errors import PinebenchError, UsageError
from pinebench.files import ChangedFile, originals
from pinebench.files.locks import Lock, LockHeld
from pinebench.projects.account import ScriptAccount, digest, number_of, plain
from pinebench.projects.lock_file import Clash, Creation, LockEntry, PendingSave, prepared
from pinebench.projects.script_merge import merge
from pinebench.projects.synced_folder import (
    COPY,
    BlankScript,
    LocalFile,
    ScriptState,
    SyncedFolder,
    advice_on,
    file_name,
    folded,
    gone_state,
    half_of_a_character,
    shortened,
    swap_state,
)
from pinebench.tradingview.script_service import SavedScript

_MOST_GIVEN_UP = 50
_MOST_PASSED = 20
"""The largest number of versions since the last run that are read one by one."""

_NEW = "it is not in the account: 'pinebench sync push --new' saves it as a new script"
_FETCH = "it is not in this folder: 'pinebench sync pull' writes it"


class Sync:
    """A folder and an account to synchronize. Use it in a `with` block, which holds the folder's lock."""

    def __init__(self, folder: str, account: ScriptAccount) -> None:
        self.folder = folder
        self._account = account
        self.old_names: dict[str, list[str]] = {}
        """The earlier names of each file that was renamed."""
        self._unread = ""
        """The sentence about versions of the present script that were not read; empty if there are none."""
        self._library_folders: tuple[str, ...] = ()
        """The folders of local libraries, which `pull` and `push` read before they change anything."""
        self._lock = Lock(os.path.join(prepared(folder), "lock"))

    def __enter__(self) -> Sync:
        try:
            self._lock.acquire()
        except LockHeld as error:
            raise LockHeld(
                f"{self.folder}: another 'pinebench sync' is running here ({error.message})",
                error.pid,
                "wait until it ends",
            ) from None
        try:
            self._synced = SyncedFolder(self.folder, self._account)
            self._records = self._synced.records
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        try:
            if failure is None:
                self._records.prune()
        finally:
            self._lock.release()

    # -- commands --------------------------------------------------------------------------------------------------

    def status(self, only: Collection[str] = ()) -> list[ScriptState]:
        """Return the state of each script. Files and scripts are not changed. Raises the errors of the account."""
        listed = self._synced.listed()
        missed = self._synced.not_found(only, listed)
        swapped, renamed = self._synced.swapped(), set(self._synced.renamed().values())
        found = [
            swap_state(entry, swapped)
            or self._safely(entry.file, lambda id=id, entry=entry: self._synced.state(id, entry, listed))
            for id, entry in self._synced.entries(self._with_old_names(only))
        ]
        found += [self._synced.unknown_state(each) for each in self._synced.unknown(listed, only)]
        found += [
            ScriptState(name, "only here")
            for name in self._synced.strangers()
            if (not only or name in only) and name not in renamed
        ]
        return [*found, *missed]

    def pull(self, only: Collection[str] = (), *, restore: bool = False) -> list[ScriptState]:
        """Apply the account's changes to the folder, and return the outcome for each script.

        `only` limits this to some files. With `restore`, missing files are written again. A missing file that may exist
        under a new name is written only if `only` names it. A file that may have the text of another script is changed
        only if `only` names it. Raises the errors of the account's list and of the configuration.
        """
        self._library_folders = config.library_folders(self.folder)
        listed = self._synced.listed()
        missed = self._synced.not_found(only, listed)
        self._adopt_created(listed)
        self._records.held.blank = self._synced.blank(listed)
        restored = ("named" if only else "all") if restore else ""
        done = self._each(self._with_old_names(only), lambda id, entry: self._pulled(id, entry, listed, restored))
        done += [
            self._safely(file_name(each.name), lambda each=each: self._fetched(each))
            for each in self._synced.unknown(listed, only)
        ]
        done += [ScriptState(name, "only here", _NEW) for name in self._synced.strangers() if name in only]
        return [*done, *missed]

    def push(self, only: Collection[str] = (), *, new: bool = False) -> list[ScriptState]:
        """Save the folder's changes to the account, and return the outcome for each script.

        `only` limits this to some files. With `new`, files that are not in the account yet are saved as new scripts. A
        file that may be a missing file under a new name, or may have the text of another script, is saved only if
        `only` names it. Raises the errors of the account's list and of the configuration.
        """
        self._library_folders = config.library_folders(self.folder)
        listed = self._synced.listed()
        missed = self._synced.not_found(only, listed)
        self._adopt_created(listed)
        done = self._each(
            only if new else self._with_old_names(only), lambda id, entry: self._pushed(id, entry, listed)
        )
        wanted = [name for name in self._synced.strangers() if not only or name in only]
        if new:
            done += [self._safely(name, lambda name=name: self._new(name, listed, only)) for name in wanted]
        else:
            done += [ScriptState(name, "only here", _NEW) for name in wanted]
        done += [self._synced.unknown_state(each, _FETCH) for each in self._synced.unknown(listed, only) if only]
        return [*done, *missed]

    def resolve(self, name: str) -> ScriptState:
        """Resolve a conflict: accept the current content of the file `name`. The next push saves it. Raises UsageError
        if the file is missing or has no conflict."""
        entry = next((each for _, each in self._synced.entries((name,))), None)
        if entry is None or entry.clash is None:
            raise UsageError(f"{name} has no clash to resolve", "'pinebench sync status' lists the clashes")
        if self._synced.local(entry.file) is None:
            raise UsageError(f"{name}: the file is missing", "save the text that you want in this file")
        clash = entry.clash
        entry.version, entry.text, entry.clash = clash.version, clash.text, None
        self._records.write()
        return ScriptState(name, "resolved", f"'pinebench sync push' saves it; {clash.file} may be removed")

    def moved(self, old: str, new: str) -> ScriptState:
        """Treat the file `new` as the renamed file `old`, which is missing or now has a different text.

        If `new` is the file of another script, that script gets the file `old`. Raises UsageError if `old` is not the
        file of a script, or is still there unchanged, or if `new` is missing or certainly belongs to another script.
        """
        entry = next((each for _, each in self._synced.entries((old,))), None)
        if entry is None:
            raise UsageError(
                f"{old} is not a script of the account", "'pinebench sync status' lists the scripts of the account"
            )
        if self._synced.swapped().get(new) == old:
            other = next(each for _, each in self._synced.entries((new,)))
            entry.file, other.file = new, old
            self._records.write()
            return ScriptState(
                new, "followed", f"it is now the file of '{entry.name}', and {old} is the file of '{other.name}'"
            )
        if self._synced.local(old) is not None:
            raise UsageError(f"{old}: the file is still here", "move it out of the folder first, or keep this name")
        if new not in self._synced.strangers():
            told = "it is missing, or belongs to another script"
            raise UsageError(f"{new}: {told}", "'pinebench sync status' lists the files that are only here")
        self._move_to(entry, new)
        return ScriptState(new, "followed", f"it is now the file of '{entry.name}'")

    def title_of(self, name: str) -> tuple[str, str]:
        """Return the name and the version of the script in the file `name`."""
        entry = next(each for _, each in self._synced.entries((name,)))
        return entry.name, entry.version

    def has_own_changes(self, name: str) -> bool:
        """Return whether the script's file `name` differs from the account's version that the folder has seen."""
        entry = next(each for _, each in self._synced.entries((name,)))
        return self._synced.digest_of(name) != entry.text

    def texts(self, name: str) -> tuple[str, str]:
        """Return the account's newest text of the script in the file `name`, and the file's text, for a comparison.

        Raises UsageError if one of them is missing.
        """
        found = next(((id, each) for id, each in self._synced.entries(self._with_old_names((name,)))), None)
        if found is None:
            raise UsageError(f"{name} is not a script of the account", "'pinebench sync status' lists them")
        script = self._synced.listed().get(found[0])
        if script is None:
            raise UsageError(f"{name}: {gone_state(found[1]).told}")
        local = self._synced.local(name)
        if local is None:
            raise UsageError(f"{name}: the file is missing here", "'pinebench sync pull --restore' restores it")
        return self._synced.theirs(script), local.text

    def _with_old_names(self, only: Collection[str]) -> set[str]:
        """Return `only` with the old names of renamed files added, because the records still use them."""
        return {*only, *(old for old, new in self._synced.renamed().items() if new in only)} if only else set()

    # -- one script after another ------------------------------------------------------------------------------------

    def _each(self, only: Collection[str], work: Callable[[str, LockEntry], ScriptState]) -> list[ScriptState]:
        """Return the outcomes of the scripts. A file with another script's text is skipped, unless `only` names it."""
        swapped = {} if only else self._synced.swapped()
        return [
            swap_state(entry, swapped)
            or self._safely(entry.file, lambda id=id: work(id, self._records.held.scripts[id]))
            for id, entry in self._synced.entries(only)
        ]

    def _safely(self, name: str, work: Callable[[], ScriptState]) -> ScriptState:
        """Return the outcome of one script. An error becomes its outcome, so that the other scripts are still
        processed.

        After an error, unwritten changes of the records are discarded, so that the next script does not save half a
        step.
        """
        self._unread = ""
        outcome = self._tried(name, work)
        return outcome._replace(told="; ".join(filter(None, (outcome.told, self._unread))))

    def _tried(self, name: str, work: Callable[[], ScriptState]) -> ScriptState:
        try:
            try:
                return work()
            except BlankScript as error:
                return self._noted_blank(error.script)
        except ChangedFile as error:
            self._records.go_back()
            return ScriptState(name, "changed meanwhile", f"{error.message}; run it again", settled=False)
        except PinebenchError as error:
            self._records.go_back()
            hint = f"; {error.hint}" if error.hint else ""
            return ScriptState(name, "failed", f"{error.message}{hint}", settled=False)

    def _noted_blank(self, script: SavedScript) -> ScriptState:
        """Record that the newest version of a script is empty, so that `status` need not read it."""
        self._records.held.blank[script.id] = script.version
        self._records.write()
        return self._synced.blank_state(script, self._records.held.scripts.get(script.id))

    def _last_again(self, id: str, entry: LockEntry, script: SavedScript) -> ScriptState:
        """Write a missing file again with its last known text, because the script's newest version is empty."""
        text = self._synced.last(id, entry)
        if text is not None:
            self._write(entry, text, None)
        outcome = self._noted_blank(script)
        blank = BlankScript(script)
        done = (
            "so the file was restored with its last text"
            if text is not None
            else "and the folder does not have an earlier text, so no file is written"
        )
        return outcome._replace(told=f"{blank.message}, {done}: {blank.hint}")

    # -- texts that were sent --------------------------------------------------------------------------------------

    def _settle(self, id: str, entry: LockEntry, script: SavedScript) -> ScriptState | None:
        """Find out which text sent from this folder arrived last, and whether it replaced a version that the folder has
        not seen.

        A text that arrives late, perhaps twice, counts as well. Return None if there is nothing to report.
        """
        sending = entry.sending
        if sending is None and script.version == entry.version:
            return None
        sent = sending.text if sending else ""
        between = self._versions_after(id, entry.version, script)
        base = self._synced.base(id, entry)
        entry.sending = None
        own = {sent, entry.text, *entry.given_up}
        at = next((i for i in reversed(range(len(between))) if digest(between[i][1]) in own), None)
        may_be_late = set(entry.given_up) - {sent}
        entry.given_up = _still_under_way([*entry.given_up, *filter(None, (sent,))], between)
        if at is None:
            self._records.write()
            return None
        passed = [each for each in between[:at] if digest(each[1]) not in own]
        entry.version, text = between[at]
        entry.text = self._records.keep(text)
        if passed:
            return self._take_passed(entry, base, passed[-1])
        self._records.write()
        local = self._synced.local(entry.file)
        if entry.text in may_be_late and local is not None and digest(local.text) != entry.text:
            late = (
                f"version {entry.version} is a text that this folder sent earlier and that arrived late; "
                "your file is not changed"
            )
            return ScriptState(entry.file, "late", f"{late}, and 'pinebench sync push' saves it")
        return None

    def _versions_after(self, id: str, base: str, script: SavedScript) -> list[tuple[str, str]]:
        """Return the versions after `base` with their texts, newest last, and note versions that were not read."""
        first, last = number_of(base) + 1, number_of(script.version)
        numbers = range(max(first, last - _MOST_PASSED + 1), last + 1)
        unread = list(range(first, numbers.start))
        found: list[tuple[str, str]] = []
        for number in numbers:
            version = script.version if number == last else f"{number}.0"
            text = self._account.source(id, version)
            if text is not None and text.strip() and half_of_a_character(text) is None:
                found.append((version, text))
            elif number != last:
                unread.append(number)
        self._unread = _told_unread(unread)
        return found

    def _take_passed(self, entry: LockEntry, base: str | None, passed: tuple[str, str]) -> ScriptState:
        """Merge a version into the file that a save replaced before the folder had seen it, or report a conflict."""
        version, theirs = passed
        self._records.keep(theirs)
        said = f"version {version} was saved by someone else just before version {entry.version} of this folder"
        local = self._synced.local(entry.file)
        changes = self._merged(entry, local, base, theirs) if local is not None else ""
        if changes:
            self._records.write()
            told = f"{said}; both were merged into the file ({changes}), and 'pinebench sync push' saves the result"
            return ScriptState(entry.file, "merged", told)
        name = self._clash(entry, theirs, version, Clash("", entry.version, entry.text))
        return ScriptState(entry.file, "clash", f"{said}; it is in {name}. {advice_on(name)}", settled=False)

    # -- from the account ------------------------------------------------------------------------------------------

    def _pulled(self, id: str, entry: LockEntry, listed: Mapping[str, SavedScript], restored: str) -> ScriptState:
        """Bring the newest version of a script into its file. `restored` ("all", "named" or "") says which missing
        files are written."""
        script = listed.get(id)
        if script is None:
            return gone_state(entry)
        self._find(entry)
        came = self._settle(id, entry, script)
        restore = restored == "named" or (restored == "all" and not self._synced.names_of(id, entry))
        if entry.clash is not None:
            self._copy_again(id, entry.clash)
            if restore and self._synced.local(entry.file) is None:
                try:
                    self._write(entry, self._synced.theirs(script), None)
                except BlankScript:
                    outcome = self._last_again(id, entry, script)
                    return came or outcome
            return came or self._synced.state(id, entry, listed)
        if came is not None:
            return came
        moved = self._rename(entry, script)
        local = self._synced.local(entry.file)
        if local is None and not restore:
            return self._synced.missing(id, entry, script)
        if script.version == entry.version and local is not None:
            return ScriptState(entry.file, "renamed" if moved else "same", moved)
        try:
            outcome = self._taken(id, entry, script, self._synced.theirs(script), local)
        except BlankScript:
            outcome = self._last_again(id, entry, script) if local is None else self._noted_blank(script)
        return outcome._replace(told="; ".join(filter(None, (moved, outcome.told))))

    def _taken(
        self, id: str, entry: LockEntry, script: SavedScript, theirs: str, local: LocalFile | None
    ) -> ScriptState:
        """Bring the account's newest text into the file, by replacing or merging, or report a conflict."""
        told = f"version {script.version}"
        text = digest(theirs)
        if local is None:
            self._write(entry, theirs, None)
            return self._agreed(entry, script, theirs, "pulled", told)
        here = digest(local.text)
        if here == text:
            return self._agreed(entry, script, theirs, "same", told)
        if text in entry.given_up:
            late = (
                f"version {script.version} is a text that this folder sent earlier and that arrived late; "
                "your file is not changed"
            )
            return self._agreed(entry, script, theirs, "late", f"{late}, and 'pinebench sync push' saves it")
        if here == entry.text:
            self._write(entry, theirs, local)
            return self._agreed(entry, script, theirs, "pulled", told)
        if text == entry.text:  # saved again without a change
            return self._agreed(entry, script, theirs, "changed here", "'pinebench sync push' saves it")
        if told_by := self._merged(entry, local, self._synced.base(id, entry), theirs):
            return self._agreed(entry, script, theirs, "merged", f"{told}: {told_by}")
        name = self._clash(entry, theirs, script.version, Clash("", script.version, text))
        return ScriptState(entry.file, "clash", advice_on(name), settled=False)

    def _write(self, entry: LockEntry, text: str, local: LocalFile | None) -> None:
        """Write a text to a script's file if the file is still as it was read. Raises ChangedFile if it is not."""
        data = text.encode("utf-8") if local is None else local.bytes_of(text)
        files.replace(self._synced.path(entry.file), data, None if local is None else local.data)
        entry.here = self._records.keep(text)

    def _agreed(self, entry: LockEntry, script: SavedScript, text: str, state: str, told: str) -> ScriptState:
        entry.version, entry.text = script.version, self._records.keep(text)
        entry.name = script.name
        self._records.write()
        return ScriptState(entry.file, state, told)

    def _merged(self, entry: LockEntry, local: LocalFile, base: str | None, theirs: str) -> str:
        """Merge another text into the file and describe the merge. Return "" and change nothing if it is not clean."""
        merged = None if base is None else merge(plain(base), local.text, plain(theirs), self._library_folders)
        if merged is None:
            return ""
        self._records.keep(local.text)
        kept = originals.keep(self._synced.path(entry.file), local.data)
        self._write(entry, merged.text, local)
        return f"{merged.told()}, but read it before you push; your previous text is in {kept}"

    def _clash(self, entry: LockEntry, theirs: str, version: str, clash: Clash) -> str:
        """Write the account's text to a copy beside the file, record the conflict, and return the copy's name."""
        self._records.keep(theirs)
        stem = shortened(entry.file.removesuffix(".pine"))
        name = next(self._synced.free_names(f"{stem}.account-{number_of(version)}.pine", theirs))
        if self._synced.local(name) is None:
            files.create(self._synced.path(name), theirs.encode("utf-8"))
        entry.clash = clash
        entry.clash.file = name
        self._records.write()
        return name

    def _copy_again(self, id: str, clash: Clash) -> None:
        """Write the copy of the account's text again if the user deleted it before the conflict was resolved."""
        number = COPY.search(clash.file)
        if number is None or os.path.lexists(self._synced.path(clash.file)):
            return
        text = self._account.source(id, f"{number[1]}.0")
        if text is not None and half_of_a_character(text) is None:
            files.create(self._synced.path(clash.file), plain(text).encode("utf-8"))

    def _fetched(self, script: SavedScript) -> ScriptState:
        """Write a file for a script of the account that the folder does not have yet."""
        theirs = self._synced.theirs(script)
        taken = {folded(name) for name in self._synced.owned()}
        wanted = file_name(script.name)
        name = next(each for each in self._synced.free_names(wanted, theirs) if folded(each) not in taken)
        if self._synced.local(name) is None:
            files.create(self._synced.path(name), theirs.encode("utf-8"))
        entry = LockEntry(name, script.name, script.version, self._records.keep(theirs))
        self._records.held.scripts[script.id] = entry
        self._records.write()
        told = f"version {script.version}" + (
            f", as {name}, because {wanted} is another file" if name != wanted else ""
        )
        return ScriptState(name, "new here", told)

    # -- names -----------------------------------------------------------------------------------------------------

    def _rename(self, entry: LockEntry, script: SavedScript) -> str:
        """Rename a file after its script was renamed, unless the user has chosen another file name."""
        if script.name == entry.name:
            return ""
        old, wanted = entry.file, file_name(script.name)
        stays = (
            old != file_name(entry.name) or os.path.islink(self._synced.path(old)) or self._synced.local(old) is None
        )
        if stays or os.path.lexists(self._synced.path(wanted)):
            entry.name = script.name
            self._records.write()
            return f"the script is now called '{script.name}'; its file is still {old}" if wanted != old else ""
        entry.moving = wanted
        self._records.write()
        self._finish_move(entry)
        entry.name = script.name
        self._records.write()
        return f"renamed from {old}"

    def _finish_move(self, entry: LockEntry) -> None:
        """Finish the renaming of a file, which an earlier run may have begun. An existing file is never replaced."""
        if os.path.islink(self._synced.path(entry.file)):
            entry.moving = ""
        if not entry.moving:
            return
        old, new = self._synced.path(entry.file), self._synced.path(entry.moving)
        if os.path.lexists(old) and not os.path.lexists(new):
            data = files.read_bytes(old)
            files.create(new, data)
        held, copied = self._synced.local(entry.file), self._synced.local(entry.moving)
        if copied is not None and (held is None or held.data == copied.data):
            if held is not None:
                files.remove(old, held.data)
            self.old_names.setdefault(entry.moving, []).append(entry.file)
            entry.file = entry.moving
        entry.moving = ""
        self._records.write()

    def _find(self, entry: LockEntry) -> None:
        """Find the file of a script, even if the user has renamed it, and record its text."""
        self._finish_move(entry)
        local = self._synced.local(entry.file)
        if local is None:
            self._follow(entry)
            return
        if digest(local.text) != entry.here and local.text.strip():  # an emptied file says nothing about its next name
            entry.here = self._records.keep(local.text)
            self._records.write()

    def _follow(self, entry: LockEntry) -> None:
        name = self._synced.renamed().get(entry.file)
        if name is not None:
            self._move_to(entry, name)

    def _move_to(self, entry: LockEntry, name: str) -> None:
        self.old_names.setdefault(name, []).append(entry.file)
        entry.file = name
        self._records.write()

    # -- to the account --------------------------------------------------------------------------------------------

    def _pushed(self, id: str, entry: LockEntry, listed: Mapping[str, SavedScript]) -> ScriptState:
        script = listed.get(id)
        if script is None:
            return gone_state(entry)
        self._find(entry)
        came = self._settle(id, entry, script)
        if entry.clash is not None:
            self._copy_again(id, entry.clash)
            return came or self._synced.state(id, entry, listed)
        if came is not None and came.state != "late":
            return came
        local = self._synced.local(entry.file)
        if local is None:
            return self._synced.missing(id, entry, script)
        here = digest(local.text)
        if here == entry.text and script.version == entry.version:
            return ScriptState(entry.file, "same")
        _refuse_empty(entry.file, local)
        theirs = self._synced.theirs(
            script
        )  # also if the version is the same: nothing is saved over a text that was not seen
        if digest(theirs) not in (here, entry.text):
            advice = f"version {script.version} was saved there: 'pinebench sync pull' first"
            return ScriptState(entry.file, "changed there", advice, settled=False)
        self._agreed(entry, script, theirs, "same", "")
        return ScriptState(entry.file, "same") if here == entry.text else self._sent(id, entry, local.text)

    def _sent(self, id: str, entry: LockEntry, text: str) -> ScriptState:
        """Save a text in the account if its newest version is still the one that the folder has seen."""
        now = self._synced.listed().get(id)  # the list from the beginning may be old by now
        if now is None:
            return gone_state(entry)
        if now.version != entry.version:
            advice = f"version {now.version} was saved there just now: 'pinebench sync pull' first"
            return ScriptState(entry.file, "changed there", advice, settled=False)
        entry.sending = PendingSave(self._records.keep(text), entry.version)
        self._records.write()
        done, reason = self._account.save(id, text, entry.version)
        script = self._synced.listed().get(id)
        if script is None:
            return gone_state(entry)
        came = self._settle(id, entry, script)
        if not done and digest(text) in entry.given_up:
            entry.given_up.remove(digest(text))  # it was refused, so that it cannot arrive any more
            self._records.write()
        if came is not None:
            return came
        if entry.text == digest(text):
            told = f"version {entry.version}"
            return ScriptState(entry.file, "pushed", "; ".join(filter(None, (told, self._local_imports(text)))))
        if done:
            why = "the account reported a save, but lists no version with this text"
            return ScriptState(entry.file, "not confirmed", f"{why}; run 'pinebench sync pull'", settled=False)
        return ScriptState(entry.file, "refused", reason, settled=False)

    def _new(self, name: str, listed: dict[str, SavedScript], only: Collection[str]) -> ScriptState:
        """Save a file as a new script, unless it may be the renamed file of a known script."""
        target = os.path.realpath(self._synced.path(name))
        if name not in only and not target.startswith(os.path.join(os.path.realpath(self.folder), "")):
            told = (
                f"it is a link to {target}: 'pinebench sync push --new --script FILE' saves that file as a new script"
            )
            return ScriptState(name, "leads out", told, settled=False)
        before = [each.file for id, each in self._synced.entries(()) if name in self._synced.names_of(id, each)]
        if not before or name in only:
            return self._created(name, listed)
        told = (
            f"it may be {' or '.join(before)} under a new name: then 'pinebench sync moved --script OLD --to NEW'; "
            "otherwise 'pinebench sync push --new --script NEW' saves it as a new script"
        )
        return ScriptState(name, "perhaps renamed", told, settled=False)

    def _created(self, name: str, listed: dict[str, SavedScript]) -> ScriptState:
        """Save a file as a new script with the name of the file."""
        local = self._synced.local(name)
        if local is None:
            raise UsageError(f"{name}: the file is missing")
        _refuse_empty(name, local)
        title = name.removesuffix(".pine")
        if any(folded(each.name) == folded(title) for each in listed.values()):
            advice = "rename the file, or give the script on TradingView another name"
            return ScriptState(
                name, "refused", f"the account has another script called '{title}': {advice}", settled=False
            )
        creation = self._records.held.creating[name] = Creation(title, self._records.keep(local.text))
        self._records.write()
        done, reason = self._account.create(title, local.text)
        found = self._adopt_created(self._synced.listed())
        if name in found:
            told = f"as the new script '{title}'"
            return ScriptState(name, "pushed", "; ".join(filter(None, (told, self._local_imports(local.text)))))
        if done:
            self._records.held.creating[name] = creation  # so that the next run looks for it
            self._records.write()
            why = "the account reported a save, but lists no script with this name and text"
            return ScriptState(name, "not confirmed", f"{why}; run 'pinebench sync pull'", settled=False)
        return ScriptState(name, "refused", reason, settled=False)

    def _local_imports(self, text: str) -> str:
        """Return a sentence about imported libraries whose source is in a local folder: TradingView compiles the
        text only if they are published. "" if there are none."""
        if not self._library_folders or "import" not in text:
            return ""
        read = open_program(text, self._library_folders).libraries_read
        found = [path for path, source in read.items() if source is not None]
        if not found:
            return ""
        why = "TradingView cannot compile it unless they are published"
        return f"it imports {', '.join(found)} from a library folder of this computer: {why}"

    def _adopt_created(self, listed: dict[str, SavedScript]) -> set[str]:
        """Add the new scripts that have arrived to the records, and return their files."""
        adopted: set[str] = set()
        creating = self._records.held.creating
        for name, creation in list(creating.items()):
            found = (each for each in self._synced.unknown(listed) if folded(each.name) == folded(creation.name))
            for script in found:
                for version, text in self._versions_after(script.id, "0.0", script):
                    if digest(text) == creation.text:
                        self._records.held.scripts[script.id] = LockEntry(name, script.name, version, creation.text)
                        adopted.add(name)
            del creating[name]
            self._records.write()
        return adopted


def _refuse_empty(name: str, local: LocalFile) -> None:
    """Raise UsageError for an empty file, which was probably emptied or cut off by mistake."""
    if not local.text.strip():
        hint = "write the script, or remove the file and run 'pinebench sync pull --restore'"
        raise UsageError(f"{name}: the file is empty, so nothing is saved", hint)


def _still_under_way(sent: list[str], arrived: list[tuple[str, str]]) -> list[str]:
    """Return the digests of texts that were sent but have not arrived. A text that was sent twice may arrive twice."""
    left = list(sent)
    for _, text in arrived:
        if digest(text) in left:
            left.remove(digest(text))
    return left[-_MOST_GIVEN_UP:]


def _told_unread(numbers: list[int]) -> str:
    """Return a sentence about older versions that were not read; "" if there are none."""
    if not numbers:
        return ""
    shown = ", ".join(map(str, numbers[:5])) + (f" and {len(numbers) - 5} more" if len(numbers) > 5 else "")
    what = "version" if len(numbers) == 1 else "versions"
    why = "came without a text, contained a lone surrogate, or exceeded the limit"
    return f"pinebench did not read the earlier {what} {shown}, which {why}: look at TradingView"
