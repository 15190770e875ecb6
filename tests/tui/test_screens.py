"""How every screen looks at 80×24, 100×30, 140×45 and 200×60, as text beside this file.

`python -m tests.tui.test_screens [FOLDER]` writes them anew, and pictures (SVG) into the folder; they are read before
they are kept.
"""

import asyncio
import io
import os
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest
from PIL import Image
from textual._context import visible_screen_stack
from textual.widgets import DataTable, Input, OptionList

from pinebench.agent.chat import Conversation
from pinebench.agent.events import Text as Piece
from pinebench.agent.events import ToolResult, ToolUse
from pinebench.agent.timeline import Timeline
from pinebench.authoring.author import Usage
from pinebench.authoring.service import Service
from pinebench.context import Context
from pinebench.tools.chart_browser import ToolContext
from pinebench.tui import screenshots
from pinebench.tui.assistant_tools import PROPOSE, ProposalDesk, Wish
from pinebench.tui.dialogs import Ask, DialogChoice
from pinebench.tui.panels.assistant import AssistantPanel
from pinebench.tui.panels.chart import ChartPanel, ChartView
from pinebench.tui.panels.tools import ToolsPanel
from tests.tui.charts import VIEW, candles
from tests.tui.support import SCRIPT, Bench, bench, write
from tests.tui.test_optimize import BARS, STRATEGY

FOLDER = Path(__file__).parent / "screens"
SIZES = ((80, 24), (100, 30), (140, 45), (200, 60))
_QUICK = SIZES[0], SIZES[2]
_WRONG = SCRIPT + 'plot(lenth, "汉字")\nunused = 1\n'


def screen(it: Bench) -> str:
    """What is on the screen, as text without the blanks at the ends of lines; times are left out.

    A dialog keeps what it painted last, and what lies below it belongs to that. So it is painted anew, as the
    application does: a dialog that is painted without the screens below it would keep nothing below it.
    """
    if it.dialog is not None:
        visible_screen_stack.set(it.app._background_screens)
        it.dialog.refresh()
    strips = it.app.screen._compositor.render_strips()
    lines = ["".join(segment.text for segment in strip).rstrip() for strip in strips]
    return re.sub(r"\d+\.\d+ s\b", "0.00 s", "\n".join(lines)) + "\n"


async def _completion(it: Bench) -> None:
    await it.press("ctrl+end")
    await it.type("plot(ta.sm")
    await it.until(lambda: it.app.popup.is_list)
    await it.checked()


async def _dialog(it: Bench, key: str) -> None:
    await it.press(key)
    await it.asked()


async def _problem(it: Bench) -> None:
    await it.press("f8")
    await it.until(lambda: "lenth" in it.message)


async def _run(it: Bench) -> None:
    it.front.editor.put(SCRIPT)
    await it.checked()
    await it.press("f9")
    await it.until(lambda: " bars, " in screen(it) and "•" in screen(it), "a run on the screen")


async def _inspect(it: Bench) -> None:
    it.front.editor.put(STRATEGY)
    await it.checked()
    it.app.remembered.bars["name"] = BARS
    await it.press("shift+f9")
    await it.until(lambda: it.app.inspection.overview is not None and it.app.inspection.values, "a run")
    await it.until(lambda: it.app.query_one("#inspector-names", DataTable).row_count > 3, "the names")


async def _optimize(it: Bench) -> None:
    it.front.editor.put(STRATEGY)
    await it.checked()
    await it.press("shift+f7")
    await it.until(lambda: it.app.query("#optimize-bars"), "the panel")
    it.app.query_one("#optimize-bars", Input).value = BARS
    await it.press("enter")
    await it.until(lambda: it.app.query_one("#panel-optimize OptionList", OptionList).option_count == 6, "the best")


async def _outline(it: Bench) -> None:
    await it.press("alt+o")
    await it.until(lambda: it.app.panel is not None and it.app.panel.query("OptionList").last().option_count > 2)  # type: ignore[attr-defined]


async def _find(it: Bench) -> None:
    await it.press("ctrl+r")
    await it.type("sum")
    await it.pilot.pause()


