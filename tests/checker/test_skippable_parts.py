"""Which calls of a body need not run each time it runs."""

from pinebench.syntax import nodes
from pinebench.syntax.walk import walk
from tests.checker.support import checked
from tests.tables import each

TABLE = [
    ("x = a()", ""),
    ("x = a() + b()", ""),
    ("x = a() and b()", "b"),
    ("x = a() or b() or c()", "b c"),
    ("x = a() ? b() : c()", "b c"),
    ("if a()\n    b()\nelse if c()\n    d()\nelse\n    e()", "b c d e"),
    ("switch a()\n    b() => c()\n    d() => e()", "c d e"),
    ("switch\n    a() => b()\n    c() => d()\n    => e()", "b c d e"),
    ("for i = a() to b()\n    c()", "b c"),
    ("for v in a()\n    b()", "b"),
    ("while a()\n    b()\n    break", "a b"),
    ("once a()\n    b()", "b"),
    ("if a()\n    x = b() + c()", "b c"),
]


def skipped(body: str) -> str:
    program = checked(body)
    frame = program.frame
    calls = [node for chunk in program.document.chunks for node in walk(chunk.body) if isinstance(node, nodes.Call)]
    names = [(node.callee.id, node) for node in calls if isinstance(node.callee, nodes.Name) and node.arguments == []]
    return " ".join(name for name, node in names if program.may_be_skipped(node, frame))


@each(("body", "expected"), TABLE)
def test_global_code(body: str, expected: str) -> None:
    assert skipped(body) == expected


def test_the_body_of_a_function_is_judged_by_itself() -> None:
    program = checked(
        "f(v) =>\n    if v > 1\n        ta.ema(close, 3)\n    else\n        ta.rma(close, 3)\nx = f(close)"
    )
    (frame,) = [frame for frame in program.frames if frame.function is not None]
    assert all(program.may_be_skipped(node, frame) for node in frame.calls)
    assert not any(program.may_be_skipped(node, program.frame) for node in frame.calls)
