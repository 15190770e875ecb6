"""One check from beginning to end: a snapshot is bound and typed, its libraries with it, and all is reported."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Protocol

from pinebench.check.binder import Bindings, bind, bind_chunks, declared_before
from pinebench.check.checker import Checker
from pinebench.check.consistency import warn
from pinebench.check.echoes import without_echoes
from pinebench.check.functions import check_uncalled
from pinebench.check.handlers import HANDLERS
from pinebench.check.report import Reporter
from pinebench.check.script import CHECKED_VERSION, check_script, version_finding
from pinebench.diagnostics import Diagnostic, Severity
from pinebench.syntax import Chunk, Snapshot
from pinebench.syntax.faults import NOT_INDENTED, Fault
from pinebench.syntax.garbage import CollectionPaused

_RECURSION = 20_000
"""Deepest Python recursion a check may need: nesting is bounded by the parser, calls by the checker."""


class LibrarySource(Protocol):
    """Where the text of imported libraries is found; `LibraryFolders` is one."""

    def read(self, path: str) -> Snapshot | None:
        """The text of the library `path` (`User/Name/Version`), or None when it is not there."""
        ...


class NotedLibraries:
    """What a source of libraries has, with a note of each that was looked for; a check has one of its own."""

    def __init__(self, source: LibrarySource | None) -> None:
        self.source = source
        self.texts: dict[str, str | None] = {}
        """The text of each library, by path; None where there was none."""

    def read(self, path: str) -> Snapshot | None:
        """The text of the library `path`, or None where the source has none."""
        snapshot = None if self.source is None else self.source.read(path)
        self.texts[path] = None if snapshot is None else snapshot.text
        return snapshot


class _Imports:
    """The libraries of one check, each checked once for it.

    No check shares them with another: which types a library's functions are called with, and what that makes of their
    parameters, is the script's own.
    """

    def __init__(self, source: LibrarySource) -> None:
        self._source = source
        self._known: dict[str, Checker | None] = {}

    def find(self, path: str) -> Checker | None:
        """The check of the library `path`, or None when it cannot be seen, or read as Pine v6.

        A library that imports itself, directly or not, is not seen by itself.
        """
        if path not in self._known:
            self._known[path] = None
            self._known[path] = self._check(path)
        return self._known[path]

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


def run(snapshot: Snapshot, libraries: LibrarySource | None) -> tuple[Checker, list[Diagnostic]]:
    """The state in which a check of `snapshot` ends, and every finding; never raises."""
    if sys.getrecursionlimit() < _RECURSION:
        sys.setrecursionlimit(_RECURSION)
    with CollectionPaused():
        return _run(snapshot, _Imports(libraries) if libraries is not None else None)


def _run(document: Snapshot, libraries: _Imports | None) -> tuple[Checker, list[Diagnostic]]:
    reporter = Reporter(document)
    version = version_finding(document)
    if version is not None and version.code != "PB0002":
        syntax = [] if version.severity is Severity.ERROR else document.diagnostics
        return Checker(document, reporter, Bindings(), HANDLERS), [version, *syntax]
    checker = Checker(document, reporter, bind(document, reporter), HANDLERS, libraries)
    checker.faults = _faults(document.chunks)
    checker.begin()
    for chunk in document.chunks:
        checker.offset = chunk.start
        checker.block(chunk.body)
    checker.offset = 0
    check_uncalled(checker)
    check_script(checker)
    if not any(finding.severity is Severity.ERROR for finding in document.diagnostics):
        warn(checker)
    findings = without_echoes(document, [*reporter.errors, *reporter.warnings])
    findings += document.diagnostics
    if version is not None:
        findings.append(version)
    return checker, sorted(findings, key=_by_place)


def run_from(snapshot: Snapshot, earlier: Checker, start: int, same: int) -> Checker:
    """The state in which a check of `snapshot` ends that goes on where `earlier` was at the offset `start`, behind the
    first `same` chunks, which both have; what is found is dropped. Never raises."""
    if sys.getrecursionlimit() < _RECURSION:
        sys.setrecursionlimit(_RECURSION)
    with CollectionPaused():
        reporter = Reporter(snapshot)
        chunks = snapshot.chunks[same:]
        bindings = bind_chunks(chunks, reporter, declared_before(earlier.bindings, start))
        checker = Checker(snapshot, reporter, bindings, HANDLERS, earlier.libraries)
        checker.go_on_from(earlier, start)
        checker.faults = _faults(chunks)
        checker.begin()
        for chunk in chunks:
            checker.offset = chunk.start
            checker.block(chunk.body)
        checker.offset = 0
        check_uncalled(checker)
        return checker


def _faults(chunks: Iterable[Chunk]) -> dict[int, list[int]]:
    """Where errors make values doubtful, by the chunks' places."""
    return {
        chunk.start: sorted(place for fault in chunk.faults for place in _spoilt(chunk, fault))
        for chunk in chunks
        if chunk.faults
    }


def _spoilt(chunk: Chunk, fault: Fault) -> Iterator[int]:
    """Where in a chunk an error makes values doubtful: at its place, and at the end of a line that it cuts short."""
    if not fault.code.startswith("CE"):
        return
    yield fault.start
    if fault.code in NOT_INDENTED and fault.start in chunk.lines:
        yield len(chunk.text[: fault.start].rstrip())


def _by_place(finding: Diagnostic) -> tuple[int, Severity, str]:
    return finding.span.start, finding.severity, finding.code
