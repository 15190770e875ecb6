"""What a body was found to be: the types of its parts and what its calls mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pinebench.checker.types import NOTHING, UNKNOWN, Type

if TYPE_CHECKING:
    from pinebench.checker.builtins import OverloadSpec, ParameterSpec, Signature
    from pinebench.checker.symbols import FunctionSymbol, ImportSymbol, TypeSymbol, VariableSymbol
    from pinebench.syntax import nodes


class Choice(NamedTuple):
    """What a call of a built-in comes to: its overload, the parameter of each argument in turn, and the result.

    `misused` are the parameters that ask for one of a special type's constants and have a literal.
    """

    overload: OverloadSpec
    names: tuple[str, ...]
    result: Type
    misused: tuple[ParameterSpec, ...]


class Copied(NamedTuple):
    """The target of `copy` of an object of a user-defined type."""

    type: TypeSymbol


class ResolvedCall:
    """What a call means.

    `target` is the signature of a built-in, whose chosen `overload` is given too; a user's function or method, with
    the frame of its body for this call; the type that is constructed or copied; or a library that cannot be seen.
    `arguments` maps parameter names to argument nodes; `receiver` is the object of a method call.
    """

    __slots__ = ("arguments", "frame", "overload", "receiver", "target")

    def __init__(
        self,
        target: Signature | FunctionSymbol | TypeSymbol | Copied | ImportSymbol,
        overload: OverloadSpec | None = None,
        arguments: dict[str, nodes.Node] | None = None,
        receiver: nodes.Node | None = None,
        frame: Frame | None = None,
    ) -> None:
        self.target = target
        self.overload = overload
        self.arguments = arguments or {}
        self.receiver = receiver
        self.frame = frame


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

    def leaves_nothing(self, node: nodes.Node) -> bool:
        """Whether `node` is a call of a function whose branches end in nothing, one of them at least in a jump."""
        resolved = self.calls.get(node)
        return resolved is not None and resolved.frame is not None and resolved.frame.result.base is NOTHING


def frames_from(first: Frame) -> list[Frame]:
    """`first` and the frames that its calls reach, one per function and tuple of argument types."""
    found = [first]
    known = {id(first)}
    for frame in found:
        for resolved in frame.calls.values():
            reached = resolved.frame
            if reached is not None and id(reached) not in known:
                known.add(id(reached))
                found.append(reached)
    return found
