"""The account's money: profits, commissions, default order quantities, and the margin of a position.

This class runs on both tiers. `compiled/kernel_lowering` translates it to machine code, so it uses only the subset of
Python that is described there.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, isfinite

from pinebench.broker.properties import CASH, FIXED, PER_CONTRACT, PER_ORDER, PERCENT, Properties

NA = float("nan")
NO_FEE, PERCENT_FEE, CONTRACT_FEE, ORDER_FEE = 0, 1, 2, 3
"""The kinds of commissions: a part of the value, an amount for each contract, an amount for each order."""
FEES = {"percent": PERCENT_FEE, PER_CONTRACT: CONTRACT_FEE, PER_ORDER: ORDER_FEE}
"""The kind of commission for each value of the property `commission_type`."""
CONTRACTS, MONEY, EQUITY_SHARE = 0, 1, 2
"""The kinds of default quantities: contracts, an amount of money, a percentage of the equity."""
SIZES = {FIXED: CONTRACTS, CASH: MONEY, PERCENT: EQUITY_SHARE}
"""The kind of default quantity for each value of the property `default_qty_type`."""


class Account:
    """The account's money, in the account's currency. Prices are in the symbol's currency.

    `point_value` is the value of one point of one contract. `lot` is the smallest step of a quantity. `rates` has, for
    each bar, the value of one unit of the symbol's currency in the account's currency; None means 1 on every bar.
    """

    __slots__ = (
        *("capital", "crowded_out", "currency", "cut_orders", "elsewhere", "fee_kind", "fee_value", "has_full_orders"),
        *("has_records", "is_sized_by_money", "lot", "lots_in_one", "margin_long", "margin_short", "net_profit"),
        *("outside", "parts", "point_value", "quantity_kind", "quantity_value", "rate", "rates", "uncovered", "worth"),
    )

    def __init__(
        self, properties: Properties, point_value: float, lot: float, rates: Sequence[float] | None = None
    ) -> None:
        self.currency = properties.currency
        self.capital = float(properties.initial_capital)
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
        self.uncovered = 0
        """The number of entries whose margin the equity would not even cover without the other strategies."""
        self.cut_orders = 0
        """The number of filled orders that had lost much of their size when it was rounded to whole lots (`Order`)."""
        self.crowded_out = 0
        """The number of entries that were not placed or filled because other strategies had tied up the money."""
        self.lots_in_one = 1 / lot
        parts = round(self.lots_in_one)
        self.parts = parts if parts > 1 and abs(parts - self.lots_in_one) < 1e-6 * parts else 0
        """The number of lots in one contract if that is a whole number above 1, else 0."""
        self.margin_long, self.margin_short = properties.margin_long / 100, properties.margin_short / 100
        """The part of a position's value that the equity must cover, for each side; 1 means the whole value."""
        value = properties.commission_value
        self.fee_kind = FEES.get(properties.commission_type, PERCENT_FEE) if value else NO_FEE
        self.fee_value = value / 100 if self.fee_kind == PERCENT_FEE else value
        """The commission of one contract or of an order, or its part of the value."""
        self.quantity_kind = SIZES.get(properties.default_qty_type, MONEY)
        self.quantity_value = properties.default_qty_value
        self.is_sized_by_money = self.quantity_kind != CONTRACTS
        self.has_full_orders = self.quantity_kind == EQUITY_SHARE and properties.default_qty_value >= 100 and not value
        """Whether default orders use the whole equity or more, and there is no commission."""
        self.has_records = True
        """Whether the fills and the price extremes of each trade are recorded. A sweep as machine code leaves them out,
        because the figures of its runs do not need them."""

    @property
    def realized(self) -> float:
        """The initial capital plus the profits of closed trades, of all strategies in a shared account."""
        return self.capital + self.net_profit + self.outside

    def worth_on(self, i: int) -> float:
        """Return the value of one point of one contract on bar `i`, in the account's currency."""
        return self.point_value if self.rates is None else self.point_value * self.rates[i]

    def begin_bar(self, i: int) -> None:
        """Switch to the exchange rate of bar `i`."""
        if self.rates is not None:
            self.rate = self.rates[i]
            self.worth = self.point_value * self.rate

    def fee(self, quantity: float, price: float, whole: float) -> float:
        """Return the commission of `quantity` contracts at `price`, in the account's currency. `whole` is the quantity
        of their order: a commission per order is divided by quantity if the order closes a position and opens another
        one. The authors of PyneCore measured this on TradingView."""
        kind = self.fee_kind
        if kind == NO_FEE:
            return 0.0
        if kind == PERCENT_FEE:
            return quantity * abs(price) * self.worth * self.fee_value
        return quantity * self.fee_value if kind == CONTRACT_FEE else self.fee_value * (quantity / whole)

    def whole_lots(self, quantity: float) -> float:
        """Round `quantity` down to whole lots. Return 0 for na, and an infinite quantity unchanged."""
        many = quantity * self.lots_in_one + 1e-9
        if not isfinite(many):
            return 0.0 if quantity != quantity else quantity
        lots = floor(many)
        return lots / self.parts if self.parts else lots * self.lot

    def share(self, quantity: float, percent: float) -> float:
        """Return `percent` of `quantity` in whole lots. If `percent` is positive and `quantity` has at least one lot,
        the result is at least one lot. The authors of PyneCore, another Pine runtime, measured this."""
        part = self.whole_lots(quantity * percent / 100)
        return part if part or percent <= 0 else min(self.lot, self.whole_lots(quantity))

    def default_quantity(self, equity: float, price: float) -> float:
        """Return the quantity, in contracts, of an order at `price` without `qty`, rounded down to whole lots."""
        return self.whole_lots(self.default_size(equity, price))

    def default_size(self, equity: float, price: float) -> float:
        """Return the quantity, in contracts, of an order at `price` without `qty`, before it is rounded to whole lots.

        The quantity is fixed, or follows from a percentage of `equity` or an amount of money. Unless the commission is
        per contract, it is paid from the same money, which leaves less for the order.
        """
        if self.quantity_kind == CONTRACTS:
            return self.quantity_value
        money = self.quantity_value
        if self.quantity_kind == EQUITY_SHARE:
            money *= equity / 100
        if self.fee_kind == PERCENT_FEE:
            money /= 1 + self.fee_value
        elif self.fee_kind == ORDER_FEE:
            money -= self.fee_value
        cost = price * self.worth
        return money / cost if cost > 0 and money > 0 else 0.0

    def margin(self, side: int) -> float:
        """Return the fraction of a position's value that the equity must cover (1: all of it). `side` is 1 or -1."""
        return self.margin_long if side > 0 else self.margin_short

    def bound(self, quantity: float, price: float, side: int) -> float:
        """Return the margin of a position of `quantity` contracts at `price`: the money that the equity must cover."""
        return quantity * price * self.worth * (self.margin_long if side > 0 else self.margin_short)
