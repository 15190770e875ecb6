"""Rule PB1014: a value that nobody takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.look import gives_a_value
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class UnusedResult(Rule):
    """A statement only computes a value, and nobody takes it: an assignment was mostly meant. Of functions with a
    history, such as `ta.sma`, calling them for nothing does not help another call either.

    Bad:

        //@version=6
        indicator("Example")
        float average = na
        ta.sma(close, 20)
        plot(average)

    Good:

        //@version=6
        indicator("Example")
        float average = ta.sma(close, 20)
        plot(average)
    """

    code = "PB1014"
    nodes = (nodes.ExpressionStatement,)

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report calls that change nothing and are not the value of their block."""
        for node in look.of(nodes.ExpressionStatement):
            name = look.called(node.expression)
            if name is None or not gives_a_value(name):
                continue
            if node in look.parent and look.block(node)[-1] is node:
                continue
            if all(look.called(part) for part in walk(node) if isinstance(part, nodes.Call)):
                yield look.report(self.code, node, name=f"{name}()")
