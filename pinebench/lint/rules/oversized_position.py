"""Rule PB3008: sizes above all that there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class OversizedPosition(Rule):
    """The default size is more than 100 % of the equity though the margin does not allow it, or an exit closes more
    than 100 % of its position.

    Bad:

        //@version=6
        strategy("Example", default_qty_type = strategy.percent_of_equity, default_qty_value = 150)
        if close > open
            strategy.entry("Long", strategy.long)
        if close < open
            strategy.close("Long")

    Good:

        //@version=6
        strategy("Example", default_qty_type = strategy.percent_of_equity, default_qty_value = 50)
        if close > open
            strategy.entry("Long", strategy.long)
        if close < open
            strategy.close("Long")
    """

    code = "PB3008"
    calls = ("strategy", "strategy.exit", "strategy.close")

    def visit(self, node: nodes.Call, look: Look) -> Iterator[Diagnostic]:
        """Report a known percentage above 100."""
        name = "default_qty_value" if look.called(node) == "strategy" else "qty_percent"
        given = look.argument(node, name)
        known, value = look.value(given) if given is not None else (False, None)
        if given is None or not known or not isinstance(value, int | float) or value <= 100:
            return
        if name == "qty_percent":
            yield look.report(self.code, given, reason=f"{value:g} % of a position cannot be closed")
        elif look.setting("default_qty_type") == (True, "strategy.percent_of_equity") and not _on_margin(look):
            reason = f"Each entry takes {value:g} % of the equity, more than a margin of 100 % allows"
            yield look.report(self.code, given, reason=reason)


def _on_margin(look: Look) -> bool:
    for side in ("margin_long", "margin_short"):
        given = look.argument(look.declaration, side) if look.declaration is not None else None
        if given is not None and look.value(given)[1] != 100:
            return True
    return False
