"""Portfolios: several strategies on several symbols with one equity, its figures, and the strategies' correlation."""

from __future__ import annotations

import math
import statistics
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from itertools import pairwise
from typing import Any, TypeVar

from pinebench.backtesting.backtest import NO_STRATEGY, BacktestRun, PreparedBacktest
from pinebench.backtesting.bar_close_times import known_times
from pinebench.backtesting.broker_factory import properties_of
from pinebench.broker import TradeColumns, figures, moves_at_closes
from pinebench.calendars.dates import day_text
from pinebench.calendars.sessions import session
from pinebench.calendars.timeframes import timeframe
from pinebench.context import Context
from pinebench.errors import PinebenchError, UsageError
from pinebench.portfolios.lockstep import StrategyFailure, run_together
from pinebench.runtime import NotComputed, RuntimeFault, guard, refuse
from pinebench.totals import total
from pinebench.workers.dispatch import execute
from pinebench.workers.jobs import begun, opened
from pinebench.workers.request import Request

_DAY = 86_400_000
_WEEK = 7 * _DAY
_EPOCH = date(1970, 1, 1).toordinal()
_DOLLARS = frozenset(("USD", "USDT", "USDC", "BUSD", "FDUSD", "TUSD", "DAI"))
LEAST_PAIRS = 20
"""The smallest number of pairs of daily returns for a correlation."""
MOST = 50
"""The largest number of strategies."""


@dataclass(frozen=True)
class PortfolioMember:
    """A strategy of a portfolio: its name, the request to run it, and its share of the capital from 0 to 1. Without a
    weight, it trades in the account that all strategies share."""

    name: str
    request: Request
    weight: float | None = None


@dataclass
class PortfolioRun:
    """The results of a portfolio. `tests` has the back-test of each strategy, in the order of `names`.

    `times`, `equity` and `realized` have a value for each time at which a bar closes: the opening time of that bar
    (milliseconds UTC), the equity, and the capital with the profits of closed trades. If a strategy stopped with an
    error, there are no results; `error` has the error, and `failed` is the strategy's name (empty if it is not known).
    """

    names: list[str]
    capital: float
    is_shared: bool
    weights: list[float]
    """The share of the capital (0 to 1) that each strategy began with; empty if they share the account."""
    tests: list[BacktestRun] = field(default_factory=list[BacktestRun])
    times: list[int] = field(default_factory=list[int])
    equity: list[float] = field(default_factory=list[float])
    realized: list[float] = field(default_factory=list[float])
    parts: list[list[float]] = field(default_factory=list[list[float]])
    """For each strategy, the profit of its closed and open trades at each moment in `times`."""
    crowded_out: list[int] = field(default_factory=list[int])
    """For each strategy, the number of entries for which other strategies had left too little money."""
    correlation: list[list[float | None]] = field(default_factory=list[list[float | None]])
    """The correlation of the daily returns of each pair of strategies; None if it cannot be computed."""
    told: dict[str, Any] = field(default_factory=dict[str, Any])
    """The strategy tester's figures of the portfolio, by name."""
    notes: list[str] = field(default_factory=list[str])
    failed: str = ""
    error: RuntimeFault | None = None


def portfolio(members: Sequence[PortfolioMember], context: Context | None = None) -> PortfolioRun:
    """Run the strategies in a worker, and return the results of the portfolio. `context` can end the run early.

    The strategies share one account if none has a weight. Otherwise each trades with its own part of the capital, and
    the rest of the capital stays cash. Raises the errors of `fitting` and of `execute`.
    """
    return answered(members, _whole, context)


AnswerT = TypeVar("AnswerT")


def answered(
    members: Sequence[PortfolioMember], answer: Callable[[PortfolioRun], AnswerT], context: Context | None = None
) -> AnswerT:
    """Run the strategies as `portfolio` does, and return the result of `answer`, which gets the results of the
    portfolio.

    `answer` must be a module-level function. It is called in the worker, so that only its result is sent back. Raises
    the errors of `portfolio`.
    """
    capital, fitted = fitting(members)
    budget = fitted[0].request.budget
    first = replace(fitted[0].request, budget=replace(budget, seconds=budget.seconds * len(fitted)))
    head, *rest = [(one.name, one.request, one.weight) for one in fitted]
    return execute(first, partial(_performed, answer, capital, head[0], head[2], rest), context)


def _whole(found: PortfolioRun) -> PortfolioRun:
    return found


