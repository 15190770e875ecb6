"""Public exceptions and results can be sent between processes."""

import inspect
import pickle
import re
from typing import Any

import pytest

import pinebench as pb
from pinebench.api.run_results import ScriptStopped

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


STRATEGY = """//@version=6
strategy("s")
n = input.int(3, "N")
if ta.crossover(close, ta.sma(close, n))
    strategy.entry("L", strategy.long)
if ta.crossunder(close, ta.sma(close, n))
    strategy.close("L")
plot(close, "Close")
"""


def results() -> list[Any]:
    """A result of every public class."""
    bars = pb.bars("sample:AAPL@1Dx120")
    tested = pb.backtest(STRATEGY, bars)
    together = pb.portfolio([pb.Member(STRATEGY, bars, "a"), pb.Member(STRATEGY, bars, "b")])
    report = pb.check('//@version=6\nindicator("x")\nplot(close)\nx = 1')
    return [
        *(bars, bars.symbol, tested, tested.trades[0], tested.figure(20), tested.check_repainting(5), together),
        *(report, report.findings[0], pb.Member(STRATEGY, bars, "a")),
        pb.run('//@version=6\nindicator("x")\nplot(close, "Close")', bars),
        pb.migrate('//@version=4\nstudy("x")\nplot(close)'),
        pb.optimize(STRATEGY, bars, {"N": [2, 3]}),
        pb.walk_forward(STRATEGY, bars, "train=2M test=1M", {"N": [2, 3]}),
        pb.screen(STRATEGY, "sample:AAPL", "last(close) > 0", count=60),
    ]


def test_every_public_result_comes_back_whole() -> None:
    made = {type(one): one for one in results()}
    public = {getattr(pb, name) for name in pb.__all__ if inspect.isclass(getattr(pb, name))}
    assert {kind for kind in public if not issubclass(kind, Exception)} == set(made)
    for kind, one in made.items():
        back = pickle.loads(pickle.dumps(one))
        assert type(back) is kind
        if isinstance(one, pb.Figure):
            assert back.to_svg() == one.to_svg()
        else:
            assert re.sub(r" at 0x\w+", "", repr(back)) == re.sub(r" at 0x\w+", "", repr(one))
        if isinstance(one, pb.Run | pb.Optimization | pb.WalkForward | pb.Portfolio):
            assert str(back) == str(one)


def test_a_name_that_a_result_does_not_have_is_told_with_the_nearest() -> None:
    made = pb.run('//@version=6\nindicator("x")\nplot(close, "Close")', "sample:AAPL@1Dx9")
    for name, hint in (("Clos", "did you mean 'Close'?"), ("nope", "the names are Close")):
        with pytest.raises(pb.UnknownName) as unknown:
            made[name]
        assert isinstance(unknown.value, KeyError) and isinstance(unknown.value, pb.PinebenchError)
        assert (str(unknown.value), unknown.value.hint) == (f"no plot is called '{name}'", hint)
    together = pb.portfolio([pb.Member(STRATEGY, "sample:AAPL@1Dx30", "first")])
    with pytest.raises(pb.UnknownName, match="no strategy is called 'second'"):
        together["second"]
