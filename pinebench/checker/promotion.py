"""Finds the qualifier that later reassignments give a variable, before the types of those lines are inferred."""

from __future__ import annotations

from pinebench.checker.argument_text import path_of
from pinebench.checker.builtins import signature, value_type
from pinebench.checker.checker import Checker
from pinebench.checker.symbols import BranchCondition, FunctionSymbol, NameBindings, SymbolReassignment, VariableSymbol
from pinebench.checker.types import CONST, SERIES, UNDETERMINED, VOID
from pinebench.syntax import Snapshot, nodes
from pinebench.syntax.walk import walk

_DEPTH = 40


def promotion(checker: Checker, symbol: VariableSymbol) -> int:
    """Return the strongest qualifier among the reassigned values of `symbol` and the conditions around its
    reassignments.

    A variable is as strong as the strongest value that is ever assigned to it, at any position (recorded verdicts:
    later assignments count; an unconditional assignment of a constant leaves it constant).
    """
    walker = _Qualifiers(checker)
    walker.visited.add(symbol)
    return walker.changes(symbol, CONST, 0)


def weak_variables(bindings: NameBindings, document: Snapshot) -> frozenset[VariableSymbol]:
    """Return the global variables that, on each bar, hold their declared value until their first reassignment in the
    text.

    Variables with `var` are excluded, because they have a value from an earlier bar. Also excluded are variables that
    are assigned in a loop, and variables that a function or the expression of a request may read.
    """
    requested: set[VariableSymbol] = set()
    waiting: list[nodes.Node] = [call for _, call in requests_of(document)]
    while waiting:
        for part in walk(waiting.pop()):
            symbol = bindings.variables.get(part) if isinstance(part, nodes.Name) else None
            if symbol is None or symbol in requested:
                continue
            requested.add(symbol)
            if symbol.value is not None:
                waiting.append(symbol.value)
            waiting += [change.value for change in symbol.reassignments]
    return frozenset(
        symbol
        for symbol in bindings.symbols
        if symbol.reassignments
        and symbol.scope.parent is None
        and not (symbol.mode or symbol.assigned_in_loop or symbol.captured or symbol in requested)
    )


def requests_of(document: Snapshot) -> list[tuple[int, nodes.Call]]:
    """Return the calls of `request.*()` functions in a script, each with the start of its top-level statement."""
    return [
        (chunk.start, node)
        for chunk in document.chunks
        for statement in chunk.body
        for node in walk(statement)
        if isinstance(node, nodes.Call) and (path_of(node.callee) or "").startswith("request.")
    ]


def strength_of(checker: Checker, function: FunctionSymbol) -> int:
    """Return the qualifier of a function's result, as far as it is known before the types in its body are inferred."""
    return _Qualifiers(checker).strongest(_tail(function.node.body), 0)


