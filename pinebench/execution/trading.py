"""Who trades for a script while it is watched: the broker for a strategy, nobody for all others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pinebench.broker.emulator import Broker
from pinebench.broker.properties import Properties
from pinebench.check import Program
from pinebench.runtime.chart import BarColumns, Symbol
from pinebench.runtime.runtime import declared


def trader(
    program: Program, symbol: Symbol, properties: Mapping[str, Any] | None = None
) -> Callable[[BarColumns], Broker] | None:
    """What makes a broker for each run of a strategy, None for other scripts; `properties` replace arguments of its
    declaration. Amounts are those of the symbol's currency: a rate changes how much is traded, not when."""
    if program.declaration is None or program.declaration.name != "strategy":
        return None
    known = replace(Properties.of(declared(program)), **dict(properties or {}))

    def made(bars: BarColumns) -> Broker:
        return Broker(
            known,
            bars,
            tick=symbol.mintick,
            point_value=symbol.pointvalue,
            lot=symbol.mincontract,
            currency=symbol.currency,
        )

    return made
