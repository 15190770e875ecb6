"""The structure of a script: its symbols, its folding ranges, and its selection ranges."""

from __future__ import annotations

import re

from pinebench.checker import UNKNOWN_BASE, Program, display
from pinebench.diagnostics import Span
from pinebench.records import NamedTuple
from pinebench.services.names import path_at
from pinebench.services.script import ScriptView
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

_REGION = re.compile(r"//[ \t]*#(region|endregion)\b", re.IGNORECASE)


class OutlineEntry(NamedTuple):
    """A declaration of the script. `kind` is function, method, type, field, enum, member, constant, variable, input
    or library.

    `whole` is the span of the declaration, and `span` is the span of its name.
    """

    name: str
    kind: str
    detail: str
    span: Span
    whole: Span
    children: tuple[OutlineEntry, ...] = ()


class Fold(NamedTuple):
    """Lines that can be folded. `first` and `last` count from 1; `kind` is code, comment, imports or region."""

    first: int
    last: int
    kind: str


def outline(view: ScriptView) -> list[OutlineEntry]:
    """Return the top-level declarations of the script with their parts, in text order."""
    program = view.program
    return [
        entry for chunk in view.snapshot.chunks for node in chunk.body for entry in _entries(program, chunk.start, node)
    ]


def _entries(program: Program, offset: int, node: nodes.Node) -> list[OutlineEntry]:
    def at(part: nodes.Node) -> Span:
        return Span(offset + part.start, offset + part.end)

    if isinstance(node, nodes.FunctionDeclaration):
        inside = ", ".join(parameter.name.id for parameter in node.parameters)
        kind = "method" if node.is_method else "function"
        return [OutlineEntry(node.name.id, kind, f"({inside})", at(node.name), at(node))]
    if isinstance(node, nodes.TypeDeclaration):
        fields = tuple(OutlineEntry(each.name.id, "field", "", at(each.name), at(each)) for each in node.fields)
        return [OutlineEntry(node.name.id, "type", "", at(node.name), at(node), fields)]
    if isinstance(node, nodes.EnumDeclaration):
        members = tuple(OutlineEntry(each.name.id, "member", "", at(each.name), at(each)) for each in node.fields)
        return [OutlineEntry(node.name.id, "enum", "", at(node.name), at(node), members)]
    if isinstance(node, nodes.VariableDeclaration):
        kind = "input" if _is_input(node.value) else "constant" if node.qualifier == "const" else "variable"
        return [OutlineEntry(node.name.id, kind, _type_of(program, node.name.id), at(node.name), at(node))]
    if isinstance(node, nodes.TupleDeclaration):
        named = (name for name in node.names if name.id != "_")
        return [OutlineEntry(name.id, "variable", _type_of(program, name.id), at(name), at(node)) for name in named]
    if isinstance(node, nodes.Import):
        name = node.alias.id if node.alias is not None else node.path
        return [OutlineEntry(name, "library", node.path, at(node.alias or node), at(node))]
    return []


def _is_input(node: nodes.Node) -> bool:
    callee = node.callee if isinstance(node, nodes.Call) else None
    root = callee.object if isinstance(callee, nodes.Member) else callee
    return isinstance(root, nodes.Name) and root.id == "input"


def _type_of(program: Program, name: str) -> str:
    symbol = program.globals.get(name)
    type_ = symbol.type if symbol is not None else None
    return display(type_) if type_ is not None and type_.base is not UNKNOWN_BASE else ""