def fitting(members: Sequence[PortfolioMember]) -> tuple[float, list[PortfolioMember]]:
    """Return the portfolio's capital, and the members with their capital, one currency, and distinct names. Raises
    UsageError if there are too many, if weights are missing or exceed 1, or if capitals or currencies differ."""
    if not 1 <= len(members) <= MOST:
        raise UsageError(
            f"a portfolio has 1 to {MOST} strategies, not {len(members)}", "give each strategy with its bars"
        )
    members = _named(members)
    weights = [one.weight for one in members if one.weight is not None]
    if weights and len(weights) < len(members):
        raise UsageError("some strategies have a weight, and others have none", "give all of them a weight, or none")
    if any(not weight > 0 for weight in weights) or math.fsum(weights) > 1 + 1e-9:
        words = ", ".join(f"{weight:g}" for weight in weights)
        raise UsageError(
            f"the weights {words} cannot share the capital", "give positive weights with a sum of at most 1"
        )
    capital, currency = _capital(members), _currency(members)
    fitted: list[PortfolioMember] = []
    for one in members:
        own = capital if one.weight is None else capital * one.weight
        given = {**one.request.properties, "initial_capital": own}
        if currency is not None:
            given["currency"] = currency
        fitted.append(replace(one, request=replace(one.request, properties=given)))
    return capital, fitted


def _named(members: Sequence[PortfolioMember]) -> list[PortfolioMember]:
    """The members with distinct names: a name that occurs again gets a number."""
    given = {one.name for one in members}
    seen: set[str] = set()
    found: list[PortfolioMember] = []
    for one in members:
        name, number = one.name, 2
        while name in seen or (name != one.name and name in given):
            name, number = f"{one.name} ({number})", number + 1
        seen.add(name)
        found.append(replace(one, name=name))
    return found


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Put the strategy's name in front of the message of an error that the block raises."""
    try:
        yield
    except PinebenchError as error:
        error.message = f"{name}: {error.message}"
        error.args = (error.message, *error.args[1:])
        if isinstance(error, NotComputed):
            error.name = f"{name}: {error.name}"
        raise


def _declared(one: PortfolioMember) -> Any:
    with naming(one.name):
        program = opened(one.request.source, one.request.libraries)
        refuse(program, 0, one.request.symbol)
        if not program.is_strategy:
            raise UsageError(*NO_STRATEGY)
        return properties_of(program, one.request.properties, one.request.as_of)


def _capital(members: Sequence[PortfolioMember]) -> float:
    """The capital of the whole. Raises UsageError if the strategies declare different ones."""
    known = {one.name: _declared(one).initial_capital for one in members}
    if len(set(known.values())) > 1:
        words = ", ".join(f"{name}: {value:,.10g}" for name, value in known.items())
        raise UsageError(f"the strategies begin with different capitals: {words}", "set initial_capital for all")
    return next(iter(known.values()))


def _currency(members: Sequence[PortfolioMember]) -> str | None:
    """The currency that all accounts must be set to; None if they have the same already. Dollars and stablecoins count
    as equal; the back-test of each strategy notes it. Raises UsageError for others."""
    declared = {one.name: _declared(one).currency for one in members}
    known = {one.name: declared[one.name] or one.request.symbol.currency for one in members}
    if len(set(known.values())) == 1:
        return None
    if set(known.values()) <= _DOLLARS:
        assumed = {one.name for one in members if not declared[one.name] and "currency" in one.request.symbol.assumed}
        return next(value for name, value in known.items() if name not in assumed or len(assumed) == len(members))
    words = ", ".join(f"{name}: {value or 'none'}" for name, value in known.items())
    raise UsageError(
        f"the accounts of the strategies have different currencies: {words}",
        "amounts in different currencies cannot be added: set the same currency for all, and give rates for "
        "symbols in another currency",
    )


def _performed(
    answer: Callable[[PortfolioRun], AnswerT],
    capital: float,
    name: str,
    weight: float | None,
    rest: Sequence[tuple[str, Request, float | None]],
    first: Request,
) -> AnswerT:
    """Run the strategies in this process, which should be a worker; `first` is the request of the first one."""
    return answer(
        performed(capital, [PortfolioMember(name, first, weight), *(PortfolioMember(*each) for each in rest)])
    )


