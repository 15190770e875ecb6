"""Runs scripts from Python: takes source text and bars, and returns columns of numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pinebench.execution.executing import execute
from pinebench.execution.request import Request
from pinebench.extras import missing
from pinebench.market import Bars, SymbolInfo, bars_of, load, tick_of, timeframe_of
from pinebench.runtime import Alert, Drawing, Log, RuntimeFault, Source, shown

if TYPE_CHECKING:
    import numpy


@dataclass(frozen=True)
class Result:
    """The results of a run: `times` in milliseconds UTC, and by title the values of each plot, one for each bar.

    na is nan. A plot without a title is called `Plot 1` and so on; a repeated title gets a number. `error` is the error
    that stopped the script, or None. A stopped script has no values.
    """

    times: numpy.ndarray
    plots: dict[str, numpy.ndarray]
    alerts: list[Alert]
    logs: list[Log]
    drawings: dict[str, list[Drawing]]
    notes: list[str]
    error: RuntimeFault | None


def run(
    source: str,
    bars: Any,
    inputs: Mapping[str, Any] | None = None,
    *,
    symbol: SymbolInfo | None = None,
    others: Mapping[str, Any] | None = None,
    libraries: tuple[str, ...] = (),
    clock: int | None = None,
) -> Result:
    """Run the script `source` on `bars`; the orders of a strategy are filled as by the command `backtest`.

    Bars are `Bars`, a data frame of pandas or polars, a table of Arrow, columns by their names, or the path of a file.
    `others` are the bars of other symbols, by the names that requests use. `inputs` are values by the title of the
    input, or by its variable. Without `symbol`, the timeframe and the tick are found from the bars. `libraries` are
    folders with imported libraries. `clock` is the value of `timenow`, in milliseconds UTC.

    Raises UsageError if the bars are not valid, an input is unknown, or the script does not compile. Raises NotComputed
    if pinebench does not compute a feature, and UnavailableError without numpy (the extra `run`).
    """
    try:
        import numpy
    except ImportError:
        raise missing("a run with columns as arrays", "run") from None
    chart = _given(bars, symbol)
    known = {name: _given(given, None) for name, given in (others or {}).items()}
    columns = chart.bars
    prices = (columns.open, columns.high, columns.low, columns.close, columns.volume)
    plain = columns if isinstance(columns, Bars) else Bars(columns.time, *prices)
    about = chart.symbol
    facts = SymbolInfo(**{each.name: getattr(about, each.name) for each in fields(SymbolInfo)})
    request = Request(source, plain, facts, inputs or {}, known, libraries=libraries, clock=clock)
    result = execute(request).result
    names = shown.unique([plot.title or f"Plot {number}" for number, plot in enumerate(result.plots, 1)])
    plots = {name: _array(plot.exported, numpy) for name, plot in zip(names, result.plots, strict=True)}
    return Result(
        numpy.array(result.times, numpy.int64),
        plots,
        result.alerts,
        result.logs,
        result.drawings,
        result.notes,
        result.error,
    )


def _given(bars: Any, symbol: SymbolInfo | None) -> Source:
    if isinstance(bars, Source):
        return bars
    if isinstance(bars, str | PathLike):
        data = load(Path(bars))
        return Source(data.bars, symbol or data.symbol)
    made = bars if isinstance(bars, Bars) else bars_of(bars).bars
    return Source(made, symbol or SymbolInfo(timeframe=timeframe_of(made), mintick=tick_of(made)))


def _array(values: list[Any], numpy: Any) -> Any:
    """An array of bools if all values are bools, else an array of floats."""
    if values and all(isinstance(value, bool) for value in values):
        return numpy.array(values, bool)
    return numpy.array([float("nan") if value is None else value for value in values], float)
