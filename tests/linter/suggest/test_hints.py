"""A hint and the fix of the same finding name the same: one engine finds what was meant, one judge what fits."""

import random
import re
from collections.abc import Iterator

from pinebench.checker import open_program
from pinebench.diagnostics import Diagnostic
from pinebench.linter.engine import diagnostics_of
from tests.authoring.mutants import KINDS, mutants, sound_scripts
from tests.linter import broken_scripts
from tests.linter.typos import typos
from tests.tables import each

NAMED = re.compile(r"(?:Did you mean|Pine v6 has|Pine writes|; write) `([\w.]+)")
"""The beginnings of advice that names what to write."""


def disagreeing(text: str) -> Iterator[Diagnostic]:
    """The findings about `text` whose hint names something that their fix does not write."""
    for finding in diagnostics_of(open_program(text)):
        named = NAMED.findall(finding.hint or "")
        if named and finding.fix is not None:
            written = " ".join(edit.text for edit in finding.fix.edits)
            if not any(name.rpartition(".")[2] in written for name in named):
                yield finding


@each("kind", KINDS)
def test_in_mutants(kind: str) -> None:
    assert [found for mutant in mutants(kind, 3) for found in disagreeing(mutant.text)] == []


def test_in_scripts_that_people_broke() -> None:
    scripts = [*broken_scripts.SCRIPTS, *broken_scripts.BY_READERS]
    assert [found for script in scripts for found in disagreeing(script.text)] == []


def test_in_slips_of_a_finger() -> None:
    chance = random.Random(3)
    slips = [typo for text in sound_scripts() for typo in typos(text, chance, 4)]
    assert len(slips) > 30
    assert [found for typo in slips for found in disagreeing(typo.text)] == []
