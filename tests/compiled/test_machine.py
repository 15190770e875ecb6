"""Machine code and the part of Python that it is made from."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pinebench.compiled import kernels, native, numerals, sources
from tests.compiled.same import bars, compiled, request


def test_every_kernel_and_the_broker_are_in_the_part_of_python_that_is_translated() -> None:
    known = sources.trading()
    text = native.translate(known, known.functions)
    assert text.count("define ") == len(known.functions)


def test_a_call_that_is_not_in_that_part_is_an_error() -> None:
    source = native.Source("def f(m: P) -> float:\n    return open(1.0)\n")
    with pytest.raises(KeyError):
        native.translate(source, ["f"])


@pytest.mark.parametrize("name", ["math_sum", "ema", "wma", "highest"])
def test_a_kernel_that_runs_as_python_is_the_kernel_of_the_python_tier(name: str) -> None:
    from pinebench.compiled import builtins as compiled_builtins
    from pinebench.runtime import builtins

    key = {"math_sum": "math.sum", "highest": "ta.highest#1"}.get(name, f"ta.{name}")
    theirs: Any = builtins.KERNELS[key]()
    found = next(one for one in compiled_builtins.kernels().values() if one.function == name)
    memory = [0.0] * 4000
    memory[1], memory[2] = 200.0, 4000.0
    for place, value in found.first.items():
        memory[100 + place] = value
    chance = random.Random(7)
    for i in range(300):
        value = numerals.NA if chance.random() < 0.1 else chance.uniform(1, 1000)
        assert repr(getattr(kernels, name)(memory, 100, i, value, 9.0)) == repr(theirs(i, value, 9))


def test_a_run_that_needs_much_memory_gets_it() -> None:
    given = request('indicator("")\nn = input.int(5, "N")\nplot(ta.sma(close, n))\nplot(ta.wma(close, n))')
    made = compiled(given)
    few = bars(30)
    ran = made.run_whole(few, {"N": 5000})
    assert ran is not None
    assert all(value != value for value in ran.result.plots[1].values)
