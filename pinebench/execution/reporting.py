"""Reports of runs as plain values. They are made in the worker, so that only plain values are sent to the parent."""

from __future__ import annotations

from typing import Any

from pinebench.execution import testing_report
from pinebench.execution.performing import perform, trade
from pinebench.execution.request import Request
from pinebench.runtime import report


def of_run(request: Request) -> dict[str, Any]:
    """The report of a run, as `pinebench run --format json` prints it."""
    return report.report(perform(request).result)


def of_trades(request: Request) -> dict[str, Any]:
    """The report of a back-test, as `pinebench backtest --format json` prints it."""
    return testing_report.report(trade(request))
