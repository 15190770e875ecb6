"""`-o -` means standard output in every command, and no file is called `-`."""

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pinebench import files
from pinebench.cli import common, main
from pinebench.cli.console import InputPath, Parser, output_path, result_place
from pinebench.cli.table import COMMANDS
from pinebench.errors import UsageError
from pinebench.files import outputs
from tests.cli.support import pinebench
from tests.tables import each

OLD = "//@version=5\nindicator('x')\nplot(close,transp=0)\n"
BROKEN = '//@version=6\nindicator("x")\nplot(clsoe)\n'
UNTIDY = '//@version=6\nindicator("x")\nplot( close )\n'
LIBRARY = '//@version=6\nlibrary("Mean")\n//@function The mean\nexport mean(float a) => a\n'

FOLDERS = {"eval", "init"}
"""Commands whose -o names a folder."""


@each(
    ("arguments", "source", "words"),
    [
        (("migrate",), OLD, "//@version=6\n"),
        (("fix",), BROKEN, "plot(close)\n"),
        (("format",), UNTIDY, "plot(close)\n"),
        (("doc",), LIBRARY, "mean"),
        (("bundle",), UNTIDY, "plot( close )\n"),
        (("lint",), BROKEN, "clsoe"),
        (("run", "--data", "sample:AAPL@1Dx30"), UNTIDY, "30"),
        (("template", "new", "ema_ribbon"), None, "//@version=6\n"),
    ],
)
def test_the_result_is_printed_and_the_script_is_left_alone(
    tmp_path: Path, arguments: tuple[str, ...], source: str | None, words: str
) -> None:
    script = tmp_path / "a.pine"
    if source is not None:
        script.write_text(source)
        arguments = (*arguments, "a.pine")
    outcome = pinebench(*arguments, "-o", "-", folder=tmp_path)
    assert outcome.code in (0, 1) and words in outcome.out, outcome
    assert not (tmp_path / "-").exists()
    assert source is None or script.read_text() == source


@each(
    "arguments",
    [
        ("lint", "a.pine"),
        ("lint", "."),
        ("lint",),
        ("compile", "a.pine"),
        ("parse", "a.pine"),
        ("test", "a.test.toml"),
        ("bundle", "main.pine"),
        ("doc", "a.pine"),
    ],
)
def test_a_result_never_replaces_what_the_run_reads(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "a.pine").write_text(LIBRARY)
    (tmp_path / "main.pine").write_text('//@version=6\nindicator("x")\nimport me/a/1 as a\nplot(a.mean(close))\n')
    (tmp_path / "pinebench.toml").write_text('[check]\nlibrary-paths = ["."]\n')
    (tmp_path / "a.test.toml").write_text('script = "a.pine"\nbars = "AAPL"\ncount = 9\n')
    (tmp_path / "alias.pine").unlink(missing_ok=True)
    (tmp_path / "alias.pine").symlink_to(tmp_path / "a.pine")
    for output in ("a.pine", "alias.pine"):
        outcome = pinebench(*arguments, "-o", output, "--force", folder=tmp_path)
        assert outcome.code == 2 and "is an input of this run and would be overwritten" in outcome.err, outcome
    assert (tmp_path / "a.pine").read_text() == LIBRARY


