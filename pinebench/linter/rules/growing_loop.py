"""Rule PB4006: a loop that grows with the chart."""

from __future__ import annotations

from pinebench.checker import VariableSymbol
from pinebench.linter.rules.arrays import GROWING, calls_on, made_size, only_grows, receiver
from pinebench.linter.rules.bars import runs_on_every_bar
from pinebench.linter.rules.ranges import comparison
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, bare, nodes, path, walk


class GrowingLoop(Rule):
    """A loop that runs on every bar gets longer from bar to bar: it runs to `bar_index`, to a number that only grows,
    or over an array from which no element is ever removed. On a long chart the script exceeds its time limit. Keep the
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

    def visit(self, node: nodes.ForTo | nodes.ForIn | nodes.While, context: RuleContext) -> Findings:
        """Report a loop whose end grows from bar to bar without a limit."""
        fault = _growing_end(context, node)
        if fault is None or any(isinstance(part, nodes.Break) for part in walk(node.body)):
            return
        if runs_on_every_bar(context, node):
            yield context.report(self.code, fault)


def _growing_end(context: RuleContext, node: nodes.ForTo | nodes.ForIn | nodes.While) -> nodes.Node | None:
    """The end of a loop if it grows from bar to bar; otherwise None."""
    if isinstance(node, nodes.ForIn):
        return node.collection if _is_growing_array(context, context.symbol(bare(node.collection))) else None
    if isinstance(node, nodes.While):
        asked = comparison(context, node.condition)
        counter = context.symbol(asked.subject) if asked is not None and asked.operator in ("<", "<=") else None
        is_fresh = counter is not None and counter.mode is None and counter in context.writes
        return node.condition if asked is not None and is_fresh and _grows(context, asked.other) else None
    first, last = context.value_node(node.first), bare(context.value_node(node.last))
    if _grows(context, last) == _grows(context, first):
        return None
    if any(context.called(part) in ("math.min", "math.max") for part in walk([first, last])):
        return None
    return node.last if _grows(context, last) else node.first


def _grows(context: RuleContext, node: nodes.Node) -> bool:
    """Whether an expression is `bar_index`, or another number or size that only grows, or one of these combined with a
    literal."""
    node = context.value_node(node)
    if isinstance(node, nodes.Name):
        symbol = context.symbol(node)
        if symbol is None:
            return node.id in ("bar_index", "last_bar_index")
        return _is_given_growing(context, symbol) if symbol.kind == "parameter" else _only_counts_up(context, symbol)
    if isinstance(node, nodes.Binary) and node.operator in ("+", "-", "*", "/"):
        return isinstance(bare(node.right), nodes.Literal) and _grows(context, node.left)
    if isinstance(node, nodes.Member):
        return path(node) == "strategy.closedtrades" and context.is_builtin(node)
    return context.called(node) == "array.size" and _is_growing_array(context, receiver(context, node))


def _is_given_growing(context: RuleContext, symbol: VariableSymbol) -> bool:
    """Whether every call of the function passes a growing value for the parameter."""
    function = symbol.scope.function
    sites = context.call_sites.get(function, ()) if function is not None else ()
    given = [context.argument(site, symbol.name) for site in sites]
    return bool(given) and all(each is not None and _grows(context, each) for each in given)


def _only_counts_up(context: RuleContext, symbol: VariableSymbol) -> bool:
    """Whether a variable only increases, and does so on every bar."""
    writes = context.writes.get(symbol, [])
    added = [_added(context, write, symbol) for write in writes]
    steps = [context.value(each) for each in added if each is not None]
    if symbol.mode != "var" or len(steps) < len(writes):
        return False
    if not all(known and isinstance(step, int | float) and step > 0 for known, step in steps):
        return False
    return any(context.runs_always(write) for write in writes)


def _added(context: RuleContext, write: nodes.Reassignment, symbol: VariableSymbol) -> nodes.Node | None:
    """The value that an assignment adds to a variable (`n += 1`, `n := n + 1`); None if it does something else."""
    if write.operator == "+=":
        return write.value
    value = bare(write.value)
    if write.operator != ":=" or not isinstance(value, nodes.Binary) or value.operator != "+":
        return None
    return value.right if context.symbol(bare(value.left)) is symbol else None


def _is_growing_array(context: RuleContext, symbol: VariableSymbol | None) -> bool:
    if symbol is None or symbol.mode != "var" or symbol.reassignments or made_size(context, symbol.value) is None:
        return False
    if not only_grows(context, symbol):
        return False
    return any(context.runs_always(call) for call in calls_on(context, symbol, GROWING))
