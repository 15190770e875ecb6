"""The risk rules of a strategy: what stops it for a day or for good."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pinebench.broker.account import Account
from pinebench.broker.book import Book
from pinebench.broker.gate import FAR, Gate
from pinebench.broker.moment import Moment
from pinebench.broker.orders import CLOSE_ALL, Order
from pinebench.broker.position import Position
from pinebench.broker.properties import PERCENT

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

    def __init__(
        self,
        account: Account,
        position: Position,
        book: Book,
        gate: Gate,
        moment: Moment,
        opens: Sequence[float],
        day_of: Callable[[int], object],
    ) -> None:
        """`day_of` gives the trading day of a bar, whose open is in `opens`."""
        self._account = account
        self._position = position
        self._book = book
        self._changed = gate.forget
        self._moment = moment
        self._opens = opens
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
        position, account = self._position, self._account
        if self.forced is not None:
            return -FAR, FAR
        if self.is_stopped:
            return FAR, -FAR
        least = -FAR
        if self.drawdown is not None:
            peak = max(self._peak, account.realized)
            least = peak - _limit(self.drawdown, peak)
        if self.day_loss is not None:
            least = max(least, self._day_equity - _limit(self.day_loss, self._day_equity))
        money = account.realized - position.fees
        slack = _SLACK * (abs(least) + abs(money) + abs(position.cost) * account.worth)
        if not position.size:
            return (-FAR, FAR) if money <= least + slack else (FAR, -FAR)
        price = ((least + slack - money) / account.worth + position.cost) / position.size
        slack = _SLACK * abs(price)
        return (price - slack, -FAR) if position.size < 0 else (FAR, price + slack)

    def watch(self, message: str | None) -> None:
        """A rule was set that needs days or fills counted."""
        if self.is_set:
            return
        self.is_set = True
        self._message = message or self._message
        self.begin_bar(self._moment.bar)

    def watch_drawdown(self, rule: tuple[float, bool]) -> None:
        """Stop for good when the equity has fallen so far from its realized peak."""
        if self.drawdown != rule:
            self.drawdown, self.watches = rule, True
            self._changed()

    def watch_day_loss(self, rule: tuple[float, bool]) -> None:
        """Stop for the day when so much was lost since it began."""
        if self.day_loss != rule:
            self.day_loss, self.watches = rule, True
            self._changed()

    def begin_bar(self, i: int) -> None:
        """A new day lets a strategy trade again, unless it was stopped for good."""
        day = self._day_of(i)
        if day == self._day:
            return
        account = self._account
        if self._day is not None and self.losing_days is not None:
            earned = account.realized - self._day_realized
            self._losing = self._losing + 1 if earned < 0 else 0 if earned > 0 else self._losing
        self._changed()
        self._day, self._filled = day, 0
        self._day_realized = account.realized
        self._day_equity = self._position.equity(self._opens[i])
        self.is_stopped = self._for_good
        if self.losing_days is not None and self._losing >= self.losing_days and not self._for_good:
            self._stop(_LOSING_DAYS, for_good=True)

    def count(self, price: float) -> Order | None:
        """An order was filled at `price`; gives the order that closes the position at once, where that is due."""
        self._filled += 1
        self._peak = max(self._peak, self._account.realized)
        if self.most_filled is None or self.is_stopped or self._filled < self.most_filled:
            return None
        self._stop(MOST_FILLED)
        return self.take_forced() if price == self._opens[self._moment.bar] else None

    def take_forced(self) -> Order | None:
        """The order that closes the position, if a rule asks for one; it is asked for once."""
        forced, self.forced = self.forced, None
        return forced

    def check(self, price: float) -> None:
        """Look at the equity at a price of the path."""
        if not self.watches or self.is_stopped:
            return
        equity = self._position.equity(price)
        if self.drawdown is not None:
            self._peak = max(self._peak, self._account.realized)
            if self._peak - equity >= _limit(self.drawdown, self._peak):
                self._stop(_DRAWDOWN, for_good=True)
                return
        if self.day_loss is not None and self._day_equity - equity >= _limit(self.day_loss, self._day_equity):
            self._stop(_DAY_LOSS)

    def _stop(self, reason: str, *, for_good: bool = False) -> None:
        self.is_stopped = True
        self._for_good = self._for_good or for_good
        self._book.clear()
        size = self._position.size
        if size:
            side = -1 if size > 0 else 1
            self.forced = Order(CLOSE_ALL, reason, side, abs(size), self._book.turn(), self._moment.bar)
            self.forced.alert_message = self._message


def _limit(rule: tuple[float, bool], base: float) -> float:
    value, is_percent = rule
    return base * value / 100 if is_percent else value


def is_percent(kind: str) -> bool:
    return str(kind).rpartition(".")[2] == PERCENT
