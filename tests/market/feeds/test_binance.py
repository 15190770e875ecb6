"""Bars of Binance: page by page, closed and forming told apart, from the cache where that is right, and no mixtures."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pinebench.errors import PinebenchError, UnavailableError, UsageError
from pinebench.market.feeds import feed_bars
from pinebench.market.feeds.bar_cache import CacheKey, CandleStore
from pinebench.market.feeds.candles import Candle
from pinebench.market.feeds.feed_bars import FeedBars
from pinebench.market.feeds.transport import TRIES, Transport
from tests.market.feeds.server import DAY, HOUR, Service, serving

NOW = 1_767_225_600_000 + HOUR // 2
"""Half an hour after a full hour that every timeframe up to a day shares."""
LISTED = NOW - HOUR // 2 - 3000 * HOUR


def price(time: int) -> float:
    return 100 + (time // HOUR) % 97 / 10


class Exchange:
    """Binance with one market, whose hourly bars begin at `LISTED`. `silent` are times without bars."""

    def __init__(self) -> None:
        self.silent: set[int] = set()
        self.most = 1000
        self.factor = 1.0

    def __call__(self, path: str, asked: dict[str, str]) -> Any:
        if asked.get("symbol") != "BTCUSDT":
            return 400, {"code": -1121, "msg": "Invalid symbol."}
        if path == "/api/v3/exchangeInfo":
            filters = [
                {"filterType": "PRICE_FILTER", "tickSize": "0.01000000"},
                {"filterType": "LOT_SIZE", "stepSize": "0.00001000"},
            ]
            return {"symbols": [{"baseAsset": "BTC", "quoteAsset": "USDT", "filters": filters}]}
        since = int(asked["startTime"])
        if path == "/fapi/v1/fundingRate":
            times = range(-(-max(since, LISTED) // (8 * HOUR)) * 8 * HOUR, NOW, 8 * HOUR)
            return [{"symbol": "BTCUSDT", "fundingTime": t + 7, "fundingRate": "0.0001"} for t in times][:1000]
        if path == "/futures/data/globalLongShortAccountRatio":
            times = range(-(-since // HOUR) * HOUR, min(NOW, int(asked["endTime"])), HOUR)
            return [{"longAccount": "0.6", "shortAccount": "0.4", "timestamp": str(t)} for t in times][:500]
        assert asked["interval"] == "1h"
        first = -(-max(since, LISTED) // HOUR) * HOUR
        times = [time for time in range(first, NOW, HOUR) if time not in self.silent]
        return [self.row(time) for time in times[: min(self.most, int(asked["limit"]))]]

    def row(self, time: int) -> list[Any]:
        open_, high, low, close = (f"{self.factor * (price(time) + step):.8f}" for step in (0, 2, -2, 1))
        return [time, open_, high, low, close, "12.5", time + HOUR - 1, "1000.0", 42, "5.25", "400.0", "0"]


@pytest.fixture
def binance(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Service]:
    monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(feed_bars.time, "time", lambda: NOW / 1000)
    with serving(Service(Exchange(), NOW)) as service:
        monkeypatch.setenv("PINEBENCH_BINANCE_URL", service.url)
        monkeypatch.setenv("PINEBENCH_BINANCE_FUTURES_URL", service.url)
        yield service


def fetch(name: str, count: int, pauses: list[float] | None = None) -> FeedBars:
    return feed_bars.fetch(name, count, Transport([].append if pauses is None else pauses.append))


def klines(service: Service) -> list[dict[str, str]]:
    return [asked for path, asked in service.asked if path == "/api/v3/klines"]


def test_closed_bars_come_page_by_page_and_the_forming_one_apart(binance: Service) -> None:
    found = fetch("binance:btcusdt:1h", 1500)
    assert len(found.bars) == 1500 and len(klines(binance)) == 2
    newest = NOW - HOUR // 2 - HOUR
    assert found.bars.time == list(range(newest - 1499 * HOUR, newest + 1, HOUR))
    assert found.bars.close[-1] == pytest.approx(price(newest) + 1) and found.bars.volume[-1] == 12.5
    assert found.forming is not None and found.forming.time == newest + HOUR
    assert (found.gaps, found.cached) == (None, 0)
    symbol = found.symbol
    assert (symbol.prefix, symbol.symbol, symbol.timeframe, symbol.currency) == ("BINANCE", "BTCUSDT", "60", "USDT")
    assert (symbol.mintick, symbol.mincontract, symbol.basecurrency) == (0.01, 0.00001, "BTC")


def test_short_pages_are_followed_to_the_end(binance: Service) -> None:
    binance.rows.most = 37
    found = fetch("binance:BTCUSDT:60", 200)
    assert len(found.bars) == 200 and found.gaps is None


def test_a_young_market_gives_what_there_is(binance: Service) -> None:
    found = fetch("binance:BTCUSDT:1h", 5000)
    assert (len(found.bars), found.bars.time[0]) == (3000, LISTED)
    words = "binance:BTCUSDT:1h: 5000 bars were requested, and the service has 3000"
    assert found.gaps == words


def test_only_what_is_new_is_fetched_again(binance: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    before = fetch("binance:BTCUSDT:1h", 1500)
    binance.asked.clear()
    again = fetch("binance:BTCUSDT:1h", 1500)
    assert again.bars == before.bars and again.cached and "from the cache" in again.freshness
    assert len(klines(binance)) == 1 and int(klines(binance)[0]["startTime"]) == before.bars.time[-1]
    fewer = fetch("binance:BTCUSDT:1h", 10)
    assert fewer.bars.time == before.bars.time[-10:] and fewer.cached
    more = fetch("binance:BTCUSDT:1h", 2500)
    assert len(more.bars) == 2500 and not more.cached
    assert fetch("binance:BTCUSDT:1h", 2400).bars.time == more.bars.time[-2400:]


def test_a_changed_history_replaces_the_cache(binance: Service) -> None:
    fetch("binance:BTCUSDT:1h", 300)
    binance.rows.factor = 0.5
    found = fetch("binance:BTCUSDT:1h", 300)
    assert not found.cached
    assert max(found.bars.high) < 60, "halves and wholes are never mixed"


def test_longer_bars_are_made_of_shorter_ones(binance: Service) -> None:
    found = fetch("binance:BTCUSDT:3h", 50)
    assert len(found.bars) == 50 and {time % (3 * HOUR) for time in found.bars.time} == {0}
    assert found.bars.volume[0] == 37.5 and found.symbol.timeframe == "180"
    assert found.forming is not None and found.forming.time == found.bars.time[-1] + 3 * HOUR


def test_missing_bars_are_told(binance: Service) -> None:
    binance.rows.silent = {NOW - HOUR // 2 - hours * HOUR for hours in (5, 6, 40)}
    found = fetch("binance:BTCUSDT:1h", 100)
    assert found.gaps is not None and "3 bars are missing in 2 places" in found.gaps


def test_series_are_bars_of_their_values(binance: Service) -> None:
    funding = fetch("binance:BTCUSDT.funding:8h", 90)
    assert set(funding.bars.close) == {0.0001} and {time % (8 * HOUR) for time in funding.bars.time} == {0}
    assert len(funding.bars) == 90
    shares = fetch("binance:BTCUSDT.long_accounts:1h", 600)
    assert len(shares.bars) == 600 and set(shares.bars.open) == {0.6}
    assert len(fetch("binance:BTCUSDT.long_accounts:1h", 5000).bars) == 28 * 24, "Binance keeps them for a month"
    taker = fetch("binance:BTCUSDT.taker_buy:1h", 20)
    assert set(taker.bars.close) == {5.25} and taker.symbol.currency == "USDT"
    longer = fetch("binance:BTCUSDT.taker_buy:3h", 5).bars
    assert set(longer.open) == set(longer.close) == set(longer.volume) == {3 * 5.25}, "the volumes add up"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("binance:NOPE:1h", "no market 'NOPE'"),
        ("binance:BTCUSDT:7q", "'7q' is not a timeframe"),
        ("binance:BTCUSDT:45s", "not a timeframe"),
        ("binance:BTCUSDT:2mo", "no bars of 2 months"),
        ("binance:BTC/USDT:1h", "not a symbol of Binance"),
        ("binance:BTCUSDT.moon:1h", "no series 'moon'"),
        ("binance:BTCUSDT", "does not name bars of a feed"),
        ("binance::1h", "does not name bars of a feed"),
    ],
)
def test_names_that_are_wrong_are_refused(binance: Service, name: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        fetch(name, 100)
    assert said in raised.value.message and raised.value.hint


def test_a_busy_service_is_asked_again_with_growing_pauses(binance: Service) -> None:
    pauses: list[float] = []
    binance.faults = [503, 429, 500]
    assert len(fetch("binance:BTCUSDT:1h", 100, pauses).bars) == 100
    assert pauses == [0.5, 1.0, 2.0]
    binance.faults, binance.retry_after = [429], "7"
    fetch("binance:BTCUSDT:1h", 100, pauses)
    assert pauses[3:] == [7.0]


@pytest.mark.parametrize(
    ("faults", "said"),
    [
        ([503] * TRIES, "HTTP 503"),
        ([b"<html>Sign in</html>"], "not JSON"),
        ([b'{"symbols": []}'], "the symbol has no description"),
        ([b'[[1, "2'] * TRIES, "not JSON"),
        ([b'{"symbols": [{"baseCUT'] * TRIES, "cannot be reached"),
    ],
)
def test_a_broken_service_is_an_error(binance: Service, faults: list[int | bytes], said: str) -> None:
    binance.faults = faults
    with pytest.raises(UnavailableError, match=said):
        fetch("binance:BTCUSDT:1h", 100)


def test_a_long_pause_is_told_and_not_waited(binance: Service) -> None:
    pauses: list[float] = []
    binance.faults, binance.retry_after = [418], "7200"
    with pytest.raises(UnavailableError) as raised:
        fetch("binance:BTCUSDT:1h", 100, pauses)
    assert raised.value.hint == "try again in 7200 seconds" and pauses == []


def _spoiled(spoil: Any) -> Any:
    exchange = Exchange()

    def rows(path: str, asked: dict[str, str]) -> Any:
        content = exchange(path, asked)
        return (
            spoil(content) if path == "/api/v3/klines" and int(asked["startTime"]) > LISTED + 1200 * HOUR else content
        )

    return rows


@pytest.mark.parametrize(
    "spoil",
    [
        lambda rows: rows[:5] + rows[3:],
        lambda rows: rows[::-1],
        lambda rows: [[row[0], None, *row[2:]] for row in rows],
        lambda rows: [[row[0], "1e400", *row[2:]] for row in rows],
        lambda rows: [[str(row[0]) + ".5", *row[1:]] for row in rows],
        lambda rows: [row[:5] for row in rows],
        lambda rows: [[*row[:2], row[3], row[2], *row[4:]] for row in rows],
        lambda rows: [[row[0] + 5 * DAY * 365, *row[1:6], row[6] + 5 * DAY * 365, *row[7:]] for row in rows],
        lambda rows: [{"t": row[0]} for row in rows],
        lambda rows: {"rows": rows},
        lambda _rows: None,
        lambda rows: [[row[0], True, *row[2:]] for row in rows],
        lambda rows: [[*row[:6], row[0] - 1, *row[7:]] for row in rows],
    ],
)
def test_a_page_that_is_not_bars_spoils_everything(binance: Service, spoil: Any, tmp_path: Path) -> None:
    binance.rows = _spoiled(spoil)
    with pytest.raises(PinebenchError):
        fetch("binance:BTCUSDT:1h", 2500)
    binance.rows = Exchange()
    assert not fetch("binance:BTCUSDT:1h", 2500).cached, "nothing of a broken answer was kept"


def test_the_clock_of_this_machine_decides_nothing(binance: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_bars.time, "time", lambda: NOW / 1000 + 200 * 3600)
    found = fetch("binance:BTCUSDT:1h", 50)
    assert len(found.bars) == 50
    assert found.forming is not None and found.bars.time[-1] == found.forming.time - HOUR
    assert found.freshness.startswith("read at 2026-01-01 00:30:00 UTC")


def test_a_repeating_service_cannot_hold_us(binance: Service) -> None:
    exchange = Exchange()
    old = [exchange.row(LISTED + k * HOUR) for k in range(1000)]
    binance.rows = lambda path, asked: old if path == "/api/v3/klines" else exchange(path, asked)
    with pytest.raises(UsageError, match="no bars for the requested period"):
        fetch("binance:BTCUSDT:1h", 100)


def test_a_cache_that_cannot_be_written_is_done_without(binance: Service, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = CandleStore(str(tmp_path / "file" / "cache"))
    found = feed_bars.fetch("binance:BTCUSDT:1h", 100, Transport(), store)
    assert len(found.bars) == 100


def test_kept_bars_never_have_a_hole_between_two_fetches(tmp_path: Path) -> None:
    def candles(first: int, last: int) -> list[Candle]:
        return [Candle(at * HOUR, (at + 1) * HOUR, 1.0, 2.0, 0.5, 1.5, 9.0) for at in range(first, last)]

    key, store = CacheKey("binance", "BTCUSDT", "60"), CandleStore(str(tmp_path))
    store.write(key, 0, candles(0, 10))
    store.write(key, 10 * HOUR, candles(10, 12))  # joined to the end
    store.write(key, 11 * HOUR, candles(11, 14))  # over the end
    assert store.read(key, 0) == candles(0, 14)
    store.write(key, 20 * HOUR, candles(20, 23))  # a few bars, much later: nobody knows those in between
    assert store.read(key, 0) == []
    assert store.read(key, 20 * HOUR) == candles(20, 23)
    store.write(key, 5 * HOUR, candles(5, 24))
    assert store.read(key, 5 * HOUR) == candles(5, 24)
