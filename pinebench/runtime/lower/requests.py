"""Converts requests to the typed form (IR): a module that runs on other bars, and a call that merges its values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pinebench.checker import BuiltinCall, Type
from pinebench.runtime import ir
from pinebench.runtime.lower.calls import Special, bound_arguments
from pinebench.runtime.lower.context import LoweredRequest, Lowering, LoweringPlace, empty, kind_of
from pinebench.runtime.lower.expressions import as_kind
from pinebench.runtime.lower.slicing import StatementSlice
from pinebench.runtime.lower.statements import statement
from pinebench.runtime.refusals import NotComputed
from pinebench.syntax import nodes

_DEEPEST = 8
_MERGED = frozenset(
    "symbol timeframe gaps lookahead ignore_invalid_symbol ignore_invalid_timeframe currency calc_bars_count".split()
)


def specials(new: Callable[[Lowering], Lowering]) -> dict[str, Special]:
    """Return the functions that convert calls of `request.*`, by name. `new` begins the conversion of their code."""

    def security(lowering: Lowering, node: nodes.Call, bound: BuiltinCall, place: LoweringPlace) -> ir.Expression:
        return _security(lowering, node, bound, place, new)

    return {"request.security": security, "request.security_lower_tf": security, "request.": _unknown}


def _unknown(lowering: Lowering, node: nodes.Call, bound: BuiltinCall, place: LoweringPlace) -> ir.Expression:
    """Lower a request for data that is not available: na with one note."""
    type_ = lowering.typed(node, place)
    if bound.function.name == "request.currency_rate":
        given = dict(bound_arguments(lowering, bound, place))
        return ir.CallHost("float", "request.currency_rate", [given["from"], given["to"]])
    value = _nothing(type_)
    return ir.CallHost(value.kind, "request.missing", [ir.Constant("string", bound.function.name), value])


def _nothing(type_: Type | None) -> ir.Expression:
    if type_ is not None and type_.base.kind == "tuple":
        return ir.TupleOf("object", [empty(kind_of(item)) for item in type_.base.items])
    kind = kind_of(type_)
    return empty("object" if kind == "void" else kind)


def _security(
    lowering: Lowering, node: nodes.Call, bound: BuiltinCall, place: LoweringPlace, new: Callable[[Lowering], Lowering]
) -> ir.Expression:
    given = {argument.parameter: argument for argument in bound.arguments}
    expression = given["expression"].node
    if expression is None:
        raise NotComputed(bound.function.name, place.line)
    others = bound._replace(arguments=tuple(a for a in bound.arguments if a.parameter in _MERGED))
    keywords = dict(bound_arguments(lowering, others, place))
    if given["currency"].node is None:
        keywords["currency"] = empty("string")
    inner = _requested(lowering, expression, node, place, new)
    type_ = lowering.typed(expression, place)
    number = len(lowering.requests)
    start = place.program.span(node).start if place.program is lowering.program else None
    line = lowering.line_of(node, place)
    lowering.requests.append(LoweredRequest(number, bound.function.name, inner, _asked(node, place), line, start))
    kind = kind_of(lowering.typed(node, place))
    return ir.CallHost(kind, bound.function.name, [ir.Constant("int", number), _nothing(type_)], keywords)


def _asked(node: nodes.Call, place: LoweringPlace) -> str:
    """The key of a request: its text in the global code. In a function, where the request depends on the caller, it is
    the way of calls to it, which is the same wherever another request needs its value."""
    if place.frame.function is None:
        span = place.program.span(node)
        return "".join(place.program.document.text[span.start : span.end].split())
    steps: list[str] = []
    at: nodes.Node | None = node
    level: LoweringPlace | None = place
    while at is not None and level is not None:
        steps.append(f"{id(level.program)}:{level.program.span(at).start}")
        at, level = level.site, level.caller
    return " ".join(steps)


def _requested(
    lowering: Lowering,
    expression: nodes.Node,
    request: nodes.Node,
    place: LoweringPlace,
    new: Callable[[Lowering], Lowering],
) -> Lowering:
    """Make the module that computes `expression`, and everything that it needs, on the requested bars."""
    inner = new(lowering)
    if inner.depth > _DEEPEST:
        raise NotComputed("a request nested in too many other requests", place.line)
    needed = StatementSlice(lowering, expression, request, place)
    made: dict[int, LoweringPlace] = {}
    for level in needed.levels:
        here = _copied(inner, level, made)
        made[id(level)] = here
        for symbol in needed.parameters(level):
            argument, caller = level.arguments[symbol]
            kind = kind_of(level.program.declared_type(symbol, level.frame))
            value = as_kind(inner.expression(argument, made.get(id(caller), made[id(needed.levels[0])])), kind)
            variable = inner.declare(symbol.name, kind, here, symbol)
            inner.emit(ir.Assign(place.line, variable, value), here)
        for part in needed.statements(level):
            statement(inner, part, here)
    at = made[id(needed.levels[-1])]
    at.line = inner.module.line = place.line
    inner.module.result = inner.expression(expression, at)
    inner.module.unit.body.statements[:0] = inner.prelude.statements
    return inner


def _copied(inner: Lowering, level: LoweringPlace, made: dict[int, LoweringPlace]) -> LoweringPlace:
    """Copy a place into the request's module, where everything is global code that runs on each bar."""
    unit = inner.module.unit
    if level.frame.function is None:
        place = inner.place_of(level.program)
        place.block = unit.body
        return place
    outer = inner.place_of(level.program)
    outer.block = unit.body if level.program is inner.program else inner.prelude
    arguments = {symbol: (node, made.get(id(caller), caller)) for symbol, (node, caller) in level.arguments.items()}
    caller = made.get(id(level.caller)) if level.caller is not None else None
    return replace(
        level,
        unit=unit,
        block=unit.body,
        variables={},
        settled={},
        outer=outer,
        arguments=arguments,
        caller=caller,
        lazy=False,
    )
