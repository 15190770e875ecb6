"""What tools can be given, and the words for what they cannot."""

import math
from typing import Any

import pytest

from pinebench.errors import UsageError
from pinebench.tools.arguments import (
    POINT,
    ArgumentKind,
    ChoiceArgument,
    Fields,
    Flag,
    IntegerArgument,
    ListArgument,
    Number,
    ScriptArgument,
    TextArgument,
    TimeframeArgument,
    ValuesArgument,
    clipped,
    taken,
)
from tests.tables import each

NO_NUMBERS = [
    ("abc", "abc"),
    ("12,5", "12,5"),
    ("nan", "nan"),
    ("0x10", "0x10"),
    (math.nan, "NaN"),
    (math.inf, "Infinity"),
    (-math.inf, "-Infinity"),
    (None, "null"),
    (True, "true"),
    (False, "false"),
    ([], "[]"),
    ({"a": 1}, '{"a": 1}'),
    (10**400, "1000"),
]


@each(("value", "shown"), NO_NUMBERS)
@each("kind", [Number(), IntegerArgument()])
def test_what_is_no_number_is_refused_in_the_same_words(kind: ArgumentKind, value: object, shown: str) -> None:
    with pytest.raises(UsageError) as refused:
        taken("tool", {"price": kind}, frozenset({"price"}), {"price": value})
    assert refused.value.message.startswith(f"price must be a finite number, got: {shown}")


def test_null_is_no_number_where_it_may_be_left_out_either() -> None:
    with pytest.raises(UsageError, match="count must be a finite number, got: null"):
        taken("tool", {"count": IntegerArgument()}, frozenset(), {"count": None})


