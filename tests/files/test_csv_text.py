"""Tables that we write never act: texts stay texts, numbers stay numbers, and every text is read back as it was."""

import csv
import io
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinebench.files import csv_text

ACTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d")
ATTACKS = ['=HYPERLINK("http://x")', "+1+1", "-2+3+cmd|' /C calc'!A0", "@SUM(1)", "\t=1", "\r=1", "\n=1", "'=1", "''@a"]


@pytest.mark.parametrize("text", ATTACKS)
def test_a_text_that_would_act_is_quoted_and_read_back(text: str) -> None:
    ((cell,),) = csv.reader(io.StringIO(csv_text.as_csv([[text]]), newline=""))
    assert not cell.startswith(ACTS)
    assert csv_text.original(cell) == text


FORMULAS = (
    *("=1+1", '=HYPERLINK("http://x";"y")', "@SUM(A1)", "-2+3+cmd|' /C calc'!A0"),
    "+cmd|'/C calc'!A0",
    "\uff1d1",
)
BEFORE = ("", ";", "x;", "\t", "x\t", "\n", "x\r\n", "a,b;", '";', ";'", ';"', "'", "''", ";;", ",", '","', "\t;")


def attack(seed: int) -> list[object]:
    """A row of texts and numbers in which some would act where another mark separates cells."""
    dice = random.Random(seed)
    texts = [dice.choice(BEFORE) + dice.choice(FORMULAS) + dice.choice(("", ";", ";7", '"', "\n")) for _ in range(2)]
    return dice.choice(([1.5, *texts], [*texts, 7], [texts[0], -3, texts[1]], ["Close", *texts]))


def never_acts(row: list[object]) -> None:
    text = csv_text.as_csv([row])
    for mark in ",;\t":
        for cells in csv.reader(io.StringIO(text, newline=""), delimiter=mark):
            acting = [cell for cell in cells if cell.strip() and cell.startswith(ACTS) and not cell.startswith("-3")]
            assert not acting, (mark, text)
    ((*read,),) = csv.reader(io.StringIO(text, newline=""))
    assert [csv_text.original(cell) for cell in read] == [str(cell) for cell in row]


@pytest.mark.parametrize("seed", range(6))
def test_a_table_never_acts_whatever_separates_its_cells(seed: int) -> None:
    never_acts(attack(seed))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 300))
def test_200_tables_never_act(seed: int) -> None:
    never_acts(attack(seed))


@pytest.mark.parametrize("number", ["-1", "+1.5", "-0.25", "-1e-05", "-.5", "12%", "-3.4%", "0", "1e+20"])
def test_numbers_stay_numbers(number: str) -> None:
    assert csv_text.as_csv([[number]]) == f"{number}\n"
    assert csv_text.as_csv([[-1.5, 2, None]]) == "-1.5,2,\n"


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_every_text_comes_back(text: str) -> None:
    cell = csv_text.harmless(text)
    assert csv_text.original(cell) == text
    assert cell == text or not cell.startswith(ACTS)
