"""Whatever a command is given, what it prints neither steers the terminal nor begins a line that it did not mean."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

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
