"""Checks constructors of user-defined types, and copies of their objects."""

from __future__ import annotations

from pinebench.checker.arguments import (
    Argument,
    positional_after_named,
    report_missing,
    report_too_many,
    report_twice,
    report_type,
    report_unknown_name,
)
from pinebench.checker.checker import Checker
from pinebench.checker.symbols import CopyCallee, ResolvedCall, TypeSymbol
from pinebench.checker.types import SERIES, UNKNOWN, UNKNOWN_BASE, Type, assignable, display, is_faulty
from pinebench.syntax import nodes


def construct(checker: Checker, node: nodes.Call, symbol: TypeSymbol, arguments: list[Argument]) -> Type:
    """Infer the type of `Name.new(...)` and check its arguments against the fields. Every field is optional."""
    result = symbol.type.at(SERIES)
    if positional_after_named(checker, arguments) or symbol.is_broken:
        return result
    fields = list(symbol.fields.values())
    function = f"{symbol.name}.new"
    faulty = any(is_faulty(argument.type) for argument in arguments)
    bound: dict[str, nodes.Node] = {}
    for number, argument in enumerate(arguments):
        if argument.name is None and number >= len(fields):
            report_too_many(checker, arguments[number:], function, len(arguments), len(fields))
            return result
        name = argument.name or fields[number].name
        field = symbol.fields.get(name)
        if field is None:
            report_unknown_name(checker, argument, function, symbol.fields)
        elif name in bound:
            report_twice(checker, argument, function)
        else:
            bound[name] = argument.value
            if not faulty and not assignable(field.type, argument.type.base):
                report_type(checker, function, name, argument.value, argument.type, display(field.type.at(SERIES)))
    checker.frame.calls[node] = ResolvedCall(symbol, None, bound)
    return result if symbol.type.kind == "udt" else UNKNOWN


def copy(
    checker: Checker,
    node: nodes.Call,
    symbol: TypeSymbol,
    arguments: list[Argument],
    receiver: nodes.Node | None = None,
) -> Type:
    """Infer the type of `Name.copy(object)`, or of `object.copy()` with the object as `receiver`. Check that exactly
    one object of the type is passed."""
    result = symbol.type.at(SERIES)
    function = f"{symbol.name}.copy"
    surplus = arguments if receiver is not None else arguments[1:]
    if surplus:
        report_too_many(checker, surplus, function, len(surplus) + 1, 1)
        return result
    if receiver is not None:
        checker.frame.calls[node] = ResolvedCall(CopyCallee(symbol), None, {"id": receiver}, receiver)
        return result
    if not arguments:
        report_missing(checker, node.callee, "id", function)
        return result
    given = arguments[0]
    if given.name not in (None, "id"):
        report_unknown_name(checker, given, function, ("id",))
        return result
    known = given.type.base is not UNKNOWN_BASE and not symbol.is_broken
    if known and not assignable(symbol.type, given.type.base):
        report_type(checker, function, "id", given.value, given.type, display(result))
    checker.frame.calls[node] = ResolvedCall(CopyCallee(symbol), None, {"id": given.value})
    return result
