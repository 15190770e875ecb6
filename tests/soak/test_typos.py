"""Thousands of slips in the scripts below `PINEBENCH_CORPUS` (else in our own), mended: none of them to another
meaning."""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest

from pinebench.check import open_program
from pinebench.lint.fixes import fix_text
from tests.authoring.mutants import sound_scripts
from tests.lint.typos import has_errors, outcome, typos

SLIPS = 3_000
LONGEST = 15_000
"""Characters; longer scripts say nothing more."""


def _scripts() -> list[str]:
    folder = os.environ.get("PINEBENCH_CORPUS")
    if not folder:
        return list(sound_scripts())
    texts = (path.read_text("utf-8", "replace") for path in sorted(Path(folder).rglob("*.pine")))
    return [
        text
        for text in texts
        if len(text) < LONGEST and open_program(text).document.version == 6 and not has_errors(text)
    ]


@pytest.mark.soak
@pytest.mark.parametrize("unasked", [False, True], ids=["errors", "everything"])
@pytest.mark.parametrize("seed", range(4))
def test_slips_are_undone_or_left(seed: int, unasked: bool) -> None:
    chance, scripts = random.Random(seed), _scripts()
    found: Counter[str] = Counter()
    changed: list[str] = []
    while found.total() < SLIPS:
        for typo in list(typos(chance.choice(scripts), chance, 20))[:8]:
            mended = fix_text(typo.text, None if unasked else (lambda finding: finding.severity == 0)).text
            told = outcome(typo.sound, mended, typo.text)
            found[told] += 1
            if told not in ("restored", "renamed", "left"):
                changed.append(
                    f"{told}, {typo.kind} at {typo.place}:\n{typo.text[typo.place - 40 : typo.place + 40]!r}"
                )
    print(found)
    assert not changed, "\n".join(changed)
