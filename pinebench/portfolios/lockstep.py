"""Runs several strategies side by side, bar by bar in order of time, in one account or each in its own.

A bar is processed in two steps. At its open, waiting orders are filled on the open. At its close, they are filled on
the rest of the bar's prices, and then the script runs. So no strategy sees a price of another strategy before that
price is known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from types import FrameType, TracebackType

from pinebench.backtesting.backtest import PreparedBacktest
from pinebench.backtesting.bar_close_times import known_times
from pinebench.runtime import Result, RunBudget, RuntimeFault, StackFrame, guard

_CLOSE, _OPEN = 0, 1
"""The two events of a bar. At equal times, closes come before opens."""


class StrategyFailure(Exception):
    """Raised when a strategy stops with an error. It has the strategy's index and the error."""

    def __init__(self, number: int, fault: RuntimeFault) -> None:
        super().__init__(str(fault))
        self.number = number
        self.fault = fault


class _Runner:
    """A strategy that runs beside others, with the newest price of its symbol."""

    def __init__(self, begun: PreparedBacktest) -> None:
        self.runtime, self.broker = begun.runtime, begun.broker
        self.execution, self.account = begun.runtime.execution, begun.broker.account
        self.opens, self.closes = begun.market.open, begun.market.close
        self.starts, self.ends = known_times(begun.runtime.chart)
        self.price = math.nan
        self._again: Callable[[], None] | None = None

    @property
    def profit(self) -> float:
        """The profit of closed and open trades at the newest price."""
        position = self.broker.position
        return self.account.net_profit + (position.profit(self.price) if position.size else 0.0)

    @property
    def bound(self) -> float:
        """The margin of the position at the newest price."""
        size = self.broker.position.size
        return self.account.bound(abs(size), self.price, 1 if size > 0 else -1) if size else 0.0

    def see(self, others: Sequence[_Runner]) -> None:
        """Enter profits and margins of `others`, the account's other strategies, into this strategy's account."""
        self.account.outside = math.fsum([each.profit for each in others])
        self.account.elsewhere = math.fsum([each.bound for each in others])

    def open_bar(self, i: int) -> None:
        """Fill orders on the open of bar `i`."""
        if self.broker.recalculates:
            self._again = self.runtime.run_on_fills(i)
        self.broker.open_bar(i)

    def go_on(self, i: int) -> None:
        """Fill orders on the prices of bar `i` after its open."""
        self.broker.go_on(i)
        self.price = self.closes[i]

    def run_script(self, i: int) -> None:
        """Run the script on bar `i`."""
        if self._again is not None:
            self._again()
        else:
            self.execution.run_bar(i)


class _LockstepRun:
    """The run of all strategies as the guard watches it: `index` counts moments, `number` is the running strategy."""

    def __init__(self, runners: Sequence[_Runner]) -> None:
        self.index = 0
        self.number = 0
        self._runners = runners

    def stack(self, traceback: TracebackType | None) -> list[StackFrame]:
        return self._runners[self.number].execution.stack(traceback)

    def endless(self, frame: FrameType | None) -> FrameType | None:
        return self._runners[self.number].execution.endless(frame)


def run_together(all_begun: Sequence[PreparedBacktest], budget: RunBudget, *, is_shared: bool) -> list[Result]:
    """Run all bars of the strategies `all_begun`, and return their results. With `is_shared` they trade in one account.

    In a shared account, each strategy's equity is the equity of the account, and its entries may only use money that is
    not tied up in positions of the other strategies. If two strategies want the same money at the same time, the first
    one gets it.

    Raises StrategyFailure if a strategy stops with an error, or if all together use more than the budget.
    """
    runners = [_Runner(begun) for begun in all_begun]
    others = [[each for each in runners if each is not one] if is_shared else [] for one in runners]
    watched = _LockstepRun(runners)

    def turns(numbers: Sequence[int]) -> Iterator[_Runner]:
        """Yield the strategies with these numbers, one after the other, each with what it sees of the others."""
        for number in numbers:
            watched.number = number
            runners[number].see(others[number])
            yield runners[number]

    try:
        for watched.number, one in enumerate(runners):
            if one.runtime.error is not None:
                raise one.runtime.error
        with guard.guarded(watched, budget):
            for watched.number, one in enumerate(runners):
                one.execution.prepare()
            for (_, kind), group in groupby(_moments(runners), lambda moment: moment[:2]):
                watched.index += 1
                bars = {number: bar for _, _, number, bar in group}
                if kind == _OPEN:
                    _open(turns, runners, bars)
                else:
                    _close(turns, bars)
    except RuntimeFault as fault:
        one = runners[watched.number]
        if fault.bar is None:
            fault.bar = max(one.execution.index, 0)
        one.runtime.stop(fault)
        raise StrategyFailure(watched.number, fault) from None
    return [one.runtime.result() for one in runners]


_Turns = Callable[[Sequence[int]], Iterator[_Runner]]


def _open(turns: _Turns, runners: Sequence[_Runner], bars: dict[int, int]) -> None:
    """Process the open of bars; `bars` has the bar of each strategy by the strategy's number."""
    for number, i in bars.items():
        runners[number].price = runners[number].opens[i]
    for one, i in zip(turns([*bars]), bars.values(), strict=True):
        one.open_bar(i)


def _close(turns: _Turns, bars: dict[int, int]) -> None:
    """Process the close of bars. All scripts run after all orders on the bars are filled, so they see the same
    account."""
    for one, i in zip(turns([*bars]), bars.values(), strict=True):
        one.go_on(i)
    for one, i in zip(turns([*bars]), bars.values(), strict=True):
        one.run_script(i)
    for one, i in zip(turns([*bars]), bars.values(), strict=True):
        one.broker.after_bar(i)


def _moments(runners: Sequence[_Runner]) -> list[tuple[int, int, int, int]]:
    """The moments of all bars in their order: time, open or close, the number of the strategy, the bar."""
    found = [
        (time, kind, number, bar)
        for number, one in enumerate(runners)
        for kind, times in ((_OPEN, one.starts), (_CLOSE, one.ends))
        for bar, time in enumerate(times)
    ]
    return sorted(found)
