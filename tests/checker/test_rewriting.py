"""The same thing written in another way stays without an error: brackets, names, wraps, types, forms of calls."""

import pytest

from tests.checker.mutation.corpus import own_scripts
from tests.checker.mutation.harmless import REWRITINGS, run

pytestmark = pytest.mark.slow

COUNT = 10
"""Rewritten places of each kind; `make soak` takes more."""


def test_rewriting_a_script_brings_no_error() -> None:
    made, faults = run(own_scripts(), COUNT)
    assert not faults, "\n".join(map(str, faults))
    assert all(made[rewriting.name] > 0 for rewriting in REWRITINGS), made
