"""What a strategy's declaration says about its account and its orders, and what the Properties tab changes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

FIXED, CASH, PERCENT = "fixed", "cash", "percent_of_equity"
PER_CONTRACT, PER_ORDER = "cash_per_contract", "cash_per_order"


@dataclass(frozen=True)
class Properties:
    """The arguments of `strategy()` that a broker needs, by their own names.

    Quantities are contracts, money of `default_qty_type = "cash"`, capital and cash commissions are in the account's
    currency (`currency`, empty for the symbol's), slippage and `backtest_fill_limits_assumption` are ticks, margins,
    percent commissions and `risk_free_rate` percent.
    """

    initial_capital: float = 1_000_000.0
    currency: str = ""
    default_qty_type: str = FIXED
    default_qty_value: float = 1.0
    pyramiding: int = 0
    commission_type: str = "percent"
    commission_value: float = 0.0
    slippage: int = 0
    process_orders_on_close: bool = False
    calc_on_order_fills: bool = False
    close_entries_rule: str = "FIFO"
    margin_long: float = 100.0
    margin_short: float = 100.0
    backtest_fill_limits_assumption: int = 0
    risk_free_rate: float = 2.0
    use_bar_magnifier: bool = False
    fill_orders_on_standard_ohlc: bool = False
    calc_on_every_history_tick: bool = False

    @classmethod
    def of(cls, declared: Mapping[str, Any]) -> Properties:
        """Those of a declaration's constant arguments by name; constants may carry their namespaces."""
        known = {one.name: type(one.default) for one in fields(cls)}
        given = {name: _value(value, known[name]) for name, value in declared.items() if name in known}
        return cls(**given)


def _value(value: Any, kind: type) -> Any:
    if kind is str:
        name = str(value).rpartition(".")[2]
        return "" if name == "NONE" else name
    return kind(value)
