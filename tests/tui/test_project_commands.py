"""Names that are found and changed in all scripts of a project, by the keys that a person presses; no text is lost."""

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.widgets import OptionList, Static

from pinebench.tui.dialogs import Diff, Prompt
from tests.tui.support import Bench, bench, write

LIBRARY = '//@version=6\nlibrary("Tools")\nexport twice(float x) =>\n    x * 2\nexport half(float x) =>\n    x / 2\n'
USER = '//@version=6\nindicator("{name}")\nimport me/Tools/1 as t\nplot(t.twice(close))\n'
DOUBLE = LIBRARY.replace("twice", "double")


def _project(folder: Path) -> tuple[Path, Path, Path]:
    """A library and two scripts that import it."""
    write(folder / "pinebench.toml", '[check]\nlibrary-paths = ["lib"]\n')
    (folder / "lib" / "me").mkdir(parents=True)
    library = write(folder / "lib" / "me" / "Tools.pine", LIBRARY)
    one, other = (write(folder / f"{name}.pine", USER.format(name=name)) for name in "ab")
    return library, one, other


def _user(name: str) -> str:
    return USER.format(name=name).replace("twice", "double")


async def _renamed(it: Bench, where: str, name: str) -> str:
    """Ask for a new name of the name at a place of the text; return the preview of the changes."""
    it.front.editor.go_to(it.text.index(where))
    await it.press("f2")
    assert isinstance(await it.asked(), Prompt)
    await it.type(name)  # the old name is selected
    await it.press("enter")
    await it.until(lambda: isinstance(it.dialog, Diff), "the preview")
    return _shown(it)


async def test_libraries_of_the_project_are_offered_in_imports(tmp_path: Path) -> None:
    _, one, _ = _project(tmp_path)
    write(one, '//@version=6\nindicator("a")\n')
    async with bench(one, folder=tmp_path) as it:
        await it.press("ctrl+end")
        await it.type("import me")
        await it.until(lambda: "me/Tools/1" in it.app.popup.words)


def _shown(it: Bench) -> str:
    dialog = it.dialog
    assert dialog is not None
    return "\n".join(str(part.render()) for part in dialog.query(Static))


def _texts(it: Bench) -> dict[str, str]:
    return {each.buffer.name: each.editor.text for each in it.app.opened}


async def test_a_name_is_renamed_in_all_scripts_after_they_were_shown_and_nothing_is_saved(tmp_path: Path) -> None:
    library, one, other = _project(tmp_path)
    async with bench(one, folder=tmp_path) as it:
        await it.checked()
        shown = await _renamed(it, "twice", "double")
        for name in ("lib/me/Tools.pine (not open", "a.pine\n", "b.pine (not open", "-plot(t.twice", "+plot(t.double"):
            assert name in shown
        await it.press("r")
        await it.calm()
        assert _texts(it) == {"a.pine": USER.format(name="a")}, "nothing is opened or changed"
        await _renamed(it, "twice", "double")
        await it.press("enter")
        await it.calm()
        await it.until(lambda: "3 places in 3 scripts, all still unsaved" in it.message)
        assert _texts(it) == {"a.pine": _user("a"), "Tools.pine": DOUBLE, "b.pine": _user("b")}
        assert it.front.buffer.name == "a.pine"
        assert [path.read_text() for path in (library, one, other)] == [
            LIBRARY, USER.format(name="a"), USER.format(name="b")
        ]  # fmt: skip
        # No script is checked with the library as it was: the unsaved text counts.
        for each in list(it.app.opened):
            it.app.bring(each)
            await it.until(lambda: it.front.is_checked and not it.front.findings, f"no findings {it.front.findings}")
        await it.choose("Save all scripts")
        await it.until(lambda: "saved 3 scripts" in it.message)
        assert [path.read_text() for path in (library, one, other)] == [DOUBLE, _user("a"), _user("b")]


def _typed_in(it: Bench, name: str) -> None:
    opened = next(each for each in it.app.opened if each.buffer.name == name)
    opened.editor.put(opened.editor.text + "// mine\n")


