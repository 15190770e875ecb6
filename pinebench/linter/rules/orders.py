"""Facts about a strategy's orders: the ids of its entries and exits, their directions and their conditions."""

from __future__ import annotations

from collections.abc import Iterator

from pinebench.linter.rules.context import RuleContext, once_each
from pinebench.linter.rules.ranges import FLIPPED, Comparison
from pinebench.linter.rules.requests import parts
from pinebench.linter.rules.signals import ENTRIES, around
from pinebench.syntax import nodes
from pinebench.syntax.nodes import Node
from pinebench.syntax.walk import bare

POSITION = ("strategy.position_size", "strategy.opentrades")
SIZES = frozenset(name.rpartition(".")[2] for name in POSITION)
"""The last parts of the names in `POSITION`, such as `opentrades`."""
PENDING = frozenset(("limit", "stop"))
"""The arguments that make an entry wait for a price."""
STOPS = ("stop", "loss", "trail_price", "trail_points")
"""The prices of an exit that limit a loss."""


def texts(context: RuleContext, node: Node | None, depth: int = 0) -> set[str] | None:
    """Return the strings that an expression can evaluate to, or None if they are not known."""
    if node is None or depth > 8:
        return None
    if type(node) is not nodes.Literal:
        node = context.value_node(node)
    known, value = context.value(node)
    if known:
        return {value} if isinstance(value, str) else None
    if isinstance(node, nodes.Ternary):
        found = [texts(context, each, depth + 1) for each in (node.then, node.otherwise)]
        return set().union(*(each for each in found if each is not None)) if None not in found else None
    symbol = context.symbol(node)
    function = symbol.scope.function if symbol is not None and symbol.kind == "parameter" else None
    if symbol is None or function is None:
        return None
    together: set[str] = set()
    for site in context.call_sites.get(function, ()):
        given = texts(context, context.argument(site, symbol.name), depth + 1)
        if given is None:
            return None
        together |= given
    return together


def entries(context: RuleContext) -> list[nodes.Call]:
    """Return the calls that open positions."""
    return context.calls(*ENTRIES)


def entry_ids(context: RuleContext) -> set[str] | None:
    """Return the ids of all entries, or None if one of them is not known."""
    found: set[str] = set()
    for call in entries(context):
        ids = texts(context, context.argument(call, "id"))
        if ids is None:
            return None
        found |= ids
    return found


def direction(context: RuleContext, call: nodes.Call) -> str | None:
    """Return `long` or `short`, or None if the direction is not known."""
    given = context.argument(call, "direction")
    if type(given) is nodes.Member and context.is_builtin(given):
        return given.name if given.name in ("long", "short") else None
    known, value = context.value(context.value_node(given)) if given is not None else (False, None)
    return {"strategy.long": "long", "strategy.short": "short"}.get(str(value)) if known else None


def shown_id(context: RuleContext, call: nodes.Call) -> str:
    """Return the id of an order for messages: in quotation marks if it is known, otherwise the text of its
    expression."""
    given = context.argument(call, "id")
    known = texts(context, given)
    if known is not None and len(known) == 1:
        return f'"{min(known)}"'
    return context.shown(given) if given is not None else ""


def takes_the_market(context: RuleContext, call: nodes.Call) -> bool:
    """Return whether an order may be filled at the market price: an order without a price, or a stop once the price
    reaches it. A limit order gets its own price or a better one."""
    name = context.called(call)
    if name in ENTRIES:
        return context.argument(call, "limit") is None
    if name == "strategy.exit":
        return any(context.argument(call, stop) is not None for stop in STOPS)
    return True


def is_pending(context: RuleContext, call: nodes.Call) -> bool:
    """Return whether an entry waits for a price, so that it may never be filled."""
    return not PENDING.isdisjoint(context.given(call))


@once_each
def position_facts(context: RuleContext, call: Node) -> list[Comparison]:
    """Return the facts about the position when a call runs, as comparisons of its size or of the number of open
    trades."""
    facts: list[Comparison] = []
    pending = [call]
    seen: set[Node] = set()
    while pending:
        node = pending.pop()
        for condition, truth in context.facts(node):
            found = _asked_of_the_position(context, condition)
            if found is not None:
                facts.append(found if truth else found.denied)
        function = context.function(node)
        if function is not None and function not in seen:
            seen.add(function)
            sites = context.call_sites.get(context.program.bindings.function_of[function], [])
            pending += sites if len(sites) == 1 else []
    return facts


def _asked_of_the_position(context: RuleContext, condition: Node) -> Comparison | None:
    """Return `condition` as a comparison of the position with a number on the right; None for any other condition."""
    if type(condition) is not nodes.Binary or condition.operator not in FLIPPED:
        return None
    subject, other, operator = bare(condition.left), bare(condition.right), condition.operator
    if type(subject) is not nodes.Member or subject.name not in SIZES:
        subject, other, operator = other, subject, FLIPPED[operator]
        if type(subject) is not nodes.Member or subject.name not in SIZES:
            return None
    number = context.value(other)[1]
    if not isinstance(number, int | float) or isinstance(number, bool) or context.text(subject) not in POSITION:
        return None
    return Comparison(subject, operator, number, other)


def adds_nothing(context: RuleContext, call: nodes.Call) -> bool:
    """Return whether an entry runs only while there is no position in its direction."""
    against = {"long": ("<=", 0), "short": (">=", 0)}.get(direction(context, call) or "")
    for fact in position_facts(context, call):
        asked = (fact.operator, fact.number)
        if asked == ("==", 0) or (context.text(fact.subject) == POSITION[0] and asked == against):
            return True
        if context.text(fact.subject) == POSITION[1] and asked in (("<=", 0), ("<", 1)):
            return True
    return False


def has_position(context: RuleContext, call: Node) -> str | None:
    """Return the comparison, as text, that lets a call run only while there is a position, or None if there is no such
    comparison."""
    for fact in position_facts(context, call):
        if (fact.operator, fact.number) in (("!=", 0), (">", 0), ("<", 0), (">=", 1)):
            return f"{context.text(fact.subject)} {fact.operator} {fact.number:g}"
    return None


def deciding(context: RuleContext, *calls: nodes.Call) -> Iterator[Node]:
    """Yield every part of the conditions on which the calls run, including the values of their variables and the bodies
    of their functions."""
    conditions = [condition for call in calls for condition in around(context, call)]
    return parts(context, *conditions, conditions=True)
