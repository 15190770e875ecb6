"""Rule PB5002: a field of an object of an earlier bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.guards import on_every_way
from pinebench.lint.rules.look import bare
from pinebench.lint.rules.objects import has_been_looked_at, is_object, may_have_objects
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class FieldOfOldObject(Rule):
    """A field is read from the object that a variable held some bars ago. On the first bars there was none, and reading
    a field of `na` stops the script. Keep the field in a variable of its own and look at its history, or ask first.

    Bad:

        //@version=6
        indicator("Example")
        type Level
            float price
        Level level = Level.new(close)
        plot((level[1]).price)

    Good:

        //@version=6
        indicator("Example")
        type Level
            float price
        Level level = Level.new(close)
        float price = level.price
        plot(price[1])
    """

    code = "PB5002"
    nodes = (nodes.History,)

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Look at the members, where there are objects at all."""
        if may_have_objects(look):
            old = {each for each in look.program.bindings.symbols if isinstance(each.value, nodes.History)}
            for member in look.every_member:
                owner = member.object
                if type(owner) is nodes.Name and not old:  # as most are
                    continue
                owner = bare(owner)
                if isinstance(owner, nodes.History) or look.symbol(owner) in old:
                    yield from self._member(member, look)

    def _member(self, node: nodes.Member, look: Look) -> Iterator[Diagnostic]:
        """Report a field of what `[]` gives, read where nothing has looked at it."""
        owner = bare(node.object)
        if isinstance(owner, nodes.Name):
            symbol = look.symbol(owner)
            if symbol is None or symbol.reassignments or not isinstance(symbol.value, nodes.History):
                return
            origin: nodes.Node = symbol.value
        else:
            origin = owner
        if not isinstance(origin, nodes.History) or look.value(origin.offset) == (True, 0):
            return
        above = look.parent.get(node)
        if isinstance(above, nodes.Call) and above.callee is node:
            return
        if is_object(look, origin, node) and not on_every_way(
            look, node, lambda each: has_been_looked_at(look, each, owner, old=True)
        ):
            yield look.report(self.code, node)
