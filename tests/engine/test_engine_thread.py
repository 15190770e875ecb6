"""The engine on a real feed of this computer: history, drops, duplicates, garbage, disorder, and a wrong clock."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pinebench.engine import EngineSettings, start_engine
from pinebench.engine.engine_thread import series_of
from pinebench.engine.feed import FeedConnection, parsed
from pinebench.engine.paper import Terms
from pinebench.errors import UsageError
from tests.engine.exchange import Exchange, message, messages, until
from tests.engine.markets import BEGIN, MINUTE, closed, closes, ticks, walk

SYMBOLS = ("BTCUSDT", "ETHUSDT")
KEYS = [(name, "1m") for name in SYMBOLS]
HISTORY = 60


@pytest.fixture
def exchange(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Exchange]:
    monkeypatch.setattr("pinebench.engine.feed.FIRST_PAUSE", 0.01)
    monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(tmp_path / "cache"))
    markets = {name: walk(100, seed) for seed, name in enumerate(SYMBOLS, 3)}
    with Exchange(markets, HISTORY) as found:
        monkeypatch.setenv("PINEBENCH_BINANCE_URL", found.rest_url)
        monkeypatch.setenv("PINEBENCH_BINANCE_STREAM_URL", found.stream_url)
        yield found


def settings(folder: Path, ahead: int = 0) -> EngineSettings:
    """Settings with a clock that stands in the tested market, or is ahead of it."""
    return EngineSettings(
        str(folder), terms=Terms(commission=0, slippage=0), clock=lambda: BEGIN + HISTORY * MINUTE + MINUTE // 2 + ahead
    )


@pytest.mark.parametrize("ahead", [0, 86_400_000, -86_400_000])
def test_a_feed_with_every_fault_gives_the_same_bars(tmp_path: Path, exchange: Exchange, ahead: int) -> None:
    """Drops, duplicates, garbage, disorder, a bar that is missed while connected, a clock that is wrong by a day."""
    bars, other = exchange.markets["BTCUSDT"], exchange.markets["ETHUSDT"]
    with start_engine(SYMBOLS, "1m", settings(tmp_path / "state", ahead)) as engine:
        window = engine.window("BTCUSDT", "1m")
        assert window is not None
        assert window.time == bars.time[:HISTORY]
        every = {"percent": {"change": 0.0001, "bars": 1}}
        engine.set_alert("anna", "BTCUSDT", every, frequency="once_per_bar")
        engine.set_alert("anna", "BTCUSDT", {"percent": {"change": -0.0001}}, frequency="once_per_bar")
        until(lambda: exchange.connections == 1)
        assert exchange.paths == ["/stream?streams=btcusdt@kline_1m/ethusdt@kline_1m"]

        def seen(count: int) -> None:
            until(lambda: engine.last(KEYS[0]) == bars.time[count - 1])

        first = messages([*ticks(bars, 60), *ticks(bars, 61)])
        exchange.known = 62
        exchange.send(*first[:3], first[2], first[1], "garbage", "{}", "[1]", '{"e": "kline", "k": 5}', *first[3:])
        exchange.send(*first, message(closed(bars, 40)))  # all of it again, and an old bar
        seen(62)
        wrong = json.loads(message(closed(bars, 62)))
        for change in ({"h": "0.01"}, {"c": "NaN"}, {"t": bars.time[99]}, {"x": 1}, {"i": "5m"}):
            exchange.send(json.dumps({"data": {**wrong["data"], "k": {**wrong["data"]["k"], **change}}}))
        exchange.drop()
        exchange.known = 65  # three bars close while nobody listens, and the next one is open
        until(lambda: exchange.connections >= 2)
        seen(65)
        exchange.known = 67
        exchange.send(*messages(list(ticks(bars, 66))))  # bar 65 was never sent
        seen(67)
        exchange.send(*messages(list(ticks(other, 66, KEYS[1]))))
        until(lambda: engine.last(KEYS[1]) == other.time[66])
        for key, market in zip(KEYS, (bars, other), strict=True):
            window = engine.window(*key)
            assert window is not None
            assert window.columns() == market.at(range(67)).columns()
        fired = sorted(each["bar_time"] for each in engine.alerts.history("anna"))
        assert len(fired) == len(set(fired)) == sum(bars.close[at] != bars.close[at - 1] for at in range(60, 67))


def test_many_bars_that_were_missed_are_fetched_though_the_clock_here_stood_still(
    tmp_path: Path, exchange: Exchange
) -> None:
    bars = exchange.markets["BTCUSDT"]
    with start_engine(SYMBOLS, "1m", settings(tmp_path / "state")) as engine:
        engine.set_alert("anna", "BTCUSDT", {"price_above": 0.01}, frequency="once_per_bar")
        until(lambda: exchange.connections == 1)
        exchange.drop()
        exchange.known = 90
        until(lambda: engine.last(KEYS[0]) == bars.time[89])
        window = engine.window(*KEYS[0])
        assert window is not None
        assert window.time == bars.time[:90]
        assert len(engine.alerts.history("anna")) == 30


def test_bars_that_closed_while_the_engine_was_off_are_made_up_for(tmp_path: Path, exchange: Exchange) -> None:
    bars = exchange.markets["BTCUSDT"]
    level, kind = bars.close[61], "price_above" if bars.close[61] > bars.close[60] else "price_below"
    with start_engine(SYMBOLS, "1m", settings(tmp_path / "state")) as engine:
        engine.set_alert("anna", "BTCUSDT", {kind: level})
        early = engine.place_order("anna", "BTCUSDT", "buy", 1)
    exchange.known = 64
    with start_engine(SYMBOLS, "1m", settings(tmp_path / "state")) as engine:
        assert engine.last(KEYS[0]) == bars.time[63]
        (told,) = engine.notifications("anna")
        assert told["value"] == level
        (order,) = engine.orders("anna")
        # The order came in the middle of bar 60, whose close is the first price after it that is known.
        assert (order["id"], order["state"], order["fill_price"]) == (early, "Filled", bars.close[60])
    with start_engine(SYMBOLS, "1m", settings(tmp_path / "state")) as engine:
        assert engine.notifications("anna") == []


def test_a_webhook_is_sent_by_the_running_engine(tmp_path: Path, exchange: Exchange) -> None:

    bars = exchange.markets["BTCUSDT"]
    found = EngineSettings(str(tmp_path / "state"), webhook_hosts=("127.0.0.1",), clock=settings(tmp_path).clock)
    with start_engine(SYMBOLS, "1m", found) as engine:
        hook = {"url": exchange.rest_url, "secret": "0123456789abcdef"}
        engine.set_alert("anna", "BTCUSDT", {"price_above": 0.01}, webhook=hook)
        until(lambda: exchange.connections == 1)
        exchange.known = 61
        exchange.send(message(closed(bars, 60)))
        until(lambda: engine.store.row("select 1 from outbox where tries = 1 and problem like '%501%'"))


def test_the_pauses_between_connections_grow_to_a_minute() -> None:
    pauses: list[float] = []

    class Enough(Exception):
        pass

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 8:
            raise Enough

    class Sink:
        async def connected(self, keys: object) -> None:
            raise AssertionError

        async def take(self, updates: object) -> None:
            raise AssertionError

    with pytest.raises(Enough):
        asyncio.run(FeedConnection(KEYS, Sink(), "ws://127.0.0.1:9", pause=pause).run())
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60]


def test_a_message_of_binance_is_read() -> None:
    bars = closes(100.0, 101.0)
    update = closed(bars, 1)
    assert parsed(message(update)) == update
    assert parsed(json.dumps(json.loads(message(update))["data"])) == update
    assert parsed("") is parsed("nonsense") is parsed(b"\xff") is parsed("[" * 100_000) is None


def test_what_is_asked_for_is_checked() -> None:
    assert series_of(["binance:btcusdt", "BTCUSDT"], ["1m", "4h"]) == [("BTCUSDT", "1m"), ("BTCUSDT", "4h")]
    names = ["60", "1wk", "1mo", "1d", "1h"]
    assert series_of(["BTCUSDT"], names) == [("BTCUSDT", each) for each in ("1h", "1w", "1M", "1d")]
    for symbols, intervals in ((["../x"], ["1m"]), ([], ["1m"]), (["BTCUSDT"], ["7x"])):
        with pytest.raises(UsageError):
            series_of(symbols, intervals)


def test_the_exchange_ends_with_all_of_its_tasks() -> None:
    """A connection that is cut while it begins needs more than one step to end."""

    async def ends_in_steps() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            for _ in range(5):
                await asyncio.sleep(0)

    with Exchange({"BTCUSDT": walk(70, 1)}, HISTORY) as exchange:
        asyncio.run_coroutine_threadsafe(ends_in_steps(), exchange._loop)
    assert not asyncio.all_tasks(exchange._loop)


def test_an_unknown_symbol_ends_the_start(tmp_path: Path, exchange: Exchange) -> None:
    with pytest.raises(UsageError, match="Binance has no market 'NOPEUSDT'"):
        start_engine(["NOPEUSDT"], "1m", settings(tmp_path / "state"))
    with start_engine(SYMBOLS[:1], "1m", settings(tmp_path / "state")) as engine:
        assert engine.keys == KEYS[:1]
