"""Ten thousand random batches of edits on templates, samples and, where there are some, real scripts."""

import functools
import os
from pathlib import Path

import pytest

from pinebench.syntax import parse
from tests.syntax import edit_batches
from tests.syntax.test_edits import OWN

pytestmark = pytest.mark.soak

BATCHES = 10_000
BLOCKS = 50
LONGEST = 30_000
"""Characters of a script at most, so that the run takes minutes."""


@functools.cache
def scripts() -> list[str]:
    """Our own scripts and those below the folder that PINEBENCH_CORPUS names, without those that have syntax errors."""
    folder = os.environ.get("PINEBENCH_CORPUS")
    paths = [*OWN, *(sorted(Path(folder).rglob("*.pine")) if folder else ())]
    texts = [path.read_bytes().decode("utf-8", "replace") for path in paths]
    return [
        text for text in texts if len(text) <= LONGEST and not any(f.severity == 0 for f in parse(text).diagnostics)
    ]


@pytest.mark.parametrize("block", range(BLOCKS))
def test_random_batches_lead_to_the_tree_expected(block: int) -> None:
    texts = scripts()
    for seed in range(block, BATCHES, BLOCKS):
        edit_batches.check(texts[seed % len(texts)], seed)
