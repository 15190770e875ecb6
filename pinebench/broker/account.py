"""The account's money: what was earned, what orders cost, what a default order buys and what a position binds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import floor, isfinite

from pinebench.broker.properties import CASH, FIXED, PER_CONTRACT, PER_ORDER, PERCENT, Properties

NA = float("nan")


class Account:
    """Money in the account's currency; prices are the symbol's, in its own.

    `point_value` is what one point of one contract is worth, `lot` the smallest step of a quantity. `rates` says for
    each bar how much of the account's currency one unit of the symbol's is; None for 1.
    """

    def __init__(
        self, properties: Properties, point_value: float, lot: float, rates: Sequence[float] | None = None
    ) -> None:
        self.properties = properties
        self.capital = properties.initial_capital
        self.point_value = point_value
        self.lot = lot
        self.rates = rates
        self.rate = 1.0
        self.worth = point_value
        """What one point of one contract is worth in the account's currency."""
        self.net_profit = 0.0
        self._lots_in_one = 1 / lot
        parts = round(self._lots_in_one)
        self._parts = parts if parts > 1 and abs(parts - self._lots_in_one) < 1e-6 * parts else 0
        """How many lots are one contract, where that is a whole number."""
        self.margin_long, self.margin_short = properties.margin_long / 100, properties.margin_short / 100
        """The part of a position's value that must be covered: 1 for all of it."""
        self.has_fees = bool(properties.commission_value)
        self.fixed = self.whole_lots(properties.default_qty_value) if properties.default_qty_type == FIXED else None
        """The quantity of a default order, where it is always the same."""
        self.fee: Callable[[float, float], float] = _FEES.get(properties.commission_type, _percent_fee)(self)

    @property
    def realized(self) -> float:
        """The capital with the profits of closed trades."""
        return self.capital + self.net_profit

    def worth_on(self, i: int) -> float:
        """What one point of one contract is worth in the account's currency on a bar."""
        return self.point_value if self.rates is None else self.point_value * self.rates[i]

    def begin_bar(self, i: int) -> None:
        """Take the rate of a bar."""
        if self.rates is not None:
            self.rate = self.rates[i]
            self.worth = self.point_value * self.rate

    def whole_lots(self, quantity: float) -> float:
        """`quantity` without what is less than a lot; nothing for na, and an infinity as it is."""
        many = quantity * self._lots_in_one + 1e-9
        if not isfinite(many):
            return 0.0 if quantity != quantity else quantity
        lots = floor(many)
        return lots / self._parts if self._parts else lots * self.lot

    def share(self, quantity: float, percent: float) -> float:
        """So many percent of `quantity` in whole lots, but one where there is one: measured by PyneCore's authors."""
        part = self.whole_lots(quantity * percent / 100)
        return part if part or percent <= 0 else min(self.lot, self.whole_lots(quantity))

    def default_quantity(self, equity: float, price: float) -> float:
        """What an order without a quantity buys at `price`: contracts, a part of `equity`, or an amount of money.

        The commission is paid from the same money: a percentage is divided out, a sum for each order subtracted.
        """
        if self.fixed is not None:
            return self.fixed
        known = self.properties
        money = known.default_qty_value
        if known.default_qty_type == PERCENT:
            money *= equity / 100
        if known.commission_type == "percent":
            money /= 1 + known.commission_value / 100
        elif known.commission_type == PER_ORDER:
            money -= known.commission_value
        cost = price * self.worth
        return self.whole_lots(money / cost) if cost > 0 and money > 0 else 0.0

    def margin(self, side: int) -> float:
        """The part of a position's value that must be covered: 1 for all of it."""
        return self.margin_long if side > 0 else self.margin_short

    def bound(self, quantity: float, price: float, side: int) -> float:
        """The money that a position binds."""
        return quantity * price * self.worth * (self.margin_long if side > 0 else self.margin_short)

    @property
    def has_full_orders(self) -> bool:
        """Whether default orders take all the money there is, and no commission leaves room."""
        known = self.properties
        return known.default_qty_type == PERCENT and known.default_qty_value >= 100 and not known.commission_value

    @property
    def is_sized_by_money(self) -> bool:
        return self.properties.default_qty_type in (PERCENT, CASH)


def _percent_fee(account: Account) -> Callable[[float, float], float]:
    share = account.properties.commission_value / 100
    return lambda quantity, price: quantity * price * account.worth * share if share else 0.0


def _contract_fee(account: Account) -> Callable[[float, float], float]:
    value = account.properties.commission_value
    return lambda quantity, _price: quantity * value


def _order_fee(account: Account) -> Callable[[float, float], float]:
    value = account.properties.commission_value
    return lambda _quantity, _price: value


_FEES = {PER_CONTRACT: _contract_fee, PER_ORDER: _order_fee}
