"""Drafts that an earlier workbench left: offered without a key being taken for an answer, and never lost for good."""

import json
import os
import time
from pathlib import Path

import pytest
from textual import events
from textual.widgets import OptionList

from pinebench.tui import dialogs, draft_commands
from pinebench.tui.app import Workbench
from pinebench.tui.dialogs import Ask, Diff, Pick
from pinebench.tui.drafts import KEPT_DAYS, Drafts
from pinebench.tui.script_tab import lines_changed
from tests.tables import each
from tests.tui.support import SCRIPT, bench, run, write

MINE = "// mine\n" + SCRIPT


def _left(path: Path | None, text: str = MINE, saved: str = SCRIPT) -> None:
    """Leave a draft as a workbench does that was killed."""
    drafts = Drafts()
    drafts.keep("script-1", str(path) if path else None, path.name if path else "untitled-1.pine", text, saved)
    drafts.close()


def _texts(folder: Path) -> list[str]:
    return [json.loads(each.read_text())["text"] for each in folder.glob("*.json")]


@pytest.mark.parametrize("key", ["d", "r", "l", "s", "enter", "escape", "x"])
def test_a_key_before_the_question_can_be_seen_is_typed_and_answers_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setattr(dialogs, "SEEN_AFTER", 600)
    script = write(tmp_path / "a.pine", SCRIPT)
    _left(script)

    async def story() -> None:
        async with bench(script) as it:
            await it.until(lambda: isinstance(it.dialog, Ask) and it.dialog.is_mounted, "the question")
            await it.press(key)
            await it.calm()
            typed = {"enter": "\n", "escape": ""}.get(key, key)
            await it.until(lambda: it.text == typed + SCRIPT, "typed")
            await it.until(lambda: any("unsaved text" in each.message for each in it.app._notifications), "told")

    run(story())
    assert MINE in _texts(tmp_path / "state" / "drafts")


def test_a_paste_before_the_question_can_be_seen_goes_into_the_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialogs, "SEEN_AFTER", 600)
    script = write(tmp_path / "a.pine", SCRIPT)
    _left(script)

    async def story() -> None:
        async with bench(script) as it:
            await it.until(lambda: isinstance(it.dialog, Ask) and it.dialog.is_mounted, "the question")
            it.app.post_message(events.Paste("d"))
            await it.calm()
            await it.until(lambda: it.text == "d" + SCRIPT, "pasted")

    run(story())
    assert MINE in _texts(tmp_path / "state" / "drafts")


def test_nothing_is_asked_where_somebody_types_already(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    _left(script)
    offer = draft_commands.offer_at_start

    async def after_a_key(app: Workbench) -> None:
        app.has_heard_keys = True
        await offer(app)

    monkeypatch.setattr(draft_commands, "offer_at_start", after_a_key)

    async def story() -> None:
        async with bench(script) as it:
            await it.until(lambda: any("unsaved text" in each.message for each in it.app._notifications), "told")
            assert it.dialog is None

    run(story())


async def test_a_dropped_draft_can_be_restored(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    _left(script)
    folder = tmp_path / "state" / "drafts"
    async with bench(script) as it:
        await it.asked()
        await it.press("d")
        await it.calm()
        await it.until(lambda: not _texts(folder), "dropped")
        assert str(KEPT_DAYS) in it.message
        it.app.do("dropped-drafts")
        pick = await it.asked()
        assert isinstance(pick, Pick) and "a.pine" in str(pick.query_one(OptionList).get_option_at_index(0).prompt)
        await it.press("enter")
        await it.calm()
        await it.until(lambda: it.text == MINE and it.front.is_dirty)
        assert _texts(folder) == [MINE] and not _texts(folder / "dropped")


async def test_a_closed_tab_can_be_restored_beside_newer_text(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.type("// mine\n")
        await it.press("ctrl+w")
        await it.asked()
        await it.press("w")
        await it.until(lambda: not it.app.opened)
        await it.app.open(str(script))
        await it.press("ctrl+home", "y")
        it.app.do("dropped-drafts")
        await it.asked()
        await it.press("enter")
        await it.calm()
        await it.tabs(2)
        assert sorted(each.editor.text for each in it.app.opened) == sorted([MINE, "y" + SCRIPT])


def test_old_dropped_texts_are_removed(tmp_path: Path) -> None:
    drafts = Drafts()
    for number, days in enumerate((KEPT_DAYS - 1, KEPT_DAYS + 1)):
        drafts.give_up(f"script-{number}", None, "a.pine", f"text {number}")
        kept = next(each for each in drafts.dropped() if each.text == f"text {number}").kept
        when = time.time() - days * 86_400
        os.utime(kept, (when, when))
    drafts.close()
    again = Drafts()
    assert [each.text for each in again.dropped()] == ["text 0"]
    again.close()


async def test_a_draft_older_than_its_file_says_so_and_saving_keeps_the_file(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    _left(script)
    newer = SCRIPT + "// newer\n"
    write(script, newer)
    async with bench(script) as it:
        question = await it.asked()
        assert isinstance(question, Ask)
        assert "The file is newer" in question._text and "2 lines differ" in question._text
        await it.press("s")
        await it.until(lambda: isinstance(it.dialog, Diff))
        await it.asked()
        await it.press("escape")
        await it.until(lambda: isinstance(it.dialog, Ask))
        await it.asked()
        await it.press("r")
        await it.calm()
        await it.until(lambda: it.text == MINE)
        await it.press("ctrl+s")
        await it.asked()
        assert script.read_text() == newer
        await it.press("escape")
        await it.calm()
        # Looking at the file again does not take it for the one that the draft began from.
        await it.press("ctrl+s")
        await it.asked()
        await it.press("w")
        await it.calm()
        await it.until(lambda: not it.front.is_dirty)
        assert script.read_text() == MINE
        assert [each.read_text() for each in (tmp_path / "state" / "replaced").iterdir()] == [newer]
        # From now on it is a file like any other.
        await it.press("ctrl+end", "x", "ctrl+s")
        await it.until(lambda: not it.front.is_dirty)
        assert it.dialog is None and script.read_text() == MINE + "x"


async def test_a_draft_of_an_unchanged_file_is_saved_without_a_question(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    _left(script)
    async with bench(script) as it:
        question = await it.asked()
        assert isinstance(question, Ask) and "has not changed since" in question._text
        await it.press("r")
        await it.calm()
        await it.until(lambda: it.text == MINE)
        await it.press("ctrl+s")
        await it.until(lambda: not it.front.is_dirty)
        assert it.dialog is None and script.read_text() == MINE


@each(
    ("before", "after", "number"),
    [
        ("a\nb\nc", "a\nx\nc", 1),
        ("a\nb\nc", "a\nc", 1),
        ("a\nb\nc", "a\nb\nnew\nc", 1),
        ("a\nb\nc", "x\ny\nz", 3),
        ("a\nb", "a\nx\ny", 2),
        ("", "a\nb", 2),
        ("a", "a", 0),
    ],
)
def test_a_rewritten_line_counts_once(before: str, after: str, number: int) -> None:
    assert lines_changed(before, after) == number


def test_a_text_without_changes_can_be_restored_after_its_emptied_file_was_loaded(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)

    async def story() -> None:
        async with bench(script) as it:
            write(script, "")
            it.app.do("reload")  # before anybody has looked at the file
            await it.until(lambda: not it.text, "loaded")

    run(story())
    assert SCRIPT in _texts(tmp_path / "state" / "drafts" / "dropped")
