"""Rule PB7013: a `varip` that could be `var`."""

from __future__ import annotations

from pinebench.linter.rules.rule import Diagnostic, Findings, Rule, RuleContext, bare, nodes
from pinebench.linter.rules.uses import kept


class NeedlessVarip(Rule):
    """A variable is declared with `varip`, but it is never reassigned, or only if `barstate.isconfirmed` is true. With
    `var` it has the same values, and historical bars show the same behaviour as real-time bars.

    Bad:

        //@version=6
        indicator("Example")
        varip count = 0
        if barstate.isconfirmed and close > open
            count += 1
        plot(count)

    Good:

        //@version=6
        indicator("Example")
        var count = 0
        if close > open
            count += 1
        plot(count)
    """

    code = "PB7013"
    nodes = (nodes.VariableDeclaration,)

    def finish(self, context: RuleContext) -> Findings:
        """Report variables whose every assignment waits for the end of the bar; objects are not reported."""
        found: list[Diagnostic] = []
        for node in kept(context)["varip"]:
            symbol = context.symbol(node.name)
            if symbol is None or not all(_waits(context, write) for write in context.writes.get(symbol, ())):
                continue
            if not context.runs_always(node):
                continue  # on an open bar, `var` would be declared again with each tick
            type_ = context.type(node.value, node)
            if type_ is not None and type_.base.kind == "scalar":
                found.append(context.report(self.code, node.name, name=symbol.name))
        return found


def _waits(context: RuleContext, write: nodes.Reassignment) -> bool:
    if any(truth and context.shown(fact) == "barstate.isconfirmed" for fact, truth in context.facts(write)):
        return True
    value = bare(write.value)
    if not isinstance(value, nodes.Ternary) or write.operator != ":=":
        return False
    keeps = context.symbol(bare(value.otherwise)) is context.symbol(write.target)
    return keeps and context.text(bare(value.condition)) == "barstate.isconfirmed"
