"""A folder and an account in step: what must never happen, and what each side gets."""

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pinebench import config
from pinebench.errors import UsageError
from pinebench.projects import lock_file
from pinebench.projects.sync import Sync
from pinebench.projects.synced_folder import ScriptState
from tests.projects.histories import BEGIN, Crash, Service, killed_at, refused_at, walk


class Desk:
    """A folder with the script `One`, which the account has as well."""

    def __init__(self, folder: Path, *, checked: bool = True) -> None:
        self.folder, self.service = folder, Service(checked)
        self.service.save({"id": None, "name": "One", "source": BEGIN})
        self.id = self.service.store.scripts()[0].id
        self.file = folder / "One.pine"

    def pull(self, *, restore: bool = False) -> list[ScriptState]:
        config.forget()  # each command is a process of its own
        with Sync(str(self.folder), self.service.account()) as sync:
            return sync.pull(restore=restore)

    def push(self, *, new: bool = False) -> list[ScriptState]:
        config.forget()
        with Sync(str(self.folder), self.service.account()) as sync:
            return sync.push(new=new)

    def status(self) -> dict[str, str]:
        with Sync(str(self.folder), self.service.account()) as sync:
            return {each.file: each.state for each in sync.status()}

    def id_of(self, name: str) -> str:
        return next(each.id for each in self.service.store.scripts() if each.name == name)

    def there(self) -> str:
        return self.service.store.source(self.id) or ""

    def save_there(self, text: str) -> None:
        assert self.service.ask("POST", f"save/next/{self.id}", text)["status"] == 200

    def trouble(self, *kinds: str) -> None:
        """The next saves end so, one after the other."""
        left = iter(kinds)
        self.service.trouble = lambda kind: next(left, "") if kind == "save" else ""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    (tmp_path / "scripts").mkdir()
    made = Desk(tmp_path / "scripts")
    assert [each.state for each in made.pull()] == ["new here"]
    return made


def states(outcomes: list[ScriptState]) -> list[str]:
    return [each.state for each in outcomes]


A, B = BEGIN.replace("a = 1", "a = 11"), BEGIN.replace("b = 2", "b = 22")
BOTH = A.replace("b = 2", "b = 22")
ZED = '//@version=6\nindicator("Z")\nplot(close)\n'


# -- what must never happen ----------------------------------------------------------------------------------------


def test_a_script_is_never_saved_over_a_version_that_nobody_here_has_seen(desk: Desk) -> None:
    desk.file.write_text(A)
    desk.save_there(B)
    (told,) = desk.push()
    assert (told.state, told.settled) == ("changed there", False) and "pull" in told.told
    assert desk.there() == B and desk.file.read_text() == A


@pytest.mark.parametrize("checked", [True, False])
def test_a_save_of_somebody_else_at_the_same_moment_is_merged_or_kept_and_told(desk: Desk, checked: bool) -> None:
    """TradingView's service does not refuse a save on another version: what came between is found afterwards."""
    desk.service.checked = checked
    for theirs, state in ((B, "merged"), (BEGIN.replace("a = 1", "a = 5"), "clash")):
        desk.file.write_text(A)
        desk.service.before = lambda theirs=theirs: desk.save_there(theirs)
        (told,) = desk.push()
        desk.service.before = lambda: None
        if checked:
            assert told.state == "refused" and desk.there() == theirs
            (told,) = desk.pull()
        else:
            assert "version" in told.told and "someone else" in told.told and desk.there() == A
        assert told.state == state
        seen = {path.read_text() for path in desk.folder.rglob("*.pine")}
        assert theirs in seen
        if state == "merged":
            assert desk.file.read_text() == BOTH
            assert states(desk.push()) == ["pushed"] and desk.there() == BOTH
            desk.save_there(BEGIN)
            desk.pull()


def test_a_save_that_comes_late_never_brings_an_older_text_back(desk: Desk) -> None:
    desk.service.checked = False
    desk.file.write_text(A)
    desk.trouble("late")
    assert states(desk.push()) == ["failed"]
    desk.file.write_text(BOTH)
    assert states(desk.push()) == ["pushed"]
    desk.service.deliver()
    assert desk.there() == A  # the service took the older text
    (told,) = desk.pull()
    assert told.state == "late" and desk.file.read_text() == BOTH
    assert states(desk.push()) == ["pushed"] and desk.there() == BOTH


