"""Computes the findings of a script after a tentative change, such as a fix that may be offered.

Most changes affect a few statements, and the rest of the script depends on them as before. So the changed statements
are checked separately, before and after the change, together with the statements that they need. The result is used
only if the separate check before the change agrees with the check of the entire script, and if nothing that other
statements can see has changed. Otherwise the entire script is checked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

from pinebench.checker.builtins import Signature
from pinebench.checker.checker import Checker
from pinebench.checker.consistency import depends_on_history
from pinebench.checker.constants import NotConstant, Value, fold
from pinebench.checker.one_check import NotedLibraries, Outside, run
from pinebench.checker.program import Program
from pinebench.checker.promotion import strength_of
from pinebench.checker.script import CHECKED_VERSION, is_declaration, plot_counts
from pinebench.checker.symbols import FunctionSymbol, ImportSymbol, VariableSymbol
from pinebench.checker.types import CONST, Type, display
from pinebench.diagnostics import Diagnostic, Severity
from pinebench.records import NamedTuple
from pinebench.reference import variable as builtin_variable
from pinebench.syntax import Chunk, Snapshot, nodes
from pinebench.syntax.walk import walk


class BriefFinding(NamedTuple):
    """The code, the severity and the start offset of a finding."""

    code: str
    severity: Severity
    start: int


def findings_after(program: Program, changed: Snapshot) -> list[BriefFinding]:
    """Return the findings of `changed`, a later state of the script of `program`. They are the same as from a check of
    the entire script."""
    found = _Change(program, changed).findings() if _may_be_apart(program, changed) else None
    return _findings(program, changed) if found is None else found


def _findings(program: Program, changed: Snapshot) -> list[BriefFinding]:
    """The findings of a check of the whole script `changed`."""
    checker, found = run(changed, NotedLibraries(program.sources), on_trial=True)
    checker.release()
    return [_told(finding) for finding in found]


def _has_errors(findings: Iterable[Diagnostic | BriefFinding]) -> bool:
    return any(finding.severity is Severity.ERROR for finding in findings)


def _told(finding: Diagnostic) -> BriefFinding:
    return BriefFinding(finding.code, finding.severity, finding.span.start)


def _may_be_apart(program: Program, after: Snapshot) -> bool:
    """Whether a separate check is possible: there are no syntax errors, no other version, and no library whose
    source can be found."""
    before = program.document
    if not before.version == after.version == CHECKED_VERSION or (program.sources and program.bindings.imports):
        return False
    return not before.diagnostics and not after.diagnostics


_OF_THE_SCRIPT = (nodes.TypeDeclaration, nodes.EnumDeclaration, nodes.Import, nodes.ErrorStatement)
"""Statements that can change the meaning of any other statement."""

_Place = tuple[int, int]
"""The position of a finding: the identity of its chunk's tree, and the offset within the chunk."""
_Found = Counter[tuple[str, Severity, _Place]]


class _Excerpt(NamedTuple):
    """Statements that were checked separately. `functions` are the functions that the changed ones declare, in text
    order."""

    checker: Checker
    findings: _Found
    functions: list[FunctionSymbol]


class _NeededParts(NamedTuple):
    """The parts of the script that the changed statements need.

    These are other statements, by the identity of their trees, and names that other statements declare. `later` are the
    needed names that are declared after a statement that uses them.
    """

    chunks: set[int]
    variables: set[str]
    types: set[str]
    later: set[str]


