"""Bundles a script with its local libraries into one script that computes the same, with a map back to its files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise

from pinebench.checker import CHECKED_VERSION, INPUT, ImportSymbol, Program, VariableSymbol, check, display
from pinebench.diagnostics import Severity, Span, TextPosition
from pinebench.projects.declarations import Declaration, Declarations, LibraryName, imports_of, statements
from pinebench.projects.fresh_names import FreshNames, aliases, names_for
from pinebench.projects.pieces import Pieces, Replacement
from pinebench.projects.refusals import NotBundled, Refusal, Refusals
from pinebench.projects.source_map import SourceFile, SourceMap, SourceName, digest_of
from pinebench.projects.uses import PUBLISHED, DeclarationUse, Uses
from pinebench.records import NamedTuple
from pinebench.syntax import Snapshot, nodes, parse

_OF_ITS_FILE = re.compile(r"//[ \t]*@(?:version|strategy_alert_message)\b|//[ \t]*#(?:end)?region\b")
"""The comments that mean something for their whole file."""
_EXPORT = re.compile(r"export[ \t]+")
_PLAIN = frozenset(("scalar", "enum", "special"))
"""The kinds of values that a library's functions may use from its global code."""


class Bundle(NamedTuple):
    """The text of a bundle, its source map, and the paths of the libraries that are part of it."""

    text: str
    source_map: SourceMap
    libraries: tuple[str, ...]


def bundle(program: Program, file: str, library_files: Mapping[str, str]) -> Bundle:
    """Bundle the script of `program`, which is in `file`. `library_files` maps paths of its local libraries to files.

    Raises NotBundled with all reasons if that is impossible, or if the bundle would behave differently.
    """
    refusals = Refusals()
    names = {"": file, **{path: library_files.get(path, f"{path}.pine") for path in program.libraries_read}}
    _check_readable(program, names, refusals)
    refusals.check()
    writing = _BundleWriter(program, names, refusals)
    made = writing.bundle()
    refusals.check()
    _check_meaning(program, made, names)
    return made


def _check_readable(program: Program, names: Mapping[str, str], refusals: Refusals) -> None:
    """Refuse a script or a library whose declarations cannot be determined."""
    _check_text(program.document, names[""], refusals)
    local = {path for path, text in program.libraries_read.items() if text is not None}
    for path in sorted(local):
        assert program.sources is not None
        snapshot = program.sources.read(path)
        if snapshot is not None:
            _check_text(snapshot, names[path], refusals)
    for importer in (program, *program.libraries.values()):
        for library in imports_of(importer):
            if library.path in local and library.source is None:
                place = importer.document.lines.position(library.start)
                text = f"{library.path} cannot be read here: it has errors, is not Pine v6, or imports itself"
                refusals.add(names[importer.path or ""], place, text)


def _check_text(snapshot: Snapshot, file: str, refusals: Refusals) -> None:
    if snapshot.version != CHECKED_VERSION:
        start = snapshot.version_span.start if snapshot.version_span is not None else 0
        refusals.add(file, snapshot.lines.position(start), f"only Pine v{CHECKED_VERSION} can be bundled")
    for finding in snapshot.diagnostics:
        if finding.severity is Severity.ERROR:
            refusals.add(file, snapshot.lines.position(finding.span.start), f"{finding.code} {finding.message}")


class LibraryFault(NamedTuple):
    """An error in a local library: its file, its position, its code and its message."""

    file: str
    position: TextPosition
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.position.line}:{self.position.column}: {self.code} {self.message}"


def library_faults(program: Program, library_files: Mapping[str, str]) -> list[LibraryFault]:
    """Return the errors of all local libraries of a script. Each library is checked on its own."""
    found: list[LibraryFault] = []
    for path, library in program.libraries.items():
        file, lines = library_files.get(path, f"{path}.pine"), library.document.lines
        for each in check(library.document, program.sources).diagnostics:
            if each.severity is Severity.ERROR:
                found.append(LibraryFault(file, lines.position(each.span.start), each.code, each.message))
    return found


