"""Runs a single check: binds a snapshot and its libraries, infers its types, and collects all findings."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from pinebench.checker import recall
from pinebench.checker.binder import bind, bind_chunks, declared_before, told_of
from pinebench.checker.cascading import without_echoes
from pinebench.checker.checker import Checker
from pinebench.checker.consistency import called, warn
from pinebench.checker.constants import NotConstant, Value, fold
from pinebench.checker.functions import check_uncalled, frame_for, is_generic
from pinebench.checker.handlers import HANDLERS
from pinebench.checker.promotion import requests_of, weak_variables
from pinebench.checker.report import Reporter
from pinebench.checker.script import CHECKED_VERSION, check_script, version_finding
from pinebench.checker.symbols import FunctionSymbol, NameBindings
from pinebench.diagnostics import Diagnostic, Severity, Span
from pinebench.garbage import CollectionPaused
from pinebench.records import NamedTuple
from pinebench.syntax import Chunk, Snapshot, nodes
from pinebench.syntax.faults import NOT_INDENTED, Fault

_RECURSION = 20_000
"""The limit for Python's recursion. The parser bounds the nesting of a script, and the checker bounds the calls."""


class LibrarySource(Protocol):
    """Finds the text of imported libraries, as `LibraryFolders` does."""

    def read(self, path: str) -> Snapshot | None:
        """Return the library `path` (`User/Name/Version`), or None if it was not found."""
        ...


class NotedLibraries:
    """A library source that records every library that a check requests from it."""

    def __init__(self, source: LibrarySource | None) -> None:
        self.source = source
        self.texts: dict[str, str | None] = {}
        """The text of each requested library, by path; None if it was not found."""

    def read(self, path: str) -> Snapshot | None:
        """Return the library `path`; None if the source does not have it."""
        snapshot = None if self.source is None else self.source.read(path)
        self.texts[path] = None if snapshot is None else snapshot.text
        return snapshot


class _Imports:
    """The checked libraries of one check, each checked once.

    Checks do not share them: the argument types of a script's calls decide how the functions of a library are typed.
    """

    def __init__(self, source: LibrarySource) -> None:
        self._source = source
        self._known: dict[str, Checker | None] = {}

    def find(self, path: str) -> Checker | None:
        """Return the check of the library `path`, or None if it was not found or is not valid Pine v6.

        A library that imports itself, directly or not, does not see itself.
        """
        if path not in self._known:
            self._known[path] = None
            self._known[path] = self._check(path)
        return self._known[path]

    def release(self) -> None:
        """Release every check; see `Checker.release`."""
        checks = [check for check in self._known.values() if check is not None]
        self._known.clear()
        for check in checks:
            check.release()

    def _check(self, path: str) -> Checker | None:
        snapshot = self._source.read(path)
        if snapshot is None or snapshot.version != CHECKED_VERSION:
            return None
        if any(finding.severity is Severity.ERROR for finding in snapshot.diagnostics):
            return None
        checker, _ = _run(snapshot, self)
        checker.library = path
        for symbol in (*checker.bindings.types.values(), *checker.bindings.enums.values()):
            symbol.library = symbol.library or path
        for group in checker.bindings.functions.values():
            for function in group:
                function.owner = checker
        return checker


def run(
    snapshot: Snapshot, libraries: LibrarySource | None, *, on_trial: bool = False
) -> tuple[Checker, list[Diagnostic]]:
    """Check `snapshot` and return the final state with all findings. Never raises.

    For `on_trial` see `Reporter`.
    """
    if sys.getrecursionlimit() < _RECURSION:
        sys.setrecursionlimit(_RECURSION)
    with CollectionPaused():
        return _run(snapshot, _Imports(libraries) if libraries is not None else None, on_trial=on_trial)


def _run(document: Snapshot, libraries: _Imports | None, *, on_trial: bool = False) -> tuple[Checker, list[Diagnostic]]:
    reporter = Reporter(document, on_trial=on_trial)
    version = version_finding(document)
    if version is not None and version.code != "PB0002":
        syntax = [] if version.severity is Severity.ERROR else document.diagnostics
        return Checker(document, reporter, NameBindings(), HANDLERS), [version, *syntax]
    checker = Checker(document, reporter, bind(document, reporter), HANDLERS, libraries)
    _type(checker, document.chunks)
    check_script(checker)
    if not any(finding.severity is Severity.ERROR for finding in document.diagnostics):
        warn(checker)
    checker, errors = _in_order(checker)
    findings = without_echoes(document, [*errors, *reporter.warnings])
    findings += document.diagnostics
    if version is not None:
        findings.append(version)
    return checker, sorted(findings, key=_by_place)


