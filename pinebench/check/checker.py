"""The state of one check: what is bound, what has been typed, and where findings go."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from pinebench.check.binder import Bindings
from pinebench.check.frames import Frame
from pinebench.check.parts import Key, Meaning, Parts
from pinebench.check.report import Reporter
from pinebench.check.symbols import FunctionSymbol, TypeSymbol, VariableSymbol
from pinebench.check.types import COLLECTIONS, CONST, UNKNOWN, VOID_TYPE, Base, Type
from pinebench.diagnostics import Span
from pinebench.syntax import Snapshot, nodes

if TYPE_CHECKING:
    from pinebench.check.builtins import Signature
    from pinebench.check.frames import Choice


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
        self.made: list[tuple[FunctionSymbol, tuple[Type, ...]]] = []
        self.libraries = libraries
        self.library: str | None = None
        """The path of the library that is checked; None for a script."""
        self._values, self._statements, self._structures = handlers
        self.choices: dict[tuple[Signature, tuple[str | None, ...], tuple[Type, ...]], Choice] = {}
        """The overloads chosen so far, by function and the names and types of the arguments."""
        self._parts: dict[int, dict[nodes.Node, Parts]] = {}
        self._declared: set[str] = set()
        self._context: str | None = None

    def begin(self) -> None:
        """Look at what is declared, once everything is bound."""
        bindings = self.bindings
        imports = bindings.imports.values()
        self._declared = {*bindings.functions, *bindings.types, *bindings.enums, *bindings.imports}
        if not bindings.lost and not (imports and self.libraries):
            self._context = " ".join(library.path for library in imports)
            self._parts = {chunk.start: chunk.parts for chunk in self.document.chunks}

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

    def value(self, node: nodes.Node) -> Type:
        """The type of an expression that stands for itself, such as the value of a declaration.

        What it was found to mean in an earlier check of the same tree holds as long as its names have the same types
        and nothing it spells was given another meaning.
        """
        kind = node.__class__
        if kind is nodes.Literal or kind is nodes.Name or self._context is None:
            return self.evaluate(node)
        parts = self._parts.get(self.offset, _NONE).get(node)
        meanings = parts.meanings if parts is not None else None
        if parts is None or meanings is None or self.exporting or (self.faults and self.offset in self.faults):
            return self.evaluate(node)
        if parts.identifiers is None or not parts.identifiers.isdisjoint(self._declared):
            return self.evaluate(node)
        key = self._key(parts)
        meaning = meanings.get(key)
        frame = self.frame
        if meaning is not None:
            frame.types.update(meaning.types)
            if meaning.calls:
                frame.calls.update(meaning.calls)
            return meaning.type
        asked, types, calls, is_new = self.reporter.asked, len(frame.types), len(frame.calls), node not in frame.types
        result = self.evaluate(node)
        if is_new and self.reporter.asked == asked and len(meanings) < _MOST_MEANINGS:
            found = Meaning(result, _last(frame.types, types), _last(frame.calls, calls))
            if self._is_lasting(parts, key, found):
                meanings[key] = found
        return result

    def _key(self, parts: Parts) -> Key:
        """What decides the meaning of an expression, its own words aside: where it stands, the types of its names."""
        variables, own = self.bindings.variables, self.frame.locals
        place = (self._context, self.declaration_kind, self.local_depth > 0)
        if not parts.names:
            return place
        key: list[object] = [place]
        for name in parts.names:
            symbol = variables.get(name)
            if symbol is None:
                key.append(None)
                continue
            type_ = own.get(symbol) or symbol.type or UNKNOWN
            key.append(type_)
            if type_.qualifier == CONST:
                key.append(self._constant(symbol))
        return tuple(key)

    def _constant(self, symbol: VariableSymbol) -> object:
        """What the value of a constant is, told apart by its tree; `_COMPUTED` where other declarations decide it."""
        value = symbol.value
        if value is None or symbol.kind != "variable" or symbol.reassignments:
            return _COMPUTED
        if value.__class__ is nodes.Literal:
            return value
        parts = self._parts.get(symbol.offset, _NONE).get(value)
        if parts is None or parts.identifiers is None or not parts.identifiers.isdisjoint(self._declared):
            return _COMPUTED
        variables = self.bindings.variables
        return _COMPUTED if any(name in variables for name in parts.names) else value

    def _is_lasting(self, parts: Parts, key: Key, meaning: Meaning) -> bool:
        """Whether another check would find the same for the same key.

        Types of the script's own, and what is unknown, have other reasons. Calls look at the values of constants, and
        history references at their declarations.
        """
        given = [type_ for type_ in key if isinstance(type_, Type)]
        if parts.calls and _COMPUTED in key:
            return False
        if parts.histories and any(type_.qualifier == CONST for type_ in given):
            return False
        return all(_is_everywhere(type_.base) for type_ in (*given, *meaning.types.values()))

    def block(self, statements: Sequence[nodes.Node], *, used: bool = False) -> Type:
        """Type the statements of a block; gives the type of the last one, the block's value.

        `used` says that somebody takes that value, so that the branches of a structure at the end must agree; where a
        syntax error may have cut the end off, nobody knows what it is.
        """
        result = VOID_TYPE
        last = len(statements) - 1
        for number, statement in enumerate(statements):
            result = self._statement(statement, used and number == last)
        return UNKNOWN if used and statements and self.is_broken(statements[-1]) else result

    def _statement(self, node: nodes.Node, used: bool) -> Type:
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


_Found = TypeVar("_Found")
_COMPUTED = object()
"""Stands for the value of a constant that is not written out."""
_NONE: dict[nodes.Node, Parts] = {}
_MOST_MEANINGS = 8
"""Most expressions have one meaning; in the body of a function one for each kind of arguments it is called with."""
_EVERYWHERE = frozenset(("scalar", "na", "void", "object", "special", "handle"))
"""Kinds of types that belong to no script."""


def _is_everywhere(base: Base) -> bool:
    """Whether a type means the same in every script, and is known."""
    kind = base.kind
    if kind in _EVERYWHERE:
        return True
    if kind in COLLECTIONS:
        return all(element.kind in _EVERYWHERE for element in base.arguments)
    return kind == "tuple" and all(_is_everywhere(item.base) for item in base.items)


def _last(entries: dict[nodes.Node, _Found], before: int) -> dict[nodes.Node, _Found]:
    """The entries that came after the first `before`."""
    count = len(entries) - before
    if not count:
        return {}
    return dict(list(islice(reversed(entries.items()), count))[::-1])
