"""The state of one check: bindings, the types found so far, and the findings."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from pinebench.checker.parts import Memory
from pinebench.checker.report import Reporter
from pinebench.checker.symbols import (
    CheckedSource,
    Frame,
    FunctionSymbol,
    NameBindings,
    Overloads,
    TypeSymbol,
    VariableSymbol,
)
from pinebench.checker.types import UNKNOWN, VOID_TYPE, Base, Type
from pinebench.diagnostics import Span
from pinebench.records import NamedTuple
from pinebench.syntax import Snapshot, nodes

if TYPE_CHECKING:
    from pinebench.checker.builtins import ChosenOverload, Signature


class Libraries(Protocol):
    """Finds the source of imported libraries."""

    def find(self, path: str) -> Checker | None:
        """Return the check of the library `path` (`User/Name/Version`), or None if its source is not found."""
        ...

    def release(self) -> None:
        """Release every check of a library; see `Checker.release`."""
        ...


class NodeHandlers(NamedTuple):
    """The functions that infer the type of each class of node: values, statements and structures. The function for a
    structure also takes a bool that tells whether its value is used."""

    values: Mapping[type, Callable[[Checker, Any], Type]]
    statements: Mapping[type, Callable[[Checker, Any], Type]]
    structures: Mapping[type, Callable[[Checker, Any, bool], Type]]


class _SavedFrame:
    """A context manager that restores the checker's frame, offset and depths at its end."""

    __slots__ = ("_before", "_checker")

    def __init__(self, checker: Checker) -> None:
        self._checker = checker
        self._before = checker.frame, checker.offset, checker.local_depth, checker.call_depth, checker.exporting

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None:
        checker = self._checker
        checker.frame, checker.offset, checker.local_depth, checker.call_depth, checker.exporting = self._before