def performed(capital: float, members: Sequence[PortfolioMember]) -> PortfolioRun:
    """Run strategies in this process, which should be a worker. `fitting` has checked that they fit together."""
    first = members[0].request
    weights = [one.weight for one in members if one.weight is not None]
    found = PortfolioRun([one.name for one in members], capital, not weights, weights)
    if first.stop is not None:
        found.error = guard.fault_of(first.stop.code, first.budget, guard.processor_time(first.stop.spent))
        return found
    all_begun = [_begun(one) for one in members]
    try:
        results = run_together(all_begun, first.budget, is_shared=found.is_shared)
    except StrategyFailure as failed:
        found.failed, found.error = found.names[failed.number], failed.fault
        return found
    found.tests = [each.tested(result) for each, result in zip(all_begun, results, strict=True)]
    found.crowded_out = [each.broker.account.crowded_out for each in all_begun]
    _join(found, all_begun, first.first)
    return found


def _begun(one: PortfolioMember) -> PreparedBacktest:
    with naming(one.name):
        return begun(one.request)


def _join(found: PortfolioRun, all_begun: Sequence[PreparedBacktest], since: int | None) -> None:
    """Compute the results of the whole. Figures of periods begin at `since` (milliseconds UTC)."""
    tests = found.tests
    rest = found.capital - math.fsum([each.initial_capital for each in tests])
    ends = [known_times(each.runtime.chart)[1] for each in all_begun]
    found.times, rows = _clock(ends, [each.runtime.chart.bars.time for each in all_begun])
    found.parts = [[] for _ in tests]
    for row in rows:
        values = [_at(each, i) for each, i in zip(tests, row, strict=True)]
        found.equity.append(math.fsum([*(equity for equity, _ in values), rest]))
        found.realized.append(math.fsum([*(realized for _, realized in values), rest]))
        for part, each, (equity, _) in zip(found.parts, tests, values, strict=True):
            part.append(equity - each.initial_capital)
    days = [_daily(each, since or 0) for each in tests]
    found.correlation = [[_correlation(one, other) for other in days] for one in days]
    found.told = figures.figures_of(_traded(found, all_begun, bisect_left(found.times, since) if since else 0))
    for name in ("long", "short", None):
        told = [each.told if name is None else each.told[name] for each in tests]
        into = found.told if name is None else found.told[name]
        into["margin_calls"] = int(total(each["margin_calls"] for each in told))
    found.notes = _notes(found, ends)


def _at(tested: BacktestRun, i: int) -> tuple[float, float]:
    """The equity and the realized capital of a strategy after bar `i`; -1 is before its first bar."""
    if i < 0:
        return tested.initial_capital, tested.initial_capital
    return tested.curve.equity[i], tested.curve.realized[i]


def _clock(ends: Sequence[Sequence[int]], opens: Sequence[Sequence[int]]) -> tuple[list[int], list[tuple[int, ...]]]:
    """The moments at which bars close: for each the latest opening time of these bars, and the last bar of each
    strategy that is closed then (-1 for none)."""
    moments = sorted({end for each in ends for end in each})
    last = [-1] * len(ends)
    times: list[int] = []
    rows: list[tuple[int, ...]] = []
    for moment in moments:
        label = times[-1] if times else -math.inf
        for number, each in enumerate(ends):
            while last[number] + 1 < len(each) and each[last[number] + 1] <= moment:
                last[number] += 1
                label = max(label, opens[number][last[number]])
        times.append(int(label))
        rows.append(tuple(last))
    return times, rows


def _traded(found: PortfolioRun, all_begun: Sequence[PreparedBacktest], start: int) -> figures.TradeHistory:
    """The trades and the account of the whole. `start` is the number of the first moment with orders."""
    parts = [figures.traded(each.broker, tested.curve) for each, tested in zip(all_begun, found.tests, strict=True)]
    first = parts[0]
    held = [each.buy_and_hold for each in parts if each.buy_and_hold is not None]
    by = len(parts) if found.is_shared else 1
    closed = sorted(
        (trade for each in all_begun for trade in each.broker.position.closed), key=lambda one: one.exit_time
    )
    columns = TradeColumns()
    for trade in closed:
        columns.add(trade)
    periods = figures.Periods.of(found.times, start)
    whole = figures.TradeHistory(
        first.currency if all(each.currency for each in parts) else "",
        found.capital,
        columns,
        [trade for each in parts for trade in each.open],
        first.held if len(parts) == 1 else None,
        periods.span,
        periods.months_of(found.realized),
        periods.steps_of(found.realized),
        found.equity[-1] if found.equity else found.capital,
        _largest(found, 1),
        _largest(found, -1),
        figures.known_moves(moves_at_closes(found.equity, found.capital), found.equity),
        math.fsum(held) / by if held else None,
        first.risk_free_rate,
    )
    alone = len(parts) == 1 and found.capital == first.capital
    return replace(whole, drawdown=first.drawdown, run_up=first.run_up) if alone else whole


