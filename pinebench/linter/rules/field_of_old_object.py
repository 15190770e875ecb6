"""Rule PB5002: a field of an object of an earlier bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.linter.rules.guards import on_every_way
from pinebench.linter.rules.look import bare
from pinebench.linter.rules.objects import has_been_looked_at, is_object, may_have_objects
from pinebench.linter.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.rules.look import Look


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

    def finish(self, look: Look) -> Iterable[Diagnostic]:
        """Look at the members, where there are objects at all."""
        if not may_have_objects(look):
            return ()
        bindings = look.program.bindings
        old = {each for each in bindings.symbols if type(each.value) is nodes.History and not each.reassignments}
        found: list[Diagnostic] = []
        for member in look.every_member if old or _has_fields_of_old(look) else ():
            owner = bare(member.object)
            symbol = bindings.variables.get(owner)
            origin = symbol.value if symbol is not None and symbol in old else owner
            if isinstance(origin, nodes.History) and not _is_safe(look, member, owner, origin):
                found.append(look.report(self.code, member))
        return found


def _has_fields_of_old(look: Look) -> bool:
    """Whether a field stands right behind a `[]`."""
    for node in look.of(nodes.History):
        above = look.parent.get(node)
        while isinstance(above, nodes.Parenthesized):
            above = look.parent.get(above)
        if isinstance(above, nodes.Member):
            return True
    return False


def _is_safe(look: Look, node: nodes.Member, owner: nodes.Node, origin: nodes.History) -> bool:
    """Whether a field of what `[]` gives is a method's name, or something has looked at the object."""
    if look.value(origin.offset) == (True, 0):
        return True
    above = look.parent.get(node)
    if isinstance(above, nodes.Call) and above.callee is node:
        return True
    if not is_object(look, origin, node):
        return True
    return on_every_way(look, node, lambda each: has_been_looked_at(look, each, owner, old=True))
