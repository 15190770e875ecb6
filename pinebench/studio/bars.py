"""Bars for the studio's chart: a seeded sample market whose resolutions agree with each other, and CSV files."""

from __future__ import annotations

import csv
import io
import math
import re
from calendar import timegm
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from pinebench import files
from pinebench.errors import UsageError
from pinebench.studio.symbols import SAMPLES, Session, Symbol, find

_MINUTE = 60
_DAY = 86_400
LAST_DAY = timegm((2026, 10, 30, 0, 0, 0))
"""Midnight UTC of the last sample day: the sample market is the same on every machine and every day."""

_SAMPLE_DAYS = 1600
MOST_BARS = 20_000
_LARGEST_FILE = 200_000_000


class Bar(NamedTuple):
    """One bar; `time` is the unix time in seconds at which it opens."""

    time: int
    open: float
    high: float
    low: float
    close: float
    volume: float


class Resolution(NamedTuple):
    """A chart resolution in TradingView's notation: `length` times `unit`: minutes (``), D, W or M."""

    length: int
    unit: str

    @property
    def name(self) -> str:
        """As a chart reports it: `60`, `1D`, `1W`."""
        return f"{self.length}{self.unit}"

    @property
    def seconds(self) -> int:
        """The nominal length of a bar in seconds."""
        return self.length * {"": 60, "D": _DAY, "W": 7 * _DAY, "M": 30 * _DAY}[self.unit]


def parse_resolution(text: str) -> Resolution | None:
    """`5`, `60`, `4H`, `D`, `1D`, `W`, `3M` as a Resolution; None when it is none of TradingView's or out of range."""
    match = re.fullmatch(r"([0-9]{0,4})([HDWM]?)", text.strip().upper())
    if match is None or not text.strip():
        return None
    count, unit = int(match[1] or 1), match[2]
    if unit == "H":
        count, unit = count * 60, ""
    most = {"": 1440, "D": 365, "W": 52, "M": 12}[unit]
    return Resolution(count, unit) if 1 <= count <= most else None


class Market:
    """Where the chart's bars come from: CSV files of a folder first, the sample market otherwise."""

    def __init__(self, folder: Path | None = None) -> None:
        """Read the CSV files of `folder` (`NASDAQ_AAPL_60.csv`); raises UsageError naming the file and its fault."""
        self._series = dict(_read_folder(folder)) if folder is not None else {}
        own = {name: _csv_symbol(name, bars) for (name, _), bars in self._series.items() if find(name) is None}
        self.symbols: tuple[Symbol, ...] = (*SAMPLES, *own.values())

    def is_own(self, symbol: Symbol) -> bool:
        """Whether the symbol's bars come from a CSV file."""
        return any(name == symbol.full_name for name, _ in self._series)

    def bars(self, symbol: Symbol, resolution: Resolution, count: int) -> list[Bar]:
        """The last `count` bars, oldest first; empty where a CSV symbol has no data fine enough for `resolution`."""
        count = max(1, min(count, MOST_BARS))
        series = [(r, bars) for (name, r), bars in self._series.items() if name == symbol.full_name]
        if not series:
            return list(_sample_bars(symbol, resolution, count))
        fine = [(r, bars) for r, bars in series if r.seconds <= resolution.seconds]
        if not fine:
            return []
        source, bars = max(fine, key=lambda item: item[0].seconds)
        return (bars if source == resolution else _join(bars, resolution, symbol.session))[-count:]


