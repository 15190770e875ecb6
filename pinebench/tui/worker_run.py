"""Runs a script on bars in a worker, so that it can be stopped and does not block the workbench."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

from pinebench.context import CancelledError, Context
from pinebench.errors import UsageError
from pinebench.printable import printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pinebench.market import Data
    from pinebench.workers.request import Request

_LAST_LOGS = 5
"""The number of last lines of the log that are shown."""
SECONDS = 120.0
"""The longest time that a run may take, in seconds."""
MOST = 500
"""The largest number of combinations of an optimization; more are drawn at random."""
SAMPLE = "sample:"
"""The prefix of a sample symbol's name. A name without it is the path of a file of bars."""


def ask(
    text: str, libraries: tuple[str, ...], bars: str, context: Context, inputs: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Run the script `text` on `bars`, and return the run's data for the panel.

    `bars` is the path of a file, or `sample:SYMBOL[@TIMEFRAME[xCOUNT]]`. `inputs` maps titles of inputs to values.
    Raises UsageError if the script cannot be run, and CancelledError or DeadlineError if `context` stops the run.
    """
    from pinebench.market import Bars, SymbolInfo
    from pinebench.workers.dispatch import execute
    from pinebench.workers.request import Request

    request = Request(text, Bars(), SymbolInfo(), dict(inputs or {}), libraries=libraries)
    return execute(request, partial(shown, bars=bars), context.narrowed(SECONDS))


def optimize(
    text: str, libraries: tuple[str, ...], bars: str, ranges: Sequence[str], metric: str, context: Context
) -> dict[str, Any]:
    """Run the strategy `text` on `bars` with many inputs. Return the result in the form of `sweeps.page.data_of`, with
    facts about the bars.

    `ranges` are texts such as `Length=5:50:5`; if there are none, the script's own ranges are used. At most `MOST`
    combinations run. If the work is cancelled, the results are from the finished runs. Progress is reported to
    `context`. Raises UsageError for a script, a range or a metric that cannot be used.
    """
    from pinebench.checker import open_program
    from pinebench.market import SymbolInfo
    from pinebench.runtime import refuse
    from pinebench.sweeps.executors import Stoppable
    from pinebench.sweeps.optimization import OptimizationPlan, Optimizer
    from pinebench.sweeps.page import data_of
    from pinebench.sweeps.space import space_of
    from pinebench.workers.jobs import request_of

    program = open_program(text, libraries, fresh=True)
    refuse(program, 0, SymbolInfo())
    try:
        space = space_of(program, ranges)
    except UsageError as error:
        raise UsageError(error.message.removeprefix("--input "), error.hint) from None
    fits = space.size <= MOST
    plan = OptimizationPlan.of(space, metric, search="grid" if fits else "random", trials=None if fits else MOST)
    data = bars_of(bars)
    request = request_of(program, data.bars, data.symbol)

    def is_stopped() -> bool:
        try:
            context.check_cancelled()
        except CancelledError:
            return True
        return False

    with Optimizer(program, request, plan) as optimizer:
        found = optimizer.run(Stoppable(is_stopped), lambda progress: context.progress(f"optimizing: {progress}"))
    return {
        **data_of(found, ""),
        "complete": found.is_whole,
        "bars": len(data.bars),
        "symbol": data.symbol.symbol,
        "read": [data.summary, *data.remarks],
    }


def bars_of(name: str) -> Data:
    """Load the bars called `name`. Raises UsageError if there are none."""
    from pathlib import Path

    from pinebench.market import load_named

    return load_named(name if name.startswith(SAMPLE) else str(Path(name).expanduser()))


def shown(request: Request, bars: str) -> dict[str, Any]:
    """Run the script of `request` on the bars called `bars`, and return the data for the panel. The worker calls this
    function, so the bars are read there."""
    from dataclasses import replace

    from pinebench.backtesting import backtest_report
    from pinebench.runtime import report
    from pinebench.workers.jobs import perform

    data = bars_of(bars)
    started = time.perf_counter()
    ran = perform(replace(request, bars=data.bars, symbol=data.symbol))
    told, tested = report.report(ran.result), ran.tested
    columns = (data.bars.time, data.bars.open, data.bars.high, data.bars.low, data.bars.close)
    return {
        "symbol": data.symbol.symbol or "",
        "timeframe": data.symbol.timeframe,
        "candles": [list(each) for each in zip(*columns, strict=True)],
        "plots": told["plots"],
        "alerts": len(told["alerts"]),
        "logs": [each["message"] for each in told["logs"]][-_LAST_LOGS:],
        "earlier_logs": max(len(told["logs"]) - _LAST_LOGS, 0),
        "read": [data.summary, *data.remarks],
        "notes": told["notes"],
        "error": told["error"],
        "figures": backtest_report.as_text(tested, printable) if tested is not None else "",
        "trades": [_trade(each) for each in tested.trades] if tested is not None else [],
        "seconds": time.perf_counter() - started,
    }


def _trade(trade: Any) -> dict[str, Any]:
    return {name: getattr(trade, name) for name in ("entry_bar", "exit_bar", "profit", "side")}
