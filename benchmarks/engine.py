"""Measure the trading engine under load: 500 subscribers, 2,000 alerts, 50 symbols, one bar per symbol and second.

Usage: python benchmarks/engine.py [--seconds N]

Every second, each symbol gets a closed bar and an update of the next bar, as messages of the feed. A quarter of the
alerts needs a script. Each subscriber has an open stream. Processor time is the time of this process and of the workers
that run the scripts.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import threading
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pinebench.engine import EngineSettings, TradingEngine
from pinebench.engine.feed import parsed
from pinebench.market import Bars, SymbolInfo

SYMBOLS, SUBSCRIBERS, HISTORY, MINUTE = 50, 500, 1_000, 60_000
BEGIN = 1_704_067_200_000
MOST = 50.0
"""The most processor time in percent of one core."""
WARM = 3
"""Seconds before the measurement, in which scripts begin."""


class Market:
    """A random market with a new bar each second, which is treated as a bar of a minute."""

    def __init__(self, seed: int) -> None:
        self.numbers, self.price, self.time = Random(seed), 100.0, BEGIN

    def bar(self) -> tuple[int, float, float, float, float]:
        first = self.price
        self.price = round(first * (1 + self.numbers.gauss(0, 0.001)), 2)
        self.time += MINUTE
        return self.time - MINUTE, first, max(first, self.price) + 0.05, min(first, self.price) - 0.05, self.price

    def begun(self) -> tuple[int, float, float, float, float]:
        """Return the first update of the next bar."""
        return self.time, self.price, self.price, self.price, self.price


def message(symbol: str, bar: tuple[int, float, float, float, float], *, closed: bool) -> str:
    """Return a bar as a message of the feed."""
    time_, *prices = bar
    told = dict(zip("ohlc", map(str, prices), strict=True))
    event = time_ + (MINUTE if closed else 1_000)
    bar_ = {"t": time_, "T": time_ + MINUTE - 1, "s": symbol, "i": "1m", **told, "v": "1", "x": closed}
    return json.dumps({"stream": "", "data": {"e": "kline", "E": event, "s": symbol, "k": bar_}})


def begun(folder: str, markets: list[Market]) -> TradingEngine:
    """Return an engine with all subscribers and alerts."""
    engine = TradingEngine(EngineSettings(folder))
    for number, market in enumerate(markets):
        bars = Bars()
        for _ in range(HISTORY):
            bars.append(*market.bar(), 1.0)
        key = name(number), "1m"
        engine.follow(
            key, SymbolInfo(symbol=key[0], timeframe="1"), bars, [each + MINUTE for each in bars.time], market.time
        )
    scripts: list[dict[str, object]] = [
        {"pine": "ta.rsi(close, 14) > 75"},
        {"indicator_value": {"indicator": "rsi", "below": 25}},
        {"indicator_signal": {"indicator": "supertrend", "signal": "flip_up"}},
    ]
    numbers = Random(0)
    for user in range(SUBSCRIBERS):
        subject, place = f"user{user}", user % SYMBOLS
        engine.pushing.subscribe(subject)
        level = round(markets[place].price * (1 + numbers.gauss(0, 0.01)), 2)
        for condition in (
            {"price_above": level},
            {"crossing": {"level": level}},
            {"percent": {"change": 0.5, "bars": 5}},
            scripts[user // SYMBOLS % len(scripts)],
        ):
            engine.set_alert(subject, name(place), condition, frequency="once_per_bar", rearm="percent" in condition)
    return engine


def name(number: int) -> str:
    return f"COIN{number:02}USDT"


class Streams:
    """The open streams of all subscribers, in an event loop of their own."""

    def __init__(self, engine: TradingEngine) -> None:
        self.got = 0
        self._engine = engine
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._read(),))
        self._thread.start()

    async def _read(self) -> None:
        async def one(subject: str) -> None:
            async for _ in self._engine.pushing.stream(subject):
                self.got += 1

        await asyncio.gather(*(one(f"user{user}") for user in range(SUBSCRIBERS)))

    def join(self) -> None:
        self._thread.join()
        self._loop.close()


def spent() -> float:
    """Return the seconds of processor time of this process and all processes that it started."""
    total, mine = 0.0, {os.getpid()}
    rows: dict[int, tuple[int, float]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                told = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            rows[int(folder.name)] = int(told[1]), (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")
    while more := {number for number, (parent, _) in rows.items() if parent in mine and number not in mine}:
        mine |= more
    for number in mine & rows.keys():
        total += rows[number][1]
    return total


def main() -> int:
    """Print the figures with their limit. Return 1 if the limit is exceeded."""
    parser = argparse.ArgumentParser(description="Measure the trading engine under load.")
    parser.add_argument("--seconds", type=int, default=30, help="how long to measure (default: 30)")
    seconds: int = parser.parse_args().seconds
    markets = [Market(number) for number in range(SYMBOLS)]
    with tempfile.TemporaryDirectory() as folder:
        engine = begun(folder, markets)
        streams = Streams(engine)
        longest, begin, used, fired = 0.0, 0.0, 0.0, 0
        for second in range(WARM + seconds):
            if second == WARM:
                begin, used, fired, longest = time.monotonic(), spent(), firings(engine), 0.0
            since = time.monotonic()
            texts: list[str] = []
            for number, market in enumerate(markets):
                texts.append(message(name(number), market.bar(), closed=True))
                texts.append(message(name(number), market.begun(), closed=False))
            engine.process([found for found in map(parsed, texts) if found is not None])
            took = time.monotonic() - since
            longest = max(longest, took)
            time.sleep(max(1 - took, 0))
        elapsed, used, fired = time.monotonic() - begin, spent() - used, firings(engine) - fired
        engine.close()
        streams.join()
    share = 100 * used / elapsed
    print(
        f"{SUBSCRIBERS} subscribers, {4 * SUBSCRIBERS} alerts, {SYMBOLS} symbols, {elapsed:.0f} s, a bar a second each"
    )
    print(f"alerts fired            {fired / elapsed:8.1f} a second ({streams.got} were pushed in all)")
    print(f"longest round           {1000 * longest:8.0f} ms")
    print(f"processor time          {share:8.1f} % of one core (at most {MOST:.0f} %)")
    return int(share > MOST)


def firings(engine: TradingEngine) -> int:
    """Return how many alerts have fired."""
    row = engine.store.row("select count(*) as count from firing")
    return row["count"] if row is not None else 0


if __name__ == "__main__":
    sys.exit(main())
