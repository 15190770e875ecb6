"""Natural mistakes: each is answered in one line that is true and says what to do, with the code of the table.

Every command that takes a script gets everything that is none; every command and option gets its usual misspellings.
"""

import json
from pathlib import Path

import pytest

from pinebench.calendars.timeframes import timeframe
from pinebench.cli import main
from pinebench.cli.exit_codes import USAGE
from pinebench.cli.table import COMMANDS
from pinebench.errors import UsageError
from tests.cli.support import CLEAN
from tests.tables import each

BARS = "time,open,high,low,close\n2024-01-02,1,2,0.5,1.5\n2024-01-03,1,2,0.5,1.5\n"
OTHERS = {
    "bars.csv": BARS.encode(),
    "none.csv": b"",
    "notes.md": b"# Notes\n\nplot more\n",
    "page.html": b"<p>indicator</p>\n",
    "german.csv": b"date;open;high;low;close\n02.01.2024;1;2;0.5;1.5\n",
    "data.json": b'{"a": 1}\n',
    "picture.png": b"\x89PNG\r\n\x1a\n\0\0",
    "sheet.xlsx": b"PK\x03\x04\x14\0\x88\0",
    "settings.toml": b"[lint]\n",
}
"""Files that are not scripts."""

TAKE_A_SCRIPT: dict[str, tuple[str, ...]] = {
    "lint": ("FILE",),
    "lint --fix": ("FILE", "--fix", "--unsafe-fixes"),
    "format": ("FILE",),
    "parse": ("FILE",),
    "compile": ("FILE",),
    "compare": ("FILE", "--with", "online"),
    "fix": ("FILE",),
    "migrate": ("FILE", "--write"),
    "run": ("FILE", "--data", "sample:AAPL@1Dx20"),
    "backtest": ("FILE", "--data", "sample:AAPL@1Dx20"),
    "import-trades": ("FILE", "trades.txt", "--data", "sample:AAPL@1Dx20"),
    "push": ("FILE", "--cdp-port", "9", "--no-wait"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, content in OTHERS.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "trades.txt").write_text("Trade #,Type,Signal,Date/Time,Price USD,Contracts\n", encoding="utf-8")
    (tmp_path / "a.pine").write_text(CLEAN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", TAKE_A_SCRIPT)
def test_what_is_no_script_is_refused_and_stays_as_it_is(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for other in OTHERS:
        words = [other if word == "FILE" else word for word in TAKE_A_SCRIPT[name]]
        assert main([name.partition(" ")[0], *words]) == USAGE, other
        said = capsys.readouterr().err
        assert f"{other} is not a Pine script" in said or f"{other} is not UTF-8 text" in said
        assert "(" in said, "it says what to do"
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.name in OTHERS} == OTHERS


@pytest.mark.parametrize("words", [("format",), ("lint", "--fix", "--unsafe-fixes"), ("fix",), ("migrate", "--write")])
def test_prices_and_notes_are_not_changed_whatever_they_are_called(
    words: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("bars.txt", "prices", "NOTES"):
        (folder / name).write_text(BARS if name != "NOTES" else "call it(with care\n", encoding="utf-8")
        before = (folder / name).read_bytes()
        assert main([*words, name]) == USAGE, name
        assert (folder / name).read_bytes() == before
        assert f"{name} is not a Pine script" in capsys.readouterr().err


def test_a_script_of_any_name_is_changed_if_it_says_that_it_is_one(folder: Path) -> None:
    for name in ("a.txt", "noending"):
        (folder / name).write_text(CLEAN.replace("plot(close)", "plot( close )"), encoding="utf-8")
        assert main(["format", name]) == 0
        assert (folder / name).read_text(encoding="utf-8") == CLEAN


def test_a_pattern_that_the_shell_left_alone_is_followed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "sub").mkdir()
    for name in ("b.pine", "sub/c.pine", "[x].pine"):
        (folder / name).write_text(CLEAN, encoding="utf-8")
    for pattern, count in (("*.pine", 3), ("**/*.pine", 4), ("?.pine", 2), ("[x].pine", 1), ("[ab].pine", 2)):
        assert main(["lint", pattern]) == 0, pattern
        assert f"{count} script" in capsys.readouterr().out
    (folder / "a.test.toml").write_text('script = "a.pine"\nbars = "AAPL"\ncount = 20\n', encoding="utf-8")
    assert main(["test", "*.test.toml"]) == 0
    assert main(["lint", "*.pyne"]) == USAGE
    assert "*.pyne: there is no such file" in capsys.readouterr().err


def test_what_may_be_a_script_is_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.txt", "noending", "a.ps", "old.bak"):
        (folder / name).write_text(CLEAN, encoding="utf-8")
        assert main(["lint", name]) == 0
    (folder / "x.txt").write_text("plot(close)\n", encoding="utf-8")
    (folder / "v1.old").write_text('study("x")\n', encoding="utf-8")
    assert main(["lint", "x.txt", "v1.old"]) == 1
    assert "version-missing" in capsys.readouterr().out


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_with_letters_swapped_is_found(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    written = name[0] + name[2] + name[1] + name[3:] if len(name) > 3 else f"{name}s"
    written = written if written != name else f"{name}x"
    if written in COMMANDS:
        pytest.skip("that is a command, too")
    assert main([written]) == USAGE
    assert f"did you mean '{name}'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("written", "meant"),
    [("check", "lint"), ("fmt", "format"), ("convert", "migrate"), ("simulate", "backtest"), ("serve", "studio")],
)
def test_a_command_of_other_programs_is_known(written: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([written]) == USAGE
    assert f"did you mean '{meant}'?" in capsys.readouterr().err


def test_help_is_a_word_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    assert "usage: pinebench COMMAND" in capsys.readouterr().out
    with pytest.raises(SystemExit) as left:
        main(["help", "lint"])
    assert left.value.code == 0
    assert "usage: pinebench lint" in capsys.readouterr().out
    assert main(["help", "lnt"]) == USAGE


@each(
    ("line", "said"),
    [
        ("--lint", "unknown argument '--lint'; did you mean 'lint'?"),
        ("lint --fromat json", "did you mean '--format'?"),
        ("lint --budget", "unknown argument '--budget' (see"),
        ("test --junit", "unknown argument '--junit' (see"),
        ("lint --format jsn a.pine", "sarif, github, gitlab, junit, not 'jsn' (did you mean"),
        ("run a.pine", "missing: --data (see"),
        ("explain smma", "did you mean 'ta.sma'?"),
        ("run a.pine --data sheet.xlsx", "export its content as CSV"),
        (
            "import-trades a.pine bars.csv --data bars.csv",
            "bars.csv, line 1: there is no column 'Trade #' (expected the list",
        ),
        ("lint a.pine --fail-on warn", "did you mean 'warning'?"),
        ("LINT a.pine", "did you mean 'lint'?"),
        ("a.pine", "did you mean 'pinebench lint a.pine'?"),
        (
            "--format json lint a.pine",
            "'json' must come after the command (write the command first: pinebench lint ...)",
        ),
        ("run a.pine --data kraken:BTC", "of an exchange write ccxt:EXCHANGE:SYMBOL:TIMEFRAME"),
        ("run a.pine --data https://example.com/bars.csv", "https://example.com/bars.csv is an address"),
        ("run a.pine bars.csv", "did you mean '--data bars.csv'?"),
        (
            "run a.pine --data german.csv",
            "german.csv, line 2: '02.01.2024' could be the day and month, or the month and day (write times as ISO",
        ),
        ("test a.pine", "name the file with its tests, which ends in .test.toml"),
        ("backtest a.pine --data bars.csv -o gone/x.html", "there is no folder gone (make it first)"),
        ("pull -o gone/x.pine --cdp-port 9 --no-wait", "there is no folder gone (make it first)"),
        ("pull -o . --cdp-port 9 --no-wait", "it is a folder, not a file"),
        ("run a.pine --data bars.csv --timeframe 60", "bars of 1 day cannot be aggregated to bars of 1 hour"),
        ("run a.pine --data sample:AAPL@1Dx20 --expect trades>1", "trades is a figure of strategies"),
        ("run a.pine --data sample:APPL", "did you mean AAPL?"),
        ("write x --template nonesuch", "there is no template 'nonesuch'"),
        ("call pine_lint source=a.pine", "write @a.pine"),
        ("tv pine lint a.pine", "write @a.pine"),
        ("tv pine", "the command 'pine' is not complete ('pinebench tv pine --help' lists"),
        ("mcp --install claude", "did you mean 'claude-code'?"),
        ("lint a.pine --jobs 99999999999999999999", "a whole number from 1 to 999999999999999, not '9999"),
        ("why a.pine --data bars.csv --bar 2030-01-01 close", "is after the last bar (the last bar is at 2024-01-03"),
        ("bundle a.pine --where 3", "a.pine.map.json: there is no such file (name a bundle: 'pinebench bundle a.pine"),
        ("optimize a.pine --data bars.csv Length=5:50:5", "did you mean '--input Length=5:50:5'?"),
        ("verify a.pine", "a.pine is a file, not a folder with a recording (name the folder of"),
        ("compile .", "is a folder, not a file (name a file in it)"),
        ("portfolio a.pine@bars.csv --initial-capital abc", "--initial-capital: must be a number, not 'abc'"),
    ],
)
def test_a_mistake_is_answered(line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == USAGE
    told = capsys.readouterr()
    assert said in told.err + json.dumps(told.out) + told.out
    assert "Traceback" not in told.err


def test_a_file_whose_name_begins_with_a_hyphen_is_no_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("-a.pine").write_text('//@version=6\nindicator("x")\nplot(close)\n', encoding="utf-8")
    assert main(["lint", "-a.pine"]) == USAGE
    assert "if it is the name of a file, write './-a.pine', or '--' before all names" in capsys.readouterr().err
    assert main(["lint", "./-a.pine"]) == main(["lint", "--", "-a.pine"]) == 0


def test_a_file_too_many_is_named_and_no_way_to_write_it_is_proposed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "b.pine").write_text(CLEAN, encoding="utf-8")
    for words in (["parse", "a.pine", "b.pine"], ["run", "a.pine", "b.pine", "--data", "bars.csv"]):
        assert main(words) == USAGE
        said = capsys.readouterr().err
        assert "unknown argument 'b.pine'" in said and "'./" not in said and "'--'" not in said


def test_an_empty_name_is_no_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "a.pine", "--data", ""]) == USAGE
    assert "argument --data: the name is empty" in capsys.readouterr().err
    assert main(["new", ""]) == USAGE
    assert "the name of the project is empty (give the folder to create" in capsys.readouterr().err
    assert main(["new", "--user", "me", " "]) == USAGE


def test_an_empty_request_is_no_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["write", " "]) == USAGE
    assert "the REQUEST is empty (say what the script should do)" in capsys.readouterr().err


