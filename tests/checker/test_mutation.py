"""Faults seeded into our own scripts are caught with TradingView's code and line; `make soak` takes more scripts."""

import functools

import pytest

from tests.checker.mutation.corpus import own_scripts
from tests.checker.mutation.harness import Report, run, share
from tests.checker.mutation.kinds import KINDS

pytestmark = pytest.mark.slow

MUTANTS = 6
"""Of each kind; `make soak` has more."""


@functools.cache
def report() -> Report:
    """One run for all tests of this module."""
    return run(own_scripts(), MUTANTS)


def explain() -> str:
    """The table and everything that was missed."""
    return "\n".join([report().table(), *map(str, report().misses)])


@pytest.mark.parametrize("kind", [kind.name for kind in KINDS])
def test_every_kind_is_caught(kind: str) -> None:
    tally = report().tally(kind)
    assert tally.mutants > 0, "no script offers a place for this kind"
    assert share(tally.caught, tally.mutants) >= 0.90, explain()


def test_nearly_every_mutant_is_caught_and_hardly_one_has_unrelated_reports() -> None:
    tally = report().tally()
    assert share(tally.caught, tally.mutants) >= 0.97, explain()
    assert share(tally.stray, tally.mutants) <= 0.03, explain()


def test_a_fault_that_is_not_reported_is_missed() -> None:
    silent = KINDS[0]._replace(codes=("CE10004",))
    tally = run(own_scripts(), 3, [silent]).tally()
    assert (tally.mutants, tally.caught, tally.stray) == (3, 0, 3)


def test_a_run_can_be_repeated() -> None:
    few = KINDS[:3]
    assert run(own_scripts(), 2, few).outcomes == run(own_scripts(), 2, few).outcomes
