"""The largest drawdown and run-up of the equity over a run, computed when they are read."""

from __future__ import annotations

from pinebench.broker.account import Account
from pinebench.broker.ledger import Ledger, Prices, State


class Extremes:
    """The largest drawdown and run-up of the equity.

    A drawdown is measured from the highest realized equity at the end of an earlier bar to the equity at the worst
    price of a bar. A run-up is measured from the lowest realized equity to the equity at the best price in the same
    way. Percentages are relative to the equity at the start of the move.
    """

    def __init__(self, ledger: Ledger, account: Account, prices: Prices) -> None:
        self.drawdown = self.drawdown_percent = self.run_up = self.run_up_percent = 0.0
        self._ledger = ledger
        self._account = account
        self._prices = prices
        self._peak = self._trough = account.capital
        self._state = 0
        """The number of states of the ledger that `read` has already taken into the extremes."""
        self._bar = 0
        """The first bar that is not included yet."""

    def read(self, bar: int) -> Extremes:
        """Include all bars up to the current bar `bar`, and return self."""
        states = self._ledger.states
        last: State | None = states[self._state - 1] if self._state else None
        for state in states[self._state :]:
            self._pass(last, state.bar)
            self._take(state.lowest, state.highest)
            self._bar, last = state.bar + 1, state
        self._state = len(states)
        if last is not None and last.bar == bar:
            # There may be more fills on this bar, so it is included again next time.
            self._state -= 1
            return self
        self._pass(last, bar + 1)
        self._bar = max(self._bar, bar + 1)
        return self

    def _pass(self, state: State | None, stop: int) -> None:
        """Begin moves at the realized equity of `state`, whose bar has ended, and include the bars up to, not
        including, `stop`, on which nothing was filled."""
        if state is None:
            return
        if state.realized > self._peak:
            self._peak = state.realized
        elif state.realized < self._trough:
            self._trough = state.realized
        if state.size and self._bar < stop:
            self._between(state, self._bar, stop)

    def _between(self, state: State, start: int, stop: int) -> None:
        """Include the bars from `start` up to, not including, `stop`, with an open position and without fills."""
        account, prices = self._account, self._prices
        money, size, cost = state.money, state.size, state.cost
        high, low = prices.high, prices.low
        if account.rates is None:
            worst, best = low[start], high[start]
            if start + 1 < stop:
                worst, best = min(low[start:stop]), max(high[start:stop])
            if size < 0:
                worst, best = best, worst
            worth = account.point_value
            self._take(money + (size * worst - cost) * worth, money + (size * best - cost) * worth)
            return
        worsts, bests = (low, high) if size > 0 else (high, low)
        for worst, best, rate in zip(worsts[start:stop], bests[start:stop], account.rates[start:stop], strict=True):
            worth = account.point_value * rate
            self._take(money + (size * worst - cost) * worth, money + (size * best - cost) * worth)

    def _take(self, lowest: float, highest: float) -> None:
        peak, trough = self._peak, self._trough
        fall, rise = peak - lowest, highest - trough
        if fall > self.drawdown:
            self.drawdown = fall
        if rise > self.run_up:
            self.run_up = rise
        if peak > 0:
            percent = 100 * fall / peak
            if percent > self.drawdown_percent:
                self.drawdown_percent = percent
        if trough > 0:
            percent = 100 * rise / trough
            if percent > self.run_up_percent:
                self.run_up_percent = percent
