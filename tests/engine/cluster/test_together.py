"""A feed, engines and a server that share a log: what users ask for and are told, while engines come and go."""

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pinebench.engine.cluster import member as members
from pinebench.engine.cluster.desk import Desk
from pinebench.engine.cluster.feed_process import FeedProcess
from pinebench.engine.cluster.log import UPDATES, ClusterLog, commands_of, group_of, lease_of
from pinebench.engine.cluster.member import ClusterMember, agreed_groups
from pinebench.engine.paper import Terms
from pinebench.engine.scripts import Scripts
from pinebench.errors import UnavailableError, UsageError
from tests.engine.cluster.memory import MemoryLog
from tests.engine.cluster.support import SETTINGS
from tests.engine.exchange import Exchange, messages, until
from tests.engine.markets import ticks, walk

SYMBOLS = ("BTCUSDT", "ETHUSDT")
KEYS = [(name, "1m") for name in SYMBOLS]
HISTORY = 30
LEASE_MS = 2000


@pytest.fixture
def exchange(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Exchange]:
    monkeypatch.setattr("pinebench.engine.feed.FIRST_PAUSE", 0.01)
    monkeypatch.setattr(members, "_WAIT_MS", 20)
    monkeypatch.setattr("pinebench.engine.cluster.desk._WAIT_MS", 20)
    monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(tmp_path / "cache"))
    with Exchange({name: walk(80, seed) for seed, name in enumerate(SYMBOLS, 3)}, HISTORY) as found:
        monkeypatch.setenv("PINEBENCH_BINANCE_URL", found.rest_url)
        monkeypatch.setenv("PINEBENCH_BINANCE_STREAM_URL", found.stream_url)
        yield found


class Place:
    """Processes of one computer, which are threads here."""

    def __init__(self, folder: Path, stack: ExitStack, log: ClusterLog | None = None) -> None:
        self.log = log or MemoryLog()
        self._folder = folder
        self._stack = stack

    def feed(self) -> FeedProcess:
        feeding = FeedProcess(self.log, KEYS, lease_ms=LEASE_MS)
        thread = threading.Thread(target=feeding.run)
        thread.start()

        def end() -> None:
            feeding.stop()
            thread.join()

        self._stack.callback(end)
        return feeding

    def engine(self, name: str) -> ClusterMember:
        settings = replace(SETTINGS, folder=str(self._folder / name))
        return self._stack.enter_context(ClusterMember(self.log, settings, 2, lease_ms=LEASE_MS))

    def desk(self, name: str = "desk", seconds: float = 15) -> Desk:
        settings = replace(SETTINGS, folder=str(self._folder / name))
        return self._stack.enter_context(Desk(self.log, settings, 2, seconds=seconds))


@pytest.fixture
def place(tmp_path: Path, exchange: Exchange) -> Iterator[Place]:
    del exchange
    with ExitStack() as stack:
        yield Place(tmp_path, stack)


def collected(desk: Desk, subject: str, count: int, after: int | None = None) -> list[tuple[int, dict[str, Any]]]:
    """The next events of the stream of a user."""
    got: list[tuple[int, dict[str, Any]]] = []

    async def read() -> None:
        async with asyncio.timeout(120):
            async for event in desk.pushing.stream(subject, after):
                got.append(event)
                if len(got) == count:
                    return

    asyncio.run(read())
    return got


