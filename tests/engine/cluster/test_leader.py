"""The leader of a group: it does what a single engine does, whoever leads, and nothing twice, nothing never."""

import json
import threading
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pinebench.engine.cluster.copies import Copy
from pinebench.engine.cluster.leader import Leader, Spot
from pinebench.engine.cluster.log import UPDATES, NewEntry, Stale, Unreachable, changes_of
from pinebench.engine.engine import TradingEngine
from pinebench.market import Bars
from tests.engine.cluster.memory import MemoryLog
from tests.engine.cluster.support import HOOK, SETTINGS, World, reply, rows, work
from tests.engine.markets import KEY, MINUTE, Clock, closed, closes, engine_of, ticks, walk

EVERY = {"percent": {"change": 0.0001, "bars": 1}}
PINE = {"pine": "ta.crossover(close, ta.sma(close, 5))"}
ORDERS = "select * from paper_order order by turn"
OTHER = ("ETHUSDT", "1m")
ACCOUNTS = ("paper_order", "account", "position")


def asked(at: int, price: float) -> list[tuple[str, str, dict[str, Any]]]:
    """What users want after bar `at`."""
    found: list[tuple[str, str, dict[str, Any]]] = []
    if at == 30:
        for user in ("anna", "bert"):
            alert = {"symbol": KEY[0], "condition": EVERY, "frequency": "once_per_bar"}
            found += [(user, "subscribe", {"symbols": None, "types": None}), (user, "set_alert", alert)]
        found.append(("anna", "set_alert", {"symbol": KEY[0], "condition": PINE, "webhook": HOOK, "frequency": "all"}))
        found.append(("bert", "set_alert", {"symbol": KEY[0], "condition": {"price_below": price}}))
    if at % 5 == 0:
        away = {"take_profit": round(price * 1.004, 2), "stop_loss": round(price * 0.996, 2)}
        found.append(
            ("anna", "place_order", {"symbol": KEY[0], "side": "buy", "quantity": 1, "client_id": f"{at}", **away})
        )
    if at % 7 == 0:
        limit = {"type": "limit", "price": round(price * 0.999, 2)}
        found.append(
            ("bert", "place_order", {"symbol": KEY[0], "side": "sell", "quantity": 2, "client_id": f"{at}"} | limit)
        )
    return found


def alone(folder: Path, bars: Bars) -> TradingEngine:
    """A single engine that gets the same."""
    clock = Clock(bars.time[29] + MINUTE)
    engine = engine_of(str(folder), bars.at(range(30)), clock=clock, limits=SETTINGS.limits)
    for at in range(30, len(bars)):
        for user, name, given in asked(at, bars.close[at - 1]):
            if name == "subscribe":
                engine.pushing.subscribe(user)
            else:
                getattr(engine, name)(user, **given)
        for update in ticks(bars, at):
            clock.time = max(clock.time, update.event)
            engine.process([update])
    return engine


def fill(world: World, bars: Bars) -> None:
    """Fill the log with what the engine that is alone gets."""
    world.begin(bars.at(range(30)))
    for at in range(30, len(bars)):
        for user, name, given in asked(at, bars.close[at - 1]):
            world.command(user, name, **given)
        world.play(list(ticks(bars, at)))


