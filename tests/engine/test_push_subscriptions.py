"""Pushed notifications: in order, to every stream of their user and to no other user, also after a restart."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from pinebench.engine import push_subscriptions
from pinebench.engine.engine import TradingEngine
from tests.engine.markets import Clock, closed, closes, engine_of, play

ANNA, BEN = "anna", "ben"
PRICES = [100.0, 106.0, 107.0, 104.0, 108.0]
BARS = closes(*PRICES)


def begun(folder: Path, *subjects: str, frequency: str = "once_per_bar") -> TradingEngine:
    engine = engine_of(str(folder), BARS.at([0]))
    for subject in subjects:
        engine.pushing.subscribe(subject)
        engine.set_alert(subject, "BTCUSDT", {"price_above": 105}, frequency=frequency)
    return engine


async def take(events: AsyncIterator[tuple[int, dict[str, Any]]], count: int) -> list[tuple[int, float]]:
    found: list[tuple[int, float]] = []
    async with asyncio.timeout(120):
        while len(found) < count:
            number, frame = await anext(events)
            found.append((number, frame["params"]["value"]))
    return found


def test_a_frame_is_a_notification_with_the_flat_condition(tmp_path: Path) -> None:
    engine = begun(tmp_path, ANNA)
    play(engine, BARS, 1, 2)

    async def first() -> tuple[int, dict[str, Any]]:
        return await anext(engine.pushing.stream(ANNA))

    number, frame = asyncio.run(first())
    alert = engine.alerts.listing(ANNA)[0]["id"]
    assert number == 1
    assert frame == {
        "jsonrpc": "2.0",
        "method": "notifications/alert_triggered",
        "params": {
            "alert_id": alert,
            "symbol": "BTCUSDT",
            "interval": "1m",
            "condition": {"type": "price_above", "threshold": 105},
            "value": 106,
            "triggered_at": "2024-01-01T00:02:00Z",
        },
    }
    engine.close()


def test_what_waited_comes_first_and_then_what_happens(tmp_path: Path) -> None:
    engine = begun(tmp_path, ANNA)
    play(engine, BARS, 1, 3)
    assert engine.pushing.listing(ANNA)["offline_queue_size"] == 2

    async def listen() -> None:
        events = engine.pushing.stream(ANNA)
        assert await take(events, 2) == [(1, 106), (2, 107)]
        waiting = asyncio.ensure_future(take(events, 1))
        await asyncio.sleep(0)
        assert engine.pushing.listing(ANNA)["connected"] is True
        await asyncio.to_thread(play, engine, BARS, 3)
        assert await waiting == [(3, 108)]
        await events.aclose()  # type: ignore[attr-defined]

    asyncio.run(listen())
    told = engine.pushing.listing(ANNA)
    # The last event was not asked past, so nobody knows whether it arrived.
    assert (told["connected"], told["offline_queue_size"]) == (False, 1)
    engine.close()
    again = engine_of(str(tmp_path), BARS)
    assert asyncio.run(take(again.pushing.stream(ANNA), 1)) == [(3, 108)]
    assert asyncio.run(take(again.pushing.stream(ANNA, 1), 2)) == [(2, 107), (3, 108)]
    again.close()


def test_every_stream_of_a_user_gets_everything_and_others_get_nothing(tmp_path: Path) -> None:
    engine = begun(tmp_path, ANNA)
    engine.pushing.subscribe(BEN)

    async def listen() -> None:
        own = [asyncio.ensure_future(take(engine.pushing.stream(ANNA), 3)) for _ in range(3)]
        other = asyncio.ensure_future(take(engine.pushing.stream(BEN), 1))
        await asyncio.sleep(0)
        await asyncio.to_thread(play, engine, BARS, 1)
        assert [await each for each in own] == [[(1, 106), (2, 107), (3, 108)]] * 3
        assert not other.done()
        other.cancel()

    asyncio.run(listen())
    assert engine.pushing.listing(BEN)["offline_queue_size"] == 0
    engine.close()


@pytest.mark.parametrize(
    ("symbols", "types", "count"),
    [
        (None, None, 3),
        ([], [], 3),
        (["btcusdt"], None, 3),
        (["ETHUSDT"], None, 0),
        (None, ["price_below"], 0),
        (["BTCUSDT"], ["price_above"], 3),
    ],
)
def test_filters_must_both_match(
    tmp_path: Path, symbols: list[str] | None, types: list[str] | None, count: int
) -> None:
    engine = begun(tmp_path, ANNA)
    engine.pushing.subscribe(ANNA, symbols, types)
    play(engine, BARS, 1)
    assert engine.pushing.listing(ANNA)["offline_queue_size"] == count
    assert len(engine.notifications(ANNA)) == 3
    engine.close()


def test_the_queues_keep_an_hour_and_a_thousand(tmp_path: Path) -> None:
    bars = closes(100.0, *[106.0] * 1_010)
    clock = Clock()
    engine = engine_of(str(tmp_path), bars.at([0]), clock=clock)
    engine.pushing.subscribe(ANNA)
    engine.set_alert(ANNA, "BTCUSDT", {"price_above": 105}, frequency="once_per_bar")
    engine.process([closed(bars, at) for at in range(1, len(bars))])
    assert engine.pushing.listing(ANNA)["offline_queue_size"] == push_subscriptions.MOST_WAITING
    assert asyncio.run(take(engine.pushing.stream(ANNA), 1)) == [(11, 106)]
    clock.time += push_subscriptions.LONGEST_MS
    assert engine.pushing.listing(ANNA)["offline_queue_size"] == 0
    engine.purge()
    assert engine.store.rows("select 1 from event union all select 1 from notification") == []
    assert engine.notifications(ANNA) == []
    engine.close()


async def test_streams_end_with_the_engine(tmp_path: Path) -> None:
    engine = begun(tmp_path, ANNA)
    waiting = asyncio.ensure_future(take(engine.pushing.stream(ANNA), 1))
    await asyncio.sleep(0)
    await asyncio.to_thread(engine.close)
    with pytest.raises(StopAsyncIteration):
        await waiting
