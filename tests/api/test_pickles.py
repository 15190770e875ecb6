"""Public exceptions and results can be sent between processes."""

from __future__ import annotations

import inspect
import pickle

import pytest

import pinebench as pb
from pinebench.api.running import ScriptStopped

SCRIPT = """//@version=6
indicator("x")
if bar_index == 3
    runtime.error("stop")
plot(close)
"""


def test_an_exception_of_a_run_comes_back_whole() -> None:
    with pytest.raises(pb.ScriptStopped) as stopped:
        pb.run(SCRIPT, "sample:AAPL@1Dx9")
    back = pickle.loads(pickle.dumps(stopped.value))
    assert isinstance(back, ScriptStopped)
    assert (str(back), back.code, back.line, back.bar) == (
        str(stopped.value),
        stopped.value.code,
        stopped.value.line,
        stopped.value.bar,
    )
    assert back.run.times == stopped.value.run.times


def test_every_public_exception_comes_back_whole() -> None:
    kinds = [getattr(pb, name) for name in pb.__all__ if inspect.isclass(getattr(pb, name))]
    for kind in kinds:
        if not issubclass(kind, Exception):
            continue
        needed = [each for each in inspect.signature(kind).parameters.values() if each.default is each.empty]
        made = kind(*(f"value {number}" for number, each in enumerate(needed) if each.kind is not each.VAR_POSITIONAL))
        back = pickle.loads(pickle.dumps(made))
        assert (type(back), str(back), vars(back)) == (kind, str(made), vars(made)), kind.__name__
