"""Calls in which every parameter is bound to its argument or default, and the identity of each call site."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from pinebench.checker.argument_text import path_of
from pinebench.checker.builtins import OverloadSpec, Signature, value_type
from pinebench.checker.checker import Checker
from pinebench.checker.constants import Value
from pinebench.checker.symbols import CopyCallee, Frame, FunctionSymbol, ImportSymbol, ResolvedCall, TypeSymbol
from pinebench.checker.types import LITERALS, Type
from pinebench.records import NamedTuple
from pinebench.syntax import nodes, parse


class CallSite(NamedTuple):
    """The identity of a call: the library that contains it (None for the script), and its number in that text.

    Call sites are numbered from 0 in text order.
    """

    library: str | None
    number: int


class BoundArgument(NamedTuple):
    """A parameter of a call with its argument, or with its default if no argument was passed.

    `node` is the argument as written, or None. `default` is the parsed default; it is None if an argument was passed,
    or if the default depends on the chart. If a name in a default is another parameter of the same built-in, it means
    that parameter's argument. `type` is the type of the argument or default. `conversion` is the type to which it is
    converted, or None. `is_constant` tells whether `value` is known before the script runs.
    """

    parameter: str
    node: nodes.Node | None
    default: nodes.Node | None
    type: Type | None
    conversion: Type | None
    value: Value
    is_constant: bool


class BuiltinCall(NamedTuple):
    """A call of a built-in function or method, with the overload that matches the arguments."""

    function: Signature
    overload: OverloadSpec
    arguments: tuple[BoundArgument, ...]
    receiver: nodes.Node | None
    site: CallSite


class UserCall(NamedTuple):
    """A call of a user-defined function or method, in the script or in a library whose source was found.

    `frame` is the evaluation of its body for the types of these arguments.
    """

    function: FunctionSymbol
    frame: Frame
    arguments: tuple[BoundArgument, ...]
    receiver: nodes.Node | None
    site: CallSite


class ConstructorCall(NamedTuple):
    """A constructor call `Type.new(...)`. It has a parameter for each field of the type."""

    type: TypeSymbol
    arguments: tuple[BoundArgument, ...]
    receiver: None
    site: CallSite


class CopyCall(NamedTuple):
    """A call that copies an object of a user-defined type: `Type.copy(id)` or `object.copy()`."""

    type: TypeSymbol
    arguments: tuple[BoundArgument, ...]
    receiver: nodes.Node | None
    site: CallSite


class LibraryCall(NamedTuple):
    """A call of an export of a library whose source was not found: the export's name and the arguments."""

    library: ImportSymbol
    name: str
    arguments: tuple[BoundArgument, ...]
    receiver: None
    site: CallSite


BoundCall = BuiltinCall | UserCall | ConstructorCall | CopyCall | LibraryCall
"""The five kinds of calls."""


def bound_call(
    node: nodes.Call, resolved: ResolvedCall, arguments: tuple[BoundArgument, ...], site: CallSite
) -> BoundCall | None:
    """Return the call `resolved` with its bound `arguments`; None for a user-defined function whose body was not
    evaluated."""
    target = resolved.target
    receiver = _receiver(node, resolved)
    if isinstance(target, FunctionSymbol):
        return UserCall(target, resolved.frame, arguments, receiver, site) if resolved.frame is not None else None
    if isinstance(target, TypeSymbol):
        return ConstructorCall(target, arguments, None, site)
    if isinstance(target, CopyCallee):
        return CopyCall(target.type, arguments, receiver, site)
    if isinstance(target, ImportSymbol):
        return LibraryCall(target, (path_of(node.callee) or "").partition(".")[2], arguments, None, site)
    assert resolved.overload is not None
    return BuiltinCall(target, resolved.overload, arguments, receiver, site)


def _receiver(node: nodes.Call, resolved: ResolvedCall) -> nodes.Node | None:
    """The receiver of a method call. It is also the first argument."""
    callee = node.callee
    if resolved.receiver is None and isinstance(callee, nodes.Member):
        return callee.object if callee.object in resolved.arguments.values() else None
    return resolved.receiver


def parameters(resolved: ResolvedCall) -> Iterator[tuple[str, nodes.Node | None]]:
    """Yield the parameters of a call's target with their defaults, except the repeatable parameters of a built-in."""
    target = resolved.target
    if isinstance(target, FunctionSymbol):
        yield from ((parameter.name, parameter.default) for parameter in target.parameters)
    elif isinstance(target, TypeSymbol):
        yield from ((field.name, field.default or _EMPTY) for field in target.fields.values())
    elif resolved.overload is not None:
        yield from _of_overload(resolved.overload)


@cache
def _of_overload(overload: OverloadSpec) -> tuple[tuple[str, nodes.Node | None], ...]:
    named = ((spec.name, spec.default) for spec in overload.parameters if "," not in spec.name)
    return tuple((name, default_tree(default) if default is not None else None) for name, default in named)


def type_of_default(owner: Checker, node: nodes.Node) -> Type | None:
    """Return the type of a default, which is a literal, a built-in name, or an expression whose type was inferred with
    its declaration."""
    known = owner.global_frame.types.get(node)
    if known is not None:
        return known
    if isinstance(node, nodes.Literal):
        return LITERALS[node.kind]
    path = path_of(node)
    return value_type(path) if path is not None else None


_EMPTY = nodes.Name(0, 0, "na")
"""The default of a field that is declared without one."""


@cache
def default_tree(text: str) -> nodes.Node | None:
    """Return the syntax tree of a built-in's default, parsed from its text."""
    statement = parse(f"x = {text}\n").chunks[-1].body[-1]
    return statement.value if isinstance(statement, nodes.VariableDeclaration) else None
