"""The answers of Binance and alternative.me for tests: bars, and series whose values tell their time."""

from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from tests.market.feeds.server import DAY, HOUR

NOW = 1_767_225_600_000 + HOUR // 2
"""Half an hour after midnight UTC."""
LISTED = NOW - HOUR // 2 - 800 * DAY


def told(time: int) -> float:
    """The value that every series has at `time`: its hours since `LISTED`, as a small fraction."""
    return (time - LISTED) / HOUR / 1e5


def price(time: int) -> float:
    return 100 + (time // HOUR) % 97 / 10


class Coins:
    """The pair BTCUSDT. Requests whose path is in `broken` get its content instead, such as garbage or a status."""

    def __init__(self) -> None:
        self.broken: dict[str, Any] = {}
        self.silent: set[int] = set()
        """The times of bars that are left out."""
        self.kept = 29 * DAY
        """How long before now statistics of futures may be asked for."""

    def __call__(self, path: str, asked: dict[str, str]) -> Any:
        if path in self.broken:
            return self.broken[path]
        if path == "/fng/":
            days = range(NOW // DAY, NOW // DAY - 300, -1)
            return {"data": [{"value": str(day % 101), "timestamp": str(day * DAY // 1000)} for day in days]}
        if asked.get("symbol") != "BTCUSDT":
            return 400, {"code": -1121, "msg": "Invalid symbol."}
        if path == "/api/v3/exchangeInfo":
            return {"symbols": [{"baseAsset": "BTC", "quoteAsset": "USDT", "filters": []}]}
        since = int(asked["startTime"])
        if path == "/api/v3/klines" and asked["interval"] == "1M":
            months = [datetime(2023 + k // 12, k % 12 + 1, 1, tzinfo=UTC) for k in range(48)]
            times = [int(month.timestamp() * 1000) for month in months]
            spans = [(time, end - time) for time, end in pairwise(times) if max(since, LISTED) <= time <= NOW]
            return [self.row(*span) for span in spans]
        if path == "/api/v3/klines":
            step = {"1h": HOUR, "4h": 4 * HOUR, "1d": DAY, "5m": HOUR // 12, "1w": 7 * DAY}[asked["interval"]]
            monday = 4 * DAY if step == 7 * DAY else 0
            times = range(-(-(max(since, LISTED) - monday) // step) * step + monday, NOW, step)
            return [self.row(time, step) for time in times if time not in self.silent][: int(asked["limit"])]
        if path == "/fapi/v1/fundingRate":
            times = range(-(-max(since, LISTED) // (8 * HOUR)) * 8 * HOUR, NOW, 8 * HOUR)
            return [{"fundingTime": t + 7, "fundingRate": f"{told(t):.8f}"} for t in times][:1000]
        if since < NOW - self.kept:
            return 400, {"code": -1130, "msg": "parameter 'startTime' is invalid."}
        step = {"5m": HOUR // 12, "1h": HOUR, "4h": 4 * HOUR, "1d": DAY}[asked["period"]]
        times = range(-(-since // step) * step, min(NOW, int(asked["endTime"]) + 1), step)
        rows = [
            {
                "timestamp": t,
                "sumOpenInterestValue": f"{1e7 * told(t):.8f}",
                "longAccount": f"{told(t):.8f}",
                "shortAccount": f"{1 - told(t):.8f}",
            }
            for t in times
        ]
        return rows[: int(asked["limit"])]

    def row(self, time: int, step: int) -> list[Any]:
        open_, high, low, close = (f"{price(time) + more:.8f}" for more in (0, 2, -2, 1))
        return [time, open_, high, low, close, "12.5", time + step - 1, "1000.0", 42, f"{time // step % 11}", "4", "0"]
