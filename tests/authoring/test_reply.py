"""Scripts and edits in a model's words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinebench.authoring.reply import replace_once, script_in, words_in
from pinebench.errors import PinebenchError
from tests.authoring.support import CLEAN


@pytest.mark.parametrize(
    "reply",
    [
        f"```pine\n{CLEAN}```",
        f"```\n{CLEAN}\n```",
        f"~~~pinescript\n{CLEAN}~~~",
        f"Words.\n\n```pine\n{CLEAN}```\nMore words, and `plot(close)`.",
        f"```pine\nplot(close)\n```\nor all of it:\n```pine\n{CLEAN}```",
        f"````md\n{CLEAN}````",
        CLEAN,
        f"Here it is:\n\n{CLEAN}",
        f"```pine\n{CLEAN}",
        f"  ```pine\n{CLEAN}  ```",
        f"```pine\n{CLEAN}```".replace("\n", "\r\n"),
    ],
)
def test_the_script_is_found(reply: str) -> None:
    assert script_in(reply) == CLEAN


@pytest.mark.parametrize(
    "reply", ["", "No.", "```pine\nplot(close)\n```", "```\n```", "use //@version=6", "```python\nprint()\n```"]
)
def test_what_is_no_script_is_not_taken_for_one(reply: str) -> None:
    assert script_in(reply) is None


@given(st.text())
def test_no_reply_is_too_odd(reply: str) -> None:
    found = script_in(reply)
    assert found is None or found.endswith("\n")


def test_an_edit_must_apply_once() -> None:
    assert replace_once("a b c", "b", "x") == "a x c"
    for old, words in (("z", "does not occur"), ("", "is empty")):
        with pytest.raises(PinebenchError, match=words):
            replace_once("a b c", old, "x")
    with pytest.raises(PinebenchError, match="occurs 2 times"):
        replace_once("a a", "a", "x")
    with pytest.raises(PinebenchError, match="nearest line is line 2"):
        replace_once("x = 1\nplot(close)\n", "plot(clsoe)", "")


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("One.\n```pine\nplot(close)\n```\nTwo.", "One.\nTwo."),
        ("Only words.", "Only words."),
        ("~~~\ncode\n```\n~~~\nafter", "after"),
        ("before\n```pine\nnever closed", "before"),
        ("Words and //@version=6 are one:\n//@version=6\nplot(close)", ""),
        ("x" * 10_000, "x" * 4_000),
    ],
)
def test_words_are_told_from_code(reply: str, words: str) -> None:
    assert words_in(reply) == words
