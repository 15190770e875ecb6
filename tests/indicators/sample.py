"""The sample bars on which the golden numbers of chartgen were computed, and calls that the tests share."""

import math
from typing import Any

from pinebench.indicators import IndicatorRun, asked, compute
from pinebench.indicators.channels import Channels, channels
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.random_bars import random_walk

HOUR = SymbolInfo(symbol="TEST", prefix="X", timeframe="60", mintick=0.01)


def sample(count: int) -> Bars:
    """`count` hourly bars from the Unix time 1700000000 on."""
    return random_walk(count, 1_700_000_000_000, 3_600_000)


def bars(
    *rows: tuple[float, float, float, float, float], begin: int = 1_700_000_000_000, step: int = 3_600_000
) -> Bars:
    """Bars of open, high, low, close and volume."""
    found = Bars()
    for number, row in enumerate(rows):
        found.append(begin + number * step, *row)
    return found


def run(entry: Any, given: Bars, compat: str | None = None, symbol: SymbolInfo = HOUR, **more: Any) -> IndicatorRun:
    return compute(asked([entry], compat)[0], given, symbol, **more)


def shown(entry: Any, given: Bars, compat: str | None = None, symbol: SymbolInfo = HOUR, **more: Any) -> Channels:
    return channels(run(entry, given, compat, symbol, **more))


def line(found: Channels, label: str) -> list[float | None]:
    """The values of a line or a histogram."""
    return next(each.values for each in (*found.lines, *found.histograms) if each.label == label)


def near(value: float | None, wanted: float) -> bool:
    """Whether `value` is `wanted` within 1e-9, relative for large numbers."""
    return value is not None and math.isclose(value, wanted, rel_tol=1e-9, abs_tol=1e-9)
