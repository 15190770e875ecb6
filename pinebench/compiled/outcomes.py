"""Results of the compiled tier: the outcome of one combination of inputs, and the reason why a script is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol

from pinebench.broker import ClosedTrade
from pinebench.runtime import RuntimeFault
from pinebench.workers.jobs import RunResult


@dataclass(frozen=True)
class NotCompilable:
    """Says why the compiled tier does not run a script: a sentence, and the line (from 1), or None."""

    reason: str
    line: int | None = None


class Trades(Protocol):
    """A strategy's run by machine code, whose parts are computed when they are read."""

    def figures(self) -> Mapping[str, Any]:
        """The tester's figures by name."""
        ...

    def trades(self) -> Sequence[ClosedTrade]:
        """The closed trades."""
        ...

    def equity(self) -> Sequence[float]:
        """The equity at the close of each bar."""
        ...


class Outcome:
    """The outcome of one combination of inputs.

    The profit and the number of trades are known; everything else is computed when it is read.
    """

    def __init__(
        self,
        inputs: Mapping[str, Any],
        make: Callable[[], RunResult],
        *,
        tier: Literal["compiled", "python"],
        reason: str = "",
        traded: Trades | None = None,
        net_profit: float = 0.0,
        closed_trades: int = 0,
        error: RuntimeFault | None = None,
    ) -> None:
        """`make` returns the whole run; `traded` has its trades and figures, which takes less time."""
        self.inputs = inputs
        self.tier = tier
        """The tier that ran the script."""
        self.reason = reason
        """Why the Python tier ran it; empty for machine code."""
        self.net_profit = net_profit
        """The profit of the closed trades, in the account's currency; 0 for an indicator."""
        self.closed_trades = closed_trades
        self.error = error
        """The error that stopped the script, or None."""
        self._make = make
        self._traded = traded

    @cached_property
    def ran(self) -> RunResult:
        """The whole run, as `perform` returns it."""
        return self._make()

    @cached_property
    def figures(self) -> Mapping[str, Any]:
        """The tester's figures by name; empty if the script is not a strategy or stopped with an error."""
        return self.ran.figures if self._traded is None else self._traded.figures()

    @cached_property
    def trades(self) -> Sequence[ClosedTrade]:
        """The closed trades, in the order in which they were closed."""
        if self._traded is not None:
            return self._traded.trades()
        return () if self.ran.tested is None else self.ran.tested.trades

    @cached_property
    def equity(self) -> Sequence[float]:
        """The equity at the close of each bar; empty if the script is not a strategy."""
        if self._traded is not None:
            return self._traded.equity()
        return () if self.ran.tested is None else self.ran.tested.curve.equity

    def series(self, title: str) -> list[Any]:
        """The values of the first plot with this title, one for each bar. Raises KeyError if there is none."""
        return self.ran.result.plot(title)
