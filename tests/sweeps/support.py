"""Scripts and bars of the tests of sweeps."""

import math
import random
from typing import Any

from pinebench.checker import open_program
from pinebench.market import Bars, SymbolInfo
from pinebench.sweeps.executors import own
from pinebench.sweeps.optimization import OptimizationPlan, OptimizationResult, Optimizer
from pinebench.sweeps.space import space_of
from pinebench.workers.jobs import request_of
from pinebench.workers.request import Request

CROSS = """//@version=6
strategy("Cross", default_qty_type = strategy.percent_of_equity, default_qty_value = 50)
fast = input.int(10, "Fast", minval = 2, maxval = 40)
slow = input.int(30, "Slow", minval = 10, maxval = 200)
mode = input.string("EMA", "Mode", options = ["EMA", "SMA"])
a = mode == "EMA" ? ta.ema(close, fast) : ta.sma(close, fast)
b = mode == "EMA" ? ta.ema(close, slow) : ta.sma(close, slow)
if ta.crossover(a, b)
    strategy.entry("Long", strategy.long)
if ta.crossunder(a, b)
    strategy.entry("Short", strategy.short)
"""
HOUR = 3_600_000


def walk(seed: int, count: int, *, trend: float = 0.0, length: int = 40) -> Bars:
    """Hourly bars of a random walk. `trend` is the drift, in deviations of a bar, of phases up and down in turn, which
    end after `length` bars on average; 0 for pure noise."""
    chance = random.Random(seed)
    deviation, price, side = 0.01, 100.0, 1
    bars = Bars()
    for number in range(count):
        if chance.random() < 1 / length:
            side = -side
        steps = [chance.gauss(0, deviation / 2) for _ in range(4)]
        path = [price]
        for step in steps:
            path.append(path[-1] * math.exp(step + trend * side * deviation / 4))
        bars.append(number * HOUR, path[0], max(path), min(path), path[-1], 1.0)
        price = path[-1]
    return bars


SYMBOL = SymbolInfo(timeframe="60", mintick=0.0001, mincontract=0.000001)


def request(source: str, bars: Bars, **more: Any) -> Request:
    """The request to run a script on hourly bars."""
    return request_of(open_program(source), bars, SYMBOL, **more)


def with_other_end(bars: Bars, first: int) -> Bars:
    """The bars with other prices from the bar `first` on."""
    other = walk(999, len(bars), trend=0.5)
    columns = zip(bars.columns()[1:], other.columns()[1:], strict=True)
    return Bars(list(bars.time), *(one[:first] + two[first:] for one, two in columns))


def optimized(source: str, bars: Bars, *ranges: str, resume: bool = False, **plan: Any) -> OptimizationResult:
    """The script optimized with these ranges."""
    program = open_program(source)
    made = OptimizationPlan.of(space_of(program, ranges), **plan)
    with Optimizer(program, request(source, bars), made, resume=resume) as optimizer, own() as hands:
        return optimizer.run(hands)