class _Qualifiers:
    """A quick walk that only finds qualifiers; unknown ones are undetermined.

    The answer is the strongest qualifier of everything that can be reached, so each variable, function and condition is
    visited once.
    """

    def __init__(self, checker: Checker) -> None:
        self.checker = checker
        self.visited: set[VariableSymbol | FunctionSymbol | nodes.Node] = set()
        self.ways: set[tuple[BranchCondition, BranchCondition | None]] = set()

    def of(self, node: nodes.Node | None, depth: int) -> int:
        if node is None or isinstance(node, nodes.Literal):
            return CONST
        known = self.checker.frame.types.get(node)
        if known is not None:
            return known.qualifier
        if depth > _DEPTH:
            return UNDETERMINED
        if isinstance(node, nodes.Name):
            return self.name(node, depth)
        if isinstance(node, nodes.Member):
            return self.member(node)
        if isinstance(node, nodes.Call):
            return self.call(node, depth)
        if isinstance(node, nodes.History):
            return SERIES
        if isinstance(node, nodes.ONE_TIME):
            return CONST
        return self.parts(node, depth)

    def parts(self, node: nodes.Node, depth: int) -> int:
        """Return the strongest qualifier of the parts that form the value of an expression or structure."""
        if isinstance(node, nodes.Binary):
            return self.strongest((node.left, node.right), depth)
        if isinstance(node, nodes.Unary):
            return self.of(node.operand, depth + 1)
        if isinstance(node, nodes.Parenthesized):
            return self.of(node.expression, depth + 1)
        if isinstance(node, nodes.Ternary):
            return self.strongest((node.condition, node.then, node.otherwise), depth)
        if isinstance(node, nodes.TupleExpression):
            return self.strongest(tuple(node.items), depth)
        if isinstance(node, nodes.If):
            return self.strongest((node.condition, *_tail(node.body), *_tail(node.otherwise)), depth)
        if isinstance(node, nodes.Switch):
            tails = tuple(part for case in node.cases for part in (case.condition, *_tail(case.body)))
            return self.strongest((node.subject, *tails), depth)
        if isinstance(node, nodes.ForTo | nodes.ForIn | nodes.While):
            return self.strongest(_tail(node.body), depth)
        if isinstance(node, nodes.ExpressionStatement):
            return self.of(node.expression, depth + 1)
        if isinstance(node, nodes.VariableDeclaration | nodes.Reassignment):
            return self.of(node.value, depth + 1)
        return UNDETERMINED

    def strongest(self, parts: tuple[nodes.Node | None, ...], depth: int) -> int:
        strongest = CONST
        for part in parts:
            strongest = max(strongest, self.of(part, depth + 1))
            if strongest == SERIES:
                break
        return strongest

    def name(self, node: nodes.Name, depth: int) -> int:
        symbol = self.checker.bindings.variables.get(node)
        if symbol is None:
            found = value_type(node.id)
            return found.qualifier if found is not None else UNDETERMINED
        if symbol in self.visited:
            return CONST
        typed = self.checker.frame.locals.get(symbol) or symbol.type
        if typed is not None:
            return typed.qualifier
        if symbol.kind in ("counter", "element"):
            return SERIES
        if symbol.kind == "parameter":
            return self.parameter(symbol)
        self.visited.add(symbol)
        return self.changes(symbol, self.of(symbol.value, depth + 1), depth)

    def changes(self, symbol: VariableSymbol, strongest: int, depth: int) -> int:
        """Return the strongest qualifier among the values assigned to `symbol`, the conditions around them, and
        `strongest`."""
        for change in symbol.reassignments:
            if strongest == SERIES:
                break
            strongest = max(strongest, self.strongest((*self.new_conditions(change), change.value), depth))
        return strongest

    def new_conditions(self, change: SymbolReassignment) -> list[nodes.Node]:
        """Return the conditions around an assignment that were not visited yet, innermost first."""
        found: list[nodes.Node] = []
        for condition in change.conditions():
            way = (condition, change.limit)
            if way in self.ways:  # all conditions outside this one were visited already
                break
            self.ways.add(way)
            if condition.node not in self.visited:
                self.visited.add(condition.node)
                found.append(condition.node)
        return found

    def member(self, node: nodes.Member) -> int:
        path = path_of(node)
        if path is None:
            return SERIES
        found = value_type(path)
        if found is not None:
            return found.qualifier
        return CONST if path.partition(".")[0] in self.checker.bindings.enums else UNDETERMINED

    def call(self, node: nodes.Call, depth: int) -> int:
        path = path_of(node.callee)
        arguments = tuple(a.value if isinstance(a, nodes.NamedArgument) else a for a in node.arguments)
        if path is None:
            return UNDETERMINED
        user = self.checker.bindings.functions.get(path)
        if user:
            return self.user_call(user[-1], arguments, depth)
        builtin = signature(path)
        if builtin is None:
            return UNDETERMINED
        results = {overload.result.type.qualifier for overload in builtin.overloads if overload.result.form == "fixed"}
        if builtin.overloads[0].result.type.base is VOID or builtin.overloads[0].result.form != "fixed":
            return self.strongest(arguments, depth)
        if len(results) == 1:
            return results.pop()
        return max(min(results), self.strongest(arguments, depth))

    def user_call(self, function: FunctionSymbol, arguments: tuple[nodes.Node, ...], depth: int) -> int:
        """Return the qualifier of the body, and of the arguments if an untyped parameter takes their type."""
        strongest = CONST
        if function not in self.visited:
            self.visited.add(function)
            strongest = self.strongest(_tail(function.node.body), depth)
        if all(parameter.declared.type is not None for parameter in function.parameters):
            return strongest
        return max(strongest, self.strongest(arguments, depth))

    def parameter(self, symbol: VariableSymbol) -> int:
        """Return the qualifier of a parameter: a typed one is series unless declared or found weaker; an untyped one is
        undetermined."""
        function = symbol.scope.function
        for parameter in function.parameters if function is not None else ():
            if parameter.variable is symbol and parameter.declared.type is not None:
                return SERIES if parameter.qualifier is None else parameter.qualifier
        return UNDETERMINED


def _tail(body: list[nodes.Statement] | None) -> tuple[nodes.Node, ...]:
    return (body[-1],) if body else ()
