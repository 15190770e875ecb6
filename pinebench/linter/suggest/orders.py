"""The condition of an order: what earlier versions gave as `when` becomes an `if` around the order."""

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
_TITLE = "put the order under 'if', with the condition that 'when' gave"


def is_order(call: nodes.Call) -> bool:
    """Whether `call` is one of a function of `strategy`."""
    return (dotted(call.callee) or "").startswith("strategy.")


def when_of(call: nodes.Call) -> nodes.NamedArgument | None:
    """The argument `when` of an order."""
    if not is_order(call):
        return None
    return next((item for item in call.arguments if isinstance(item, nodes.NamedArgument) and item.name == WHEN), None)


def under_condition(
    facts: Facts, call: nodes.Call, argument: nodes.Node, offset: int, *, safe: bool = True
) -> Iterator[Candidate]:
    """The order `call` in a block of its own below `if`, without `argument`, which is its condition; `offset` is their
    chunk's start."""
    condition = condition_of(facts, argument, offset)
    ask = plan(facts, call, argument, offset, condition) if condition is not None else None
    if ask is not None:
        yield from facts.candidate(_TITLE, ask, safe=safe, certain=safe)


def plan(
    facts: Facts,
    call: nodes.Call,
    argument: nodes.Node,
    offset: int,
    condition: str,
) -> Callable[[TreeEdits], None] | None:
    """What asks for the order `call` below `if` and `condition`, without `argument`.

    None where the order is no statement by itself, or where something would be computed on other bars than before and
    cannot be computed beforehand.
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
        # It has been computed on every bar, and must be so still.
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
    """The statement that `call` is, if it is one by itself."""
    for node, _ in facts.around(offset + call.start):
        if isinstance(node, nodes.ExpressionStatement) and node.expression is call:
            return node
    return None


def condition_of(facts: Facts, argument: nodes.Node, offset: int) -> str | None:
    """What `when` was given, as a condition: a number, which v6 takes for none, by the rule of earlier versions."""
    value = argument.value if isinstance(argument, nodes.NamedArgument) else argument
    while isinstance(value, nodes.Parenthesized):
        value = value.expression
    text = facts.line_of(value, offset)
    type_ = facts.program.type_of(value)
    if text is None or type_ is None or type_.base.name not in ("bool", "int", "float"):
        return None
    return text if type_.base.name == "bool" else f"bool({text})"
