"""Facts about requests for another chart: the timeframe, whether the request looks ahead, and whether its values are
offset."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from pinebench.checker import ImportSymbol, VariableSymbol
from pinebench.linter.rules.code_blocks import blocks
from pinebench.linter.rules.context import RuleContext, path
from pinebench.linter.rules.settings import INPUTS, by_default
from pinebench.records import NamedTuple
from pinebench.syntax import nodes
from pinebench.syntax.nodes import Node
from pinebench.syntax.walk import bare, children, walk

REQUESTS = tuple(
    f"request.{kind}"
    for kind in (
        *("currency_rate", "dividends", "earnings", "economic", "financial", "footprint", "quandl", "security"),
        *("security_lower_tf", "seed", "splits"),
    )
)
"""The functions that make requests."""
_MINUTES = {"S": 1 / 60, "D": 1440, "W": 7 * 1440, "M": 30 * 1440}
_DEEP = 8
"""The largest depth of nested function calls that are followed."""


def timeframes(context: RuleContext, call: nodes.Call) -> dict[str | None, Node]:
    """Return the timeframes that a request may have, each with the expression that gives it.

    A timeframe is a string, `""` for the chart's own, or None if it is unknown. If the timeframe is a function's
    parameter, the arguments of all calls of the function are returned.
    """
    given = context.argument(call, "timeframe")
    return _timeframes(context, given, 0) if given is not None else {}


def _timeframes(context: RuleContext, given: Node, depth: int) -> dict[str | None, Node]:
    node = context.value_node(given)
    found: dict[str | None, Node] = {}
    for each in given_for(context, node) if depth < _DEEP else ():
        found.update(_timeframes(context, each, depth + 1))
    if found:
        return found
    if isinstance(node, nodes.Member) and context.text(node) in ("timeframe.period", "timeframe.main_period"):
        return {"": given}
    known, value = context.value(node)
    return {value if known and type(value) is str else None: given}


def given_for(context: RuleContext, node: Node) -> list[Node]:
    """Return the arguments that calls of a function pass for its parameter `node`. The list is empty if the node is not
    the name of a parameter."""
    symbol = context.symbol(node)
    function = symbol.scope.function if symbol is not None and symbol.kind == "parameter" else None
    if symbol is None or function is None:
        return []
    given = (context.argument(site, symbol.name) for site in context.call_sites.get(function, ()))
    return [each for each in given if each is not None]


def minutes(text: str) -> float | None:
    """Return the length of a timeframe's bar in minutes, or None for the chart's own timeframe or an invalid string."""
    found = re.fullmatch(r"(\d*)([SDWM]?)", text)
    if found is None or not text:
        return None
    return int(found[1] or 1) * _MINUTES.get(found[2], 1)


def looks_ahead(context: RuleContext, call: nodes.Call) -> bool:
    """Return whether a request has `lookahead = barmerge.lookahead_on`, directly or by the default of an input."""
    given = context.argument(call, "lookahead")
    if given is None:
        return False
    node = context.value_node(given)
    chosen = by_default(context, node.condition) if isinstance(node, nodes.Ternary) else None
    if isinstance(node, nodes.Ternary) and chosen is not None:
        node = node.then if chosen else node.otherwise
    return context.value(node) == (True, "barmerge.lookahead_on")


def parts(context: RuleContext, *roots: Node, conditions: bool = False) -> Iterator[Node]:
    """Yield every node of the expressions `roots`, of the values of their variables, and of the script's functions that
    they call. With `conditions`, the conditions of assignments to the variables are included."""
    variables = context.program.bindings.variables
    seen: set[Node] = set()
    followed: set[VariableSymbol] = set()
    pending = [*roots]
    while pending:
        stack: list[Any] = [pending.pop()]
        while stack:
            part = stack.pop()
            if part in seen:
                continue
            seen.add(part)
            yield part
            kind = type(part)
            if kind is nodes.Name:
                symbol = variables.get(part)
                if symbol is None or symbol in followed or symbol.value is None:
                    continue
                followed.add(symbol)
                if symbol.kind not in ("variable", "tuple"):
                    continue
                pending.append(symbol.value)
                for write in symbol.reassignments:
                    pending.append(write.value)
                    if conditions:
                        pending += [each.node for each in write.conditions()]
            elif kind is nodes.Binary:
                stack += (part.right, part.left)
            elif kind is nodes.Member:
                stack.append(part.object)
            elif kind is not nodes.Literal:
                stack += reversed(children(part))
                function = context.called_function(part) if kind is nodes.Call else None
                if function is not None and context.declares(function):
                    pending += function.node.body


class _Within(NamedTuple):
    """The call whose function body is being examined, the call around it, and the depth of these calls."""

    call: nodes.Call
    outer: _Within | None
    depth: int


def is_offset(context: RuleContext, node: Node) -> bool:
    """Return whether an expression cannot change while its bar is open: all its values are from earlier bars, or are
    known when the bar begins. Calls of library functions are not examined. They count as unchanging."""
    seen: set[tuple[Node, _Within | None]] = set()
    pending: list[tuple[Node, _Within | None]] = [(node, None)]
    while pending:
        each = pending.pop()
        if each in seen:
            continue
        seen.add(each)
        if _moves(context, each[0]):
            return False
        pending += _made_of(context, *each)
    return True


def _moves(context: RuleContext, node: Node) -> bool:
    """Whether an expression changes by itself while its bar is open: a price, or an indicator that reads prices by
    itself."""
    if isinstance(node, nodes.Name):
        return node.id in _MOVING and context.symbol(node) is None
    if isinstance(node, nodes.Member):
        return context.is_builtin(node) and (path(node) or "").startswith("ta.")
    called = context.called(node) or ""
    if not called.startswith("ta.") or called == "ta.pivot_point_levels":
        return False
    return not any(parameter in _SERIES for parameter in context.given(node))


def _made_of(context: RuleContext, node: Node, within: _Within | None) -> Iterable[tuple[Node, _Within | None]]:
    """The expressions from which the value of `node` comes, without those that can only have values of earlier bars."""
    if isinstance(node, nodes.Name):
        return _behind(context, node, within)
    if isinstance(node, nodes.Call):
        return _given_by(context, node, within)
    if isinstance(node, nodes.History):
        return [(node.object, within)] if context.value(node.offset) == (True, 0) else ()
    if isinstance(node, nodes.Member):
        return () if context.is_builtin(node) else [(node.object, within)]
    if isinstance(node, nodes.Ternary) and context.called(context.value_node(node.condition)) in INPUTS:
        ways = (node.then, node.otherwise)
        return () if any(isinstance(part, nodes.History) for part in walk(ways)) else [(way, within) for way in ways]
    if isinstance(node, nodes.Switch):
        return [(case.body[-1], within) for case in node.cases if case.body]
    held = list(blocks(node))
    return [(each, within) for each in ([block[-1] for block in held if block] if held else children(node))]


def _given_by(context: RuleContext, call: nodes.Call, within: _Within | None) -> Iterable[tuple[Node, _Within | None]]:
    """The expressions from which the value of a call comes: the last statement of a function of the script, or the
    arguments of a built-in. It is empty for functions of libraries."""
    function = context.called_function(call)
    if function is not None and context.declares(function):
        inner = _Within(call, within, within.depth + 1 if within is not None else 1)
        return [(function.node.body[-1], inner)] if inner.depth < _DEEP else ()
    meaning = context.program.resolved_calls.get(call)
    if function is not None or meaning is None or isinstance(meaning.target, ImportSymbol):
        return ()
    given = context.given(call)
    first_bar = {"replacement"} if context.called(call) == "nz" else ()
    return [(each, within) for name, each in given.items() if name not in first_bar]


def _behind(context: RuleContext, name: Node, within: _Within | None) -> Iterable[tuple[Node, _Within | None]]:
    """Return every value that a name's variable gets; for a parameter, its argument in the call that is being
    examined."""
    symbol = context.symbol(name)
    if symbol is None:
        return ()
    if symbol.kind != "parameter":
        values = [symbol.value] if symbol.value is not None and symbol.kind in ("variable", "tuple") else []
        return [(each, within) for each in (*values, *(write.value for write in symbol.reassignments))]
    if within is None or context.called_function(within.call) is not symbol.scope.function:
        return [(each, None) for each in given_for(context, name)]
    given = context.argument(within.call, symbol.name)
    return [(given, within.outer)] if given is not None else ()


_MOVING = frozenset("close high low volume hl2 hlc3 ohlc4 hlcc4".split())
_SERIES = frozenset(("source", "source1", "series", "condition"))
"""The parameters of indicators that take a series; indicators without such a parameter read the prices by
themselves."""


def expression(context: RuleContext, call: nodes.Call) -> Node | None:
    """Return the expression that a request evaluates, or None if there is none."""
    given = context.argument(call, "expression")
    return bare(given) if given is not None else None


def result_of(context: RuleContext, node: Node) -> Node:
    """Return the expression that gives the value of `node`: the last expression of the function if `node` calls a
    function of the script."""
    node = context.value_node(node)
    function = context.called_function(node)
    last = function.node.body[-1] if function is not None and context.declares(function) else None
    return context.value_node(last.expression) if isinstance(last, nodes.ExpressionStatement) else node


def taken(context: RuleContext, call: nodes.Call) -> list[tuple[Node, VariableSymbol | None]]:
    """Return the expressions that a request evaluates, each with the variable that gets its value. If the result is not
    assigned to a tuple of names, the only item is the complete expression, with None instead of a variable."""
    asked = expression(context, call)
    if asked is None:
        return []
    declared = context.parent.get(call)
    names = declared.names if isinstance(declared, nodes.TupleDeclaration) else []
    function = context.called_function(context.value_node(asked))
    parts = result_of(context, asked) if function is None or not function.node.parameters else asked
    if not isinstance(parts, nodes.TupleExpression) or len(parts.items) != len(names):
        return [(asked, None)]
    variables = context.program.bindings.variables
    return [(item, variables[name]) for item, name in zip(parts.items, names, strict=True)]
