"""Whatever a command is given, what it prints neither steers the terminal nor begins a line that it did not mean."""

import json
import os
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pinebench.cli.table import COMMANDS
from tests.cli.support import CLEAN, in_terminal, pinebench

FORGED = "::error title=forged::line"
HOSTILE = f"a\n{FORGED}\r\x1b[2J\x1b]0;title\x07\u202e\u2066\x9b\x7f"
SCRIPT = f'//@version=6\nindicator("{HOSTILE[1:]}")\nplot(clsoe) // \x1b[31m\u202e\nx = \x1b\n'.replace("\n:", ":")

OUR_COLOURS = re.compile(r"\x1b\[(?:\d+(?:;\d+)*)?[mK]")


def assert_harmless(shown: str) -> None:
    """No character of `shown` steers anything, and no line begins with a workflow command that a name brought."""
    odd = [character for character in shown if not character.isprintable() and character != "\n"]
    assert not odd, repr(shown)
    assert not [line for line in shown.splitlines() if line.lstrip().startswith(FORGED)], repr(shown)
    assert "Traceback" not in shown


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one script whose name and text hold every kind of character that could do harm."""
    (tmp_path / f"{HOSTILE}.pine").write_text(SCRIPT, newline="")
    return tmp_path


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "gitlab", "junit"])
def test_reports(folder: Path, form: str) -> None:
    outcome = pinebench("lint", "--format", form, folder=folder)
    assert outcome.code == 1
    assert_harmless(outcome.out)
    assert outcome.err == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("parse", f"{HOSTILE}.pine"),
        ("compile", f"{HOSTILE}.pine"),
        ("compile", f"{HOSTILE}.pine", "--format", "json"),
        ("fix", f"{HOSTILE}.pine"),
        ("lint", "--fix"),
        ("lint", "--statistics"),
        ("lint", "--config", HOSTILE),
        ("lint", "--baseline", HOSTILE),
        ("lint", "--select", HOSTILE),
        ("lint", "-", "--stdin-filename", HOSTILE),
        ("template", "show", HOSTILE),
        ("template", "new", "ema_ribbon", "-o", f"{HOSTILE}.pine"),
        ("template", "new", "ema_ribbon", "-o", f"{HOSTILE}.fresh"),
        ("template", "search", HOSTILE),
        ("write", "--resume", "-o", HOSTILE),
        ("push", HOSTILE),
        ("watch", HOSTILE),
        ("doctor", "--cdp-host", HOSTILE),
        ("doctor", "--format", "json", "--cdp-host", "localhost", "--cdp-port", HOSTILE),
        ("launch", "--browser", HOSTILE),
        ("studio", "--bars", HOSTILE, "--no-browser", "--port", HOSTILE),
        (HOSTILE,),
        (f"--{HOSTILE}",),
        *((name, f"--{HOSTILE}") for name in COMMANDS),
        *((name, HOSTILE) for name in ("explain", "completion", "template", "parse", "compile", "fix", "lint")),
    ],
)
def test_arguments(folder: Path, arguments: tuple[str, ...]) -> None:
    outcome = pinebench(*arguments, folder=folder, stdin=SCRIPT.encode())
    assert_harmless(outcome.out + outcome.err)


@pytest.mark.parametrize("text", ['[lint]\n"{}" = 1', '["{}"]', '[lint]\nselect = ["{}"]', '[lint]\nfail-on = "{}"'])
def test_settings(folder: Path, text: str) -> None:
    escaped = "".join(character if character.isalnum() else f"\\u{ord(character):04x}" for character in HOSTILE)
    (folder / "pinebench.toml").write_text(text.format(escaped))
    outcome = pinebench("lint", folder=folder)
    assert outcome.code == 2
    assert_harmless(outcome.out + outcome.err)


@pytest.mark.parametrize(
    "variable", ["PINEBENCH_FAIL_ON", "PINEBENCH_SELECT", "PINEBENCH_CDP_PORT", "PINEBENCH_BROWSER"]
)
def test_environment(folder: Path, variable: str) -> None:
    for command in ("lint", "doctor"):
        outcome = pinebench(command, folder=folder, environment={variable: HOSTILE})
        assert_harmless(outcome.out + outcome.err)


@pytest.mark.parametrize(
    "arguments", [("lint",), ("lint", "--diff"), ("fix", f"{HOSTILE}.pine", "--diff"), ("compile", f"{HOSTILE}.pine")]
)
def test_terminals_get_no_sequence_but_our_colours(folder: Path, arguments: tuple[str, ...]) -> None:
    shown = in_terminal(*arguments, folder=folder).out
    assert_harmless(OUR_COLOURS.sub("", shown).replace("\r", "").replace("\t", " "))


def test_a_diff_that_is_piped_still_applies(folder: Path) -> None:
    script = folder / f"{HOSTILE}.pine"
    script.write_text(CLEAN.replace("close", "clsoe"))
    outcome = pinebench("lint", "--diff", folder=folder)
    assert outcome.code == 1
    header = outcome.out.split("\n")[0]
    assert header.startswith('--- "a\\n::error title=forged::line\\r\\033[2J')
    subprocess.run(["patch", "-p0"], cwd=folder, input=outcome.out.encode(), check=True, capture_output=True)
    assert script.read_text() == CLEAN


def test_a_name_that_is_not_utf_8_is_shown_by_its_bytes(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/caf\xe9.pine"
    with open(path, "w") as file:
        file.write(CLEAN.replace("close", "clsoe"))
    assert pinebench("lint", folder=tmp_path).out.startswith("caf\\xe9.pine:3:6: error")
    data = json.loads(pinebench("lint", "--format", "json", folder=tmp_path).out)
    assert data["files"] == ["caf\udce9.pine"]


def test_notes_of_a_log_are_a_line_each(folder: Path) -> None:
    outcome = pinebench("-vv", "doctor", "--cdp-host", "localhost", "--target", HOSTILE, "--no-wait", folder=folder)
    assert_harmless(outcome.out + outcome.err)


TITLES = """//@version=6
strategy("S TITLE", overlay = true)
length = input.int(5, "A TITLE", minval = 2, maxval = 9, group = "G TITLE", tooltip = "T TITLE")
plot(ta.sma(close, length), "P TITLE")
if ta.crossover(close, ta.sma(close, length))
    strategy.entry("E TITLE", strategy.long, comment = "C TITLE", alert_message = "M TITLE")