@each("arguments", [("screen", "a.pine", "--data", "bars", "--where", "last(Close) > 0"), ("test", "a.test.toml")])
def test_a_result_never_replaces_bars_that_the_run_reads(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """Both commands once wrote their table over the bars."""
    bars = tmp_path / "bars" / "BTC.csv"
    bars.parent.mkdir(exist_ok=True)
    text = "time,open,high,low,close\n2024-01-01,1,2,1,2\n2024-01-02,2,3,2,3\n"
    bars.write_text(text)
    (tmp_path / "a.pine").write_text('//@version=6\nindicator("a")\nplot(close, "Close")\n')
    (tmp_path / "a.test.toml").write_text('script = "a.pine"\nbars = "bars/BTC.csv"\ncount = 2\n')
    outcome = pinebench(*arguments, "-o", str(bars), "--force", folder=tmp_path)
    assert outcome.code == 2 and "is an input of this run and would be overwritten" in outcome.err, outcome
    assert bars.read_text() == text


@each(
    ("arguments", "outputs"),
    [
        (("lint",), ("pinebench.toml", "libs/me/mean.pine", "tests/.gitignore")),
        (("lint", "tests"), ("pinebench.toml", "tests/pinebench.toml", "libs/me/mean.pine")),
        (("compile", "main.pine"), ("pinebench.toml", "libs/me/mean.pine")),
        (("run", "main.pine", "--data", "bars/BTC.csv"), ("pinebench.toml", "libs/me/mean.pine", "bars/BTC.toml")),
        (("bundle", "main.pine"), ("pinebench.toml", "libs/me/mean.pine")),
        (("format", "main.pine"), ("main.pine", "pinebench.toml")),
        (("migrate", "old.pine"), ("old.pine",)),
        (("test",), ("pinebench.toml",)),
    ],
)
def test_a_result_never_replaces_what_a_command_finds_by_itself(
    tmp_path: Path, arguments: tuple[str, ...], outputs: tuple[str, ...]
) -> None:
    written = {
        "main.pine": '//@version=6\nindicator("x")\nimport me/mean/1 as a\nplot(a.mean(close))\n',
        "old.pine": OLD,
        "libs/me/mean.pine": LIBRARY,
        "pinebench.toml": '[check]\nlibrary-paths = ["libs"]\n',
        "tests/pinebench.toml": '[lint]\nignore = ["PB1002"]\n',
        "tests/.gitignore": "*.txt\n",
        "tests/a.pine": LIBRARY,
        "tests/a.test.toml": 'script = "a.pine"\nbars = "AAPL"\ncount = 9\n',
        "bars/BTC.csv": "time,open,high,low,close\n2024-01-01,1,2,1,2\n2024-01-02,2,3,2,3\n",
        "bars/BTC.toml": 'currency = "USD"\n',
    }
    for name, text in written.items():
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    for output in outputs:
        outcome = pinebench(*arguments, "-o", output, "--force", folder=tmp_path)
        assert outcome.code == 2 and "is an input of this run and would be overwritten" in outcome.err, (
            output,
            outcome,
        )
    assert {name: (tmp_path / name).read_text() for name in written} == written


@each(
    ("command", "way"), [("format", "leave -o out: format writes the script in place"), ("migrate", "--write instead")]
)
def test_the_way_to_change_a_script_in_place_is_told(tmp_path: Path, command: str, way: str) -> None:
    (tmp_path / "a.pine").write_text(OLD)
    outcome = pinebench(command, "a.pine", "-o", "./a.pine", "--force", folder=tmp_path)
    assert outcome.code == 2 and way in outcome.err and "another file" not in outcome.err, outcome
    assert (tmp_path / "a.pine").read_text() == OLD


def test_a_script_that_a_command_wrote_into_a_folder_of_libraries_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.pine").write_text(LIBRARY)
    (tmp_path / "main.pine").write_text('//@version=6\nindicator("x")\nimport me/a/1 as a\nplot(a.mean(close))\n')
    (tmp_path / "pinebench.toml").write_text('[check]\nlibrary-paths = ["."]\n')
    for arguments in (("bundle", "main.pine"), ("format", "main.pine")):
        for _ in range(2):
            assert pinebench(*arguments, "-o", f"{arguments[0]}.pine", folder=tmp_path).code == 0


@each("arguments", [("explain", "ta.sma"), ("template", "show", "ema_ribbon"), ("skills", "pine-development")])
def test_a_result_may_have_the_name_of_what_is_told_about(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    for _ in range(2):
        outcome = pinebench(*arguments, "-o", arguments[-1], folder=tmp_path)
        assert outcome.code == 0, outcome
    assert (tmp_path / arguments[-1]).read_text()


def test_a_result_that_is_no_text_needs_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for use in (lambda: outputs.check("-", force=True), lambda: outputs.put("-", b"x")):
        with pytest.raises(UsageError, match="cannot be written to standard output"):
            use()
    assert outputs.put("./-", b"x") is None and (tmp_path / "-").read_bytes() == b"x"


LATE = '//@version=6\nstrategy("x")\nn = input.int(1)\nplot(close)\nruntime.error("it has run")\n'
"""A script that says when it runs."""
DATA = ("--data", "sample:AAPL@1Dx30")
SWEEP = ("optimize", "a.pine", *DATA, "--input", "n=1:3:1")


@each(
    ("arguments", "option", "file"),
    [
        (("run", "a.pine", *DATA), "-o", "a.txt"),
        (("run", "a.pine", *DATA), "--plot", "a.svg"),
        (("backtest", "a.pine", *DATA), "-o", "a.txt"),
        (("backtest", "a.pine", *DATA), "--trades", "a.csv"),
        (("backtest", "a.pine", *DATA), "--plot", "a.svg"),
        (SWEEP, "-o", "a.csv"),
        (SWEEP, "--page", "a.html"),
        ((*SWEEP, "--walk-forward", "train=3M test=1M"), "-o", "a.json"),
        (("montecarlo", "a.pine", *DATA), "-o", "a.txt"),
        (("portfolio", "a.pine@sample:AAPL@1Dx30"), "-o", "a.txt"),
        (("portfolio", "a.pine@sample:AAPL@1Dx30"), "--trades", "a.csv"),
        (("screen", "a.pine", "--data", "sample", "--where", "last(Plot) > 0"), "-o", "a.csv"),
        (("why", "a.pine", "n", "--bar", "5", *DATA), "-o", "a.txt"),
        (("profile", "a.pine", *DATA), "-o", "a.txt"),
        (("inspect", "a.pine", *DATA), "-o", "a.txt"),
        (("test", "a.test.toml"), "-o", "a.txt"),
        (("chart", "AAPL", "--data", "sample", "--indicator", "a.pine"), "-o", "a.svg"),
        (("fix", "a.pine"), "-o", "b.pine"),
    ],
)
def test_a_place_that_cannot_be_written_is_told_before_the_script_runs(
    arguments: tuple[str, ...],
    option: str,
    file: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    (tmp_path / "a.pine").write_text(LATE)
    (tmp_path / "a.test.toml").write_text('script = "a.pine"\nbars = "AAPL"\ncount = 9\n')
    (tmp_path / "locked").mkdir(exist_ok=True)
    with locked(tmp_path / "locked"):
        assert main([*arguments, option, f"locked/{file}"]) == 2
    told = capsys.readouterr()
    assert f"locked/{file} cannot be written: permission denied" in told.err, told
    assert "it has run" not in told.out + told.err


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Protect a folder against writing, also for the user who may write everything."""
    access = os.access
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "access", lambda path, mode: Path(path).resolve() != folder and access(path, mode))
        yield


@each("option", ["--write-baseline", "--prune-baseline"])
def test_a_place_of_a_baseline_is_looked_at_before_scripts_are(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.pine").write_text(BROKEN)
    (tmp_path / "locked").mkdir(exist_ok=True)
    assert main(["lint", "a.pine", "--write-baseline", "locked/base.json"]) == 0
    given = [option, "locked/base.json"] if option == "--write-baseline" else ["--baseline", "locked/base.json", option]
    capsys.readouterr()
    with locked(tmp_path / "locked"), monkeypatch.context() as patch:
        patch.setattr("pinebench.linter.baseline.Baseline.save", None)
        assert main(["lint", "a.pine", *given]) == 2
    assert "locked/base.json cannot be written: permission denied" in capsys.readouterr().err


def test_every_command_with_a_result_takes_the_sign() -> None:
    """Either its option reads it, or its help says that it prints."""
    for name in COMMANDS:
        if name in FOLDERS:
            continue
        parser, _ = common.declare(Parser().add_subparsers(parser_class=Parser), name)
        for action in [action for part in (parser, *common._below(parser)) for action in part._actions]:
            if "--output" in action.option_strings:
                assert action.type is result_place or "(-: print it)" in (action.help or ""), name


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of a command and of its subcommands."""
    yield from parser._actions
    for below in common._below(parser):
        yield from _actions(below)


@each("name", COMMANDS)
def test_an_empty_name_of_a_file_or_folder_is_refused_where_arguments_are_read(name: str) -> None:
    parser, _ = common.declare(Parser().add_subparsers(parser_class=Parser), name)
    for action in _actions(parser):
        if action.metavar in ("FILE", "FOLDER", "DIR", "PATH", "OUT", "MAIN", "LIBRARY", "FILE|FOLDER"):
            assert action.type in (InputPath, output_path, result_place), (name, action)


@each(
    "line",
    [
        "lint a.pine -o",
        "lint a.pine --baseline",
        "lint a.pine --write-baseline",
        "lint",
        "format a.pine -o",
        "fix a.pine -o",
        "migrate a.pine -o",
        "run a.pine --data sample:AAPL@60x500 --plot",
        "backtest a.pine --data sample:AAPL@60x500 --trades",
        "optimize a.pine --data sample:AAPL@60x500 --page",
        "template new ema_ribbon -o",
        "verify --save",
        "skills --plugin",
        "engine backup",
    ],
)
def test_an_empty_name_of_a_file_ends_the_command_before_it_begins(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.pine").write_text(UNTIDY)
    assert main([*line.split(), ""]) == 2
    told = capsys.readouterr()
    assert "the name is empty" in told.err and told.out == ""
    assert [each.name for each in tmp_path.iterdir()] == ["a.pine"]
    assert (tmp_path / "a.pine").read_text() == UNTIDY


def test_no_file_is_written_without_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for work in (
        lambda: files.check_place(""),
        lambda: files.write_atomically("", b"x"),
        lambda: files.replace("", b"x", None),
    ):
        with pytest.raises(UsageError, match="the name of the file is empty"):
            work()
    assert list(tmp_path.iterdir()) == []
