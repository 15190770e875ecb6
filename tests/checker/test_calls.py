"""What a callee means: built-in, function, method, constructor, library export, or nothing."""

from __future__ import annotations

import pytest

from pinebench.checker import BuiltinCall, ConstructorCall, CopyCall, LibraryCall, UserCall
from pinebench.diagnostics import Severity
from pinebench.syntax import nodes
from tests.checker.support import checked, codes, messages, spans, type_of
from tests.tables import each

DECLARED = """type P
    int x
enum E
    a
method twice(int this) => this * 2
method twice(string this) => this + this
method total(P this, int more = 0) => this.x + more
plain(float a) => a
"""


@each(
    ("expression", "expected"),
    [
        ("plain(1)", "series float"),
        ("bar_index.twice()", "series int"),
        ("twice(bar_index)", "series int"),
        ("syminfo.ticker.twice()", "series string"),
        ("P.new(1).total()", "series int"),
        ("P.new(1).copy()", "P"),
        ("P.copy(P.new(1))", "P"),
        ("P.new(1).copy().total(2)", "series int"),
        ("array.from(1).first().twice()", "series int"),
        ("label.all.size()", "series int"),
        ("E.a", "const E"),
        ("math.sum(1, 2)", "series float"),
        ("math.avg(1, 2)", "const float"),
    ],
)
def test_the_result(expression: str, expected: str) -> None:
    script = f"{DECLARED}v = {expression}"
    assert codes(script) == ""
    assert type_of(script, "v") == expected


@each(
    ("expression", "expected", "name"),
    [
        ("nothing(close)", "CE10271 nothing", "function or function reference 'nothing'"),
        ("ta.nothing(close)", "CE10271 ta.nothing", "function or function reference 'ta.nothing'"),
        ("P.old(1)", "CE10271 P.old", "function or function reference 'P.old'"),
        ("P.new(1).nothing()", "CE10271 .nothing", "method or method reference 'P.nothing'"),
        ("close.abs()", "CE10271 .abs", "method or method reference 'close.abs'"),
        ("array.from(1).nothing()", "CE10271 .nothing", "method or method reference 'array.nothing'"),
        ("close.twice()", "CE10271 .twice", "method or method reference 'close.twice'"),
        ("P.new(1).plain()", "CE10271 .plain", "method or method reference 'P.plain'"),
    ],
)
def test_a_callee_that_is_not_there(expression: str, expected: str, name: str) -> None:
    script = f"{DECLARED}v = {expression}"
    assert spans(script) == [expected]
    assert messages(script) == [f"Could not find {name}"]


@each(
    ("script", "expected"),
    [
        ("x = f()\nf() => 1", "CE10271"),
        ("f() => f()", "CE10271"),
        ("f() => g()\ng() => 1", "CE10271"),
        ("v = 1\nx = v(2)", "CE10271"),
        ("x = A.new()\ntype A\n    int b", "CE10271"),
        ("x = nothing(undeclared)", "CE10271 CE10272"),
        ('x = nothing(1 + "a")', "CE10271 CE10123"),
    ],
)
def test_only_what_is_declared_before_can_be_called(script: str, expected: str) -> None:
    assert codes(script) == expected


@each(
    ("script", "expected"),
    [
        ("ta = 1\nx = ta.sma(close, 3)", ""),
        ("math = array.new<float>()\nmath.push(1.0)", ""),
        ("math = array.new<float>()\nmath.pushx(1.0)", "CE10271"),
        ("str = 1\nstr.foo()", "CE10271"),
        ("line = 1\nline.foo()", ""),
        ("color = 1\ncolor.foo()", ""),
        ("import A/ta/1\nx = ta.sma(close, 3) + ta.own(close)", ""),
    ],
)
def test_variables_and_imports_named_like_a_namespace(script: str, expected: str) -> None:
    assert codes(script) == expected


def test_a_method_of_an_unseen_library_is_never_missing() -> None:
    assert codes("import A/B/1\nx = close.nothing()") == ""


@each(
    ("text", "kind"),
    [
        ("x = ta.sma(close, 3)", BuiltinCall),
        ("f() => 1\nx = f()", UserCall),
        ("method m(int a) => a\nx = bar_index.m()", UserCall),
        ("type P\n    int x\nx = P.new()", ConstructorCall),
        ("type P\n    int x\nx = P.new().copy()", CopyCall),
        ("import A/B/1\nx = B.f()", LibraryCall),
    ],
)
def test_each_call_is_one_of_a_closed_union(text: str, kind: type) -> None:
    program = checked(text)
    assert not [finding for finding in program.diagnostics if finding.severity is Severity.ERROR]
    found = [program.call(node) for node in program.frame.calls if isinstance(node, nodes.Call)]
    assert kind in {type(call) for call in found} and None not in found


FILLING = """method fill(array<float> this, float inner, float outer, float low_, float high_) =>
    for [i, v] in this
        this.set(i, v >= low_ and v <= high_ ? inner : outer)
    this
var a = array.new<float>(3, 1.0)
"""


@pytest.mark.parametrize(
    "call",
    ["a.fill(1.0)", "a.fill(1.0, 0, 2)", "a.fill(1, 2, 3, 4)", "a.fill(outer = 1, inner = 2, low_ = 3, high_ = 4)"],
)
def test_a_users_method_overloads_the_built_in_one(call: str) -> None:
    """The manual's page on methods: the built-in is meant unless the arguments are those of the user's overload."""
    assert codes(FILLING + call) == ""


def test_a_call_that_fits_neither_overload_is_an_error() -> None:
    assert codes(FILLING + 'a.fill("x")') == "CE10123"


def test_a_users_function_leaves_the_built_in_of_its_name() -> None:
    assert codes('nz(string s) => na(s) ? "" : s\nv = nz(close) + str.length(nz("a"))') == ""


@each(
    "call",
    ["a.push(1, 2)", "a.sum(3)", "l.set_text(1.5, 2)", "close.round2(3)", 'a.fill("x")', "close.half(2)"],
)
def test_an_unseen_library_may_overload_any_method(call: str) -> None:
    script = f"""import someone/Unseen/1
{FILLING}method half(float this) => this / 2
l = label.new(bar_index, high)
"""
    assert codes(script + call) == ""


def test_an_error_in_a_method_is_reported_beside_an_unseen_library() -> None:
    assert codes('import someone/Unseen/1\nmethod half(float this) => this / "2"\nv = close.half()') == "CE10123"
