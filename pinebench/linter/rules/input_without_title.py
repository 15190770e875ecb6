"""Rule PB7008: an input without a title."""

from __future__ import annotations

from pinebench.linter.rules.rule import Findings, Rule, RuleContext
from pinebench.linter.rules.settings import INPUTS, input_name, inputs


class InputWithoutTitle(Rule):
    """An input has no title, so the settings show the name of its variable.

    Bad:

        //@version=6
        indicator("Example")
        maLen = input.int(20)
        plot(ta.sma(close, maLen))

    Good:

        //@version=6
        indicator("Example")
        maLen = input.int(20, "Length of the average")
        plot(ta.sma(close, maLen))
    """

    code = "PB7008"
    calls = INPUTS

    def finish(self, context: RuleContext) -> Findings:
        """Report inputs without a title."""
        return [
            context.report(self.code, call, name=input_name(context, call))
            for call, given in inputs(context)
            if "title" not in given
        ]
