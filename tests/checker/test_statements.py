"""Declarations, assignments and structures: what they accept and the types they leave."""

from pinebench.checker import open_program
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk
from tests.tables import each

HEAD = '//@version=6\nindicator("x")\n'


@each(
    ("tail", "kind"),
    [
        ("if a > b\n            continue", "void"),
        ("if a > b\n            break\n        else\n            continue", "void"),
        ("if a > b\n            log.info('x')\n        else\n            break", "void"),
        ("if a > b\n            if a > 1\n                log.info('x')\n        else\n            break", "void"),
        ("switch\n            a > b => break\n            a < b => log.info('x')", "void"),
        ("if a > b\n            c += 1\n        else\n            break", "int"),
        ("if a > b\n            break\n        else\n            c += 1", "int"),
        ("break", "void"),
    ],
)
def test_a_branch_that_jumps_leaves_what_the_others_leave(tail: str, kind: str) -> None:
    body = f"f(float a, float b) =>\n    int c = 0\n    for i = 0 to 3\n        {tail}\n"
    text = f"{HEAD}{body}g(float a) =>\n    f(a, open)\ng(close)\nplot(close)\n"
    program = open_program(text)
    assert program.diagnostics == []
    calls = [node for chunk in program.document.chunks for node in walk(chunk.body) if isinstance(node, nodes.Call)]
    told = {program.text_of(node): program.type_of(node) for node in calls}
    for call in ("f(a, open)", "g(close)"):
        type_ = told[call]
        assert type_ is not None and type_.base.name == kind


def test_nothing_is_said_of_taking_what_a_jump_leaves() -> None:
    body = "f() =>\n    for i = 0 to 3\n        if close > open\n            break\nx = f()\nplot(x)\n"
    assert open_program(f"{HEAD}{body}").diagnostics == []
    body = "x = for i = 0 to 3\n    if close > open\n        continue\nplot(x)\n"
    assert open_program(f"{HEAD}{body}").diagnostics == []
