"""The choice of the tier: it never changes a result, and a fallback is told with its reason and line."""

from __future__ import annotations

import traceback
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from pinebench.compiled import Work, keep_code, keep_forms, machine, perform_on, tiers, trade_on
from pinebench.errors import UnavailableError, UsageError
from pinebench.workers.dispatch import execute
from pinebench.workers.jobs import perform
from tests.compiled.same import compare, request

PLAIN = 'indicator("")\nplot(ta.ema(close, 9), "E")'
RETURNED = """indicator("")
mark(float x) => label.new(bar_index, x, "x")
if close > open
    mark(high)
plot(close)
"""
REFUSED = 'indicator("")\nif barstate.islast\n    m = array.from(1, 2).slice(0, 1)\nplot(close)'


def test_a_run_in_a_worker_has_the_same_result_on_both_tiers(tmp_path: Path) -> None:
    given = request(PLAIN, tier="compiled")
    tiered = execute(given, partial(perform_on, cache=str(tmp_path / "code")))
    assert (tiered.tier, tiered.told()) == ("compiled", "")
    compare(tiered.ran, perform(given))


def test_machine_code_is_kept_before_a_worker_runs_the_script(tmp_path: Path) -> None:
    given, folder = request(PLAIN), tmp_path / "code"
    keep_code(given, str(folder))
    assert not folder.exists()
    given = replace(given, tier="compiled")
    keep_code(given, str(folder))
    [kept] = folder.iterdir()
    execute(given, partial(perform_on, cache=str(folder)))
    assert [kept] == list(folder.iterdir())


def test_a_worker_leaves_no_file_behind(tmp_path: Path) -> None:
    folder = tmp_path / "code"
    execute(request(PLAIN, tier="compiled"), partial(perform_on, cache=str(folder)))
    assert not folder.exists() or list(folder.iterdir()) == []


def test_a_script_that_is_not_covered_is_told_with_its_line() -> None:
    given = request(REFUSED, tier="compiled")
    tiered = perform_on(given)
    assert tiered.tier == "python"
    assert tiered.told().startswith("the script ran in Python, not as machine code: array.slice() is not compiled")
    assert tiered.told().endswith("(line 4)")
    compare(tiered.ran, perform(given))


def test_a_drawing_that_a_function_returns_is_not_lost() -> None:
    given = request(RETURNED, tier="compiled")
    tiered = perform_on(given)
    assert (tiered.tier, tiered.told()) == ("compiled", "")
    compare(tiered.ran, perform(given))


def test_few_bars_run_on_the_python_tier_without_a_word() -> None:
    tiered = perform_on(request(PLAIN))
    assert tiered.report() == {"name": "python", "reason": "the work is small"}
    assert tiered.told() == ""


def test_kept_machine_code_is_used_on_fewer_bars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "SOME_BARS", 100)
    given, folder = request(PLAIN), str(tmp_path / "code")
    assert perform_on(given, folder).tier == "python"
    assert perform_on(replace(given, tier="compiled"), folder).tier == "compiled"
    assert perform_on(given, folder).report() == {"name": "compiled", "reason": "its machine code was already stored"}
    assert perform_on(replace(given, tier="python"), folder).report() == {
        "name": "python",
        "reason": "the run requested this tier",
    }


def test_missing_packages_are_named_with_the_way_to_install_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "is_there", lambda: False)
    monkeypatch.setattr(tiers, "SOME_BARS", 100)
    assert perform_on(request(PLAIN)).told() == ""
    with pytest.raises(UnavailableError, match="the compiled tier needs the extra 'fast'") as caught:
        perform_on(request(PLAIN, tier="compiled"))
    assert "llvmlite" in str(caught.value.hint)


def test_an_indicator_is_not_back_tested() -> None:
    with pytest.raises(UsageError, match="not a strategy"):
        trade_on(request(PLAIN, tier="compiled"))


HEAVY = """indicator("")
x = 0.0
for k = 0 to bar_index % 5
    x += ta.ema(close, 9) * k
plot(x)
"""


class Clock:
    """A clock of processor time that moves by the same time with each look at it."""

    def __init__(self, step: float) -> None:
        self._step = step
        self._now = 0.0

    def process_time(self) -> float:
        """The time now."""
        self._now += self._step
        return self._now


def test_machine_code_takes_over_a_run_that_costs_more_than_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    given = request(HEAVY)
    monkeypatch.setattr(tiers, "time", Clock(0.1))
    tiered = perform_on(given)
    assert tiered.report() == {"name": "compiled", "reason": "Python would take longer than compiling"}
    assert tiered.told() == "the script ran as machine code: Python would take longer than compiling"
    compare(tiered.ran, perform(given))


