"""Rule PB7010: an input without a tooltip."""

from __future__ import annotations

from pinebench.linter.rules.rule import Findings, Rule, RuleContext
from pinebench.linter.rules.settings import INPUTS, input_name, inputs


class InputWithoutTooltip(Rule):
    """An input has no tooltip. A tooltip can say what the setting changes, and its unit.

    Bad:

        //@version=6
        indicator("Example")
        length = input.int(20, "Length")
        plot(ta.sma(close, length))

    Good:

        //@version=6
        indicator("Example")
        length = input.int(20, "Length", tooltip = "Bars in the average.")
        plot(ta.sma(close, length))
    """

    code = "PB7010"
    calls = INPUTS

    def finish(self, context: RuleContext) -> Findings:
        """Report inputs without a tooltip, except inputs on a line with others, because another may have the
        tooltip."""
        return [
            context.report(self.code, call, name=input_name(context, call))
            for call, given in inputs(context)
            if "tooltip" not in given and "inline" not in given
        ]
