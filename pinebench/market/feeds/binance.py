"""Fetches bars of Binance's spot markets, and futures series: funding rate, open interest, long and short accounts."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from pinebench.calendars.timeframes import Timeframe, timeframe
from pinebench.errors import UsageError
from pinebench.market.aggregation import TAKER
from pinebench.market.bars import SymbolInfo
from pinebench.market.feeds.candles import (
    Candle,
    CandleAnswer,
    MalformedAnswer,
    candle,
    in_order,
    number,
    paged,
    stamp,
    words,
)
from pinebench.market.feeds.steps import longest_ms
from pinebench.market.feeds.transport import FeedRefusal, Transport

SPOT = "https://api.binance.com"
FUTURES = "https://fapi.binance.com"
_STEPS = {
    **{str(minutes): f"{minutes}m" for minutes in (1, 3, 5, 15, 30)},
    **{str(60 * hours): f"{hours}h" for hours in (1, 2, 4, 6, 8, 12)},
    "1D": "1d",
    "3D": "3d",
    "1W": "1w",
    "1M": "1M",
}
"""The names of Binance's timeframes by Pine's."""
_PERIODS = {
    **{str(minutes): f"{minutes}m" for minutes in (5, 15, 30)},
    **{str(60 * hours): f"{hours}h" for hours in (1, 2, 4, 6, 12)},
    "1D": "1d",
}
"""The names of Binance's timeframes for the statistics of futures, by Pine's."""
_KEPT_DAYS = 28
"""The days of statistics to request: Binance keeps a month for futures, and an earlier beginning is an error."""
_SYMBOL = re.compile(r"[A-Z0-9_]{2,40}", re.ASCII)


def binance_interval(step: Timeframe) -> str:
    """Return Binance's name for a timeframe, such as `4h` or `1M`. Raises UsageError if Binance has no such bars."""
    if step.text not in _STEPS:
        raise UsageError(f"binance: there are no bars of {step.in_words()}", f"it has {', '.join(_STEPS.values())}")
    return _STEPS[step.text]


class _Statistic(NamedTuple):
    """A series of the futures: its URL path, the most rows of an answer, the key of its times, and a row's reader."""

    path: str
    most: int
    time: str
    value: Callable[[dict[str, Any], str], float]


def _key(name: str) -> Callable[[dict[str, Any], str], float]:
    return lambda row, where: number(row.get(name), where, name)


_RATIO = "/futures/data/globalLongShortAccountRatio"
_STATISTICS = {
    "funding": _Statistic("/fapi/v1/fundingRate", 1000, "fundingTime", _key("fundingRate")),
    "open_interest": _Statistic("/futures/data/openInterestHist", 500, "timestamp", _key("sumOpenInterestValue")),
    "long_accounts": _Statistic(_RATIO, 500, "timestamp", _key("longAccount")),
    "short_accounts": _Statistic(_RATIO, 500, "timestamp", _key("shortAccount")),
}
SERIES = (*_STATISTICS, TAKER)


