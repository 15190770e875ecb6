"""The account follows a strategy: it holds for it what was booked, never more, and never the other side."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pinebench.engine import audit_log, strategies
from pinebench.engine.engine import TradingEngine
from pinebench.engine.risk import RiskLimits
from pinebench.engine.studies import StrategyFill
from pinebench.errors import UsageError
from tests.engine.markets import KEY, closes, engine_of, play

BARS = closes(*[100.0] * 30)
BEGIN = 4
EARLIER = "an earlier fill of the strategy was not booked, or you have closed its position"


def script(*orders: tuple[int, float], more: str = "") -> str:
    """A strategy whose market orders are filled at the opens of these bars, in quantities that are negative if sold."""
    lines = "\n".join(
        f'if bar_index == {at - 1}\n    strategy.order("{at}", strategy.{"long" if size > 0 else "short"}, {abs(size)})'
        for at, size in orders
    )
    return f'//@version=6\nstrategy("robot", pyramiding = 9{more})\n{lines}\n'


def signed(engine: TradingEngine) -> float:
    """The position of the account, negative if short."""
    held = engine.paper.accounts.position("anna", "BTCUSDT")
    return 0.0 if held is None else held.signed


def begun(folder: Path, *sources: str, limits: RiskLimits | None = None) -> TradingEngine:
    engine = engine_of(str(folder), BARS.at(range(BEGIN)), limits=limits)
    for source in sources:
        engine.trade("anna", "BTCUSDT", None, source, {})
    return engine


def again(engine: TradingEngine, folder: Path, count: int) -> TradingEngine:
    """End an engine after `count` bars, and start it again."""
    engine.close()
    return engine_of(str(folder), BARS.at(range(count)), limits=engine.settings.limits)


def told(engine: TradingEngine) -> list[str]:
    return [each["message"] for each in engine.notifications("anna")]


@pytest.mark.parametrize("restarts", [False, True])
def test_the_exit_of_a_refused_entry_opens_nothing(tmp_path: Path, restarts: bool) -> None:
    engine = begun(tmp_path, script((6, 1), (9, -1)))
    engine.paper.halt("news")
    play(engine, BARS, BEGIN, 8)
    engine.paper.resume()
    if restarts:
        engine = again(engine, tmp_path, 8)
    play(engine, BARS, 8, 12)
    assert signed(engine) == 0
    assert [(each["side"], each["state"]) for each in engine.orders("anna")] == [
        ("buy", "Rejected"),
        ("sell", "Rejected"),
    ]
    entry, exit = told(engine)
    assert entry == (
        "buy 1 BTCUSDT was not booked: trading is halted: news; the strategy's position is now 1, and the account "
        "holds 0 for it"
    )
    assert exit == (
        f"sell 1 BTCUSDT was not booked: {EARLIER}; the strategy's position is now 0, and the account holds 0 for it"
    )
    assert [each["reason"] for each in engine.orders("anna")] == [entry, exit]
    lines = [line.partition(" ")[2] for line in audit_log.lines(engine.store, "anna")]
    assert sum(line.startswith("REJECTED") and line.endswith(f"({exit})") for line in lines) == 1
    engine.close()


def test_a_reversal_after_a_refused_entry_opens_only_the_new_position(tmp_path: Path) -> None:
    engine = begun(tmp_path, script((6, 1), (9, -3), (12, 2)))
    engine.paper.halt("news")
    play(engine, BARS, BEGIN, 8)
    engine.paper.resume()
    play(engine, BARS, 8, 11)
    assert signed(engine) == -2
    (_, turned) = engine.orders("anna")
    assert (turned["state"], turned["quantity"]) == ("Filled", 2)
    message = told(engine)[1]
    assert message == (
        f"only 2 of sell 3 BTCUSDT was booked: {EARLIER}; the strategy's position is now -2, and the account holds -2 "
        "for it"
    )
    assert turned["reason"] == message
    play(engine, BARS, 11, 14)
    assert signed(engine) == 0
    assert told(engine) == []
    engine.close()


def test_a_reversal_that_a_limit_refuses_still_closes(tmp_path: Path) -> None:
    """The account follows the part of a fill that closes; only the part that opens can be refused."""
    engine = begun(tmp_path, script((6, 1), (9, -3), (12, 2)), limits=RiskLimits(position_value=150))
    play(engine, BARS, BEGIN, 11)
    assert signed(engine) == 0
    (message,) = told(engine)
    assert message.startswith("only 1 of sell 3 BTCUSDT was booked: risk limit: a position may be worth at most 150")
    play(engine, BARS, 11, 14)
    assert signed(engine) == 0
    engine.close()


def test_a_strategy_keeps_the_limit_of_orders_a_minute(tmp_path: Path) -> None:
    """The limit stops a strategy that orders again and again. What closes a position is always booked."""
    many = "\n".join(f'    strategy.order("{number}", strategy.long, 1)' for number in range(5))
    source = f'//@version=6\nstrategy("robot", pyramiding = 9)\nif bar_index == 5\n{many}\nif bar_index == 8\n    ' + (
        "strategy.close_all()\n"
    )
    engine = begun(tmp_path, source, limits=RiskLimits(orders_a_minute=3))
    play(engine, BARS, BEGIN, 8)
    assert signed(engine) == 3
    assert [message.split(": ")[1:] for message in told(engine)] == [
        ["risk limit", "at most 3 orders per minute; the strategy's position is now 4, and the account holds 3 for it"],
        ["risk limit", "at most 3 orders per minute; the strategy's position is now 5, and the account holds 3 for it"],
    ]
    play(engine, BARS, 8, 11)
    assert signed(engine) == 0
    engine.close()


def test_a_refused_addition_is_not_closed(tmp_path: Path) -> None:
    engine = begun(tmp_path, script((6, 1), (8, 1), (10, -2)), limits=RiskLimits(position_value=150))
    play(engine, BARS, BEGIN, 9)
    assert signed(engine) == 1
    play(engine, BARS, 9, 12)
    assert signed(engine) == 0
    assert len(told(engine)) == 2
    engine.close()


def test_a_part_that_is_closed_leaves_the_strategys_position(tmp_path: Path) -> None:
    """Of two entries the first was refused, so the account already holds what is left after the first exit."""
    engine = begun(tmp_path, script((6, 1), (9, 1), (11, -1), (13, -1)))
    engine.paper.halt("news")
    play(engine, BARS, BEGIN, 8)
    engine.paper.resume()
    positions: list[float] = []
    for last in (10, 12, 14):
        play(engine, BARS, last - 2, last)
        positions.append(signed(engine))
    assert positions == [1, 1, 0]
    engine.close()


def test_a_refused_exit_is_not_doubled_by_the_next_entry(tmp_path: Path) -> None:
    engine = begun(tmp_path, script((6, 1), (9, -1), (12, 1), (14, -1)))
    play(engine, BARS, BEGIN, 8)
    engine.paper.halt("news")
    play(engine, BARS, 8, 11)
    engine.paper.resume()
    assert signed(engine) == 1
    (message,) = told(engine)
    assert message.endswith("the strategy's position is now 0, and the account holds 1 for it")
    play(engine, BARS, 11, 13)
    assert signed(engine) == 1
    play(engine, BARS, 13, 16)
    assert signed(engine) == 0
    engine.close()


def test_strategies_of_one_account_close_only_their_own(tmp_path: Path) -> None:
    engine = begun(tmp_path, script((6, 1), (12, -1)), script((9, -1), (14, 1)))
    engine.paper.halt("news")
    play(engine, BARS, BEGIN, 8)
    engine.paper.resume()
    play(engine, BARS, 8, 10)
    assert signed(engine) == -1
    engine = again(engine, tmp_path, 10)
    play(engine, BARS, 10, 13)
    assert signed(engine) == -1  # the first strategy has nothing there
    play(engine, BARS, 13, 16)
    assert signed(engine) == 0
    engine.close()


def test_what_the_user_closed_is_not_closed_again(tmp_path: Path) -> None:
    engine = begun(tmp_path, script((6, 1), (12, -1)))
    play(engine, BARS, BEGIN, 8)
    engine.place_order("anna", "BTCUSDT", "sell", 1)
    play(engine, BARS, 8, 14)
    assert signed(engine) == 0
    assert len(told(engine)) == 1
    engine.close()


def test_the_users_own_position_is_closed_first(tmp_path: Path) -> None:
    engine = begun(tmp_path, script((6, 1), (12, -1)))
    engine.place_order("anna", "BTCUSDT", "buy", 2)
    play(engine, BARS, BEGIN, 8)
    engine.place_order("anna", "BTCUSDT", "sell", 2)
    play(engine, BARS, 8, 10)
    assert signed(engine) == 1
    play(engine, BARS, 10, 14)
    assert signed(engine) == 0
    assert told(engine) == []
    engine.close()


def test_a_strategy_of_an_earlier_version_closes_what_the_account_holds(tmp_path: Path) -> None:
    """Earlier versions did not store what they had booked for a strategy."""
    engine = begun(tmp_path, script((6, 1), (12, -1)))
    play(engine, BARS, BEGIN, 8)
    (running,) = strategies.running(engine.store)
    engine.store.set(f"held for {running.id}", None)
    play(engine, BARS, 8, 14)
    assert signed(engine) == 0
    assert told(engine) == []
    engine.close()


def test_the_listing_says_what_the_account_holds_for_a_strategy(tmp_path: Path) -> None:
    engine = begun(tmp_path, script((6, 2)))
    play(engine, BARS, BEGIN, 8)

    def listed() -> Any:
        return strategies.listing(engine.store, "anna")[0]

    assert listed()["held"] == 2
    engine.stop_trading("anna", listed()["id"])
    assert "held" not in listed()
    engine.close()


EVENTS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from((0, 1)), st.integers(-30, 30).filter(bool)),
        st.sampled_from(("halt", "resume", "restart", "again")),
    ),
    max_size=20,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=EVENTS, limit=st.sampled_from((None, 250.0)))
def test_the_account_holds_what_was_booked_and_never_passes_a_strategy(
    events: list[Any], limit: float | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("mirror")
    engine = begun(folder, limits=RiskLimits(position_value=limit))
    robots = [strategies.start(engine.store, "anna", KEY, "", {}, 0) for _ in range(2)]
    positions, booked, missed_exit = [0.0, 0.0], [0.0, 0.0], [False, False]
    last: Any = None
    for number, event in enumerate(events):
        if event == "halt":
            engine.paper.halt("news")
        elif event == "resume":
            engine.paper.resume()
        elif event == "restart":
            engine = again(engine, folder, BEGIN)
        elif event == "again":
            if last is not None:  # as when a bar is processed a second time
                with engine.store.transaction() as db:
                    assert engine.paper.mirror(db, *last) is None
        else:
            who, tenths = event
            size, account, before = tenths / 10, signed(engine), booked[who]
            was, positions[who] = positions[who], round(positions[who] + size, 1)
            side = "buy" if size > 0 else "sell"
            last = robots[who], StrategyFill(number, BARS.time[BEGIN], side, abs(size), 100.0, positions[who])
            with engine.store.transaction() as db:
                message = engine.paper.mirror(db, *last)
            moved = signed(engine) - account
            booked[who] += moved
            assert 0 <= moved * (1 if size > 0 else -1) <= abs(size) + 1e-9
            # It goes toward the position, and never past it.
            assert moved == 0 or (booked[who] - positions[who]) * (before - positions[who]) >= -1e-9
            assert (message is None) == (abs(moved - size) < 1e-9)
            missed_exit[who] |= moved == 0 and was * size < 0 and before * size < 0
        for who, robot in enumerate(robots):
            assert strategies.held(engine.store, robot.id) == pytest.approx(booked[who], abs=1e-9)
            if not missed_exit[who]:  # then it holds a part of the position, or nothing
                assert booked[who] * positions[who] >= -1e-9
                assert abs(booked[who]) <= abs(positions[who]) + 1e-9
        assert signed(engine) == pytest.approx(sum(booked), abs=1e-9)
    engine.close()


def test_orders_without_alerts_are_booked_too(tmp_path: Path) -> None:
    """`disable_alert` is about alerts: the strategy has closed its position, so the account closes it too."""
    source = script((6, 1), (12, -2))
    source += "if bar_index == 7\n    strategy.entry('8', strategy.long, 1, disable_alert = true)\n"
    source += "if bar_index == 9\n    strategy.close_all(disable_alert = true)\n"
    engine = begun(tmp_path, source)
    positions: list[float] = []
    for last in (7, 9, 11, 13):
        play(engine, BARS, BEGIN if last == 7 else last - 2, last)
        positions.append(signed(engine))
    assert positions == [1, 2, 0, -2]
    assert told(engine) == []
    engine.close()


def test_the_last_fills_of_a_strategy_that_fails_are_booked_and_its_end_is_told(tmp_path: Path) -> None:
    """The fills of a bar are made before the script runs on it, and so before its error."""
    failing = 'if bar_index == 9\n    runtime.error("enough")\n'
    engine = begun(tmp_path, script((6, 3), (9, -1)) + failing)
    play(engine, BARS, BEGIN, 12)
    assert signed(engine) == 2
    assert told(engine) == [
        "the strategy has ended: Error on bar 9: enough. The account still holds 2 BTCUSDT for it; nothing closes this "
        "position now"
    ]
    assert [each["ended"] for each in strategies.listing(engine.store, "anna")] == ["Error on bar 9: enough"]
    engine.close()


def test_fills_of_bars_without_scripts_are_missed_but_open_nothing(tmp_path: Path) -> None:
    engine = begun(tmp_path, script((6, 1), (9, -1)))
    engine.scripts_wait = True
    for at in range(BEGIN, 12):
        play(engine, BARS, at, at + 1)
        if at == 6:
            engine.leave_out_scripts()
        else:
            engine.run_scripts()
    assert signed(engine) == 0
    (message,) = told(engine)
    assert message.startswith(f"sell 1 BTCUSDT was not booked: {EARLIER}")
    engine.close()


def stopped_out(folder: Path, prices: list[float], *orders: tuple[int, float]) -> tuple[TradingEngine, str]:
    """An engine after these closes: the user is long 1 with a stop at 90, and a strategy has placed its orders. Return
    it with the state of the stop."""
    engine = begun(folder, script(*orders))
    engine.place_order("anna", "BTCUSDT", "buy", 1, stop_loss=90)
    bars = closes(*prices)
    play(engine, bars, BEGIN, len(prices))
    (stop,) = [each for each in engine.orders("anna") if each["type"].startswith("stop")]
    return engine, stop["state"]


def test_a_strategy_that_turns_the_account_leaves_the_stop_of_the_user(tmp_path: Path) -> None:
    engine, stop = stopped_out(tmp_path, [100.0] * 16, (8, -2), (12, 2))
    assert (signed(engine), stop) == (1, "Open")
    engine.close()


def test_the_stop_of_the_user_closes_their_own_position_while_the_account_is_short(tmp_path: Path) -> None:
    engine, stop = stopped_out(tmp_path, [100.0] * 12 + [80.0] * 4, (8, -2))
    assert (signed(engine), stop) == (-2, "Filled")
    (robot,) = strategies.running(engine.store)
    assert strategies.held(engine.store, robot.id) == -2
    engine.close()


def test_an_exit_larger_than_the_position_of_the_account_closes_the_whole_own_one(tmp_path: Path) -> None:
    engine = begun(tmp_path, script((8, -1)))
    engine.place_order("anna", "BTCUSDT", "buy", 3)
    play(engine, BARS, BEGIN, 10)
    assert signed(engine) == 2
    engine.place_order("anna", "BTCUSDT", "sell", 5, reduces=True)
    play(engine, BARS, 10, 12)
    assert signed(engine) == -1
    with pytest.raises(UsageError, match="there is no position in BTCUSDT that a sell order can reduce"):
        engine.place_order("anna", "BTCUSDT", "sell", 1, reduces=True)
    engine.close()


def test_a_strategy_whose_first_bars_are_gone_ends_at_a_restart(tmp_path: Path) -> None:
    """On a shortened history it could have another position than before."""
    engine = begun(tmp_path, script((6, 2)))
    play(engine, BARS, BEGIN, 8)
    engine.close()
    engine = engine_of(str(tmp_path), BARS.at(range(6, 8)))
    play(engine, BARS, 8, 10)
    assert signed(engine) == 2
    assert told(engine) == [
        "the strategy has ended: it must start again, but the engine has no bars from its beginning any more. The "
        "account still holds 2 BTCUSDT for it; nothing closes this position now"
    ]
    engine.close()
