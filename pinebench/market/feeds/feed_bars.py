"""Fetches bars by name, such as `binance:BTCUSDT:4h`, partly from the cache, and joins them if needed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from pinebench.calendars.timeframes import Timeframe
from pinebench.errors import UsageError
from pinebench.market.aggregation import complete, grid_of, in_timeframe
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.feeds.bar_cache import CacheKey, CandleStore
from pinebench.market.feeds.binance import Binance
from pinebench.market.feeds.candles import Candle, CandleAnswer, Feed, MalformedAnswer
from pinebench.market.feeds.feargreed import FearGreed
from pinebench.market.feeds.steps import longest_ms, read_step
from pinebench.market.feeds.transport import Transport
from pinebench.market.feeds.yahoo import Yahoo
from pinebench.market.gaps import gaps

_FEEDS: dict[str, Callable[[Transport], Feed]] = {"binance": Binance, "yahoo": Yahoo, "feargreed": FearGreed}
_AHEAD_MS = 86_400_000
"""The largest lead of a service's clock over this computer's, which may be wrong, or over the service's newest bar."""
_CLOSED_MS = 10 * 86_400_000
"""The longest time for which a market with sessions is closed."""
_CLOSED_HOURS = 5
"""The approximate closed hours for each open hour of a market with sessions (6.5 hours on 5 days of a week)."""


class FeedBars(NamedTuple):
    """Bars of a feed in the requested timeframe.

    `bars` are closed. `forming` is the bar that was still open at `now`, the service's clock in milliseconds UTC; None
    if there is none. `cached` is the number of bars that came from the cache. `gaps` is a sentence about missing bars,
    also before the first one, or None.
    """

    bars: Bars
    forming: Candle | None
    symbol: SymbolInfo
    now: int
    cached: int
    gaps: str | None

    @property
    def freshness(self) -> str:
        """A sentence for people that says when the bars were read."""
        read = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(self.now / 1000))
        return f"read at {read}" + (f", {self.cached} closed bars from the cache" if self.cached else "")


def fetch(name: str, count: int, transport: Transport | None = None, store: CandleStore | None = None) -> FeedBars:
    """Fetch the last `count` closed bars of `FEED:SYMBOL:TIMEFRAME`.

    FEED is `binance`, `yahoo` or `feargreed`. TIMEFRAME has a form such as `15m`, `4h`, `1d`, `1wk`, `1mo`, or Pine's
    form. `BTCUSDT.funding` names a series of Binance. Raises UsageError if the name is not valid or if there are no
    such bars. Raises UnavailableError if the service cannot be reached, or if its answer is malformed: no part of such
    an answer is used.
    """
    feed_name, _, rest = name.partition(":")
    symbol, _, step_text = rest.rpartition(":")
    if feed_name not in _FEEDS or not symbol or not step_text:
        raise UsageError(f"'{name}' does not name bars of a feed", "expected, for example, binance:BTCUSDT:4h")
    symbol = feed_symbol(symbol, feed_name)
    feed, wanted = _FEEDS[feed_name](transport or Transport()), read_step(step_text)
    native = feed.native(symbol, wanted)
    info = feed.info(symbol, native)
    kept, key = store or CandleStore(), CacheKey(feed.name, symbol, native.text)
    here = int(time.time() * 1000)
    candles, now, cached = _candles(feed, kept, key, native, _begin(feed, symbol, native, wanted, count, here))
    if now < here - longest_ms(wanted):  # the clock of this machine is ahead, so too few bars were asked for
        candles, now, cached = _candles(feed, kept, key, native, _begin(feed, symbol, native, wanted, count, now))
    if not candles:
        raise UsageError(
            f"{name}: the service has no bars for the requested period", "ask for another timeframe or symbol"
        )
    closed = [each for each in candles if each.end <= now]
    forming = candles[-1] if candles[-1].end > now else None
    missing = None
    if feed.around_the_clock and native.unit != "M":
        missing = gaps([each.time for each in closed], longest_ms(native), now, f"{feed.name} {symbol} {step_text}")
    bars, forming = _joined(closed, forming, info, wanted, now)
    if not len(bars):
        raise UsageError(f"{name}: the requested period has no closed bar", "ask for more bars or another timeframe")
    if len(bars) < count:
        first = f"{name}: {count} bars were requested, and the service has {len(bars)}"
        missing = first if missing is None else f"{first}; {missing}"
    return FeedBars(bars.last(count), forming, replace(info, timeframe=wanted.text), now, cached, missing)


