"""Rule PB4007: a string that a loop builds on every bar."""

from __future__ import annotations

from pinebench.checker import STRING
from pinebench.linter.rules.alike import flattened
from pinebench.linter.rules.bars import runs_on_every_bar
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, bare, nodes


class StringInLoop(Rule):
    """A loop adds to a string on every bar. Each addition copies the string, and usually only the last bar shows it.
    Run the loop only on `barstate.islast`, or collect the pieces in an array and join them there.

    Bad:

        //@version=6
        indicator("Example", overlay = true)
        string shown = ""
        for i = 0 to 19
            shown += str.tostring(close[i]) + " "
        if barstate.islast
            label.new(bar_index, high, shown)

    Good:

        //@version=6
        indicator("Example", overlay = true)
        if barstate.islast
            string shown = ""
            for i = 0 to 19
                shown += str.tostring(close[i]) + " "
            label.new(bar_index, high, shown)
    """

    code = "PB4007"
    nodes = nodes.LOOPS

    def finish(self, context: RuleContext) -> Findings:
        """Report `text += ...` and `text := text + ...` in a loop that runs on every bar."""
        for node in context.of(nodes.Reassignment):
            if node.operator != "+=" and type(node.value) not in _ADDING:
                continue
            loops = context.loops(node)
            grows = bool(loops) and (node.operator == "+=" or _adds_to_itself(context, node))
            type_ = context.type(node.value, node) if grows else None
            if type_ is not None and type_.base is STRING and runs_on_every_bar(context, loops[-1]):
                yield context.report(self.code, node)


_ADDING = frozenset((nodes.Binary, nodes.Ternary, nodes.Parenthesized, nodes.Call))
"""The classes of nodes that may extend a text."""


def _adds_to_itself(context: RuleContext, node: nodes.Reassignment) -> bool:
    """Whether a variable gets its own value with more text, in at least one alternative of the value."""
    symbol = context.symbol(node.target)
    pending: list[nodes.Node] = [node.value] if symbol is not None else []
    while pending:
        value = bare(pending.pop())
        if isinstance(value, nodes.Ternary):
            pending += (value.then, value.otherwise)
            continue
        if isinstance(value, nodes.Binary):
            pieces = flattened(value, "+")
        else:
            pieces = [*context.given(value).values()] if context.called(value) == "str.format" else []
        if any(context.symbol(bare(piece)) is symbol for piece in pieces):
            return True
    return False
