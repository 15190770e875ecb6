"""Habits of other languages: the hint says what Pine has, and no line that is only wrapped wrongly is taken for one."""

from __future__ import annotations

from pathlib import Path

from pinebench.syntax import parse
from tests.script_files import ScriptCase, script_cases
from tests.tables import each

HEAD = '//@version=6\nindicator("x")\n'


def hint(body: str) -> str:
    found = [finding for finding in parse(f"{HEAD}{body}\n").diagnostics if finding.severity == 0]
    return found[0].hint or ""


@each("case", script_cases(Path(__file__).with_name("habits.txt")))
def test_the_hint_names_what_pine_has(case: ScriptCase) -> None:
    assert case.fields[0] in hint(case.script)
