"""`pinebench optimize`: what people and programs get of many runs of a strategy."""

import contextlib
import csv
import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pinebench.cli import main
from tests.cli.support import Outcome, surroundings
from tests.sweeps.support import CROSS

DATA = ("--data", "sample:BTCUSDT@1Dx300")
RANGES = ("--input", "Fast=5:15:5", "--input", "Mode=EMA,SMA", "--input", "Slow=40")


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Runs a command in this process, in a folder with the script."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    (tmp_path / "cross.pine").write_text(CROSS)

    def run(*options: str, command: str = "optimize") -> Outcome:
        code = main([command, "cross.pine", *DATA, *options])
        told = capsys.readouterr()
        return Outcome(code, told.out, told.err)

    return run


RunCommand = Callable[..., Outcome]


def test_a_report_that_goes_to_a_file_is_not_printed_too(told: RunCommand, tmp_path: Path) -> None:
    """JSON on both sides would be the same twice. A text is printed beside the file, except with --quiet; the remarks
    about what was read are on stderr or in the file."""
    short = ("--input", "Fast=5:10:5", "--input", "Slow=40", "--holdout", "0")
    as_json = told(*short, "--format", "json", "-o", "r.json")
    assert (as_json.code, as_json.out) == (0, "")
    assert "300 bars of 1 day" in as_json.err and "made up" in as_json.err and "2 combinations in" in as_json.err
    assert json.loads((tmp_path / "r.json").read_text())["data"]["summary"].endswith("made up")
    printed = told(*short, "-o", "r.csv")
    assert "Verdict:" in printed.out and "made up" in printed.out
    quiet = told(*short, "-q", "--format", "json", "-o", "q.json")
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")
    assert json.loads((tmp_path / "q.json").read_text())["data"]["made_up"] is True
    silent = told(*short, "-q", "-o", "q.csv")
    assert (silent.code, silent.out, silent.err) == (0, "", "")
    assert (tmp_path / "q.csv").read_text() == (tmp_path / "r.csv").read_text()
    alone = told(*short, "-q", "--format", "json")
    assert alone.err == "" and json.loads(alone.out)["data"]["made_up"] is True


def test_results_by_the_ending_of_the_file_are_what_backtest_gives(told: RunCommand, tmp_path: Path) -> None:
    done = told(*RANGES, "--holdout", "0", "-o", "r.json", "--page", "r.html", "--commission-value", "0.1")
    assert done.code == 0
    assert "6 combinations in" in done.err
    assert "Verdict: luck" in done.out
    found = json.loads((tmp_path / "r.json").read_text())
    assert len(found["results"]) == 6
    assert found["holdout"] == 0
    assert found["best"]["held_back"] is None
    row = found["results"][1]
    assert row["inputs"].keys() == {"Fast", "Mode", "Slow"}
    given = [word for name, value in row["inputs"].items() for word in ("--input", f"{name}={value}")]
    more = ("--commission-value", "0.1", "--format", "json")
    report = json.loads(told(*given, *more, command="backtest").out)
    assert row["trades"] == sum(trade["exit_time"] is not None for trade in report["trades"])
    for name, value in report["report"].items():
        if isinstance(value, int | float) or value is None:
            assert row[name] == value, name
    page = (tmp_path / "r.html").read_text()
    for part in ("Heat map", "Parallel coordinates", "Equity of the best ten", '"net_profit"'):
        assert part in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


def test_csv_and_parquet_have_the_same_rows(told: RunCommand, tmp_path: Path) -> None:
    from pyarrow import parquet

    assert told(*RANGES, "-o", "r.csv").code == 0
    assert told(*RANGES, "-o", "r.parquet", "--resume").code == 0
    with (tmp_path / "r.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    table = parquet.read_table(tmp_path / "r.parquet").to_pylist()
    assert len(rows) == len(table) == 6
    for row, other in zip(rows, table, strict=True):
        assert (row["Fast"], row["Mode"], row["Slow"]) == (str(other["Fast"]), other["Mode"], "40")
        assert float(row["net_profit"]) == other["net_profit"]
        assert int(row["trades"]) == other["trades"]


def test_the_held_back_bars_are_shown_side_by_side(told: RunCommand) -> None:
    done = told(*RANGES, "--format", "json")
    found = json.loads(done.out)
    assert found["holdout"] == 0.3
    assert len(found["held_back"]) == 6
    assert found["held_back"][0]["inputs"] == found["best"]["inputs"] == found["results"][0]["inputs"]
    assert found["judgement"]["held_back_buy_and_hold_percent"] is not None
    text = told(*RANGES, "--resume")
    assert "held back:" in text.out
    assert "6 of the runs were taken from an earlier call" in text.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--page", "r.png"), "does not end with .html"),
        (("--holdout", "1"), "must be a fraction from 0 to 0.9"),
        (("--metric", "profits"), "there is no figure 'profits'"),
        (("--constraint", "trades >"), "is not an expression"),
        (("--input", "Fast=9:1:1"), "is not a range from a smaller number to a larger one"),
        (("--jobs", "0"), "must be a whole number from 1"),
        (("--scheduler", "tcp://127.0.0.1:8786"), "is not the address of a scheduler with TLS"),
        (("--scheduler", "tls://127.0.0.1:8786"), "a scheduler needs the files of TLS"),
        (("--scheduler", "tls://127.0.0.1:8786", "--tls-ca", "x"), "must be given together"),
    ],
)
def test_a_mistake_is_one_clear_line(options: tuple[str, ...], words: str, told: RunCommand) -> None:
    done = told(*options)
    assert done.code == 2
    assert words in done.err


