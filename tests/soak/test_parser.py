"""Heavy fuzzing of the parser: any text, mutated scripts, long series of edits."""

import os
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from pinebench.syntax import lark_engine, parse
from tests.syntax.generator import scripts, texts
from tests.syntax.support import flat, picture, samples
from tests.syntax.test_robustness import mutated

pytestmark = pytest.mark.soak

_HEAVY = {"deadline": None, "derandomize": False, "suppress_health_check": list(HealthCheck)}


def real_scripts() -> dict[str, str]:
    """The samples, or the scripts below the folder that PINEBENCH_CORPUS names."""
    folder = os.environ.get("PINEBENCH_CORPUS")
    if not folder:
        return samples()
    return {str(path): path.read_text(encoding="utf-8", errors="replace") for path in Path(folder).rglob("*.pine")}


@settings(max_examples=10_000, **_HEAVY)
@given(texts())
def test_any_text(text: str) -> None:
    document = parse(text)
    assert "".join(chunk.text for chunk in document.chunks) == text
    assert all(found.message for found in document.diagnostics)


@pytest.mark.parametrize("block", range(20))
def test_mutated_scripts(block: int) -> None:
    known = real_scripts()
    for seed in range(block * 500, block * 500 + 500):
        text = mutated(random.Random(seed), known)
        document = parse(text)
        assert "".join(chunk.text for chunk in document.chunks) == text
        assert all(found.message for found in document.diagnostics)


@settings(max_examples=2_000, **_HEAVY)
@given(scripts())
def test_generated_scripts_equal_larks(text: str) -> None:
    ours, reference = parse(text), lark_engine.parse(text)
    assert [flat(chunk.body) for chunk in ours.chunks] == [flat(chunk.body) for chunk in reference.chunks]


@pytest.mark.parametrize("seed", range(10))
def test_thousand_edits(seed: int) -> None:
    source = random.Random(seed)
    known = real_scripts()
    document = parse(known[source.choice(sorted(known))])
    pieces = ["", " ", "\n", "\n    ", "(", ")", "[", '"', "'''", "else", "// ", "=", "=>", ",", "if a\n    b = 1\n"]
    for _ in range(1000):
        start = source.randrange(len(document.text) + 1)
        document.edit(start, start + source.choice([0, 0, 1, 3, 30]), source.choice(pieces))
        assert picture(document) == picture(parse(document.text))
