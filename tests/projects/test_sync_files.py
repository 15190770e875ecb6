"""Files and scripts in step: names, new, missing and broken ones, commits."""

import ast
import json
import subprocess
from pathlib import Path

import pytest

from pinebench.cli.commands.sync import _commit, _diff
from pinebench.errors import UsageError
from pinebench.files.locks import LockHeld
from pinebench.projects import commits, lock_file, sync, synced_folder
from pinebench.projects.lock_file import NAME, TEXTS, LockStore
from pinebench.projects.sync import Sync
from pinebench.projects.synced_folder import ScriptState, file_name
from tests.projects.histories import BEGIN
from tests.projects.test_sync import BOTH, A, B, Desk, desk, states

__all__ = ["desk"]


def test_a_script_that_is_renamed_keeps_its_file_by_its_id(desk: Desk) -> None:
    desk.service.ask("POST", f"rename/{desk.id}", name="My: trend?")
    (told,) = desk.pull()
    assert told.state == "renamed" and told.file == "My_ trend_.pine" and not desk.file.exists()
    named = desk.folder / told.file
    named.rename(desk.folder / "own name.pine")  # a person names the file
    assert desk.pull()[0].file == "own name.pine"
    desk.service.ask("POST", f"rename/{desk.id}", name="Third")
    assert "its file is still own name.pine" in desk.pull()[0].told
    (desk.folder / "own name.pine").write_text(A)
    assert states(desk.push()) == ["pushed"] and desk.there() == A


def test_a_file_that_is_renamed_before_it_was_pushed_is_followed_by_its_last_text(desk: Desk) -> None:
    """A merge that nobody has pushed yet is the text of the file, and of neither side."""
    desk.file.write_text(A)
    desk.save_there(B)
    assert states(desk.pull()) == ["merged"]
    desk.file.rename(desk.folder / "mine.pine")
    assert [(each.file, each.state) for each in desk.push(new=True)] == [("mine.pine", "pushed")]
    assert desk.there() == BOTH and len(desk.service.store.scripts()) == 1


@pytest.mark.parametrize("changed", [False, True], ids=["as it was", "changed before"])
def test_status_says_that_a_file_was_renamed_and_changes_nothing(desk: Desk, changed: bool) -> None:
    if changed:
        desk.save_there(B)
        desk.file.write_text(A)
        assert states(desk.pull()) == ["merged"]
    lock = (desk.folder / NAME).read_text()
    desk.file.rename(desk.folder / "mine.pine")
    for only in ((), ("One.pine",), ("mine.pine",)):
        with Sync(str(desk.folder), desk.service.account()) as sync:
            (told,) = sync.status(only)
        state = "changed here" if changed else "renamed here"
        assert (told.file, told.state, told.settled) == ("mine.pine", state, True)
        assert "One.pine" in told.told
    assert (desk.folder / NAME).read_text() == lock
    with Sync(str(desk.folder), desk.service.account()) as sync:
        assert sync.texts("mine.pine") == (B, BOTH) if changed else (BEGIN, BEGIN)
        assert [each.file for each in sync.push(["mine.pine"])] == ["mine.pine"]
    assert desk.status() == {"mine.pine": "same"}


def test_status_names_the_file_of_a_move_that_was_not_finished(desk: Desk) -> None:
    records = LockStore(str(desk.folder))
    records.held.scripts[desk.id].moving = "Two.pine"
    records.write()
    desk.file.rename(desk.folder / "Two.pine")
    assert desk.status() == {"Two.pine": "renamed here"}


def test_one_file_under_two_spellings_of_its_name_is_one_file(desk: Desk) -> None:
    """On a disk that ignores case or the form of letters, the name in the folder may differ from the known one."""
    desk.service.save({"id": None, "name": "Caf\u00e9", "source": A})
    desk.pull()
    for known, shown in (("One.pine", "one.pine"), ("Caf\u00e9.pine", "Cafe\u0301.pine")):
        (desk.folder / shown).hardlink_to(desk.folder / known)
    assert desk.status() == {"One.pine": "same", "Caf\u00e9.pine": "same"}
    assert states(desk.push(new=True)) == ["same", "same"]


def test_a_name_in_another_form_of_unicode_is_no_second_script(desk: Desk) -> None:
    desk.service.save({"id": None, "name": "Caf\u00e9", "source": A})
    (desk.folder / "Cafe\u0301.pine").write_text(B)
    with Sync(str(desk.folder), desk.service.account()) as sync:
        (told,) = sync.push(["Cafe\u0301.pine"], new=True)
    assert told.state == "refused" and len(desk.service.store.scripts()) == 2


