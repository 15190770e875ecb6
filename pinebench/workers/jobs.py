"""The functions that a worker runs for a request: they run the script, with a broker for strategies."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pinebench.backtesting.backtest import NO_STRATEGY, BacktestRun, PreparedBacktest, backtest, begin
from pinebench.backtesting.bar_close_times import known_times
from pinebench.backtesting.broker_factory import before, trader
from pinebench.calendars.timeframes import timeframe as timeframe_of
from pinebench.checker import LibraryFolders, Program, open_program
from pinebench.errors import PinebenchError, UsageError
from pinebench.garbage import CollectionRare
from pinebench.market import Bars, SymbolInfo, sample_bars, samples
from pinebench.repaint.repaint import RepaintVerdict, check_repainting
from pinebench.repaint.run_summary import RunSummary, account
from pinebench.runtime import (
    Chart,
    RequestSource,
    Result,
    Runtime,
    RuntimeFault,
    declared_arguments,
    guard,
    library_notes,
    refuse,
)
from pinebench.workers.request import Request

_SCRIPTS_KEPT = 16


@dataclass(frozen=True)
class RunResult:
    """The results of a run: the script's own results, and the back-test if the script is a strategy."""

    result: Result
    tested: BacktestRun | None = None

    @property
    def figures(self) -> Mapping[str, Any]:
        """The tester's figures by name; empty if the script is not a strategy, or if it stopped with an error."""
        return {} if self.tested is None else self.tested.figures()


def perform(request: Request, run: Callable[[Runtime], Result] = Runtime.run, **observed: Any) -> RunResult:
    """Run the script. The orders of a strategy are filled by a broker. `run` runs all bars and returns the result.

    `observed` replaces parts of `Runtime` with observers: `recorder`, `drawings`, `alerts` or `watch`.

    Raises UsageError if the script does not compile or lacks one of the given inputs, if there are no bars to test, or
    if the bars for fills do not fit the chart. Raises NotComputed, with its name, for a feature that is not computed.
    """
    program = opened(request.source, request.libraries)

    def finish(runtime: Runtime) -> Result:
        if request.stop is None:
            with CollectionRare():
                return run(runtime)
        runtime.stop(_fault(request, runtime))
        return runtime.result()

    return run_observed(program, request, finish, **observed)


def run_observed(
    program: Program,
    request: Request,
    finish: Callable[[Runtime], Result] = Runtime.run,
    *,
    trading: Mapping[str, Any] = MappingProxyType({}),
    **observed: Any,
) -> RunResult:
    """Run the checked script `program` of `request`; `finish` runs all bars and returns the result.

    `observed` replaces parts of `Runtime` with observers: `recorder`, `drawings`, `alerts`, `watch` or `timer`.
    `trading` holds observers of a back-test: `orders` or `watched`. Raises the errors of `perform`.
    """
    shared = _shared(request) | observed
    if not program.is_strategy:
        bars = before(request.bars, request.last)
        return RunResult(finish(Runtime(program, bars, request.symbol, **shared)))
    given = {**_trading(program, request), **trading, **shared}
    tested = backtest(program, request.bars, request.symbol, finish=finish, **given)
    tested.result.notes = tested.notes
    return RunResult(tested.result, tested)


def begun(request: Request) -> PreparedBacktest:
    """Prepare the run of a strategy that will run together with other strategies. Raises UsageError if the script is
    not a strategy, and the errors of `perform`."""
    program = opened(request.source, request.libraries)
    return begin(program, request.bars, request.symbol, **_trading(program, request), **_shared(request))


def _shared(request: Request) -> dict[str, Any]:
    """Return the arguments of a run of any script."""
    return {
        "inputs": request.inputs,
        "others": others_of(request),
        "clock": request.clock,
        "budget": request.budget,
        "look": request.look,
    }


def _trading(program: Program, request: Request) -> dict[str, Any]:
    """Return the arguments of a strategy's run in addition to `_shared`."""
    return {
        "properties": request.properties,
        "rates": request.rates,
        "lower": request.lower,
        "standard": request.standard or _standard(program, request),
        "first": request.first,
        "last": request.last,
        "as_of": request.as_of,
    }


def load() -> None:
    """Load all data that a run needs, such as the grammar's tables, so that workers forked from this process have it.

    This function does not start threads or run scripts.
    """
    program = open_program('//@version=6\nindicator("")\nplot(ta.sma(close, 2))')
    Runtime(program, Bars(), SymbolInfo())


def _standard(program: Program, request: Request) -> Bars | None:
    """Return the market's bars if the strategy fills orders on them and the chart is a Heikin Ashi chart, or None."""
    given, standard = {**declared_arguments(program), **request.properties}, request.look.standard
    return standard if given.get("fill_orders_on_standard_ohlc") and isinstance(standard, Bars) else None


def trade(request: Request) -> BacktestRun:
    """Run a strategy and return the back-test. Raises the errors of `perform`, and UsageError for other scripts."""
    program = opened(request.source, request.libraries)
    refuse(program, len(request.bars), request.symbol)
    tested = perform(request).tested if program.is_strategy else None
    if tested is None:
        raise UsageError(*NO_STRATEGY)
    return tested


