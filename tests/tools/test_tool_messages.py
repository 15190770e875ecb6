"""Models are told the names of tools; people at a terminal the names of commands."""

import re
from pathlib import Path

import pytest

import pinebench
from pinebench.cli.table import COMMANDS
from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import answer, for_model
from pinebench.tools.tool_messages import TOOLS, for_models, result_for_models

ROOMS = Path(pinebench.__file__).parent
FACES = ("cli", "tui", "lsp", "studio")
QUOTED = re.compile(r"'pinebench [a-z-]+[^'\n]*'")
SAID = sorted(
    {
        text
        for path in ROOMS.rglob("*.py")
        if path.relative_to(ROOMS).parts[0] not in FACES
        for text in QUOTED.findall(path.read_text(encoding="utf-8"))
    }
)
"""Every command that a message of a room below the faces quotes."""


def test_the_tools_and_commands_exist() -> None:
    assert TOOLS.keys() <= COMMANDS.keys()
    assert set(TOOLS.values()) <= registry.tools().keys()


@pytest.mark.parametrize("text", SAID)
def test_every_command_that_messages_name_has_a_tool_or_a_person(text: str) -> None:
    told = for_models(f"run {text} again")
    assert told != f"run {text} again"
    for tool, options in re.findall(r"\b(\w+) with (.*) again$", told):
        assert set(re.findall(r"(\w+) = ", options)) <= registry.tools()[tool].arguments.keys(), told
    assert (told.startswith("call ") and "pinebench" not in told) or "which a person runs" in told
    assert len(SAID) >= 8


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("start one with 'pinebench launch', or 'pinebench studio'", "start one with tv_launch, or 'pinebench studio', "
         "which a person runs"),
        ("then run 'pinebench launch --browser edge'", "then call tv_launch with browser = edge"),
        ("'pinebench push FILE' puts it there", "pine_set_source puts it there"),
        ("run pinebench yourself", "run pinebench yourself"),
        ("'pinebench fix --quite X'", "'pinebench fix --quite X', which a person runs"),
        ("`pinebench migrate` converts it", "`pine_migrate` converts it"),
        ("run `pinebench lint`", "call `pine_lint`"),
        ("`pinebench chat` asks", "`pinebench chat` asks"),
    ],
)  # fmt: skip
def test_commands_become_tools(said: str, told: str) -> None:
    assert for_models(said) == told


def test_only_our_own_words_are_changed() -> None:
    text = "see 'pinebench doctor'"
    result = {"source": text, "hint": text, "rows": [{"advice": text, "text": text}], "notes": [text], "error": text}
    told = result_for_models({**result, "untrusted": ["error"]})
    tool = "see tv_health_check"
    assert told["rows"] == [{"advice": tool, "text": text}]
    assert (told["source"], told["hint"], told["notes"], told["error"]) == (text, tool, [tool], text)


def test_a_page_that_is_missing_names_the_tool_that_starts_a_browser() -> None:
    with ChartBrowser(port=9) as chart_browser:
        outcome = answer(chart_browser, "quote_get")
        told = for_model(chart_browser, "quote_get", outcome)
    assert "'pinebench launch'" in outcome.result["hint"]
    assert "start a browser with tv_launch" in told["hint"]


def test_a_script_that_was_not_checked_names_the_tool_that_converts_it() -> None:
    """Also a finding is a message: a model cannot run a command."""
    with ChartBrowser(port=9) as chart_browser:
        for tool in ("pine_analyze", "pine_lint", "pine_fix", "pine_run", "pine_repaint_check"):
            outcome = answer(chart_browser, tool, {"source": "//@version=5\nstudy('x')\n"})
            told = str(for_model(chart_browser, tool, outcome))
            assert "pine_migrate" in told and "pinebench migrate" not in told, tool


@pytest.mark.parametrize(
    ("tool", "arguments", "meant"),
    [
        ("pine_explain", {"name": "ta.smaa"}, "ta.sma"),
        ("pine_explain", {"name": "CE1O156"}, "CE10156"),
        ("pine_lint", {"source": "x", "select": ["shadowng"]}, "shadowing"),
        ("pine_lint", {"sorce": ""}, "source"),
        ("pine_lnt", {}, "pine_lint"),
        ("template_get", {"name": "markt_structure"}, "market_structure"),
        ("pine_run", {"source": "//@version=6\nindicator('x')\nplot(close)", "symbol": "APPL"}, "AAPL"),
        ("pine_run", {"source": "//@version=6\nindicator('x')\nplot(input(5, 'Len'))", "inputs": {"len": 5}}, "Len"),
        (
            "pine_backtest",
            {"source": "//@version=6\nstrategy('x')", "properties": {"comission_value": 5}},
            "commission",
        ),
        ("ui_open_panel", {"panel": "pine-editr", "action": "open"}, "pine-editor"),
        ("strategy_build", {"entry": "x"}, "entries"),
    ],
)
def test_a_slip_is_answered_with_the_name_that_was_meant(tool: str, arguments: dict[str, object], meant: str) -> None:
    with ChartBrowser(port=9) as chart_browser:
        result = answer(chart_browser, tool, arguments).result
    assert result["success"] is False
    said = result["error"] + result.get("hint", "")
    assert re.search(f"did you mean .?{re.escape(meant)}", said), result
