"""Natural mistakes: each is answered in one line that is true and says what to do, with the code of the table.

Every command that takes a script gets everything that is none; every command and option gets its usual misspellings.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pinebench.calendars.timeframes import timeframe
from pinebench.cli import main
from pinebench.cli.exits import USAGE
from pinebench.cli.table import COMMANDS
from pinebench.errors import UsageError
from tests.cli.support import CLEAN

BARS = "time,open,high,low,close\n2024-01-02,1,2,0.5,1.5\n2024-01-03,1,2,0.5,1.5\n"
OTHERS = {
    "bars.csv": BARS.encode(),
    "none.csv": b"",
    "notes.md": b"# Notes\n\nplot more\n",
    "page.html": b"<p>indicator</p>\n",
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
        assert f"{other}: is not a Pine script" in said or f"{other}: not UTF-8 text" in said
        assert "(" in said, "it says what to do"
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.name in OTHERS} == OTHERS


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


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--lint", "unknown argument '--lint'; did you mean 'lint'?"),
        ("lint --fromat json", "did you mean '--format'?"),
        ("lint --budget", "unknown argument '--budget' (see"),
        ("test --junit", "unknown argument '--junit' (see"),
        (
            "lint --format jsn a.pine",
            "sarif, github, gitlab, junit, not 'jsn' (did you mean",
        ),
        ("run a.pine", "missing: --data (see"),
        ("explain smma", "did you mean 'ta.sma'?"),
        ("run a.pine --data sheet.xlsx", "export what it holds as CSV"),
        ("run a.pine --data bars.csv --timeframe 60", "bars of 1 day cannot be made into bars of 1 hour"),
        ("run a.pine --data sample:AAPL@1Dx20 --expect trades>1", "trades is a figure of strategies"),
        ("run a.pine --data sample:APPL", "did you mean AAPL?"),
        ("write x --template nonesuch", "there is no template 'nonesuch'"),
        ("call pine_lint source=a.pine", "write @a.pine"),
        ("tv pine lint a.pine", "write @a.pine"),
        ("tv pine", "say what 'pine' should do ('pinebench tv pine --help' lists"),
        ("mcp --install claude", "did you mean 'claude-code'?"),
    ],
)
def test_a_mistake_is_answered(line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == USAGE
    told = capsys.readouterr()
    assert said in told.err + json.dumps(told.out) + told.out
    assert "Traceback" not in told.err


def test_a_name_with_its_arguments_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "ta.sma(close, 14)"]) == 0
    assert capsys.readouterr().out.startswith("ta.sma()")


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("written", ["x", "0h", "1q", "-1", "1.5h", "9999h"])
def test_no_timeframe_is_made_up(written: str) -> None:
    with pytest.raises(UsageError) as refused:
        timeframe(written)
    assert "did you mean" not in str(refused.value.hint)
