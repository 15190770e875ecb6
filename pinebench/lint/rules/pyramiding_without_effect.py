"""Rule PB3004: pyramiding that cannot happen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.orders import POSITION, direction, entries, is_flat, position_facts
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


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

    def visit(self, node: nodes.Call, look: Look) -> Iterator[Diagnostic]:
        """Report an allowance that nothing uses, or an entry that lacks one."""
        if not any(look.builtin_name(name) for name in POSITION):
            return
        given = look.argument(node, "pyramiding")
        known, most = look.value(given) if given is not None else (True, 0)
        opening = look.calls("strategy.entry")
        if not known or not isinstance(most, int) or not opening:
            return
        if most > 1 and given is not None:
            sides = [direction(look, call) for call in opening]
            alone = None not in sides and len(set(sides)) == len(sides)  # two of one side may fill on the same bar
            if alone and not look.calls("strategy.order") and all(is_flat(look, call) for call in opening):
                reason = f"pyramiding = {most} has no effect: every entry asks for there being no position"
                yield look.report(self.code, given, reason=reason)
            return
        for call in entries(look) if look.builtin_name("strategy.position_size") else ():
            if look.called(call) == "strategy.entry" and _adds(look, call):
                reason = "This entry is never filled: it asks for a position in its own direction, without pyramiding"
                yield look.report(self.code, call, reason=reason)


def _adds(look: Look, call: nodes.Call) -> bool:
    """Whether an entry runs only while there is a position in its own direction."""
    wanted = {"long": (">", 0), "short": ("<", 0)}.get(direction(look, call) or "")
    return any(
        (fact.operator, fact.number) == wanted and look.text(fact.subject) == "strategy.position_size"
        for fact in position_facts(look, call)
    )
