"""Bars of Yahoo Finance in the sessions of their exchanges, its rows without prices, and its row of the moment."""

import math
import struct
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pinebench.errors import PinebenchError, UnavailableError, UsageError
from pinebench.market.feeds import feed_bars
from pinebench.market.feeds.feed_bars import FeedBars
from pinebench.market.feeds.transport import Transport
from tests.market.feeds.server import Service, serving

NEW_YORK = ZoneInfo("America/New_York")
NOW = datetime(2026, 3, 11, 11, 50, tzinfo=NEW_YORK)
"""A Wednesday, two days after the clocks went forward in New York."""


def single(value: float) -> float:
    """The 32-bit float next to a price, as Yahoo sends prices."""
    return struct.unpack("f", struct.pack("f", value))[0]


class Market:
    """Yahoo with one share. `edit` changes the result before it is sent."""

    def __init__(self) -> None:
        self.edit: Any = lambda result: result
        self.factor = 1.0

    def __call__(self, path: str, asked: dict[str, str]) -> Any:
        if not path.endswith("/AAPL"):
            error = {"code": "Not Found", "description": "No data found, symbol may be delisted"}
            return 404, {"chart": {"result": None, "error": error}}
        since = int(asked.get("period1", NOW.timestamp() - 86_400))
        step = asked["interval"]
        steps = {"60m": self.hours, "1d": self.days, "1wk": self.weeks, "1mo": self.months}
        times = [t for t in steps.get(step, self.hours)(since) if t >= since]
        if step not in steps:
            description = f"Data for {step} is not here"
            return 422, {"chart": {"result": None, "error": {"code": "Bad", "description": description}}}
        prices = [self.factor * (189.95 + time // 3600 % 7) for time in times]
        quote: dict[str, Any] = {
            "open": [single(price) for price in prices],
            "high": [single(price + 1.05) for price in prices],
            "low": [single(price - 0.95) for price in prices],
            "close": [single(price + 0.5) for price in prices],
            "volume": [1000 + time // 3600 % 100 for time in times],
        }
        opened = NOW.replace(hour=9, minute=30)
        meta = {
            "currency": "USD",
            "exchangeName": "NMS",
            "instrumentType": "EQUITY",
            "exchangeTimezoneName": "America/New_York",
            "priceHint": 2,
            "shortName": "Apple Inc.",
            "currentTradingPeriod": {
                "regular": {"start": int(opened.timestamp()), "end": int(opened.replace(hour=16, minute=0).timestamp())}
            },
        }
        result = {"meta": meta, "timestamp": times, "indicators": {"quote": [quote]}}
        return {"chart": {"result": [self.edit(result)], "error": None}}

    def openings(self, since: int) -> list[datetime]:
        first = datetime.fromtimestamp(since, NEW_YORK).replace(hour=9, minute=30, second=0)
        days = [first + timedelta(days=k) for k in range((NOW - first).days + 2)]
        return [day for day in days if day.weekday() < 5 and day < NOW]

    def hours(self, since: int) -> list[int]:
        times = [int(day.timestamp()) + 3600 * k for day in self.openings(since) for k in range(7)]
        return [*(time for time in times if time < NOW.timestamp()), int(NOW.timestamp())]

    def weeks(self, since: int) -> list[int]:
        """Mondays at midnight in New York, and the row of the moment."""
        days = [NOW.replace(hour=0, minute=0) - timedelta(days=NOW.weekday() + 7 * k) for k in range(1500)]
        return [*(int(day.timestamp()) for day in days[:0:-1] if day.timestamp() >= since), int(NOW.timestamp())]

    def months(self, since: int) -> list[int]:
        """The first days of months at midnight in New York, and the row of the moment."""
        first = [datetime(2000 + k // 12, k % 12 + 1, 1, tzinfo=NEW_YORK) for k in range(26 * 12 + 2)]
        return [*(int(day.timestamp()) for day in first if day.timestamp() >= since), int(NOW.timestamp())]

    def days(self, since: int) -> list[int]:
        return [*(int(day.timestamp()) for day in self.openings(since)[:-1]), int(NOW.timestamp())]


@pytest.fixture
def yahoo(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Service]:
    monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(tmp_path))
    now = int(NOW.timestamp() * 1000)
    monkeypatch.setattr(feed_bars.time, "time", lambda: now / 1000)
    with serving(Service(Market(), now)) as service:
        monkeypatch.setenv("PINEBENCH_YAHOO_URL", service.url)
        yield service


def fetch(name: str, count: int) -> FeedBars:
    return feed_bars.fetch(name, count, Transport([].append))


def local(time: int) -> str:
    return datetime.fromtimestamp(time / 1000, NEW_YORK).strftime("%m-%d %H:%M")


def test_four_hours_begin_with_the_session(yahoo: Service) -> None:
    found = fetch("yahoo:aapl:4h", 5)
    begun = [local(time) for time in found.bars.time]
    assert begun == ["03-06 13:30", "03-09 09:30", "03-09 13:30", "03-10 09:30", "03-10 13:30"]
    assert found.forming is not None and local(found.forming.time) == "03-11 09:30"
    symbol = found.symbol
    assert (symbol.symbol, symbol.type, symbol.currency, symbol.timeframe) == ("AAPL", "stock", "USD", "240")
    assert (symbol.timezone, symbol.session) == ("America/New_York", "0930-1600:23456")
    assert found.gaps is None, "a night is not a gap"


def test_prices_are_the_decimals_that_were_meant(yahoo: Service) -> None:
    found = fetch("yahoo:AAPL:1d", 20)
    assert all(round(price, 2) == price for price in (*found.bars.open, *found.bars.close, *found.bars.high))


def test_the_row_of_the_moment_is_the_forming_bar(yahoo: Service) -> None:
    found = fetch("yahoo:AAPL:1d", 30)
    assert len(found.bars) == 30 and local(found.bars.time[-1]) == "03-10 09:30"
    assert found.forming is not None and local(found.forming.time) == "03-11 09:30"
    hours = fetch("yahoo:AAPL:1h", 30)
    assert local(hours.bars.time[-1]) == "03-11 10:30"
    assert hours.forming is not None and local(hours.forming.time) == "03-11 11:30"


@pytest.mark.parametrize(
    ("step", "last", "forming"), [("1wk", "03-02 09:30", "03-09 09:30"), ("1mo", "02-01 09:30", "03-01 09:30")]
)
def test_weeks_and_months(yahoo: Service, step: str, last: str, forming: str) -> None:
    found = fetch(f"yahoo:AAPL:{step}", 12)
    assert len(found.bars) == 12 and local(found.bars.time[-1]) == last
    assert found.forming is not None and local(found.forming.time) == forming
    assert found.symbol.timeframe == {"1wk": "1W", "1mo": "1M"}[step]
    assert fetch(f"yahoo:AAPL:{step}", 12).bars == found.bars


def test_a_day_that_has_ended_is_closed(yahoo: Service) -> None:
    yahoo.now = int(NOW.replace(hour=16, minute=1).timestamp() * 1000)
    found = fetch("yahoo:AAPL:1d", 30)
    assert local(found.bars.time[-1]) == "03-11 09:30" and found.forming is None


def test_rows_without_prices_are_left_out(yahoo: Service) -> None:
    def edit(result: dict[str, Any]) -> dict[str, Any]:
        quote = result["indicators"]["quote"][0]
        if len(result["timestamp"]) < 9:
            return result  # the description alone was asked for
        for name in ("open", "high", "low", "close"):
            quote[name][-4] = None
        quote["volume"][-5] = None
        return result

    yahoo.rows.edit = edit
    found = fetch("yahoo:AAPL:1h", 5)
    assert "03-11 09:30" not in map(local, found.bars.time), "the pause"
    assert not any(map(math.isnan, found.bars.close))
    assert len([volume for volume in found.bars.volume if math.isnan(volume)]) == 1, "a volume that is not known"


def test_a_split_replaces_the_cache(yahoo: Service) -> None:
    fetch("yahoo:AAPL:1d", 50)
    yahoo.rows.factor = 0.1
    found = fetch("yahoo:AAPL:1d", 50)
    assert not found.cached and max(found.bars.high) < 30


@pytest.mark.parametrize(
    "edit",
    [
        lambda result: {},
        lambda result: {**result, "meta": {}},
        lambda result: {**result, "meta": {**result["meta"], "exchangeTimezoneName": "Mars/Olympus"}},
        lambda result: {**result, "indicators": {}},
        lambda result: {**result, "timestamp": result["timestamp"][:-2]},
        lambda result: {**result, "timestamp": result["timestamp"][::-1]},
        lambda result: {**result, "timestamp": [t + 0.5 for t in result["timestamp"]]},
        lambda result: {**result, "timestamp": [t + 10**9 for t in result["timestamp"]]},
        lambda result: {**result, "indicators": {"quote": [{"open": "1"}]}},
        lambda result: {
            **result,
            "indicators": {"quote": [{**result["indicators"]["quote"][0], "high": [1.0] * len(result["timestamp"])}]},
        },
    ],
)
def test_garbage_is_an_error(yahoo: Service, edit: Any) -> None:
    yahoo.rows.edit = edit
    with pytest.raises(PinebenchError):
        fetch("yahoo:AAPL:1h", 100)


def test_refusals_are_told(yahoo: Service) -> None:
    with pytest.raises(UsageError, match="Yahoo has no symbol 'NOPE'"):
        fetch("yahoo:NOPE:1d", 10)
    with pytest.raises(UsageError, match="Data for 5m is not here"):
        fetch("yahoo:AAPL:5m", 10)
    with pytest.raises(UsageError, match="not a symbol of Yahoo"):
        fetch("yahoo:A/B:1d", 10)
    with pytest.raises(UsageError, match="no bars of 30 seconds"):
        fetch("yahoo:AAPL:30S", 10)
    yahoo.faults = [b'{"chart": {"resCUT'] * 5
    with pytest.raises(UnavailableError):
        fetch("yahoo:AAPL:1d", 10)


def test_hours_that_yahoo_no_longer_has_are_not_asked_for(yahoo: Service) -> None:
    found = fetch("yahoo:AAPL:1h", 100_000)
    begin = min(int(asked["period1"]) for _, asked in yahoo.asked if "period1" in asked)
    assert begin >= NOW.timestamp() - 730 * 86_400
    assert len(found.bars) < 100_000


def test_what_yahoo_does_not_say_of_a_contract_is_assumed(yahoo: Service) -> None:
    assert fetch("yahoo:AAPL:1d", 5).symbol.assumed == ("pointvalue", "mincontract")
