"""Write the synthetic bars of `pine/samples/bars`: one seeded random walk, always the same file.

Usage: python scripts/data/make_bars.py [FILE]

The series looks like a liquid share on a 15-minute chart: sessions from 09:30 to 16:00 in New York (with summer time),
five days a week, a gap over each night and a larger one over each weekend, volume that is high at the open and the
close, and phases of low and high volatility. Prices are whole cents, so the file is the same on every machine.
"""

import random
import sys
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

SEED = 20240102
FIRST_DAY = date(2024, 1, 2)
DAYS = 90
BARS_PER_DAY = 26
OPENING_BELL = time(9, 30, tzinfo=ZoneInfo("America/New_York"))
STEP = timedelta(minutes=15)
FIRST_PRICE = 10_000  # cents
MEAN_PRICE = 11_000
BASE_VOLUME = 40_000
TICKS_INSIDE = 12

DEFAULT_FILE = Path(__file__).resolve().parents[2] / "pine" / "samples" / "bars" / "share_15m.csv"


class Bar(NamedTuple):
    """One bar: time in seconds since 1970 (UTC) at its opening, prices in cents, volume in shares."""

    time: int
    open: int
    high: int
    low: int
    close: int
    volume: int


def trading_days(first: date, count: int) -> list[date]:
    """Return `count` weekdays from `first` on."""
    days: list[date] = []
    day = first
    while len(days) < count:
        if day.weekday() < 5:
            days.append(day)
        day += timedelta(days=1)
    return days


def step(chance: random.Random, width: int) -> int:
    """Return a bell-shaped integer step between -3 * width and 3 * width."""
    return sum(chance.randint(-width, width) for _ in range(3))


def day_bars(chance: random.Random, day: date, opening: int, width: int) -> list[Bar]:
    """Return the bars of one session that opens at `opening` cents. `width` sets the size of price steps in cents."""
    start = datetime.combine(day, OPENING_BELL)
    bars: list[Bar] = []
    price = opening
    for index in range(BARS_PER_DAY):
        pull = int((MEAN_PRICE - price) / 1_000)
        prices = [price]
        for _ in range(TICKS_INSIDE):
            price = max(100, price + step(chance, width) + pull)
            prices.append(price)
        edge = max(abs(2 * index - BARS_PER_DAY + 1) - 10, 0)  # 0 at noon, 15 at the open and the close
        travelled = max(prices) - min(prices)
        volume = BASE_VOLUME * (10 + edge) // 10 + travelled * 300 + chance.randrange(BASE_VOLUME)
        opened = int((start + index * STEP).timestamp())
        bars.append(Bar(opened, prices[0], max(prices), min(prices), price, volume))
    return bars


def make_bars(seed: int = SEED) -> list[Bar]:
    """Return the whole series for a seed, oldest bar first."""
    chance = random.Random(seed)
    bars: list[Bar] = []
    opening, width = FIRST_PRICE, 3
    previous: date | None = None
    for day in trading_days(FIRST_DAY, DAYS):
        if previous is not None:
            nights = (day - previous).days
            opening = max(100, opening + step(chance, 15 * nights * width))
        if chance.randrange(8) == 0:
            width = chance.choice((2, 3, 5, 8))
        session = day_bars(chance, day, opening, width)
        bars.extend(session)
        opening, previous = session[-1].close, day
    return bars


def as_csv(bars: list[Bar]) -> str:
    """Return the bars as text with a header; times are ISO 8601 in UTC, prices have two decimals."""
    lines = ["time,open,high,low,close,volume"]
    for bar in bars:
        opened = datetime.fromtimestamp(bar.time, tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        prices = ",".join(f"{cents // 100}.{cents % 100:02d}" for cents in bar[1:5])
        lines.append(f"{opened},{prices},{bar.volume}")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Write the file that the only argument names, or the one in `pine/samples/bars`."""
    target = Path(arguments[0]) if arguments else DEFAULT_FILE
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(as_csv(make_bars()).encode())
    print(f"{target}: {DAYS * BARS_PER_DAY} bars", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
