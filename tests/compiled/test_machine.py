"""Machine code and the part of Python that it is made from."""

from __future__ import annotations

import ctypes
import math

import pytest

from pinebench.compiled import machine, native, numerals, sources
from pinebench.compiled.native_source import NativeSource
from tests.compiled.random_shown import shown_script
from tests.compiled.random_strategies import strategy_script
from tests.compiled.same import bars, both, compiled, request


def test_every_kernel_and_the_broker_are_in_the_part_of_python_that_is_translated() -> None:
    known = sources.broker_source()
    text = native.translate(known, known.functions)
    assert text.count("define ") == len(known.functions)


def test_a_call_that_is_not_in_that_part_is_an_error() -> None:
    source = NativeSource("def f(m: P) -> float:\n    return open(1.0)\n")
    with pytest.raises(KeyError):
        native.translate(source, ["f"])


def test_floats_are_compared_by_their_bits() -> None:
    source = NativeSource("def f(one: float, other: float) -> bool:\n    return has_same_bits(one, other)\n")
    loaded = machine.LoadedCode([machine.compiled(native.translate(source, ["f"]), 1)])
    same = loaded.function("f", ctypes.c_bool, ctypes.c_double, ctypes.c_double)
    values = [0.0, -0.0, 1.5, math.inf, math.nan, -math.nan]
    for one in values:
        for other in values:
            assert same(one, other) == numerals.has_same_bits(one, other) == (one is other)


def test_a_script_that_is_too_long_to_be_made_faster_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "LONGEST", 100)
    machine.compiled.cache_clear()
    both(strategy_script(4))
    both(shown_script(1))
    machine.compiled.cache_clear()


def test_a_run_that_needs_much_memory_gets_it() -> None:
    given = request('indicator("")\nn = input.int(5, "N")\nplot(ta.sma(close, n))\nplot(ta.wma(close, n))')
    made = compiled(given)
    few = bars(30)
    ran = made.run_whole(few, {"N": 5000})
    assert ran is not None
    assert all(value != value for value in ran.result.plots[1].values)
