"""Finds references to a library's exports in the scripts that import it, and renames an export in all of them."""

from __future__ import annotations

from collections.abc import Sequence

from pinebench.checker import LibrarySource, Program, check
from pinebench.diagnostics import Edit, Span
from pinebench.errors import UsageError
from pinebench.records import NamedTuple
from pinebench.services.names import Use, declaration_of, name_of, named_arguments, named_at, uses
from pinebench.services.rename import difference, rename, together
from pinebench.services.script import ScriptView
from pinebench.syntax import Snapshot
from pinebench.syntax.changes import document_after


def exports_of(library: Program) -> list[tuple[str, int]]:
    """Return the exports of a library in text order, each with the offset of its name. Overloads count as one
    export."""
    names = {
        name: (group[0].offset + group[0].node.name.start)
        for name, group in library.functions.items()
        if any(each.exported for each in group)
    }
    for symbol in (*library.types.values(), *library.enums.values()):
        if symbol.exported:
            place = declaration_of(library, symbol)
            if place is not None:
                names[symbol.name] = place[1].start
    for name, symbol in library.globals.items():
        if getattr(symbol.declaration, "exported", False):
            names[name] = symbol.offset + symbol.name_node.start
    return sorted(names.items(), key=lambda pair: pair[1])


class Importer(NamedTuple):
    """A script that imports a library, under any of `paths`. `name` is the script's name in messages."""

    name: str
    view: ScriptView
    paths: frozenset[str]


def declared_at(library: ScriptView, offset: int) -> frozenset[Span]:
    """Return the spans where the library declares the symbol at `offset`, including overloads with the same name."""
    named = named_at(library.program, offset)
    if named is None:
        return frozenset()
    found = (declaration_of(library.program, each) for each in together(library.program, named.symbol))
    return frozenset(place[1] for place in found if place is not None and place[0] is library.program)


def uses_in(importer: Importer, declared: frozenset[Span]) -> list[Use]:
    """Return the uses of a library's exports in a script, in text order. `declared` are the spans of the exports in the
    library."""
    program = importer.view.program
    found: set[Use] = set()
    for symbol in {*program.named, *(symbol for symbol, _ in named_arguments(program))}:
        place = declaration_of(program, symbol)
        if place is not None and place[0].path in importer.paths and place[1] in declared:
            found.update(uses(program, symbol))
    return sorted(found)


def unused_exports(library: ScriptView, importers: Sequence[Importer]) -> list[tuple[str, int]]:
    """Return the exports of a library that no importer uses, in text order, each with the offset of its name. An export
    whose name occurs in an importer with syntax errors counts as used, because not all uses there are known."""
    found: list[tuple[str, int]] = []
    for name, offset in exports_of(library.program):
        declared = declared_at(library, offset)
        if not any(uses_in(each, declared) or _may_use(each, name) for each in importers):
            found.append((name, offset))
    return found


def _may_use(importer: Importer, name: str) -> bool:
    """Return whether a script with syntax errors contains `name`: some uses of it could be missed."""
    return bool(importer.view.program.document.diagnostics) and name in importer.view.text


def rename_across(library: ScriptView, offset: int, name: str, importers: list[Importer]) -> list[list[Edit]]:
    """Return the edits that rename the symbol at `offset` of a library to `name`: first the library's edits, then the
    edits of each importer. Raises UsageError if the meaning of a script would change, or if a script has syntax
    errors."""
    edits = rename(library, offset, name)
    if not edits:
        return [[], *([] for _ in importers)]
    named = named_at(library.program, offset)
    assert named is not None
    old, declared = name_of(named.symbol), declared_at(library, offset)
    changed = document_after(library.snapshot, edits).snapshot
    return [edits, *(_edits_in(importer, declared, old, name, changed) for importer in importers)]


def _edits_in(importer: Importer, declared: frozenset[Span], old: str, name: str, library: Snapshot) -> list[Edit]:
    before = importer.view.program
    edits = [Edit(use.span, name) for use in uses_in(importer, declared)]
    if _may_use(importer, old):
        raise UsageError(
            f"'{old}' cannot be renamed to '{name}': {importer.name} imports it and has syntax errors",
            "fix them first; otherwise some uses could be missed",
        )
    sources = _RenamedLibraries(importer.view.sources, importer.paths, library)
    snapshot = importer.view.snapshot
    after = check(document_after(snapshot, edits) if edits else snapshot, sources)
    reason = difference(before, after, edits, name)
    if reason:
        raise UsageError(f"'{old}' cannot be renamed to '{name}' in {importer.name}: {reason}", "choose another name")
    return edits


class _RenamedLibraries:
    """A library source that gives `library` for the `paths`, and the libraries of `sources` for all others."""

    def __init__(self, sources: LibrarySource | None, paths: frozenset[str], library: Snapshot) -> None:
        self._sources = sources
        self._paths = paths
        self._library = library

    def read(self, path: str) -> Snapshot | None:
        if path in self._paths:
            return self._library
        return self._sources.read(path) if self._sources is not None else None
