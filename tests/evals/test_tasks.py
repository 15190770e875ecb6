"""The tasks: there are 300, each states what is judged, and another seed gives other tasks."""

import re

import pytest

from pinebench.checker import open_program
from pinebench.codes import opinion_codes
from pinebench.diagnostics import Severity
from pinebench.errors import UsageError
from pinebench.evals.draws import Draw
from pinebench.evals.hidden import hidden_bars
from pinebench.evals.tasks import EACH, KINDS, LEVELS, Task, families, task_of, tasks, words
from pinebench.linter.engine import lint_text
from pinebench.syntax.document import find_version
from pinebench.workers.dispatch import execute
from pinebench.workers.request import Request

ALL = tasks(1)
SCRIPTS = [task for task in ALL if task.instance.fault is None]
FAULTS = [task for task in ALL if task.instance.fault is not None]
FIRST = [task for task in SCRIPTS if task.id.endswith("-1")]
ALIASES = {code.name: code.alias for code in opinion_codes().values()}
_SHOWN = re.compile(r'^(?:plot|plotshape|bgcolor)\(.*?, (?:title = )?"([^"]+)"', re.MULTILINE)
_INPUT = re.compile(r'= input\.\w+\([^"\n]*"([^"]+)"')
_ENTRY = re.compile(r'strategy\.entry\("([^"]+)"')


def test_there_are_300_tasks_of_all_kinds_levels_and_sorts() -> None:
    assert len(ALL) == 300
    assert len({task.id for task in ALL}) == len({task.prompt for task in ALL}) == 300
    assert {task.kind for task in ALL} == set(KINDS)
    assert {task.level for task in ALL} == set(LEVELS)
    assert {task.family.sort for task in ALL} == {"indicator", "strategy", "library"}
    assert len(families()) * EACH == 300


def test_the_same_seed_gives_the_same_tasks() -> None:
    again = [task_of(family, 1, number) for family in families() for number in range(EACH)]
    assert [task.prompt for task in again] == [task.prompt for task in ALL]
    assert [task.solution for task in again] == [task.solution for task in ALL]
    assert hidden_bars("x", 20, "60") == hidden_bars("x", 20, "60")


@pytest.mark.parametrize("each", families(), ids=lambda each: each.name)
def test_another_seed_gives_other_names_numbers_and_bars(each) -> None:
    ours = [task_of(each, 1, number) for number in range(EACH)]
    others = [task_of(each, 2, number) for number in range(EACH)]
    differing = sum(one.prompt != other.prompt for one, other in zip(ours, others, strict=True))
    assert differing >= EACH - 1
    for one, other in zip(ours, others, strict=True):
        if one.instance.fault is None:
            assert one.cases()[0].bars.close != other.cases()[0].bars.close
    assert len({task.prompt for task in ours}) == EACH


def test_everything_that_is_compared_by_name_is_named_in_the_task() -> None:
    for task in SCRIPTS:
        source, said = task.instance.reference, task.instance.request + task.instance.given
        shown = () if task.family.sort == "library" else (*_SHOWN.findall(source), *_INPUT.findall(source))
        for name in (*shown, *_ENTRY.findall(source), *(title for case in task.cases() for title in case.inputs)):
            assert f'"{name}"' in said, (task.id, name)
        assert not re.search(r"\{\w|\}", task.instance.request), "a name was not filled in"


def test_a_request_does_not_show_the_solution() -> None:
    for task in SCRIPTS:
        assert task.instance.reference not in task.prompt
        assert task.instance.given != task.instance.reference


@pytest.mark.parametrize("task", FIRST, ids=lambda task: task.id)
def test_our_solutions_have_no_finding_of_our_linter(task: Task) -> None:
    assert [(found.code, found.line) for found in lint_text(task.instance.reference)] == []


@pytest.mark.soak
def test_no_solution_of_three_seeds_has_a_finding() -> None:
    for seed in (1, 2, 3):
        for task in tasks(seed, ["write", "change", "repair", "migrate"]):
            assert [(task.id, found.code) for found in lint_text(task.instance.reference)] == []


