"""The compiled tier: its speed, the scripts that it covers, and whether it gives the results of the Python tier.

    python benchmarks/compiled.py speed                    bars a second, and the time to compile, cold and kept
    python benchmarks/compiled.py loop PYTHON              a sweep beside a loop by hand, which PYTHON's numba compiles
    python benchmarks/compiled.py corpus FOLDER [BARS]     the share of the indicators of a folder that it covers
    python benchmarks/compiled.py shares FOLDER            the same for strategies too, with reasons, without a run
    python benchmarks/compiled.py parity FOLDER            trade lists and series of TradingView, on both tiers
    python benchmarks/compiled.py combinations FOLDER [N]  random inputs of strategies and indicators, on both tiers

All times are processor time; the time with kept machine code is the best of ten. `benchmarks/speed.py` has the times of
other programs.
"""

import collections
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from pinebench.calendars.timeframes import timeframe
from pinebench.checker import Program, open_program
from pinebench.compiled import CompiledScript, NotCompilable, compile_script
from pinebench.compiled.compiled_script import prepared
from pinebench.compiled.script_code import NotCovered
from pinebench.errors import PinebenchError
from pinebench.market import Bars, SymbolInfo, sample_bars, samples
from pinebench.runtime import RunBudget, inputs_of
from pinebench.workers.jobs import RunResult, perform, request_of
from pinebench.workers.request import Request

BARS = 20_000
INDICATOR = """//@version=6
indicator("EMA cross with RSI")
fast = ta.ema(close, input.int(9, "Fast"))
slow = ta.ema(close, input.int(21, "Slow"))
strength = ta.rsi(close, 14)
plot(fast, "Fast")
plot(slow, "Slow")
plot(strength, "RSI")
plotshape(ta.crossover(fast, slow) and strength > 50, "Up")
"""
CROSS = """//@version=6
strategy("EMA cross", initial_capital = 1000000, default_qty_type = strategy.fixed, default_qty_value = 1)
fast = ta.ema(close, input.int(9, "Fast"))
slow = ta.ema(close, input.int(21, "Slow"))
if ta.crossover(fast, slow)
    strategy.entry("L", strategy.long)
if ta.crossunder(fast, slow)
    strategy.entry("S", strategy.short)
"""
BRACKETS = (
    CROSS
    + """strategy.exit("X", "L", profit = 300, loss = 200)
strategy.exit("Y", "S", profit = 300, loss = 200)
"""
)


def timed(run: Callable[..., Any], *given: Any) -> tuple[float, Any]:
    """Return the seconds of processor time of a call, and its result."""
    start = time.process_time()
    result = run(*given)
    return time.process_time() - start, result


def swept(compiled: CompiledScript, bars: Bars, combinations: list[dict[str, int]]) -> list[Any]:
    """Return the outcomes of all combinations."""
    return list(compiled.sweep(bars, combinations))


def figures_of(compiled: CompiledScript, bars: Bars, combinations: list[dict[str, int]]) -> list[Any]:
    """Return all figures of the report for each combination, as a sweep reads them."""
    return [outcome.figures for outcome in compiled.sweep(bars, combinations)]


def sample(count: int) -> tuple[Bars, SymbolInfo]:
    """Return bars of the sample market, and their symbol."""
    symbol = samples.SAMPLES[0]
    bars = sample_bars(symbol, timeframe("15"), count)
    assert len(bars) == count, "the sample market has fewer bars"
    return bars, symbol.info("15")


def made(source: str, bars: Bars, symbol: SymbolInfo, cache: Path | None = None) -> tuple[CompiledScript, Request]:
    program = open_program(source)
    request = request_of(program, bars, symbol)
    compiled = compile_script(program, request, cache=cache)
    assert not isinstance(compiled, NotCompilable), compiled
    return compiled, request


