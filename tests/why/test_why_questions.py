"""`why` names the true cause of what a real script did not do, where the cause is known by construction."""

import os
from pathlib import Path

import pytest

from tests.why.why_questions import judged, questions

ROOT = Path(__file__).parents[2]
HERE = [*sorted((ROOT / "pine" / "templates").glob("*.pine")), *sorted((ROOT / "pine" / "samples").glob("*.pine"))]


def test_a_few_questions_about_scripts_of_the_repository() -> None:
    asked = questions(HERE, 8)
    assert len(asked) >= 4
    assert [wrong for one in asked if (wrong := judged(one))] == []


@pytest.mark.soak
def test_a_hundred_questions_about_real_scripts() -> None:
    folders = [os.environ.get("PINEBENCH_CORPUS"), os.environ.get("PINEBENCH_PARITY")]
    files = [*HERE, *(file for folder in folders if folder for file in sorted(Path(folder).rglob("*.pine")))]
    asked = questions(files, 100)
    wrong = [words for one in asked if (words := judged(one))]
    print(f"{len(asked) - len(wrong)} of {len(asked)} named")
    assert len(wrong) <= len(asked) * 0.05, "\n".join(wrong)
