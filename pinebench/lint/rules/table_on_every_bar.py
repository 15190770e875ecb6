"""Rule PB4010: a table that is made on every bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class TableOnEveryBar(Rule):
    """`table.new` runs on every bar and makes a new table each time, though only the last one is seen. Make it once
    with `var`, and fill it on `barstate.islast`.

    Bad:

        //@version=6
        indicator("Example")
        board = table.new(position.top_right, 1, 1)
        if barstate.islast
            table.cell(board, 0, 0, str.tostring(close))

    Good:

        //@version=6
        indicator("Example")
        var board = table.new(position.top_right, 1, 1)
        if barstate.islast
            table.cell(board, 0, 0, str.tostring(close))
    """

    code = "PB4010"
    calls = ("table.new",)

    def visit(self, node: nodes.Call, look: Look) -> Iterator[Diagnostic]:
        """Report a table that nothing keeps from being made on every bar."""
        above = [*look.parents(node)]
        if any(isinstance(each, nodes.VariableDeclaration) and each.mode is not None for each in above):
            return
        if look.function(node) is None and look.runs_always(node) and not look.calls("table.delete"):
            yield look.report(self.code, node)
