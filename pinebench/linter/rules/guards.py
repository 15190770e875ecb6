"""The conditions that hold when a node runs: conditions around it, and flags that were set together with a change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from pinebench import reference
from pinebench.checker import VariableSymbol
from pinebench.linter.rules.context import RuleContext, once_each
from pinebench.linter.rules.requests import parts
from pinebench.records import NamedTuple
from pinebench.syntax import nodes
from pinebench.syntax.nodes import Node
from pinebench.syntax.walk import walk


def asked(context: RuleContext, node: Node) -> Iterator[tuple[Node, bool]]:
    """Yield the conditions on which a node runs, each with the value that it must have.

    Conditions of earlier outermost `if` statements that stop the script are included.
    """
    for condition, truth in context.conditions(node):
        if condition is not None:
            yield condition, truth
        else:
            yield from _chosen_by(context, node)
    stops = context.once(_stops)
    if stops:
        start = context.span(node).start
        yield from ((condition, False) for end, condition in stops if end <= start)


def _chosen_by(context: RuleContext, node: Node) -> Iterator[tuple[Node, bool]]:
    """Yield the subjects of the `switch` statements with an arm that contains `node`, and the conditions of these
    arms."""
    for arm in context.parents(node):
        switch = context.parent.get(arm) if isinstance(arm, nodes.Case) else None
        if isinstance(switch, nodes.Switch) and switch.subject is not None and isinstance(arm, nodes.Case):
            yield switch.subject, True
            if arm.condition is not None:
                yield arm.condition, True


def _stops(context: RuleContext) -> list[tuple[int, Node]]:
    """The end of each outermost `if` that stops the script, and its condition."""
    found: list[tuple[int, Node]] = []
    for call in context.calls("runtime.error"):
        branch = context.parent.get(context.statement(call))
        if isinstance(branch, nodes.If) and branch.otherwise is None and branch not in context.parent:
            found.append((context.span(branch).end, branch.condition))
    return found


def known_facts(context: RuleContext, node: Node) -> Iterator[tuple[Node, bool]]:
    """Yield the conditions of `asked`, split at `and`, `or` and `not` wherever each part must have one value."""
    pending = list(asked(context, node))
    while pending:
        condition, truth = pending.pop()
        if isinstance(condition, nodes.Parenthesized):
            pending.append((condition.expression, truth))
        elif isinstance(condition, nodes.Unary) and condition.operator == "not":
            pending.append((condition.operand, not truth))
        elif isinstance(condition, nodes.Binary) and condition.operator == ("and" if truth else "or"):
            pending += [(condition.left, truth), (condition.right, truth)]
        else:
            yield condition, truth


def on_every_way(context: RuleContext, node: Node, holds: Callable[[Node], bool]) -> bool:
    """Return whether `holds` is true for a node or, if the node is in a function, for each call of the function."""
    seen: set[Node] = set()
    pending = [node]
    while pending:
        each = pending.pop()
        if holds(each):
            continue
        function = context.function(each)
        sites = (
            context.call_sites.get(context.program.bindings.function_of[function], []) if function is not None else []
        )
        if not sites:
            return False
        pending += [site for site in sites if site not in seen]
        seen.update(sites)
    return True


def holds_on_first_bar(context: RuleContext, condition: Node) -> bool:
    """Return whether a condition certainly holds on the first bar: `barstate.isfirst`, `bar_index == 0`, or `bar_index
    % n == 0` with any `n`."""
    node = context.value_node(condition)
    if not isinstance(node, nodes.Binary):
        return context.text(node) == "barstate.isfirst"
    if node.operator != "==" or context.value(node.right) != (True, 0):
        return False
    counted = context.value_node(node.left)
    if isinstance(counted, nodes.Binary) and counted.operator == "%":
        counted = counted.left
    return isinstance(counted, nodes.Name) and counted.id == "bar_index" and context.symbol(counted) is None


def is_noted(context: RuleContext, node: Node, changes: Iterable[Node]) -> bool:
    """Return whether a condition or a `for` loop around `node` depends on something that records one of `changes`. This
    is a flag, a counter or a field that the block of the change assigns, or the position if the block places an
    order."""
    noted = _noted(context, changes)
    if not noted.symbols and not noted.fields and not noted.orders:
        return False
    for fact, truth in known_facts(context, node):
        symbol = context.symbol(fact)
        if symbol is not None and symbol.value is not None and context.value(symbol.value) == (True, truth):
            continue  # the flag has this value from the start
        if _is_among(mentions(context, fact), noted):
            return True
    bounds = (
        bound for loop in context.loops(node) if isinstance(loop, nodes.ForTo) for bound in (loop.first, loop.last)
    )
    return any(_is_among(mentions(context, bound), noted) for bound in bounds)


class _NotedChanges(NamedTuple):
    """The changes beside other changes: assigned variables, assigned fields by their last names, and whether orders are
    placed."""

    symbols: set[VariableSymbol]
    fields: set[str]
    orders: bool


def _noted(context: RuleContext, changes: Iterable[Node]) -> _NotedChanges:
    symbols: set[VariableSymbol] = set()
    fields: set[str] = set()
    orders = False
    for statement in changes:
        block = home(context, statement)
        if block is context.statements:
            continue  # global statements run on every bar
        for part in walk(block):
            if isinstance(part, nodes.Reassignment) and part is not statement:
                symbol = context.symbol(part.target)
                if symbol is not None:
                    symbols.add(symbol)
                elif isinstance(part.target, nodes.Member):
                    fields.add(part.target.name)
            elif isinstance(part, nodes.Call):
                called = context.called(part)
                if called in _ORDERS:
                    orders = True
                elif called in _FILLING:
                    filled = context.symbol(context.argument(part, "id"))
                    symbols.update(() if filled is None else (filled,))
    return _NotedChanges(symbols, fields, orders)


def home(context: RuleContext, statement: Node) -> Sequence[Node]:
    """Return the block that contains a statement; if the statement is in a loop, the block that contains the outermost
    loop."""
    above = context.parent.get(statement)
    while isinstance(above, nodes.LOOPS):
        statement, above = above, context.parent.get(above)
    return context.block(statement)


_ORDERS = reference.having("enters")
_FILLING = reference.having("adds")


def _is_among(mentioned: Mentions, noted: _NotedChanges) -> bool:
    if noted.orders and mentioned.strategy:
        return True
    return not (mentioned.symbols.isdisjoint(noted.symbols) and mentioned.fields.isdisjoint(noted.fields))


class Mentions(NamedTuple):
    """Everything that an expression depends on: its variables, the names after a dot in it, and whether it uses the
    namespace `strategy`.

    The values of its variables and the bodies of its functions are included.
    """

    symbols: frozenset[VariableSymbol]
    fields: frozenset[str]
    strategy: bool


@once_each
def mentions(context: RuleContext, node: Node) -> Mentions:
    """Return everything that an expression depends on. The result is computed once for each expression."""
    symbols: set[VariableSymbol] = set()
    members: list[nodes.Member] = []
    for part in parts(context, node):
        if isinstance(part, nodes.Member):
            members.append(part)
        elif (symbol := context.symbol(part)) is not None:
            symbols.add(symbol)
    strategy = any(isinstance(each.object, nodes.Name) and each.object.id == "strategy" for each in members)
    return Mentions(frozenset(symbols), frozenset(each.name for each in members), strategy)


def with_calls(context: RuleContext, statements: Iterable[Node]) -> list[Node]:
    """Return `statements` and, for each statement inside a function, the statements that call the function."""
    found = list(dict.fromkeys(statements))
    for statement in found:  # the list grows during the loop
        function = context.function(statement)
        if function is not None:
            calls = context.call_sites.get(context.program.bindings.function_of[function], ())
            found += [each for call in calls if (each := context.statement(call)) not in found]
    return found