def test_a_script_to_repair_has_the_fault_that_the_request_names() -> None:
    for task in ALL:
        errors = [each for each in open_program(task.instance.given).diagnostics if each.severity is Severity.ERROR]
        if task.family.name == "repair-errors":
            assert len(errors) >= 2, task.id
        elif task.kind in ("change", "repair"):
            assert not errors, task.id
        elif task.kind == "migrate":
            version, _ = find_version(task.instance.given)
            assert version in (4, 5), task.id


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.soak), pytest.param(3, marks=pytest.mark.soak)])
def test_our_tools_find_exactly_the_fault_that_a_task_asks_for(seed: int) -> None:
    for task in tasks(seed, ["explain"]):
        fault, source = task.instance.fault, task.instance.given
        assert fault is not None
        assert found_in(source, fault.code) == [(fault.line, fault.code)], task.id
        assert f"- {fault.code}: " in task.instance.request


def found_in(source: str, code: str) -> list[tuple[int, str]]:
    """The faults of a script as our checker, runtime or linter finds them."""
    if code.startswith("CE"):
        found = open_program(source).diagnostics
        return [(source.count("\n", 0, each.span.start) + 1, each.code) for each in found]
    if code.startswith("RE"):
        bars, symbol = hidden_bars("faults", 200, "60")
        error = execute(Request(source, bars, symbol)).result.error
        return [] if error is None else [(error.stack[0].line, error.code)]
    return [(each.line, ALIASES.get(each.code, each.code)) for each in lint_text(source)]


def test_tasks_are_chosen_by_id_kind_level_and_sort() -> None:
    assert [task.id for task in tasks(1, ["bands-*"])] == [f"bands-{number}" for number in range(1, 6)]
    assert {task.kind for task in tasks(1, ["repair"])} == {"repair"}
    assert len(tasks(1, ["hard", "easy"])) == len(tasks(1, ["hard"])) + len(tasks(1, ["easy"]))
    assert {task.family.sort for task in tasks(1, ["library"])} == {"library"}
    with pytest.raises(UsageError, match="no task matches 'bandss'"):
        tasks(1, ["bands-1", "bandss"])


def test_a_request_is_read_as_it_is_written() -> None:
    """No line of a request begins within a formula, and each item begins with its own words."""
    for task in ALL:
        for line in task.request.splitlines():
            assert line.count("(") == line.count(")"), (task.id, line)
            assert not re.match(r"- [\w.]+ of e\b|- b\)", line), (task.id, line)
    assert words("A:\n\n- f(x): 2 * e - g(e),\n  both\n- h: 100 * (a - b) / b") == (
        "A:\n\n- f(x): 2 * e - g(e), both\n- h: 100 * (a - b) / b"
    )


def test_hidden_bars_have_equal_bars_and_missing_ones() -> None:
    bars, _ = hidden_bars("x", 300, "15", stock=True, flat=100)
    assert len({(bars.open[i], bars.high[i], bars.low[i], bars.close[i]) for i in range(100, 156)}) == 1
    steps = {after - before for before, after in zip(bars.time, bars.time[1:], strict=False)}
    assert {900_000, 1_800_000} <= steps
    fallen, _ = hidden_bars("x", 300, "60", fall=5.0)
    assert fallen.close[1] <= fallen.close[0] - 5.0 and fallen.volume[0] == fallen.volume[1]
    assert fallen.close[0] < fallen.open[0]
    task = ALL[0]
    assert task.cases("a")[0].bars.close != task.cases("b")[0].bars.close


def test_a_turn_is_another_one_for_each_number() -> None:
    assert [Draw(1, "x", number).turn("a", "b", "c") for number in range(4)] == ["a", "b", "c", "a"]


def test_hidden_bars_are_bars() -> None:
    for stock, timeframe in ((False, "60"), (True, "15")):
        bars, symbol = hidden_bars("x", 200, timeframe, stock=stock)
        assert bars.time == sorted(set(bars.time))
        for o, h, lo, c in zip(bars.open, bars.high, bars.low, bars.close, strict=True):
            assert 0 < lo <= min(o, c) <= max(o, c) <= h
            assert all((price / symbol.mintick).is_integer() for price in (o, h, lo, c))
    assert any(o != c for o, c in zip(bars.open[1:], bars.close, strict=False)), "there are gaps"
