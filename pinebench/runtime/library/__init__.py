"""The implementations of Pine's built-in functions and variables.

The line `runs` in the record of a built-in in `pinebench.reference.data` names its function or class; only names in the
modules of `MODULES` are possible. `FUNCTIONS` are plain functions of their arguments, in the reference's order and with
all defaults filled in. `CONTEXT_FUNCTIONS` take a `Context` before these arguments. `KERNELS` are classes with state,
with one object for each call site. The object is called with the index of the bar, the arguments, and the values of the
bar that the class `reads`.

A kernel can read a price column (`open`, `high`, `low`, `close`, `volume`, `hlc3`), the variable `session.isfirstbar`,
or `close[1]`. The latter is the close of the bar before, even if the call did not run there, and na on the first bar. A
variable (`ta.obv`, ...) is one series of the chart, so its kernel must be called on every bar. The default of the
anchor of `ta.vwap` is `session.isfirstbar`, which is true on the first bar of the chart.

A name with `#` and a number is one overload of a function, by its number in the reference, if the overloads compute
different things. `#variable` marks a variable whose name is also the name of a function.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from pinebench import reference
from pinebench.runtime.library import (
    arrays,
    averages,
    colors,
    events,
    extremes,
    footprint,
    maps,
    matrices,
    momentum,
    numbers,
    randomness,
    ranks,
    spread,
    sums,
    texts,
    times,
    trend,
    volume,
)
from pinebench.runtime.library.kernel import Kernel

__all__ = ["CONTEXT_FUNCTIONS", "FUNCTIONS", "KERNELS", "MODULES", "computed_by"]

MODULES: dict[str, ModuleType] = {
    module.__name__.rpartition(".")[2]: module
    for module in (
        *(arrays, averages, colors, events, extremes, footprint, maps, matrices, momentum, numbers, randomness),
        *(ranks, spread, sums, texts, times, trend, volume),
    )
}
"""The modules that records can name, by their names."""


def computed_by(modules: dict[str, ModuleType], context: bool = False) -> dict[str, Any]:
    """The functions and classes of `modules` that compute built-ins, by the names of the built-ins.

    With `context`, only those that take the bar's context as their first argument; else only the others.
    """
    found: dict[str, Any] = {}
    for key, (path, takes_context) in reference.runs().items():
        module, _, name = path.partition(".")
        if module in modules and takes_context == context:
            found[key] = getattr(modules[module], name)
    return found


_PLAIN = computed_by(MODULES)
FUNCTIONS: dict[str, Callable[..., Any]] = {key: made for key, made in _PLAIN.items() if not isinstance(made, type)}
CONTEXT_FUNCTIONS: dict[str, Callable[..., Any]] = computed_by(MODULES, context=True)
KERNELS: dict[str, type[Kernel]] = {key: made for key, made in _PLAIN.items() if isinstance(made, type)}