def test_a_file_that_is_renamed_and_edited_is_named_and_never_guessed(desk: Desk) -> None:
    mine, other = desk.folder / "mine.pine", desk.folder / "other.pine"
    other.write_text('//@version=6\nstrategy("T")\nlength = input.int(14)\n')
    desk.file.rename(mine)
    mine.write_text(A)
    for work in (desk.pull, lambda: desk.pull(restore=True), desk.push):
        told = work()[0]
        assert (told.file, told.state, told.settled) == ("One.pine", "missing here", False)
        assert "mine.pine may be this file" in told.told and "other.pine" not in told.told
        assert "sync moved" in told.told and "--restore --script" in told.told
    assert desk.status()["One.pine"] == "missing here" and not desk.file.exists()
    told = {each.file: each for each in desk.push(new=True)}
    assert told["other.pine"].state == "pushed"
    assert told["mine.pine"].state == "perhaps renamed" and not told["mine.pine"].settled
    assert "One.pine" in told["mine.pine"].told and "sync moved" in told["mine.pine"].told
    assert desk.there() == BEGIN and len(desk.service.store.scripts()) == 2
    with Sync(str(desk.folder), desk.service.account()) as sync:
        for old, new, words in (
            ("mine.pine", "One.pine", "not a script of the account"),
            ("other.pine", "mine.pine", "still here"),
            ("One.pine", "none.pine", "missing, or belongs"),
            ("One.pine", "other.pine", "missing, or belongs"),
        ):
            with pytest.raises(UsageError, match=words):
                sync.moved(old, new)
        assert sync.moved("One.pine", "mine.pine").state == "followed"
    desk.push()
    assert desk.there() == A and len(desk.service.store.scripts()) == 2


def test_a_person_decides_what_a_renamed_file_is_by_naming_it(desk: Desk) -> None:
    mine = desk.folder / "mine.pine"
    desk.file.rename(mine)
    mine.write_text(A)
    with Sync(str(desk.folder), desk.service.account()) as sync:
        assert states(sync.push(["mine.pine"], new=True)) == ["pushed"]
        assert states(sync.pull(["One.pine"], restore=True)) == ["pulled"]
    assert desk.status() == {"One.pine": "same", "mine.pine": "same"} and desk.file.read_text() == BEGIN


OTHER = BEGIN.replace("plot(", "plot(1 + ")


@pytest.mark.parametrize("edited", [False, True], ids=["as they were", "edited"])
def test_files_that_have_changed_their_names_are_never_saved_by_their_names(desk: Desk, edited: bool) -> None:
    for name, text in (("Two", OTHER), ("Three", '//@version=6\nindicator("T")\nplot(low)\n')):
        desk.service.save({"id": None, "name": name, "source": text})
    desk.pull()
    named = [desk.folder / f"{name}.pine" for name in ("One", "Two", "Three")]
    texts = [path.read_text() + ("plot(high)\n" if edited else "") for path in named]
    before = {each.id: each.version for each in desk.service.store.scripts()}
    for path, text in zip(named, [*texts[1:], texts[0]], strict=True):
        path.write_text(text)
    for work in (desk.push, desk.pull, desk.push):
        told = work()
        assert states(told) == ["perhaps swapped"] * 3 and not any(each.settled for each in told)
        assert "the text of Two.pine" in next(each.told for each in told if each.file == "One.pine")
    assert set(desk.status().values()) == {"perhaps swapped"}
    assert [path.read_text() for path in named] == [*texts[1:], texts[0]]
    assert {each.id: each.version for each in desk.service.store.scripts()} == before
    with Sync(str(desk.folder), desk.service.account()) as sync:
        with pytest.raises(UsageError, match="still here"):
            sync.moved("Three.pine", "One.pine")
        assert sync.moved("Two.pine", "One.pine").state == "followed"
        assert sync.moved("Three.pine", "Two.pine").state == "followed"
    told = desk.push()
    assert set(states(told)) == ({"pushed"} if edited else {"same"})
    saved = {each.name: desk.service.store.source(each.id) for each in desk.service.store.scripts()}
    assert saved == dict(zip(("One", "Two", "Three"), texts, strict=True))


def test_a_file_that_was_renamed_to_another_one_is_not_saved_by_its_name(desk: Desk) -> None:
    desk.service.save({"id": None, "name": "Two", "source": OTHER})
    desk.pull()
    desk.file.replace(desk.folder / "Two.pine")
    told = {each.file: each.state for each in desk.push()}
    assert told == {"One.pine": "missing here", "Two.pine": "perhaps swapped"}
    with Sync(str(desk.folder), desk.service.account()) as sync:
        sync.moved("One.pine", "Two.pine")
    assert desk.status() == {"One.pine": "missing here", "Two.pine": "same"}
    assert {desk.service.store.source(each.id) for each in desk.service.store.scripts()} == {BEGIN, OTHER}


