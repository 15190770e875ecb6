"""The numbers of winning and losing trades, and the sums of their profits.

The class runs on both tiers, as `Position` does.
"""

from __future__ import annotations

from pinebench.broker.position import Position
from pinebench.broker.trades import TradeColumns


class Tally:
    """Counts the closed trades when a number is read."""

    __slots__ = (
        *("_counted", "_losses", "_lost", "_lost_percent", "_percent", "_position", "_wins", "_won"),
        "_won_percent",
    )

    def __init__(self, position: Position) -> None:
        self._position = position
        self._counted = 0
        """The number of closed trades that are included."""
        self._wins = self._losses = 0
        self._won = self._lost = self._percent = self._won_percent = self._lost_percent = 0.0

    def _count(self) -> None:
        """Include the trades that were closed since the last call."""
        closed = self._position.closed
        for number in range(self._counted, len(closed)):
            trade = closed[number]
            percent = trade.profit_percent
            self._percent += percent
            if trade.profit > 0:
                self._wins += 1
                self._won += trade.profit
                self._won_percent += percent
            elif trade.profit < 0:
                self._losses += 1
                self._lost -= trade.profit
                self._lost_percent -= percent
        self._counted = len(closed)

    def draw(self, columns: TradeColumns) -> None:
        """Write the closed trades as columns, which have none yet."""
        closed = self._position.closed
        for number in range(len(closed)):
            columns.add(closed[number])

    def wins(self) -> int:
        """The number of trades with a profit."""
        self._count()
        return self._wins

    def losses(self) -> int:
        """The number of trades with a loss."""
        self._count()
        return self._losses

    def evens(self) -> int:
        """The number of trades with neither a profit nor a loss."""
        self._count()
        return self._counted - self._wins - self._losses

    def won(self) -> float:
        """The sum of the profits of winning trades."""
        self._count()
        return self._won

    def lost(self) -> float:
        """The sum of the losses of losing trades, a positive number."""
        self._count()
        return self._lost

    def percent(self) -> float:
        """The sum of the profits of all trades, each in percent of the value of its entry."""
        self._count()
        return self._percent

    def won_percent(self) -> float:
        """The sum of the profits of winning trades, each in percent of the value of its entry."""
        self._count()
        return self._won_percent

    def lost_percent(self) -> float:
        """The sum of the losses of losing trades, each in percent of the value of its entry; a positive number."""
        self._count()
        return self._lost_percent
