"""The owner's hand: what another process changes holds at once for an engine that runs, and is never half done."""

from pathlib import Path

import pytest

from pinebench.engine import audit_log, owner_view, settings_file
from pinebench.engine.engine import EngineSettings
from pinebench.engine.paper import Terms
from pinebench.engine.risk import RiskLimits
from pinebench.errors import UsageError
from tests.engine.markets import KEY, bars_of, closes, engine_of, play, walk

ALWAYS = """//@version=6
strategy("always", pyramiding = 100, default_qty_type = strategy.fixed, default_qty_value = 1)
strategy.entry("long", strategy.long)
"""


def test_a_halt_from_outside_ends_every_order_of_a_running_engine_at_once(tmp_path: Path) -> None:
    bars = bars_of([(100, 101, 99, 100), (100, 101, 90, 95), (95, 101, 94, 100), (100, 101, 90, 95)])
    engine = engine_of(str(tmp_path), bars.at([0]))
    limit = engine.place_order("anna", "BTCUSDT", "buy", 1, "limit", 98)
    market = engine.place_order("ben", "BTCUSDT", "buy", 1)
    assert owner_view.halt(str(tmp_path), " bad\ndata ") == 2
    # The engine was not told. It must neither fill what was ended nor take anything new.
    play(engine, bars, 1, 2)
    late = engine.place_order("anna", "BTCUSDT", "buy", 1)
    play(engine, bars, 2, 3)
    told = {each["id"]: each for who in ("anna", "ben") for each in engine.orders(who)}
    assert [told[id]["state"] for id in (limit, market, late)] == ["Cancelled", "Cancelled", "Rejected"]
    assert all("bad" in told[id]["reason"] for id in told)
    assert engine.paper.accounts.told_positions("anna") == engine.paper.accounts.told_positions("ben") == []
    assert owner_view.resume(str(tmp_path)) is True
    assert owner_view.resume(str(tmp_path)) is False
    new = engine.place_order("anna", "BTCUSDT", "buy", 1, "limit", 98)
    play(engine, bars, 3)
    told = {each["id"]: each["state"] for each in engine.orders("anna")}
    assert told == {limit: "Cancelled", late: "Rejected", new: "Filled"}
    lines = [line.split(" ", 1)[1] for line in audit_log.lines(engine.store) if "HALTED" in line or "RESUMED" in line]
    assert lines == ["HALTED bad\\ndata", "RESUMED"]
    engine.close()


def test_a_halt_and_a_resume_between_two_updates_leave_no_old_order_alive(tmp_path: Path) -> None:
    bars = bars_of([(100, 101, 99, 100), (100, 101, 90, 95)])
    engine = engine_of(str(tmp_path), bars.at([0]))
    id = engine.place_order("anna", "BTCUSDT", "buy", 1, "limit", 98)
    owner_view.halt(str(tmp_path), "news")
    owner_view.resume(str(tmp_path))
    play(engine, bars, 1)
    assert [(each["id"], each["state"]) for each in engine.orders("anna")] == [(id, "Cancelled")]
    engine.close()


def test_the_state_is_told_while_the_engine_runs_and_afterwards(tmp_path: Path) -> None:
    folder = str(tmp_path)
    engine = engine_of(folder, closes(100.0))
    engine.set_alert("anna", "BTCUSDT", {"price_above": 200})
    engine.place_order("anna", "BTCUSDT", "buy", 1, "limit", 98)
    import os

    told = owner_view.status(folder)
    assert (told["running"], told["pid"], told["halted"]) == (True, os.getpid(), None)
    assert (told["alerts"], told["orders"], told["positions"]) == (1, {"pending": 0, "open": 1}, 0)
    assert told["series"] == [{"symbol": "BTCUSDT", "interval": "1m", "bar": "2024-01-01T00:00:00Z"}]
    assert told["outbox"] == {"waiting": 0, "failed": 0, "oldest_seconds": 0.0}
    engine.close()
    assert (owner_view.status(folder)["running"], owner_view.status(folder)["pid"]) == (False, None)
    assert [line.text.split()[1] for line in owner_view.history(folder, 2)] == ["ALERT_SET", "SUBMITTED"]


