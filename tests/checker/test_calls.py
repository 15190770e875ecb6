"""What a callee means: built-in, function, method, constructor, library export, or nothing."""

from pinebench.checker import BuiltinCall, ConstructorCall, CopyCall, LibraryCall, UserCall
from pinebench.diagnostics import Severity
from pinebench.syntax import nodes
from tests.checker.support import checked
from tests.tables import each


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