def _too_strong(errors: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the errors about a series value for a parameter that must be simple."""
    return [
        error
        for error in errors
        if error.code == "CE10123"
        and error.value("argumentType").startswith("series ")
        and error.value("currentTypeDocStr").startswith("simple ")
    ]


def _in_order(checker: Checker) -> tuple[Checker, list[Diagnostic]]:
    """Remove errors about a length that is a series only because of lines below it. Return the check to use, and the
    remaining errors. Published scripts use such a variable as a length. A second check, in which variables are weak
    until they are reassigned, finds these lengths. It also finds the errors that a refused call hid. Nothing else is
    taken from it."""
    document, errors = checker.document, checker.reporter.errors
    refused = _too_strong(errors)
    if not refused or not weak_variables(checker.bindings, document):
        return checker, errors
    reporter = Reporter(document, on_trial=checker.reporter.on_trial)
    again = Checker(document, reporter, bind(document, reporter), HANDLERS, checker.libraries)
    again.weak = weak_variables(again.bindings, document)
    _type(again, document.chunks)
    check_script(again)
    kept = {error.span for error in _too_strong(reporter.errors)}
    requests = [Span(start + call.start, start + call.end) for start, call in requests_of(document)]
    forgiven = [
        error
        for error in refused
        if error.span not in kept
        and not any(call.start <= error.span.start and error.span.end <= call.end for call in requests)
    ]
    unused, used = (checker, again) if forgiven else (again, checker)
    unused.bindings.release()
    if not forgiven:
        return used, errors
    known = {(error.code, error.span) for error in errors}
    behind = [error for error in reporter.errors if (error.code, error.span) not in known]
    return used, [*(error for error in errors if error not in forgiven), *behind]


def run_from(snapshot: Snapshot, earlier: Checker, start: int, same: int) -> Checker:
    """Check `snapshot` from the offset `start` on, and return the final state without findings. Never raises.

    `earlier` is the check of a snapshot with the same first `same` chunks (top-level statements), which end at `start`.
    """
    if sys.getrecursionlimit() < _RECURSION:
        sys.setrecursionlimit(_RECURSION)
    with CollectionPaused():
        reporter = Reporter(snapshot)
        chunks = snapshot.chunks[same:]
        bindings = bind_chunks(chunks, reporter, declared_before(earlier.bindings, start))
        checker = Checker(snapshot, reporter, bindings, HANDLERS, earlier.libraries)
        checker.go_on_from(earlier, start)
        _type(checker, chunks)
        return checker


class Outside(NamedTuple):
    """The connections between some statements and the rest of their script.

    `variables` and `types` are the global variables and the types that the statements mention. `functions` maps each
    function declared in the statements to its symbol in the complete script.
    """

    variables: Iterable[str]
    types: Iterable[str]
    functions: Mapping[nodes.FunctionDeclaration, FunctionSymbol]


def run_apart(excerpt: Snapshot, whole: Checker, outside: Outside) -> tuple[Checker, list[Diagnostic]]:
    """Check some statements of the script of `whole` separately, and return the final state and the findings.

    `excerpt` contains the statements at their original offsets. It must include the functions that they call, because a
    function is evaluated for its argument types in the complete script. Findings about the script as a whole are
    omitted.
    """
    with CollectionPaused():
        reporter = Reporter(excerpt, on_trial=True)
        known = told_of(whole.bindings, outside.variables, outside.types)
        constants = {symbol: _constant(whole, name) for name, symbol in known.global_scope.names.items()}
        checker = Checker(excerpt, reporter, bind_chunks(excerpt.chunks, reporter, known), HANDLERS)
        checker.constants = constants
        _type(checker, excerpt.chunks)
        warn(checker, _evaluated(checker, whole, outside.functions))
        return checker, [*reporter.errors, *reporter.warnings]


def _evaluated(
    checker: Checker, whole: Checker, functions: Mapping[nodes.FunctionDeclaration, FunctionSymbol]
) -> list[FunctionSymbol]:
    """Return the functions of an excerpt that the whole script calls. They are evaluated for the argument types of
    these calls."""
    calls = called(whole) if functions else []
    found: list[FunctionSymbol] = []
    for node, function in functions.items():
        own = checker.bindings.function_of[node]
        for types in list(function.frames):
            if len(function.frames) == 1 or not is_generic(function, types):
                frame_for(checker, own, types)
        if function in calls:
            found.append(own)
    return found


def _constant(whole: Checker, name: str) -> tuple[Value, ...]:
    """The value of the global variable `name` if it is constant."""
    try:
        return (fold(whole, whole.bindings.global_scope.names[name].name_node),)
    except NotConstant:
        return ()


def _type(checker: Checker, chunks: Sequence[Chunk]) -> None:
    """Type the statements of `chunks`, whose names are already bound."""
    checker.faults = _faults(chunks)
    if not checker.weak:
        recall.begin(checker)
    for chunk in chunks:
        checker.offset = chunk.start
        recall.block(checker, chunk.body)
    checker.offset = 0
    check_uncalled(checker)


def _faults(chunks: Iterable[Chunk]) -> dict[int, list[int]]:
    """The offsets within each chunk at which errors make values unknown, by the start of the chunk."""
    return {
        chunk.start: sorted(place for fault in chunk.faults for place in _spoilt(chunk, fault))
        for chunk in chunks
        if chunk.faults
    }


def _spoilt(chunk: Chunk, fault: Fault) -> Iterator[int]:
    """Yield the offsets at which an error makes values unknown: its own, and the end of a line that it cuts short."""
    if not fault.code.startswith("CE"):
        return
    yield fault.start
    if fault.code in NOT_INDENTED and fault.start in chunk.lines:
        yield len(chunk.text[: fault.start].rstrip())


def _by_place(finding: Diagnostic) -> tuple[int, Severity, str]:
    return finding.span.start, finding.severity, finding.code