@lru_cache(maxsize=128)
def _sample_bars(symbol: Symbol, resolution: Resolution, count: int) -> tuple[Bar, ...]:
    days = _days(symbol)
    if resolution.unit:
        if resolution == Resolution(1, "D"):
            return days[-count:]
        return tuple(_join(days, resolution, symbol.session)[-count:])
    per_day = math.ceil(symbol.session.minutes / resolution.length)
    wanted = days[-(count // per_day + 1) :]
    minutes = (bar for day in wanted for bar in _minutes(symbol, day))
    if resolution.length == 1:
        return tuple(minutes)[-count:]
    return tuple(_join(minutes, resolution, symbol.session)[-count:])


@lru_cache(maxsize=64)
def _days(symbol: Symbol) -> tuple[Bar, ...]:
    """Daily bars: a random walk whose volatility clusters, scaled so that the last close is the symbol's price."""
    random = Random(f"days {symbol.full_name}")
    times = [
        LAST_DAY - ago * _DAY
        for ago in range(_SAMPLE_DAYS - 1, -1, -1)
        if (LAST_DAY // _DAY - ago + 3) % 7 in symbol.session.days
    ]
    year = 365 if len(symbol.session.days) == 7 else 252
    usual = symbol.volatility / math.sqrt(year)
    close, spread, shock = 1.0, usual, 0.0
    shapes: list[tuple[float, float, float, float, float]] = []
    for _ in times:
        spread = math.sqrt(0.06 * usual**2 + 0.09 * shock**2 + 0.85 * spread**2)
        start = close * math.exp(random.gauss(0, 0.25) * spread)
        shock = random.gauss(0, 1) * spread
        close = start * math.exp(symbol.drift / year + shock)
        high = max(start, close) * math.exp(abs(random.gauss(0, 0.45)) * spread)
        low = min(start, close) * math.exp(-abs(random.gauss(0, 0.45)) * spread)
        volume = symbol.volume * math.exp(random.gauss(0, 0.25)) * (0.7 + 0.45 * abs(shock) / usual)
        shapes.append((start, high, low, close, volume))
    scale = symbol.price / close
    return tuple(
        _rounded(symbol, time + symbol.session.opens, o * scale, h * scale, lo * scale, c * scale, v)
        for time, (o, h, lo, c, v) in zip(times, shapes, strict=True)
    )


def _minutes(symbol: Symbol, day: Bar) -> list[Bar]:
    """The minutes of one day: a bridge from its open to its close, stretched to just reach its high and its low."""
    random = Random(f"minutes {symbol.full_name} {day.time}")
    count = symbol.session.minutes
    steps = [random.gauss(0, 1) for _ in range(count)]
    drift = sum(steps) / count
    path, at = [0.0], 0.0
    for step in steps:
        at += step - drift
        path.append(at)
    reach = (day.high - day.low) / ((max(path) - min(path)) or 1)
    prices = [day.open + (day.close - day.open) * i / count + value * reach for i, value in enumerate(path)]
    prices = _stretch(prices, day)
    weights = [1.6 - 1.2 * math.sin(math.pi * (i + 0.5) / count) + 0.5 * random.random() for i in range(count)]
    share = day.volume / sum(weights)
    bars: list[Bar] = []
    for i in range(count):
        start, end = prices[i], prices[i + 1]
        edge = abs(end - start) * 0.4
        high = min(day.high, max(start, end) + edge * random.random())
        low = max(day.low, min(start, end) - edge * random.random())
        bars.append(_rounded(symbol, day.time + i * _MINUTE, start, high, low, end, weights[i] * share))
    return bars


def _stretch(prices: list[float], day: Bar) -> list[float]:
    top, bottom = max(day.open, day.close), min(day.open, day.close)
    highest, lowest = max(prices), min(prices)
    up = (day.high - top) / (highest - top) if highest > top else 0.0
    down = (bottom - day.low) / (bottom - lowest) if lowest < bottom else 0.0
    return [
        top + (price - top) * up if price > top else bottom - (bottom - price) * down if price < bottom else price
        for price in prices
    ]


def _rounded(symbol: Symbol, time: int, o: float, h: float, low: float, c: float, v: float) -> Bar:
    prices = [round(value, symbol.decimals) for value in (o, h, low, c)]
    return Bar(time, prices[0], max(prices), min(prices), prices[3], float(round(v)))


def _join(bars: Iterable[Bar], resolution: Resolution, session: Session) -> list[Bar]:
    """`bars` joined into bars of a coarser resolution, each stamped with the time of its first part."""
    joined: list[Bar] = []
    last_key: object = None
    for bar in bars:
        key = _period(bar.time, resolution, session)
        if key != last_key:
            joined.append(bar)
            last_key = key
            continue
        whole = joined[-1]
        joined[-1] = Bar(
            whole.time,
            whole.open,
            max(whole.high, bar.high),
            min(whole.low, bar.low),
            bar.close,
            whole.volume + bar.volume,
        )
    return joined


def _period(time: int, resolution: Resolution, session: Session) -> object:
    if resolution.unit == "":
        since_open = time - session.opens
        return since_open // _DAY, since_open % _DAY // resolution.seconds
    if resolution.unit == "D":
        return time // _DAY // resolution.length
    if resolution.unit == "W":
        return (time // _DAY + 3) // 7 // resolution.length  # 1970-01-01 was a Thursday; weeks begin on Monday
    date = datetime.fromtimestamp(time, UTC)
    return (date.year * 12 + date.month - 1) // resolution.length


_LAST_TIME = 253_370_764_800
"""The end of the year 9998 in seconds: a year is left for periods to end in."""

_CSV_NAME = re.compile(r"(?P<exchange>[^_]+)_(?P<ticker>.+)_(?P<resolution>\d*[A-Za-z]?)", re.IGNORECASE)


def _read_folder(folder: Path) -> Iterable[tuple[tuple[str, Resolution], list[Bar]]]:
    if not folder.is_dir():
        raise UsageError(f"there is no folder '{folder}'", "name a folder of CSV files such as NASDAQ_AAPL_60.csv")
    for path in sorted(folder.glob("*.csv")):
        match = _CSV_NAME.fullmatch(path.stem)
        resolution = parse_resolution(match["resolution"]) if match else None
        if match is None or resolution is None:
            raise UsageError(f"{path}: the name does not say what it holds", "call it EXCHANGE_SYMBOL_RESOLUTION.csv")
        yield (f"{match['exchange']}:{match['ticker']}".upper(), resolution), read_csv(path)


def read_csv(path: Path) -> list[Bar]:
    """The bars of a CSV file with the columns time, open, high, low, close and perhaps volume, oldest first.

    Times are unix seconds or milliseconds, or ISO 8601 (UTC where no zone is given). Raises UsageError naming the line.
    """
    bars: list[Bar] = []
    try:
        text = files.read(path, _LARGEST_FILE).text
        for number, row in enumerate(csv.DictReader(io.StringIO(text, newline="")), start=2):
            fields = {(key or "").strip().lower(): value or "" for key, value in row.items()}
            bars.append(_csv_bar(fields, f"{path}, line {number}"))
    except csv.Error as error:
        raise UsageError(f"{path}: cannot be read: {error}", "expected a CSV file in UTF-8") from None
    return sorted(bars)


def _csv_bar(fields: dict[str, str], place: str) -> Bar:
    try:
        prices = [float(fields[name]) for name in ("open", "high", "low", "close")]
        bar = Bar(_csv_time(fields["time"]), *prices, volume=float(fields.get("volume") or 0))
    except KeyError as error:
        raise UsageError(
            f"{place}: there is no column {error}", "expected time, open, high, low, close, volume"
        ) from None
    except (ValueError, TypeError, OverflowError) as error:
        raise UsageError(f"{place}: {error}", "expected numbers, and a time as unix seconds or ISO 8601") from None
    if not 0 <= bar.time <= _LAST_TIME:
        raise UsageError(f"{place}: {bar.time} is no time", "expected a moment between the years 1970 and 9998")
    if not all(map(math.isfinite, bar)) or bar.high < max(bar.open, bar.close) or bar.low > min(bar.open, bar.close):
        raise UsageError(f"{place}: high and low do not enclose open and close", "expected finite prices of one bar")
    return bar


def _csv_time(text: str) -> int:
    if re.fullmatch(r"\d+(\.\d*)?", text.strip()):
        value = float(text)
        return int(value / 1000 if value > 1e11 else value)
    moment = datetime.fromisoformat(text.strip())
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())


def _csv_symbol(full_name: str, bars: list[Bar]) -> Symbol:
    exchange, _, ticker = full_name.partition(":")
    return Symbol(
        exchange,
        ticker,
        f"{ticker} (CSV)",
        "stock",
        "",
        _decimals(bars),
        Session(0, 1440, frozenset(range(7))),
        1,
        0,
        0,
        0,
    )


def _decimals(bars: list[Bar]) -> int:
    """How many decimals the latest prices are written with, from 2 to 8."""
    prices = (price for bar in bars[-200:] for price in bar[1:5])
    return max([2, *(len(f"{price:.8f}".rstrip("0").partition(".")[2]) for price in prices)])
