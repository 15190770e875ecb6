"""The functions of the broker that are made of its classes (`lowering`), for the rest of the broker in `trading`.

A function has the name of its class or module and its own name: `Account_fee`, `margin_admits`. Each of them has the
memory of a run first, and the place of a record where the class has many objects.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

from pinebench.broker import Account, Grid, Leg, Order, Position, Slippage, Tally, margin, matching, variables
from pinebench.compiled import kernels, lists, numerals, pools
from pinebench.compiled.layouts import BROKER
from pinebench.compiled.lowering import Lowering
from pinebench.compiled.objects import ObjectFunction

METHODS: dict[type, str] = {
    Account: "bound default_quantity fee margin share whole_lots",
    Grid: "limit nearest stop",
    Slippage: "expected paid",
    Position: "add equity reduce",
    Tally: "evens losses lost lost_percent percent wins won won_percent",
    Order: "is_market sized_at",
    Leg: "reach set_prices trail wanted",
}
"""The methods that `trading` calls. The functions that these call are made, too."""
FUNCTIONS: tuple[Callable[..., Any], ...] = (
    margin.admits,
    margin.admits_call,
    margin.liquidation_price,
    margin.missing,
    margin.shortfall,
    matching.leaves,
    matching.meets,
    matching.path,
    variables.mean_of,
    variables.percent_of,
)
"""The functions that `trading` calls."""


@cache
def code() -> str:
    """The code of the functions."""
    lowering = Lowering(BROKER, ObjectFunction)
    for cls, names in METHODS.items():
        for name in names.split():
            lowering.method(cls, name)
    for function in FUNCTIONS:
        lowering.function(function)
    return lowering.text()


def modules() -> list[ModuleType]:
    """The modules with the classes and functions."""
    names = {each.__module__ for each in (*METHODS, *FUNCTIONS)}
    return [sys.modules[name] for name in sorted(names)]


@cache
def _as_python() -> dict[str, Any]:
    names: dict[str, Any] = {**vars(math), **vars(numerals), **vars(kernels), **vars(lists), **vars(pools)}
    exec(compile(code(), "<the broker>", "exec"), names)
    return names


class LoweredFunction:
    """A function that runs as Python in tests."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, *given: Any) -> Any:
        return _as_python()[self._name](*given)


def __getattr__(name: str) -> Any:
    if not name[:1].isalpha() or "_" not in name:
        raise AttributeError(name)
    return LoweredFunction(name)