def test_nothing_to_choose_from_is_not_a_success(told: RunCommand) -> None:
    done = told(*RANGES, "--constraint", "trades > 9999")
    assert done.code == 1
    assert "no combination has a result" in done.out


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    (tmp_path / "cross.pine").write_text(CROSS)
    ranges = ("--input", "Fast=2:40:1", "--input", "Slow=10:200:1")
    command = [sys.executable, "-m", "pinebench", "optimize", "cross.pine", *DATA, *ranges, "-o", "r.json"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=surroundings(tmp_path)
    )
    end = time.monotonic() + 100
    while not runs_in(tmp_path / ".state" / "sweeps"):
        assert time.monotonic() < end
        assert process.poll() is None
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=100)
    assert process.returncode == 130
    assert "stopped: the finished runs are kept, and --resume continues" in err
    found = json.loads((tmp_path / "r.json").read_text())
    assert found["complete"] is False
    assert 0 < len(found["results"]) < 7449


def runs_in(folder: Path) -> int:
    """The number of batches of runs that are kept."""
    for path in folder.glob("*/runs.sqlite"):
        with contextlib.suppress(sqlite3.OperationalError), contextlib.closing(sqlite3.connect(path)) as base:
            return base.execute("SELECT count(*) FROM batches").fetchone()[0]
    return 0


@pytest.mark.parametrize("how", [("-o", "r.csv"), ("-o", "r.json", "--walk-forward", "train=3M test=1M")])
def test_ctrl_c_before_the_first_run_leaves_earlier_results_alone(
    how: tuple[str, ...], told: RunCommand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(*RANGES, *how).code == 0
    before = (tmp_path / how[1]).read_text()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pinebench.sweeps.executors.run_batch", interrupted)
    again = told(*RANGES, *how)
    assert (again.code, again.out) == (130, "") and "stopped: the finished runs are kept" in again.err
    assert (tmp_path / how[1]).read_text() == before


def test_one_job_needs_neither_dask_nor_more_than_one_core(tmp_path: Path) -> None:
    script = (
        "import sys; from pinebench.cli import main; main(sys.argv[1:]);"
        "print([name for name in ('dask', 'distributed', 'optuna') if name in sys.modules])"
    )
    (tmp_path / "cross.pine").write_text(CROSS)
    command = [sys.executable, "-c", script, "optimize", "cross.pine", *DATA, *RANGES]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=surroundings(tmp_path), check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_parquet_without_its_package_is_refused_before_anything_runs(
    told: RunCommand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    refused = told(*RANGES, "-o", "r.parquet")
    assert refused.code == 3
    assert "Parquet needs the extra 'optimize' (use .csv or .json, or run: " in refused.err
    assert not (tmp_path / "state").exists()


def test_a_grid_that_is_too_large_says_the_options_that_make_it_smaller(told: RunCommand) -> None:
    """The options of the hint are used as they are told."""
    refused = told("--trials", "20")
    assert refused.code == 2
    assert (
        'the grid has 14,898 combinations, and at most 20 may be tried: 39 values of "Fast", 191 values of'
        in refused.err
    )
    assert "or try 1 combination with" in told("--trials", "1").err
    example, other = re.findall(r"(--[^;)]+[^ ;)])", refused.err)
    for options in (shlex.split(example), shlex.split(other)):
        done = told("--trials", "20", *options)
        assert done.code == 0
    assert "20 combinations in" in done.err
    walked = told("--trials", "20", "--walk-forward", "train=3M test=3M")
    assert walked.code == 2 and example in walked.err
