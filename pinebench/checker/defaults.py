"""Checks the defaults of parameters and fields: their form, and whether they match the declared type."""

from __future__ import annotations

from pinebench.checker.argument_text import path_of, root_name
from pinebench.checker.builtins import value_type
from pinebench.checker.checker import Checker
from pinebench.checker.types import NA, Base, assignable, display, is_bare
from pinebench.syntax import nodes


def check_default(
    checker: Checker, owner: nodes.Node, name: nodes.Name, declared: Base | None, default: nodes.Expression
) -> None:
    """Check the default of the parameter or field `owner`: it must be a literal or a built-in value of the declared
    type.

    Reports CE10132 to CE10134, CE10169 and CE10170. A user's variable with a sign (`-x`) is accepted, as on TradingView
    (recorded verdict).
    """
    code = _kind_error(checker, default)
    if code is not None:
        anchor = name if code == "CE10133" and isinstance(owner, nodes.Parameter) else owner
        checker.report(code, anchor, id=path_of(default) or "")
        return
    type_ = checker.evaluate(default)
    if type_.base is NA and declared is None:
        checker.report("CE10169", owner)
        return
    if declared is not None and not assignable(declared, type_.base):
        from pinebench.checker import value_hints  # here, because a script without errors needs no hints

        explicit = declared.name if is_bare(declared) else f"series {declared.name}"
        hint = value_hints.truth_value(type_.base.name, explicit)
        checker.report("CE10170", owner, defValTypeExpression=display(type_), explicitType=explicit, hint=hint)


def _kind_error(checker: Checker, default: nodes.Node) -> str | None:
    while isinstance(default, nodes.Parenthesized):
        default = default.expression
    if isinstance(default, nodes.Unary) and default.operator in ("-", "+"):
        return _kind_error_of_signed(default.operand)
    if isinstance(default, nodes.Call):
        return "CE10133"
    if isinstance(default, nodes.Name | nodes.Member):
        path = path_of(default)
        if path is None:
            return "CE10133"
        return "CE10132" if _is_of_the_user(checker, default, path) else None
    return None if isinstance(default, nodes.Literal) else "CE10134"


def _is_of_the_user(checker: Checker, default: nodes.Name | nodes.Member, path: str) -> bool:
    """Whether a default is a variable of the script or a field of one. A variable `size` does not hide `size.tiny`."""
    is_builtin = isinstance(default, nodes.Member) and value_type(path) is not None
    return not is_builtin and root_name(default) in checker.bindings.variables


def _kind_error_of_signed(operand: nodes.Node) -> str | None:
    while isinstance(operand, nodes.Parenthesized):
        operand = operand.expression
    if isinstance(operand, nodes.Call):
        return "CE10133"
    return None if isinstance(operand, nodes.Literal | nodes.Name | nodes.Member) else "CE10134"
