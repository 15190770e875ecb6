"""Scopes find the innermost name, and know the function they belong to."""

from pinebench.checker.symbols import FunctionSymbol, Scope, VariableSymbol
from pinebench.syntax import nodes
from tests.checker.support import checked


def variable(name: str, scope: Scope) -> VariableSymbol:
    node = nodes.Name(0, 1, name)
    symbol = VariableSymbol(name, "variable", node, node, scope, 0)
    scope.names[name] = symbol
    return symbol


def test_the_innermost_name_is_found() -> None:
    outer = Scope("global", None)
    inner = Scope("block", outer)
    first, second = variable("a", outer), variable("a", inner)
    assert inner.find("a") is second
    assert outer.find("a") is first
    assert inner.find("b") is None


def test_a_scope_belongs_to_the_function_around_it() -> None:
    function = checked("f() =>\n    if true\n        1").functions["f"][0]
    assert isinstance(function, FunctionSymbol)
    assert function.scope is not None
    assert Scope("block", Scope("block", function.scope)).function is function
    assert Scope("block", Scope("global", None)).function is None


def test_a_function_is_known_by_its_absolute_place() -> None:
    program = checked("x = 1\nf(a) => a")
    function = program.functions["f"][0]
    assert program.document.text[function.start : function.end] == "f(a) => a"
    assert [parameter.name for parameter in function.parameters] == ["a"]