class _Change:
    """The statements that a change replaces, before and after it."""

    def __init__(self, program: Program, after: Snapshot) -> None:
        self._program = program
        self._bindings = program.bindings
        self._before, self._after = program.document, after
        self._places = {id(chunk.body): chunk.start for chunk in self._before.chunks}
        self._later = {id(chunk.body): chunk.start for chunk in after.chunks}
        old, new = self._places.keys() - self._later.keys(), self._later.keys() - self._places.keys()
        self._old = {id(chunk.body): chunk for chunk in _at(self._before, [self._places[tree] for tree in old])}
        self._new = {id(chunk.body): chunk for chunk in _at(after, [self._later[tree] for tree in new])}
        self._changed = {chunk.start for chunk in self._old.values()}
        """The offsets of the changed statements before the change."""

    def findings(self) -> list[BriefFinding] | None:
        """Return the findings of the script after the change. Return None if the changed statements alone do not decide
        them."""
        were, are = _functions_in(self._old.values()), _functions_in(self._new.values())
        if [_head(*each) for each in were] != [_head(*each) for each in are]:
            return None
        needed = self._needed()
        if needed is None:
            return None
        declared = [self._bindings.function_of[node] for _, node in were]
        old = self._checked(
            self._before, self._old.keys(), needed, dict(zip((n for _, n in were), declared, strict=True))
        )
        new = self._checked(
            self._after, self._new.keys(), needed, dict(zip((n for _, n in are), declared, strict=True))
        )
        is_all = self._is_all(old, new, declared)
        old.checker.release()
        new.checker.release()
        if not is_all:
            return None
        starts = self._later
        told: list[BriefFinding] = []
        for finding in self._program.diagnostics:
            chunk = self._before.chunk_at(finding.span.start)
            if id(chunk.body) not in self._old:
                told.append(_told(finding)._replace(start=finding.span.start - chunk.start + starts[id(chunk.body)]))
        for (code, severity, (tree, start)), count in new.findings.items():
            if tree in self._new:
                told += [BriefFinding(code, severity, starts[tree] + start)] * count
        if _has_errors(self._program.diagnostics) and not _has_errors(told):
            return None  # a script without errors gets further checks
        return told

    # what the changed statements need

    def _needed(self) -> _NeededParts | None:
        """Collect the parts of the script that the changed statements need. None if these are too many, or differ
        between statements."""
        pending = [*self._placed(self._before.chunks), *self._placed(self._after.chunks)]
        if not self._old or not self._new:
            return None
        if any(isinstance(statement, _OF_THE_SCRIPT) for chunk, _ in pending for statement in chunk.body):
            return None
        needed = _NeededParts(set(), set(), set(), set())
        beside = list(islice(filter(_declares, self._before.chunks), 1))
        left = sum(len(chunk.lines) for chunk in self._before.chunks)
        while pending or beside:
            if beside:
                chunk = beside.pop()
                place = chunk.start
                if id(chunk.body) in needed.chunks or id(chunk.body) in self._old:
                    continue
                needed.chunks.add(id(chunk.body))
                left -= len(chunk.lines)  # the needed statements are checked twice
            else:
                chunk, place = pending.pop()
            left -= len(chunk.lines)
            if left < 0:
                return None
            beside += map(self._before.chunk_at, self._name(chunk, place, needed))
        if needed.later & (needed.variables | needed.types) or any(map(builtin_variable, needed.later)):
            return None
        return needed

    def _placed(self, chunks: Sequence[Chunk]) -> Iterator[tuple[Chunk, int]]:
        """Yield the changed chunks, each with the offset where the last unchanged statement before it began."""
        place = -1
        for chunk in chunks:
            start = self._places.get(id(chunk.body))
            if id(chunk.body) in self._old or start is None:
                yield chunk, place
            else:
                place = start

    def _name(self, chunk: Chunk, place: int, needed: _NeededParts) -> set[int]:
        """Add the names in a statement to `needed`, and return the offsets of the functions that it names.

        `place` is the offset where the last unchanged statement before it began.
        """
        bindings = self._bindings
        names, members = _words(chunk.body)
        start = self._later.get(id(chunk.body), chunk.start)
        for name in names:
            symbol = bindings.global_scope.names.get(name)
            if symbol is not None and symbol.offset not in self._changed:
                (needed.variables if symbol.offset <= place else needed.later).add(name)
            for type_ in (bindings.types.get(name), bindings.enums.get(name)):
                if type_ is not None:
                    needed.types.add(name)
                    # Types are copied with their places before the change.
                    if type_.offset > place or type_.start > start:
                        needed.later.add(name)
        functions = (function for name in names | members for function in bindings.functions.get(name, ()))
        return {function.offset for function in functions if function.offset not in self._changed}

    def _checked(
        self,
        script: Snapshot,
        changed: Collection[int],
        needed: _NeededParts,
        functions: dict[nodes.FunctionDeclaration, FunctionSymbol],
    ) -> _Excerpt:
        """Check the changed statements of `script` separately, together with the statements that they need."""
        places = self._places if script is self._before else self._later
        chunks = _at(script, [places[tree] for tree in needed.chunks.union(changed)])
        excerpt = Snapshot(script.text, chunks, script.version, script.version_span)
        outside = Outside(needed.variables, needed.types, functions)
        checker, found = self._program.apart(excerpt, outside)
        own = [checker.bindings.function_of[node] for node in functions]
        return _Excerpt(checker, _placed_in(excerpt, found), own)

    # whether that is all

    def _is_all(self, old: _Excerpt, new: _Excerpt, functions: list[FunctionSymbol]) -> bool:
        """Whether the separate check agrees with the check of the whole script, and the rest of the script sees no
        difference.

        `functions` are the functions that the changed statements declare, as they are in the whole script.
        """
        before, after = old.checker, new.checker
        return (
            self._is_said_by_all(old)
            and _elsewhere(old, self._old) == _elsewhere(new, self._new)
            and self._declare_the_same(before, after)
            and list(map(_results, functions))
            == list(map(_results, old.functions))
            == list(map(_results, new.functions))
            and [_seen(before, function) for function in old.functions]
            == [_seen(after, function) for function in new.functions]
            and _changes(before) == _changes(after)
            and _calls(before) == _calls(after)
            and sum(plot_counts(before).values()) == sum(plot_counts(after).values())
            and _frames(before) == _frames(after)
            and _declared_with(before) == _declared_with(after)
        )

    def _is_said_by_all(self, old: _Excerpt) -> bool:
        """Return whether the separate check has the same findings about the changed statements as the check of the
        whole script."""
        whole = _placed_in(self._before, self._program.diagnostics)
        trees = self._old.keys()
        return _in(old.findings, trees) == _in(whole, trees)

    def _declare_the_same(self, before: Checker, after: Checker) -> bool:
        """Whether the declared variables are the same as before, and no new one has a name that occurs elsewhere."""
        were, are = _declared(before), _declared(after)
        whole = self._bindings.global_scope.names
        for name, symbol in were.items():
            now = are.get(name)
            if now is None or _shape(before, symbol) != _shape(after, now):
                return False
            if name not in whole or _as_type(whole[name].type) != _as_type(symbol.type):
                return False
        return not any(_stands_in(self._before.text, name) for name in are.keys() - were.keys())


