"""What is asked of a run: a script, the bars to run it on, and how a strategy trades. All of it is plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from pinebench.market.bars import Bars, SymbolInfo
from pinebench.market.rates import Rates
from pinebench.runtime.chart import Look
from pinebench.runtime.guard import Budget
from pinebench.runtime.requests import Source


class Stop(NamedTuple):
    """Why a worker had to be ended: the code of the error, and file, row and function of each frame that was running,
    innermost first."""

    code: str
    frames: tuple[tuple[str, int, str], ...] = ()


@dataclass(frozen=True)
class Request:
    """A script to run on bars.

    `inputs` are values by the title of the input, else by its variable; `others` the bars of other symbols by ticker;
    with `samples` the symbols of the sample market can be asked for too. `libraries` are folders with the libraries
    that are imported; `clock` is what `timenow` says, in milliseconds UTC.

    The rest is for strategies: `properties` replace arguments of the declaration; `lower` are shorter bars by which
    orders are filled inside a bar, `standard` the bars of the same times by which they are filled where the chart's own
    are not market prices; orders are taken from the time `first` on, and the run ends before `last` (milliseconds UTC).
    """

    source: str
    bars: Bars
    symbol: SymbolInfo
    inputs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    others: Mapping[str, Source] = field(default_factory=dict[str, Source])
    samples: bool = False
    libraries: tuple[str, ...] = ()
    clock: int | None = None
    budget: Budget = field(default_factory=Budget)
    properties: Mapping[str, Any] = field(default_factory=dict[str, Any])
    rates: Rates | None = None
    lower: Bars | None = None
    standard: Bars | None = None
    first: int | None = None
    last: int | None = None
    as_of: date | None = None
    """The day whose defaults of TradingView hold for a strategy; without it `LANGUAGE_DATE`."""
    look: Look = field(default_factory=Look)
    """How the chart looks to the script; its standard bars are those that `standard` may be for a strategy."""
    stop: Stop | None = None
    """Where a worker had to be ended: the script is not run again, and its result says why it was stopped."""
