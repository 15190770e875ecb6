"""Rule PB5006: a field of an object that may be na."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.look import bare
from pinebench.lint.rules.objects import has_been_looked_at, is_assigned_before, is_object
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class FieldOfNaObject(Rule):
    """A variable begins as `na`, is assigned on some condition, and its field is read without asking whether there is
    an object. On the bars before the first assignment that stops the script.

    Bad:

        //@version=6
        indicator("Example")
        type Level
            float price
        var Level last = na
        if ta.crossover(close, ta.sma(close, 20))
            last := Level.new(close)
        plot(last.price)

    Good:

        //@version=6
        indicator("Example")
        type Level
            float price
        var Level last = na
        if ta.crossover(close, ta.sma(close, 20))
            last := Level.new(close)
        plot(na(last) ? na : last.price)
    """

    code = "PB5006"
    nodes = (nodes.Member,)

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Look at the members, where there are objects at all."""
        if look.program.bindings.types or look.program.bindings.imports:
            for member in look.of(nodes.Member):
                yield from self._member(member, look)

    def _member(self, node: nodes.Member, look: Look) -> Iterator[Diagnostic]:
        """Report a field of such a variable, where nothing has looked at it and nothing has surely assigned it."""
        owner = bare(node.object)
        symbol = look.symbol(owner)
        if symbol is None or symbol.kind != "variable" or not isinstance(symbol.value, nodes.Name):
            return
        if look.value(symbol.value) != (True, None) or not symbol.reassignments:
            return
        above = look.parent.get(node)
        if isinstance(above, nodes.Call) and above.callee is node:
            return
        if not is_object(look, owner):
            return
        if not has_been_looked_at(look, node, owner) and not is_assigned_before(look, node, symbol):
            yield look.report(self.code, node, name=symbol.name)
