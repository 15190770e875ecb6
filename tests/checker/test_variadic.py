"""Calls of built-ins with any number of arguments: how many they need, and what a format takes."""

import pytest

from pinebench.syntax import nodes
from pinebench.syntax.walk import walk
from tests.checker.support import checked


@pytest.mark.parametrize(
    ("call", "parameters"),
    [
        ('str.format("{0} {1}", close, "a")', ["formatString", "arg0", "arg1"]),
        ('log.info("{0} {1}", close, "a")', ["formatString", "arg0", "arg1"]),
        ("math.max(close, open, 3)", ["arg0", "arg1", "arg2"]),
        ("array.from(close, open)", ["arg0", "arg1"]),
    ],
)
def test_every_argument_has_its_parameter(call: str, parameters: list[str]) -> None:
    program = checked(f"{call}\nplot(close)")
    nodes_of_calls = (node for node in walk(program.document.chunks[1].body) if isinstance(node, nodes.Call))
    found = program.call(next(nodes_of_calls))
    assert found is not None
    assert [argument.parameter for argument in found.arguments] == parameters
    assert all(argument.node is not None for argument in found.arguments)
