"""Rule PB1004: an index outside an array or matrix with a known size."""

from __future__ import annotations

from pinebench.checker import VariableSymbol
from pinebench.linter.rules.alike import same
from pinebench.linter.rules.arrays import (
    RESHAPING,
    RESIZING,
    calls_on,
    fixed_shape,
    fixed_size,
    is_private,
    never_resized,
)
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, bare, nodes, reference, walk
from pinebench.records import NamedTuple


class IndexOutOfBounds(Rule):
    """An index is outside the array or matrix, which stops the script with an error on the first bar that reaches it.

    The rule reports an index if the size is certain, because the array is made with that size and nothing changes it.
    It also reports an index that is the size itself, and a loop that counts up to the size. The last index of `n`
    elements is `n - 1`. The indices of arrays from -1 down to `-n` count from the end.

    Bad:

        //@version=6
        indicator("Example")
        lengths = array.from(10, 20, 50)
        plot(ta.sma(close, 10) - array.get(lengths, 3))

    Good:

        //@version=6
        indicator("Example")
        lengths = array.from(10, 20, 50)
        plot(ta.sma(close, 10) - array.get(lengths, 2))
    """

    code = "PB1004"
    calls = tuple(sorted(reference.having("indexes")))

    def visit(self, node: nodes.Call, context: RuleContext) -> Findings:
        """Report a known index, or the last value of a counter, that is too large or too small."""
        given = context.argument(node, "id")
        if given is None:
            return
        symbol = context.symbol(bare(given))
        if symbol is None:
            index = context.argument(node, "index")
            if index is not None and _is_size_of_same(context, bare(index), bare(given)):
                text = context.text(index)
                yield context.report(self.code, index, within=node, index=text, name=context.text(given), size=text)
        elif (context.called(node) or "").startswith("matrix."):
            yield from self._in_matrix(node, symbol, context)
        else:
            yield from self._in_array(node, symbol, context)

    def _in_array(self, node: nodes.Call, symbol: VariableSymbol, context: RuleContext) -> Findings:
        index = context.argument(node, "index")
        if index is None:
            return
        size = _counted_past(context, node, index, Size(symbol, "array.size", "size"))
        if size is not None:
            yield context.report(self.code, index, within=node, index=size[0], name=symbol.name, size=size[1])
            return
        reached = _farthest(context, node, index)
        length = fixed_size(context, symbol) if reached else None
        if length is None:
            return
        outside = next((value for value in reached if not -length <= value < length), None)
        if outside is not None:
            yield context.report(self.code, index, within=node, index=outside, name=symbol.name, size=length)

    def _in_matrix(self, node: nodes.Call, symbol: VariableSymbol, context: RuleContext) -> Findings:
        given = {name: each for name in ("row", "column") if (each := context.argument(node, name)) is not None}
        for name, index in given.items():
            size = _counted_past(context, node, index, Size(symbol, f"matrix.{name}s", f"{name}s"))
            if size is not None:
                yield context.report(self.code, node, index=size[0], name=symbol.name, size=f"{size[1]} {name}s of")
        reached = [_farthest(context, node, index) for index in given.values()]
        shape = fixed_shape(context, symbol) if any(reached) else None
        for values, length, what in zip(reached, shape or (), ("rows", "columns"), strict=False):
            outside = next((value for value in values if not 0 <= value < length), None)
            if outside is not None:
                yield context.report(self.code, node, index=outside, name=symbol.name, size=f"{length} {what} of")


class Size(NamedTuple):
    """The size of a collection: its variable, the built-in that returns the size, and the parameter that sets it."""

    symbol: VariableSymbol
    function: str
    parameter: str


def _shifted(context: RuleContext, node: nodes.Node) -> tuple[nodes.Node, int]:
    """An expression without the number that is added to it, and that number."""
    node = bare(node)
    if isinstance(node, nodes.Binary) and node.operator in ("+", "-"):
        known, value = context.value(node.right)
        if known and type(value) is int:
            return bare(node.left), value if node.operator == "+" else -value
    return node, 0


def _counter_of(context: RuleContext, index: nodes.Node) -> nodes.ForTo | None:
    """The loop whose counter the index is, if the loop has no step; otherwise None."""
    symbol = context.symbol(index)
    if symbol is None or symbol.kind != "counter" or not isinstance(symbol.declaration, nodes.ForTo):
        return None
    return symbol.declaration if symbol.declaration.step is None else None


def _takes_all(context: RuleContext, call: nodes.Call, loop: nodes.ForTo | nodes.While) -> bool:
    """Whether no condition in a loop skips a call for some values of the counter."""
    asked = loop.condition if isinstance(loop, nodes.While) else None
    return not any(condition is not asked or asked is None for condition, _ in context.conditions(call, loop))


