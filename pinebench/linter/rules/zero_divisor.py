"""Rule PB1018: a division by a value that is always 0."""

from __future__ import annotations

from pinebench.linter.rules.division_by_zero import divisions, is_guarded
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes


class ZeroDivisor(Rule):
    """The divisor is the number 0, or a variable that is 0 and never gets another value. The result is na or infinite
    on each bar.

    The rule reports nothing if a condition around the division tests the divisor.

    Bad:

        //@version=6
        indicator("Example")
        step = 0
        plot(close / step)

    Good:

        //@version=6
        indicator("Example")
        step = 10
        plot(close / step)
    """

    code = "PB1018"
    operators = ("/", "%")
    nodes = (nodes.Reassignment,)

    def finish(self, context: RuleContext) -> Findings:
        """Report divisors that are always 0."""
        for node, divisor in divisions(context):
            known, value = context.value(divisor)
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if known and is_number and value == 0 and not is_guarded(context, node, divisor):
                yield context.report(self.code, divisor, within=node)
