"""Rule PB1003: a condition that is always the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pinebench.lint.rules.look import bare
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class ConstantCondition(Rule):
    """A condition has the same value on every bar, so that one of its branches never runs.

    So has one in which `true` stands beside `or`, or `false` beside `and`.

    A constant with a name, such as a switch for drawing helpers, is left alone: it is there to be changed by hand. So
    is `while true`, which a `break` ends.

    Bad:

        //@version=6
        indicator("Example")
        shade = 1 > 2 ? color.red : color.green
        plot(close, color = shade)

    Good:

        //@version=6
        indicator("Example")
        shade = close > open ? color.red : color.green
        plot(close, color = shade)
    """

    code = "PB1003"
    nodes = (nodes.If, nodes.Ternary, nodes.While, nodes.Switch)
    operators = ("and", "or")

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report conditions that are made of literals only."""
        deciding: list[Any] = [*look.of(nodes.If), *look.of(nodes.Ternary), *look.of(nodes.While)]
        deciding += [
            case
            for switch in look.of(nodes.Switch)
            if switch.subject is None
            for case in switch.cases
            if case.condition is not None and not isinstance(case.condition, nodes.Literal)
        ]
        for node in deciding:
            condition = node.condition
            if type(condition) is nodes.Binary and type(condition.left) in _NAMED:  # as most are
                continue
            if type(condition) in _NAMED or _has_name(condition):
                continue
            known, value = look.value(node.condition)
            if known and isinstance(value, bool) and not (value and isinstance(node, nodes.While)):
                yield look.report(self.code, node.condition, value="true" if value else "false")
        for operator, literal in (("or", "true"), ("and", "false")):
            for node in look.operations.get(operator, ()):
                if _PLAIN.isdisjoint((type(node.left), type(node.right))):
                    continue
                sides = (bare(node.left), bare(node.right))
                if any(isinstance(part, nodes.Literal) and part.text == literal for part in sides):
                    yield look.report(self.code, node, value=literal)


_PLAIN = frozenset((nodes.Literal, nodes.Parenthesized))
_NAMED = (nodes.Name, nodes.Member, nodes.Call, nodes.History)


def _has_name(condition: nodes.Node) -> bool:
    """Whether a condition names anything."""
    while isinstance(condition, nodes.Binary):
        if type(condition.left) in _NAMED or type(condition.right) in _NAMED:
            return True
        if type(condition.right) is not nodes.Literal and _has_name(condition.right):
            return True
        condition = condition.left
    return type(condition) in _NAMED or any(isinstance(part, nodes.Name) for part in walk(condition))
