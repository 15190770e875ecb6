"""Rule PB1012: computed floats compared for equality."""

from __future__ import annotations

from collections.abc import Iterator

from pinebench.checker import FLOAT
from pinebench.linter.rules.alike import same
from pinebench.linter.rules.code_blocks import blocks
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, bare, nodes, reference, walk


class FloatEquality(Rule):
    """A number computed with fractions is compared with `==` or `!=`. Rounding makes such numbers differ in their last
    digits even if they should be equal. Test whether their distance is less than `syminfo.mintick`, or round both.

    Some comparisons are not reported: comparisons of unchanged prices, and comparisons of a number with its own
    history, with a copy of it, with the greatest of several numbers, or with a whole number (for an average or an
    indicator only 0, 1, -1, 100 and -100). An equality next to a comparison of `math.abs` is not reported either.

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

    def finish(self, context: RuleContext) -> Findings:
        """Report equalities with at least one computed side."""
        for operator in self.operators:
            for node in context.operations.get(operator, ()):
                left, right = node.left, node.right
                if type(left) is nodes.Parenthesized or type(right) is nodes.Parenthesized:
                    left, right = bare(left), bare(right)
                if not _is_exact(context, left, right) and not _is_exact(context, right, left):
                    yield from self._compared(node, left, right, context)

    def _compared(self, node: nodes.Binary, left: nodes.Node, right: nodes.Node, context: RuleContext) -> Findings:
        if not _is_computed(context, left) and not _is_computed(context, right):
            return
        if _is_whole(context, left, right) or _is_whole(context, right, left) or _has_tolerance(context, node):
            return
        if _chooses(context, left) or _chooses(context, right):
            return
        if not _may_be_a_copy(context, left, right) and not _may_be_a_copy(context, right, left):
            yield context.report(self.code, node, operator=node.operator)


def _is_exact(context: RuleContext, side: nodes.Node, other: nodes.Node) -> bool:
    """Whether a side is certainly not computed, or is a literal that the other side can have exactly."""
    if isinstance(side, nodes.Literal):
        return side.kind != "float" and (
            side.text in _COMMON or side.kind != "int" or not _is_indicator(context, other)
        )
    return isinstance(side, nodes.History)


def _is_whole(context: RuleContext, node: nodes.Node, other: nodes.Node) -> bool:
    """Whether a side is a known value that a computed number can have exactly: `na`, or a number without fractions. For
    an average or an indicator on the other side, the number must be in `_ENDS`."""
    known, value = context.value(node)
    if not known or (isinstance(value, float) and not value.is_integer()):
        return known and not isinstance(value, float)
    if value is None or value in _ENDS:
        return True
    return not _is_indicator(context, other)


def _is_indicator(context: RuleContext, node: nodes.Node) -> bool:
    called = context.called(context.value_node(node))
    return called in _COMPUTING and called.startswith("ta.")


_ENDS = (0, 1, -1, 100, -100)
_COMMON = ("0", "1")


def _may_be_a_copy(context: RuleContext, side: nodes.Node, other: nodes.Node) -> bool:
    """Whether a side may be an unchanged copy of the other side: a variable that is assigned the other side, or a
    field, or an element of a loop."""
    if isinstance(side, nodes.Member):
        return context.symbol(bare(side.object)) is not None
    symbol = context.symbol(side)
    twin = context.symbol(other)
    if symbol is None:
        return False
    if isinstance(symbol.declaration, nodes.ForIn):
        return True
    given = (value for value in (symbol.value, *(each.value for each in symbol.reassignments)) if value is not None)
    for value in given:
        for part in _chosen(context, value):
            if (twin is not None and context.symbol(part) is twin) or same(part, other):
                return True
    return False


def _chosen(context: RuleContext, value: nodes.Node) -> Iterator[nodes.Node]:
    """Yield the expressions whose exact value `value` may have: itself, or the alternatives between which it
    chooses."""
    pending = [value]
    while pending:
        node = bare(pending.pop())
        if isinstance(node, nodes.Ternary):
            pending += [node.then, node.otherwise]
        elif isinstance(node, nodes.If | nodes.Switch):
            held = [*blocks(node)] if isinstance(node, nodes.If) else [case.body for case in node.cases]
            pending += [block[-1].expression for block in held if isinstance(block[-1], nodes.ExpressionStatement)]
        elif isinstance(node, nodes.Call) and context.called(node) in _CHOOSING:
            pending += [getattr(given, "value", given) for given in node.arguments]
        else:
            yield node


_COMPUTING = reference.having("inexact")


_CHOOSING = reference.having("picks")
"""The functions that return one of their arguments unchanged, or a number without fractions."""


def _chooses(context: RuleContext, node: nodes.Node) -> bool:
    return context.called(context.value_node(node)) in _CHOOSING


def _has_tolerance(context: RuleContext, node: nodes.Node) -> bool:
    chain = node
    for above in context.parents(node):
        if not isinstance(above, nodes.Binary | nodes.Parenthesized):
            break
        chain = above
    return any(context.called(part) == "math.abs" for part in walk(chain))


def _is_computed(context: RuleContext, node: nodes.Node) -> bool:
    node = context.value_node(node)
    if context.called(node) in _COMPUTING:
        return True
    if not isinstance(node, nodes.Binary) or node.operator not in ("*", "/", "+", "-"):
        return False
    type_ = context.type(node)
    return type_ is not None and type_.base is FLOAT
