"""Rules of single built-in functions that their parameter types cannot express."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pinebench.check.evaluator import Evaluator
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from pinebench.check.calls import Argument

Bound = dict[str, "Argument"]

_EXIT_TARGETS = frozenset(("profit", "limit", "loss", "stop"))
_TRAIL = frozenset(("trail_price", "trail_points"))
_SHORT_TITLE = 10


def apply(evaluator: Evaluator, node: nodes.Call, name: str, bound: Bound) -> None:
    """Check the rules of the built-in function `name`, if it has any."""
    rule = _RULES.get(name)
    if rule is not None:
        rule(evaluator, node, bound)


def _strategy_exit(evaluator: Evaluator, node: nodes.Call, bound: Bound) -> None:
    """An exit needs a target: presence is enough, its value is not looked at (recorded message)."""
    if _EXIT_TARGETS & bound.keys() or ("trail_offset" in bound and _TRAIL & bound.keys()):
        return
    evaluator.reporter.report("strategy-exit-without-target", node)


def _declaration(evaluator: Evaluator, node: nodes.Call, bound: Bound) -> None:
    """Remember the declaration statement; a second one is an error."""
    assert isinstance(node.callee, nodes.Name)
    if evaluator.declaration is not None and evaluator.declaration is not node:
        evaluator.reporter.report("declaration-repeated", node, name=node.callee.id)
        return
    evaluator.declaration = node
    evaluator.declaration_kind = node.callee.id
    _short_title(evaluator, node, bound)


def _short_title(evaluator: Evaluator, node: nodes.Call, bound: Bound) -> None:
    argument = bound.get("shorttitle")
    if argument is None or not isinstance(argument.value, nodes.Literal) or argument.value.kind != "string":
        return
    length = len(argument.value.text) - 2
    if length > _SHORT_TITLE:
        evaluator.reporter.report("short-title-too-long", argument.value, length=length)


_RULES: dict[str, Callable[[Evaluator, nodes.Call, Bound], None]] = {
    "strategy.exit": _strategy_exit,
    "indicator": _declaration,
    "strategy": _declaration,
    "library": _declaration,
}
