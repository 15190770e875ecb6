"""Markets without a stream: bars come when they close in the sessions of the market, and they come once."""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from pinebench.engine import EngineSettings, start_engine
from pinebench.engine.engine_thread import series_of
from pinebench.engine.polled_feed import LONGEST_PAUSE, Polls
from pinebench.engine.series import Key
from pinebench.errors import UsageError
from tests.engine.exchange import until
from tests.market.feeds import test_yahoo as peer
from tests.market.feeds.server import Service, serving

KEY = ("YAHOO:AAPL", "1h")


class Sink:
    """Series that are due as a test says, and bring bars as it says."""

    def __init__(self) -> None:
        self.due: set[Key] = set()
        self.found: set[Key] | None = set()
        self.asked: list[list[Key]] = []

    def is_due(self, key: Key) -> bool:
        return key in self.due

    async def poll(self, keys: Sequence[Key]) -> set[Key] | None:
        self.asked.append(list(keys))
        return self.found


def test_a_series_that_brings_nothing_is_asked_more_and_more_rarely() -> None:
    one, two, sink = ("YAHOO:A", "1m"), ("YAHOO:B", "1m"), Sink()
    polls = Polls([one, two], sink)

    def look(seconds: float) -> list[list[Key]]:
        sink.asked.clear()
        asyncio.run(polls.look(seconds))
        return sink.asked

    assert look(0) == []
    sink.due = {one}
    assert look(1) == [[one]]
    assert look(2) == look(30) == []
    assert look(31) == [[one]]
    assert look(90) == []
    sink.due = {one, two}
    sink.found = {one}
    assert look(91) == [[one, two]]
    assert look(92) == [[one]]
    sink.due = set()
    # Whatever the clock of the computer says.
    assert look(91 + LONGEST_PAUSE) == [[two]]


def test_polls_that_fail_are_told() -> None:
    sink, key = Sink(), ("YAHOO:A", "1m")
    polls = Polls([key], sink)
    assert (polls.is_connected, polls.heard, polls.connections) == (True, None, 1)
    sink.due, sink.found = {key}, None
    asyncio.run(polls.look(5))
    assert (polls.is_connected, polls.heard) == (False, None)
    sink.found = {key}
    asyncio.run(polls.look(50))
    assert (polls.is_connected, polls.heard, polls.connections) == (True, 50, 2)


@pytest.fixture
def yahoo(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Service]:
    monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("EACH", "FIRST_PAUSE", "LONGEST_PAUSE"):
        monkeypatch.setattr(f"pinebench.engine.polled_feed.{name}", 0.01)
    with serving(Service(peer.Market(), int(peer.NOW.timestamp() * 1000))) as service:
        monkeypatch.setenv("PINEBENCH_YAHOO_URL", service.url)
        yield service


def test_alerts_fire_once_on_each_bar_of_a_session(
    yahoo: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def go_to(moment: datetime) -> None:
        monkeypatch.setattr(peer, "NOW", moment)
        yahoo.now = int(moment.timestamp() * 1000)

    def opened(moment: datetime) -> int:
        return int(moment.timestamp() * 1000)

    first = peer.NOW.replace(hour=9, minute=30)
    settings = EngineSettings(str(tmp_path / "state"), clock=lambda: yahoo.now)
    with start_engine(["yahoo:aapl"], "1h", settings) as engine:
        assert engine.last(KEY) == opened(first.replace(hour=10))
        engine.set_alert("anna", "YAHOO:AAPL", {"price_above": 1}, frequency="once_per_bar")
        for moment, last in (
            (first.replace(hour=12, minute=40), first.replace(hour=11)),
            (first.replace(hour=16, minute=40), first.replace(hour=15)),
            (first + timedelta(days=1, hours=1, minutes=10), first + timedelta(days=1)),
        ):
            go_to(moment)
            until(lambda last=last: engine.last(KEY) == opened(last))
        assert engine.health()["feed"]["connected"] is True
    # Two days and a weekend pass while nobody runs; the bars are made up for.
    go_to(first + timedelta(days=5, hours=1, minutes=1))
    with start_engine(["yahoo:aapl"], "1h", settings) as engine:
        until(lambda: engine.last(KEY) == opened(first + timedelta(days=5)))
        rows = engine.store.rows("select bar from firing order by bar")
    expected = [first + timedelta(hours=at) for at in range(2, 7)]
    expected += [first + timedelta(days=day, hours=at) for day in (1, 2) for at in range(7)]
    expected += [first + timedelta(days=5)]
    assert [row["bar"] for row in rows] == [opened(moment) for moment in expected]


def test_symbols_of_yahoo_are_followed_beside_those_of_binance() -> None:
    assert series_of(["yahoo:^gspc", "btcusdt"], ["1h"]) == [("YAHOO:^GSPC", "1h"), ("BTCUSDT", "1h")]
    for name in ("YAHOO:", "YAHOO:A/B", "YAHOO:A B", "KRAKEN:BTC", "YAHOO:A\n"):
        with pytest.raises(UsageError, match="not a symbol of Binance or Yahoo"):
            series_of([name], ["1h"])
