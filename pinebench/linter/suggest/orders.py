"""The condition of an order: the argument `when` of earlier versions becomes an `if` around the order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.linter.suggest.candidate import dotted
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pinebench.linter.suggest.candidate import Candidate
    from pinebench.linter.suggest.facts import Facts
    from pinebench.syntax.edits import TreeEdits

WHEN = "when"
_TITLE = "put the order under 'if', with the condition of 'when'"


def is_order(call: nodes.Call) -> bool:
    """Return whether `call` is a call of a function in the namespace `strategy`."""
    return (dotted(call.callee) or "").startswith("strategy.")


def when_of(call: nodes.Call) -> nodes.NamedArgument | None:
    """Return the argument `when` of an order, or None if it has none."""
    if not is_order(call):
        return None
    return next((item for item in call.arguments if isinstance(item, nodes.NamedArgument) and item.name == WHEN), None)


def under_condition(
    facts: Facts, call: nodes.Call, argument: nodes.Node, offset: int, *, safe: bool = True
) -> Iterator[Candidate]:
    """Yield the candidate that puts the order `call` into a block under `if`, with `argument` as the condition.
    `offset` is the start of their top-level statement; for `safe` see `Candidate`."""
    condition = condition_of(facts, argument, offset)
    ask = plan(facts, call, argument, offset, condition) if condition is not None else None
    if ask is not None:
        yield from facts.candidate(_TITLE, ask, safe=safe, certain=safe)


def plan(
    facts: Facts, call: nodes.Call, argument: nodes.Node, offset: int, condition: str
) -> Callable[[TreeEdits], None] | None:
    """Return the function that makes the edits for the order `call` under `if condition`, without `argument`.

    Return None if the order is not a statement by itself. Also return None if an argument would be computed on
    different bars than before and cannot be computed before the `if`.
    """
    statement = _statement(facts, call, offset)
    early: list[tuple[nodes.Node, str, str]] = []
    for item in call.arguments:
        value = item.value if isinstance(item, nodes.NamedArgument) else item
        effects = facts.program.effects(value)
        changes = effects.changes or effects.mutates or effects.writes
        if item is argument or not (effects.keeps or changes):
            continue
        text = facts.line_of(value, offset)
        if text is None or changes:
            return None
        # The value was computed on every bar, and must stay so.
        stem = item.name if isinstance(item, nodes.NamedArgument) else "value"
        early.append((value, facts.free_name(stem, offset + value.start), text))
    if statement is None:
        return None

    def ask(edits: TreeEdits) -> None:
        edits.remove(argument)
        edits.wrap_in_block(statement, f"if {condition}")
        for value, name, text in early:
            edits.insert_before(statement, f"{name} = {text}")
            edits.replace(value, name)

    return ask


def _statement(facts: Facts, call: nodes.Call, offset: int) -> nodes.ExpressionStatement | None:
    """The statement that consists of `call` only; None if there is none."""
    for node, _ in facts.around(offset + call.start):
        if isinstance(node, nodes.ExpressionStatement) and node.expression is call:
            return node
    return None


def condition_of(facts: Facts, argument: nodes.Node, offset: int) -> str | None:
    """Return the value of `when` as a condition. Earlier versions accepted a number as a condition, so a number is
    converted with `bool()`. Return None for values of other types."""
    value = argument.value if isinstance(argument, nodes.NamedArgument) else argument
    while isinstance(value, nodes.Parenthesized):
        value = value.expression
    text = facts.line_of(value, offset)
    type_ = facts.program.type_of(value)
    if text is None or type_ is None or type_.base.name not in ("bool", "int", "float"):
        return None
    return text if type_.base.name == "bool" else f"bool({text})"
