"""Whoever brings a habit along reads in the first hint what Pine has for it."""

from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.linter.engine import diagnostics_of
from tests.linter.slips import SLIPS, Slip
from tests.tables import each


@each("slip", SLIPS)
def test_the_first_hint_says_what_to_write(slip: Slip) -> None:
    found = [each for each in diagnostics_of(open_program(slip.text)) if each.severity <= Severity.WARNING]
    first = min(found, key=lambda each: (each.severity, each.span.start))
    assert [words for words in slip.words if words not in (first.hint or "")] == [], first.hint
