"""The judge: right answers pass however they are written, and wrong ones fail."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from pinebench.context import CancelledError
from pinebench.errors import PinebenchError, UnavailableError, UsageError
from pinebench.evals import task_judge
from pinebench.evals.task_judge import Judge, TaskVerdict
from pinebench.evals.tasks import Task, families, tasks
from pinebench.migration import migrate_draft
from tests.evals.alternatives import ALTERNATIVES, alternative
from tests.evals.clauses import disregarding, general, said_by, sentences
from tests.evals.planting import COUNT, mistakes
from tests.evals.styles import STYLES, in_style

ALL = {task.id: task for task in tasks(1)}
SAMPLE = (
    "two-averages-2",
    "longer-levels-1",
    "gap-boxes-1",
    "risk-size-3",
    "library-type-2",
    "change-smoothing-3",
    "figures-table-2",
)
"""A few tasks of different kinds; the soak has all."""
BANDS = ALL["bands-1"]


def fenced(source: str) -> str:
    return f"```pine\n{source}```"


def judged(task: Task, source: str) -> TaskVerdict:
    return Judge(task).judge(fenced(source))


# right answers


@pytest.mark.parametrize("name", SAMPLE)
def test_our_solution_passes(name: str) -> None:
    assert Judge(ALL[name]).judge(ALL[name].solution) == TaskVerdict(True)


@pytest.mark.soak
@pytest.mark.parametrize("each", families(), ids=lambda each: each.name)
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("salt", ["", "a", "b"])
def test_all_of_our_solutions_pass(each, seed: int, salt: str) -> None:
    """Also on the hidden bars of other runs."""
    for task in tasks(seed, [f"{each.name}-?"]):
        assert Judge(task, salt=salt).judge(task.solution) == TaskVerdict(True), task.id


@pytest.mark.parametrize(
    "name",
    [
        name
        if name in ("bands", "line-fit", "touched-levels", "hours-only", "last-line")
        else pytest.param(name, marks=pytest.mark.soak)
        for name in ALTERNATIVES
    ],
)
def test_a_right_solution_that_is_written_in_another_way_passes(name: str) -> None:
    task = ALL[f"{name}-1"]
    other = alternative(task)
    assert other != task.instance.reference
    assert judged(task, other) == TaskVerdict(True)


def test_there_are_alternatives_for_a_third_of_the_families() -> None:
    assert len(ALTERNATIVES) >= 20
    assert ALTERNATIVES.keys() <= {each.name for each in families()}


def failing_in_style(style: str, chosen: list[Task]) -> dict[str, TaskVerdict]:
    """The tasks whose solution, as the writer of a style has it, does not pass."""
    found = {task.id: judged(task, in_style(style, task.instance.reference)) for task in chosen}
    return {name: verdict for name, verdict in found.items() if verdict != TaskVerdict(True)}


@pytest.mark.parametrize("style", STYLES)
def test_our_solutions_pass_in_the_style_of_other_writers(style: str) -> None:
    chosen = [ALL[name] for name in SAMPLE]
    assert all(in_style(style, task.instance.reference) != task.instance.reference for task in chosen)
    assert failing_in_style(style, chosen) == {}


@pytest.mark.soak
@pytest.mark.parametrize("each", [each for each in families() if each.kind != "explain"], ids=lambda each: each.name)
def test_all_of_our_solutions_pass_in_the_style_of_other_writers(each) -> None:
    for style in STYLES:
        assert failing_in_style(style, tasks(1, [f"{each.name}-?"])) == {}, style


ANSWERS = {path.stem: path for path in (Path(__file__).parent / "answers").glob("*.pine")}
"""Answers that were written from the requests alone, by somebody who had not seen our solutions."""


def failing_answers(names: Iterable[str]) -> dict[str, TaskVerdict]:
    found = {name: judged(ALL[name], ANSWERS[name].read_text(encoding="utf-8")) for name in names}
    return {name: verdict for name, verdict in found.items() if verdict != TaskVerdict(True)}


def test_answers_that_were_written_from_the_requests_alone_pass() -> None:
    assert {ALL[name].family.name for name in ANSWERS} == {each.name for each in families() if each.kind != "explain"}
    assert failing_answers(["bands-1", "line-fit-1", "patient-limit-1", "library-arrays-1", "repair-stop-1"]) == {}


@pytest.mark.soak
def test_all_answers_that_were_written_from_the_requests_alone_pass() -> None:
    assert failing_answers(sorted(ANSWERS)) == {}


@pytest.mark.parametrize(
    "name",
    [
        task.id if task.id == "migrate-when-1" else pytest.param(task.id, marks=pytest.mark.soak)
        for task in ALL.values()
        if task.kind == "migrate"
    ],
)
def test_our_migration_of_the_old_script_passes(name: str) -> None:
    """The migration does not know the solutions, so both agree about what the old script does."""
    task = ALL[name]
    done = migrate_draft(task.instance.given)
    assert not done.refused
    if task.family.name == "migrate-conditions":
        # A bool with three states cannot be converted mechanically; the migration says so, and what it leaves is wrong.
        assert any("a third state needs another type" in remark.text for remark in done.remarks)
        assert judged(task, done.text).stage == "plots"
        return
    assert judged(task, done.text) == TaskVerdict(True)


def test_words_and_other_blocks_around_a_script_do_not_matter() -> None:
    answer = f"First, a sketch:\n```pine\nta.sma(close, 3)\n```\nNow all of it.\n{BANDS.solution}\nThat is all?"
    assert Judge(BANDS).judge(answer).passed


def test_more_plots_labels_and_inputs_are_allowed() -> None:
    more = 'more = input.int(3, "More")\nplot(ta.sma(close, more), "More")\n'
    more += 'if barstate.islast\n    label.new(bar_index, high, "x")\n'
    assert judged(BANDS, BANDS.instance.reference + more).passed


def with_more(task: Task, *, first: str = "", last: str = "") -> str:
    """Our solution with lines before its outputs, or at its end."""
    source = task.instance.reference
    return source.replace("plot", f"{first}plot", 1) + last


FREE = {
    "an alertcondition beside the alerts": ("cross-alerts-1", {"last": 'alertcondition(isOver, "x", "bull")\n'}),
    "comments": ("squeeze-1", {"first": "// Quiet markets\n"}),
    "more labels": ("two-averages-1", {"last": 'if barstate.islast\n    label.new(bar_index, high, "x")\n'}),
}
"""What a request leaves open: a task, and lines that use it."""


def test_what_a_request_leaves_open_is_free() -> None:
    for name, (task, more) in FREE.items():
        assert judged(ALL[task], with_more(ALL[task], **more)) == TaskVerdict(True), name
    lines = BANDS.instance.reference.splitlines(keepends=True)
    shown = [line for line in lines if line.startswith("plot")]
    assert judged(BANDS, "".join([line for line in lines if line not in shown] + shown[::-1])) == TaskVerdict(True)


def test_an_invisible_colour_is_the_same_as_none() -> None:
    task = ALL["z-score-1"]
    source = task.instance.reference
    assert judged(task, source.replace(": na, title", ": color.new(color.white, 100), title")) == TaskVerdict(True)
    inverted = source.replace("color.new(color.orange, 70) : na", "color.new(color.orange, 100) : na")
    assert judged(task, inverted).stage == "plots"


# wrong answers


def test_every_sentence_of_every_request_belongs_to_a_clause() -> None:
    assert [
        (task.id, part)
        for task in ALL.values()
        if task.instance.fault is None
        for part in sentences(task)
        if not said_by(task, part)
    ] == []


def kept_in_spite(task: Task) -> list[str]:
    """The clauses of a task that an answer may disregard and still pass, or that have no answer which compiles."""
    judge, found = Judge(task), []
    for name, source in (*disregarding(task), *general(task)):
        verdict = judge.judge(fenced(source))
        if verdict.passed or (verdict.stage == "check" and "not v6" not in verdict.reason):
            found.append(f"{name}: {verdict.reason}")
    return found


@pytest.mark.parametrize("name", ["cross-alerts-1", "z-score-1"])
def test_an_answer_that_disregards_a_clause_fails(name: str) -> None:
    assert kept_in_spite(ALL[name]) == []


@pytest.mark.soak
@pytest.mark.parametrize("each", [each for each in families() if each.kind != "explain"], ids=lambda each: each.name)
def test_an_answer_that_disregards_any_clause_of_any_task_fails(each) -> None:
    assert {task.id: kept_in_spite(task) for task in tasks(1, [f"{each.name}-?"])} == {
        task.id: [] for task in tasks(1, [f"{each.name}-?"])
    }


def test_a_request_that_looks_at_real_time_repaints() -> None:
    task = ALL["longer-levels-2"]
    source = task.instance.reference
    live = source.replace("[high[1],", "[barstate.isrealtime ? high : high[1],")
    assert live != source
    assert judged(task, live).stage == "repainting"


@pytest.mark.parametrize("name", ["stochastic-1", "channel-bracket-2", "explain-trap-2"])
def test_mistakes_are_caught(name: str) -> None:
    judge = Judge(ALL[name])
    planted = mistakes(judge)
    assert len({each.kind for each in planted}) == len(planted) == COUNT
    assert [each.kind for each in planted if judge.judge(each.answer).passed] == []


@pytest.mark.soak
def test_99_of_100_mistakes_are_caught_and_ten_kinds_in_each_family() -> None:
    caught = total = 0
    for family in families():
        kinds: dict[str, list[bool]] = defaultdict(list)
        for task in tasks(1, [f"{family.name}-?"]):
            judge = Judge(task)
            planted = mistakes(judge)
            assert len(planted) == COUNT, task.id
            for each in planted:
                passed = judge.judge(each.answer).passed
                kinds[each.kind].append(not passed)
                caught, total = caught + (not passed), total + 1
        assert sum(all(found) for found in kinds.values()) >= 10, (family.name, dict(kinds))
    print(f"{caught} of {total} mistakes are caught")
    assert total == 3_000
    assert caught >= 0.99 * total


@pytest.mark.parametrize(
    "task",
    [
        task
        for task in ALL.values()
        if task.instance.given and task.id.endswith("-1") and task.kind in ("change", "repair")
    ][:4],
    ids=lambda task: task.id,
)
def test_a_given_script_that_is_returned_unchanged_fails(task: Task) -> None:
    assert not judged(task, task.instance.given).passed


_BEGINNING = """//@version=6
indicator("x")
int length = input.int(13, "Length")
float factor = input.float(2.0, "Factor")
"""
HOSTILE = {
    "no script": ("I cannot do that.", "answer"),
    "nothing": ("", "answer"),
    "an old version": (fenced(BANDS.instance.reference.replace("=6", "=5")), "check"),
    "half a script": ("```pine\n//@version=6\nindicator('x'", "check"),
    "another sort of script": (fenced('//@version=6\nstrategy("x")\nplot(close, "Middle")\n'), "declaration"),
    "a loop without an end": (fenced(f"{_BEGINNING}int i = 0\nwhile i >= 0\n    i += 1\n    i -= 1\nplot(i)\n"), "run"),
    "an error while it runs": (fenced(f"{_BEGINNING}plot(array.new<float>(0).first())\n"), "run"),
    "a missing input": (fenced('//@version=6\nindicator("x")\nplot(close, "Middle")\n'), "inputs"),
    "other values": (fenced(f'{_BEGINNING}plot(close, "Middle")\n'), "plots"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_an_unusable_answer_fails_with_a_reason(name: str) -> None:
    answer, stage = HOSTILE[name]
    verdict = Judge(BANDS).judge(answer)
    assert (verdict.passed, verdict.stage) == (False, stage)
    assert verdict.reason


@pytest.mark.parametrize(
    ("error", "stage"),
    [(UsageError("no"), "run"), (UnavailableError("no"), "not computed"), (PinebenchError("it ended"), "not computed")],
    ids=lambda value: type(value).__name__,
)
def test_only_an_error_of_the_script_is_a_failed_run(
    error: PinebenchError, stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise error

    monkeypatch.setattr(task_judge, "execute", failing)
    verdict = Judge(BANDS).judge(BANDS.solution)
    assert (verdict.stage, verdict.is_known) == (stage, stage == "run")


@pytest.mark.parametrize("work", ["execute", "look_for_repainting"])
def test_cancelled_work_says_nothing_about_an_answer(work: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def cancelled(*_: object) -> None:
        raise CancelledError("stopped")

    task = ALL["longer-average-1"]
    judge = Judge(task)
    monkeypatch.setattr(task_judge, work, cancelled)
    with pytest.raises(CancelledError):
        judge.judge(task.solution)


def test_an_answer_runs_only_in_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    from pinebench import runtime

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a script runs in this process")

    monkeypatch.setattr(runtime.Runtime, "run", forbidden)
    assert Judge(BANDS).judge(BANDS.solution).passed


def test_a_value_that_changes_with_later_bars_fails() -> None:
    ahead = BANDS.instance.reference.replace(
        'plot(middle, "Middle")', 'plot(last_bar_index > 200 ? middle : close, "Middle")'
    )
    verdict = judged(BANDS, ahead)
    assert (verdict.stage, "the first part" in verdict.reason) == ("plots", True)


def test_a_request_that_repaints_in_real_time_only_fails() -> None:
    """On history this gives the values that were asked for; only bars that are fed live show the difference."""
    task = ALL["longer-average-1"]
    live = task.instance.reference.replace("plot(fixed,", "plot(barstate.isrealtime ? close : fixed,")
    assert judged(task, live).stage == "repainting"


def test_too_many_requests_fail() -> None:
    task = ALL["change-requests-1"]
    assert judged(task, task.instance.given).stage == "limits"


def test_a_difference_beyond_the_tolerance_fails() -> None:
    def shifted(by: str) -> TaskVerdict:
        return judged(
            BANDS, BANDS.instance.reference.replace('plot(middle, "Middle")', f'plot(middle * (1 + {by}), "Middle")')
        )

    assert shifted("1e-11").passed
    assert shifted("1e-7").stage == "plots"


def test_values_come_from_the_oracle_where_there_is_one() -> None:
    """A wrong solution of ours is seen, because it does not decide about itself."""
    instance = replace(BANDS.instance, reference=BANDS.instance.reference.replace("ta.sma(close", "ta.ema(close"))
    task = replace(BANDS, instance=instance)
    assert not Judge(task).judge(task.solution).passed
    assert Judge(task).judge(BANDS.solution).passed


def test_three_of_five_scripts_have_an_oracle() -> None:
    with_oracle = [task for task in ALL.values() if task.instance.oracle is not None]
    assert len(with_oracle) >= 0.5 * sum(task.instance.fault is None for task in ALL.values())
