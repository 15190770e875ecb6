"""Infers the types of expressions at a position of a script that is being edited, without a new check of the script."""

from __future__ import annotations

from collections.abc import Sequence

from pinebench.checker import functions
from pinebench.checker.checker import Checker
from pinebench.checker.program import Program
from pinebench.checker.symbols import Frame, FunctionSymbol, VariableSymbol
from pinebench.checker.types import UNKNOWN_BASE, Type
from pinebench.syntax import Document, Snapshot, nodes
from pinebench.syntax.walk import path_to


class Probe:
    """The state of a script at a position, and the types of the requested expressions.

    `types` has the type of each expression; None if it is unknown. `variables` are the variables visible at the
    position, inner ones last, with their types at that point. `bindings` has the functions, types, enums and imports.
    """

    def __init__(self, checker: Checker, statement: nodes.Node | None, path: list[nodes.Node]) -> None:
        self.bindings = checker.bindings
        self._frames = _frames_in(checker, path)
        items = statement.items if isinstance(statement, nodes.TupleExpression) else []
        self.types = [self._type(item) for item in items]
        self.variables: dict[str, tuple[VariableSymbol, Type | None]] = {
            name: (symbol, self._held(symbol)) for name, symbol in _visible(checker, path).items()
        }
        self.function = next((f.function for f in self._frames if f.function is not None), None)

    def _type(self, node: nodes.Node) -> Type | None:
        found = (frame.types.get(node) for frame in self._frames)
        return next((type_ for type_ in found if type_ is not None and type_.base is not UNKNOWN_BASE), None)

    def _held(self, symbol: VariableSymbol) -> Type | None:
        if symbol.scope.function is None:
            return symbol.type
        found = (frame.locals.get(symbol) for frame in self._frames)
        return next((type_ for type_ in found if type_ is not None and type_.base is not UNKNOWN_BASE), None)


def probe(program: Program, snapshot: Snapshot, start: int, head: str, expressions: Sequence[str]) -> Probe:
    """Infer the types of `expressions` as if they were in the line that begins at the offset `start`.

    `program` is a check of an earlier state of the script, or of this state; unchanged code before the line is not
    checked again. `head` is the beginning of the line: its indentation, and declarations that are visible in the rest
    of the line (`f(x) =>`). The text after the line is ignored, so it may contain any errors.
    """
    document = Document(snapshot)
    inside = ", ".join(expressions) or "na"
    document.edit(start, len(snapshot.text), f"{head}[{inside}]")
    changed = document.snapshot
    checker, end = program.continued(changed)
    _call_as_before(checker, program, end)
    place = start + len(head)
    chunk = changed.chunk_at(place)
    path = path_to(chunk.body, place - chunk.start)
    tuples = [node for node in path if isinstance(node, nodes.TupleExpression)]
    found = Probe(checker, tuples[0] if tuples else None, path)
    for function, types in checker.made:
        if function.start < end:  # the function belongs to the earlier check, which must stay as it was
            function.frames.pop(types, None)
    return found


def _call_as_before(checker: Checker, program: Program, end: int) -> None:
    """Evaluate the functions that were checked again, for the argument types that they had in the whole script."""
    before = program.functions
    for name, group in checker.bindings.functions.items():
        for number, function in enumerate(group):
            if function.start < end or name not in before or number >= len(before[name]):
                continue
            for types in list(before[name][number].frames):
                if len(types) == len(function.parameters):
                    functions.frame_for(checker, function, types)


def _frames_in(checker: Checker, path: list[nodes.Node]) -> list[Frame]:
    """Return the evaluations of the code at the end of `path`. The ones with the fewest unknown parameters come
    first."""
    function: FunctionSymbol | None = None
    for node in path:
        function = checker.bindings.function_of.get(node) or function
    if function is None:
        return [checker.global_frame]
    return sorted(function.frames.values(), key=_unknown_parameters)


def _unknown_parameters(frame: Frame) -> int:
    return sum(1 for type_ in frame.parameters if type_.base is UNKNOWN_BASE)


def _visible(checker: Checker, path: list[nodes.Node]) -> dict[str, VariableSymbol]:
    """The variables that are visible at the end of `path`, inner ones last."""
    variables = checker.bindings.variables
    found = dict(checker.bindings.global_scope.names)
    for outer, inner in zip([None, *path], [*path, None], strict=True):
        if outer is None:
            continue
        for name in _declared_before(outer, inner):
            symbol = variables.get(name)
            if symbol is not None:
                found.pop(symbol.name, None)
                found[symbol.name] = symbol
    return found


def _declared_before(outer: nodes.Node, inner: nodes.Node | None) -> list[nodes.Name]:
    """The names that `outer` declares for the code in `inner`, which is one of its parts."""
    if isinstance(outer, nodes.FunctionDeclaration):
        return [*(parameter.name for parameter in outer.parameters), *_declarations(outer.body, inner)]
    if isinstance(outer, nodes.ForTo):
        return [outer.counter, *_declarations(outer.body, inner)]
    if isinstance(outer, nodes.ForIn):
        loop = [name for name in (outer.index, outer.element) if name is not None]
        return [*loop, *_declarations(outer.body, inner)]
    if isinstance(outer, nodes.If):
        block = outer.otherwise if outer.otherwise and inner in outer.otherwise else outer.body
        return _declarations(block, inner)
    if isinstance(outer, nodes.ONE_BLOCK):
        return _declarations(outer.body, inner)
    if isinstance(outer, nodes.ErrorStatement):
        return _declarations([*outer.salvaged, *outer.body], inner)
    return []


def _declarations(block: Sequence[nodes.Node], inner: nodes.Node | None) -> list[nodes.Name]:
    """The names that the statements of a block declare before `inner`."""
    found: list[nodes.Name] = []
    for statement in block:
        if statement is inner:
            break
        if isinstance(statement, nodes.VariableDeclaration):
            found.append(statement.name)
        elif isinstance(statement, nodes.TupleDeclaration):
            found += statement.names
    return found
