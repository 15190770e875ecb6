"""The condition of an order: what earlier versions gave as `when` becomes an `if` around the order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.lint.suggest.candidate import dotted
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.lint.suggest.candidate import Candidate
    from pinebench.lint.suggest.facts import Facts
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
    chunk's start.

    Nothing where the order has no lines of its own or its value is used, or where something would be computed on other
    bars than before and cannot be computed beforehand.
    """
    statement = _statement(facts, call, offset)
    condition = _condition(facts, argument, offset)
    early = _computed_before(facts, call, argument, offset)
    if statement is None or condition is None or early is None:
        return

    def ask(edits: TreeEdits) -> None:
        edits.remove(argument)
        edits.wrap_in_block(statement, f"if {condition}")
        for value, name, text in early:
            edits.insert_before(statement, f"{name} = {text}")
            edits.replace(value, name)

    yield from facts.candidate(_TITLE, ask, safe=safe, certain=safe)


def _computed_before(
    facts: Facts, call: nodes.Call, argument: nodes.Node, offset: int
) -> list[tuple[nodes.Node, str, str]] | None:
    """The values that were computed on every bar and must be so still, each with a name and its text; None where they
    do something besides."""
    found: list[tuple[nodes.Node, str, str]] = []
    names: set[str] = set()
    for item in call.arguments:
        value = item.value if isinstance(item, nodes.NamedArgument) else item
        effects = facts.program.effects(value)
        if item is argument or not (effects.keeps or effects.changes or effects.mutates or effects.writes):
            continue
        text = facts.line_of(value, offset)
        name = facts.free_name(item.name if isinstance(item, nodes.NamedArgument) else "value", offset + value.start)
        if text is None or name in names or effects.changes or effects.mutates or effects.writes:
            return None
        names.add(name)
        found.append((value, name, text))
    return found


def _statement(facts: Facts, call: nodes.Call, offset: int) -> nodes.ExpressionStatement | None:
    """The statement that `call` is, if it is one by itself."""
    for node, _ in facts.around(offset + call.start):
        if isinstance(node, nodes.ExpressionStatement) and node.expression is call:
            return node
    return None


def _condition(facts: Facts, argument: nodes.Node, offset: int) -> str | None:
    """What `when` was given, as a condition: a number, which v6 takes for none, by the rule of earlier versions."""
    value = argument.value if isinstance(argument, nodes.NamedArgument) else argument
    while isinstance(value, nodes.Parenthesized):
        value = value.expression
    text = facts.line_of(value, offset)
    type_ = facts.program.type_of(value)
    if text is None or type_ is None or type_.base.name not in ("bool", "int", "float"):
        return None
    return text if type_.base.name == "bool" else f"bool({text})"
