"""The account's value on every bar. The ledger stores the account after each fill, and derives the equity curve.

The classes run on both tiers, as `Account` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pinebench.broker.account import Account
from pinebench.broker.position import Position
from pinebench.broker.price_paths import Paths

INFINITE = float("inf")
_STRETCH = 128


class Prices(Protocol):
    """The columns of the bars on which orders are filled."""

    time: list[int]
    open: list[float]
    high: list[float]
    low: list[float]
    close: list[float]


Change = tuple[int, float, int, float, float, float, float]
"""The account after a fill: the bar, the price, the number of points of the path before the fill, the realized capital,
the entry commissions of the open trades, the size of the position, and its cost (price times signed quantity)."""
Closes = Sequence[float]
"""The closes of the bars."""


@dataclass(slots=True)
class Curve:
    """Columns with one value for each bar: the equity at its close, and the realized equity.

    The realized equity is the capital plus the profits of closed trades, minus the entry commissions of open trades.
    `moves` are the largest moves of the equity at closes (see `moves_at_closes`).
    """

    equity: list[float]
    realized: list[float]
    moves: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)


class Ledger:
    """Stores the account after each fill. Each stored state is a `Change`; changes are numbered from 0."""

    def __init__(self, account: Account, position: Position, paths: Paths) -> None:
        self.longest = self.shortest = 0.0
        """The largest long position and the largest short position of the run, in contracts (`look`)."""
        self._account = account
        self._position = position
        self._paths = paths
        self._changes: list[Change] = []
        self._looked = 0
        """The number of changes that `look` has included."""

    def write(self, bar: int, price: float) -> None:
        """Store the account after a fill at `price`."""
        account, position = self._account, self._position
        realized = account.capital + account.net_profit
        self._changes.append((bar, price, position.walk.next, realized, position.fees, position.size, position.cost))

    def restore(self, changes: list[Change]) -> None:
        """Load the account after each fill (`changes`) from a run that was computed elsewhere."""
        self._changes = changes

    def look(self) -> None:
        """Update the largest long and short positions with the fills so far."""
        for number in range(self._looked, len(self._changes)):
            size = self._changes[number][5]
            self.longest = max(self.longest, size)
            self.shortest = max(self.shortest, -size)
        self._looked = len(self._changes)

    def bar_after(self, number: int) -> int:
        """Return the bar of change `number`; -1 if there is no such change."""
        return self._changes[number][0] if number < len(self._changes) else -1

    def bar_end(self, start: int) -> int:
        """Return the number of the first change after the bar of change `start`."""
        bar, stop = self._changes[start][0], start + 1
        while stop < len(self._changes) and self._changes[stop][0] == bar:
            stop += 1
        return stop

    def before(self, number: int) -> tuple[float, float, float, float]:
        """Return the account before change `number`: realized capital, commissions, position size and cost."""
        if not number:
            return self._account.capital, 0.0, 0.0, 0.0
        _, _, _, realized, fees, size, cost = self._changes[number - 1]
        return realized, fees, size, cost

    def extremes(self, start: int, stop: int) -> tuple[float, float]:
        """Return the lowest and the highest equity on the bar whose fills are the changes from `start` up to, but
        excluding, `stop`."""
        bar = self._changes[start][0]
        points = self._paths.of(bar)
        walk, worth = self._position.walk, self._account.worth_on(bar)
        lowest, highest = INFINITE, -INFINITE
        price = points[0]
        passed: int = 0
        for number in range(start, stop + 1):
            before, first = price, passed
            if number < stop:
                _, price, passed, _, _, _, _ = self._changes[number]
            elif passed < len(points):
                passed = walk.next if walk.bar == bar else len(points)
            else:
                # After a fill at the close, the position is valued at the close, not at the fill's price with slippage.
                first = len(points) - 1
            realized, fees, size, cost = self.before(number)
            low, high = min(before, price), max(before, price)
            for point in points[first:passed]:
                low, high = min(low, point), max(high, point)
            at_low = realized + ((size * low - cost) * worth - fees)
            at_high = realized + ((size * high - cost) * worth - fees)
            lowest, highest = min(lowest, at_low, at_high), max(highest, at_low, at_high)
        return lowest, highest

    def curve(self, close: Closes) -> Curve:
        """Return the account's value at the close of every bar. `close` has the closing prices."""
        curve = Curve([], [])
        self.draw(curve, close)
        return curve

    def draw(self, curve: Curve, close: Closes) -> None:
        """Fill the empty `curve` with the account's value at each closing price."""
        points = self._account.point_value
        rates = self._account.rates
        number: int = 0
        start: int = 0
        while number < len(self._changes) and self._changes[number][0] < len(close):
            bar = self._changes[number][0]
            self._hold(curve, close, number, start, bar)
            number = self.bar_end(number)  # only the last fill of a bar counts
            realized, fees, size, cost = self.before(number)
            worth = (size * close[bar] - cost) * points * (rates[bar] if rates is not None else 1.0)
            curve.equity.append(realized - fees + worth)
            curve.realized.append(realized - fees)
            start = bar + 1
        self._hold(curve, close, number, start, len(close))
        curve.moves = moves_at_closes(curve.equity, self._account.capital)

    def _hold(self, curve: Curve, close: Closes, number: int, start: int, stop: int) -> None:
        """Draw the bars from `start` up to, not including, `stop`, on which nothing was filled. `number` is the number
        of the next change."""
        if start >= stop:
            return
        realized, fees, size, cost = self.before(number)
        money, points = realized - fees, self._account.point_value
        rates = self._account.rates
        curve.realized += [money] * (stop - start)
        if not size:
            curve.equity += [money] * (stop - start)
        elif rates is None:
            base = money - cost * points
            worth = size * points
            curve.equity += [base + worth * price for price in close[start:stop]]
        else:
            worth, paid = size * points, cost * points
            pairs = zip(close[start:stop], rates[start:stop], strict=True)
            curve.equity += [money + (worth * price - paid) * rate for price, rate in pairs]


