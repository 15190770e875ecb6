"""Random histories of a folder and an account: edits on both sides, blank versions, crashes, lost answers and doubled
requests."""

import errno
import json
import os
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from pinebench import files
from pinebench.errors import UsageError
from pinebench.files import atomic_writes
from pinebench.projects.lock_file import LockStore
from pinebench.projects.script_merge import MergedScript, merge
from pinebench.projects.sync import Sync
from pinebench.projects.synced_folder import ScriptState, file_name
from pinebench.studio.facade import Facade
from pinebench.studio.scripts import ScriptStore
from pinebench.studio.web import Routes, StudioRequest
from pinebench.tradingview.account import PageAccount

BEGIN = '//@version=6\nindicator("S", overlay = true)\na = 1\nb = 2\nc = 3\nd = 4\ne = 5\nplot(a + b + c + d + e)\n'
REFUSALS = {"quota": 429, "full": 400, "logged out": 401}
WRITES = ("replace", "create", "remove", "write_atomically")


class Crash(BaseException):
    """The program is killed."""


class Service:
    """The studio's script service behind the page's functions, with the faults of a bad connection.

    `checked` says whether a save is refused on another version than the one that it was made from; TradingView's
    service does not do that. `before` is called before each request that saves, `reading` before each other one.
    """

    def __init__(self, checked: bool = True) -> None:
        self.store = ScriptStore()
        self.routes = Routes()
        Facade(self.store).add_to(self.routes)
        self.checked = checked
        self.trouble: Callable[[str], str] = lambda _: ""
        self.before: Callable[[], None] = lambda: None
        self.reading: Callable[[], None] = lambda: None
        self.saving: Callable[[dict[str, Any]], None] = lambda _: None
        self.late: list[dict[str, Any]] = []

    def call(self, name: str, argument: dict[str, Any], **_: Any) -> dict[str, Any]:
        """What the page function gives, in its place."""
        if name != "save_script":
            if self.trouble("read") == "lost":
                return self.silence()
            self.reading()
            path = "list/" if name == "list_scripts" else f"get/{argument['id']}/{argument['version']}"
            return self.ask("GET", path)
        self.saving(argument)
        self.before()
        kind = self.trouble("save")
        if kind == "lost":
            return self.silence()
        if kind == "late":
            self.late.append(argument)
            return self.silence()
        if kind in REFUSALS:
            return {"status": REFUSALS[kind], "data": {"success": False, "reason": kind}, "text": ""}
        answer = self.save(argument)
        if kind == "doubled":
            answer = self.save(argument)
        return self.silence() if kind == "unanswered" else answer

    def silence(self) -> dict[str, Any]:
        return {"status": 0, "data": None, "text": "no answer in time"}

    def save(self, argument: dict[str, Any]) -> dict[str, Any]:
        if argument["id"] is None:
            return self.ask("POST", "save/new", argument["source"], name=argument["name"], allow_overwrite="false")
        base = {"base": argument["base"]} if self.checked else {}
        return self.ask("POST", f"save/next/{argument['id']}", argument["source"], allow_create_new="false", **base)

    def deliver(self) -> None:
        """Let the saves arrive that were under way."""
        late, self.late = self.late, []
        for argument in late:
            self.save(argument)

    def ask(self, method: str, path: str, source: str | None = None, **query: str) -> dict[str, Any]:
        body = urlencode({"source": source}).encode() if source is not None else b""
        answer = self.routes.answer(StudioRequest(method, "/pine-facade/" + path, query, {}, body))
        return {"status": answer.status, "data": json.loads(answer.body), "text": ""}

    def account(self) -> PageAccount:
        """The account as `pinebench sync` has it."""
        return PageAccount(self)  # type: ignore[arg-type]

    def versions(self, id: str) -> list[str]:
        """The texts of all versions, the oldest first."""
        numbers = sorted(each.number for each in self.store.versions(id))
        return [self.store.source(id, number) or "" for number in numbers]


@contextmanager
def killed_at(step: int, after: bool, service: Service) -> Iterator[None]:
    """Kill the program before or after the step with this number: the write of a file, or a request."""
    count = 0

    def stepping(write: Any) -> Any:
        def stepped(*given: Any, **more: Any) -> Any:
            nonlocal count
            count += 1
            if count == step and not after:
                raise Crash
            result = write(*given, **more)
            if count == step:
                raise Crash
            return result

        return stepped

    with pytest.MonkeyPatch.context() as patch:
        for name in WRITES:
            patch.setattr(files, name, stepping(getattr(files, name)))
        patch.setattr(service, "call", stepping(service.call))
        yield


