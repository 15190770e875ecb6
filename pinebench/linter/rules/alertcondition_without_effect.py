"""Rule PB6003: an `alertcondition` that the alert dialog never offers."""

from __future__ import annotations

from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes
from pinebench.reference.declarations import standing


class AlertconditionWithoutEffect(Rule):
    """`alertcondition` adds a condition to the alert dialog, but only for indicators. In a strategy or a library it
    does nothing: use `alert`, or the argument `alert_message` of the orders.

    Bad:

        //@version=6
        strategy("Example")
        up = ta.crossover(close, open)
        if up
            strategy.entry("Long", strategy.long)
        if close < open
            strategy.close("Long")
        alertcondition(up, "Up", "Crossed")

    Good:

        //@version=6
        strategy("Example")
        up = ta.crossover(close, open)
        if up
            strategy.entry("Long", strategy.long, alert_message = "Crossed")
        if close < open
            strategy.close("Long")
    """

    code = "PB6003"
    calls = ("alertcondition",)

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report the call in a strategy or a library."""
        kind = context.kind
        return (context.report(self.code, node, kind=kind),) if standing("alertcondition", kind) else ()
