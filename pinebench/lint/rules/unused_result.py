"""Rule PB1014: a value that nobody takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench import reference
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

    def visit(self, node: nodes.ExpressionStatement, look: Look) -> Iterator[Diagnostic]:
        """Report a call that changes nothing and is not the value of its block."""
        name = look.called(node.expression)
        function = reference.function(name) if name is not None else None
        if function is None or function.effects.changes or "inputs" in function.effects.reads:
            return
        if all(overload.returns == "void" for overload in function.overloads):
            return
        if node in look.parent and look.block(node)[-1] is node:
            return
        if all(look.called(part) for part in walk(node) if isinstance(part, nodes.Call)):
            yield look.report(self.code, node, name=f"{name}()")
