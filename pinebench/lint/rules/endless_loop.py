"""Rule PB1011: a loop that does not end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.rules.alike import names_in
from pinebench.lint.rules.arrays import GROWING, receiver
from pinebench.lint.rules.ranges import comparison
from pinebench.lint.rules.requests import parts
from pinebench.lint.rules.rule import Rule, register
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.lint.rules.look import Look


@register
class EndlessLoop(Rule):
    """The body of a `while` changes nothing that its condition reads, or only moves the counter away from the end; or
    a `for` adds to the array whose size is its end, which v6 asks for before each round. TradingView stops the script
    after half a second.

    Bad:

        //@version=6
        indicator("Example")
        i = 0
        sum = 0.0
        while i < 10
            sum += close[i]
        plot(sum)

    Good:

        //@version=6
        indicator("Example")
        i = 0
        sum = 0.0
        while i < 10
            sum += close[i]
            i += 1
        plot(sum)
    """

    code = "PB1011"
    nodes = (nodes.While, nodes.ForTo)

    def visit(self, node: nodes.While | nodes.ForTo, look: Look) -> Iterator[Diagnostic]:
        """Report a loop that neither its condition nor a `break` ends."""
        grown = _grown(look, node) if isinstance(node, nodes.ForTo) else None
        if isinstance(node, nodes.ForTo) and grown is None:
            return
        if any(isinstance(part, nodes.Break) for part in walk(node.body)) or _stops(look, node.body):
            return
        if isinstance(node, nodes.ForTo):
            yield look.report(self.code, node.last, reason=f'the loop adds to "{grown}", whose size is its end')
            return
        read = {symbol for name in names_in(node.condition) if (symbol := look.symbol(name)) is not None}
        if not any(_touched(look, node, symbol) for symbol in read) and not _asks_anew(look, node):
            names = " or ".join(sorted(f'"{symbol.name}"' for symbol in read)) or "it"
            yield look.report(self.code, node.condition, reason=f"the body never changes {names}")
        elif (leaving := _leaving(look, node)) is not None:
            yield look.report(self.code, node.condition, reason=f'"{leaving}" only moves away from the end')


def _leaving(look: Look, loop: nodes.While) -> str | None:
    """The counter that each round moves farther from the number at which the condition would end the loop."""
    asked = comparison(look, loop.condition)
    symbol = look.symbol(asked.subject) if asked is not None and asked.number is not None else None
    if asked is None or symbol is None or asked.operator not in ("<", "<=", ">", ">="):
        return None
    writes = [write for write in look.writes.get(symbol, ()) if loop in look.loops(write)]
    away = "-=" if asked.operator in ("<", "<=") else "+="
    for write in writes:
        known, value = look.value(write.value)
        if write.operator != away or not known or not isinstance(value, int | float) or value <= 0:
            return None
    return symbol.name if writes else None


def _stops(look: Look, body: list[nodes.Statement]) -> bool:
    return any(look.called(part) == "runtime.error" for part in walk(body))


def _grown(look: Look, loop: nodes.ForTo) -> str | None:
    """The array of which the loop's end is the size, and to which each round of its body adds."""
    sizes = [part for part in walk(loop.last) if look.called(part) == "array.size"]
    arrays = {symbol for size in sizes if (symbol := receiver(look, size)) is not None}
    for statement in loop.body:
        call = statement.expression if isinstance(statement, nodes.ExpressionStatement) else None
        if look.called(call) in GROWING - {"array.concat"} and call is not None:
            grown = receiver(look, call)
            if grown in arrays and grown is not None and not _shrunk(look, loop, grown):
                return grown.name
    return None


def _shrunk(look: Look, loop: nodes.ForTo, symbol: object) -> bool:
    shrinking = ("array.pop", "array.shift", "array.remove", "array.clear")
    return any(look.called(part) in shrinking and receiver(look, part) is symbol for part in walk(loop.body))


def _touched(look: Look, loop: nodes.While, symbol: object) -> bool:
    """Whether the body assigns a variable, or may change the object that it holds, itself or by a function."""
    for part in walk(loop.body):
        if look.called_function(part) is not None and any(look.symbol(each) is symbol for each in parts(look, part)):
            return True
        used: list[nodes.Node] = []
        if isinstance(part, nodes.Reassignment):
            used = [part.target]
        elif isinstance(part, nodes.Member):
            used = [part.object]
        elif isinstance(part, nodes.Call):
            used = [getattr(given, "value", given) for given in part.arguments]
        if any(look.symbol(each) is symbol for each in used):
            return True
    return False


def _asks_anew(look: Look, loop: nodes.While) -> bool:
    """Whether the condition calls a function of the script, which may give another value each time."""
    calls = (part for part in walk(loop.condition) if isinstance(part, nodes.Call))
    return any(look.called(call) in (None, "math.random") for call in calls)