def test_a_strategy_that_is_started_from_outside_trades_from_the_next_bar_and_is_ended_there(tmp_path: Path) -> None:
    bars, folder = walk(80), str(tmp_path)
    engine = engine_of(folder, bars.at(range(50)))
    id = owner_view.trade(folder, "btcusdt", None, ALWAYS, {})
    play(engine, bars, 50, 55)
    told = engine.orders(owner_view.OWNER)
    assert [(each["state"], each.get("fill_price")) for each in told] == [
        ("Filled", bars.open[at]) for at in range(51, 55)
    ]
    (listed,) = owner_view.status(folder)["strategies"]
    assert (listed["id"], listed["fills"], "ended" in listed) == (id, 4, False)
    owner_view.stop(folder, id)
    play(engine, bars, 55)
    assert len(engine.orders(owner_view.OWNER)) == 4
    assert owner_view.status(folder)["strategies"][0]["ended"] == "stopped"
    engine.close()


def test_a_strategy_that_comes_while_a_bar_is_worked_on_begins_with_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bars, folder = walk(60), str(tmp_path)
    source = ALWAYS.replace("pyramiding", "process_orders_on_close = true, pyramiding")
    engine = engine_of(folder, bars.at(range(50)))
    asked = engine._asked

    def late(closed: object) -> object:
        found = asked(closed)  # pyright: ignore[reportArgumentType]
        assert found == []  # the first bar closes, and no script runs yet
        monkeypatch.undo()
        owner_view.trade(folder, "BTCUSDT", "1m", source, {})
        return found

    monkeypatch.setattr(engine, "_asked", late)
    play(engine, bars, 50, 54)
    fills = [each.get("fill_price") for each in engine.orders(owner_view.OWNER)]
    assert fills == [bars.close[at] for at in range(51, 54)]
    engine.close()


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no state of an engine"):
        owner_view.status(str(tmp_path / "nothing"))
    assert not (tmp_path / "nothing" / "engine.sqlite3").exists()
    engine = engine_of(str(tmp_path), closes(100.0), keys=(KEY, ("BTCUSDT", "5m"), ("ETHUSDT", "1m")))
    for symbol, interval, words in (
        ("BTCUSDT", None, "is followed in several intervals"),
        ("DOGEUSDT", None, "is not followed"),
        ("ETHUSDT", "5m", "is not followed"),
    ):
        with pytest.raises(UsageError, match=words):
            owner_view.trade(str(tmp_path), symbol, interval, ALWAYS, {})
    for source, words in (('//@version=6\nindicator("a")\nplot(close)', "not a strategy"), ("x", "does not compile")):
        with pytest.raises(UsageError, match=words):
            owner_view.trade(str(tmp_path), "ETHUSDT", None, source, {})
    with pytest.raises(UsageError, match="strategy not found"):
        owner_view.stop(str(tmp_path), "x")
    for reason in ("", "  ", "x" * 201):
        with pytest.raises(UsageError, match="the reason must have"):
            owner_view.halt(str(tmp_path), reason)
    assert owner_view.status(str(tmp_path))["halted"] is None
    engine.close()


# the file of settings


def test_the_owners_file_sets_terms_limits_notifiers_and_hosts(tmp_path: Path) -> None:
    assert settings_file.read(str(tmp_path)) == {}
    (tmp_path / "engine.toml").write_text(
        'webhook-hosts = ["10.0.0.5"]\n[terms]\ncapital = 5000\nslippage = 2\n[limits]\nday-loss = 100.5\n'
        'orders-a-minute = 5\n[notifiers]\nphone = "ntfy://topic"\n'
    )
    found = EngineSettings(**settings_file.read(str(tmp_path)))
    assert found.terms == Terms(capital=5000, slippage=2)
    assert found.limits == RiskLimits(day_loss=100.5, orders_a_minute=5)
    assert found.notifiers == {"phone": "ntfy://topic"}
    assert found.webhook_hosts == ("10.0.0.5",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[limits]\nday_loss = 5", "there is no setting 'day_loss'"),
        ("[limit]\nday-loss = 5", "there is no setting 'limit'"),
        ("[limits]\norders-a-minute = 1.5", "orders-a-minute in \\[limits\\] must be a whole number"),
        ("[limits]\nday-loss = true", "day-loss in \\[limits\\] must be a number"),
        ("[limits]\nday-loss = -5", "day-loss in \\[limits\\] must be a number"),
        ("[limits]\nday-loss = nan", "day-loss in \\[limits\\] must be a number"),
        ("limits = 5", "limits must be a table"),
        ("[notifiers]\nphone = 5", "notifiers must be a table of strings"),
        ('webhook-hosts = "x"', "webhook-hosts must be a list"),
        ("[terms", "is not TOML"),
    ],
)
def test_a_mistake_in_the_owners_file_is_told(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "engine.toml").write_text(text)
    with pytest.raises(UsageError, match=words):
        settings_file.read(str(tmp_path))
