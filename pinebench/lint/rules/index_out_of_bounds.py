"""Rule PB1004: an index that lies outside an array or matrix whose size is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.arrays import RESIZING, fixed_shape, fixed_size
from pinebench.lint.rules.look import bare
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.check.symbols import VariableSymbol
    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class IndexOutOfBounds(Rule):
    """An index lies outside the array or matrix, which stops the script with an error on the first bar that reaches it.

    Reported where the size is sure: the array is made with it, and nothing makes it longer or shorter; and where the
    index is the size itself, or a loop counts to it. The last of `n` elements is `n - 1`; indices of arrays from -1
    down to `-n` count from the end.

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
    calls = ("array.get", "array.set", "array.remove", "matrix.get", "matrix.set")

    def visit(self, node: nodes.Call, look: Look) -> Iterator[Diagnostic]:
        """Report a known index, or the last of a counter, that is too large or too small."""
        given = look.argument(node, "id")
        symbol = look.symbol(bare(given)) if given is not None else None
        if symbol is None:
            return
        if (look.called(node) or "").startswith("matrix."):
            yield from self._in_matrix(node, symbol, look)
            return
        index = look.argument(node, "index")
        if index is None:
            return
        size = _size_counted_to(look, node, index, symbol)
        if size is not None:
            yield look.report(self.code, index, within=node, index=size, name=symbol.name, size=size)
            return
        reached = _farthest(look, node, index)
        length = fixed_size(look, symbol) if reached else None
        if length is None:
            return
        outside = next((value for value in reached if not -length <= value < length), None)
        if outside is not None:
            yield look.report(self.code, index, within=node, index=outside, name=symbol.name, size=length)

    def _in_matrix(self, node: nodes.Call, symbol: VariableSymbol, look: Look) -> Iterator[Diagnostic]:
        reached = [_farthest(look, node, given) for name in ("row", "column") if (given := look.argument(node, name))]
        shape = fixed_shape(look, symbol) if any(reached) else None
        for values, length, what in zip(reached, shape or (), ("rows", "columns"), strict=False):
            outside = next((value for value in values if not 0 <= value < length), None)
            if outside is not None:
                yield look.report(self.code, node, index=outside, name=symbol.name, size=f"{length} {what} of")


def _counter_of(look: Look, index: nodes.Node) -> nodes.ForTo | None:
    """The loop without a step that an index is the counter of."""
    symbol = look.symbol(bare(index))
    if symbol is None or symbol.kind != "counter" or not isinstance(symbol.declaration, nodes.ForTo):
        return None
    return symbol.declaration if symbol.declaration.step is None else None


def _takes_all(look: Look, call: nodes.Call, loop: nodes.ForTo) -> bool:
    """Whether nothing in a loop keeps a call from any of the counter's values."""
    return not any(True for _ in look.conditions(call, loop))


def _size_counted_to(look: Look, call: nodes.Call, index: nodes.Node, symbol: VariableSymbol) -> str | None:
    """The size of the array, as it is written, where it is the index, or where a loop counts up to it or down from it;
    None elsewhere.

    Nothing in the loop may end it early or change the size; other uses than by built-ins may.
    """
    if _is_size_of(look, index, symbol):
        return look.text(index)
    loop = _counter_of(look, index)
    if loop is None:
        return None
    end = next((end for end in (loop.first, loop.last) if _is_size_of(look, end, symbol)), None)
    if end is None or not _takes_all(look, call, loop):
        return None
    for part in walk(loop.body):
        if isinstance(part, nodes.Break | nodes.Continue) or look.called(part) in RESIZING:
            return None
        if look.called_function(part) is not None:
            return None
    return look.text(end)


def _is_size_of(look: Look, node: nodes.Node, symbol: VariableSymbol) -> bool:
    node = bare(node)
    given = look.argument(node, "id") if look.called(node) == "array.size" else None
    return given is not None and look.symbol(bare(given)) is symbol


def _farthest(look: Look, call: nodes.Call, index: nodes.Node) -> list[int]:
    """The known values of an index; of a counter that nothing else limits, its ends."""
    known, value = look.value(index)
    if known:
        return [value] if isinstance(value, int) and not isinstance(value, bool) else []
    loop = _counter_of(look, index)
    if loop is None:
        return []
    ends = [look.value(loop.first), look.value(loop.last)]
    found = [value for known, value in ends if known and isinstance(value, int)]
    return found if found and _takes_all(look, call, loop) else []
