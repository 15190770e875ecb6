"""The tables of implementations: the functions and classes of the library by the names of the built-ins."""

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

MODULES: dict[str, ModuleType] = {
    module.__name__.rpartition(".")[2]: module
    for module in (
        *(arrays, averages, colors, events, extremes, footprint, maps, matrices, momentum, numbers, randomness),
        *(ranks, spread, sums, texts, times, trend, volume),
    )
}
"""The modules that records can name, by their names."""


def computed_by(modules: dict[str, ModuleType], context: bool = False) -> dict[str, Any]:
    """Return the functions and classes of `modules` that compute built-ins, by the names of the built-ins. `context`
    tells whether to return the functions that take the bar's context as their first argument, or all others."""
    found: dict[str, Any] = {}
    for key, (path, argument) in reference.runs().items():
        module, _, name = path.partition(".")
        if module in modules and (argument == "context") == context:
            found[key] = getattr(modules[module], name)
    return found


_PLAIN = computed_by(MODULES)
FUNCTIONS: dict[str, Callable[..., Any]] = {key: made for key, made in _PLAIN.items() if not isinstance(made, type)}
CONTEXT_FUNCTIONS: dict[str, Callable[..., Any]] = computed_by(MODULES, context=True)
KERNELS: dict[str, type[Kernel]] = {key: made for key, made in _PLAIN.items() if isinstance(made, type)}
SOURCES = {key: text.removeprefix("of ") for key, (_, text) in reference.runs().items() if text.startswith("of ")}
