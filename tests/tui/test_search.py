"""The search in all scripts: what it could not read is told, and a list that is being made again leads nowhere."""

import threading
from pathlib import Path

import pytest
from textual.widgets import Label, OptionList

from pinebench.tui import text_search
from tests.tui.support import SCRIPT, Bench, bench, write


async def _sought(it: Bench, words: str) -> OptionList:
    """Search for words, and return the list."""
    await it.press("alt+i")
    await it.until(lambda: it.app.focused is not None and it.app.focused.id == "search-wanted")
    await it.type(words)
    await it.press("enter")
    return it.app.query_one("#panel-search OptionList", OptionList)


async def test_a_script_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    write(tmp_path / "cafe.pine", SCRIPT.replace("Example", "Café").encode("cp1252"))
    async with bench(script, folder=tmp_path, size=(120, 30)) as it:
        await _sought(it, "nowhere")
        count = it.app.query_one("#search-count", Label)
        await it.until(lambda: "1 script not searched completely: cafe.pine" in str(count.content))


async def test_enter_on_the_list_of_an_earlier_search_does_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script, folder=tmp_path) as it:
        found = await _sought(it, "sum")
        await it.until(lambda: found.option_count == 3, "places")
        places, go_on = text_search.Query.places, threading.Event()

        def slow(query: text_search.Query, text: str) -> list[text_search.TextMatch]:
            go_on.wait(60)
            return places(query, text)

        monkeypatch.setattr(text_search.Query, "places", slow)
        it.app.query_one("#search-wanted").focus()
        await it.press("enter")
        found.focus()
        await it.press("enter")
        go_on.set()
        await it.until(lambda: found.option_count == 3, "places again")
        assert it.app.is_running and it.text == SCRIPT
