"""A block of text becomes a function with everything it says."""

from __future__ import annotations

from pinebench.reference.blocks import namespace_of, read_function

BLOCK = """
needs id; value
variadic 2
history
global
id; array<T>
value; T; ; series float
order?; series sort_order; order.ascending; ; order.ascending order.descending
-> void
value, more, ...; series int
-> series float
"""


def test_block() -> None:
    function = read_function("array.example", BLOCK)
    assert function.required == ("id", "value")
    assert function.variadic == 2
    assert function.history_dependent and function.top_level_only
    assert function.receiver == function.namespace == "array"
    first, second = function.overloads
    assert [parameter.name for parameter in first.parameters] == ["id", "value", "order"]
    assert [parameter.required for parameter in first.parameters] == [True, True, False]
    assert first.parameters[1].noun == "series float"
    assert first.parameters[2].default == "order.ascending"
    assert first.parameters[2].allowed == ("order.ascending", "order.descending")
    assert first.returns == "void"
    assert second.parameters[0].name == "value, more, ..."
    assert second.returns == "series float"


def test_function_without_parameters() -> None:
    function = read_function("strategy.cancel_all", "-> void")
    assert function.required == ()
    assert function.overloads[0].parameters == ()
    assert function.receiver is None


def test_namespace() -> None:
    assert namespace_of("plot") is None
    assert namespace_of("strategy.risk.max_drawdown") == "strategy.risk"
