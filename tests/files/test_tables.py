"""Tables that we write never act: texts stay texts, numbers stay numbers, and every text is read back as it was."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinebench.files import tables

ACTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d")
ATTACKS = ['=HYPERLINK("http://x")', "+1+1", "-2+3+cmd|' /C calc'!A0", "@SUM(1)", "\t=1", "\r=1", "\n=1", "'=1", "''@a"]


@pytest.mark.parametrize("text", ATTACKS)
def test_a_text_that_would_act_is_quoted_and_read_back(text: str) -> None:
    ((cell,),) = csv.reader(io.StringIO(tables.as_csv([[text]]), newline=""))
    assert not cell.startswith(ACTS)
    assert tables.original(cell) == text


@pytest.mark.parametrize("number", ["-1", "+1.5", "-0.25", "-1e-05", "-.5", "12%", "-3.4%", "0", "1e+20"])
def test_numbers_stay_numbers(number: str) -> None:
    assert tables.as_csv([[number]]) == f"{number}\n"
    assert tables.as_csv([[-1.5, 2, None]]) == "-1.5,2,\n"


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_every_text_comes_back(text: str) -> None:
    cell = tables.harmless(text)
    assert tables.original(cell) == text
    assert cell == text or not cell.startswith(ACTS)
