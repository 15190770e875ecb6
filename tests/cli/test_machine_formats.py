"""What machines read holds no character that steers a terminal, whichever command and format it comes from."""

import argparse
import ast
import json
import random
import unicodedata
from functools import cache
from pathlib import Path

import pytest
from mcp_types import TextContent

import pinebench as package
from pinebench.cli.common import declare
from pinebench.cli.console import Parser
from pinebench.cli.table import COMMANDS
from pinebench.mcp.server import called
from pinebench.printable import json_text
from pinebench.tools.tool_calls import ToolOutcome as Answer
from tests.cli.support import pinebench

_SIGNS = "\x9b2J\x9d0;x\x9c\u202eevil\u2066\u2069\u200e\u200b\x1b[31m\x07\x7f\u2028\u2029\ufeff\x85"
_IN_LINE = "".join(sign for sign in _SIGNS if sign not in "\u2028\u2029\x85")
_SCRIPTS = {
    "sound": (
        f'//@version=6\n// c {_IN_LINE}\nindicator("t {_SIGNS}")\n//@function does {_IN_LINE}\nf(x) => x + 1\n'
        f'x = input.int(3, "in {_SIGNS}")\nplot(f(x), "p {_SIGNS}")\nlog.info("l {_SIGNS}")\n'
        f'alert("a {_SIGNS}")\nlabel.new(bar_index, close, "b {_SIGNS}")\n'
    ),
    "broken": (
        f'//@version=6\nindicator("t {_SIGNS}")\ny = "{_SIGNS}" + true\nplot(ta.smaa(close, "{_SIGNS}"))\n'
        f"{_SIGNS}\nif close >\n"
    ),
    "swept": (
        f'//@version=6\nstrategy("t {_SIGNS}")\nn = input.int(3, "in {_SIGNS}", minval = 3, maxval = 4)\n'
        f'm = input.string("a", "m {_SIGNS}", options = ["a {_SIGNS}", "b"])\n'
        f'if bar_index % 5 == n\n    strategy.entry("L {_SIGNS}", strategy.long, comment = m)\n'
    ),
    "old": f'//@version=5\nindicator("t {_SIGNS}")\nplot(close, "p {_SIGNS}", transp = 10)\n',
    "strategy": (
        f'//@version=6\nstrategy("t {_SIGNS}")\nif bar_index % 5 == 0\n'
        f'    strategy.entry("L {_SIGNS}", strategy.long, comment = "c {_SIGNS}")\n'
        f'if bar_index % 5 == 3\n    strategy.close("L {_SIGNS}", comment = "x {_SIGNS}")\nplot(close, "p {_SIGNS}")\n'
    ),
}
_BARS = ("--data", "sample:AAPL@15x30")
_COMMANDS = [
    *((script, ("lint", "--no-cache", "--select", "ALL", "--format", form)) for script in _SCRIPTS for form in (
        *("text", "json", "sarif", "github", "gitlab", "junit"),
    )),
    *((script, ("parse", *form)) for script in _SCRIPTS for form in (
        *((), ("--format", "json"), ("--format", "json", "--engine", "lark")),
    )),
    *((script, ("compile", "--with", "local", "--format", form)) for script in _SCRIPTS for form in ("text", "json")),
    *((script, ("migrate", "--format", "json")) for script in ("sound", "broken", "old")),
    *((script, ("config", "--format", "json")) for script in ("sound",)),
    *(("sound", ("run", *_BARS, "--format", form)) for form in ("text", "json", "csv")),
    *(("strategy", ("run", *_BARS, "--format", form)) for form in ("json", "csv")),
    *(("strategy", ("backtest", *_BARS, "--format", form)) for form in ("text", "json")),
    ("strategy", ("backtest", *_BARS, "--trades", "/dev/stdout", "--force")),
    *(("strategy", ("why", *_BARS, "--bar", "0", f'"s {_SIGNS}" + str.tostring(close)', "--format", form)) for form in (
        *("text", "json"),
    )),
    *(("strategy", ("profile", *_BARS, "--no-advice", "--format", form)) for form in (
        *("text", "json", "html", "speedscope"),
    )),
    *(("strategy", ("inspect", *_BARS, "--calls", "--changes", "--drawings", "--format", form)) for form in (
        *("text", "json"),
    )),
    ("sound", ("run", *_BARS, "--no-repaint", "--format", "json")),
    *(("swept", ("optimize", *_BARS, "--format", form)) for form in ("text", "json")),
    ("swept", ("optimize", *_BARS, "-o", "r.csv", "--page", "r.html")),
    ("swept", ("optimize", *_BARS, "--walk-forward", "train=1D test=1D")),
    *(("sound", ("screen", "--data", "sample", "--symbols", "AAPL", "--where", "last(close) > 0", *form)) for form in (
        *((), ("--format", "json"), ("--format", "csv")),
    )),
]  # fmt: skip