def _largest(found: PortfolioRun, side: int) -> tuple[float, float]:
    """The largest drawdown (`side` 1) or run-up (-1) at the closes of bars, in money and in percent. Like the tester's,
    it is measured from the highest (lowest) realized capital before."""
    best = found.capital
    most = percent = 0.0
    for equity, realized in zip(found.equity, found.realized, strict=True):
        move = (best - equity) * side
        most = max(most, move)
        if best > 0:
            percent = max(percent, 100 * move / best)
        best = max(best, realized) if side > 0 else min(best, realized)
    return most, percent


# correlation


def _daily(tested: BacktestRun, since: int) -> dict[int, float]:
    """A strategy's own equity at the last close of each trading day: the capital that it began with, and its profits. A
    trading day is counted from 1970; the days of bars within a day are in UTC. The first one is the day of the last bar
    before `since` (milliseconds UTC): no orders were taken before."""
    bars, symbol = tested.bars, tested.symbol
    day_of: Callable[[int], int] = lambda time: time // _DAY  # noqa: E731
    if not timeframe(symbol.timeframe).is_intraday:
        hours = session(symbol.session, symbol.timezone)
        day_of = lambda time: hours.day_at(time).toordinal() - _EPOCH  # noqa: E731
    start = max(bisect_left(bars.time, since) - 1, 0)
    return {day_of(time): equity for time, equity in zip(bars.time[start:], tested.curve.equity[start:], strict=True)}


def _correlation(one: Mapping[int, float], other: Mapping[int, float]) -> float | None:
    """The correlation of the returns from each day that both have to the next one; None if it cannot be computed."""
    days = sorted(one.keys() & other.keys())
    pairs = [
        (one[day] / one[before] - 1, other[day] / other[before] - 1)
        for before, day in pairwise(days)
        if one[before] > 0 and other[before] > 0
    ]
    if len(pairs) < LEAST_PAIRS:
        return None
    try:
        found = statistics.correlation([a for a, _ in pairs], [b for _, b in pairs])
    except statistics.StatisticsError:
        return None
    return max(-1.0, min(1.0, found))


# words


def _notes(found: PortfolioRun, ends: Sequence[Sequence[int]]) -> list[str]:
    if len(found.tests) == 1:
        return list(found.tests[0].notes)
    notes = [f"{name}: {words}" for name, each in zip(found.names, found.tests, strict=True) for words in each.notes]
    for name, count in zip(found.names, found.crowded_out, strict=True):
        if count:
            entries = "entry was" if count == 1 else "entries were"
            notes.append(f"{name}: {count:,} {entries} refused because other strategies used the money")
    notes += _elsewhen(found, ends)
    pairs = zip(found.names, found.tests, strict=True)
    unknown = [name for name, each in pairs if not each.symbol.currency or "currency" in each.symbol.assumed]
    if unknown:
        whose = "its" if len(unknown) == 1 else "their"
        notes.append(
            f"the currency of {', '.join(unknown)} is not known: {whose} money is added as if all were in one currency"
        )
    notes.append("the largest drawdown and run-up of the portfolio are measured at the closes of bars")
    if any(value is None for row in found.correlation for value in row):
        notes.append(f"a correlation needs {LEAST_PAIRS + 1} common days, and trades of both strategies")
    return notes


def _elsewhen(found: PortfolioRun, ends: Sequence[Sequence[int]]) -> list[str]:
    """Notes about strategies whose bars begin or end more than a week away from the portfolio's."""
    begins = [each.bars.time[0] for each in found.tests]
    first, last = min(begins), max(each[-1] for each in ends)
    return [
        f"{name}: its bars are from {day_text(begin)} to {day_text(each[-1])}, and the portfolio's from "
        f"{day_text(first)} to {day_text(last)}: it does not trade outside its own bars, and an open position "
        "keeps its last price"
        for name, begin, each in zip(found.names, begins, ends, strict=True)
        if begin - first > _WEEK or last - each[-1] > _WEEK
    ]