def test_fewer_bars_than_asked_for_are_announced(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "a.pine", "--data", "sample:AAPL@1Dx5000"]) == 0
    assert "sample:AAPL@1Dx5000: the sample market has only " in capsys.readouterr().err


def test_a_name_with_its_arguments_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "ta.sma(close, 14)"]) == 0
    assert capsys.readouterr().out.startswith("ta.sma()")


@each(
    ("written", "meant"),
    [
        ("1h", "60"), ("4H", "240"), ("1d", "1D"), ("1Day", "1D"), ("5m", "5"), ("15min", "15"), ("30 seconds", "30S"),
        ("1w", "1W"), ("1 week", "1W"), ("1mo", "1M"), ("3 months", "3M"), ("hour", "60"), ("daily", "1D"),
    ],
)  # fmt: skip
def test_a_timeframe_of_other_programs_is_known(written: str, meant: str) -> None:
    with pytest.raises(UsageError) as refused:
        timeframe(written)
    assert f'did you mean "{meant}"?' in str(refused.value.hint)


@each("written", ["x", "0h", "1q", "-1", "1.5h", "9999h"])
def test_no_timeframe_is_made_up(written: str) -> None:
    with pytest.raises(UsageError) as refused:
        timeframe(written)
    assert "did you mean" not in str(refused.value.hint)


def test_an_account_in_another_currency_names_the_option_for_its_rates(capsys: pytest.CaptureFixture[str]) -> None:
    Path("s.pine").write_text('//@version=6\nstrategy("S")\nstrategy.entry("L", strategy.long)\n')
    assert main(["backtest", "s.pine", "--data", "sample:AAPL@1Dx20", "--currency", "EUR"]) != 0
    assert "Give the daily rates of USD in EUR (on the command line --rates FILE)" in capsys.readouterr().err
