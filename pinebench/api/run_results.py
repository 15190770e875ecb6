"""`pinebench.run` and `pinebench.backtest`: run a script on bars with the arithmetic of TradingView."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, get_args

from pinebench.api.bars import AnyBars, SymbolBars, SymbolProperties, bars, others
from pinebench.api.figures import Figure
from pinebench.api.frames import BarTable, package
from pinebench.api.sources import ScriptSource, Source, read
from pinebench.checker import Program, open_program
from pinebench.errors import PinebenchError, UsageError
from pinebench.market import Bars
from pinebench.near import find_named
from pinebench.printable import printable
from pinebench.runtime import Alert, Log, Look, Result, RunBudget, report, shown
from pinebench.workers.jobs import request_of
from pinebench.workers.request import Request, Tier

if TYPE_CHECKING:
    import datetime

    import pandas

    from pinebench.backtesting.backtest import BacktestRun as Tested

_PRICES = ("open", "high", "low", "close", "volume")
_DRAWN = 300


class ScriptStopped(PinebenchError):
    """The error raised when a script stops with an error on a bar.

    `code`, `line` and `bar` tell which error occurred and where. `run` has the alerts, logs and drawings until then.
    """

    def __init__(self, message: str, code: str, line: int | None, bar: int | None, run: Run) -> None:
        super().__init__(message)
        self.code: str = code
        self.line: int | None = line
        self.bar: int | None = bar
        self.run: Run = run

    def __reduce__(self) -> tuple[Any, ...]:
        return ScriptStopped, (self.message, self.code, self.line, self.bar, self.run)


class RepaintCheck(NamedTuple):
    """The result of a check for repainting.

    `repaints` is True, False, or None if it is not proved: nothing changed, but something was not tested or suggests
    repainting. `ok` is True only if `repaints` is False. Each of `findings` is a change, with its line, bar, values
    before and after, and causes. `words` describes the result in sentences, including the reasons for None.
    """

    ok: bool
    findings: list[dict[str, Any]]
    words: list[str]
    repaints: bool | None

    def __str__(self) -> str:
        return "\n".join(map(printable, self.words))


class Run(BarTable):
    """The results of a run: plots by title, alerts, logs and drawings."""

    _program: Program
    _result: Result
    _bars: SymbolBars
    _request: Request
    _tier: Mapping[str, str] = MappingProxyType({"name": "python", "reason": ""})

    @property
    def tier(self) -> dict[str, str]:
        """The tier that ran the script: `name` is `python` or `compiled`, and `reason` explains the choice. Both tiers
        compute the same results."""
        return dict(self._tier)

    @property
    def bars(self) -> SymbolBars:
        """The bars on which the script ran."""
        return self._bars

    @property
    def times(self) -> Sequence[int]:
        """The opening time of each bar, in milliseconds UTC."""
        return self._result.times

    @cached_property
    def plots(self) -> dict[str, list[Any]]:
        """The values of each plot by its title, one for each bar. They are floats, with na as nan, or bools for shapes.

        A plot without a title is called `Plot 1` and so on. A repeated title gets a number.
        """
        names = shown.unique([plot.title or f"Plot {number}" for number, plot in enumerate(self._result.plots, 1)])
        return {name: plot.exported for name, plot in zip(names, self._result.plots, strict=True)}

    @property
    def columns(self) -> dict[str, Sequence[Any]]:
        """The columns of the bars, and the plots. A plot with the same name as a column of the bars gets a number."""
        names = shown.unique([*_PRICES, *self.plots])[len(_PRICES) :]
        rows = len(self.times)
        prices = {name: values[:rows] for name, values in self._bars.columns.items()}
        return prices | dict(zip(names, self.plots.values(), strict=True))

    @property
    def alerts(self) -> list[Alert]:
        """The alerts, each with `bar` (from 0), `time` (milliseconds UTC), `message` and `line`."""
        return self._result.alerts

    @property
    def logs(self) -> list[Log]:
        """The messages of `log.*`, each with `bar`, `time` (milliseconds UTC), `level`, `message` and `line`."""
        return self._result.logs

    @cached_property
    def drawings(self) -> dict[str, list[dict[str, Any]]]:
        """The drawings that exist after the last bar, by kind: `label`, `line`, `box`, `table` and so on."""
        return report.left(self._result)["drawings"]

    @property
    def notes(self) -> list[str]:
        """Sentences about assumptions during the run."""
        return self._result.notes

    def figure(self, bars: int = _DRAWN, *, theme: str | None = None, width: int = 1600, height: int = 900) -> Figure:
        """Return a chart of the last `bars` bars.

        `theme` is `light` or `dark` (default: the theme of the run). `width` (400 to 7680) and `height` (300 to 4320)
        are in pixels. Raises UsageError for other sizes, and for fewer than one bar.
        """
        from dataclasses import replace

        from pinebench import charts

        if bars < 1:
            raise UsageError(f"{bars} bars cannot be drawn", "draw 1 or more")
        end = len(self.times)
        view = charts.view_of(
            self._program, max(end - bars, 0), end, theme or ("dark" if self._request.look.dark else "light")
        )
        data = self._bars.data()
        view = replace(view, width=width, height=height)
        return Figure(charts.picture(self._result, data.bars, data.symbol, view, charts.filled(self._fills())))

    def check_repainting(self, seconds: float = 60) -> RepaintCheck:
        """Check for repainting: run the script on shorter histories and on live bars, and compare the outputs.

        No further run begins after `seconds` (wall time). Raises UsageError for fewer than three bars.
        """
        from pinebench.linter.repainting import look_for_repainting
        from pinebench.repaint import repaint_report

        found = look_for_repainting(self._request, seconds=seconds)
        return RepaintCheck(
            found.ok, repaint_report.repainting(found)["findings"], repaint_report.in_words(found), found.verdict
        )

    def __getitem__(self, title: str) -> list[Any]:
        """Return the values of the plot `title`. Raises UnknownName if there is none."""
        return find_named(self.plots, title, "plot")

    def __len__(self) -> int:
        return len(self.times)

    def __repr__(self) -> str:
        return printable(f"<run on {len(self)} bars: {', '.join(self.plots) or 'no plots'}>")

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return self.figure()._repr_mimebundle_() | {"text/plain": repr(self)}

    def _fills(self) -> Sequence[Any]:
        return ()


class Trade(NamedTuple):
    """A trade of a back-test. Times are in milliseconds UTC, and money is in the account's currency.

    `exit_time`, `exit_price` and `exit_signal` are None while the trade is open. `run_up` is the largest open profit,
    and `drawdown` the largest open loss; neither is negative. Percentages (5.0 is 5 %) refer to the entry's value plus
    its commission. `cumulative_profit` is the profit so far, minus the entry commissions of trades that were then open.
    """

    number: int
    side: str
    qty: float
    entry_time: int
    entry_price: float
    entry_signal: str
    exit_time: int | None
    exit_price: float | None
    exit_signal: str | None
    profit: float
    run_up: float
    drawdown: float
    profit_percent: float
    run_up_percent: float
    drawdown_percent: float
    cumulative_profit: float


class Backtest(Run):
    """The results of a back-test: the results of a `Run`, and its trades, equity and figures."""

    _tested: Tested

    @cached_property
    def trades(self) -> list[Trade]:
        """The trades: closed ones first, in the order of their exits."""
        from pinebench.backtesting.trade_list import rows

        return [Trade(**row) for row in rows(self._tested)]

    def trades_frame(self) -> pandas.DataFrame:
        """Return the trades as a data frame, with times in UTC. Raises UnavailableError without pandas."""
        pd = package("pandas")
        frame = pd.DataFrame(self.trades, columns=list(Trade._fields)).set_index("number")
        for name in ("entry_time", "exit_time"):
            frame[name] = pd.to_datetime(frame[name].astype("Int64"), unit="ms", utc=True)
        return frame

    @property
    def equity(self) -> list[float]:
        """The equity at the close of each bar, in the account's currency."""
        return self._tested.curve.equity

    @property
    def report(self) -> dict[str, Any]:
        """The strategy tester's figures by name, such as `net_profit`; docs/strategy-tester.md defines each."""
        return self._tested.figures()

    @property
    def notes(self) -> list[str]:
        """Sentences about assumptions during the back-test."""
        return self._tested.notes

    def to_csv(self) -> str:
        """Return the list of trades as CSV in TradingView's export format."""
        from pinebench.backtesting.trade_list import as_csv

        return as_csv(self._tested)

    def __str__(self) -> str:
        """Return the figures as tables, and the last trades."""
        from pinebench.backtesting import backtest_report

        return backtest_report.as_text(self._tested, printable)

    def __repr__(self) -> str:
        closed = [trade for trade in self.trades if trade.exit_time is not None]
        return (
            f"<back-test on {len(self)} bars: {len(closed)} closed trades, net profit {self.report['net_profit']:.2f}>"
        )

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        from pinebench.api.pages import BacktestRecord, backtest_page

        drawn = self.figure()._repr_mimebundle_()
        picture = drawn.get("text/html") or drawn["image/svg+xml"]
        trades = [trade._asdict() for trade in self.trades]
        shown = BacktestRecord(picture, self.report, trades, self.notes, self.bars.is_sample)
        return {"text/plain": str(self), "text/html": backtest_page(shown)}

    def _fills(self) -> Sequence[Any]:
        return self._tested.fills


