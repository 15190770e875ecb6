"""Checks whether values stay the same while a bar is open: the value on the first tick of the bar is also the last
value."""

from __future__ import annotations

from pinebench import reference
from pinebench.checker import SIMPLE, VariableSymbol
from pinebench.linter.rules.context import RuleContext, path
from pinebench.syntax import nodes
from pinebench.syntax.nodes import Node

_ONCE_A_BAR = frozenset(("barstate.isconfirmed", "barstate.ishistory", "barstate.isfirst"))
"""States in which a bar is calculated only once."""
_SETTLED = reference.having("settled")
"""Built-in series variables that have only one value within a bar."""
_PURE_NAMESPACES = ("math.", "str.", "color.", "input.")
_PURE = frozenset(("na", "nz", "int", "float", "bool", "string"))
_DEEPEST = 12


def is_same_on_every_tick(context: RuleContext, write: nodes.Reassignment, symbol: VariableSymbol) -> bool:
    """Return whether the assignment `write` would give the `varip` variable `symbol` the same value if the script were
    calculated only once for each bar, at its end."""
    facts = context.facts(write)
    if any(truth and context.text(fact) in _ONCE_A_BAR for fact, truth in facts):
        return True
    is_on_first_tick = any(truth and context.text(fact) == "barstate.isnew" for fact, truth in facts)
    own = symbol if is_on_first_tick else None
    if write.operator != ":=" and own is None:
        return False
    asked = [fact for fact, _ in facts if context.text(fact) not in ("barstate.isnew", f"na({symbol.name})")]
    return all(keeps_its_value(context, node, own) for node in (write.value, *asked))


def keeps_its_value(context: RuleContext, node: Node, own: VariableSymbol | None = None, depth: int = 0) -> bool:
    """Return whether an expression has only one value within a bar, assuming that the variable `own` has only one."""
    if depth > _DEEPEST:
        return False
    if isinstance(node, nodes.History):
        known, back = context.value(node.offset)
        return known and isinstance(back, int) and back >= 1 and _is_no_varip(context, node.object)
    if isinstance(node, nodes.Name):
        return _name_keeps_its_value(context, node, own, depth)
    if isinstance(node, nodes.Member):
        return context.is_builtin(node) and (path(node) in _SETTLED or _is_simple(context, node))
    if isinstance(node, nodes.Call):
        called = context.called(node) or ""
        is_pure = called.startswith(_PURE_NAMESPACES) or called in _PURE
        parts: list[Node] = list(context.given(node).values())
        return is_pure and called != "math.random" and _all_keep(context, parts, own, depth)
    if isinstance(node, nodes.Unary):
        return _all_keep(context, [node.operand], own, depth)
    if isinstance(node, nodes.Binary):
        return _all_keep(context, [node.left, node.right], own, depth)
    if isinstance(node, nodes.Parenthesized):
        return _all_keep(context, [node.expression], own, depth)
    if isinstance(node, nodes.Ternary):
        return _all_keep(context, [node.condition, node.then, node.otherwise], own, depth)
    return isinstance(node, nodes.Literal)


def _all_keep(context: RuleContext, parts: list[Node], own: VariableSymbol | None, depth: int) -> bool:
    return all(keeps_its_value(context, part, own, depth + 1) for part in parts)


def _name_keeps_its_value(context: RuleContext, node: nodes.Name, own: VariableSymbol | None, depth: int) -> bool:
    symbol = context.symbol(node)
    if symbol is None:
        return node.id in _SETTLED or _is_simple(context, node)
    if symbol is own:
        return True
    if symbol.reassignments or symbol.kind != "variable" or symbol.value is None:
        return False
    return keeps_its_value(context, symbol.value, own, depth + 1)


def _is_simple(context: RuleContext, node: Node) -> bool:
    type_ = context.type(node)
    return type_ is not None and type_.qualifier <= SIMPLE


def _is_no_varip(context: RuleContext, node: Node) -> bool:
    symbol = context.symbol(node)
    return symbol is None or symbol.mode != "varip"
