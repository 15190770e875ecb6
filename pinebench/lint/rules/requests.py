"""What a request for another chart asks for: its timeframe, whether it looks ahead, and whether its values lag."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pinebench.lint.rules.look import bare
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pinebench.lint.rules.look import Look
    from pinebench.syntax.nodes import Node

REQUESTS = tuple(
    f"request.{kind}"
    for kind in (
        *("currency_rate", "dividends", "earnings", "economic", "financial", "footprint", "quandl", "security"),
        *("security_lower_tf", "seed", "splits"),
    )
)
"""The functions that make requests."""
_MINUTES = {"S": 1 / 60, "D": 1440, "W": 7 * 1440, "M": 30 * 1440}
_SETTLED = frozenset("open time time_close time_tradingday dayofweek dayofmonth month year bar_index".split())
"""What is known of a bar from its beginning on."""


def timeframe(look: Look, call: nodes.Call) -> str | None:
    """The timeframe that a request asks for as a text, `""` for the chart's own; None where it is not known."""
    given = look.argument(call, "timeframe")
    if given is None:
        return None
    node = look.value_node(given)
    if isinstance(node, nodes.Member) and look.text(node) == "timeframe.period":
        return ""
    known, value = look.value(node)
    return value if known and type(value) is str else None


def minutes(text: str) -> float | None:
    """How long a bar of a timeframe is in minutes; None for the chart's own and for what is no timeframe."""
    found = re.fullmatch(r"(\d*)([SDWM]?)", text)
    if found is None or not text:
        return None
    return int(found[1] or 1) * _MINUTES.get(found[2], 1)


def looks_ahead(look: Look, call: nodes.Call) -> bool:
    """Whether a request has `lookahead = barmerge.lookahead_on`."""
    given = look.argument(call, "lookahead")
    return given is not None and look.value(given) == (True, "barmerge.lookahead_on")


def parts(look: Look, node: Node) -> Iterator[Node]:
    """Every node of an expression, with what its variables and the script's functions stand for."""
    seen: set[Node] = set()
    pending = [node]
    while pending:
        root = pending.pop()
        for part in walk(root):
            if part in seen:
                continue
            seen.add(part)
            yield part
            symbol = look.symbol(part)
            if symbol is not None and symbol.value is not None and symbol.kind in ("variable", "tuple"):
                pending += [symbol.value, *(write.value for write in symbol.reassignments)]
            function = look.called_function(part)
            if function is not None and look.declares(function):
                pending += function.node.body


def is_offset(look: Look, node: Node) -> bool:
    """Whether every value of an expression is that of an earlier bar, or known from its bar's beginning on; what
    libraries do is not known."""
    node = look.value_node(node)
    if isinstance(node, nodes.TupleExpression):
        return all(is_offset(look, item) for item in node.items)
    for part in parts(look, node):
        if isinstance(part, nodes.History) and look.value(part.offset) != (True, 0):
            return True
        if isinstance(part, nodes.Call) and _is_hidden(look, part):
            return True
    return not any(_moves(look, part) for part in parts(look, node))


def _is_hidden(look: Look, call: nodes.Call) -> bool:
    """Whether nobody here sees what a function does: one of a library."""
    if look.called(call) is not None:
        return False
    function = look.called_function(call)
    return function is None or not look.declares(function)


def _moves(look: Look, part: Node) -> bool:
    """Whether a part of an expression changes while its bar is open."""
    if isinstance(part, nodes.Name) and look.symbol(part) is None:
        return part.id in _MOVING
    called = look.called(part)
    return called is not None and called.startswith("ta.")


_MOVING = frozenset("close high low volume hl2 hlc3 ohlc4 hlcc4".split()) - _SETTLED


def expression(look: Look, call: nodes.Call) -> Node | None:
    """What a request asks for."""
    given = look.argument(call, "expression")
    return bare(given) if given is not None else None
