"""Rule PB1007: a value that is replaced unread."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pinebench.lint.rules.alike import names_in
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class OverwrittenValue(Rule):
    """A variable is given a value and then another one in the same block, and nothing in between reads it.

    A constant that is written first, such as `x := 0` before the value proper, is left alone.

    Bad:

        //@version=6
        indicator("Example")
        float level = na
        level := ta.highest(20)
        level := ta.lowest(20)
        plot(level)

    Good:

        //@version=6
        indicator("Example")
        float level = ta.highest(20)
        level := math.min(level, ta.lowest(50))
        plot(level)
    """

    code = "PB1007"
    nodes = (nodes.Reassignment,)

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report assignments that the next use of the variable in the same block overwrites."""
        for symbol, writes in look.writes.items():
            declared = symbol.declaration
            firsts: list[nodes.VariableDeclaration | nodes.Reassignment] = []
            if isinstance(declared, nodes.VariableDeclaration) and declared.mode is None:
                firsts = [declared]
            for first, second in pairwise([*firsts, *writes]):
                if not isinstance(second, nodes.Reassignment) or second.operator != ":=":
                    continue
                if isinstance(first, nodes.Reassignment) and first.operator != ":=":
                    continue
                if look.parent.get(first) is not look.parent.get(second):
                    continue
                if first.value.__class__ is nodes.Literal:
                    continue
                block, place = look.place(first)
                if look.place(second)[0] is not block:
                    continue
                if look.value(first.value)[0]:
                    continue  # a first value that is there for safety's sake
                if isinstance(first.value, nodes.If | nodes.Switch | nodes.ForTo | nodes.ForIn | nodes.While):
                    continue
                if not _is_read(look, (block[number] for number in range(place + 1, len(block))), second, symbol):
                    yield look.report(self.code, first, name=symbol.name)


def _is_read(look: Look, following: Iterable[nodes.Node], second: nodes.Reassignment, symbol: object) -> bool:
    """Whether something from behind the first assignment on, up to the value of the second one, reads the variable."""
    for statement in following:
        if statement is second:
            return any(_reads(look, name, symbol) for name in names_in(second.value))
        if any(_reads(look, name, symbol) for name in names_in(statement)):
            return True
        if isinstance(statement, nodes.Break | nodes.Continue):
            return True
        if not isinstance(statement, nodes.Reassignment | nodes.VariableDeclaration | nodes.ExpressionStatement):
            return True
    return True


def _reads(look: Look, name: nodes.Name, symbol: object) -> bool:
    """Whether a name may read the variable, itself or as a function whose body does."""
    if look.symbol(name) is symbol:
        return True
    functions = look.program.bindings.functions.get(name.id, ())
    return any(look.symbol(inner) is symbol for function in functions for inner in names_in(function.node.body))