def outcome(store: Any) -> dict[str, Any]:
    """What users got, without ids that are made by chance."""
    named = {
        row["id"]: f"{row['subject']} {row['condition']}"
        for row in (*store.rows("select id, subject, condition from alert"),
                    *store.rows("select alert as id, subject, condition from ending"))
    }  # fmt: skip
    return {
        "fired": sorted((named[row["alert"]], row["bar"], row["value"]) for row in store.rows("select * from firing")),
        "events": Counter(
            (row["subject"], json.loads(row["frame"])["params"]["triggered_at"], row["time"])
            for row in store.rows("select * from event")
        ),
        "queued": Counter((row["subject"], row["time"]) for row in store.rows("select * from notification")),
        "letters": Counter((row["subject"], row["created"]) for row in store.rows("select * from outbox")),
        **rows(store, *ACCOUNTS),
    }


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands may wait for long: the log is filled first, and then worked on."""
    monkeypatch.setattr("pinebench.engine.cluster.leader.LONGEST_WAIT_MS", 10**12)


@pytest.fixture(scope="module")
def market() -> Bars:
    return walk(70, 5)


@pytest.fixture(scope="module")
def expected(market: Bars, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    engine = alone(tmp_path_factory.mktemp("alone"), market)
    found = outcome(engine.store)
    engine.close()
    assert len(found["fired"]) > 10
    assert sum(row[8] == "Filled" for row in found["paper_order"]) > 5
    return found


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def led(world: World, bars: Bars) -> tuple[Copy, Leader]:
    """A copy that leads, once the log has these bars."""
    world.begin(bars)
    copy = world.copy("one")
    return copy, world.lead(copy)


def test_a_leader_does_what_a_single_engine_does(world: World, market: Bars, expected: dict[str, Any]) -> None:
    fill(world, market)
    copy = world.copy("one")
    leader = world.lead(copy)
    work(leader)
    assert outcome(copy.store) == expected
    follower = world.copy("two")
    while follower.follow(0):
        pass
    assert rows(follower.store) == rows(copy.store)
    leader.close()


class Breaking(MemoryLog):
    """A log whose connection breaks now and then, before or after what was asked for was done."""

    def __init__(self, log: MemoryLog, seed: int, share: float) -> None:
        self.__dict__ = log.__dict__
        self._random, self._share = Random(seed), share
        self.broken = 0

    def append(self, *given: Any, **more: Any) -> int:
        chance = self._random.random()
        if chance < self._share / 2:
            self.broken += 1
            raise Unreachable("before")
        found = super().append(*given, **more)
        if chance < self._share:
            self.broken += 1
            raise Unreachable("after")
        return found


def changing(world: World, seed: int, share: float, most: int, *, scripts_wait: bool = False) -> tuple[Copy, int]:
    """Two engines that take turns: whenever the connection of one breaks, it forgets all and the other one leads.

    With `scripts_wait`, scripts run after some of the steps only, so that an engine ends while bars wait for them.
    """
    copies = [world.copy("one"), world.copy("two")]
    log, turn, changes = Breaking(world.log, seed, share), 0, 0
    numbers = Random(seed)
    while True:
        copy = copies[turn % 2]
        copy.check()
        try:
            leader = world.lead(copy, log=log, scripts_wait=scripts_wait)
        except Unreachable:
            world.lose()
            continue
        copy._log = log
        try:
            for _ in range(numbers.randint(1, most)):
                leader.step(0)
                if numbers.random() < 0.2:
                    leader.run_scripts()
            if leader._updates == world.log.ends(UPDATES)[1]:
                leader.run_scripts()
                return copy, log.broken + changes
            changes += 1
        except Unreachable:
            pass
        finally:
            leader.close()
            copy._log = world.log
            world.free()
            turn += 1


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in (2, 5, 9, 10))])
def test_whoever_leads_the_outcome_is_the_same(
    world: World, market: Bars, expected: dict[str, Any], monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr("pinebench.engine.cluster.leader._AT_ONCE", 7)  # a batch ends anywhere within a bar
    fill(world, market)
    copy, changes = changing(world, seed, 0.05, 40)
    assert changes > 3
    assert outcome(copy.store) == expected
    audit = [row["line"] for row in copy.store.rows("select line from audit")]
    assert len(audit) == len(set(audit))


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in (2, 5, 9, 10))])
def test_a_leader_that_ends_while_bars_wait_for_scripts_loses_and_repeats_nothing(
    world: World, market: Bars, expected: dict[str, Any], monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr("pinebench.engine.cluster.leader._AT_ONCE", 7)
    fill(world, market)
    copy, changes = changing(world, seed, 0.05, 12, scripts_wait=True)
    assert changes > 3
    found = outcome(copy.store)
    for name in ("fired", *ACCOUNTS):
        assert found[name] == expected[name], name
    for name in ("events", "queued", "letters"):  # scripts answer later, but once for each
        assert sum(found[name].values()) == sum(expected[name].values()), name
    audit = [row["line"] for row in copy.store.rows("select line from audit")]
    assert len(audit) == len(set(audit))


def holding(leader: Leader) -> tuple[threading.Event, threading.Event]:
    """Let the scripts of a leader wait. Return the events that they have begun, and that they may go on."""
    begun, go = threading.Event(), threading.Event()
    run = leader.engine._scripts.advance

    def held(asked: Any) -> Any:
        begun.set()
        assert go.wait(60)
        return run(asked)

    leader.engine._scripts.advance = held  # type: ignore[method-assign]
    return begun, go


def with_scripts(tmp_path: Path, bars: Bars) -> tuple[World, Copy, Leader]:
    """A leader whose scripts wait, with an alert of a script and one of a price."""
    world = World(tmp_path)
    world.begin(bars.at(range(1)))
    copy = world.copy("one")
    leader = world.lead(copy, scripts_wait=True)
    for user, condition in (("bert", {"pine": "close > 0"}), ("anna", {"price_above": 1})):
        world.command(user, "set_alert", symbol=KEY[0], condition=condition, frequency="once_per_bar")
    return world, copy, leader


def fired(copy: Copy, user: str) -> list[int]:
    return [row["bar"] for row in copy.store.rows("select bar from firing where subject = ? order by bar", (user,))]


def test_prices_and_commands_do_not_wait_for_scripts(tmp_path: Path) -> None:
    bars = closes(100.0, 101.0, 102.0, 103.0)
    world, copy, leader = with_scripts(tmp_path, bars)
    begun, go = holding(leader)
    world.play([closed(bars, 1)])
    work(leader, 3)
    thread = threading.Thread(target=leader.run_scripts)
    thread.start()
    assert begun.wait(60)
    order = world.command("anna", "place_order", symbol=KEY[0], side="buy", quantity=1)
    world.play([*ticks(bars, 2), closed(bars, 3)])
    work(leader, 3)
    assert "result" in reply(copy.store, order)
    assert [row["state"] for row in copy.store.rows(ORDERS)] == ["Filled"]
    assert fired(copy, "anna") == bars.time[1:] and fired(copy, "bert") == []
    go.set()
    thread.join(60)
    assert fired(copy, "bert") == bars.time[1:]
    leader.close()


def test_the_next_leader_lets_the_scripts_of_bars_run_that_still_wait(tmp_path: Path) -> None:
    """Also when the updates since then are not kept; prices that were worked on are not worked on again."""
    for gone in (False, True):
        bars = walk(12, 3)
        world, copy, leader = with_scripts(tmp_path / f"{gone}", bars)
        work(leader, 1)
        world.command("anna", "place_order", symbol=KEY[0], side="buy", quantity=1, take_profit=bars.high[4])
        world.play([update for at in range(1, 6) for update in ticks(bars, at)][:-1])
        work(leader, 3)
        told, before = fired(copy, "anna"), rows(copy.store, "paper_order", "position")
        assert told == bars.time[1:5] and fired(copy, "bert") == []
        leader.close()
        world.free()
        if gone:
            world.play([closed(bars, 5), *(update for at in (6, 7) for update in ticks(bars, at))])
            world.log.cut(UPDATES, world.log.ends(UPDATES)[1] + 1)
        again = world.lead(copy, scripts_wait=True)
        again.run_scripts()
        assert fired(copy, "bert") == fired(copy, "anna") == bars.time[1 : 8 if gone else 5]
        if not gone:
            assert rows(copy.store, "paper_order", "position") == before
            assert again.engine.seen(KEY).forming is not None
        again.close()


def test_scripts_tell_nothing_of_bars_that_are_not_in_the_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step fails after scripts got its bar: what they answer is dropped, and the next leader asks them again."""
    bars = closes(100.0, 101.0, 102.0)
    world, copy, leader = with_scripts(tmp_path, bars)
    work(leader, 1)
    process = leader.engine.process

    def failing(updates: Any) -> None:
        process(updates)
        raise RuntimeError("a bug")

    monkeypatch.setattr(leader.engine, "process", failing)
    world.play([closed(bars, 1)])
    with pytest.raises(RuntimeError):
        leader.step(0)
    leader.run_scripts()
    assert fired(copy, "anna") == fired(copy, "bert") == [] and leader.engine.last(KEY) == bars.time[0]
    leader.close()
    world.free()
    again = world.lead(copy, scripts_wait=True)
    work(again, 2)
    again.run_scripts()
    assert fired(copy, "anna") == fired(copy, "bert") == [bars.time[1]]
    again.close()


