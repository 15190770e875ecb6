"""The state of one check: what is bound, what has been typed, and where findings go."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pinebench.checker.binder import Bindings
from pinebench.checker.frames import Frame
from pinebench.checker.parts import Memory
from pinebench.checker.report import Reporter
from pinebench.checker.symbols import FunctionSymbol, Overloads, TypeSymbol, VariableSymbol
from pinebench.checker.types import UNKNOWN, VOID_TYPE, Base, Type
from pinebench.diagnostics import Span
from pinebench.syntax import Snapshot, nodes

if TYPE_CHECKING:
    from pinebench.checker.builtins import Signature
    from pinebench.checker.frames import Choice


class Libraries(Protocol):
    """Where the source of imported libraries is found."""

    def find(self, path: str) -> Checker | None:
        """The check of the library `path` (`User/Name/Version`), or None when it cannot be seen."""
        ...


class Handlers(NamedTuple):
    """What types the nodes of each class: values, statements, and structures, which are told whether somebody takes
    their value."""

    values: Mapping[type, Callable[[Checker, Any], Type]]
    statements: Mapping[type, Callable[[Checker, Any], Type]]
    structures: Mapping[type, Callable[[Checker, Any, bool], Type]]


class _Restored:
    """A region of a check, behind which the checker stands where it stood before."""

    __slots__ = ("_before", "_checker")

    def __init__(self, checker: Checker) -> None:
        self._checker = checker
        self._before = checker.frame, checker.offset, checker.local_depth, checker.call_depth, checker.exporting

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None:
        checker = self._checker
        checker.frame, checker.offset, checker.local_depth, checker.call_depth, checker.exporting = self._before


class Checker:
    """Carries the state through the modules that type expressions, calls and statements."""

    def __init__(
        self,
        document: Snapshot,
        reporter: Reporter,
        bindings: Bindings,
        handlers: Handlers,
        libraries: Libraries | None = None,
    ) -> None:
        self.document = document
        self.reporter = reporter
        self.bindings = bindings
        self.global_frame = Frame(None)
        self.frame = self.global_frame
        self.offset = 0
        """Where the chunk begins whose nodes are being looked at."""
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
        """The first function of each name and types of required parameters."""
        self.overloads_of: dict[str, Overloads] = {}
        """The overloads of names that have many, for their calls."""
        self.made: list[tuple[FunctionSymbol, tuple[Type, ...]]] = []
        self.libraries = libraries
        self.library: str | None = None
        """The path of the library that is checked; None for a script."""
        self._values, self._statements, self._structures = handlers
        self.choices: dict[tuple[Signature, tuple[str | None, ...], tuple[Type, ...]], Choice] = {}
        """The overloads chosen so far, by function and the names and types of the arguments."""
        self.memory: Memory | None = None
        """What earlier checks of the same trees found; None where that says nothing about this one."""
        self.remembering = False
        """Whether what a block means is being found out to be remembered as a whole."""

    def go_on_from(self, earlier: Checker, start: int) -> None:
        """Take over what `earlier` knew before the offset `start`."""
        if earlier.declaration is not None and earlier.declaration_offset < start:
            self.declaration, self.declaration_offset = earlier.declaration, earlier.declaration_offset
            self.declaration_kind = earlier.declaration_kind
        self.dynamic_requests = earlier.dynamic_requests
        self.constants = dict(earlier.constants)

    def evaluate(self, node: nodes.Node) -> Type:
        """The type of an expression or structure, remembered in the current frame."""
        result = self._values[node.__class__](self, node)
        self.frame.types[node] = result
        return result

    def block(self, statements: Sequence[nodes.Node], *, used: bool = False) -> Type:
        """Type the statements of a block; gives the type of the last one, the block's value.

        `used` says that somebody takes that value, so that the branches of a structure at the end must agree; where a
        syntax error may have cut the end off, nobody knows what it is.
        """
        result = VOID_TYPE
        last = len(statements) - 1
        for number, statement in enumerate(statements):
            result = self.statement(statement, used and number == last)
        return UNKNOWN if used and statements and self.is_broken(statements[-1]) else result

    def statement(self, node: nodes.Node, used: bool) -> Type:
        """Type one statement; salvaged parts of a broken one may be bare expressions."""
        structure = self._structures.get(node.__class__)
        if structure is not None:
            result = structure(self, node, used)
            self.frame.types[node] = result
            return result
        handler = self._statements.get(node.__class__)
        return handler(self, node) if handler is not None else self.evaluate(node)

    def at(self, offset: int) -> _Restored:
        """A region that looks at the nodes of the chunk at `offset`."""
        restored = _Restored(self)
        self.offset = offset
        return restored

    def inside(self, frame: Frame, function: FunctionSymbol) -> _Restored:
        """A region that types the body of `function` in `frame`."""
        restored = _Restored(self)
        self.frame, self.offset, self.local_depth = frame, function.offset, 1
        self.exporting = self.exporting or function.exported
        self.call_depth += 1
        return restored

    def local(self) -> _Restored:
        """A region that is a local block of the code around it."""
        restored = _Restored(self)
        self.local_depth += 1
        return restored

    def declares(self, symbol: TypeSymbol) -> bool:
        """Whether the type `symbol` is declared by the script that is being checked."""
        return self.bindings.types.get(symbol.name) is symbol

    def is_broken(self, node: nodes.Node) -> bool:
        """Whether a syntax error lies within `node`, which belongs to the chunk that is being looked at."""
        starts = self.faults.get(self.offset) if self.faults else None
        if starts is None:
            return False
        first = bisect_left(starts, node.start)
        return first < len(starts) and starts[first] <= node.end

    def position(self, node: nodes.Node) -> int:
        """The absolute offset where `node`, which belongs to the chunk that is being looked at, starts."""
        return self.offset + node.start

    def text(self, node: nodes.Node) -> str:
        """The text of `node`, which belongs to the chunk that is being looked at."""
        return self.document.text[self.offset + node.start : self.offset + node.end]

    def span(self, node: nodes.Node) -> Span:
        """The place in the text of `node`, which belongs to the chunk that is being looked at."""
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
        """Report `code` at `node`, or at `at` (offsets within the chunk); `key` tells apart findings at one place."""
        start, end = at if at is not None else (node.start, node.end)
        self.reporter.report(code, Span(self.offset + start, self.offset + end), hint=hint, key=key, **values)

    def unbind(self, node: nodes.Name) -> None:
        """Note that `node`, which the binder took for a variable, means a type or an enum of the same name."""
        self.bindings.variables.pop(node, None)
        self.frame.types.pop(node, None)

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
