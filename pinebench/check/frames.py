"""What a body was found to be: the types of its parts and what its calls mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pinebench.check.types import UNKNOWN, Type

if TYPE_CHECKING:
    from pinebench.check.builtins import OverloadSpec, ParameterSpec
    from pinebench.check.symbols import FunctionSymbol, VariableSymbol
    from pinebench.syntax import nodes


class Choice(NamedTuple):
    """What a call of a built-in comes to: its overload, the parameter of each argument in turn, and the result.

    `misused` are the parameters that ask for one of a special type's constants and have a literal.
    """

    overload: OverloadSpec
    names: tuple[str, ...]
    result: Type
    misused: tuple[ParameterSpec, ...]


class ResolvedCall:
    """What a call means.

    `kind` is builtin, function, method, constructor, copy or library; `target` is the built-in's Signature, the
    FunctionSymbol, the TypeSymbol or the ImportSymbol; `overload` is the chosen OverloadSpec of a built-in;
    `arguments` maps parameter names to argument nodes; `receiver` is the object of a method call; `instance` is the
    Frame of a user function's specialisation.
    """

    __slots__ = ("arguments", "instance", "kind", "overload", "receiver", "target")

    def __init__(
        self,
        kind: str,
        target: object = None,
        overload: object = None,
        arguments: dict[str, nodes.Node] | None = None,
        receiver: nodes.Node | None = None,
        instance: Frame | None = None,
    ) -> None:
        self.kind = kind
        self.target = target
        self.overload = overload
        self.arguments = arguments or {}
        self.receiver = receiver
        self.instance = instance


class Frame:
    """One evaluation of a body: the global code's, or a user function's for one tuple of argument types.

    `types` holds the type of each expression, `calls` what each call means, `locals` the type of each local variable.
    """

    __slots__ = ("calls", "function", "locals", "parameters", "result", "types")

    def __init__(self, function: FunctionSymbol | None, parameters: tuple[Type, ...] = ()) -> None:
        self.function = function
        self.parameters = parameters
        self.types: dict[nodes.Node, Type] = {}
        self.calls: dict[nodes.Node, ResolvedCall] = {}
        self.locals: dict[VariableSymbol, Type] = {}
        self.result: Type = UNKNOWN


def frames_from(first: Frame) -> list[Frame]:
    """`first` and the evaluations that its calls reach, one per function and tuple of argument types."""
    found = [first]
    known = {id(first)}
    for frame in found:
        for resolved in frame.calls.values():
            instance = resolved.instance
            if instance is not None and id(instance) not in known:
                known.add(id(instance))
                found.append(instance)
    return found
