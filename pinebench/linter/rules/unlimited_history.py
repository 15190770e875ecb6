"""Rule PB5007: a history offset of unknown size without `max_bars_back`."""

from __future__ import annotations

from pinebench.linter.rules.alike import same
from pinebench.linter.rules.ranges import comparison
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, bare, nodes, walk
from pinebench.syntax.walk import children


class UnlimitedHistory(Rule):
    """The offset of the history operator grows with `bar_index` or `ta.barssince`, such as the number of bars since an
    event, and the script does not say how many bars to keep. TradingView decides that from the first bars only, and a
    later, larger offset stops the script. Add `max_bars_back` to the declaration statement, or call `max_bars_back()`
    for the variable.

    Bad:

        //@version=6
        indicator("Example")
        var int start = na
        if ta.crossover(close, ta.sma(close, 50))
            start := bar_index
        plot(close[bar_index - nz(start, bar_index)])

    Good:

        //@version=6
        indicator("Example", max_bars_back = 2000)
        var int start = na
        if ta.crossover(close, ta.sma(close, 50))
            start := bar_index
        plot(close[math.min(2000, bar_index - nz(start, bar_index))])
    """

    code = "PB5007"
    nodes = (nodes.History,)

    def finish(self, context: RuleContext) -> Findings:
        """Report offsets that depend on `bar_index` or `ta.barssince` and have no limit."""
        if "bar_index" not in context.program.document.text and not context.calls("ta.barssince"):
            return
        if context.calls("max_bars_back"):
            return
        if context.declaration is not None and context.argument(context.declaration, "max_bars_back") is not None:
            return
        for node in context.of(nodes.History):
            if not isinstance(node.offset, nodes.Literal):
                yield from self._offset(node, context)

    def _offset(self, node: nodes.History, context: RuleContext) -> Findings:
        offset = bare(context.value_node(node.offset))
        if any(context.called(part) == "math.min" for part in walk(offset)):
            return
        if any(condition is not None and _asks(condition) for condition, _ in context.conditions(node)):
            return
        if _grows(context, offset) and not _is_bounded(context, node):
            yield context.report(self.code, node.offset, offset=context.shown(node.offset))


def _is_bounded(context: RuleContext, node: nodes.History) -> bool:
    """Whether a condition around a history operator limits its offset."""
    for condition, truth in context.facts(node):
        found = comparison(context, condition)
        if found is None:
            continue
        found = found if truth else found.denied
        small = (
            found.subject if found.operator in ("<", "<=") else found.other if found.operator in (">", ">=") else None
        )
        if small is not None and any(same(small, part) for part in walk(node.offset)):
            return True
    return False


def _asks(node: nodes.Node) -> bool:
    return any(isinstance(part, nodes.Name) and part.id == "bar_index" for part in walk(node))


def _grows(context: RuleContext, node: nodes.Node) -> bool:
    """Whether an offset contains `bar_index` or the number of bars since an event, except in a remainder (`%`) or in a
    choice by size, which limit it."""
    pending = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, nodes.Name) and part.id == "bar_index":
            return True
        value = context.value_node(part)
        if context.called(value) == "ta.barssince":
            return True
        if isinstance(part, nodes.Ternary) and _compares_growth(context, bare(part.condition)):
            continue
        if not (isinstance(part, nodes.Binary) and part.operator == "%"):
            pending += children(part)
    return False


def _compares_growth(context: RuleContext, condition: nodes.Node) -> bool:
    return isinstance(condition, nodes.Binary) and condition.operator in _ORDERING and _grows(context, condition)


_ORDERING = ("<", "<=", ">", ">=")
