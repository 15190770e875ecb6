"""The advice about repainting: what it says compiles, and keeps the script from repainting on the same bars."""

from functools import cache
from types import SimpleNamespace

import pytest

from pinebench.backtesting.run_recorder import RunRecorder
from pinebench.checker import Program, open_program
from pinebench.market.bars import Bars, SymbolInfo
from pinebench.repaint import repaint
from pinebench.repaint.advice import _IN_PLACE, _NEW_DRAWINGS
from pinebench.repaint.repaint import RepaintVerdict, check_repainting
from tests.repaint.scripts import ADVISED, REPAINTING, indicator
from tests.sample import chart

UNKNOWN: dict[str, str] = {
    "lines are taken from a list until it is short": indicator(
        "var list = array.new<line>()\n"
        "if bar_index % 20 == 0\n"
        "    list.push(line.new(bar_index, high, bar_index + 1, high))\n"
        "while list.size() > 2\n"
        "    line.delete(list.remove(1))"
    )
}
"""Scripts for which no rewrite that is tried helps."""


@cache
def sample() -> tuple[Bars, SymbolInfo]:
    return chart()


@cache
def checked(text: str) -> RepaintVerdict:
    program = open_program(text)
    assert [each.message for each in program.diagnostics if each.severity == 0] == []
    found = check_repainting(program, *sample())
    assert found.error is None
    return found


@pytest.mark.parametrize("name", ADVISED)
def test_who_follows_the_advice_has_a_script_that_does_not_repaint(name: str) -> None:
    case = ADVISED[name]
    first = checked(case.text).repaints[0]
    assert any(case.said in cause.instead for cause in first.causes), first.causes
    assert [each for each in checked(case.instead).repaints if each.output == first.output] == []


@pytest.mark.soak
def test_every_cause_that_there_is_has_a_case() -> None:
    named = {
        cause.name.split()[0]
        for case in ADVISED.values()
        for each in checked(case.text).findings
        for cause in each.causes
    }
    assert {*_IN_PLACE, "varip", "request.security", "alert", "calc_on_every_tick", "label"} <= named
    assert "label" in _NEW_DRAWINGS


@pytest.mark.parametrize("name", REPAINTING)
def test_the_advice_about_each_kind_of_repainting_was_tried(name: str) -> None:
    for each in checked(REPAINTING[name].text).repaints:
        assert [cause.instead for cause in each.causes if cause.instead.startswith(("no rewrite", "not tried"))] == []


def test_a_request_for_the_charts_own_timeframe_is_never_blamed() -> None:
    case = ADVISED["a request beside one of the chart's own timeframe"]
    assert [(cause.name, cause.line) for cause in checked(case.text).repaints[0].causes] == [("request.security", 5)]


def test_a_timeframe_that_is_computed_is_the_one_that_was_asked_for() -> None:
    text = indicator(
        'chosen(int n) =>\n    n > 1 ? timeframe.from_seconds(timeframe.in_seconds()) : "D"\n'
        'own = request.security("", chosen(2), close)\nday = request.security("", chosen(1), close)\nplot(day - own)'
    )
    assert [cause.line for cause in checked(text).repaints[0].causes] == [6]


@pytest.mark.parametrize("name", UNKNOWN)
def test_where_no_rewrite_helps_none_is_told(name: str) -> None:
    told = [cause.instead for each in checked(UNKNOWN[name]).findings for cause in each.causes]
    assert told
    assert {words for words in told if not words.startswith("there is no known rewrite that compiles")} == set()


def test_without_time_nothing_is_advised_as_if_it_had_been_tried() -> None:
    found = check_repainting(open_program(REPAINTING["the clock"].text), *sample(), seconds=0)
    assert found.findings == []


def test_no_rewrite_is_tried_after_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[Program] = []
    history = RunRecorder.history

    def counted(recorder: RunRecorder) -> None:
        runs.append(recorder.runtime.program)
        history(recorder)

    monkeypatch.setattr(RunRecorder, "history", counted)
    monkeypatch.setattr(repaint, "time", SimpleNamespace(monotonic=lambda: len(runs)))
    program = open_program(REPAINTING["the clock"].text)
    check_repainting(program, *sample(), seconds=1000)
    own = runs.count(program)
    assert len(runs) > own
    runs.clear()
    found = check_repainting(program, *sample(), seconds=own - 0.5)
    assert runs == [program] * own
    assert [cause.instead.partition(":")[0] for each in found.findings for cause in each.causes] == [
        "not tried on the bars"
    ]
