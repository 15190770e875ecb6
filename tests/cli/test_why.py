"""`pinebench why` in the terminal: the line of a block or function, which run of it is told, and wrong choices."""

from pathlib import Path

import pytest

from pinebench.cli import main

SCRIPT = """//@version=6
indicator("x")
scaled(float x, int n) =>
    total = 0.0
    for i = 1 to n
        total += x * i
    total
if bar_index == 3
    third = close * 2
    log.info(str.tostring(third))
plot(scaled(close, 2) + scaled(open, 3))
"""
BARS = ("--data", "sample:AAPL@60x20")


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = tmp_path / "a.pine"
    file.write_text(SCRIPT, "utf-8")
    return str(file)


def test_a_line_inside_is_told_with_its_run_and_its_call(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", path, *BARS, "--bar", "3", "--line", "6", "--call", "scaled(close, 2)", "i"]) == 0
    made_up, _, *rows = capsys.readouterr().out.splitlines()
    assert made_up.startswith("NASDAQ:AAPL (made up): 20 bars of 1 hour") and made_up.endswith("; made up")
    assert rows[0].endswith(": i = 2")
    called = "in the call 'scaled(close, 2)'; this is run 2, in scaled(close, 2) (line 11)"
    assert rows[1] == f"  line 6 ran 2 times on this bar {called}"
    assert main(["why", path, *BARS, "--bar", "4", "--line", "9", "third"]) == 0
    _, _, *rows = capsys.readouterr().out.splitlines()
    assert rows[0].endswith(": third: not evaluated")
    assert rows[1:3] == [
        "  because line 9 did not run on this bar: the condition in line 8 was false",
        "  because bar_index == 3 is false: bar_index is 4",
    ]


def test_wrong_choices_are_refused(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    for more, words in (
        (("--iteration", "2", "close"), "needs a line"),
        (("--line", "6", "--iteration", "0", "i"), "no iteration 0"),
        (("--line", "60", "i"), "no line 60"),
        (("--line", "6", "--iteration", "9", "i"), "ran 5 times on this bar"),
        (("--line", "6", "--order", "Long"), "not to an order"),
    ):
        assert main(["why", path, *BARS, "--bar", "3", *more]) == 2
        assert words in capsys.readouterr().err
