"""The numbers of winning and losing trades, and the sums of their profits.

The class runs on both tiers, as `Position` does.
"""

from __future__ import annotations

from pinebench.broker.position import Position
from pinebench.broker.trades import TradeColumns


class Tally:
    """Counts the closed trades on demand, when a number is read."""

    __slots__ = ("_position", "losses", "lost", "lost_percent", "percent", "trades", "wins", "won", "won_percent")

    def __init__(self, position: Position) -> None:
        self._position = position
        self.trades = 0
        """The number of closed trades that are included."""
        self.wins = self.losses = 0
        """The numbers of trades with a profit and with a loss."""
        self.won = self.lost = 0.0
        """The sums of the profits of winning trades and of the losses of losing trades; both are positive."""
        self.percent = self.won_percent = self.lost_percent = 0.0
        """The sums of all profits, of the profits and of the losses, each in percent of the value of its entry."""

    def count(self) -> None:
        """Count the trades that were closed since the last call."""
        closed = self._position.closed
        for number in range(self.trades, len(closed)):
            trade = closed[number]
            percent = trade.profit_percent
            self.percent += percent
            if trade.profit > 0:
                self.wins += 1
                self.won += trade.profit
                self.won_percent += percent
            elif trade.profit < 0:
                self.losses += 1
                self.lost -= trade.profit
                self.lost_percent -= percent
        self.trades = len(closed)

    def draw(self, columns: TradeColumns) -> None:
        """Append all closed trades to the empty `columns`."""
        closed = self._position.closed
        for number in range(len(closed)):
            columns.add(closed[number])