def run(
    source: Source,
    bars: AnyBars,
    *,
    inputs: Mapping[str, Any] | None = None,
    symbol: SymbolProperties | None = None,
    others: Mapping[str, AnyBars] | None = None,
    libraries: tuple[str, ...] | None = None,
    theme: str = "light",
    seconds: float = RunBudget.seconds,
    clock: int | None = None,
    tier: Tier = "auto",
) -> Run:
    """Run a script on bars.

    `source` is a script as a string, or a file. `bars` is anything that `pinebench.bars` accepts. `inputs` maps an
    input's title or variable to its value. `symbol` replaces properties of the symbol. `others` has the bars of other
    symbols, by the names in the script's requests. `libraries` are folders with imported libraries (default: the
    folders that the file's configuration names). `theme` is the chart's theme, `light` or `dark`. `seconds` limits the
    processor time of the run. `clock` is the value of `timenow`, in milliseconds UTC. `tier` selects how the script
    runs: in `python`, `compiled` to machine code where possible, or whichever costs less (`auto`). The results are the
    same.

    The script runs in a worker process. Raises ScriptStopped if it stops with an error, DoesNotCompile if it has
    errors, UsageError for invalid bars or inputs, and NotComputed for a feature that pinebench does not compute.

    >>> import pinebench as pb
    >>> mean = '//@version=6\\nindicator("Mean")\\nn = input.int(20, "Length")\\nplot(ta.sma(close, n), "SMA")'
    >>> done = pb.run(mean, "sample:AAPL@1Dx100", inputs={"Length": 5})
    >>> done
    <run on 100 bars: SMA>
    >>> round(done["SMA"][-1] - sum(done.columns["close"][-5:]) / 5, 9)
    0.0
    """
    from pinebench.compiled import run_on_tier

    script = read(source, libraries)
    program, chart, request = asked(script, bars, symbol, others, inputs, theme, seconds, clock=clock, tier=tier)
    tiered = run_on_tier(request)
    done = Run()
    done._tier = tiered.report()
    return _whole(done, program, chart, request, tiered.ran.result, script.name)


