"""What a report calls a safe fix was tried: made alone it takes its finding away and brings nothing, and `--fix` makes
it."""

from collections.abc import Iterator

from pinebench.checker import Program, open_program
from pinebench.diagnostics import Diagnostic
from pinebench.linter.engine import diagnostics_of
from pinebench.linter.fixes import changed, fix_text, score
from pinebench.syntax.edits import Shift
from tests.authoring.mutants import KINDS, mutants
from tests.linter import broken_scripts
from tests.tables import each


def safe(program: Program) -> list[Diagnostic]:
    """The findings about `program` that carry a safe fix."""
    return [found for found in diagnostics_of(program) if found.fix is not None and found.fix.safe]


def unkept(text: str) -> Iterator[str]:
    """What was promised about `text` and does not hold."""
    program = open_program(text)
    offered = safe(program)
    for found in offered:
        assert found.fix is not None
        after = changed(program, found.fix.edits)
        shift = Shift(found.fix.edits)
        left = {(other.code, shift.before(other.span.start)) for other in after.diagnostics}
        if (found.code, found.span.start) in left:
            yield f"{found.code} stays after: {found.fix.title}"
        if score(after)[:2] > score(program)[:2]:
            yield f"more errors after: {found.fix.title}"
    if offered:
        fixed = fix_text(text)
        if not fixed.applied:
            yield f"--fix makes none of {[found.fix for found in offered]}"
        if safe(open_program(fixed.text)):
            yield f"--fix leaves some in {fixed.text}"


@each("kind", KINDS)
def test_in_mutants(kind: str) -> None:
    assert [line for mutant in mutants(kind, 2) for line in unkept(mutant.text)] == []


def test_in_scripts_that_people_broke() -> None:
    scripts = [*broken_scripts.SCRIPTS, *broken_scripts.BY_READERS]
    assert [line for script in scripts for line in unkept(script.text)] == []
    assert sum(bool(safe(open_program(script.text))) for script in scripts) > 10
