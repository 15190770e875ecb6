"""Loops that compute the same value as a built-in: a sum, or the highest or lowest of the last values."""

from __future__ import annotations

from pinebench import reference
from pinebench.checker import VariableSymbol
from pinebench.linter.rules.alike import names_in, same
from pinebench.linter.rules.arrays import GROWING, is_private, made_size, receiver
from pinebench.linter.rules.context import RuleContext
from pinebench.syntax import nodes
from pinebench.syntax.nodes import Node
from pinebench.syntax.walk import bare

_EXTREMES = {">": "ta.highest()", ">=": "ta.highest()", "<": "ta.lowest()", "<=": "ta.lowest()"}
_LARGER = {"math.max": "ta.highest()", "math.min": "ta.lowest()"}
_PRICES = frozenset("open high low close hl2 hlc3 ohlc4 hlcc4 volume".split())
_NEVER_NA = _PRICES | reference.having("never_na")
_AS_ITS_ARGUMENTS = frozenset(
    ("int", "float", *(f"math.{name}" for name in ("abs", "max", "min", "avg", "round", "floor", "ceil", "sign")))
)
_GIVES_NUMBERS = ("nz", "str.length", "array.size", "map.size", "input")
_DEEPEST = 50
"""The largest depth of expressions that are examined."""
_FILLING = GROWING | reference.having("sets")


def accumulated(context: RuleContext, loop: nodes.ForTo | nodes.ForIn) -> str | None:
    """Return the name of the built-in that computes the same value as a loop that does nothing else, or None if there
    is none."""
    if len(loop.body) != 1:
        return None
    statement = loop.body[0]
    if isinstance(statement, nodes.ExpressionStatement):
        statement = statement.expression
    if isinstance(statement, nodes.Reassignment):
        return _sum(context, loop, statement) or _extreme(context, loop, statement)
    return _compared(context, loop, statement) if isinstance(statement, nodes.If) else None


def _sum(context: RuleContext, loop: nodes.ForTo | nodes.ForIn, statement: nodes.Reassignment) -> str | None:
    """The built-in for the sum of the last values of a series, or of the elements of an array."""
    symbol = context.symbol(statement.target)
    start = _start(context, loop, symbol)
    if symbol is None or start is None or context.value(start) != (True, 0):
        return None
    added = bare(statement.value)
    if statement.operator == ":=":
        if not isinstance(added, nodes.Binary) or added.operator != "+" or context.symbol(added.left) is not symbol:
            return None
        added = bare(added.right)
    elif statement.operator != "+=":
        return None
    if isinstance(loop, nodes.ForIn):
        taken = context.symbol(added) is not None and context.symbol(added) is context.symbol(loop.element)
        return "array.sum()" if taken and _has_all_elements(context, loop.collection, loop) else None
    if context.value(loop.first) != (True, 0) or loop.step is not None:
        return None
    if isinstance(added, nodes.History):
        return "math.sum()" if _series(context, loop, added) is not None else None
    collection = _taken_by_number(context, loop, added)
    return "array.sum()" if collection is not None and _has_all_elements(context, collection, loop) else None


def _extreme(context: RuleContext, loop: nodes.ForTo | nodes.ForIn, statement: nodes.Reassignment) -> str | None:
    """The built-in for `h := math.max(h, high[i])`, the highest of the last values; with `math.min` the lowest."""
    symbol, value = context.symbol(statement.target), bare(statement.value)
    name = _LARGER.get(context.called(value) or "") if statement.operator == ":=" else None
    if symbol is None or name is None or not isinstance(value, nodes.Call) or len(value.arguments) != 2:
        return None
    kept = [each for each in value.arguments if context.symbol(bare(each)) is symbol]
    other = [bare(each) for each in value.arguments if each not in kept]
    return name if len(kept) == 1 and _goes_through(context, loop, other[0], symbol, name) else None


def _compared(context: RuleContext, loop: nodes.ForTo | nodes.ForIn, choice: nodes.If) -> str | None:
    """The built-in for `if high[i] > h` with `h := high[i]`, the highest of the last values; with `<` the lowest."""
    condition, statement = bare(choice.condition), choice.body[0]
    if len(choice.body) != 1 or choice.otherwise is not None or not isinstance(condition, nodes.Binary):
        return None
    if not isinstance(statement, nodes.Reassignment) or statement.operator != ":=":
        return None
    symbol, taken = context.symbol(statement.target), bare(statement.value)
    if condition.operator not in _EXTREMES or symbol is None:
        return None
    if same(condition.left, taken) and context.symbol(bare(condition.right)) is symbol:
        name = _EXTREMES[condition.operator]
    elif same(condition.right, taken) and context.symbol(bare(condition.left)) is symbol:
        name = _EXTREMES[{">": "<", ">=": "<=", "<": ">", "<=": ">="}[condition.operator]]
    else:
        return None
    return name if _goes_through(context, loop, taken, symbol, name) else None


def _goes_through(
    context: RuleContext, loop: nodes.ForTo | nodes.ForIn, taken: Node, symbol: VariableSymbol, name: str
) -> bool:
    """Whether a loop reads the last values of a series one after another, from the newest one. The variable must begin
    with the newest value, or the loop must read that value too."""
    start = _start(context, loop, symbol)
    if isinstance(loop, nodes.ForIn) or start is None or loop.step is not None or not isinstance(taken, nodes.History):
        return False
    series = _series(context, loop, taken)
    first = context.value(loop.first)
    if series is None or first not in ((True, 0), (True, 1)):
        return False
    start = bare(start)
    if isinstance(start, nodes.History) and context.value(start.offset) == (True, 0):
        start = start.object
    if same(start, series):
        return True
    is_below = name == "ta.highest()" and context.value(start) == (True, 0) and context.text(series) in _PRICES
    return is_below and first == (True, 0)