def test_a_text_that_was_sent_twice_may_still_arrive_after_it_was_saved(desk: Desk) -> None:
    """The copy that comes late is older than the newest text, and somebody goes on with it."""
    desk.service.checked = False
    desk.file.write_text(A)
    desk.trouble("late")
    assert states(desk.push()) == ["failed"]
    assert states(desk.push()) == ["pushed"]
    desk.file.write_text(BOTH)
    assert states(desk.push()) == ["pushed"]
    desk.service.deliver()
    desk.save_there(A.replace("c = 3", "c = 33"))
    assert states(desk.pull()) == ["late"] and desk.file.read_text() == BOTH
    assert states(desk.pull()) == ["merged"] and desk.file.read_text() == BOTH.replace("c = 3", "c = 33")
    assert states(desk.push()) == ["pushed"] and desk.there() == BOTH.replace("c = 3", "c = 33")


def test_a_merge_is_told_and_never_made_of_one_statement_or_with_errors(desk: Desk) -> None:
    desk.file.write_text(A)
    desk.save_there(B)
    (told,) = desk.pull()
    assert told.state == "merged" and told.told.startswith(
        "version 2.0: changed here, line 3: a = 11; changed there, line 4: b = 22; changes of both sides are "
        "adjacent at line 3; it compiles, but read it"
    )
    assert desk.file.read_text() == BOTH and desk.there() == B, "a merge is saved only by a push"
    assert states(desk.push()) == ["pushed"]
    for ours, theirs in (
        (BOTH.replace("c = 3", "c = 31"), BOTH.replace("c = 3", "c = 32")),
        (
            BOTH.replace("c = 31", "c = 3").replace("e = 5", "e = 5\nz = d"),
            BOTH.replace("d = 4\n", "").replace("+ d ", ""),
        ),
    ):
        desk.file.write_text(ours)
        desk.save_there(theirs)
        (told,) = desk.pull()
        assert (told.state, told.settled) == ("clash", False)
        (copy,) = desk.folder.glob("One.account-*.pine")
        assert desk.file.read_text() == ours and copy.read_text() == theirs
        assert copy.name in told.told and "'pinebench sync resolve --script FILE'" in told.told
        before = desk.there()
        assert states(desk.push()) == ["clash"] and desk.there() == before
        desk.file.write_text(BOTH)
        with Sync(str(desk.folder), desk.service.account()) as sync:
            sync.resolve("One.pine")
        assert states(desk.push(new=True)) == ["pushed"] and desk.there() == BOTH, "a copy is no new script"
        copy.unlink()


def test_a_new_script_that_the_account_lists_late_is_not_told_as_refused(desk: Desk) -> None:
    mine = desk.folder / "mine.pine"
    mine.write_text(ZED)
    ask = desk.service.call
    earlier = ask("list_scripts", {})
    desk.service.call = lambda name, *given, **more: earlier if name == "list_scripts" else ask(name, *given, **more)
    *_, told = desk.push(new=True)
    assert (told.file, told.state, told.settled) == ("mine.pine", "not confirmed", False)
    desk.service.call = ask
    mine.write_text(ZED + "// mine\n")
    desk.pull()
    assert desk.status() == {"One.pine": "same", "mine.pine": "changed here"}


def test_versions_in_between_that_cannot_be_read_are_told(desk: Desk) -> None:
    ask = desk.service.call

    def forgetful(name: str, argument: dict[str, object], **rest: object) -> dict[str, object]:
        answer = ask(name, argument, **rest)
        lost = name == "get_script" and argument.get("version") == "3.0"
        return {"status": 404, "data": None, "text": ""} if lost else answer

    desk.service.call = forgetful  # type: ignore[method-assign]
    for number in range(3):
        desk.save_there(BEGIN.replace("a = 1", f"a = {number}"))
    (told,) = desk.pull()
    assert told.state == "pulled" and "the earlier version 3, which came without a text" in told.told
    for number in range(30):
        desk.save_there(BEGIN.replace("a = 1", f"a = {100 + number}"))
    (told,) = desk.pull()
    assert told.state == "pulled" and "the earlier versions 5, 6, 7, 8, 9 and 5 more, which" in told.told
    assert desk.pull()[0].told == "", "it is told once"


