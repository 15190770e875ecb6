"""Rule PB4006: a loop that grows with the chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.linter.rules.arrays import GROWING, made_size, only_grows, receiver
from pinebench.linter.rules.bars import runs_on_every_bar
from pinebench.linter.rules.look import bare, path
from pinebench.linter.rules.ranges import comparison
from pinebench.linter.rules.rule import Rule, register
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.checker.symbols import VariableSymbol
    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.rules.look import Look


@register
class GrowingLoop(Rule):
    """A loop on every bar runs to `bar_index`, to a number that only grows or over an array from which nothing is ever
    taken, so that each bar takes longer than the one before. On a long chart the script exceeds its time. Keep the
    result in a `var` variable and add each bar to it, or set a limit.

    Bad:

        //@version=6
        indicator("Example")
        sum = 0.0
        for i = 0 to bar_index
            sum += close[i]
        plot(sum)

    Good:

        //@version=6
        indicator("Example")
        var sum = 0.0
        sum += close
        plot(sum)
    """

    code = "PB4006"
    nodes = (nodes.ForTo, nodes.ForIn, nodes.While)

    def visit(self, node: nodes.ForTo | nodes.ForIn | nodes.While, look: Look) -> Iterator[Diagnostic]:
        """Report a loop whose end grows from bar to bar without a limit."""
        fault = _growing_end(look, node)
        if fault is None or any(isinstance(part, nodes.Break) for part in walk(node.body)):
            return
        if runs_on_every_bar(look, node):
            yield look.report(self.code, fault)


def _growing_end(look: Look, node: nodes.ForTo | nodes.ForIn | nodes.While) -> nodes.Node | None:
    """The end of a loop where it grows from bar to bar."""
    if isinstance(node, nodes.ForIn):
        return node.collection if _is_growing_array(look, look.symbol(bare(node.collection))) else None
    if isinstance(node, nodes.While):
        asked = comparison(look, node.condition)
        counter = look.symbol(asked.subject) if asked is not None and asked.operator in ("<", "<=") else None
        is_fresh = counter is not None and counter.mode is None and counter in look.writes
        return node.condition if asked is not None and is_fresh and _grows(look, asked.other) else None
    first, last = look.value_node(node.first), bare(look.value_node(node.last))
    if _grows(look, last) == _grows(look, first):
        return None
    if any(look.called(part) in ("math.min", "math.max") for part in walk([first, last])):
        return None
    return node.last if _grows(look, last) else node.first


def _grows(look: Look, node: nodes.Node) -> bool:
    """Whether an expression is `bar_index`, another number or size that only grows, or that and a number."""
    node = look.value_node(node)
    if isinstance(node, nodes.Name):
        symbol = look.symbol(node)
        if symbol is None:
            return node.id in ("bar_index", "last_bar_index")
        return _is_given_growing(look, symbol) if symbol.kind == "parameter" else _only_counts_up(look, symbol)
    if isinstance(node, nodes.Binary) and node.operator in ("+", "-", "*", "/"):
        return isinstance(bare(node.right), nodes.Literal) and _grows(look, node.left)
    if isinstance(node, nodes.Member):
        return path(node) == "strategy.closedtrades" and look.is_builtin(node)
    return look.called(node) == "array.size" and _is_growing_array(look, receiver(look, node))


def _is_given_growing(look: Look, symbol: VariableSymbol) -> bool:
    """Whether every call of its function gives a parameter what grows."""
    function = symbol.scope.function
    sites = look.call_sites.get(function, ()) if function is not None else ()
    given = [look.argument(site, symbol.name) for site in sites]
    return bool(given) and all(each is not None and _grows(look, each) for each in given)


def _only_counts_up(look: Look, symbol: VariableSymbol) -> bool:
    """Whether every bar adds to a variable, and nothing else is done to it."""
    writes = look.writes.get(symbol, [])
    added = [_added(look, write, symbol) for write in writes]
    steps = [look.value(each) for each in added if each is not None]
    if symbol.mode != "var" or len(steps) < len(writes):
        return False
    if not all(known and isinstance(step, int | float) and step > 0 for known, step in steps):
        return False
    return any(look.runs_always(write) for write in writes)


def _added(look: Look, write: nodes.Reassignment, symbol: VariableSymbol) -> nodes.Node | None:
    """What an assignment adds to a variable: `n += 1`, or `n := n + 1`; None where it does something else."""
    if write.operator == "+=":
        return write.value
    value = bare(write.value)
    if write.operator != ":=" or not isinstance(value, nodes.Binary) or value.operator != "+":
        return None
    return value.right if look.symbol(bare(value.left)) is symbol else None


def _is_growing_array(look: Look, symbol: VariableSymbol | None) -> bool:
    """Whether every bar adds to an array from which nothing is ever taken."""
    if symbol is None or symbol.mode != "var" or symbol.reassignments or made_size(look, symbol.value) is None:
        return False
    if not only_grows(look, symbol):
        return False
    grown = [call for name in GROWING for call in look.calls(name) if receiver(look, call) is symbol]
    return any(look.runs_always(call) for call in grown)