async def _search(it: Bench) -> None:
    await it.press("alt+i")
    await it.until(lambda: it.app.focused is not None and it.app.focused.id == "search-wanted")
    await it.type("sum")
    await it.press("enter")
    await it.until(lambda: it.app.query_one("#panel-search OptionList").option_count > 0)  # type: ignore[attr-defined]


async def _picture(it: Bench) -> None:
    picture = Image.linear_gradient("L").resize((64, 40)).convert("RGB")
    file = io.BytesIO()
    picture.save(file, "PNG")
    it.app.no_color = True  # shades can be told apart in a text
    await screenshots.show(it.app, file.getvalue(), "kept as a.png")
    await it.asked()
    await it.until(lambda: "░" in str(it.app.screen.query_one("#picture-cells").content))  # type: ignore[attr-defined]
    it.app.no_color = False


async def _tools(it: Bench) -> None:
    await it.press("alt+t")
    await it.until(lambda: it.app.query_one("#panel-tools OptionList").option_count > 50)  # type: ignore[attr-defined]
    await it.type("template")
    await it.pilot.pause()


async def _form(it: Bench) -> None:
    await it.press("alt+t")
    await it.until(lambda: it.app.query_one("#panel-tools OptionList").option_count > 0)  # type: ignore[attr-defined]
    it.app.query_one("#panel-tools", ToolsPanel).open("pine_indicator_values")
    await it.asked()
    it.app.screen.query_one("#field-bars Input", Input).value = "many"
    it.app.screen.query_one("#field-last Input", Input).value = "3"
    it.app.screen.query_one("#field-inputs Input", Input).value = '{"Length": 2}'
    await it.press("ctrl+r")
    await it.until(lambda: it.app.screen.query_one("#field-bars .field-wrong").display)


async def _chart(it: Bench) -> None:
    await it.press("alt+h")
    await it.until(lambda: isinstance(it.app.focused, ChartView))
    await it.until(lambda: "✖" in str(it.app.query_one("#chart-stand").content))  # type: ignore[attr-defined]
    panel = it.app.query_one("#panel-chart", ChartPanel)
    panel._end()  # there is no chart; the picture is given
    panel.show(VIEW._replace(candles=tuple(candles())))
    await it.pilot.pause()


async def _assistant(it: Bench) -> None:
    await it.press("alt+m")
    await it.until(lambda: it.app.focused is not None and it.app.focused.id == "assistant-request")
    panel = it.app.query_one("#panel-assistant", AssistantPanel)
    before = it.text
    first = before.replace("plot(lenth,", "plott(length,")
    last = first.replace("plott", "plot").replace("unused = 1\n", "")
    desk, timeline = ProposalDesk(it.app), Timeline()
    timeline.say("Mend it, and take out what is not used.")
    timeline.take(Piece("The name was misspelt."))
    timeline.take(ToolUse("1", "pine_explain", {"name": "plot"}))
    timeline.take(ToolResult("1", "pine_explain", {"success": True, "name": "plot"}))
    desk.begin(it.front, Wish("", "", "2", "local"))
    at = ToolContext(it.app.chart_browser, Context(), None)
    for number, source in enumerate((first, last), 2):
        told = await asyncio.to_thread(desk.propose, at, source)
        timeline.take(ToolUse(str(number), PROPOSE, {"source": source}))
        timeline.take(ToolResult(str(number), PROPOSE, dict(told)))
    timeline.take(Piece("The variable `unused` is **gone**."))
    conversation = Conversation(it.app.chart_browser, Service("claude-sonnet-5-5", "key-of-the-test"))
    conversation.spent += Usage(1000, 200, dollars=0.012)
    panel._desk, panel._timeline, panel._conversation = desk, timeline, conversation
    panel._show()
    await it.pilot.pause()


async def _proposed(it: Bench) -> None:
    await _assistant(it)
    await it.press("alt+d")
    await it.asked()


