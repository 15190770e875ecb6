"""An engine that is killed under load, again and again: no alert is lost or fired twice, no order filled twice."""

import itertools
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from pinebench.checker import open_program
from pinebench.engine.conditions import EXPRESSION
from pinebench.engine.engine import TradingEngine
from pinebench.engine.moments import rfc3339
from pinebench.market import Bars
from pinebench.workers.dispatch import execute
from pinebench.workers.jobs import request_of
from tests.engine.markets import info
from tests.engine.worker import HISTORY, SUBJECTS, keys, market, prepare

ROOT = Path(__file__).parents[2]
HOOK = {"url": "https://example.com/hook", "secret": "0123456789abcdef"}
MOMENT = 0.01
"""The seconds after a bar within which a process is killed; it works on the next bars then."""
EVERY = {"crossing": {"level": 100.0}}
PINE = {"pine": "ta.crossover(close, ta.sma(close, 5))"}


def kill_and_restart(folder: Path, series: int, count: int, kills: int) -> int:
    """Play a market in processes that are killed at a random moment after some bars, and return how often one was
    killed."""
    numbers, killed = Random(7), 0
    while True:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.engine.worker", str(folder), str(series), str(count)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        try:
            assert process.stdout.readline().startswith("begun")
            if killed < kills:
                # Half of the bars: the last process has some, although one works on after the bar that is read.
                for _ in range(numbers.randint(1, (count - HISTORY) // (2 * kills))):
                    assert process.stdout.readline().startswith("bar")
                process.wait(numbers.uniform(0, MOMENT))
            said, _ = process.communicate(timeout=300)
            assert "over" in said
            assert process.returncode == 0
            return killed
        except subprocess.TimeoutExpired:
            assert killed < kills
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            killed += 1
        finally:
            process.stdout.close()


def alert(engine: TradingEngine, series: int) -> dict[str, tuple[str, str]]:
    """Set alerts of every user on every series. Return their users and symbols by id."""
    found: dict[str, tuple[str, str]] = {}
    for subject in (f"user{number}" for number in range(SUBJECTS)):
        engine.pushing.subscribe(subject)
        for symbol, _ in keys(series):
            id = engine.set_alert(subject, symbol, EVERY, frequency="once_per_bar", webhook=HOOK)
            found[id] = subject, symbol
    for symbol, _ in keys(series):
        found[engine.set_alert("user0", symbol, PINE, frequency="once_per_bar")] = "user0", symbol
    return found


def check(folder: Path, series: int, count: int, alerts: dict[str, tuple[str, str]]) -> tuple[int, int]:
    """Compare what was kept with the market. Return the numbers of firings and of fills."""
    engine = prepare(str(folder), series, count)
    rows = engine.store.rows("select * from firing")
    told = Counter((row["alert"], row["bar"]) for row in rows)
    assert set(told.values()) <= {1}
    expected = set[tuple[str, int]]()
    for id, (_, symbol) in alerts.items():
        bars = market([each for each, _ in keys(series)].index(symbol), count)
        is_pine = bool(engine.store.row("select 1 from alert where id = ? and condition like '%pine%'", (id,)))
        hits = _crossovers(bars) if is_pine else _crossings(bars.close)
        expected.update((id, bars.time[at]) for at in hits if at >= HISTORY)
    assert set(told) == expected
    _check_deliveries(engine, alerts, expected)
    fills = _check_fills(engine, series, count)
    engine.close()
    return len(expected), fills


def _crossings(close: list[float]) -> list[int]:
    pairs = enumerate(itertools.pairwise(close), 1)
    return [at for at, (before, now) in pairs if before <= 100 < now or before >= 100 > now]


def _crossovers(bars: Bars) -> list[int]:
    """The bars on which a run of the expression on the whole market says so."""
    program = open_program(EXPRESSION.format(PINE["pine"]))
    values = execute(request_of(program, bars, info())).result.plot("condition")
    return [at for at, value in enumerate(values) if value]


def _check_deliveries(
    engine: TradingEngine, alerts: dict[str, tuple[str, str]], expected: set[tuple[str, int]]
) -> None:
    import json

    queued = Counter[tuple[str, str, str]]()
    for row in engine.store.rows("select subject, body from notification"):
        body = json.loads(row["body"])
        queued[row["subject"], body["alert_id"], body["triggered_at"]] += 1
    wanted = {(alerts[id][0], id, rfc3339(time + 60_000)) for id, time in expected}
    assert set(queued.values()) == {1}
    assert set(queued) == wanted
    events = [json.loads(row["frame"])["params"] for row in engine.store.rows("select frame from event order by id")]
    assert Counter((each["alert_id"], each["triggered_at"]) for each in events) == Counter(each[1:] for each in wanted)
    letters = engine.store.rows("select alert, body from outbox")
    hooked = {row["id"] for row in engine.store.rows("select id from alert where webhook is not null")}
    assert len(letters) == sum(id in hooked for id, _ in expected) > 0


def _check_fills(engine: TradingEngine, series: int, count: int) -> int:
    """Every fill is at a price of its bar, after its order, and the positions are the sums of the fills."""
    rows = engine.store.rows("select * from paper_order where state = 'Filled'")
    sums: dict[tuple[str, str], float] = {}
    for row in rows:
        bars = market([each for each, _ in keys(series)].index(row["symbol"]), count)
        at = (row["filled"] - bars.time[0]) // 60_000
        ranges = [(bars.low[place], bars.high[place]) for place in {at, max(at - 1, 0)} if place < count]
        assert any(low <= row["fill_price"] <= high for low, high in ranges), dict(row)
        assert row["created"] <= row["filled"]
        signed = row["quantity"] if row["side"] == "buy" else -row["quantity"]
        key = row["subject"], row["symbol"]
        sums[key] = sums.get(key, 0.0) + signed
    held = {
        (row["subject"], row["symbol"]): row["quantity"] if row["side"] == "buy" else -row["quantity"]
        for row in engine.store.rows("select * from position")
    }
    assert {key: total for key, total in sums.items() if total} == held
    lines = [row["line"] for row in engine.store.rows("select line from audit where line like '% FILLED %'")]
    assert len(lines) == len(rows) == len({line.rpartition("id=")[2] for line in lines})
    return len(rows)


def _run(folder: Path, series: int, count: int, kills: int) -> tuple[int, int, int]:
    engine = prepare(str(folder), series, count)
    alerts = alert(engine, series)
    engine.close()
    killed = kill_and_restart(folder, series, count, kills)
    return killed, *check(folder, series, count, alerts)


def test_kills_lose_and_repeat_nothing(tmp_path: Path) -> None:
    killed, firings, fills = _run(tmp_path, 2, 110, 3)
    assert killed == 3
    assert firings > 10
    assert fills > 10


@pytest.mark.soak
def test_fifty_kills_lose_and_repeat_nothing(tmp_path: Path) -> None:
    killed, firings, fills = _run(tmp_path, 6, 700, 50)
    assert killed == 50
    assert firings > 200
    assert fills > 500
