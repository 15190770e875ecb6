"""Finds the different requests of a script, including requests in functions with different arguments."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from pinebench.checker import VariableSymbol
from pinebench.linter.rules.alike import names_in
from pinebench.linter.rules.context import RuleContext
from pinebench.linter.rules.requests import REQUESTS
from pinebench.syntax import nodes


def distinct_requests(context: RuleContext) -> list[nodes.Call]:
    """Return one call for each different request, in text order.

    If a request depends on parameters of a function, the result is the call of the function instead of the request.
    Requests with the same text count once.
    """
    found: dict[tuple[str, ...], nodes.Call] = {}
    for call in context.calls(*REQUESTS):
        text = "".join(context.text(call).split())
        for place, given in islice(_places(context, call), _MOST_PLACES):
            found.setdefault((text, *given), place)
    return sorted(found.values(), key=context.span)


def _places(context: RuleContext, call: nodes.Call) -> Iterator[tuple[nodes.Call, tuple[str, ...]]]:
    """Yield the places from which a call is made, each with the texts of the function arguments on which it depends."""
    function = context.function(call)
    parameters = parameters_in(context, call, function) if function is not None else []
    if function is None or not parameters:
        yield call, ()
        return
    for site in context.call_sites.get(context.program.bindings.function_of[function], ()):
        arguments = context.given(site)
        given = [arguments[each.name] for each in parameters if each.name in arguments]
        shown = tuple("".join(context.text(each).split()) for each in given)
        for place, outer in _places(context, site):
            yield place, (*shown, *outer)


def parameters_in(context: RuleContext, call: nodes.Call, function: nodes.FunctionDeclaration) -> list[VariableSymbol]:
    """Return the parameters of `function` on which `call`, a call in its body, depends."""
    scope = context.program.bindings.function_of[function]
    named: set[VariableSymbol] = set()
    pending: list[nodes.Node] = [call]
    while pending:
        for name in names_in(pending.pop()):
            symbol = context.symbol(name)
            # Only variables of the same function can depend on a parameter.
            if symbol is None or symbol in named or symbol.scope.function is not scope:
                continue
            named.add(symbol)
            if symbol.value is not None and symbol.kind in ("variable", "tuple"):
                pending += [symbol.value, *(write.value for write in symbol.reassignments)]
    own = (context.symbol(each.name) for each in function.parameters)
    return [symbol for symbol in own if symbol is not None and symbol in named]


_MOST_PLACES = 500
"""The largest number of places of one request that are examined."""
