"""Every tool is declared whole, and its declaration is what faces need."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pinebench.agent.prompt import system
from pinebench.errors import UsageError
from pinebench.mcp.instructions import INSTRUCTIONS
from pinebench.tools import registry
from pinebench.tools.arguments import (
    ChoiceArgument,
    Fields,
    Flag,
    IntegerArgument,
    ListArgument,
    NamesArgument,
    NamesOrObjects,
    Number,
    ScriptArgument,
    TextArgument,
    TimeframeArgument,
    ValuesArgument,
)
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.registry import GROUPS, Needs, Tool
from pinebench.tools.tool_calls import call
from tests.tables import each
from tests.tools.test_arguments import NO_NUMBERS

TOOLS = registry.tools()
WRONG = {
    Number: "abc",
    IntegerArgument: "abc",
    Flag: "maybe",
    ChoiceArgument: "nothing of these",
    TextArgument: 5,
    ScriptArgument: "/tmp/a.pine",
    TimeframeArgument: "soon",
    ListArgument: True,
    NamesArgument: 5,
    NamesOrObjects: 5,
    Fields: 5,
    ValuesArgument: 5,
}


def nowhere() -> ChartBrowser:
    """A `ChartBrowser` whose browser is not there."""
    return ChartBrowser(port=9)


@each("tool", TOOLS.values())
def test_a_tool_says_what_it_is(tool: Tool) -> None:
    assert tool.group in {group.name for group in GROUPS}
    assert tool.summary.endswith(".")
    assert len(tool.summary) < 200
    assert len(tool.result_keys) > 0, "its function names no TypedDict"
    assert "verified" in tool.result_keys or not (tool.changes and tool.needs.page), "it claims what it did not read"
    assert set(tool.untrusted) <= set(tool.result_keys)
    assert "error" not in tool.result_keys, "an error never stands beside success: true"
    schema = tool.input_schema()
    assert schema["type"] == "object"
    assert set(schema.get("required", [])) <= set(schema["properties"])
    assert ("target" in tool.arguments) >= tool.needs.page
    json.dumps([schema, tool.output_schema()])


@each("tool", TOOLS.values())
def test_every_argument_is_described(tool: Tool) -> None:
    """`target` is described once for all tools, where every model reads it before the tools."""
    told = tool.input_schema()["properties"]
    silent = [name for name, schema in told.items() if not schema.get("description")]
    assert silent == [name for name in told if name == "target" and tool.needs.page]
    assert "`target`" in INSTRUCTIONS and "`target`" in system()


CASES = [(tool.name, name) for tool in TOOLS.values() for name in tool.arguments]


@each(("name", "argument"), CASES)
def test_a_bad_argument_is_refused_before_anything_is_done(name: str, argument: str) -> None:
    result = call(nowhere(), name, {argument: WRONG[type(TOOLS[name].arguments[argument])]})
    assert result["success"] is False
    assert re.match(rf"{argument} (must|cannot)|\w+ is missing", result["error"]), result


NUMBERS = [
    (name, argument)
    for name, argument in CASES
    if isinstance(TOOLS[name].arguments[argument], Number | IntegerArgument)
]


@each(("name", "argument"), NUMBERS)
def test_what_is_no_number_is_refused_in_the_same_words_by_every_tool(name: str, argument: str) -> None:
    given = {each: fitting(TOOLS[name], each) for each in TOOLS[name].required}
    for value, shown in NO_NUMBERS:
        result = call(nowhere(), name, {**given, argument: value})
        assert result["error"].startswith(f"{argument} must be a finite number, got: {shown}"), result


@each("tool", TOOLS.values())
def test_an_unknown_argument_is_refused(tool: Tool) -> None:
    result = call(nowhere(), tool.name, {"no_such": 1})
    assert result["error"] == f"{tool.name} has no argument 'no_such'"


@pytest.mark.parametrize(
    "tool",
    [each for each in TOOLS.values() if each.needs.page or each.needs is Needs.BROWSER],
    ids=lambda each: each.name,
)
def test_without_a_browser_a_tool_says_so(tool: Tool) -> None:
    given = {name: fitting(tool, name) for name in tool.required}
    result = call(nowhere(), tool.name, given)
    assert result["success"] is False
    assert "no program listens" in result["error"] or "no browser answers" in result["error"], result
    assert "pinebench launch" in result["hint"]


def fitting(tool: Tool, name: str) -> object:
    """Some value that an argument takes."""
    return SAMPLES.get((tool.name, name)) or fit(tool.arguments[name])


def fit(kind: object) -> object:
    match kind:
        case ChoiceArgument():
            return kind.values[0]
        case IntegerArgument():
            return max(1, kind.least)
        case Number():
            return max(1.0, kind.least)
        case Flag():
            return True
        case ListArgument():
            return [fit(kind.kind)] * max(1, kind.least)
        case Fields():
            return {key: fit(each) for key, each in kind.fields.items()}
        case ValuesArgument():
            return {"length": 5}
        case NamesOrObjects():
            return ["rsi"]
        case TextArgument() | NamesArgument():
            return kind.example or "x"
        case _:
            raise AssertionError(kind)


SAMPLES: dict[tuple[str, str], object] = {}


def test_every_tool_is_tried_in_a_test_of_its_own() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("*.py"))
    tried = set(re.findall(r'\b(?:use|call|refused)\([^"\n]*\s*"(\w+)"', tests))
    assert set(TOOLS) <= tried, sorted(set(TOOLS) - tried)


def test_a_tool_that_verifies_says_what_it_compared() -> None:
    groups = ("chart", "view", "batch", "pine")
    silent = [tool.name for tool in TOOLS.values() if tool.group in groups and "verified" in tool.result_keys]
    assert [name for name in silent if not TOOLS[name].proof] == []


NAMES = """
    alert_create alert_delete alert_list batch_run capture_screenshot chart_get_state chart_get_visible_range
    chart_manage_indicator chart_scroll_to_date chart_set_symbol chart_set_timeframe chart_set_type
    chart_set_visible_range data_get_equity data_get_indicator data_get_ohlcv data_get_pine_boxes
    data_get_pine_labels data_get_pine_lines data_get_pine_tables data_get_strategy_results
    data_get_study_values data_get_trades depth_get draw_clear draw_get_properties draw_list draw_remove_one
    draw_shape indicator_set_inputs indicator_toggle_visibility layout_list layout_switch pane_focus pane_list
    pane_set_layout pane_set_symbol pine_analyze pine_check pine_compile pine_get_console pine_get_errors
    pine_get_source pine_list_scripts pine_new pine_open pine_save pine_set_source pine_smart_compile quote_get
    replay_autoplay replay_start replay_status replay_step replay_stop replay_trade symbol_info symbol_search
    tab_close tab_list tab_new tab_switch tv_discover tv_health_check tv_launch tv_ui_state ui_click ui_evaluate
    ui_find_element ui_fullscreen ui_hover ui_keyboard ui_mouse_click ui_open_panel ui_scroll ui_type_text
    watchlist_add watchlist_get
