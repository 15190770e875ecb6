"""Runs or back-tests an open script on bars, and summarizes the result and the data in a few lines."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from pinebench.amounts import counted, money_text
from pinebench.checker import Program
from pinebench.context import Context
from pinebench.errors import UsageError
from pinebench.market import MADE_UP

BARS = 500
"""The default number of bars of the sample market."""
_MOST_BARS = 5000
_SHOWN = 4
"""The largest number of plots, and of remarks, in a message."""


class BarsChoice(NamedTuple):
    """The requested bars: from the file `data`, or the last `bars` of a symbol of the sample market."""

    data: str | None
    symbol: str
    timeframe: str | None
    bars: int


def chosen(market: dict[str, Any], base: str) -> BarsChoice:
    """Return the bars that an editor requests. Paths are relative to the folder `base`. Raises UsageError for invalid
    values, and for a symbol or a number of bars together with a file, whose bars are all used."""
    data, symbol, timeframe = (market.get(name) for name in ("data", "symbol", "timeframe"))
    bars = market.get("bars", BARS)
    for name, value in (("data", data), ("symbol", symbol), ("timeframe", timeframe)):
        if value is not None and not isinstance(value, str):
            raise UsageError(f"'{name}' is not a string: {value!r}")
    if not isinstance(bars, int) or isinstance(bars, bool) or not 1 <= bars <= _MOST_BARS:
        raise UsageError(f"'bars' cannot be {bars!r}", f"expected a number from 1 to {_MOST_BARS}")
    if data and (unused := [name for name in ("symbol", "bars") if name in market]):
        raise UsageError(f"'{unused[0]}' chooses bars of the sample market, and 'data' names a file", "leave one out")
    return BarsChoice(os.path.join(base, data) if data else None, symbol or "NASDAQ:AAPL", timeframe, bars)


def tried(program: Program, choice: BarsChoice, context: Context, *, trade: bool) -> dict[str, Any]:
    """Run the script on the chosen bars, or back-test it if `trade` is true.

    The result has `kind`, the bars, whether the run reached the end (`ok`), and the report as `pinebench run --format
    json` or `pinebench backtest --format json` prints it. Raises PinebenchError for a script that does not compile or
    is not a strategy, for bars that cannot be read, and for features that are not supported. Also raises the errors of
    `context`.
    """
    from pinebench.market import load_named
    from pinebench.workers import jobs, run_reports
    from pinebench.workers.dispatch import execute

    data = load_named(choice.data or f"sample:{choice.symbol}", None, choice.timeframe, choice.bars)
    bars, symbol = data.bars, data.symbol
    # A run reads libraries from folders, and the editor has some in tabs that are not saved.
    with TemporaryDirectory(prefix="pinebench-libraries-") as folder:
        for path, text in program.libraries_read.items():
            if text is not None:
                file = Path(folder, f"{path}.pine")
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8", newline="")
        request = replace(jobs.request_of(program, bars, symbol), libraries=(folder,))
        told = execute(request, run_reports.of_trades if trade else run_reports.of_run, context)
    return {
        "ok": told["error"] is None,
        "kind": "backtest" if trade else "run",
        "symbol": f"{symbol.prefix}:{symbol.symbol}",
        "timeframe": symbol.timeframe,
        "sample": choice.data is None,
        "data": choice.data,
        **told,
        "bars": len(bars),
    }


def summary(result: dict[str, Any]) -> str:
    """Summarize a run in a few lines: the result, the bars, and the remarks."""
    # The report of a back-test says in the symbol, too, that its bars are made up.
    where = f"{result['bars']} bars of {result['symbol'].removesuffix(MADE_UP)}, {result['timeframe']}"
    where += ", made up for the sample market" if result["sample"] else f", from {os.path.basename(result['data'])}"
    error = result["error"]
    if error is not None:
        place = f" in line {error['line']}" if error["line"] else ""
        bar = f" on bar {error['bar']} of" if error["bar"] is not None else ", run on"
        return f"stopped{place}{bar} {where}: {error['message']}"
    lines = _traded(result, where) if result["kind"] == "backtest" else _shown(result, where)
    notes = result["notes"]
    more = [f"and {len(notes) - _SHOWN} more notes"] if len(notes) > _SHOWN else []
    # Some editors show one line: a full stop keeps its sentences apart.
    return "\n".join(f"{each.rstrip('.')}." for each in [*lines, *notes[:_SHOWN], *more])


def _shown(result: dict[str, Any], where: str) -> list[str]:
    from pinebench.runtime import shown

    plots = result["plots"]
    counts = [(len(plots), "plot"), (len(result["alerts"]), "alert"), (len(result["logs"]), "log line")]
    told = ", ".join(counted(count, name) for count, name in counts)
    named = zip(shown.titles(result), plots, strict=True)
    last = [f"{title}: {_number(plot['values'][-1])}" for title, plot in named if plot["values"]]
    rest = f" and {len(last) - _SHOWN} more" if len(last) > _SHOWN else ""
    ends = [f"On the last bar: {', '.join(last[:_SHOWN])}{rest}"] if last else []
    return [f"ran on {where}: {told}", *ends]


def _traded(result: dict[str, Any], where: str) -> list[str]:
    told = result["report"]
    currency = f" {told['currency']}" if told["currency"] else ""
    drawdown = f"largest drawdown {money_text(told['max_drawdown'])}{currency}"
    return [
        f"traded on {where}: {told['trades']} closed trades, {told['open_trades']} open",
        f"Net profit {money_text(told['net_profit'])}{currency}, {drawdown}",
    ]


def _number(value: Any) -> str:
    return f"{value:,.10g}" if isinstance(value, int | float) and not isinstance(value, bool) else "na"