def test_bars_on_which_scripts_fail_twice_are_done_without_them(tmp_path: Path) -> None:
    bars = closes(100.0, 101.0, 102.0, 103.0)
    world, copy, leader = with_scripts(tmp_path, bars)
    run, tries = leader.engine._scripts.advance, []

    def fragile(asked: Any) -> Any:
        if asked[0].bar[0] == bars.time[2]:
            tries.append(1)
            raise RuntimeError("a bug")
        return run(asked)

    leader.engine._scripts.advance = fragile  # type: ignore[method-assign]
    world.play([closed(bars, at) for at in (1, 2, 3)])
    work(leader, 3)
    leader.run_scripts()
    assert len(tries) == 2
    assert fired(copy, "bert") == [bars.time[1], bars.time[3]]
    told = [
        row["line"].split(" ", 1)[1] for row in copy.store.rows("select line from audit where line like '%SKIPPED%'")
    ]
    assert told == [f"SCRIPTS_SKIPPED BTCUSDT 1m {bars.time[2]}"]
    assert leader.engine.last(KEY) == bars.time[3]
    leader.close()


def test_an_engine_that_was_paused_writes_nothing_after_its_lease(world: World) -> None:
    bars = walk(40, 3)
    world.begin(bars.at(range(30)))
    one, two = world.copy("one"), world.copy("two")
    first = world.lead(one)
    alert = world.command("anna", "set_alert", symbol=KEY[0], condition={"price_above": 0.01}, frequency="once_per_bar")
    work(first, 2)
    assert "result" in reply(one.store, alert)
    before = rows(one.store)
    world.lose()  # it stands still, and another one leads
    second = world.lead(two)
    world.play(list(ticks(bars, 30)))
    order = world.command("anna", "place_order", symbol=KEY[0], side="buy", quantity=1)
    work(second)
    world.free()
    with pytest.raises(Stale):
        first.step(0)
    with pytest.raises(Stale):
        first.engine.set_alert("anna", KEY[0], EVERY)
    first.close()
    assert rows(one.store) == before
    while one.follow(0):
        pass
    assert rows(one.store) == rows(two.store)
    assert len(one.store.rows("select * from firing")) == 1
    assert "result" in reply(one.store, order)
    second.close()


