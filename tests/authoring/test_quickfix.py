"""Quick fixes: what they repair of a thousand broken scripts, that they never make one worse, and the loop they
drive."""

from itertools import pairwise
from pathlib import Path

import pytest

from pinebench.authoring import session
from pinebench.authoring.author import AuthorBudget
from pinebench.authoring.events import CompiledEvent, RevisedEvent
from pinebench.authoring.quickfix import QuickFix
from pinebench.checker import open_program
from pinebench.compilers.local import LocalCompiler
from pinebench.context import Context
from pinebench.errors import UsageError
from pinebench.files import resources
from pinebench.linter.fixes import fix_text, score
from tests.authoring.mutants import KINDS, has_errors, mutants
from tests.authoring.support import CLEAN, UNDECLARED, ending

EACH = 80
"""Mutants of each kind in make soak: a thousand with all kinds; some kinds have fewer places in the scripts."""
FEW = 20
"""Mutants of each kind in make test."""
LEAST = 0.97


@pytest.mark.slow
@pytest.mark.parametrize("each", [FEW, pytest.param(EACH, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", KINDS)
def test_fixes_repair_most_mutants_and_harm_none(kind: str, each: int) -> None:
    found = list(mutants(kind, each))
    repaired = 0
    for mutant in found:
        fixed = fix_text(mutant.text, unsafe=True).text
        assert score(open_program(fixed)) <= score(open_program(mutant.text)), mutant.text
        repaired += not has_errors(fixed)
    assert found
    one = each == FEW  # one miss of a few is not a rate
    assert repaired >= LEAST * len(found) - one, f"{repaired} of {len(found)}"


@pytest.mark.soak
def test_there_are_a_thousand_mutants() -> None:
    assert sum(len(list(mutants(kind, EACH))) for kind in KINDS) >= 1000


@pytest.mark.parametrize("name", sorted(path.name for path in (resources.folder("samples") / "broken").glob("*.pine")))
def test_a_broken_sample_gets_better_round_by_round(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes((resources.folder("samples") / "broken" / name).read_bytes())
    events, finished = ending(session.fix(str(path), QuickFix(), LocalCompiler(), AuthorBudget(), Context()))
    counts = [len(event.verdict.errors) for event in events if isinstance(event, CompiledEvent)]
    assert counts[-1] < counts[0]
    assert all(after <= before for before, after in pairwise(counts))
    assert all(event.changes for event in events if isinstance(event, RevisedEvent))
    assert path.read_text("utf-8") == finished.source


def test_a_script_without_errors_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "clean.pine"
    path.write_text(CLEAN)
    before = path.stat().st_mtime_ns
    events, finished = ending(session.fix(str(path), QuickFix(), LocalCompiler(), AuthorBudget(), Context()))
    assert (finished.success, finished.attempts, len(events)) == (True, 0, 3)
    assert path.stat().st_mtime_ns == before


def test_what_cannot_be_mended_is_left_alone_and_said(tmp_path: Path) -> None:
    path = tmp_path / "hopeless.pine"
    path.write_text(CLEAN + "plot(qqqqqqqqqqqq)\n")
    _, finished = ending(session.fix(str(path), QuickFix(), LocalCompiler(), AuthorBudget(), Context()))
    assert (finished.success, finished.outcome, finished.errors) == (False, "declined", 1)
    assert "no safe mechanical fix" in finished.message
    assert path.read_text() == CLEAN + "plot(qqqqqqqqqqqq)\n"


def test_encoding_and_line_ends_stay(tmp_path: Path) -> None:
    path = tmp_path / "windows.pine"
    path.write_bytes(b"\xef\xbb\xbf" + UNDECLARED.replace("\n", "\r\n").encode())
    _, finished = ending(session.fix(str(path), QuickFix(), LocalCompiler(), AuthorBudget(), Context()))
    assert finished.success
    assert path.read_bytes() == b"\xef\xbb\xbf" + CLEAN.replace("\n", "\r\n").encode()


def test_an_output_leaves_the_script_alone(tmp_path: Path) -> None:
    path, output = tmp_path / "a.pine", tmp_path / "b.pine"
    path.write_text(UNDECLARED)
    ending(session.fix(str(path), QuickFix(), LocalCompiler(), AuthorBudget(), Context(), output=str(output)))
    assert (path.read_text(), output.read_text()) == (UNDECLARED, CLEAN)


def test_a_script_that_is_edited_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.pine"
    path.write_text(UNDECLARED)
    events = session.fix(str(path), QuickFix(), LocalCompiler(), AuthorBudget(), Context())
    with pytest.raises(UsageError, match="changed by someone else"):
        for event in events:
            if isinstance(event, RevisedEvent):
                path.write_text("// mine\n")
    assert path.read_text() == "// mine\n"


def test_an_older_script_is_sent_to_migration(tmp_path: Path) -> None:
    path = tmp_path / "old.pine"
    path.write_text('//@version=4\nstudy("x")\nplot(close)\n')
    _, finished = ending(session.fix(str(path), QuickFix(), LocalCompiler(), AuthorBudget(), Context()))
    assert finished.outcome == "unavailable"
    assert finished.hint is not None
    assert "migrate" in finished.hint
