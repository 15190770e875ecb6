"""Rule PB1001: a variable that is never read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.rule import Look, Rule, register
from pinebench.syntax import nodes
from pinebench.syntax.walk import slots, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic, Span


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
    nodes = (
        *(nodes.VariableDeclaration, nodes.Reassignment),
        *(nodes.If, nodes.ForTo, nodes.ForIn, nodes.While, nodes.Case, nodes.Once, nodes.FunctionDeclaration),
    )

    def __init__(self) -> None:
        self._declared: list[tuple[nodes.VariableDeclaration, Span]] = []
        self._writes: set[Span] = set()
        self._last: set[nodes.Node] = set()

    def visit(self, node: nodes.Node, look: Look) -> Iterator[Diagnostic]:
        """Note what is declared, what is only written, and what ends a block."""
        if isinstance(node, nodes.VariableDeclaration):
            self._declared.append((node, look.span(node.name)))
        elif isinstance(node, nodes.Reassignment):
            self._writes.add(look.span(node.target))
        else:
            blocks = (value for name, value in slots(node) if name in ("body", "otherwise"))
            self._last.update(block[-1] for block in blocks if isinstance(block, list) and block)
        yield from ()

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report the variables of which every reference is a declaration or a write."""
        for node, span in self._declared:
            name = node.name.id
            if name.startswith("_") or node.exported or node in self._last:
                continue
            if any(isinstance(part, nodes.Call) for part in walk(node.value)):
                continue
            symbol = look.program.symbol_at(span.start)
            if symbol is None or any(each not in self._writes | {span} for each in look.program.references(symbol)):
                continue
            yield look.report(self.code, span, name=name)
