"""Soft keywords in every place where a name or a structure can stand, with and without spaces around them.

The words come from the scanner's own table, so a new soft keyword is tried in all these places without a new test.
TradingView accepts each of them as a name (recorded), except those that are reserved.
"""

from __future__ import annotations

from pathlib import Path

from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk
from pinebench.syntax.words import RESERVED, SOFT_KEYWORDS
from tests.script_files import script_cases
from tests.tables import each

_NAMES = sorted(SOFT_KEYWORDS.keys() - RESERVED)
_RESERVED = sorted(SOFT_KEYWORDS.keys() & RESERVED)

_PLACES = {case.fields[0]: case.script for case in script_cases(Path(__file__).with_name("names_in_places.txt"))}
"""Scripts by what they do with a name; the name is written WORD."""

_TYPES = {
    "declared": "type WORD\n    int a\nWORD x = WORD.new(1)\nplot(x.a)",
    "kept": "type WORD\n    int a\nvar WORD x = WORD.new(1)\nplot(x.a)",
    "empty": "type WORD\n    int a\nWORD x = na\nplot(na(x) ? 1 : 0)",
    "enum": "enum WORD\n    a\n    b\nx = WORD.a\nplot(x == WORD.b ? 1 : 0)",
}
_TYPE_NAMES = [name for name in _NAMES if SOFT_KEYWORDS[name].role != "qualifier"]
"""`const x = 1` is refused as a qualifier without a type (recorded), whatever types the script has."""

_OBJECTS = ("object", "object-set", "object-typed")
"""Objects cannot have the name of a built-in namespace, and `input` is one."""

_ONCE = {
    "condition": "var n = 0\nonce close > open\n    n += 1\nplot(n)",
    "no condition": "var n = 0\nonce\n    n += 1\nplot(n)",
    "comment": "var n = 0\nonce // on the first bar\n    n += 1\nplot(n)",
    "parentheses": "var n = 0\nonce(close > open)\n    n += 1\nplot(n)",
    "parentheses and more": "var n = 0\nonce(close > open) and barstate.isconfirmed\n    n += 1\nplot(n)",
    "spaced parentheses": "var n = 0\nonce  (close > open)\n\n    // why\n    n += 1\nplot(n)",
    "wrapped": "var n = 0\nonce(close > open and\n  close > 5)\n    n += 1\nplot(n)",
    "wrapped by spaces": "var n = 0\nonce close > open\n  and close > 5\n    n += 1\nplot(n)",
    "not": "var n = 0\nonce not(close > open)\n    n += 1\nplot(n)",
    "sign": "var n = 0\nonce -close < open\n    n += 1\nplot(n)",
    "named once": "once = close > open\nvar n = 0\nonce(once)\n    n += 1\nplot(n)",
    "in a block": "var n = 0\nif close > open\n    once(bar_index > 3)\n        n += 1\nplot(n)",
    "in an arm": "var n = 0\nswitch\n    close > open =>\n        once(bar_index > 3)\n            n += 1\nplot(n)",
    "in a function": "f(a) =>\n    var n = 0\n    once(a > 3)\n        n += 1\n    n\nplot(f(close))",
}


def _errors(body: str) -> list[str]:
    program = open_program(f'//@version=6\nindicator("t")\n{body}\n')
    return [f"{found.code}: {found.message}" for found in program.diagnostics if found.severity is Severity.ERROR]


def test_the_places_are_many() -> None:
    assert len(_NAMES) * len(_PLACES) + len(_RESERVED) * len(_BINDINGS) >= 500


@each("place", _PLACES)
@each("word", _NAMES)
def test_a_soft_keyword_is_a_name_wherever_a_name_can_stand(word: str, place: str) -> None:
    if word == "input" and place in _OBJECTS:
        assert _errors(_PLACES[place].replace("WORD", word))[0].startswith("CE10093")
        return
    assert _errors(_PLACES[place].replace("WORD", word)) == _errors(_PLACES[place].replace("WORD", "plain")) == []


@each("place", _TYPES)
@each("word", _TYPE_NAMES)
def test_a_soft_keyword_can_be_the_name_of_a_type(word: str, place: str) -> None:
    assert _errors(_TYPES[place].replace("WORD", word)) == []


_BINDINGS = (
    *("plain", "typed", "typed-float-var", "value-end", "func-name", "func-block", "param", "param-typed", "param-two"),
    *("param-default", "field", "tuple", "tuple-2", "method-name", "method-recv", "alias", "comma", "comma-2"),
)


@each("place", _BINDINGS)
@each("word", _RESERVED)
def test_a_reserved_soft_keyword_is_refused_as_a_name_and_nothing_else_is(word: str, place: str) -> None:
    errors = _errors(_PLACES[place].replace("WORD", word))
    assert len(errors) == 1
    assert errors[0].startswith("CE10150")


@each("shape", _ONCE)
def test_once_begins_a_structure_where_a_block_stands_below_it(shape: str) -> None:
    program = open_program(f'//@version=6\nindicator("t")\n{_ONCE[shape]}\n')
    assert [found.code for found in program.diagnostics if found.severity is Severity.ERROR] == []
    bodies = [node for chunk in program.document.chunks for node in chunk.body]
    assert sum(isinstance(node, nodes.Once) for node in walk(bodies)) == 1


def test_once_without_its_block_still_names_what_is_missing() -> None:
    assert _errors("once close > open\nplot(close)")[0].startswith("CE10144")


def test_many_uses_of_once_on_one_line_are_each_read_once() -> None:
    many = ", ".join(f"x{number} = once" for number in range(2_000))
    assert _errors(f"once = 1\n{many}\nplot(x1)") == []
