"""Compares the compiled tier with the Python tier, bit for bit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from pinebench.calendars.timeframes import timeframe
from pinebench.checker import open_program
from pinebench.compiled import CompiledScript, NotCompilable, compile_script
from pinebench.market import Bars, sample_bars, samples
from pinebench.runtime import Drawing
from pinebench.workers.jobs import RunResult, perform, request_of
from pinebench.workers.request import Request

pytest.importorskip("llvmlite")

SYMBOL = samples.SAMPLES[0]


def bars(count: int) -> Bars:
    """Bars of the sample market."""
    return sample_bars(SYMBOL, timeframe("60"), count)


def shorter_bars(minutes: int) -> Bars:
    """Shorter bars inside most of these bars: the first ones and some in the middle have none."""
    known = sample_bars(SYMBOL, timeframe(str(minutes)), 350 * 60 // minutes)
    return known.at([k for k in range(len(known)) if k * minutes // 60 != 200])


def request(source: str, **more: Any) -> Request:
    """A request to run a script on 400 bars."""
    return request_of(open_program("//@version=6\n" + source), bars(400), SYMBOL.info("60"), **more)


def compiled(given: Request) -> CompiledScript:
    """The script of a request as machine code; the test fails if it is refused."""
    made = compile_script(open_program(given.source), given)
    assert not isinstance(made, NotCompilable), made
    return made


def refusal(source: str, **more: Any) -> NotCompilable:
    """The refusal of a script; the test fails if it is compiled."""
    given = request(source, **more)
    made = compile_script(open_program(given.source), given)
    assert isinstance(made, NotCompilable)
    return made


def both(source: str, *inputs: Mapping[str, Any], **more: Any) -> RunResult:
    """Run a script on both tiers, with each of `inputs` after it was compiled once; the last run is returned.

    The test fails if machine code did not run it, or if anything differs.
    """
    given = request(source, **more)
    made = compiled(given)
    runs = [_same(made, replace(given, inputs=values)) for values in inputs or ({},)]
    return runs[-1]


def _same(made: CompiledScript, given: Request) -> RunResult:
    ran = made.run_whole(given.bars, given.inputs)
    assert ran is not None, "machine code could not finish the run"
    compare(ran, perform(given))
    return ran


def shown(value: Any) -> str:
    """Everything that a drawing shows."""
    if isinstance(value, Drawing):
        parts = [shown(each) for each in value.state().values()]
        return f"{value.kind} {parts} {getattr(value, 'cells', None)} {getattr(value, 'merged', None)}"
    return repr(value)


def compare(ran: RunResult, python: RunResult) -> None:
    """Fail if two runs differ in a bit, in the type of a value, or in the payload of anything but na."""
    for ours, theirs in zip(ran.result.outputs, python.result.outputs, strict=True):
        assert repr(ours.settings) == repr(theirs.settings)
        for name, column in theirs.columns.items():
            wrong = [i for i, value in enumerate(column) if repr(ours.columns[name][i]) != repr(value)]
            assert not wrong, (
                theirs.function,
                theirs.title,
                name,
                wrong[:3],
                [(ours.columns[name][i], column[i]) for i in wrong[:3]],
            )
    for kind, theirs in python.result.drawings.items():
        assert list(map(shown, ran.result.drawings.get(kind, []))) == list(map(shown, theirs)), kind
    assert repr(replace(ran.result, drawings={})) == repr(replace(python.result, drawings={}))
    if python.tested is None:
        assert ran.tested is None
        return
    assert ran.tested is not None
    for number, (one, other) in enumerate(zip(ran.tested.trades, python.tested.trades, strict=True)):
        assert repr(one) == repr(other), number
    for part in ("fills", "curve", "told", "open_trades", "open_figures", "notes", "properties"):
        assert repr(getattr(ran.tested, part)) == repr(getattr(python.tested, part)), part
