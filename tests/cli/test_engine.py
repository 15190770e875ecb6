"""`pinebench engine`: every action by the command line, on a state that an engine left, and on one that runs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pinebench import engine
from pinebench.cli import main
from pinebench.engine.cluster.broker_connection import LogConnection
from tests.cli.support import surroundings
from tests.engine.cluster.memory import MemoryLog
from tests.engine.markets import closes, engine_of, walk

STRATEGY = '//@version=6\nstrategy("S")\nif bar_index % 7 == 0\n    strategy.entry("L", strategy.long)\n'


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a state with an open order."""
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "all"))
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "all" / "engine"
    one = engine_of(str(folder), walk(30))
    one.place_order("owner", "BTCUSDT", "buy", 1, "limit", 1)
    one.close()
    return folder


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(["engine", *words]) == code
    shown = capsys.readouterr()
    return shown.out if code == 0 else shown.err


def test_every_action(state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = said(capsys, "status")
    assert "runs       no\n" in shown and "trading    goes on\n" in shown and "orders     1 open, 0 pending\n" in shown
    assert said(capsys, "halt", "bad", "data\x1b[2J") == "trading is halted; 1 order ended\n"
    shown = said(capsys, "status")
    assert "halted: bad data\\x1b[2J" in shown and "orders     0 open" in shown
    told = json.loads(said(capsys, "status", "--json"))
    assert (told["halted"], told["running"]) == ("bad data\x1b[2J", False)
    assert said(capsys, "resume") == "trading continues\n"
    assert said(capsys, "resume") == "trading was not halted\n"
    assert [line.split()[1] for line in said(capsys, "history", "--lines", "3").splitlines()] == [
        "CANCELLED",
        "HALTED",
        "RESUMED",
    ]
    whole = said(capsys, "history")
    told = json.loads(said(capsys, "history", "--lines", "2", "--json"))["lines"]
    older = said(capsys, "history", "--before", str(told[0]["id"]))
    assert older + "".join(f"{each['text']}\n" for each in told) == whole
    (tmp_path / "s.pine").write_text(STRATEGY)
    assert main(["engine", "halt", "again"]) == 0
    capsys.readouterr()
    assert main(["engine", "trade", "s.pine", "BTCUSDT"]) == 0
    shown = capsys.readouterr()
    id = shown.out.strip()
    assert "no engine is running: the strategy begins when one is started" in shown.err
    assert "trading is halted: again (pinebench engine resume)" in shown.err
    assert said(capsys, "resume") == "trading continues\n"
    assert f"strategy   {id} BTCUSDT 1m, 0 fills, waits for an engine" in said(capsys, "status")
    assert said(capsys, "stop", id) == "the strategy has ended\n"
    assert "strategy not found" in said(capsys, "stop", id, code=2)
    assert "kept.sqlite3: " in said(capsys, "backup", "kept.sqlite3")
    assert "exists" in said(capsys, "backup", "kept.sqlite3", code=2)
    assert "kept.sqlite3: " in said(capsys, "backup", "kept.sqlite3", "--force")
    engine = engine_of(str(state), closes(100.0))
    assert "another engine uses this folder" in said(capsys, "restore", "kept.sqlite3", code=2)
    assert "runs       yes, process " in said(capsys, "status")
    engine.close()
    assert said(capsys, "restore", "kept.sqlite3") == "the state was restored from kept.sqlite3\n"


def test_a_result_that_cannot_be_written_is_3(tmp_path: Path) -> None:
    settings = surroundings(tmp_path, PINEBENCH_STATE_DIR=str(tmp_path / "all"))
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "pinebench", "engine", "status"]
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=settings, check=False)
    assert (ended.returncode, b"No space left" in ended.stderr) == (3, True)


@pytest.mark.parametrize("words", [("run",), ("groups",), ("feed", "BTCUSDT", "--interval", "1m")])
def test_several_engines_need_a_broker(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.delenv("PINEBENCH_BROKER_URL", raising=False)
    shown = said(capsys, *words, code=2)
    assert "no message broker is configured" in shown
    assert 'url = "redis://HOST:6379/0"' in shown
    monkeypatch.setenv("PINEBENCH_BROKER_URL", "redis://127.0.0.1:9/0")
    shown = said(capsys, *words, code=3)
    assert "the broker did not answer" in shown
    assert "Traceback" not in shown


def test_a_feed_of_an_unknown_symbol_is_refused_before_anything_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert "is not a symbol of Binance or Yahoo" in said(capsys, "feed", "B T C", code=2)


def test_the_kill_switch_goes_to_the_broker_if_one_is_named(
    state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine of this computer alone would be halted by mistake, and the others would trade on."""
    monkeypatch.delenv("PINEBENCH_BROKER_URL", raising=False)
    (state / "engine.toml").write_text('[broker]\nurl = "redis://127.0.0.1:9/0"\n')
    for words in (("halt", "now"), ("resume",)):
        assert "the broker did not answer" in said(capsys, *words, code=3)
    assert "trading    goes on\n" in said(capsys, "status")


def test_a_broker_that_lost_entries_is_not_said_to_be_out_of_reach(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(log: object) -> None:
        raise engine.IncompleteLog("the message broker has lost entries 2 to 3 of changes:0")

    monkeypatch.setattr(engine, "connect", lambda: LogConnection(MemoryLog(), None, None))
    monkeypatch.setattr(engine, "status_of_all", lost)
    shown = said(capsys, "groups", code=3)
    assert "has lost entries 2 to 3 of changes:0" in shown
    assert "from your backup" in shown
    assert "that it is running" not in shown


def test_a_server_has_an_engine_or_engines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", "--serve", "--trade", "BTCUSDT", "--engines"]) == 2
    assert "cannot be combined with --engines" in capsys.readouterr().err
