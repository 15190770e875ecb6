"""Rule PB7015: a bool that is compared with a bool or made from one."""

from __future__ import annotations

from pinebench.checker import BOOL
from pinebench.linter.rules.rule import Diagnostic, Edit, Findings, Fix, Rule, RuleContext, bare, nodes


class NeedlessBool(Rule):
    """A bool is compared with `true` or `false`, or `? true : false` makes a bool from a bool.

    Bad:

        //@version=6
        indicator("Example")
        rising = close > open
        plotshape(rising == true)

    Good:

        //@version=6
        indicator("Example")
        rising = close > open
        plotshape(rising)
    """

    code = "PB7015"
    nodes = (nodes.Ternary,)
    operators = ("==", "!=")

    def finish(self, context: RuleContext) -> Findings:
        """Report each comparison or choice that can be replaced by the bool in it. The fix writes that bool or its
        negation."""
        found: list[Diagnostic] = []
        for choice in context.of(nodes.Ternary):
            value = _literal(choice.then)
            other = _literal(choice.otherwise) if value is not None else None
            if value is not None and other is not None and value is not other:
                found.append(self._diagnostic(context, choice, choice.condition, plain=value))
        for operator in self.operators:
            for node in context.operations.get(operator, ()):
                value, compared = _literal(node.right), node.left
                if value is None:
                    value, compared = _literal(node.left), node.right
                type_ = context.type(bare(compared), node) if value is not None else None
                if type_ is not None and type_.base is BOOL:
                    found.append(self._diagnostic(context, node, compared, plain=value is (operator == "==")))
        return found

    def _diagnostic(self, context: RuleContext, node: nodes.Node, inner: nodes.Node, *, plain: bool) -> Diagnostic:
        text = context.text(inner)
        if not plain:
            is_simple = type(inner) in _SIMPLE
            text = f"not {text}" if is_simple else f"not ({text})"
        needs = type(context.parent.get(node)) in _BINDING
        fix = None if needs else Fix(f"write {text}", (Edit(context.span(node), text),), True)
        return context.report(self.code, node, fix, shown=context.shown(node), plain=" ".join(text.split()))


_SIMPLE = (nodes.Name, nodes.Member, nodes.Call, nodes.Parenthesized)
"""The classes of nodes that need no parentheses after `not`."""
_BINDING = (nodes.Binary, nodes.Unary, nodes.History)


def _literal(node: nodes.Node) -> bool | None:
    if type(node) is nodes.Parenthesized:
        node = bare(node)
    return node.text == "true" if type(node) is nodes.Literal and node.kind == "bool" else None
