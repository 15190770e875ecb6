"""From a save to a verdict, with the system telling and by looking."""

import os
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from pinebench.cli.watch import (
    ScriptCompiled,
    ScriptRemoval,
    VerdictFailure,
    Watcher,
    WatchStart,
    file_snapshot,
    watcher,
)
from pinebench.cli.watch.debounce import QUIET
from pinebench.compilers import CompilerUnavailable, Verdict
from pinebench.compilers.local import LocalCompiler
from pinebench.context import Context
from pinebench.errors import PinebenchError, UnavailableError, UsageError
from tests.cli.watch.support import CLEAN, LIMIT, WRONG, Counting, Running, until


@pytest.fixture(params=[False, True], ids=["told", "polling"])
def poll(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def replace(path: Path, text: str) -> None:
    """Save as careful editors do: a new file in place of the old one."""
    fresh = path.with_name(f".{path.name}.tmp")
    fresh.write_text(text)
    os.replace(fresh, path)


def test_a_named_file_is_compiled_at_once_and_on_every_save(tmp_path: Path, poll: bool) -> None:
    script = tmp_path / "a.pine"
    script.write_text(WRONG.format(0))
    with Running([str(script)], poll=poll) as running:
        first = running.wait_for("a.pine", WRONG.format(0))
        assert (first.verdict.ok, first.path, first.pushed) == (False, str(script), None)
        script.write_text(CLEAN.format(1))
        assert running.wait_for("a.pine", CLEAN.format(1)).verdict.ok


def test_a_folders_scripts_are_compiled_when_they_are_saved(tmp_path: Path, poll: bool) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.pine").write_text(CLEAN.format(name))
    with Running([str(tmp_path)], poll=poll) as running:
        assert running.events == [WatchStart(2)]
        (tmp_path / "b.pine").write_text(WRONG.format(1))
        running.wait_for("b.pine", WRONG.format(1))
        assert running.last("a.pine") is None


@pytest.mark.parametrize("name", ["a.pine", "my script.txt"])
def test_an_atomic_save_is_a_save(tmp_path: Path, poll: bool, name: str) -> None:
    script = tmp_path / name
    script.write_text(CLEAN.format(0))
    with Running([str(script)], poll=poll) as running:
        for number in range(1, 4):
            replace(script, CLEAN.format(number))
            running.wait_for(name, CLEAN.format(number))


def test_a_save_with_a_backup_is_a_save(tmp_path: Path, poll: bool) -> None:
    script = tmp_path / "a.pine"
    script.write_text(CLEAN.format(0))
    with Running([str(tmp_path)], poll=poll) as running:
        backup = tmp_path / "a.pine~"
        os.replace(script, backup)
        script.write_text(CLEAN.format(1))
        backup.unlink()
        running.wait_for("a.pine", CLEAN.format(1))
        assert running.last("a.pine~") is None


def test_a_renamed_script_has_a_verdict_under_its_new_name(tmp_path: Path, poll: bool) -> None:
    (tmp_path / "a.pine").write_text(CLEAN.format(0))
    with Running([str(tmp_path), str(tmp_path / "a.pine")], poll=poll) as running:
        running.wait_for("a.pine")
        os.replace(tmp_path / "a.pine", tmp_path / "b.pine")
        running.wait_for("b.pine", CLEAN.format(0))
        running.wait_for("a.pine", kind=ScriptRemoval)


def test_scripts_come_with_a_folder(tmp_path: Path, poll: bool) -> None:
    outside = tmp_path / "outside"
    (outside / "deep").mkdir(parents=True)
    (outside / "deep" / "a.pine").write_text(CLEAN.format(0))
    watched = tmp_path / "watched"
    watched.mkdir()
    with Running([str(watched)], poll=poll) as running:
        os.replace(outside, watched / "new")
        running.wait_for("new/deep/a.pine", CLEAN.format(0))
        (watched / "new" / "deep" / "a.pine").write_text(CLEAN.format(1))
        running.wait_for("new/deep/a.pine", CLEAN.format(1))
        shutil.rmtree(watched / "new")
        running.wait_for("new/deep/a.pine", kind=ScriptRemoval)


def test_a_folder_that_comes_while_watching_begins_is_not_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside, watched = tmp_path / "outside", tmp_path / "watched"
    for folder in (outside, watched):
        folder.mkdir()
    (outside / "a.pine").write_text(CLEAN.format(0))
    original = file_snapshot.take

    def take(paths: list[str]) -> file_snapshot.Snapshot:
        known = original(paths)
        if outside.exists():
            wanted.clear()
            os.replace(outside, watched / "new")
            assert wanted.wait(LIMIT)
            told.append(True)
        return known

    # The system tells of the folder, but not of what is in it.
    told: list[bool] = []
    wanted = threading.Event()
    want_look, touched = Watcher._want_look, Watcher._touched
    monkeypatch.setattr(Watcher, "_want_look", lambda self: (want_look(self), wanted.set()))
    monkeypatch.setattr(Watcher, "_touched", lambda self, path: touched(self, path) if told else None)
    monkeypatch.setattr(file_snapshot, "take", take)
    monkeypatch.setattr(watcher, "SAFETY_SECONDS", 10 * LIMIT)
    with Running([str(watched)]) as running:
        running.wait_for("new/a.pine", CLEAN.format(0))


def test_a_watched_folder_may_be_deleted_and_come_back(tmp_path: Path, poll: bool) -> None:
    watched = tmp_path / "watched"
    watched.mkdir()
    with Running([str(watched)], poll=poll) as running:
        for number in range(3):
            shutil.rmtree(watched)
            watched.mkdir()
            (watched / "a.pine").write_text(CLEAN.format(number))
            running.wait_for("a.pine", CLEAN.format(number))
        (watched / "a.pine").write_text(CLEAN.format("last"))
        running.wait_for("a.pine", CLEAN.format("last"))


def test_of_500_saves_the_last_is_the_last_compiled(tmp_path: Path, poll: bool) -> None:
    script = tmp_path / "a.pine"
    script.write_text(CLEAN.format(0))
    compiler = Counting()
    started = time.monotonic()
    with Running([str(tmp_path)], compiler, poll=poll) as running:
        for number in range(1, 501):
            (replace if number % 2 else Path.write_text)(script, CLEAN.format(number))
        running.wait_for("a.pine", CLEAN.format(500))
    assert compiler.sources[-1] == CLEAN.format(500)
    # However slowly the saves come: before each compile the file was left alone for a moment, or saved for a while.
    assert len(compiler.sources) <= 1 + (time.monotonic() - started) / QUIET


def test_500_scripts_saved_at_once_are_all_compiled(tmp_path: Path, poll: bool) -> None:
    saved = {f"{tmp_path}/{number}.pine".replace(os.sep, "/"): CLEAN.format(number) for number in range(500)}
    with Running([str(tmp_path)], poll=poll) as running:
        for number in range(500):
            (tmp_path / f"{number}.pine").write_text(CLEAN.format(number))
        until(lambda: last_compiled(running) == saved, "500 verdicts")


def last_compiled(running: Running) -> dict[str, str]:
    """The source that was compiled last, by path; a file may also have been met half written."""
    return {event.path: event.source for event in list(running.events) if isinstance(event, ScriptCompiled)}


def test_a_save_during_a_compile_is_compiled_after_it(tmp_path: Path, poll: bool) -> None:
    script = tmp_path / "a.pine"
    script.write_text(CLEAN.format(0))
    compiler = Counting()
    pushed: list[str] = []
    compiler.gate.clear()
    with Running([str(script)], compiler, poll=poll, push=pushed.append) as running:
        until(lambda: compiler.sources, "the first compile")
        script.write_text(CLEAN.format(1))
        compiler.gate.set()
        running.wait_for("a.pine", CLEAN.format(1))
        until(lambda: pushed, "a push")
    assert pushed == [CLEAN.format(1)]


def test_a_folder_of_2000_scripts_is_watched_and_costs_nothing_while_idle(tmp_path: Path) -> None:
    for number in range(2000):
        folder = tmp_path / str(number % 20)
        folder.mkdir(exist_ok=True)
        (folder / f"{number}.pine").write_text(CLEAN.format(number))
    with Running([str(tmp_path)]) as running:
        assert running.events == [WatchStart(2000)]
        replace(tmp_path / "7" / "1987.pine", WRONG.format(1))
        running.wait_for("7/1987.pine", WRONG.format(1))
        # Of several moments the best: now and then all scripts are looked at, and other threads may do something.
        spent = [idle_share() for _ in range(5)]
    assert min(spent) < 0.05, f"shares of a processor while nothing happens: {spent}"
    assert len(running.events) == 2


def idle_share() -> float:
    """How much of a processor this process takes in half a second of doing nothing."""
    processor, clock = time.process_time(), time.monotonic()
    time.sleep(0.5)
    return (time.process_time() - processor) / (time.monotonic() - clock)


def test_hidden_folders_and_other_files_are_left_alone(tmp_path: Path, poll: bool) -> None:
    for name in (".git", "node_modules"):
        (tmp_path / name).mkdir()
    with Running([str(tmp_path)], poll=poll) as running:
        for name in (".git/a.pine", "node_modules/b.pine", "c.txt", "d.pine.tmp"):
            (tmp_path / name).write_text(CLEAN.format(0))
        replace(tmp_path / "e.pine", CLEAN.format(0))
        running.wait_for("e.pine")
    assert [event.path for event in running.events if isinstance(event, ScriptCompiled)] == [f"{tmp_path}/e.pine"]


def test_the_same_text_is_not_compiled_twice(tmp_path: Path, poll: bool) -> None:
    script = tmp_path / "a.pine"
    script.write_text(CLEAN.format(0))
    compiler = Counting()
    with Running([str(script)], compiler, poll=poll) as running:
        running.wait_for("a.pine")
        for _ in range(3):
            replace(script, CLEAN.format(0))
            os.utime(script)
        replace(script, CLEAN.format(1))
        running.wait_for("a.pine", CLEAN.format(1))
    assert compiler.sources == [CLEAN.format(0), CLEAN.format(1)]


@pytest.mark.parametrize("data", [b"\xff\xfe\xff", b"plot(\x80)"])
def test_a_file_that_is_no_text_is_said(tmp_path: Path, data: bytes) -> None:
    script = tmp_path / "a.pine"
    script.write_bytes(data)
    with Running([str(script)]) as running:
        assert "not UTF" in running.wait_for("a.pine", kind=VerdictFailure).message
        script.write_text(CLEAN.format(1))
        running.wait_for("a.pine", CLEAN.format(1))


class Away:
    """A compiler that cannot be reached at first."""

    name = "chart"

    def __init__(self) -> None:
        self.there = False

    def compile(self, source: str, context: Context) -> Verdict:
        """Unavailable until `there`."""
        if not self.there:
            raise CompilerUnavailable("no chart is open", "open one")
        return Counting().compile(source, context)


def test_a_compiler_that_is_away_is_said_and_asked_again(tmp_path: Path) -> None:
    script = tmp_path / "a.pine"
    script.write_text(CLEAN.format(0))
    compiler = Away()
    with Running([str(script)], compiler) as running:
        failed = running.wait_for("a.pine", kind=VerdictFailure)
        assert (failed.message, failed.hint) == ("no chart is open", "open one")
        compiler.there = True
        replace(script, CLEAN.format(0))
        running.wait_for("a.pine", CLEAN.format(0))


def test_only_what_compiles_is_pushed(tmp_path: Path) -> None:
    script = tmp_path / "a.pine"
    script.write_text(WRONG.format(0))
    pushed: list[str] = []
    with Running([str(script)], push=pushed.append) as running:
        assert running.wait_for("a.pine", WRONG.format(0)).pushed is None
        script.write_text(CLEAN.format(1))
        assert running.wait_for("a.pine", CLEAN.format(1)).pushed is True
    assert pushed == [CLEAN.format(1)]


def test_a_push_that_fails_is_said_beside_the_verdict(tmp_path: Path) -> None:
    script = tmp_path / "a.pine"
    script.write_text(CLEAN.format(0))

    def push(_: str) -> None:
        raise PinebenchError("the editor is read-only")

    with Running([str(script)], push=push) as running:
        event = running.wait_for("a.pine")
    assert (event.verdict.ok, event.pushed, event.push_problem) == (True, False, "the editor is read-only")


def test_a_link_to_a_script_is_watched(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere" / "a.pine"
    target.parent.mkdir()
    target.write_text(CLEAN.format(0))
    watched = tmp_path / "watched"
    watched.mkdir()
    (watched / "link.pine").symlink_to(target)
    with Running([str(watched)], poll=True) as running:
        target.write_text(CLEAN.format(1))
        running.wait_for("link.pine", CLEAN.format(1))


def test_what_links_lead_to_is_told_by_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a look at all files: it would come seconds later."""
    monkeypatch.setattr("pinebench.cli.watch.watcher.SAFETY_SECONDS", 1e6)
    there, watched = tmp_path / "there", tmp_path / "watched"
    (there / "folder").mkdir(parents=True)
    watched.mkdir()
    (there / "a.pine").write_text(CLEAN.format(0))
    (watched / "link.pine").symlink_to(there / "a.pine")
    (watched / "linked").symlink_to(there / "folder")
    with Running([str(watched)]) as running:
        (there / "a.pine").write_text(CLEAN.format(1))
        running.wait_for("watched/link.pine", CLEAN.format(1))
        replace(there / "a.pine", CLEAN.format(2))
        running.wait_for("watched/link.pine", CLEAN.format(2))
        (there / "folder" / "b.pine").write_text(CLEAN.format(3))
        running.wait_for("watched/linked/b.pine", CLEAN.format(3))
        (there / "later").mkdir()
        (there / "later" / "c.pine").write_text(CLEAN.format(4))
        (watched / "late").symlink_to(there / "later")
        running.wait_for("watched/late/c.pine", CLEAN.format(4))
        (there / "folder" / "b.pine").unlink()
        running.wait_for("watched/linked/b.pine", kind=ScriptRemoval)


def test_a_named_link_is_watched_where_its_file_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinebench.cli.watch.watcher.SAFETY_SECONDS", 1e6)
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "a.txt").write_text(CLEAN.format(0))
    (tmp_path / "link.pine").symlink_to(tmp_path / "there" / "a.txt")
    with Running([str(tmp_path / "link.pine")]) as running:
        running.wait_for("link.pine", CLEAN.format(0))
        replace(tmp_path / "there" / "a.txt", CLEAN.format(1))
        running.wait_for("link.pine", CLEAN.format(1))


def test_paths_are_reported_as_they_were_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path)
    with Running(["."]) as running:
        (tmp_path / "sub" / "a.pine").write_text(CLEAN.format(0))
        assert running.wait_for("a.pine").path == "sub/a.pine"
    with Running(["./sub"]) as running:
        (tmp_path / "sub" / "a.pine").write_text(CLEAN.format(1))
        assert running.wait_for("a.pine").path == "./sub/a.pine"


def test_a_path_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        Watcher([str(tmp_path / "none")], Counting())


def test_without_watchdog_the_way_out_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "watchdog.observers", None)
    with pytest.raises(UnavailableError, match="needs the extra 'watch'") as missing:
        list(Watcher([str(tmp_path)], Counting()).run())
    assert "--poll" in (missing.value.hint or "")
    with Running([str(tmp_path)], poll=True) as running:
        (tmp_path / "a.pine").write_text(CLEAN.format(0))
        running.wait_for("a.pine")


def test_stopping_leaves_no_thread_behind(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    with Running([str(tmp_path)]):
        pass
    until(lambda: not set(threading.enumerate()) - before, "all threads have ended")


def test_saves_from_many_threads_are_all_seen(tmp_path: Path, poll: bool) -> None:
    def work(number: int) -> None:
        for version in range(20):
            (tmp_path / f"{number}.pine").write_text(CLEAN.format(version))

    with Running([str(tmp_path)], poll=poll) as running:
        threads: list[Any] = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for number in range(8):
            running.wait_for(f"{number}.pine", CLEAN.format(19))


class Faulty(Counting):
    """A compiler with a fault on one script."""

    def compile(self, source: str, context: Context) -> Verdict:
        if "fault" in source:
            raise RecursionError("too deep")
        return super().compile(source, context)


def test_a_fault_on_one_script_is_told_and_does_not_end_the_watch(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.pine").write_text(CLEAN.format(name))
    with Running([str(tmp_path)], Faulty()) as running:
        (tmp_path / "a.pine").write_text(CLEAN.format("fault"))
        until(lambda: [each for each in running.events if isinstance(each, VerdictFailure)], "the fault is told")
        (failed,) = [each for each in running.events if isinstance(each, VerdictFailure)]
        assert failed.path.endswith("a.pine") and "RecursionError: too deep" in failed.message and failed.hint
        (tmp_path / "b.pine").write_text(WRONG.format(1))
        running.wait_for("b.pine", WRONG.format(1))


LIBRARY = '//@version=6\nlibrary("Tools")\nexport twice(float x) =>\n    {}\n'
IMPORTER = '//@version=6\nindicator("i")\nimport acme/Tools/1 as t\nfloat x = t.twice(close)\nplot(x)\n'


@pytest.mark.parametrize("inside", [True, False], ids=["watched folder", "another folder"])
def test_who_imports_a_library_is_compiled_when_the_library_changes(tmp_path: Path, poll: bool, inside: bool) -> None:
    library = tmp_path / "lib" / "acme" / "Tools.pine"
    library.parent.mkdir(parents=True)
    library.write_text(LIBRARY.format("x * 2"))
    (tmp_path / "pinebench.toml").write_text('[check]\nlibrary-paths = ["lib"]\n')
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    for name in ("one.pine", "two.pine"):
        (scripts / name).write_text(IMPORTER)
    watched = tmp_path if inside else scripts
    with Running([str(watched)], LocalCompiler(), poll=poll, at_start=True) as running:
        for name in ("one.pine", "two.pine"):
            assert running.wait_for(name).verdict.ok
        library.write_text(LIBRARY.format('"text"'))
        for name in ("one.pine", "two.pine"):
            until(lambda name=name: _is_refused(running.last(name)), f"{name} is refused")
        replace(library, LIBRARY.format("x * 3"))
        for name in ("one.pine", "two.pine"):
            until(lambda name=name: not _is_refused(running.last(name)), f"{name} compiles again")
        library.unlink()
        until(
            lambda: len([each for each in running.events if getattr(each, "path", "").endswith("one.pine")]) == 4,
            "gone",
        )


def _is_refused(event: Any) -> bool:
    return isinstance(event, ScriptCompiled) and not event.verdict.ok


def test_at_the_start_all_scripts_are_compiled_if_asked(tmp_path: Path, poll: bool) -> None:
    (tmp_path / "a.pine").write_text(CLEAN.format(0))
    (tmp_path / "b.pine").write_text(WRONG.format(0))
    with Running([str(tmp_path)], poll=poll, at_start=True) as running:
        assert running.wait_for("a.pine").verdict.ok
        assert not running.wait_for("b.pine").verdict.ok
