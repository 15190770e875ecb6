"""Recorded answers of TradingView's compiler, against ours under `--tradingview`.

Compared are the codes, the lines where they were recorded, and warnings where both warnings and places were.
"""

import functools
from pathlib import Path

import pytest

from scripts.data.parity_verdicts import Answer, answer
from tests.recorded import records

CHECKOUT = Path(__file__).resolve().parents[2]
DIFFERENCES = CHECKOUT / "docs" / "known-differences.md"


@functools.cache
def answers() -> list[Answer]:
    """Every record with our answer."""
    return [answer(row) for row in records()]


def group(name: str) -> list[Answer]:
    """The zero-argument probes (`required`), the constant-argument probes (`const`) or all `other` records."""
    return [each for each in answers() if _group_of(each.id) == name]


def _group_of(id: str) -> str:
    prefix = id.partition(":")[0]
    return prefix if prefix in ("required", "const") else "other"


@pytest.mark.parametrize(("name", "least"), [("required", 0.99), ("const", 0.97), ("other", 0.93)])
def test_agrees_with_the_recorded_verdicts(name: str, least: float) -> None:
    chosen = group(name)
    different = [each for each in chosen if not each.agrees]
    share = 1 - len(different) / len(chosen)
    print(f"{name}: {len(chosen) - len(different)} of {len(chosen)} ({share:.1%})")
    assert share >= least, "\n".join(map(str, different))


def test_each_difference_has_its_reason() -> None:
    different = {each.id for each in answers() if not each.agrees}
    explained = {each.id for each in answers() if f"`{each.id}`" in DIFFERENCES.read_text(encoding="utf-8")}
    assert different == explained
