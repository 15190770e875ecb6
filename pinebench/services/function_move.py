"""Moves a function of a script into a library that the script imports, if both scripts keep their results."""

from __future__ import annotations

import re

from pinebench.checker import Base, FunctionSymbol, ImportSymbol, LibrarySource, Program, VariableSymbol, check
from pinebench.diagnostics import Edit, Span
from pinebench.errors import UsageError
from pinebench.records import NamedTuple
from pinebench.services.meaning import new_finding
from pinebench.services.names import named_at, uses
from pinebench.services.script import ScriptView
from pinebench.syntax import Snapshot, nodes
from pinebench.syntax.changes import document_after
from pinebench.syntax.walk import walk

_FORBIDDEN = frozenset(("plots", "orders", "alerts", "declaration"))
_TITLE = "'{name}' cannot be moved to {path}"


class Move(NamedTuple):
    """A function that can be moved: its name, the path of the library, and the edits of the script and the library."""

    name: str
    path: str
    script: list[Edit]
    library: list[Edit]


def function_to_move(view: ScriptView, offset: int) -> FunctionSymbol | None:
    """Return the function whose declared name is at `offset`. Return None if there is none, and for a method, an
    export, or one of several overloads."""
    named = named_at(view.program, offset)
    symbol = named.symbol if named is not None else None
    if not isinstance(symbol, FunctionSymbol):
        return None
    name = symbol.node.name
    is_declaration = symbol.offset + name.start <= offset <= symbol.offset + name.end
    is_alone = len(view.program.functions.get(symbol.name, ())) == 1
    return symbol if is_declaration and is_alone and not symbol.is_method and not symbol.exported else None


def moved(view: ScriptView, function: FunctionSymbol, library: ImportSymbol, source: Snapshot) -> Move:
    """Move `function` to the end of the imported `library`, whose text is `source`, as an export.

    Raises UsageError if the function is never called, if a name is taken, or if one of the scripts might compute other
    results: the function uses a name of the script, a parameter has several types, or a script would have a new error
    or warning.
    """
    title = _TITLE.format(name=function.name, path=library.path)
    _refuse_what_it_uses(view.program, function, title)
    if not uses_of(view, function):
        raise UsageError(
            f"{title}: it is never called, so the types of its parameters are not known", "call the function first"
        )
    before = check(source)
    if function.name in {*before.functions, *before.globals, *before.types, *before.enums}:
        raise UsageError(f"{title}: the library already has this name", "rename the function first")
    program = view.program
    names = {*(symbol.name for symbol in program.bindings.symbols), *program.functions, *program.types, *program.enums}
    if library.alias in names:
        raise UsageError(
            f"{title}: another declaration of the script has the name '{library.alias}'",
            "rename that declaration first",
        )
    edits = _script_edits(view, function, library.alias)
    added = _added(view, function, source.text, title)
    if not _is_sound(view, edits, library.path, before, source, added):
        raise UsageError(
            f"{title}: one of the scripts would have a new error, or the type of a call would change",
            "change the function first",
        )
    return Move(function.name, library.path, edits, [added])


def _refuse_what_it_uses(program: Program, function: FunctionSymbol, title: str) -> None:
    """Raise UsageError if the function uses a declaration of the script, or has an effect that a library must not
    have."""
    for node in walk(function.node):
        if not isinstance(node, nodes.Name | nodes.Member) or node is function.node.name:
            continue
        symbol = program.symbol_of(node)
        if symbol is None or isinstance(symbol, str):
            continue
        if isinstance(symbol, VariableSymbol) and symbol.scope.function is function:
            continue
        word = getattr(symbol, "name", None) or getattr(symbol, "alias", "a name")
        raise UsageError(f"{title}: it uses '{word}', which is declared outside of it", "pass it as an argument first")
    for frame in program.frames_of(function):
        if program.effects_of(frame).changes & _FORBIDDEN:
            raise UsageError(
                f"{title}: it plots, places orders or sends alerts, which a library must not do",
                "move only the part that computes values",
            )


