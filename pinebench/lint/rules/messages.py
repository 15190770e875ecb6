"""The messages of alerts: their text once the pieces are joined, and the placeholders in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.lint.rules.look import Look
    from pinebench.syntax.nodes import Node

UNKNOWN = "\0"
"""Stands in a joined text for a piece that only the run tells."""

_ORDERS = ("strategy.entry", "strategy.order", "strategy.exit", "strategy.close", "strategy.close_all")
_PARAMETERS = {
    "alert": ("message",),
    "alertcondition": ("message",),
    **dict.fromkeys(_ORDERS, ("alert_message", "alert_profit", "alert_loss", "alert_trailing")),
}


SENDING = tuple(_PARAMETERS)
"""What sends messages."""


def messages(look: Look) -> Iterator[tuple[str, Node]]:
    """The messages of alerts and orders, each with the name of what sends it."""
    for name, parameters in _PARAMETERS.items():
        for call in look.calls(name):
            for parameter in parameters:
                given = look.argument(call, parameter)
                if given is not None:
                    yield name, given


def sent(look: Look) -> list[tuple[str, Node, str]]:
    """The messages of alerts and orders, each with the name of what sends it and with its text, found once."""
    return look.once(_sent)


def _sent(look: Look) -> list[tuple[str, Node, str]]:
    return [(name, node, joined(look, node)) for name, node in messages(look)]


def joined(look: Look, node: Node, depth: int = 0) -> str:
    """The text of a message, UNKNOWN for each piece that only the run tells; of two texts the first."""
    node = look.value_node(node)
    if isinstance(node, nodes.Binary) and node.operator == "+" and depth <= _DEEPEST:
        return joined(look, node.left, depth + 1) + joined(look, node.right, depth + 1)
    known, value = look.value(node)
    if known:
        return value if type(value) is str else UNKNOWN
    if depth > _DEEPEST:
        return UNKNOWN
    if isinstance(node, nodes.Ternary):
        return joined(look, node.then, depth + 1)
    if look.called(node) == "str.format" and isinstance(node, nodes.Call):
        return _formatted(joined(look, node.arguments[0], depth + 1))
    return UNKNOWN


_DEEPEST = 200


def _formatted(template: str) -> str:
    """What `str.format` makes of a template: quoted braces are braces, the others places for values."""
    parts = re.split(r"'([^']*)'", template)
    return "".join(part if number % 2 else re.sub(r"\{[^{}]*\}", UNKNOWN, part) for number, part in enumerate(parts))


PLACEHOLDER = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")
"""A placeholder of an alert's message, as `{{close}}`."""
NUMBERS = frozenset(
    "open high low close volume strategy.position_size strategy.order.contracts strategy.order.price "
    "strategy.market_position_size strategy.prev_market_position_size".split()
)
"""The placeholders that give numbers."""
TEXTS = frozenset(
    "ticker exchange interval time timenow syminfo.currency syminfo.basecurrency strategy.order.action "
    "strategy.order.id strategy.order.comment strategy.order.alert_message strategy.market_position "
    "strategy.prev_market_position".split()
)
"""The placeholders that give texts (TradingView's help, variables in alerts)."""
