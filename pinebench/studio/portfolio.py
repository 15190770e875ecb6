"""Portfolios of the page: strategies on several symbols in one account, as JSON values for the tester."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pinebench.context import Context
from pinebench.errors import UsageError
from pinebench.portfolios import portfolio_report
from pinebench.portfolios.portfolio import PortfolioMember, PortfolioRun, answered
from pinebench.workers.request import Request

_MOST_POINTS = 1_000
"""The number of parts into which the curve of the equity is divided."""
_MOST_TRADES = 2_000
"""The number of the last trades that are sent."""


def members_of(
    asked: Sequence[tuple[str, Request]], trading: Mapping[str, Any], *, shared: bool
) -> list[PortfolioMember]:
    """Return the strategies of a portfolio. `asked` holds a name and a request for each of them. `trading` overrides
    properties of every strategy. Unless `shared` is set, each strategy gets an equal part of the capital."""
    weight = None if shared else 1 / max(len(asked), 1)
    return [
        PortfolioMember(name, replace(request, properties={**request.properties, **trading}), weight)
        for name, request in asked
    ]


def run(members: Sequence[PortfolioMember], context: Context | None = None) -> dict[str, Any]:
    """Run the strategies in a worker, and return the report for the page. Raises UsageError with the strategy's name
    and line if a strategy stops with an error, and the errors of `answered`."""
    told = answered(members, _told, context)
    if "stopped" in told:
        raise UsageError(told["stopped"])
    return told


def _told(found: PortfolioRun) -> dict[str, Any]:
    """The report as in `pinebench portfolio --format json`, with a curve of few points in place of every moment.

    `curve` has times in seconds. `trades` are the last ones; `trade_count` is the number of all.
    """
    if found.error is not None:
        place = found.error.place(found.failed) if found.failed else "the portfolio"
        return {"stopped": f"{place}: {found.error.message}"}
    told = portfolio_report.report(found)
    del told["equity"], told["error"]
    count = len(told["trades"])
    return {**told, "trade_count": count, "trades": told["trades"][-_MOST_TRADES:], "curve": _curve(found)}


def _curve(found: PortfolioRun) -> dict[str, list[Any]]:
    """The equity and the profit of each strategy at the moments that a picture needs.

    A picture has one value for a second. Each part of the curve keeps its lowest, its highest and its last equity.
    """
    seconds = [time // 1000 for time in found.times]
    last = [i for i, time in enumerate(seconds) if i + 1 == len(seconds) or seconds[i + 1] > time]
    size = -(-len(last) // _MOST_POINTS) or 1
    kept: list[int] = []
    for begin in range(0, len(last), size):
        part = last[begin : begin + size]
        kept += sorted({min(part, key=found.equity.__getitem__), max(part, key=found.equity.__getitem__), part[-1]})
    return {
        "times": [seconds[i] for i in kept],
        "equity": [found.equity[i] for i in kept],
        "strategies": [[part[i] for i in kept] for part in found.parts],
    }
