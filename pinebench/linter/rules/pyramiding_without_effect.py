"""Rule PB3004: pyramiding that cannot happen."""

from __future__ import annotations

from pinebench.linter.rules.orders import POSITION, SIZES, adds_nothing, direction, entries, position_facts
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes, path


class PyramidingWithoutEffect(Rule):
    """`pyramiding` allows more entries in the direction of the position, but every entry requires that there is no
    position. Or an entry requires a position in its own direction, and `pyramiding` does not allow a second entry.

    Bad:

        //@version=6
        strategy("Example", pyramiding = 3)
        if close > open and strategy.position_size == 0
            strategy.entry("Long", strategy.long)
        if close < open
            strategy.close_all()

    Good:

        //@version=6
        strategy("Example", pyramiding = 3)
        if close > open
            strategy.entry("Long", strategy.long)
        if close < open
            strategy.close_all()
    """

    code = "PB3004"
    calls = ("strategy",)

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report a `pyramiding` that no entry uses, or an entry that needs more pyramiding than is allowed."""
        if not _asks_for_the_position(context):
            return ()
        return self._found(node, context)

    def _found(self, node: nodes.Call, context: RuleContext) -> Findings:
        given = context.argument(node, "pyramiding")
        known, most = context.value(given) if given is not None else (True, 0)
        opening = context.calls("strategy.entry")
        if not known or not isinstance(most, int) or not opening:
            return
        if most > 1 and given is not None:
            sides = [direction(context, call) for call in opening]
            alone = (
                None not in sides
                and len(set(sides)) == len(sides)
                and not any(_repeats(context, call) for call in opening)
            )
            if alone and not context.calls("strategy.order") and all(adds_nothing(context, call) for call in opening):
                reason = f"pyramiding = {most} has no effect: every entry requires that there is no position"
                yield context.report(self.code, given, reason=reason)
            return
        one_way = len({direction(context, call) for call in entries(context)}) == 1
        for call in opening:
            if _adds(context, call, one_way):
                reason = "This entry is never filled: it requires a position in its own direction, without pyramiding"
                yield context.report(self.code, call, reason=reason)


def _asks_for_the_position(context: RuleContext) -> bool:
    sizes = [each for name in SIZES if name in context.members for each in context.members[name]]
    return any(path(each) in POSITION and context.is_builtin(each) for each in sizes)


def _repeats(context: RuleContext, call: nodes.Call) -> bool:
    """Whether an entry may be placed several times on one bar, so that several orders are filled."""
    function = context.function(call)
    sites = context.call_sites.get(context.program.bindings.function_of[function], ()) if function is not None else ()
    return len(sites) > 1 or bool(context.loops(call))


def _adds(context: RuleContext, call: nodes.Call, one_way: bool) -> bool:
    """Whether an entry runs only while there is a position in its own direction; with `one_way`, the strategy has only
    one direction."""
    facts = position_facts(context, call)
    side = direction(context, call) if facts else None
    wanted = {"long": (">", 0), "short": ("<", 0)}.get(side or "")
    for fact in facts:
        asked = (fact.operator, fact.number)
        if asked == wanted and context.text(fact.subject) == POSITION[0]:
            return True
        if one_way and side is not None and context.text(fact.subject) == POSITION[1] and asked in _SOME:
            return True
    return False


_SOME = ((">", 0), (">=", 1), ("!=", 0))
"""The comparisons of the number of open trades that require a position."""
