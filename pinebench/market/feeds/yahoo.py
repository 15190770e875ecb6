"""Fetches bars of shares, funds, indices, currencies and futures from Yahoo Finance, in their exchanges' sessions."""

from __future__ import annotations

import math
import os
import re
import struct
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from urllib.parse import quote

from pinebench.calendars.timeframes import Timeframe, timeframe
from pinebench.calendars.zones import zone
from pinebench.errors import UsageError
from pinebench.market.bars import SymbolInfo
from pinebench.market.feeds.candles import Candle, CandleAnswer, MalformedAnswer, candle, in_order, number, stamp, words
from pinebench.market.feeds.steps import longest_ms
from pinebench.market.feeds.transport import FeedRefusal, Transport

ADDRESS = "https://query1.finance.yahoo.com"
_STEPS = {"1": "1m", "2": "2m", "5": "5m", "15": "15m", "30": "30m", "60": "60m", "1D": "1d", "1W": "1wk", "1M": "1mo"}
"""The names of Yahoo's timeframes by Pine's."""
_REACH = {"1": 7, "2": 59, "5": 59, "15": 59, "30": 59, "60": 729}
"""The number of days that Yahoo looks back, by timeframe; for days and longer it has the whole history."""
_TYPES = {
    "EQUITY": "stock",
    "ETF": "fund",
    "MUTUALFUND": "fund",
    "INDEX": "index",
    "CURRENCY": "forex",
    "CRYPTOCURRENCY": "crypto",
    "FUTURE": "futures",
}
_SYMBOL = re.compile(r"[A-Z0-9.^=\-]{1,30}", re.ASCII)


class _Meta(NamedTuple):
    """The metadata of a symbol: its time zone, and the minutes from midnight at which its session begins and ends.

    A session that ends the next day, or that lasts a whole day, has `end` <= `begin`.
    """

    told: dict[str, Any]
    zone: str
    begin: int
    end: int

    def session(self, kind: str) -> str:
        """Return the session in Pine's form. `kind` is Yahoo's type of the symbol."""
        if kind == "crypto":
            return "24x7"
        return f"{_clock(self.begin)}-{_clock(self.end)}:23456"


class Yahoo:
    """The feed of Yahoo Finance's chart data."""

    name = "yahoo"
    around_the_clock = False

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._address = os.environ.get("PINEBENCH_YAHOO_URL") or ADDRESS

    def native(self, symbol: str, step: Timeframe) -> Timeframe:
        """Return the longest timeframe of Yahoo that divides `step`. Raises UsageError if there is none."""
        for each in sorted(map(timeframe, _STEPS), key=lambda one: -one.seconds):
            if each == step or (each.unit in ("", step.unit) and _divides(each, step)):
                return each
        raise UsageError(
            f"yahoo {symbol}: there are no bars of {step.in_words()}", f"it has {', '.join(_STEPS.values())}"
        )

    def reach(self, symbol: str, step: Timeframe) -> int | None:  # noqa: ARG002
        """Return how many days of history Yahoo offers in one of its own timeframes; None for no limit."""
        return _REACH.get(step.text)

    def info(self, symbol: str, step: Timeframe) -> SymbolInfo:
        """Return the properties of a symbol, from the metadata that Yahoo sends with its bars."""
        asked: dict[str, object] = {"interval": "1d", "range": "1d"}
        _, meta, _ = self._chart(f"yahoo {symbol}", symbol, asked)
        kind = _TYPES.get(str(meta.told.get("instrumentType")), "stock")
        hint = meta.told.get("priceHint")
        decimals = hint if isinstance(hint, int) and not isinstance(hint, bool) and 0 <= hint <= 8 else 2
        return SymbolInfo(
            symbol=symbol.upper(),
            prefix=words(meta.told.get("exchangeName"), "YAHOO").upper(),
            description=words(meta.told.get("shortName")) or words(meta.told.get("longName")),
            type=kind,
            currency=words(meta.told.get("currency")),
            mintick=float(f"1e-{decimals}"),
            timezone=meta.zone,
            session=meta.session(kind),
            timeframe=step.text,
            assumed=("pointvalue", "mincontract"),
        )

    def candles(self, symbol: str, step: Timeframe, since: int) -> CandleAnswer:
        """Fetch the bars from `since` (ms UTC) on. Rows without prices (trading pauses) are skipped."""
        where = f"yahoo {symbol} {step.text}"
        asked: dict[str, object] = {
            "interval": _STEPS[step.text],
            "period1": max(since // 1000, 0),
            "period2": 9_999_999_999,
            "includePrePost": "false",
        }
        result, meta, now = self._chart(where, symbol, asked)
        found = _candles(where, result, meta, step)
        in_order(where, found, now)
        return CandleAnswer([each for each in found if each.time >= since], now)

    def _chart(self, where: str, symbol: str, asked: dict[str, object]) -> tuple[dict[str, Any], _Meta, int]:
        if not _SYMBOL.fullmatch(symbol.upper()):
            raise UsageError(
                f"yahoo: '{symbol}' is not a symbol of Yahoo", "expected a symbol such as AAPL, ^GSPC or EURUSD=X"
            )
        url = f"{self._address}/v8/finance/chart/{quote(symbol.upper(), safe='')}"
        try:
            reply = self._transport.get(where, url, asked)
        except FeedRefusal as error:
            if error.status != 404:
                raise
            raise UsageError(
                f"{where}: Yahoo has no symbol '{symbol}'", "expected a symbol such as AAPL or ^GSPC"
            ) from None
        chart = reply.content.get("chart") if isinstance(reply.content, dict) else None
        results = chart.get("result") if isinstance(chart, dict) else None
        if not isinstance(results, list) or not results or not isinstance(results[0], dict):
            raise MalformedAnswer(where, "the answer contains no chart")
        return results[0], _meta(where, results[0]), reply.now


def _divides(part: Timeframe, whole: Timeframe) -> bool:
    return whole.is_intraday == part.is_intraday and whole.seconds > 0 and whole.seconds % part.seconds == 0


def _meta(where: str, result: dict[str, Any]) -> _Meta:
    told = result.get("meta")
    if not isinstance(told, dict):
        raise MalformedAnswer(where, "the symbol has no description")
    name = str(told.get("exchangeTimezoneName") or "UTC")
    try:
        place = zone(name)
        regular = told["currentTradingPeriod"]["regular"]
        begin, end = (datetime.fromtimestamp(stamp(regular[key], where), place) for key in ("start", "end"))
    except (UsageError, KeyError, TypeError, ValueError, OverflowError):
        raise MalformedAnswer(where, "the symbol has no time zone or no session") from None
    # Yahoo ends a session of a whole day at 23:59.
    return _Meta(told, name, _minutes(begin), _minutes(end + timedelta(minutes=end.minute == 59)))


def _minutes(moment: datetime) -> int:
    return moment.hour * 60 + moment.minute


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}{minutes % 60:02}"