def test_users_get_from_several_engines_what_one_gives(place: Place, exchange: Exchange) -> None:
    feeding = place.feed()
    until(lambda: feeding.is_working)
    engines = [place.engine("one"), place.engine("two")]
    desk = place.desk()
    until(lambda: not desk.unled())
    users = ["anna", "user1", "dora", "eva"]
    assert {group_of(user, 2) for user in users} == {0, 1}
    every = {"price_above": 0.01}
    alerts = {}
    for user in users:
        assert desk.pushing.subscribe(user)["status"] == "subscribed"
        alerts[user] = desk.set_alert(user, "btcusdt", every, frequency="once_per_bar")
    order = desk.place_order("anna", "ETHUSDT", "buy", 2.0, "market", None, client_id="mine")
    assert desk.place_order("anna", "ETHUSDT", "buy", 2.0, "market", None, client_id="mine") == order
    with pytest.raises(UsageError, match="belongs to another order"):
        desk.place_order("anna", "ETHUSDT", "buy", 3.0, "market", None, client_id="mine")
    with pytest.raises(UsageError, match="does not follow") as told:
        desk.place_order("anna", "XRPUSDT", "buy", 2.0, "market", None)
    assert "BTCUSDT 1m" in str(told.value.hint)
    until(lambda: exchange.connections == 1)
    for at in (30, 31):
        exchange.known = at + 1
        exchange.send(*messages([each for key in KEYS for each in ticks(exchange.markets[key[0]], at, key)]))
    for user in users:
        got = collected(desk, user, 2)
        assert [event["params"]["alert_id"] for _, event in got] == [alerts[user]] * 2
        assert collected(desk, user, 1, got[0][0]) == got[1:]
        assert [each["alert_id"] for each in desk.notifications(user)] == [alerts[user]] * 2
        assert desk.notifications(user) == []
        assert [each["id"] for each in desk.alerts.listing(user)] == [alerts[user]]
        assert len(desk.alerts.history(user)) == 2
    until(lambda: desk.order_state("anna", order) == "Filled")
    assert [each["symbol"] for each in desk.positions("anna")] == ["ETHUSDT"]
    balance = desk.balance("anna")
    assert balance["followed"][1]["price"] == exchange.markets["ETHUSDT"].close[31]
    assert desk.positions("user1") == desk.orders("user1") == []
    window = desk.window("BTCUSDT", "1m")
    assert window is not None
    assert window.time == exchange.markets["BTCUSDT"].time[:32]
    assert desk.paper.halt("a test") == 0
    assert desk.balance("user1")["halted"] == "a test"
    assert desk.health()["halted"] is True
    desk.paper.resume()
    desk.alerts.cancel("anna", alerts["anna"])
    assert [each["reason"] for each in desk.alerts.endings("anna")] == ["cancelled"]
    assert desk.pushing.listing("anna")["subscribed"]
    assert desk.pushing.unsubscribe("anna") == {"status": "unsubscribed"}
    health = desk.health()
    assert (health["problem"], health["feed"]["connected"], health["fired"], health["series"]) == (None, True, 8, 2)
    assert [engine.problems for engine in engines] == [{}, {}]


