"""`pinebench test`: from which folder, what is told, how it ends, and what is never written over."""

import json
from pathlib import Path

import pytest
from junitparser import JUnitXml

from tests.cli.support import Outcome, pinebench
from tests.testing.test_script_tests import BARS, SCRIPT


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "mean.pine").write_text(SCRIPT)
    (tmp_path / "inner" / "bars.csv").write_text(BARS)
    return tmp_path


def run(folder: Path, text: str, *options: str) -> Outcome:
    (folder / "inner" / "mean.test.toml").write_text('script = "mean.pine"\nbars = "bars.csv"\n' + text)
    return pinebench("test", *options, folder=folder)


def test_paths_are_those_of_the_test_file(folder: Path) -> None:
    done = run(folder, 'expect = ["na(Mean)<50%"]')
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == ["ok    inner/mean.test.toml: mean", "1 test: 1 passed"]
    (folder / "elsewhere").mkdir()
    assert pinebench("test", "../inner/mean.test.toml", folder=folder / "elsewhere").code == 0


def test_all_that_fails_is_told_and_the_other_tests_go_on(folder: Path) -> None:
    done = run(folder, '[[test]]\nname = "one"\nexpect = ["bars==7", "alerts==1"]\n[[test]]\nname = "two"\n')
    assert done.code == 1
    assert done.out.splitlines() == [
        "FAIL  inner/mean.test.toml: one",
        "      expected bars==7, but the value is 6",
        "      expected alerts==1, but the value is 0",
        "      bars: PINEBENCH:BARS: 6 bars of 1 day; times in ISO 8601; no volume; tick 0.01 from the decimals of the"
        " prices",
        "ok    inner/mean.test.toml: two",
        "2 tests: 1 passed, 1 failed",
    ]


def test_programs_get_junit_and_json(folder: Path) -> None:
    text = (
        '[[test]]\nname = "bad \\u0007 <x>"\nexpect = ["bars==7"]\n'
        '[[test]]\nname = "good"\n[[test]]\nbars = "none.csv"\n'
    )
    done = run(folder, text, "--format", "junit", "-o", "report.xml")
    assert (done.code, done.out) == (2, "")
    report = JUnitXml.fromfile(str(folder / "report.xml"))
    assert (report.tests, report.failures, report.errors) == (3, 1, 1)
    told = json.loads(run(folder, text, "--format", "json").out)
    assert [each["passed"] for each in told["tests"]] == [False, True, False]
    assert "good has no expectations" in told["tests"][1]["notes"][0] and told["tests"][0]["notes"] == []
    assert told["tests"][2]["hint"].startswith("expected a CSV file, or a symbol of the sample market")


NAMED = '[[test]]\nname = "one"\nexpect = ["bars==7"]\n\n[[test]]\nname = "two"\n'


def test_tests_are_listed_with_their_lines_and_run_by_name(folder: Path) -> None:
    (folder / "inner" / "bad.test.toml").write_text("script = \n")
    done = run(folder, NAMED, "--list", "--format", "json")
    bad, one, two = json.loads(done.out)["tests"]
    assert (done.code, bad["name"], bad["script"]) == (2, "bad.test.toml", None) and bad["error"]
    assert (one["name"], one["line"], one["script"], one["error"]) == ("one", 3, "inner/mean.pine", None)
    assert (two["name"], two["line"], two["file"]) == ("two", 7, "inner/mean.test.toml")
    (folder / "inner" / "bad.test.toml").unlink()
    assert run(folder, NAMED, "--list").out == "inner/mean.test.toml:3: one\ninner/mean.test.toml:7: two\n"
    assert run(folder, NAMED, "--only", "two").out.splitlines()[-1] == "1 test: 1 passed"
    unknown = run(folder, NAMED, "--only", "two", "--only", "three")
    assert unknown.code == 2 and "no test is called 'three'" in unknown.err and "one, two" in unknown.err
    assert run(folder, NAMED, "--list", "--format", "junit").code == 2


def test_snapshots_are_written_with_update_only(folder: Path) -> None:
    kept = folder / "inner" / "mean.snapshot.csv"
    assert run(folder, "snapshot = true").code == 1
    assert not kept.exists()
    written = run(folder, "snapshot = true", "--update")
    assert written.code == 0
    assert f"{Path('inner/mean.snapshot.csv')}: written" in written.err
    assert run(folder, "snapshot = true").code == 0


@pytest.mark.parametrize("paths", [["none.test.toml"], ["empty"], []])
def test_no_tests_are_no_success(tmp_path: Path, paths: list[str]) -> None:
    (tmp_path / "empty").mkdir()
    done = pinebench("test", *paths, folder=tmp_path)
    assert done.code == 2
    assert "Traceback" not in done.err


def test_what_is_not_computed_ends_with_3(folder: Path) -> None:
    (folder / "inner" / "mean.pine").write_text(
        '//@version=6\nindicator("T")\nplot(request.security("NYSE:X", "D", close))\n'
    )
    done = run(folder, "")
    assert done.code == 3
    assert "ERROR" in done.out


def test_a_report_is_written_over_no_input(folder: Path) -> None:
    done = run(folder, "", "-o", "inner/mean.pine")
    assert done.code == 2
    assert (folder / "inner" / "mean.pine").read_text() == SCRIPT


def test_the_day_decides_which_defaults_a_strategy_is_tested_with(folder: Path) -> None:
    (folder / "inner" / "mean.pine").write_text(
        '//@version=6\nstrategy("S")\nplot(strategy.initial_capital, "capital")\n'
    )
    text = '[[value]]\nplot = "capital"\nbar = 0\nis = 1000000\n'
    assert run(folder, text).code == 1
    assert run(folder, text, "--as-of", "2026-08-31").code == 0
