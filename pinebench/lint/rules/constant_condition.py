"""Rule PB1003: a condition that is always the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    nodes = (nodes.If, nodes.Ternary, nodes.While)

    def visit(self, node: nodes.If | nodes.Ternary | nodes.While, look: Look) -> Iterator[Diagnostic]:
        """Report a condition that is made of literals only."""
        condition = node.condition
        if isinstance(condition, nodes.Name | nodes.Call | nodes.Member):
            return
        if any(isinstance(part, nodes.Name) for part in walk(condition)):
            return
        known, value = look.value(condition)
        if not known or not isinstance(value, bool) or (value and isinstance(node, nodes.While)):
            return
        yield look.report(self.code, condition, value="true" if value else "false")
