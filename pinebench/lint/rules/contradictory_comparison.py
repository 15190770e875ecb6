"""Rule PB1009: comparisons that cannot hold together, or cannot fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.alike import chains, flattened, same
from pinebench.lint.rules.ranges import (
    ANYTHING,
    FLIPPED,
    Comparison,
    Range,
    comparison,
    comparisons,
    contradicts,
    may_be_na,
    natural_range,
    pairs,
)
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class ContradictoryComparison(Rule):
    """Comparisons of one expression cannot hold together (`x > 80 and x < 20`), leave nothing out (`x < 80 or x > 20`),
    contradict the condition around them, or ask for what the expression never is (`ta.rsi() > 100`, `hour == 24`). Of
    texts and constants `mode == "a" and mode == "b"` is such a pair.

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
    operators = tuple(FLIPPED)

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report chains of conditions, single comparisons, and conditions within others."""
        for node in look.of(nodes.If):
            if node in look.parent:
                yield from self._within(node, look)
        for node, parts in chains(look):
            yield from self._chain(node, parts, look)
        for operator in FLIPPED:
            for node in look.operations.get(operator, ()):
                if node.right.__class__ in _NUMBERS:
                    yield from self._single(node, node.left, look)
                elif node.left.__class__ in _NUMBERS:
                    yield from self._single(node, node.right, look)

    def _chain(self, node: nodes.Binary, chain: list[nodes.Node], look: Look) -> Iterator[Diagnostic]:
        parts = _of_one_thing(chain)
        for first, second in pairs(comparisons(look, parts)) if parts else ():
            if node.operator == "and" and contradicts(first, second):
                yield look.report(self.code, node, value="false", reason=_reason(look, first, second))
                return
            if node.operator == "or" and contradicts(first.denied, second.denied):
                reason = f'"{look.shown(first.subject)}" is on one side or the other unless it is na'
                yield look.report(self.code, node, value="true", reason=reason)
                return

    def _single(self, node: nodes.Binary, side: nodes.Node, look: Look) -> Iterator[Diagnostic]:
        natural = natural_range(look, side)
        found = comparison(look, node) if natural != ANYTHING else None
        if found is None or found.number is None:
            return
        subject = look.shown(found.subject)
        if found.range.both(natural).is_empty:
            yield look.report(self.code, node, value="false", reason=f'"{subject}" lies {_within(natural)}')
        elif found.denied.range.both(natural).is_empty and not may_be_na(look, found.subject):
            yield look.report(self.code, node, value="true", reason=f'"{subject}" lies {_within(natural)}')

    def _within(self, node: nodes.If, look: Look) -> Iterator[Diagnostic]:
        inside = [part for part in flattened(node.condition, "and") if _things(part)]
        if not inside:
            return
        outside = [(condition, truth) for condition, truth in look.facts(node) if _things(condition)]
        if not outside:
            return
        shared = _of_one_thing([*inside, *(condition for condition, _ in outside)])
        if not shared or any(same(condition, node.condition) for condition, _ in outside):
            return  # another rule speaks of what is asked twice
        inner = comparisons(look, [part for part in inside if part in shared])
        around: list[Comparison] = []
        for condition, truth in outside:
            known = comparisons(look, [condition]) if condition in shared else []
            around += known if truth else [each.denied for each in known]
        for first in around:
            for second in inner:
                if contradicts(first, second):
                    yield look.report(self.code, node.condition, value="false", reason=_reason(look, first, second))
                    return


_NUMBERS = (nodes.Literal, nodes.Unary)


def _things(node: nodes.Node) -> list[object]:
    """What a comparison is about, roughly: the names of its sides, and of the functions that they call."""
    if not isinstance(node, nodes.Binary) or node.operator not in FLIPPED:
        return []
    one, other = _thing(node.left), _thing(node.right)
    if other is None or one == other:
        return [] if one is None else [one]
    return [other] if one is None else [one, other]


def _thing(side: nodes.Node) -> object:
    kind = side.__class__
    if kind is nodes.Name:
        return side.id  # pyright: ignore[reportAttributeAccessIssue]
    if kind is nodes.Literal:
        return None
    if isinstance(side, nodes.Member):
        return side.name
    if isinstance(side, nodes.Call):
        return _thing(side.callee)
    if isinstance(side, nodes.History):
        return nodes.History, _thing(side.object)
    return _thing(side.expression) if isinstance(side, nodes.Parenthesized) else kind


def _of_one_thing(parts: Sequence[nodes.Node]) -> list[nodes.Node]:
    """The comparisons among `parts` that are about what another one is about, too."""
    about = [(part, things) for part in parts if (things := _things(part))]
    if len(about) < 2:
        return []
    once: set[object] = set()
    twice: set[object] = set()
    for _, things in about:
        twice.update(once.intersection(things))
        once.update(things)
    return [part for part, things in about if not twice.isdisjoint(things)] if twice else []


def _reason(look: Look, first: Comparison, second: Comparison) -> str:
    sides = [f"{look.shown(each.subject, 24)} {each.operator} {look.shown(each.other, 24)}" for each in (first, second)]
    return f'"{sides[0]}" and "{sides[1]}" cannot hold together'


def _within(natural: Range) -> str:
    if natural.high == float("inf"):
        return f"at {natural.low} or above"
    return f"between {natural.low} and {natural.high}"