def _check_meaning(program: Program, made: Bundle, names: Mapping[str, str]) -> None:
    """Refuse a bundle that has an error which its files do not have, because its meaning has changed."""
    known = {(finding.code, names[""]) for finding in program.diagnostics}
    known.update((each.code, each.file) for each in library_faults(program, names))
    after = check(parse(made.text), program.sources)
    lines = after.document.lines
    found: list[Refusal] = []
    for finding in after.diagnostics:
        if finding.severity is not Severity.ERROR:
            continue
        place = made.source_map.place(lines.position(finding.span.start), lines.position(finding.span.end))
        if place is not None and (finding.code, place.file) in known:
            continue
        file, start = (place.file, place.start) if place is not None else (names[""], lines.position(0))
        message = made.source_map.message(finding.message, file)
        found.append(Refusal(file, start, f"this does not compile in the bundle: {finding.code} {message}"))
    if found:
        raise NotBundled(found)


class _BundleWriter:
    """Writes one bundle."""

    def __init__(self, program: Program, names: Mapping[str, str], refusals: Refusals) -> None:
        self.program = program
        self.names = dict(names)
        self.refusals = refusals
        self.declarations = Declarations(program)
        self.libraries = self.declarations.programs
        self.uses = Uses(self.declarations, self.names, refusals)
        self._found: dict[nodes.Statement, list[DeclarationUse]] = {}

    def bundle(self) -> Bundle:
        """Return the bundle with its text and its source map."""
        texts = [self.program.document.text, *(each.document.text for each in self.libraries.values())]
        files = [SourceFile(self.names[""], None, digest_of(texts[0]))]
        files += [
            SourceFile(self.names[path], path, digest_of(each.document.text)) for path, each in self.libraries.items()
        ]
        pieces = Pieces(texts, "\r\n" if "\r\n" in texts[0] else "\n")
        self._write(pieces)
        spelled = {
            name: SourceName(each.library, each.name, f"{self._prefixes[each.library]}.{each.name}")
            for each, name in self._bundled_names.items()
            if each.kind != PUBLISHED
        }
        return Bundle(pieces.text, pieces.source_map(files, spelled), tuple(self.libraries))

    # what is used

    def _uses_of(self, program: Program, statement: Declaration) -> list[DeclarationUse]:
        found = self._found.get(statement.node)
        if found is None:
            found = self._found[statement.node] = sorted(self.uses.of(program, statement))
        return found

    @cached_property
    def _used(self) -> dict[LibraryName, None]:
        """All names of libraries that the script needs, directly or through other names, in the order of discovery."""
        found: dict[LibraryName, None] = {}
        pending = [use.declared for each in statements(self.program) for use in self._uses_of(self.program, each)]
        while pending:
            declared = pending.pop()
            if declared in found:
                continue
            found[declared] = None
            if declared.kind == PUBLISHED:
                continue
            library = self.libraries[declared.library]
            for statement in self.declarations.by_name.get(declared, ()):
                self._check_variable(library, statement, declared)
                pending.extend(use.declared for use in self._uses_of(library, statement))
        return found

    def _check_variable(self, library: Program, statement: Declaration, declared: LibraryName) -> None:
        """Refuse a variable whose value depends on an input or on other statements of its library."""
        symbol = library.globals.get(declared.name) if declared.kind == "variable" else None
        if symbol is None or not isinstance(symbol, VariableSymbol):
            return
        why = ""
        if symbol.reassignments:
            why = "is changed in the global scope of its library, so no function of the library may use it"
        elif symbol.type is not None and symbol.type.qualifier == INPUT:
            why = "is an input of its library, so no function of the library may use it"
        elif symbol.type is not None and symbol.type.base.kind not in (*_PLAIN, "unknown", "na"):
            what = f"is an object or collection ({display(symbol.type)})"
            why = f"{what}, which no function of a library may use from its global code"
        if why:
            place = library.document.lines.position(symbol.offset + symbol.name_node.start)
            self.refusals.add(self.names[statement.library], place, f"'{declared.name}' {why}")

    # names

    @cached_property
    def _prefixes(self) -> dict[str, str]:
        return aliases(self.program, self.declarations)

    @cached_property
    def _bundled_names(self) -> dict[LibraryName, str]:
        texts = [self.program.document.text, *(each.document.text for each in self.libraries.values())]
        naming = FreshNames(texts)
        own = [each for each in self._used if each.kind != PUBLISHED]
        order = {path: number for number, path in enumerate(self.libraries)}
        found = names_for(sorted(own, key=lambda each: (order[each.library], each)), self._prefixes, naming)
        for each in self._used:
            if each.kind == PUBLISHED:
                found[each] = self._published_alias(each.library, naming)
        return found

    def _published_alias(self, path: str, naming: FreshNames) -> str:
        """Return a published library's alias: the script's own if it is imported before the bundled libraries."""
        for library in imports_of(self.program):
            if library.path == path and library.start < self._anchor:
                return library.alias
        return naming.fresh(f"{path.split('/')[1].lower()}_library" if "/" in path else "library")

    # writing

    @cached_property
    def _anchor(self) -> int:
        """The offset at which the libraries are inserted: before the first statement that may use them."""
        document = self.program.document
        anchor: int | None = None
        for statement in statements(self.program):
            is_import = isinstance(statement.node, nodes.Import)
            if not is_import and (not self._declares(statement) or self._uses_of(self.program, statement)):
                first = document.lines.position(statement.start).line
                return anchor if anchor is not None else document.lines.line_start(first)
            last = document.lines.position(statement.end).line
            anchor = document.lines.line_start(last + 1)
        return anchor if anchor is not None else len(document.text)

    def _declares(self, statement: Declaration) -> bool:
        """Return whether a statement is the call of `indicator()`, `strategy()` or `library()`."""
        declaration = self.program.declaration
        node = statement.node
        return (
            isinstance(node, nodes.ExpressionStatement)
            and declaration is not None
            and (node.expression is declaration.node)
        )

    def _write(self, pieces: Pieces) -> None:
        text = self.program.document.text
        replaced = list(self._without_local_imports())
        for statement in statements(self.program):
            for use in self._uses_of(self.program, statement):
                if use.declared.kind != PUBLISHED:
                    replaced.append(Replacement(Span(use.start, use.end), self._bundled_names[use.declared]))
        replaced.sort(key=lambda each: each.span)
        anchor = self._anchor
        pieces.copy(0, Span(0, anchor), [each for each in replaced if each.span.start < anchor])
        if self._used and any(each.kind != PUBLISHED for each in self._used):
            self._write_libraries(pieces, starts_line=anchor == 0 or text[anchor - 1] in "\r\n")
        pieces.copy(0, Span(anchor, len(text)), [each for each in replaced if each.span.start >= anchor])

    def _without_local_imports(self) -> Iterator[Replacement]:
        """Yield the replacements that turn imports of local libraries into comments. Imports of published libraries
        on the same line stay, below the comment."""
        text = self.program.document.text
        for chunk in self.program.document.chunks:
            imports = [each for each in chunk.body if isinstance(each, nodes.Import)]
            local = [each for each in imports if each.path in self.libraries]
            if not local:
                continue
            written = ", ".join(text[chunk.start + each.start : chunk.start + each.end] for each in local)
            start, end = chunk.start + imports[0].start, chunk.start + imports[-1].end
            others = [each for each in imports if each not in local]
            if not others:
                yield Replacement(Span(start, end), f"// {written}")
                continue
            yield Replacement(Span(start, chunk.start + others[0].start), f"// {written}\n")
            for before, after in pairwise(others):
                yield Replacement(Span(chunk.start + before.end, chunk.start + after.start), ", ")
            yield Replacement(Span(chunk.start + others[-1].end, end), "")

    def _write_libraries(self, pieces: Pieces, *, starts_line: bool) -> None:
        if not starts_line:
            pieces.write("\n")
        self._write_imports(pieces)
        for number, (path, library) in enumerate(self.libraries.items(), 1):
            wanted = [each for each in statements(library) if each.node in self._wanted]
            if wanted:
                pieces.write(f"\n// ---- {path} ----\n")
                self._write_header(pieces, number, library)
                for statement in wanted:
                    self._write_statement(pieces, number, library, statement)
                pieces.write(f"// ---- end of {path} ----\n")
        pieces.write("\n")

    @cached_property
    def _wanted(self) -> frozenset[nodes.Statement]:
        """The statements of libraries that declare a needed name."""
        return frozenset(each.node for used in self._used for each in self.declarations.by_name.get(used, ()))

    def _write_imports(self, pieces: Pieces) -> None:
        """Write the imports of published libraries that the script does not import itself before the libraries."""
        own = {library.path for library in imports_of(self.program) if library.start < self._anchor}
        for each in self._used:
            if each.kind == PUBLISHED and each.library not in own:
                number, library = self._import_of(each.library)
                span = Span(library.start, library.offset + library.node.end)
                pieces.replace(number, span, f"import {each.library} as {self._bundled_names[each]}")
                pieces.write("\n")

    def _import_of(self, path: str) -> tuple[int, ImportSymbol]:
        """Return the first import of a published library in a local library, with the number of its file."""
        for number, program in enumerate((*self.libraries.values(), self.program), 1):
            for library in imports_of(program):
                if library.path == path:
                    return number % (len(self.libraries) + 1), library
        raise LookupError(path)

    def _write_header(self, pieces: Pieces, number: int, library: Program) -> None:
        """Write the comments at the top of a library, such as its licence and its description."""
        lines = library.document.lines
        first = next((each.start for each in statements(library)), len(library.document.text))
        for line in range(1, lines.position(first).line):
            if lines.line_text(line).lstrip().startswith("//"):
                self._write_comment(pieces, number, library, line)

    def _write_comment(self, pieces: Pieces, number: int, library: Program, line: int) -> None:
        text, start = library.document.lines.line_text(line), library.document.lines.line_start(line)
        if not _OF_ITS_FILE.match(text.lstrip()):
            pieces.copy(number, Span(start, start + len(text)))
            pieces.write("\n")

    def _write_statement(self, pieces: Pieces, number: int, library: Program, statement: Declaration) -> None:
        """Write one declaration of a library, with the comments above it and the comment after it."""
        document = library.document
        first = document.lines.position(statement.start).line
        begins_line = document.lines.line_start(first) == statement.start
        above = first
        while begins_line and above > 1 and document.lines.line_text(above - 1).startswith("//"):
            above -= 1
        if above == 1 or document.lines.position(_first_start(library)).line == first:
            above = first  # those are the comments of the library, which are written already
        if above < first or not isinstance(statement.node, nodes.VariableDeclaration):
            pieces.write("\n")
        for line in range(above, first):
            self._write_comment(pieces, number, library, line)
        replaced = [
            Replacement(Span(use.start, use.end), self._bundled_names[use.declared])
            for use in self._uses_of(library, statement)
        ]
        export = _EXPORT.match(document.text, statement.start) if _is_exported(statement.node) else None
        start = export.end() if export is not None else statement.start
        pieces.copy(number, Span(start, _end_with_comment(document, statement)), replaced)
        pieces.write("\n")


def _first_start(library: Program) -> int:
    return next((each.start for each in statements(library)), 0)


def _is_exported(node: nodes.Statement) -> bool:
    return bool(getattr(node, "exported", False))


def _end_with_comment(document: Snapshot, statement: Declaration) -> int:
    """Return the end of a statement, or of the comment that follows on its line."""
    line = document.lines.position(statement.end).line
    start = document.lines.line_start(line)
    end = start + len(document.lines.line_text(line))
    rest = document.text[statement.end : end].strip()
    return end if rest.startswith("//") else statement.end
