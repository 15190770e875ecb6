"""Rule PB7006: an input that is never read."""

from __future__ import annotations

from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes
from pinebench.linter.rules.settings import INPUTS


class UnusedInput(Rule):
    """An input is stored in a variable that is never read, so changing the setting has no effect. Names that begin with
    an underscore are not reported.

    Bad:

        //@version=6
        indicator("Example")
        length = input.int(20, "Length")
        plot(ta.sma(close, 20))

    Good:

        //@version=6
        indicator("Example")
        length = input.int(20, "Length")
        plot(ta.sma(close, length))
    """

    code = "PB7006"
    calls = INPUTS

    def finish(self, context: RuleContext) -> Findings:
        """Report each variable that holds an input and is never read."""
        for symbol in context.unread:
            if symbol.value is None or symbol.name.startswith("_"):
                continue
            declared = symbol.declaration
            if not isinstance(declared, nodes.VariableDeclaration) or declared.exported:
                continue
            if (context.called(symbol.value) or "").startswith("input"):
                yield context.report(self.code, symbol.name_node, name=symbol.name)
