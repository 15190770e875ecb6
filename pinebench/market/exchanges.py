"""Fetches bars and the properties of their symbol from exchanges, with ccxt."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from pinebench.calendars.timeframes import timeframe
from pinebench.errors import UnavailableError, UsageError
from pinebench.extras import missing
from pinebench.market.bar_files import add_bar
from pinebench.market.bar_loader import Data
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.feeds.candles import words
from pinebench.market.feeds.steps import longest_ms
from pinebench.market.gaps import gaps
from pinebench.market.ticks import Tick, tick_of

MARK = "ccxt:"
"""The prefix of a name of data that comes from an exchange: `ccxt:EXCHANGE:SYMBOL:TIMEFRAME`."""
BARS = 1000
"""The default number of bars to fetch."""
_PAGE = 500
_TYPES = {"spot": "crypto", "swap": "swap", "future": "futures", "option": "crypto"}


def fetch(name: str, count: int = BARS) -> Data:
    """Fetch the last `count` closed bars of `ccxt:EXCHANGE:SYMBOL:TIMEFRAME`, such as `ccxt:binance:BTC/USDT:15m`.

    Raises UsageError if the name is not valid, if the exchange or the symbol does not exist, or if the answer does not
    contain bars. Raises UnavailableError if ccxt is not installed, or if the exchange cannot be reached.
    """
    exchange, _, rest = name.removeprefix(MARK).partition(":")
    symbol, _, step = rest.rpartition(":")
    if not exchange or not symbol or not step:
        raise UsageError(f"'{name}' does not name bars of an exchange", "expected ccxt:EXCHANGE:SYMBOL:TIMEFRAME")
    try:
        import ccxt
    except ImportError:
        raise missing("fetching bars of an exchange", "data") from None
    made = getattr(ccxt, exchange, None)
    if exchange not in ccxt.exchanges or made is None:
        raise UsageError(
            f"{name}: ccxt knows no exchange '{exchange}'", "expected an exchange such as binance, kraken or bybit"
        )
    return fetch_from(made({"enableRateLimit": True}), symbol, step, count)


def fetch_from(exchange: Any, symbol: str, step: str, count: int = BARS) -> Data:
    """Fetch the last `count` closed bars of a symbol from a ccxt exchange. Raises the same errors as `fetch`."""
    import ccxt

    where = f"{exchange.id} {symbol} {step}"
    try:
        markets = exchange.load_markets()
        if symbol not in markets:
            raise UsageError(f"{where}: the exchange has no symbol '{symbol}'", "expected, for example, BTC/USDT")
        if step not in (exchange.timeframes or {}):
            known = ", ".join(exchange.timeframes or {})
            raise UsageError(f"{where}: the exchange has no bars of '{step}'", f"it has {known}")
        rows, now = _rows(exchange, symbol, step, count)
    except ccxt.NetworkError as error:
        raise UnavailableError(f"{where}: the exchange cannot be reached: {_said(error)}") from None
    except ccxt.BaseError as error:
        raise UsageError(f"{where}: the exchange refused the request: {_said(error)}") from None
    bars, length = _bars(rows, where), exchange.parse_timeframe(step) * 1000
    said = [_later(bars, _begin(now, step, length, count), length, count, where), gaps(bars.time, length, now, where)]
    told = "; ".join(filter(None, said)) or None
    market = markets[symbol]
    told_tick = _step(exchange, (market.get("precision") or {}).get("price"))
    tick = Tick(told_tick, "of the exchange") if told_tick else tick_of(bars)
    symbol_info = _symbol(exchange, market, step, tick.size)
    return Data(
        bars, symbol_info, "milliseconds", "exchange", gaps=told, tick=tick.origin, found=_inverse(market, where)
    )


def _inverse(market: dict[str, Any], where: str) -> tuple[str, ...]:
    """Return a sentence if the profit of a contract is not proportional to the change of its price."""
    if not market.get("inverse"):
        return ()
    base, quote = words(market.get("base")), words(market.get("quote"))
    return (
        f"{where}: the contracts are inverse: they pay in {base}, but a back-test computes profits as if they paid in "
        f"{quote} for each {base}",
    )


def _later(bars: Bars, begin: int, length: int, count: int, where: str) -> str | None:
    """Return a sentence if some of the `count` bars from `begin` on are missing before the first bar, else None."""
    missing_bars = min((bars.time[0] - begin) // length, count - len(bars))
    if missing_bars <= 0:
        return None
    first = datetime.fromtimestamp(bars.time[0] / 1000, UTC)
    words = "1 earlier bar was" if missing_bars == 1 else f"{missing_bars} earlier bars were"
    return f"{where}: {words} requested, but the exchange has none before {first:%Y-%m-%d %H:%M} UTC"


def _said(error: Exception) -> str:
    return str(error).partition("\n")[0][:300]


def _clock(exchange: Any) -> int:
    """Return the exchange's clock from its last response, or else the local clock, in milliseconds UTC."""
    headers = {name.lower(): value for name, value in (exchange.last_response_headers or {}).items()}
    try:
        return int(parsedate_to_datetime(headers["date"]).timestamp() * 1000)
    except (KeyError, ValueError, TypeError):
        return exchange.milliseconds()


