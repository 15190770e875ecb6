"""Rule PB1001: a variable that is never read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.linter.rules.context import block_of
from pinebench.linter.rules.rule import Rule, register
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pinebench.checker import VariableSymbol
    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.rules.context import RuleContext


@register
class UnusedVariable(Rule):
    """A variable gets values that are never read, or that only compute its own next value. It is a leftover, or another
    name is used by mistake.

    The rule does not report names that begin with an underscore, exported variables, the last statement of a block,
    which may give the block's value, and variables with the result of a call that has effects, such as a drawing or an
    input.

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

    def finish(self, context: RuleContext) -> Iterable[Diagnostic]:
        """Report the variables whose every reference is a declaration, an assignment, or part of such an assignment."""
        reads, writes = context.reads, context.writes
        found: list[Diagnostic] = []
        feeding = [each for each in writes if each in reads and _feeds_only_itself(each, context)]
        for symbol in (*context.unread, *feeding):
            node = symbol.declaration
            if type(node) is not nodes.VariableDeclaration or symbol.name.startswith("_"):
                continue
            if node.exported or _ends_its_block(node, context):
                continue
            if all(context.only_gives_a_value(each.value) for each in (node, *writes.get(symbol, ()))):
                found.append(context.report(self.code, symbol.name_node, name=symbol.name))
        return found


def _ends_its_block(node: nodes.VariableDeclaration, context: RuleContext) -> bool:
    return node in context.parent and context.block(node)[-1] is node


def _feeds_only_itself(symbol: VariableSymbol, context: RuleContext) -> bool:
    """Whether a variable is read only to compute the next value of itself, as in `n := n + 1`."""
    writes, reads = context.writes[symbol], context.reads[symbol]
    if len(reads) > context.reads_before[writes[-1]]:
        return False  # a read comes after the last assignment
    if len(writes) > _MOST_WRITES or len(reads) > _MOST_WRITES:
        return False
    places = [(write.value.start, write.value.end) for write in writes]
    if not all(any(start <= read.start < end for start, end in places) for read in reads):
        return False  # a quick test; offsets of different chunks can overlap, so the walk below decides
    fed = {part for write in writes for part in walk(write.value)}
    if not fed.issuperset(reads):
        return False
    return not any(_gives_the_value(write, context) or not context.only_gives_a_value(write.value) for write in writes)


_MOST_WRITES = 8
"""Variables with more assignments or more reads are not examined."""


def _gives_the_value(statement: nodes.Node, context: RuleContext) -> bool:
    """Whether a statement is the last one of a function, or of a structure whose value is used."""
    node = statement
    while (above := context.parent.get(node)) is not None:
        if not isinstance(node, nodes.Case):
            block = block_of(above, node)
            if block is None or block[-1] is not node:
                return block is None
            if isinstance(above, nodes.FunctionDeclaration):
                return True
        node = above
    return False
