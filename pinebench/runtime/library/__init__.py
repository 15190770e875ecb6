"""What Pine's built-in functions and variables compute, by the names of the reference.

`FUNCTIONS` are plain functions of their arguments, in the reference's order with all defaults filled in.
`CONTEXT_FUNCTIONS` take a `Context` before them. `KERNELS` are classes with state, one object a call site, called with
the index of the bar, the arguments, and what the class `reads` of the bar.

A name with `#` and a number is that overload of the function in the reference, where overloads differ in what they
compute; `#variable` is the variable of a name that is a function as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pinebench.runtime.library import averages, events, extremes, momentum, ranks, spread, sums, trend, volume
from pinebench.runtime.library.kernel import Kernel
from pinebench.runtime.library.randomness import Random

__all__ = ["CONTEXT_FUNCTIONS", "FUNCTIONS", "KERNELS"]

FUNCTIONS: dict[str, Callable[..., Any]] = {}

CONTEXT_FUNCTIONS: dict[str, Callable[..., Any]] = {}

KERNELS: dict[str, type[Kernel]] = {
    "fixnan#0": events.FixnanColor,
    "fixnan#1": events.Fixnan,
    "fixnan#2": events.Fixnan,
    "math.random": Random,
    "math.sum": sums.Sum,
    "ta.accdist": volume.Accdist,
    "ta.alma": averages.Alma,
    "ta.atr": spread.Atr,
    "ta.barssince": events.BarsSince,
    "ta.bb": spread.Bb,
    "ta.bbw": spread.Bbw,
    "ta.cci": spread.Cci,
    "ta.change#0": momentum.Change,
    "ta.change#1": momentum.Change,
    "ta.change#2": momentum.ChangeOfBool,
    "ta.cmo": momentum.Cmo,
    "ta.cog": ranks.Cog,
    "ta.correlation": spread.Correlation,
    "ta.cross": events.Cross,
    "ta.crossover": events.Crossover,
    "ta.crossunder": events.Crossunder,
    "ta.cum": events.Cum,
    "ta.dev": spread.Dev,
    "ta.dmi": trend.Dmi,
    "ta.ema": averages.Ema,
    "ta.falling": events.Falling,
    "ta.highest#0": extremes.HighestOfBars,
    "ta.highest#1": extremes.Highest,
    "ta.highestbars#0": extremes.HighestBarsOfBars,
    "ta.highestbars#1": extremes.HighestBars,
    "ta.hma": averages.Hma,
    "ta.iii": volume.Iii,
    "ta.kc": spread.Kc,
    "ta.kcw": spread.Kcw,
    "ta.linreg": spread.Linreg,
    "ta.lowest#0": extremes.LowestOfBars,
    "ta.lowest#1": extremes.Lowest,
    "ta.lowestbars#0": extremes.LowestBarsOfBars,
    "ta.lowestbars#1": extremes.LowestBars,
    "ta.macd": momentum.Macd,
    "ta.max": events.Max,
    "ta.median": ranks.Median,
    "ta.mfi": momentum.Mfi,
    "ta.min": events.Min,
    "ta.mode": ranks.Mode,
    "ta.mom": momentum.Mom,
    "ta.nvi": volume.Nvi,
    "ta.obv": volume.Obv,
    "ta.percentile_linear_interpolation": ranks.PercentileLinearInterpolation,
    "ta.percentile_nearest_rank": ranks.PercentileNearestRank,
    "ta.percentrank": ranks.PercentRank,
    "ta.pivot_point_levels": trend.PivotPointLevels,
    "ta.pivothigh#0": extremes.PivotHighOfBars,
    "ta.pivothigh#1": extremes.PivotHigh,
    "ta.pivotlow#0": extremes.PivotLowOfBars,
    "ta.pivotlow#1": extremes.PivotLow,
    "ta.pvi": volume.Pvi,
    "ta.pvt": volume.Pvt,
    "ta.range": extremes.Range,
    "ta.rci": ranks.Rci,
    "ta.rising": events.Rising,
    "ta.rma": averages.Rma,
    "ta.roc": momentum.Roc,
    "ta.rsi": momentum.Rsi,
    "ta.sar": trend.Sar,
    "ta.sma": sums.Sma,
    "ta.stdev": spread.Stdev,
    "ta.stoch": extremes.Stoch,
    "ta.supertrend": trend.Supertrend,
    "ta.swma": averages.Swma,
    "ta.tr": spread.Tr,
    "ta.tr#variable": spread.TrVariable,
    "ta.tsi": momentum.Tsi,
    "ta.valuewhen#0": events.ValueWhenColor,
    "ta.valuewhen#1": events.ValueWhen,
    "ta.valuewhen#2": events.ValueWhen,
    "ta.valuewhen#3": events.ValueWhenBool,
    "ta.variance": spread.Variance,
    "ta.vwap#0": volume.Vwap,
    "ta.vwap#1": volume.VwapBands,
    "ta.vwap#variable": volume.VwapVariable,
    "ta.vwma": sums.Vwma,
    "ta.wad": volume.Wad,
    "ta.wma": averages.Wma,
    "ta.wpr": extremes.Wpr,
    "ta.wvad": volume.Wvad,
}
