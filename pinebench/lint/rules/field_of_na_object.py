"""Rule PB5006: a field of an object that may be na."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.guards import is_noted, on_every_way
from pinebench.lint.rules.look import bare
from pinebench.lint.rules.objects import has_been_looked_at, is_assigned_before, is_object, may_have_objects
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.check.symbols import VariableSymbol
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

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Look at the members, where there are objects at all."""
        if not may_have_objects(look):
            return
        doubtful = {symbol for symbol in look.program.bindings.symbols if _begins_as_na(look, symbol)}
        objects: dict[VariableSymbol, bool] = {}
        for member in look.every_member if doubtful else ():
            owner = bare(member.object)
            symbol = look.symbol(owner)
            if symbol is None or symbol not in doubtful:
                continue
            if symbol not in objects:
                objects[symbol] = is_object(look, owner, member)
            if objects[symbol]:
                yield from self._member(member, owner, symbol, look)

    def _member(
        self, node: nodes.Member, owner: nodes.Node, symbol: VariableSymbol, look: Look
    ) -> Iterator[Diagnostic]:
        """Report a field of such a variable, where nothing has looked at it and nothing has surely assigned it."""
        above = look.parent.get(node)
        if isinstance(above, nodes.Call) and above.callee is node:
            return

        def holds(each: nodes.Node) -> bool:
            if is_assigned_before(look, each, symbol) or has_been_looked_at(look, each, owner):
                return True
            return is_noted(look, each, look.writes.get(symbol, ()))

        is_safe = holds(node) if symbol.scope.function is not None else on_every_way(look, node, holds)
        if not is_safe:
            yield look.report(self.code, node, name=symbol.name)


def _begins_as_na(look: Look, symbol: VariableSymbol) -> bool:
    if symbol.kind != "variable" or not isinstance(symbol.value, nodes.Name) or not symbol.reassignments:
        return False
    return look.value(symbol.value) == (True, None)
