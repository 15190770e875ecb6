"""One bad script, or one bad file of bars, never ends the tests of the others, and is named."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pinebench.checker import open_program
from pinebench.cli.commands import test as command
from pinebench.testing import script_tests
from pinebench.testing.script_tests import TestOutcome
from pinebench.workers import dispatch
from pinebench.workers.request import Request
from tests.testing.test_script_tests import BARS, SCRIPT
from tests.workers.test_worker_pool import OVERRUNS, TIGHT, _hold

HEAD = '//@version=6\nindicator("x")\n'
SCRIPTS = {
    "a_fine": SCRIPT,
    "b_endless": f"{HEAD}s = 0\nwhile close > 0\n    s += 1\nplot(s)",
    "c_memory": f"{HEAD}type N\n    N next\nvar N f = na\nwhile true\n    f := N.new(f)\nplot(close)",
    "d_crash": f"{HEAD}plot(open)",
    "e_fault": f"{HEAD}plot(high)",
    "f_broken": f"{HEAD}plot(",
    "g_bars": SCRIPT,
    "h_fine": SCRIPT,
}


def _crashing(request: Request, *more: Any, **options: Any) -> Any:
    """`execute` in little time, with a crash of the worker for one script."""
    held = replace(request, budget=TIGHT)
    if "plot(open)" in held.source:
        return dispatch.execute(held, partial(_hold, what="crash"))
    return dispatch.execute(held, *more, **options)


def _failing(text: str, *more: Any) -> Any:
    """`open_program`, with a fault of the checker for one script."""
    if "plot(high)" in text:
        raise RecursionError("too deep")
    return open_program(text, *more)


@pytest.fixture
def outcomes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, TestOutcome]:
    """What comes of a test of each script, all in one go."""
    monkeypatch.setattr(script_tests, "execute", _crashing)
    monkeypatch.setattr(script_tests, "open_program", _failing)
    (tmp_path / "bars.csv").write_text(BARS)
    (tmp_path / "bad.csv").write_text(BARS.replace("2024-01-04", "yesterday"))
    for name, text in SCRIPTS.items():
        (tmp_path / f"{name}.pine").write_text(text)
        bars = "bad.csv" if name == "g_bars" else "bars.csv"
        (tmp_path / f"{name}.test.toml").write_text(f'script = "{name}.pine"\nbars = "{bars}"\n')
    found = [
        command._outcome(each, False, None)
        for file in command._files([str(tmp_path)])
        for each in command._of_file(file)
    ]
    assert command._exit_code(found) != 0
    return {outcome.file.name.partition(".")[0]: outcome for outcome in found}


def test_all_others_are_tested_and_each_is_named(outcomes: dict[str, TestOutcome]) -> None:
    assert list(outcomes) == list(SCRIPTS)
    assert [name for name, outcome in outcomes.items() if outcome.passed] == ["a_fine", "h_fine"]
    words = {
        name: f"{outcome.failures} {outcome.problem and outcome.problem.message}" for name, outcome in outcomes.items()
    }
    assert any(code in words["b_endless"] for code in OVERRUNS) and "line 4" in words["b_endless"]
    assert any(code in words["c_memory"] for code in OVERRUNS)
    assert "the process that ran the script ended" in words["d_crash"]
    assert "pinebench has a fault: RecursionError: too deep" in words["e_fault"]
    assert "does not compile" in words["f_broken"]
    assert "bad.csv, line 5: 'yesterday" in words["g_bars"]
    assert all(outcome.problem is None or outcome.problem.hint for outcome in outcomes.values())
