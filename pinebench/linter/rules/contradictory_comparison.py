"""Rule PB1009: comparisons that cannot be true together, or cannot be false."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pinebench.linter.rules.alike import COMPARING, Comparands, chains, comparands, flattened, is_random, ladders, same
from pinebench.linter.rules.ranges import (
    ANYTHING,
    FLIPPED,
    Comparison,
    NumberRange,
    comparison,
    comparisons,
    contradicts,
    decides,
    may_be_na,
    natural_range,
    pairs,
)
from pinebench.linter.rules.rule import Diagnostic, Findings, Rule, RuleContext, bare, nodes, walk


class ContradictoryComparison(Rule):
    """Comparisons contradict each other or have only one result.

    The rule reports comparisons of one expression that cannot be true together (`x > 80 and x < 20`) and comparisons
    that together are always true (`x < 80 or x > 20`). It reports comparisons that contradict the condition around them
    or an earlier condition (`x > 50 ? 1 : x > 70 ? 2 : 3`). It also reports comparisons with values that an expression
    never has (`ta.rsi() > 100`, `hour == 24`). Strings and constants count too: `mode == "a" and mode == "b"`.

    Bad:

        //@version=6
        indicator("Example")
        rsi = ta.rsi(close, 14)
        plotshape(rsi > 70 and rsi < 30)

    Good:

        //@version=6
        indicator("Example")
        rsi = ta.rsi(close, 14)
        plotshape(rsi > 70 or rsi < 30)
    """

    code = "PB1009"
    operators = COMPARING

    def finish(self, context: RuleContext) -> Findings:
        """Report contradictions in chains of conditions, in single comparisons, and between a condition and the
        conditions around it."""
        things = comparands(context)
        for node in context.of(nodes.If):
            if type(node.condition) in _COMPARING and node in context.parent:
                yield from self._within(node, things, context)
        for conditions in ladders(context):
            yield from self._ladder(conditions, things, context)
        for node, parts in chains(context):
            compared = _of_one_thing(things, parts)
            if compared or nodes.Unary in map(type, parts):
                told = self._chain(node, parts, compared, context)
                if told is not None:
                    yield told
        for node in things:
            side, number, asked = node.left, node.right, node.operator
            if type(number) not in _NUMBERS:
                if type(side) not in _NUMBERS:
                    continue
                side, number, asked = number, side, FLIPPED[asked]
            natural = natural_range(context, side)
            if natural is not ANYTHING and decides(natural, asked, context.value(number)[1]):
                yield from self._single(node, natural, context)

    def _chain(
        self, node: nodes.Binary, parts: list[nodes.Node], compared: list[nodes.Node], context: RuleContext
    ) -> Diagnostic | None:
        is_and = node.operator == "and"
        value = "false" if is_and else "true"
        for first, second in pairs(comparisons(context, compared)) if compared else ():
            if not (contradicts(first, second) if is_and else contradicts(first.denied, second.denied)):
                continue
            if _may_differ(context, first.subject) or not context.only_gives_a_value(first.subject):
                continue
            reason = f'"{context.shown(first.subject)}" fulfils one of the two comparisons unless it is na'
            if is_and:
                reason = _reason(context, first, second)
            return context.report(self.code, node, value=value, reason=reason)
        denied = _denied(context, parts)
        if denied is None:
            return None
        shown = context.shown(denied, 24)
        reason = f'one of "{shown}" and "not {shown}" always holds'
        if is_and:
            reason = f'"{shown}" and "not {shown}" cannot hold together'
        return context.report(self.code, node, value=value, reason=reason)

    def _single(self, node: nodes.Binary, natural: NumberRange, context: RuleContext) -> Findings:
        found = comparison(context, node)
        if found is None or found.number is None:
            return
        if found.never_holds(natural):
            value = "false"
        elif found.always_holds(natural) and not may_be_na(context, found.subject):
            value = "true"
        else:
            return
        reason = f'"{context.shown(found.subject)}" lies {_within(natural)}'
        yield context.report(self.code, node, value=value, reason=reason)

    def _within(self, node: nodes.If, things: Comparands, context: RuleContext) -> Findings:
        inside = [part for part in flattened(node.condition, "and") if part in things]
        asked = {thing for part in inside for thing in things[part]} - _OF_NOTHING
        if not asked:
            return
        outside = [(each, truth) for each, truth in context.facts(node) if not asked.isdisjoint(things.get(each, ()))]
        if not outside or any(same(condition, node.condition) for condition, _ in outside):
            return  # another rule reports repeated conditions
        known = {thing for condition, _ in outside for thing in things[condition]} - _OF_NOTHING
        inner = comparisons(context, [part for part in inside if not known.isdisjoint(things[part])])
        around: list[Comparison] = []
        for condition, truth in outside:
            found = comparisons(context, [condition])
            around += found if truth else [each.denied for each in found]
        for first in around:
            for second in inner:
                if contradicts(first, second) and _stays(context, first.subject) and _stays(context, first.other):
                    yield context.report(
                        self.code, node.condition, value="false", reason=_reason(context, first, second)
                    )
                    return

    def _ladder(self, conditions: Sequence[nodes.Node], things: Comparands, context: RuleContext) -> Findings:
        """Report a condition that can never be true after the earlier conditions, which are false then."""
        if len([condition for condition in conditions if type(condition) in _COMPARING]) < 2:
            return
        earlier: dict[object, list[nodes.Node]] = {}
        for number, condition in enumerate(conditions):
            for part in flattened(condition, "and") if earlier else ():
                known = {each: None for thing in things.get(part, ()) for each in earlier.get(thing, ())}
                found = _contradicted(context, part, list(known)) if known else None
                if found is not None and not any(same(condition, each) for each in conditions[:number]):
                    yield context.report(self.code, condition, value="false", reason=_reason(context, *found))
                    break
            for part in flattened(condition, "or"):
                if type(part) is nodes.Binary and part.operator in _ORDERING:
                    for thing in {*things[part]} - _OF_NOTHING:
                        earlier.setdefault(thing, []).append(part)


_ORDERING = ("<", "<=", ">", ">=")


def _contradicted(
    context: RuleContext, part: nodes.Node, denied: Sequence[nodes.Node]
) -> tuple[Comparison, Comparison] | None:
    """The negation of an earlier comparison, and a comparison in `part` that contradicts it; None if there is none."""
    for second in comparisons(context, [part]):
        for first in comparisons(context, denied[:_MOST_EARLIER]):
            if contradicts(first.denied, second) and _stays(context, first.subject) and _stays(context, first.other):
                return first.denied, second
    return None


_MOST_EARLIER = 32
"""The largest number of earlier comparisons of the same expression with which a condition is compared."""


def _denied(context: RuleContext, chain: Sequence[nodes.Node]) -> nodes.Node | None:
    """A condition of a chain whose negation is in the chain too; None if there is none."""
    opposites = [bare(part.operand) for part in chain if type(part) is nodes.Unary and part.operator == "not"]
    for opposite in opposites[:_MOST_OPPOSITES]:
        if any(same(opposite, part) for part in chain) and context.only_gives_a_value(opposite):
            return None if _may_differ(context, opposite) else opposite
    return None


def _may_differ(context: RuleContext, node: nodes.Node) -> bool:
    """Whether an expression that is written twice may have two values: a random number, or a user-defined function that
    keeps a state for each call."""
    return is_random(context, node) or any(context.called_function(part) for part in walk(node))


_MOST_OPPOSITES = 8
"""The largest number of negations in one chain that are searched for, so that long chains do not take too long."""


def _stays(context: RuleContext, node: nodes.Node) -> bool:
    """Whether an expression keeps its value from one statement to the next.

    It must not read an element or a size of a collection, must not read a field that is assigned anywhere, and must not
    call a user-defined function.
    """
    for part in walk(node):
        if isinstance(part, nodes.Member) and part.name in context.once(_assigned_fields):
            return False
        if isinstance(part, nodes.Call):
            called = context.called(part)
            if called is None or called.startswith(_CHANGING):
                return False
    return True


_CHANGING = ("array.", "map.", "matrix.", "math.random")


def _assigned_fields(context: RuleContext) -> set[str]:
    return {each.target.name for each in context.of(nodes.Reassignment) if isinstance(each.target, nodes.Member)}


_NUMBERS = (nodes.Literal, nodes.Unary)
_COMPARING = (nodes.Binary, nodes.Parenthesized)


_OF_NOTHING = {None}


def _of_one_thing(things: Comparands, parts: list[nodes.Node]) -> list[nodes.Node]:
    """The comparisons among `parts` that share a name or function with another one."""
    if len(parts) == 2:
        one, other = parts
        of_one, of_other = things.get(one), things.get(other)
        return parts if of_one and of_other and _may_meet(one, of_one, other, of_other) else []
    compared = [part for part in parts if part in things]
    once: set[object] = set()
    twice: set[object] = set()
    for part in compared:
        for thing in set(things[part]):
            (twice if thing in once else once).add(thing)
    twice.discard(None)
    return [part for part in compared if not twice.isdisjoint(things[part])] if twice else []


def _may_meet(one: Any, of_one: tuple[object, ...], other: Any, of_other: tuple[object, ...]) -> bool:
    """Whether two comparisons use the same expression and may contradict each other. `a > b and a > c` has the same
    direction twice, so it never does."""
    (left, right), (first, second) = of_one, of_other
    if (left is not None and left == second) or (right is not None and right == first):
        return True
    if (left is None or left != first) and (right is None or right != second):
        return False
    return one.operator[0] != other.operator[0] or one.operator[0] not in "<>"


def _reason(context: RuleContext, first: Comparison, second: Comparison) -> str:
    sides = [
        f"{context.shown(each.subject, 24)} {each.operator} {context.shown(each.other, 24)}" for each in (first, second)
    ]
    return f'"{sides[0]}" and "{sides[1]}" cannot hold together'


def _within(natural: NumberRange) -> str:
    if natural.high == float("inf"):
        return f"at {natural.low} or above"
    return f"between {natural.low} and {natural.high}"
