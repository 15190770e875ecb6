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

    def visit(self, node: nodes.Ternary | nodes.Binary, look: Look) -> Iterator[Diagnostic]:
        """Report it, with the bool alone as the fix."""
        if isinstance(node, nodes.Ternary):
            sides = [_literal(node.then), _literal(node.otherwise)]
            if None in sides or sides[0] == sides[1]:
                return
            inner, plain = node.condition, sides[0] is True
        else:
            value = _literal(node.right)
            type_ = look.type(bare(node.left)) if value is not None else None
            if value is None or type_ is None or type_.base is not BOOL:
                return
            inner, plain = node.left, value is (node.operator == "==")
        text = look.text(inner)
        if not plain:
            is_simple = isinstance(inner, nodes.Name | nodes.Member | nodes.Call | nodes.Parenthesized)
            text = f"not {text}" if is_simple else f"not ({text})"
        needs = isinstance(look.parent.get(node), nodes.Binary | nodes.Unary | nodes.History)
        fix = None if needs else Fix(f"write {text}", (Edit(look.span(node), text),), True)
        yield look.report(self.code, node, fix, shown=look.shown(node))


def _literal(node: nodes.Node) -> bool | None:
    node = bare(node)
    return node.text == "true" if isinstance(node, nodes.Literal) and node.kind == "bool" else None
