"""The command line as a whole: help, versions, mistakes, interruptions."""

import argparse
import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pinebench import LANGUAGE_DATE, __version__
from pinebench.cli import common
from pinebench.cli.console import Parser
from pinebench.cli.table import COMMANDS
from tests.cli.support import CLEAN, UNCLOSED, pinebench, surroundings


def test_the_version_names_the_month_of_the_language(tmp_path: Path) -> None:
    outcome = pinebench("--version", folder=tmp_path)
    assert outcome == (0, f"pinebench {__version__} (Pine Script v6 as of {LANGUAGE_DATE})\n", "")


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",)])
def test_help_lists_every_command_with_what_it_does(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    outcome = pinebench(*arguments, folder=tmp_path)
    assert outcome.code == 0
    for name, command in COMMANDS.items():
        assert f"  {name} " in outcome.out
        assert command.help in outcome.out


OF_OTHERS = {
    "explain": {"--select": "lint"},
    "bundle": {"--script": "verify", "--with": "compile"},
    "doc": {"--select": "lint"},
    "push": {"--with": "compile"},
    "engine": {"--engines": "mcp", "--serve": "mcp", "--trade": "mcp"},
    "skills": {"--plugin-dir": ""},
    "tv": dict.fromkeys(
        ["--action", "--count", "--inputs", "--interval", "--name", "--price", "--table", "--time"], ""
    ),
}
"""The options in the help of a command that another command declares. Options of other programs and of tools have an
empty name."""


def declared_parser(name: str) -> Parser:
    """The parser of a command, as the command line declares it."""
    return common.declare(Parser(prog="pinebench").add_subparsers(parser_class=Parser, prog="pinebench"), name)[0]


def options_of(parser: argparse.ArgumentParser) -> set[str]:
    """The options that a parser and its subcommands declare."""
    found: set[str] = set()
    for action in parser._actions:
        found.update(action.option_strings)
        if isinstance(action, argparse._SubParsersAction):
            found.update(option for below in action.choices.values() for option in options_of(below))
    return found


def named_options(text: str) -> set[str]:
    """The long options that a text names."""
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))


