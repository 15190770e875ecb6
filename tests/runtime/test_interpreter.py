"""Generated code gives what a slow interpreter gives, on history and while bars are updated."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.runtime.runtime import Runtime
from tests.runtime.interpreter import Interpreter
from tests.runtime.programs import LabelMaker, Maker
from tests.runtime.running import bars_of

CLOSES = [3.0, 4.0, 2.5, 2.5, 6.0, 1.0, 8.0, 3.0, 3.0, 5.0, 7.0, 2.0]


def told(values: list[list[Any]]) -> list[str]:
    """Values so that na equals na, a whole number the same number as a float, and zero has no sign."""
    return [str([float(value) + 0.0 for value in column]) for column in values]


def agree_on(source: str) -> None:
    """Both give the same on all bars, and again while the last bars are updated."""
    program = open_program(source)
    assert not [finding for finding in program.diagnostics if finding.severity is Severity.ERROR], source
    expected = Interpreter(program, bars_of(CLOSES)).run()
    runtime = Runtime(program, bars_of(CLOSES), SymbolInfo(timeframe="15"))
    result = runtime.run()
    assert result.error is None, source
    assert told([output.values for output in result.plots]) == told(expected), source
    _agree_live(program, source)


def _agree_live(program: Any, source: str) -> None:
    whole = bars_of(CLOSES)
    start = len(CLOSES) - 3
    part = Bars(*(list(getattr(whole, name)[:start]) for name in ("time", "open", "high", "low", "close", "volume")))
    mirror = Bars(*(list(getattr(part, name)) for name in ("time", "open", "high", "low", "close", "volume")))
    runtime = Runtime(program, part, SymbolInfo(timeframe="15"))
    runtime.run()
    interpreter = Interpreter(program, mirror)
    interpreter.run()
    for number in range(start, len(CLOSES)):
        for round_, close in enumerate((CLOSES[number] + 1, CLOSES[number] - 3, CLOSES[number])):
            bar = (whole.open[number], whole.high[number] + 5, whole.low[number] - 5, close, whole.volume[number])
            result = runtime.update(whole.time[number], bar, closed=round_ == 2)
            for name, value in zip(("open", "high", "low", "close", "volume"), bar, strict=True):
                column = getattr(mirror, name)
                column[number:] = [value]
            if round_:
                interpreter.again()
            else:
                mirror.time.append(whole.time[number])
                interpreter.first(number)
            assert result.error is None, source
            shown = told([output.values for output in result.plots])
            assert shown == told(list(interpreter.plots.values())), source


@given(st.integers(min_value=0, max_value=2**32))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_generated_programs_agree(seed: int) -> None:
    agree_on(Maker(Random(seed)).script())


def test_a_value_of_a_series_keeps_its_digits_though_it_can_be_computed_before_the_run() -> None:
    agree_on('//@version=6\nindicator("")\nplot(1 / (6.5 != 7 ? 6.5 : close))\nplot(1 / 6.5)\n')


@given(st.integers(min_value=0, max_value=2**32))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_generated_scripts_that_draw_agree(seed: int) -> None:
    agree_on(LabelMaker(Random(seed)).script())


@pytest.mark.soak
@pytest.mark.timeout(3600)  # two thousand programs, each run three ways
@given(st.integers(min_value=0, max_value=2**40))
@settings(max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_many_generated_programs_agree(seed: int) -> None:
    agree_on(Maker(Random(seed)).script())
