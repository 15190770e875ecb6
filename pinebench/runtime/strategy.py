"""The protocol of the part that fills a strategy's orders, and an implementation that never fills any."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from pinebench.reference.strategy_defaults import strategy_defaults

NA = float("nan")


class BrokerGate(Protocol):
    """The bars that the broker must see: those with a high at or above `above`, or a low at or below `below`."""

    above: float
    below: float


class RunningBar(Protocol):
    """An object that knows the index of the bar on which the script runs."""

    index: int


class _Everything:
    above = float("-inf")
    below = float("inf")


EVERY_BAR: BrokerGate = _Everything()
"""A gate that lets every bar through."""


class OrderRecorder(Protocol):
    """Watches a strategy's orders; see `RecordedStrategy`."""

    def order(self, name: str, place: Callable[..., Any], given: dict[str, Any]) -> Any:
        """Record that the script calls `strategy.NAME` with the arguments `given`. Return `place(**given)`, the
        broker's answer. To prevent the order, return None without calling `place`."""
        ...

    def bar_ended(self, i: int) -> None:
        """Record that the script and the broker have finished bar `i`."""
        ...


class Strategy(Protocol):
    """Accepts orders and answers questions about positions.

    `strategy.NAME(...)` calls the method NAME of `calls`. Its arguments are passed by their names in Pine's reference,
    and dots become underscores. `strategy.NAME` reads the attribute NAME of the object `variables`, which also has
    the functions of `strategy.closedtrades` and `strategy.opentrades`.

    `follow` is called before the first bar. `before_bar` is called before the script runs on a bar; on history only if
    `gate` lets the bar through. `after_bar` is called after the script ran on a bar; on history only if `ends_bars` is
    true.
    """

    gate: BrokerGate
    ends_bars: bool
    recalculates: bool
    """Whether the script also runs after every fill. Then `recalculate` is set before each bar."""
    recalculate: Callable[[], None] | None

    @property
    def calls(self) -> Any: ...

    @property
    def variables(self) -> Any: ...

    def follow(self, clock: RunningBar) -> None: ...

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
    """A strategy whose orders are never filled: it has no position from the first bar to the last."""

    gate: BrokerGate = EVERY_BAR
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
        """The object with the functions that a script calls."""
        return self

    @property
    def variables(self) -> Any:
        """The object with the variables that a script reads."""
        return self

    def follow(self, clock: RunningBar) -> None:
        """Do nothing, because nothing depends on the current bar without a broker."""

    def before_bar(self, i: int) -> None:
        """Do nothing, because no order waits for a fill."""

    def after_bar(self, i: int) -> None:
        """Do nothing, because no order was placed."""

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


class RecordedStrategy:
    """A strategy that behaves like `inner`, and reports each order and the end of each bar to a recorder.

    `orders` are the short names of the functions that place, change or cancel orders.
    """

    ends_bars = True

    def __init__(self, inner: Strategy, orders: Iterable[str], recorder: OrderRecorder) -> None:
        self.inner = inner
        self.gate = inner.gate
        self.recalculates = inner.recalculates
        self.calls: Any = _RecordedCalls(inner.calls, orders, recorder)
        self.variables = inner.variables
        self.follow = inner.follow
        self.before_bar = inner.before_bar
        self._recorder = recorder

    @property
    def recalculate(self) -> Callable[[], None] | None:
        """The function that runs the script again after a fill."""
        return self.inner.recalculate

    @recalculate.setter
    def recalculate(self, again: Callable[[], None] | None) -> None:
        self.inner.recalculate = again

    def after_bar(self, i: int) -> None:
        """Let `inner` end the bar, and report the end to the recorder."""
        self.inner.after_bar(i)
        self._recorder.bar_ended(i)


class _RecordedCalls:
    """The functions of `calls`, and those for orders in a form that tells the recorder."""

    def __init__(self, calls: Any, orders: Iterable[str], recorder: OrderRecorder) -> None:
        self._calls = calls
        self._orders = frozenset(orders)
        self._recorder = recorder

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._calls, name)
        if name not in self._orders:
            return found
        return lambda **given: self._recorder.order(name, found, given)


def _nothing(**_: Any) -> None:
    return None


def _number(**_: Any) -> float:
    return NA


def _text(**_: Any) -> str:
    return ""
