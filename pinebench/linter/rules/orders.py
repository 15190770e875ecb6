"""What a strategy orders: which ids its entries and exits have, in which direction, and on what conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.linter.rules.look import bare
from pinebench.linter.rules.ranges import FLIPPED, Comparison
from pinebench.linter.rules.requests import parts
from pinebench.linter.rules.signals import ENTRIES, around
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.linter.rules.look import Look
    from pinebench.syntax.nodes import Node

POSITION = ("strategy.position_size", "strategy.opentrades")
SIZES = frozenset(name.rpartition(".")[2] for name in POSITION)
"""The last words of these names."""
PENDING = frozenset(("limit", "stop"))
"""What makes an entry wait for a price."""
STOPS = ("stop", "loss", "trail_price", "trail_points")
"""The prices of an exit that end a loss."""


def texts(look: Look, node: Node | None, depth: int = 0) -> set[str] | None:
    """The texts that an expression can be; None where that is not known."""
    if node is None or depth > 8:
        return None
    if type(node) is not nodes.Literal:
        node = look.value_node(node)
    known, value = look.value(node)
    if known:
        return {value} if isinstance(value, str) else None
    if isinstance(node, nodes.Ternary):
        found = [texts(look, each, depth + 1) for each in (node.then, node.otherwise)]
        return set().union(*(each for each in found if each is not None)) if None not in found else None
    symbol = look.symbol(node)
    function = symbol.scope.function if symbol is not None and symbol.kind == "parameter" else None
    if symbol is None or function is None:
        return None
    together: set[str] = set()
    for site in look.call_sites.get(function, ()):
        given = texts(look, look.argument(site, symbol.name), depth + 1)
        if given is None:
            return None
        together |= given
    return together


def entries(look: Look) -> list[nodes.Call]:
    """The calls that open positions."""
    return look.calls(*ENTRIES)


def entry_ids(look: Look) -> set[str] | None:
    """The ids of all entries; None where one of them is not known."""
    found: set[str] = set()
    for call in entries(look):
        ids = texts(look, look.argument(call, "id"))
        if ids is None:
            return None
        found |= ids
    return found


def direction(look: Look, call: nodes.Call) -> str | None:
    """`long` or `short`; None where it is not known which."""
    given = look.argument(call, "direction")
    if type(given) is nodes.Member and look.is_builtin(given):
        return given.name if given.name in ("long", "short") else None
    known, value = look.value(look.value_node(given)) if given is not None else (False, None)
    return {"strategy.long": "long", "strategy.short": "short"}.get(str(value)) if known else None


def shown_id(look: Look, call: nodes.Call) -> str:
    """The id of an order as messages show it: in quotation marks where it is known, else the expression that it is."""
    given = look.argument(call, "id")
    known = texts(look, given)
    if known is not None and len(known) == 1:
        return f'"{min(known)}"'
    return look.shown(given) if given is not None else ""


def takes_the_market(look: Look, call: nodes.Call) -> bool:
    """Whether an order may be filled at the price that is there: one that waits for nothing, and a stop once it is hit.
    A limit gets its own price."""
    name = look.called(call)
    if name in ENTRIES:
        return look.argument(call, "limit") is None
    if name == "strategy.exit":
        return any(look.argument(call, stop) is not None for stop in STOPS)
    return True


def is_pending(look: Look, call: nodes.Call) -> bool:
    """Whether an entry waits for a price, so that it may be there without ever being filled."""
    return not PENDING.isdisjoint(look.given(call))


def position_facts(look: Look, call: Node) -> list[Comparison]:
    """What is known of the position where a call runs, as comparisons of its size or of the number of open trades."""
    known = look.once(_facts_of_calls)
    if call not in known:
        known[call] = _find_position_facts(look, call)
    return known[call]


def _facts_of_calls(_look: Look) -> dict[Node, list[Comparison]]:
    """The facts of the calls that were asked for, since several rules ask for the same."""
    return {}


def _find_position_facts(look: Look, call: Node) -> list[Comparison]:
    facts: list[Comparison] = []
    pending = [call]
    seen: set[Node] = set()
    while pending:
        node = pending.pop()
        for condition, truth in look.facts(node):
            found = _asked_of_the_position(look, condition)
            if found is not None:
                facts.append(found if truth else found.denied)
        function = look.function(node)
        if function is not None and function not in seen:
            seen.add(function)
            sites = look.call_sites.get(look.program.bindings.function_of[function], [])
            pending += sites if len(sites) == 1 else []
    return facts


def _asked_of_the_position(look: Look, condition: Node) -> Comparison | None:
    """The comparison of the position with a number that a condition is, the number on its right."""
    if type(condition) is not nodes.Binary or condition.operator not in FLIPPED:
        return None
    subject, other, operator = bare(condition.left), bare(condition.right), condition.operator
    if type(subject) is not nodes.Member or subject.name not in SIZES:
        subject, other, operator = other, subject, FLIPPED[operator]
        if type(subject) is not nodes.Member or subject.name not in SIZES:
            return None
    number = look.value(other)[1]
    if not isinstance(number, int | float) or isinstance(number, bool) or look.text(subject) not in POSITION:
        return None
    return Comparison(subject, operator, number, other)


def adds_nothing(look: Look, call: nodes.Call) -> bool:
    """Whether an entry runs only while there is no position in its direction."""
    against = {"long": ("<=", 0), "short": (">=", 0)}.get(direction(look, call) or "")
    for fact in position_facts(look, call):
        asked = (fact.operator, fact.number)
        if asked == ("==", 0) or (look.text(fact.subject) == POSITION[0] and asked == against):
            return True
        if look.text(fact.subject) == POSITION[1] and asked in (("<=", 0), ("<", 1)):
            return True
    return False


def has_position(look: Look, call: Node) -> str | None:
    """The comparison that lets a call run only while there is a position, as text."""
    for fact in position_facts(look, call):
        if (fact.operator, fact.number) in (("!=", 0), (">", 0), ("<", 0), (">=", 1)):
            return f"{look.text(fact.subject)} {fact.operator} {fact.number:g}"
    return None


def deciding(look: Look, *calls: nodes.Call) -> Iterator[Node]:
    """Every part of the conditions on which a call runs, with what their variables and functions stand for."""
    conditions = [condition for call in calls for condition in around(look, call)]
    return parts(look, *conditions, conditions=True)