def moves_at_closes(equity: list[float], capital: float) -> tuple[float, float, float, float]:
    """Return the largest drawdown and run-up of the equity at closes: each in money, then in percent."""
    peak, fall, fall_percent = capital, 0.0, 0.0
    trough, rise, rise_percent = capital, 0.0, 0.0
    for number in range((len(equity) + _STRETCH - 1) // _STRETCH):
        values = equity[number * _STRETCH : (number + 1) * _STRETCH]
        highest, lowest = max(values), min(values)
        peak, fall, fall_percent = _moved(values, 1, highest, lowest, peak, fall, fall_percent)
        trough, rise, rise_percent = _moved(values, -1, lowest, highest, trough, rise, rise_percent)
    return fall, fall_percent, rise, rise_percent


def _moved(
    values: list[float], side: int, top: float, far: float, best: float, move: float, percent: float
) -> tuple[float, float, float]:
    """The best value, and the largest move from a best value to a later one in money and in percent, after `values`.

    `side` is 1 for falls and -1 for rises. `top` is the best of the values, and `far` the farthest from it. They let
    the function skip values that have no new best value, or that cannot have a larger move.
    """
    if (top - best) * side <= 0:
        away = (best - far) * side
        if away > 0:
            move = max(move, away)
            percent = max(percent, 100 * away / best) if best > 0 else percent
        return best, move, percent
    widest, least = (top - far) * side, min(best, top)
    if widest <= move and least > 0 and 100 * widest / least <= percent:
        return top, move, percent
    for value in values:
        away = (best - value) * side
        if away < 0:
            best = value
        elif away > 0:
            move = max(move, away)
            percent = max(percent, 100 * away / best) if best > 0 else percent
    return best, move, percent
