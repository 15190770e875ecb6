"""Batches of runs have the same outcomes on both tiers, and one bad run costs no other."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pinebench.compiled import Work, machine, tiers
from pinebench.context import Context
from pinebench.sweeps import combination_runs, executors, symbol_values
from pinebench.sweeps.combination_runs import Batch, Inputs, RunOutcome
from tests.sweeps.support import CROSS, request, walk

COMBINATIONS = [
    {"Fast": fast, "Slow": slow, "Mode": mode} for mode in ("EMA", "SMA") for fast in (5, 9) for slow in (20, 60)
]
STOPS = CROSS + 'if fast == 9\n    runtime.error("nine")\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "compiled"


@pytest.mark.parametrize("source", [CROSS, STOPS])
@pytest.mark.parametrize("first", [None, 300 * 3_600_000])
def test_both_tiers_give_the_same_outcomes(
    source: str, first: int | None, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = request(source, walk(3, 900), first=first)
    by_python = combination_runs.run_many(asked, COMBINATIONS)
    assert not folder.exists(), "so few bars are not worth a compilation"
    monkeypatch.setattr(tiers, "SOME_BARS", 0)
    monkeypatch.setattr(tiers, "MANY_BARS", 0)
    by_machine = combination_runs.run_many(asked, COMBINATIONS)
    assert list(folder.iterdir()), "machine code ran"
    assert [repr(each) for each in by_machine] == [repr(each) for each in by_python]
    failed = [each for each in by_machine if each.error is not None]
    assert len(failed) == (4 if source == STOPS else 0)
    assert any(each.figures["trades"] for each in by_machine if each.error is None)


def test_a_script_that_is_not_covered_runs_as_python(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "SOME_BARS", 0)
    monkeypatch.setattr(tiers, "MANY_BARS", 0)
    asked = request(CROSS + "plot(array.from(1, 2).slice(0, 1).sum())\n", walk(3, 200))
    outcomes = combination_runs.run_many(asked, COMBINATIONS[:2])
    assert [each.error for each in outcomes] == [None, None]
    assert combination_runs.tiers_of(each.choice for each in outcomes) == [
        {"name": "python", "reason": "array.slice() is not compiled (line 12)", "runs": 2}
    ]
    assert not folder.exists() or not list(folder.iterdir())


def test_an_input_that_is_refused_costs_no_other_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "SOME_BARS", 0)
    monkeypatch.setattr(tiers, "MANY_BARS", 0)
    outcomes = combination_runs.run_many(request(CROSS, walk(3, 200)), [COMBINATIONS[0], {"Fast": 1}, COMBINATIONS[1]])
    assert [each.error is None for each in outcomes] == [True, False, True]
    assert combination_runs.tier_lines(each.choice for each in outcomes)[0].startswith("3 runs as Python: ")


def test_the_first_batch_of_a_large_sweep_runs_as_machine_code(folder: Path) -> None:
    """The work of the whole sweep decides: a batch of one run alone would never be compiled."""
    asked = request(CROSS, walk(3, 900))
    combinations: list[Inputs] = [{"Fast": fast, "Slow": slow} for fast in range(2, 12) for slow in range(20, 32)]
    batches = executors.LocalExecutor().outcomes(asked, combinations)
    assert {each.choice.reason for each in next(batches)} == {"the work has many bars"}
    assert list(folder.iterdir())
    small = executors.LocalExecutor().outcomes(asked, combinations[:4])
    assert {each.choice for batch in small for each in batch} == {("python", "the work is small", None)}
    few = executors.LocalExecutor().outcomes(asked, combinations[:1], more=200)
    assert {each.choice.tier for batch in few for each in batch} == {"compiled"}


def test_processor_time_decides_about_the_batches_of_a_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine takes long by the clock on the wall, which changes neither the batches nor the tier."""
    works: list[Work] = []

    def ran(asked: Any, batch: Any, work: Work, context: Context, longest: float) -> Batch:
        works.append(work)
        return Batch([RunOutcome(inputs) for inputs in batch], 0.25 * len(batch))

    monkeypatch.setattr(executors, "run_batch", ran)
    found = list(
        executors.LocalExecutor().outcomes(request(CROSS, walk(3, 20)), [{"Fast": fast} for fast in range(20)])
    )
    assert [len(batch) for batch in found] == [1, 4, 6, 6, 3]
    assert works == [Work(20), Work(19, 0.25), Work(15, 0.25), Work(9, 0.25), Work(3, 0.25)]


