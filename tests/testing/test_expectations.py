"""Expectations: how they are read, what they are held against, and what is said of those that are none."""

import pytest

from pinebench.errors import UsageError
from pinebench.repaint.repaint import RepaintVerdict
from pinebench.runtime.runtime import Result
from pinebench.testing.expectations import ExpectationResult, figures_of, held, parse
from pinebench.testing.goals import goals
from tests.runtime.running import run, runtime_of
from tests.tables import each

SCRIPT = """
plot(bar_index < 3 ? na : close, "Late")
plot(close > 3 ? 1 : 0, "Is (high) \\"x\\"")
plot(close)
plotshape(close > 3, "Shape")
plotchar(close > 3 ? 0 : na, "Sign")
if close > 3
    alert("up")
label.new(bar_index, close)
"""
REPORT = {
    "trades": 12,
    "profit_factor": None,
    "max_drawdown": 150.5,
    "max_drawdown_percent": 12.5,
    "percent_profitable": 41.5,
    "name": "x",
}


@pytest.fixture(scope="module")
def result() -> Result:
    return run(SCRIPT)


@pytest.mark.parametrize(
    ("text", "value", "holds"),
    [
        ("trades>10", 12, True),
        ("trades > 12", 12, False),
        ("trades>=12", 12, True),
        ("trades != 12", 12, False),
        ("trades = 12", 12, True),
        ("trades==12.0", 12, True),
        ("max_drawdown<20%", 12.5, True),
        ("max_drawdown<1.2e1%", 12.5, False),
        ("max_drawdown_percent<20%", 12.5, True),
        ("percent_profitable>40%", 41.5, True),
        ("max_drawdown<=-.5", 150.5, False),
        ("profit_factor>1", None, False),
        ("profit_factor!=1", None, False),
        ("bars==5", 5, True),
        ("alerts==2", 2, True),
        ("labels==5", 5, True),
        ("boxes==0", 0, True),
        ("na(Late)<0.5", 0.6, False),
        ("na(Late)<=60%", 60, True),
        ("na('Late') > 50 %", 60, True),
        ("count(Late)==2", 2, True),
        ("count(Shape)==2", 2, True),
        ("count(Sign)>0", 0, False),
        ("last(Plot 3)==5", 5, True),
        ("min(Plot 3)<0", 1, False),
        ("max(Late)==5", 5, True),
        ('last(Is (high) "x")==1', 1, True),
    ],
)
def test_figures_are_compared(result: Result, text: str, value: float | None, holds: bool) -> None:
    found = held(parse(text), result, figures_of(result, REPORT))
    assert (found.value, found.holds) == (value, holds)


@each(
    "text",
    [
        "",
        "trades",
        "trades>",
        ">10",
        "trades>ten",
        "trades>>10",
        "trades>10 and bars>3",
        "trades>nan",
        "a.b>1",
        "na<0.5",
    ],
)
def test_what_is_no_expectation_is_said(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse(text)
    assert text in refused.value.message and refused.value.hint


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("trade>1", "did you mean 'trades'"),
        ("zebra>1", "the figures are bars, plots, alerts"),
        ("bars<5%", "write the number without %"),
        ("count(Late)>1%", "write the number without %"),
        ("last(Late)>1%", "write the number without %"),
        ("na(Lat)<1", "did you mean 'Late'"),
        ("last(zebra)<1", "There are 'Late'"),
        ("mean(Late)<1", "the figures of a plot are na, last"),
    ],
)
def test_what_there_is_not_is_said_with_what_there_is(result: Result, text: str, words: str) -> None:
    with pytest.raises(UsageError) as refused:
        held(parse(text), result, figures_of(result, REPORT))
    assert words in (refused.value.hint or "")


def test_a_script_that_stopped_meets_no_goal() -> None:
    stopped = runtime_of('runtime.error("no")\nplot(close)', [1.0, 2.0]).run()
    asked = goals(["alerts<5", "bars>0"], no_repaint=True)
    judged = asked.judge(stopped, None, lambda: pytest.fail("nothing to compare"))
    assert not judged.ok
    assert [each.holds for each in judged.held] == [False, False]
    assert judged.failures() == ["the script stopped: Error on bar 0: no"]


def test_goals_are_met_together(result: Result) -> None:
    fine = RepaintVerdict([], 5, [3], 2)
    assert goals(["bars==5"], no_repaint=True).judge(result, None, lambda: fine).ok
    assert not goals(["bars==4"], no_repaint=True).judge(result, None, lambda: fine).ok
    assert not goals([]) and goals([], no_repaint=True)


def test_a_number_that_looks_equal_is_told_with_all_its_digits() -> None:
    wanted = parse("net_profit==65.6096")
    assert (
        ExpectationResult(wanted, 65.609600000000001, True).words == "net_profit==65.6096 is met: the value is 65.6096"
    )
    words = ExpectationResult(wanted, 65.60960000000003, False).words
    assert words.endswith(
        "is 65.60960000000003, which is almost, but not exactly, this number; give a range with > and <"
    )
