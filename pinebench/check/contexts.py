"""Types of `na` by context: what an empty value stands for where it is written."""

from __future__ import annotations

from collections.abc import Sequence

from pinebench.check.builtins import OverloadSpec
from pinebench.check.evaluator import Evaluator, Frame
from pinebench.check.symbols import FunctionSymbol, TypeSymbol, VariableSymbol
from pinebench.check.types import NA, SIMPLE, UNKNOWN_BASE, Base, Type
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk


def empty_types(evaluator: Evaluator, frame: Frame, statements: Sequence[nodes.Node]) -> dict[nodes.Node, Type]:
    """The type that each expression of type na has by its context; those without any context are left out."""
    found: dict[nodes.Node, Type] = {}
    for node in walk(statements):
        for part, base in _expectations(evaluator, frame, node):
            _spread(frame, part, base, found)
    return found


def _spread(frame: Frame, node: nodes.Node, base: Base, found: dict[nodes.Node, Type]) -> None:
    """Give `node` the expected base where it is empty, and pass the expectation on to the parts that make its value."""
    type_ = frame.types.get(node)
    if type_ is None or base is UNKNOWN_BASE or base is NA or base.kind in ("union", "any", "variable"):
        return
    if type_.base is NA:
        found[node] = base.at(max(SIMPLE, type_.qualifier))
    for part in _value_parts(node):
        _spread(frame, part, base, found)


def _value_parts(node: nodes.Node) -> list[nodes.Node]:
    if isinstance(node, nodes.Parenthesized):
        return [node.expression]
    if isinstance(node, nodes.Ternary):
        return [node.then, node.otherwise]
    if isinstance(node, nodes.If):
        return [*_last(node.body), *_last(node.otherwise)]
    if isinstance(node, nodes.Switch):
        return [part for case in node.cases for part in _last(case.body)]
    if isinstance(node, nodes.ExpressionStatement):
        return [node.expression]
    return []


def _last(body: Sequence[nodes.Node] | None) -> list[nodes.Node]:
    if not body:
        return []
    last = body[-1]
    return [last.expression if isinstance(last, nodes.ExpressionStatement) else last]


def _expectations(evaluator: Evaluator, frame: Frame, node: nodes.Node) -> list[tuple[nodes.Node, Base]]:
    """What `node` expects of its parts."""
    if isinstance(node, nodes.VariableDeclaration):
        return _for_variable(evaluator, frame, node.name, node.value)
    if isinstance(node, nodes.Reassignment):
        target = frame.types.get(node.target)
        return [(node.value, target.base)] if target is not None else []
    if isinstance(node, nodes.Ternary | nodes.If | nodes.Switch):
        own = frame.types.get(node)
        return [(node, own.base)] if own is not None else []
    if isinstance(node, nodes.Binary):
        left, right = frame.types.get(node.left), frame.types.get(node.right)
        if left is None or right is None:
            return []
        return [(node.left, right.base), (node.right, left.base)]
    if isinstance(node, nodes.Call):
        return _for_call(frame, node)
    return []


def _for_variable(
    evaluator: Evaluator, frame: Frame, name: nodes.Name, value: nodes.Node
) -> list[tuple[nodes.Node, Base]]:
    symbol: VariableSymbol | None = evaluator.bindings.variables.get(name)
    if symbol is None:
        return []
    type_ = frame.locals.get(symbol) or symbol.type
    return [(value, type_.base)] if type_ is not None else []


def _for_call(frame: Frame, node: nodes.Call) -> list[tuple[nodes.Node, Base]]:
    call = frame.calls.get(node)
    if call is None:
        return []
    found: list[tuple[nodes.Node, Base]] = []
    for name, argument in call.arguments.items():
        base: Base | None = None
        overload = call.overload
        if isinstance(overload, OverloadSpec) and name in overload.index:
            base = overload.parameters[overload.index[name]].base
        elif isinstance(call.target, FunctionSymbol):
            base = next((p.type for p in call.target.parameters if p.name == name), None)
        elif isinstance(call.target, TypeSymbol) and name in call.target.fields:
            base = call.target.fields[name].type
        if base is not None:
            found.append((argument, _plain(base)))
    return found


def _plain(base: Base) -> Base:
    """One base for a parameter that takes several: a float where numbers are taken."""
    if base.kind == "union":
        names = {member.name: member for member in base.arguments}
        return names.get("float", base.arguments[0])
    return base