def test_a_batch_that_takes_long_gives_back_what_it_has_not_begun() -> None:
    """What is finished is kept at once, so that a kill loses little."""
    asked = request(CROSS, walk(3, 60))
    combinations: list[Inputs] = [{"Fast": fast} for fast in range(2, 8)]
    assert len(combination_runs.run_batch(asked, combinations, Work(6), None, 0.0).outcomes) == 1
    assert len(combination_runs.run_batch(asked, combinations, Work(6)).outcomes) == 6


def test_runs_that_a_batch_gave_back_are_computed_later(monkeypatch: pytest.MonkeyPatch) -> None:
    def ran(asked: Any, batch: Any, work: Work, context: Context, longest: float) -> Batch:
        return Batch([RunOutcome(inputs) for inputs in batch[:2]], 0.01)

    monkeypatch.setattr(executors, "run_batch", ran)
    combinations: list[Inputs] = [{"Fast": fast} for fast in range(20)]
    found = executors.LocalExecutor().outcomes(request(CROSS, walk(3, 20)), combinations)
    assert [each.inputs for batch in found for each in batch] == combinations


def test_batches_of_one_sweep_load_their_machine_code_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other properties, or another script, are another sweep."""
    monkeypatch.setattr(tiers, "SOME_BARS", 0)
    monkeypatch.setattr(tiers, "MANY_BARS", 0)
    loaded: list[int] = []
    load = machine.LoadedCode

    def counted(objects: Any) -> machine.LoadedCode:
        loaded.append(1)
        return load(objects)

    monkeypatch.setattr(machine, "LoadedCode", counted)
    monkeypatch.setattr(combination_runs, "cache_folder", lambda: str(tmp_path))
    folder = str(tmp_path / "compiled")
    asked = request(CROSS, walk(3, 300))
    dear = replace(asked, properties={"commission_type": "percent", "commission_value": 1.0})
    other = request(CROSS.replace("crossunder(a, b)", "crossunder(a, b) and bar_index > 150"), walk(3, 300))

    def swept(request: Any, batch: Any) -> list[Any]:
        # The bars of a batch are other objects in a worker: they are sent again.
        request = replace(request, bars=replace(request.bars))
        choice = combination_runs._choice(request, batch, folder, Work(len(batch)))
        assert choice.tier == "compiled"
        found = combination_runs._by_machine(request, batch, choice, folder)
        assert found == [combination_runs._outcome(request, inputs, choice) for inputs in batch]
        return found

    first = swept(asked, COMBINATIONS[:2])
    assert loaded == [1]
    assert swept(asked, COMBINATIONS[2:4]) != first
    assert loaded == [1]
    assert swept(dear, COMBINATIONS[:2]) != first
    assert swept(other, COMBINATIONS[:2]) != first
    assert swept(asked, COMBINATIONS[:2]) == first
    assert len(loaded) == 4


def test_own_versions_of_published_libraries_are_told_with_the_tier() -> None:
    first, second, rest = CROSS.split("\n", 2)
    script = f"{first}\n{second}\nimport TradingView/ta/9 as tv\nplot(tv.dema(close, 5))\n{rest}"
    given = request(script, walk(3, 200))
    (outcome,) = combination_runs.run_many(given, [{}])
    assert outcome.error is None
    (told,) = combination_runs.tier_lines([outcome.choice])
    assert "TradingView/ta/9 is pinebench's own version" in told
    assert "TradingView/ta/9 is pinebench's own version" in symbol_values.look(given, ()).choice.reason
