"""Reports of runs as plain values. They are made in the worker, so that only plain values are sent to the parent."""

from __future__ import annotations

from typing import Any

from pinebench.backtesting import backtest_report
from pinebench.runtime import report
from pinebench.workers.jobs import perform, trade
from pinebench.workers.request import Request


def of_run(request: Request) -> dict[str, Any]:
    """The report of a run, as `pinebench run --format json` prints it."""
    return report.report(perform(request).result)


def of_trades(request: Request) -> dict[str, Any]:
    """The report of a back-test, as `pinebench backtest --format json` prints it."""
    return backtest_report.report(trade(request))
