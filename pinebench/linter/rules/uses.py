"""Finds the uses of an expression's value, and checks whether all of them run only on the last bar."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pinebench.linter.rules.context import RuleContext, once
from pinebench.syntax import nodes
from pinebench.syntax.nodes import Node


def every_use(context: RuleContext, uses: Iterable[Node], suits: Callable[[RuleContext, Node], bool]) -> bool:
    """Return whether `suits` is true for each use of a value. If it is false for a use that is stored in a variable or
    returned by a function, it must be true for each use of that variable or function instead."""
    seen: set[Node] = set()
    pending = [*uses]
    while pending:
        each = pending.pop()
        if each in seen or suits(context, each):
            continue
        seen.add(each)
        further = _uses(context, each)
        if not further:
            return False
        pending += further
    return True


def _uses(context: RuleContext, node: Node) -> list[Node]:
    """The places that use the value of the statement with `node`: the reads of its variable, or the calls of its
    function. Empty if no later code uses the value."""
    statement = context.statement(node)
    if isinstance(statement, (nodes.VariableDeclaration, nodes.TupleDeclaration)):
        names = [statement.name] if isinstance(statement, nodes.VariableDeclaration) else statement.names
        return [read for name in names for read in context.reads.get(context.program.bindings.variables[name], ())]
    symbol = context.symbol(statement.target) if isinstance(statement, nodes.Reassignment) else None
    if symbol is not None:
        return [read for read in context.reads.get(symbol, ()) if context.statement(read) is not statement]
    function = context.function(statement)
    if function is None or function.body[-1] is not statement:
        return []
    return [*context.call_sites.get(context.program.bindings.function_of[function], ())]


@once
def kept(context: RuleContext) -> dict[str, list[nodes.VariableDeclaration]]:
    """Return the declarations with `var` and with `varip`, by keyword."""
    found: dict[str, list[nodes.VariableDeclaration]] = {"var": [], "varip": []}
    for each in context.of(nodes.VariableDeclaration):
        if each.mode is not None:
            found[each.mode].append(each)
    return found


def is_on_last_bar(context: RuleContext, node: Node) -> bool:
    """Return whether a node runs only on the last bar, because of a condition around it or around every call of its
    function."""
    for fact, truth in context.facts(node):
        text = "".join(context.text(fact).split()) if truth else ""
        if "barstate.islast" in text or text in _ON_THE_LAST:
            return True
    function = context.function(node)
    sites = context.call_sites.get(context.program.bindings.function_of[function], ()) if function is not None else ()
    return bool(sites) and all(is_on_last_bar(context, site) for site in sites)


_ON_THE_LAST = ("bar_index==last_bar_index", "last_bar_index==bar_index", "bar_index>=last_bar_index")
