"""Ways to lose, overwrite or half-edit a text, each tried in a real terminal: afterwards every text is found again.

`MINE` is what was typed here, `THEIRS` what another program wrote, SCRIPT the text that both began from.
"""

import json
import os
import re
import resource
import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

from tests.tui.support import SCRIPT, write
from tests.tui.terminals import Terminal, everywhere, terminal
from tests.tui.ways import (
    BEGUN,
    EDITS,
    ENDED,
    FORMS,
    LATER,
    LEFT,
    MINE,
    NAMES,
    OUTSIDE,
    THEIRS,
    TYPED,
    Place,
    Step,
    Way,
)

OURS = "// mine\n" + SCRIPT
OTHERS = SCRIPT + "// theirs\n"


# How a workbench ends


def _killed(name: str) -> Callable[[Terminal], None]:
    def end(it: Terminal) -> None:
        it.kill(name)

    return end


def _quit(it: Terminal) -> None:
    """Quit, and insist if there is a question."""
    it.press("ctrl+q")
    it.until(lambda: it.process.poll() is not None or "Quit without saving" in it.seen, "the end, or a question")
    if it.process.poll() is None:
        it.press("w")
    it.ended()


ENDS: dict[str, Callable[[Terminal], None]] = {
    **{
        name: _killed(name)
        for name in ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGSEGV", "SIGABRT", "closed")
    },
    "quit": _quit,
}


# What was there before the end


def _typed(it: Terminal, script: Path) -> set[str]:
    it.press(*"// mine", "enter")
    it.keeps(OURS)
    return {OURS, SCRIPT}


def _pasted(it: Terminal, script: Path) -> set[str]:
    it.paste(b"// mine\n")
    it.keeps(OURS)
    return {OURS, SCRIPT}


def _without_a_file(it: Terminal, script: Path) -> set[str]:
    it.press("ctrl+n")
    it.sees("untitled-1")
    it.press("ctrl+home", *"// mine")
    text = '// mine//@version=6\nindicator("My script", overlay = true)\n\nplot(close)\n'
    it.keeps(text)
    return {text, SCRIPT}


def _deleted(it: Terminal, script: Path) -> set[str]:
    script.unlink()
    it.sees("file is gone")
    it.keeps(SCRIPT)
    return {SCRIPT}


def _renamed_away(it: Terminal, script: Path) -> set[str]:
    write(script.with_name("other.pine"), OTHERS)
    os.replace(script.with_name("other.pine"), script.with_name("moved.pine"))
    script.unlink()
    it.sees("file is gone")
    it.keeps(SCRIPT)
    return {SCRIPT, OTHERS}


def _emptied(it: Terminal, script: Path) -> set[str]:
    script.write_bytes(b"")
    it.sees("loaded from disk")
    return {SCRIPT}