def test_a_command_is_done_once_and_for_its_own_user_only(world: World) -> None:
    bars = closes(*[100.0] * 20)
    copy, leader = led(world, bars)
    order = {"symbol": KEY[0], "side": "buy", "quantity": 1, "type": "limit", "price": 90.0}
    ids = [world.command("anna", "place_order", as_id="same", **order) for _ in range(3)]
    work(leader)
    assert set(ids) == {"same"}
    placed = reply(copy.store, "same")["result"]
    alert = world.command("anna", "set_alert", symbol=KEY[0], condition=EVERY)
    work(leader)
    alert = reply(copy.store, alert)["result"]
    stolen = [
        world.command("bert", "cancel_order", id=placed),
        world.command("bert", "cancel_alert", id=alert),
        world.command("bert", "stop_trading", id="x"),
    ]
    work(leader)
    told = [reply(copy.store, id) for id in stolen]
    assert all(each["usage"] and "not found" in each["error"] for each in told)
    assert [row["state"] for row in copy.store.rows("select state from paper_order")] == ["Open"]
    assert leader.engine.orders("bert") == []
    assert len(copy.store.rows("select * from alert")) == 1
    leader.close()


def test_a_series_that_begins_later_is_followed_before_its_first_update(world: World) -> None:
    copy = world.copy("one")
    leader = world.lead(copy)
    early = world.command("anna", "set_alert", symbol=KEY[0], condition=EVERY)
    work(leader, 2)
    assert "does not follow" in reply(copy.store, early)["error"]
    bars = walk(40, 3)
    world.begin(bars.at(range(30)))
    later = world.command("anna", "set_alert", symbol=KEY[0], condition={"price_above": 0.01})
    world.play([closed(bars, 30)])
    work(leader, 2)
    assert "result" in reply(copy.store, later)
    assert [row["bar"] for row in copy.store.rows("select bar from firing")] == [bars.time[30]]
    leader.close()


