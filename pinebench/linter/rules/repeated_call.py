"""Rule PB4008: a repeated call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from pinebench.linter.rules.alike import names_in, same
from pinebench.linter.rules.requests import REQUESTS
from pinebench.linter.rules.rule import Findings, Rule, RuleContext, nodes, reference


class RepeatedCall(Rule):
    """The same request with the same arguments is made a second time. Keep the first result in a variable. TradingView
    counts identical requests once, but it executes both.

    Bad:

        //@version=6
        indicator("Example")
        plot(request.security(syminfo.tickerid, "D", close), "Daily")
        plot(close - request.security(syminfo.tickerid, "D", close), "Distance")

    Good:

        //@version=6
        indicator("Example")
        daily = request.security(syminfo.tickerid, "D", close)
        plot(daily, "Daily")
        plot(close - daily, "Distance")
    """

    code = "PB4008"
    calls = REQUESTS
    names = "request."
    """The beginning of the names of the functions that the rule checks."""

    def finish(self, context: RuleContext) -> Findings:
        """Report each call whose result an earlier call has computed on every bar."""
        begins = self.names
        several = [calls for name, calls in context.builtin_calls.items() if len(calls) > 1 and name.startswith(begins)]
        return self._found(context, several) if several else ()

    def _found(self, context: RuleContext, several: list[list[nodes.Call]]) -> Findings:
        for calls in several:
            for similar in _grouped(calls, _outline):
                for group in _grouped(similar, lambda call: _key(context, call)):
                    yield from self._again(context, group)

    def _again(self, context: RuleContext, group: list[nodes.Call]) -> Findings:
        known: dict[nodes.FunctionDeclaration | None, nodes.Call] = {}
        for call in group:
            function = context.function(call)
            first = known.get(function)
            if first is None:
                if not context.conditions(call, most=1) and not context.loops(call) and _keeps(context, call):
                    known[function] = call
            elif _are_alike(context, first, call) and _of_one_request(context, first, call):
                line = context.program.document.lines.position(context.span(first).start).line
                yield context.report(self.code, call, call=context.shown(call), line=line)


def _grouped(calls: list[nodes.Call], key: Callable[[nodes.Call], object]) -> list[list[nodes.Call]]:
    """Return the groups of two or more calls with the same key."""
    alike: dict[object, list[nodes.Call]] = {}
    for call in calls:
        alike.setdefault(key(call), []).append(call)
    return [group for group in alike.values() if len(group) > 1]


def _outline(call: nodes.Call) -> object:
    """Return a key for a call from the names and literals among its arguments, in no order. Calls with the same
    arguments have equal keys."""
    found: set[object] = set()
    for each in call.arguments:
        given: Any = each.value if type(each) is nodes.NamedArgument else each
        kind = type(given)
        found.add(given.id if kind is nodes.Name else given.text if kind is nodes.Literal else kind)
    return frozenset(found)


def _key(context: RuleContext, call: nodes.Call) -> str:
    """A text that is the same for calls with the same arguments, whether these are named or not."""
    if not any(type(argument) is nodes.NamedArgument for argument in call.arguments):
        return "".join(context.text(call).split())
    given = dict(context.given(call))
    shown: list[str] = []
    for name in _parameters(context.called(call) or ""):
        if name not in given:
            break
        shown.append(context.text(given.pop(name)))
    shown += sorted(f"{name}={context.text(node)}" for name, node in given.items())
    return "".join(f"{context.text(call.callee)}({','.join(shown)})".split())


@cache
def _parameters(function: str) -> tuple[str, ...]:
    """The names of the parameters of a built-in function's first overload, in order."""
    known = reference.function(function)
    return tuple(each.name for each in known.overloads[0].parameters) if known is not None else ()


def _are_alike(context: RuleContext, one: nodes.Call, other: nodes.Call) -> bool:
    """Whether two calls of a function have the same arguments, and their names refer to the same variables."""
    first, second = context.given(one), context.given(other)
    if first.keys() != second.keys():
        return False
    for name, node in first.items():
        twin = second[name]
        if not same(node, twin):
            return False
        for mine, its in zip(names_in(node), names_in(twin), strict=True):
            if context.symbol(mine) is not context.symbol(its):
                return False
    return True


def _of_one_request(context: RuleContext, one: nodes.Call, other: nodes.Call) -> bool:
    """Whether two calls are evaluated on the same bars: the chart's bars, or the bars of requests with the same symbol
    and timeframe."""
    if context.builtin_calls.keys().isdisjoint(REQUESTS):
        return True
    first, second = _request_around(context, one), _request_around(context, other)
    if first is None or second is None:
        return first is second
    return all(same(first.get(name), second.get(name)) for name in ("symbol", "timeframe"))


def _request_around(context: RuleContext, call: nodes.Call) -> Mapping[str, nodes.Node] | None:
    """The arguments of the request that contains a call; None if there is no such request."""
    for above in context.parents(call):
        if (context.called(above) or "").startswith("request."):
            return context.given(above)
    return None


def _keeps(context: RuleContext, call: nodes.Call) -> bool:
    for name in names_in(call):
        symbol = context.symbol(name)
        if symbol is not None and symbol.reassignments:
            return False
    return True