def _at(script: Snapshot, starts: Iterable[int]) -> list[Chunk]:
    """Return the statements that begin at these offsets, in text order."""
    return [script.chunk_at(start) for start in sorted(starts)]


def _stands_in(text: str, name: str) -> bool:
    return name in text and re.search(rf"\b{name}\b", text) is not None


def _declares(chunk: Chunk) -> bool:
    return any(isinstance(node, nodes.ExpressionStatement) and is_declaration(node.expression) for node in chunk.body)


def _words(body: Sequence[nodes.Node]) -> tuple[set[str], set[str]]:
    """The names in a statement, and the words after its dots."""
    names: set[str] = set()
    members: set[str] = set()
    for node in walk(body):
        if isinstance(node, nodes.Name):
            names.add(node.id)
        elif isinstance(node, nodes.Member):
            members.add(node.name)
    return names, members


def _functions_in(chunks: Iterable[Chunk]) -> list[tuple[Chunk, nodes.FunctionDeclaration]]:
    return [(chunk, node) for chunk in chunks for node in chunk.body if isinstance(node, nodes.FunctionDeclaration)]


def _head(chunk: Chunk, node: nodes.FunctionDeclaration) -> str:
    """A function's declaration up to its body."""
    return chunk.text[node.start : node.body[0].start if node.body else node.end]


def _placed_in(script: Snapshot, findings: Iterable[Diagnostic]) -> _Found:
    found: list[tuple[str, Severity, _Place]] = []
    for finding in findings:
        chunk = script.chunk_at(finding.span.start)
        found.append((finding.code, finding.severity, (id(chunk.body), finding.span.start - chunk.start)))
    return Counter(found)


def _in(findings: _Found, trees: Collection[int]) -> _Found:
    return Counter({found: count for found, count in findings.items() if found[2][0] in trees})