SCREENS: dict[str, Callable[[Bench], Awaitable[None]]] = {
    "problem": _problem,
    "completion": _completion,
    "find": _find,
    "outline": _outline,
    "search": _search,
    "run": _run,
    "inspect": _inspect,
    "optimize": _optimize,
    "chart": _chart,
    "picture": _picture,
    "tools": _tools,
    "form": _form,
    "assistant": _assistant,
    "proposed": _proposed,
    "quit": lambda it: _dialog(it, "ctrl+q"),
    "palette": lambda it: _dialog(it, "ctrl+p"),
    "help": lambda it: _dialog(it, "f1"),
}


_WHOLE = ("picture", "form")
"""The dialogs that cover the whole window."""


def _is_painted(it: Bench, name: str) -> bool:
    """Whether a dialog is painted, and what lies below it."""
    return name in _WHOLE or "Ln " in screen(it)


def _without_footer(text: str) -> str:
    """A screen without its last row: Textual empties the footer below a dialog at some time, or not at all."""
    return "\n".join(text.splitlines()[:-1]) + "\n\n"


async def _screens(folder: Path, size: tuple[int, int], pictures: Path | None = None) -> dict[str, str]:
    """Every screen at a size, by its name. `pictures` gets a picture of each."""
    found: dict[str, str] = {}
    script = write(folder / "a.pine", _WRONG)
    async with bench(script, size=size, folder=folder) as it:
        await it.checked()
        await it.press("ctrl+home")
        for name, story in SCREENS.items():
            if it.front.editor.text in (SCRIPT, STRATEGY) or name in ("quit", "palette"):
                it.front.editor.put(_WRONG + "// unsaved\n")
            await it.checked()
            await story(it)
            await it.pilot.pause()
            if it.dialog is not None:
                await it.until(partial(_is_painted, it, name), "the dialog and what lies below it")
            is_above_footer = it.dialog is not None and name not in _WHOLE
            found[name] = _without_footer(screen(it)) if is_above_footer else screen(it)
            if pictures is not None:
                it.app.save_screenshot(f"{name}-{size[0]}x{size[1]}.svg", str(pictures))
            await it.press("escape", "escape")
            await it.calm()
            if name == "completion":
                await it.press(*["ctrl+z"] * 3)
                it.front.editor.put(_WRONG)
            await it.press("alt+w", "alt+e", "ctrl+home")
            await it.checked()
    return found


async def test_a_dialog_that_is_read_before_it_is_painted_has_a_screen_below_it(tmp_path: Path) -> None:
    async with bench(write(tmp_path / "a.pine", SCRIPT)) as it:
        await it.checked()
        await it.app.push_screen(Ask("Quit", "Really?", [DialogChoice("yes", "Yes", "y")]))
        while "Really?" not in screen(it):
            await asyncio.sleep(0)
        assert "Ln " in screen(it)
        await it.pilot.pause()
        assert "Ln " in screen(it) and "Really?" in screen(it)


@pytest.mark.parametrize(
    "size",
    [pytest.param(size, marks=[] if size in _QUICK else [pytest.mark.soak]) for size in SIZES],
    ids=lambda size: f"{size[0]}x{size[1]}",
)
def test_screens_look_as_they_did(tmp_path: Path, size: tuple[int, int]) -> None:
    for name, text in asyncio.run(_screens(tmp_path, size)).items():
        kept = FOLDER / f"{name}-{size[0]}x{size[1]}.txt"
        assert text == kept.read_text(encoding="utf-8"), f"{kept.name} looks otherwise"
        assert max(map(len, text.splitlines())) <= size[0]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for width, height in SIZES:
        with tempfile.TemporaryDirectory() as place:
            os.environ.update(PINEBENCH_STATE_DIR=os.path.join(place, "state"), PINEBENCH_CDP_PORT="1")
            drawn = Path(sys.argv[1]) if len(sys.argv) > 1 else None
            for key, shown in asyncio.run(_screens(Path(place), (width, height), drawn)).items():
                (FOLDER / f"{key}-{width}x{height}.txt").write_text(shown, encoding="utf-8")
    sys.exit(0)
