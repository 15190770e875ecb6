"""What a symbol's currency is worth in the account's, bar by bar, from the daily rates of a pair."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

_DAY = 86_400_000


@dataclass(frozen=True, slots=True)
class Rates:
    """Daily rates: `days` are when each day begins, in milliseconds UTC and in order, `values` the rates at its end."""

    days: Sequence[int]
    values: Sequence[float]

    def at(self, times: Sequence[int], are_ends: bool = False) -> list[float]:
        """The rate for bars that open at `times`: that of the last day that was over then; before, the first there is.

        `are_ends` says that they are the ends of bars longer than a day, which take that of the day before their last.
        (TradingView's manual, "Currency".)
        """
        found: list[float] = []
        for time in times:
            moment = time - 1 if are_ends else time
            number = bisect_right(self.days, moment - moment % _DAY - _DAY) - 1
            found.append(self.values[max(number, 0)])
        return found