if ta.crossunder(close, ta.sma(close, length))
    strategy.close("E TITLE", comment = "X TITLE")
if barstate.islast
    label.new(bar_index, high, "L TITLE <script>alert(1)</script>", tooltip = "O TITLE")
    table.cell(table.new(position.top_right, 1, 1), 0, 0, "Z TITLE")
    log.warning("W TITLE")
    alert("R TITLE")
"""
"""A strategy with a text in every place that a script can name. `TITLE` is replaced."""
STEERING = "\x1b[2J\u202e\x1b]0;pwn\x07\x9b\x85\u2028</title></script><b>"
BARS = ("--data", "sample:AAPL@1Dx200")


COMMANDS = (
    ("optimize", "t.pine", *BARS, "--input", "length=2:4:1"),
    ("optimize", "t.pine", *BARS, "--input", "length=2:4:1", "--format", "json"),
    ("run", "t.pine", *BARS),
    ("run", "t.pine", *BARS, "--format", "json"),
    ("backtest", "t.pine", *BARS),
    ("backtest", "t.pine", *BARS, "--format", "json"),
    ("profile", "t.pine", *BARS),
    ("inspect", "t.pine", *BARS),
    ("why", "t.pine", *BARS, "--bar", "150", "length"),
    *(("lint", "t.pine", "--format", form) for form in ("text", "json", "sarif", "github", "gitlab", "junit")),
)
"""Commands that show titles of a script."""


@pytest.mark.parametrize("arguments", COMMANDS)
def test_no_title_of_a_script_steers_a_terminal(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "t.pine").write_text(
        TITLES.replace("TITLE", STEERING.replace("\u2028", "")), newline="", encoding="utf-8"
    )
    outcome = pinebench(*arguments, folder=tmp_path)
    assert outcome.code in (0, 1), outcome.err
    assert_harmless((outcome.out + outcome.err).replace("\t", " "))


def test_no_title_of_a_script_breaks_a_picture_or_a_page(tmp_path: Path) -> None:
    (tmp_path / "t.pine").write_text(
        TITLES.replace("TITLE", STEERING.replace("\u2028", "")), newline="", encoding="utf-8"
    )
    for name in ("p.svg", "p.html"):
        outcome = pinebench("run", "t.pine", *BARS, "--plot", name, folder=tmp_path)
        assert outcome.code == 0, outcome.err
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert not set(text) & set("\x1b\x07\u202e\x9b\x85"), name
        if name.endswith("svg"):
            assert ElementTree.fromstring(text).tag.endswith("svg")
        else:
            assert text.count("</title>") == 1 and "<script>alert(1)" not in text and "<b>" not in text
