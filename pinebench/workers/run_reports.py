"""Reports of runs as plain values. The worker creates them, so that only plain values are sent to the parent."""

from __future__ import annotations

from typing import Any

from pinebench.backtesting import backtest_report
from pinebench.runtime import report
from pinebench.workers.jobs import perform, trade
from pinebench.workers.request import Request


def of_run(request: Request) -> dict[str, Any]:
    """Return the report of a run in the form of `pinebench run --format json`."""
    return report.report(perform(request).result)


def of_trades(request: Request) -> dict[str, Any]:
    """Return the report of a back-test in the form of `pinebench backtest --format json`."""
    return backtest_report.report(trade(request))