def test_a_person_decides_that_a_file_gets_the_text_of_another_script(desk: Desk) -> None:
    desk.service.save({"id": None, "name": "Two", "source": OTHER})
    desk.pull()
    two = desk.folder / "Two.pine"
    desk.file.write_text(OTHER)
    assert [each.state for each in desk.push()] == ["pushed", "same"], "a copy is an edit"
    desk.file.write_text(BEGIN)
    assert [each.state for each in desk.push()] == ["pushed", "same"]
    desk.file.write_text(OTHER)
    two.write_text(BEGIN)
    assert states(desk.push()) == ["perhaps swapped"] * 2
    with Sync(str(desk.folder), desk.service.account()) as sync:
        assert states(sync.push(["One.pine", "Two.pine"])) == ["pushed", "pushed"]
    assert desk.there() == OTHER


def test_a_copy_of_an_older_text_is_not_taken_for_a_renamed_file(desk: Desk) -> None:
    """It would be saved over the newer text."""
    backup = desk.folder / "backup.pine"
    backup.write_text(BEGIN)
    desk.save_there(A)
    assert states(desk.pull()) == ["pulled"]
    desk.file.unlink()
    assert [each.state for each in desk.push(new=True)] == ["missing here", "perhaps renamed"]
    assert desk.there() == A


def test_two_missing_files_with_one_text_are_not_mistaken_for_each_other(desk: Desk) -> None:
    desk.service.save({"id": None, "name": "Two", "source": BEGIN})
    desk.pull()
    desk.file.unlink()
    (desk.folder / "Two.pine").rename(desk.folder / "mine.pine")
    assert desk.status() == {"One.pine": "missing here", "Two.pine": "missing here", "mine.pine": "only here"}
    told = desk.pull(restore=True)
    assert states(told) == ["missing here", "missing here"] and all("mine.pine" in each.told for each in told)


def test_a_file_that_is_there_already_is_not_written_over(desk: Desk) -> None:
    (desk.folder / "Two.pine").write_text("// of somebody\n")
    desk.service.save({"id": None, "name": "Two", "source": A})
    told = {each.file: each for each in desk.pull()}
    assert told["Two (2).pine"].state == "new here" and "Two.pine is another file" in told["Two (2).pine"].told
    assert (desk.folder / "Two.pine").read_text() == "// of somebody\n"


def test_nothing_is_deleted_on_any_side(desk: Desk) -> None:
    desk.file.unlink()
    assert states(desk.pull()) == ["missing here"] == states(desk.push())
    assert desk.there() == BEGIN
    assert states(desk.pull(restore=True)) == ["pulled"] and desk.file.read_text() == BEGIN
    desk.service.ask("POST", f"delete/{desk.id}")
    (told,) = desk.pull()
    assert (told.state, told.settled) == ("gone there", False) and desk.file.exists()
    assert states(desk.push()) == ["gone there"]


def test_a_file_becomes_a_new_script_only_if_that_is_wanted(desk: Desk) -> None:
    fresh = desk.folder / "Fresh.pine"
    fresh.write_text(A)
    assert [each.state for each in desk.push()] == ["same", "only here"]
    assert len(desk.service.store.scripts()) == 1
    desk.trouble("unanswered")
    assert states(desk.push(new=True)) == ["same", "failed"]
    assert states(desk.push(new=True)) == ["same", "same"], "it had arrived"
    assert [each.name for each in desk.service.store.scripts()].count("Fresh") == 1
    (desk.folder / "one.PINE").write_text(B)
    (desk.folder / "x").mkdir()
    (desk.folder / "ONE2.pine").write_text(B)
    desk.service.save({"id": None, "name": "one2", "source": A})
    refused = next(each for each in desk.push(new=True) if each.file == "ONE2.pine")
    assert refused.state == "refused" and "another script called 'ONE2'" in refused.told


def test_line_ends_and_the_mark_of_a_file_stay(desk: Desk) -> None:
    desk.file.write_bytes(b"\xef\xbb\xbf" + BEGIN.replace("\n", "\r\n").encode())
    assert desk.status() == {"One.pine": "same"}
    desk.save_there(B)
    assert states(desk.pull()) == ["pulled"]
    assert desk.file.read_bytes() == b"\xef\xbb\xbf" + B.replace("\n", "\r\n").encode()


@pytest.mark.parametrize(
    ("name", "file"),
    [("a/b", "a_b.pine"), ("..", "_.pine"), ("con", "_con.pine"), (" x. ", "x.pine"), ("é" * 300, "é" * 100 + ".pine")],
)
def test_each_name_has_a_file_name_on_every_system(name: str, file: str) -> None:
    assert file_name(name) == file


def test_a_lock_file_that_leads_out_of_the_folder_is_refused(desk: Desk, tmp_path: Path) -> None:
    whole = json.loads((desk.folder / NAME).read_text())
    for spoil in ("../One.pine", "/etc/One.pine", "a\\One.pine", ".pine", "One.txt"):
        whole["scripts"][desk.id]["file"] = spoil
        (desk.folder / NAME).write_text(json.dumps(whole))
        with pytest.raises(UsageError, match="not the name of a script in this folder"):
            desk.pull()
    (desk.folder / NAME).write_text("{")
    with pytest.raises(UsageError, match=r"pinebench-sync\.json cannot be used: the document is not JSON"):
        desk.pull()


