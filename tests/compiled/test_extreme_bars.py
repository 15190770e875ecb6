"""The compiled tier has the bits of the Python tier on bars that strain the arithmetic of built-ins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pinebench.checker import open_program
from pinebench.workers.jobs import perform, request_of
from tests.compiled.same import SYMBOL, compare, compiled
from tests.compiled.test_indicators import CALLS, script
from tests.extreme_bars import KINDS, extreme_bars

MODES = 4
HEAD = f"""mode = input.int(0, "Mode", minval = 0, maxval = {MODES - 1})
source = switch mode
    1 => bar_index % 7 == 3 ? na : hl2
    2 => close - open
    3 => volume * close * close
    => close
"""
FLOWS = "\n".join(f"plot(ta.mfi(source, {n}))\nplot(ta.cmo(source, {n}))" for n in (2, 3, 5, 14))


def _of_every_source(text: str) -> str:
    """A script with an input that chooses the source."""
    first, _, rest = text.partition("source = ")
    return first + HEAD + rest.partition("\n")[2]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(script(CALLS[:26]), id="averages"),
        pytest.param(script(CALLS[26:], with_tuples=True), id="others"),
        pytest.param(f'indicator("Flows")\nn = input.int(5, "N")\nsource = close\n{FLOWS}', id="flows"),
    ],
)
def test_every_built_in_has_the_same_bits_on_extreme_bars(text: str) -> None:
    given = request_of(open_program("//@version=6\n" + _of_every_source(text)), extreme_bars("thin"), SYMBOL.info("60"))
    made = compiled(given)
    for kind in KINDS:
        for mode in range(MODES):
            bars, inputs = extreme_bars(kind, 250, mode), {"Mode": mode}
            ran = made.run_whole(bars, inputs)
            assert ran is not None, ("machine code could not finish the run", kind, mode)
            compare(ran, perform(replace(given, bars=bars, inputs=inputs)))
