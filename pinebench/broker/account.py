"""The account's money: profits, commissions, the quantity of default orders, and the margin of a position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import floor, isfinite

from pinebench.broker.properties import CASH, FIXED, PER_CONTRACT, PER_ORDER, PERCENT, Properties

NA = float("nan")


class Account:
    """The account's money, in the account's currency. Prices are in the symbol's currency.

    `point_value` is the value of one point of one contract. `lot` is the smallest step of a quantity. `rates` has, for
    each bar, the value of one unit of the symbol's currency in the account's currency; None means 1 on every bar.
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
        """The value of one point of one contract in the account's currency, on the current bar."""
        self.net_profit = 0.0
        self.outside = 0.0
        """The profits of the other strategies, open trades included, if several strategies share the account."""
        self.elsewhere = 0.0
        """The margin of the positions of the other strategies: the money that this strategy cannot use."""
        self.crowded_out = 0
        """The number of entries that were not placed or filled because other strategies had bound the money."""
        self._lots_in_one = 1 / lot
        parts = round(self._lots_in_one)
        self._parts = parts if parts > 1 and abs(parts - self._lots_in_one) < 1e-6 * parts else 0
        """The number of lots in one contract if that is a whole number above 1, else 0."""
        self.margin_long, self.margin_short = properties.margin_long / 100, properties.margin_short / 100
        """The part of a position's value that the equity must cover, for each side; 1 means the whole value."""
        self.has_fees = bool(properties.commission_value)
        self.fixed = self.whole_lots(properties.default_qty_value) if properties.default_qty_type == FIXED else None
        """The quantity of a default order if it is always the same, else None."""
        self.fee: Callable[[float, float], float] = _FEES.get(properties.commission_type, _percent_fee)(self)

    @property
    def realized(self) -> float:
        """The initial capital plus the profits of closed trades, and the profits of the other strategies."""
        return self.capital + self.net_profit + self.outside

    def worth_on(self, i: int) -> float:
        """The value of one point of one contract in the account's currency, on bar `i`."""
        return self.point_value if self.rates is None else self.point_value * self.rates[i]

    def begin_bar(self, i: int) -> None:
        """Use the exchange rate of bar `i` from now on."""
        if self.rates is not None:
            self.rate = self.rates[i]
            self.worth = self.point_value * self.rate

    def whole_lots(self, quantity: float) -> float:
        """Round `quantity` down to whole lots. Return 0 for na, and an infinite quantity unchanged."""
        many = quantity * self._lots_in_one + 1e-9
        if not isfinite(many):
            return 0.0 if quantity != quantity else quantity
        lots = floor(many)
        return lots / self._parts if self._parts else lots * self.lot

    def share(self, quantity: float, percent: float) -> float:
        """`percent` of `quantity` in whole lots. At least one lot if `percent` is positive and `quantity` has a lot.

        The authors of PyneCore measured this.
        """
        part = self.whole_lots(quantity * percent / 100)
        return part if part or percent <= 0 else min(self.lot, self.whole_lots(quantity))

    def default_quantity(self, equity: float, price: float) -> float:
        """The quantity in contracts of an order without `qty` at `price`.

        It is fixed, or computed from a percentage of `equity`, or from an amount of money. The commission is paid from
        the same money, so that less is left for the order, unless the commission is per contract.
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
        """The part of a position's value that the equity must cover; 1 means the whole value. `side` is 1 or -1."""
        return self.margin_long if side > 0 else self.margin_short

    def bound(self, quantity: float, price: float, side: int) -> float:
        """The margin of a position: the money that the equity must cover."""
        return quantity * price * self.worth * (self.margin_long if side > 0 else self.margin_short)

    @property
    def has_full_orders(self) -> bool:
        """Whether default orders use the whole equity or more, and there is no commission."""
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
