"""The editor as a person meets it: snippets, brackets, the clipboard, columns of wide characters, no colours."""

import base64
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from rich.color import ColorType
from textual import events
from textual.strip import Strip

from pinebench.services.snippets import SNIPPETS
from pinebench.syntax import Document
from pinebench.tui import draft_commands, editor_text
from pinebench.tui.snippet_places import SnippetPlaces, filled
from tests.tui.support import SCRIPT, Bench, bench, run, write

pytestmark = pytest.mark.usefixtures("painted")


async def _snippet(it: Bench, label: str, letters: str) -> None:
    """Take a snippet."""
    await it.type(letters)
    popup = it.app.popup
    await it.until(lambda: any(item.snippet and item.label == label for item in popup.items), label)
    popup.chosen = next(n for n, item in enumerate(popup.items) if item.snippet and item.label == label)
    await it.press("tab")
    await it.until(lambda: not popup.display)


async def test_tab_goes_through_the_places_of_a_snippet(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", "//@version=6\r\nindicator('x')\r\nif true\r\n    ")
    async with bench(script) as it:
        await it.press("ctrl+end")
        await _snippet(it, "for", "for")
        # In a block it is indented as that, and its line ends are those of the file.
        begun = "//@version=6\r\nindicator('x')\r\nif true\r\n    "
        assert it.text == begun + "for i = 0 to 10\r\n        "
        editor = it.front.editor
        assert editor.selected_text == "i"
        await it.press("n")
        it.app.popup.close()
        await it.press("tab")
        assert editor.selected_text == "0"
        await it.press("5", "shift+tab")
        assert editor.selected_text == "n"
        await it.press("tab", "tab")
        assert editor.selected_text == "10"
        await it.press("backspace", "tab", "x")
        assert it.text.endswith("for n = 5 to \r\n        x")
        # They are gone through: tab indents again.
        await it.press("escape", "tab")
        assert it.text.endswith("\r\n        x   ")
        # Elsewhere they are left, and so they are when something is taken back.
        await it.press("enter")
        await _snippet(it, "while", "whil")
        assert editor.selected_text == "condition"
        await it.press("ctrl+home", "tab")
        assert it.text.startswith("    //@version")


_SNIPPETS = some.sampled_from([snippet.text for snippet in SNIPPETS])


@settings(max_examples=80)
@given(_SNIPPETS, some.lists(some.text(alphabet="ab (", max_size=4), min_size=1, max_size=6))
def test_places_hold_what_was_written_into_them(snippet: str, words: list[str]) -> None:
    text, spans = filled(snippet, "\n")
    assert "$" not in text and "{" not in text
    places = SnippetPlaces()
    places.begin(spans)
    told: list[str] = []
    for word in words:
        here = places.here
        if here is None:
            break
        # What is selected gives way to the first letter; then one types on behind it.
        for start, end, piece in ((here.start, here.end, word[:1]), (-1, -1, word[1:])):
            start, end = (here.end, here.end) if start < 0 else (start, end)
            places.changed(start, end, len(piece))
            text = text[:start] + piece + text[end:]
            here = places.here
            assert here is not None
        assert text[here.start : here.end] == word
        told.append(word)
        places.step(1)
    # Going back, each of them holds its word still.
    if places.here is not None:
        for word in reversed(told):
            back = places.step(-1)
            assert back is not None and text[back.start : back.end] == word


def test_brackets_find_each_other_and_not_those_in_words(tmp_path: Path) -> None:
    text = (
        '//@version=6\nindicator("a) [b", // the first :)\n    overlay = true)\n'
        'plot(array.get(array.from(1, "]"), (0)))\n// (\nx = (1]\n'
    )
    script = write(tmp_path / "a.pine", text)

    async def story() -> None:
        async with bench(script) as it:
            editor = it.front.editor

            def other(place: int) -> int | None:
                editor.move_cursor(editor.source.location(place))
                found = editor.matching_bracket_location
                return None if found is None else editor.source.offset(found)

            pairs = [
                (text.index("(", 13), text.index("true)") + 4),
                (text.index("plot(") + 4, text.index(")))") + 2),
                (text.index("get(") + 3, text.index(")))") + 1),
                (text.index("(0)"), text.index("(0)") + 2),
            ]
            for one, two in pairs:
                assert (other(one), other(two)) == (two, one)
            for lonely in ('a) [b"', "[b", ":)", '"]"', "// (", "(1]", "1]"):
                place = text.index(lonely) + next(n for n, letter in enumerate(lonely) if letter in "()[]")
                assert other(place) is None, lonely
            line = editor.render_line(3)
            assert line.text.rstrip().endswith(text.splitlines()[3])

    run(story())


async def test_what_is_copied_goes_to_the_terminal_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = write(tmp_path / "a.pine", 'x = "汉😀"\r\ny = 1\r\n')
    async with bench(script) as it:
        written: list[str] = []
        assert it.app._driver is not None
        monkeypatch.setattr(it.app._driver, "write", written.append)
        await it.press("ctrl+home", "shift+down", "ctrl+c")
        sent = base64.b64encode('x = "汉😀"\r\n'.encode()).decode()
        assert f"\x1b]52;c;{sent}\a" in written
        await it.press("ctrl+x")
        assert it.text == "y = 1\r\n" and written.count(f"\x1b]52;c;{sent}\a") == 2
        await it.press("ctrl+end", "ctrl+v")
        assert it.text == 'y = 1\r\nx = "汉😀"\r\n'
        # Half a character, of a file in UTF-16 say, is no reason to fall over.
        it.front.editor.put("\ud800")
        await it.press("ctrl+a", "ctrl+c", "end", "ctrl+v")
        assert it.text == "\ud800\ud800"


async def test_the_cursor_stands_on_its_character_however_wide_those_before_are(tmp_path: Path) -> None:
    lines = ["x = '汉字' + y", "e\u0301 = '👩‍👩‍👧 🇩🇪 ✔️' + y", "\tz = '😀' + y", "\u200b\x1b[2J = '\u202e' + y"]
    script = write(tmp_path / "a.pine", "\n".join(lines) + "\n")
    async with bench(script) as it:
        editor = it.front.editor
        for row, line in enumerate(lines):
            editor.move_cursor((row, len(line) - 1))
            await it.pilot.pause()
            strip = editor.render_line(row)
            x = editor.cursor_screen_offset.x - editor.region.x
            cells = strip.crop(x, x + 1).text
            assert cells == "y", f"row {row}: {cells!r} in {strip.text!r}"
            # A click there brings the cursor to the same place.
            editor.move_cursor((0, 0))
            await it.pilot.click(editor, offset=(x, row))
            assert editor.cursor_location == (row, len(line) - 1)


async def test_without_colours_there_are_none_and_what_they_show_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = write(tmp_path / "a.pine", SCRIPT + "plot(lenth)\n")
    plain = (None, ColorType.DEFAULT)

    def segments(it: Bench):
        return [segment for strip in it.app.screen._compositor.render_strips() for segment in strip]

    monkeypatch.setenv("NO_COLOR", "1")
    async with bench(script) as it:
        await it.checked()
        await it.press("f8", "shift+right")
        await it.pilot.pause()
        shown = segments(it)
        for segment in shown:
            style = segment.style
            colors = (style.color, style.bgcolor) if style is not None else ()
            assert all(color is None or color.type in plain for color in colors), segment
        told = {segment.text.strip(): segment.style for segment in shown if segment.style is not None}
        assert told["l"].reverse, "what is selected"
        assert any(style.underline for text, style in told.items() if text == "nth")
        await it.press("ctrl+p")
        await it.asked()
        assert any(segment.style and segment.style.underline and "Help" in segment.text for segment in segments(it))
    monkeypatch.setenv("NO_COLOR", "")
    async with bench(script) as it:
        assert not it.app.no_color


async def test_an_idle_workbench_does_next_to_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.checked()
        app = it.app
        await it.until(lambda: it.front.colored is it.front.editor.snapshot, "coloured")
        await it.pilot.pause()
        # What wakes it up: so many times a second at most.
        widgets = [app, *app.screen.walk_children(with_self=True)]
        timers = [timer for widget in widgets for timer in widget._timers if timer._repeat is None]
        rate = sum(1 / timer._interval for timer in timers if timer._active.is_set())
        assert 0 < rate <= 2.5, [(timer, timer._interval) for timer in timers]
        # And what it does then: nothing is checked, asked or painted.
        done: list[str] = []
        monkeypatch.setattr(app.language, "ask", lambda *_: done.append("asked"))
        monkeypatch.setattr(app, "check_soon", lambda *_: done.append("checked"))
        monkeypatch.setattr(type(app), "_display", lambda *_: done.append("painted"))
        for _ in range(3):
            app._look_outside()
            draft_commands.keep(app)
            app._look_at_chart()
            await it.until(lambda: not [each for each in app.workers if not each.is_finished], "workers")
            await it.pilot.pause()
        assert done == []


async def test_a_paste_into_a_line_of_words_stays_one_line(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.press("ctrl+f")
        assert it.app.focused is not None
        it.app.focused.post_message(events.Paste("sum\nlength"))
        await it.until(lambda: it.app.query_one("#find").wanted == "sum length")  # type: ignore[attr-defined]
        assert it.text == SCRIPT


async def test_a_cursor_that_moves_while_the_workbench_is_taken_down_is_no_fault(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.checked()
        await it.app.query_one("#dock").remove()
        await it.press("down")
        assert it.front.editor.cursor_location == (1, 0) and it.app.panel is None


def test_a_key_makes_only_the_rows_that_look_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = write(tmp_path / "a.pine", SCRIPT + "// more\n" * 20)
    made: list[int] = []

    async def story() -> None:
        async with bench(script) as it:
            await it.checked()
            editor = it.front.editor
            make = editor._row

            def counted(y: int) -> Strip:
                made.append(y)
                return make(y)

            monkeypatch.setattr(editor, "_row", counted)
            await it.press("ctrl+home", *["down"] * 10, "x")
            await it.checked()
            await it.until(lambda: 10 in made, "the row with the cursor")
            made.clear()
            await it.press("y")
            await it.until(lambda: 10 in made, "the row with the cursor again")
            await it.checked()
            assert set(made) <= {10}, made
            # Whatever else changes how a row looks makes it again.
            for change in (
                lambda: editor.breakpoints.toggle(4, editor.document[4]),
                lambda: setattr(it.app, "theme", "pinebench-light"),
            ):
                made.clear()
                change()
                editor._redraw()
                await it.until(lambda: 4 in made, "the row that looks otherwise")

    run(story())


def test_a_text_is_parsed_once_when_it_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    parsed: list[str] = []
    monkeypatch.setattr(editor_text, "Document", lambda text: parsed.append(text) or Document(text))

    async def story() -> None:
        async with bench(script) as it:
            assert it.text == SCRIPT

    run(story())
    assert parsed.count(SCRIPT) == 1
