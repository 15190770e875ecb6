"""What a strategy script asks of whoever trades for it, and the one who never trades."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from pinebench.reference.strategy_defaults import strategy_defaults

NA = float("nan")


class Gate(Protocol):
    """The bars that who trades has to see: with a high at `above` or over it, or a low at `below` or under it."""

    above: float
    below: float


class Clock(Protocol):
    """The bar that runs."""

    index: int


class _Everything:
    above = float("-inf")
    below = float("inf")


EVERY_BAR: Gate = _Everything()
"""Lets every bar through."""


class Strategy(Protocol):
    """Takes orders and answers about positions.

    `strategy.NAME(...)` calls the method NAME of its `calls` with the arguments of Pine's reference by name, dots as
    underscores; `strategy.NAME` reads the attribute NAME of its `variables`, which have the functions of
    `strategy.closedtrades` and `strategy.opentrades` too.

    `follow` is called before the first bar. `before_bar` is called before a bar's script runs, on history only where
    `gate` lets the bar through; `after_bar` after it, where `ends_bars` says that there is something to do.
    """

    gate: Gate
    ends_bars: bool
    recalculates: bool
    """Whether the script runs on every fill too: then `recalculate` is set before each bar."""
    recalculate: Callable[[], None] | None

    @property
    def calls(self) -> Any: ...

    @property
    def variables(self) -> Any: ...

    def follow(self, clock: Clock) -> None: ...

    def before_bar(self, i: int) -> None: ...

    def after_bar(self, i: int) -> None: ...


_ZEROS = frozenset(
    "closedtrades closedtrades_first_index eventrades grossloss grossloss_percent grossprofit grossprofit_percent "
    "losstrades max_contracts_held_all max_contracts_held_long max_contracts_held_short max_drawdown "
    "max_drawdown_percent max_runup max_runup_percent netprofit netprofit_percent openprofit openprofit_percent "
    "opentrades opentrades_capital_held position_size wintrades".split()
)
_ORDERS = frozenset("entry exit order close close_all cancel cancel_all".split())


class NoFills:
    """A strategy whose orders are never filled: flat from the first bar to the last."""

    gate: Gate = EVERY_BAR
    ends_bars = True
    recalculates = False
    recalculate: Callable[[], None] | None = None

    def __init__(self, initial_capital: float | None = None, currency: str = "USD") -> None:
        self.initial_capital = strategy_defaults().initial_capital if initial_capital is None else initial_capital
        self.equity = self.initial_capital
        self.account_currency = currency
        self.position_entry_name = ""

    @property
    def calls(self) -> Any:
        """The functions that a script calls are its own."""
        return self

    @property
    def variables(self) -> Any:
        """What a script reads is its own."""
        return self

    def follow(self, clock: Clock) -> None:
        """Nothing is done on any bar."""

    def before_bar(self, i: int) -> None:
        """Nothing waits to be filled."""

    def after_bar(self, i: int) -> None:
        """Nothing was ordered."""

    def convert_to_account(self, value: float) -> float:
        return value

    def convert_to_symbol(self, value: float) -> float:
        return value

    def __getattr__(self, name: str) -> Any:
        if name in _ZEROS:
            return 0
        if name in _ORDERS or name.startswith("risk_"):
            return _nothing
        if name.startswith(("closedtrades_", "opentrades_")) or name == "default_entry_qty":
            return _text if name.endswith(("_id", "_comment")) else _number
        return NA


def _nothing(**_: Any) -> None:
    return None


def _number(**_: Any) -> float:
    return NA


def _text(**_: Any) -> str:
    return ""
