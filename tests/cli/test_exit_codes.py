"""Every command keeps the table of exit codes, prints JSON when it fails, reads `-` and obeys the options of all."""

from __future__ import annotations

import argparse
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from pinebench.cli import common, main
from pinebench.cli.console import Parser
from pinebench.cli.exit_codes import FINDINGS, FINE, INTERRUPTED, MEANINGS, NOT_DONE, SERVICES, USAGE, exits_of
from pinebench.cli.table import COMMANDS
from tests.cli.support import CHECKOUT, CLEAN, UNCLOSED, Outcome, in_terminal, pinebench, surroundings
from tests.tables import each

STRATEGY = """\
//@version=6
strategy("S")
if bar_index % 7 == 0
    strategy.entry("L", strategy.long)
if bar_index % 7 == 3
    strategy.close("L")
plot(close)
"""
TWO_ERRORS = '//@version=6\nindicator("x")\nplot(clsoe)\nplot(opne)\n'
OLD = '//@version=4\nstudy("x")\nplot(close)\n'
TRADES = "Trade #,Type,Signal,Date/Time,Price USD,Contracts\n"
TEST = 'script = "{script}"\nbars = "AAPL"\ncount = 50\n'
FILES = {
    "clean.pine": CLEAN,
    "faulty.pine": UNCLOSED,
    "wide.pine": CLEAN.replace("plot(close)", "plot( close )"),
    "two.pine": TWO_ERRORS,
    "old.pine": OLD,
    "torn.pine": OLD.replace("plot(close)", "plot(close"),
    "lost.pine": CLEAN.replace("close", "qqqqqqqq"),
    "s.pine": STRATEGY,
    "inputs.pine": STRATEGY.replace("if bar_index % 7 == 0", 'n = input.int(1, "n")\nif bar_index % 7 == n', 1),
    "trades.csv": TRADES,
    "ok.test.toml": TEST.format(script="clean.pine"),
    "bad.test.toml": TEST.format(script="two.pine"),
    "gone.test.toml": TEST.format(script="gone.pine"),
}
BARS = ("--data", "sample:AAPL@1Dx60")
NOWHERE = ("--cdp-port", "9", "--no-wait")
FULL = "its result goes to a full disk"
"""Marks a call whose standard output cannot be written."""
RUNNING = "it is ended by a signal"
LIVE = "tests/tradingview/test_commands.py"
"""Marks what takes a browser: it is tested there."""

