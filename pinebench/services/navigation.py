"""Navigation from names: definition, type definition, references, calls."""

from __future__ import annotations

from pinebench.checker import EnumSymbol, FunctionSymbol, ImportSymbol, Program, Symbol, TypeSymbol
from pinebench.diagnostics import Span
from pinebench.records import NamedTuple
from pinebench.services.names import Use, declaration_of, named_at, uses
from pinebench.services.script import ScriptView
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk


class NavigationTarget(NamedTuple):
    """A target to jump to: the span of the declared name and its whole declaration, in the script itself (`library` is
    None) or in a library by its path."""

    library: str | None
    span: Span
    whole: Span


def definition(view: ScriptView, offset: int) -> NavigationTarget | None:
    """Return the declaration of the symbol at `offset`; None for built-ins, and for libraries whose source was not
    found."""
    named = named_at(view.program, offset)
    return target_of(view.program, named.symbol) if named is not None else _library(view, offset)


def type_definition(view: ScriptView, offset: int) -> NavigationTarget | None:
    """Return the declaration of the type of the name at `offset`, or of the elements if it is a collection; None for a
    built-in type."""
    named = named_at(view.program, offset)
    if named is None:
        return None
    type_ = view.program.declared_type(named.symbol, named.frame) or named.frame.types.get(named.node)
    base = type_.base if type_ is not None else None
    while base is not None and base.symbol is None and base.arguments:
        base = base.arguments[-1]
    declared = base.symbol if base is not None else None
    return target_of(view.program, declared) if isinstance(declared, TypeSymbol | EnumSymbol) else None


def target_of(program: Program, symbol: Symbol) -> NavigationTarget | None:
    """Return the declaration of `symbol`; None for built-ins, and for libraries whose source was not found."""
    found = declaration_of(program, symbol)
    if found is None:
        return None
    owner, span = found
    if isinstance(symbol, ImportSymbol) and symbol.source is not None:
        return NavigationTarget(symbol.path, Span(0, 0), Span(0, 0))
    chunk = owner.document.chunk_at(span.start)
    node = getattr(symbol, "node", None) or getattr(symbol, "declaration", None)
    whole = span
    if isinstance(node, nodes.Node):
        whole = Span(min(span.start, chunk.start + node.start), max(span.end, chunk.start + node.end))
    return NavigationTarget(owner.path if owner is not program else None, span, whole)


def _library(view: ScriptView, offset: int) -> NavigationTarget | None:
    """The library that an import at `offset` names."""
    link = next((link for link in imports(view) if link.span.start <= offset <= link.span.end), None)
    return NavigationTarget(link.path, Span(0, 0), Span(0, 0)) if link is not None and link.is_seen else None


class ImportPath(NamedTuple):
    """A library's path in an import: its span, and whether the library's source was found."""

    path: str
    span: Span
    is_seen: bool


def imports(view: ScriptView) -> list[ImportPath]:
    """Return the libraries that the script imports, in text order."""
    found: list[ImportPath] = []
    seen = view.program.libraries
    for chunk in view.snapshot.chunks:
        for node in chunk.body:
            if isinstance(node, nodes.Import):
                start = chunk.text.index("import", node.start) + len("import")
                end = node.alias.start if node.alias is not None else node.end
                text = chunk.text[start:end]
                inside = text.rpartition(" as")[0] if node.alias is not None else text
                first = start + len(inside) - len(inside.lstrip())
                span = Span(chunk.start + first, chunk.start + first + len(inside.strip()))
                found.append(ImportPath(node.path, span, node.path in seen))
    return found


def references(view: ScriptView, offset: int) -> list[Use]:
    """Return every use of the symbol at `offset`, including its declaration, in text order."""
    named = named_at(view.program, offset)
    return uses(view.program, named.symbol) if named is not None else []


class Caller(NamedTuple):
    """A function, or None for the global code, and the spans of its calls."""

    function: FunctionSymbol | None
    calls: list[Span]


def function_at(view: ScriptView, offset: int) -> FunctionSymbol | None:
    """Return the user's function that is named or declared at `offset`; None if there is none."""
    named = named_at(view.program, offset)
    return named.symbol if named is not None and isinstance(named.symbol, FunctionSymbol) else None


def incoming(view: ScriptView, function: FunctionSymbol) -> list[Caller]:
    """Return the callers of `function` in the script, in text order."""
    return [Caller(owner, spans) for owner, called, spans in _calls(view.program) if called is function]


def outgoing(view: ScriptView, function: FunctionSymbol) -> list[tuple[FunctionSymbol, list[Span]]]:
    """Return the functions of the script and its libraries that `function` calls, in text order."""
    return [(called, spans) for owner, called, spans in _calls(view.program) if owner is function]


def _calls(program: Program) -> list[tuple[FunctionSymbol | None, FunctionSymbol, list[Span]]]:
    """Return each pair of a caller and a called function, with the spans of the calls."""
    resolved = program.resolved_calls
    found: dict[tuple[FunctionSymbol | None, FunctionSymbol], list[Span]] = {}
    functions = {function.node: function for group in program.functions.values() for function in group}
    for chunk in program.document.chunks:
        owner = next((functions.get(node) for node in chunk.body if node in functions), None)
        for node in walk(chunk.body):
            target = resolved[node].target if isinstance(node, nodes.Call) and node in resolved else None
            if isinstance(node, nodes.Call) and isinstance(target, FunctionSymbol):
                callee = node.callee
                start = callee.name_start if isinstance(callee, nodes.Member) else callee.start
                found.setdefault((owner, target), []).append(Span(chunk.start + start, chunk.start + callee.end))
    return [(owner, called, spans) for (owner, called), spans in found.items()]
