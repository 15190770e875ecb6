"""Finds the messages of alerts and orders with the strings that each can be, and lists TradingView's placeholders."""

from __future__ import annotations

import re

from pinebench import reference
from pinebench.checker import VariableSymbol
from pinebench.linter.rules.alike import flattened, names_in, same
from pinebench.linter.rules.context import RuleContext, once, path
from pinebench.patterns import lazy_pattern
from pinebench.syntax import nodes
from pinebench.syntax.nodes import Node

UNKNOWN = "\0"
"""The text that replaces a piece whose value is known only at run time."""

_ORDERS = sorted(reference.having("enters") | reference.having("leaves"))
_PARAMETERS = {
    "alert": ("message",),
    "alertcondition": ("message",),
    **dict.fromkeys(_ORDERS, ("alert_message", "alert_profit", "alert_loss", "alert_trailing")),
}


SENDING = tuple(_PARAMETERS)
"""The functions that send messages."""


def messages(context: RuleContext) -> list[tuple[nodes.Call, Node]]:
    """Return the messages of alerts and orders, each with the call that sends it."""
    found: list[tuple[nodes.Call, Node]] = []
    known = context.builtin_calls
    for name, parameters in _PARAMETERS.items():
        for call in known.get(name, ()):
            given = context.given(call)
            if not given.keys().isdisjoint(parameters):
                found += [(call, given[parameter]) for parameter in parameters if parameter in given]
    return found


@once
def sent(context: RuleContext) -> list[tuple[nodes.Call, Node, list[str]]]:
    """Return the messages of alerts and orders, each with the call that sends it and the strings that it can be.

    If the message depends on a choice such as `?`, there is one string for all first choices and one for all second
    choices. The result is computed once.
    """
    return [(call, node, _JoinedMessage(context, node).texts()) for call, node in messages(context)]


class _JoinedMessage:
    """Joins the pieces of `message`."""

    def __init__(self, context: RuleContext, message: Node) -> None:
        self._look = context
        self._message = message
        self._second = False
        self._chose = False
        self._condition: Node | None = None

    def texts(self) -> list[str]:
        """The texts that the message can have, as `sent` describes."""
        first = self.text(self._message)
        if not self._chose:
            return [first]
        self._second = True
        return list(dict.fromkeys((first, self.text(self._message))))

    def text(self, node: Node, depth: int = 0) -> str:
        """The text of a piece; UNKNOWN if it is known only at run time."""
        context = self._look
        node = context.value_node(node)
        if isinstance(node, nodes.Binary) and node.operator == "+" and depth <= _DEEPEST:
            return self.text(node.left, depth + 1) + self.text(node.right, depth + 1)
        known, value = context.value(node)
        if known:
            return value if type(value) is str else UNKNOWN
        if depth > _DEEPEST:
            return UNKNOWN
        if isinstance(node, nodes.Ternary | nodes.Switch | nodes.If):
            if not self._may_choose(node.condition if not isinstance(node, nodes.Switch) else node):
                return UNKNOWN
            chosen = _choices(node)[-1 if self._second else 0]
            return self.text(chosen, depth + 1) if chosen is not None else UNKNOWN
        if isinstance(node, nodes.Member):
            return _WORD if path(node) in _WORDS and context.is_builtin(node) else UNKNOWN
        if isinstance(node, nodes.Name):
            pieces = self._built_up(context.symbol(node))
            return "".join(self.text(piece, depth + 1) for piece in pieces) if pieces else UNKNOWN
        if context.called(node) == "str.format" and isinstance(node, nodes.Call):
            shown = [self._shown(each, node, depth) for each in node.arguments[1:]]
            return _formatted(self.text(node.arguments[0], depth + 1), shown)
        if context.called(node) == "str.tostring":
            return self._shown(next(iter(context.given(node).values())), node, depth)
        given = self._given_by(node)
        return self.text(given, depth + 1) if given is not None else UNKNOWN

    def _may_choose(self, condition: Node) -> bool:
        """Whether both results of a choice can be tried. All choices in the message must have the same condition,
        because different conditions may exclude each other, and the condition must not depend on a parameter."""
        context = self._look
        if any(
            symbol.kind == "parameter" for name in names_in(condition) if (symbol := context.symbol(name)) is not None
        ):
            return False
        if self._condition is None:
            self._condition = condition
        self._chose = True
        return same(self._condition, condition)

    def _shown(self, node: Node, within: Node, depth: int) -> str:
        """The text of a value; any number stands for all numbers."""
        type_ = self._look.type(node, within)
        base = type_.base.name if type_ is not None else None
        if base in ("int", "float"):
            return "0"
        return self.text(node, depth + 1) if base == "string" else UNKNOWN

    def _built_up(self, symbol: VariableSymbol | None) -> list[Node]:
        """The pieces of a text that consecutive statements build before the message is sent; empty if that is not
        certain."""
        context = self._look
        declared = symbol.declaration if symbol is not None else None
        if symbol is None or not isinstance(declared, nodes.VariableDeclaration) or declared.mode is not None:
            return []
        pieces: list[Node] = [declared.value]
        for write in context.writes.get(symbol, ()):
            added = [write.value] if write.operator == "+=" else flattened(write.value, "+")
            if write.operator != "+=" and context.symbol(added.pop(0)) is not symbol:
                return []
            if any(context.symbol(name) is symbol for name in names_in(added)):
                return []
            if context.block(write) is not context.block(declared) and context.parent.get(
                write
            ) is not context.parent.get(declared):
                return []
            if context.span(write).start > context.span(self._message).start:
                return []
            pieces += added
        return pieces

    def _given_by(self, node: Node) -> Node | None:
        """The expression that a function of the script returns, if it is the function's last statement; otherwise
        None."""
        function = self._look.called_function(node)
        if function is None or not self._look.declares(function):
            return None
        last = function.node.body[-1]
        return last.expression if isinstance(last, nodes.ExpressionStatement) else None