@each(
    ("kind", "value", "words"),
    [
        (Number(least=0), -1, "x must be at least 0, got: -1"),
        (Number(least=0, most=1), 1.5, "x must be from 0 to 1, got: 1.5"),
        (IntegerArgument(), 1.5, "x must be a whole number, got: 1.5"),
        (IntegerArgument(least=1, most=9), 10, "x must be from 1 to 9, got: 10"),
        (IntegerArgument(least=1, most=9, clamp=True), 0, "x must be from 1 to 9, got: 0"),
        (TextArgument(), 5, "x must be a string, got: 5"),
        (TextArgument(), "  ", "x must not be empty"),
        (TextArgument(longest=3), "four", "x may have at most 3 characters, got: 4"),
        (TextArgument(pattern=r"\d+"), "a\nb", "x cannot be a b"),
        (TextArgument(pattern=r"\d+"), "1 2", "x cannot be 1 2"),
        (TimeframeArgument(), "soon", "x cannot be soon"),
        (ScriptArgument(), "/tmp/a.pine", "x must be the script's text, and this looks like a path: /tmp/a.pine"),
        (
            ScriptArgument(),
            "C:\\scripts\\a b.pine",
            "x must be the script's text, and this looks like a path: C:\\scripts\\a b.pine",
        ),
        (TextArgument(), "a\0b", "x must not contain a null character"),
        (Flag(), "yes", "x must be true or false, got: yes"),
        (Flag(), 1, "x must be true or false, got: 1"),
        (ChoiceArgument(("a", "b")), "c", "x must be one of a, b, got: c"),
        (ChoiceArgument(("a", "b")), ["c"], "x must be one of a, b, got: c"),
        (ChoiceArgument(("a", "b")), ["a", "b"], 'x must be a string, got: ["a", "b"]'),
        (ListArgument(IntegerArgument()), True, "x must be a list, got: true"),
        (ListArgument(IntegerArgument()), [], "x must have from 1 to 50 entries, got: 0"),
        (ListArgument(IntegerArgument()), [1, "b"], "x[1] must be a finite number, got: b"),
        (POINT, {"time": 1, "price": math.nan}, "x.price must be a finite number, got: NaN"),
        (POINT, {"time": 1}, "x.price is missing"),
        (POINT, {"time": 1, "price": 2, "z": 3}, "x has no field 'z'"),
        (POINT, "here", "x must be an object, got: here"),
        (ValuesArgument(), {}, "x must not be empty"),
        (ValuesArgument(), "[1]", "x must be an object, got: [1]"),
        (ValuesArgument(), {"a": math.inf}, "x.a must be a finite number, got: Infinity"),
        (ValuesArgument(), {"a": None}, "x.a must be a number, a string, true or false, got: null"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(kind: ArgumentKind, value: object, words: str) -> None:
    with pytest.raises(UsageError) as refused:
        taken("tool", {"x": kind}, frozenset({"x"}), {"x": value})
    assert refused.value.message == words


@each(
    ("kind", "value", "expected"),
    [
        (Number(), 5, 5.0),
        (Number(), " -12.5 ", -12.5),
        (IntegerArgument(), "300", 300),
        (IntegerArgument(), 5.0, 5),
        (IntegerArgument(least=1, most=9, clamp=True), 50, 9),
        (TextArgument(empty=True), "", ""),
        (Flag(), False, False),
        (Flag(), "True", True),
        (ChoiceArgument(("a", "B")), "b", "B"),
        (ChoiceArgument(("a", "b")), ["a"], "a"),
        (ListArgument(IntegerArgument()), 5, [5]),
        (ListArgument(IntegerArgument()), "5, 6", [5, 6]),
        (ListArgument(TextArgument()), '["a,b"]', ["a,b"]),
        (TextArgument(), ["a"], "a"),
        (ValuesArgument(), '{"a": 1}', {"a": 1}),
        (ListArgument(ChoiceArgument(("a", "b"))), ["b"], ["b"]),
        (Fields({"a": IntegerArgument()}, optional=frozenset({"a"})), {}, {}),
        (TimeframeArgument(), "1h", "60"),
        (TimeframeArgument(), "60", "60"),
        (TimeframeArgument(), 60, "60"),
        (TimeframeArgument(), "60m", "60"),
        (TimeframeArgument(), "4H", "240"),
        (TimeframeArgument(), "1d", "1D"),
        (TimeframeArgument(), "daily", "1D"),
        (TimeframeArgument(), "1wk", "1W"),
        (TimeframeArgument(), "1M", "1M"),
        (TimeframeArgument(), "1mo", "1M"),
        (ScriptArgument(), "plot(close / 2)", "plot(close / 2)"),
    ],
)
def test_what_fits_is_taken(kind: ArgumentKind, value: object, expected: Any) -> None:
    assert taken("tool", {"x": kind}, frozenset({"x"}), {"x": value}) == {"x": expected}


def test_unknown_and_missing_arguments_are_named() -> None:
    kinds: dict[str, ArgumentKind] = {"symbol": TextArgument(), "count": IntegerArgument()}
    with pytest.raises(UsageError, match="tool has no argument 'simbol'") as unknown:
        taken("tool", kinds, frozenset({"symbol"}), {"simbol": "A"})
    assert unknown.value.hint == "did you mean symbol?"
    meant = {
        "pine_script": "source",
        "file": "data",
        "resolution": "timeframe",
        "start": "from",
        "commission_percent": "commission_type",
    }
    for written, right in meant.items():
        with pytest.raises(UsageError) as unknown:
            taken("tool", {"other": TextArgument(), right: TextArgument()}, frozenset(), {written: "A"})
        assert unknown.value.hint == f"did you mean {right}?"
    with pytest.raises(UsageError, match="symbol is missing"):
        taken("tool", kinds, frozenset({"symbol"}), {})


def test_second_names_of_arguments_are_taken_once() -> None:
    kinds: dict[str, ArgumentKind] = {"symbol": TextArgument(), "timeframe": TextArgument()}
    assert taken("tool", kinds, frozenset(), {"ticker": "A", "interval": "60"}) == {"symbol": "A", "timeframe": "60"}
    assert taken("tool", {"ticker": TextArgument()}, frozenset(), {"ticker": "A"}) == {"ticker": "A"}
    with pytest.raises(UsageError, match="ticker and symbol are the same argument"):
        taken("tool", kinds, frozenset(), {"ticker": "A", "symbol": "B"})


@each(
    ("kind", "text", "expected"),
    [
        (Number(), "1.5", 1.5),
        (Number(), "abc", "abc"),
        (IntegerArgument(), "5", 5),
        (Flag(), "true", True),
        (Flag(), "yes", "yes"),
        (TextArgument(), "5", "5"),
        (ListArgument(TextArgument()), "a, b", ["a", "b"]),
        (ListArgument(TextArgument()), '["a,b"]', ["a,b"]),
        (ValuesArgument(), '{"a": 1}', {"a": 1}),
    ],
)
def test_words_of_a_command_line_become_values(kind: ArgumentKind, text: str, expected: object) -> None:
    assert kind.read(text) == expected


def test_blanks_around_a_name_do_not_count_and_those_of_a_text_stay() -> None:
    assert TextArgument(pattern=r"\w+").take("symbol", " AAPL\n") == "AAPL"
    assert TextArgument().take("text", " a b\n") == " a b\n"


def test_a_number_that_was_made_smaller_is_told() -> None:
    kinds = {
        "count": IntegerArgument(most=500, clamp=True),
        "limit": IntegerArgument(most=50, clamp=True),
        "size": IntegerArgument(most=9),
    }
    assert clipped(kinds, {"count": "20000", "limit": 51.0, "size": 9}) == [
        "count 20000 is above this tool's limit, so 500 was used",
        "limit 51.0 is above this tool's limit, so 50 was used",
    ]
    assert clipped(kinds, {"count": 500, "size": 3}) == []
    assert clipped(kinds, {}) == []


def test_a_large_whole_number_written_as_text_keeps_its_digits() -> None:
    assert IntegerArgument(most=1 << 60).take("id", "9007199254740993") == 9007199254740993
