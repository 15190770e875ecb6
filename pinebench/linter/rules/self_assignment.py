"""Rule PB1002: a variable or field that is assigned to itself."""

from __future__ import annotations

from pinebench.linter.rules.rule import Findings, Rule, RuleContext, bare, nodes, path


class SelfAssignment(Rule):
    """A variable or a field is assigned to itself, which changes nothing. Usually another name was meant on one side.

    Bad:

        //@version=6
        indicator("Example")
        var float highest = high
        if high > highest
            highest := highest
        plot(highest)

    Good:

        //@version=6
        indicator("Example")
        var float highest = high
        if high > highest
            highest := high
        plot(highest)
    """

    code = "PB1002"
    nodes = (nodes.Reassignment,)

    def finish(self, context: RuleContext) -> Findings:
        """Report `x := x` and `a.b := a.b`."""
        for node in context.of(nodes.Reassignment):
            value = bare(node.value)
            if node.operator != ":=" or type(value) is not type(node.target):
                continue
            name = path(node.target)
            if name is not None and name == path(value):
                yield context.report(self.code, node, name=name)
