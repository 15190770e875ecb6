"""Whole scripts as machine code: the same bits as on the Python tier."""

from __future__ import annotations

from typing import Any

import pytest

from tests.compiled.same import both
from tests.compiled.scripts import SCRIPTS


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("language", ({}, {"Len": 5, "Use": False}, {"Mode": "a", "Source": "hlc3", "Len": 0})),
        ("globals", ()),
        ("na indices", ()),
        ("objects", ()),
        ("texts of trades", ()),
        ("empty texts", ()),
        ("formatting that changes", ()),
        ("a whole number of an input where a float is shown", ({}, {"Level": 60})),
        ("a tuple of one value", ()),
        ("an array that makes the memory larger", ()),
    ],
)
def test_a_script_is_the_same_on_both_tiers(name: str, inputs: tuple[dict[str, Any], ...]) -> None:
    both(SCRIPTS[name], *inputs)