def _rows(exchange: Any, symbol: str, step: str, count: int) -> tuple[list[list[Any]], int]:
    """Fetch the rows of the last `count` closed bars, oldest first. Return them and the exchange's clock."""
    length = exchange.parse_timeframe(step) * 1000
    now = _clock(exchange)
    since = _begin(now, step, length, count)
    shortest = length * 28 // 30 if step.endswith("M") else length  # a month of ccxt has 30 days
    found: dict[int, list[Any]] = {}
    while since < now:
        page = exchange.fetch_ohlcv(symbol, step, since=since, limit=_PAGE)
        if not isinstance(page, list):
            raise UsageError(f"{exchange.id} {symbol} {step}: the answer is not a list of bars", "try again later")
        times = [row[0] for row in page if isinstance(row, list) and row and _is_number(row[0])]
        if len(times) < len(page):
            raise UsageError(f"{exchange.id} {symbol} {step}: the answer has bars without a time", "try again later")
        found.update(zip(times, page, strict=True))
        before, now = now, _clock(exchange)
        if now < before - length:  # the clock of this machine is ahead, so too few bars were asked for
            since = _begin(now, step, length, count)
            continue
        newest = max(times, default=since - length)
        # If the page has no bars, or only bars that are already known, continue after its time.
        since = newest + shortest if newest >= since else since + _PAGE * shortest
    lasting = longest_ms(timeframe(_timeframe(step)))
    closed = [row for time, row in sorted(found.items()) if time + lasting <= now]
    return closed[-count:], now


def _begin(now: int, step: str, length: int, count: int) -> int:
    """Return the start time of a request at `now` for `count` closed bars of the timeframe `step`. Times, and the
    `length` of a bar of ccxt, are in milliseconds (UTC)."""
    if step[-1] in "wM":  # they open on other days than multiples of their length
        return now - (count + 2) * longest_ms(timeframe(_timeframe(step)))
    return now // length * length - count * length


def _bars(rows: list[list[Any]], where: str) -> Bars:
    if not rows:
        raise UsageError(f"{where}: the exchange has no bars of that period", "ask for another timeframe or symbol")
    bars = Bars()
    for number, row in enumerate(rows):
        place = f"{where}, bar {number}"
        if len(row) < 5 or not all(_is_number(value) for value in row[:5]):
            raise UsageError(f"{place}: {row!r} is not a bar", "expected time, open, high, low, close and volume")
        volume = float(row[5]) if len(row) > 5 and _is_number(row[5]) else math.nan
        add_bar(bars, int(row[0]), [float(price) for price in row[1:5]], volume, row[0], place)
    return bars


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _symbol(exchange: Any, market: dict[str, Any], step: str, tick: float) -> SymbolInfo:
    """Return the properties of a symbol from the exchange's data."""
    precision = market.get("precision") or {}
    limits = (market.get("limits") or {}).get("amount") or {}
    amount = _step(exchange, precision.get("amount")) or limits.get("min")
    return SymbolInfo(
        symbol=words(market.get("id")) or words(market["symbol"]),
        prefix=str(exchange.id).upper(),
        description=f"{words(market.get('base'))} / {words(market.get('quote'))}",
        type=_TYPES.get(str(market.get("type")), "crypto"),
        currency=words(market.get("quote")),
        basecurrency=words(market.get("base")),
        mintick=tick,
        pointvalue=_positive(market.get("contractSize")),
        mincontract=_positive(amount),
        timeframe=_timeframe(step),
        assumed=() if _is_size(amount) else ("mincontract",),
    )


def _positive(value: Any) -> float:
    """Convert a size to a number; 1 if the exchange states no positive one."""
    return float(value) if _is_size(value) else 1.0


def _is_size(value: Any) -> bool:
    return _is_number(value) and value > 0


def _step(exchange: Any, precision: Any) -> float | None:
    """Return the smallest step of a precision, which is a step or a number of decimals; None if invalid."""
    if not _is_number(precision) or precision < 0:
        return None
    import ccxt

    return float(precision) if exchange.precisionMode == ccxt.TICK_SIZE else float(f"1e-{int(precision)}")


def _timeframe(step: str) -> str:
    """Convert a timeframe of ccxt to Pine's: `15m` is 15, `4h` is 240, `1d` is 1D. Raises UsageError for others."""
    number, unit = step[:-1], step[-1]
    if not number.isdigit() or unit not in "smhdwM":
        raise UsageError(f"'{step}' is not a timeframe", "expected a timeframe such as 15m, 4h or 1d")
    minutes = {"m": 1, "h": 60}.get(unit)
    return timeframe(str(int(number) * minutes) if minutes else f"{number}{unit.upper()}").text
