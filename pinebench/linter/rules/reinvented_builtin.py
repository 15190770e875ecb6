"""Rule PB7014: code that a built-in can replace."""

from __future__ import annotations

from pinebench.linter.rules.accumulations import accumulated
from pinebench.linter.rules.alike import flattened, names_in, same
from pinebench.linter.rules.rule import Edit, Findings, Fix, Rule, RuleContext, bare, nodes, walk


class ReinventedBuiltin(Rule):
    """An expression computes the same as a built-in: an average price such as `hl2`, the larger or smaller of two
    values, an absolute value, a replacement for `na`, a crossing, or the true range. Or a loop computes a sum, or the
    highest or lowest value.

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
    nodes = (nodes.Ternary, nodes.ForTo, nodes.ForIn)
    calls = ("math.max",)
    operators = ("/", "*", "and")

    def finish(self, context: RuleContext) -> Findings:
        """Report averages of prices, choices, crossings, true ranges and loops that a built-in can replace."""
        for node, divided, divisor in _quotients(context):
            builtin = _mean(context, divided, divisor)
            if builtin is not None:
                fix = Fix(f"write {builtin}", (Edit(context.span(node), builtin),), True)
                yield context.report(self.code, node, fix, builtin=builtin)
        for both in _joined(context):
            builtin = _crossing(context, both)
            # If a condition can skip the expression, the built-in would not be called on every bar.
            if builtin is not None and not context.conditions(both, most=1):
                yield context.report(self.code, both, builtin=builtin)
        for choice in context.of(nodes.Ternary):
            builtin = _chosen(context, choice) if type(choice.condition) in _ASKING else None
            if builtin is not None:
                yield context.report(self.code, choice, builtin=builtin)
        for call in context.calls("math.max"):
            if not _is_largest_of_more(context, call) and _true_range(context, call):
                yield context.report(self.code, call, builtin="ta.tr")
        for loop in (*context.of(nodes.ForTo), *context.of(nodes.ForIn)):
            builtin = accumulated(context, loop)
            if builtin is not None:
                yield context.report(self.code, loop, builtin=builtin)


_ASKING = frozenset((nodes.Binary, nodes.Call, nodes.Unary, nodes.Parenthesized))
_MEANS = {
    (("high", "low"), "2"): "hl2",
    (("close", "high", "low"), "3"): "hlc3",
    (("close", "high", "low", "open"), "4"): "ohlc4",
    (("close", "close", "high", "low"), "4"): "hlcc4",
}


def _quotients(context: RuleContext) -> list[tuple[nodes.Binary, nodes.Node, str]]:
    """The quotients of an expression in parentheses and a number, each with the dividend and the divisor."""
    found: list[tuple[nodes.Binary, nodes.Node, str]] = []
    for node in context.operations.get("/", ()):
        if type(node.left) is nodes.Parenthesized:
            divisor = bare(node.right)
            if type(divisor) is nodes.Literal:
                found.append((node, node.left, divisor.text.removesuffix(".0").removesuffix(".")))
    for node in context.operations.get("*", ()):
        if type(node.left) is nodes.Parenthesized and _is_half(node.right):
            found.append((node, node.left, "2"))
        elif type(node.right) is nodes.Parenthesized and _is_half(node.left):
            found.append((node, node.right, "2"))
    return found


def _mean(context: RuleContext, divided: nodes.Node, divisor: str) -> str | None:
    prices: list[str] = []
    for part in flattened(divided, "+"):
        if type(part) is not nodes.Name or context.symbol(part) is not None:
            return None
        prices.append(part.id)
    return _MEANS.get((tuple(sorted(prices)), divisor))


def _is_half(node: nodes.Node) -> bool:
    return type(node) is nodes.Literal and node.text in ("0.5", ".5")  # pyright: ignore[reportAttributeAccessIssue]


def _joined(context: RuleContext) -> list[nodes.Binary]:
    """The conditions joined by `and` with a `<=` or `>=`, which every crossing has."""
    found: set[nodes.Node] = set()
    for operator in ("<=", ">="):
        for node in context.operations.get(operator, ()):
            above = context.parent.get(node)
            while type(above) is nodes.Parenthesized:
                above = context.parent.get(above)
            if type(above) is nodes.Binary:
                found.add(above)
    return [both for both in context.operations.get("and", ()) if both in found] if found else []


def _crossing(context: RuleContext, node: nodes.Binary) -> str | None:
    """The call of `ta.crossover` or `ta.crossunder` that can replace `a > b and a[1] <= b[1]`, in either order; None if
    there is none."""
    now, before = bare(node.left), bare(node.right)
    if type(now) is not nodes.Binary or type(before) is not nodes.Binary:
        return None
    if _OPPOSITES.get(now.operator) != before.operator:
        return None
    if type(bare(now.left)) is nodes.History:
        now, before = before, now
    name = _CROSSINGS.get(now.operator)
    if name is None or not (
        _is_before(context, now.left, before.left) and _is_before(context, now.right, before.right)
    ):
        return None
    return f"{name}({context.text(now.left)}, {context.text(now.right)})"


_CROSSINGS = {">": "ta.crossover", "<": "ta.crossunder"}
_OPPOSITES = {">": "<=", "<=": ">", "<": ">=", ">=": "<"}


def _is_before(context: RuleContext, now: nodes.Node, before: nodes.Node) -> bool:
    """Whether `before` is the value of `now` on the previous bar; a literal has the same value on every bar."""
    before = bare(before)
    if isinstance(before, nodes.History):
        return same(before.object, now) and context.value(before.offset) == (True, 1)
    return isinstance(before, nodes.Literal) and same(before, now)


def _chosen(context: RuleContext, choice: nodes.Ternary) -> str | None:
    """The built-in that can replace a choice; None if there is none."""
    condition, then, otherwise = choice.condition, choice.then, choice.otherwise
    if type(condition) is nodes.Parenthesized:
        condition = bare(condition)
    if type(condition) is nodes.Unary and condition.operator == "not":
        condition, then, otherwise = bare(condition.operand), otherwise, then
    if type(condition) is nodes.Binary:
        return _extreme(context, then, otherwise, condition) if condition.operator in _OPPOSITES else None
    return _replaced(context, condition, then, otherwise) if type(condition) is nodes.Call else None


def _extreme(context: RuleContext, then: nodes.Node, otherwise: nodes.Node, condition: nodes.Binary) -> str | None:
    first, second = (condition.left, condition.right)
    if condition.operator in ("<", "<="):
        first, second = second, first
    size = _size(context, then, otherwise, first, second)
    if size is not None:
        return size
    if same(then, first) and same(otherwise, second):
        name = "math.max"
    elif same(then, second) and same(otherwise, first):
        name = "math.min"
    else:
        return None
    if type(bare(first)) not in _NAMED or type(bare(second)) not in _NAMED or _is_often_na(context, then):
        return None
    return f"{name}({context.text(condition.left)}, {context.text(condition.right)})"


_NAMED = (nodes.Name, nodes.Member)


def _is_often_na(context: RuleContext, node: nodes.Node) -> bool:
    """Whether an expression is na on many bars. There a choice returns the other value, and `math.max` returns na."""
    node = context.value_node(bare(node))
    symbol = context.symbol(node)
    if symbol is not None and symbol.value is not None and symbol.reassignments:
        return context.value(symbol.value) == (True, None)
    if isinstance(node, nodes.Call):
        called = context.called(node)
        return called is None or called.startswith(_OFTEN_NA)
    return False


_OFTEN_NA = ("ta.barssince", "ta.valuewhen", "ta.pivot", "request.", "strategy.", "array.", "map.", "matrix.")


def _size(
    context: RuleContext, then: nodes.Node, otherwise: nodes.Node, larger: nodes.Node, smaller: nodes.Node
) -> str | None:
    """The call of `math.abs` that can replace `x >= 0 ? x : -x` or `x > y ? x - y : y - x`; None if there is none."""
    then, otherwise = bare(then), bare(otherwise)
    if type(otherwise) is nodes.Unary and _is_negated(otherwise, then) and same(then, larger):
        return f"math.abs({context.text(then)})" if context.value(smaller) == (True, 0) else None
    if type(then) is nodes.Unary and _is_negated(then, otherwise) and same(otherwise, smaller):
        return f"math.abs({context.text(otherwise)})" if context.value(larger) == (True, 0) else None
    if type(then) is nodes.Binary and type(otherwise) is nodes.Binary:
        is_size = _is_difference(then, larger, smaller) and _is_difference(otherwise, smaller, larger)
        return f"math.abs({context.text(then)})" if is_size else None
    return None


def _is_negated(node: nodes.Unary, of: nodes.Node) -> bool:
    return node.operator == "-" and same(node.operand, of)


def _is_difference(node: nodes.Binary, left: nodes.Node, right: nodes.Node) -> bool:
    return node.operator == "-" and same(node.left, left) and same(node.right, right)


def _is_largest_of_more(context: RuleContext, call: nodes.Call) -> bool:
    """Whether a call of `math.max` is an argument of another call of `math.max`."""
    return context.called(context.parent.get(call)) == "math.max"


def _true_range(context: RuleContext, call: nodes.Call) -> bool:
    """Whether a call is `math.max(high - low, math.abs(high - close[1]), math.abs(low - close[1]))`, in any order."""
    parts: list[nodes.Node] = []
    pending: list[nodes.Node] = [call]
    while pending:
        node = bare(pending.pop())
        if context.called(node) == "math.max":
            pending += context.program.resolved_calls[node].arguments.values()
        else:
            parts.append(node)
    if len(parts) != 3 or any(context.symbol(name) is not None for name in names_in(parts)):
        return False
    return {_RANGES.get("".join(context.text(part).split())) for part in parts} == {"bar", "up", "down"}


_RANGES = {
    "high-low": "bar",
    **dict.fromkeys(("math.abs(high-close[1])", "math.abs(close[1]-high)"), "up"),
    **dict.fromkeys(("math.abs(low-close[1])", "math.abs(close[1]-low)"), "down"),
}


def _replaced(context: RuleContext, condition: nodes.Call, then: nodes.Node, otherwise: nodes.Node) -> str | None:
    if context.called(condition) != "na":
        return None
    asked = context.argument(condition, "x")
    if asked is None or not same(asked, otherwise) or isinstance(bare(asked), nodes.Call):
        return None
    type_ = context.type(asked, condition)
    if type_ is None or type_.base.name not in ("int", "float", "color"):
        return None
    if context.value(then) == (True, None):
        return None  # replacing `na` by `na` has no effect
    if any(isinstance(part, nodes.Call) for part in walk(then)):
        return None  # `nz` would compute it on every bar
    other = bare(then)
    shown = "" if isinstance(other, nodes.Literal) and other.text == "0" else f", {context.shown(other)}"
    return f"nz({context.shown(asked)}{shown})"
