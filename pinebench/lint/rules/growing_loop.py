"""Rule PB4006: a loop that grows with the chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.look import bare
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class GrowingLoop(Rule):
    """A loop on every bar runs to `bar_index`, so that each bar takes longer than the one before. On a long chart
    the script exceeds its time. Keep the result in a `var` variable and add each bar to it, or set a limit.

    Bad:

        //@version=6
        indicator("Example")
        sum = 0.0
        for i = 0 to bar_index
            sum += close[i]
        plot(sum)

    Good:

        //@version=6
        indicator("Example")
        var sum = 0.0
        sum += close
        plot(sum)
    """

    code = "PB4006"
    nodes = (nodes.ForTo, nodes.While)

    def visit(self, node: nodes.ForTo | nodes.While, look: Look) -> Iterator[Diagnostic]:
        """Report a loop whose end is made from `bar_index`, or from `last_bar_index`, without a limit."""
        if isinstance(node, nodes.While):
            return
        first, last = look.value_node(node.first), bare(look.value_node(node.last))
        if _grows(last) == _grows(first):
            return
        if any(look.called(part) in ("math.min", "math.max") for part in walk([first, last])):
            return
        if any(isinstance(part, nodes.Break) for part in walk(node.body)) or any(True for _ in look.conditions(node)):
            return
        yield look.report(self.code, node.last if _grows(last) else node.first)


def _grows(node: nodes.Node) -> bool:
    """Whether an expression is `bar_index`, or that and a number."""
    if isinstance(node, nodes.Name):
        return node.id in ("bar_index", "last_bar_index")
    if isinstance(node, nodes.Binary) and node.operator in ("+", "-", "*", "/"):
        return _grows(bare(node.left)) and isinstance(bare(node.right), nodes.Literal)
    return False
