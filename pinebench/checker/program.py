"""The result of a check: the script, its findings, and methods that answer questions about its code."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import takewhile

from pinebench.checker.bound import (
    BoundArgument,
    BoundCall,
    BuiltinCall,
    CallSite,
    bound_call,
    parameters,
    type_of_default,
)
from pinebench.checker.builtins import value_type
from pinebench.checker.checker import Checker
from pinebench.checker.constants import NotConstant, Value, fold
from pinebench.checker.conversions import conversions
from pinebench.checker.effects import EffectsOf, ScriptEffects
from pinebench.checker.names import Names, Symbol
from pinebench.checker.one_check import LibrarySource, NotedLibraries, Outside, run, run_apart, run_from
from pinebench.checker.own_versions import OwnVersions, own_version
from pinebench.checker.script import plot_counts
from pinebench.checker.skippable_parts import skippable
from pinebench.checker.symbols import (
    EnumSymbol,
    FieldSymbol,
    Frame,
    FunctionSymbol,
    ImportSymbol,
    NameBindings,
    ResolvedCall,
    TypeSymbol,
    VariableSymbol,
    frames_from,
)
from pinebench.checker.types import CONST, LITERALS, SERIES, UNKNOWN_BASE, VOID_TYPE, Type
from pinebench.diagnostics import Diagnostic, Span
from pinebench.records import NamedTuple
from pinebench.syntax import Chunk, Document, Snapshot, nodes
from pinebench.syntax.walk import children, walk


class NamedCall(NamedTuple):
    """An input, a plot or the declaration statement: its bound call, and the variable to which it is assigned."""

    name: str
    node: nodes.Call
    call: BuiltinCall
    variable: VariableSymbol | None


class Program:
    """A checked script: a snapshot of its text, all findings sorted by position, and methods that answer questions
    about its code.

    A *frame* is one evaluation of code: of the global code, or of a function's body for the types of its parameters. If
    a method with a `frame` parameter gets none, it uses the first frame that reaches the node. To ask about a library
    whose source was found, pass one of its frames to the same program. `libraries` has the programs of the libraries.
    """

    def __init__(
        self, checker: Checker, diagnostics: list[Diagnostic], libraries: NotedLibraries | None = None
    ) -> None:
        self.document: Snapshot = checker.document
        self.diagnostics = diagnostics
        self.path = checker.library
        """The path of a library (`User/Name/Version`) that a script imports. None for a script."""
        self.sources: LibrarySource | None = libraries.source if libraries is not None else None
        """The source of imported libraries, or None if there is none."""
        self.libraries_read: Mapping[str, str | None] = libraries.texts if libraries is not None else {}
        """The text of every library that was searched for, by path; None if it was not found."""
        self._checker = checker

    def release(self) -> None:
        """Free the memory of the check without waiting for garbage collection. The program cannot be used afterwards.
        Calling this is optional, but garbage collection can take a fifth of the time of a lint run."""
        self._checker.release()

    @property
    def frame(self) -> Frame:
        """The evaluation of the global code."""
        return self._checker.global_frame

    # what is declared

    @property
    def is_strategy(self) -> bool:
        """Whether the script is declared as a strategy."""
        return self.declaration is not None and self.declaration.name == "strategy"

    @property
    def bindings(self) -> NameBindings:
        """The binder's bindings: the variable of each name, by node."""
        return self._checker.bindings

    @property
    def variables(self) -> list[VariableSymbol]:
        """All variables, parameters and loop variables, in text order."""
        return list(self._checker.bindings.symbols)

    @property
    def globals(self) -> dict[str, VariableSymbol]:
        """The global variables by name."""
        return dict(self._checker.bindings.global_scope.names)

    @property
    def functions(self) -> dict[str, list[FunctionSymbol]]:
        """The functions and methods by name, with overloads in text order."""
        return {name: list(group) for name, group in self._checker.bindings.functions.items()}

    @property
    def types(self) -> dict[str, TypeSymbol]:
        """The user-defined types by name."""
        return dict(self._checker.bindings.types)

    @property
    def enums(self) -> dict[str, EnumSymbol]:
        """The enums by name."""
        return dict(self._checker.bindings.enums)

    @property
    def imports(self) -> dict[str, ImportSymbol]:
        """The imported libraries by alias."""
        return dict(self._checker.bindings.imports)

    @property
    def unread_imports(self) -> list[ImportSymbol]:
        """The imported libraries whose text was not found or cannot be read, so that their uses were not checked."""
        return [each for each in self.imports.values() if each.source is None]

    @property
    def unread_paths(self) -> list[str]:
        """The paths of the libraries, including those that libraries import, whose text was not found or is not
        Pine v6 without syntax errors, so that their uses were not checked."""
        own = [self._checker, *(each._checker for each in self.libraries.values())]
        imports = (library for checker in own for library in checker.bindings.imports.values())
        return list(dict.fromkeys(library.path for library in imports if library.source is None))

    @property
    def imported_paths(self) -> frozenset[str]:
        """The paths of all imported libraries, found or not, including libraries that other libraries import."""
        own = [self._checker, *(each._checker for each in self.libraries.values())]
        return frozenset(library.path for checker in own for library in checker.bindings.imports.values())

    @cached_property
    def libraries(self) -> dict[str, Program]:
        """The libraries whose source was found, by path, including libraries that other libraries import."""
        found: dict[str, Program] = {}
        pending = [self._checker]
        while pending:
            for library in pending.pop().bindings.imports.values():
                source = library.source
                if isinstance(source, Checker) and library.path not in found:
                    found[library.path] = Program(source, [])
                    pending.append(source)
        return found

    @cached_property
    def with_own_versions(self) -> tuple[Program, tuple[str, ...]] | None:
        """The check of the script with pinebench's own versions of published libraries whose source is missing, and the
        paths of these libraries; None if there are none."""
        missing = self.imported_paths - self.libraries.keys()
        if all(own_version(path) is None for path in missing):
            return None
        sources = OwnVersions(self.sources)
        changed = check(self.document, sources)
        used = tuple(path for path in dict.fromkeys(sources.used) if path in missing)
        return (changed, used) if used else None

    def program_of(self, frame: Frame) -> Program:
        """Return the program whose text contains the code of `frame`: this program, or a library's."""
        function = frame.function
        if function is None:
            if frame is self._checker.global_frame:
                return self
            return next((other for other in self.libraries.values() if other.frame is frame), self)
        owner = function.owner
        if owner is None or owner is self._checker:
            return self
        return next(other for other in self.libraries.values() if other._checker is owner)

    # places

    def span(self, node: nodes.Node) -> Span:
        """Return the span of `node` in its text, which is the text of this script or of a library.

        Raises LookupError for a node that belongs to neither, such as the default of a built-in's parameter.
        """
        for program in self._all():
            place = program._names.places.get(node)
            if place is not None:
                return Span(place.offset + node.start, place.offset + node.end)
        raise LookupError("this node belongs to no text of the program")

    def text_of(self, node: nodes.Node) -> str:
        """Return the text of `node`. Raises LookupError in the same cases as `span`."""
        start, end = self.span(node)
        owner = next(program for program in self._all() if node in program._names.places)
        return owner.document.text[start:end]

    def _all(self) -> Iterator[Program]:
        yield self
        yield from self.libraries.values()

    # names

    def symbol_of(self, node: nodes.Node, frame: Frame | None = None) -> Symbol | None:
        """Resolve a name, or the last part of a member; None for other nodes and for names whose meaning is unknown."""
        frame = frame or self._frame_at(node)
        return self.program_of(frame)._names.of(node, frame)

    def symbol_in(self, start: int, node: nodes.Node, frame: Frame) -> Symbol | None:
        """Return the same result as `symbol_of` for a node of the top-level statement that begins at `start`, without
        reading the rest of the text."""
        return self._names_at(start).of(node, frame)

    def frame_in(self, start: int, node: nodes.Node) -> Frame:
        """Return the first frame (see `Program`) that reaches `node` in the top-level statement at `start`."""
        place = self._names_at(start).places.get(node)
        if place is None or place.function is None:
            return self.frame
        function = place.function
        return next(iter(self.frames_of(function) or function.frames.values()), self.frame)

    def symbol_at(self, offset: int) -> Symbol | None:
        """Return the symbol of the name at the offset `offset`; None if there is no known name."""
        found = self._node_at(offset)
        return self._names_at(offset).of(found, self.frame_at(offset)) if found is not None else None

    def frame_at(self, offset: int) -> Frame:
        """Return the first frame (see `Program`) that reaches the code at `offset`; the other statements are not
        read."""
        node = self._node_at(offset, named=False)
        return self.frame_in(offset, node) if node is not None else self.frame

    def _names_at(self, offset: int) -> Names:
        """The names of the chunk that contains `offset`."""
        chunk = self.document.chunk_at(offset)
        known = self._names_of_chunks.get(chunk.start)
        if known is None:
            known = self._names_of_chunks[chunk.start] = Names(self._checker, [chunk])
        return known

    @cached_property
    def _names_of_chunks(self) -> dict[int, Names]:
        return {}

    def references(self, symbol: Symbol) -> list[Span]:
        """Return the spans of all names that refer to `symbol`, in text order, including its declaration."""
        return list(self._references.get(symbol, ()))

    @property
    def named(self) -> list[Symbol]:
        """All symbols that names of the script refer to, without duplicates."""
        return list(self._references)

    @cached_property
    def _references(self) -> dict[Symbol, list[Span]]:
        found: dict[Symbol, list[Span]] = {}
        for chunk in self.document.chunks:
            for node in walk(chunk.body):
                if not isinstance(node, nodes.Name | nodes.Member):
                    continue
                start, end = _name_span(node)
                meanings = dict.fromkeys(self._names.of(node, frame) for frame in self._frames_at(node))
                for symbol in meanings:
                    if symbol is not None and not _is_constructor(node, symbol):
                        found.setdefault(symbol, []).append(Span(chunk.start + start, chunk.start + end))
        return found

    def _node_at(self, offset: int, *, named: bool = True) -> nodes.Node | None:
        chunks = self.document.chunks
        number = bisect_right([chunk.start for chunk in chunks], offset) - 1
        if number < 0:
            return None
        chunk = chunks[number]
        place = offset - chunk.start
        candidates: list[nodes.Node] = list(chunk.body)
        best: nodes.Node | None = None
        while candidates:
            node = candidates.pop()
            if not node.start <= place <= node.end:
                continue
            start, end = _name_span(node)
            if not named or (isinstance(node, nodes.Name | nodes.Member) and start <= place <= end):
                best = node
            candidates.extend(children(node))
        return best

    @cached_property
    def _names(self) -> Names:
        return Names(self._checker)

    # frames

    @cached_property
    def frames(self) -> list[Frame]:
        """The frame of the global code and all frames that its calls reach, one for each function and combination of
        argument types."""
        return frames_from(self.frame)

    def frames_of(self, function: FunctionSymbol) -> list[Frame]:
        """Return the frames of a function that the script's calls reach, one for each combination of argument types."""
        return self._frames_of_functions.get(function, [])

    @cached_property
    def _frames_of_functions(self) -> dict[FunctionSymbol, list[Frame]]:
        found: dict[FunctionSymbol, list[Frame]] = {}
        for frame in self.frames:
            if frame.function is not None:
                found.setdefault(frame.function, []).append(frame)
        return found

    def _frames_at(self, node: nodes.Node) -> list[Frame]:
        """The frames in which `node` is evaluated. If no call reaches it, the frames that only the check made."""
        for program in self._all():
            place = program._names.places.get(node)
            if place is not None:
                function = place.function
                if function is None:
                    return [program.frame]
                return self.frames_of(function) or list(function.frames.values()) or [program.frame]
        return [self.frame]

    def _frame_at(self, node: nodes.Node) -> Frame:
        return self._frames_at(node)[0]

    # types and values

    def type_of(self, node: nodes.Node, frame: Frame | None = None) -> Type | None:
        """Return the type of an expression or structure (a branch or a loop); None for a node without a type. `na` has
        the type of its context.

        The qualifier is the one that TradingView's compiler assigns. For the compiler, a variable that is assigned only
        constants stays constant, although its value changes. `value_of` tells whether a value is fixed.
        """
        frame = frame or self._frame_at(node)
        found = frame.types.get(node)
        if found is None:
            return LITERALS[node.kind] if isinstance(node, nodes.Literal) else None
        if found.base is UNKNOWN_BASE and frame.leaves_nothing(node):
            return VOID_TYPE
        return self._conversions(frame).get(node, found) if found.base.kind == "na" else found

    def types_of(self, node: nodes.Node) -> list[Type | None]:
        """Return the types of an expression in all frames (see `Program`) that reach it."""
        return [self.type_of(node, frame) for frame in self._frames_at(node)]

    def conversion_of(self, node: nodes.Node, frame: Frame | None = None) -> Type | None:
        """Return the type to which the value of an expression is converted; None if it is not converted.

        An int becomes a float where one is expected, and an array of ints an array of floats. `na` gets the type of its
        context.
        """
        return self._conversions(frame or self._frame_at(node)).get(node)

    def _conversions(self, frame: Frame) -> dict[nodes.Node, Type]:
        known = self._known_conversions.get(frame)
        if known is None:
            checker = self.program_of(frame)._checker
            known = self._known_conversions[frame] = conversions(checker, frame, self._statements(frame))
        return known

    @cached_property
    def _known_conversions(self) -> dict[Frame, dict[nodes.Node, Type]]:
        return {}

    def declared_type(self, symbol: Symbol, frame: Frame | None = None) -> Type | None:
        """Return the type of the value that `symbol` holds; None for functions, types and libraries, which hold no
        value.

        `symbol` is a variable or parameter (in `frame`, if it is local to a function), a field, an enum, an enum's
        field, or a built-in value.
        """
        if isinstance(symbol, VariableSymbol):
            return self._type_of_variable(symbol, frame)
        if isinstance(symbol, FieldSymbol):
            return symbol.type.at(SERIES)
        if isinstance(symbol, EnumSymbol):
            return symbol.type.at(CONST)
        if isinstance(symbol, nodes.EnumField):
            return next((enum.type.at(CONST) for enum in self._all_enums() if symbol in enum.fields.values()), None)
        return value_type(symbol) if isinstance(symbol, str) else None

    def _type_of_variable(self, symbol: VariableSymbol, frame: Frame | None) -> Type | None:
        function = symbol.scope.function
        if function is None:
            return symbol.type
        frames = [frame] if frame is not None else self.frames_of(function) or list(function.frames.values())
        return next((found for each in frames if (found := each.locals.get(symbol)) is not None), None)

    def _all_enums(self) -> Iterator[EnumSymbol]:
        for program in self._all():
            yield from program.enums.values()

    def value_of(self, node: nodes.Node, frame: Frame | None = None) -> tuple[bool, Value]:
        """Return whether an expression's value is known before the script runs, and the value (None is na)."""
        try:
            return True, fold(self.program_of(frame or self._frame_at(node))._checker, node)
        except NotConstant:
            return False, None

    # what is typed next

    def continued(self, snapshot: Snapshot) -> tuple[Checker, int]:
        """Check `snapshot`, a later state of the script, from the first top-level statement that differs.

        Return the final state and the offset at which the check began. Nothing is reported.
        """
        same = sum(1 for _ in takewhile(_is_same, zip(self.document.chunks, snapshot.chunks, strict=False)))
        if self.document.version != snapshot.version or not self.bindings.variables:
            same = 0  # a script of another version was not checked at all
        end = snapshot.chunks[same].start if same < len(snapshot.chunks) else len(snapshot.text) + 1
        return run_from(snapshot, self._checker, end, same), end

    # what is changed

    def apart(self, excerpt: Snapshot, outside: Outside) -> tuple[Checker, list[Diagnostic]]:
        """Check some statements of the script separately. See `run_apart`."""
        return run_apart(excerpt, self._checker, outside)

    # what code does

    def effects(self, code: nodes.Node | Iterable[nodes.Node], frame: Frame | None = None) -> ScriptEffects:
        """Return the effects of a statement, an expression or a list of them, including the effects of their calls."""
        return self._effects.code(frame or self._frame_of_code(code), code)

    def effects_of(self, frame: Frame) -> ScriptEffects:
        """Return the effects of a function's body in `frame`, its evaluation for certain argument types."""
        return self._effects.function(frame)

    def may_be_skipped(self, node: nodes.Node, frame: Frame | None = None) -> bool:
        """Return whether one run of the body of `frame` can skip the expression or statement `node`, or run it more
        than once."""
        frame = frame or self._frame_at(node)
        known = self._skippable.get(frame)
        if known is None:
            known = self._skippable[frame] = skippable(self._statements(frame))
        return node in known

    @cached_property
    def _skippable(self) -> dict[Frame, frozenset[nodes.Node]]:
        return {}

    def _frame_of_code(self, code: nodes.Node | Iterable[nodes.Node]) -> Frame:
        if isinstance(code, nodes.Node):
            return self._frame_at(code)
        return next((self._frame_at(node) for node in code), self.frame)

    def _statements(self, frame: Frame) -> list[nodes.Node]:
        if frame.function is not None:
            return list(frame.function.node.body)
        return [statement for chunk in self.program_of(frame).document.chunks for statement in chunk.body]

    @cached_property
    def _effects(self) -> EffectsOf:
        return EffectsOf(self._checker)

    # calls

    def call(self, node: nodes.Call, frame: Frame | None = None) -> BoundCall | None:
        """Resolve a call and bind all its parameters; None if its meaning is unknown."""
        frame = frame or self._frame_at(node)
        resolved = frame.calls.get(node)
        if resolved is None:
            return None
        owner = self.program_of(frame)
        places = owner._names.places  # this property numbers the calls
        site = CallSite(owner.path, owner._names.sites[node] if node in places else -1)
        return bound_call(node, resolved, tuple(self._bound(resolved, frame)), site)

    def _bound(self, resolved: ResolvedCall, frame: Frame) -> Iterator[BoundArgument]:
        given = dict(resolved.arguments)
        for name, default in parameters(resolved):
            node = given.pop(name, None)
            yield self._default(name, default, resolved) if node is None else self._argument(name, node, frame)
        for name, node in given.items():
            yield self._argument(name, node, frame)

    def _default(self, name: str, default: nodes.Node | None, resolved: ResolvedCall) -> BoundArgument:
        if default is None:
            return BoundArgument(name, None, None, None, None, None, False)
        known = self._known_defaults.get((name, default))
        if known is None:
            known = self._known_defaults[name, default] = self._bound_default(name, default, resolved)
        return known

    @cached_property
    def _known_defaults(self) -> dict[tuple[str, nodes.Node], BoundArgument]:
        return {}

    def _bound_default(self, name: str, default: nodes.Node, resolved: ResolvedCall) -> BoundArgument:
        owner = self._owner_of(resolved)
        is_constant, value = owner.value_of(default, owner.frame)
        conversion = owner.conversion_of(default, owner.frame)
        return BoundArgument(
            name, None, default, type_of_default(owner._checker, default), conversion, value, is_constant
        )

    def _owner_of(self, resolved: ResolvedCall) -> Program:
        """The program that declares the callee, and that contains the defaults of its parameters."""
        if resolved.frame is not None:
            return self.program_of(resolved.frame)
        if isinstance(resolved.target, TypeSymbol) and resolved.target.library is not None:
            return self.libraries.get(resolved.target.library, self)
        return self

    def _argument(self, name: str, node: nodes.Node, frame: Frame) -> BoundArgument:
        is_constant, value = self.value_of(node, frame)
        type_, conversion = self.type_of(node, frame), self.conversion_of(node, frame)
        return BoundArgument(name, node, None, type_, conversion, value, is_constant)

    # what the script offers

    @cached_property
    def declaration(self) -> NamedCall | None:
        """The call of `indicator()`, `strategy()` or `library()`; None if there is none."""
        node = self._checker.declaration
        if node is None:
            return None
        return self._named_call(node, None)

    @cached_property
    def inputs(self) -> list[NamedCall]:
        """The `input*()` calls that the script reaches, in text order."""
        return [call for call in self._builtin_calls if "inputs" in call.call.function.function.effects.reads]

    @cached_property
    def plots(self) -> list[NamedCall]:
        """The calls of plot functions, in text order."""
        return [call for call in self._builtin_calls if "plots" in call.call.function.function.effects.changes]

    @property
    def plot_count(self) -> int:
        """The script's plot count, which TradingView limits to 64."""
        return sum(plot_counts(self._checker).values())

    @cached_property
    def _builtin_calls(self) -> list[NamedCall]:
        variables = self._checker.bindings.variables
        owners: dict[nodes.Node, VariableSymbol] = {}
        found: list[NamedCall] = []
        for chunk in self.document.chunks:
            for node in walk(chunk.body):
                if isinstance(node, nodes.VariableDeclaration) and node.name in variables:
                    owners[node.value] = variables[node.name]
                elif isinstance(node, nodes.Call):
                    call = self._named_call(node, owners.get(node))
                    if call is not None:
                        found.append(call)
        return found

    def _named_call(self, node: nodes.Call, owner: VariableSymbol | None) -> NamedCall | None:
        frame = self._frame_of.get(node)
        call = self.call(node, frame) if frame is not None else None
        return NamedCall(call.function.name, node, call, owner) if isinstance(call, BuiltinCall) else None

    @cached_property
    def _frame_of(self) -> dict[nodes.Node, Frame]:
        """The first frame that reaches each call."""
        return {node: frame for frame in reversed(self.frames) for node in frame.calls}

    @cached_property
    def resolved_calls(self) -> dict[nodes.Node, ResolvedCall]:
        """The resolution of each call in the text, in the first frame that reaches the call, with arguments by
        parameter name.

        Calls in a function that is never called have the resolution of the function's last check. This is cheaper than
        `call`, which also binds defaults and computes values.
        """
        if not self._checker.bindings.functions and not self._checker.bindings.imports:
            return self.frame.calls
        found: dict[nodes.Node, ResolvedCall] = {}
        for group in self._checker.bindings.functions.values():
            for function in group:
                for frame in function.frames.values():
                    found.update(frame.calls)
        for frame in reversed(self.frames):
            if frame.function is None or frame.function.owner in (None, self._checker):
                found.update(frame.calls)
        return found


def _is_same(pair: tuple[Chunk, Chunk]) -> bool:
    """Return whether a chunk is the same, at the same offset, in an earlier and a later state."""
    return pair[0].body is pair[1].body and pair[0].start == pair[1].start


def _name_span(node: nodes.Node) -> tuple[int, int]:
    """The span of the name itself within its chunk: the last part of a member."""
    return (node.name_start, node.end) if isinstance(node, nodes.Member) else (node.start, node.end)


def _is_constructor(node: nodes.Node, symbol: Symbol) -> bool:
    """Whether `node` is the `new` or `copy` of a type, which means the type but is not its name."""
    return isinstance(node, nodes.Member) and isinstance(symbol, TypeSymbol) and node.name != symbol.name


def check(document: Document | Snapshot, libraries: LibrarySource | None = None) -> Program:
    """Check the current state of `document` as TradingView's compiler would. Never raises.

    `libraries` finds the source of imported libraries. A library that is not found is unknown, which is never an error.
    """
    noted = NotedLibraries(libraries)
    return Program(*run(document.snapshot if isinstance(document, Document) else document, noted), noted)
