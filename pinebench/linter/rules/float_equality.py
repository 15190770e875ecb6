"""Rule PB1012: computed floats compared for equality."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench import reference
from pinebench.checker.types import FLOAT
from pinebench.linter.rules.alike import same
from pinebench.linter.rules.look import bare, blocks
from pinebench.linter.rules.rule import Rule, register
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.rules.look import Look


@register
class FloatEquality(Rule):
    """A number that was computed with fractions is compared by `==` or `!=`: rounding makes such numbers differ in
    their last digits though they should be equal. Ask whether they are nearer than `syminfo.mintick`, or round both.

    Comparing prices as they are, with a number's own past, with a copy of it, with the greatest of them, with 0 or with
    an end of their range is left alone, and so is an equality that stands beside a comparison of `math.abs`.

    Bad:

        //@version=6
        indicator("Example")
        middle = (ta.highest(20) + ta.lowest(20)) / 2
        plotshape(close == middle)

    Good:

        //@version=6
        indicator("Example")
        middle = (ta.highest(20) + ta.lowest(20)) / 2
        plotshape(math.abs(close - middle) < syminfo.mintick)
    """

    code = "PB1012"
    operators = ("==", "!=")

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report equalities of which a side is computed."""
        for operator in self.operators:
            for node in look.operations.get(operator, ()):
                left, right = node.left, node.right
                if type(left) is nodes.Parenthesized or type(right) is nodes.Parenthesized:
                    left, right = bare(left), bare(right)
                if not _is_exact(look, left, right) and not _is_exact(look, right, left):
                    yield from self._compared(node, left, right, look)

    def _compared(self, node: nodes.Binary, left: nodes.Node, right: nodes.Node, look: Look) -> Iterator[Diagnostic]:
        if not _is_computed(look, left) and not _is_computed(look, right):
            return
        if _is_whole(look, left, right) or _is_whole(look, right, left) or _has_tolerance(look, node):
            return
        if _chooses(look, left) or _chooses(look, right):
            return
        if not _may_be_a_copy(look, left, right) and not _may_be_a_copy(look, right, left):
            yield look.report(self.code, node, operator=node.operator)


def _is_exact(look: Look, side: nodes.Node, other: nodes.Node) -> bool:
    """Whether a side is surely not computed, or a literal that the other one can well be."""
    if isinstance(side, nodes.Literal):
        return side.kind != "float" and (side.text in _COMMON or side.kind != "int" or not _is_indicator(look, other))
    return isinstance(side, nodes.History)


def _is_whole(look: Look, node: nodes.Node, other: nodes.Node) -> bool:
    """Whether a side is a known value that a computed number can well be: `na`, or a number without fractions, but of
    averages and indicators only an end of their range."""
    known, value = look.value(node)
    if not known or (isinstance(value, float) and not value.is_integer()):
        return known and not isinstance(value, float)
    if value is None or value in _ENDS:
        return True
    return not _is_indicator(look, other)


def _is_indicator(look: Look, node: nodes.Node) -> bool:
    """Whether an expression is an average or an indicator that is made of fractions."""
    called = look.called(look.value_node(node))
    return called in _COMPUTING and called.startswith("ta.")


_ENDS = (0, 1, -1, 100, -100)
_COMMON = ("0", "1")


def _may_be_a_copy(look: Look, side: nodes.Node, other: nodes.Node) -> bool:
    """Whether a side holds a number that was taken from the other one as it is: a variable that is assigned it, or a
    field or an element, which may be."""
    if isinstance(side, nodes.Member):
        return look.symbol(bare(side.object)) is not None
    symbol = look.symbol(side)
    twin = look.symbol(other)
    if symbol is None:
        return False
    if isinstance(symbol.declaration, nodes.ForIn):
        return True
    given = (value for value in (symbol.value, *(each.value for each in symbol.reassignments)) if value is not None)
    for value in given:
        for part in _chosen(look, value):
            if (twin is not None and look.symbol(part) is twin) or same(part, other):
                return True
    return False


def _chosen(look: Look, value: nodes.Node) -> Iterator[nodes.Node]:
    """What a value is, digit for digit: itself, or one of those among which it chooses."""
    pending = [value]
    while pending:
        node = bare(pending.pop())
        if isinstance(node, nodes.Ternary):
            pending += [node.then, node.otherwise]
        elif isinstance(node, nodes.If | nodes.Switch):
            held = [*blocks(node)] if isinstance(node, nodes.If) else [case.body for case in node.cases]
            pending += [block[-1].expression for block in held if isinstance(block[-1], nodes.ExpressionStatement)]
        elif isinstance(node, nodes.Call) and look.called(node) in _CHOOSING:
            pending += [getattr(given, "value", given) for given in node.arguments]
        else:
            yield node


_COMPUTING = reference.having("inexact")


_CHOOSING = reference.having("picks")
"""What gives one of the numbers that it is given, digit for digit, or a number without fractions."""


def _chooses(look: Look, node: nodes.Node) -> bool:
    return look.called(look.value_node(node)) in _CHOOSING


def _has_tolerance(look: Look, node: nodes.Node) -> bool:
    """Whether another way to be equal, by a tolerance, stands beside an equality."""
    chain = node
    for above in look.parents(node):
        if not isinstance(above, nodes.Binary | nodes.Parenthesized):
            break
        chain = above
    return any(look.called(part) == "math.abs" for part in walk(chain))


def _is_computed(look: Look, node: nodes.Node) -> bool:
    node = look.value_node(node)
    if look.called(node) in _COMPUTING:
        return True
    if not isinstance(node, nodes.Binary) or node.operator not in ("*", "/", "+", "-"):
        return False
    type_ = look.type(node)
    return type_ is not None and type_.base is FLOAT