""".split()
"""The names of the tools of the two older programs that drive TradingView's page."""


def test_every_name_of_the_older_programs_answers() -> None:
    assert len(NAMES) == 78
    missing = [name for name in NAMES if "there is no tool" in str(call(nowhere(), name, {"x": 1}).get("error"))]
    assert missing == []


def test_a_second_name_answers_and_is_not_listed() -> None:
    for second, name in registry.SECOND_NAMES.items():
        assert registry.find(second) is TOOLS[name]
        assert second not in TOOLS


def test_unknown_tools_and_groups_are_named_with_what_is_near() -> None:
    with pytest.raises(UsageError) as unknown:
        registry.find("pine_analyse")
    assert "pine_analyze" in str(unknown.value.hint)
    with pytest.raises(UsageError, match="there is no group of tools 'pines'"):
        registry.chosen("health,pines")
    result = call(nowhere(), "no_such_tool", {})
    assert result["success"] is False


def test_read_only_leaves_out_what_changes() -> None:
    every = registry.chosen("all")
    reading = registry.chosen("all", read_only=True)
    left_out = {each.name for each in every} - {each.name for each in reading}
    assert left_out == {each.name for each in every if each.changes} | {"pine_write"}
    assert not any(each.changes or each.spends for each in reading)


def test_the_order_of_tools_does_not_depend_on_the_order_of_imports() -> None:
    def order(*first: str) -> str:
        code = "".join(f"import pinebench.tools.{name}\n" for name in first)
        code += "from pinebench.tools import registry\nprint(*registry.tools())"
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert order() == order("verification", "chart")