class Checker(CheckedSource):
    """The state that the modules for expressions, calls and statements share."""

    def __init__(
        self,
        document: Snapshot,
        reporter: Reporter,
        bindings: NameBindings,
        handlers: NodeHandlers,
        libraries: Libraries | None = None,
    ) -> None:
        super().__init__(bindings)
        self.document = document
        self.reporter = reporter
        self.global_frame = Frame(None)
        self.frame = self.global_frame
        self.offset = 0
        """The start of the chunk whose nodes are being checked."""
        self.local_depth = 0
        self.call_depth = 0
        self.declaration: nodes.Call | None = None
        self.declaration_kind: str | None = None
        self.declaration_offset = 0
        self.dynamic_requests = True
        self.exporting = False
        self.faults: dict[int, list[int]] = {}
        self.hints: dict[str, dict[tuple[object, ...], str | None]] = {}
        self.constants: dict[VariableSymbol, tuple[int | float | bool | str | None, ...]] = {}
        self.overloads: dict[tuple[str, tuple[tuple[str | None, Base] | None, ...]], FunctionSymbol] = {}
        """The first function for each name and tuple of required parameter types."""
        self.overloads_of: dict[str, Overloads] = {}
        """An index of overloads for each name that has many."""
        self.made: list[tuple[FunctionSymbol, tuple[Type, ...]]] = []
        self.libraries = libraries
        self.library: str | None = None
        """The path of the library that is checked, or None for a script."""
        self._values, self._statements, self._structures = handlers
        self.choices: dict[tuple[Signature, tuple[str | None, ...], tuple[Type, ...]], ChosenOverload] = {}
        """A cache of chosen overloads, by function and the names and types of the arguments."""
        self.memory: Memory | None = None
        """The results of earlier checks of the same trees, or None if they are not valid for this check."""
        self.remembering = False
        """Whether the block that is being typed will be cached as a whole."""
        self.weak: frozenset[VariableSymbol] = frozenset()
        """The variables that keep the qualifier of their first value until their first reassignment."""

    def release(self) -> None:
        """Free the memory of this check and its libraries without waiting for garbage collection. See
        `NameBindings.release`."""
        self.bindings.release()
        libraries, self.libraries = self.libraries, None
        if libraries is not None:
            libraries.release()

    def go_on_from(self, earlier: Checker, start: int) -> None:
        """Copy the state that `earlier` had before the offset `start`."""
        if earlier.declaration is not None and earlier.declaration_offset < start:
            self.declaration, self.declaration_offset = earlier.declaration, earlier.declaration_offset
            self.declaration_kind = earlier.declaration_kind
        self.dynamic_requests = earlier.dynamic_requests
        self.constants = dict(earlier.constants)

    def evaluate(self, node: nodes.Node) -> Type:
        """Infer the type of an expression or structure (a branch or a loop), and store it in the current frame."""
        result = self._values[type(node)](self, node)
        self.frame.types[node] = result
        return result

    def block(self, statements: Sequence[nodes.Node], *, used: bool = False) -> Type:
        """Infer the types of a block's statements, and return the type of the last one, which is the block's value.

        `used` tells whether the value is used; if so, the branches of a structure at the end must agree. The type is
        unknown if a syntax error may have cut off the end of the block.
        """
        result = VOID_TYPE
        last = len(statements) - 1
        for number, statement in enumerate(statements):
            result = self.statement(statement, used and number == last)
        return UNKNOWN if used and statements and self.is_broken(statements[-1]) else result

    def statement(self, node: nodes.Node, used: bool) -> Type:
        """Infer the type of a statement. `used` tells whether its value is used. The recovered parts of a broken
        statement may be bare expressions."""
        structure = self._structures.get(type(node))
        if structure is not None:
            result = structure(self, node, used)
            self.frame.types[node] = result
            return result
        handler = self._statements.get(type(node))
        return handler(self, node) if handler is not None else self.evaluate(node)

    def at(self, offset: int) -> _SavedFrame:
        """Return a context manager within which nodes of the top-level statement at `offset` are checked."""
        restored = _SavedFrame(self)
        self.offset = offset
        return restored

    def inside(self, frame: Frame, function: FunctionSymbol) -> _SavedFrame:
        """Return a context manager within which the body of `function` is checked in `frame`."""
        restored = _SavedFrame(self)
        self.frame, self.offset, self.local_depth = frame, function.offset, 1
        self.exporting = self.exporting or function.exported
        self.call_depth += 1
        return restored

    def local(self) -> _SavedFrame:
        """Return a context manager within which a local block of the surrounding code is checked."""
        restored = _SavedFrame(self)
        self.local_depth += 1
        return restored

    def declares(self, symbol: TypeSymbol) -> bool:
        """Return whether the script that is being checked declares the type `symbol`."""
        return self.bindings.types.get(symbol.name) is symbol

    def is_broken(self, node: nodes.Node) -> bool:
        """Return whether `node`, which belongs to the current top-level statement, contains a syntax error."""
        starts = self.faults.get(self.offset) if self.faults else None
        if starts is None:
            return False
        first = bisect_left(starts, node.start)
        return first < len(starts) and starts[first] <= node.end

    def position(self, node: nodes.Node) -> int:
        """Return the offset in the text at which `node`, a node of the current top-level statement, begins."""
        return self.offset + node.start

    def text(self, node: nodes.Node) -> str:
        """Return the text of `node`, which belongs to the current top-level statement."""
        return self.document.text[self.offset + node.start : self.offset + node.end]

    def span(self, node: nodes.Node) -> Span:
        """Return the span in the text of `node`, which belongs to the current top-level statement."""
        return Span(self.offset + node.start, self.offset + node.end)

    def report(
        self,
        code: str,
        node: nodes.Node,
        *,
        at: Span | None = None,
        hint: str | None = None,
        key: str = "",
        **values: object,
    ) -> None:
        """Report `code` at `node`, or at `at` (offsets within the top-level statement). `key` distinguishes findings
        with the same code and position."""
        start, end = at if at is not None else (node.start, node.end)
        self.reporter.report(code, Span(self.offset + start, self.offset + end), hint=hint, key=key, **values)

    def unbind(self, node: nodes.Name) -> None:
        """Record that `node` names a type or an enum, not a variable as the binder assumed."""
        self.bindings.variables.pop(node, None)
        self.frame.types.pop(node, None)

    def type_of_variable(self, symbol: VariableSymbol) -> Type:
        """Return the type of a variable in the current frame; UNKNOWN if its declaration has no known type."""
        found = self.frame.locals.get(symbol)
        if found is not None:
            return found
        return symbol.type or UNKNOWN

    def set_variable(self, symbol: VariableSymbol, type_: Type) -> None:
        """Set the type of a variable: of a global variable for the script, of a local variable in the current frame."""
        if symbol.scope.function is None:
            symbol.type = type_
        else:
            self.frame.locals[symbol] = type_
