"""Rule PB4008: a call that is made twice."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from pinebench import reference
from pinebench.linter.rules.alike import names_in, same
from pinebench.linter.rules.requests import REQUESTS
from pinebench.linter.rules.rule import Rule, register
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pinebench.diagnostics import Diagnostic
    from pinebench.linter.rules.look import Look


@register
class RepeatedCall(Rule):
    """The same request, with the same arguments, is made a second time. Keep the first result in a variable;
    TradingView counts alike requests once, but both are worked on.

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
    """How the names of the functions begin that are looked at."""

    def finish(self, look: Look) -> Iterable[Diagnostic]:
        """Report each call that an earlier one, on every bar, has computed already."""
        begins = self.names
        several = [calls for name, calls in look.builtin_calls.items() if len(calls) > 1 and name.startswith(begins)]
        return self._found(look, several) if several else ()

    def _found(self, look: Look, several: list[list[nodes.Call]]) -> Iterator[Diagnostic]:
        for calls in several:
            for similar in _grouped(calls, _outline):
                for group in _grouped(similar, lambda call: _key(look, call)):
                    yield from self._again(look, group)

    def _again(self, look: Look, group: list[nodes.Call]) -> Iterator[Diagnostic]:
        known: dict[nodes.FunctionDeclaration | None, nodes.Call] = {}
        for call in group:
            function = look.function(call)
            first = known.get(function)
            if first is None:
                if not look.conditions(call, most=1) and not look.loops(call) and _keeps(look, call):
                    known[function] = call
            elif _are_alike(look, first, call) and _of_one_request(look, first, call):
                line = look.program.document.lines.position(look.span(first).start).line
                yield look.report(self.code, call, call=look.shown(call), line=line)


def _grouped(calls: list[nodes.Call], key: Callable[[nodes.Call], object]) -> list[list[nodes.Call]]:
    """The calls that share a key with another one."""
    alike: dict[object, list[nodes.Call]] = {}
    for call in calls:
        alike.setdefault(key(call), []).append(call)
    return [group for group in alike.values() if len(group) > 1]


def _outline(call: nodes.Call) -> object:
    """What calls with the same arguments share, as most that differ do not: their names and literals, in no order."""
    found: set[object] = set()
    for each in call.arguments:
        given: Any = each.value if type(each) is nodes.NamedArgument else each
        kind = type(given)
        found.add(given.id if kind is nodes.Name else given.text if kind is nodes.Literal else kind)
    return frozenset(found)


def _key(look: Look, call: nodes.Call) -> str:
    """A text that calls with the same arguments share, whether these are named or not."""
    if not any(type(argument) is nodes.NamedArgument for argument in call.arguments):
        return "".join(look.text(call).split())
    given = dict(look.given(call))
    shown: list[str] = []
    for name in _parameters(look.called(call) or ""):
        if name not in given:
            break
        shown.append(look.text(given.pop(name)))
    shown += sorted(f"{name}={look.text(node)}" for name, node in given.items())
    return "".join(f"{look.text(call.callee)}({','.join(shown)})".split())


@cache
def _parameters(function: str) -> tuple[str, ...]:
    """The parameters of a built-in function in their order, of its first form."""
    known = reference.function(function)
    return tuple(each.name for each in known.overloads[0].parameters) if known is not None else ()


def _are_alike(look: Look, one: nodes.Call, other: nodes.Call) -> bool:
    """Whether two calls of a function give it the same arguments, whose names mean the same."""
    first, second = look.given(one), look.given(other)
    if first.keys() != second.keys():
        return False
    for name, node in first.items():
        twin = second[name]
        if not same(node, twin):
            return False
        for mine, its in zip(names_in(node), names_in(twin), strict=True):
            if look.symbol(mine) is not look.symbol(its):
                return False
    return True


def _of_one_request(look: Look, one: nodes.Call, other: nodes.Call) -> bool:
    """Whether two calls are computed on the same bars: those of the chart, or of one symbol and timeframe."""
    if look.builtin_calls.keys().isdisjoint(REQUESTS):
        return True
    first, second = _request_around(look, one), _request_around(look, other)
    if first is None or second is None:
        return first is second
    return all(same(first.get(name), second.get(name)) for name in ("symbol", "timeframe"))


def _request_around(look: Look, call: nodes.Call) -> Mapping[str, nodes.Node] | None:
    """The arguments of the request of which a call is part; None where it is of none."""
    for above in look.parents(call):
        if (look.called(above) or "").startswith("request."):
            return look.given(above)
    return None


def _keeps(look: Look, call: nodes.Call) -> bool:
    """Whether nothing in a call is assigned anew."""
    for name in names_in(call):
        symbol = look.symbol(name)
        if symbol is not None and symbol.reassignments:
            return False
    return True
