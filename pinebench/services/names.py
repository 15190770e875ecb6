"""The names of a script: the name at an offset, its meaning, and its other uses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pinebench.checker import (
    EnumSymbol,
    FieldSymbol,
    Frame,
    FunctionSymbol,
    ImportSymbol,
    Program,
    ResolvedCall,
    Symbol,
    TypeSymbol,
    VariableSymbol,
)
from pinebench.diagnostics import Span
from pinebench.records import NamedTuple
from pinebench.syntax import nodes
from pinebench.syntax.walk import path_to, walk


class NameUse(NamedTuple):
    """A name in the text: its symbol, its span, its node (for the name of an argument, the argument), and its frame,
    which has the types of the code around it."""

    symbol: Symbol
    span: Span
    node: nodes.Node
    frame: Frame


class Use(NamedTuple):
    """A span that names a symbol, and whether the symbol is declared or assigned there."""

    span: Span
    writes: bool


def path_at(program: Program, offset: int) -> list[nodes.Node]:
    """Return the nodes that contain `offset`, outermost first. Their own offsets count from the start of their chunk: a
    top-level statement with the blank lines and comments after it."""
    chunk = program.document.chunk_at(offset)
    return path_to(chunk.body, offset - chunk.start)


def named_at(program: Program, offset: int) -> NameUse | None:
    """Return the name at `offset` with its meaning; None if there is no name, or if its meaning is unknown."""
    chunk = program.document.chunk_at(offset)
    place = offset - chunk.start
    path = path_at(program, offset)
    frame = program.frame_at(offset)
    argument = next((node for node in path if isinstance(node, nodes.NamedArgument)), None)
    if argument is not None and argument.start <= place <= argument.start + len(argument.name):
        symbol = _parameter(path, argument, frame)
        start = chunk.start + argument.start
        return None if symbol is None else NameUse(symbol, Span(start, start + len(argument.name)), argument, frame)
    symbol = program.symbol_at(offset)
    if symbol is None:
        return None
    for node in reversed(path):
        start, end = name_span(node)
        if isinstance(node, nodes.Name | nodes.Member) and start <= place <= end:
            return NameUse(symbol, Span(chunk.start + start, chunk.start + end), node, frame)
    around = next((node for node in walk(chunk.body) if _is_at(node, place)), None)
    if around is None:
        return None
    start, end = name_span(around)
    return NameUse(symbol, Span(chunk.start + start, chunk.start + end), around, frame)


def _is_at(node: nodes.Node, place: int) -> bool:
    start, end = name_span(node)
    return isinstance(node, nodes.Name | nodes.Member) and start <= place <= end


def name_span(node: nodes.Node) -> tuple[int, int]:
    """Return the start and end of the name in `node`, counted from its chunk (a top-level statement). For a member such
    as `ta.sma`, it is the part after the last dot."""
    return (node.name_start, node.end) if isinstance(node, nodes.Member) else (node.start, node.end)


def _parameter(path: list[nodes.Node], argument: nodes.NamedArgument, frame: Frame) -> Symbol | None:
    """The parameter or field that an argument names."""
    call = next((node for node in reversed(path) if isinstance(node, nodes.Call) and argument in node.arguments), None)
    resolved = frame.calls.get(call) if call is not None else None
    return named_parameter(resolved, argument.name) if resolved is not None else None


def named_parameter(resolved: ResolvedCall, name: str) -> Symbol | None:
    """Return the parameter or field called `name` of the callee; None for a built-in."""
    target = resolved.target
    if isinstance(target, FunctionSymbol):
        return next((each.variable for each in target.parameters if each.name == name), None)
    return target.fields.get(name) if isinstance(target, TypeSymbol) else None


def uses(program: Program, symbol: Symbol) -> list[Use]:
    """Return every use of `symbol` in the script, including the names of arguments, in text order."""
    spans = {*program.references(symbol)}
    if isinstance(symbol, VariableSymbol | FieldSymbol):
        spans |= {span for found, span in named_arguments(program) if found is symbol}
    writes = _written(program, symbol)
    return [Use(span, span in writes) for span in sorted(spans)]


def named_arguments(program: Program) -> Iterator[tuple[Symbol, Span]]:
    """Yield the parameters and fields that arguments name, each with the span of its name."""
    resolved = program.resolved_calls
    for chunk in program.document.chunks:
        for node in walk(chunk.body):
            if not isinstance(node, nodes.Call) or node not in resolved:
                continue
            for argument in node.arguments:
                if isinstance(argument, nodes.NamedArgument):
                    symbol = named_parameter(resolved[node], argument.name)
                    start = chunk.start + argument.start
                    if symbol is not None:
                        yield symbol, Span(start, start + len(argument.name))


def annotated(program: Program, symbol: Symbol) -> Iterator[Span]:
    """Yield the spans where an annotation above a function, type or enum names its parameter or field `symbol`."""
    owner, word = _owner(program, symbol)
    found = declaration_of(program, owner) if owner is not None else None
    if found is None or found[0] is not program:
        return
    lines = program.document.lines
    pattern = re.compile(rf"[ \t]*//[ \t]*{word}[ \t]+({re.escape(name_of(symbol))})(?!\w)")
    for line in range(lines.position(found[1].start).line - 1, 0, -1):
        text = lines.line_text(line)
        if not text.lstrip().startswith("//"):
            return
        match = pattern.match(text)
        if match is not None:
            start = lines.line_start(line)
            yield Span(start + match.start(1), start + match.end(1))


def _owner(program: Program, symbol: Symbol) -> tuple[Symbol | None, str]:
    """The function, type or enum whose annotations describe `symbol`, and the annotation that names it."""
    if isinstance(symbol, VariableSymbol):
        return (symbol.scope.function if symbol.kind == "parameter" else None), "@param"
    types = (*program.bindings.types.values(), *program.bindings.enums.values())
    return next((each for each in types if symbol in each.fields.values()), None), "@field"


def _written(program: Program, symbol: Symbol) -> set[Span]:
    """The spans where `symbol` is declared, and of all targets of assignments."""
    found: set[Span] = set()
    own = declaration_of(program, symbol)
    if own is not None and own[0] is program:
        found.add(own[1])
    for chunk in program.document.chunks:
        for node in walk(chunk.body):
            if isinstance(node, nodes.Reassignment):
                start, end = name_span(node.target)
                found.add(Span(chunk.start + start, chunk.start + end))
    return found


def declaration_of(program: Program, symbol: Symbol) -> tuple[Program, Span] | None:
    """Return the program that declares `symbol` (the script's or an imported library's), and the span of the declaring
    name; None for built-ins, and for libraries whose source was not found."""
    node = declaring_name(symbol)
    if node is None:
        return None
    for owner in (program, *program.libraries.values()):
        span = _place_in(owner, node, symbol)
        if span is not None:
            return owner, span
    return None


def _place_in(owner: Program, node: nodes.Node, symbol: Symbol) -> Span | None:
    """The span of `node` in the text of `owner`, or None if it belongs to another text."""
    offset = getattr(symbol, "offset", None)
    chunks = owner.document.chunks
    if isinstance(offset, int):
        chunk = owner.document.chunk_at(offset)
        chunks = (chunk,) if chunk.start == offset else ()
    for chunk in chunks:
        if any(each is node for each in walk(chunk.body)):
            return Span(chunk.start + node.start, chunk.start + node.end)
    return None


def declaring_name(symbol: Symbol) -> nodes.Node | None:
    """Return the node of the name that declares `symbol`; None for a built-in."""
    if isinstance(symbol, VariableSymbol):
        return symbol.name_node
    if isinstance(symbol, FunctionSymbol | TypeSymbol | EnumSymbol | FieldSymbol):
        return symbol.node.name
    if isinstance(symbol, nodes.EnumField):
        return symbol.name
    if isinstance(symbol, ImportSymbol):
        return symbol.node.alias or symbol.node
    return None


def name_of(symbol: Symbol) -> str:
    """Return the name of `symbol`."""
    if isinstance(symbol, str):
        return symbol
    if isinstance(symbol, nodes.EnumField):
        return symbol.name.id
    return symbol.alias if isinstance(symbol, ImportSymbol) else symbol.name
