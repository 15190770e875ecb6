"""Rule PB7015: a bool that is compared with a bool, or made from one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.check.types import BOOL
from pinebench.diagnostics import Edit, Fix
from pinebench.lint.rules.look import bare
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class NeedlessBool(Rule):
    """A bool is compared with `true` or `false`, or `? true : false` makes a bool of a bool.

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

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report it, with the bool alone as the fix."""
        for choice in look.of(nodes.Ternary):
            value, other = _literal(choice.then), _literal(choice.otherwise)
            if value is not None and other is not None and value is not other:
                yield self._told(look, choice, choice.condition, plain=value)
        for operator in ("==", "!="):
            for node in look.operations.get(operator, ()):
                value, compared = _literal(node.right), node.left
                if value is None:
                    value, compared = _literal(node.left), node.right
                type_ = look.type(bare(compared), node) if value is not None else None
                if type_ is not None and type_.base is BOOL:
                    yield self._told(look, node, compared, plain=value is (operator == "=="))

    def _told(self, look: Look, node: nodes.Node, inner: nodes.Node, *, plain: bool) -> Diagnostic:
        text = look.text(inner)
        if not plain:
            is_simple = isinstance(inner, nodes.Name | nodes.Member | nodes.Call | nodes.Parenthesized)
            text = f"not {text}" if is_simple else f"not ({text})"
        needs = isinstance(look.parent.get(node), nodes.Binary | nodes.Unary | nodes.History)
        fix = None if needs else Fix(f"write {text}", (Edit(look.span(node), text),), True)
        return look.report(self.code, node, fix, shown=look.shown(node), plain=" ".join(text.split()))


def _literal(node: nodes.Node) -> bool | None:
    if isinstance(node, nodes.Parenthesized):
        node = bare(node)
    return node.text == "true" if isinstance(node, nodes.Literal) and node.kind == "bool" else None
