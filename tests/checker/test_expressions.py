"""Names, members, literals and history references: what they mean, and where they may stand."""

from __future__ import annotations

import pytest

from tests.checker.support import codes, spans, type_of
from tests.tables import each

DECLARED = "type P\n    float x = 0\n    P next\nenum E\n    a\n"


@each(
    ("expression", "expected"),
    [
        ("close", "series float"),
        ("syminfo.tickerid", "simple string"),
        ("color.red", "const color"),
        ("syminfo.cftc_code", "simple string"),
        ("E.a", "const E"),
        ("P.new().x", "series float"),
        ("P.new().next.next.x", "series float"),
        ("close[1]", "series float"),
        ("close[1.5]", "series float"),
        ("line.all", "array<line>"),
        ("chart.point.now(close).price", "series float"),
        ("(close)", "series float"),
    ],
)
def test_the_type_of_an_expression(expression: str, expected: str) -> None:
    script = f"{DECLARED}v = {expression}"
    assert codes(script) == ""
    assert type_of(script, "v") == expected


@each(
    ("expression", "expected"),
    [
        ("nothing", "CE10272 nothing"),
        ("color.redd", "CE10272 color.redd"),
        ("ta", "CE10272 ta"),
        ("line", "CE10272 line"),
        ("E", "CE10074 E"),
        ("E.b", "CE10272 E.b"),
        ("P.new().y", "CE10198 P.new().y"),
        ("close.foo", "CE10198 close.foo"),
        ("true.foo", "CE10198 true.foo"),
        ('close["a"]', 'CE10123 "a"'),
        ("ta.macd(close, 1, 2, 3)[1]", "CE10123 ta.macd(close, 1, 2, 3)"),
        ("5[1]", "history-of-constant 5[1]"),
        ("(5)[1]", "history-of-constant (5)[1]"),
        ("color.red[1]", "history-of-constant color.red[1]"),
        ("close[1][2]", "history-of-history close[1][2]"),
        ("P.new().x[1]", "CE10290 P.new().x[1]"),
    ],
)
def test_what_is_wrong_with_an_expression(expression: str, expected: str) -> None:
    assert spans(f"{DECLARED}v = {expression}") == [expected]


@pytest.mark.parametrize("expression", ["(P.new()[1]).x", "(close[1])[2]", "close[na]", "close[bar_index]"])
def test_history_that_may_be_taken(expression: str) -> None:
    assert codes(f"{DECLARED}v = {expression}") == ""


def test_a_declared_constant_has_no_history_but_a_variable_has() -> None:
    assert codes("const int N = 5\nx = N[1]") == "history-of-constant"
    assert codes("int n = 5\nx = n[1]") == ""


def test_a_qualifier_without_a_type_does_not_make_a_constant() -> None:
    assert codes("const n = close\nx = n[1]") == "CE10147"


def test_a_variable_named_like_a_namespace_leaves_its_constants() -> None:
    assert codes("color = 1\nx = color.red") == ""


def test_an_enum_is_known_from_its_declaration_on() -> None:
    assert codes("v = E.a\nenum E\n    a") == "CE10272"
    assert codes("enum E\n    a\nv = E.a") == ""


def test_fields_of_an_unknown_object_are_unknown() -> None:
    assert codes("import A/B/1\nt = B.T.new()\nx = t.whatever.more + 1") == ""


OBJECTS = """type Inner
    int v
type Outer
    int n
    array<int> many
    Inner inner
    line drawn
method half(Inner this) => this.v / 2
o = Outer.new()
"""


@each(
    ("expression", "expected"),
    [
        ("o.n[1]", ["CE10290 o.n[1]"]),
        ("(o.n)[1]", ["CE10290 (o.n)[1]"]),
        ("o.many[1]", ["CE10290 o.many[1]"]),
        ("o.inner[1]", []),
        ("(o.inner[1]).v", []),
        ("o.drawn[1]", []),
        ("o.inner.v[1]", ["CE10290 o.inner.v[1]"]),
        ("o[1].n", ["CE10011 ."]),
        ("(o[1]).n", []),
        ("o[1].inner.v", ["CE10011 ."]),
        ("o.many.size()[1]", []),
        ("array.from(1)[1].size()", ["CE10011 ."]),
        ("matrix.new<int>(1, 1, 1)[1].get(0, 0)", ["CE10011 ."]),
        ("label.all[1].size()", ["CE10011 ."]),
        ("o.inner[1].half()", ["CE10010 ."]),
        ("(o.inner[1]).half()", []),
        ("box.new(1, 2, 3, 4)[1].get_top()", ["CE10010 ."]),
        ("(box.new(1, 2, 3, 4)[1]).get_top()", []),
    ],
)
def test_what_stands_before_and_behind_a_history_reference(expression: str, expected: list[str]) -> None:
    """Recorded: values and collections in fields have no history, objects have; members need parentheses."""
    assert spans(f"{OBJECTS}v = {expression}") == expected


def test_a_member_behind_the_history_of_what_is_unknown_is_unknown() -> None:
    assert codes("import A/B/1\nx = B.make()[1].size()") == ""
