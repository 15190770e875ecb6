"""Imported libraries. If a library's source is not on disk, at most the names of its exports are known."""

from __future__ import annotations

from pinebench import reference
from pinebench.checker.checker import Checker
from pinebench.checker.symbols import EnumSymbol, FunctionSymbol, ImportSymbol, TypeSymbol
from pinebench.checker.types import CONST, FROM_LIBRARY, UNKNOWN, UNKNOWN_BASE, Base, Type
from pinebench.syntax import nodes


def load(checker: Checker, library: ImportSymbol) -> None:
    """Find the source of an import in a library folder. If there is none, look up the known names of its exports."""
    library.source = checker.libraries.find(library.path) if checker.libraries is not None else None
    library.exports = None if library.source is not None else reference.library_exports(library.path)


def check_imported(checker: Checker, node: nodes.Node, symbol: TypeSymbol) -> None:
    """Report a use of a member of a library's type if the script does not import that library itself (recorded
    message)."""
    if symbol.library is None or checker.declares(symbol):
        return
    if all(library.path != symbol.library for library in checker.bindings.imports.values()):
        checker.report("transitive-library-type", node, type=symbol.name, library=symbol.library)


def value(library: ImportSymbol, path: str) -> Type | None:
    """Return the type of `alias.NAME` or `alias.Enum.field`; None if the library's source was found and does not export
    it."""
    source = library.source
    if source is None:
        return FROM_LIBRARY
    name, _, field = path.partition(".")[2].partition(".")
    if field:
        enum = source.bindings.enums.get(name)
        return enum.type.at(CONST) if enum is not None and enum.exported and field in enum.fields else None
    symbol = source.bindings.global_scope.names.get(name)
    declaration = symbol.declaration if symbol is not None else None
    if symbol is None or not isinstance(declaration, nodes.VariableDeclaration) or not declaration.exported:
        return None
    return symbol.type or UNKNOWN


def type_(library: ImportSymbol, name: str) -> Base | None:
    """Return the type `alias.Name`; None if the library does not export it. The type is unknown if the source was not
    found."""
    if library.source is None:
        return UNKNOWN_BASE
    found: TypeSymbol | EnumSymbol | None = library.source.bindings.types.get(name)
    found = found or library.source.bindings.enums.get(name)
    return found.type if found is not None and found.exported else None


def methods(checker: Checker, name: str) -> list[FunctionSymbol]:
    """Return the exported methods named `name` of all imported libraries whose source was found."""
    return [
        function
        for library in checker.bindings.imports.values()
        if library.source is not None
        for function in library.source.bindings.functions.get(name, [])
        if function.exported and function.is_method
    ]


def may_have_method(checker: Checker, name: str) -> bool:
    """Return whether an imported library whose source was not found might export a method named `name`."""
    return any(
        library.source is None and (library.exports is None or name in library.exports)
        for library in checker.bindings.imports.values()
    )
