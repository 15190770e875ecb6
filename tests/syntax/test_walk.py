"""The walk: order, completeness, dispatch, depth."""

import inspect

from pinebench.syntax import nodes, parse
from pinebench.syntax.nodes import Node
from pinebench.syntax.walk import children, depth, visit, walk
from tests.syntax.support import samples


def _roots(text: str) -> list[nodes.Statement]:
    return [statement for chunk in parse(text).chunks for statement in chunk.body]


def test_walk_goes_in_source_order_with_parents_first() -> None:
    names = [node.id for node in walk(_roots("a = b + c[d] * e(f, g = h)\n")) if isinstance(node, nodes.Name)]
    assert names == ["a", "b", "c", "d", "e", "f", "h"]
    starts = [node.start for node in walk(_roots("if a\n    b = c\nelse\n    d := e\n"))]
    assert starts == sorted(starts)


def test_walk_reaches_every_node() -> None:
    """The table of children is complete: all nodes found in attributes are walked."""
    for text in samples().values():
        for chunk in parse(text).chunks:
            walked = {id(node) for node in walk(chunk.body)}
            for node in walk(chunk.body):
                for name in node._fields:
                    value = getattr(node, name)
                    below = value if isinstance(value, list) else [value]
                    assert {id(item) for item in below if isinstance(item, Node)} <= walked


def test_children_of_one_node() -> None:
    (loop,) = _roots("for [k, v] in m\n    f(k)\n")
    assert [type(child).__name__ for child in children(loop)] == ["Name", "Name", "Name", "ExpressionStatement"]


def test_visit_calls_the_handlers_of_each_class() -> None:
    seen: list[str] = []
    visit(
        _roots("a = b(1)\n"),
        {
            nodes.Name: lambda node: seen.append(node.id),
            nodes.Literal: [lambda node: seen.append(node.text), lambda node: seen.append(node.kind)],
        },
    )
    assert seen == ["a", "b", "1", "int"]


def test_depth() -> None:
    assert depth([]) == 0
    assert depth(_roots("a\n")) == 2
    assert depth(_roots("a((1))\n")) == 4


def test_every_node_class_names_its_fields() -> None:
    for kind in vars(nodes).values():
        if inspect.isclass(kind) and issubclass(kind, Node) and kind is not Node:
            assert set(kind._fields) <= set(vars(kind)["__slots__"])
