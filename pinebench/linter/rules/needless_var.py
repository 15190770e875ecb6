"""Rule PB7012: `var` for a value that is the same on every bar."""

from __future__ import annotations

from pinebench.checker import CONST, INPUT, Type
from pinebench.linter.rules.rule import Diagnostic, Findings, Rule, RuleContext, nodes
from pinebench.linter.rules.settings import INPUTS
from pinebench.linter.rules.uses import kept


class NeedlessVar(Rule):
    """A variable is declared with `var`, its value is a constant or an input, and it is never reassigned.

    The rule does not report objects and collections, values of the first bar such as `var start = close`, or values
    that are computed from inputs.

    Bad:

        //@version=6
        indicator("Example")
        var length = 20
        plot(ta.sma(close, length))

    Good:

        //@version=6
        indicator("Example")
        length = 20
        plot(ta.sma(close, length))
    """

    code = "PB7012"
    nodes = (nodes.VariableDeclaration,)

    def finish(self, context: RuleContext) -> Findings:
        """Report constants and inputs that are declared with `var`."""
        found: list[Diagnostic] = []
        for node in kept(context)["var"]:
            symbol = context.symbol(node.name)
            if symbol is None or symbol.reassignments:
                continue
            type_ = context.type(node.value, node)
            if type_ is not None and type_.base.kind in ("scalar", "enum") and _is_fixed(context, node.value, type_):
                found.append(context.report(self.code, node.name, name=symbol.name))
        return found


def _is_fixed(context: RuleContext, node: nodes.Node, type_: Type) -> bool:
    """Whether an expression is a constant other than na, or an input."""
    if type(node) is nodes.Literal:
        return True
    known, value = context.value(node)
    if known:
        return value is not None
    return type_.qualifier == CONST or (type_.qualifier == INPUT and context.called(node) in INPUTS)
