"""The risk rules of a strategy: what stops it for a day or for good."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pinebench.broker.gate import FAR
from pinebench.broker.orders import CLOSE_ALL, Order
from pinebench.broker.properties import PERCENT

if TYPE_CHECKING:
    from pinebench.broker.emulator import Broker

MOST_FILLED = "Close Position (Max number of filled orders in one day)"
_DAY_LOSS = "Close Position (Max intraday loss)"
_DRAWDOWN = "Close Position (Max drawdown)"
_LOSING_DAYS = "Close Position (Max consecutive loss days)"
_SLACK = 1e-9
"""How far a price that is reckoned back from money may be from the one at which that money is reached."""


class Rules:
    """What `strategy.risk.*` asked for. A rule that is reached takes out every order and closes the position.

    The close is filled on the next price of the path (as measured for the number of filled orders); when the opening of
    a bar reached it, there.
    """

    def __init__(self, broker: Broker, day_of: Callable[[int], object]) -> None:
        self._broker = broker
        self._day_of = day_of
        self.is_set = False
        """Whether any rule needs days or fills counted."""
        self.watches = False
        """Whether any rule looks at the equity at every price."""
        self.side = 0
        """The only side that entries may open, 0 for both."""
        self.most_filled: int | None = None
        self.largest_position: float | None = None
        self.drawdown: tuple[float, bool] | None = None
        self.day_loss: tuple[float, bool] | None = None
        self.losing_days: int | None = None
        self.is_stopped = False
        """Whether no order is taken any more, today or ever."""
        self.forced: Order | None = None
        self._for_good = False
        self._day: object = None
        self._filled = 0
        self._losing = 0
        self._day_equity = 0.0
        self._day_realized = 0.0
        self._peak = 0.0
        self._message = ""

    def reach(self) -> tuple[float, float]:
        """The prices at or above which, and at or below which, a rule that looks at the equity may be reached.

        They are a little nearer than they need be: what is reached, `check` decides.
        """
        position = self._broker.position
        if self.forced is not None:
            return -FAR, FAR
        if self.is_stopped:
            return FAR, -FAR
        least = -FAR
        if self.drawdown is not None:
            peak = max(self._peak, self._broker.account.realized)
            least = peak - _limit(self.drawdown, peak)
        if self.day_loss is not None:
            least = max(least, self._day_equity - _limit(self.day_loss, self._day_equity))
        money = self._broker.account.realized - position.fees
        slack = _SLACK * (abs(least) + abs(money) + abs(position.cost) * self._broker.account.worth)
        if not position.size:
            return (-FAR, FAR) if money <= least + slack else (FAR, -FAR)
        price = ((least + slack - money) / self._broker.account.worth + position.cost) / position.size
        slack = _SLACK * abs(price)
        return (price - slack, -FAR) if position.size < 0 else (FAR, price + slack)

    def watch(self, message: str | None) -> None:
        """A rule was set that needs days or fills counted."""
        self.is_set = True
        self._broker.gate.forget()
        self._message = message or self._message

    def begin_bar(self, i: int) -> None:
        """A new day lets a strategy trade again, unless it was stopped for good."""
        day = self._day_of(i)
        if day == self._day:
            return
        account = self._broker.account
        if self._day is not None and self.losing_days is not None:
            earned = account.realized - self._day_realized
            self._losing = self._losing + 1 if earned < 0 else 0 if earned > 0 else self._losing
        self._broker.gate.forget()
        self._day, self._filled = day, 0
        self._day_realized = account.realized
        self._day_equity = self._broker.position.equity(self._broker.prices.open[i])
        self.is_stopped = self._for_good
        if self.losing_days is not None and self._losing >= self.losing_days and not self._for_good:
            self._stop(_LOSING_DAYS, for_good=True)

    def count(self, price: float) -> None:
        """An order was filled."""
        self._filled += 1
        self._peak = max(self._peak, self._broker.account.realized)
        if self.most_filled is None or self.is_stopped or self._filled < self.most_filled:
            return
        self._stop(MOST_FILLED)
        forced, broker = self.forced, self._broker
        if forced is not None and price == broker.prices.open[broker.bar]:
            self.forced = None
            broker.execute(forced, price)

    def check(self, price: float) -> None:
        """Look at the equity at a price of the path."""
        if not self.watches or self.is_stopped:
            return
        equity = self._broker.position.equity(price)
        if self.drawdown is not None:
            self._peak = max(self._peak, self._broker.account.realized)
            if self._peak - equity >= _limit(self.drawdown, self._peak):
                self._stop(_DRAWDOWN, for_good=True)
                return
        if self.day_loss is not None and self._day_equity - equity >= _limit(self.day_loss, self._day_equity):
            self._stop(_DAY_LOSS)

    def _stop(self, reason: str, *, for_good: bool = False) -> None:
        broker = self._broker
        self.is_stopped = True
        self._for_good = self._for_good or for_good
        broker.book.clear()
        size = broker.position.size
        if size:
            self.forced = Order(CLOSE_ALL, reason, -1 if size > 0 else 1, abs(size), broker.book.turn(), broker.bar)
            self.forced.alert_message = self._message


def _limit(rule: tuple[float, bool], base: float) -> float:
    value, is_percent = rule
    return base * value / 100 if is_percent else value


def is_percent(kind: str) -> bool:
    return str(kind).rpartition(".")[2] == PERCENT
