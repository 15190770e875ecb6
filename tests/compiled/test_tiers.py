"""The choice of the tier: it never changes a result, and a fallback is told with its reason and line."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from pinebench.compiled import keep_code, machine, perform_on, tiers, trade_on
from pinebench.errors import UnavailableError, UsageError
from pinebench.execution.executing import execute
from pinebench.execution.performing import perform
from tests.compiled.same import compare, request

PLAIN = 'indicator("")\nplot(ta.ema(close, 9), "E")'
RETURNED = """indicator("")
mark(float x) => label.new(bar_index, x, "x")
if close > open
    mark(high)
plot(close)
"""
DRAWN = 'indicator("")\nif barstate.islast\n    label.new(bar_index, high, "x")\nplot(close)'


def test_a_run_in_a_worker_has_the_same_result_on_both_tiers(tmp_path: Path) -> None:
    given = request(PLAIN)
    tiered = execute(given, partial(perform_on, tier="compiled", cache=str(tmp_path / "code")))
    assert (tiered.tier, tiered.told()) == ("compiled", "")
    compare(tiered.ran, perform(given))


def test_machine_code_is_kept_before_a_worker_runs_the_script(tmp_path: Path) -> None:
    given, folder = request(PLAIN), tmp_path / "code"
    keep_code(given, "auto", str(folder))
    assert not folder.exists()
    keep_code(given, "compiled", str(folder))
    [kept] = folder.iterdir()
    execute(given, partial(perform_on, tier="compiled", cache=str(folder)))
    assert [kept] == list(folder.iterdir())


def test_a_worker_leaves_no_file_behind(tmp_path: Path) -> None:
    folder = tmp_path / "code"
    execute(request(PLAIN), partial(perform_on, tier="compiled", cache=str(folder)))
    assert not folder.exists() or list(folder.iterdir()) == []


def test_a_script_that_is_not_covered_is_told_with_its_line() -> None:
    given = request(DRAWN)
    tiered = perform_on(given, "compiled")
    assert tiered.tier == "python"
    assert tiered.told().startswith("the Python tier ran this script: label.new() is not compiled")
    assert tiered.told().endswith("(line 4)")
    compare(tiered.ran, perform(given))


def test_a_drawing_that_a_function_returns_is_not_lost() -> None:
    given = request(RETURNED)
    tiered = perform_on(given, "compiled")
    assert tiered.told() == (
        "the Python tier ran this script: label.new() is not compiled: drawings are made on the Python tier (line 3)"
    )
    compare(tiered.ran, perform(given))


def test_few_bars_run_on_the_python_tier_without_a_word() -> None:
    tiered = perform_on(request(PLAIN))
    assert tiered.tier == "python"
    assert tiered.told() == ""


def test_kept_machine_code_is_used_on_fewer_bars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "SOME_BARS", 100)
    given, folder = request(PLAIN), str(tmp_path / "code")
    assert perform_on(given, "auto", folder).tier == "python"
    assert perform_on(given, "compiled", folder).tier == "compiled"
    assert perform_on(given, "auto", folder).tier == "compiled"
    assert perform_on(replace(given, inputs={}), "python", folder).tier == "python"


def test_missing_packages_are_named_with_the_way_to_install_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "is_there", lambda: False)
    monkeypatch.setattr(tiers, "SOME_BARS", 100)
    assert perform_on(request(PLAIN)).told() == ""
    with pytest.raises(UnavailableError, match="the compiled tier needs the extra 'fast'") as caught:
        perform_on(request(PLAIN), "compiled")
    assert "llvmlite" in str(caught.value.hint)


def test_an_indicator_is_not_back_tested() -> None:
    with pytest.raises(UsageError, match="not a strategy"):
        trade_on(request(PLAIN), "compiled")
