"""How messages show an argument."""

from __future__ import annotations

import pytest

from tests.checker.support import messages
from tests.tables import each


@each(
    ("argument", "shown"),
    [
        ('"text"', "text"),
        ("'text'", "text"),
        ('"""text"""', "text"),
        ("true", "true"),
        ("#ff0000", "#ff0000"),
        ("color.red", "color.red"),
        ("syminfo.ticker", "syminfo.ticker"),
        ("word", "word"),
        ("(word)", "word"),
        ("str.tostring(1)", 'call "str.tostring" (simple string)'),
        ('"a" + word', 'call "operator +" (const string)'),
        ("not true", 'call "operator not" (const bool)'),
        ('true ? "a" : "b"', 'call "operator ?:" (const string)'),
        ("word[1]", 'call "operator SQBR" (series string)'),
        ('array.from("a").first()', 'call "array.first" (series string)'),
        ("said()", 'call "said" (const string)'),
    ],
)
def test_representation(argument: str, shown: str) -> None:
    script = f'word = "a"\nsaid() => "b"\nx = ta.sma({argument}, 3)'
    assert messages(script)[0].startswith(f'Cannot call "ta.sma" with argument "source"="{shown}".')


@pytest.mark.parametrize(("number", "shown"), [("3.0", "3"), ("14.5", "14.5"), ("1e3", "1000"), (".5", "0.5")])
def test_numbers(number: str, shown: str) -> None:
    message = messages(f"x = ta.sma(close, {number})")[0]
    assert f'"length"="{shown}"' in message
    assert '"literal float"' in message


def test_a_negated_number_is_a_call() -> None:
    message = messages("x = ta.sma(close, -1.5)")[0]
    assert '"length"="call "operator -" (const float)". An argument of "const float" type' in message
