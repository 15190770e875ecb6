"""The result of typing a body: the types of its parts, and the meaning of its calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.checker.symbols import TypeSymbol
from pinebench.checker.types import NOTHING, UNKNOWN, Type
from pinebench.records import NamedTuple

if TYPE_CHECKING:
    from pinebench.checker.builtins import OverloadSpec, Signature
    from pinebench.checker.symbols import FunctionSymbol, ImportSymbol, VariableSymbol
    from pinebench.syntax import nodes


class CopyCallee(NamedTuple):
    """The callee of a copy of an object of a user-defined type."""

    type: TypeSymbol


class ResolvedCall:
    """The resolution of a call.

    `target` is the signature of a built-in (then `overload` is the chosen overload), a user's function or method (then
    `frame` is the evaluation of its body for this call), the type that is constructed or copied, or a library whose
    source was not found. `arguments` maps parameter names to argument nodes. `receiver` is the object of a method call.
    """

    __slots__ = ("arguments", "frame", "overload", "receiver", "target")

    def __init__(
        self,
        target: Signature | FunctionSymbol | TypeSymbol | CopyCallee | ImportSymbol,
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
    """One evaluation of a body: of the global code, or of a user function for one tuple of argument types.

    `types` holds the type of each expression, `calls` the resolution of each call, `locals` the type of each local
    variable.
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
        """Whether `node` calls a function that returns no value because at least one of its branches ends in a jump."""
        resolved = self.calls.get(node)
        return resolved is not None and resolved.frame is not None and resolved.frame.result.base is NOTHING


def frames_from(first: Frame) -> list[Frame]:
    """Return `first` and all frames that its calls reach, one for each function and tuple of argument types."""
    found = [first]
    known = {id(first)}
    for frame in found:
        for resolved in frame.calls.values():
            reached = resolved.frame
            if reached is not None and id(reached) not in known:
                known.add(id(reached))
                found.append(reached)
    return found
