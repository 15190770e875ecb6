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

    def at(self, times: Sequence[int], is_long: bool = False, closes: Sequence[int] = ()) -> list[float]:
        """The rate for bars that open at `times`: that of the last day that was over then; before, the first there is.

        On bars longer than a day (`is_long`) it is that of the day before each one's end, in `closes`.
        (TradingView's manual, "Currency".)
        """
        moments = [close - 1 for close in closes] if is_long else times
        found: list[float] = []
        for moment in moments:
            day = moment - moment % _DAY
            number = bisect_right(self.days, day - _DAY) - 1
            found.append(self.values[max(number, 0)])
        return found
