"""The limits of a paper account, and the kill switch."""

from __future__ import annotations

from dataclasses import dataclass

from pinebench.engine.engine_store import EngineStore

HALTED = "halted"
"""The setting that holds the reason why trading was halted."""


@dataclass(frozen=True)
class RiskLimits:
    """The limits of an account; None means no limit.

    `day_loss` is the largest loss since the beginning of the day (UTC), in money. `order_value` and `position_value`
    are the largest values of one order and one position, in money. `orders_a_minute` limits the orders in one minute,
    and `open_orders` the orders that are open at the same time.
    """

    day_loss: float | None = None
    order_value: float | None = None
    position_value: float | None = None
    orders_a_minute: int | None = 60
    open_orders: int | None = 200

    def refusal(
        self, *, order_value: float, position_value: float, orders_before: int, waiting: int, lost: float
    ) -> str | None:
        """Return the reason for refusing an order that makes a position larger, or None if it is allowed.

        `position_value` is the value of the position after the order. `orders_before` is the number of orders in the
        last minute, and `waiting` the number of open orders. `lost` is the loss since the day began.
        """
        if self.orders_a_minute is not None and orders_before >= self.orders_a_minute:
            return f"risk limit: at most {self.orders_a_minute} orders per minute"
        if self.open_orders is not None and waiting >= self.open_orders:
            return f"risk limit: at most {self.open_orders} open orders"
        if self.is_lost(lost):
            return f"risk limit: {self.day_loss:g} was lost today"
        if self.order_value is not None and order_value > self.order_value:
            return (
                f"risk limit: an order may be worth at most {self.order_value:g}, and this order is worth "
                f"{order_value:.2f}"
            )
        if self.position_value is not None and position_value > self.position_value:
            return (
                f"risk limit: a position may be worth at most {self.position_value:g}, and it would be worth "
                f"{position_value:.2f}"
            )
        return None

    def is_lost(self, lost: float) -> bool:
        """Return whether today's loss has reached the limit, so that no position may grow."""
        return self.day_loss is not None and lost >= self.day_loss


def halted(store: EngineStore) -> str | None:
    """Return the reason why trading is halted, or None if it is not."""
    return store.setting(HALTED)


def set_halted(store: EngineStore, reason: str | None) -> None:
    """Halt trading for a reason, or resume it if `reason` is None. The halt stays in effect after a restart."""
    store.set(HALTED, reason)
