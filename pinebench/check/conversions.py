"""What values become where they are used: an empty value gets its context's type, an integer becomes a float."""

from __future__ import annotations

from collections.abc import Sequence

from pinebench.check.builtins import OverloadSpec, Signature
from pinebench.check.checker import Checker
from pinebench.check.frames import Frame, ResolvedCall
from pinebench.check.symbols import FunctionSymbol, TypeSymbol, VariableSymbol
from pinebench.check.types import FLOAT, INT, NA, SIMPLE, Base, Type
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk


def conversions(checker: Checker, frame: Frame, statements: Sequence[nodes.Node]) -> dict[nodes.Node, Type]:
    """What each expression is turned into where it stands, if into something else.

    An empty value gets the type of its context, and an integer becomes a float where one is asked for, also as the
    element of an array (TradingView's manual, type system). `checker` is the one whose text `statements` are of.
    """
    found: dict[nodes.Node, Type] = {}
    settled: set[nodes.Node] = set()
    for node in walk(statements):
        for part, base in _expectations(checker, frame, node):
            _spread(frame, part, base, found, settled)
    return found


def _spread(
    frame: Frame, node: nodes.Node, base: Base, found: dict[nodes.Node, Type], settled: set[nodes.Node]
) -> None:
    """Turn `node` into the expected base where it is another, and pass the expectation on to the parts of its value.

    What is around a node speaks first, and each node is told once: chains grow long.
    """
    pending = [(node, base)]
    while pending:
        node, base = pending.pop()
        if node in settled or base is NA or base.kind in _OPEN:
            continue
        settled.add(node)
        type_ = frame.types.get(node)
        if type_ is not None and type_.base is NA:
            found[node] = base.at(max(SIMPLE, type_.qualifier))
        elif type_ is not None and _widens(type_.base, base):
            found[node] = base.at(type_.qualifier)
        if isinstance(node, nodes.TupleExpression):
            pending += [(item, wanted.base) for item, wanted in zip(node.items, base.items, strict=False)]
        else:
            pending += [(part, base) for part in _value_parts(node)]


def _widens(base: Base, wanted: Base) -> bool:
    """Whether a value of type `base` is turned into one of type `wanted`."""
    if base is INT:
        return wanted is FLOAT
    return base.kind == wanted.kind == "array" and base.arguments[0] is INT and wanted.arguments[0] is FLOAT


_OPEN = frozenset(("union", "any", "variable", "unknown", "void", "source"))
"""Kinds that leave open what a value is."""


def _value_parts(node: nodes.Node) -> list[nodes.Node]:
    if isinstance(node, nodes.Parenthesized):
        return [node.expression]
    if isinstance(node, nodes.Ternary):
        return [node.then, node.otherwise]
    if isinstance(node, nodes.If):
        return [*_last(node.body), *_last(node.otherwise)]
    if isinstance(node, nodes.Switch):
        return [part for case in node.cases for part in _last(case.body)]
    if isinstance(node, nodes.ForTo | nodes.ForIn | nodes.While):
        return _last(node.body)
    if isinstance(node, nodes.ExpressionStatement):
        return [node.expression]
    return []


def _last(body: Sequence[nodes.Node] | None) -> list[nodes.Node]:
    if not body:
        return []
    last = body[-1]
    return [last.expression if isinstance(last, nodes.ExpressionStatement) else last]


def _expectations(checker: Checker, frame: Frame, node: nodes.Node) -> list[tuple[nodes.Node, Base]]:
    """What `node` expects of its parts."""
    if isinstance(node, nodes.VariableDeclaration):
        return _for_variable(checker, frame, node.name, node.value)
    if isinstance(node, nodes.Reassignment):
        target = frame.types.get(node.target)
        return [(node.value, target.base)] if target is not None else []
    if isinstance(node, nodes.Ternary | nodes.If | nodes.Switch | nodes.ForTo | nodes.ForIn | nodes.While):
        own = frame.types.get(node)
        arms = _for_arms(frame, node) if isinstance(node, nodes.Switch) else []
        return [*arms, *((part, own.base) for part in _value_parts(node))] if own is not None else arms
    if isinstance(node, nodes.FunctionDeclaration | nodes.TypeDeclaration):
        return _for_defaults(checker, node)
    if isinstance(node, nodes.Unary):
        own = frame.types.get(node)
        return [(node.operand, own.base)] if own is not None else []
    if isinstance(node, nodes.History):
        return [(node.offset, INT)]
    if isinstance(node, nodes.Binary):
        left, right = frame.types.get(node.left), frame.types.get(node.right)
        if left is None or right is None:
            return []
        return [(node.left, right.base), (node.right, left.base)]
    if isinstance(node, nodes.Call):
        return _for_call(frame, node)
    return []


