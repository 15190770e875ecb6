"""Tests of scripts: what fails, what is said of files that are no tests, and that neither ever passes."""

from pathlib import Path

import pytest

from pinebench.errors import PinebenchError
from pinebench.linter.repainting import look_for_repainting
from pinebench.testing.script_tests import TestOutcome, run_case
from pinebench.testing.testfile import discover, read_cases

SCRIPT = '//@version=6\nindicator("Test")\nlength = input.int(3, "Length")\nplot(ta.sma(close, length), "Mean")\n'
BARS = "time,open,high,low,close\n" + "".join(
    f"2024-01-0{day}T00:00:00Z,{price},{price + 2},{price - 1},{price + 1}\n"
    for day, price in enumerate((10, 11, 12, 11, 13, 14), 1)
)


def outcomes(folder: Path, text: str, script: str = SCRIPT, *, update: bool = False) -> list[TestOutcome]:
    """What comes of a test file beside a script and bars."""
    (folder / "mean.pine").write_text(script)
    (folder / "bars.csv").write_text(BARS)
    file = folder / "mean.test.toml"
    file.write_text('script = "mean.pine"\nbars = "bars.csv"\n' + text)
    try:
        cases = read_cases(file)
    except PinebenchError as error:
        return [TestOutcome(file, file.name, problem=error)]
    return [run_case(case, look_for_repainting, update=update) for case in cases]


def failures(folder: Path, text: str, script: str = SCRIPT) -> list[str]:
    [outcome] = outcomes(folder, text, script)
    assert outcome.problem is None
    return outcome.failures


FAILING = [
    ('[[value]]\nplot = "Mean"\nbar = 2\nis = 12.5', "on bar 2 Mean is 12.0, expected 12.5"),
    ('[[value]]\nplot = "Mean"\nbar = 2\nis = 12.5\nwithin = 0.4', "expected 12.5 within 0.4"),
    ('[[value]]\nplot = "Mean"\nbar = 2\nis = "na"', "on bar 2 Mean is 12.0, expected na"),
    ('[[value]]\nplot = "Mean"\nbar = 0\nis = 0', "on bar 0 Mean is na, expected 0"),
    ('[[value]]\nplot = "Mean"\ntime = 2024-01-03T00:00:00Z\nis = 1.5', "on bar 2 Mean is 12.0"),
    ('[[value]]\nplot = "Mean"\ntime = "2024-01-03"\nis = 1.5', "on bar 2 Mean is 12.0"),
    ('expect = ["alerts>0"]', "expected alerts>0, but the value is 0"),
    ("snapshot = true", "mean.snapshot.csv: there is no valid snapshot yet; write it with --update"),
    ('[error]\ncode = "RE10142"', "expected the error RE10142: the script ran to its end"),
    ('[error]\ncode = "CE10156"', "expected the error CE10156: the script ran to its end"),
    ('[inputs]\nLength = 2\n[[value]]\nplot = "Mean"\nbar = 1\nis = 12.0', "on bar 1 Mean is 11.5, expected 12.0"),
]


@pytest.mark.parametrize(("text", "words"), FAILING)
def test_what_is_not_as_expected_fails(tmp_path: Path, text: str, words: str) -> None:
    [said] = failures(tmp_path, text)
    assert words in said


PASSING = [
    "",
    'expect = ["na(Mean)<50%", "bars==6"]',
    '[[value]]\nplot = "Mean"\nbar = -1\nis = 13.666\nwithin = 0.001',
    '[[value]]\nplot = "Mean"\nbar = 2\nis = 12',
    '[[value]]\nplot = "Mean"\nbar = 0\nis = "na"',
    '[[value]]\nplot = "Mean"\nbar = 0\nis = nan',
    '[[value]]\nplot = "Mean"\ntime = 2024-01-03T08:00:00+08:00\nis = 12.0',
    '[[value]]\nplot = "Mean"\ntime = 1704240000000\nis = 12.0',
    'timeframe = "2D"\nexpect = ["bars==3"]',
]


@pytest.mark.parametrize("text", PASSING)
def test_what_is_as_expected_passes(tmp_path: Path, text: str) -> None:
    assert failures(tmp_path, text) == []


def test_a_test_that_expects_nothing_says_so(tmp_path: Path) -> None:
    (outcome,) = outcomes(tmp_path, "")
    assert outcome.passed and "mean has no expectations: it passes if the script runs" in " ".join(outcome.notes)
    (outcome,) = outcomes(tmp_path, 'expect = ["alerts==0"]')
    assert outcome.passed and not outcome.notes


def test_a_test_says_anew_what_its_file_says_for_all(tmp_path: Path) -> None:
    text = """
expect = ["bars==7", "alerts==1"]
[inputs]
Length = 2
[[test]]
name = "one"
[[test]]
expect = ["bars==6"]
[test.inputs]
Length = 1
[[test.value]]
plot = "Mean"
bar = 0
is = 11
"""
    first, second = outcomes(tmp_path, text)
    assert (first.name, first.failures) == (
        "one",
        ["expected bars==7, but the value is 6", "expected alerts==1, but the value is 0"],
    )
    assert (second.name, second.passed) == ("test 2", True)


