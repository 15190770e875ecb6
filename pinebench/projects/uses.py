"""The uses of libraries in a statement: each name that refers to a library's declaration, with its position."""

from __future__ import annotations

from collections.abc import Iterator

from pinebench.checker import Frame, ImportSymbol, Program, Symbol
from pinebench.projects.declarations import Declaration, Declarations, LibraryName
from pinebench.projects.refusals import Refusals
from pinebench.records import NamedTuple
from pinebench.syntax import nodes
from pinebench.syntax.walk import children, walk

PUBLISHED = "published"
"""The kind of a `LibraryName` that is the alias of a published library."""


class DeclarationUse(NamedTuple):
    """The offsets of a name that refers to `declared`. If an alias precedes the name, the offsets include it."""

    start: int
    end: int
    declared: LibraryName


class Uses:
    """Finds the uses of libraries. A name whose meaning cannot be determined is added to `refusals`."""

    def __init__(self, declarations: Declarations, names: dict[str, str], refusals: Refusals) -> None:
        self._declarations = declarations
        self._names = names
        """The name of each file by the path of its library; the script's name is under an empty string."""
        self._refusals = refusals

    def of(self, program: Program, statement: Declaration) -> Iterator[DeclarationUse]:
        """Yield every use in a statement of `program` once, in no particular order."""
        node = statement.node
        frames = [program.frame]
        inside: frozenset[nodes.Node] = frozenset()
        if isinstance(node, nodes.FunctionDeclaration):
            symbol = program.bindings.function_of.get(node)
            frames = list(symbol.frames.values()) if symbol is not None and symbol.frames else frames
            inside = frozenset(walk(node.body))
        stack: list[nodes.Node] = [node]
        while stack:
            each = stack.pop()
            seen_in = frames if each in inside else [program.frame]
            if isinstance(each, nodes.Call):
                self._check_method(program, statement, each, seen_in)
            found = self._use(program, statement, each, seen_in)
            if found is not None:
                yield found
            if found is None or found.start != statement.chunk + each.start:
                stack.extend(reversed(children(each)))

    def _use(
        self, program: Program, statement: Declaration, node: nodes.Node, frames: list[Frame]
    ) -> DeclarationUse | None:
        if not isinstance(node, nodes.Name | nodes.Member):
            return None
        if isinstance(node, nodes.Member):
            library = self._library(program, node, frames)
            if library is not None:
                exported = self._declarations.exported(library, node.name)
                start, end = statement.chunk + node.start, statement.chunk + node.end
                return DeclarationUse(start, end, exported) if exported is not None else None
        found = {self._meaning(program.symbol_of(node, frame), node) for frame in frames}
        meant = found - {None}
        if len(found) > 1 and meant:
            self._refuse(
                program,
                statement,
                node,
                "has several meanings, because its function is called with values "
                "of several types: declare the types of its parameters",
            )
        declared = next(iter(meant), None)
        if declared is None:
            return None
        start = node.name_start if isinstance(node, nodes.Member) else node.start
        return DeclarationUse(statement.chunk + start, statement.chunk + node.end, declared)

    def _library(self, program: Program, node: nodes.Member, frames: list[Frame]) -> ImportSymbol | None:
        """Return the local library whose alias precedes the name of `node`, or None.

        A library may be imported under the name of a built-in namespace, such as `ta`: then `ta.sma` may be the
        built-in.
        """
        alias = node.object
        if not isinstance(alias, nodes.Name) or alias in program.bindings.variables:
            return None
        library = program.imports.get(alias.id)
        if library is None or library.path not in self._declarations.programs:
            return None
        if any(isinstance(program.symbol_of(node, frame), str) for frame in frames):
            return None
        return library

    def _meaning(self, symbol: Symbol | None, node: nodes.Name | nodes.Member) -> LibraryName | None:
        if isinstance(symbol, ImportSymbol):
            is_local = symbol.path in self._declarations.programs
            return None if is_local else LibraryName(symbol.path, PUBLISHED, "")
        if symbol is None or isinstance(symbol, str):
            return None
        declared = self._declarations.meanings.get(symbol)
        if declared is None or not isinstance(node, nodes.Member):
            return declared
        # The `new` and `copy` of a type are not its name.
        return declared if declared.kind == "function" and node.name == declared.name else None

    def _check_method(self, program: Program, statement: Declaration, call: nodes.Call, frames: list[Frame]) -> None:
        callee = call.callee
        if not isinstance(callee, nodes.Member) or callee.name not in self._declarations.methods:
            return
        if self._library(program, callee, frames) is not None or all(call in frame.calls for frame in frames):
            return
        self._refuse(
            program,
            statement,
            callee,
            "may be a method of a library, but the type of its object is not known: declare the types of the "
            "parameters of its function, or correct the call",
        )

    def _refuse(self, program: Program, statement: Declaration, node: nodes.Name | nodes.Member, why: str) -> None:
        start = node.name_start if isinstance(node, nodes.Member) else node.start
        place = program.document.lines.position(statement.chunk + start)
        name = node.name if isinstance(node, nodes.Member) else node.id
        self._refusals.add(self._names[statement.library], place, f"'{name}' {why}")
