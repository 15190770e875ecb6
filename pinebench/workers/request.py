"""The request to run a script: the script, the bars, and how a strategy trades. It is plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, NamedTuple

from pinebench.market import Bars, Rates, SymbolInfo
from pinebench.runtime import Look, RequestSource, RunBudget

Tier = Literal["auto", "python", "compiled"]
"""The way a script runs: as Python, as machine code where that is possible, or as what costs less."""


class WorkerStop(NamedTuple):
    """The reason why a worker had to be ended: the code of the error, and the stack frames that were running.

    A frame is a file, a line and a function; the innermost one comes first. `spent` is the processor time in seconds
    used until then; None if it is unknown.
    """

    code: str
    frames: tuple[tuple[str, int, str], ...] = ()
    spent: float | None = None


@dataclass(frozen=True)
class Request:
    """A script to run on bars.

    `inputs` maps titles of inputs, or their variables, to values. `others` maps tickers to bars of other symbols. With
    `samples`, the script can also request the symbols of the sample market. `libraries` are folders with imported
    libraries. `clock` is the value of `timenow`, in milliseconds UTC. The run ends before `last` (milliseconds UTC).

    The other fields are for strategies. `properties` replace arguments of the declaration. `lower` are shorter bars
    that decide how orders are filled inside a bar. `standard` are bars of the same times with market prices, for fills
    on a chart whose own bars are not market prices. Orders before the time `first` (milliseconds UTC) are ignored.
    """

    source: str
    bars: Bars
    symbol: SymbolInfo
    inputs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    others: Mapping[str, RequestSource] = field(default_factory=dict[str, RequestSource])
    samples: bool = False
    libraries: tuple[str, ...] = ()
    clock: int | None = None
    budget: RunBudget = field(default_factory=RunBudget)
    properties: Mapping[str, Any] = field(default_factory=dict[str, Any])
    rates: Rates | None = None
    lower: Bars | None = None
    standard: Bars | None = None
    first: int | None = None
    last: int | None = None
    as_of: date | None = None
    """The day of TradingView's defaults for a strategy; without it, `LANGUAGE_DATE`."""
    look: Look = field(default_factory=Look)
    """The look of the chart, which a script can read. A strategy may be filled on its standard bars."""
    tier: Tier = "auto"
    """The way the script runs. The result is the same."""
    stop: WorkerStop | None = None
    """Set if a worker had to be ended: then the script is not run again, and its result says why it was stopped."""
