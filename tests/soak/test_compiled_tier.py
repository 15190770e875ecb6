"""TradingView's trade lists and series on both tiers: wherever the compiled tier applies, every bit is the same."""

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pinebench.checker import open_program
from pinebench.compiled import CompiledScript, NotCompilable, compile_script
from pinebench.compiled.outcomes import TOO_MANY_DRAWINGS
from pinebench.errors import PinebenchError
from pinebench.market import Bars, SymbolInfo
from pinebench.runtime import inputs_of
from pinebench.workers.jobs import perform, request_of
from pinebench.workers.request import Request
from tests import parity
from tests.compiled.checked_memory import checked_places
from tests.compiled.random_arrays import array_script
from tests.compiled.random_inputs import random_inputs
from tests.compiled.random_language import language_script
from tests.compiled.random_library import library_script
from tests.compiled.random_requests import request_script
from tests.compiled.random_shown import shown_script
from tests.compiled.random_strategies import refilled_script, ruled_script, strategy_script
from tests.compiled.same import bars, compare, compiled, request, shorter_bars
from tests.compiled.test_requests import random_request, requesting_strategy

pytestmark = pytest.mark.soak
CORPUS = os.environ.get("PINEBENCH_CORPUS", "")
LEAST_DRAWN = 40
"""The least number of scripts of the corpus with drawings, alerts or logs."""


@pytest.mark.skipif(not parity.there(), reason="PINEBENCH_PARITY names no folder")
def test_trade_lists_are_the_same_on_both_tiers() -> None:
    columns = parity.chart()
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
    for name in parity.lists():
        program = open_program(parity.trade_list(name)[0])
        request = request_of(program, bars, symbol)
        made = compile_script(program, request)
        assert not isinstance(made, NotCompilable), f"{name}: {made.reason}"
        ran = made.run_whole(bars, {})
        assert ran is not None, name
        expected = perform(request)
        compare(ran, expected)
        [outcome] = made.sweep(bars, [{}])
        assert repr(outcome.figures) == repr(expected.figures), name


COMBINATIONS = 50
"""The random combinations of inputs of each script: 2,000 for 20 strategies and 20 indicators, without those that stop
a script."""
SCRIPTS = 20
ROOT = Path(__file__).parents[2]


def scripts_with_inputs(is_strategy: bool) -> Iterator[tuple[str, CompiledScript, Request]]:
    """Scripts that are covered as a whole: templates, samples, then TradingView's trade lists or the corpus."""
    folders = [ROOT / "pine" / "templates", ROOT / "pine" / "samples", Path(parity.FOLDER) / "trades", Path(CORPUS)]
    paths = [path for folder in folders if folder.is_dir() for path in sorted(folder.glob("**/*.pine"))]
    given = request('indicator("")')
    for path in paths:
        program = open_program(path.read_text(encoding="utf-8"))
        if program.document.version != 6 or program.is_strategy != is_strategy or not inputs_of(program):
            continue
        asked = request_of(program, given.bars, given.symbol)
        try:
            made = compile_script(program, asked)
        except PinebenchError:
            continue
        if isinstance(made, CompiledScript):
            yield path.name, made, asked


@pytest.mark.skipif(not CORPUS, reason="PINEBENCH_CORPUS names no folder")
@pytest.mark.parametrize("is_strategy", [True, False], ids=["strategies", "indicators"])
def test_random_inputs_give_the_same_on_both_tiers(is_strategy: bool) -> None:
    chance = random.Random(34)
    whole = 0
    for name, made, asked in scripts_with_inputs(is_strategy):
        whole += same_on_both_tiers(chance, name, made, asked) == COMBINATIONS
        if whole == SCRIPTS:
            return
    pytest.fail(f"only {whole} scripts run with as many combinations as were asked for")


def same_on_both_tiers(chance: random.Random, name: str, made: CompiledScript, asked: Request) -> int:
    """Compare runs with random inputs on both tiers, and return how many of them machine code finished. Most random
    inputs may be refused by the script."""
    done = 0
    for _ in range(3 * COMBINATIONS):
        inputs = random_inputs(chance, made.program)
        try:
            python = perform(replace(asked, inputs=inputs))
        except PinebenchError:
            continue
        if made.form_or_none(inputs) is None:
            continue
        ran = made.run_whole(asked.bars, inputs)
        if ran is None:
            assert python.result.error is not None or made.stopped == TOO_MANY_DRAWINGS, (name, inputs)
            continue
        compare(ran, python)
        done += 1
        if done == COMBINATIONS:
            break
    return done


@pytest.mark.parametrize("seed", range(100, 200))
def test_random_scripts_with_arrays_give_the_same_on_both_tiers(seed: int) -> None:
    for size in (6, 2):
        given = request(array_script(seed), inputs={"N": size})
        ran = compiled(given).run_whole(given.bars, given.inputs)
        expected = perform(given)
        if ran is None:
            assert expected.result.error is not None
        else:
            compare(ran, expected)


