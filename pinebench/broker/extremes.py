"""The largest fall and rise of the equity over a run, brought up to date when they are asked for."""

from __future__ import annotations

from typing import Any

from pinebench.broker.ledger import Ledger, State


class Extremes:
    """Falls are measured from the highest realized equity to the worst price of a bar, rises from the lowest realized
    equity to the best price of a bar; percents are of the equity that they are measured from.
    """

    def __init__(self, ledger: Ledger, capital: float) -> None:
        self.drawdown = self.drawdown_percent = self.run_up = self.run_up_percent = 0.0
        self._ledger = ledger
        self._peak = self._trough = capital
        self._state = 0
        """How many states of the ledger are taken in whole."""
        self._bar = 0
        """The first bar that is not taken in."""

    def read(self, broker: Any) -> Extremes:
        """Bring them up to the broker's present bar."""
        states = self._ledger.states
        end = broker.bar + 1
        last: State | None = states[self._state - 1] if self._state else None
        while self._state < len(states):
            state = states[self._state]
            self._between(broker, last, self._bar, state.bar)
            self._take(state.lowest, state.highest)
            self._peak, self._trough = max(self._peak, state.realized), min(self._trough, state.realized)
            self._bar, last = state.bar + 1, state
            self._state += 1
        if last is not None and last.bar == broker.bar:
            # Its bar may see more fills: it is looked at again the next time.
            self._state -= 1
            return self
        self._between(broker, last, self._bar, end)
        self._bar = max(self._bar, end)
        return self

    def _between(self, broker: Any, state: State | None, start: int, stop: int) -> None:
        """Bars without fills."""
        if state is None or not state.size or start >= stop:
            return
        account, prices = broker.account, broker.prices
        best, worst = prices.high, prices.low
        if state.size < 0:
            best, worst = worst, best
        if account.rates is None:
            pick = (max, min) if state.size > 0 else (min, max)
            pairs = [(pick[0](best[start:stop]), pick[1](worst[start:stop]), 1.0)]
        else:
            pairs = zip(best[start:stop], worst[start:stop], account.rates[start:stop], strict=True)
        for high, low, rate in pairs:
            worth = account.point_value * rate
            self._take(
                state.money + (state.size * low - state.cost) * worth,
                state.money + (state.size * high - state.cost) * worth,
            )

    def _take(self, lowest: float, highest: float) -> None:
        fall, rise = self._peak - lowest, highest - self._trough
        if fall > self.drawdown:
            self.drawdown = fall
        if self._peak > 0:
            self.drawdown_percent = max(self.drawdown_percent, 100 * fall / self._peak)
        if rise > self.run_up:
            self.run_up = rise
        if self._trough > 0:
            self.run_up_percent = max(self.run_up_percent, 100 * rise / self._trough)
