"""The code behind signals: every node on which orders, alerts and marks on the chart depend."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pinebench import reference
from pinebench.checker import NamedType, VariableSymbol
from pinebench.linter.rules.alike import flattened
from pinebench.linter.rules.context import RuleContext
from pinebench.linter.rules.settings import by_default
from pinebench.syntax import nodes
from pinebench.syntax.nodes import Node
from pinebench.syntax.walk import children, walk

ENTRIES = tuple(sorted(reference.having("enters")))
EXITS = tuple(sorted(reference.having("leaves")))
ORDERS = (*ENTRIES, *EXITS)
ALERTS = ("alert", "alertcondition")
MARKS = ("plotshape", "plotchar", "plotarrow")
SIGNALS = (*ORDERS, *MARKS, *ALERTS)
_TEXTS = frozenset(("comment", "alert_message", "message", "title", "text", "id", "from_entry", "tooltip"))
_DECIDING = {"alertcondition": ("condition",), **dict.fromkeys(MARKS, ("series",))}


class Signals:
    """The code on which signals depend: `fed` maps each node, and `by` each variable, to the call of the first signal
    that it affects. `fed` leaves out literals and the names of variables, namespaces and functions.

    The search follows conditions around a signal, values of variables and of objects' fields, conditions of their
    assignments, parameters and bodies of functions. It does not follow values in collections, or branches that only a
    changed input chooses.
    """

    def __init__(self, context: RuleContext) -> None:
        self.look = context
        self.fed: dict[Node, nodes.Call] = {}
        self.by: dict[VariableSymbol, nodes.Call] = {}
        """The variables that affect signals, each with the call of the first one."""
        self._functions: set[Node] = set()
        self._read: set[tuple[str, object]] = set()
        self._kept = context.once(field_writes)
        self._types: dict[nodes.Member, NamedType | None] = {}
        for call in context.calls(*SIGNALS):
            self._follow(call)

    def _deciding(self, call: nodes.Call) -> Iterator[Node]:
        context = self.look
        name = context.called(call) or ""
        yield from around(context, call)
        if name in _DECIDING:
            parameters: Iterator[str] | tuple[str, ...] = _DECIDING[name]
        elif name == "alert":
            parameters = ()
        else:
            parameters = (each for each in context.program.resolved_calls[call].arguments if each not in _TEXTS)
        for parameter in parameters:
            given = context.argument(call, parameter)
            if given is not None:
                yield given

    def _follow(self, signal: nodes.Call) -> None:
        """Record every node that affects `signal` and did not affect an earlier signal."""
        fed, known, symbols = self.fed, self.by, self.look.program.bindings.variables
        pending: list[Any] = list(self._deciding(signal))
        pop, push = pending.pop, pending.append
        while pending:
            node = pop()
            symbol = symbols.get(node)
            if symbol is not None:
                if symbol not in known:
                    known[symbol] = signal
                    pending += self._behind(symbol)
                continue
            kind = type(node)
            if kind is nodes.Literal or node in fed:
                continue
            fed[node] = signal
            if kind is nodes.Binary:
                push(node.left)
                push(node.right)
            elif kind is nodes.Call:
                pending += [each.value if type(each) is nodes.NamedArgument else each for each in node.arguments]
                callee = node.callee
                if type(callee) is nodes.Member and (type(callee.object) is not nodes.Name or callee.object in symbols):
                    push(callee)
                pending += self._given_by(node)
            elif kind is nodes.Member:
                if type(node.object) is not nodes.Name or node.object in symbols:
                    push(node.object)
                if node.name in self._kept:
                    pending += self._in_field(node)
            elif kind is nodes.Ternary:
                chosen = by_default(self.look, node.condition)
                if chosen is not False:
                    push(node.then)
                if chosen is not True:
                    push(node.otherwise)
                push(node.condition)
            elif kind is not nodes.Name:
                pending += children(node)

    def _given_by(self, call: nodes.Call) -> list[nodes.Statement]:
        """The last statement of the script's function that `call` calls; empty if a call of that function was met
        before.

        The last statement gives the value. Other statements of the function matter only if the last one uses their
        results.
        """
        function = self.look.called_function(call)
        if function is None or function.node in self._functions:
            return []
        self._functions.add(function.node)
        return function.node.body[-1:] if self.look.declares(function) else []

    def _in_field(self, read: nodes.Member) -> list[Node]:
        """The values assigned to the field of an object, and the conditions of these assignments; empty if the field
        was met before."""
        symbol = self.look.symbol(read.object)
        owner = symbol if symbol is not None else self._type_of(read)
        if (read.name, owner) in self._read:
            return []
        self._read.add((read.name, owner))
        found: list[Node] = []
        for write, target in self._kept[read.name]:
            if self._may_be_of_one(read, target):
                found.append(write.value)
                found += [condition for condition, _ in self.look.conditions(write) if condition is not None]
        return found

    def _may_be_of_one(self, first: nodes.Member, second: nodes.Member) -> bool:
        """Whether two fields may belong to the same object: they have the same variable, or one of them has no variable
        of its own and both objects have the same type."""
        one, other = self.look.symbol(first.object), self.look.symbol(second.object)
        if one is not None and one is other:
            return True
        if one is not None and other is not None and one.kind == other.kind == "variable":
            return False
        declared = self._type_of(first)
        return declared is not None and declared is self._type_of(second)

    def _type_of(self, field: nodes.Member) -> NamedType | None:
        """The declaration of the type of the object that has the field."""
        known = self._types
        if field not in known:
            found = self.look.type(field.object, within=field)
            known[field] = found.base.symbol if found is not None else None
        return known[field]

    def _behind(self, symbol: VariableSymbol) -> list[Node]:
        if symbol.kind == "parameter":
            return self._given(symbol)
        declared = symbol.declaration
        found: list[Node] = []
        if type(declared) is nodes.ForTo:
            found += (declared.first, declared.last)
        elif type(declared) is nodes.ForIn:
            found.append(declared.collection)
        elif symbol.value is not None:
            found.append(symbol.value)
        for write in symbol.reassignments:
            found.append(write.value)
            found += [condition.node for condition in write.conditions()]
        return found

    def _given(self, symbol: VariableSymbol) -> list[Node]:
        function = symbol.scope.function
        sites = self.look.call_sites.get(function, ()) if function is not None else ()
        given = [self.look.argument(site, symbol.name) for site in sites]
        return [each for each in given if each is not None]


def signals(context: RuleContext) -> Signals:
    """Return the signals of a script. They are computed only once."""
    return context.once(Signals)


def around(context: RuleContext, node: Node) -> Iterator[Node]:
    """Yield the conditions on which a node runs, including the conditions around the calls of its function."""
    seen: set[Node] = set()
    pending = [node]
    while pending:
        each = pending.pop()
        yield from (condition for condition, _ in context.conditions(each) if condition is not None)
        function = context.function(each)
        if function is not None and function not in seen:
            seen.add(function)
            pending += context.call_sites.get(context.program.bindings.function_of[function], ())


def field_writes(context: RuleContext) -> dict[str, list[tuple[nodes.Reassignment, nodes.Member]]]:
    """Return the assignments to fields of objects, by field name, each with the field that it assigns to."""
    found: dict[str, list[tuple[nodes.Reassignment, nodes.Member]]] = {}
    for each in context.of(nodes.Reassignment):
        if isinstance(each.target, nodes.Member):
            found.setdefault(each.target.name, []).append((each, each.target))
    return found


def known_at(context: RuleContext, signal: nodes.Call) -> Iterator[tuple[Node, bool]]:
    """Yield the conditions that must hold for a signal, each with its value: those that hold when it runs, and the
    operands of `and` in its own condition."""
    yield from context.facts(signal)
    function = context.function(signal)
    sites = context.call_sites.get(context.program.bindings.function_of[function], []) if function is not None else []
    if len(sites) == 1:
        yield from context.facts(sites[0])
    asked = [context.argument(signal, parameter) for parameter in _DECIDING.get(context.called(signal) or "", ())]
    pending = [context.value_node(each) for each in asked if each is not None]
    while pending:
        for part in flattened(pending.pop(), "and"):
            value = context.value_node(part)
            if value is part:
                yield part, True
            else:
                pending.append(value)


_CLOSED = ("isconfirmed", "ishistory")


def is_confirmed(context: RuleContext, call: nodes.Call) -> bool:
    """Return whether a signal waits for the end of the bar: a condition around it or its own condition uses
    `barstate.isconfirmed`."""
    if not any(name in context.program.document.text for name in _CLOSED):
        return False
    if any(truth and context.text(fact) == "barstate.isconfirmed" for fact, truth in known_at(context, call)):
        return True
    asked = [*around(context, call)]
    for parameter in _DECIDING.get(context.called(call) or "", ()):
        given = context.argument(call, parameter)
        if given is not None:
            asked.append(given)
    return any(
        isinstance(part, nodes.Member) and part.name in _CLOSED
        for condition in asked
        for part in walk(context.value_node(condition))
    )
