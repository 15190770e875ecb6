"""Implicit conversions: `na` gets the type of its context, and an int becomes a float where one is expected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pinebench.checker.builtins import Signature
from pinebench.checker.checker import Checker
from pinebench.checker.symbols import Frame, FunctionSymbol, ResolvedCall, TypeSymbol, VariableSymbol
from pinebench.checker.types import FLOAT, INT, NA, SIMPLE, Base, Type
from pinebench.syntax import nodes
from pinebench.syntax.walk import branches

_Expected = Sequence[tuple[nodes.Node, Base]]


def conversions(checker: Checker, frame: Frame, statements: Sequence[nodes.Node]) -> dict[nodes.Node, Type]:
    """Return the expressions that are implicitly converted, with the types to which they are converted.

    `na` gets the type of its context. An int becomes a float where one is expected, even as an array element
    (TradingView's manual, type system). `checker` is the checker of the text that contains `statements`.
    """
    found: dict[nodes.Node, Type] = {}
    settled: set[nodes.Node] = set()
    contexts = _Contexts(checker, frame)
    for node in _evaluated(statements):
        expects = _EXPECTATIONS.get(type(node))
        if expects is None:
            continue
        for part, base in expects(contexts, node):
            _spread(frame, part, base, found, settled)
    return found


def _evaluated(statements: Sequence[nodes.Node]) -> Iterator[nodes.Node]:
    """Yield the nodes that are evaluated with `statements`: not the bodies of functions, which have frames of their
    own."""
    for statement in statements:
        if isinstance(statement, nodes.FunctionDeclaration):
            yield statement
            yield from branches(statement.parameters)
        else:
            yield from branches((statement,))


def _spread(
    frame: Frame, node: nodes.Node, base: Base, found: dict[nodes.Node, Type], settled: set[nodes.Node]
) -> None:
    """Convert `node` to the expected base if it has another one, and pass the expectation on to the parts of its
    value.

    The outermost expectation counts, so each node is handled once; chains of nodes can be long.
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
            continue
        parts = _VALUE_PARTS.get(type(node))
        if parts is not None:
            pending += [(part, base) for part in parts(node)]


def _widens(base: Base, wanted: Base) -> bool:
    """Whether a value of type `base` is converted to `wanted`."""
    if base is INT:
        return wanted is FLOAT
    return base.kind == wanted.kind == "array" and base.arguments[0] is INT and wanted.arguments[0] is FLOAT


_OPEN = frozenset(("union", "any", "variable", "unknown", "void", "source"))
"""Kinds that do not determine a single type of value."""


def _last(body: Sequence[nodes.Node] | None) -> list[nodes.Node]:
    if not body:
        return []
    last = body[-1]
    return [last.expression if isinstance(last, nodes.ExpressionStatement) else last]


_VALUE_PARTS: dict[type[nodes.Node], Callable[[Any], list[nodes.Node]]] = {
    nodes.Parenthesized: lambda node: [node.expression],
    nodes.Ternary: lambda node: [node.then, node.otherwise],
    nodes.If: lambda node: [*_last(node.body), *_last(node.otherwise)],
    nodes.Switch: lambda node: [part for case in node.cases for part in _last(case.body)],
    nodes.ForTo: lambda node: _last(node.body),
    nodes.ForIn: lambda node: _last(node.body),
    nodes.While: lambda node: _last(node.body),
    nodes.ExpressionStatement: lambda node: [node.expression],
}
"""Functions that return the parts that can be the value of a node, by class of node."""


class _Contexts:
    """Finds the types that each node expects of its parts, in one frame."""

    def __init__(self, checker: Checker, frame: Frame) -> None:
        self._bindings = checker.bindings
        self._locals = frame.locals
        self._types = frame.types
        self._calls = frame.calls

    def of_variable(self, node: nodes.VariableDeclaration) -> _Expected:
        symbol: VariableSymbol | None = self._bindings.variables.get(node.name)
        if symbol is None:
            return ()
        type_ = self._locals.get(symbol) or symbol.type
        return ((node.value, type_.base),) if type_ is not None else ()

    def of_reassignment(self, node: nodes.Reassignment) -> _Expected:
        target = self._types.get(node.target)
        return ((node.value, target.base),) if target is not None else ()

    def of_structure(self, node: nodes.Node) -> _Expected:
        own = self._types.get(node)
        return [(part, own.base) for part in _VALUE_PARTS[type(node)](node)] if own is not None else ()

    def of_switch(self, node: nodes.Switch) -> _Expected:
        """Return the conditions of the cases, each with the type of the switch's subject, and the values of the
        cases."""
        subject = self._types.get(node.subject) if node.subject is not None else None
        if subject is None:
            return self.of_structure(node)
        asked = [(case.condition, subject.base) for case in node.cases if case.condition is not None]
        return [*asked, *self.of_structure(node)]

    def of_unary(self, node: nodes.Unary) -> _Expected:
        own = self._types.get(node)
        return ((node.operand, own.base),) if own is not None else ()

    def of_history(self, node: nodes.History) -> _Expected:
        return ((node.offset, INT),)

    def of_binary(self, node: nodes.Binary) -> _Expected:
        left, right = self._types.get(node.left), self._types.get(node.right)
        if left is None or right is None:
            return ()
        return (node.left, right.base), (node.right, left.base)

    def of_function(self, node: nodes.FunctionDeclaration) -> _Expected:
        """Return the default of each parameter, with the declared type to which it is converted."""
        function = self._bindings.function_of.get(node)
        members = function.parameters if function is not None else []
        return [(m.default, m.type) for m in members if m.default is not None and m.type is not None]

    def of_type(self, node: nodes.TypeDeclaration) -> _Expected:
        """Return the default of each field, with the declared type to which it is converted."""
        owner = self._bindings.types.get(node.name.id)
        if owner is None or owner.node is not node:
            return ()
        return [(field.default, field.type) for field in owner.fields.values() if field.default is not None]

    def of_call(self, node: nodes.Call) -> _Expected:
        call = self._calls.get(node)
        if call is None:
            return ()
        wanted = _wanted(call)
        elements = self._elements(node, call)
        is_variadic = isinstance(call.target, Signature) and call.target.variadic
        found: list[tuple[nodes.Node, Base]] = []
        for name, argument in call.arguments.items():
            base = wanted.get(name)
            if base is None and is_variadic:
                base = self._variadic_base(node)
            if base is None:
                continue
            base = elements.get(base, base)
            found.append((argument, _meant(base, self._types.get(argument)) if base.kind == "union" else base))
        return found

    def _variadic_base(self, node: nodes.Call) -> Base | None:
        """The base for repeatable arguments: the result's type for functions such as `math.max`, its element type
        for `array.from`."""
        result = self._types.get(node)
        if result is None:
            return None
        return result.base.arguments[0] if result.base.arguments else result.base

    def _elements(self, node: nodes.Call, call: ResolvedCall) -> dict[Base, Base]:
        """The bases of a call's type variables, derived from its arguments and its result."""
        overload = call.overload
        if overload is None or not overload.is_generic:
            return {}
        found: dict[Base, Base] = {}
        pairs = [
            (overload.bases[name], self._types.get(argument))
            for name, argument in call.arguments.items()
            if name in overload.bases
        ]
        if overload.result.base is not None:
            pairs.append((overload.result.base, self._types.get(node)))
        # The collection decides the element type, and a value that is put into it is converted.
        for pattern, type_ in sorted(pairs, key=lambda pair: pair[0].kind == "variable"):
            if type_ is None or type_.base is NA:
                continue
            for variable, base in zip((pattern, *pattern.arguments), (type_.base, *type_.base.arguments), strict=False):
                if variable.kind == "variable":
                    found.setdefault(variable, base)
        return found


def _wanted(call: ResolvedCall) -> Mapping[str, Base | None]:
    """The declared bases of a call's parameters or fields, by name."""
    overload, target = call.overload, call.target
    if overload is not None:
        return overload.bases
    if isinstance(target, FunctionSymbol):
        return {parameter.name: parameter.type for parameter in target.parameters}
    if isinstance(target, TypeSymbol):
        return {name: field.type for name, field in target.fields.items()}
    return {}


def _meant(union: Base, given: Type | None) -> Base:
    """Return the base that a union expects: the argument's own base, or else float if the union has it."""
    if given is not None and given.base in union.arguments:
        return given.base
    names = {member.name: member for member in union.arguments}
    return names.get("float", union.arguments[0])


_EXPECTATIONS: dict[type[nodes.Node], Callable[[_Contexts, Any], _Expected]] = {
    nodes.VariableDeclaration: _Contexts.of_variable,
    nodes.Reassignment: _Contexts.of_reassignment,
    nodes.Ternary: _Contexts.of_structure,
    nodes.If: _Contexts.of_structure,
    nodes.Switch: _Contexts.of_switch,
    nodes.ForTo: _Contexts.of_structure,
    nodes.ForIn: _Contexts.of_structure,
    nodes.While: _Contexts.of_structure,
    nodes.FunctionDeclaration: _Contexts.of_function,
    nodes.TypeDeclaration: _Contexts.of_type,
    nodes.Unary: _Contexts.of_unary,
    nodes.History: _Contexts.of_history,
    nodes.Binary: _Contexts.of_binary,
    nodes.Call: _Contexts.of_call,
}
"""Functions that return the expectations of a node, by class of node. Other classes have none."""
