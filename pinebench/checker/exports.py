"""Checks a library's exports: exported functions and types must not depend on anything private."""

from __future__ import annotations

from pinebench.checker.checker import Checker
from pinebench.checker.symbols import FunctionSymbol, VariableSymbol
from pinebench.checker.types import CONST, INPUT, UNDETERMINED, UNKNOWN_BASE, VALUE_KINDS, Base, Type
from pinebench.syntax import nodes


def check_exports(checker: Checker, function: FunctionSymbol) -> None:
    """Report unexported parameter types of an exported function (TradingView's manual, libraries)."""
    for parameter in function.parameters:
        check_exported(checker, parameter.declared, function.name, parameter.type)


def check_exported(checker: Checker, node: nodes.Node, name: str, base: Base | None) -> None:
    """Report an exported `name` whose type, or element type, is a type or enum that is not exported."""
    for part in (base, *base.arguments) if base is not None else ():
        symbol = part.symbol
        if symbol is not None and not symbol.exported:
            checker.report("export-of-private-type", node, name=name, type=symbol.name)


def stays_behind(symbol: VariableSymbol, type_: Type) -> bool:
    """Return whether an exported function must not use this global variable.

    Inputs, collections (TradingView's manual, libraries) and reassigned variables are not allowed. The manual allows
    constants only, but published libraries also read values computed from built-ins.
    """
    if type_.base is UNKNOWN_BASE or type_.qualifier in (CONST, UNDETERMINED):
        return False
    return type_.qualifier == INPUT or type_.base.kind not in VALUE_KINDS or bool(symbol.reassignments)
