"""Rule PB4010: a table that is made on every bar."""

from __future__ import annotations

from pinebench.linter.rules.bars import is_kept, may_be_deleted, runs_in_some_branch, runs_on_every_bar
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes


class TableOnEveryBar(Rule):
    """`table.new` runs on every bar and makes a new table each time, although only the last one is visible. Make the
    table once with `var`, and fill it on `barstate.islast`.

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

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report a table that is made on every bar."""
        if may_be_deleted(context, "table") or is_kept(context, node):
            return
        if runs_on_every_bar(context, node) or runs_in_some_branch(context, node, context.calls("table.new")):
            yield context.report(self.code, node)
