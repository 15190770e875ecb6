"""A process for the tests of kills: an engine under load, which begins where the last one ended."""

import sys
import time
from functools import cache

from pinebench.engine.engine import EngineSettings, TradingEngine
from pinebench.engine.risk import RiskLimits
from pinebench.engine.series import Key
from pinebench.market import Bars
from tests.engine.markets import FREE, Clock, ends, info, ticks, walk

SUBJECTS = 4
HISTORY = 50
PACE = 0.002


def keys(count: int) -> list[Key]:
    return [(f"COIN{number}", "1m") for number in range(count)]


@cache
def market(number: int, count: int) -> Bars:
    return walk(count, seed=100 + number)


def prepare(folder: str, series: int, count: int) -> TradingEngine:
    """An engine whose history is what a feed would give it: everything that it has worked on, and what came after."""
    clock = Clock()
    engine = TradingEngine(
        EngineSettings(folder, terms=FREE, limits=RiskLimits(orders_a_minute=None, open_orders=None), clock=clock)
    )
    for number, key in enumerate(keys(series)):
        bars = market(number, count)
        last = engine.last(key)
        known = HISTORY if last is None else bars.time.index(last) + 1
        clock.time = max(clock.time, bars.time[known - 1] + 60_000)
        part = bars.at(range(known))
        engine.process(engine.follow(key, info(key), part, ends(part)))
    return engine


def order(engine: TradingEngine, subject: str, key: Key, at: int) -> None:
    """Place a bracket on every eighth bar, alternately to both sides."""
    if at % 8 or engine.store.setting(f"{subject} {key[0]} {at}") is not None:
        return
    side = "buy" if at % 16 else "sell"
    away = 1.004 if side == "buy" else 0.996
    price = engine.price(key[0]) or 100.0
    with engine.store.transaction():
        engine.store.set(f"{subject} {key[0]} {at}", "placed")
        engine.place_order(subject, key[0], side, 1, take_profit=price * away, stop_loss=price * (2 - away))


def main(folder: str, series: int, count: int) -> None:
    """Play the rest of the market, and say when it is over."""
    engine = prepare(folder, series, count)
    assert isinstance(engine.clock, Clock)
    markets = [market(number, count) for number in range(series)]
    begin = min(len(engine.window(*key).time) for key in keys(series))  # type: ignore[union-attr]
    print("begun", begin, flush=True)
    for at in range(begin, count):
        for number, key in enumerate(keys(series)):
            last = engine.last(key)
            if last is not None and last >= markets[number].time[at]:
                continue
            for subject in range(SUBJECTS):
                order(engine, f"user{subject}", key, at)
            for update in ticks(markets[number], at, key):
                engine.clock.time = max(engine.clock.time, update.event)
                engine.process([update])
        print("bar", at, flush=True)
        time.sleep(PACE)
    engine.close()
    print("over", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
