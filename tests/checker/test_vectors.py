"""Short scripts with the answer TradingView gave, by the rule they show (probe vectors of the language facts)."""

from __future__ import annotations

from pathlib import Path

from pinebench.checker import check
from pinebench.diagnostics import Severity
from pinebench.syntax import parse
from tests.script_files import ScriptCase, script_cases
from tests.tables import each

HEAD = '//@version=6\nindicator("x")\n'

VECTORS = script_cases(Path(__file__).with_name("vectors.txt"))


@each("case", VECTORS)
def test_vector(case: ScriptCase) -> None:
    program = check(parse(HEAD + case.script + "\n"))
    found = [
        finding for finding in program.diagnostics if finding.severity <= Severity.WARNING and finding.code != "CE10246"
    ]
    syntax = [finding for finding in program.document.diagnostics if finding.severity is Severity.ERROR]
    errors = syntax[:1] or [finding for finding in found if finding.severity is Severity.ERROR]
    shown = errors or found
    words = case.fields[0].removeprefix("nothing").split()
    assert [finding.code for finding in shown] == [word for word in words if ":" not in word]
    for place in (word for word in words if ":" in word):
        position = shown[0].tv_position or program.document.lines.position(shown[0].span.start)
        assert f"{position.line}:{position.column}" == place
