"""The account's value on every bar. The ledger stores the account after each fill, and computes the curve from that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from pinebench.broker.account import Account
from pinebench.broker.position import Position


class Prices(Protocol):
    """The columns of bars that orders are filled on."""

    time: list[int]
    open: list[float]
    high: list[float]
    low: list[float]
    close: list[float]


Change = tuple[int, float, int, float, float, float, float]
"""The account after a fill: the bar, the price, the number of points of the path before the fill, the realized capital,
the entry commissions of the open trades, the size of the position, and its cost (price times signed quantity)."""


@dataclass(slots=True)
class State:
    """The account after the last fill of a bar, and the lowest and highest equity on that bar."""

    bar: int
    money: float
    """The capital with realized profits, minus the entry commissions of open trades."""
    size: float
    cost: float
    realized: float
    lowest: float
    highest: float


@dataclass(slots=True)
class Curve:
    """Columns with one value for each bar: the equity at its close, and the realized equity.

    The realized equity is the capital with the profits of closed trades, minus the entry commissions of open trades.
    """

    equity: list[float]
    realized: list[float]


class Ledger:
    """Stores the account after each fill."""

    def __init__(
        self,
        account: Account,
        position: Position,
        prices: Prices,
        path: Callable[[int], Sequence[float]],
        *,
        knows_ticks: bool = False,
    ) -> None:
        """`path` returns the prices of a bar in the order in which they occur.

        `knows_ticks` says whether prices inside bars are known, so that a path can have more than four prices.
        """
        self._account = account
        self._position = position
        self._prices = prices
        self._path = path
        self._knows_ticks = knows_ticks
        self._changes: list[Change] = []
        self._states: list[State] = []
        self._begun = 0
        """The index of the first change of the newest state. Its bar may get more changes."""
        self._largest: tuple[float, float] = 0.0, 0.0
        self._looked = 0

    def write(self, bar: int, price: float) -> None:
        """Store the account after a fill at `price`."""
        account, position = self._account, self._position
        realized = account.capital + account.net_profit
        self._changes.append(
            (bar, price, position.walk.next, realized, position.fees, position.size, position.cost),
        )

    def restore(self, changes: list[Change]) -> None:
        """Take over the account after each fill of a run that was computed elsewhere."""
        self._changes = changes

    @property
    def largest(self) -> tuple[float, float]:
        """The largest long position and the largest short position of the run, in contracts."""
        if self._looked < len(self._changes):
            sizes = [change[5] for change in self._changes[self._looked :]]
            long, short = self._largest
            self._largest = max(long, max(sizes)), max(short, -min(sizes))
            self._looked = len(self._changes)
        return self._largest

    @property
    def states(self) -> list[State]:
        """The states of the account on all bars with fills."""
        changes, states = self._changes, self._states
        count, start = len(changes), self._begun
        if states:
            states.pop()
        while start < count:
            bar, stop = changes[start][0], start + 1
            while stop < count and changes[stop][0] == bar:
                stop += 1
            # On the newest bar the prices may still be on their way, so it has to be looked at in full.
            if stop - start == 1 and changes[start][2] == 1 and stop < count and not self._knows_ticks:
                lowest, highest = self._from_the_open(start)
            else:
                lowest, highest = self._extremes(start, stop)
            _, _, _, realized, fees, size, cost = changes[stop - 1]
            states.append(State(bar, realized - fees, size, cost, realized, lowest, highest))
            self._begun, start = start, stop
        return states

    def _before(self, number: int) -> tuple[float, float, float, float]:
        """The account before a change: realized capital, commissions, size and cost."""
        return self._changes[number - 1][3:] if number else (self._account.capital, 0.0, 0.0, 0.0)

    def _from_the_open(self, number: int) -> tuple[float, float]:
        """The lowest and highest equity on a bar whose only fill was at its open.

        `_extremes` gives the same result. This is the most common case, and this function is faster.
        """
        bar, price, _, realized, fees, size, cost = self._changes[number]
        worth, prices = self._account.worth_on(bar), self._prices
        before, old_fees, old_size, old_cost = self._before(number)
        first = before + ((old_size * price - old_cost) * worth - old_fees)
        second = before + ((old_size * prices.open[bar] - old_cost) * worth - old_fees)
        if not size:
            return min(first, second, realized), max(first, second, realized)
        low, high = prices.low[bar], prices.high[bar]
        third = realized + ((size * (low if low < price else price) - cost) * worth - fees)
        fourth = realized + ((size * (high if high > price else price) - cost) * worth - fees)
        return min(first, second, third, fourth), max(first, second, third, fourth)

    def _extremes(self, start: int, stop: int) -> tuple[float, float]:
        """The lowest and highest equity on a bar whose fills are `self._changes[start:stop]`."""
        changes, walk = self._changes, self._position.walk
        bar, worth = changes[start][0], self._account.worth_on(changes[start][0])
        points = self._path(bar)
        end = walk.next if walk.bar == bar else len(points)
        realized, fees, size, cost = self._before(start)
        passed: Sequence[float] = points[: changes[start][2]]
        found: list[float] = []
        for number in range(start, stop):
            _, price, reached, *after = changes[number]
            passed = (*passed, price)
            found += [realized + ((size * one - cost) * worth - fees) for one in (min(passed), max(passed))]
            realized, fees, size, cost = after
            if number + 1 < stop:
                passed = (price, *points[reached : changes[number + 1][2]])
            else:
                # After a fill at the close, the position is valued at the close, not at the fill's price with slippage.
                passed = (price, *(points[reached:end] if reached < len(points) else points[-1:]))
        found += [realized + ((size * one - cost) * worth - fees) for one in (min(passed), max(passed))]
        return min(found), max(found)

    def curve(self, close: Sequence[float], rates: Sequence[float] | None) -> Curve:
        """The account's value on every bar, with the closes and the exchange rates (None for 1) of the bars."""
        account, changes = self._account, self._changes
        count, points = len(close), account.point_value
        equity: list[float] = []
        realized: list[float] = []
        money, size, cost = account.capital, 0.0, 0.0
        start = 0
        for number in range(len(changes) + 1):
            bar = changes[number][0] if number < len(changes) else count
            if number + 1 < len(changes) and changes[number + 1][0] == bar:
                continue  # only the last fill of a bar counts
            stop = min(bar, count)
            if start < stop:
                # There were no fills on the bars from `start` up to, not including, `stop`.
                if not size:
                    equity += [money] * (stop - start)
                elif rates is None:
                    base = money - cost * points
                    worth = size * points
                    equity += [base + worth * price for price in close[start:stop]]
                else:
                    worth, paid = size * points, cost * points
                    pairs = zip(close[start:stop], rates[start:stop], strict=True)
                    equity += [money + (worth * price - paid) * rate for price, rate in pairs]
                realized += [money] * (stop - start)
            if bar >= count:
                break
            _, _, _, earned, fees, size, cost = changes[number]
            money = earned - fees
            equity.append(money + (size * close[bar] - cost) * points * (rates[bar] if rates else 1.0))
            realized.append(money)
            start = bar + 1
        return Curve(equity, realized)
