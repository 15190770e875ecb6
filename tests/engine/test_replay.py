"""A market that is replayed through the engine gives the fills and alerts of a back-test of the same bars."""

from pathlib import Path
from typing import Any

import pytest

from pinebench.checker import open_program
from pinebench.engine.engine import TradingEngine
from pinebench.engine.moments import rfc3339
from pinebench.market import Bars
from pinebench.workers.dispatch import execute
from pinebench.workers.jobs import request_of
from tests.engine.markets import MINUTE, engine_of, info, play, walk

HISTORY = 120
RULES = """
fast = ta.ema(close, 5)
slow = ta.ema(close, 13)
"""
STRATEGY = f"""//@version=6
strategy("cross", initial_capital = 100000, default_qty_type = strategy.fixed, default_qty_value = 10)
{RULES}
if bar_index >= {HISTORY} and ta.crossover(fast, slow)
    strategy.entry("long", strategy.long, 10)
    strategy.exit("out", "long", limit = close * 1.006, stop = close * 0.996)
"""
ALERTS = f"""//@version=6
indicator("alerts")
{RULES}
plot(ta.crossover(fast, slow) ? 1 : 0, "cross")
plot(ta.rsi(close, 14), "rsi")
alertcondition(ta.crossunder(fast, slow), "Under", "under at {{{{close}}}}")
"""
UP = {"pine": "ta.crossover(ta.ema(close, 5), ta.ema(close, 13))"}


def run(source: str, bars: Bars) -> Any:
    return execute(request_of(open_program(source), bars, info()))


def compare(folder: Path, count: int) -> tuple[int, int]:
    """Replay bars after the history, and compare. Return the number of fills and of alerts, which must not be 0."""
    bars = walk(count)
    engine = engine_of(str(folder), bars.at(range(HISTORY)))
    engine.set_alert("a", "BTCUSDT", UP, frequency="once_per_bar")
    value = {"indicator": "rsi", "above": 55}
    engine.set_alert("b", "BTCUSDT", {"indicator_value": value}, frequency="once_per_bar")
    engine.set_alert("c", "BTCUSDT", {"script": {"pine": ALERTS}}, frequency="once_per_bar")
    engine.set_alert("d", "BTCUSDT", {"crossing": {"level": _level(bars)}}, frequency="once_per_bar")
    strategy = engine.trade("script", "BTCUSDT", None, STRATEGY, {})
    middle = (HISTORY + count) // 2
    _trade_by_hand(engine, bars, HISTORY, middle)
    engine.close()  # a restart in the middle changes nothing
    engine = engine_of(str(folder), bars.at(range(middle)))
    _trade_by_hand(engine, bars, middle, count)
    ran = run(STRATEGY, bars)
    fills = [(each.time, each.action, each.quantity, each.price) for each in ran.tested.fills]
    begun = bars.time[HISTORY]
    expected = [each for each in fills if each[0] >= begun]
    assert _fills(engine, "script") == expected
    assert [(time // MINUTE * MINUTE, *rest) for time, *rest in _fills(engine, "hand")] == expected
    alerts = _check_alerts(engine, bars)
    engine.stop_trading("script", strategy)
    engine.close()
    return len(expected), alerts


def _trade_by_hand(engine: TradingEngine, bars: Bars, first: int, last: int) -> None:
    """Play the market, and place the strategy's orders as a user would, after each bar that gives its signal."""
    crosses = {place for place, value in enumerate(run(ALERTS, bars).result.plot("cross")) if value}
    for at in range(first, last):
        play(engine, bars, at, at + 1)
        if at in crosses and not engine.paper.accounts.positions("hand"):
            close = bars.close[at]
            engine.place_order("hand", "BTCUSDT", "buy", 10, take_profit=close * 1.006, stop_loss=close * 0.996)
        elif at in crosses:
            _move_exits(engine, bars.close[at])


def _move_exits(engine: TradingEngine, close: float) -> None:
    """Give the open position new exits, as the strategy's next call does."""
    for each in engine.orders("hand", only_open=True):
        engine.paper.cancel("hand", each["id"])
    levels = {"limit": close * 1.006, "stop": close * 0.996}
    with engine.store.transaction() as db:
        for type, level in levels.items():
            id = engine.paper.place("hand", "BTCUSDT", "sell", type, 10, level)
            db.execute("update paper_order set reduces = 1, oco = ?, parent = ? where id = ?", (close, close, id))
        engine.paper.accept(db)


def _fills(engine: TradingEngine, subject: str) -> list[tuple[int, str, float, float]]:
    rows = engine.store.rows(
        "select * from paper_order where subject = ? and state = 'Filled' order by filled, turn", (subject,)
    )
    return [(row["filled"], row["side"], row["quantity"], row["fill_price"]) for row in rows]


def _check_alerts(engine: TradingEngine, bars: Bars) -> int:
    result, rsi, level, close = run(ALERTS, bars).result, _rsi(bars), _level(bars), bars.close
    later = range(HISTORY, len(bars))
    expected = {
        "a": [at for at in later if result.plot("cross")[at]],
        "b": [at for at in later if rsi[at] >= 55],
        "c": [each.bar for each in result.alerts if each.bar >= HISTORY],
        "d": [at for at in later if close[at - 1] <= level < close[at] or close[at - 1] >= level > close[at]],
    }
    for subject, places in expected.items():
        told = [each["bar_time"] for each in engine.alerts.history(subject, 10_000)[::-1]]
        assert told == [rfc3339(bars.time[at]) for at in places], subject
        assert places, subject
    return sum(map(len, expected.values()))


def _level(bars: Bars) -> float:
    return sorted(bars.close[HISTORY:])[(len(bars) - HISTORY) // 2]


def _rsi(bars: Bars) -> list[float]:
    from pinebench.indicators import asked, compute
    from pinebench.indicators.channels import channels

    found = channels(compute(asked(["rsi"])[0], bars, info())).lines[0].values
    return [-1.0 if value is None else value for value in found]


def test_a_replay_gives_the_fills_and_alerts_of_the_back_test(tmp_path: Path) -> None:
    fills, alerts = compare(tmp_path, 260)
    assert fills > 2
    assert alerts > 5


@pytest.mark.soak
def test_a_day_of_recorded_ticks_gives_the_fills_and_alerts_of_the_back_test(tmp_path: Path) -> None:
    fills, alerts = compare(tmp_path, HISTORY + 1440)
    assert fills > 50
    assert alerts > 100
