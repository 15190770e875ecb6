"""The inputs in a script's settings."""

from __future__ import annotations

from collections.abc import Mapping

from pinebench import reference
from pinebench.linter.rules.context import RuleContext, once
from pinebench.syntax import nodes

INPUTS = tuple(name for name in reference.functions() if name == "input" or name.startswith("input."))
"""The functions that make inputs."""


@once
def inputs(context: RuleContext) -> list[tuple[nodes.Call, Mapping[str, nodes.Node]]]:
    """Return the calls of input functions, each with its arguments by parameter."""
    resolved, known = context.program.resolved_calls, frozenset(INPUTS)
    return [
        (call, resolved[call].arguments)
        for name, calls in context.builtin_calls.items()
        if name in known
        for call in calls
    ]


def input_name(context: RuleContext, call: nodes.Call) -> str:
    """Return the name of an input for messages: the variable that gets its value, or else its title, or else its
    function."""
    above = context.parent.get(call)
    while isinstance(above, _COMPUTING):
        above = context.parent.get(above)
    if isinstance(above, nodes.VariableDeclaration):
        return above.name.id
    title = context.argument(call, "title")
    value = context.value(title)[1] if title is not None else None
    return value if isinstance(value, str) and value else context.called(call) or ""


_COMPUTING = (nodes.Binary, nodes.Unary, nodes.Ternary, nodes.Parenthesized)


def by_default(context: RuleContext, node: nodes.Node) -> bool | None:
    """Return the default of a bool input, inverted if `not` is before the input, or None for any other expression."""
    node = context.value_node(node)
    if isinstance(node, nodes.Unary) and node.operator == "not":
        value = by_default(context, node.operand)
        return None if value is None else not value
    default = context.argument(node, "defval") if context.called(node) in ("input.bool", "input") else None
    value = context.value(default)[1] if default is not None else None
    return value if isinstance(value, bool) else None
