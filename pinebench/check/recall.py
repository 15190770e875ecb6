"""What a chunk was found to be in an earlier check: after an edit only what it touched is typed anew, and what hangs on
that.

A chunk is recalled when nothing has changed that its types can depend on: it calls built-ins only, and the variables of
other chunks that it names are what they were. Whatever had findings is typed again.
"""

from __future__ import annotations

from typing import NamedTuple, cast

from pinebench.check.checker import Checker
from pinebench.check.constants import Unfolded, Value, fold
from pinebench.check.frames import ResolvedCall
from pinebench.check.symbols import VariableSymbol
from pinebench.check.types import CONST, NA, Type
from pinebench.syntax import Chunk, nodes
from pinebench.syntax.walk import walk

_GATES = (nodes.If, nodes.ForTo, nodes.ForIn, nodes.While, nodes.Switch, nodes.Once, nodes.Ternary)
_DECLARING = (
    nodes.FunctionDeclaration,
    nodes.TypeDeclaration,
    nodes.EnumDeclaration,
    nodes.Import,
    nodes.ErrorStatement,
)
_DECLARATIONS = frozenset(("indicator", "strategy", "library"))


class Facts(NamedTuple):
    """What the text of a chunk alone tells.

    `words` are all names in it, `names` its names by node, `calls` its calls, `own` the names that it declares.
    `is_plain` says that it declares variables only, `is_gated` that something in it may be left out on some bars.
    """

    words: frozenset[str]
    names: tuple[nodes.Name, ...]
    calls: tuple[nodes.Call, ...]
    own: frozenset[nodes.Node]
    is_plain: bool
    is_gated: bool


class _Recalled(NamedTuple):
    """What a chunk was found to be, and the `key` of all that this depends on beside its text."""

    key: tuple[object, ...]
    types: dict[nodes.Node, Type]
    calls: dict[nodes.Node, ResolvedCall]
    variables: tuple[tuple[nodes.Node, Type | None], ...]


def type_chunk(checker: Checker, chunk: Chunk) -> None:
    """Type the statements of a chunk, or recall what they were found to be before the text was edited elsewhere."""
    # A script that was never edited is likely not to be checked again, so nothing is kept for it.
    key = _key(checker, facts_of(chunk)) if checker.document.revision else None
    if key is None:
        checker.block(chunk.body)
        return
    known = cast("_Recalled | None", chunk.notes.get("recalled"))
    if known is None or known.key != key:
        known = _typed(checker, chunk, key)
    frame = checker.global_frame
    frame.types.update(known.types)
    frame.calls.update(known.calls)
    variables = checker.bindings.variables
    for name, type_ in known.variables:
        variables[name].type = type_


def _typed(checker: Checker, chunk: Chunk, key: tuple[object, ...]) -> _Recalled:
    """Type a chunk apart from the others, and keep what was found unless something was reported."""
    frame, mark = checker.global_frame, checker.reporter.mark()
    types, calls = frame.types, frame.calls
    frame.types, frame.calls = {}, {}
    try:
        checker.block(chunk.body)
    finally:
        found = frame.types, frame.calls
        frame.types, frame.calls = types, calls
    variables = checker.bindings.variables
    own = [name for name in facts_of(chunk).own if name in variables]
    recalled = _Recalled(key, *found, tuple((name, variables[name].type) for name in own))
    if checker.reporter.mark() == mark:
        chunk.notes["recalled"] = recalled
    else:
        chunk.notes.pop("recalled", None)
    return recalled


def facts_of(chunk: Chunk) -> Facts:
    """The facts of a chunk, found once for as long as its text stays."""
    known = cast("Facts | None", chunk.notes.get("facts"))
    if known is None:
        known = chunk.notes["facts"] = _facts(chunk)
    return known


def _facts(chunk: Chunk) -> Facts:
    words: set[str] = set()
    names: list[nodes.Name] = []
    calls: list[nodes.Call] = []
    own: set[nodes.Node] = set()
    is_plain, is_gated = not chunk.faults, False
    for node in walk(chunk.body):
        if isinstance(node, nodes.Name):
            words.add(node.id)
            names.append(node)
        elif isinstance(node, nodes.Member):
            words.add(node.name)
        elif isinstance(node, nodes.Call):
            calls.append(node)
            is_plain = is_plain and not (isinstance(node.callee, nodes.Name) and node.callee.id in _DECLARATIONS)
        elif isinstance(node, nodes.VariableDeclaration):
            own.add(node.name)
            is_plain = is_plain and not node.exported
        elif isinstance(node, nodes.TupleDeclaration):
            own.update(node.names)
        elif isinstance(node, nodes.ForTo):
            own.add(node.counter)
        elif isinstance(node, nodes.ForIn):
            own.update(name for name in (node.index, node.element) if name is not None)
        is_plain = is_plain and not isinstance(node, _DECLARING)
        is_gated = is_gated or isinstance(node, _GATES) or _is_logical(node)
    return Facts(frozenset(words), tuple(names), tuple(calls), frozenset(own), is_plain, is_gated)


def _is_logical(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Binary) and node.operator in ("and", "or")


def _key(checker: Checker, facts: Facts) -> tuple[object, ...] | None:
    """All that the types of a chunk depend on beside its text; None where it cannot be told."""
    bindings = checker.bindings
    if not facts.is_plain or bindings.imports or not facts.words.isdisjoint(bindings.declared_words):
        return None
    key: list[object] = [checker.declaration_kind, checker.dynamic_requests]
    for name in facts.names:
        symbol = bindings.variables.get(name)
        if symbol is None:
            key.append(None)
        elif symbol.name_node not in facts.own:
            key += _as_seen(checker, symbol)
        elif symbol.reassignments and symbol.scope.kind == "global":
            return None  # it is as strong as what other chunks assign to it
    return tuple(key)


def _as_seen(checker: Checker, symbol: VariableSymbol) -> tuple[object, ...]:
    """What another chunk can see of a variable: its type, its value where it is constant, how it was declared."""
    declaration, type_ = symbol.declaration, symbol.type
    qualifier = typed = None
    if isinstance(declaration, nodes.VariableDeclaration):
        qualifier, typed = declaration.qualifier, declaration.type is not None
    return symbol.kind, type_, qualifier, typed, bool(symbol.reassignments), _value(checker, symbol, type_)


def _value(checker: Checker, symbol: VariableSymbol, type_: Type | None) -> tuple[Value, ...]:
    if type_ is None or (type_.qualifier != CONST and type_.base is not NA):
        return ()
    try:
        return (fold(checker, symbol.name_node),)
    except Unfolded:
        return ()
