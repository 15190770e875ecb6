"""The fear and greed index of alternative.me: one value from 0 to 100 for each day."""

from __future__ import annotations

import math
import os
from typing import Any

from pinebench.calendars.timeframes import Timeframe, timeframe
from pinebench.errors import UsageError
from pinebench.market.bars import SymbolInfo
from pinebench.market.feeds.candles import Candle, CandleAnswer, MalformedAnswer, in_order, number, stamp
from pinebench.market.feeds.transport import Transport

ADDRESS = "https://api.alternative.me"
SYMBOL = "INDEX"
_DAY = 86_400_000


class FearGreed:
    """The fear and greed index as bars whose four prices equal its value. The only symbol is `INDEX`."""

    name = "feargreed"
    around_the_clock = True

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._address = os.environ.get("PINEBENCH_FEARGREED_URL") or ADDRESS

    def native(self, symbol: str, step: Timeframe) -> Timeframe:
        """Return the daily timeframe. Raises UsageError for another symbol, or a timeframe that is not made of days."""
        if symbol.upper() != SYMBOL:
            raise UsageError(f"feargreed: there is no series '{symbol}'", f"expected feargreed:{SYMBOL}:1d")
        if step.is_intraday:
            raise UsageError("feargreed: the index has daily bars only", f"expected feargreed:{SYMBOL}:1d")
        return timeframe("1D")

    def info(self, symbol: str, step: Timeframe) -> SymbolInfo:  # noqa: ARG002
        """Return the properties of the index."""
        return SymbolInfo(symbol=SYMBOL, prefix="FEARGREED", type="economic", mintick=1.0, timeframe=step.text)

    def reach(self, symbol: str, step: Timeframe) -> int | None:  # noqa: ARG002
        """Return None: the service offers all values."""
        return None

    def candles(self, symbol: str, step: Timeframe, since: int) -> CandleAnswer:  # noqa: ARG002
        """Fetch the values from `since` (milliseconds UTC) on."""
        where = "feargreed"
        reply = self._transport.get(where, f"{self._address}/fng/", {"limit": 0, "format": "json"})
        rows = reply.content.get("data") if isinstance(reply.content, dict) else None
        if not isinstance(rows, list):
            raise MalformedAnswer(where, "the answer contains no data")
        found = sorted(_value(row, where) for row in rows)
        in_order(where, found, reply.now)
        return CandleAnswer([each for each in found if each.time >= since], reply.now)


def _value(row: Any, where: str) -> Candle:
    if not isinstance(row, dict):
        raise MalformedAnswer(where, "a row is not an object")
    time, value = stamp(row.get("timestamp"), where) * 1000, number(row.get("value"), where, "a value")
    return Candle(time, time + _DAY, value, value, value, value, math.nan)