CALLS: dict[tuple[str, int], tuple[str, ...] | str] = {
    ("lint", 0): ("clean.pine",),
    ("lint", 1): ("two.pine",),
    ("lint", 2): ("gone.pine",),
    ("format", 0): ("clean.pine",),
    ("format", 1): ("--check", "wide.pine"),
    ("format", 2): ("gone.pine",),
    ("parse", 0): ("clean.pine",),
    ("parse", 1): ("faulty.pine",),
    ("parse", 2): ("gone.pine",),
    ("config", 0): ("clean.pine",),
    ("config", 2): ("gone.pine",),
    ("explain", 0): ("ta.sma",),
    ("explain", 2): ("ta.smmma",),
    ("compile", 0): ("clean.pine",),
    ("compile", 1): ("two.pine",),
    ("compile", 2): ("gone.pine",),
    ("compile", 3): ("old.pine",),
    ("compare", 2): ("gone.pine", "--with", "chart", *NOWHERE),
    ("compare", 3): ("clean.pine", "--with", "chart", *NOWHERE),
    ("new", 0): ("project",),
    ("new", 2): (".",),
    ("new", 3): ("clean.pine/project",),
    ("doc", 1): ("two.pine",),
    ("doc", 2): ("clean.pine",),
    ("doc", 3): ("old.pine",),
    ("bundle", 0): ("clean.pine",),
    ("bundle", 1): ("two.pine",),
    ("bundle", 2): ("gone.pine",),
    ("bundle", 3): ("old.pine",),
    ("edit", 2): (),
    ("write", 2): ("x", "--from", "gone.pine"),
    ("write", 3): ("x",),
    ("eval", 0): ("--check", "--tasks", "explain-trap-1"),
    ("eval", 2): ("--tasks", "zzzzzz"),
    ("eval", 3): ("--tasks", "explain-trap-1"),
    ("chat", 2): ("--resume",),
    ("chat", 3): (),
    ("ask", 2): (),
    ("ask", 3): ("x",),
    ("fix", 0): ("clean.pine",),
    ("fix", 1): ("lost.pine",),
    ("fix", 2): ("gone.pine",),
    ("fix", 3): ("old.pine",),
    ("migrate", 0): ("old.pine",),
    ("migrate", 1): ("torn.pine",),
    ("migrate", 2): ("gone.pine",),
    ("template", 0): ("list",),
    ("template", 1): ("search", "zzzzzz"),
    ("template", 2): ("show", "zzzzzz"),
    ("watch", 2): ("gone.pine",),
    ("run", 0): ("clean.pine", *BARS),
    ("run", 1): ("two.pine", *BARS),
    ("run", 2): ("gone.pine", *BARS),
    ("run", 3): ("old.pine", *BARS),
    ("backtest", 0): ("s.pine", *BARS),
    ("backtest", 1): ("two.pine", *BARS),
    ("backtest", 2): ("clean.pine", *BARS),
    ("backtest", 3): ("old.pine", *BARS),
    ("optimize", 0): ("inputs.pine", *BARS, "--input", "n=1,2"),
    ("optimize", 1): ("two.pine", *BARS),
    ("optimize", 2): ("s.pine", *BARS),
    ("optimize", 3): ("old.pine", *BARS),
    ("screen", 0): ("clean.pine", "--data", "sample", "--symbols", "AAPL", "--where", "last(close) > 0"),
    ("screen", 1): ("clean.pine", "--data", "sample", "--symbols", "AAPL", "--where", "last(close) < 0"),
    ("screen", 2): ("clean.pine", "--data", "gone", "--where", "last(close) < 0"),
    ("screen", 3): ("old.pine", "--data", "sample", "--where", "last(close) < 0"),
    ("portfolio", 0): ("s.pine@sample:AAPL@1Dx60",),
    ("portfolio", 1): ("two.pine@sample:AAPL@1Dx60",),
    ("portfolio", 2): ("s.pine",),
    ("portfolio", 3): ("old.pine@sample:AAPL@1Dx60",),
    ("montecarlo", 1): ("two.pine", *BARS),
    ("montecarlo", 2): ("s.pine", *BARS),
    ("montecarlo", 3): ("old.pine", *BARS),
    ("why", 0): ("clean.pine", *BARS, "--bar", "0", "close"),
    ("why", 1): ("two.pine", *BARS, "--bar", "0", "close"),
    ("why", 2): ("clean.pine", *BARS, "--bar", "-9999", "close"),
    ("why", 3): ("old.pine", *BARS, "--bar", "0", "close"),
    ("profile", 0): ("clean.pine", *BARS, "--no-advice"),
    ("profile", 1): ("two.pine", *BARS),
    ("profile", 2): ("missing.pine", *BARS),
    ("profile", 3): ("old.pine", *BARS),
    ("inspect", 0): ("clean.pine", *BARS, "--bar", "0"),
    ("inspect", 1): ("two.pine", *BARS),
    ("inspect", 2): ("clean.pine", *BARS, "--bar", "-9999"),
    ("inspect", 3): ("old.pine", *BARS),
    ("chart", 0): (BARS[1],),
    ("chart", 1): (BARS[1], "-p", "two.pine"),
    ("chart", 2): ("gone.csv",),
    ("chart", 3): (BARS[1], "-p", "old.pine"),
    ("import-trades", 1): ("two.pine", "trades.csv", *BARS),
    ("import-trades", 2): ("s.pine", "gone.csv", *BARS),
    ("import-trades", 3): ("old.pine", "trades.csv", *BARS),
    ("test", 0): ("ok.test.toml",),
    ("test", 1): ("bad.test.toml",),
    ("test", 2): ("gone.test.toml",),
    ("verify", 2): ("gone",),
    ("verify", 3): NOWHERE,
    ("push", 2): ("gone.pine",),
    ("push", 3): ("clean.pine", *NOWHERE),
    ("pull", 2): ("--cdp-port", "x"),
    ("pull", 3): NOWHERE,
    ("sync", 2): ("status", "gone"),
    ("sync", 3): ("status", *NOWHERE),
    ("launch", 2): ("--cdp-port", "0"),
    ("launch", 3): ("--browser", "desktop"),
    ("doctor", 2): ("--cdp-port", "x"),
    ("doctor", 3): ("--cdp-port", "9"),
    ("tools", 0): (),
    ("tools", 2): ("gone",),
    ("call", 0): ("template_list",),
    ("call", 1): ("pine_run", '{"source": "//@version=6\\nindicator()\\nplot(clsoe)"}'),
    ("call", 2): ("template_search", "query=ema", "limit=many"),
    ("call", 3): ("quote_get", *NOWHERE),
    ("tv", 0): ("template", "list"),
    ("tv", 1): ("pine", "run", "@two.pine"),
    ("tv", 2): ("template", "search", "ema", "--limit", "many"),
    ("tv", 3): ("quote", *NOWHERE),
    ("mcp", 2): ("--tools", "gone"),
    ("skills", 0): (),
    ("skills", 2): ("no-such-skill",),
    ("engine", 2): ("status",),
    ("studio", 2): ("--port", "many"),
    ("lsp", 2): ("--tcp", "many"),
    ("debug", 2): ("--port", "many"),
    ("demo", 2): ("--gone",),
    ("completion", 0): ("bash",),
    ("completion", 2): ("tcsh",),
    **{(name, 3): FULL for name in ("lint", "format", "parse", "config", "explain", "migrate", "template", "test")},
    **{(name, 3): FULL for name in ("tools", "skills", "demo", "completion")},
    **{(name, 0): RUNNING for name in SERVICES},
    **dict.fromkeys((("push", 0), ("pull", 0), ("launch", 0), ("doctor", 0)), LIVE),
}
EXTRAS = {
    ("lsp", 3): ("lsp", "pygls", ("lsp",)),
    ("mcp", 3): ("mcp", "mcp", ("mcp",)),
    ("call", 3): ("chart", "pychrome", ("call", "quote_get")),
    ("tv", 3): ("chart", "pychrome", ("tv", "quote")),
    ("run", 3): ("run", "PIL", ("run", "clean.pine", *BARS, "--plot", "a.png")),
    ("backtest", 3): ("run", "PIL", ("backtest", "s.pine", *BARS, "--plot", "a.png")),
    ("optimize", 3): ("optimize", "numpy", ("optimize", "inputs.pine", *BARS, "--input", "n=1,2")),
    ("chart", 3): ("run", "PIL", ("chart", BARS[1], "-o", "a.png")),
    ("watch", 3): ("watch", "watchdog", ("watch", "clean.pine")),
}
"""Calls that need an extra: its name, the package that is hidden, and the command line."""

