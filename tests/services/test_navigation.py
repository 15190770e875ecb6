"""Where names come from and where they go."""

from collections.abc import Callable

import pytest

from pinebench.diagnostics import Span
from pinebench.services import OpenScript, ScriptView
from pinebench.services.navigation import (
    definition,
    function_at,
    imports,
    incoming,
    outgoing,
    references,
    type_definition,
)
from pinebench.syntax import Snapshot, parse
from tests.services.support import HEAD, opened
from tests.tables import each


def line_of(view: ScriptView, span: Span) -> str:
    """The text of the line on which `span` begins."""
    return view.snapshot.lines.line_text(view.snapshot.lines.position(span.start).line).strip()


@each(
    ("ask", "marked", "line"),
    [
        (definition, "x = le|vel", "Level level = Level.new(close)"),
        (definition, "x = level.pri|ce", "float price = 0.0"),
        (definition, "x = level.dis|tance(1)", "method distance(Level this, float price) =>"),
        (definition, "x = twice(1, ti|mes = 3)", "twice(x, int times = 2) =>"),
        (definition, "x = Level.new(pri|ce = 3)", "float price = 0.0"),
        (definition, "x = Side.lo|ng", 'long = "Long"'),
        (definition, "Le|vel other = na", "type Level"),
        (definition, "x = th|ing.f()", "import some/Thing/1 as thing"),
        (definition, "for ea|ch in level.touches\n    x = each", "for each in level.touches"),
        (definition, "x = (lev|el", "Level level = Level.new(close)"),
        (type_definition, "x = lev|el", "type Level"),
        (type_definition, "x = level.si|de", "enum Side"),
        (type_definition, "a = array.new<Level>(1)\nb = a|", "type Level"),
    ],
)
def test_going_to_where_something_is_declared(ask: Callable[[ScriptView, int], object], marked: str, line: str) -> None:
    view, place = opened(marked)
    found = ask(view, place)
    assert found is not None
    assert line_of(view, found.span) == line  # type: ignore[attr-defined]


@pytest.mark.parametrize("marked", ["x = clo|se", "x = unkn|own", "// lev|el", "x = 3|4"])
def test_there_is_nowhere_to_go_from_what_is_built_in_or_unknown(marked: str) -> None:
    assert definition(*opened(marked)) is None


def test_references_hold_the_declaration_the_uses_and_the_names_of_arguments() -> None:
    view, place = opened("a = twice(1, ti|mes = 3)\nb = twice(2)\n")
    found = references(view, place)
    assert [line_of(view, use.span) for use in found] == [
        "twice(x, int times = 2) =>",
        "y = x * times",
        "a = twice(1, times = 3)",
    ]
    assert [use.writes for use in found] == [True, False, False]
    assert {view.text[use.span.start : use.span.end] for use in found} == {"times"}


def test_references_of_a_shadowed_name_are_its_own() -> None:
    view, place = opened("v = 1\nf() =>\n    v = 2\n    v| + 1\nw = v\n")
    assert [line_of(view, use.span) for use in references(view, place)] == ["v = 2", "v + 1"]


def test_calls_go_in_and_out() -> None:
    view, place = opened("low_one() => 1\nmiddle() =>\n    low_one() + twice(1)\ntop = mid|dle()\nagain = middle()\n")
    middle = function_at(view, place)
    assert middle is not None
    callers = incoming(view, middle)
    assert [(caller.function, len(caller.calls)) for caller in callers] == [(None, 2)]
    assert [called.name for called, _ in outgoing(view, middle)] == ["low_one", "twice"]
    low_one = outgoing(view, middle)[0][0]
    assert [caller.function.name for caller in incoming(view, low_one) if caller.function] == ["middle"]


class Shelf:
    """Has one library."""

    def read(self, path: str) -> Snapshot | None:
        text = '//@version=6\nlibrary("Box")\n// Twice as much.\nexport double(float x) =>\n    x * 2\n'
        return parse(text).snapshot if path == "me/Box/1" else None


def test_a_library_that_can_be_seen_is_gone_to() -> None:
    text = HEAD + "import me/Box/1 as box\nimport you/Other/2\nx = box.double(3)\n"
    view = OpenScript(text, Shelf()).view
    found = definition(view, text.index("double"))
    assert found is not None and found.library == "me/Box/1"
    links = imports(view)
    assert [(link.path, link.is_seen) for link in links] == [("me/Box/1", True), ("you/Other/2", False)]
    assert [text[link.span.start : link.span.end] for link in links] == ["me/Box/1", "you/Other/2"]
    whole = definition(view, text.index("me/Box") + 1)
    assert whole is not None and whole.library == "me/Box/1"
