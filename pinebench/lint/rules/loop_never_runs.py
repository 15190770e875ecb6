"""Rule PB1010: a loop whose body never runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.arrays import fixed_size, made_size
from pinebench.lint.rules.look import bare
from pinebench.lint.rules.ranges import Comparison, Range, comparison
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class LoopNeverRuns(Rule):
    """A loop goes over a collection that is surely empty, or its condition is false from the start.

    Bad:

        //@version=6
        indicator("Example")
        i = 10
        while i < 10
            i += 1
        plot(i)

    Good:

        //@version=6
        indicator("Example")
        i = 0
        while i < 10
            i += 1
        plot(i)
    """

    code = "PB1010"
    nodes = (nodes.ForIn, nodes.While)

    def visit(self, node: nodes.ForIn | nodes.While, look: Look) -> Iterator[Diagnostic]:
        """Report an empty collection or a condition that fails before the first round."""
        if isinstance(node, nodes.ForIn):
            symbol = look.symbol(bare(node.collection))
            size = fixed_size(look, symbol) if symbol is not None else made_size(look, node.collection)
            if size == 0:
                yield look.report(self.code, node.collection, reason="nothing is ever put into the collection")
            return
        found = comparison(look, node.condition)
        if found is None or found.number is None:
            return
        start = _value_before(look, node, found.subject)
        if start is not None and not _holds(found, start):
            yield look.report(self.code, node.condition, reason=f"the condition is false for {start:g}")


def _holds(found: Comparison, value: float) -> bool:
    if found.operator == "!=":
        return value != found.number
    return not found.range.both(Range(value, value)).is_empty


def _value_before(look: Look, loop: nodes.While, subject: nodes.Node) -> float | None:
    """The number that a variable surely has where the loop begins: that of the assignment right before in its block."""
    symbol = look.symbol(subject)
    if symbol is None or symbol.mode is not None:
        return None
    value: float | None = None
    for statement in look.block(loop):
        if statement is loop:
            return value
        if isinstance(statement, nodes.VariableDeclaration) and statement is symbol.declaration:
            value = _number(look, statement.value)
        elif isinstance(statement, nodes.Reassignment) and look.symbol(statement.target) is symbol:
            value = _number(look, statement.value) if statement.operator == ":=" else None
        elif any(part in look.writes.get(symbol, ()) for part in walk(statement)):
            value = None
    return None


def _number(look: Look, node: nodes.Node) -> float | None:
    known, value = look.value(node)
    return value if known and isinstance(value, int | float) and not isinstance(value, bool) else None