ELSEWHERE = {
    ("doc", 0): "tests/projects/test_publication.py",
    ("compare", 0): "tests/cli/test_compare.py",
    ("compare", 1): "tests/cli/test_compare.py",
    ("edit", 0): "tests/tui/test_losing_nothing.py",
    ("edit", 3): "tests/cli/test_offline.py",
    ("write", 0): "tests/cli/test_authoring.py",
    ("write", 1): "tests/cli/test_authoring.py",
    ("eval", 1): "tests/evals/test_command.py",
    ("chat", 0): "tests/cli/test_chat.py",
    ("ask", 0): "tests/cli/test_chat.py",
    ("ask", 1): "tests/cli/test_chat.py",
    ("import-trades", 0): "tests/cli/test_backtest.py",
    ("montecarlo", 0): "tests/sweeps/test_commands.py",
    ("verify", 0): "tests/cli/test_verify.py",
    ("verify", 1): "tests/cli/test_verify.py",
    ("sync", 0): "tests/projects/test_sync_page.py",
    ("sync", 1): "tests/projects/test_sync_page.py",
    ("skills", 1): "tests/skills/test_installation.py",
    ("push", 1): "tests/tradingview/test_editor.py",
    ("doctor", 1): "tests/tradingview/test_doctor.py",
    ("engine", 0): "tests/cli/test_engine.py",
    ("engine", 3): "tests/cli/test_engine.py",
    ("studio", 3): "tests/studio/test_command.py",
    ("lsp", 1): "tests/lsp/test_editors.py",
    ("debug", 3): "tests/debugger/test_command.py",
    ("demo", 0): "tests/cli/test_demo.py",
    ("demo", 1): "tests/cli/test_demo.py",
}
"""Codes that take more than a call, each with the module whose tests show it."""

