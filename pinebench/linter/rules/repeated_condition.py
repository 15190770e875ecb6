"""Rule PB1016: a branch with the same condition as an earlier branch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pinebench.linter.rules.alike import is_random, ladders, outline, same
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, bare, nodes, walk


class RepeatedCondition(Rule):
    """An `else if`, an arm of a `switch`, or a `? :` after the colon of another one has the same condition as an
    earlier branch, so it never runs.

    Bad:

        //@version=6
        indicator("Example")
        string state = "flat"
        if close > open
            state := "up"
        else if close > open
            state := "down"
        plotshape(state == "down")

    Good:

        //@version=6
        indicator("Example")
        string state = "flat"
        if close > open
            state := "up"
        else if close < open
            state := "down"
        plotshape(state == "down")
    """

    code = "PB1016"
    nodes = (nodes.If, nodes.Switch, nodes.Ternary)

    def finish(self, context: RuleContext) -> Findings:
        """Report conditions that occur a second time in one chain."""
        for node in context.of(nodes.If):
            if _next_of(node) is not None:
                yield from self._chain(_conditions(node, context), context)
        for node in context.of(nodes.Switch):
            if node.subject is not None:
                yield from self._chain((case.condition for case in node.cases if case.condition is not None), context)
        for conditions in ladders(context):
            yield from self._chain(conditions, context)

    def _chain(self, conditions: Iterable[nodes.Node], context: RuleContext) -> Findings:
        asked: dict[object, list[nodes.Node]] = {}
        for condition in map(bare, conditions):
            earlier = asked.setdefault(outline(condition), [])
            if any(same(condition, each) for each in earlier[:_MOST]) and _is_steady(context, condition):
                yield context.report(self.code, condition)
            earlier.append(condition)


_MOST = 8
"""The largest number of conditions with the same outline that are compared with each other."""


def _is_steady(context: RuleContext, condition: nodes.Node) -> bool:
    """Whether a condition has the same value when it is evaluated again: nothing in it is random, has effects or keeps
    a state for each of its calls."""
    if is_random(context, condition) or not context.only_gives_a_value(condition):
        return False
    calls = any(context.called_function(part) is not None for part in walk(condition))
    return not calls or not context.program.effects(condition).stateful


def _conditions(node: nodes.If, context: RuleContext) -> Iterator[nodes.Node]:
    above = context.parent.get(node)
    if isinstance(above, nodes.If) and above.otherwise == [node]:
        return  # the chain was examined from its first `if`
    link: nodes.If | None = node
    while link is not None:
        yield link.condition
        link = _next_of(link)


def _next_of(node: nodes.If) -> nodes.If | None:
    """The `else if` of an `if`; None if there is none."""
    after = node.otherwise
    return after[0] if after is not None and len(after) == 1 and isinstance(after[0], nodes.If) else None
