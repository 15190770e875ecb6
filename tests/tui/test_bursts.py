"""Keys that come all at once, as over a slow line, by a macro or from a paste, do what they do one after another."""

import asyncio
import random
import threading
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.widgets import Input

from pinebench.linter import project
from pinebench.tui import key_queue, text_search
from pinebench.tui.dialogs import Prompt
from tests.tui.support import SCRIPT, Bench, bench, run, write

KEYS = (
    *("a", "b", "(", "enter", "space", "tab", "shift+tab", "backspace", "backspace", "delete", "left", "right", "up"),
    *("down", "home", "end", "ctrl+home", "ctrl+end", "shift+left", "shift+up", "ctrl+left", "ctrl+x", "ctrl+v"),
    *("alt+up", "alt+down", "alt+c", "pageup", "shift+end"),
)


def burst(it: Bench, *keys: str) -> None:
    """Press keys without waiting for anything in between."""
    for key in keys:
        character = {"space": " ", "enter": "\r", "tab": "\t"}.get(key, key if len(key) == 1 else None)
        it.app.post_message(events.Key(key, character))


async def settled(it: Bench) -> None:
    """Wait until all of it was done."""
    await it.pilot.pause()
    await it.until(lambda: it.app._turns.is_over, "all keys")


async def test_what_is_typed_after_a_key_comes_after_it(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", "one\n")
    async with bench(script) as it:
        await it.checked()
        burst(it, "a", "backspace", "b", "ctrl+end", "c", "left", "d", "home", "e")
        it.app.post_message(events.Paste("two\n"))
        burst(it, "f")
        await settled(it)
        assert it.text == "bone\netwo\nfdc"
        # A command, too, has before it what was typed before it.
        burst(it, "g", "ctrl+s")
        await it.until(lambda: script.read_text() != "one\n", "saved")
        assert script.read_text() == "bone\netwo\nfgdc" == it.text


async def test_what_is_typed_after_the_key_of_a_panel_goes_into_the_panel(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", "one\n")
    async with bench(script) as it:
        await it.checked()
        burst(it, "alt+u", "x", "y")
        await settled(it)
        assert it.text == "one\n"
        assert it.app.query_one("#inspector-bars", Input).value.endswith("xy")
        burst(it, "alt+e", "z")
        await settled(it)
        assert it.text == "zone\n"


@pytest.mark.parametrize("seed", range(2))
async def test_a_burst_is_the_same_as_its_keys(tmp_path: Path, seed: int) -> None:
    slow, quick = write(tmp_path / "a.pine", SCRIPT), write(tmp_path / "b.pine", SCRIPT)
    chance = random.Random(seed)
    keys = [chance.choice(KEYS) for _ in range(40)]
    async with bench(slow, quick) as it:
        it.app.popup.offer = lambda *_, **__: None  # type: ignore[method-assign]
        for opened, groups in ((it.app.opened[0], [[key] for key in keys]), (it.app.opened[1], [keys])):
            it.app.bring(opened)
            it.app._clipboard = "clip"
            for group in groups:
                burst(it, *group)
                await settled(it)
        one, other = (each.editor for each in it.app.opened)
        assert one.text == other.text != SCRIPT, keys
        assert one.selection == other.selection, keys


async def test_a_question_gets_what_is_typed_after_it_was_asked_for(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.checked()
        burst(it, "ctrl+g", "7", "x", "backspace", "enter", "end", "!")
        await it.until(lambda: it.text.splitlines()[6].endswith("!"), "typed at the line that was gone to")
        assert it.text == SCRIPT.replace("source[i]\n", "source[i]!\n")
        burst(it, "ctrl+f", "s", "u", "m", "t", "backspace")
        await it.until(lambda: it.app.query_one("#wanted", Input).value == "sum", "what to find")
        burst(it, "escape", "ctrl+s", "alt+s")
        assert isinstance(await it.asked(), Prompt)
        assert it.text == script.read_text() == SCRIPT.replace("source[i]\n", "source[i]!\n")


@pytest.mark.parametrize("key", ["up", "home", "escape"])
@pytest.mark.parametrize("written", ["ta.", "plo", "plot("])
def test_an_answer_that_comes_late_is_not_shown(tmp_path: Path, written: str, key: str) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)

    async def story() -> None:
        async with bench(script) as it:
            await it.checked()
            ask, asked, answered = it.app.language.ask, asyncio.Event(), asyncio.Event()

            async def late(*question: Any) -> Any:
                found = await ask(*question)
                asked.set()
                await answered.wait()
                return found

            it.app.language.ask = late  # type: ignore[method-assign]
            await it.press("ctrl+end", *written)
            await asked.wait()
            burst(it, key)
            await settled(it)
            answered.set()
            await it.until(lambda: all(worker.group != "typing" for worker in it.app.workers), "what was typed")
            assert not it.app.popup.display

    run(story())


async def test_nothing_is_offered_where_the_cursor_has_gone_on(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.checked()
        for keys in (("ctrl+end", *"plo", "enter"), (*"plo", "up"), (*"plo", "home"), (*"plot(", "escape", "up")):
            burst(it, *keys)
            await settled(it)
            await it.until(lambda: all(worker.group != "typing" for worker in it.app.workers), "what was typed")
            # Where the list was there before the last key came, that key is the list's.
            row, column = it.front.editor.cursor_location
            assert not it.app.popup.display or it.text.splitlines()[row][:column].endswith("plo"), keys


async def test_a_list_is_closed_if_the_cursor_goes_back_to_the_beginning_of_the_word(tmp_path: Path) -> None:
    """A completion that is taken there would come in front of the word."""
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.checked()
        await it.press("ctrl+end", "p", "l", "o")
        await it.until(lambda: it.app.popup.is_list, "the list")
        await it.press("home")
        await it.until(lambda: not it.app.popup.display, "the list is closed")


async def test_a_panel_that_is_asked_for_while_another_one_is_made_gets_the_keys(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    for before in ("assistant", "outline"):
        async with bench(script) as it:
            await it.until(lambda it=it: it.app.panel is not None)
            # As at the start: the panel of the last time is shown, and a key asks for one while it is made.
            at_start = asyncio.create_task(it.app.show_panel(before, focus=False))
            await asyncio.sleep(0)
            await it.app.show_panel("assistant")
            await at_start
            await it.until(lambda it=it: getattr(it.app.focused, "id", "") == "assistant-request")
            assert it.app.panel is not None and it.app.panel.id == "panel-assistant"
            it.app.remembered.panel = "problems"


async def test_what_is_typed_for_a_question_that_comes_late_waits_for_it_or_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    monkeypatch.setattr(key_queue, "LOOKS", 2)
    found = threading.Event()

    def slow(*_: object) -> list[str]:
        found.wait(60)
        return []

    monkeypatch.setattr(project, "discover", slow)
    async with bench(script) as it:
        await it.checked()
        burst(it, "ctrl+o", "x", "y")
        await it.until(lambda: "alt+q cancels" in it.message, "told")
        burst(it, "z", "alt+q")
        await it.until(lambda: it.app._turns.is_over, "given up")
        assert it.text == SCRIPT and it.dialog is None and "cancelled" in it.message
        burst(it, "ctrl+o", "x", "y")
        await it.until(lambda: "alt+q cancels" in it.message, "told again")
        found.set()
        dialog = await it.asked()
        await it.until(lambda: dialog.query_one(Input).value == "xy", "typed into the question")
        assert it.text == SCRIPT


async def test_letters_of_an_expression_do_not_wait_for_its_search_but_an_edit_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = write(tmp_path / "a.pine", "aab\nplot(close)\n")
    found = threading.Event()
    places = text_search.Query.places

    def slow(query: text_search.Query, text: str) -> list[text_search.TextMatch]:
        if query.is_expression:  # which is searched in a thread
            found.wait(60)
        return places(query, text)

    monkeypatch.setattr(text_search.Query, "places", slow)
    async with bench(script) as it:
        await it.checked()
        burst(it, "ctrl+r", "/", "a", "+", "b", "/")
        field = it.app.query_one("#wanted", Input)
        await it.until(lambda: field.value == "/a+b/", "typed while the search runs")
        burst(it, "tab", "x", "alt+a")
        found.set()
        await it.until(lambda: it.text == "x\nplot(close)\n", "replaced what the whole expression found")