def backtest(
    source: Source,
    bars: AnyBars,
    *,
    inputs: Mapping[str, Any] | None = None,
    symbol: SymbolProperties | None = None,
    others: Mapping[str, AnyBars] | None = None,
    libraries: tuple[str, ...] | None = None,
    properties: Mapping[str, Any] | None = None,
    lower: AnyBars | None = None,
    standard: AnyBars | None = None,
    first: datetime.datetime | str | None = None,
    last: datetime.datetime | str | None = None,
    as_of: datetime.date | None = None,
    theme: str = "light",
    seconds: float = RunBudget.seconds,
    tier: Tier = "auto",
) -> Backtest:
    """Run a strategy on bars, fill its orders, and return its trades and figures.

    For the other arguments see `run`. `properties` replaces arguments of the declaration statement, such as
    `{"commission_value": 0.1, "slippage": 2}`. `lower` are bars of a shorter timeframe, which decide how orders are
    filled inside a bar. `standard` are bars with market prices, for fills on a Heikin Ashi chart. Orders before `first`
    are ignored, and the test ends before `last`; both are datetimes or ISO 8601 strings (UTC). `as_of` is the day whose
    TradingView defaults apply to arguments that are not set.

    Raises the errors of `run`, and UsageError if the script is not a strategy.

    >>> import pinebench as pb
    >>> cross = '''//@version=6
    ... strategy("Cross")
    ... up = ta.crossover(ta.sma(close, 5), ta.sma(close, 20))
    ... down = ta.crossunder(ta.sma(close, 5), ta.sma(close, 20))
    ... if up
    ...     strategy.entry("Long", strategy.long)
    ... if down
    ...     strategy.close("Long")'''
    >>> test = pb.backtest(cross, "sample:AAPL@1Dx500")
    >>> test.report["trades"] == len([trade for trade in test.trades if trade.exit_time is not None])
    True
    >>> len(test.equity)
    500
    """
    from pinebench.backtesting.backtest import NO_STRATEGY
    from pinebench.broker import checked_properties
    from pinebench.compiled import run_on_tier

    script = read(source, libraries)
    program, chart, request = asked(
        script,
        bars,
        symbol,
        others,
        inputs,
        theme,
        seconds,
        properties=checked_properties(dict(properties or {})),
        lower=None if lower is None else _columns(lower),
        standard=None if standard is None else _columns(standard),
        first=moment_of("first", first),
        last=moment_of("last", last),
        as_of=as_of,
        tier=tier,
    )
    if not program.is_strategy:
        raise UsageError(*NO_STRATEGY)
    tiered = run_on_tier(request)
    tested = tiered.ran.tested
    assert tested is not None
    tested.tier = tiered.report()
    return backtest_of(program, chart, request, tested, script.name)


