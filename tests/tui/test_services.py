"""Every service of the editor, by the keys that a person presses."""

from pathlib import Path

from textual.widgets import Input, Label, OptionList

from pinebench.tui.dialogs import Ask, Diff, Pick, Prompt, TextDialog
from tests.tui.support import SCRIPT, Bench, bench, write


async def _answer(it: Bench, kind: type, text: str = "", *, clear: int = 0) -> None:
    """Type an answer into a question and give it."""
    assert isinstance(await it.asked(), kind)
    await it.press(*["backspace"] * clear)
    await it.type(text)
    await it.press("enter")
    await it.calm()


async def test_a_list_of_places_that_is_cut_says_so_with_numbers_of_one_form(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT + "// sought\n" * 2001)
    async with bench(script, size=(140, 40)) as it:
        await it.press("alt+i")
        await it.until(lambda: it.app.focused is not None and it.app.focused.id == "search-wanted")
        await it.type("sought")
        await it.press("enter")
        told = "2,001 places in 1 script, the first 2,000 are listed"
        label = it.app.query_one("#search-count", Label)
        await it.until(lambda: told in str(label.content), told)


async def test_writing_with_help(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.checked()
        popup = it.app.popup
        await it.press("ctrl+end")
        await it.type("x = ta.cros")
        # The list after the dot has "crossover" too, so the wait is for what fits best.
        await it.until(lambda: popup.items and popup.items[0].label.rpartition(".")[2].startswith("cross"))
        assert "crossover" in popup.words
        # A new line is a new line as long as nothing was chosen.
        while popup.items[popup.chosen].label.rpartition(".")[2] != "crossover":
            await it.press("down")
        await it.press("tab")
        await it.until(lambda: it.text.endswith("x = ta.crossover()\n") or it.text.endswith("x = ta.crossover()"))
        assert not popup.display
        await it.type("close,")
        await it.until(lambda: "crossover(" in popup.words and "source2" in popup.words, "the signature")
        await it.press("escape")
        assert not popup.display
        await it.type(" open")
        await it.press("escape", "end", "enter")
        assert it.text.endswith("x = ta.crossover(close, open)\n")
        await it.type("lengt")
        await it.until(lambda: popup.is_list)
        await it.press("enter")
        assert it.text.endswith("lengt\n") and not popup.is_list
        # Blocks are indented as Pine's are, and left again.
        await it.press("ctrl+z", *["backspace"] * 5)
        await it.type("for i = 0 to 3\nif close > i\nbreak\ny := i\n\n")
        assert it.text.endswith("for i = 0 to 3\n    if close > i\n        break\n    y := i\n    \n    ")
        await it.press("backspace")
        assert it.text.endswith("\n    \n")
        await it.press("ctrl+@")
        await it.until(lambda: popup.is_list, "everything")
        await it.press("escape")


async def test_finding_ones_way(tmp_path: Path) -> None:
    script, other = write(tmp_path / "a.pine", SCRIPT), write(tmp_path / "b.pine", SCRIPT.replace("length", "span"))
    async with bench(script, folder=tmp_path) as it:
        await it.checked()
        editor = it.front.editor
        editor.go_to(it.text.index("length)"))
        await it.press("ctrl+k")
        assert isinstance(await it.asked(), TextDialog)
        await it.press("escape")
        await it.calm()
        await it.press("f12")
        await it.until(lambda: editor.offset_here == it.text.index("length"))
        await it.press("alt+j")
        await it.until(lambda: editor.offset_here == it.text.index("length)"))
        await it.press("shift+f12")
        await _answer(it, Pick, "input")
        await it.until(lambda: editor.offset_here == it.text.index("length"))
        await it.press("ctrl+t")
        await _answer(it, Pick, "average")
        await it.until(lambda: editor.offset_here == it.text.index("average"))
        await it.press("ctrl+g")
        await _answer(it, Prompt, "7:9")
        assert editor.cursor_location == (6, 8)
        await it.press("alt+o")
        await it.until(lambda: it.app.panel is not None and it.app.panel.id == "panel-outline")
        outline = it.app.panel.query_one(OptionList) if it.app.panel else OptionList()
        await it.until(lambda: outline.option_count >= 2, "the outline")
        await it.press("home", "enter")
        assert it.app.focused is editor and editor.cursor_location[0] < 6
        # In all files, and into one of them.
        await it.press("alt+i")
        await it.until(lambda: it.app.focused is not None and it.app.focused.id == "search-wanted")
        await it.type("span")
        await it.press("enter")
        found = it.app.query_one("#panel-search OptionList", OptionList)
        await it.until(lambda: found.option_count == 2, "places in the other file")
        await it.press("enter")
        await it.until(lambda: it.front.buffer.path == str(other))
        # And everywhere at once, unsaved.
        await it.press("alt+i")
        await it.until(lambda: it.app.focused is not None and it.app.focused.id == "search-wanted")
        await it.press("end", *["backspace"] * 8, *"sum", "tab", *"total", "enter")
        assert isinstance(await it.asked(), Ask)
        await it.press("r")
        await it.calm()
        await it.until(lambda: all(each.is_dirty for each in it.app.opened) and len(it.app.opened) == 2)
        assert all(each.editor.text.count("total") == 3 for each in it.app.opened)
        assert script.read_text() == SCRIPT


async def test_changing_at_once(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT.replace("\n", "\r\n"))
    async with bench(script) as it:
        await it.checked()
        before, editor = it.text, it.front.editor
        editor.go_to(it.text.index("length"))
        await it.press("f2")
        await _answer(it, Prompt, "period", clear=8)
        await it.until(lambda: it.text == before.replace("length", "period"))
        await it.pilot.pause()
        assert "renamed in 2 places" in it.message
        await it.press("f2")
        assert isinstance(await it.asked(), Prompt)
        await it.press(*["backspace"] * 8, *"if", "enter")
        await it.calm()
        await it.until(lambda: "if" in it.message, "a refusal")
        assert it.text == before.replace("length", "period")
        await it.press("ctrl+z")
        assert it.text == before
        # Laid out, and back.
        editor.put(before.replace("sum = 0.0", "sum=0.0"))
        await it.press("alt+l")
        await it.until(lambda: it.text == before, "laid out")
        # What has no edits: formatted already, broken, or not to be formatted alone.
        for text, select, told in (
            (before, (), "the script is already formatted"),
            (before, ("shift+down",), "these lines are already formatted"),
            (before + "x = (\r\n", (), "not formatted: it has syntax errors"),
            (before + "f(x) =>\r\n        y=x\r\n        y\r\n", ("up",), "could change the script's meaning"),
        ):
            editor.put(text)
            keys = ("ctrl+end", "up", "up", "shift+end") if "up" in select else ("ctrl+home", *select)
            await it.press(*keys, "alt+l")
            await it.until(lambda told=told: told in it.message, told)
            assert it.text == text
        editor.put(before)
        # Comments, indentation, lines.
        await it.press("ctrl+home", "down", "shift+down", "shift+down", "ctrl+underscore")
        assert it.text.split("\r\n")[1:3] == ["// " + line for line in before.split("\r\n")[1:3]]
        await it.press("ctrl+underscore", "tab", "shift+tab")
        assert it.text == before
        await it.press("ctrl+home", "alt+down", "alt+up")
        assert it.text == before
        # Found, replaced, taken back.
        await it.press("ctrl+r")
        await it.type("sum")
        await it.press("tab", *"all")
        await it.press("enter")
        await it.until(lambda: it.text == before.replace("sum", "all", 1))
        await it.press("alt+a")
        await it.until(lambda: it.text == before.replace("sum", "all"))
        await it.press("escape", "ctrl+z", "ctrl+z")
        assert it.text == before
        await it.press("ctrl+f")
        it.app.query_one("#wanted", Input).value = "/s.m/"
        await it.press("enter")
        assert editor.selected_text == "sum"
        await it.press("escape", "f3")
        assert editor.selected_text == "sum"
        # Fixes, and all safe ones.
        editor.put(before.replace("average(close", "averag(close"))
        await it.checked()
        await it.press("f8", "f4")
        await _answer(it, Pick)
        await it.until(lambda: it.text == before, f"mended {it.text!r}")
        editor.put(before.replace("sum += source[i]", "sum += source[i];"))
        await it.checked()
        it.app.do("fix-all")
        assert isinstance(await it.asked(), Diff)
        await it.press("enter")
        await it.calm()
        await it.until(lambda: it.text == before, f"all fixed {it.text!r}")


async def test_palette_help_and_colours(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.press("f1")
        assert isinstance(await it.asked(), TextDialog)
        await it.press("escape")
        await it.calm()
        await it.press("ctrl+p")
        palette = await it.asked()
        await it.type("choose the colours")
        await it.press("enter")
        await it.until(lambda: it.dialog is not None and it.dialog is not palette)
        await _answer(it, Pick, "light")
        assert it.app.theme == "pinebench-light"
        # While a question is open no command does anything.
        await it.press("ctrl+p")
        await it.asked()
        await it.press("ctrl+n", "ctrl+w", "f2")
        assert len(it.app.opened) == 1
        await it.press("escape")
        await it.calm()
        await it.press("ctrl+n")
        await it.tabs(2)
        await it.pilot.click("#files", offset=(3, 0))
        await it.until(lambda: it.front.buffer.path == str(script))
    async with bench() as again:
        assert again.app.theme == "pinebench-light"
        assert again.app.remembered.recent == [str(script)]
