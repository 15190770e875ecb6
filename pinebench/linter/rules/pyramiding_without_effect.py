"""Rule PB3004: pyramiding that cannot happen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.linter.rules.look import path
from pinebench.linter.rules.orders import POSITION, SIZES, adds_nothing, direction, entries, position_facts
from pinebench.linter.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.rules.look import Look


@register
class PyramidingWithoutEffect(Rule):
    """`pyramiding` allows further entries in the direction of the position, but every entry asks for there being none;
    or an entry asks for a position in its own direction, and `pyramiding` does not allow a second one.

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

    def visit(self, node: nodes.Call, look: Look) -> Iterable[Diagnostic]:
        """Report an allowance that nothing uses, or an entry that lacks one."""
        if not _asks_for_the_position(look):
            return ()
        return self._found(node, look)

    def _found(self, node: nodes.Call, look: Look) -> Iterator[Diagnostic]:
        given = look.argument(node, "pyramiding")
        known, most = look.value(given) if given is not None else (True, 0)
        opening = look.calls("strategy.entry")
        if not known or not isinstance(most, int) or not opening:
            return
        if most > 1 and given is not None:
            sides = [direction(look, call) for call in opening]
            alone = (
                None not in sides
                and len(set(sides)) == len(sides)
                and not any(_repeats(look, call) for call in opening)
            )
            if alone and not look.calls("strategy.order") and all(adds_nothing(look, call) for call in opening):
                reason = f"pyramiding = {most} has no effect: every entry asks for there being no position"
                yield look.report(self.code, given, reason=reason)
            return
        one_way = len({direction(look, call) for call in entries(look)}) == 1
        for call in opening:
            if _adds(look, call, one_way):
                reason = "This entry is never filled: it asks for a position in its own direction, without pyramiding"
                yield look.report(self.code, call, reason=reason)


def _asks_for_the_position(look: Look) -> bool:
    """Whether the size of the position or the number of open trades is asked for anywhere."""
    sizes = [each for name in SIZES if name in look.members for each in look.members[name]]
    return any(path(each) in POSITION and look.is_builtin(each) for each in sizes)


def _repeats(look: Look, call: nodes.Call) -> bool:
    """Whether an entry may be placed several times on one bar, so that more than one of it is filled."""
    function = look.function(call)
    sites = look.call_sites.get(look.program.bindings.function_of[function], ()) if function is not None else ()
    return len(sites) > 1 or bool(look.loops(call))


def _adds(look: Look, call: nodes.Call, one_way: bool) -> bool:
    """Whether an entry runs only while there is a position in its own direction, the only one with `one_way`."""
    facts = position_facts(look, call)
    side = direction(look, call) if facts else None
    wanted = {"long": (">", 0), "short": ("<", 0)}.get(side or "")
    for fact in facts:
        asked = (fact.operator, fact.number)
        if asked == wanted and look.text(fact.subject) == POSITION[0]:
            return True
        if one_way and side is not None and look.text(fact.subject) == POSITION[1] and asked in _SOME:
            return True
    return False


_SOME = ((">", 0), (">=", 1), ("!=", 0))
"""The numbers of open trades that are a position."""
