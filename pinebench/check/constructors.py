"""Constructors of user-defined types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.check.display import representation
from pinebench.check.evaluator import Evaluator, ResolvedCall
from pinebench.check.hints import similar_parameter
from pinebench.check.symbols import TypeSymbol
from pinebench.check.types import BARE_KINDS, SERIES, UNKNOWN, UNKNOWN_BASE, Type, assignable, display
from pinebench.diagnostics import Span
from pinebench.syntax import nodes

if TYPE_CHECKING:
    from pinebench.check.calls import Argument


def construct(evaluator: Evaluator, node: nodes.Call, symbol: TypeSymbol, arguments: list[Argument]) -> Type:
    """Type `Name.new(...)` and check its arguments against the fields; every field may be left out."""
    from pinebench.check.calls import positional_after_named
    from pinebench.check.overloads import report_too_many

    result = symbol.type.at(SERIES)
    if positional_after_named(evaluator, arguments):
        return result
    fields = list(symbol.fields.values())
    function = f"{symbol.name}.new"
    placed: dict[str, nodes.Node] = {}
    for number, argument in enumerate(arguments):
        if argument.name is None and number >= len(fields):
            report_too_many(evaluator, argument, arguments[-1], function, len(arguments), len(fields))
            return result
        name = argument.name or fields[number].name
        field = symbol.fields.get(name)
        if field is None:
            span = Span(argument.node.start, argument.node.start + len(name))
            hint = similar_parameter(list(symbol.fields), name)
            evaluator.reporter.report("CE10120", argument.node, at=span, signature=function, name=name, hint=hint)
            continue
        if name in placed:
            evaluator.reporter.report("duplicate-argument", argument.node, name=name, functionName=function)
            continue
        placed[name] = argument.value
        if any(other.type.base is UNKNOWN_BASE for other in arguments) or assignable(field.type, argument.type.base):
            continue
        base = field.type
        evaluator.reporter.report(
            "CE10123",
            argument.value,
            key=name,
            funId=function,
            argDisplayName=name,
            argUserFriendlyRepresentation=representation(evaluator, argument.value, argument.type),
            argumentType=display(argument.type),
            currentTypeDocStr=base.name if base.kind in BARE_KINDS else f"series {base.name}",
            typePostfix="",
        )
    evaluator.frame.calls[node] = ResolvedCall("constructor", symbol, None, placed)
    return result if symbol.type.kind == "udt" else UNKNOWN
