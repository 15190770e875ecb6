"""The built-ins that machine code computes: their functions, their state, and their results.

Most are made of the classes in `runtime.library`, which are then their only definition (`lowering`). The others have a
function in `kernels` that is written by hand, and a row here with its places.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from pinebench.compiled.lowering import Lowering, Part, returned
from pinebench.runtime import builtins as library

NA = float("nan")
_SUM = {0: NA}
_AVERAGE = {0: NA, 3: NA, 4: NA}
_LENGTH = {"length": (1, "int")}
_WINDOW = {0: NA, 2: -1.0, 3: 1.0}
_EXTREME = {0: NA, 2: -1.0, 3: NA, 4: -1.0, 5: -1.0}
KEPT = 20_000.0
"""The bars that a window keeps if its length can change from bar to bar (`HISTORY_LIMIT`)."""


@dataclass(frozen=True)
class Builtin:
    """A stateful built-in: its function, the number of places of its state, and those that do not begin with 0.

    `windows` are the windows of bars in its state; None if its length must not change from bar to bar. `results` are
    the kinds of its results: `f` a float, `i` a whole number, `b` a bool.
    """

    function: str
    places: int
    first: dict[int, float] = field(default_factory=dict)
    results: str = "f"
    windows: tuple[int, ...] | None = ()
    fields: dict[str, tuple[int, str]] = field(default_factory=dict)
    """The slots of its class that lowered kernels read, with their places and kinds."""


def _at(*parts: tuple[int, dict[int, float]]) -> dict[int, float]:
    return {place + k: value for place, first in parts for k, value in first.items()}


BY_HAND: dict[str, Builtin] = {
    "Sum": Builtin("math_sum", 9, _SUM, windows=None, fields=_LENGTH),
    "Sma": Builtin("sma", 9, _SUM, windows=None, fields=_LENGTH),
    "Ema": Builtin("ema", 13, _AVERAGE),
    "Rma": Builtin("rma", 13, _AVERAGE),
    "Wma": Builtin("wma", 8, _WINDOW, windows=(0,)),
    "Hma": Builtin("hma", 24, _at((0, _WINDOW), (8, _WINDOW), (16, _WINDOW)), windows=(0, 8, 16)),
    "Swma": Builtin("swma", 8, {**_WINDOW, 3: 4.0}),
    "Alma": Builtin("alma", 9, _WINDOW, windows=(0,)),
    "Change": Builtin("change", 7, _WINDOW, windows=(0,)),
    "ChangeOfBool": Builtin("change_of_bool", 7, _WINDOW, "b", windows=(0,)),
    "Mom": Builtin("change", 7, _WINDOW, windows=(0,)),
    "Roc": Builtin("roc", 7, _WINDOW, windows=(0,)),
    "Dev": Builtin("dev", 17, _at((0, _WINDOW), (8, _SUM)), windows=None),
    "Cci": Builtin("cci", 17, _at((0, _WINDOW), (8, _SUM)), windows=None),
    "Highest": Builtin("highest", 9, _EXTREME, windows=None, fields=_LENGTH),
    "Lowest": Builtin("lowest", 9, _EXTREME, windows=None, fields=_LENGTH),
    "HighestBars": Builtin("highest_bars", 9, _EXTREME, "i", windows=None),
    "LowestBars": Builtin("lowest_bars", 9, _EXTREME, "i", windows=None),
    "HighestOfBars": Builtin("highest_of_bars", 9, _EXTREME, windows=None),
    "LowestOfBars": Builtin("lowest_of_bars", 9, _EXTREME, windows=None),
    "HighestBarsOfBars": Builtin("highest_bars_of_bars", 9, _EXTREME, "i", windows=None),
    "LowestBarsOfBars": Builtin("lowest_bars_of_bars", 9, _EXTREME, "i", windows=None),
    "PivotHigh": Builtin("pivot_high", 9, {**_WINDOW, 7: -1.0, 8: -1.0}, windows=(0,)),
    "PivotLow": Builtin("pivot_low", 9, {**_WINDOW, 7: -1.0, 8: -1.0}, windows=(0,)),
    "PivotHighOfBars": Builtin("pivot_high_of_bars", 9, {**_WINDOW, 7: -1.0, 8: -1.0}, windows=(0,)),
    "PivotLowOfBars": Builtin("pivot_low_of_bars", 9, {**_WINDOW, 7: -1.0, 8: -1.0}, windows=(0,)),
    "ValueWhen": Builtin("value_when", 6, {0: NA, 5: NA}),
    "ValueWhenColor": Builtin("value_when", 6, {0: NA, 5: NA}),
    "ValueWhenBool": Builtin("value_when", 6, {0: NA}),
    "Linreg": Builtin("linreg", 6, _SUM, windows=None),
}
_LOWERED = (
    "ta.crossover ta.crossunder ta.cross ta.rising ta.falling ta.barssince fixnan#1 ta.cum ta.max ta.min ta.rsi "
    "ta.macd ta.tsi ta.tr ta.atr ta.kc ta.kcw ta.dmi ta.supertrend ta.sar ta.vwap#0 ta.vwma ta.cmo ta.mfi ta.variance "
    "ta.stdev ta.bb ta.bbw ta.correlation ta.stoch ta.wpr"
).split()
"""The stateful built-ins whose classes are their only definition, by their names in `runtime.builtins.KERNELS`."""
_SAME = {"FixnanColor": "Fixnan"}
"""The classes whose machine code is another class's, because a colour is a float there."""


@cache
def _lowered() -> tuple[dict[str, Builtin], str]:
    """The built-ins that are made of classes, and their code."""
    lowering = Lowering(
        {name: Part(one.function, one.places, one.first, one.fields, one.windows) for name, one in BY_HAND.items()}
    )
    found: dict[str, Builtin] = {}
    for name in _LOWERED:
        cls = library.KERNELS[name]
        record = lowering.record(cls)
        results = returned(cls).removeprefix("tuple[").rstrip("]").split(", ")
        letters = "".join(each[0] for each in results)
        found[cls.__name__] = Builtin(lowering.method(cls), record.size, record.first, letters, record.windows)
    return found | {name: found[other] for name, other in _SAME.items()}, lowering.text()


@cache
def kernels() -> dict[str, Builtin]:
    """The stateful built-ins, by the names of the classes in `runtime.library` that compute them."""
    return BY_HAND | _lowered()[0]


def lowered_code() -> str:
    """The code of the built-ins that are made of classes."""
    return _lowered()[1]
