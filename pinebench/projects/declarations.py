"""The top-level declarations of local libraries, by the names that they declare."""

from __future__ import annotations

from collections.abc import Iterator

from pinebench.checker import ImportSymbol, Program, Symbol
from pinebench.records import NamedTuple
from pinebench.syntax import nodes


class LibraryName(NamedTuple):
    """A name that a library declares, with all its overloads. `kind` is function, type or variable."""

    library: str
    kind: str
    name: str


class Declaration(NamedTuple):
    """A top-level statement: its library ("" for the script), its node, and the offset from which the node's positions
    count."""

    library: str
    node: nodes.Statement
    chunk: int

    @property
    def start(self) -> int:
        """The offset of the declaration's first character in the file."""
        return self.chunk + self.node.start

    @property
    def end(self) -> int:
        """The offset after the declaration's last character in the file."""
        return self.chunk + self.node.end


def statements(program: Program) -> Iterator[Declaration]:
    """Yield every top-level statement of a script or library, in text order."""
    for chunk in program.document.chunks:
        for node in chunk.body:
            yield Declaration(program.path or "", node, chunk.start)


class Declarations:
    """The declarations of all local libraries of a script."""

    def __init__(self, program: Program) -> None:
        self.programs: dict[str, Program] = {}
        """The local libraries by path: a library comes after all libraries that it imports."""
        self._add(program, dict(program.libraries))
        self.meanings: dict[Symbol, LibraryName] = {}
        """The declared name of each symbol of the global code of a library."""
        self.by_name: dict[LibraryName, list[Declaration]] = {}
        """The statements that declare a name."""
        for path, library in self.programs.items():
            self._index(path, library)
        self.methods = frozenset(
            name
            for library in self.programs.values()
            for name, group in library.functions.items()
            if any(function.is_method for function in group)
        )
        """The names of all methods of local libraries."""

    def _add(self, program: Program, found: dict[str, Program]) -> None:
        for library in imports_of(program):
            if library.path in found and library.path not in self.programs:
                self._add(found[library.path], found)
                self.programs[library.path] = found[library.path]

    def _index(self, path: str, library: Program) -> None:
        symbols: dict[nodes.Node, Symbol] = {each.name_node: each for each in library.variables}
        for name, group in library.functions.items():
            self.meanings.update((function, LibraryName(path, "function", name)) for function in group)
        for name, type_ in (*library.types.items(), *library.enums.items()):
            self.meanings[type_] = LibraryName(path, "type", name)
        for symbol in library.variables:
            if symbol.scope is library.bindings.global_scope:
                self.meanings[symbol] = LibraryName(path, "variable", symbol.name)
        for statement in statements(library):
            for kind, name in declared_names(statement.node):
                if kind != "variable" or symbols.get(name) in self.meanings:
                    self.by_name.setdefault(LibraryName(path, kind, name.id), []).append(statement)

    def exported(self, library: ImportSymbol, name: str) -> LibraryName | None:
        """Return the export `name` of an imported local library; None if it has none."""
        for kind in ("type", "function", "variable"):
            found = LibraryName(library.path, kind, name)
            if any(getattr(each.node, "exported", False) for each in self.by_name.get(found, ())):
                return found
        return None


def declared_names(node: nodes.Node) -> Iterator[tuple[str, nodes.Name]]:
    """Yield the kind and the node of each name that a top-level statement declares."""
    if isinstance(node, nodes.FunctionDeclaration):
        yield "function", node.name
    elif isinstance(node, nodes.TypeDeclaration | nodes.EnumDeclaration):
        yield "type", node.name
    elif isinstance(node, nodes.VariableDeclaration):
        yield "variable", node.name
    elif isinstance(node, nodes.TupleDeclaration):
        yield from (("variable", name) for name in node.names)


def imports_of(program: Program) -> list[ImportSymbol]:
    """Return the imports of a script or library, in text order."""
    return sorted(program.imports.values(), key=lambda each: each.start)
