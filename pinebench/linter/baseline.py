"""A baseline: the findings that a project accepts for now, so that only new findings are reported.

An entry identifies a finding by its file, its code and the text of its line. It does not hold the line number, so edits
elsewhere in the file do not bring the finding back. Paths are relative to the folder of the baseline file, so they are
valid wherever pinebench is started.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import TYPE_CHECKING, Any

from pinebench import decoding, files
from pinebench.errors import UsageError
from pinebench.linter.findings import may_have_file
from pinebench.records import NamedTuple
from pinebench.syntax.lines import LineIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pinebench.linter.findings import Finding
    from pinebench.linter.project import ScriptFindings

VERSION = 1
"""The version of the file format."""

_SHAPE = {"version": int, "findings": [{"path": str, "code": str, "line": str, "count": int}]}


class BaselineEntry(NamedTuple):
    """The identity of a finding: its file (relative to the baseline's folder), its code, and the text of its line."""

    path: str
    code: str
    line: str


class Baseline:
    """The accepted entries, each with the number of findings that it accepts, and the path of the baseline file.

    `held` is the content that was read from the file, or None if there is no file.
    """

    def __init__(self, file: str, accepted: Counter[BaselineEntry] | None = None, held: bytes | None = None) -> None:
        self.file = file
        self.held = held
        self.accepted = accepted or Counter[BaselineEntry]()
        self._folder = os.path.realpath(os.path.dirname(file))

    def without(self, results: list[ScriptFindings]) -> list[ScriptFindings]:
        """Return `results` without the findings that the baseline accepts."""
        left = Counter(self.accepted)
        return [result._replace(findings=list(self._new(result, left))) for result in results]

    def stale(self, results: list[ScriptFindings], wants: Callable[[str, str], bool]) -> Counter[BaselineEntry]:
        """Return the accepted entries that the run looked for and did not find in `results`.

        An entry of a checked script was looked for if `wants(path, code)` is true. An entry whose file no longer exists
        is stale too. Entries of other files are never stale.
        """
        found = Counter(entry for result in results for entry, _ in self._entries(result))
        in_scope = self._scope(results, wants)
        return Counter({entry: count for entry, count in (self.accepted - found).items() if in_scope(entry)})

    def pruned(self, stale: Counter[BaselineEntry]) -> Baseline:
        """Return the same baseline without the entries in `stale`."""
        return Baseline(self.file, self.accepted - stale, self.held)

    def renewed(self, results: list[ScriptFindings], wants: Callable[[str, str], bool]) -> Baseline:
        """Return the baseline that accepts all of `results` and keeps the old entries that were not looked for (see
        `stale`)."""
        in_scope = self._scope(results, wants)
        kept = {entry: count for entry, count in self.accepted.items() if not in_scope(entry)}
        found = Counter(entry for result in results for entry, _ in self._entries(result))
        return Baseline(self.file, Counter(kept) | found, self.held)

    def save(self) -> None:
        """Write the file. Raises UsageError if it cannot be written, or has changed since it was read."""
        rows = [{**entry._asdict(), "count": count} for entry, count in sorted(self.accepted.items())]
        text = json.dumps({"version": VERSION, "findings": rows}, indent=2) + "\n"
        files.replace(self.file, text.encode(), self.held)

    def _new(self, result: ScriptFindings, left: Counter[BaselineEntry]) -> Iterator[Finding]:
        for entry, finding in self._entries(result):
            if left[entry] > 0:
                left[entry] -= 1
            else:
                yield finding

    def _entries(self, result: ScriptFindings) -> Iterator[tuple[BaselineEntry, Finding]]:
        if not result.findings:
            return
        path, lines = self._seen_from_here(result.script.path), LineIndex(result.script.text)
        for finding in result.findings:
            yield BaselineEntry(path, finding.code, lines.line_text(finding.line).strip()), finding

    def _scope(
        self, results: list[ScriptFindings], wants: Callable[[str, str], bool]
    ) -> Callable[[BaselineEntry], bool]:
        names = {self._seen_from_here(result.script.path): result.script.path for result in results}

        def in_scope(entry: BaselineEntry) -> bool:
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
        except ValueError:  # the path is on another drive
            return absolute.replace(os.sep, "/")


def load(file: str) -> Baseline:
    """Read the baseline in `file`. Raises UsageError if the file does not exist or is not a baseline."""
    if not os.path.lexists(file):
        raise UsageError(f"{file}: there is no such baseline file", f"--write-baseline {file} writes one")
    try:
        held = files.read_bytes(file)
        data = decoding.loads(files.decode(held, file).text, _SHAPE)
        if data["version"] != VERSION:
            raise decoding.MalformedDocument(f"version is {data['version']}, not {VERSION}")
        return Baseline(file, Counter(dict(map(_from_row, data["findings"]))), held)
    except decoding.MalformedDocument as error:
        raise UsageError(
            f"{file} is not a baseline: {error}", "name another file, or remove it and write it again"
        ) from None


def _from_row(row: dict[str, Any]) -> tuple[BaselineEntry, int]:
    if row["count"] < 1:
        raise decoding.MalformedDocument("a count is less than 1")
    return BaselineEntry(row["path"], row["code"], row["line"]), row["count"]