def _choices(node: nodes.Ternary | nodes.Switch | nodes.If) -> list[Node | None]:
    """The expressions that a choice can return; None for a branch that is missing or has no value at its end."""
    if isinstance(node, nodes.Ternary):
        return [node.then, node.otherwise]
    bodies = [case.body for case in node.cases] if isinstance(node, nodes.Switch) else [node.body, node.otherwise or []]
    lasts = [body[-1] if body else None for body in bodies]
    given = [last.expression if isinstance(last, nodes.ExpressionStatement) else last for last in lasts]
    return [each if isinstance(each, nodes.Expression | nodes.If | nodes.Switch) else None for each in given]


_WORD = "word"
_WORDS = frozenset(f"syminfo.{name}" for name in ("tickerid", "ticker", "prefix", "currency", "basecurrency", "type"))
"""Variables whose value is a word on every chart. A ticker of digits only is an exception that is ignored."""


_DEEPEST = 200


def _formatted(template: str, shown: list[str]) -> str:
    """Return the result of `str.format` for a template: quoted braces are text, other braces are places for values."""
    parts = re.split(r"'([^']*)'", template)

    def filled(place: re.Match[str]) -> str:
        number = int(place[1]) if place[1] else len(shown)
        return shown[number] if number < len(shown) else UNKNOWN

    return "".join(
        part if number % 2 else re.sub(r"\{\s*(\d*)[^{}]*\}", filled, part) for number, part in enumerate(parts)
    )


PLACEHOLDER = lazy_pattern(r"\{\{([^{}]*)\}\}")
"""A placeholder in the message of an alert, such as `{{close}}`. There may be blanks around its name."""
NUMBERS = frozenset(
    "open high low close volume strategy.position_size strategy.order.contracts strategy.order.price "
    "strategy.market_position_size strategy.prev_market_position_size".split()
)
"""The placeholders for numbers."""
TEXTS = frozenset(
    "ticker exchange interval time timenow syminfo.currency syminfo.basecurrency strategy.order.action "
    "strategy.order.id strategy.order.comment strategy.order.alert_message strategy.market_position "
    "strategy.prev_market_position".split()
)
"""The placeholders for texts (TradingView's help, variables in alerts)."""