def repainting(request: Request, seconds: float = 60) -> RepaintVerdict:
    """Check whether the script repaints. No new comparison starts after `seconds`. Raises the errors of
    `check_repainting`."""
    program = opened(request.source, request.libraries)
    if request.stop is not None:
        return RepaintVerdict([], len(request.bars), [], 0, perform(request).result.error)
    bars = before(request.bars, request.last)
    trading = trader(
        program,
        request.symbol,
        request.properties,
        bars=bars,
        rates=request.rates,
        lower=request.lower,
        standard=request.standard,
        first=request.first,
        as_of=request.as_of,
    )
    return check_repainting(
        program,
        bars,
        request.symbol,
        inputs=request.inputs,
        others=others_of(request),
        trading=trading,
        budget=request.budget,
        seconds=seconds,
    )


def explained(request: Request) -> RunSummary:
    """Run the script and describe the run, with reasons; the description is empty if the script stopped.

    Raises the errors of `perform`.
    """
    ran = perform(request)
    trades = ran.tested.trades if ran.tested is not None else ()
    program = opened(request.source, request.libraries)

    def rerun(changed: Program, run: Callable[[Runtime], Result]) -> Result:
        return run_observed(changed, request, run).result

    return account(program, request.symbol, ran.result, ran.figures, trades, rerun)


def _fault(request: Request, runtime: Runtime) -> RuntimeFault:
    """Return the error of a run whose worker had to be ended, with the lines that were running."""
    assert request.stop is not None
    fault = guard.fault_of(request.stop.code, request.budget, guard.processor_time(request.stop.spent))
    calls = (runtime.code.called(*frame) for frame in request.stop.frames)
    fault.stack = [call for call in calls if call is not None]
    return fault


# scripts that were checked already


def request_of(program: Program, bars: Bars, symbol: SymbolInfo, **more: Any) -> Request:
    """Return the request to run a script that is already checked; `more` are further fields of `Request`."""
    folders = program.sources.folders if isinstance(program.sources, LibraryFolders) else ()
    libraries = tuple(map(str, folders))
    remember(program, libraries)
    return Request(program.document.text, bars, symbol, libraries=libraries, **more)


_known: OrderedDict[tuple[str, tuple[str, ...]], Program] = OrderedDict()


def opened(source: str, libraries: tuple[str, ...]) -> Program:
    """Check a script and return its program. `libraries` are the folders with imported libraries. Recently checked
    scripts are cached, except scripts with imports."""
    key = (source, libraries)
    if key in _known:
        _known.move_to_end(key)
        return _known[key]
    program = open_program(source, libraries, fresh=True)
    remember(program, libraries)
    return program


def own_version_notes(source: str, libraries: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return a sentence for each published library that pinebench's own version replaces when the script runs. The
    result is empty for a script that cannot run, whose run reports the reason."""
    if "import" not in source:
        return ()
    try:
        return library_notes(opened(source, libraries))
    except PinebenchError:
        return ()


def remember(program: Program, libraries: tuple[str, ...]) -> None:
    """Cache a checked script without imports, so that workers forked from this process do not check it again."""
    if program.imports:
        return
    _known[program.document.text, libraries] = program
    while len(_known) > _SCRIPTS_KEPT:
        _known.popitem(last=False)


# the bars of other symbols


def others_of(request: Request) -> Mapping[str, RequestSource]:
    """Return the bars of other symbols for the script's requests, cut off at the end of the run."""
    others = _Others(request) if request.samples else request.others
    if request.last is None or not others:
        return others
    seen = Chart(before(request.bars, request.last), request.symbol)
    end = max(request.last, seen.close_time(len(seen) - 1)) if len(seen) else request.last
    return {name: closed_by(source, end) for name, source in others.items()}


def closed_by(source: RequestSource, end: int) -> RequestSource:
    """Return the source without the bars that close after `end` (ms UTC), whose prices were not known then."""
    bars = source.bars
    count = bisect_right(known_times(Chart(bars, source.symbol))[1], end)
    columns = (bars.open, bars.high, bars.low, bars.close, bars.volume)
    return RequestSource(Bars(list(bars.time[:count]), *(list(column[:count]) for column in columns)), source.symbol)


class _Others(Mapping[str, RequestSource]):
    """The given symbols, and all symbols of the sample market except the chart's own.

    Samples have the chart's timeframe. They are made when they are requested.
    """

    def __init__(self, request: Request) -> None:
        self._given = request.others
        self._own = f"{request.symbol.prefix}:{request.symbol.symbol}"
        self._timeframe = timeframe_of(request.symbol.timeframe)
        self._count = max(len(request.bars), 1)

    def __getitem__(self, name: str) -> RequestSource:
        if name in self._given:
            return self._given[name]
        symbol = samples.find(name)
        if symbol is None or symbol.full_name == self._own:
            raise KeyError(name)
        bars = sample_bars(symbol, self._timeframe, self._count)
        return RequestSource(bars, symbol.info(self._timeframe.text))

    def __iter__(self) -> Iterator[str]:
        yield from self._given
        yield from (one.full_name for one in samples.SAMPLES if one.full_name not in (self._own, *self._given))

    def __len__(self) -> int:
        return sum(1 for _ in self)
