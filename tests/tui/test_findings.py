"""Findings are shown for the text as it is, and for no other."""

import threading
from pathlib import Path

import pytest
from textual.widgets import Label, OptionList

from pinebench.services import findings
from tests.tui.support import SCRIPT, bench, write


async def test_findings_follow_the_text(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        await it.checked()
        assert "our check: nothing wrong" in it.status and "compiles" not in it.status
        await it.press("ctrl+end")
        await it.type("plot(lenth)\n")
        await it.checked()
        assert "1 error" in it.status
        row = it.front.editor.document.line_count - 2
        assert [mark.finding.code for mark in it.front.editor.marks_at(row)] == ["CE10272"]
        line = it.front.editor.get_line(row)
        assert any("underline" in str(span.style) and span.start == 5 for span in line.spans)
        await it.press("up", "end")
        await it.until(lambda: "Undeclared identifier" in it.message)
        # The panel: jump, filter, mend, explain.
        await it.press("ctrl+home", "alt+w")
        await it.until(lambda: isinstance(it.app.focused, OptionList))
        await it.press("enter")
        assert it.front.editor.cursor_location == (row, 5)
        await it.press("alt+w", "/", *"nothing")
        options = it.app.query_one("#problems-list", OptionList)
        await it.until(lambda: options.option_count == 0)
        await it.press(*["backspace"] * 7, *"lenth", "enter")
        await it.until(lambda: options.option_count == 1)
        await it.press("x")
        await it.asked()
        await it.press("escape")
        await it.calm()
        await it.press("m")
        await it.asked()
        await it.press("enter")
        await it.calm()
        await it.until(lambda: "plot(length)" in it.text)
        await it.checked()
        assert "our check: nothing wrong" in it.status
        await it.press("alt+e", "ctrl+z")
        assert "plot(lenth)" in it.text


async def test_stale_findings_are_never_shown_as_current(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    real, go_on = findings.findings, threading.Event()

    def slow(view: findings.ScriptView, path: str):
        found = real(view, path)
        go_on.wait(120)
        return found

    async with bench(script) as it:
        await it.checked()
        monkeypatch.setattr(findings, "findings", slow)
        await it.type("wrong\n")
        await it.until(lambda: "checking" in it.status)
        await it.press("ctrl+z", "ctrl+z")
        while it.text != SCRIPT:
            await it.press("ctrl+z")
        go_on.set()
        await it.checked()
        # What came was about another text: nothing of it is there.
        assert not it.front.findings and "nothing wrong" in it.status
        assert not any(it.front.editor.marks_at(row) for row in range(it.front.editor.document.line_count))


async def test_a_library_that_is_not_here_is_not_called_checked(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", '//@version=6\nindicator("x")\nimport me/Foo/1 as f\nplot(f.g(close))\n')
    async with bench(script) as it:
        await it.checked()
        await it.until(lambda: "nothing wrong" in it.status and "me/Foo/1 not checked" in it.status, it.status)
        count = it.app.query_one("#problems-count", Label)
        await it.until(lambda: "uses of me/Foo/1 were not checked" in str(count.content))


async def test_the_problems_say_that_they_are_being_looked_for(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT + "plot(wrong)\n")
    async with bench(script) as it:
        await it.checked()
        options = it.app.query_one("#problems-list", OptionList)
        await it.until(lambda: options.option_count == 1)
        it.app.check_soon = lambda *_, **__: None  # type: ignore[method-assign]
        await it.press("alt+w", "alt+e", "x")
        assert "checking" in it.status and "error" not in it.status
        await it.until(lambda: options.has_class("-past"), "the list is of the past")
        assert it.app.query_one("#problems-count", Label).content == "checking…"
        # Nothing can be done about what is of the past.
        await it.press("alt+w", "enter", "m")
        await it.pilot.pause()
        assert it.dialog is None and it.app.focused is options


async def test_a_script_of_an_older_version_is_not_told_as_checked(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", '//@version=5\nindicator("x")\nplot(nowhere)\n')
    write(tmp_path / "pinebench.toml", '[lint]\nignore = ["PB0001"]\n')
    async with bench(script) as it:
        await it.checked()
        await it.until(lambda: "v5: only its syntax is checked" in it.status)
        count = it.app.query_one("#problems-count", Label)
        await it.until(lambda: str(count.content) == "v5: only its syntax is checked")