def test_an_option_in_a_sentence_is_not_declared_by_it() -> None:
    parser = Parser(prog="x", epilog="examples:\n  x, or the file, --gone")
    parser.add_argument("--here", help="as said, --lost")
    assert named_options(parser.format_help()) - options_of(parser) == {"--gone", "--lost"}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(tmp_path: Path, name: str) -> None:
    outcome = pinebench(name, "--help", folder=tmp_path)
    assert outcome.code == 0
    assert outcome.out.startswith(f"usage: pinebench {name}")
    assert "[-h]" not in outcome.out
    assert outcome.err == ""
    foreign = named_options(outcome.out) - options_of(declared_parser(name))
    assert foreign == OF_OTHERS.get(name, {}).keys(), "a help names an option that is not there"
    for option, command in OF_OTHERS.get(name, {}).items():
        assert not command or option in options_of(declared_parser(command))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("lnt",), "there is no command 'lnt'; did you mean 'lint'?"),
        (("lint", "--formt", "json"), "unknown argument '--formt'; did you mean '--format'?"),
        (("lint", "--format", "xml"), "must be one of text, json"),
        (("lint", "--jobs", "0"), "must be a whole number from 1, not '0'"),
        (("lint", "--select", "CE99999"), "there is no code 'CE99999'"),
        (("lint", "nowhere.pine"), "nowhere.pine: there is no such file"),
        (("lint", "--unsafe-fixes"), "--unsafe-fixes works only with --fix or --diff"),
        (("explain",), "CODE|NAME"),
        (("explain", "ta.smaa"), "did you mean 'ta.sma'?"),
        (("parse", "nowhere.pine"), "nowhere.pine: there is no such file"),
        (("completion", "tcsh"), "must be one of bash, zsh, fish, not 'tcsh'"),
        (("--nonsense",), "unknown argument '--nonsense'"),
    ],
)
def test_a_mistake_is_answered_by_one_clear_line(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    (tmp_path / "clean.pine").write_text(CLEAN)
    outcome = pinebench(*arguments, folder=tmp_path)
    assert outcome.code == 2
    assert words in outcome.err
    assert outcome.err.count("\n") == 1
    assert "Traceback" not in outcome.err


def test_verbose_counts_before_and_after_the_command(tmp_path: Path) -> None:
    (tmp_path / "clean.pine").write_text(CLEAN)
    assert pinebench("-v", "lint", "clean.pine", folder=tmp_path).code == 0
    assert pinebench("lint", "clean.pine", "-vv", folder=tmp_path).code == 0


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "long.pine").write_text(UNCLOSED * 3000)
    process = subprocess.Popen(
        [sys.executable, "-m", "pinebench", "parse", "long.pine"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=surroundings(tmp_path),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    words = process.stderr.read().decode()
    assert process.wait(300) == 0
    assert "Traceback" not in words
    assert "BrokenPipe" not in words


def test_an_interruption_ends_with_130_and_silence(tmp_path: Path) -> None:
    # Standard input that does not end keeps the command reading; once the pipe is empty, it surely is at it.
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "pinebench", "lint", "-"],
        cwd=tmp_path,
        stdin=reader,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=surroundings(tmp_path),
    )
    os.write(writer, CLEAN.encode())
    while select.select([reader], [], [], 0)[0]:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    # Where the signal met it between two reads, it is noticed once the next read has ended.
    os.close(writer)
    os.close(reader)
    assert process.communicate(timeout=300) == (b"", b"")
    assert process.returncode == 130


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which `$P` is the command, wherever it lies."""
    return subprocess.run(
        ["sh", "-c", line.replace("$P", '"$PYTHON" -m pinebench')],
        cwd=folder,
        env=surroundings(folder, PYTHON=sys.executable),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("$P lint clean.pine >&-", 0),
        ("$P lint faulty.pine >&- 2>&-", 1),
        ("$P lint nowhere.pine 2>&-", 2),
        ("$P lint nowhere.pine 2>/dev/full", 2),
        ("$P nothing 2>/dev/full", 2),
        ("COLUMNS=² $P lint --help >&-", 0),
        ("COLUMNS=99999999999999999999 $P lint --help >&-", 0),
        ("$P --version >&-", 0),
        ("$P parse clean.pine <&- >&- 2>&-", 0),
    ],
)
def test_a_stream_may_be_closed(tmp_path: Path, line: str, code: int) -> None:
    (tmp_path / "clean.pine").write_text(CLEAN)
    (tmp_path / "faulty.pine").write_text(UNCLOSED)
    done = shell(line, tmp_path)
    assert done.returncode == code
    assert done.stderr == ""


def test_a_closed_standard_input_is_an_empty_script(tmp_path: Path) -> None:
    done = shell("$P lint - <&-", tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert "version-missing" in done.stdout


@pytest.mark.parametrize("lines", [0, 5000], ids=["short", "longer than the buffer"])
def test_a_full_disk_is_said_in_one_line_that_names_the_output(tmp_path: Path, lines: int) -> None:
    (tmp_path / "clean.pine").write_text(CLEAN + "// a remark\n" * lines)
    done = shell("$P format - <clean.pine >/dev/full", tmp_path)
    assert done.returncode == 3
    assert done.stderr == "pinebench: standard output: No space left on device (operating-system error)\n"


@pytest.mark.parametrize("set_by", ["PYTHONUNBUFFERED=", "PYTHONUNBUFFERED=1"])
@pytest.mark.parametrize("command", ["--version", "lint --help", "--help"])
def test_help_is_told_as_other_output_if_it_cannot_be_written(tmp_path: Path, command: str, set_by: str) -> None:
    done = shell(f"{set_by} $P {command} >/dev/full", tmp_path)
    told = "pinebench: standard output: No space left on device (operating-system error)\n"
    assert (done.returncode, done.stderr) == (3, told)
    reading, writing = os.pipe()
    os.close(reading)
    line = ["sh", "-c", f'{set_by} "$0" -m pinebench {command}', sys.executable]
    with os.fdopen(writing, "wb") as gone:
        left = subprocess.run(line, cwd=tmp_path, env=surroundings(tmp_path), stdout=gone, stderr=-1, check=False)
    assert (left.returncode, left.stderr) == (0, b"")


@pytest.mark.parametrize(("error", "code"), [("UsageError('no')", 2), ("KeyboardInterrupt", 130)])
def test_a_failed_command_keeps_its_exit_code_on_a_full_disk(tmp_path: Path, error: str, code: int) -> None:
    (tmp_path / "clean.pine").write_text(CLEAN)
    (tmp_path / "fail.py").write_text(
        "import sys\nfrom pinebench.cli import main\nfrom pinebench.errors import UsageError\n\n"
        f"def begin():\n    print('half of a result')\n    raise {error}\n\n"
        "sys.exit(main(['lint', 'clean.pine'], begin))\n"
    )
    done = shell('PYTHONUNBUFFERED= "${PYTHON}" fail.py >/dev/full', tmp_path)
    assert (done.returncode, done.stderr) == (code, "pinebench: no\n" if code == 2 else "")


@pytest.mark.parametrize("stream", ["print('now')", "sys.stdout.buffer.write(b'now\\n')"])
def test_output_without_a_buffer_is_written_at_once(tmp_path: Path, stream: str) -> None:
    (tmp_path / "wait.py").write_text(
        "import os, sys\nfrom pinebench.cli import main\n\n"
        f"def begin():\n    {stream}\n    os._exit(0)\n\nmain(['lint', 'clean.pine'], begin)\n"
    )
    done = shell('PYTHONUNBUFFERED=1 "${PYTHON}" wait.py', tmp_path)
    assert (done.stdout, done.stderr) == ("now\n", "")


def test_a_command_explains_itself_without_docstrings(tmp_path: Path) -> None:
    # an interpreter of its own: what is forked from a loaded one has the docstrings
    command = [sys.executable, "-OO", "-m", "pinebench", "lint", "--help"]
    text = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=True).stdout
    told = " ".join(text.partition("\n\n")[2].split())
    assert told[1:].startswith(COMMANDS["lint"].help[1:]), text