def _candles(where: str, result: dict[str, Any], meta: _Meta, step: Timeframe) -> list[Candle]:
    times = result.get("timestamp") or []
    quotes = (result.get("indicators") or {}).get("quote") if isinstance(result.get("indicators"), dict) else None
    if not times:
        return []
    if not isinstance(times, list) or not isinstance(quotes, list) or not quotes or not isinstance(quotes[0], dict):
        raise MalformedAnswer(where, "the answer has no price columns")
    columns = [quotes[0].get(name) for name in ("open", "high", "low", "close", "volume")]
    if not all(isinstance(column, list) and len(column) == len(times) for column in columns):
        raise MalformedAnswer(where, "the columns have different lengths")
    found: list[Candle] = []
    for moment, *cells in zip(times, *columns, strict=True):
        prices, volume = cells[:4], cells[4]
        if any(price is None for price in prices):
            continue
        seconds = stamp(moment, where)
        try:
            time, end = _span(seconds * 1000, meta, step)
        except (OverflowError, ValueError):  # a week or a month at the end of the year 9999
            raise MalformedAnswer(where, f"a time is too far in the future: {seconds}") from None
        numbers = [_as_written(number(price, where, "a price")) for price in prices]
        made = candle(where, time, end, _enclosing(numbers), volume)
        if found and found[-1].time == time:
            found.pop()  # Yahoo adds the current price as a row of its own to the row of the day
        found.append(made)
    return found


def _enclosing(prices: list[float]) -> list[float]:
    """Return a bar's prices, with high and low moved outward if Yahoo's rounding left them inside."""
    open_, high, low, close = prices
    slip = 1e-6 * max(abs(high), abs(low))
    top, bottom = max(open_, close), min(open_, close)
    return [open_, top if 0 < top - high <= slip else high, bottom if 0 < low - bottom <= slip else low, close]


def _as_written(price: float) -> float:
    """Return the shortest decimal number with the same 32-bit float, because Yahoo stores prices as such floats."""
    try:
        single = struct.pack("f", price)
    except OverflowError:
        return price
    if struct.unpack("f", single)[0] != price:
        return price
    return next(value for value in (float(f"{price:.{n}g}") for n in range(1, 10)) if struct.pack("f", value) == single)


def _span(moment: int, meta: _Meta, step: Timeframe) -> tuple[int, int]:
    """Return the opening and the closing time (milliseconds UTC) of the bar that Yahoo's time `moment` belongs to."""
    place = zone(meta.zone)
    local = datetime.fromtimestamp(moment / 1000, place)
    opening = local.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(minutes=meta.begin)
    if meta.end <= meta.begin and local < opening:
        opening -= timedelta(days=1)  # the session began the evening before
    if step.unit == "D":
        lasting = meta.end - meta.begin if meta.end > meta.begin else 24 * 60
        return _ms(opening), _ms(opening + timedelta(minutes=lasting))
    if not step.is_intraday:
        return _long_span(opening, step)
    length = longest_ms(step)
    past = (moment - _ms(opening)) % length
    return moment - past, moment - past + length


def _long_span(opening: datetime, step: Timeframe) -> tuple[int, int]:
    """Return the opening and closing time (ms UTC) of the week (from Monday) or month that `opening` is in."""
    if step.unit == "W":
        first = opening - timedelta(days=opening.weekday())
        return _ms(first), _ms(first + timedelta(days=7))
    first = opening.replace(day=1)
    following = (first + timedelta(days=32)).replace(day=1)
    return _ms(first), _ms(following)


def _ms(moment: datetime) -> int:
    value = moment.astimezone(UTC).timestamp() * 1000
    return int(value) if math.isfinite(value) else 0