@pytest.mark.parametrize("first", range(0, 200, 50))
@pytest.mark.parametrize("make", (strategy_script, ruled_script, refilled_script))
def test_random_strategies_give_the_same_on_both_tiers(make: Callable[[int], str], first: int) -> None:
    traded = 0
    for seed in range(first, first + 50):
        traded += random_strategy(make, seed)
    assert traded >= 20, "too few of the strategies trade"


@pytest.mark.parametrize("minutes", (10, 30))
@pytest.mark.parametrize("make", (strategy_script, ruled_script, refilled_script))
def test_random_strategies_with_shorter_bars_give_the_same_on_both_tiers(
    make: Callable[[int], str], minutes: int
) -> None:
    traded = sum(random_strategy(make, seed, lower=shorter_bars(minutes)) for seed in range(40))
    assert traded >= 16, "too few of the strategies trade"


def random_strategy(make: Callable[[int], str], seed: int, **more: Any) -> bool:
    """Compare a random strategy on both tiers, and return whether it trades. `more` are fields of its request."""
    given = request(make(seed), **more)
    ran = compiled(given).run_whole(given.bars, {})
    expected = perform(given)
    if ran is None:
        assert expected.result.error is not None, f"machine code did not finish the strategy of seed {seed}"
        return False
    compare(ran, expected)
    return expected.tested is not None and len(expected.tested.trades) > 0


@pytest.mark.parametrize("first", range(0, 300, 50))
def test_random_requests_give_the_same_on_both_tiers(first: int) -> None:
    for seed in range(first, first + 50):
        random_request(seed)


@pytest.mark.parametrize("first", range(100, 500, 50))
def test_random_scripts_with_calls_of_the_library_are_the_same_on_both_tiers(first: int) -> None:
    for seed in range(first, first + 50):
        given = request(library_script(seed))
        ran = compiled(given).run_whole(given.bars, {})
        expected = perform(given)
        if ran is None:
            assert expected.result.error is not None, seed
        else:
            compare(ran, expected)


@pytest.mark.parametrize("first", range(0, 600, 50))
def test_random_scripts_with_the_whole_language_are_the_same_on_both_tiers(first: int) -> None:
    compared = 0
    for seed in range(first, first + 50):
        given = request(language_script(seed))
        try:
            made = compile_script(open_program(given.source), given)
        except PinebenchError:
            continue  # the checker refuses some of them
        if isinstance(made, NotCompilable):
            continue
        expected, ran = perform(given), made.run_whole(given.bars, {})
        if ran is not None:  # whole numbers may become too large to be exact
            compare(ran, expected)
            compared += 1
    assert compared >= 30, "too few of the scripts are finished by machine code"


@pytest.mark.parametrize(
    "make", (array_script, library_script, shown_script, request_script, strategy_script, refilled_script)
)
def test_random_scripts_read_and_write_their_own_places(make: Callable[[int], str]) -> None:
    with checked_places() as checks:
        for seed in range(10):
            given = request(make(seed), samples=True)
            compiled(replace(given, bars=bars(60))).run_whole(bars(60), {})
            assert checks.faults == [], seed
    assert checks.looks > 10_000


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_random_strategies_with_requests_give_the_same_on_both_tiers(first: int) -> None:
    traded = sum(requesting_strategy(seed) for seed in range(first, first + 50))
    assert traded >= 10, "too few of the strategies trade"


@pytest.mark.parametrize("first", range(0, 400, 50))
def test_random_scripts_that_show_something_are_the_same_on_both_tiers(first: int) -> None:
    compared = 0
    for seed in range(first, first + 50):
        given = request(shown_script(seed))
        made, expected = compiled(given), perform(given)
        ran = made.run_whole(given.bars, {})
        if ran is None:
            assert expected.result.error is not None or made.stopped == TOO_MANY_DRAWINGS, seed
        else:
            compare(ran, expected)
            compared += 1
    assert compared >= 15, "too few of the scripts are finished by machine code"


@pytest.mark.skipif(not CORPUS, reason="PINEBENCH_CORPUS names no folder")
def test_values_without_drawings_are_the_ones_of_a_run_with_drawings() -> None:
    """A sweep shows no drawings. A run that a drawing stops has no values there either."""
    given = request('indicator("")')
    compared = finished = 0
    for path in sorted(Path(CORPUS).glob("files/*.pine")):
        program = open_program(path.read_text(encoding="utf-8"))
        if program.is_strategy or program.document.version != 6:
            continue
        asked = request_of(program, given.bars, given.symbol)
        try:
            made = compile_script(program, asked)
            python = perform(asked).result
        except PinebenchError:
            continue
        if isinstance(made, NotCompilable) or not made.form({}).generated.calls:
            continue
        compared += 1
        columns = made.columns(asked.bars, {})
        if columns is None:
            continue  # the Python tier runs it
        finished += 1
        assert python.error is None, path.name
        shown = made.form({}).generated.shown
        for column, values in zip(shown, columns, strict=True):
            theirs = python.outputs[column.output].columns[column.name]
            assert list(map(repr, values)) == list(map(repr, theirs)), (path.name, column.line)
    assert compared >= LEAST_DRAWN
    assert finished >= 0.9 * compared