def test_a_version_with_half_of_a_character_that_a_save_passed_over_is_told(desk: Desk) -> None:
    desk.service.checked = False
    ask, broken = desk.service.call, BEGIN + "// half: \ud800\n"

    def halved(name: str, argument: dict[str, object], **rest: object) -> dict[str, object]:
        wanted = argument.get("version") == "2.0" and name == "get_script"
        answer = ask(name, argument, **rest)
        return {**answer, "data": {**answer["data"], "source": broken}} if wanted else answer  # type: ignore[dict-item]

    desk.service.call = halved  # type: ignore[method-assign]
    desk.file.write_text(A)
    desk.service.before = lambda: desk.save_there(B)
    (told,) = desk.push()
    desk.service.before = lambda: None
    assert "the earlier version 2, which" in told.told and "a lone surrogate" in told.told, told
    assert desk.there() == A
    assert states(desk.pull()) == ["same"]


@pytest.mark.parametrize("blank", ["", "\n", " \n\t\n"])
def test_a_blank_version_that_a_save_passed_over_is_told_and_is_no_clash(desk: Desk, blank: str) -> None:
    """A text that was saved before the blank version is still brought into the file."""
    desk.service.checked = False
    desk.file.write_text(A)
    desk.service.saving = lambda argument: saved_meanwhile(desk, str(argument["id"]), blank)
    (told,) = desk.push()
    assert told.state == "pushed" and "the earlier version 2, which came without a text" in told.told, told
    assert [path.name for path in desk.folder.glob("*.pine")] == ["One.pine"]
    assert desk.there() == A and desk.status() == {"One.pine": "same"}

    def twice(argument: dict[str, object]) -> None:
        saved_meanwhile(desk, str(argument["id"]), A.replace("b = 2", "b = 22"))
        desk.save_there(blank)

    desk.file.write_text(A.replace("c = 3", "c = 33"))
    desk.service.saving = twice
    (told,) = desk.push()
    assert told.state == "merged" and "the earlier version 5, which came without a text" in told.told, told
    assert "b = 22" in desk.file.read_text() and "c = 33" in desk.file.read_text()


def test_kept_texts_do_not_grow_without_bound(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock_file, "MOST_OTHERS", 5)
    for number in range(12):
        desk.file.write_text(BEGIN.replace("a = 1", f"a = {number + 2}"))
        assert states(desk.push()) == ["pushed"]
    texts = {path.read_text() for path in (desk.folder / ".pinebench-sync").glob("*.pine")}
    assert len(texts) == 6 and desk.there() in texts, "the newest ones, and the text that both sides have"
    desk.file.write_text(A)
    desk.save_there(desk.there().replace("b = 2", "b = 22"))
    assert states(desk.pull()) == ["merged"]


def test_a_text_that_is_stored_again_is_the_newest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was the oldest by its file's time, and was deleted before texts that nobody needed for longer."""
    monkeypatch.setattr(lock_file, "MOST_OTHERS", 1)
    store = lock_file.LockStore(str(tmp_path))
    names = [store.keep(text) for text in ("a", "b")]
    for name, time in zip(names, (1_000, 2_000), strict=True):
        os.utime(tmp_path / lock_file.TEXTS / f"{name[:32]}.pine", (time, time))
    assert store.keep("a") == names[0]
    store.prune()
    assert [store.kept(name) for name in names] == ["a", None]


def test_a_local_edit_during_a_pull_is_not_lost(desk: Desk) -> None:
    desk.save_there(B)
    ask = desk.service.call

    def slow(name: str, argument: dict[str, object], **rest: object) -> dict[str, object]:
        answer = ask(name, argument, **rest)
        if name == "get_script":
            desk.file.write_text(A)  # a person saves in the editor while the text is fetched
        return answer

    desk.service.call = slow  # type: ignore[method-assign]
    (told,) = desk.pull()
    assert told.state in ("merged", "changed meanwhile") and "a = 11" in desk.file.read_text()