def uses_of(view: ScriptView, function: FunctionSymbol) -> list[Span]:
    """Return the spans at which a function is named outside its declaration."""
    own = function.offset + function.node.name.start
    return [use.span for use in uses(view.program, function) if use.span.start != own]


def _script_edits(view: ScriptView, function: FunctionSymbol, alias: str) -> list[Edit]:
    edits = [Edit(span, f"{alias}.{function.name}") for span in uses_of(view, function)]
    return sorted([*edits, Edit(_whole(view, function), "")])


def _whole(view: ScriptView, function: FunctionSymbol) -> Span:
    """The lines of a function with the comments directly above it and the empty lines after it."""
    lines, text = view.snapshot.lines, view.text
    first = lines.position(function.start).line
    while first > 1 and lines.line_text(first - 1).startswith("//") and "@version" not in lines.line_text(first - 1):
        first -= 1
    last = lines.position(function.end - 1).line
    while last < len(lines) and not lines.line_text(last + 1).strip():
        last += 1
    end = lines.line_start(last + 1) if last < len(lines) else len(text)
    return Span(lines.line_start(first), end)


def _added(view: ScriptView, function: FunctionSymbol, library: str, title: str) -> Edit:
    """The edit that adds the exported function to the end of the library's text."""
    whole = _whole(view, function)
    text = view.text[whole.start : whole.end].rstrip()
    types = _types(view.program, function, title)
    inserts = [
        (function.offset + parameter.declared.start - whole.start, f"{base.name} ")
        for parameter, base in zip(function.parameters, types, strict=True)
        if base is not None
    ]
    for place, words in sorted([*inserts, (function.start - whole.start, "export ")], reverse=True):
        text = text[:place] + words + text[place:]
    newline = "\r\n" if "\r\n" in library else "\n"
    text = re.sub(r"\r\n|\r|\n", newline, text)
    gap = "" if not library or library.endswith("\n") else newline
    return Edit(Span(len(library), len(library)), f"{gap}{newline}{text}{newline}")


def _types(program: Program, function: FunctionSymbol, title: str) -> list[Base | None]:
    """Return the type to write for each parameter; None for one that has a written type. Raises UsageError if calls
    pass several types."""
    found: list[Base | None] = []
    frames = program.frames_of(function)
    for number, parameter in enumerate(function.parameters):
        if parameter.type is not None:
            found.append(None)
            continue
        bases = {types[number].base for types, frame in function.frames.items() if frame in frames}
        base = bases.pop() if len(bases) == 1 else None
        if base is None or base.kind in ("na", "unknown", "udt", "enum"):
            raise UsageError(
                f"{title}: '{parameter.name}' does not always have the same built-in type", "declare its type first"
            )
        found.append(base)
    return found


def _is_sound(view: ScriptView, edits: list[Edit], path: str, before: Program, source: Snapshot, added: Edit) -> bool:
    """Return whether neither text has a new error or warning, and all calls keep their types."""
    library = document_after(source, [added])
    after = check(library)
    if library.diagnostics or new_finding(before, after, [added]) is not None:
        return False
    changed = document_after(view.snapshot, edits)
    script = check(changed, _EditedLibrary(view.sources, path, library.snapshot))
    if changed.diagnostics or new_finding(view.program, script, edits) is not None:
        return False
    return _call_types(view.program) == _call_types(script)


def _call_types(program: Program) -> list[str]:
    """Return the types of all calls outside of functions, in text order. Qualifiers are left out: if one mattered,
    there would be an error."""
    found: list[str] = []
    for chunk in program.document.chunks:
        statements = [node for node in chunk.body if not isinstance(node, nodes.FunctionDeclaration)]
        calls = (node for node in walk(statements) if isinstance(node, nodes.Call))
        types = (program.type_of(node) for node in calls)
        found += [type_.base.name if type_ is not None else "" for type_ in types]
    return found


class _EditedLibrary:
    """The libraries of a script, with another text for the library at `path`."""

    def __init__(self, sources: LibrarySource | None, path: str, library: Snapshot) -> None:
        self._sources, self._path, self._library = sources, path, library

    def read(self, path: str) -> Snapshot | None:
        if path == self._path:
            return self._library
        return self._sources.read(path) if self._sources is not None else None
