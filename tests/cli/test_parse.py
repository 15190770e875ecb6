"""`pinebench parse`: a tree for people, one for programs, and both for any depth."""

import json
from pathlib import Path

from tests.cli.support import CLEAN, SAMPLES, UNCLOSED, pinebench

TREE = """\
ExpressionStatement @2:1
  expression: Call @2:1
    callee: Name id='indicator' @2:1
    arguments:
      Literal kind='string' text='"Clean"' @2:11
ExpressionStatement @3:1
  expression: Call @3:1
    callee: Name id='plot' @3:1
    arguments:
      Name id='close' @3:6
"""


def test_the_tree_shows_every_node_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "clean.pine").write_text(CLEAN)
    assert pinebench("parse", "clean.pine", folder=tmp_path) == (0, TREE, "")


def test_json_holds_the_same_tree(tmp_path: Path) -> None:
    outcome = pinebench("parse", "-", "--format", "json", folder=tmp_path, stdin=CLEAN.encode())
    data = json.loads(outcome.out)
    assert data["version"] == 6
    call = data["body"][1]["expression"]
    assert (call["node"], call["line"], call["column"], call["end_line"], call["end_column"]) == ("Call", 3, 1, 3, 12)
    assert call["arguments"][0] == {
        "node": "Name",
        "line": 3,
        "column": 6,
        "end_line": 3,
        "end_column": 11,
        "id": "close",
    }


def test_both_engines_give_the_same_tree(tmp_path: Path) -> None:
    sample = str(SAMPLES / "language_tour.pine")
    ours = pinebench("parse", sample, "--format", "json", folder=tmp_path)
    larks = pinebench("parse", sample, "--format", "json", "--engine", "lark", folder=tmp_path)
    assert ours.code == 0
    assert larks == ours


def test_syntax_errors_go_to_stderr_and_the_sound_parts_to_stdout(tmp_path: Path) -> None:
    (tmp_path / "unclosed.pine").write_text(UNCLOSED)
    outcome = pinebench("parse", "unclosed.pine", folder=tmp_path)
    assert outcome.code == 1
    assert "CE10015" in outcome.err
    assert "Name id='indicator'" in outcome.out


def test_deep_nesting_is_shown_in_full(tmp_path: Path) -> None:
    deep = "x = " + "".join(f"{index} + " for index in range(3000)) + "(" * 80 + "1" + ")" * 80 + "\n"
    for form in ("tree", "json"):
        outcome = pinebench("parse", "-", "--format", form, folder=tmp_path, stdin=deep.encode())
        assert outcome.code == 0, outcome.err
        assert outcome.out.count("Parenthesized") == 80
        assert outcome.out.count("Binary") == 3000