def _elsewhere(excerpt: _Excerpt, changed: Collection[int]) -> _Found:
    """The findings about the statements that are not changed."""
    return Counter({found: count for found, count in excerpt.findings.items() if found[2][0] not in changed})


def _results(function: FunctionSymbol) -> list[object]:
    """The parameters of a function, and its result for each combination of argument types."""
    asked = [(parameter.name, parameter.type, parameter.qualifier) for parameter in function.parameters]
    given = {types: _as_type(frame.result) for types, frame in function.frames.items()}
    return [asked, given]


def _seen(checker: Checker, function: FunctionSymbol) -> list[object]:
    """Return the properties of a function that its callers can see, besides its parameters and results."""
    first = function.parameters[0].variable if function.parameters else None
    uses = checker.bindings.variables.items()
    is_used = first is not None and any(symbol is first and node is not first.name_node for node, symbol in uses)
    return [is_used, depends_on_history(checker, function), strength_of(checker, function)]


def _declared(checker: Checker) -> dict[str, VariableSymbol]:
    """Return the global variables that the statements of an excerpt declare."""
    own = set(checker.bindings.symbols)
    return {name: symbol for name, symbol in checker.bindings.global_scope.names.items() if symbol in own}


def _shape(checker: Checker, symbol: VariableSymbol) -> list[object]:
    """Return the properties of a global variable that other statements can see."""
    declaration = symbol.declaration
    written = (
        (declaration.qualifier, declaration.type is None, declaration.exported)
        if isinstance(declaration, nodes.VariableDeclaration)
        else None
    )
    return [
        symbol.kind,
        symbol.mode,
        written,
        _as_type(symbol.type),
        *_value(checker, symbol),
        *_change(checker, symbol),
    ]


def _value(checker: Checker, symbol: VariableSymbol) -> list[Value]:
    if symbol.type is None or symbol.type.qualifier != CONST:
        return []
    try:
        return [fold(checker, symbol.name_node)]
    except NotConstant:
        return []


def _as_type(type_: Type | None) -> tuple[str, int, bool] | None:
    return None if type_ is None else (display(type_), type_.qualifier, type_.literal)


def _changes(checker: Checker) -> dict[str, list[object]]:
    """The qualifiers and conditions of the assignments to each variable that other statements declare."""
    own = set(checker.bindings.symbols)
    others = (symbol for symbol in checker.bindings.global_scope.names.values() if symbol not in own)
    return {symbol.name: _change(checker, symbol) for symbol in others if symbol.reassignments}


def _change(checker: Checker, symbol: VariableSymbol) -> list[object]:
    types = checker.global_frame.types
    found: list[object] = []
    for change in symbol.reassignments:
        asked = [_as_type(types.get(condition.node)) for condition in change.conditions()]
        found.append((_as_type(types.get(change.value)), asked, change.in_loop))
    return found


def _calls(checker: Checker) -> Counter[str]:
    """Count the calls of each function that rules about the whole script count."""
    frames = [checker.global_frame]
    frames += (f for group in checker.bindings.functions.values() for each in group for f in each.frames.values())
    targets = (call.target for frame in frames for call in frame.calls.values())
    return Counter(
        target.name if isinstance(target, Signature) else target.path
        for target in targets
        if isinstance(target, ImportSymbol) or (isinstance(target, Signature) and target.function.effects.changes)
    )


def _frames(checker: Checker) -> set[tuple[str, int, tuple[str, ...]]]:
    """The functions that were evaluated, with the types of the arguments."""
    return {
        (function.name, number, tuple(map(display, types)))
        for group in checker.bindings.functions.values()
        for number, function in enumerate(group)
        for types in function.frames
    }


def _declared_with(checker: Checker) -> tuple[str | None, list[tuple[str, str]]]:
    """The kind of the script, and the arguments of its declaration statement without the contents of texts."""
    call = checker.global_frame.calls.get(checker.declaration) if checker.declaration is not None else None
    given = call.arguments if call is not None else {}
    with checker.at(checker.declaration_offset):
        return checker.declaration_kind, sorted((name, _written(checker, node)) for name, node in given.items())


def _written(checker: Checker, node: nodes.Node) -> str:
    return '""' if isinstance(node, nodes.Literal) and node.kind == "string" else checker.text(node)
