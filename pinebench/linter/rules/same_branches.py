"""Rule PB1015: branches that are the same."""

from __future__ import annotations

from pinebench.linter.rules.alike import same
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes


class SameBranches(Rule):
    """All branches of an `if`, of `? :` or of a `switch` are the same, so the condition has no effect.

    Bad:

        //@version=6
        indicator("Example")
        plot(close, color = close > open ? color.green : color.green)

    Good:

        //@version=6
        indicator("Example")
        plot(close, color = close > open ? color.green : color.red)
    """

    code = "PB1015"
    nodes = (nodes.If, nodes.Ternary, nodes.Switch)

    def finish(self, context: RuleContext) -> Findings:
        """Report branches that are the same."""
        for node in context.of(nodes.If):
            if node.otherwise is not None and len(node.body) == len(node.otherwise) and same(node.body, node.otherwise):
                yield context.report(self.code, node.condition, within=node)
        for choice in context.of(nodes.Ternary):
            if same(choice.then, choice.otherwise):
                yield context.report(self.code, choice.condition, within=choice)
        for node in context.of(nodes.Switch):
            first, *others = node.cases
            is_complete = others and others[-1].condition is None
            if is_complete and all(same(first.body, case.body) for case in others):
                yield context.report(self.code, node.subject or first.condition or node, within=node)
