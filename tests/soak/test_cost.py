"""What bad files of some size may cost in seconds: shapes by name at three sizes, and mutants of sound scripts."""

import os
import random
import time
from collections.abc import Callable
from itertools import pairwise

import pytest

from pinebench.linter.engine import lint_text
from pinebench.linter.fixes import fix_text
from tests.authoring.mutants import sound_scripts
from tests.linter.shapes import shapes

pytestmark = pytest.mark.soak

SIZES = (20_000, 40_000, 80_000)
LITTLE, MOST, MOST_GROWTH = 2.0, 10.0, 2.5
"""Seconds that no growth matters below, seconds at the largest size, and growth from size to size."""
MUTANTS = int(os.environ.get("PINEBENCH_MUTANTS", "100000"))
BLOCKS = 4
"""Parts that the mutants come in, so that they can be run beside each other."""
SLOWEST_MUTANT = 5.0


def _seconds(work: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    work(text)
    return time.process_time() - began


@pytest.mark.parametrize("work", [lint_text, fix_text], ids=["lint", "lint --diff"])
@pytest.mark.parametrize("name", sorted(shapes()))
def test_cost_grows_with_size(name: str, work: Callable[[str], object]) -> None:
    make = shapes()[name]
    seconds = [_seconds(work, make(size)) for size in SIZES]
    assert seconds[-1] <= MOST, seconds
    for once, twice in pairwise(seconds):
        assert twice <= max(LITTLE, MOST_GROWTH * once), seconds


@pytest.mark.parametrize("block", range(BLOCKS))
def test_no_mutant_fails_or_takes_long(block: int) -> None:
    chance = random.Random(1 + block)
    scripts = sound_scripts()
    pieces = [
        "(",
        ")",
        "[",
        '"',
        "'",
        "=",
        ":=",
        "=>",
        "\n",
        "\n    ",
        "if ",
        "for ",
        "clsoe",
        ",",
        ".",
        "\\",
        "é",
        "😀",
    ]
    for _ in range(MUTANTS // BLOCKS):
        text = chance.choice(scripts)
        for _ in range(chance.randrange(1, 12)):
            start = chance.randrange(len(text))
            text = text[:start] + chance.choice(pieces) + text[start + chance.choice((0, 0, 1, 5, 40)) :]
        assert _seconds(lint_text, text) < SLOWEST_MUTANT, text