def _series(context: RuleContext, loop: nodes.ForTo, taken: nodes.History) -> Node | None:
    """The series whose value `counter` bars ago a loop reads. It is None if the loop does not do that, or if a
    condition is around the loop."""
    counter = context.symbol(loop.counter)
    if context.symbol(bare(taken.offset)) is not counter or any(
        context.symbol(x) is counter for x in names_in(taken.object)
    ):
        return None
    # If a condition can skip the loop, the built-in would not be called on every bar.
    return None if context.conditions(loop, most=1) else taken.object


def _taken_by_number(context: RuleContext, loop: nodes.ForTo, taken: Node) -> Node | None:
    """The array whose elements a loop from 0 to the last index reads by index; None if the loop does something else."""
    last = bare(context.value_node(loop.last))
    if context.called(taken) != "array.get" or not isinstance(last, nodes.Binary) or last.operator != "-":
        return None
    size, index = bare(last.left), context.argument(taken, "index")
    if context.called(size) != "array.size" or context.value(last.right) != (True, 1) or index is None:
        return None
    symbol = receiver(context, taken)
    if symbol is None or receiver(context, size) is not symbol:
        return None
    return context.argument(taken, "id") if context.symbol(bare(index)) is context.symbol(loop.counter) else None


def _start(context: RuleContext, loop: Node, symbol: VariableSymbol | None) -> Node | None:
    """The value with which a variable is declared directly before a loop; None if it is not declared there."""
    block, number = context.place(context.statement(loop))
    before = block[number - 1] if number else None
    if symbol is None or not isinstance(before, nodes.VariableDeclaration) or before.mode is not None:
        return None
    return before.value if before is symbol.declaration else None


def _has_all_elements(context: RuleContext, collection: Node, within: Node) -> bool:
    """Whether the elements of an array are never na, as far as is known. `array.sum()` skips na, and a loop does
    not."""
    type_ = context.type(collection, within)
    if type_ is None or type_.base.kind != "array":
        return False
    symbol = context.symbol(bare(collection))
    if symbol is None or symbol.kind != "parameter":
        return _is_filled(context, collection)
    function = symbol.scope.function
    sites = context.call_sites.get(function, ()) if function is not None else ()
    given = [context.argument(site, symbol.name) for site in sites]
    return all(each is None or _is_filled(context, each) for each in given)


def _is_filled(context: RuleContext, node: Node) -> bool:
    """Whether an array is made and filled with numbers by visible code only."""
    node = bare(node)
    symbol = context.symbol(node)
    if symbol is None:
        return _is_made_full(context, node)
    if symbol.kind == "parameter" or symbol.reassignments or symbol.value is None:
        return False
    if not _is_made_full(context, symbol.value):
        return False
    is_alone = is_private(context, symbol)
    for call in context.calls(*sorted(_FILLING)):
        filled = receiver(context, call)
        if filled is symbol:
            value = context.argument(call, "value")
            if value is None or not _is_number(context, value):
                return False
        elif not is_alone and (filled is None or filled.kind == "parameter"):
            return False
    return True


def _is_made_full(context: RuleContext, node: Node) -> bool:
    node = bare(node)
    if context.called(node) == "array.from":
        return all(_is_number(context, each) for each in context.given(node).values())
    if made_size(context, node) == 0:
        return True
    initial = context.argument(node, "initial_value")
    return (context.called(node) or "").startswith("array.new") and initial is not None and _is_number(context, initial)


def _is_number(context: RuleContext, node: Node, depth: int = 0) -> bool:
    """Whether the value of an expression is practically never na."""
    node, depth = context.value_node(node), depth + 1
    if depth > _DEEPEST:
        return False
    if isinstance(node, nodes.Literal):
        return True
    if isinstance(node, nodes.Name):
        symbol = context.symbol(node)
        if symbol is None:
            return node.id in _NEVER_NA
        return isinstance(symbol.declaration, nodes.ForTo) or _holds_numbers(context, symbol, depth)
    if isinstance(node, nodes.Binary):
        return _is_number(context, node.left, depth) and _is_number(context, node.right, depth)
    if isinstance(node, nodes.Unary):
        return _is_number(context, node.operand, depth)
    if isinstance(node, nodes.Ternary):
        return _is_number(context, node.then, depth) and _is_number(context, node.otherwise, depth)
    called = context.called(node)
    if called in _AS_ITS_ARGUMENTS:
        return all(_is_number(context, each, depth) for each in context.given(node).values())
    return called is not None and called.startswith(_GIVES_NUMBERS)


def _holds_numbers(context: RuleContext, symbol: VariableSymbol, depth: int) -> bool:
    """Whether every value that a variable gets is practically never na."""
    known = context.once(_known_variables)
    if symbol not in known:
        known[symbol] = True  # assumed during the search, because it may be assigned from itself
        values = (symbol.value, *(write.value for write in symbol.reassignments))
        known[symbol] = symbol.kind == "variable" and all(
            value is not None and _is_number(context, value, depth) for value in values
        )
    return known[symbol]


def _known_variables(_look: RuleContext) -> dict[VariableSymbol, bool]:
    """The cache of `_holds_numbers`."""
    return {}