def test_a_stream_does_not_wait_for_a_broker_that_hangs(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    desk = place.desk()
    append = place.log.append

    def hanging(*given: Any, **more: Any) -> int:
        assert released.wait(120)
        return append(*given, **more)

    monkeypatch.setattr(place.log, "append", hanging)
    streams = desk.engine("anna").pushing
    streams.mark("anna", 7)
    streams.mark("anna", 8)  # both return at once
    released.set()
    until(lambda: place.log.ends(commands_of(group_of("anna", 2)))[1] == 2)


def test_engines_share_the_groups_and_take_over_from_each_other(place: Place, exchange: Exchange) -> None:
    del exchange
    feeding = place.feed()
    until(lambda: feeding.is_working)
    first = place.engine("one")
    until(lambda: first.leads == [0, 1])
    second = place.engine("two")
    until(lambda: len(first.leads) == len(second.leads) == 1)
    first.stop()
    until(lambda: second.leads == [0, 1])
    desk = place.desk()
    assert desk.set_alert("anna", "BTCUSDT", {"price_above": 1e9})
    assert desk.set_alert("user1", "BTCUSDT", {"price_above": 1e9})


def test_without_an_engine_a_command_is_not_forgotten_silently(place: Place, exchange: Exchange) -> None:
    del exchange
    feeding = place.feed()
    until(lambda: feeding.is_working)
    desk = place.desk(seconds=0.05)
    with pytest.raises(UnavailableError, match="no engine answered in time"):
        desk.set_alert("anna", "BTCUSDT", {"price_above": 1e9})
    assert desk.unled() == [0, 1]
    assert desk.health()["feed"]["connected"] is False
    place.engine("one")
    until(lambda: len(desk.alerts.listing("anna")) == 1)


def test_a_second_feed_waits_and_fills_what_was_missed(place: Place, exchange: Exchange) -> None:
    bars = exchange.markets["BTCUSDT"]
    first = place.feed()
    until(lambda: first.is_working and exchange.connections == 1)
    second = place.feed()
    exchange.known = 31
    exchange.send(*messages([each for key in KEYS for each in ticks(exchange.markets[key[0]], 30, key)]))
    until(lambda: place.log.ends(UPDATES)[1] > 0)
    assert not second.is_working
    exchange.known = 34  # these bars close while the first feed is gone
    first.stop()
    until(lambda: second.is_working and exchange.connections == 2)
    exchange.known = 35
    exchange.send(*messages([each for key in KEYS for each in ticks(exchange.markets[key[0]], 34, key)]))
    desk = place.desk()

    def times() -> list[int]:
        window = desk.window("BTCUSDT", "1m")
        return [] if window is None else window.time

    until(lambda: times() == bars.time[:35])


def test_what_all_must_agree_on_is_refused_if_it_differs(tmp_path: Path, place: Place) -> None:
    assert agreed_groups(place.log, None) == 4
    with pytest.raises(UsageError, match="already in 4 groups"):
        agreed_groups(place.log, 3)
    with pytest.raises(UsageError, match="from 1 to 64"):
        agreed_groups(place.log, 65)
    with ClusterMember(place.log, replace(SETTINGS, folder=str(tmp_path / "a")), lease_ms=LEASE_MS):
        other = replace(SETTINGS, folder=str(tmp_path / "b"), terms=Terms(commission=1))
        with pytest.raises(UsageError, match="are different in the running engines"):
            ClusterMember(place.log, other)
        with pytest.raises(UsageError, match="another engine uses this folder"):
            ClusterMember(place.log, replace(SETTINGS, folder=str(tmp_path / "a")))
    until(lambda: not place.log.attend("", 0))
    with ClusterMember(place.log, other, lease_ms=LEASE_MS):
        pass


def test_a_group_whose_log_lost_changes_stops_and_says_so(place: Place, exchange: Exchange) -> None:
    del exchange
    feeding = place.feed()
    until(lambda: feeding.is_working)
    engine = place.engine("one")
    desk = place.desk()
    until(lambda: not desk.unled())
    for number in range(3):
        desk.set_alert("anna", "BTCUSDT", {"price_above": 1e9 + number})
    group = group_of("anna", 2)
    engine.stop()
    log = place.log
    assert isinstance(log, MemoryLog)
    log._numbers[f"changes:{group}"] -= 2
    del log._streams[f"changes:{group}"][-2:]
    again = place.engine("one")
    until(lambda: group in again.problems)
    assert "lost changes" in again.problems[group]
    assert not log.is_held(lease_of(group))


def test_a_members_prices_do_not_wait_for_scripts(
    place: Place, exchange: Exchange, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the scripts of a bar hang, later bars fire alerts and fill orders; then all firings of scripts come."""
    begun, go = threading.Event(), threading.Event()
    run = Scripts.advance

    def held(self: Scripts, asked: Any) -> Any:
        begun.set()
        assert go.wait(60)
        return run(self, asked)

    monkeypatch.setattr(Scripts, "advance", held)
    feeding = place.feed()
    until(lambda: feeding.is_working)
    place.engine("one")
    desk = place.desk()
    until(lambda: not desk.unled() and exchange.connections == 1)
    every = {"frequency": "once_per_bar"}
    script = desk.set_alert("anna", "BTCUSDT", {"pine": "close > 0"}, **every)
    price = desk.set_alert("anna", "BTCUSDT", {"price_above": 0.01}, **every)
    exchange.known = 31
    exchange.send(*messages(list(ticks(exchange.markets["BTCUSDT"], 30))))
    assert begun.wait(60)
    order = desk.place_order("anna", "BTCUSDT", "buy", 1.0, "market", None)
    exchange.known = 33
    exchange.send(*messages([each for at in (31, 32) for each in ticks(exchange.markets["BTCUSDT"], at)]))
    until(lambda: desk.order_state("anna", order) == "Filled")
    until(lambda: [each["alert_id"] for each in desk.alerts.history("anna")] == [price] * 3)
    go.set()
    until(lambda: Counter(each["alert_id"] for each in desk.alerts.history("anna")) == {price: 3, script: 3})