class Binance:
    """The public market data of Binance. `SYMBOL.SERIES` names a series, such as `BTCUSDT.funding`."""

    name = "binance"
    around_the_clock = True

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._spot = os.environ.get("PINEBENCH_BINANCE_URL") or SPOT
        self._futures = os.environ.get("PINEBENCH_BINANCE_FUTURES_URL") or FUTURES

    def native(self, symbol: str, step: Timeframe) -> Timeframe:
        """Return the longest timeframe of Binance that divides `step`; 8 hours for funding rates, whatever `step` is.
        Raises UsageError if there is none."""
        series = _parts(symbol)[1]
        if series == "funding":
            return timeframe("480")
        known = [timeframe(each) for each in (_STEPS if series in ("", TAKER) else _PERIODS)]
        fitting = [
            each
            for each in known
            if each == step or (each.unit != "M" and step.unit != "M" and each.seconds and _divides(each, step))
        ]
        if not fitting:
            names = ", ".join((_STEPS if series in ("", TAKER) else _PERIODS).values())
            raise UsageError(f"binance {symbol}: there are no bars of {step.in_words()}", f"it has {names}")
        return max(fitting, key=lambda each: each.seconds)

    def info(self, symbol: str, step: Timeframe) -> SymbolInfo:
        """Return the properties of a symbol; Binance's order filters state its tick and its smallest quantity."""
        pair, series = _parts(symbol)
        where = f"binance {symbol}"
        if series and series != TAKER:
            return SymbolInfo(symbol=symbol, prefix="BINANCE", type="economic", mintick=1e-8, timeframe=step.text)
        try:
            content = self._transport.get(where, f"{self._spot}/api/v3/exchangeInfo", {"symbol": pair}).content
        except FeedRefusal as error:
            raise _unknown(where, pair, error) from None
        listed = content.get("symbols") if isinstance(content, dict) else None
        if not isinstance(listed, list) or not listed or not isinstance(listed[0], dict):
            raise MalformedAnswer(where, "the symbol has no description")
        market = listed[0]
        filters = {each.get("filterType"): each for each in market.get("filters") or () if isinstance(each, dict)}
        base, quote = words(market.get("baseAsset")), words(market.get("quoteAsset"))
        return SymbolInfo(
            symbol=symbol,
            prefix="BINANCE",
            description=f"{base} / {quote}",
            currency=quote,
            basecurrency=base,
            mintick=_step_of(filters.get("PRICE_FILTER"), "tickSize", 0.01),
            mincontract=_step_of(filters.get("LOT_SIZE"), "stepSize", 1.0),
            timeframe=step.text,
        )

    def reach(self, symbol: str, step: Timeframe) -> int | None:  # noqa: ARG002
        """Return the days of history that Binance offers: 28 for futures statistics, None (no limit) for others."""
        return None if _parts(symbol)[1] in ("", TAKER, "funding") else _KEPT_DAYS

    def candles(self, symbol: str, step: Timeframe, since: int) -> CandleAnswer:
        """Fetch the bars or the values from `since` (milliseconds UTC) on, page by page."""
        pair, series = _parts(symbol)
        where = f"binance {symbol} {step.text}"
        if series in ("", TAKER):
            return paged(lambda begin: self._klines(where, pair, step, begin, series), since)
        return paged(lambda begin: self._values(where, pair, step, begin, series), since)

    def _klines(self, where: str, pair: str, step: Timeframe, since: int, series: str) -> tuple[list[Candle], int]:
        asked = {"symbol": pair, "interval": _STEPS[step.text], "startTime": since, "limit": 1000}
        try:
            reply = self._transport.get(where, f"{self._spot}/api/v3/klines", asked)
        except FeedRefusal as error:
            raise _unknown(where, pair, error) from None
        found: list[Candle] = []
        for row in _rows(where, reply.content):
            if not isinstance(row, list) or len(row) < 10:
                raise MalformedAnswer(where, "a row does not have the cells of a bar")
            time, end = stamp(row[0], where), stamp(row[6], where) + 1
            if not time < end <= time + longest_ms(step):
                raise MalformedAnswer(where, "a bar is longer than its timeframe")
            if series == TAKER:
                value = number(row[9], where, "the volume of takers")
                found.append(Candle(time, end, value, value, value, value, value))
            else:
                found.append(candle(where, time, end, row[1:5], row[5]))
        in_order(where, found, reply.now)
        return found, reply.now

    def _values(self, where: str, pair: str, step: Timeframe, since: int, series: str) -> tuple[list[Candle], int]:
        known = _STATISTICS[series]
        length = longest_ms(step)
        if series == "funding":
            return self._page(where, pair, known, length, {"startTime": since})
        while True:
            end = since + (known.most - 1) * length
            period = {"startTime": since, "endTime": end, "period": _PERIODS[step.text]}
            found, now = self._page(where, pair, known, length, period)
            if found or end >= now:
                return found, now
            since = end + 1  # nothing in this span of time, but perhaps later

    def _page(
        self, where: str, pair: str, known: _Statistic, length: int, span: dict[str, Any]
    ) -> tuple[list[Candle], int]:
        asked: dict[str, object] = {"symbol": pair, "limit": known.most, **span}
        try:
            reply = self._transport.get(where, self._futures + known.path, asked)
        except FeedRefusal as error:
            raise _unknown(where, pair, error) from None
        found: list[Candle] = []
        for row in _rows(where, reply.content):
            if not isinstance(row, dict):
                raise MalformedAnswer(where, "a row is not an object")
            value = known.value(row, where)
            # Funding comes some milliseconds after the full hour.
            time = stamp(row.get(known.time), where) // 60_000 * 60_000
            found.append(Candle(time, time + length, value, value, value, value, math.nan))
        in_order(where, found, reply.now)
        return found, reply.now


def _divides(part: Timeframe, whole: Timeframe) -> bool:
    if part.unit == "W" and whole.unit != "W":
        return False
    return whole.seconds >= part.seconds and whole.seconds % part.seconds == 0


def _parts(symbol: str) -> tuple[str, str]:
    """Split a symbol into its market and its series ("" for bars). Raises UsageError for an invalid symbol."""
    pair, _, series = symbol.partition(".")
    if not _SYMBOL.fullmatch(pair.upper()):
        raise UsageError(f"binance: '{symbol}' is not a symbol of Binance", "expected, for example, BTCUSDT")
    if series and series not in SERIES:
        raise UsageError(f"binance {pair}: there is no series '{series}'", f"it has {', '.join(SERIES)}")
    return pair.upper(), series


def _rows(where: str, content: Any) -> list[Any]:
    if not isinstance(content, list):
        raise MalformedAnswer(where, "the answer is not a list")
    return content


def _step_of(told: Any, key: str, default: float) -> float:
    try:
        value = float(told[key])
    except (TypeError, KeyError, ValueError):
        return default
    return value if math.isfinite(value) and value > 0 else default


def _unknown(where: str, pair: str, error: FeedRefusal) -> UsageError:
    if "symbol" in error.said.lower():
        return UsageError(f"{where}: Binance has no market '{pair}'", "expected, for example, BTCUSDT")
    if error.status == 451:
        hint = "choose another address with PINEBENCH_BINANCE_URL, such as https://data-api.binance.vision"
        return UsageError(f"{where}: Binance does not serve this location", hint)
    return error