def backtest_of(program: Any, chart: SymbolBars, request: Request, tested: Any, name: str = "the script") -> Backtest:
    """Return the results of a back-test. Raises ScriptStopped if it stopped before its last bar.

    `program` is the checked script, and `tested` is the result from the package `backtesting`.
    """
    done = Backtest()
    done._tier = tested.tier
    done._tested = tested
    return _whole(done, program, chart, request, tested.result, name)


def stopped(program: Any, chart: SymbolBars, request: Request, fault: Any, name: str) -> ScriptStopped:
    """Return the error for a run that produced no results. `program` is the script, and `fault` its runtime error."""
    done = Run()
    done._program, done._bars, done._request, done._result = program, chart, request, Result((), [], error=fault)
    return ScriptStopped(f"{fault.place(name)}: {fault.message}", fault.code, fault.line, fault.bar, done)


def asked(
    script: ScriptSource,
    chart_bars: AnyBars,
    symbol: SymbolProperties | None,
    named: Mapping[str, AnyBars] | None,
    inputs: Mapping[str, Any] | None,
    theme: str,
    seconds: float = RunBudget.seconds,
    **more: Any,
) -> tuple[Program, SymbolBars, Request]:
    """Check a script, and return it with its bars and the request for its run. Raises UsageError for an unknown tier or
    theme, and for no processor time."""
    from pinebench.charts import THEMES

    if more.get("tier", "auto") not in get_args(Tier):
        raise UsageError(f"there is no tier '{more['tier']}'", f"the tiers are {', '.join(get_args(Tier))}")
    if not seconds > 0:
        raise UsageError(f"a run needs processor time: seconds = {seconds} is not above 0", "for example, seconds=40")
    if theme not in THEMES:
        raise UsageError(f"there is no theme '{theme}'", f"the themes are {', '.join(THEMES)}")
    chart = bars(chart_bars, symbol=symbol)
    program = open_program(script.text, script.libraries, fresh=True)
    request = request_of(
        program,
        chart.data().bars,
        chart.symbol,
        inputs=dict(inputs or {}),
        others=others(named),
        budget=RunBudget(seconds=seconds),
        look=Look(theme == "dark"),
        **more,
    )
    return program, chart, request


RunT = TypeVar("RunT", bound=Run)


def _whole(done: RunT, program: Program, chart: SymbolBars, request: Request, result: Result, name: str) -> RunT:
    """Fill in a run and return it. Raises ScriptStopped if it did not go to its end."""
    done._program, done._bars, done._request, done._result = program, chart, request, result
    fault = result.error
    if fault is not None:
        raise ScriptStopped(f"{fault.place(name)}: {fault.message}", fault.code, fault.line, fault.bar, done)
    return done


def _columns(given: AnyBars) -> Bars:
    return bars(given).data().bars


def moment_of(name: str, time: datetime.datetime | str | None) -> int | None:
    """Convert a time, `name` in messages, to milliseconds UTC; None stays None. Raises UsageError for other texts and
    values."""
    from pinebench.calendars.dates import moment

    if time is not None and not isinstance(time, str) and not hasattr(time, "isoformat"):
        raise UsageError(f"{name} = {time!r} is not a date", "expected a datetime, or a text such as 2024-01-31")
    return moment(name, time if time is None or isinstance(time, str) else time.isoformat())
