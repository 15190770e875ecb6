"""A baseline holds the findings a project has accepted for now, so that only new ones are reported.

A finding is known by its file, its code and the text of its line, not by its line number: edits elsewhere do not bring
it back. Paths count from the baseline's own folder, so that it means the same wherever pinebench is started.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from pinebench import decoding, files
from pinebench.errors import UsageError
from pinebench.linter.findings import may_have_file
from pinebench.syntax.lines import LineIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pinebench.linter.findings import Finding
    from pinebench.linter.project import Result

VERSION = 1
"""What the file says of its form."""

_SHAPE = {"version": int, "findings": [{"path": str, "code": str, "line": str, "count": int}]}


class Entry(NamedTuple):
    """What makes a finding the same one later: its file, seen from the baseline's folder, its code, its line's text."""

    path: str
    code: str
    line: str


class Baseline:
    """How often each entry was accepted, and the file that says so."""

    def __init__(self, file: str, accepted: Counter[Entry] | None = None) -> None:
        self.file = file
        self.accepted = accepted or Counter[Entry]()
        self._folder = os.path.realpath(os.path.dirname(file))

    def without(self, results: list[Result]) -> list[Result]:
        """`results` without the findings that were accepted."""
        left = Counter(self.accepted)
        return [result._replace(findings=list(self._new(result, left))) for result in results]

    def stale(self, results: list[Result], wants: Callable[[str, str], bool]) -> Counter[Entry]:
        """The entries that match nothing in `results`, of what was looked for.

        Looked for was, in the scripts of `results`, what `wants(path, code)` says; the entries of a file that is there
        no more are stale too, those of any other file are not.
        """
        found = Counter(entry for result in results for entry, _ in self._entries(result))
        in_scope = self._scope(results, wants)
        return Counter({entry: count for entry, count in (self.accepted - found).items() if in_scope(entry)})

    def pruned(self, stale: Counter[Entry]) -> Baseline:
        """The same baseline without `stale` entries."""
        return Baseline(self.file, self.accepted - stale)

    def renewed(self, results: list[Result], wants: Callable[[str, str], bool]) -> Baseline:
        """The baseline that accepts all of `results`, and still what was not looked for (as `stale` says)."""
        in_scope = self._scope(results, wants)
        kept = {entry: count for entry, count in self.accepted.items() if not in_scope(entry)}
        found = Counter(entry for result in results for entry, _ in self._entries(result))
        return Baseline(self.file, Counter(kept) + found)

    def save(self) -> None:
        """Write the file. Raises UsageError when that cannot be done."""
        rows = [{**entry._asdict(), "count": count} for entry, count in sorted(self.accepted.items())]
        text = json.dumps({"version": VERSION, "findings": rows}, indent=2) + "\n"
        files.write_atomically(self.file, text.encode())

    def _new(self, result: Result, left: Counter[Entry]) -> Iterator[Finding]:
        for entry, finding in self._entries(result):
            if left[entry] > 0:
                left[entry] -= 1
            else:
                yield finding

    def _entries(self, result: Result) -> Iterator[tuple[Entry, Finding]]:
        if not result.findings:
            return
        path, lines = self._seen_from_here(result.script.path), LineIndex(result.script.text)
        for finding in result.findings:
            yield Entry(path, finding.code, lines.line_text(finding.line).strip()), finding

    def _scope(self, results: list[Result], wants: Callable[[str, str], bool]) -> Callable[[Entry], bool]:
        names = {self._seen_from_here(result.script.path): result.script.path for result in results}

        def in_scope(entry: Entry) -> bool:
            if entry.path in names:
                return wants(names[entry.path], entry.code)
            return may_have_file(entry.path) and not os.path.exists(os.path.join(self._folder, entry.path))

        return in_scope

    def _seen_from_here(self, path: str) -> str:
        if not may_have_file(path):
            return path
        absolute = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        try:
            return os.path.relpath(absolute, self._folder).replace(os.sep, "/")
        except ValueError:  # on another drive
            return absolute.replace(os.sep, "/")


def load(file: str) -> Baseline:
    """The baseline in `file`. Raises UsageError when there is none, or it is none."""
    if not os.path.lexists(file):
        raise UsageError(f"{file}: there is no such baseline", f"--write-baseline {file} writes one")
    try:
        data = decoding.loads(files.read(file).text, _SHAPE)
        if data["version"] != VERSION:
            raise decoding.Malformed(f"version is {data['version']}, not {VERSION}")
        return Baseline(file, Counter(dict(map(_from_row, data["findings"]))))
    except decoding.Malformed as error:
        raise UsageError(
            f"{file}: is not a baseline: {error}", "name another file, or remove it and write it again"
        ) from None


def _from_row(row: dict[str, Any]) -> tuple[Entry, int]:
    if row["count"] < 1:
        raise decoding.Malformed("it accepts a finding less than once")
    return Entry(row["path"], row["code"], row["line"]), row["count"]
