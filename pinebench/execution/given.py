"""Runs any script on bars, a strategy with the broker that trades for it, with the figures that can be asked of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from pinebench.broker.trades import ClosedTrade
from pinebench.check import Program
from pinebench.execution.account import Account, account
from pinebench.execution.backtest import backtest
from pinebench.execution.goals import Goals, Judged
from pinebench.execution.repaint import Repainting, check_repainting
from pinebench.execution.trading import trader
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.runtime.requests import Source
from pinebench.runtime.runtime import Result, Runtime


@dataclass(frozen=True)
class Given:
    """What a script is run on: bars, their symbol, the values of inputs, and the bars of other symbols.

    `as_of` is the day whose defaults of TradingView hold for a strategy; without it `LANGUAGE_DATE`.
    """

    bars: Bars
    symbol: SymbolInfo
    inputs: Mapping[str, Any] = field(default_factory=dict)
    others: Mapping[str, Source] = field(default_factory=dict)
    as_of: date | None = None

    def run(self, program: Program) -> Ran:
        """Run a script. Raises what `Runtime` and `backtest` raise."""
        if program.declaration is None or program.declaration.name != "strategy":
            result = Runtime(program, self.bars, self.symbol, inputs=self.inputs, others=self.others).run()
            return Ran(result, {})
        done = backtest(program, self.bars, self.symbol, inputs=self.inputs, others=self.others, as_of=self.as_of)
        return Ran(done.result, done.figures(), done.trades)

    def check(self, program: Program) -> Repainting:
        """Whether anything repaints. Raises what `check_repainting` raises."""
        trading = trader(program, self.symbol, as_of=self.as_of)
        return check_repainting(
            program, self.bars, self.symbol, inputs=self.inputs, others=self.others, trading=trading
        )

    def judge(self, program: Program, goals: Goals) -> Judged:
        """Run a script and hold it against goals. Raises what `run` and `check` raise."""
        return self.judged(program, self.run(program), goals)

    def judged(self, program: Program, ran: Ran, goals: Goals) -> Judged:
        """Hold a run against goals. Raises what `check` raises."""
        return goals.judge(ran.result, ran.figures, lambda: self.check(program), lambda: self.account(program, ran))

    def account(self, program: Program, ran: Ran) -> Account:
        """What a run of `program` did, with reasons."""
        given: dict[str, Any] = {"inputs": self.inputs, "others": self.others, "as_of": self.as_of}
        return account(program, self.bars, self.symbol, ran.result, ran.figures, ran.trades, **given)


@dataclass(frozen=True)
class Ran:
    """What a run left, and the figures and closed trades of a strategy."""

    result: Result
    figures: Mapping[str, Any]
    trades: Sequence[ClosedTrade] = ()