def _steering(text: str) -> set[str]:
    return {
        f"U+{ord(sign):04X}"
        for sign in text
        if sign not in "\n\r\t" and unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    }


@pytest.mark.parametrize(
    ("script", "command"), _COMMANDS, ids=lambda part: part if isinstance(part, str) else "-".join(part)
)
def test_nothing_that_is_printed_steers_a_terminal(script: str, command: tuple[str, ...], tmp_path: Path) -> None:
    name = "a\x9b\u202e.pine"
    (tmp_path / name).write_text(_SCRIPTS[script])
    outcome = pinebench(command[0], name, *command[1:], folder=tmp_path)
    assert outcome.out or outcome.err
    assert _steering(outcome.out) == set()
    assert _steering(outcome.err) == set()


@cache
def _every_sign() -> list[str]:
    """Every character that steers, except the joiners, which texts need."""
    return [
        sign
        for sign in map(chr, range(0x110000))
        if unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp") and sign not in "\n\r\t\u200c\u200d"
    ]


def _shows_nothing_that_steers(seed: int, folder: Path) -> None:
    """A command on a script with signs by chance, in its text and its name."""
    dice = random.Random(seed)
    signs = "".join(dice.sample(_every_sign(), 12))
    in_line = "".join(sign for sign in signs if len(f"a{sign}b".splitlines()) == 1)
    script, command = dice.choice(_COMMANDS)
    name = f"a{dice.choice(in_line.replace(chr(0), '') or 'b')}.pine"
    (folder / name).write_text(_SCRIPTS[script].replace(_SIGNS, signs).replace(_IN_LINE, in_line), newline="")
    outcome = pinebench(command[0], name, *command[1:], folder=folder)
    assert outcome.out or outcome.err
    assert "Traceback" not in outcome.err
    assert _steering(outcome.out) | _steering(outcome.err) == set()


@pytest.mark.parametrize("seed", range(3))
def test_no_sign_of_any_kind_steers_a_terminal(seed: int, tmp_path: Path) -> None:
    _shows_nothing_that_steers(seed, tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 300))
def test_200_commands_show_nothing_that_steers(seed: int, tmp_path: Path) -> None:
    _shows_nothing_that_steers(seed, tmp_path)


def test_the_escapes_of_a_tree_mean_what_the_script_says(tmp_path: Path) -> None:
    (tmp_path / "a.pine").write_text(f'x = "{_IN_LINE}"\n')
    for engine in ("pinebench", "lark"):
        tree = json.loads(pinebench("parse", "a.pine", "--format", "json", "--engine", engine, folder=tmp_path).out)
        assert tree["body"][0]["value"]["text"] == f'"{_IN_LINE}"'


def test_json_keeps_its_meaning() -> None:
    value = {"a": [_SIGNS, "größer", 1.5, None, {"b\x9b": True}]}
    for layout in ({}, {"indent": 2}, {"separators": (",", ":")}):
        text = json_text(value, **layout)
        assert json.loads(text) == value
        assert _steering(text) == set()
        assert "größer" in text


