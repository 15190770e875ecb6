"""Files of scripts lose no case without a word."""

from pathlib import Path

import pytest

from tests.runtime import laws
from tests.script_files import ScriptCase, script_cases


def _file(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_cases_have_fields_a_script_and_texts_below_it(tmp_path: Path) -> None:
    file = _file(tmp_path / "cases.txt", "2 cases.\n== A || 1\nplot(1)\n== B\nplot(2)\n-- plots\n2\n")
    assert script_cases(file) == [ScriptCase(["A", "1"], "plot(1)", {}), ScriptCase(["B"], "plot(2)", {"plots": "2"})]


@pytest.mark.parametrize(
    ("heading", "words"),
    [
        ("Cases.\n", "do not end with the number"),
        ("", "do not end with the number"),
        ("12 cases.\n", "it has 1 case, and its first lines say 12"),
    ],
)
def test_a_case_that_vanishes_is_missed(tmp_path: Path, heading: str, words: str) -> None:
    file = _file(tmp_path / "cases.txt", f"{heading}== A\nplot(1)\n")
    with pytest.raises(AssertionError, match=words):
        script_cases(file)


def test_a_title_that_comes_twice_is_refused(tmp_path: Path) -> None:
    file = _file(tmp_path / "cases.txt", "Texts: 1 case.\n== A\nplot(1)\n-- plots\n1\n-- plots\n2\n")
    with pytest.raises(AssertionError, match=r"cases.txt: a title comes twice below A"):
        script_cases(file)


def test_a_law_with_two_outcomes_is_refused(tmp_path: Path) -> None:
    file = _file(tmp_path / "laws.txt", "1 case.\n== A1\nplot(1)\n-- plots\n1\n-- logs\nx\n")
    with pytest.raises(AssertionError, match="A1 gives one of plots, logs and a stop"):
        laws.laws(str(file))
