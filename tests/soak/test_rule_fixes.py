"""All safe fixes of the checker and of the rules, in every real script: what is accepted stays so, and computes the
same."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.errors import PinebenchError
from pinebench.linter.findings import FindingFilter
from pinebench.linter.fixes import fix_text
from pinebench.runtime import NotComputed, report
from pinebench.workers.jobs import perform, request_of
from tests.compiled.same import SYMBOL, bars
from tests.linter.rules.support import rule_cases

pytestmark = pytest.mark.soak

PINE = Path(__file__).parents[2] / "pine"
BARS = 300
EVERYTHING = FindingFilter(("ALL",))


def own_scripts() -> Iterator[tuple[str, str]]:
    """The scripts of this repository, and those of the tests of rules."""
    for path in sorted(PINE.rglob("*.pine")):
        yield path.relative_to(PINE).as_posix(), path.read_text(encoding="utf-8")
    for code, cases in rule_cases().items():
        yield from ((f"{code}, case {number}", case.text) for number, case in enumerate(cases, 1))


def real_scripts() -> Iterator[tuple[str, str]]:
    """The scripts of the folder that PINEBENCH_CORPUS names."""
    folder = os.environ.get("PINEBENCH_CORPUS")
    for path in sorted(Path(folder).rglob("*.pine")) if folder else ():
        yield path.name, path.read_bytes().decode("utf-8", "replace")


def errors(text: str) -> list[str]:
    """The errors of a script."""
    found = open_program(text, fresh=True).diagnostics
    return [f"{each.code} {each.message}" for each in found if each.severity is Severity.ERROR]


def behaviour(text: str) -> dict[str, str]:
    """What people see of a run, by its name; lines are left out, because a fix may move them."""
    program = open_program(text, fresh=True)
    try:
        ran = perform(request_of(program, bars(BARS), SYMBOL.info("60")))
    except (PinebenchError, NotComputed) as error:
        return {"refusal": type(error).__name__}
    told: dict[str, Any] = {**report.report(ran.result)}
    for name in ("alerts", "logs"):
        told[name] = [{key: value for key, value in each.items() if key != "line"} for each in told[name]]
    if told["error"] is not None:
        told["error"] = [told["error"][key] for key in ("code", "message", "bar")]
    for number, output in enumerate(ran.result.outputs):
        told[f"output {number}"] = (output.function, output.title, output.settings, output.columns)
    if ran.tested is not None:
        told |= {name: getattr(ran.tested, name) for name in ("trades", "fills", "curve", "open_trades", "properties")}
    return {name: repr(value) for name, value in told.items()}


def unsound(scripts: Iterator[tuple[str, str]]) -> tuple[int, list[str]]:
    """How many scripts the safe fixes change, and in which of them the script is not the same after that."""
    changed, wrong = 0, list[str]()
    for name, text in scripts:
        done = fix_text(text, lambda found: EVERYTHING.wants(found.code), opinions=EVERYTHING.opinions)
        if done.text == text:
            continue
        changed += 1
        if errors(text):
            continue
        if found := errors(done.text):
            wrong.append(f"{name}: {found[0]} after {', '.join(done.applied)}")
            continue
        before, after = behaviour(text), behaviour(done.text)
        differing = [part for part in {**before, **after} if before.get(part) != after.get(part)]
        if differing:
            wrong.append(f"{name}: {', '.join(differing)} after {', '.join(done.applied)}")
    return changed, wrong


def test_safe_fixes_leave_our_scripts_as_they_were() -> None:
    changed, wrong = unsound(own_scripts())
    assert wrong == [] and changed > 10


@pytest.mark.skipif(not os.environ.get("PINEBENCH_CORPUS"), reason="PINEBENCH_CORPUS names no folder")
def test_safe_fixes_leave_the_scripts_of_the_corpus_as_they_were() -> None:
    changed, wrong = unsound(real_scripts())
    assert wrong == [] and changed > 0
