"""Runs a recorded script on the recorded bars."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from pinebench.backtesting.trade_list import rows
from pinebench.context import Context
from pinebench.errors import PinebenchError
from pinebench.runtime import NotComputed, Output
from pinebench.verification.recordings import Plot, RecordedTrade, Recording, known
from pinebench.workers.dispatch import execute
from pinebench.workers.jobs import perform
from pinebench.workers.request import Request

_KINDS = {"plot": "line", "plotshape": "shapes", "plotchar": "chars", "plotarrow": "arrows"}
_CANDLES = ("plotcandle", "plotbar")
_PRICES = ("open", "high", "low", "close")


class Rerun(NamedTuple):
    """The result of our run: its plots, and for a strategy its trades and initial capital; or the reason why there is
    no result."""

    plots: Sequence[Plot] = ()
    trades: Sequence[RecordedTrade] | None = None
    problem: str | None = None
    capital: float | None = None


def rerun(recording: Recording, first: int = 0, context: Context | None = None, capital: float | None = None) -> Rerun:
    """Run the recorded script on the recorded bars from the index `first` on. `capital` replaces its initial capital,
    in the account's currency."""
    bars = recording.bars.at(range(first, len(recording.bars))) if first else recording.bars
    day = date.fromisoformat(recording.day) if recording.day else None
    request = Request(
        recording.script,
        bars,
        recording.symbol,
        inputs=dict(recording.inputs),
        properties={**recording.properties, **({} if capital is None else {"initial_capital": capital})},
        as_of=day,
    )
    try:
        told = execute(request, _told, context)
    except NotComputed as refusal:
        return Rerun(problem=f"pinebench does not compute {refusal.name}")
    except PinebenchError as error:
        return Rerun(problem=f"pinebench does not run the script: {error.message}")
    if told["error"] is not None:
        return Rerun(problem=f"the script stops here with an error: {told['error']}")
    trades = None if told["trades"] is None else [RecordedTrade(*each) for each in told["trades"]]
    return Rerun([Plot(*each) for each in told["plots"]], trades, capital=told["capital"])


def _told(request: Request) -> dict[str, Any]:
    """Run the script in a worker, and return plain values."""
    ran = perform(request)
    error = ran.result.error
    if error is not None:
        return {"error": error.message, "plots": [], "trades": None, "capital": None}
    plots = [tuple(plot) for output in ran.result.outputs for plot in plots_of(output)]
    trades: list[tuple[Any, ...]] | None = None
    if ran.tested is not None:
        trades = [tuple(row[name] for name in RecordedTrade._fields) for row in rows(ran.tested)]
    capital = None if ran.tested is None else ran.tested.initial_capital
    return {"error": None, "plots": plots, "trades": trades, "capital": capital}


def plots_of(output: Output) -> list[Plot]:
    """Return the plots of one call: candles and bars have four, fills and backgrounds have none."""
    if output.function in _CANDLES:
        return [
            Plot(f"{output.title} {name}".strip(), f"ohlc_{name}", list(map(known, output.columns[name])))
            for name in _PRICES
            if name in output.columns
        ]
    if output.function not in _KINDS:
        return []
    values = output.columns.get("series", [])
    is_at_price = output.settings.get("location") == "absolute" and not any(value is False for value in values)
    shows_zero = output.function == "plot" or is_at_price
    return [Plot(output.title, _KINDS[output.function], list(map(known, values)), shows_zero)]
