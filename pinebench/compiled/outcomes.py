"""Results of the compiled tier: the outcome of a combination of inputs, the reason why a script is refused, and the
reason why a run stopped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol, TypeVar

from pinebench.broker import ClosedTrade
from pinebench.runtime import RuntimeFault
from pinebench.workers.jobs import RunResult

PartT = TypeVar("PartT")


@dataclass(frozen=True)
class NotCompilable:
    """The reason why the compiled tier does not run a script: a sentence, and the line (from 1), or None."""

    reason: str
    line: int | None = None


BY_SCRIPT = "machine code stopped at a possible error of the script"
TOO_MUCH = "the built-in functions that Python computes take too much time or memory"
TOO_MANY_DRAWINGS = "there are too many drawings, and only Python knows which of them are deleted"
REASONS = {
    1.0: BY_SCRIPT,
    2.0: "the run needs more memory than machine code may take",
    3.0: "the loops of the run have too many iterations",
    4.0: TOO_MUCH,
    5.0: TOO_MANY_DRAWINGS,
}
"""The reasons why machine code stopped, by the status that it leaves."""


class MachineStop(Exception):
    """Raised when machine code cannot finish a run, for the given `reason`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Trades(Protocol):
    """The trades of a strategy's run in machine code, computed when they are read. This may repeat the run, and raises
    MachineStop if machine code cannot finish it."""

    def figures(self) -> Mapping[str, Any]:
        """Return the tester's figures by name."""
        ...

    def trades(self) -> Sequence[ClosedTrade]:
        """Return the closed trades."""
        ...

    def equity(self) -> Sequence[float]:
        """Return the equity at the close of each bar, in the account's currency."""
        ...


class Outcome:
    """The outcome of a combination of inputs. `net_profit` and `closed_trades` are always set; everything else is
    computed on access."""

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
        """`make` runs the script and returns the whole result. `traded` computes only the trades and figures, which
        takes less time."""
        self.inputs = inputs
        self.tier = tier
        """The tier that ran the script."""
        self.reason = reason
        """The reason why the Python tier ran the script; empty for machine code."""
        self.net_profit = net_profit
        """The profit of the closed trades, in the account's currency; 0 for an indicator."""
        self.closed_trades = closed_trades
        self.error = error
        """The error that stopped the script, or None."""
        self._make = make
        self._traded = traded

    @cached_property
    def ran(self) -> RunResult:
        """The complete run, as `perform` would return it."""
        return self._make()

    @cached_property
    def figures(self) -> Mapping[str, Any]:
        """The tester's figures by name; empty if the script is not a strategy or stopped with an error."""
        found = self._read(lambda traded: traded.figures())
        return self.ran.figures if found is None else found

    @cached_property
    def trades(self) -> Sequence[ClosedTrade]:
        """The closed trades, in the order of their exits."""
        found = self._read(lambda traded: traded.trades())
        if found is not None:
            return found
        return () if self.ran.tested is None else self.ran.tested.trades

    @cached_property
    def equity(self) -> Sequence[float]:
        """The equity at the close of each bar, in the account's currency; empty if the script is not a strategy."""
        found = self._read(lambda traded: traded.equity())
        if found is not None:
            return found
        return () if self.ran.tested is None else self.ran.tested.curve.equity

    def _read(self, part: Callable[[Trades], PartT]) -> PartT | None:
        """Return a part of the run by machine code; None if only the whole run has it."""
        try:
            return None if self._traded is None else part(self._traded)
        except MachineStop:
            return None

    def series(self, title: str) -> list[Any]:
        """Return the values of the first plot with this title, one for each bar. Raises KeyError if there is none."""
        return self.ran.result.plot(title)
