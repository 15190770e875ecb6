"""A recording: the bars of a chart, a script on it, and the values and trades that the chart shows for the script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from pinebench.market import Bars, SymbolInfo

History = Literal["whole", "part", "unknown"]
"""Whether the bars are all the bars that the script had on the chart. If they are only a part of them, the first values
differ."""

TOO_GREAT = 1e99
"""Numbers from here on mean that there is no value: TradingView sends 1e100 for na."""


class Plot(NamedTuple):
    """One plot: its title, its kind (as TradingView names it), and its value on each bar."""

    title: str
    kind: str
    values: Sequence[float | None]
    shows_zero: bool = True
    """Whether something is drawn at the value 0. Of a plot that was read from a chart or a file, this is not known."""


class RecordedTrade(NamedTuple):
    """One trade. Times are milliseconds UTC. An open trade has no exit. None is a missing value."""

    side: str
    entry_time: int | None
    entry_price: float | None
    entry_signal: str | None
    exit_time: int | None
    exit_price: float | None
    exit_signal: str | None
    qty: float | None
    profit: float | None
    cumulative_profit: float | None
    run_up: float | None
    drawdown: float | None


class LeftOut(NamedTuple):
    """Something on the chart that is not compared: its name, its count, and the reason."""

    what: str
    number: int
    reason: str


@dataclass(frozen=True)
class Recording:
    """The values and trades that a chart showed for one script, with its bars and inputs.

    `inputs` maps TradingView's names (`in_0`) to values, and `properties` replace arguments of `strategy()`. `trades`
    is None for an indicator, and if the chart has no list of trades. `is_open` is True if the last bar had not closed.
    `is_certain` is True if `script` is exactly the version that ran on the chart. `assumed` lists properties of the
    symbol that the chart does not give. `day` is the day of the recording (ISO 8601).
    """

    script: str
    symbol: SymbolInfo
    bars: Bars
    plots: Sequence[Plot] = ()
    trades: Sequence[RecordedTrade] | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    properties: Mapping[str, Any] = field(default_factory=dict[str, Any])
    history: History = "unknown"
    is_open: bool = False
    is_certain: bool = True
    left_out: Sequence[LeftOut] = ()
    assumed: Sequence[str] = ()
    day: str = ""


def known(value: Any) -> float | None:
    """Return a value of a plot as a number; None for na, for the number that TradingView sends for na, and for infinite
    numbers."""
    if isinstance(value, bool):
        return float(value)
    if not isinstance(value, int | float):
        return None
    return float(value) if -TOO_GREAT < value < TOO_GREAT else None
