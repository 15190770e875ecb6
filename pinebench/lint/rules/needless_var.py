"""Rule PB7012: a `var` of a value that is the same on every bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.check.types import CONST, INPUT, SCALARS
from pinebench.lint.rules.rule import Rule, register
from pinebench.lint.rules.settings import INPUTS
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.check.types import Type
    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class NeedlessVar(Rule):
    """A variable is declared with `var`, its value is a constant or an input, and nothing assigns it anew. Objects and
    collections, values of the first bar such as `var start = close`, and what is computed from inputs are left alone.

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

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report such declarations."""
        for node in look.of(nodes.VariableDeclaration):
            if node.mode != "var":
                continue
            symbol = look.symbol(node.name)
            if symbol is None or symbol.reassignments:
                continue
            known, value = look.value(node.value)
            type_ = look.type(node.value, node)
            if type_ is None or not _is_scalar(type_) or (known and value is None):
                continue
            is_input = type_.qualifier == INPUT and look.called(node.value) in INPUTS
            if known or type_.qualifier == CONST or is_input:
                yield look.report(self.code, node.name, name=symbol.name)


def _is_scalar(type_: Type) -> bool:
    return type_.base in SCALARS.values() or type_.base.kind == "enum"