def _cut_in_half(it: Terminal, script: Path) -> set[str]:
    os.truncate(script, len(SCRIPT) // 2)
    it.sees("loaded from disk")
    return {SCRIPT}


def _changed_to_no_text(it: Terminal, script: Path) -> set[str]:
    script.write_bytes(b"\0\xff\0\xfe binary")
    it.sees("changed on disk")
    return {SCRIPT}


def _now_a_folder(it: Terminal, script: Path) -> set[str]:
    script.unlink()
    script.mkdir()
    it.sees("changed on disk")
    return {SCRIPT}


# What a person and other programs do while it runs

_OWN = (str, bytes, tuple)
"""The kinds of steps that the person does, and not another program."""


def _does(it: Terminal, at: Place, steps: Iterable[Step]) -> None:
    for step in steps:
        if isinstance(step, bytes):
            it.paste(step)
        elif isinstance(step, str):
            it.sees(at.filled(step))
        elif isinstance(step, tuple):
            it.press(*step)
        elif (pasted := step(at)) is not None:
            it.paste(pasted)


def _tried(it: Terminal, at: Place, way: Way, folder: Path, before: str) -> None:
    """Try a way, and close its tab, so that the one before, which shows `before`, is in front."""
    _does(it, at, way.steps)
    if way.after is not None:
        after = at.filled(way.after).encode(way.encoding)
        it.until(lambda: at.script.read_bytes() == after, f"{way.name}: {after[:200]!r}")
    if not way.is_closed:
        it.press("alt+e", "escape", "escape", "ctrl+w")
        it.until(lambda: before in it.seen or "is not saved" in it.seen, "the tab before, or a question")
        if before not in it.seen:
            it.press("w")
    it.sees(before)
    missing = {at.filled(text) for text in way.kept} - everywhere(folder)
    assert not missing, (way.name, missing)


def _places(folder: Path, ways: Sequence[Way]) -> list[Place]:
    """A file for each way, in a folder of its own, whose path alone is longer than a line of the terminal."""
    found: list[Place] = []
    for number, way in enumerate(ways):
        begun = f'//@version=6\nindicator("w{number:02}")\nplot(close)\n'
        theirs, later = begun.replace('"w', '"t'), begun.replace('"w', '"l')
        texts = {MINE: f"// mine\n{begun}", THEIRS: theirs, LATER: later, BEGUN: begun, "NAME": f"w{number:02}"}
        texts["FILE"] = f"a{number:02}.pine"
        found.append(Place(folder / f"{number:-<80}" / texts["FILE"], texts))
        found[-1].script.parent.mkdir()
        found[-1].script.write_bytes(found[-1].filled(way.begun).encode(way.encoding))
    return found


def _all_tried(folder: Path, ways: Sequence[Way]) -> None:
    """Try the ways one after another in one workbench, each in a tab of its own."""
    first, places = write(folder / "first.pine", "// first one"), _places(folder, ways)
    before = ["first one", *(place.texts["NAME"] for place in places)]
    with terminal(first, *(place.script for place in places), state=folder / "state") as it:
        it.sees(before.pop())
        for way, place in zip(reversed(ways), reversed(places), strict=True):
            _tried(it, place._replace(process=it.process.pid), way, folder, before.pop())


WAYS = (*ENDED, *OUTSIDE, *NAMES, *FORMS)
_BY_DAY = {
    "close without saving",
    "quit, and stay",
    "theirs is loaded",
    "written over",
    "deleted",
    "a pipe in its place",
    "saved over another file",
}


def test_no_text_is_lost_by_what_happens_every_day(tmp_path: Path) -> None:
    ways = [way for way in WAYS if way.name in _BY_DAY]
    assert len(ways) == len(_BY_DAY)
    _all_tried(tmp_path, ways)


@pytest.mark.soak
def test_no_text_is_lost_whatever_others_do(tmp_path: Path) -> None:
    _all_tried(tmp_path, [way for way in WAYS if way.name not in _BY_DAY])


_QUICK_EDITS = {
    "replace all replaces all",
    "a slow expression",
    "replace all without its line",
    "a coloured paste",
    "delete a word in the find bar",
}


def test_an_edit_is_whole_and_goes_where_the_focus_is(tmp_path: Path) -> None:
    ways = [way for way in EDITS if way.name in _QUICK_EDITS]
    assert len(ways) == len(_QUICK_EDITS)
    _all_tried(tmp_path, ways)


@pytest.mark.soak
def test_every_edit_is_whole_and_goes_where_the_focus_is(tmp_path: Path) -> None:
    _all_tried(tmp_path, [way for way in EDITS if not way.is_alone])
    for number, way in enumerate(way for way in EDITS if way.is_alone):
        folder = tmp_path / f"alone {number}"
        folder.mkdir()
        _all_tried(folder, [way])


STATES = (_typed, _pasted, _without_a_file, _deleted, _renamed_away, _emptied, _cut_in_half, _changed_to_no_text,
          _now_a_folder)  # fmt: skip
QUICK = {(_deleted, "SIGKILL"), (_emptied, "quit"), (_typed, "closed")}


def _ended(folder: Path, state: Callable[[Terminal, Path], set[str]], end: str) -> None:
    work = folder / f"{state.__name__}-{end}"
    work.mkdir()
    script = write(work / "a.pine", SCRIPT)
    with terminal(script, state=folder / f"state{state.__name__}-{end}") as it:
        wanted = state(it, script)
        ENDS[end](it)
        missing = wanted - everywhere(work, it.state)
        assert not missing, (state.__name__, end, missing)
        if end == "SIGTERM" and state is _typed:
            assert "unsaved text of a.pine is kept" in it.seen


def test_a_text_outlives_the_end(tmp_path: Path) -> None:
    for state, end in sorted(QUICK, key=str):
        _ended(tmp_path, state, end)


@pytest.mark.soak
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__.strip("_"))
def test_a_text_outlives_every_end(tmp_path: Path, state: Callable[[Terminal, Path], set[str]]) -> None:
    for end in ENDS:
        if (state, end) not in QUICK:
            _ended(tmp_path, state, end)


