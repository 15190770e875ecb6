"""The largest drawdown and run-up of the equity during a run. They are computed when they are read.

The class runs on both tiers, as `Account` does.
"""

from __future__ import annotations

from pinebench.broker.account import Account
from pinebench.broker.ledger import Ledger, Prices


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
        self._highs, self._lows = prices.high, prices.low
        self._peak = self._trough = account.capital
        self._change = 0
        """The number of changes of the ledger whose bars have ended and are included."""
        self._bar = 0
        """The first bar that is not included yet."""

    def read(self, bar: int) -> None:
        """Update the extremes with all bars up to `bar`, the current bar."""
        ledger = self._ledger
        filled = ledger.bar_after(self._change)
        while filled >= 0:
            stop = ledger.bar_end(self._change)
            self._pass(filled)
            lowest, highest = ledger.extremes(self._change, stop)
            self._take(lowest, highest)
            if filled == bar:
                return  # there may be more fills on this bar, so it is included again next time
            self._change, self._bar = stop, filled + 1
            filled = ledger.bar_after(stop)
        self._pass(bar + 1)

    def _pass(self, stop: int) -> None:
        """Begin moves at the realized equity of the last bar with fills, and include the bars up to, not including,
        `stop`, on which nothing was filled."""
        if not self._change:
            return
        realized, fees, size, cost = self._ledger.before(self._change)
        if realized > self._peak:
            self._peak = realized
        elif realized < self._trough:
            self._trough = realized
        if size and self._bar < stop:
            self._between(realized - fees, size, cost, stop)
        self._bar = max(self._bar, stop)

    def _between(self, money: float, size: float, cost: float, stop: int) -> None:
        """Include the bars up to, not including, `stop`, with an open position and without fills."""
        start = self._bar
        if self._account.rates is None:
            self._take_prices(min(self._lows[start:stop]), max(self._highs[start:stop]), money, size, cost, start)
            return
        for number in range(start, stop):
            self._take_prices(self._lows[number], self._highs[number], money, size, cost, number)

    def _take_prices(self, low: float, high: float, money: float, size: float, cost: float, bar: int) -> None:
        worth = self._account.worth_on(bar)
        at_low, at_high = money + (size * low - cost) * worth, money + (size * high - cost) * worth
        if size > 0:
            self._take(at_low, at_high)
        else:
            self._take(at_high, at_low)

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
