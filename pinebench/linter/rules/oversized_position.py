"""Rule PB3008: sizes above 100 %."""

from __future__ import annotations

from pinebench.linter.rules.orders import direction, entries, texts
from pinebench.linter.rules.ranges import ANYTHING, reachable
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes
from pinebench.reference.strategy_defaults import strategy_defaults


class OversizedPosition(Rule):
    """The default size is more than 100 % of the equity although the margin does not allow it, or an exit, or several
    exits together, close more than 100 % of their position.

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

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report a known percentage above 100."""
        arguments = context.given(node)
        name = "qty_percent" if "qty_percent" in arguments else "default_qty_value"
        if name not in arguments:
            return ()
        given = arguments[name]
        value = reachable(context, given).low
        return self._too_much(context, name, given, value) if value > 100 else ()

    def _too_much(self, context: RuleContext, name: str, given: nodes.Node, value: float) -> Findings:
        if name == "qty_percent":
            yield context.report(
                self.code, given, reason=f"An order cannot close {value:g} % of a position; 100 % is all of it"
            )
        elif _is_percent(context) and _takes_default(context):
            margin = _margin(context)
            if margin is None or value * margin <= 100 * 100:
                return
            reason = f"Each entry takes {value:g} % of the equity, more than a margin of {margin:g} % allows"
            since = strategy_defaults().since
            if since is not None and not _names_type(context):
                reason += f" (without `default_qty_type` the value is a percentage, since about {since})"
            yield context.report(self.code, given, reason=reason)

    def finish(self, context: RuleContext) -> Findings:
        """Report exits in one block that together close more than the position."""
        exits = context.builtin_calls.get("strategy.exit", ())
        parts = [(call, given) for call in exits if (given := context.argument(call, "qty_percent")) is not None]
        return self._together(context, parts) if len(parts) > 1 else ()

    def _together(self, context: RuleContext, parts: list[tuple[nodes.Call, nodes.Node]]) -> Findings:
        totals: dict[tuple[object, ...], float] = {}
        for call, given in parts:
            part = reachable(context, given) if context.argument(call, "qty") is None else ANYTHING
            if part.low != part.high or not 0 < part.low < 100:
                continue
            entry = context.argument(call, "from_entry")
            known = texts(context, entry)
            name = context.text(entry) if entry is not None and known is None else ""
            beside = id(context.block(context.statement(call))), frozenset(known or ()), name
            totals[beside] = totals.get(beside, 0) + part.low
            if totals[beside] - part.low <= 100 < totals[beside]:
                reason = f"Together with the exits before it, this closes {totals[beside]:g} % of the position"
                yield context.report(self.code, given, reason=reason)


def _names_type(context: RuleContext) -> bool:
    return context.declaration is not None and context.argument(context.declaration, "default_qty_type") is not None


def _is_percent(context: RuleContext) -> bool:
    """Whether the default size is a percentage of the equity; without a type it may be one too."""
    if not _names_type(context):
        return strategy_defaults().default_qty_type == "percent_of_equity"
    return context.setting("default_qty_type") == (True, "strategy.percent_of_equity")


def _takes_default(context: RuleContext) -> bool:
    return any(context.argument(call, "qty") is None for call in entries(context))


def _margin(context: RuleContext) -> float | None:
    """The smallest margin, in per cent, of the directions that the strategy trades; None if it is not known."""
    sides = {direction(context, call) for call in entries(context)}
    margins: list[float] = []
    for side in ("long", "short") if None in sides else sides:
        given = context.argument(context.declaration, f"margin_{side}") if context.declaration is not None else None
        value = context.value(given)[1] if given is not None else 100
        if not isinstance(value, int | float):
            return None
        margins.append(value)
    return min(margins, default=None)