async def test_unsaved_text_in_another_tab_is_what_is_changed_and_stays(tmp_path: Path) -> None:
    """The file of that tab is changed by another program meanwhile, too: its tab says so, and saving asks."""
    library, one, other = _project(tmp_path)
    async with bench(one, other, folder=tmp_path) as it:
        _typed_in(it, "a.pine")
        theirs = USER.format(name="theirs")
        write(one, theirs)
        shown = await _renamed(it, "twice", "double")
        assert "a.pine (changed on disk; saving asks)" in shown
        await it.press("enter")
        await it.calm()
        await it.until(lambda: "all still unsaved" in it.message)
        assert _texts(it)["a.pine"] == _user("a") + "// mine\n"
        assert one.read_text() == theirs
        await it.choose("Save all scripts")
        await it.asked()  # about the file that is not the one that was read
        await it.press("escape")
        await it.calm()
        assert one.read_text() == theirs and _texts(it)["a.pine"] == _user("a") + "// mine\n"
        assert library.read_text() in (LIBRARY, DOUBLE) and other.read_text() in (USER.format(name="b"), _user("b"))


def _write_other(it: Bench, folder: Path) -> None:
    write(folder / "b.pine", USER.format(name="theirs"))


def _remove_other(it: Bench, folder: Path) -> None:
    (folder / "b.pine").unlink()


def _write_library(it: Bench, folder: Path) -> None:
    write(folder / "lib" / "me" / "Tools.pine", LIBRARY + "// theirs\n")


def _damage_other(it: Bench, folder: Path) -> None:
    write(folder / "b.pine", USER.format(name="b").encode() + b"// \xff\n")


def _change_tab(it: Bench, folder: Path) -> None:
    _typed_in(it, "a.pine")


MEANWHILE: tuple[Callable[[Bench, Path], None], ...] = (
    *(_write_other, _remove_other, _write_library, _damage_other, _change_tab),
)


@pytest.mark.parametrize("happens", MEANWHILE, ids=lambda each: each.__name__)
async def test_all_texts_are_changed_or_none(tmp_path: Path, happens: Callable[[Bench, Path], None]) -> None:
    """A text that is not the one which was shown is not changed, and then neither are the others."""
    _, one, _ = _project(tmp_path)
    async with bench(one, folder=tmp_path) as it:
        await _renamed(it, "twice", "double")
        happens(it, tmp_path)
        before = {path: path.read_bytes() for path in tmp_path.rglob("*.pine")}
        await it.press("enter")
        await it.calm()
        await it.until(lambda: "No text was changed" in it.message)
        assert all("double" not in text for text in _texts(it).values())
        assert {path: path.read_bytes() for path in tmp_path.rglob("*.pine")} == before


async def test_a_script_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    _, one, _ = _project(tmp_path)
    _damage_other(None, tmp_path)  # type: ignore[arg-type]
    async with bench(one, folder=tmp_path) as it:
        assert "b.pine cannot be read, so it is not changed" in await _renamed(it, "twice", "double")


async def test_scripts_that_a_search_leaves_out_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library, _, _ = _project(tmp_path)
    monkeypatch.setattr("pinebench.services.importers.MOST_FILES", 1)
    told = "only the first 1 of 3 scripts were searched"
    async with bench(library, folder=tmp_path) as it:
        assert told in await _renamed(it, "twice", "double")
        await it.press("escape")
        await it.press("shift+f12")
        await it.until(lambda: told in (_shown(it) if it.dialog else ""))
        await it.press("escape")
        await it.choose("Exports that no script uses…")
        await it.until(lambda: told in (_shown(it) if it.dialog else ""))


async def test_a_renaming_is_refused_where_another_script_would_break(tmp_path: Path) -> None:
    _, one, other = _project(tmp_path)
    write(other, USER.format(name="b") + "plot(t.twice(open)\n")
    async with bench(one, folder=tmp_path) as it:
        it.front.editor.go_to(it.text.index("twice"))
        await it.press("f2")
        await it.asked()
        await it.type("double")
        await it.press("enter")
        await it.until(lambda: "b.pine imports it and has syntax errors" in it.message)
        assert _texts(it) == {"a.pine": USER.format(name="a")}