def test_a_command_that_came_to_another_group_is_refused(world: World) -> None:
    copy, leader = led(world, closes(*[100.0] * 20))
    leader._groups = 4  # "anna" is in group 2 of 4, and this is group 0
    wrong = world.command("anna", "place_order", symbol=KEY[0], side="buy", quantity=1)
    for_all = world.command("owner", "halt", reason="test")
    work(leader, 2)
    assert "a group that its user is not in" in reply(copy.store, wrong)["error"]
    assert reply(copy.store, for_all) == {"result": 0}
    assert copy.store.count("paper_order") == 0
    leader.close()


def test_poisoned_commands_end_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    copy, leader = led(world, closes(*[100.0] * 20))
    for body in (b"", b"\xff", b"[]", b'{"a": 1}', b'["id", "anna", 5, {}]', b"[" * 100_000):
        world.log.append([NewEntry("commands:0", body)], "n")
    ids = [
        world.command("anna", "drop_everything"),
        world.command("anna", "place_order", surprise=1),
        world.command("anna", "place_order", symbol=5, side=None, quantity="x"),
        world.command("anna", "set_alert", symbol=KEY[0], condition={"price_above": "high"}),
    ]

    def broken(*_: Any, **__: Any) -> None:
        leader.engine.store.set("half", "done")
        raise RuntimeError("a bug")

    monkeypatch.setattr(leader.engine, "notifications", broken)
    bug = world.command("anna", "notifications")
    good = world.command("anna", "set_alert", symbol=KEY[0], condition=EVERY)
    work(leader, 3)
    assert all("error" in reply(copy.store, id) for id in [*ids, bug])
    assert copy.store.setting("half") is None
    assert "result" in reply(copy.store, good)
    skipped = copy.store.rows("select line from audit where line like '%COMMAND_SKIPPED%'")
    assert len(skipped) == 6
    leader.close()


def test_poisoned_updates_are_left_out_and_noted(world: World) -> None:
    bars = walk(40, 3)
    copy, leader = led(world, bars.at(range(30)))
    world.command("anna", "set_alert", symbol=KEY[0], condition={"price_above": 0.01}, frequency="once_per_bar")
    good = closed(bars, 30)
    for body in (b"", b"{}", b"[[1]]", b"[5]", json.dumps([[*good[:7], "x", *good[8:]]]).encode(),
                 json.dumps([good._replace(high=0.5)]).encode()):  # fmt: skip
        world.log.append([NewEntry(UPDATES, body)], "n")
    world.play([good, closed(bars, 31)])
    work(leader, 3)
    assert len(copy.store.rows("select * from firing")) == 2
    skipped = copy.store.rows("select line from audit where line like '%SKIPPED%'")
    assert len(skipped) == 6
    leader.close()


