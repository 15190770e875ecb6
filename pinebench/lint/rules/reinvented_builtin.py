"""Rule PB7014: code that a built-in does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.diagnostics import Edit, Fix
from pinebench.lint.rules.alike import flattened, same
from pinebench.lint.rules.look import bare
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class ReinventedBuiltin(Rule):
    """An expression computes what a built-in gives: a mean price such as `hl2`, the larger or smaller of two
    values, another value for `na`, or a crossing.

    Bad:

        //@version=6
        indicator("Example")
        plot((high + low + close) / 3)

    Good:

        //@version=6
        indicator("Example")
        plot(hlc3)
    """

    code = "PB7014"
    nodes = (nodes.Ternary,)
    operators = ("/", "and")

    def finish(self, look: Look) -> Iterator[Diagnostic]:
        """Report means of prices, and choices that a function makes."""
        for node in look.operations.get("/", ()):
            builtin = _mean(look, node)
            if builtin is not None:
                fix = Fix(f"write {builtin}", (Edit(look.span(node), builtin),), True)
                yield look.report(self.code, node, fix, builtin=builtin)
        for both in look.operations.get("and", ()):
            builtin = _crossing(look, both) if nodes.Name not in (both.left.__class__, both.right.__class__) else None
            if builtin is not None:
                yield look.report(self.code, both, builtin=builtin)
        for choice in look.of(nodes.Ternary):
            condition = bare(choice.condition)
            if isinstance(condition, nodes.Binary):
                builtin = _extreme(look, choice, condition)
            else:
                builtin = _replaced(look, choice, condition) if isinstance(condition, nodes.Call) else None
            if builtin is not None:
                yield look.report(self.code, choice, builtin=builtin)


_MEANS = {
    (("high", "low"), "2"): "hl2",
    (("close", "high", "low"), "3"): "hlc3",
    (("close", "high", "low", "open"), "4"): "ohlc4",
    (("close", "close", "high", "low"), "4"): "hlcc4",
}


def _mean(look: Look, node: nodes.Binary) -> str | None:
    divisor = bare(node.right)
    if not isinstance(divisor, nodes.Literal):
        return None
    prices: list[str] = []
    for part in flattened(node.left, "+"):
        if not isinstance(part, nodes.Name) or look.symbol(part) is not None:
            return None
        prices.append(part.id)
    return _MEANS.get((tuple(sorted(prices)), divisor.text.removesuffix(".0").removesuffix(".")))


def _crossing(look: Look, node: nodes.Binary) -> str | None:
    """`a > b and a[1] <= b[1]`, in either order: what `ta.crossover` says."""
    now, before = bare(node.left), bare(node.right)
    if isinstance(now, nodes.Binary) and isinstance(bare(now.left), nodes.History):
        now, before = before, now
    if not (isinstance(now, nodes.Binary) and isinstance(before, nodes.Binary)):
        return None
    name = _CROSSINGS.get((now.operator, before.operator))
    if name is None or not (_is_before(look, now.left, before.left) and _is_before(look, now.right, before.right)):
        return None
    return f"{name}({look.text(now.left)}, {look.text(now.right)})"


_CROSSINGS = {(">", "<="): "ta.crossover", ("<", ">="): "ta.crossunder"}


def _is_before(look: Look, now: nodes.Node, before: nodes.Node) -> bool:
    """Whether `before` is the value of `now` on the bar before; a constant has none other."""
    before = bare(before)
    if isinstance(before, nodes.History):
        return same(before.object, now) and look.value(before.offset) == (True, 1)
    return isinstance(before, nodes.Literal) and same(before, now)


def _extreme(look: Look, node: nodes.Ternary, condition: nodes.Binary) -> str | None:
    if condition.operator not in ("<", "<=", ">", ">="):
        return None
    first, second = (condition.left, condition.right)
    if condition.operator in ("<", "<="):
        first, second = second, first
    if not isinstance(bare(first), nodes.Name | nodes.Member) or not isinstance(
        bare(second), nodes.Name | nodes.Member
    ):
        return None
    for name, one, other in (("math.max", first, second), ("math.min", second, first)):
        if same(node.then, one) and same(node.otherwise, other):
            return f"{name}({look.text(condition.left)}, {look.text(condition.right)})"
    return None


def _replaced(look: Look, node: nodes.Ternary, condition: nodes.Call) -> str | None:
    if look.called(condition) != "na":
        return None
    asked = look.argument(condition, "x")
    if asked is None or not same(asked, node.otherwise) or isinstance(bare(asked), nodes.Call):
        return None
    type_ = look.type(asked)
    if type_ is None or type_.base.name not in ("int", "float", "color"):
        return None
    if look.value(node.then) == (True, None):
        return None  # `na` in place of `na` is no replacement
    other = bare(node.then)
    shown = "" if isinstance(other, nodes.Literal) and other.text == "0" else f", {look.text(other)}"
    return f"nz({look.text(asked)}{shown})"
