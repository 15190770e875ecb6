"""A thousand old scripts, real ones where there are some and with slips in them, are migrated without an exception."""

import os
import random
from collections import Counter
from pathlib import Path

import pytest

from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.migration import Migration, migrate
from pinebench.syntax import parse
from pinebench.syntax.document import find_version

pytestmark = pytest.mark.soak

SCRIPTS = 1000
OWN = Path(__file__).resolve().parents[1] / "migration" / "scripts"
SLIPS = ("", "", "(", ")", ",", "\n", " ", "x", "=", '"', ".", "na")


def every_script() -> list[str]:
    """Our own scripts and those below the folder that PINEBENCH_CORPUS names."""
    folder = os.environ.get("PINEBENCH_CORPUS")
    paths = [*sorted(OWN.glob("*.pine")), *(sorted(Path(folder).rglob("*.pine")) if folder else ())]
    return [path.read_bytes().decode("utf-8", "replace") for path in paths]


def old_scripts() -> list[str]:
    """Those of them that are of an earlier version."""
    return [text for text in every_script() if (find_version(text)[0] or 0) in (3, 4, 5)]


@pytest.mark.parametrize("block", range(10))
def test_old_scripts_are_migrated_or_left(block: int) -> None:
    texts = old_scripts()
    for number in range(block, SCRIPTS, 10):
        text = texts[number % len(texts)]
        if number >= len(texts):
            text = _slipped(text, random.Random(number))
        done = migrate(text)
        if done.refused:
            assert done.text == text
            continue
        left = [found for found in open_program(done.text).diagnostics if found.severity is Severity.ERROR]
        assert len(left) == len(done.errors)
        assert migrate(done.text).text == done.text
        assert comments(text) <= comments(done.text)


def comments(text: str) -> Counter[str]:
    """The comments of a script but the one with its version, how often each stands there."""
    found = (text[span.start : span.end].rstrip() for span in parse(text).comments)
    return Counter(words for words in found if "@version" not in words)


def test_new_scripts_are_left_alone() -> None:
    texts = [text for text in every_script() if find_version(text)[0] == 6]
    assert texts
    for text in texts:
        assert migrate(text) == Migration(text, 6)


def _slipped(text: str, chance: random.Random) -> str:
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(SLIPS) + text[at + chance.randrange(2) :]
    return text