def test_errors_that_are_expected(tmp_path: Path) -> None:
    stops = '//@version=6\nindicator("T")\nplot(close)\nif bar_index == 4\n    runtime.error("no")\n'
    assert failures(tmp_path, '[error]\ncode = "RE10142"\nline = 5\nbar = 4', stops) == []
    said = failures(tmp_path, '[error]\ncode = "RE10142"\nline = 4', stops)
    assert said[0] == "expected the error RE10142 on line 4"
    assert said[1].startswith("stopped on bar 4, line 5: RE10142")
    assert len(failures(tmp_path, 'expect = ["alerts<5"]', stops)) == 1
    wrong = '//@version=6\nindicator("T")\nplot(clsoe)\n'
    assert failures(tmp_path, '[error]\ncode = "CE10272"\nline = 3', wrong) == []
    assert failures(tmp_path, '[error]\ncode = "CE10156"', wrong)[0] == "expected the error CE10156"
    assert len(failures(tmp_path, "", wrong)) == 1


def test_strategies_are_tested_by_their_trades(tmp_path: Path) -> None:
    script = (
        '//@version=6\nstrategy("T")\nif bar_index % 2 == 0\n    strategy.entry("L", strategy.long)\n'
        "else\n    strategy.close_all()\n"
    )
    assert failures(tmp_path, 'expect = ["trades==2", "open_trades==1"]', script) == []
    assert failures(tmp_path, 'expect = ["net_profit>=-10", "max_drawdown<20%"]', script) == []
    assert failures(tmp_path, 'expect = ["trades==3"]', script) == ["expected trades==3, but the value is 2"]


def test_the_sample_market_needs_no_file(tmp_path: Path) -> None:
    text = 'timeframe = "60"\ncount = 120\nexpect = ["bars==120"]\nno-repaint = true\n[symbol]\nmintick = 0.5\n'
    (tmp_path / "mean.pine").write_text(SCRIPT)
    file = tmp_path / "sample.test.toml"
    file.write_text(f'script = "mean.pine"\nbars = "BTCUSDT"\n{text}')
    assert [run_case(case, look_for_repainting).failures for case in read_cases(file)] == [[]]


def test_a_count_of_bars_from_a_file_is_refused(tmp_path: Path) -> None:
    """All bars of a file are used; a count for all tests is not for a test that names a file."""
    [refused] = outcomes(tmp_path, "count = 3")
    assert str(refused.problem) == "count = 3 has no effect on bars from files: all bars of a file are used"
    shared = 'script = "mean.pine"\nbars = "BTCUSDT"\ncount = 3\n[[test]]\nname = "sample"\nexpect = ["bars==3"]\n'
    file = tmp_path / "mean.test.toml"
    own = file.read_text().partition('bars = "')[2].partition('"')[0]
    file.write_text(f'{shared}[[test]]\nname = "file"\nbars = "{own}"\nexpect = ["bars>3"]\n')
    assert [run_case(case, look_for_repainting).failures for case in read_cases(file)] == [[], []]


def test_repainting_fails_a_test(tmp_path: Path) -> None:
    script = '//@version=6\nindicator("T")\nplot(last_bar_index, "Last")\n'
    said = failures(tmp_path, "no-repaint = true", script)
    assert said[0].startswith('line 3: plot "Last" changed after its bar closed')
    assert "last_bar_index on line 3" in said[1]


def test_a_snapshot_is_never_written_over_unasked(tmp_path: Path) -> None:
    kept = tmp_path / "mean.snapshot.csv"
    assert len(failures(tmp_path, "snapshot = true")) == 1
    assert not kept.exists()
    [written] = outcomes(tmp_path, "snapshot = true", update=True)
    assert written.notes == [f"{kept}: written"]
    assert kept.read_text().splitlines()[:4] == [
        "time,Mean",
        "2024-01-01T00:00:00Z,",
        "2024-01-02T00:00:00Z,",
        "2024-01-03T00:00:00Z,12.0",
    ]
    before = kept.read_bytes()
    assert outcomes(tmp_path, "snapshot = true", update=True)[0].notes == []
    [said] = failures(tmp_path, "snapshot = true\n[inputs]\nLength = 2")
    assert (
        "on bar 1 (2024-01-02T00:00:00Z) Mean was na, and now it is 11.5; 4 values differ; if this is intended" in said
    )
    assert kept.read_bytes() == before
    [anew] = outcomes(tmp_path, "snapshot = true\n[inputs]\nLength = 2", update=True)
    assert anew.passed and "written again: on bar 1" in anew.notes[0]
    assert kept.read_bytes() != before


