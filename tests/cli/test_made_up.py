"""Each output that is made of bars says what was read of them, and if they are made up: texts, JSON, tables, pages."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from pinebench.cli import main
from pinebench.cli.table import COMMANDS as EVERY_COMMAND
from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call
from tests.cli.support import in_terminal

STRATEGY = """//@version=6
strategy("Cross", overlay = true)
int fast = input.int(3, "Fast", minval = 1)
if ta.crossover(close, ta.sma(close, fast))
    strategy.entry("L", strategy.long)
if ta.crossunder(close, ta.sma(close, fast))
    strategy.close("L")
plot(close, "Close")
"""
DATA = "--data sample:AAPL@1Dx120"
SWEEP = f"optimize s.pine {DATA} --input Fast=2:4:1 --jobs 1"
WALK = f"{SWEEP} --walk-forward train=2M,test=1M"
SCREEN = "screen s.pine --data sample --symbols *AAPL --bars 60 --where last(close)>0"
MEMBER = "portfolio s.pine@sample:AAPL@1Dx120"
COMMANDS = (
    *(f"run s.pine {DATA}{more}" for more in ("", " --format json", " --format csv", " -o OUT.txt")),
    f"run s.pine {DATA} --format parquet -o OUT.parquet",
    f"run s.pine {DATA} --plot OUT.html",
    f"run s.pine {DATA} --plot OUT.svg",
    *(f"backtest s.pine {DATA}{more}" for more in ("", " --format json", " --trades OUT.csv", " -o OUT.txt")),
    f"backtest s.pine {DATA} --format html -o OUT.html",
    "chart sample:AAPL -o OUT.html",
    *(f"why s.pine close {DATA} --bar 60{more}" for more in ("", " --format json")),
    *(f"inspect s.pine {DATA} --bar 60{more}" for more in ("", " --format json")),
    *(f"profile s.pine {DATA} --no-advice{more}" for more in ("", " --format json", " --format html -o OUT.html")),
    f"profile s.pine {DATA} --no-advice --format speedscope -o OUT.speedscope",
    *(f"montecarlo s.pine {DATA} --runs 20{more}" for more in ("", " --format json")),
    *(f"import-trades s.pine list.csv {DATA}{more}" for more in ("", " --format json")),
    *(f"{MEMBER}{more}" for more in ("", " --format json", " --trades OUT.csv")),
    *(f"{SCREEN}{more}" for more in ("", " --format csv", " --format json")),
    *(f"{SWEEP}{more}" for more in ("", " --format json", " -o OUT.csv", " -o OUT.json", " -o OUT.parquet")),
    f"{SWEEP} --page OUT.html",
    *(f"{WALK}{more}" for more in ("", " --format json", " -o OUT.json")),
    *(f"test s.test.toml{more}" for more in ("", " --format json", " --format junit")),
)
OTHERS = {
    # No bars, or bars only in tools, in a page or in a terminal, which say it in their own way.
    *("ask", "call", "chat", "compare", "compile", "completion", "config", "debug", "demo", "doctor", "edit", "engine"),
    *("eval", "explain", "fix", "format", "launch", "lint", "lsp", "mcp", "migrate", "parse", "pull", "push", "skills"),
    *("bundle", "doc", "new", "studio", "sync", "template", "tools", "tv", "verify", "watch", "write"),
}
FACTS = (
    "times",
    "times_without_zone_taken_as",
    "columns",
    "share_of_steps",
    "tick",
    "tick_origin",
    "made_up",
    "summary",
)
BARS_OF_A_FILE = "120 bars of 1 day; times in dates without a time zone, read as UTC"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders of the test's own for what is kept: a sweep that another process runs at the same time is refused."""
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a strategy, its bars in a file, a list of trades and a test."""
    monkeypatch.chdir(tmp_path)
    Path("s.pine").write_text(STRATEGY)
    rows = [
        f"2024-{1 + k // 28:02d}-{1 + k % 28:02d},{100 + k % 7},{109 + k % 7},{90},{100 + k % 5}" for k in range(120)
    ]
    Path("bars.csv").write_text("time,open,high,low,close\n" + "\n".join(rows))
    Path("list.csv").write_text("Trade #,Type,Date/Time,Signal,Price USD,Contracts\n")
    Path("s.test.toml").write_text(
        'script = "s.pine"\nbars = "AAPL"\ntimeframe = "1D"\ncount = 60\nexpect = ["trades>=1"]\n'
    )
    return tmp_path


def outcome(command: str, number: int, capsys: pytest.CaptureFixture[str]) -> tuple[str, list[str]]:
    """What a command writes: standard output, or the file in place of OUT."""
    words = [word.replace("OUT", f"out{number}") for word in command.split()]
    code = main(words)
    told = capsys.readouterr()
    assert code in (0, 1), (command, told.err)
    named = [word for word in words if word.startswith("out")]
    if not named:
        return told.out, []
    if named[0].endswith(".parquet"):
        table = parquet.read_table(io.BytesIO(Path(named[0]).read_bytes()))
        return str(table.column(table.num_columns - 1)[0]), named
    return Path(named[0]).read_text(encoding="utf-8"), named


def parts(value: Any) -> list[dict[str, Any]]:
    """All objects in JSON values."""
    if isinstance(value, list):
        return [found for each in value for found in parts(each)]
    if not isinstance(value, dict):
        return []
    return [value, *(found for each in value.values() for found in parts(each))]


def test_every_output_of_made_up_prices_says_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong: list[str] = []
    for number, command in enumerate(COMMANDS):
        text, files = outcome(command, number, capsys)
        if "--format json" in command or (files and files[0].endswith(".json")):
            found = parts(json.loads(text))
            right = any(row.get("made_up") is True for row in found)
            if "screen" not in command:
                right = right and any(all(name in row for name in FACTS) for row in found)
            else:
                right = right and any("made up" in str(row.get("read")) for row in found)
        else:
            right = "made up" in text
        wrong += [] if right else [f"{command}: {text[:300]}"]
    assert wrong == []


def test_every_command_is_in_the_list_or_shows_no_numbers_of_bars() -> None:
    listed = {command.split()[0] for command in COMMANDS}
    assert listed | OTHERS == set(EVERY_COMMAND)
    assert not listed & OTHERS


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.soak)])
def test_outputs_of_other_prices_say_what_was_read_and_not_that_it_is_made_up(
    folder: Path, capsys: pytest.CaptureFixture[str], step: int
) -> None:
    wrong: list[str] = []
    for number, command in enumerate(COMMANDS[::step]):
        if command.startswith(("screen", "test", "chart")):
            continue
        asked = command.replace("sample:AAPL@1Dx120", "bars.csv")
        text, files = outcome(asked, number, capsys)
        if "made up" in text.replace('"made_up":false', "") or '"made_up":true' in text.replace(" ", ""):
            wrong.append(f"{asked}: says made up")
        told = "--format json" in command or (files and files[0].endswith((".json", ".txt")))
        if told and "read as UTC" not in text:
            wrong.append(f"{asked}: does not say what was read: {text[:300]}")
    assert wrong == []


CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("pine_run", {}),
    ("pine_backtest", {}),
    ("pine_optimize", {"ranges": ["Fast=2:3:1"]}),
    ("pine_walk_forward", {"ranges": ["Fast=2:3:1"], "windows": "train=2M test=1M"}),
    ("pine_audit_strategy", {}),
    ("quant_returns", {"source": None}),
    ("quant_volume_profile", {"source": None}),
    ("quant_tearsheet", {}),
)
"""Tools that run a script on bars, or compute on bars."""


def test_every_result_of_a_tool_on_made_up_prices_says_what_was_read() -> None:
    calls = [(name, {"data": ["sample:AAPL@1Dx120"], **given}) for name, given in CALLS]
    calls += [
        ("pine_portfolio", {"members": ["sample:AAPL@1Dx120"]}),
        ("pine_screen", {"where": "last(close) > 0", "symbols": "AAPL", "bars": 60}),
        ("quant_compare", {"source": None, "data": ["sample:AAPL@1Dx120", "sample:MSFT@1Dx120"]}),
        ("get_indicators", {"source": None, "symbol": "sample:AAPL@1D", "indicators": ["rsi"]}),
    ]
    wrong: list[str] = []
    for name, given in calls:
        asked = {key: value for key, value in {"source": STRATEGY, **given}.items() if value is not None}
        told = call(ChartBrowser(port=9), name, asked)
        key = registry.find(name).prices_key
        read = [row.get("read", "") for row in parts(told)] + told.get("bars_read", [])
        if told.get(key) != "sample" or not any("tick 0.01" in str(each) for each in read):
            wrong.append(f"{name}: {str(told)[:300]}")
    assert wrong == []


@pytest.mark.parametrize(("command", "shown"), [("run", "Close"), ("backtest", "Net profit")])
def test_a_terminal_shows_once_what_was_read(tmp_path: Path, command: str, shown: str) -> None:
    (tmp_path / "s.pine").write_text(STRATEGY, encoding="utf-8")
    asked = (command, "s.pine", *DATA.split())
    loud, quiet = (in_terminal(*asked, *more, folder=tmp_path, columns=400).out for more in ((), ("-q",)))
    assert (loud.count("120 bars of 1 day"), quiet.count("120 bars of 1 day")) == (1, 1)
    assert loud.startswith("pinebench: sample:AAPL@1Dx120: ")
    assert quiet.startswith(("NASDAQ:AAPL (made up): ", "Bars: "))
    assert all("made up" in each and shown in each for each in (loud, quiet))
