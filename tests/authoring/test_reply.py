"""Scripts and edits in a model's words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pinebench.authoring.reply import is_answer, replace_once, script_in, words_in
from pinebench.errors import PinebenchError
from tests.authoring.support import CLEAN
from tests.tables import each


@each(
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


@each("reply", ["", "No.", "```pine\nplot(close)\n```", "```\n```", "use //@version=6", "```python\nprint()\n```"])
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


@each(
    ("reply", "words"),
    [
        ("One.\n```pine\nplot(close)\n```\nTwo.", "One.\nTwo."),
        ("Only words.", "Only words."),
        ("~~~\nplot(close)\n~~~\nafter", "after"),
        ("before\n```pine\nnever closed", "before"),
        ("Words and //@version=6 are one:\n//@version=6\nplot(close)", ""),
        ("x" * 10_000, "x" * 4_000),
    ],
)
def test_words_are_told_from_code(reply: str, words: str) -> None:
    assert words_in(reply, "plot(close)\n") == words


def test_another_block_is_shown_and_a_long_one_is_named() -> None:
    script = '//@version=6\nindicator("A")\nplot(close)\n'
    other = "\n".join(f"line {number} of the alert" for number in range(300))
    reply = f"Here.\n```pine\n{script}```\nThe message:\n```json\n{{}}\n```\nAnd:\n```\n{other}\n```\nEnd."
    words = words_in(reply, script)
    assert "```\n{}\n```" in words and script.strip() not in words
    assert "(left out: another block of 300 lines, which begins with 'line 0 of the alert')" in words
    assert words.endswith("End.")


def test_a_second_script_is_shown() -> None:
    one, two = (f'//@version=6\nindicator("{name}")\nplot(close)\n' for name in ("First one", "Two"))
    reply = f"Either\n```pine\n{one}```\nor\n```pine\n{two}```"
    assert script_in(reply) == one
    assert 'indicator("Two")' in words_in(reply, one) and 'indicator("First one")' not in words_in(reply, one)


@each(
    ("words", "is_one"),
    [
        ("It cannot be done, because Pine has no order book.", True),
        ("Pine doesn\u2019t support that.", True),
        ("Which session do you mean, London or New York?", True),
        ("I need to know two things:\n- Which market?\n- Which timeframe?\nThen I write it.", True),
        ("Sure, I will write that.", False),
        ("Here is the script you asked for.", False),
        ("", False),
        ("```\nx = a ? b : c\n```", False),
    ],
)
def test_a_reason_or_a_question_is_an_answer(words: str, is_one: bool) -> None:
    assert is_answer(words) is is_one
