"""What is shown of foreign text can neither steer a terminal nor begin a line, and says what was there."""

import json
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinebench.printable import in_json, printable, quoted_name

STEERING = ("Cc", "Cs", "Zl", "Zp")
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@given(st.text(st.characters()))
def test_nothing_that_steers_is_left(text: str) -> None:
    shown = printable(text)
    assert not [c for c in shown if unicodedata.category(c) in STEERING or c in BIDI]


def test_no_character_of_unicode_is_forgotten() -> None:
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    shown = printable(every)
    assert {unicodedata.category(c) for c in shown}.isdisjoint(STEERING)
    assert {c for c in shown if unicodedata.category(c) == "Cf"} == {"\u200c", "\u200d"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ünïcode 日本 👩‍💻", "plain ünïcode 日本 👩‍💻"),
        ("a\nb\r\tc", r"a\nb\r\tc"),
        ("\x1b[31mred\x9b0m\x7f\x00", r"\x1b[31mred\x9b0m\x7f\x00"),
        ("open\u202egpj\u2066", r"open\u202egpj\u2066"),
        ("caf\udce9.pine", r"caf\xe9.pine"),
        ("\U000e0041", r"\U000e0041"),
        ("C:\\new folder", "C:\\new folder"),
    ],
)
def test_what_was_there_is_said(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_what_is_kept_stays() -> None:
    assert printable("one\n\ttwo\r\n", keep="\n\t") == "one\n\ttwo\\r\n"


@pytest.mark.parametrize(
    "name", ["plain.pine", "with blank.pine", "ünï.pine", 'quo"te', "back\\slash", "new\nline", "\x1b[2J", "ü\t"]
)
def test_names_are_quoted_as_git_quotes_them(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("x\n")
    git = ["git", "-c", "core.quotePath=false", "diff", "--no-index", "--name-only", "--", "/dev/null", name]
    done = subprocess.run(git, cwd=tmp_path, capture_output=True, check=False)
    assert quoted_name(name) == done.stdout.decode().rstrip("\n")


def test_a_name_that_is_not_utf_8_is_quoted_by_its_bytes() -> None:
    assert quoted_name("caf\udce9") == '"caf\\351"'


@given(st.recursive(st.text(st.characters()), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_json_means_the_same(value: object) -> None:
    for indent in (None, 2):
        text = in_json(json.dumps(value, ensure_ascii=False, indent=indent))
        assert json.loads(text) == value
        assert not [c for c in text if c != "\n" and (unicodedata.category(c) in STEERING or c in BIDI)]
