"""Rule PB1010: a loop whose body never runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.linter.rules.alike import flattened
from pinebench.linter.rules.arrays import made_size, receiver, stays_empty
from pinebench.linter.rules.look import bare
from pinebench.linter.rules.ranges import Comparison, Range, comparison
from pinebench.linter.rules.rule import Rule, register
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.rules.look import Look


@register
class LoopNeverRuns(Rule):
    """A loop goes over a collection that is surely empty, or its condition is false from the start.

    Bad:

        //@version=6
        indicator("Example")
        i = 10
        while i < 10
            i += 1
        plot(i)

    Good:

        //@version=6
        indicator("Example")
        i = 0
        while i < 10
            i += 1
        plot(i)
    """

    code = "PB1010"
    nodes = (nodes.ForIn, nodes.While)

    def visit(self, node: nodes.ForIn | nodes.While, look: Look) -> Iterator[Diagnostic]:
        """Report an empty collection or a condition that fails before the first round."""
        if isinstance(node, nodes.ForIn):
            if _is_empty(look, bare(node.collection)):
                yield look.report(self.code, node.collection, reason="nothing is ever put into the collection")
            return
        for part in flattened(node.condition, "and"):
            reason = _failing(look, node, part)
            if reason is not None:
                yield look.report(self.code, node.condition, reason=reason)
                return


def _is_empty(look: Look, collection: nodes.Node) -> bool:
    symbol = look.symbol(collection)
    if symbol is None:
        return made_size(look, collection) == 0
    return stays_empty(look, symbol)


def _failing(look: Look, loop: nodes.While, part: nodes.Node) -> str | None:
    """Why a part of a loop's condition is false before the first round; None where that is not known."""
    truth = True
    if isinstance(part, nodes.Unary) and part.operator == "not":
        part, truth = bare(part.operand), False
    if isinstance(part, nodes.Name):
        given = _value_before(look, loop, part)
        known, value = look.value(given) if given is not None else (False, None)
        return f'"{part.id}" is {str(value).lower()} before it' if known and value is (not truth) else None
    found = comparison(look, part) if truth else None
    if found is None or found.number is None:
        return None
    counted = receiver(look, found.subject) if look.called(found.subject) == "array.size" else None
    if counted is not None:
        start = 0 if stays_empty(look, counted) else None
    else:
        given = _value_before(look, loop, found.subject)
        start = _number(look, given) if given is not None else None
    if start is None or _holds(found, start):
        return None
    return f"the condition is false for {start:g}"


def _holds(found: Comparison, value: float) -> bool:
    if found.operator == "!=":
        return value != found.number
    return not found.range.both(Range(value, value)).is_empty


def _value_before(look: Look, loop: nodes.While, subject: nodes.Node) -> nodes.Node | None:
    """What a variable surely is where the loop begins: the value of the assignment right before in its block."""
    symbol = look.symbol(subject)
    if symbol is None or symbol.mode is not None:
        return None
    value: nodes.Node | None = None
    for statement in look.block(loop):
        if statement is loop:
            return value
        if isinstance(statement, nodes.VariableDeclaration) and statement is symbol.declaration:
            value = statement.value
        elif isinstance(statement, nodes.Reassignment) and look.symbol(statement.target) is symbol:
            value = statement.value if statement.operator == ":=" else None
        elif any(part in look.writes.get(symbol, ()) for part in walk(statement)):
            value = None
    return None


def _number(look: Look, node: nodes.Node) -> float | None:
    known, value = look.value(node)
    return value if known and isinstance(value, (int, float)) and not isinstance(value, bool) else None