def test_what_a_tool_answers_is_escaped_in_its_text_and_whole_in_its_data() -> None:
    result = {"success": True, "said": _SIGNS}
    answer = called(Answer(result))
    (shown,) = (each.text for each in answer.content if isinstance(each, TextContent))
    assert _steering(shown) == set()
    assert json.loads(shown) == result
    assert answer.structured_content == result


def test_json_is_printed_in_one_way_only() -> None:
    """A command that writes its JSON itself would forget the escapes."""
    root = Path(package.__file__).parent
    own = [
        f"{path.relative_to(root)}:{node.lineno}"
        for room in ("cli", "mcp", "linter/report")
        for path in (root / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "json.dumps"
        and any(word.arg == "ensure_ascii" for word in node.keywords)
    ]
    # The report is written by `linter.report.json.dump`, which escapes; a client's settings are its own file;
    # `logs` and `offer` escape what they write.
    files = list(dict.fromkeys(place.partition(":")[0] for place in own))
    assert sorted(files) == [
        "linter/report/json.py",
        "mcp/server.py",
        "mcp/settings.py",
        "mcp/web/logs.py",
        "mcp/web/public_tools.py",
    ]


_NO_RESULT_TO_READ = {
    **dict.fromkeys(("lsp", "debug", "mcp", "studio", "launch"), "starts a server or a browser"),
    **dict.fromkeys(("edit", "chat", "demo", "completion"), "talks with a person, or prints for a shell"),
    **dict.fromkeys(("write", "fix"), "tells its events as JSON lines (--events jsonl)"),
    **dict.fromkeys(("push", "pull", "bundle", "new"), "moves or writes scripts"),
    "doc": "writes a description for people",
    **dict.fromkeys(("tv", "chart"), "always prints JSON"),
}
"""The commands without `--format json`, and why."""


def _takes_json(parser: argparse.ArgumentParser) -> bool:
    """Whether a command, or one of its actions, takes `--format json`."""
    for action in parser._actions:
        if "--format" in action.option_strings and "json" in (action.choices or ()):
            return True
        if isinstance(action, argparse._SubParsersAction):
            return any(_takes_json(each) for each in action.choices.values())
    return False


def test_every_command_with_a_result_takes_json() -> None:
    without: set[str] = set()
    for name in COMMANDS:
        if not _takes_json(declare(Parser().add_subparsers(parser_class=Parser), name)[0]):
            without.add(name)
    assert without == set(_NO_RESULT_TO_READ)


def test_what_format_and_explain_tell_programs(tmp_path: Path) -> None:
    (tmp_path / "a.pine").write_text('//@version=6\nindicator("x")\nplot( close )\n')
    (tmp_path / "b.pine").write_text('//@version=6\nindicator("x"\n')
    (tmp_path / "c.pine").write_text('//@version=6\nindicator("x")\nplot(close)\n')
    for options, written in ((("--check",), False), ((), True)):
        outcome = pinebench("format", ".", "--json", *options, folder=tmp_path)
        scripts = json.loads(outcome.out)["scripts"]
        assert outcome.code == 1 and [each["path"] for each in scripts] == ["a.pine", "b.pine", "c.pine"]
        assert [each["changes"] for each in scripts] == [True, False, False]
        assert [each["written"] for each in scripts] == [written, False, False]
        assert [each["has_syntax_errors"] for each in scripts] == [False, True, False]
    refused = pinebench("format", "-", "--json", folder=tmp_path)
    assert refused.code == 2 and json.loads(refused.out)["success"] is False
    told = json.loads(pinebench("explain", "CE10272", "--json", folder=tmp_path).out)
    assert told["code"]["severity"] == "error" and "plot" in told["code"]["bad"] and told["texts"]
    assert json.loads(pinebench("explain", "ta.sma", "--format", "json", folder=tmp_path).out)["texts"]
    found = json.loads(pinebench("explain", "--search", "moving", "average", "--json", folder=tmp_path).out)["found"]
    assert found[0]["name"] == "ta.sma"
    assert pinebench("explain", "nothing at all", "--json", folder=tmp_path).code == 2