SCENES = ("first", "merge", "clash", "push", "push passed, merged", "push passed, clash", "rename", "create")


def scene(name: str, folder: Path) -> tuple[Desk, Callable[[], list[ScriptState]]]:
    """A folder and an account before a piece of work, and the work. There is work for the script `Zed` as well."""
    folder.mkdir()
    one = Desk(folder, checked="passed" not in name)
    one.service.save({"id": None, "name": "Zed", "source": ZED})
    if name != "first":
        one.pull()
        (folder / "Zed.pine").write_text(ZED.replace("close", "open"))
    theirs = BEGIN.replace("a = 1", "a = 5") if "clash" in name else B
    if name in ("merge", "clash"):
        one.save_there(theirs)
        one.service.ask("POST", f"save/next/{one.id_of('Zed')}", ZED.replace("close", "high"))
    if "passed" in name:
        one.service.saving = lambda argument: saved_meanwhile(one, argument["id"], theirs)
    if name == "rename":
        one.service.ask("POST", f"rename/{one.id}", name="Two")
    mine = folder / "Fresh.pine" if name in ("create", "first") else one.file
    mine.write_text(A)
    return one, {"push": one.push, "create": lambda: one.push(new=True)}.get(name.split()[0], one.pull)


def saved_meanwhile(one: Desk, id: str, text: str) -> None:
    """Somebody else saves a text right before this folder saves the script `One`, once."""
    if id == one.id:
        one.service.saving = lambda _: None
        one.save_there(text)


def look(name: str, one: Desk) -> None:
    """What is true of a scene when its work was done, whatever happened on the way."""
    files = {path.name: path.read_text() for path in one.folder.glob("*.pine") if not path.name.startswith("Zed.")}
    saved = {each.name: one.service.store.source(each.id) for each in one.service.store.scripts()}
    del saved["Zed"]
    if name == "merge":
        assert files == {"One.pine": BOTH}
    if name == "push passed, merged":
        assert (files, saved) == ({"One.pine": BOTH}, {"One": BOTH})
    if "clash" in name:
        assert files == {"One.pine": A, "One.account-2.pine": BEGIN.replace("a = 1", "a = 5")}
    if name == "push":
        assert saved == {"One": A} and len(one.service.versions(one.id)) == 2
    if name == "rename":
        assert files == {"Two.pine": A}
    if name == "create":
        assert saved == {"One": BEGIN, "Fresh": A} and files == {"One.pine": BEGIN, "Fresh.pine": A}
    if name == "first":
        assert files == {"One.pine": BEGIN, "Fresh.pine": A}


@pytest.mark.parametrize("name", SCENES)
def test_no_kill_loses_a_text_and_the_next_run_goes_on(desk: Desk, tmp_path: Path, name: str) -> None:
    """Killed before and after each write of a file and each request."""
    kills = 0
    for after in (False, True):
        for step in range(1, 100):
            one, work = scene(name, tmp_path / f"{after}-{step}")
            try:
                with killed_at(step, after, one.service):
                    work()
                break
            except Crash:
                kills += 1
            go_on(f"step {step}", name, one, work)
    assert kills >= 20


def go_on(place: str, name: str, one: Desk, work: Callable[[], list[ScriptState]]) -> None:
    """The next runs bring what was interrupted to its end."""
    held = {path.read_text() for path in one.folder.rglob("*.pine")}
    assert held & {A, BOTH}, f"{place}: the local text is gone"
    for _ in range(3 if "passed" in name else 2):
        work()
    look(name, one)