def feed_symbol(symbol: str, feed: str) -> str:
    """Return the symbol in the feed's spelling: in upper case, except that Binance's series are in lower case."""
    if feed != Binance.name:
        return symbol.upper()
    pair, point, series = symbol.partition(".")
    return pair.upper() + point + series.lower()


def _begin(feed: Feed, symbol: str, native: Timeframe, wanted: Timeframe, count: int, now: int) -> int:
    """Return the start time of a request at `now` for `count` bars of the timeframe `wanted`, in milliseconds UTC."""
    length = longest_ms(wanted)
    reach = (count + 2) * length
    if not feed.around_the_clock:
        # Sessions are short, and holidays come in between.
        reach = reach * (_CLOSED_HOURS + 1) + 7 * 86_400_000 if wanted.is_intraday else reach * 8 // 5 + 14 * 86_400_000
    limit = feed.reach(symbol, native)
    if limit is not None:
        reach = min(reach, limit * 86_400_000)
    return max((now - reach) // length * length, 0)


def _candles(
    feed: Feed, store: CandleStore, key: CacheKey, native: Timeframe, since: int
) -> tuple[list[Candle], int, int]:
    """Return the bars from `since` on, the service's clock, and the number of bars from the cache.

    The last cached bar is fetched again. If it differs, the service has changed its history, for example after a split:
    then all bars are fetched again.
    """
    kept = store.read(key, since)
    if kept:
        answer = _answer(feed, key.symbol, native, kept[-1].time)
        if answer.candles and answer.candles[0] == kept[-1]:
            found = [*kept[:-1], *answer.candles]
            store.write(key, kept[-1].time, [each for each in answer.candles if each.end <= answer.now])
            return found, answer.now, len(kept)
        store.forget(key)
    answer = _answer(feed, key.symbol, native, since)
    store.write(key, since, [each for each in answer.candles if each.end <= answer.now])
    return answer.candles, answer.now, 0


def _answer(feed: Feed, symbol: str, native: Timeframe, since: int) -> CandleAnswer:
    """Fetch the bars of a feed from `since` on. Raises MalformedAnswer if its clock is far ahead of the bars and of the
    local clock.

    With such a clock, the forming bar would count as closed, and later bars would look too old for years.
    """
    answer = feed.candles(symbol, native, since)
    if answer.candles and answer.now > int(time.time() * 1000) + _AHEAD_MS:
        quiet = longest_ms(native) + _AHEAD_MS if feed.around_the_clock else _CLOSED_MS
        if answer.now > answer.candles[-1].end + quiet:
            raise MalformedAnswer(f"{feed.name} {symbol}", "its clock or the clock of this computer is wrong")
    return answer


def _joined(
    closed: list[Candle], forming: Candle | None, info: SymbolInfo, wanted: Timeframe, now: int
) -> tuple[Bars, Candle | None]:
    """Return the closed bars in the timeframe `wanted`, and the bar that is still forming at `now`, or None."""
    if wanted.text == info.timeframe:
        return _columns(closed), forming
    every = closed if forming is None else [*closed, forming]
    bars = in_timeframe(_columns(every), info, wanted.text)
    grid = grid_of(wanted, info)
    chosen = complete(bars, grid, every[0].time, now)
    if chosen.stop == len(bars):
        return bars.at(chosen), None
    last, end = bars.time[-1], int(grid.bar(bars.time[-1]).close)
    return bars.at(chosen), Candle(last, end, *(column[-1] for column in bars.columns()[1:]))


def _columns(candles: list[Candle]) -> Bars:
    bars = Bars()
    for each in candles:
        bars.append(each.time, each.open, each.high, each.low, each.close, each.volume)
    return bars
