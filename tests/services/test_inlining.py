"""A variable is replaced by its value only where the script computes the same."""

from __future__ import annotations

from pathlib import Path

from pinebench.services.inlining import inlined
from pinebench.syntax.edits import apply_edits
from tests.runtime.running import values
from tests.script_files import ScriptCase, script_cases
from tests.services.support import HEAD, opened
from tests.tables import each

CASES = script_cases(Path(__file__).with_name("inlined.txt"))


@each("case", [case for case in CASES if case.fields[0] == "done"])
def test_a_value_is_written_where_the_script_computes_the_same(case: ScriptCase) -> None:
    view, place = opened(f"{case.script}\n", HEAD)
    found = inlined(view, place)
    assert found is not None
    after = apply_edits(view.text, found[1])
    assert after == f"{HEAD}{case.below['becomes']}\n"
    assert values(after) == values(view.text)


@each("case", [case for case in CASES if case.fields[0] == "refused"])
def test_a_variable_stays_where_its_value_may_be_another(case: ScriptCase) -> None:
    assert inlined(*opened(f"{case.script}\n", HEAD)) is None