@pytest.mark.parametrize(("number", "on"), [(errno.ENOSPC, True), (errno.EACCES, False)], ids=["full", "once"])
@pytest.mark.parametrize("name", SCENES)
def test_a_write_that_is_refused_leaves_nothing_seen_that_is_not_in_the_folder(
    desk: Desk, tmp_path: Path, name: str, number: int, on: bool
) -> None:
    """Each write is refused in its turn. Another script is worked on after it, and writes the lock file."""
    for step in range(1, 100):
        one, work = scene(name, tmp_path / f"{step}")
        with refused_at(step, number, on=on) as reached:
            try:
                work()
            except UsageError as error:
                assert "cannot be written" in error.message
        go_on(f"step {step}", name, one, work)
        if not reached():
            assert step > 3
            return
    raise AssertionError("a write is always refused")


# -- a bad connection ----------------------------------------------------------------------------------------------


def test_a_lost_answer_is_looked_for_and_not_sent_again(desk: Desk) -> None:
    desk.file.write_text(A)
    desk.trouble("unanswered")
    (told,) = desk.push()
    assert told.state == "failed" and "no answer in time" in told.told and not told.settled
    assert desk.status() == {"One.pine": "sent, not confirmed"}
    assert states(desk.push()) == ["same"] and len(desk.service.versions(desk.id)) == 2


@pytest.mark.parametrize(("kind", "versions"), [("doubled", 2), ("lost", 1)])
def test_a_doubled_or_lost_request_leaves_the_text_once(desk: Desk, kind: str, versions: int) -> None:
    desk.file.write_text(A)
    desk.trouble(kind)
    assert states(desk.push()) == (["pushed"] if kind == "doubled" else ["failed"])
    assert len(desk.service.versions(desk.id)) == versions
    desk.push()
    assert desk.there() == A and desk.status() == {"One.pine": "same"}


def test_a_limit_of_the_account_is_told_and_nothing_is_taken_for_saved(desk: Desk) -> None:
    desk.file.write_text(A)
    desk.trouble("full", "quota")
    (told,) = desk.push()
    assert told.state == "refused" and "full" in told.told
    (told,) = desk.push()
    assert told.state == "refused" and "too many requests: wait a minute" in told.told
    assert desk.there() == BEGIN and desk.file.read_text() == A
    assert desk.status() == {"One.pine": "changed here"}
    assert states(desk.push()) == ["pushed"]


@pytest.mark.parametrize("kind", ["full", "quota", "logged out"])
def test_a_refused_text_is_not_under_way(desk: Desk, kind: str) -> None:
    """Somebody else writes the same text there: it comes into the file like any other version."""
    desk.file.write_text(A)
    desk.trouble(kind)
    assert states(desk.push()) == ["refused"]
    desk.file.write_text(BEGIN)
    desk.save_there(A)
    assert states(desk.pull()) == ["pulled"] and desk.file.read_text() == A


def test_a_refusal_of_the_second_sending_says_nothing_about_the_first(desk: Desk) -> None:
    desk.service.checked = False
    desk.file.write_text(A)
    desk.trouble("late", "quota")
    assert states(desk.push()) == ["failed"]
    assert states(desk.push()) == ["refused"]
    desk.file.write_text(BOTH)
    assert states(desk.push()) == ["pushed"]
    desk.service.deliver()
    assert states(desk.pull()) == ["late"] and desk.file.read_text() == BOTH


def test_random_histories_lose_nothing_and_come_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _walk(range(40), tmp_path, monkeypatch)


@pytest.mark.soak
@pytest.mark.parametrize("seeds", [range(40, 200), *(range(first, first + 500) for first in range(1000, 11_000, 500))])
def test_10000_random_histories_lose_nothing_and_come_together(
    seeds: range, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _walk(seeds, tmp_path, monkeypatch)


def _walk(seeds: range, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[str] = set()
    for seed in seeds:
        folder, state = tmp_path / f"{seed}", tmp_path / f"{seed}-state"
        folder.mkdir()
        monkeypatch.setenv("PINEBENCH_STATE_DIR", str(state))
        try:
            history = walk(seed, folder, state)
        except AssertionError as error:
            raise AssertionError(f"history {seed}: {error}") from error
        seen |= {each.state for each in history.outcomes}
        shutil.rmtree(folder)
        shutil.rmtree(state, ignore_errors=True)
    assert {"pulled", "pushed", "merged", "clash", "renamed", "refused", "failed", "empty there"} <= seen
