"""Rule PB7009: an input without a group in a script with many inputs."""

from __future__ import annotations

from typing import ClassVar

from pinebench.linter.rules.rule import Findings, Option, Rule, RuleContext
from pinebench.linter.rules.settings import INPUTS, inputs


class InputWithoutGroup(Rule):
    """A script has many inputs, and this one has no `group`. Groups make headings in the settings.

    Bad:

        //@version=6
        indicator("Example")
        a = input.int(1, "A")
        b = input.int(2, "B")
        c = input.int(3, "C")
        d = input.int(4, "D")
        e = input.int(5, "E")
        plot(a + b + c + d + e)

    Good:

        //@version=6
        indicator("Example")
        a = input.int(1, "A", group = "First")
        b = input.int(2, "B", group = "First")
        c = input.int(3, "C", group = "First")
        d = input.int(4, "D", group = "Second")
        e = input.int(5, "E", group = "Second")
        plot(a + b + c + d + e)
    """

    code = "PB7009"
    calls = INPUTS
    options: ClassVar = {"most": Option(4, "The number of inputs up to which groups are not required.", least=0)}

    def finish(self, context: RuleContext) -> Findings:
        """Report inputs without a group in a script with many inputs."""
        found, most = inputs(context), context.option(self, "most")
        if not isinstance(most, int) or len(found) <= most:
            return ()
        return [context.report(self.code, call, count=len(found)) for call, given in found if "group" not in given]