# The drafts themselves


def _names(it: Terminal, pattern: str) -> set[str]:
    """The names of files that were drawn since the last key in these words."""
    return set(re.findall(pattern, it.seen))


@pytest.mark.soak
def test_every_draft_of_a_killed_workbench_is_offered_and_none_is_lost(tmp_path: Path) -> None:
    places = _places(tmp_path, LEFT)
    with terminal(*(place.script for place in places), state=tmp_path / "state") as it:
        for place in reversed(places):
            it.sees(place.texts["NAME"])
            it.press(*TYPED, "ctrl+pageup")
        for place in places:
            it.keeps(place.texts[MINE])
        it.kill("SIGKILL")
    asked: dict[str, tuple[Way, Place]] = {}
    for way, place in zip(LEFT, places, strict=True):
        for step in way.steps:
            if not isinstance(step, _OWN):
                step(place)
        if isinstance(way.steps[-1], _OWN):
            asked[place.script.name] = way, place
    with terminal(write(tmp_path / "first.pine", "// first one"), state=tmp_path / "state") as it:
        while asked:  # a question that was answered may be drawn once more
            it.until(lambda: "Drop it" in it.seen and _names(it, r"Unsaved text of (\S+)") & set(asked), "a question")
            way, place = asked.pop((_names(it, r"Unsaved text of (\S+)") & set(asked)).pop())
            _does(it, place, [step for step in way.steps if isinstance(step, _OWN)])
        it.press("ctrl+q")
        it.sees("scripts not saved")
        it.press("s")
        it.sees("was changed on disk")
        it.press("w")
        assert it.ended() == 0
    found = everywhere(tmp_path)
    for way, place in zip(LEFT, places, strict=True):
        assert {place.filled(text) for text in way.kept} <= found, way.name
        assert place.script.read_text() == place.filled(way.after or ""), way.name


def _drafts(state: Path) -> list[Path]:
    return sorted((state / "drafts").glob("*.draft.json"))


_DRAFT = {"path": None, "name": "other.pine", "text": "// other\n", "time": 1.0, "base": None}
DAMAGES = {
    "cut": json.dumps(_DRAFT).encode()[:-3],
    "empty": b"",
    "no object": b"[]",
    "not UTF-8": b'{"text": "\xff"}',
    "no text": json.dumps({**_DRAFT, "text": None}).encode(),
    "no name": json.dumps({key: _DRAFT[key] for key in _DRAFT if key != "name"}).encode(),
    "a number for its name": json.dumps({**_DRAFT, "name": 1}).encode(),
    "a number for its file": json.dumps({**_DRAFT, "path": 5}).encode(),
    "a time without end": json.dumps({**_DRAFT, "time": float("inf")}).encode(),
    "no time at all": json.dumps({**_DRAFT, "time": float("nan")}).encode(),
    "a time beyond every calendar": json.dumps({**_DRAFT, "time": 10**400}).encode(),
    "nested without end": b'{"text": ' + b"[" * 200_000,
}
"""What a damaged draft holds."""