PRINTS_JSON = ("call", "tv")
READS_SCRIPTS = {
    "lint": ("-", "--no-color"),
    "format": ("-",),
    "parse": ("-",),
    "compile": ("-",),
    "config": ("-",),
    "fix": ("-",),
    "migrate": ("-",),
    "run": ("-", *BARS),
    "backtest": ("-", *BARS),
    "optimize": ("-", *BARS, "--input", "n=1,2"),
    "montecarlo": ("-", *BARS),
    "screen": ("-", "--data", "sample", "--symbols", "AAPL", "--where", "last(close) > 0"),
    "why": ("-", *BARS, "--bar", "0", "close"),
    "profile": ("-", *BARS, "--no-advice"),
    "inspect": ("-", *BARS),
    "import-trades": ("-", "trades.csv", *BARS),
    "compare": ("-", "--with", "chart", *NOWHERE),
    "push": ("-", *NOWHERE),
    "bundle": ("-",),
    "doc": ("-",),
    "write": ("x", "--from", "-"),
}
"""Every command that takes a script, with a call that reads one from standard input."""
PAGE_OR_KEY = {"doc": 2, "compare": 3, "push": 3, "write": 3, "import-trades": 1, "optimize": 2, "montecarlo": 2}
"""How those end that need more than a script."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with scripts that have and have not what is asked, without a key."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    return tmp_path


def loaded(name: str) -> tuple[Parser, ModuleType]:
    return common.declare(Parser(prog="pinebench").add_subparsers(parser_class=Parser, prog="pinebench"), name)


def has_json(name: str) -> bool:
    """Whether the command takes --format json."""
    form = loaded(name)[0]._option_string_actions.get("--format")
    return form is not None and "json" in (form.choices or ())


@pytest.mark.parametrize("name", COMMANDS)
def test_ctrl_c_while_a_command_starts_ends_it_as_later(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_args: argparse.Namespace) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(
        "pinebench.cli.common.declare", lambda subparsers, _name: _declared(subparsers, name, interrupted)
    )
    assert main([name]) == (FINE if name in SERVICES else INTERRUPTED)


def _declared(
    subparsers: argparse._SubParsersAction[Parser], name: str, run: Callable[[argparse.Namespace], int]
) -> tuple[Parser, ModuleType]:
    module = ModuleType(name)
    module.run = run  # type: ignore[attr-defined]
    return subparsers.add_parser(name), module


def test_the_table_is_whole() -> None:
    promised = {(name, code) for name in COMMANDS for code in exits_of(name)}
    shown = {*CALLS, *EXTRAS, *ELSEWHERE, *((name, INTERRUPTED) for name in COMMANDS if name not in SERVICES)}
    assert promised == shown
    assert set(MEANINGS) == {FINE, FINDINGS, USAGE, NOT_DONE, INTERRUPTED} == {0, 1, 2, 3, 130}
    assert all((CHECKOUT / module).is_file() for module in (*ELSEWHERE.values(), LIVE))


@each("name", COMMANDS)
def test_help_ends_with_the_exit_codes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([name, "--help"])
    assert left.value.code == 0
    shown = capsys.readouterr().out.partition("exit codes:\n")[2].splitlines()
    assert shown == [f"  {code:<5}{words}" for code, words in exits_of(name).items()]


def test_the_page_of_the_commands_has_the_table() -> None:
    page = (CHECKOUT / "docs" / "commands.md").read_text(encoding="utf-8")
    for code, words in MEANINGS.items():
        assert f"| {code} | {words} |" in page


@pytest.mark.parametrize(("name", "code"), [place for place, how in CALLS.items() if isinstance(how, tuple)])
def test_a_command_ends_with_the_code_that_the_table_says(name: str, code: int, folder: Path) -> None:
    call = CALLS[name, code]
    assert isinstance(call, tuple)
    outcome = pinebench(name, *call, folder=folder)
    assert outcome.code == code, outcome
    assert "Traceback" not in outcome.err
    if name in PRINTS_JSON:
        assert json.loads(outcome.out)["success"] is (code == 0)
    elif has_json(name):
        as_json = pinebench(name, *call, "--format", "json", folder=folder)
        assert as_json.code == code, as_json
        told = json.loads(as_json.out)
        assert code < 2 or not isinstance(told, dict) or told.get("success") is False or reports(told, name)
    if code >= 2:  # a report, or a line for people, says what was wrong
        assert outcome.err.count("pinebench: ") >= 1 or name in (*PRINTS_JSON, "doctor", "test"), outcome


def reports(told: dict[str, object], name: str) -> bool:
    """Whether a report says by itself what could not be done, beside what could."""
    key = {
        "format": "errors",
        "lint": "diagnostics",
        "migrate": "problems",
        "compare": "problems",
        "test": "errors",
        "doctor": "checks",
    }
    return name in key and bool(told[key[name]])


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs the device /dev/full")
@pytest.mark.parametrize("name", [name for (name, code), how in CALLS.items() if how == FULL])
def test_a_result_that_cannot_be_written_is_3(name: str, folder: Path) -> None:
    call = CALLS.get((name, 0), ())
    arguments = ["-"] if name == "format" else list(call) if isinstance(call, tuple) else []
    with open("/dev/full", "wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "pinebench", name, *arguments],
            cwd=folder,
            stdin=(folder / "clean.pine").open("rb"),
            stdout=full,
            stderr=subprocess.PIPE,
            env=surroundings(folder),
            check=False,
        )
    assert (ended.returncode, b"No space left" in ended.stderr) == (3, True)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in SERVICES])
def test_an_interrupted_command_ends_with_130(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_args: argparse.Namespace) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"pinebench.cli.commands.{COMMANDS[name].module}.run", interrupted)
    call = CALLS.get((name, 2), ())
    arguments = ["template_list"] if name == "call" else ["bash"] if name == "completion" else list(call)
    arguments = [word for word in arguments if word not in ("x", "0", "--gone", "many", "--tcp", "--port")]
    arguments = [word for word in arguments if name == "compare" or word != "--cdp-port"]
    assert main([name, *arguments]) == 130
    assert capsys.readouterr().out == ("" if name not in PRINTS_JSON else FAILED_BY_CTRL_C)
    if has_json(name):
        assert main([name, *arguments, "--format", "json"]) == 130
        assert capsys.readouterr().out == FAILED_BY_CTRL_C


FAILED_BY_CTRL_C = '{"success": false, "error": "interrupted", "hint": null}\n'

STARTS = {
    "watch": (("watch", "clean.pine", "--poll"), b"compiled", "stdout"),
    "mcp": (("mcp",), None, ""),
    "lsp": (("lsp",), None, ""),
    "debug": (("debug",), None, ""),
    "studio": (("studio", "--no-browser"), b"Ctrl+C", "stdout"),
}
"""How each service starts, and what it says once it serves; None where it waits for a line on standard input."""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("name", sorted(SERVICES))
def test_a_service_that_is_told_to_end_ends_with_0(name: str, number: signal.Signals, folder: Path) -> None:
    arguments, said, _ = STARTS[name]
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "pinebench", *arguments],
        cwd=folder,
        stdin=reader,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=surroundings(folder),
    )
    assert process.stdout is not None
    if said is None:
        # It reads its standard input once it serves; then the pipe is empty.
        os.write(writer, b"Content-Length: 2\r\n\r\n{}" if name == "lsp" else b"{}\n")
        while select.select([reader], [], [], 0)[0]:
            assert process.poll() is None
            time.sleep(0.01)
    else:
        for line in process.stdout:
            if said in line:
                break
    process.send_signal(number)
    _, err = process.communicate(timeout=120)
    os.close(reader)
    os.close(writer)
    assert (process.returncode, b"Traceback" in err) == (0, False), err


def hiding(package: str, arguments: tuple[str, ...], folder: Path) -> Outcome:
    """Run a command where `package` cannot be imported."""
    program = f"import sys; sys.modules[{package!r}] = None\nfrom pinebench.cli import main\nsys.exit(main())"
    ended = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env=surroundings(folder),
        check=False,
    )
    return Outcome(ended.returncode, ended.stdout, ended.stderr)


@pytest.mark.parametrize(("name", "code"), EXTRAS)
def test_a_missing_extra_is_3_and_says_how_to_add_it(name: str, code: int, folder: Path) -> None:
    extra, package, arguments = EXTRAS[name, code]
    outcome = hiding(package, arguments, folder)
    said = outcome.err + outcome.out
    assert outcome.code == 3, outcome
    assert f"needs the extra '{extra}'" in said
    assert "run: " in said
    if name in ("run", "backtest"):
        assert "bars of" not in outcome.err, "it was said only after the bars were read"


@pytest.mark.parametrize("name", READS_SCRIPTS)
def test_a_script_comes_by_standard_input(name: str, folder: Path) -> None:
    outcome = pinebench(name, *READS_SCRIPTS[name], folder=folder, stdin=STRATEGY.encode())
    assert outcome.code == PAGE_OR_KEY.get(name, 0), outcome
    assert "no such file" not in outcome.err


def test_every_command_that_takes_a_script_reads_standard_input() -> None:
    taking = set()
    for name in COMMANDS:
        positionals = [action for action in loaded(name)[0]._actions if not action.option_strings]
        if any("script" in (action.help or "") for action in positionals):
            taking.add(name)
    # A watched script must be a file, and the workbench has the terminal as its standard input.
    assert taking - {"watch", "edit"} <= {*READS_SCRIPTS, "write"}


@each("name", COMMANDS)
def test_every_command_takes_the_options_of_all(name: str) -> None:
    options = loaded(name)[0]._option_string_actions
    assert {"--color", "--no-color", "-q", "--quiet", "-v"} <= set(options)
    assert ("--json" in options) is has_json(name)
    assert ("-o" in options) or name in SERVICES | {
        "chat",
        "demo",
        "edit",
        "engine",
        "launch",
        "push",
        "sync",
        "template",
    }


COLOURED = {
    "lint": ("two.pine",),
    "compile": ("clean.pine",),
    "explain": ("CE10272",),
    "config": (),
    "tools": (),
    "template": ("list",),
    "doctor": ("--cdp-port", "9"),
}


@pytest.mark.parametrize("name", COLOURED)
def test_colour_is_used_where_it_is_asked_for(name: str, folder: Path) -> None:
    call = (name, *COLOURED[name])
    assert "\x1b[" not in pinebench(*call, folder=folder).out
    assert "\x1b[" in pinebench(*call, "--color", folder=folder).out
    assert "\x1b[" in pinebench(*call, folder=folder, environment={"FORCE_COLOR": "1"}).out
    both = {"FORCE_COLOR": "1", "NO_COLOR": "1"}
    assert "\x1b[" not in pinebench(*call, folder=folder, environment=both).out
    assert "\x1b[" in pinebench("--color", *call, folder=folder, environment=both).out
    # ESC [ K clears the line that shows progress, and is not a colour.
    assert "\x1b[" not in in_terminal(*call, "--no-color", folder=folder).out.replace("\x1b[K", "")
    assert "\x1b[" in in_terminal(*call, folder=folder).out.replace("\x1b[K", "")


@pytest.mark.parametrize("name", [name for name, code in CALLS if code == 0 and isinstance(CALLS[name, code], tuple)])
def test_a_result_goes_to_the_file_that_is_named(name: str, folder: Path) -> None:
    call = CALLS[name, 0]
    options = loaded(name)[0]._option_string_actions
    if name == "template":
        options = {**options, "-o": True}
    if "-o" not in options or name in ("fix", "eval"):  # it names a script, and a folder
        return

    def anew(*options: str) -> Outcome:
        shutil.rmtree(folder / "project", ignore_errors=True)  # `new` makes no project in a folder that exists
        return pinebench(name, *call, *options, folder=folder)

    printed, written = anew(), anew("-o", "out.txt")
    assert (printed.code, written.code) == (0, 0)
    told = (folder / "out.txt").read_text(encoding="utf-8")
    if name in ("format", "migrate"):  # what they make is the script
        assert "//@version=6" in told
        return
    assert written.out == ""
    assert told.split(" s)")[0][:40] == printed.out.split(" s)")[0][:40]
    (folder / "mine.txt").write_text("mine", encoding="utf-8")
    assert anew("-o", "mine.txt").code == 2
    assert (folder / "mine.txt").read_text(encoding="utf-8") == "mine"
    assert anew("-o", "mine.txt", "--force").code == 0


def test_quiet_leaves_only_errors(folder: Path) -> None:
    assert "bars of" in pinebench("run", "clean.pine", *BARS, folder=folder).err
    assert pinebench("run", "clean.pine", *BARS, "-q", folder=folder).err == ""
    assert pinebench("-q", "fix", "wide.pine", folder=folder).err == ""
    assert "no such file" in pinebench("-q", "lint", "gone.pine", folder=folder).err
    assert "no such file" in pinebench("-q", "format", "gone.pine", folder=folder).err


@pytest.mark.parametrize(
    ("given", "meant"),
    [("--no-colour", "--no-color"), ("--jso", "--json"), ("--no-cach", "--no-cache"), ("--job", "--jobs")],
)
def test_a_misspelt_option_is_not_taken_for_another(given: str, meant: str, folder: Path) -> None:
    outcome = pinebench("lint", given, "clean.pine", folder=folder)
    assert outcome.code == 2
    assert f"did you mean '{meant}'" in outcome.err


@pytest.mark.parametrize("name", ["run", "backtest", "import-trades"])
def test_a_script_that_does_not_compile_is_told_as_lint_tells_it(name: str, folder: Path) -> None:
    more = ("trades.csv",) if name == "import-trades" else ()
    outcome = pinebench(name, "two.pine", *more, *BARS, folder=folder)
    listed = pinebench("lint", "two.pine", folder=folder).out
    first, second = [block for block in listed.split("\n\n") if "error CE10272" in block]
    assert "two.pine:3:6: error CE10272" in outcome.err
    assert "two.pine:4:6: error CE10272" in outcome.err
    assert first.splitlines()[1] in outcome.err
    assert second.splitlines()[1] in outcome.err
    as_json = json.loads(pinebench(name, "two.pine", *more, *BARS, "--json", folder=folder).out)
    assert (as_json["success"], as_json["hint"]) == (False, None)
    places = [(each["path"], each["line"], each["column"], each["code"]) for each in as_json["diagnostics"]]
    assert places == [("two.pine", 3, 6, "CE10272"), ("two.pine", 4, 6, "CE10272")]


def test_an_old_script_is_shown_the_way_to_migrate(folder: Path) -> None:
    for name in ("run", "backtest"):
        assert "'pinebench migrate old.pine --write'" in pinebench(name, "old.pine", *BARS, folder=folder).err
