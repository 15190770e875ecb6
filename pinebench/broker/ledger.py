"""What the account was worth on every bar: kept as the states between fills, and drawn as a curve when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pinebench.broker.position import Position


@dataclass(slots=True)
class State:
    """The account after the last fill of a bar, and the extremes of its equity on that bar."""

    bar: int
    money: float
    """The capital with realized profits, less the commissions of open trades."""
    size: float
    cost: float
    realized: float
    lowest: float
    highest: float


@dataclass(slots=True)
class Curve:
    """Columns with one value for each bar: equity at its close, and the realized part of it."""

    equity: list[float]
    realized: list[float]


class Ledger:
    """Remembers the account wherever fills change it."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self.states: list[State] = []
        self._bar = -1
        self._state = State(-1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        """The newest state, and its bar."""
        self.largest_long = 0.0
        self.largest_short = 0.0

    def begin(self, bar: int, price: float) -> None:
        """A fill at `price` comes: on the first one of a bar, look at the prices that came before it."""
        position = self._position
        equity = position.equity(price)
        if self._bar != bar:
            self._bar, self._state = bar, State(bar, 0.0, 0.0, 0.0, 0.0, equity, equity)
            self.states.append(self._state)
            self._take(self._state)
            before = position.walk.points[: position.walk.next]
            if before and before != (price,):
                self.mark(bar, min(before))
                self.mark(bar, max(before))
            return
        state = self._state
        if equity < state.lowest:
            state.lowest = equity
        elif equity > state.highest:
            state.highest = equity

    def mark(self, bar: int, price: float) -> None:
        """Prices came to `price`, on a bar with fills."""
        if self._bar != bar:
            return
        state, equity = self._state, self._position.equity(price)
        if equity < state.lowest:
            state.lowest = equity
        elif equity > state.highest:
            state.highest = equity

    def end(self, price: float) -> None:
        """A fill is done."""
        position = self._position
        size = position.size
        self._take(self._state)
        if size > self.largest_long:
            self.largest_long = size
        elif -size > self.largest_short:
            self.largest_short = -size
        self.mark(self._bar, price)

    def _take(self, state: State) -> None:
        """Write down the account as it is: also where an order comes to nothing in the end."""
        position = self._position
        state.realized = realized = position.account.realized
        state.money, state.size, state.cost = realized - position.fees, position.size, position.cost

    def curve(self, close: Sequence[float], rates: Sequence[float] | None) -> Curve:
        """The account on every bar."""
        account = self._position.account
        count, points = len(close), account.point_value
        equity: list[float] = []
        realized: list[float] = []
        money, size, cost, earned = account.capital, 0.0, 0.0, account.capital
        start = 0
        for state in [*self.states, State(count, 0, 0, 0, 0, 0, 0)]:
            stop = min(state.bar, count)
            # From bar `start` to before `stop` nothing was filled.
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
            realized += [earned] * (stop - start)
            if state.bar >= count:
                break
            money, size, cost, earned = state.money, state.size, state.cost, state.realized
            i = start = state.bar
            equity.append(money + (size * close[i] - cost) * points * (rates[i] if rates else 1.0))
            realized.append(earned)
            start += 1
        return Curve(equity, realized)