def _counted_past(context: RuleContext, call: nodes.Call, index: nodes.Node, size: Size) -> tuple[str, str] | None:
    """The index that is reached and the size, as they are written, if the index is the size or more; otherwise None.

    The index may also be the counter of a loop that counts up to such a value or down from it. A statement that ends
    the loop early or a call that changes the size makes the result None. Uses of the collection outside built-ins are
    not examined.
    """
    base, added = _shifted(context, index)
    if not isinstance(base, nodes.Name | nodes.Call):
        return None
    symbol = context.symbol(base)
    loop = _counter_of(context, base) if symbol is not None else None
    found = _past(context, base, added, size, call) if loop is None else None
    if found is not None:
        return found
    if loop is not None:
        ends = (_past(context, *_more(_shifted(context, end), added), size, call) for end in (loop.first, loop.last))
        found = next((end for end in ends if end is not None), None)
        return found if found is not None and _is_steady(context, call, loop) else None
    above = context.loops(call) if symbol is not None and symbol.reassignments else []
    if not above or not isinstance(above[0], nodes.While):
        return None
    most = _most(context, above[0], base, call)
    found = (
        _past(context, *_more(_shifted(context, most[0]), most[1] + added), size, call) if most is not None else None
    )
    return found if found is not None and _is_steady(context, call, above[0]) else None


def _more(shifted: tuple[nodes.Node, int], added: int) -> tuple[nodes.Node, int]:
    return shifted[0], shifted[1] + added


def _most(
    context: RuleContext, loop: nodes.While, index: nodes.Node, call: nodes.Call
) -> tuple[nodes.Node, int] | None:
    """The largest value of a `while` loop's counter at a call, as an expression and a number to add; None if it is not
    known.

    The counter may only change after the call.
    """
    asked = bare(loop.condition)
    symbol = context.symbol(index)
    if symbol is None or not isinstance(asked, nodes.Binary) or context.symbol(bare(asked.left)) is not symbol:
        return None
    if asked.operator not in ("<", "<="):
        return None
    place = context.span(call).start
    writes = [write for write in context.writes.get(symbol, ()) if loop in context.loops(write)]
    if not all(write.operator == "+=" and context.span(write).start > place for write in writes):
        return None
    return asked.right, 0 if asked.operator == "<=" else -1


def _is_steady(context: RuleContext, call: nodes.Call, loop: nodes.ForTo | nodes.While) -> bool:
    """Whether a call runs for every value of a loop's counter, and nothing in the loop ends it early or changes a
    size."""
    if not _takes_all(context, call, loop):
        return False
    for part in walk(loop.body):
        if isinstance(part, nodes.Break | nodes.Continue) or context.called(part) in RESIZING | RESHAPING:
            return False
        if context.called_function(part) is not None:
            return False
    return True


def _past(context: RuleContext, node: nodes.Node, added: int, size: Size, call: nodes.Call) -> tuple[str, str] | None:
    """An index and the size, as they are written, if `node + added` is at least the size; otherwise None."""
    if added < 0:
        inner, more = _shifted(context, context.value_node(node))
        if more <= 0:
            return None
        node, added = inner, added + more
    if added < 0 or not _is_size(context, node, size, call):
        return None
    text = context.text(node)
    return (f"{text} + {added}" if added else text), text


def _is_size(context: RuleContext, node: nodes.Node, size: Size, call: nodes.Call) -> bool:
    if context.called(node) == size.function:
        given = context.argument(node, "id")
        return given is not None and context.symbol(bare(given)) is size.symbol
    symbol = context.symbol(node)
    if symbol is None or symbol.reassignments or symbol.kind not in ("variable", "parameter"):
        return False
    made = size.symbol.value
    if made is not None and size.function == "array.size" and not size.symbol.reassignments:
        length = context.argument(bare(made), size.parameter)
        if length is not None and context.symbol(bare(length)) is symbol and never_resized(context, size.symbol):
            return True
    value = context.value_node(node)
    return (
        value is not node and _is_size(context, value, size, call) and not _changed_since(context, symbol, size, call)
    )


def _changed_since(context: RuleContext, symbol: VariableSymbol, size: Size, call: nodes.Call) -> bool:
    if not is_private(context, size.symbol):
        return True
    start = context.span(symbol.name_node).start if symbol.name_node is not None else 0
    end = context.span([*context.parents(call)][-1]).end
    resized = calls_on(context, size.symbol, RESIZING)
    return any(start < context.span(each).start < end for each in resized)


def _is_size_of_same(context: RuleContext, node: nodes.Node, collection: nodes.Node) -> bool:
    """Whether an expression is the size of an array that is written in the same way, as a field of a variable."""
    given = context.argument(node, "id") if context.called(node) == "array.size" else None
    if given is None or not isinstance(collection, nodes.Member) or not same(given, collection):
        return False
    return not any(isinstance(part, nodes.Call) for part in walk(collection))


def _farthest(context: RuleContext, call: nodes.Call, index: nodes.Node) -> list[int]:
    """The known values of an index; for a counter that no condition limits, the known ends of its loop."""
    known, value = context.value(index)
    if known:
        return [value] if isinstance(value, int) and not isinstance(value, bool) else []
    base, added = _shifted(context, index)
    loop = _counter_of(context, base)
    if loop is None:
        return []
    ends = [context.value(loop.first), context.value(loop.last)]
    found = [value + added for known, value in ends if known and type(value) is int]
    return found if found and _takes_all(context, call, loop) else []
