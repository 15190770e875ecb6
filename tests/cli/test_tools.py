"""`pinebench tools` and `pinebench call` as people and programs use them."""

import json
from pathlib import Path

import pytest

from pinebench.cli import main
from pinebench.tools import registry


def test_tools_lists_every_tool_and_shows_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tools"]) == 0
    listed = capsys.readouterr().out
    assert all(f"  {name} " in listed for name in registry.tools())
    assert main(["tools", "pine_get_source"]) == 0
    shown = capsys.readouterr().out
    assert "max_chars: integer" in shown
    assert "line_count" in shown
    assert main(["tools", "--group", "templates", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in data] == ["template_list", "template_search", "template_get"]
    assert data[2]["input_schema"]["required"] == ["name"]


@pytest.mark.parametrize(
    "argv", [["tools", "nope"], ["tools", "--group", "nope"], ["call", "nope"], ["call", "pine_lint", "x"]]
)
def test_what_is_not_there_is_wrong_usage(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert err
    assert out == "" if argv[0] == "tools" else json.loads(out)["success"] is False


def test_call_takes_json_and_words_and_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = tmp_path / "a.pine"
    script.write_text('//@version=6\nindicator("a")\nplot(zzz)\n', encoding="utf-8")
    assert main(["call", "pine_analyze", f"source=@{script}"]) == 0
    assert json.loads(capsys.readouterr().out)["issue_count"] == 1
    assert main(["call", "template_search", '{"query": "ema"}', "limit=2"]) == 0
    assert json.loads(capsys.readouterr().out)["count"] == 2
    assert main(["call", "template_search", '{"limit": 1}', "limit=2", "query=x"]) == 2
    assert main(["call", "template_search", '{"query": "ema", "limit": 1, "limit": 2}']) == 2


def test_a_failure_is_an_object_and_the_exit_code_says_of_which_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["call", "template_search", "query=ema", "limit=abc"]) == 2
    assert json.loads(capsys.readouterr().out) == {"success": False, "error": "limit must be a finite number, got: abc"}
    assert main(["call", "tv_health_check", "--no-wait", "--cdp-port", "9"]) == 3
    failed = json.loads(capsys.readouterr().out)
    assert failed["success"] is False
    assert "no program listens" in failed["error"]