def test_an_update_on_which_the_engine_fails_is_left_out_by_the_next_leader(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    bars = walk(40, 3)
    world.begin(bars.at(range(30)), [KEY, OTHER])
    world.command("anna", "set_alert", symbol=KEY[0], condition={"price_above": 0.01}, frequency="once_per_bar")
    world.play([closed(bars, 30, KEY), closed(bars, 30, OTHER), closed(bars, 31, KEY)], together=True)
    process = TradingEngine.process

    def fragile(self: TradingEngine, updates: Any) -> None:
        if any(update.key == OTHER for update in updates):
            raise RuntimeError("a bug")
        process(self, updates)

    monkeypatch.setattr(TradingEngine, "process", fragile)
    copy = world.copy("one")
    bad: list[Spot] = []
    for is_careful in (False, True):
        leader = world.lead(copy, bad=bad)
        leader.is_careful = is_careful
        with pytest.raises(RuntimeError):
            work(leader, 2)
        if is_careful and leader.spot is not None:
            bad.append(leader.spot)
        leader.close()
        world.free()
    assert bad == [Spot(1, 1)]
    leader = world.lead(copy, bad=bad)
    work(leader, 2)
    leader.close()
    assert len(copy.store.rows("select * from firing")) == 2
    assert copy.store.count("audit") > 0
    assert copy.store.rows("select line from audit where line like '%UPDATE_SKIPPED 1.1 ETHUSDT 1m%'")


def test_a_delivery_between_a_failed_step_and_the_end_says_nothing_about_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The threads that send letters note what they sent, also when the leader has failed and is not yet closed."""
    bars = walk(40, 3)
    copy, leader = led(world, bars.at(range(30)))
    world.command("anna", "set_alert", symbol=KEY[0], condition={"price_above": 0.01}, frequency="once_per_bar")
    work(leader, 2)

    def broken(*_: Any) -> None:
        raise RuntimeError("a bug")

    world.play([closed(bars, 30)])
    monkeypatch.setattr(leader.engine, "process", broken)
    with pytest.raises(RuntimeError):
        leader.step(0)
    thread = threading.Thread(target=copy.store.set, args=("letter", "sent"))
    thread.start()
    thread.join()
    leader.close()
    world.free()
    assert copy.store.setting("letter") == "sent"
    leader = world.lead(copy)
    work(leader, 2)
    assert [row["bar"] for row in copy.store.rows("select bar from firing")] == [bars.time[30]]
    leader.close()


def test_a_leader_that_was_away_for_long_gets_all_bars_since(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinebench.engine.cluster.leader._WARM_BARS", 5)
    bars = walk(90, 3)
    copy, leader = led(world, bars.at(range(30)))
    world.command("anna", "set_alert", symbol=KEY[0], condition={"price_above": 0.01}, frequency="once_per_bar")
    world.play([closed(bars, 30)])
    work(leader, 2)
    leader.close()
    world.lose()
    world.play([closed(bars, at) for at in range(31, 90)])
    world.log.cut(UPDATES, world.log.ends(UPDATES)[1] - 8)
    leader = world.lead(copy)
    work(leader, 2)
    assert [row["bar"] for row in copy.store.rows("select bar from firing order by bar")] == bars.time[30:]
    leader.close()


def test_bars_that_are_missing_are_noted(world: World) -> None:
    bars = walk(60, 3)
    copy, leader = led(world, bars.at(range(30)))
    world.play([closed(bars, 30), closed(bars, 33), next(ticks(bars, 36)), closed(bars, 36), closed(bars, 37)])
    work(leader, 2)
    # What a transaction did not change is told with the next one.
    lines = [row["line"].split(" ", 1)[1] for row in copy.store.rows("select line from audit order by id")]
    assert lines == [
        f"BARS_MISSING BTCUSDT 1m {bars.time[31]}-{bars.time[33]}",
        f"BARS_MISSING BTCUSDT 1m {bars.time[34]}-{bars.time[36]}",
    ]
    leader.close()


def test_updates_that_are_not_kept_are_made_up_for_by_the_bars(world: World) -> None:
    bars = walk(60, 3)
    _, leader = led(world, bars.at(range(30)))
    world.command("anna", "set_alert", symbol=KEY[0], condition={"price_above": 0.01}, frequency="once_per_bar")
    world.play([closed(bars, 30)])
    work(leader, 2)
    leader.close()
    world.lose()
    world.play([update for at in range(31, 50) for update in ticks(bars, at)])
    world.log.cut(UPDATES, world.log.ends(UPDATES)[1] - 8)
    leader = world.lead(world.copy("two"))
    work(leader, 2)
    fired = leader.engine.store.rows("select bar from firing order by bar")
    assert [row["bar"] for row in fired] == bars.time[30:50]
    assert leader.engine.store.rows("select line from audit where line like '%UPDATES_GONE 2-%'")
    leader.close()


def test_an_order_is_never_filled_by_prices_before_it(world: World) -> None:
    """An engine that lags behind works on updates and commands in the order in which the broker got them."""
    bars = closes(*[100.0] * 30)
    world.begin(bars)
    falling = closes(*[100.0] * 30, 90.0, 110.0, 110.0, 110.0)
    world.play(list(ticks(falling, 30)))
    id = world.command("anna", "place_order", symbol=KEY[0], side="buy", quantity=1, type="limit", price=95.0)
    world.play(list(ticks(falling, 31)))
    copy = world.copy("late")
    leader = world.lead(copy)
    work(leader, 3)
    assert "result" in reply(copy.store, id)
    assert [row["state"] for row in copy.store.rows("select state from paper_order")] == ["Open"]
    leader.close()


def test_an_old_command_is_refused_but_the_kill_switch_waits(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinebench.engine.cluster.leader.LONGEST_WAIT_MS", 60_000)
    world.begin(closes(*[100.0] * 20))
    order = world.command("anna", "place_order", symbol=KEY[0], side="buy", quantity=1)
    halt = world.command("owner", "halt", reason="bad data")
    world.clock.time += 61_000
    copy = world.copy("one")
    leader = world.lead(copy)
    work(leader, 2)
    assert "in time" in reply(copy.store, order)["error"]
    assert reply(copy.store, halt) == {"result": 0}
    assert copy.store.setting("halted") == "bad data"
    leader.close()


def test_a_state_that_is_ahead_in_memory_only_is_not_told(world: World) -> None:
    """Ticks that fill nothing are not written, and the next leader works on them again, with the same result."""
    bars = walk(40, 3)
    _, leader = led(world, bars.at(range(30)))
    number = world.log.ends(changes_of(0))[1]
    world.play(list(ticks(bars, 30))[:-1])
    work(leader, 2)
    assert world.log.ends(changes_of(0))[1] == number
    leader.close()


def test_strategies_and_bars_of_several_series_go_on(tmp_path: Path) -> None:
    source = (
        '//@version=6\nstrategy("s")\nif bar_index % 4 == 0\n    strategy.entry("L", strategy.long)\n'
        'if bar_index % 4 == 2\n    strategy.close("L")\n'
    )
    bars = walk(60, 3)
    single = engine_of(str(tmp_path / "alone"), bars.at(range(30)))
    single.trade("anna", KEY[0], None, source, {})
    for at in range(30, 60):
        single.process([closed(bars, at)])
    wanted = [(row["side"], row["filled"], row["fill_price"]) for row in single.store.rows(ORDERS)]
    single.close()
    world = World(tmp_path)
    world.begin(bars.at(range(30)))
    world.command("anna", "trade", symbol=KEY[0], interval=None, source=source, inputs={})
    copies = [world.copy("one"), world.copy("two")]
    for at in range(30, 60):
        world.play([closed(bars, at)])
        if at % 10 == 9:
            leader = world.lead(copies[at // 10 % 2])
            work(leader, 3)
            leader.close()
            world.free()
    found = copies[1].store.rows(ORDERS)
    assert [(row["side"], row["filled"], row["fill_price"]) for row in found] == wanted
    assert len(wanted) > 8
