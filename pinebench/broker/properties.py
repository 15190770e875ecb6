"""The properties of a strategy's account and orders, from its declaration statement or the Properties tab."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from pinebench.errors import UsageError
from pinebench.near import near_names
from pinebench.reference.strategy_defaults import strategy_defaults

FIXED, CASH, PERCENT = "fixed", "cash", "percent_of_equity"
PER_CONTRACT, PER_ORDER = "cash_per_contract", "cash_per_order"
_TODAY = strategy_defaults()


@dataclass(frozen=True)
class Properties:
    """The arguments of `strategy()` that a broker needs, with Pine's names.

    Fixed quantities are in contracts. The capital, cash commissions and cash quantities are in the account's currency
    (`currency`; empty for the symbol's currency). `slippage` and `backtest_fill_limits_assumption` are in ticks.
    Margins, percent commissions and `risk_free_rate` are in percent.
    """

    initial_capital: float = _TODAY.initial_capital
    currency: str = ""
    default_qty_type: str = _TODAY.default_qty_type
    default_qty_value: float = _TODAY.default_qty_value
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
        """Create properties from the constant arguments of a declaration statement, by name. Constants may include
        their namespace, such as `strategy.cash`."""
        known = {one.name: type(one.default) for one in fields(cls)}
        given = {name: _value(value, known[name]) for name, value in declared.items() if name in known}
        return cls(**given)


_CHOICES = {
    "default_qty_type": (FIXED, CASH, PERCENT),
    "commission_type": ("percent", PER_CONTRACT, PER_ORDER),
    "close_entries_rule": ("FIFO", "ANY"),
}
_LARGEST = 1e15
_EXPECTED: dict[type, str] = {bool: "true or false", int: "a whole number from 0", float: "a number from 0"}


def checked_properties(given: Mapping[str, Any]) -> dict[str, Any]:
    """Check a user's property values and return them. Raises UsageError for an unknown name or an invalid value."""
    known = {one.name: one.default for one in fields(Properties)}
    return {name: _checked(name, value, known) for name, value in given.items()}


def _checked(name: str, value: Any, known: Mapping[str, Any]) -> Any:
    if name not in known:
        near = near_names(name, known, 1)
        hint = f"did you mean '{near[0]}'?" if near else f"the properties are {', '.join(known)}"
        raise UsageError(f"'{name}' is not a property of a strategy", hint)
    kind = type(known[name])
    if kind is str:
        word = _value(value, str)
        if name in _CHOICES and word not in _CHOICES[name]:
            raise UsageError(f"{name} cannot be {value!r}", f"it is one of {', '.join(_CHOICES[name])}")
        if name == "currency" and word != word.upper():
            raise UsageError(f"currency cannot be {value!r}", "a currency has capital letters, such as USD")
        return word
    is_right = (
        isinstance(value, bool) if kind is bool else isinstance(value, int | float) and not isinstance(value, bool)
    )
    if not is_right or (kind is int and value != int(value)) or not 0 <= value < _LARGEST:
        raise UsageError(f"{name} cannot be {value!r}", f"expected {_EXPECTED[kind]}, for example {known[name]}")
    if name == "initial_capital" and not value:
        raise UsageError("initial_capital is 0, so there is no money to trade with", "expected a positive number")
    return kind(value)


def _value(value: Any, kind: type) -> Any:
    if kind is str:
        name = str(value).rpartition(".")[2]
        return "" if name == "NONE" else name
    return kind(value)
