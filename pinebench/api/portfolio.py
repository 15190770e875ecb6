"""`pinebench.portfolio`: runs several strategies on several symbols in one account, and reports on them together."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from pinebench.api.bars import AnyBars, SymbolBars, SymbolProperties
from pinebench.api.frames import BarTable, package
from pinebench.api.run_results import Backtest, asked, backtest_of, moment_of, stopped
from pinebench.api.sources import Source, read
from pinebench.checker import Program
from pinebench.errors import UsageError
from pinebench.near import find_named
from pinebench.portfolios import portfolio as running
from pinebench.portfolios import portfolio_report
from pinebench.printable import printable
from pinebench.runtime import RunBudget, shown

if TYPE_CHECKING:
    import datetime

    import pandas

    from pinebench.workers.request import Request


@dataclass(frozen=True)
class Member:
    """A strategy of a portfolio: a script on bars, as for `backtest`, with its inputs and properties.

    `name` is used in the report (default: the script's file or title, and the symbol). `weight` is the strategy's own
    share of the capital, above 0 and at most 1; without a weight, the strategies share one account. `rates` is a CSV
    file of daily exchange rates from the symbol's currency to the portfolio's currency.
    """

    source: Source
    bars: AnyBars
    name: str | None = None
    weight: float | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    properties: Mapping[str, Any] = field(default_factory=dict[str, Any])
    symbol: SymbolProperties | None = None
    others: Mapping[str, AnyBars] | None = None
    libraries: tuple[str, ...] | None = None
    rates: str | os.PathLike[str] | None = None


AnyMember = Member | tuple[Source, AnyBars]
"""A strategy of a portfolio; a script and its bars are enough."""


class _CheckedMember(NamedTuple):
    """A member whose script is checked and whose bars are read. `file` is the name of the script's file, or empty."""

    program: Program
    chart: SymbolBars
    request: Request
    file: str


class Portfolio(BarTable):
    """The results of `pinebench.portfolio`, for all strategies together and for each one.

    The table of `to_pandas` has a row for each time at which a bar closes. It contains the equity, and each strategy's
    profit from closed and open trades. The equity is the initial capital plus these profits.
    """

    _found: running.PortfolioRun
    _prepared: Sequence[_CheckedMember]

    @property
    def names(self) -> list[str]:
        """The names of the strategies, in the order of `members`."""
        return list(self._found.names)

    @property
    def is_shared(self) -> bool:
        """Whether the strategies share one account; if not, each has its own share of the capital."""
        return self._found.is_shared

    @property
    def report(self) -> dict[str, Any]:
        """The portfolio's figures by name, such as `net_profit`; docs/strategy-tester.md defines them."""
        return self._found.told

    @property
    def strategies(self) -> list[dict[str, Any]]:
        """One row for each strategy: `name`, `symbol`, `timeframe`, and its own figures.

        `refused_for_money` counts its entries that were refused because the other strategies had left too little money.
        """
        return self.to_dict()["strategies"]

    @property
    def times(self) -> Sequence[int]:
        """The opening times (milliseconds UTC) of the bars at whose closes `equity` and `profits` have their values."""
        return self._found.times

    @property
    def equity(self) -> list[float]:
        """The portfolio's equity at each of `times`, in the account's currency."""
        return self._found.equity

    @property
    def profits(self) -> dict[str, list[float]]:
        """The profit of each strategy by name, closed and open trades together, at each of `times`."""
        return dict(zip(self._found.names, self._found.parts, strict=True))

    @property
    def columns(self) -> dict[str, Sequence[Any]]:
        """The columns: `equity`, and each strategy's profit by name. A strategy named `equity` gets a number."""
        return dict(zip(shown.unique(["equity", *self.names]), [self.equity, *self._found.parts], strict=True))

    @property
    def correlation(self) -> list[list[float | None]]:
        """The correlation between the daily returns of each pair of strategies, in the order of `names`; None if
        undefined."""
        return self._found.correlation

    @property
    def trades(self) -> list[dict[str, Any]]:
        """The trades of all strategies, closed ones first, in the order of their exits.

        A row has the fields of a `Trade`, the name of the `strategy`, and its `symbol`.
        """
        return portfolio_report.rows(self._found)

    @cached_property
    def backtests(self) -> dict[str, Backtest]:
        """The back-test of each strategy by name, with its trades, plots, figures and chart.

        In a shared account, the equity of such a back-test is the total capital plus the profits of this strategy only.
        """
        return {
            name: backtest_of(one.program, one.chart, one.request, tested)
            for name, one, tested in zip(self._found.names, self._prepared, self._found.tests, strict=True)
        }

    @property
    def tier(self) -> dict[str, str]:
        """The tier that ran the strategies: `name` is always `python`, and `reason` explains why."""
        return dict(portfolio_report.TIER)

    @property
    def notes(self) -> list[str]:
        """Sentences about assumptions, refused entries and missing bars."""
        return self._found.notes

    def trades_frame(self) -> pandas.DataFrame:
        """Return the trades as a data frame, with times in UTC. Raises UnavailableError without pandas."""
        pd = package("pandas")
        heads = ["number", "strategy", "symbol", "side", "qty", "entry_time", "entry_price", "entry_signal"]
        heads += ["exit_time", "exit_price", "exit_signal", "profit", "run_up", "drawdown"]
        frame = pd.DataFrame(self.trades, columns=heads).set_index("number")
        for name in ("entry_time", "exit_time"):
            frame[name] = pd.to_datetime(frame[name].astype("Int64"), unit="ms", utc=True)
        return frame

    def correlation_frame(self) -> pandas.DataFrame:
        """Return the correlations as a data frame with the strategies' names as index and columns; nan if undefined.

        Raises UnavailableError without pandas.
        """
        return package("pandas").DataFrame(self.correlation, index=self.names, columns=self.names, dtype=float)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON values; `pinebench portfolio --format json` prints the same."""
        return portfolio_report.report(self._found, [one.chart.data() for one in self._prepared])

    def to_csv(self) -> str:
        """Return all trades as CSV in TradingView's export format, with the additional columns Strategy and Symbol."""
        return portfolio_report.as_csv(self._found)

    def __getitem__(self, name: str) -> Backtest:
        """Return the back-test of the strategy `name`. Raises UnknownName if there is none."""
        return find_named(self.backtests, name, "strategy")

    def __len__(self) -> int:
        return len(self._found.names)

    def __str__(self) -> str:
        """Return tables of the portfolio's figures, the strategies, their correlations, and the last trades."""
        return portfolio_report.as_text(self._found, printable)

    def __repr__(self) -> str:
        count = "1 strategy" if len(self) == 1 else f"{len(self)} strategies"
        return (
            f"<portfolio of {count}: {self.report['trades']} closed trades, net profit {self.report['net_profit']:.2f}>"
        )

    def _repr_html_(self) -> str:
        from pinebench.api.pages import PortfolioRecord, portfolio_page

        made_up = [name for name, one in zip(self.names, self._prepared, strict=True) if one.chart.is_sample]
        return portfolio_page(
            PortfolioRecord(
                names=self.names,
                is_shared=self.is_shared,
                report=self.report,
                strategies=self.strategies,
                times=self.times,
                equity=self.equity,
                profits=self.profits,
                correlation=self.correlation,
                trades=self.trades,
                notes=self.notes,
                made_up=made_up,
            )
        )


def portfolio(
    members: Sequence[AnyMember],
    *,
    weights: Sequence[float] | None = None,
    properties: Mapping[str, Any] | None = None,
    first: datetime.datetime | str | None = None,
    last: datetime.datetime | str | None = None,
    as_of: datetime.date | None = None,
    seconds: float = RunBudget.seconds,
) -> Portfolio:
    """Run several strategies on several symbols in one account, and return their combined figures.

    `members` are strategies with their bars: `Member`s, or pairs of a script and its bars. Without weights, they share
    one account, and no money is used twice. With `weights`, or with the members' own weights, each strategy has its own
    share of the capital. `properties` replaces arguments of all declaration statements, such as `{"initial_capital":
    100_000}`, and overrides the members' own properties. `seconds` limits the processor time of each strategy. For
    `first`, `last` and `as_of` see `backtest`; docs/portfolio.md explains how money is shared.

    Raises UsageError if the strategies do not fit together, ScriptStopped if one stops with an error, and the errors of
    `backtest`, with the name of the strategy.

    >>> import pinebench as pb
    >>> cross = '''//@version=6
    ... strategy("Cross", default_qty_type = strategy.percent_of_equity, default_qty_value = 40)
    ... up = ta.crossover(ta.sma(close, 5), ta.sma(close, 20))
    ... down = ta.crossunder(ta.sma(close, 5), ta.sma(close, 20))
    ... if up
    ...     strategy.entry("Long", strategy.long)
    ... if down
    ...     strategy.close("Long")'''
    >>> both = pb.portfolio([(cross, "sample:AAPL@1Dx300"), pb.Member(cross, "sample:BTCUSDT@1Dx300", name="coin")])
    >>> both.names
    ['Cross on AAPL', 'coin']
    >>> sum(one["trades"] for one in both.strategies) == both.report["trades"]
    True
    >>> round(both.equity[-1] - both.report["initial_capital"] - sum(one[-1] for one in both.profits.values()), 6)
    0.0
    """
    from dataclasses import replace

    given = [one if isinstance(one, Member) else Member(*one) for one in members]
    if weights is not None:
        if len(weights) != len(given):
            raise UsageError(
                f"there are {len(weights)} weights for {len(given)} strategies", "give a weight for each strategy"
            )
        given = [replace(one, weight=float(weight)) for one, weight in zip(given, weights, strict=True)]
    shared = {"first": moment_of("first", first), "last": moment_of("last", last), "as_of": as_of}
    prepared = [_prepared(one, dict(properties or {}), seconds, shared) for one in given]
    named = [
        running.PortfolioMember(one.name or _name(each), each.request, one.weight)
        for one, each in zip(given, prepared, strict=True)
    ]
    found = running.portfolio(named)
    if found.error is not None:
        number = found.names.index(found.failed) if found.failed else 0
        one = prepared[number]
        raise stopped(one.program, one.chart, one.request, found.error, found.failed or "the portfolio")
    done = Portfolio()
    done._found, done._prepared = found, prepared
    return done


def _prepared(one: Member, properties: Mapping[str, Any], seconds: float, shared: Mapping[str, Any]) -> _CheckedMember:
    from pathlib import Path

    from pinebench.broker import checked_properties
    from pinebench.market import read_rates
    from pinebench.runtime import refuse

    script = read(one.source, one.libraries)
    with running.naming(one.name or script.name):
        program, chart, request = asked(
            script,
            one.bars,
            one.symbol,
            one.others,
            one.inputs,
            "light",
            seconds,
            properties=checked_properties({**one.properties, **properties}),
            rates=None if one.rates is None else read_rates(Path(one.rates)),
            **shared,
        )
        refuse(program, 0, chart.symbol)
    return _CheckedMember(program, chart, request, "" if script.path is None else os.path.basename(script.path))


def _name(one: _CheckedMember) -> str:
    """The file of the script, or its title, and the symbol."""
    from pinebench.runtime import declared_arguments

    title = one.file or str(declared_arguments(one.program).get("title", "strategy"))
    return f"{title} on {one.chart.symbol.symbol}"
