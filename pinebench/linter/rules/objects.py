"""Objects of user-defined types that may be `na`, and the conditions that test them first."""

from __future__ import annotations

from pinebench.linter.rules.alike import names_in, same
from pinebench.linter.rules.context import RuleContext
from pinebench.linter.rules.guards import asked, holds_on_first_bar, known_facts, mentions
from pinebench.linter.rules.requests import parts
from pinebench.syntax import nodes
from pinebench.syntax.nodes import Node
from pinebench.syntax.walk import bare, walk

_PLACES = frozenset(("bar_index", "barstate.isfirst", "barstate.islast", "barstate.islastconfirmedhistory"))
"""The names that tell whether there are earlier bars."""


def may_have_objects(context: RuleContext) -> bool:
    """Return whether a script can have objects: of its own types, of a library's types, or of type `chart.point`."""
    bindings = context.program.bindings
    return bool(bindings.types or bindings.imports) or "point" in context.members


def is_object(context: RuleContext, node: Node, within: Node) -> bool:
    """Return whether an expression, part of the node `within`, is an object of a user-defined type or a
    `chart.point`."""
    type_ = context.type(node, within)
    return type_ is not None and (type_.base.kind == "udt" or type_.base.name == "chart.point")


def has_been_looked_at(context: RuleContext, node: Node, wanted: Node, *, old: bool = False) -> bool:
    """Return whether a condition around `node` checks the object `wanted`. With `old`, a check of the number of bars
    counts too."""
    symbol = context.symbol(bare(wanted))
    for condition, _ in asked(context, node):
        if symbol is not None and symbol in mentions(context, condition).symbols:
            return not _is_said_to_be_na(context, node, wanted)
        if old and any(same(part, wanted) or _knows_of_bars(context, part) for part in parts(context, condition)):
            return not _is_said_to_be_na(context, node, wanted)
    return False


def _is_said_to_be_na(context: RuleContext, node: Node, wanted: Node) -> bool:
    return any(truth and _is_na(context, fact, wanted) for fact, truth in known_facts(context, node))


def _knows_of_bars(context: RuleContext, part: Node) -> bool:
    """Whether a part of a condition shows that there are earlier bars, or makes the condition na, and so false, while
    there are none."""
    if isinstance(part, nodes.History) or (context.called(part) or "").startswith("ta."):
        return True
    return type(part) in (nodes.Name, nodes.Member) and context.text(part) in _PLACES


def _is_na(context: RuleContext, fact: Node, wanted: Node) -> bool:
    given = context.argument(fact, "x") if context.called(fact) == "na" else None
    return given is not None and same(given, wanted)


def is_assigned_before(context: RuleContext, node: Node, symbol: object) -> bool:
    """Return whether a variable has been assigned on every path to `node`, or once on the first bar."""
    statement = context.statement(node)
    known = [condition for condition, truth in asked(context, node) if truth]
    while True:
        for each in context.block(statement):
            if each is statement:
                break
            if _assigns(context, each, symbol) or _assigns_if(context, each, symbol, known):
                return True
        above = context.parent.get(statement)
        if above is None:
            return False
        if (
            isinstance(above, nodes.If)
            and statement in (above.otherwise or ())
            and _assigns_on_first_bar(context, above, symbol)
        ):
            return True
        statement = context.statement(above)


def _assigns_if(context: RuleContext, statement: Node, symbol: object, known: list[Node]) -> bool:
    """Whether a statement assigns a variable under a condition that is known to hold."""
    if not isinstance(statement, nodes.If) or not any(same(statement.condition, condition) for condition in known):
        return False
    return any(_assigns(context, each, symbol) for each in statement.body)


def _assigns_on_first_bar(context: RuleContext, statement: nodes.If, symbol: object) -> bool:
    """Whether the block of an `if` runs on the first bar and assigns a variable."""
    return holds_on_first_bar(context, statement.condition) and any(
        _assigns(context, each, symbol) for each in statement.body
    )


def _assigns(context: RuleContext, statement: Node, symbol: object) -> bool:
    """Whether a statement assigns a variable always, or if it is still na, or on the first bar."""
    if isinstance(statement, nodes.Reassignment):
        return context.symbol(statement.target) is symbol
    if not any(
        isinstance(part, nodes.Reassignment) and context.symbol(part.target) is symbol for part in walk(statement)
    ):
        return False
    if isinstance(statement, nodes.If):
        asked_for = list(names_in(statement.condition))
        if any(name.id == "barstate" or context.symbol(name) is symbol for name in asked_for):
            return True
        if _assigns_on_first_bar(context, statement, symbol):
            return True
        branches = [statement.body, statement.otherwise or []]
    elif isinstance(statement, nodes.Switch):
        branches = [case.body for case in statement.cases]
        if statement.cases[-1].condition is not None:
            return False
    else:
        return isinstance(statement, nodes.ONE_TIME)
    return all(any(_assigns(context, each, symbol) for each in branch) for branch in branches)
