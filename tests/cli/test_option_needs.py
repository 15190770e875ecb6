"""An option that would have no effect is refused: what, why, and what to do."""

from pathlib import Path

import pytest

from pinebench.cli.option_needs import _NEEDS
from tests.cli.support import pinebench
from tests.cli.test_main import declared_parser

FAULTY = '//@version=6\nindicator("A")\nplot(clsoe)\n'
STRATEGY = """//@version=6
strategy("S")
length = input.int(2, "Length", minval = 1, maxval = 3)
if bar_index % length == 0
    strategy.entry("L", strategy.long)
"""
ROWS = "".join(f"2024-01-{day:02}T00:00:00Z,10,12,9,11,5\n" for day in range(1, 21))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "faulty.pine").write_text(FAULTY)
    (tmp_path / "s.pine").write_text(STRATEGY)
    (tmp_path / "dark.pine").write_text('//@version=6\nindicator("A")\nplot(color.r(chart . bg_color))\n')
    (tmp_path / "a.csv").write_text(f"time,open,high,low,close,volume\n{ROWS}")
    return tmp_path


@pytest.mark.parametrize(
    ("line", "words", "way"),
    [
        ("run s.pine --data a.csv --bars 5", "--bars 5 has no effect on bars from files", "leave --bars out"),
        ("inspect s.pine --data a.csv --bars 5 --bar 1", "--bars 5 has no effect on bars from files", "an exchange"),
        ("run s.pine --data a.csv --data X=a.csv --bars 5", "--bars 5 has no effect", "the sample market"),
        ("run s.pine --data sample:AAPL@1Dx50 --bars 5", "--bars 5 has no effect on sample:AAPL@1Dx50", "--bars out"),
        ("portfolio s.pine@a.csv s.pine@a.csv --bars 5", "--bars 5 has no effect", "leave --bars out"),
        ("run s.pine --data a.csv --theme dark", "--theme dark has no effect: nothing is drawn", "add --plot FILE"),
        ("run s.pine --data a.csv --theme light", "--theme light has no effect: nothing is drawn", "leave --theme out"),
        ("backtest s.pine --data a.csv --theme dark", "--theme dark has no effect", "add --plot FILE"),
        ("optimize s.pine --data a.csv --seed 1", "--seed works only with --search random", "leave --seed out"),
        ("fix faulty.pine --model x", "--model works only with --author claude", "add --author claude"),
        ("fix faulty.pine --cdp-port 9", "--cdp-port works only with --with chart", "leave --cdp-port out"),
        ("compile faulty.pine --no-wait", "--no-wait works only with --with chart", "add --with chart"),
        ("compare faulty.pine --with online --target x", "--target works only with --with chart", "--target out"),
        ("write x --confirm-external-data", "--confirm-external-data works only with", "--with chart or --resume"),
        ("watch --allow-remote-cdp", "--allow-remote-cdp works only with --with chart or --push", "--push"),
        ("bundle s.pine --data a.csv", "--data works only with --check", "leave --data out"),
        ("mcp --users users.txt", "--users works only with --serve or --trade or --engines", "leave --users out"),
        ("mcp --http --host 0.0.0.0", "--host works only with --serve", "leave --host out"),
        ("mcp --serve --interval 1h", "--interval works only with --trade", "add --trade"),
        ("mcp --port 9000", "--port works only with --http", "leave --port out"),
        ("mcp --trade BTCUSDT --read-only", "--read-only is about the tools of --tools", "what each client may do"),
        ("lint s.pine --diff --format github", "--diff prints a diff", "leave --diff or the other out"),
        ("lint s.pine --diff --statistics", "--diff prints a diff", "leave --diff or the other out"),
        ("doc s.pine --against s.pine --format markdown", "--against compares exports", "leave one out"),
        ("test --list --update", "--list runs no test", "leave one of them out"),
        ("eval --check --model x", "--check judges our own solutions", "leave one of them out"),
        ("lint s.pine --prune-baseline", "--prune-baseline works only with --baseline", "add --baseline"),
        (
            "run s.pine --data a.csv --as-of 9999-12-31",
            "--as-of 9999-12-31 is in the future",
            "today's date or an earlier one",
        ),
        (
            "backtest s.pine --data a.csv --lower-data a.csv",
            "the bars for the magnifier are bars of",
            "give bars of a shorter timeframe",
        ),
        (
            "optimize s.pine --data a.csv --lower-data a.csv",
            "the bars for the magnifier are bars of",
            "give bars of a shorter timeframe",
        ),
        (
            "montecarlo s.pine --data a.csv --lower-data a.csv",
            "the bars for the magnifier are bars of",
            "give bars of a shorter timeframe",
        ),
        *(
            (
                f"{line} --as-of 2026-08-31",
                "--as-of 2026-08-31 has no effect: the script is not a strategy",
                "--as-of out",
            )
            for line in (
                "run dark.pine --data a.csv",
                "inspect dark.pine --data a.csv",
                "why dark.pine close --data a.csv --bar 1",
                "profile dark.pine --data a.csv",
            )
        ),
    ],
)
def test_an_option_without_effect_is_refused(line: str, words: str, way: str, folder: Path) -> None:
    done = pinebench(*line.split(), folder=folder)
    assert (done.code, done.out) == (2, "")
    assert words in done.err and way in done.err
    assert (folder / "faulty.pine").read_text() == FAULTY


@pytest.mark.parametrize(
    "line",
    [
        "run s.pine --data sample:AAPL --bars 5",
        "run s.pine --data a.csv --data X=sample:AAPL --bars 5",
        "run s.pine --data a.csv --bars 5 --plot a.svg --theme dark",
        "run dark.pine --data a.csv --theme dark",
        "optimize s.pine --data a.csv --search random --trials 2 --seed 0",
        "backtest s.pine --data a.csv --as-of 2026-08-31",
    ],
)
def test_an_option_with_an_effect_is_taken(line: str, folder: Path) -> None:
    done = pinebench(*line.split(), folder=folder)
    assert done.code in (0, 1), done.err


@pytest.mark.parametrize("command", _NEEDS)
def test_the_table_names_options_and_values_that_the_command_has(command: str) -> None:
    known = declared_parser(command)._option_string_actions
    for option in {*_NEEDS[command], *(each for needed in _NEEDS[command].values() for each in needed)}:
        name, _, value = option.partition(" ")
        assert name in known and (not value or value in (known[name].choices or ()))
