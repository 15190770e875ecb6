"""Rule PB1001: a variable that is never read."""

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
class UnusedVariable(Rule):
    """A variable is given values and nothing reads them: it is left over, or another name was meant where it should be.

    Left alone are names that begin with an underscore, what is exported, the last statement of a block, whose value the
    block may give, and variables that keep what a call made, such as a drawing.

    Bad:

        //@version=6
        indicator("Example")
        slow = close[20]
        fast = close[5]
        plot(fast)

    Good:

        //@version=6
        indicator("Example")
        slow = close[20]
        fast = close[5]
        plot(fast - slow)
    """

    code = "PB1001"

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report the variables of which every reference is a declaration or a write."""
        reads = look.reads
        for symbol in look.program.bindings.symbols:
            if symbol in reads:
                continue
            node = symbol.declaration
            if not isinstance(node, nodes.VariableDeclaration):
                continue
            if symbol.name.startswith("_") or node.exported or _ends_its_block(node, look):
                continue
            if not any(isinstance(part, nodes.Call) for part in walk(node.value)):
                yield look.report(self.code, symbol.name_node, name=symbol.name)


def _ends_its_block(node: nodes.VariableDeclaration, look: Look) -> bool:
    return node in look.parent and look.block(node)[-1] is node
