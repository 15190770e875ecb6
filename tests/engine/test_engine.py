"""The engine as a whole: an update is worked on whole or not at all, and users at the same time disturb nothing."""

import sqlite3
import threading
from pathlib import Path

import pytest

from pinebench.engine import EngineSettings, RiskLimits, Terms
from pinebench.engine.engine import _rounds
from pinebench.engine.series import Series
from pinebench.errors import UsageError
from tests.engine.markets import KEY, Clock, closed, closes, engine_of, info, play, ticks, walk


def test_an_update_is_worked_on_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bars = closes(100, 106, 107)
    engine = engine_of(str(tmp_path), bars.at([0]))
    engine.place_order("anna", "BTCUSDT", "buy", 1, take_profit=120)
    engine.set_alert("anna", "BTCUSDT", {"price_above": 105})
    before = [engine.orders("anna"), engine.alerts.listing("anna")]

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("pinebench.engine.engine._keep_last", full)
        with pytest.raises(sqlite3.OperationalError):
            engine.process([closed(bars, 1)])
    assert [engine.orders("anna"), engine.alerts.listing("anna")] == before
    assert engine.notifications("anna") == engine.alerts.history("anna") == []
    assert engine.paper.accounts.told_positions("anna") == []
    engine.close()
    again = engine_of(str(tmp_path), bars.at([0, 1]))
    assert [each["value"] for each in again.notifications("anna")] == [106]
    assert [each["state"] for each in again.orders("anna")] == ["Filled", "Open"]
    again.close()


def test_many_users_at_the_same_time(tmp_path: Path) -> None:
    bars = walk(160)
    engine = engine_of(str(tmp_path), bars.at(range(40)))
    problems: list[BaseException] = []
    is_over = threading.Event()

    def use(subject: str) -> None:
        try:
            while not is_over.is_set():
                id = engine.place_order(subject, "BTCUSDT", "buy", 1, "limit", bars.close[0] / 2)
                alert = engine.set_alert(subject, "BTCUSDT", {"price_above": 1}, frequency="once_per_bar")
                engine.place_order(subject, "BTCUSDT", "buy" if len(engine.orders(subject)) % 4 else "sell", 1)
                assert engine.paper.accounts.balance(subject)["initial_capital"] == 100_000
                assert all(each["alert_id"] for each in engine.notifications(subject))
                engine.paper.cancel(subject, id)
                engine.alerts.cancel(subject, alert)
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=use, args=(f"user{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    play(engine, bars, 40)
    is_over.set()
    for thread in threads:
        thread.join()
    assert problems == []
    for number in range(4):
        subject = f"user{number}"
        fills = [each for each in engine.orders(subject) if each["state"] == "Filled"]
        assert fills, "nothing was filled"
        signed = sum(each["quantity"] if each["side"] == "buy" else -each["quantity"] for each in fills)
        held = engine.paper.accounts.position(subject, "BTCUSDT")
        assert (held.signed if held is not None else 0) == signed
        assert engine.alerts.listing(subject) == []
    engine.close()


def test_an_order_that_comes_while_an_update_is_worked_on_waits_for_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bars = closes(100, 101, 102)
    engine = engine_of(str(tmp_path), bars.at([0]))
    asked, ids = engine._asked, list[str]()

    def meanwhile(closed_: object) -> object:
        if not ids:
            ids.append(engine.place_order("anna", "BTCUSDT", "buy", 1))
        return asked(closed_)  # type: ignore[arg-type]

    monkeypatch.setattr(engine, "_asked", meanwhile)
    engine.process([closed(bars, 1)])
    assert [each["state"] for each in engine.orders("anna")] == ["Open"]
    engine.process([closed(bars, 2)])
    assert [each["fill_price"] for each in engine.orders("anna")] == [102]
    engine.close()


def test_a_strategy_trades_only_from_its_beginning_and_stops(tmp_path: Path) -> None:
    bars = walk(80)
    source = """//@version=6
strategy("always", pyramiding = 100, default_qty_type = strategy.fixed, default_qty_value = 1)
strategy.entry("long", strategy.long)
"""
    engine = engine_of(str(tmp_path), bars.at(range(50)), limits=RiskLimits(position_value=10_000))
    id = engine.trade("anna", "BTCUSDT", None, source, {})
    play(engine, bars, 50, 55)
    fills = [(each["state"], each.get("fill_price")) for each in engine.orders("anna")]
    # The first order comes at the close of bar 50, so that bar 51 opens with its fill.
    assert fills == [("Filled", bars.open[at]) for at in range(51, 55)]
    with pytest.raises(UsageError, match="strategy not found"):
        engine.stop_trading("ben", id)
    engine.stop_trading("anna", id)
    play(engine, bars, 55)
    assert len(engine.orders("anna")) == 4
    with pytest.raises(UsageError, match="the script is not a strategy"):
        engine.trade("anna", "BTCUSDT", None, '//@version=6\nindicator("a")\nplot(close)', {})
    engine.close()


def test_the_kill_switch_holds_for_strategies_too(tmp_path: Path) -> None:
    bars = walk(60)
    source = """//@version=6
strategy("always", default_qty_type = strategy.fixed, default_qty_value = 1)
strategy.entry("long", strategy.long)
"""
    engine = engine_of(str(tmp_path), bars.at(range(50)))
    engine.trade("anna", "BTCUSDT", None, source, {})
    engine.paper.halt("news")
    play(engine, bars, 50)
    assert [each["reason"] for each in engine.orders("anna")] == [
        "buy 1 BTCUSDT was not booked: trading is halted: news; the strategy's position is now 1, and the account "
        "holds 0 for it"
    ]
    assert engine.paper.accounts.told_positions("anna") == []
    engine.close()


def test_updates_of_a_series_keep_their_order_in_as_few_parts_as_possible() -> None:
    bars, other = closes(100, 101, 102), ("ETHUSDT", "1m")
    updates = [*ticks(bars, 0), *ticks(bars, 0, other), *ticks(bars, 1), *ticks(bars, 1, other)]
    parts = _rounds(updates)
    assert len(parts) == 2
    for key in (KEY, other):
        kept = [update for part in parts for update in part if update.key == key]
        assert kept == [update for update in updates if update.key == key]
        assert all(sum(update.closed for update in part if update.key == key) == 1 for part in parts)


def test_a_series_is_cut_but_not_where_a_strategy_needs_it() -> None:
    bars = closes(*[100.0] * 30)
    for most, expected in ((10, 10), (100, 30)):
        series = Series(KEY, info(), most=most)
        series.preload(bars, [time + 60_000 for time in bars.time])
        assert len(series.bars) == len(series.ends) == expected
        assert series.bars.time[-1] == bars.time[-1]


def test_old_history_is_dropped(tmp_path: Path) -> None:
    clock, bars = Clock(), closes(100, 106)
    engine = engine_of(str(tmp_path), bars.at([0]), clock=clock)
    engine.set_alert("anna", "BTCUSDT", {"price_above": 105})
    play(engine, bars, 1)
    engine.purge()
    assert len(engine.alerts.history("anna")) == len(engine.alerts.endings("anna")) == 1
    clock.time += 91 * 86_400_000
    engine.purge()
    assert engine.alerts.history("anna") == engine.alerts.endings("anna") == []
    engine.close()


def test_settings_have_defaults() -> None:
    settings = EngineSettings()
    assert settings.terms == Terms(capital=100_000, commission=0.1, slippage=1)
    assert settings.limits.orders_a_minute == 60
    assert settings.clock() > 1_700_000_000_000
