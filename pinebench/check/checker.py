"""The state of one check: what is bound, what has been typed, and where findings go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pinebench.check.binder import Bindings
from pinebench.check.report import Reporter
from pinebench.check.symbols import FunctionSymbol, TypeSymbol, VariableSymbol
from pinebench.check.types import UNKNOWN, Type
from pinebench.syntax import Document, nodes

if TYPE_CHECKING:
    from pinebench.check.builtins import Signature
    from pinebench.check.folders import LibraryFolders
    from pinebench.check.overloads import Choice


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


class Checker:
    """Carries the state through the modules that type expressions, calls and statements."""

    def __init__(self, document: Document, reporter: Reporter, bindings: Bindings) -> None:
        self.document = document
        self.reporter = reporter
        self.bindings = bindings
        self.global_frame = Frame(None)
        self.frame = self.global_frame
        self.local_depth = 0
        self.call_depth = 0
        self.declaration: nodes.Call | None = None
        self.declaration_kind: str | None = None
        self.declaration_base = 0
        self.dynamic_requests = True
        self.exporting = False
        self.faults: dict[int, list[int]] = {}
        self.hints: dict[str, str | None] = {}
        self.constants: dict[VariableSymbol, tuple[int | float | bool | str | None, ...]] = {}
        self.instances: list[tuple[FunctionSymbol, tuple[Type, ...]]] = []
        self.libraries: LibraryFolders | None = None
        self.choices: dict[tuple[Signature, tuple[str | None, ...], tuple[Type, ...]], Choice] = {}
        """The overloads chosen so far, by function and the names and types of the arguments."""

    def is_library_of(self, symbol: TypeSymbol) -> bool:
        """Whether the type `symbol` is declared by the script that is being checked."""
        return self.bindings.types.get(symbol.name) is symbol

    def is_broken(self, node: nodes.Node) -> bool:
        """Whether a syntax error lies within `node`, which belongs to the chunk that is being looked at."""
        starts = self.faults.get(self.reporter.base) if self.faults else None
        return starts is not None and any(node.start <= start <= node.end for start in starts)

    def position(self, node: nodes.Node) -> int:
        """The absolute offset where `node` starts."""
        return self.reporter.base + node.start

    def type_of_variable(self, symbol: VariableSymbol) -> Type:
        """The type of a variable in the current frame; Unknown when its declaration could not be typed."""
        found = self.frame.locals.get(symbol)
        if found is not None:
            return found
        return symbol.type or UNKNOWN

    def set_variable(self, symbol: VariableSymbol, type_: Type) -> None:
        """Give a variable its type: globals once, locals in the current frame."""
        if symbol.scope.function is None:
            symbol.type = type_
        else:
            self.frame.locals[symbol] = type_