async def test_every_use_in_all_scripts_is_found_and_gone_to(tmp_path: Path) -> None:
    library, _, other = _project(tmp_path)
    async with bench(library, folder=tmp_path) as it:
        it.front.editor.go_to(it.text.index("twice"))
        await it.press("shift+f12")
        dialog = await it.asked()
        assert "twice: 3 uses in 3 scripts" in _shown(it)
        assert dialog.query_one(OptionList).option_count == 3
        await it.type("b.pine")
        await it.press("enter")
        await it.until(lambda: it.front.buffer.path == str(other))
        assert it.front.editor.offset_here == it.text.index("twice")
        await it.press("alt+j")
        await it.until(lambda: it.front.buffer.path == str(library))


async def test_exports_that_no_script_uses(tmp_path: Path) -> None:
    library, one, _ = _project(tmp_path)
    async with bench(library, one, folder=tmp_path) as it:
        await it.choose("Exports that no script uses…")
        await it.until(lambda: "not a library" in it.message)
        await it.press("alt+left")
        await it.until(lambda: it.front.buffer.path == str(library))
        await it.choose("Exports that no script uses…")
        await it.until(lambda: "1 export that no script" in (_shown(it) if it.dialog else ""))
        await it.press("enter")
        await it.until(lambda: it.front.editor.offset_here == LIBRARY.index("half"))
        # A tab counts as it is, saved or not.
        it.app.opened[1].editor.put(USER.format(name="a") + "plot(t.half(open))\n")
        await it.choose("Exports that no script uses…")
        await it.until(lambda: "uses every export" in it.message)


LOCAL = USER.format(name="a") + "sign(float x) =>\n    x > 0 ? 1 : -1\nplot(sign(close - open))\n"


async def test_a_function_moves_to_a_library(tmp_path: Path) -> None:
    library, one, _ = _project(tmp_path)
    write(one, LOCAL)
    async with bench(one, folder=tmp_path) as it:
        it.front.editor.go_to(it.text.index("plot"))
        await it.choose("Move the function to a library…")
        await it.until(lambda: "there is no function to move at the cursor" in it.message)
        it.front.editor.go_to(it.text.index("sign"))
        await it.choose("Move the function to a library…")
        await it.asked()
        await it.press("enter")
        await it.until(lambda: isinstance(it.dialog, Diff))
        await it.press("enter")
        await it.calm()
        await it.until(lambda: "all still unsaved" in it.message)
        assert _texts(it)["Tools.pine"].startswith(LIBRARY) and "export sign(float x)" in _texts(it)["Tools.pine"]
        assert it.text == USER.format(name="a") + "plot(t.sign(close - open))\n"
        assert library.read_text() == LIBRARY and one.read_text() == LOCAL
        await it.until(lambda: it.front.is_checked and not it.front.findings)


SUM = '//@version=6\r\nindicator("a")\r\nspread = high - low\r\nplot(spread * 2 + close)\r\n'


async def test_expressions_are_extracted_and_a_variable_inlined(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SUM)
    async with bench(script) as it:
        editor = it.front.editor
        await it.choose("Extract the selection into a variable")
        await it.until(lambda: "into a variable: select an expression" in it.message)
        await it.choose("Extract the selection into a function")
        await it.until(lambda: "into a function: select an expression" in it.message)
        for title, text in (
            (
                "Extract the selection into a variable",
                SUM.replace("plot(spread * 2", "extracted = spread * 2\r\nplot(extracted"),
            ),
            (
                "Extract the selection into a function",
                SUM.replace("plot(spread * 2", "extracted() =>\r\n    spread * 2\r\n\r\nplot(extracted()"),
            ),
        ):
            start = it.text.index("spread * 2")
            editor.go_to(start, select_to=start + len("spread * 2"))
            await it.choose(title)
            await it.until(lambda text=text: it.text == text, it.text)
            await it.press("f2")
            assert "Rename extracted" in _shown(it) if await it.asked() else False
            await it.press("escape")
            await it.calm()
            await it.press("ctrl+z")
            assert it.text == SUM
        editor.go_to(it.text.index("spread"))
        await it.choose("Inline the variable")
        await it.until(lambda: it.text == SUM.replace("spread = high - low\r\n", "").replace("spread", "(high - low)"))
        await it.press("ctrl+z")
        editor.go_to(it.text.index("close"))
        await it.choose("Inline the variable")
        await it.until(lambda: "the cursor is not on a variable that can be inlined" in it.message)
        assert it.text == SUM and script.read_bytes() == SUM.encode()