def test_one_sync_at_a_time_works_in_a_folder(desk: Desk) -> None:
    with Sync(str(desk.folder), desk.service.account()), pytest.raises(LockHeld, match="another 'pinebench sync'"):
        desk.pull()


def test_the_base_of_a_merge_is_found_in_the_account_where_it_was_not_kept(desk: Desk) -> None:
    for path in (desk.folder / ".pinebench-sync").glob("*.pine"):
        path.unlink()
    desk.file.write_text(A)
    desk.save_there(B)
    assert states(desk.pull()) == ["merged"] and desk.file.read_text() == BOTH


def test_a_name_that_nobody_has_is_told_and_is_no_success(desk: Desk) -> None:
    desk.service.save({"id": None, "name": "New: there", "source": A})
    (desk.folder / "mine.pine").write_text(B, encoding="utf-8")
    with Sync(str(desk.folder), desk.service.account()) as sync:
        for done in (sync.status(["Oen.pine"]), sync.pull(["Oen.pine"]), sync.push(["Oen.pine"])):
            assert [(each.file, each.state, each.settled) for each in done] == [("Oen.pine", "not found", False)]
        assert states(sync.status(["mine.pine", "New_ there.pine"])) == ["new there", "only here"]
        assert states(sync.push(["New_ there.pine"])) == ["new there"]
        assert states(sync.pull(["New_ there.pine", "mine.pine"])) == ["new here", "only here"]


def test_one_file_that_is_no_text_does_not_hide_the_state_of_the_others(desk: Desk) -> None:
    desk.service.save({"id": None, "name": "Two", "source": A})
    desk.pull()
    desk.file.write_bytes(b"\x81")
    assert desk.status() == {"One.pine": "failed", "Two.pine": "same"}
    assert states(desk.pull()) == ["failed", "same"]
    assert desk.file.read_bytes() == b"\x81"


