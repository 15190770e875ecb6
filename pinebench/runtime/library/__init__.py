"""What Pine's built-in functions and variables compute.

Which function or class computes a built-in is said by the line `runs` of its record in `pinebench.reference.data`; what
is in a module of `MODULES` can be named there. `FUNCTIONS` are plain functions of their arguments, in the reference's
order with all defaults filled in. `CONTEXT_FUNCTIONS` take a `Context` before them. `KERNELS` are classes with state,
one object a call site, called with the index of the bar, the arguments, and what the class `reads` of the bar.

What a kernel reads is a price column (`open`, `high`, `low`, `close`, `volume`, `hlc3`), `close[1]` for the close of
the bar before (na on the first, whether or not the call ran there), or the variable `session.isfirstbar`. Variables
(`ta.obv`, ...) are one series of the chart: they are to be called on every bar, wherever a script reads them. The
anchor of `ta.vwap` that a script leaves out is `session.isfirstbar`, which is true on the first bar of the chart.

A name with `#` and a number is that overload of the function in the reference, where overloads differ in what they
compute; `#variable` is the variable of a name that is a function as well.
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
"""The modules that records name, by the names that they have there."""


def computed_by(modules: dict[str, ModuleType], context: bool = False) -> dict[str, Any]:
    """The functions and classes of `modules` that compute built-ins, by the built-ins' names; those that take the
    bar's context first, or the others."""
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