def test_the_time_for_compiling_is_not_the_time_of_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """A script whose compiling took 5 s was stopped because of the time limit of a bar."""
    callers: set[str] = set()

    def compile_(text: str, speed: int) -> bytes:
        callers.update(each.name for each in traceback.extract_stack())
        return compiled(text, speed)

    compiled = machine.compiled
    monkeypatch.setattr(machine, "compiled", compile_)
    monkeypatch.setattr(tiers, "time", Clock(0.1))
    assert perform_on(request(HEAVY)).tier == "compiled"
    assert "perform_on" in callers and "perform" not in callers


def test_a_costly_run_that_is_not_covered_goes_on_as_python_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    given = request(REFUSED)
    monkeypatch.setattr(tiers, "time", Clock(0.1))
    tiered = perform_on(given)
    assert tiered.report()["reason"] == "array.slice() is not compiled (line 4)"
    compare(tiered.ran, perform(given))


def test_a_cheap_run_stays_on_the_python_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    given = request(HEAVY)
    monkeypatch.setattr(tiers, "time", Clock(1e-5))
    tiered = perform_on(given)
    assert tiered.report() == {"name": "python", "reason": "the work is small"}
    compare(tiered.ran, perform(given))


def test_a_strategy_that_machine_code_takes_over_has_the_same_trades(monkeypatch: pytest.MonkeyPatch) -> None:
    given = request(TRADES)
    for step, tier in ((0.1, "compiled"), (1e-5, "python")):
        monkeypatch.setattr(tiers, "time", Clock(step))
        tiered = trade_on(given)
        assert tiered.tier == tier
        compare(tiered.ran, perform(given))


TRADES = """strategy("S")
if close > open
    strategy.entry("L", strategy.long)
if close < open and bar_index % 3 == 0
    strategy.close("L")
"""
COMBINATIONS = [{"N": 3}]
"""The first combinations of a sweep."""


def test_the_whole_sweep_decides_about_its_first_batch(tmp_path: Path) -> None:
    given = request('indicator("")\nplot(ta.ema(close, input.int(9, "N")))')
    rows = [
        (Work(1), "python", "the work is small"),
        (Work(249), "python", "the work is small"),
        (Work(250), "compiled", "the work has many bars"),
        (Work(3, 0.9), "python", "the work is small"),
        (Work(3, 1.0), "compiled", "Python would take longer than compiling"),
    ]
    for number, (work, tier, reason) in enumerate(rows):
        choice = keep_forms(given, COMBINATIONS, str(tmp_path / str(number)), work)
        assert choice[:2] == (tier, reason), work
    for tier in ("python", "compiled"):
        choice = keep_forms(replace(given, tier=tier), COMBINATIONS, str(tmp_path / tier), Work(1))
        assert choice[:2] == (tier, "the run requested this tier")


def test_a_sweep_of_a_script_that_is_not_covered_has_the_reason_and_the_line(tmp_path: Path) -> None:
    given = request('indicator("")\na = array.from(1).slice(0, 1)\nplot(close)')
    choice = keep_forms(given, [{}], str(tmp_path), Work(1_000))
    assert choice.tier == "python"
    assert choice.words() == "array.slice() is not compiled (line 3)"


def test_a_script_that_is_nested_too_deeply_runs_as_python_with_the_reason(tmp_path: Path) -> None:
    """Code is compiled before a worker runs it, and the parser of Python allows 200 parentheses."""
    chain = "".join(f"close > {k} ? {k} : " for k in range(230))
    given, reason = request(f'indicator("")\nplot({chain}0)'), "the script is nested too deeply to be compiled"
    keep_code(replace(given, tier="compiled"), str(tmp_path))
    assert keep_forms(given, [{}], str(tmp_path), Work(1_000)).words() == reason
    assert perform_on(replace(given, tier="compiled")).reason == reason


LARGE = """strategy("Large")
n = input.int(1, "N")
if bar_index == 1
    strategy.entry("L", strategy.long, 60)
if bar_index == 9
    strategy.close("L")
plot(math.round_to_mintick(close * math.pow(10, n)))
"""


def test_a_run_that_machine_code_cannot_finish_says_why(tmp_path: Path) -> None:
    """It cannot count the ticks of a price that is too large; the Python tier goes on."""
    asked = replace(request(LARGE), inputs={"N": 20}, tier="compiled")
    tiered = perform_on(asked, None)
    assert tiered.tier == "python" and "machine code stopped" in tiered.reason
    assert "machine code stopped" in tiered.told()
    assert tiered.ran.tested is not None and len(tiered.ran.tested.trades) == 1
    combinations = [{"N": 20}, {"N": 1}]
    cache = str(tmp_path)
    assert keep_forms(asked, combinations, cache, Work(2)).tier == "compiled"
    found = [(each.tier, "machine code stopped" in each.reason) for each in tiers.swept_on(asked, combinations, cache)]
    assert found == [("python", True), ("compiled", False)]