@contextmanager
def refused_at(step: int, number: int, *, on: bool) -> Iterator[Callable[[], bool]]:
    """Let the system refuse the write of a file with this step's number, and with `on` every later one.

    `number` is the number of the system's error. What is given says whether the step was reached.
    """
    count = 0
    fill = atomic_writes._fill

    def refusing(file: Any, data: bytes, durable: bool) -> None:
        nonlocal count
        count += 1
        if count == step or (on and count > step > 0):
            file.write(data[: len(data) // 2])
            raise OSError(number, os.strerror(number))
        fill(file, data, durable)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(atomic_writes, "_fill", refusing)
        yield lambda: count >= step > 0


class History:
    """One history, from its seed. Every text that a person wrote is remembered, and looked for after each step."""

    def __init__(self, seed: int, folder: Path, state: Path) -> None:
        self.random = random.Random(seed)
        self.folder, self.state = folder, state
        self.service = Service(checked=self.random.random() < 0.5)
        self.outcomes: list[ScriptState] = []
        self.number = 1000
        self.renamed: dict[str, str] = {}
        """The files that a person has renamed, each with the id of its script, or with the name that it had before."""
        self.replaced: set[str] = set()
        """The texts of files that a person has replaced."""
        self.changes: dict[str, frozenset[int]] = {BEGIN.rstrip("\n"): frozenset()}
        """The changes of which each text takes account: they are in it, or a person has decided against them."""
        self.service.saving = self.look_at_save
        for name in ("One", "Two: more")[: self.random.choice((1, 2))]:
            self.service.save({"id": None, "name": name, "source": BEGIN})

    # -- persons ---------------------------------------------------------------------------------------------------

    def changed(self, text: str) -> str:
        """A text with one change that no other text has."""
        self.number += 1
        lines = text.rstrip("\n").split("\n")
        places = [i for i, line in enumerate(lines) if line[1:4] == " = "]
        if self.random.random() < 0.3 or not places:
            lines.append(f"plot({self.number})")
        else:
            at = self.random.choice(places)
            lines[at] = f"{lines[at][0]} = {self.number}"
        after = "\n".join(lines) + "\n"
        self.changes[after.rstrip("\n")] = self.in_text(text) | {self.number}
        return after

    def in_text(self, text: str) -> frozenset[int]:
        return self.changes[text.rstrip("\n")] if text.strip() else frozenset()

    def look_at_save(self, argument: dict[str, Any]) -> None:
        """A save takes account of every change in the version that it replaces as the newest one."""
        if argument["id"] is None:
            return
        newest = self.service.store.source(argument["id"]) or ""
        missing = self.in_text(newest) - self.in_text(argument["source"])
        assert not missing, f"a save replaces a version whose changes {sorted(missing)} nobody here has seen"

    def merged(self, base: str, ours: str, theirs: str, folders: Sequence[str] = ()) -> MergedScript | None:
        """A merge as the program makes it; the result takes account of the changes of both sides."""
        found = merge(base, ours, theirs, folders)
        if found is not None:
            self.changes[found.text.rstrip("\n")] = self.in_text(ours) | self.in_text(theirs)
        return found

    def edit_here(self) -> None:
        for path in sorted(self.folder.glob("*.pine")):
            if ".account-" not in path.name and self.random.random() < 0.6:
                before = path.read_text(encoding="utf-8")
                self.replaced.add(before)
                path.write_text(self.changed(before), encoding="utf-8")

    def edit_there(self) -> None:
        for script in self.service.store.scripts():
            if self.random.random() < 0.6:
                self.save_there(script.id, self.changed(self.last_text(script.id)))

    def blank_there(self) -> None:
        """A person saves a version without a text by mistake."""
        script = self.random.choice(self.service.store.scripts())
        self.save_there(script.id, self.random.choice(("\n", "  \n")))

    def save_there(self, id: str, text: str) -> None:
        self.service.ask("POST", f"save/next/{id}", text)

    def last_text(self, id: str) -> str:
        """The newest text of a script that is not blank: a person who finds a blank version goes on from there."""
        return next(text for text in reversed(self.service.versions(id)) if text.strip())

    def rename_there(self) -> None:
        script = self.random.choice(self.service.store.scripts())
        self.number += 1
        self.service.ask("POST", f"rename/{script.id}", name=f"Name {self.number}")

    def rename_here(self) -> None:
        found = [path for path in sorted(self.folder.glob("*.pine")) if ".account-" not in path.name]
        if found:
            self.number += 1
            path, name = self.random.choice(found), f"mine {self.number}.pine"
            self.renamed[name] = self.script_of(path.name)
            path.rename(self.folder / name)

    def script_of(self, name: str) -> str:
        """The id of the script of a file; its first name if no script has it yet."""
        held = LockStore(str(self.folder)).held.scripts.items()
        known = next((id for id, entry in held if name in (entry.file, entry.moving)), "")
        return known or self.renamed.get(name, name)

    def find(self, sync: Sync, name: str) -> None:
        """A person knows whether a missing file has a new name, or was removed."""
        id = self.script_of(name)
        found = [new for new, of in self.renamed.items() if of in (id, name) and (self.folder / new).exists()]
        if found:
            sync.moved(name, found[-1])
        else:
            sync.pull([name], restore=True)

    # -- the program -----------------------------------------------------------------------------------------------

    def trouble(self, kind: str) -> str:
        if kind == "read":
            return "lost" if self.random.random() < 0.03 else ""
        kinds = ["lost", "unanswered", "doubled", "late", *REFUSALS]
        return self.random.choice(kinds) if self.random.random() < 0.4 else ""

    def meanwhile(self) -> None:
        """Somebody works while a save is under way."""
        if self.random.random() < 0.15:
            self.edit_there()
        if self.random.random() < 0.05:
            self.blank_there()
        if self.random.random() < 0.15:
            self.edit_here()

    def glance(self) -> None:
        """Somebody works while a text is fetched."""
        if self.random.random() < 0.08:
            self.edit_here()

    def sync(self) -> None:
        """Pull or push; perhaps the program is killed on the way. No text that was there is gone then."""
        before = self.texts()
        self.service.trouble, self.service.before, self.service.reading = self.trouble, self.meanwhile, self.glance
        work = self.random.choice(("pull", "push", "push new"))
        fault, step, after = self.random.random(), self.random.randint(1, 20), self.random.random() < 0.5
        killed, refused = step if fault < 0.4 else 0, step if fault > 0.7 else 0
        try:
            with killed_at(killed, after, self.service), refused_at(refused, errno.ENOSPC, on=after):
                self.run(work)
        except Crash:
            pass
        except UsageError as error:
            assert refused and "cannot be written" in error.message, error
        except Exception as error:
            assert "no answer" in str(error), error
        self.service.trouble, self.service.before, self.service.reading = lambda _: "", lambda: None, lambda: None
        self.check(before, work)

    def run(self, work: str) -> list[ScriptState]:
        with pytest.MonkeyPatch.context() as patch, Sync(str(self.folder), self.service.account()) as sync:
            patch.setattr("pinebench.projects.sync.merge", self.merged)
            done = sync.pull(restore="restore" in work) if "pull" in work else sync.push(new=work == "push new")
        self.outcomes += done
        return done

    def texts(self) -> set[str]:
        """Every text that is in a file of the folder or in a version of a script."""
        held = {path.read_text(encoding="utf-8") for path in self.folder.glob("*.pine")}
        return held | {text for script in self.service.store.scripts() for text in self.service.versions(script.id)}

    def check(self, before: set[str], work: str) -> None:
        kept = [*self.folder.rglob("*.pine"), *self.state.rglob("*.pine")]
        found = self.texts() | {path.read_text(encoding="utf-8") for path in kept}
        written = {text.rstrip("\n") for text in found}
        lost = [text for text in before - self.replaced if text.rstrip("\n") not in written]
        assert not lost, f"{work} lost {lost}"

    def step(self) -> None:
        actions = (
            self.edit_here,
            self.edit_there,
            self.sync,
            self.sync,
            self.sync,
            self.rename_there,
            self.rename_here,
        )
        action = self.blank_there if self.random.random() < 0.06 else self.random.choice(actions)
        action()
        if self.random.random() < 0.3:
            self.service.deliver()

    # -- the end ---------------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Without faults, with a person who decides where both sides clash and brings blank scripts back, both sides
        come to the same texts."""
        self.service.deliver()
        states: set[str] = set()
        for _ in range(8):
            for script in self.service.store.scripts():
                if not (self.service.store.source(script.id) or "").strip():
                    self.save_there(script.id, self.last_text(script.id))
            self.run("pull --restore")
            with Sync(str(self.folder), self.service.account()) as sync:
                for each in sync.status():
                    if each.state == "missing here":
                        self.find(sync, each.file)
                for each in sync.status():
                    if each.state == "clash":
                        self.decide(each.file)
                        sync.resolve(each.file)
            self.run("push")
            with Sync(str(self.folder), self.service.account()) as sync:
                states = {each.state for each in sync.status()}
            if states <= {"same", "only here"}:
                break
        assert states <= {"same", "only here"}, states
        self.compare()
        self.look_for_overwrites()

    def decide(self, name: str) -> None:
        """A person has read both texts and writes a new one."""
        copies = [path.read_text(encoding="utf-8") for path in self.folder.glob("*.account-*.pine")]
        path = self.folder / name
        text = self.changed(path.read_text(encoding="utf-8"))
        every = [self.in_text(each) for each in copies]
        self.changes[text.rstrip("\n")] = self.in_text(text).union(*every)
        path.write_text(text, encoding="utf-8")

    def compare(self) -> None:
        held = LockStore(str(self.folder)).held.scripts
        assert set(held) == {script.id for script in self.service.store.scripts()}
        for id, entry in held.items():
            here = (self.folder / entry.file).read_text(encoding="utf-8")
            assert here.rstrip("\n") == (self.service.store.source(id) or "").rstrip("\n")

    def look_for_overwrites(self) -> None:
        """The newest text of each script takes account of every change that somebody ever saved in it."""
        for script in self.service.store.scripts():
            saved = frozenset[int]().union(*map(self.in_text, self.service.versions(script.id)))
            missing = saved - self.in_text(self.service.store.source(script.id) or "")
            assert not missing, f"the changes {sorted(missing)} are in no newest text, and nobody was told"


def walk(seed: int, folder: Path, state: Path, steps: int = 14) -> History:
    """One history of some steps, to its end."""
    history = History(seed, folder, state)
    for _ in range(steps):
        history.step()
    history.settle()
    return history


__all__ = ["BEGIN", "Crash", "History", "Service", "file_name", "killed_at", "refused_at", "walk"]
