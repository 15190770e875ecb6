"""Rule PB1006: statements that nothing reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.diagnostics import Span
from pinebench.lint.rules.look import blocks
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class UnreachableCode(Rule):
    """Statements stand behind one that always leaves the block: `break`, `continue` or `runtime.error()`.

    A single value behind `runtime.error()` is left alone: a branch or a function needs one for its type.

    Bad:

        //@version=6
        indicator("Example")
        sum = 0.0
        for i = 0 to 9
            if close[i] < open[i]
                continue
                sum -= close[i]
            sum += close[i]
        plot(sum)

    Good:

        //@version=6
        indicator("Example")
        sum = 0.0
        for i = 0 to 9
            if close[i] < open[i]
                sum -= close[i]
                continue
            sum += close[i]
        plot(sum)
    """

    code = "PB1006"
    nodes = (nodes.Break, nodes.Continue)
    calls = ("runtime.error",)

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report what stands behind a statement that leaves, once for each block."""
        leaving = [*look.of(nodes.Break), *look.of(nodes.Continue)]
        leaving += [look.statement(call) for call in look.calls("runtime.error")]
        for node in dict.fromkeys(look.parent.get(statement) for statement in leaving):
            for block in blocks(node) if isinstance(node, _HOLDING) else ():
                for number, statement in enumerate(block[:-1]):
                    if look.leaves(statement) and not _is_value(block[number + 1 :]):
                        first, last = look.span(block[number + 1]), look.span(block[-1])
                        yield look.report(self.code, Span(first.start, last.end))
                        break


_HOLDING = (nodes.If, nodes.ForTo, nodes.ForIn, nodes.While, nodes.Case)


def _is_value(rest: list[nodes.Statement]) -> bool:
    """Whether what follows is only there as the value of the block."""
    if len(rest) != 1 or not isinstance(rest[0], nodes.ExpressionStatement):
        return False
    return not isinstance(rest[0].expression, nodes.Call)