def _for_arms(frame: Frame, node: nodes.Switch) -> list[tuple[nodes.Node, Base]]:
    """What the arms of a switch ask is compared with its subject."""
    subject = frame.types.get(node.subject) if node.subject is not None else None
    if subject is None:
        return []
    return [(case.condition, subject.base) for case in node.cases if case.condition is not None]


def _for_variable(checker: Checker, frame: Frame, name: nodes.Name, value: nodes.Node) -> list[tuple[nodes.Node, Base]]:
    symbol: VariableSymbol | None = checker.bindings.variables.get(name)
    if symbol is None:
        return []
    type_ = frame.locals.get(symbol) or symbol.type
    return [(value, type_.base)] if type_ is not None else []


def _for_defaults(
    checker: Checker, node: nodes.FunctionDeclaration | nodes.TypeDeclaration
) -> list[tuple[nodes.Node, Base]]:
    """A default has the type that its parameter or field is declared with."""
    bindings = checker.bindings
    if isinstance(node, nodes.TypeDeclaration):
        owner = bindings.types.get(node.name.id)
        members = list(owner.fields.values()) if owner is not None and owner.node is node else []
    else:
        function = bindings.function_of.get(node)
        members = function.parameters if function is not None else []
    return [(m.default, m.type) for m in members if m.default is not None and m.type is not None]


def _for_call(frame: Frame, node: nodes.Call) -> list[tuple[nodes.Node, Base]]:
    call = frame.calls.get(node)
    if call is None:
        return []
    elements = _elements(frame, node, call)
    found: list[tuple[nodes.Node, Base]] = []
    for name, argument in call.arguments.items():
        base = _parameter_base(call, name)
        if base is None and isinstance(call.target, Signature) and call.target.variadic:
            base = _variadic_base(frame, node)
        if base is not None:
            found.append((argument, _meant(elements.get(base, base), frame.types.get(argument))))
    return found


def _parameter_base(call: ResolvedCall, name: str) -> Base | None:
    """What a call's target declares for the parameter or field called `name`."""
    overload = call.overload
    if isinstance(overload, OverloadSpec) and name in overload.index:
        return overload.parameters[overload.index[name]].base
    if isinstance(call.target, FunctionSymbol):
        return next((parameter.type for parameter in call.target.parameters if parameter.name == name), None)
    if isinstance(call.target, TypeSymbol) and name in call.target.fields:
        return call.target.fields[name].type
    return None


def _variadic_base(frame: Frame, node: nodes.Call) -> Base | None:
    """The arguments of `math.max` and its like have the result's type, those of `array.from` its elements'."""
    result = frame.types.get(node)
    if result is None:
        return None
    return result.base.arguments[0] if result.base.arguments else result.base


def _elements(frame: Frame, node: nodes.Call, call: ResolvedCall) -> dict[Base, Base]:
    """What the type variables of a call stand for, read off its arguments and its result."""
    overload = call.overload
    if not isinstance(overload, OverloadSpec):
        return {}
    found: dict[Base, Base] = {}
    pairs = [
        (overload.parameters[overload.index[name]].base, frame.types.get(argument))
        for name, argument in call.arguments.items()
        if name in overload.index
    ]
    if overload.result.base is not None:
        pairs.append((overload.result.base, frame.types.get(node)))
    # What holds the elements says what they are: a value that is put in is turned into one.
    for pattern, type_ in sorted(pairs, key=lambda pair: pair[0].kind == "variable"):
        if type_ is None or type_.base is NA:
            continue
        for variable, base in zip((pattern, *pattern.arguments), (type_.base, *type_.base.arguments), strict=False):
            if variable.kind == "variable":
                found.setdefault(variable, base)
    return found


def _meant(base: Base, given: Type | None) -> Base:
    """One base for a parameter that takes several: the argument's own, else a float where numbers are taken."""
    if base.kind != "union":
        return base
    if given is not None and given.base in base.arguments:
        return given.base
    names = {member.name: member for member in base.arguments}
    return names.get("float", base.arguments[0])
