"""Every tool has a form: what is wrong stands beside its field, nothing written is lost, and a call can be stopped."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import pytest
from textual.widgets import Button, Input, Label, OptionList, Static, TextArea

from pinebench.errors import UsageError
from pinebench.tools import registry
from pinebench.tools.arguments import IntegerArgument, TextArgument
from pinebench.tools.registry import Needs, Tool
from pinebench.tui import forms, results, view_commands
from pinebench.tui.dialogs import Ask, TextDialog
from pinebench.tui.fields import Chooser
from pinebench.tui.forms import Form
from pinebench.tui.panels.tools import ToolsPanel
from pinebench.tui.toolform import ToolForm
from tests.tables import each
from tests.tui.support import SCRIPT, Bench, bench, write

TOOLS = registry.tools()


def said(it: Bench) -> str:
    """What stands in the place for the result."""
    return str(it.app.screen.query_one("#tool-said", Static).content)


def wrong(it: Bench, name: str) -> str:
    """What is said beside a field; empty where nothing is."""
    found = it.app.screen.query_one(f"#field-{name} .field-wrong", Static)
    return str(found.content) if found.display else ""


async def opened(it: Bench, name: str) -> ToolForm:
    """The form of a tool, opened as a person opens it."""
    await it.press("alt+t")
    await it.until(lambda: it.app.focused is not None and it.app.focused.id == "tools-wanted")
    it.app.query_one("#tools-wanted", Input).value = name
    panel = it.app.query_one("#panel-tools", ToolsPanel)
    options = panel.query_one(OptionList)
    await it.until(lambda: options.highlighted_option is not None and options.highlighted_option.id == name)
    await it.press("enter")
    form = await it.asked()
    assert isinstance(form, ToolForm) and form.form.tool.name == name
    return form


@each("tool", TOOLS.values())
def test_a_form_says_what_the_registry_says(tool: Tool) -> None:
    form = Form(tool)
    form.written.clear()
    given = form.read(lambda: None)
    assert set(form.wrong) == tool.required and (given == {} if not tool.required else given is None)
    for name in tool.required:
        with pytest.raises(UsageError) as found:
            registry.taken(tool.name, {name: tool.arguments[name]}, frozenset({name}), {})
        assert form.wrong[name] == found.value.with_hint
    for name in tool.arguments:
        chosen = forms.choices(tool, name)
        assert len(chosen) == len({value for value, _ in chosen}) and len(forms.hint(tool, name)) < 200
        for value, _ in chosen:
            one = Form(tool)
            one.written[name] = value
            one.read(lambda: SCRIPT)
            assert name not in one.wrong or (not value and name in tool.required), (name, value)


def test_a_form_gives_what_is_written_and_keeps_what_is_wrong() -> None:
    form = Form(TOOLS["draw_shape"])
    form.written |= {"shape": "horizontal_line", "point": '{"time": 1, "price": "x"}', "point2": "  "}
    assert form.read(lambda: None) is None
    assert form.wrong == {"point": "point.price must be a finite number, got: x"}
    assert form.written["point"] == '{"time": 1, "price": "x"}'
    form.written["point"] = '{"time": 1, "price": 2.5}'
    assert form.read(lambda: None) == {"shape": "horizontal_line", "point": {"time": 1, "price": 2.5}}
    form = Form(TOOLS["pine_lint"])
    form.written["select"] = "PB001, PB002"
    assert form.read(lambda: "text") == {"source": "text", "select": ["PB001", "PB002"]}
    assert form.read(lambda: None) is None and "no script is open" in form.wrong["source"]


async def test_a_person_finds_a_tool_calls_it_and_reads_its_result(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script, size=(80, 24)) as it:
        form = await opened(it, "template_search")
        # What is wrong stands beside its field, in the registry's words; the values stay.
        it.app.screen.query_one("#field-limit Input", Input).value = "many"
        await it.press("ctrl+r")
        await it.until(lambda: wrong(it, "query"))
        assert "query is missing" in wrong(it, "query")
        assert wrong(it, "limit") == "✖ limit must be a finite number, got: many"
        assert it.app.focused is it.app.screen.query_one("#field-query Input")
        await it.type("moving")
        assert not wrong(it, "query") and wrong(it, "limit")
        it.app.screen.query_one("#field-limit Input", Input).value = "2"
        await it.press("enter")
        await it.until(lambda: "done" in said(it))
        outcome = form.form.outcome
        assert outcome is not None and outcome.result["success"]
        assert "query=moving, limit=2" in said(it)
        # As JSON, in full; into the clipboard; help; and back.
        await it.press("f6")
        assert json.loads(said(it)) == outcome.result
        await it.press("alt+y")
        await it.until(lambda: it.app.clipboard)
        assert json.loads(it.app.clipboard) == outcome.result
        await it.press("f6", "pagedown", "f1")
        await it.until(lambda: isinstance(it.app.screen, TextDialog))
        await it.press("escape")
        await it.until(lambda: it.app.screen is form)
        await it.press("escape")
        await it.calm()
        # What was written, and what came of it, is there again.
        again = await opened(it, "template_search")
        assert again.form is form.form and "done" in said(it)
        assert it.app.screen.query_one("#field-query Input", Input).value == "moving"
        await it.press("escape")
        await it.calm()
        await it.press("escape", "x")
        assert it.text == "x" + SCRIPT


def _highlighted(options: OptionList) -> str:
    """The name of the tool that is highlighted."""
    return (options.highlighted_option and options.highlighted_option.id) or ""


async def test_the_list_is_narrowed_by_words_and_walked_by_keys() -> None:
    async with bench(size=(80, 24)) as it:
        await it.press("alt+t")
        panel = it.app.query_one("#panel-tools", ToolsPanel)
        options, count = panel.query_one(OptionList), panel.query_one("#tools-count", Label)
        await it.until(lambda: options.option_count > len(TOOLS))
        assert str(count.content) == f"{len(TOOLS)} tools"
        names = [option.id for option in options.options if option.id]
        assert names == list(TOOLS)
        await it.press("down", "down", "down", "down")
        assert options.highlighted_option is not None and options.highlighted_option.id == names[4]
        await it.press("up", "pagedown", "pageup")
        assert options.highlighted_option.id == names[3]
        await it.type("alert delete")
        await it.until(lambda: str(count.content) == "1 tool")
        assert "✖" in str(options.get_option("alert_delete").prompt)
        # A name that begins with the words comes before one that has them, and that before a description.
        for words, name in (("symbol", "symbol_"), ("watchlist", "watchlist_"), ("chart_set", "chart_set_")):
            await it.press("ctrl+u")
            await it.type(words)
            await it.until(lambda name=name: _highlighted(options).startswith(name), words)
        await it.type("zzz")
        await it.until(lambda: "no tool" in str(count.content))
        await it.press("enter")
        assert it.dialog is None
        assert "cannot be undone" in view_commands._help_of(it.app.focused)[1]


async def test_values_are_chosen_by_keys_and_by_the_mouse(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script, size=(120, 40)) as it:
        form = await opened(it, "pine_format")
        chooser = it.app.screen.query_one("#field-source Chooser", Chooser)
        area = it.app.screen.query_one("#field-source TextArea", TextArea)
        assert chooser.value == forms.SCRIPT and not area.display
        # The script in front counts as it is when the tool is called.
        assert it.app.front is not None
        it.app.front.editor.put("//@version=6\nindicator('x')\nplot( close )\n")
        await it.press("ctrl+r")
        await it.until(lambda: "done" in said(it))
        assert form.form.outcome is not None and "plot(close)" in json.dumps(form.form.outcome.result)
        await it.pilot.click(chooser, offset=(10, 0))
        await it.until(lambda: area.display)
        area.text = "plot( open )"
        await it.until(lambda: form.form.written["source"] == "plot( open )")
        await it.pilot.click(chooser, offset=(1, 0))
        await it.until(lambda: form.form.written["source"] == forms.SCRIPT)
        chooser.focus()
        await it.press("right")
        await it.until(lambda: form.form.written["source"] == "plot( open )")
        await it.pilot.click("#tool-run")
        await it.until(lambda: "open" in said(it))
        await it.press("escape")
        await it.calm()
        await opened(it, "template_list")
        chooser = it.app.screen.query_one("#field-kind Chooser", Chooser)
        assert chooser.value == "" and it.app.focused is chooser
        await it.press("left", "right", "s")
        assert chooser.value == "strategy"
        await it.press("enter")
        await it.until(lambda: "kind=strategy" in said(it))


@pytest.fixture
def declare(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Tool]]:
    """Declares a tool for as long as the test runs."""

    def declared(function: Callable[..., object], *, destroys: bool = False) -> Tool:
        name = function.__name__
        tool = Tool("ui", "A tool.", needs=Needs.NOTHING, changes=True, destroys=destroys, name=name, function=function)
        monkeypatch.setitem(registry.tools(), name, tool)
        return tool

    return declared  # type: ignore[return-value]


async def test_a_call_can_be_stopped_and_left(declare: Callable[..., Tool]) -> None:
    def slow_tool(at) -> dict[str, object]:
        at.context.progress("waiting")
        at.context.sleep(600)
        return {}

    declare(slow_tool)
    async with bench() as it:
        form = await opened(it, "slow_tool")
        await it.press("ctrl+r")
        await it.until(lambda: "running" in said(it))
        await it.until(lambda: "waiting" in it.status)
        await it.press("ctrl+r")  # runs once
        await it.press("alt+q")
        await it.until(lambda: "stopped" in said(it))
        assert not form.form.is_running
        await it.press("ctrl+r")
        await it.until(lambda: "running" in said(it))
        await it.press("escape")
        await it.calm()
        assert "waiting" in it.status and form.form.is_running
        await opened(it, "slow_tool")
        await it.until(lambda: not it.app.screen.query_one("#tool-stop", Button).disabled)
        await it.pilot.click("#tool-stop")
        await it.until(lambda: "stopped" in said(it))
        await it.press("ctrl+r")
        await it.press("escape")
        await it.calm()
        await it.until(lambda: "waiting" in it.status)
        await it.press("alt+q")
        await it.until(lambda: "slow_tool: " in it.message)


async def test_what_cannot_be_undone_is_asked_first(declare: Callable[..., Tool]) -> None:
    done: list[str] = []

    def ruin_it(at) -> dict[str, object]:
        done.append("ruined")
        return {"gone": True}

    declare(ruin_it, destroys=True)
    async with bench() as it:
        await opened(it, "ruin_it")
        for answer, times in (("l", 0), ("escape", 0), ("d", 1)):
            await it.press("ctrl+r")
            await it.until(lambda: isinstance(it.app.screen, Ask))
            await it.pilot.pause()
            await it.press(answer)
            await it.until(lambda: isinstance(it.app.screen, ToolForm))
            await it.until(lambda times=times: len(done) == times)
        await it.until(lambda: "gone" in said(it))


async def test_without_a_chart_the_tool_says_so_and_nothing_else_is_worse(tmp_path: Path) -> None:
    script = write(tmp_path / "a.pine", SCRIPT)
    async with bench(script) as it:
        form = await opened(it, "chart_set_symbol")
        await it.type("NASDAQ:MSFT")
        await it.press("enter")
        await it.until(lambda: "failed" in said(it))
        assert form.form.outcome is not None
        assert form.form.outcome.result["error"] in said(it) and form.form.outcome.result["hint"] in said(it)
        assert form.form.written == {"symbol": "NASDAQ:MSFT"}
        await it.press("escape")
        await it.calm()
        await it.press("escape", "x")
        await it.checked()
        assert it.text == "x" + SCRIPT and "error" in it.status


async def test_what_a_tool_finds_wrong_with_an_argument_stands_beside_it(declare: Callable[..., Tool]) -> None:
    def picky_tool(
        at, depth: Annotated[int, IntegerArgument("how deep", 1, 9)] = 2, name: Annotated[str, TextArgument()] = ""
    ) -> dict:
        raise UsageError(f"depth cannot be {depth} here", "go up")

    declare(picky_tool)
    async with bench() as it:
        form = await opened(it, "picky_tool")
        assert it.app.screen.query_one("#field-depth Input", Input).placeholder == "2"
        await it.press("7", "enter")
        await it.until(lambda: "failed" in said(it))
        assert wrong(it, "depth") == "✖ depth cannot be 7 here (go up)" and not wrong(it, "name")
        await it.press("backspace", "3")
        await it.until(lambda: not wrong(it, "depth"))
        assert form.form.written["depth"] == "3" and "failed" in said(it)


def test_a_result_is_laid_out_for_its_width() -> None:
    look = results.ResultStyle("red", "white", "green", "red")
    rows = [{"time": 1_700_000_000 + 86_400 * n, "name": "汉字" * n, "value": n + 0.5} for n in range(3)]
    result = {
        "success": True,
        "untrusted": ["rows"],
        "note": "a\x1b[2Jb",
        "rows": rows,
        "text": "one\ntwo",
        "empty": [],
    }
    for width in (20, 40, 120):
        text = results.words(result, width, look).plain
        assert "success" not in text and "untrusted" not in text and "\x1b" not in text
        assert "one" in text and "two" in text and "none" in text
        if width > 20:
            assert all(len(line) <= width for line in text.splitlines()), text
    assert "2023-11-14 22:13" in results.words(result, 120, look).plain
    assert "the text continues" in results.words({"truncated": True, "source": "a"}, 40, look).plain
    for rows in ([{"a": n, "b": "long " * 30, "c": {}} for n in range(1005)], list(range(1005)), [{"a": 1}] * 1005):
        assert "and 5 more" in results.words({"rows": rows}, 40, look).plain.splitlines()[-1]
    assert "left_out  7" in results.words({"left_out": 7}, 40, look).plain
    assert results.moment(0) == "1970-01-01"


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (100, 30)])
async def test_a_small_terminal_shows_the_result_of_a_call(tmp_path: Path, size: tuple[int, int]) -> None:
    async with bench(write(tmp_path / "a.pine", SCRIPT), size=size) as it:
        await opened(it, "pine_run")
        await it.until(lambda: it.app.focused is not None)
        it.app.screen.query_one("#field-symbol Input", Input).value = "NO:SUCH"
        await it.press("ctrl+r")
        await it.until(lambda: "failed" in said(it), "the result")

        def seen() -> str:
            return "".join(strip.text for strip in it.app.screen._compositor.render_strips())

        await it.until(lambda: "✖ failed" in seen() and "NO:SUCH" in seen().partition("✖ failed")[2], "the error")
