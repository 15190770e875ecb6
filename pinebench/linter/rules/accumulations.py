"""Loops that compute what a built-in gives: a sum, or the highest or lowest of the last values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench import reference
from pinebench.linter.rules.alike import names_in, same
from pinebench.linter.rules.arrays import GROWING, is_private, made_size, receiver
from pinebench.linter.rules.look import bare
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from pinebench.checker.symbols import VariableSymbol
    from pinebench.linter.rules.look import Look
    from pinebench.syntax.nodes import Node

_EXTREMES = {">": "ta.highest()", ">=": "ta.highest()", "<": "ta.lowest()", "<=": "ta.lowest()"}
_LARGER = {"math.max": "ta.highest()", "math.min": "ta.lowest()"}
_PRICES = frozenset("open high low close hl2 hlc3 ohlc4 hlcc4 volume".split())
_NEVER_NA = _PRICES | reference.having("never_na")
_AS_ITS_ARGUMENTS = frozenset(
    ("int", "float", *(f"math.{name}" for name in ("abs", "max", "min", "avg", "round", "floor", "ceil", "sign")))
)
_GIVES_NUMBERS = ("nz", "str.length", "array.size", "map.size", "input")
_DEEPEST = 50
"""So deep an expression is looked into."""
_FILLING = GROWING | reference.having("sets")


def accumulated(look: Look, loop: nodes.ForTo | nodes.ForIn) -> str | None:
    """The built-in that gives what a loop computes, which does nothing else; None where there is none."""
    if len(loop.body) != 1:
        return None
    statement = loop.body[0]
    if isinstance(statement, nodes.ExpressionStatement):
        statement = statement.expression
    if isinstance(statement, nodes.Reassignment):
        return _sum(look, loop, statement) or _extreme(look, loop, statement)
    return _compared(look, loop, statement) if isinstance(statement, nodes.If) else None


def _sum(look: Look, loop: nodes.ForTo | nodes.ForIn, statement: nodes.Reassignment) -> str | None:
    """The sum of the last values of a series, or of the elements of an array."""
    symbol = look.symbol(statement.target)
    start = _start(look, loop, symbol)
    if symbol is None or start is None or look.value(start) != (True, 0):
        return None
    added = bare(statement.value)
    if statement.operator == ":=":
        if not isinstance(added, nodes.Binary) or added.operator != "+" or look.symbol(added.left) is not symbol:
            return None
        added = bare(added.right)
    elif statement.operator != "+=":
        return None
    if isinstance(loop, nodes.ForIn):
        taken = look.symbol(added) is not None and look.symbol(added) is look.symbol(loop.element)
        return "array.sum()" if taken and _has_all_elements(look, loop.collection, loop) else None
    if look.value(loop.first) != (True, 0) or loop.step is not None:
        return None
    if isinstance(added, nodes.History):
        return "math.sum()" if _series(look, loop, added) is not None else None
    collection = _taken_by_number(look, loop, added)
    return "array.sum()" if collection is not None and _has_all_elements(look, collection, loop) else None


def _extreme(look: Look, loop: nodes.ForTo | nodes.ForIn, statement: nodes.Reassignment) -> str | None:
    """`h := math.max(h, high[i])`: the highest of the last values, or with `math.min` the lowest."""
    symbol, value = look.symbol(statement.target), bare(statement.value)
    name = _LARGER.get(look.called(value) or "") if statement.operator == ":=" else None
    if symbol is None or name is None or not isinstance(value, nodes.Call) or len(value.arguments) != 2:
        return None
    kept = [each for each in value.arguments if look.symbol(bare(each)) is symbol]
    other = [bare(each) for each in value.arguments if each not in kept]
    return name if len(kept) == 1 and _goes_through(look, loop, other[0], symbol, name) else None


def _compared(look: Look, loop: nodes.ForTo | nodes.ForIn, choice: nodes.If) -> str | None:
    """`if high[i] > h` and then `h := high[i]`: the highest of the last values, or the other way round the lowest."""
    condition, statement = bare(choice.condition), choice.body[0]
    if len(choice.body) != 1 or choice.otherwise is not None or not isinstance(condition, nodes.Binary):
        return None
    if not isinstance(statement, nodes.Reassignment) or statement.operator != ":=":
        return None
    symbol, taken = look.symbol(statement.target), bare(statement.value)
    if condition.operator not in _EXTREMES or symbol is None:
        return None
    if same(condition.left, taken) and look.symbol(bare(condition.right)) is symbol:
        name = _EXTREMES[condition.operator]
    elif same(condition.right, taken) and look.symbol(bare(condition.left)) is symbol:
        name = _EXTREMES[{">": "<", ">=": "<=", "<": ">", "<=": ">="}[condition.operator]]
    else:
        return None
    return name if _goes_through(look, loop, taken, symbol, name) else None


def _goes_through(look: Look, loop: nodes.ForTo | nodes.ForIn, taken: Node, symbol: VariableSymbol, name: str) -> bool:
    """Whether a loop takes one after the other the last values of a series, from the newest one on, with which the
    variable begins unless the loop takes that, too."""
    start = _start(look, loop, symbol)
    if isinstance(loop, nodes.ForIn) or start is None or loop.step is not None or not isinstance(taken, nodes.History):
        return False
    series = _series(look, loop, taken)
    first = look.value(loop.first)
    if series is None or first not in ((True, 0), (True, 1)):
        return False
    start = bare(start)
    if isinstance(start, nodes.History) and look.value(start.offset) == (True, 0):
        start = start.object
    if same(start, series):
        return True
    is_below = name == "ta.highest()" and look.value(start) == (True, 0) and look.text(series) in _PRICES
    return is_below and first == (True, 0)


def _series(look: Look, loop: nodes.ForTo, taken: nodes.History) -> Node | None:
    """The series of which a loop on every bar takes the value so many bars ago as its counter says."""
    counter = look.symbol(loop.counter)
    if look.symbol(bare(taken.offset)) is not counter or any(look.symbol(x) is counter for x in names_in(taken.object)):
        return None
    # Where a condition may leave the loop out, the built-in would not see every bar.
    return None if look.conditions(loop, most=1) else taken.object


def _taken_by_number(look: Look, loop: nodes.ForTo, taken: Node) -> Node | None:
    """The array of which a loop from 0 to its last element takes each by its number."""
    last = bare(look.value_node(loop.last))
    if look.called(taken) != "array.get" or not isinstance(last, nodes.Binary) or last.operator != "-":
        return None
    size, index = bare(last.left), look.argument(taken, "index")
    if look.called(size) != "array.size" or look.value(last.right) != (True, 1) or index is None:
        return None
    symbol = receiver(look, taken)
    if symbol is None or receiver(look, size) is not symbol:
        return None
    return look.argument(taken, "id") if look.symbol(bare(index)) is look.symbol(loop.counter) else None


def _start(look: Look, loop: Node, symbol: VariableSymbol | None) -> Node | None:
    """The value with which a variable is made right before a loop."""
    block, number = look.place(look.statement(loop))
    before = block[number - 1] if number else None
    if symbol is None or not isinstance(before, nodes.VariableDeclaration) or before.mode is not None:
        return None
    return before.value if before is symbol.declaration else None


def _has_all_elements(look: Look, collection: Node, within: Node) -> bool:
    """Whether nothing shows that elements of an array may be na, which `array.sum()` leaves out and a loop does not."""
    type_ = look.type(collection, within)
    if type_ is None or type_.base.kind != "array":
        return False
    symbol = look.symbol(bare(collection))
    if symbol is None or symbol.kind != "parameter":
        return _is_filled(look, collection)
    function = symbol.scope.function
    sites = look.call_sites.get(function, ()) if function is not None else ()
    given = [look.argument(site, symbol.name) for site in sites]
    return all(each is None or _is_filled(look, each) for each in given)


def _is_filled(look: Look, node: Node) -> bool:
    """Whether an array is made and filled with numbers here alone."""
    node = bare(node)
    symbol = look.symbol(node)
    if symbol is None:
        return _is_made_full(look, node)
    if symbol.kind == "parameter" or symbol.reassignments or symbol.value is None:
        return False
    if not _is_made_full(look, symbol.value):
        return False
    is_alone = is_private(look, symbol)
    for call in look.calls(*sorted(_FILLING)):
        filled = receiver(look, call)
        if filled is symbol:
            value = look.argument(call, "value")
            if value is None or not _is_number(look, value):
                return False
        elif not is_alone and (filled is None or filled.kind == "parameter"):
            return False
    return True


def _is_made_full(look: Look, node: Node) -> bool:
    node = bare(node)
    if look.called(node) == "array.from":
        return all(_is_number(look, each) for each in look.given(node).values())
    if made_size(look, node) == 0:
        return True
    initial = look.argument(node, "initial_value")
    return (look.called(node) or "").startswith("array.new") and initial is not None and _is_number(look, initial)


def _is_number(look: Look, node: Node, depth: int = 0) -> bool:
    """Whether the value of an expression is never na, as far as anybody counts on it."""
    node, depth = look.value_node(node), depth + 1
    if depth > _DEEPEST:
        return False
    if isinstance(node, nodes.Literal):
        return True
    if isinstance(node, nodes.Name):
        symbol = look.symbol(node)
        if symbol is None:
            return node.id in _NEVER_NA
        return isinstance(symbol.declaration, nodes.ForTo) or _holds_numbers(look, symbol, depth)
    if isinstance(node, nodes.Binary):
        return _is_number(look, node.left, depth) and _is_number(look, node.right, depth)
    if isinstance(node, nodes.Unary):
        return _is_number(look, node.operand, depth)
    if isinstance(node, nodes.Ternary):
        return _is_number(look, node.then, depth) and _is_number(look, node.otherwise, depth)
    called = look.called(node)
    if called in _AS_ITS_ARGUMENTS:
        return all(_is_number(look, each, depth) for each in look.given(node).values())
    return called is not None and called.startswith(_GIVES_NUMBERS)


def _holds_numbers(look: Look, symbol: VariableSymbol, depth: int) -> bool:
    """Whether every value that a variable is given is never na."""
    known = look.once(_known_variables)
    if symbol not in known:
        known[symbol] = True  # while it is looked at, what it is given of itself
        values = (symbol.value, *(write.value for write in symbol.reassignments))
        known[symbol] = symbol.kind == "variable" and all(
            value is not None and _is_number(look, value, depth) for value in values
        )
    return known[symbol]


def _known_variables(_look: Look) -> dict[VariableSymbol, bool]:
    """What was found out about each variable, so that each is looked at once."""
    return {}