def test_every_damaged_draft_is_named_and_stays_and_hides_no_other(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    script, state = write(tmp_path / "work" / "a.pine", SCRIPT), tmp_path / "state"
    with terminal(script, state=state) as it:
        it.press(*"// mine", "enter")
        it.keeps(OURS)
        it.kill("SIGKILL")
    for number, damage in enumerate(DAMAGES.values()):
        (state / "drafts" / f"{number:012}-script-1.draft.json").write_bytes(damage)
    unreadable = state / "drafts" / "000000000099-script-1.draft.json"
    unreadable.mkdir()  # an entry that cannot be read keeps its name
    with terminal(script, state=state, size=(160, 200)) as it:
        it.sees("Unsaved text of a.pine", *(f"{number:012}-script-1" for number in (*range(len(DAMAGES)), 99)))
        it.until(lambda: it.seen.count("Drop it") > 1, "a question that takes keys")
        it.press("r")
        it.sees("// mine")
        it.keeps(OURS)
    kept = {each.name: each.read_bytes() for each in (state / "drafts").glob("*.damaged")}
    assert kept == {f"{n:012}-script-1.draft.json.damaged": damage for n, damage in enumerate(DAMAGES.values())}
    assert unreadable.is_dir()


def _texts(folder: Path) -> list[str]:
    return sorted(json.loads(each.read_text())["text"] for each in folder.glob("*.draft.json"))


def test_a_text_that_was_given_up_and_then_stays_is_kept_again(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    small, state = write(tmp_path / "work" / "small.pine", SCRIPT), tmp_path / "state"
    large = write(tmp_path / "work" / "large.pine", SCRIPT + "// more\n" * 2000)
    mine = [OURS, OURS + "// more\n" * 2000]
    with terminal(large, small, state=state) as it:
        it.press(*"// mine", "enter", "ctrl+pageup", *"// mine", "enter")
        it.until(lambda: _texts(state / "drafts") == mine, "both kept")
        # The disk has room for the first text that is given up, and none for the second.
        resource.prlimit(it.process.pid, resource.RLIMIT_FSIZE, (4_000, resource.RLIM_INFINITY))
        it.press("ctrl+q")
        it.sees("2 scripts not saved")
        it.press("w")
        it.sees("The text would be lost")
        it.press("y")
        resource.prlimit(it.process.pid, resource.RLIMIT_FSIZE, (-1, resource.RLIM_INFINITY))
        it.until(lambda: _texts(state / "drafts") == mine, "both kept again")
        # A text that comes back after its file was loaded over it is kept as a draft again, too.
        it.press("ctrl+p")
        it.press(*"Reload the file", "enter")
        it.sees("loaded from disk")
        it.until(lambda: len(_texts(state / "drafts")) == 1, "given up")
        it.press("ctrl+z")
        it.until(lambda: _texts(state / "drafts") == mine, "kept once more")
        it.kill("SIGKILL")
    assert _texts(state / "drafts") == mine


@pytest.mark.parametrize("closes", [("ctrl+w",), ("ctrl+q",)], ids=lambda keys: keys[0])
def test_a_text_that_was_given_up_is_not_offered_again(tmp_path: Path, closes: tuple[str, ...]) -> None:
    """At once, before a draft was written, and after one was."""
    (tmp_path / "work").mkdir()
    script, state = write(tmp_path / "work" / "a.pine", SCRIPT), tmp_path / "state"
    for waits in (False, True):
        with terminal(script, state=state) as it:
            it.press("ctrl+home", *"// mine", "enter", *(() if waits else closes))
            if waits:
                it.keeps(OURS)
                it.press(*closes)
            it.sees("without saving")
            it.press("w")
            if closes == ("ctrl+w",):
                it.sees("no script")
                it.press("ctrl+q")
            assert it.ended() == 0
        assert _texts(state / "drafts") == []
        assert _texts(state / "drafts" / "dropped") == [OURS] * (1 + waits)


def test_a_given_up_text_is_dropped_once_and_a_damaged_draft_is_named(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    script, state = write(tmp_path / "work" / "a.pine", SCRIPT), tmp_path / "state"
    with terminal(script, state=state) as it:
        it.press(*"// mine", "enter", "ctrl+q")  # at once: no draft was written before
        it.sees("Quit without saving")
        it.press("w")
        assert it.ended() == 0
    assert not _drafts(state), "a text that was given up must not be offered again"
    [dropped] = (state / "drafts" / "dropped").iterdir()
    damaged = state / "drafts" / "0123456789ab-script-1.draft.json"
    damaged.write_bytes(dropped.read_bytes()[:-3])
    with terminal(script, state=state) as it:
        it.sees("Damaged draft")
        assert "Unsaved text" not in it.seen
        it.stops()
        it.goes_on()
        it.sees("a.pine", "Problems", "Ln 2", "F1 Help", "plot(average(close, length))")
    assert [each.name for each in (state / "drafts").glob("*damaged")] == [f"{damaged.name}.damaged"]


def test_a_text_is_kept_before_a_stop(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    script, state = write(tmp_path / "work" / "a.pine", SCRIPT), tmp_path / "state"
    with terminal(script, state=state) as it:
        it.press(*"// mine")
        it.sees("mine")
        it.stops()
        assert any("// mine" in text for text in everywhere(state))


def test_after_a_stop_without_a_signal_that_tells_of_it_the_screen_is_drawn_again(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    script, state = write(tmp_path / "work" / "a.pine", SCRIPT), tmp_path / "state"
    with terminal(script, state=state) as it:
        it.stops("SIGSTOP")
        it.goes_on()
        it.sees("a.pine", "Problems", "F1 Help", "plot(average(close, length))")
        it.press(*"// mine")
        it.keeps("// mine" + SCRIPT)


def _a_file_for_the_folder(state: Path) -> None:
    write(state / "drafts", "a file where the folder should be")


def _a_link_to_nothing(state: Path) -> None:
    (state / "drafts").symlink_to(state / "nowhere" / "at all")


def _a_link_to_itself(state: Path) -> None:
    (state / "drafts").symlink_to(state / "drafts")


def _a_link_to_a_file(state: Path) -> None:
    (state / "drafts").symlink_to(write(state / "file", ""))


def _a_pipe_for_the_folder(state: Path) -> None:
    os.mkfifo(state / "drafts")


TROUBLES = (_a_file_for_the_folder, _a_link_to_nothing, _a_link_to_itself, _a_link_to_a_file, _a_pipe_for_the_folder)
"""What is in the place of the folder of the drafts."""


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: trouble.__name__.strip("_"))
def test_without_a_place_for_drafts_the_trouble_stays_on_the_screen_until_it_is_mended(
    tmp_path: Path, trouble: Callable[[Path], None]
) -> None:
    (tmp_path / "work").mkdir()
    script, state = write(tmp_path / "work" / "a.pine", SCRIPT), tmp_path / "state"
    state.mkdir()
    trouble(state)
    with terminal(script, state=state) as it:
        it.sees("drafts cannot be kept")
        it.press(*"// mine", "enter", "ctrl+w")
        it.sees("Close without saving")
        it.press("w")
        it.sees("The text would be lost")
        it.press("y")
        (state / "drafts").unlink()
        it.keeps(OURS)
        shutil.rmtree(state / "drafts")  # somebody tidies up while the workbench runs
        it.press("ctrl+home", "!")
        it.keeps("!" + OURS)
        shutil.rmtree(state / "drafts")
        trouble(state)  # it comes while the workbench runs
        it.press("ctrl+home", "?")
        it.sees("drafts cannot be kept")
        (state / "drafts").unlink()
        it.keeps("?!" + OURS)


# Completions

COMPLETED = {
    "y = ta.e": "ema",
    "plot(math.a": "abs",
    "c = color.r": "red",
    "s = str.f": "format",
    "n = input.i": "int",
    "z = ta.\x7f.e": "ema",
}
"""Keys that come at once, with a completion that they bring."""


def test_one_letter_after_a_dot_brings_completions_however_quickly_it_comes(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    with terminal(script, state=tmp_path / "state") as it:
        it.sees("nothing wrong")
        for keys, word in COMPLETED.items():
            it.press("escape", "ctrl+end", "shift+home", "delete")
            it.until(lambda: "Ln" in it.seen, "the end")
            it.press(*keys)
            it.sees(word)
