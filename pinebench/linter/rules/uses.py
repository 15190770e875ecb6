"""Where the value of an expression goes: which later code uses it, and whether all of that runs on the last bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pinebench.linter.rules.context import RuleContext
    from pinebench.syntax.nodes import Node


def every_use(context: RuleContext, uses: Iterable[Node], suits: Callable[[RuleContext, Node], bool]) -> bool:
    """Whether each of the uses of a value suits, or is kept in a variable or given by a function whose uses do."""
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
    """Where the value is used that a statement makes from `node`; nothing where it is used there and then."""
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


def kept(context: RuleContext) -> dict[str, list[nodes.VariableDeclaration]]:
    """The declarations of variables that keep their value from bar to bar, by their `var` or `varip`."""
    return context.once(_kept)


def _kept(context: RuleContext) -> dict[str, list[nodes.VariableDeclaration]]:
    found: dict[str, list[nodes.VariableDeclaration]] = {"var": [], "varip": []}
    for each in context.of(nodes.VariableDeclaration):
        if each.mode is not None:
            found[each.mode].append(each)
    return found


def is_on_last_bar(context: RuleContext, node: Node) -> bool:
    """Whether a node runs on the last bar only, by a condition around it or around every call of its function."""
    for fact, truth in context.facts(node):
        text = "".join(context.text(fact).split()) if truth else ""
        if "barstate.islast" in text or text in _ON_THE_LAST:
            return True
    function = context.function(node)
    sites = context.call_sites.get(context.program.bindings.function_of[function], ()) if function is not None else ()
    return bool(sites) and all(is_on_last_bar(context, site) for site in sites)


_ON_THE_LAST = ("bar_index==last_bar_index", "last_bar_index==bar_index", "bar_index>=last_bar_index")
