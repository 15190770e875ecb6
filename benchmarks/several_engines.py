"""Measure an engine that shares a log in Redis, under the load of benchmarks/engine.py, in one group of users.

Usage: python benchmarks/several_engines.py [--seconds N]; it needs redis-server.

Every second a feed adds a closed bar and an update of each symbol, the engine processes them, and a copy follows, as in
every other engine and server. Processor time includes all of them, the scripts and the message broker.
"""

import argparse
import sys
import tempfile
import time
import uuid
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.engine import MINUTE, SUBSCRIBERS, SYMBOLS, Market, message, name, spent
from pinebench.engine import EngineSettings
from pinebench.engine.cluster.commands import UserCommand
from pinebench.engine.cluster.copies import Copy
from pinebench.engine.cluster.feed_process import Feeder
from pinebench.engine.cluster.leader import Leader
from pinebench.engine.cluster.log import ClusterLog, NewEntry, changes_of, commands_of, lease_of
from pinebench.engine.feed import parsed
from pinebench.market import Bars, SymbolInfo
from tests.engine.cluster.broker import Broker

HISTORY, WARM = 1_000, 3
SCRIPTS: list[dict[str, object]] = [
    {"pine": "ta.rsi(close, 14) > 75"},
    {"indicator_value": {"indicator": "rsi", "below": 25}},
    {"indicator_signal": {"indicator": "supertrend", "signal": "flip_up"}},
]


def ask(log: ClusterLog, subject: str, command: str, **given: object) -> None:
    """Send a command."""
    body = UserCommand(uuid.uuid4().hex, subject, command, given).written()
    log.append([NewEntry(commands_of(0), body)], uuid.uuid4().hex)


def fill(log: ClusterLog, feed: Feeder, markets: list[Market]) -> None:
    """Add the history and the alerts of all users."""
    for number, market in enumerate(markets):
        bars = Bars()
        for _ in range(HISTORY):
            bars.append(*market.bar(), 1.0)
        info = SymbolInfo(symbol=name(number), timeframe="1")
        feed.follow((name(number), "1m"), info, bars, [each + MINUTE for each in bars.time], market.time)
    feed.process([])
    numbers = Random(0)
    for user in range(SUBSCRIBERS):
        subject, place = f"user{user}", user % SYMBOLS
        ask(log, subject, "subscribe", symbols=None, types=None)
        level = round(markets[place].price * (1 + numbers.gauss(0, 0.01)), 2)
        for condition in (
            {"price_above": level},
            {"crossing": {"level": level}},
            {"percent": {"change": 0.5, "bars": 5}},
            SCRIPTS[user // SYMBOLS % len(SCRIPTS)],
        ):
            more = {"frequency": "once_per_bar", "rearm": "percent" in condition}
            ask(log, subject, "set_alert", symbol=name(place), condition=condition, **more)


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure an engine that shares a log in Redis.")
    parser.add_argument("--seconds", type=int, default=20, help="how long to measure (default: 20)")
    seconds: int = parser.parse_args().seconds
    markets = [Market(number) for number in range(SYMBOLS)]
    with tempfile.TemporaryDirectory() as folder, Broker() as broker:
        log = broker.log()
        lease, led = log.acquire("feed", 10**9), log.acquire(lease_of(0), 10**9)
        assert lease is not None and led is not None
        feed = Feeder(log, lease)
        fill(log, feed, markets)
        copy, follower = Copy(f"{folder}/engine", log, 0), Copy(f"{folder}/copy", log, 0)
        leader = Leader(copy, log, led, EngineSettings(), 1)
        while copy.store.count("alert") < 4 * SUBSCRIBERS:
            leader.step(0)
        while follower.follow(0):
            pass
        times = {"feed": 0.0, "copy": 0.0}
        begin = used = longest = 0.0
        changes = 0
        for second in range(WARM + seconds):
            if second == WARM:
                begin, used, longest = time.monotonic(), spent(), 0.0
                changes, times = log.ends(changes_of(0))[1], dict.fromkeys(times, 0.0)
            since = time.monotonic()
            for what, work in (
                ("feed", lambda: feed.process([each for each in map(parsed, bars_of(markets)) if each is not None])),
                ("engine", lambda: leader.step(0)),
                ("copy", lambda: follower.follow(0)),
            ):
                before = time.thread_time()
                work()
                if what in times:
                    times[what] += time.thread_time() - before
            longest = max(longest, time.monotonic() - since)
            time.sleep(max(1 - (time.monotonic() - since), 0))
        elapsed, used = time.monotonic() - begin, spent() - used
        changes = log.ends(changes_of(0))[1] - changes
        fired = copy.store.count("firing")
        memory = log._redis.info("memory")["used_memory"]  # type: ignore[index]
        leader.close()
    print(f"{SUBSCRIBERS} users, {4 * SUBSCRIBERS} alerts, {SYMBOLS} symbols, {elapsed:.0f} s, a bar a second each")
    print(f"feed, engine, copy and broker   {100 * used / elapsed:6.1f} % of one core")
    print(f"  of it the feed                {100 * times['feed'] / elapsed:6.1f} %")
    print(f"  of it a copy                  {100 * times['copy'] / elapsed:6.1f} %")
    print(f"longest round                   {1000 * longest:6.0f} ms")
    print(f"changes                         {changes / elapsed:6.1f} a second ({fired} alerts fired)")
    print(f"memory of the broker            {memory / 1e6:6.0f} MB")
    return 0


def bars_of(markets: list[Market]) -> list[str]:
    """Return a closed bar and an update of each symbol."""
    texts: list[str] = []
    for number, market in enumerate(markets):
        texts.append(message(name(number), market.bar(), closed=True))
        texts.append(message(name(number), market.begun(), closed=False))
    return texts


if __name__ == "__main__":
    sys.exit(main())
