"""What a callee means: built-in, function, method, constructor, library export, or nothing."""

from __future__ import annotations

from pinebench.checker import BuiltinCall, ConstructorCall, CopyCall, LibraryCall, UserCall
from pinebench.diagnostics import Severity
from pinebench.syntax import nodes
from tests.checker.support import checked, messages, spans
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
