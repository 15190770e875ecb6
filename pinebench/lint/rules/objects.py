"""Objects of user-defined types that may not be there: which are `na`, and what has looked at them before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.alike import names_in, same
from pinebench.lint.rules.guards import asked, told
from pinebench.lint.rules.look import bare
from pinebench.lint.rules.requests import parts
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from pinebench.lint.rules.look import Look
    from pinebench.syntax.nodes import Node

_PLACES = frozenset(("bar_index", "barstate.isfirst", "barstate.islast", "barstate.islastconfirmedhistory"))
"""What tells that there are bars before."""


def may_have_objects(look: Look) -> bool:
    """Whether a script has objects at all: of its own types, of a library's, or points of the chart."""
    bindings = look.program.bindings
    return bool(bindings.types or bindings.imports) or "chart.point" in look.program.document.text


def is_object(look: Look, node: Node, within: Node) -> bool:
    """Whether an expression, part of another node, is an object of a user-defined type, or a point of the chart."""
    type_ = look.type(node, within)
    return type_ is not None and (type_.base.kind == "udt" or type_.base.name == "chart.point")


def has_been_looked_at(look: Look, node: Node, wanted: Node) -> bool:
    """Whether a condition around `node` looks at an object, or asks for how many bars there are."""
    return _is_looked_at(look, node, wanted) and not any(
        truth and _is_na(look, fact, wanted) for fact, truth in told(look, node)
    )


def _is_looked_at(look: Look, node: Node, wanted: Node) -> bool:
    symbol = look.symbol(bare(wanted))
    for condition, _ in asked(look, node):
        for part in parts(look, condition):
            if same(part, wanted) or (symbol is not None and look.symbol(part) is symbol):
                return True
            if isinstance(part, nodes.History) or (look.called(part) or "").startswith("ta."):
                return True  # which is na, and so false, while there is nothing before
            if isinstance(part, nodes.Name | nodes.Member) and look.text(part) in _PLACES:
                return True
    return False


def _is_na(look: Look, fact: Node, wanted: Node) -> bool:
    """Whether a condition says that an object is not there."""
    given = look.argument(fact, "x") if look.called(fact) == "na" else None
    return given is not None and same(given, wanted)


def is_assigned_before(look: Look, node: Node, symbol: object) -> bool:
    """Whether an object has been assigned on every way to `node`, or once at the beginning."""
    statement = look.statement(node)
    while True:
        for each in look.block(statement):
            if each is statement:
                break
            if _assigns(look, each, symbol):
                return True
        above = look.parent.get(statement)
        if above is None:
            return False
        statement = look.statement(above)


def _assigns(look: Look, statement: Node, symbol: object) -> bool:
    for part in walk(statement):
        if isinstance(part, nodes.Reassignment) and look.symbol(part.target) is symbol:
            if part is statement or isinstance(statement, nodes.Once):
                return True
            if isinstance(statement, nodes.If):
                asked = {name.id for name in names_in(statement.condition)}
                if "barstate" in asked or "na" in asked or statement.otherwise is not None:
                    return True
    return False
