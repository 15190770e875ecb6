"""`pinebench tv`: short words, the same objects as `call`, tables for people."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest

from pinebench.cli import main
from pinebench.cli.commands.tv import as_table
from pinebench.cli.shorthand import CONSTANTS, FIXED, JOINED, OPTIONS, READ, SHORT
from pinebench.tools import registry
from pinebench.tools.tool_calls import ToolOutcome
from tests.script_files import ScriptCase, script_cases
from tests.tables import each


def test_short_words_mean_tools() -> None:
    known = registry.tools()
    assert {*SHORT.values(), *READ.values(), *CONSTANTS} <= set(known)
    assert {*FIXED, *READ} <= set(SHORT)
    arguments = {name for tool in known.values() for name in tool.arguments}
    assert {name for name in OPTIONS if not name.startswith("-")} <= arguments
    assert {*JOINED.values()} <= arguments


@each("name", registry.tools())
def test_every_tool_has_a_command_of_its_own(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [key for key, tool in SHORT.items() if tool == name] or [name.replace("_", " ")]
    for said in words:
        with pytest.raises(SystemExit) as left:
            main(["tv", *said.split(), "--help"])
        assert left.value.code == 0
        assert f"pinebench tv {said}" in capsys.readouterr().out


@each("case", script_cases(Path(__file__).with_name("tv_lines.txt")))
def test_words_and_options_in_order_are_the_arguments(
    case: ScriptCase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name, given = case.fields[0], json.loads(case.below["arguments"])
    asked: list[object] = []

    def call(_chart_browser: object, tool: str, arguments: object) -> ToolOutcome:
        asked.extend((tool, arguments))
        return ToolOutcome({"success": True})

    monkeypatch.setattr("pinebench.tools.tool_calls.answer", call)
    assert main(["tv", *case.script.split()]) == 0
    assert asked == [name, given]
    registry.find(name).take(given)
    assert json.loads(capsys.readouterr().out) == {"success": True}


def test_a_script_comes_by_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = '//@version=6\nindicator("a")\nplot(close)\n'
    monkeypatch.setattr("pinebench.cli.commands.call.read_stdin", lambda _name: SimpleNamespace(text=text))
    monkeypatch.setattr("sys.stdin", StringIO(text))
    assert main(["tv", "pine", "analyze"]) == 0
    assert json.loads(capsys.readouterr().out)["issue_count"] == 0


@pytest.mark.parametrize(
    "words", [["template", "search", "ema", "--limit", "2"], ["template-search", "ema", "--limit=2"]]
)
def test_it_prints_what_call_prints(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tv", *words]) == 0
    said = capsys.readouterr().out
    assert main(["call", "template_search", "query=ema", "limit=2"]) == 0
    assert capsys.readouterr().out == said


def test_a_failure_prints_the_same_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tv", "quote", "--no-wait", "--cdp-port", "9"]) == 3
    said = capsys.readouterr().out
    assert main(["call", "quote_get", "--no-wait", "--cdp-port", "9"]) == 3
    assert capsys.readouterr().out == said
    assert main(["tv", "template", "search", "ema", "--limit", "abc"]) == 2
    assert json.loads(capsys.readouterr().out)["error"] == "limit must be a finite number, got: abc"


@each(
    "words",
    [
        [],
        ["nothing"],
        ["quote", "--nothing"],
        ["quote", "A", "B"],
        ["template", "get"],
        ["stream", "nothing"],
        ["alert", "create", "crossing"],
    ],
)
def test_what_cannot_be_understood_is_wrong_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tv", *words]) == 2
    told = json.loads(capsys.readouterr().out)
    assert told["success"] is False
    assert told["error"]


def test_without_a_value_it_reads(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tv", "symbol", "--no-wait", "--cdp-port", "9"]) == 3
    assert "nothing listens" in json.loads(capsys.readouterr().out)["error"]


def test_lists_become_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tv", "template", "list", "--kind", "library", "--table"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("count: ")
    assert lines[3].split() == ["name", "title", "kind", "purpose"]
    table = as_table({"success": True, "a": "x\x1b[2J", "rows": [{"b": 1}, {"c": None}]})
    assert "\x1b" not in table
    assert table.splitlines()[-3:] == ["b  c", "1", ""] or "b  c" in table
