"""Runs a script on bars in a worker, so that it can be stopped and holds nothing up."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from pinebench.context import Context

if TYPE_CHECKING:
    from pinebench.execution.request import Request
    from pinebench.market.loading import Data

SECONDS = 120.0
"""Longest run."""
SAMPLE = "sample:"
"""What stands before the name of a sample symbol, where a file of bars could be named."""


def ask(text: str, libraries: tuple[str, ...], bars: str, context: Context) -> dict[str, Any]:
    """What came of the script `text` on `bars`: the path of a file, or `sample:SYMBOL[@TIMEFRAME[xCOUNT]]`.

    Raises UsageError for what cannot be run, and what `context` raises when the run is stopped.
    """
    from functools import partial

    from pinebench.execution.executing import execute
    from pinebench.execution.request import Request
    from pinebench.market.bars import Bars, SymbolInfo

    request = Request(text, Bars(), SymbolInfo(), libraries=libraries)
    return execute(request, partial(shown, bars=bars), context.narrowed(SECONDS))


def bars_of(name: str) -> Data:
    """The bars that `name` means. Raises UsageError where there are none."""
    from pathlib import Path

    from pinebench.market.loading import load_named

    return load_named(name if name.startswith(SAMPLE) else str(Path(name).expanduser()))


def shown(request: Request, bars: str) -> dict[str, Any]:
    """What the panel shows of a run on the bars that are called `bars`; they are read in the worker, too."""
    from dataclasses import replace

    from pinebench.execution import testing_report
    from pinebench.execution.performing import perform
    from pinebench.printable import printable
    from pinebench.runtime.report import report

    data = bars_of(bars)
    started = time.perf_counter()
    ran = perform(replace(request, bars=data.bars, symbol=data.symbol))
    told, tested = report(ran.result), ran.tested
    columns = (data.bars.time, data.bars.open, data.bars.high, data.bars.low, data.bars.close)
    return {
        "symbol": data.symbol.symbol or "",
        "timeframe": data.symbol.timeframe,
        "candles": [list(each) for each in zip(*columns, strict=True)],
        "plots": told["plots"],
        "alerts": len(told["alerts"]),
        "logs": [each["message"] for each in told["logs"]][-50:],
        "notes": told["notes"],
        "error": told["error"],
        "figures": testing_report.as_text(tested, printable) if tested is not None else "",
        "trades": [_trade(each) for each in tested.trades] if tested is not None else [],
        "seconds": time.perf_counter() - started,
    }


def _trade(trade: Any) -> dict[str, Any]:
    return {name: getattr(trade, name) for name in ("entry_bar", "exit_bar", "profit", "side")}
