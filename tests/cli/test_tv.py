"""`pinebench tv`: short words, the same objects as `call`, tables for people."""

import json
from io import StringIO
from types import SimpleNamespace

import pytest

from pinebench.cli import main
from pinebench.cli.commands.tv import as_table
from pinebench.cli.shorthand import CONSTANTS, FIXED, JOINED, OPTIONS, READ, SHORT
from pinebench.tools import registry
from pinebench.tools.tool_calls import ToolOutcome
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


@pytest.mark.parametrize(
    ("line", "name", "given"),
    [
        ("quote NASDAQ:MSFT", "quote_get", {"symbol": "NASDAQ:MSFT"}),
        ("search apple inc --limit 3", "symbol_search", {"query": "apple inc", "limit": 3}),
        ("range --from 1 --to 2", "chart_set_visible_range", {"from": 1, "to": 2}),
        ("range 1 2", "chart_set_visible_range", {"from": 1, "to": 2}),
        ("ohlcv -n 20 -s", "data_get_ohlcv", {"count": 20, "summary": True}),
        (
            "data labels -f trend --max 5 -v",
            "data_get_pine_labels",
            {"study_filter": "trend", "max_labels": 5, "verbose": True},
        ),
        ("pine new strategy", "pine_new", {"type": "strategy"}),
        (
            "draw shape -t horizontal_line -p 100 --time 1",
            "draw_shape",
            {"shape": "horizontal_line", "point": {"price": 100, "time": 1}},
        ),
        (
            "draw shape trend_line --price 1 --time 2 --price2 3 --time2 4",
            "draw_shape",
            {"shape": "trend_line", "point": {"price": 1, "time": 2}, "point2": {"price": 3, "time": 4}},
        ),
        (
            "alert create -p 100 -c crossing -m high",
            "alert_create",
            {"price": 100, "condition": "crossing", "message": "high"},
        ),
        ("alert create crossing 100", "alert_create", {"condition": "crossing", "price": 100}),
        ("alert create crossing -5", "alert_create", {"condition": "crossing", "price": -5}),
        ("alert delete --all --confirm", "alert_delete", {"delete_all": True, "confirm": True}),
        (
            'indicator add RSI -i {"length":7}',
            "chart_manage_indicator",
            {"action": "add", "indicator": "RSI", "inputs": {"length": 7}},
        ),
        ("indicator remove abc", "chart_manage_indicator", {"action": "remove", "entity_id": "abc"}),
        ("indicator toggle abc --hidden", "indicator_toggle_visibility", {"entity_id": "abc", "visible": False}),
        ("indicator toggle abc --visible", "indicator_toggle_visibility", {"entity_id": "abc", "visible": True}),
        ("ui keyboard s --ctrl --shift", "ui_keyboard", {"key": "s", "modifiers": ["ctrl", "shift"]}),
        (
            "ui mouse 10 20 --right --double",
            "ui_mouse_click",
            {"x": 10, "y": 20, "button": "right", "double_click": True},
        ),
        ("ui panel watchlist open", "ui_open_panel", {"panel": "watchlist", "action": "open"}),
        ("ui type two words", "ui_type_text", {"text": "two words"}),
        ("batch AAPL MSFT --action ohlcv", "batch_run", {"symbols": ["AAPL", "MSFT"], "action": "ohlcv"}),
        ("launch -p 9300 --no-kill", "tv_launch", {"port": 9300, "kill_existing": False}),
    ],
)
def test_words_and_options_in_order_are_the_arguments(
    line: str, name: str, given: dict[str, object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[object] = []

    def call(_chart_browser: object, tool: str, arguments: object) -> ToolOutcome:
        asked.extend((tool, arguments))
        return ToolOutcome({"success": True})

    monkeypatch.setattr("pinebench.tools.tool_calls.answer", call)
    assert main(["tv", *line.split()]) == 0
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
    assert "no program listens" in json.loads(capsys.readouterr().out)["error"]


def test_lists_become_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tv", "template", "list", "--kind", "library", "--table"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("count: ")
    assert lines[3].split() == ["name", "title", "kind", "purpose"]
    table = as_table({"success": True, "a": "x\x1b[2J", "rows": [{"b": 1}, {"c": None}]})
    assert "\x1b" not in table
    assert table.splitlines()[-3:] == ["b  c", "1", ""] or "b  c" in table
