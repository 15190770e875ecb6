"""Calls with every parameter bound: what is called, with what, and which call site it is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from pinebench.checker.builtins import OverloadSpec, Signature, value_type
from pinebench.checker.checker import Checker
from pinebench.checker.constants import Value
from pinebench.checker.display import path_of
from pinebench.checker.frames import Copied, Frame, ResolvedCall
from pinebench.checker.symbols import FunctionSymbol, ImportSymbol, TypeSymbol
from pinebench.checker.types import LITERALS, Type
from pinebench.syntax import nodes, parse


class CallSite(NamedTuple):
    """The identity of a call: the library in whose text it stands, None for the script, and its number there.

    Call sites are numbered from 0 in text order.
    """

    library: str | None
    number: int


class BoundArgument(NamedTuple):
    """One parameter of a call with its argument, or with its default where none was given.

    `node` is the argument as written, else None. `default` is the tree of the default, None where an argument is given
    or where the default depends on the chart; a name in it that is a parameter of the same built-in stands for that
    argument. `type` is the type of whichever there is, `conversion` the type it is turned into, if into another.
    `is_constant` says whether `value` is known before the script runs.
    """

    parameter: str
    node: nodes.Node | None
    default: nodes.Node | None
    type: Type | None
    conversion: Type | None
    value: Value
    is_constant: bool


class BuiltinCall(NamedTuple):
    """A call of a built-in function or method, by the overload that the arguments fit."""

    function: Signature
    overload: OverloadSpec
    arguments: tuple[BoundArgument, ...]
    receiver: nodes.Node | None
    site: CallSite


class UserCall(NamedTuple):
    """A call of a function or method of the script or of a library that can be seen.

    `frame` is the evaluation of its body for the types of these arguments.
    """

    function: FunctionSymbol
    frame: Frame
    arguments: tuple[BoundArgument, ...]
    receiver: nodes.Node | None
    site: CallSite


class ConstructorCall(NamedTuple):
    """`Type.new(...)`: a parameter for each field of the type."""

    type: TypeSymbol
    arguments: tuple[BoundArgument, ...]
    receiver: None
    site: CallSite


class CopyCall(NamedTuple):
    """`Type.copy(id)` or `object.copy()` of an object of a user-defined type."""

    type: TypeSymbol
    arguments: tuple[BoundArgument, ...]
    receiver: nodes.Node | None
    site: CallSite


class LibraryCall(NamedTuple):
    """A call into a library that cannot be seen: its export by name, and the arguments as they are given."""

    library: ImportSymbol
    name: str
    arguments: tuple[BoundArgument, ...]
    receiver: None
    site: CallSite


BoundCall = BuiltinCall | UserCall | ConstructorCall | CopyCall | LibraryCall
"""What a call can mean; there is nothing else."""


def bound_call(
    node: nodes.Call, resolved: ResolvedCall, arguments: tuple[BoundArgument, ...], site: CallSite
) -> BoundCall | None:
    """`resolved` with its `arguments`; None for a user's function whose body was not typed."""
    target = resolved.target
    receiver = _receiver(node, resolved)
    if isinstance(target, FunctionSymbol):
        return UserCall(target, resolved.frame, arguments, receiver, site) if resolved.frame is not None else None
    if isinstance(target, TypeSymbol):
        return ConstructorCall(target, arguments, None, site)
    if isinstance(target, Copied):
        return CopyCall(target.type, arguments, receiver, site)
    if isinstance(target, ImportSymbol):
        return LibraryCall(target, (path_of(node.callee) or "").partition(".")[2], arguments, None, site)
    assert resolved.overload is not None
    return BuiltinCall(target, resolved.overload, arguments, receiver, site)


def _receiver(node: nodes.Call, resolved: ResolvedCall) -> nodes.Node | None:
    """The object of a method call, which is its first argument as well."""
    callee = node.callee
    if resolved.receiver is None and isinstance(callee, nodes.Member):
        return callee.object if callee.object in resolved.arguments.values() else None
    return resolved.receiver


def parameters(resolved: ResolvedCall) -> Iterator[tuple[str, nodes.Node | None]]:
    """The parameters of a call's target with their defaults; those of a built-in that may be repeated are left out."""
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
    """The type of a default: of a literal, of a built-in name, or as its declaration was typed."""
    known = owner.global_frame.types.get(node)
    if known is not None:
        return known
    if isinstance(node, nodes.Literal):
        return LITERALS[node.kind]
    path = path_of(node)
    return value_type(path) if path is not None else None


_EMPTY = nodes.Name(0, 0, "na")
"""The default of a field for which none is written."""


@cache
def default_tree(text: str) -> nodes.Node | None:
    """The tree of a built-in's default, which stands in no script."""
    statement = parse(f"x = {text}\n").chunks[-1].body[-1]
    return statement.value if isinstance(statement, nodes.VariableDeclaration) else None
