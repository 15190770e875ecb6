"""Rule PB5002: a field of an object from an earlier bar."""

from __future__ import annotations

from pinebench.linter.rules.guards import on_every_way
from pinebench.linter.rules.objects import has_been_looked_at, is_object, may_have_objects
from pinebench.linter.rules.rule import Diagnostic, Findings, Rule, RuleContext, bare, nodes


class FieldOfOldObject(Rule):
    """A field is read from the object that a variable held some bars ago. On the first bars there is no earlier object,
    and reading a field of `na` stops the script. Keep the field in a variable of its own and read its history, or test
    for `na` first.

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

    def finish(self, context: RuleContext) -> Findings:
        """Report each field that is read from an object of an earlier bar without a test for na."""
        if not may_have_objects(context):
            return ()
        bindings = context.program.bindings
        old = {each for each in bindings.symbols if type(each.value) is nodes.History and not each.reassignments}
        found: list[Diagnostic] = []
        for member in context.every_member if old or _has_fields_of_old(context) else ():
            owner = bare(member.object)
            symbol = bindings.variables.get(owner)
            origin = symbol.value if symbol is not None and symbol in old else owner
            if isinstance(origin, nodes.History) and not _is_safe(context, member, owner, origin):
                found.append(context.report(self.code, member))
        return found


def _has_fields_of_old(context: RuleContext) -> bool:
    """Whether a field is read directly after a history operator."""
    for node in context.of(nodes.History):
        above = context.parent.get(node)
        while isinstance(above, nodes.Parenthesized):
            above = context.parent.get(above)
        if isinstance(above, nodes.Member):
            return True
    return False


def _is_safe(context: RuleContext, node: nodes.Member, owner: nodes.Node, origin: nodes.History) -> bool:
    """Whether a member of an earlier object is a call of a method, or a condition has tested the object."""
    if context.value(origin.offset) == (True, 0):
        return True
    above = context.parent.get(node)
    if isinstance(above, nodes.Call) and above.callee is node:
        return True
    if not is_object(context, origin, node):
        return True
    return on_every_way(context, node, lambda each: has_been_looked_at(context, each, owner, old=True))