@pytest.mark.parametrize(
    ("text", "state"), [("", "empty there"), (" \n", "empty there"), ("// half \ud83d\n", "failed")]
)
def test_an_empty_or_broken_text_replaces_no_file(
    desk: Desk, text: str, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.save_there(A)
    monkeypatch.setattr("pinebench.tradingview.account.PageAccount.source", lambda *_: text)
    (failed,) = desk.pull()
    assert failed.state == state and not failed.settled and "version 2.0 of 'One'" in failed.told, failed
    assert desk.file.read_text(encoding="utf-8") == BEGIN


def test_a_script_that_was_never_written_leaves_nothing_to_do(desk: Desk) -> None:
    desk.service.save({"id": None, "name": "Blank", "source": " \n"})
    for _ in range(2):
        done = {each.file: each for each in desk.pull()}
        assert done["Blank.pine"].state == "empty there" and done["Blank.pine"].settled, done
        assert done["One.pine"].state == "same" and not (desk.folder / "Blank.pine").exists()


def test_status_knows_a_blank_script_that_was_read_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.service.save({"id": None, "name": "Blank", "source": " \n"})
    assert desk.status() == {"One.pine": "same", "Blank.pine": "new there"}, "nobody has read it"
    desk.pull()
    with monkeypatch.context() as patch:
        patch.setattr("pinebench.tradingview.account.PageAccount.source", None)  # status reads no text
        assert desk.status() == {"One.pine": "same", "Blank.pine": "empty there"}
    with Sync(str(desk.folder), desk.service.account()) as sync:
        (told,) = sync.status(["Blank.pine"])
        assert told.settled and "is empty, so no file is written" in told.told
        assert states(sync.push(["Blank.pine"])) == ["empty there"]
        assert _diff(sync, []) == 0
        assert "Blank.pine: empty there" in capsys.readouterr().err
    desk.service.ask("POST", f"save/next/{desk.id_of('Blank')}", A)
    assert desk.status() == {"One.pine": "same", "Blank.pine": "new there"}
    assert states(desk.pull()) == ["same", "new here"]
    assert desk.status() == {"One.pine": "same", "Blank.pine": "same"}
    desk.save_there("\n")
    assert desk.status()["One.pine"] == "changed there"
    for work in (desk.pull, desk.push):
        assert {each.file: each.state for each in work()} == {"One.pine": "empty there", "Blank.pine": "same"}
        with Sync(str(desk.folder), desk.service.account()) as sync:
            (told,) = sync.status(["One.pine"])
        assert told.state == "empty there" and not told.settled and "the file is kept" in told.told
    assert desk.file.read_text(encoding="utf-8") == BEGIN
    desk.save_there(B)
    assert desk.status()["One.pine"] == "changed there"
    desk.pull()
    assert desk.file.read_text(encoding="utf-8") == B
    assert json.loads((desk.folder / NAME).read_bytes())["blank"] == {}


def test_a_missing_file_of_a_blank_script_gets_its_last_text_back(desk: Desk) -> None:
    desk.file.write_text(A, encoding="utf-8")
    desk.pull()  # reads the file
    desk.save_there("\n")
    desk.file.unlink()
    (told,) = _looked(desk)
    assert told.state == "missing here" and "restores it" in told.told
    for _ in range(2):  # the second time it is known that the version is blank
        (told,) = desk.pull(restore=True)
        assert told.state == "empty there" and "was restored with its last text" in told.told, told
        assert "the file is kept" not in told.told and desk.file.read_text(encoding="utf-8") == A
        desk.file.unlink()
    for told in (*_looked(desk), *desk.pull(), *desk.push()):
        assert told.state == "missing here" and "writes its last text" in told.told, told
        assert "version 2.0 in the account is empty" in told.told, told
    assert not desk.file.exists()


def test_a_missing_file_of_a_blank_script_without_a_known_text_is_told(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.save_there("\n")
    desk.file.unlink()
    for kept in (desk.folder / TEXTS).glob("*.pine"):
        kept.unlink()
    with monkeypatch.context() as patch:
        patch.setattr("pinebench.tradingview.account.PageAccount.source", lambda *_: "\n")
        (told,) = desk.pull(restore=True)
    assert told.state == "empty there" and not told.settled and not desk.file.exists()
    assert "does not have an earlier text, so no file is written" in told.told, told
    assert states(desk.pull(restore=True)) == ["empty there"]
    assert desk.file.read_text(encoding="utf-8") == BEGIN, "the account still has the version of before"


def test_a_missing_file_with_a_clash_gets_its_last_text_back_if_the_script_is_blank(desk: Desk) -> None:
    desk.file.write_text(A, encoding="utf-8")
    desk.save_there(BEGIN.replace("a = 1", "a = 5"))
    assert states(desk.pull()) == ["clash"]
    desk.save_there("\n")
    desk.file.unlink()
    (told,) = desk.pull(restore=True)
    assert told.state == "empty there" and desk.file.read_text(encoding="utf-8") == A
    assert desk.status()["One.pine"] == "clash"


def test_status_tells_what_is_beside_a_blank_version(desk: Desk) -> None:
    desk.save_there("\n")
    (told,) = desk.pull()
    assert told.state == "empty there" and "changed here" not in told.told
    desk.file.write_text(A, encoding="utf-8")
    for told in (*_looked(desk), *desk.pull(), *desk.push()):
        assert told.state == "empty there" and "the file was changed here" in told.told, told
    desk.service.ask("POST", f"rename/{desk.id}", name="Two")
    (told,) = _looked(desk)
    assert told.state == "empty there" and "renamed there to 'Two'" in told.told
    (told,) = desk.pull()
    assert told.file == "Two.pine" and "renamed from One.pine" in told.told
    assert (desk.folder / "Two.pine").read_text(encoding="utf-8") == A


def test_a_save_without_an_answer_is_shown_beside_a_blank_version(desk: Desk) -> None:
    desk.file.write_text(A, encoding="utf-8")
    desk.trouble("lost")
    assert states(desk.push()) == ["failed"]
    assert desk.status() == {"One.pine": "sent, not confirmed"}
    desk.save_there("\n")
    records = LockStore(str(desk.folder))
    assert records.held.scripts[desk.id].sending is not None
    records.held.blank[desk.id] = desk.service.account().scripts()[0].version
    records.write()
    (told,) = _looked(desk)
    assert told.state == "sent, not confirmed" and not told.settled
    (told,) = desk.push()
    assert told.state == "empty there" and "the file was changed here" in told.told
    assert desk.file.read_text(encoding="utf-8") == A and desk.status() == {"One.pine": "empty there"}


def test_a_save_without_an_answer_is_told_beside_a_missing_file(desk: Desk) -> None:
    """The next push looks for the text, and the file is still missing then: a person must say what it should be."""
    desk.file.write_text(A, encoding="utf-8")
    desk.trouble("unanswered")
    assert states(desk.push()) == ["failed"]
    desk.file.unlink()
    (told,) = _looked(desk)
    assert told.state == "missing here" and "the last text that was sent is not confirmed" in told.told
    for (told,) in (desk.push(), _looked(desk)):
        assert told.state == "missing here" and "not confirmed" not in told.told
    assert states(desk.pull(restore=True)) == ["pulled"] and desk.file.read_text(encoding="utf-8") == A


def _looked(desk: Desk) -> list[ScriptState]:
    """What `status` tells of each script."""
    with Sync(str(desk.folder), desk.service.account()) as sync:
        return sync.status()


def test_a_text_that_cannot_be_compared_does_not_end_the_differences(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.service.save({"id": None, "name": "Two", "source": A})
    desk.pull()
    desk.save_there("")
    (desk.folder / "Two.pine").write_text(B, encoding="utf-8")
    with Sync(str(desk.folder), desk.service.account()) as sync:
        assert _diff(sync, []) == 1
    told = capsys.readouterr()
    assert "version 2.0 of 'One' in the account is empty" in told.err and "+b = 22" in told.out


def test_a_pushed_script_with_a_local_library_is_told(desk: Desk) -> None:
    (desk.folder / "pinebench.toml").write_text('[check]\nlibrary-paths = ["libs"]\n', encoding="utf-8")
    library = desk.folder / "libs" / "me" / "Tools.pine"
    library.parent.mkdir(parents=True)
    library.write_text('//@version=6\nlibrary("Tools")\nexport one() => 1\n', encoding="utf-8")
    text = BEGIN.replace("a = 1", "import me/Tools/1 as tools\na = tools.one()")
    for name in ("One.pine", "New.pine"):
        (desk.folder / name).write_text(text, encoding="utf-8")
    for each in desk.push(new=True):
        assert each.state == "pushed" and each.settled and "it imports me/Tools/1 from a library folder" in each.told


@pytest.mark.parametrize("paths", ['["libs"', "5"])
def test_a_configuration_that_cannot_be_read_stops_before_anything_is_saved_or_written(desk: Desk, paths: str) -> None:
    settings = desk.folder / "pinebench.toml"
    settings.write_text(f"[check]\nlibrary-paths = {paths}\n", encoding="utf-8")
    text = BEGIN.replace("a = 1", "import me/Tools/1 as tools\na = tools.one()")
    for name in ("One.pine", "New.pine"):
        (desk.folder / name).write_text(text, encoding="utf-8")
    before = (desk.folder / NAME).read_bytes()
    for work in (desk.push, lambda: desk.push(new=True), desk.pull):
        with pytest.raises(UsageError, match=r"pinebench\.toml"):
            work()
    assert desk.there() == BEGIN and len(desk.service.store.scripts()) == 1
    assert (desk.folder / NAME).read_bytes() == before and desk.file.read_text(encoding="utf-8") == text
    settings.write_text('[check]\nlibrary-paths = ["libs"]\n', encoding="utf-8")
    assert states(desk.push(new=True)) == ["pushed", "pushed"]
    assert desk.there() == text and len(desk.service.store.scripts()) == 2


def test_a_link_that_leads_out_of_the_folder_is_saved_only_by_its_name(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "secret.pine").write_text(A, encoding="utf-8")
    (desk.folder / "New.pine").symlink_to(tmp_path / "secret.pine")
    (desk.folder / "Inside.pine").symlink_to(desk.file)
    done = {each.file: each for each in desk.push(new=True)}
    assert done["New.pine"].state == "leads out" and not done["New.pine"].settled
    assert str(tmp_path / "secret.pine") in done["New.pine"].told and done["Inside.pine"].state == "pushed"
    assert {each.name for each in desk.service.store.scripts()} == {"One", "Inside"}
    with Sync(str(desk.folder), desk.service.account()) as sync:
        assert states(sync.push(["New.pine"], new=True)) == ["pushed"]


def test_the_manual_names_every_state() -> None:
    trees = [ast.parse(Path(str(each.__file__)).read_text(encoding="utf-8")) for each in (sync, synced_folder)]
    found = {"not committed"}
    for call in (each for tree in trees for each in ast.walk(tree) if isinstance(each, ast.Call)):
        name = ast.unparse(call.func)
        place = 1 if name == "ScriptState" else 3 if name == "self._agreed" else None
        if place is not None and len(call.args) > place:
            words = [each for each in ast.walk(call.args[place]) if isinstance(each, ast.Constant)]
            found |= {each.value for each in words if isinstance(each.value, str)}
    found |= {"same", "changed here", "changed there", "changed on both sides"}
    manual = (Path(__file__).parents[2] / "docs" / "sync.md").read_text(encoding="utf-8")
    assert len(found) > 20 and not {state for state in found if f"`{state}`" not in manual}


@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff"])
def test_an_emptied_file_replaces_no_script(desk: Desk, text: str) -> None:
    desk.file.write_text(text, encoding="utf-8")
    (desk.folder / "New.pine").write_text(text, encoding="utf-8")
    assert states(desk.push(new=True)) == ["failed", "failed"]
    assert desk.there() == BEGIN and len(desk.service.store.scripts()) == 1
    desk.file.unlink()
    assert states(desk.pull(restore=True)) == ["pulled"]
    assert desk.file.read_text(encoding="utf-8") == BEGIN


def test_a_copy_that_a_person_removes_too_early_comes_back(desk: Desk) -> None:
    desk.file.write_text(A, encoding="utf-8")
    theirs = A.replace("a = 11", "a = 12")
    desk.save_there(theirs)
    assert states(desk.pull()) == ["clash"]
    (copy,) = desk.folder.glob("*.account-*.pine")
    for work in (desk.pull, desk.push):
        copy.unlink()
        (told,) = work()
        assert told.state == "clash" and copy.name in told.told
        assert copy.read_text(encoding="utf-8") == theirs


@pytest.mark.parametrize("name", ["漢" * 100, "🌲" * 90, "é" * 130])
def test_a_long_name_of_any_letters_has_a_file(desk: Desk, name: str) -> None:
    desk.service.save({"id": None, "name": name, "source": A})
    assert sorted(states(desk.pull())) == ["new here", "same"]
    (path,) = set(desk.folder.glob("*.pine")) - {desk.file}
    path.write_text(A.replace("a = 11", "a = 12"), encoding="utf-8")
    script = next(each for each in desk.service.store.scripts() if each.name == name)
    desk.service.ask("POST", f"save/next/{script.id}", A.replace("a = 11", "a = 13"))
    assert sorted(states(desk.pull())) == ["clash", "same"]


def test_a_link_keeps_its_name_when_the_script_is_renamed(desk: Desk, tmp_path: Path) -> None:
    real = desk.file.rename(tmp_path / "real.pine")
    desk.file.symlink_to(real)
    desk.service.ask("POST", f"rename/{desk.id}", name="Uno")
    (same,) = desk.pull()
    assert same.state == "renamed" and "its file is still One.pine" in same.told, same
    assert [path.name for path in desk.folder.glob("*.pine")] == ["One.pine"]
    desk.save_there(A)
    assert states(desk.pull()) == ["pulled"]
    assert desk.file.is_symlink() and real.read_text(encoding="utf-8") == A


def test_a_merge_says_what_was_not_checked(desk: Desk) -> None:
    begin = BEGIN.replace("=6", "=5")
    desk.save_there(begin)
    desk.pull()
    desk.file.write_text(begin.replace("b = 2", "b = noSuchName"), encoding="utf-8")
    desk.save_there(begin.replace("a = 1", "a = 11"))
    (merged,) = desk.pull()
    assert merged.state == "merged" and "not compiled, because it is written in Pine v5" in merged.told, merged
    assert "it compiles" not in merged.told


def test_a_merge_is_checked_with_the_local_libraries(desk: Desk) -> None:
    begin = BEGIN.replace("a = 1", "import me/Tools/1 as tools\na = tools.one()\nf = 1")
    desk.save_there(begin)
    desk.pull()
    desk.file.write_text(begin.replace("b = 2", "b = tools.two()"), encoding="utf-8")
    desk.save_there(begin.replace("e = 5", "e = 55"))
    (desk.folder / "pinebench.toml").write_text('[check]\nlibrary-paths = ["libs"]\n', encoding="utf-8")
    library = desk.folder / "libs" / "me" / "Tools.pine"
    library.parent.mkdir(parents=True)
    library.write_text('//@version=6\nlibrary("Tools")\nexport one() => 1\n', encoding="utf-8")
    assert states(desk.pull()) == ["clash"]  # the library has no function two
    desk.file.unlink()
    desk.pull(restore=True)
    with Sync(str(desk.folder), desk.service.account()) as sync:
        sync.resolve("One.pine")
    newest = begin.replace("e = 5", "e = 55")
    desk.file.write_text(newest.replace("b = 2", "b = tools.one()"), encoding="utf-8")
    desk.save_there(newest.replace("e = 55", "e = 56"))
    (merged,) = desk.pull()
    assert merged.state == "merged" and "it compiles, but read it" in merged.told, merged


def test_a_damaged_copy_of_a_text_is_kept_again(desk: Desk) -> None:
    (copy,) = (desk.folder / lock_file.TEXTS).glob("*.pine")
    copy.write_text(BEGIN[:20], encoding="utf-8")
    desk.file.write_text(A, encoding="utf-8")
    desk.save_there(BEGIN.replace("b = 2", "b = 22"))
    assert states(desk.pull()) == ["merged"]
    desk.file.write_text(BEGIN, encoding="utf-8")
    desk.push()
    assert copy.read_text(encoding="utf-8") == BEGIN


def test_two_scripts_never_have_one_file(desk: Desk) -> None:
    path = desk.folder / NAME
    raw = json.loads(path.read_text(encoding="utf-8"))
    raw["scripts"]["USER;another"] = raw["scripts"][desk.id]
    path.write_text(json.dumps(raw), encoding="utf-8")
    with pytest.raises(UsageError, match=r"two scripts have the file 'One\.pine'"):
        desk.push()


def test_a_missing_side_is_never_shown_as_an_empty_text(desk: Desk) -> None:
    desk.file.unlink()
    with Sync(str(desk.folder), desk.service.account()) as sync, pytest.raises(UsageError, match="is missing here"):
        sync.texts("One.pine")
    desk.file.write_text(BEGIN, encoding="utf-8")
    desk.service.ask("POST", f"delete/{desk.id}")
    with (
        Sync(str(desk.folder), desk.service.account()) as sync,
        pytest.raises(UsageError, match="no longer has a script"),
    ):
        sync.texts("One.pine")


def test_a_commit_never_takes_a_file_whose_name_is_like_a_pattern(desk: Desk) -> None:
    def git(*words: str) -> str:
        return subprocess.run(["git", "-C", desk.folder, *words], check=True, capture_output=True, text=True).stdout

    for name in ("T 1.pine", "T [1].pine"):
        (desk.folder / name).write_text(A, encoding="utf-8")
    for words in (("init", "-q"), ("config", "user.email", "a@b"), ("config", "user.name", "a"), ("add", ".")):
        git(*words)
    git("commit", "-qm", "all")
    for name in ("T 1.pine", "T [1].pine"):
        (desk.folder / name).write_text(B, encoding="utf-8")
    assert commits.commit(str(desk.folder), ["T [1].pine"], "one")
    assert git("status", "--porcelain").strip() == 'M "T 1.pine"'


def test_each_pull_is_a_commit_of_its_own_files(desk: Desk) -> None:
    def git(*words: str) -> str:
        named = ("-c", "user.name=a", "-c", "user.email=a@b.c")
        return subprocess.run(
            ["git", "-C", str(desk.folder), *named, *words], capture_output=True, text=True, check=True
        ).stdout

    with pytest.raises(UsageError, match="not in a git repository"):
        commits.check(str(desk.folder))
    git("init", "--quiet")
    git("config", "user.name", "a")
    git("config", "user.email", "a@b.c")
    commits.check(str(desk.folder))
    (desk.folder / "notes.txt").write_text("staged by a person")
    git("add", "notes.txt")
    assert commits.commit(str(desk.folder), ["One.pine", NAME], "One, version 1.0, from TradingView")
    assert not commits.commit(str(desk.folder), ["One.pine", NAME], "again")
    assert git("log", "--format=%s", "--name-only").split("\n")[:4] == [
        "One, version 1.0, from TradingView", "", "One.pine", NAME,
    ]  # fmt: skip
    assert git("status", "--porcelain").strip() == "A  notes.txt"


class Repository:
    """The git repository of a desk's folder, in which everything is committed at first."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        for words in (("init", "-q"), ("config", "user.email", "a@b"), ("config", "user.name", "a"), ("add", ".")):
            self.git(*words)
        self.git("commit", "-qm", "all")

    def git(self, *words: str) -> str:
        """Run git, and return what it printed."""
        command = ["git", "-C", str(self._desk.folder), *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def pull(self) -> list[ScriptState]:
        """Pull and commit as the command does."""
        with Sync(str(self._desk.folder), self._desk.service.account()) as sync:
            outcomes = sync.pull()
            return outcomes + _commit(str(self._desk.folder), sync, outcomes)


def test_a_text_with_changes_of_the_user_is_not_committed_as_the_accounts(desk: Desk) -> None:
    repository = Repository(desk)
    desk.file.write_text(A)
    desk.save_there(B)
    merged, refused = repository.pull()
    assert (merged.state, refused.state, refused.settled) == ("merged", "not committed", False)
    assert "your changes" in refused.told
    assert repository.git("log", "--format=%s") == "all\n"
    assert f" M {desk.file.name}" in repository.git("status", "--porcelain")


def test_a_renamed_file_with_changes_of_the_user_is_not_committed(desk: Desk) -> None:
    repository = Repository(desk)
    desk.file.write_text(A)
    desk.service.ask("POST", f"rename/{desk.id}", name="Other")
    assert states(repository.pull()) == ["renamed", "not committed"]
    assert repository.git("log", "--format=%s") == "all\n"


@pytest.mark.parametrize("by_user", [False, True], ids=["in the account", "here"])
def test_a_rename_is_committed_with_the_removal_of_the_old_name(desk: Desk, by_user: bool) -> None:
    repository = Repository(desk)
    if by_user:
        desk.file.rename(desk.folder / "Other.pine")
    else:
        desk.service.ask("POST", f"rename/{desk.id}", name="Other")
    desk.save_there(B)
    assert states(repository.pull()) == ["pulled"]
    assert repository.git("status", "--porcelain") == ""
    assert repository.git("ls-files", "*.pine") == "Other.pine\n"


def test_most_lines_of_a_file_decide_the_line_ends_of_a_merge(desk: Desk) -> None:
    mixed = A.replace("\n", "\r\n", 1).encode("utf-8")
    desk.file.write_bytes(mixed)
    desk.save_there(B)
    assert states(desk.pull()) == ["merged"]
    assert b"\r" not in desk.file.read_bytes()