def folds(view: ScriptView) -> list[Fold]:
    """Return the folding ranges: blocks and wrapped statements, runs of comments and of imports, `#region`s."""
    found: set[Fold] = set()
    snapshot, lines = view.snapshot, view.snapshot.lines

    def line(offset: int) -> int:
        return lines.position(offset).line

    for chunk in snapshot.chunks:
        for node in walk(chunk.body):
            if isinstance(node, _FOLDED):
                first = line(chunk.start + node.start)
                last = line(chunk.start + _end_of_body(node))
                if last > first:
                    found.add(Fold(first, last, "code"))
                start = _else_of(view, chunk.start, node)
                if start is not None and line(chunk.start + node.end) > line(start):
                    found.add(Fold(line(start), line(chunk.start + node.end), "code"))
    found.update(_regions(view))
    found.update(_runs([line(span.start) for span in snapshot.comments if _is_alone(view, span)], "comment"))
    numbers = [
        line(chunk.start + n.start) for chunk in snapshot.chunks for n in chunk.body if isinstance(n, nodes.Import)
    ]
    found.update(_runs(numbers, "imports"))
    return sorted(found)


_FOLDED = (
    *(nodes.FunctionDeclaration, nodes.TypeDeclaration, nodes.EnumDeclaration, nodes.Case, nodes.Call),
    *nodes.STRUCTURES,
)


def _end_of_body(node: nodes.Node) -> int:
    """Return the end of the part of a node that can be folded: for an `if`, the end before its `else`."""
    return node.body[-1].end if isinstance(node, nodes.If) and node.body else node.end


_ELSE = re.compile(r"^[ \t]*else\b", re.MULTILINE)


def _else_of(view: ScriptView, offset: int, node: nodes.Node) -> int | None:
    """Return the start of the line with the `else` of an `if` in the chunk at `offset`; None if there is none that can
    be folded. After `else if`, the inner `if` folds by itself."""
    if not isinstance(node, nodes.If) or not node.otherwise or not node.body:
        return None
    if isinstance(node.otherwise[0], nodes.If) and _is_else_if(view, offset + node.otherwise[0].start):
        return None
    found = _ELSE.search(view.text, offset + node.body[-1].end, offset + node.otherwise[0].start)
    return found.start() if found is not None else None


def _is_else_if(view: ScriptView, start: int) -> bool:
    """Return whether the `if` at `start` is on the line of an `else`."""
    before = view.text[view.text.rfind("\n", 0, start) + 1 : start]
    return before.strip() == "else"


def _is_alone(view: ScriptView, span: Span) -> bool:
    lines = view.snapshot.lines
    start = lines.line_start(lines.position(span.start).line)
    comment = view.text[span.start : span.end]
    return not view.text[start : span.start].strip() and _REGION.match(comment) is None


def _runs(numbers: list[int], kind: str) -> list[Fold]:
    """Return the runs of successive lines as folds, if they have at least two lines."""
    found: list[Fold] = []
    for number in numbers:
        if found and found[-1].last in (number, number - 1):
            found[-1] = found[-1]._replace(last=number)
        else:
            found.append(Fold(number, number, kind))
    return [fold for fold in found if fold.last > fold.first]


def _regions(view: ScriptView) -> list[Fold]:
    found: list[Fold] = []
    open_at: list[int] = []
    for span in view.snapshot.comments:
        match = _REGION.match(view.text, span.start)
        if match is None:
            continue
        number = view.snapshot.lines.position(span.start).line
        if match[1].lower() == "region":
            open_at.append(number)
        elif open_at:
            found.append(Fold(open_at.pop(), number, "region"))
    return [fold for fold in found if fold.last > fold.first]


def selections(view: ScriptView, offset: int) -> list[Span]:
    """Return the ranges of a growing selection from `offset` on: the word, each larger part of the tree, the whole
    text."""
    snapshot = view.snapshot
    chunk = snapshot.chunk_at(offset)
    found: list[Span] = []
    word = re.compile(r"\w*")
    start = offset
    while start and (view.text[start - 1].isalnum() or view.text[start - 1] == "_"):
        start -= 1
    match = word.match(view.text, offset)
    spans = [Span(start, match.end() if match else offset)]
    spans += [Span(chunk.start + n.start, chunk.start + n.end) for n in reversed(path_at(view.program, offset))]
    spans += [Span(chunk.start, chunk.end), Span(0, len(view.text))]
    for span in spans:
        if not found or (span.start <= found[-1].start and span.end >= found[-1].end and span != found[-1]):
            found.append(span)
    return found
