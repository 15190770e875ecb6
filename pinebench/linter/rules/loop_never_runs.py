"""Rule PB1010: a loop whose body never runs."""

from __future__ import annotations

from pinebench.linter.rules.alike import flattened
from pinebench.linter.rules.arrays import made_size, receiver, stays_empty
from pinebench.linter.rules.ranges import Comparison, NumberRange, comparison
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, bare, nodes, walk


class LoopNeverRuns(Rule):
    """A loop runs over a collection that is certainly empty, or its condition is false from the start.

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

    def visit(self, node: nodes.ForIn | nodes.While, context: RuleContext) -> Findings:
        """Report an empty collection, or a condition that is false before the first iteration."""
        if isinstance(node, nodes.ForIn):
            if _is_empty(context, bare(node.collection)):
                yield context.report(self.code, node.collection, reason="nothing is ever put into the collection")
            return
        for part in flattened(node.condition, "and"):
            reason = _failing(context, node, part)
            if reason is not None:
                yield context.report(self.code, node.condition, reason=reason)
                return


def _is_empty(context: RuleContext, collection: nodes.Node) -> bool:
    symbol = context.symbol(collection)
    if symbol is None:
        return made_size(context, collection) == 0
    return stays_empty(context, symbol)


def _failing(context: RuleContext, loop: nodes.While, part: nodes.Node) -> str | None:
    """The reason why a part of a loop's condition is false before the first iteration; None if that is not known."""
    truth = True
    if isinstance(part, nodes.Unary) and part.operator == "not":
        part, truth = bare(part.operand), False
    if isinstance(part, nodes.Name):
        given = _value_before(context, loop, part)
        known, value = context.value(given) if given is not None else (False, None)
        return f'"{part.id}" is {str(value).lower()} before the loop' if known and value is (not truth) else None
    found = comparison(context, part) if truth else None
    if found is None or found.number is None:
        return None
    counted = receiver(context, found.subject) if context.called(found.subject) == "array.size" else None
    if counted is not None:
        start = 0 if stays_empty(context, counted) else None
    else:
        given = _value_before(context, loop, found.subject)
        start = _number(context, given) if given is not None else None
    if start is None or _holds(found, start):
        return None
    return f"the condition is false for its first value {start:g}"


def _holds(found: Comparison, value: float) -> bool:
    if found.operator == "!=":
        return value != found.number
    return not found.range.both(NumberRange(value, value)).is_empty


def _value_before(context: RuleContext, loop: nodes.While, subject: nodes.Node) -> nodes.Node | None:
    """The expression that a variable certainly has as its value when the loop begins; None if it is not known. Only
    declarations and assignments in the loop's own block count."""
    symbol = context.symbol(subject)
    if symbol is None or symbol.mode is not None:
        return None
    value: nodes.Node | None = None
    for statement in context.block(loop):
        if statement is loop:
            return value
        if isinstance(statement, nodes.VariableDeclaration) and statement is symbol.declaration:
            value = statement.value
        elif isinstance(statement, nodes.Reassignment) and context.symbol(statement.target) is symbol:
            value = statement.value if statement.operator == ":=" else None
        elif any(part in context.writes.get(symbol, ()) for part in walk(statement)):
            value = None
    return None


def _number(context: RuleContext, node: nodes.Node) -> float | None:
    known, value = context.value(node)
    return value if known and isinstance(value, (int, float)) and not isinstance(value, bool) else None
