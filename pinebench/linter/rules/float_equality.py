"""Rule PB1012: computed floats compared for equality."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.checker.types import FLOAT
from pinebench.linter.rules.alike import same
from pinebench.linter.rules.context import bare, blocks
from pinebench.linter.rules.rule import Rule, register
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.rules.context import RuleContext


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

    def finish(self, context: RuleContext) -> Iterator[Diagnostic]:
        """Report equalities of which a side is computed."""
        for operator in self.operators:
            for node in context.operations.get(operator, ()):
                left, right = node.left, node.right
                if type(left) is nodes.Parenthesized or type(right) is nodes.Parenthesized:
                    left, right = bare(left), bare(right)
                if not _is_exact(context, left, right) and not _is_exact(context, right, left):
                    yield from self._compared(node, left, right, context)

    def _compared(
        self, node: nodes.Binary, left: nodes.Node, right: nodes.Node, context: RuleContext
    ) -> Iterator[Diagnostic]:
        if not _is_computed(context, left) and not _is_computed(context, right):
            return
        if _is_whole(context, left, right) or _is_whole(context, right, left) or _has_tolerance(context, node):
            return
        if _chooses(context, left) or _chooses(context, right):
            return
        if not _may_be_a_copy(context, left, right) and not _may_be_a_copy(context, right, left):
            yield context.report(self.code, node, operator=node.operator)


def _is_exact(context: RuleContext, side: nodes.Node, other: nodes.Node) -> bool:
    """Whether a side is surely not computed, or a literal that the other one can well be."""
    if isinstance(side, nodes.Literal):
        return side.kind != "float" and (
            side.text in _COMMON or side.kind != "int" or not _is_indicator(context, other)
        )
    return isinstance(side, nodes.History)


def _is_whole(context: RuleContext, node: nodes.Node, other: nodes.Node) -> bool:
    """Whether a side is a known value that a computed number can well be: `na`, or a number without fractions, but of
    averages and indicators only an end of their range."""
    known, value = context.value(node)
    if not known or (isinstance(value, float) and not value.is_integer()):
        return known and not isinstance(value, float)
    if value is None or value in _ENDS:
        return True
    return not _is_indicator(context, other)


def _is_indicator(context: RuleContext, node: nodes.Node) -> bool:
    """Whether an expression is an average or an indicator that is made of fractions."""
    called = context.called(context.value_node(node))
    return called in _COMPUTING and called.startswith("ta.")


_ENDS = (0, 1, -1, 100, -100)
_COMMON = ("0", "1")


def _may_be_a_copy(context: RuleContext, side: nodes.Node, other: nodes.Node) -> bool:
    """Whether a side holds a number that was taken from the other one as it is: a variable that is assigned it, or a
    field or an element, which may be."""
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
    """What a value is, digit for digit: itself, or one of those among which it chooses."""
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


_COMPUTING = frozenset(
    "ta.sma ta.ema ta.rma ta.wma ta.vwma ta.hma ta.alma ta.swma ta.linreg ta.stdev ta.variance ta.rsi ta.atr ta.cci "
    "ta.mfi ta.vwap ta.stoch math.sqrt math.log math.log10 math.exp math.pow math.sin math.cos math.avg".split()
)


_CHOOSING = frozenset(
    "ta.max ta.min ta.highest ta.lowest ta.valuewhen ta.pivothigh ta.pivotlow math.max math.min nz fixnan array.max "
    "array.min array.get array.first array.last math.round math.floor math.ceil math.round_to_mintick".split()
)
"""What gives one of the numbers that it is given, digit for digit, or a number without fractions."""


def _chooses(context: RuleContext, node: nodes.Node) -> bool:
    return context.called(context.value_node(node)) in _CHOOSING


def _has_tolerance(context: RuleContext, node: nodes.Node) -> bool:
    """Whether another way to be equal, by a tolerance, stands beside an equality."""
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
