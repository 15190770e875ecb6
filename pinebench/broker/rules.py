"""The risk rules of a strategy, which can stop its trading for a day or permanently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pinebench.broker.account import Account
from pinebench.broker.book import Book
from pinebench.broker.gate import FAR, Gate
from pinebench.broker.moment import Moment
from pinebench.broker.orders import CLOSE_ALL, Order
from pinebench.broker.position import Position

MOST_FILLED = "Close Position (Max number of filled orders in one day)"
_DAY_LOSS = "Close Position (Max intraday loss)"
_DRAWDOWN = "Close Position (Max drawdown)"
_LOSING_DAYS = "Close Position (Max consecutive loss days)"
RULE_IDS = (MOST_FILLED, _DAY_LOSS, _DRAWDOWN, _LOSING_DAYS)
"""The ids of the orders with which the rules close a position."""
_SLACK = 1e-9
"""The relative rounding error that is allowed for a price that is computed from an amount of money."""


@dataclass(eq=False)
class Rules:
    """The rules that the script set with `strategy.risk.*`. When a rule is reached, all orders are removed and the
    position is closed.

    The position is closed at the next price of the path (measured for the number of filled orders), or at the open if
    the rule is reached there.
    """

    _account: Account
    _position: Position
    _book: Book
    _gate: Gate
    _moment: Moment
    _opens: Sequence[float]
    _days: Sequence[int]
    """The trading day of each bar, as a number."""
    is_set: bool = False
    """Whether there is a rule, so that days and fills must be counted."""
    watches: bool = False
    """Whether any rule looks at the equity at every price."""
    side: int = 0
    """The only side that entries may open: 1 for long, -1 for short, 0 for both."""
    most_filled: int | None = None
    largest_position: float | None = None
    drawdown: float | None = None
    _drawdown_is_percent: bool = False
    day_loss: float | None = None
    _day_loss_is_percent: bool = False
    losing_days: int | None = None
    is_stopped: bool = False
    """Whether orders are ignored from now on, for the day or permanently."""
    forced: Order | None = None
    _for_good: bool = False
    _day: int | None = None
    _filled: int = 0
    _losing: int = 0
    _day_equity: float = 0.0
    _day_realized: float = 0.0
    _peak: float = 0.0
    filled_message: str = ""
    """The alert message of the order that closes the position when the limit of filled orders is reached."""
    drawdown_message: str = ""
    loss_message: str = ""
    days_message: str = ""

    def reach(self) -> tuple[float, float]:
        """Return two prices: a rule about the equity can be reached only at or above the first price, or at or below
        the second. They allow for rounding errors; `check` decides whether a rule is actually reached."""
        position, account = self._position, self._account
        if self.forced is not None:
            return -FAR, FAR
        if self.is_stopped:
            return FAR, -FAR
        least = -FAR
        if self.drawdown is not None:
            peak = max(self._peak, account.realized)
            least = peak - _limit(self.drawdown, self._drawdown_is_percent, peak)
        if self.day_loss is not None:
            lost = _limit(self.day_loss, self._day_loss_is_percent, self._day_equity)
            least = max(least, self._day_equity - lost)
        money = account.realized - position.fees
        slack = _SLACK * (abs(least) + abs(money) + abs(position.cost) * account.worth)
        if not position.size:
            return (-FAR, FAR) if money <= least + slack else (FAR, -FAR)
        price = ((least + slack - money) / account.worth + position.cost) / position.size
        slack = _SLACK * abs(price)
        return (price - slack, -FAR) if position.size < 0 else (FAR, price + slack)

    def bars(self, side: int) -> bool:
        """Return whether entries on `side` may not open a position."""
        return self.side != 0 and side != self.side

    def most(self, side: int, quantity: float, size: float) -> float:
        """Return how much of `quantity` contracts an entry on `side` may trade if the position has `size` contracts:
        all that closes the position, and no more than the rules let it open."""
        if self.bars(side):
            return min(quantity, max(-size * side, 0.0))
        largest = self.largest_position
        if largest is None:
            return quantity
        return min(quantity, self._account.whole_lots(max(largest - size * side, 0.0)))

    def watch(self) -> None:
        """Start counting days and fills."""
        if not self.is_set:
            self.is_set = True
            self.begin_bar(self._moment.bar)

    def watch_drawdown(self, value: float | None, in_percent: bool) -> None:
        """Stop trading permanently when the equity falls by `value` below its peak; None removes this rule. `value` is
        an amount in the account's currency, or with `in_percent` a percentage of the peak."""
        if self.drawdown != value or self._drawdown_is_percent != in_percent:
            self.drawdown, self._drawdown_is_percent, self.watches = value, in_percent, True
            self._gate.forget()

    def watch_day_loss(self, value: float | None, in_percent: bool) -> None:
        """Stop trading for the day when the loss since the start of the day reaches `value`; None removes this rule.
        `value` is an amount in the account's currency, or with `in_percent` a percentage of the equity at the start of
        the day."""
        if self.day_loss != value or self._day_loss_is_percent != in_percent:
            self.day_loss, self._day_loss_is_percent, self.watches = value, in_percent, True
            self._gate.forget()

    def begin_bar(self, i: int) -> None:
        """Begin bar `i`. On a new day the strategy may trade again, unless it was stopped permanently."""
        day = self._days[i]
        if day == self._day:
            return
        account = self._account
        if self._day is not None and self.losing_days is not None:
            earned = account.realized - self._day_realized
            self._losing = self._losing + 1 if earned < 0 else 0 if earned > 0 else self._losing
        self._gate.forget()
        self._day, self._filled = day, 0
        self._day_realized = account.realized
        self._day_equity = self._position.equity(self._opens[i])
        self.is_stopped = self._for_good
        if self.losing_days is not None and self._losing >= self.losing_days and not self._for_good:
            self._stop(_LOSING_DAYS, self.days_message, for_good=True)

    def count(self, price: float) -> Order | None:
        """Count a fill at `price` for the daily limit of fills. If it reaches the limit at the bar's open, return the
        order that closes the position immediately; otherwise return None."""
        self._filled += 1
        self._peak = max(self._peak, self._account.realized)
        if self.most_filled is None or self.is_stopped or self._filled < self.most_filled:
            return None
        self._stop(MOST_FILLED, self.filled_message)
        return self.take_forced() if price == self._opens[self._moment.bar] else None

    def take_forced(self) -> Order | None:
        """Return the order of a rule that closes the position, and clear it; None if there is none."""
        forced, self.forced = self.forced, None
        return forced

    def check(self, price: float) -> None:
        """Check the equity rules at a price of the path."""
        if not self.watches or self.is_stopped:
            return
        equity = self._position.equity(price)
        if self.drawdown is not None:
            self._peak = max(self._peak, self._account.realized)
            if self._peak - equity >= _limit(self.drawdown, self._drawdown_is_percent, self._peak):
                self._stop(_DRAWDOWN, self.drawdown_message, for_good=True)
                return
        if self.day_loss is not None:
            lost = self._day_equity - equity
            if lost >= _limit(self.day_loss, self._day_loss_is_percent, self._day_equity):
                self._stop(_DAY_LOSS, self.loss_message)

    def _stop(self, reason: str, message: str, *, for_good: bool = False) -> None:
        self.is_stopped = True
        self._for_good = self._for_good or for_good
        self._book.clear()
        size = self._position.size
        if size:
            side = -1 if size > 0 else 1
            self.forced = Order(CLOSE_ALL, reason, side, abs(size), self._book.turn(), self._moment.bar)
            self.forced.alert_message = message


def _limit(value: float, in_percent: bool, base: float) -> float:
    return base * value / 100 if in_percent else value