def grid(count: int) -> list[dict[str, int]]:
    """Return combinations of the two lengths."""
    return [{"Fast": 3 + k % 40, "Slow": 44 + k // 40} for k in range(count)]


def speed() -> None:
    """Print bars per second and the time to compile."""
    bars, symbol = sample(BARS)
    for name, source in (("indicator", INDICATOR), ("strategy", CROSS), ("brackets", BRACKETS)):
        with tempfile.TemporaryDirectory() as folder:
            cache = Path(folder) / "code"
            python = (
                f"import sys; sys.argv = ['', 'compile', {name!r}, {str(cache)!r}]; exec(open({__file__!r}).read())"
            )
            for state, times in (("cold", 1), ("kept", 10)):
                told = [
                    subprocess.run([sys.executable, "-c", python], capture_output=True, text=True, check=True).stdout
                    for _ in range(times)
                ]
                print(f"{name:<10} compile, {state}: {min(map(float, told)):.3f} s")
        compiled, _ = made(source, bars, symbol)
        swept(compiled, bars, grid(2))
        seconds = min(timed(swept, compiled, bars, grid(200))[0] for _ in range(3))
        print(f"{name:<10} {200 * BARS / seconds / 1e6:.1f} million bars/s")
        if source is not INDICATOR:
            seconds = min(timed(figures_of, compiled, bars, grid(200))[0] for _ in range(3))
            print(f"{name:<10} {200 * BARS / seconds / 1e6:.1f} million bars/s with all figures of the report")


def loop(interpreter: str) -> None:
    """Print the times of a sweep of the strategy and of a hand-written loop, measured alternately, and the ratio of
    their medians.

    `interpreter` has numba (`peers.py`). Other tasks on the machine slow both down equally.
    """
    bars, symbol = sample(BARS)
    combinations = grid(2000)
    pairs = [tuple(each.values()) for each in combinations]
    columns = dict(zip(("time", "open", "high", "low", "close", "volume"), map(list, bars.columns()), strict=True))
    given = json.dumps({**columns, "pairs": pairs})
    command = [interpreter, "-P", str(Path(__file__).with_name("peers.py")), "numba"]
    compiled, _ = made(CROSS, bars, symbol)
    profits_of(compiled, bars, combinations[:2])
    ours, theirs = list[float](), list[float]()
    for _ in range(7):
        ours.append(timed(profits_of, compiled, bars, combinations)[0])
        told = subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout
        theirs.append(json.loads(told.splitlines()[-1])["sweep"])
    first, second = statistics.median(ours), statistics.median(theirs)
    for name, seconds in (("pinebench", first), ("numba", second)):
        print(f"{name:<10} {seconds / len(pairs) * 1e6:.1f} us a combination")
    print(f"{'ratio':<10} {first / second:.2f}")


def compile_once(name: str, cache: str) -> None:
    """Print the seconds that a new process needs to compile, without imports and without the check of the script."""
    sources = {"indicator": INDICATOR, "strategy": CROSS, "brackets": BRACKETS}
    bars, symbol = sample(10)
    program = open_program(sources[name])
    perform(request_of(program, bars, symbol))
    import llvmlite.binding  # noqa: F401
    import numpy  # noqa: F401

    import pinebench.compiled.compiled_script  # noqa: F401

    request = request_of(program, bars, symbol)
    start = time.process_time()
    compile_script(program, request, cache=Path(cache))
    print(time.process_time() - start)


def scripts(folder: str) -> Iterator[tuple[Path, Program]]:
    """Yield the checked scripts of version 6 in a folder."""
    for path in sorted(Path(folder).rglob("*.pine")):
        program = open_program(path.read_text(encoding="utf-8"))
        if program.document.version == 6:
            yield path, program


def corpus(folder: str, count: int = 1500) -> None:
    """Print the share of a folder's indicators that machine code covers, and every difference between the tiers."""
    bars, symbol = sample(count)
    reasons: collections.Counter[str] = collections.Counter()
    covered = total = wrong = 0
    slowest = 0.0
    for path, program in scripts(folder):
        request = request_of(program, bars, symbol, budget=RunBudget(seconds=20))
        if program.is_strategy:
            continue
        try:
            seconds, compiled = timed(compile_script, program, request)
            python = perform(request)
        except PinebenchError:
            continue
        total += 1
        if isinstance(compiled, NotCompilable):
            reasons[compiled.reason] += 1
            continue
        covered, slowest = covered + 1, max(slowest, seconds)
        ran = compiled.columns(bars, {})
        expected = [column for output in python.result.outputs for column in output.columns.values()]
        if ran is None or (python.result.error is None and repr(ran) != repr(expected)):
            wrong += python.result.error is None
            print(f"{path.name}: {'not finished' if ran is None else 'differs'}")
    print(f"{covered} of {total} indicators ({covered / total:.0%}); {wrong} not the same")
    print(f"the slowest was compiled in {slowest:.2f} s")
    for reason, number in reasons.most_common(20):
        print(f"{number:>5} {reason}")


def shares(folder: str) -> None:
    """Print the shares of a folder's indicators and strategies that the compiled tier covers, and the reasons for the
    others.

    Nothing is translated or run, so this takes seconds. A script that does not run on the Python tier does not count.
    """
    bars, symbol = sample(400)
    reasons = {True: collections.Counter[str](), False: collections.Counter[str]()}
    covered, every = collections.Counter[bool](), collections.Counter[bool]()
    for _, program in scripts(folder):
        is_strategy = program.is_strategy
        try:
            made = prepared(program, request_of(program, bars, symbol))
            every[is_strategy] += 1
            if isinstance(made, NotCompilable):
                reasons[is_strategy][made.reason] += 1
                continue
            made.check({})
            covered[is_strategy] += 1
        except NotCovered as refused:
            reasons[is_strategy][refused.reason] += 1
        except PinebenchError:
            continue
    for is_strategy, counted in reasons.items():
        total = every[is_strategy] or 1
        print(
            f"{covered[is_strategy]} of {total} {'strategies' if is_strategy else 'indicators'} "
            f"({covered[is_strategy] / total:.1%})"
        )
        for reason, number in counted.most_common(25):
            print(f"{number:>5} {reason}")


def differences(ran: RunResult, python: RunResult) -> str:
    """Describe the difference between two runs; "" if there is none."""
    for ours, theirs in zip(ran.result.outputs, python.result.outputs, strict=True):
        if repr(ours.columns) != repr(theirs.columns):
            return f"the output in line {theirs.line}"
    if python.tested is None or ran.tested is None:
        return ""
    for part in ("trades", "fills", "curve", "told", "open_figures"):
        if repr(getattr(ran.tested, part)) != repr(getattr(python.tested, part)):
            return part
    return ""


def parity(folder: str) -> None:
    """Print the share of TradingView's trade lists and series that the compiled tier runs, and every difference."""
    os.environ["PINEBENCH_PARITY"] = folder
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests import parity as kept

    columns = kept.chart()
    bars = Bars([int(moment) for moment in columns[0]], *columns[1:])
    symbol = SymbolInfo(
        symbol="ETHUSDT.P",
        mintick=0.01,
        timeframe="15",
        currency="USDT",
        timezone="UTC",
        session="24x7",
        mincontract=0.001,
    )
    cases = [(name, kept.trade_list(name)[0], bars, symbol) for name in kept.lists()]
    compared("trade lists", cases)
    compared("series", list(exported()))


def exported() -> Iterator[tuple[str, str, Bars, SymbolInfo]]:
    """Yield the series that TradingView exported, with the scripts that the test of the runtime uses to plot them."""
    from scripts.data import parity_charts
    from tests.parity import EXPORTS

    for export in parity_charts.FILES:
        columns, titles = EXPORTS.series(export)
        bars = parity_charts.series_bars(columns)
        for title in titles:
            yield (
                f"{export}: {title}",
                parity_charts.series_script(export, title),
                bars,
                parity_charts.series_symbol(bars),
            )


def compared(what: str, cases: list[tuple[str, str, Bars, SymbolInfo]]) -> None:
    """Run scripts on both tiers, and print how many give the same results."""
    reasons: collections.Counter[str] = collections.Counter()
    same = wrong = 0
    seconds = [0.0, 0.0]
    for name, source, bars, symbol in cases:
        program = open_program(source)
        request = request_of(program, bars, symbol)
        compiled = compile_script(program, request)
        if isinstance(compiled, NotCompilable):
            reasons[compiled.reason] += 1
            continue
        spent, python = timed(perform, request)
        seconds[0] += spent
        spent, ran = timed(compiled.run_whole, bars, {})
        seconds[1] += spent
        told = "not finished" if ran is None else differences(ran, python)
        same, wrong = same + (not told), wrong + bool(told)
        if told:
            print(f"{name}: {told}")
    print(
        f"{same} of {len(cases)} {what} are the same, {wrong} are not; {sum(reasons.values())} run on the Python tier"
    )
    print(f"Python {seconds[0]:.1f} s, compiled {seconds[1]:.1f} s")
    for reason, number in reasons.most_common(12):
        print(f"{number:>5} {reason}")


def combinations(folder: str, count: int = 2000) -> None:
    """Run random inputs of 20 strategies and 20 indicators of a folder on both tiers, and print every difference."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.compiled.random_inputs import random_inputs

    chance = random.Random(34)
    bars, symbol = sample(2000)
    chosen: dict[bool, list[tuple[Path, CompiledScript, Request]]] = {True: [], False: []}
    for path, program in scripts(folder):
        kept = chosen[program.is_strategy]
        if len(kept) == 20 or not inputs_of(program):
            continue
        request = request_of(program, bars, symbol, budget=RunBudget(seconds=20))
        try:
            compiled = compile_script(program, request)
        except PinebenchError:
            continue
        if not isinstance(compiled, NotCompilable):
            kept.append((path, compiled, request))
    every = [*chosen[True], *chosen[False]]
    ran = wrong = by_python = 0
    for path, compiled, request in every:
        given = [random_inputs(chance, compiled.program) for _ in range(count // len(every))]
        for inputs in given:
            try:
                python = perform(replace(request, inputs=inputs))
            except PinebenchError:
                continue  # an input that the script refuses
            ours = None if compiled.form_or_none(inputs) is None else compiled.run_whole(bars, inputs)
            ran += 1
            by_python += ours is None
            if ours is None:
                continue
            told = differences(ours, python)
            if told:
                wrong += 1
                print(f"{path.name}: {told} with {inputs}")
    print(f"{ran} combinations of {len(chosen[True])} strategies and {len(chosen[False])} indicators: {wrong} differ")
    print(f"{by_python} of them ran on the Python tier, because their script stops with an error or needs it")


def profits_of(compiled: CompiledScript, bars: Bars, combinations: list[dict[str, int]]) -> list[float]:
    """Return the profit of each combination."""
    return [outcome.net_profit for outcome in compiled.sweep(bars, combinations)]


def main(arguments: list[str]) -> None:
    """Run the command that the first argument names."""
    if not arguments:
        print(__doc__)
        return
    name, *rest = arguments
    if name == "compile":
        compile_once(*rest)
        return
    commands: dict[str, Callable[..., None]] = {
        "speed": speed,
        "loop": loop,
        "corpus": corpus,
        "shares": shares,
        "parity": parity,
        "combinations": combinations,
    }
    commands[name](*(int(each) if each.isdigit() else each for each in rest))


if __name__ == "__main__":
    main(sys.argv[1:])
