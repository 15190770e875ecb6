"""The full mutation run: 80 mutants of each kind from the real scripts in `PINEBENCH_CORPUS`, and from our own."""

import pytest

from tests.checker.mutation.corpus import own_scripts, real_scripts
from tests.checker.mutation.harmless import run as rewrite
from tests.checker.mutation.harness import run, share
from tests.checker.mutation.kinds import KINDS

MUTANTS = 80


@pytest.mark.soak
def test_seeded_faults_are_caught_with_code_and_line() -> None:
    report = run([*real_scripts(), *own_scripts()], MUTANTS)
    explanation = "\n".join([report.table(), *map(str, report.misses)])
    print(explanation)
    for kind in KINDS:
        tally = report.tally(kind.name)
        assert share(tally.caught, tally.mutants) >= 0.90, explanation
    total = report.tally()
    assert total.mutants >= 25 * MUTANTS, explanation
    assert share(total.caught, total.mutants) >= 0.97, explanation
    assert share(total.stray, total.mutants) <= 0.03, explanation


@pytest.mark.soak
def test_rewriting_real_scripts_brings_no_error() -> None:
    made, faults = rewrite([*real_scripts(), *own_scripts()], 4 * MUTANTS)
    print(made)
    assert not faults, "\n".join(map(str, faults))