@pytest.mark.parametrize("content", ["", 'time,Mean\n"x', "time,Other\n", "time,Mean\n2024-01-01T00:00:00Z\n"])
def test_a_snapshot_that_is_none_is_said(tmp_path: Path, content: str) -> None:
    kept = tmp_path / "mean.snapshot.csv"
    kept.write_text(content)
    [outcome] = outcomes(tmp_path, "snapshot = true")
    assert not outcome.passed
    assert kept.read_text() == content


HOSTILE = [
    ("name = 3", "name is 3, not a text"),
    ("[name]\nx = 1", "name is an object"),
    ("scirpt = 'x'", "did you mean 'script'"),
    ("expect = 'bars>1'", "expect is"),
    ("expect = ['bars']", "is not a valid expectation"),
    ("expect = ['barz>1']", "did you mean 'bars'"),
    ("count = -1", "count must be from 1 to 100000"),
    ("count = true", "count is true"),
    ("no-repaint = 2024-01-01", "no-repaint is"),
    ("timeframe = '7X'", "7X"),
    ("test = []", "has 0 tests"),
    ("[[test]]\nname = 'a'\n[[test]]\nname = 'a'", "two tests have the name 'a'"),
    (
        "snapshot = true\n[[test]]\nname = 'SMA 10'\n[[test]]\nname = 'sma-10'",
        "two tests have the snapshot mean.sma-10.snapshot.csv",
    ),
    ("[[test]]\n[[test.test]]", "'test' is not a key of a test"),
    ("[[value]]\nplot = 'Mean'\nis = 1", "has neither bar nor time"),
    ("[[value]]\nplot = 'Mean'\nbar = 1\ntime = 1\nis = 1", "has both bar and time"),
    ("[[value]]\nplot = 'Mean'\nbar = 1\nis = 'x'", "'x' is not a valid value"),
    ("[[value]]\nplot = 'Mean'\nbar = 99\nis = 1", "there is no bar 99"),
    ("[[value]]\nplot = 'Mean'\ntime = 5\nis = 1", "no bar opens at 1970-01-01T00:00:00Z"),
    ("[[value]]\nplot = 'Mean'\ntime = 99999999999999999999\nis = 1", "is not a valid time"),
    ("[[value]]\nplot = 'Mean'\ntime = 'x'\nis = 1", "x is not a valid time"),
    ("[[value]]\nplot = 'Mean'\nbar = 1\nis = 1\nwithin = nan", "is not a tolerance"),
    ("[[value]]\nplot = 'Meen'\nbar = 1\nis = 1", "did you mean 'Mean'"),
    ("[[value]]\nplot = 'Mean'\nbar = 1\nis = 1\nwhat = 2", "'what' is not a key"),
    ("value = 3", "value is 3"),
    ("[symbol]\nmintick = 'x'", "is not a positive number"),
    ("[symbol]\ntik = 1", "'tik' is not a property of a symbol"),
    ("[symbol]\ntimezone = 'Mars'", "Mars"),
    ("[inputs]\nLen = 3", 'there is no input called "Len"'),
    ("[inputs]\nLength = []", "inputs.Length is a list"),
    ("[others]\nSPY = 'none.csv'", "there is no such file"),
    ("x = " + "[" * 5000 + "]" * 5000, "mean.test.toml: "),
    ("x = " + "9" * 5000, "is not TOML"),
    ("[[", "is not TOML"),
    ("[error]\nline = 3", "error.code is missing"),
    ("expect = ['alerts>5']\n[error]\ncode = 'RE10142'", "'expect' has no effect"),
    ("no-repaint = true\n[error]\ncode = 'CE10272'", "'no-repaint' has no effect"),
    ("[error]\ncode = 'RE10142'\n[[value]]\nplot = 'Mean'\nbar = 1\nis = 1", "'value' has no effect"),
]


@pytest.mark.parametrize(("text", "words"), HOSTILE)
def test_what_is_no_test_is_said_and_never_passes(tmp_path: Path, text: str, words: str) -> None:
    [outcome] = outcomes(tmp_path, text)
    assert outcome.problem is not None and outcome.problem.exit_code == 2
    assert words in f"{outcome.problem.message} {outcome.problem.hint}"


def test_what_is_not_computed_is_no_failure(tmp_path: Path) -> None:
    script = '//@version=6\nindicator("T")\nplot(request.security("NYSE:X", "D", close))\n'
    [outcome] = outcomes(tmp_path, "", script)
    assert outcome.problem is not None and outcome.problem.exit_code == 3


def test_tests_are_found_where_people_write(tmp_path: Path) -> None:
    for name in ("b/x.test.toml", "a.test.toml", ".git/x.test.toml", "node_modules/x.test.toml", "b/x.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert [file.relative_to(tmp_path).as_posix() for file in discover(tmp_path)] == ["a.test.toml", "b/x.test.toml"]
