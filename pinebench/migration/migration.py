"""Migrates a script to v6: first makes it parse as v6, then applies the rewrites in rounds until none changes
anything, and finally verifies the result."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from pinebench.checker import check, known_libraries
from pinebench.diagnostics import Diagnostic, Edit, Severity, Span
from pinebench.garbage import CollectionPaused
from pinebench.migration.earlier_syntax import reads_as_4, rename_reserved
from pinebench.migration.remarks import Remark, RemarkKind
from pinebench.migration.rewrites import REWRITES
from pinebench.migration.script import OldScript
from pinebench.services.actions import newline_of
from pinebench.syntax import Document
from pinebench.syntax.changes import document_after
from pinebench.syntax.document import find_version
from pinebench.syntax.edits import EditError, Shift, TreeEdits, apply_edits
from pinebench.syntax.lines import LineIndex

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pinebench.checker import Program
    from pinebench.migration.rewrites.rewrite import RewriteChange

OLDEST = 3
"""The oldest version that is migrated."""
NEWEST = 6
ROUNDS = 12
"""The largest number of rounds. The changes of one round can make further changes possible in the next."""


class Migration(NamedTuple):
    """The result of a migration. If the script could not be migrated, `refused` is the reason, and `text` is the old
    text.

    `version` is the version of the old script. `errors` remain in `text`; each of them also has a remark.
    """

    text: str
    version: int | None
    remarks: tuple[Remark, ...] = ()
    errors: tuple[Diagnostic, ...] = ()
    refused: str | None = None


def migrate(text: str, libraries: tuple[str, ...] = ()) -> Migration:
    """Migrate the script `text` to v6. `libraries` are folders that may hold the source of imported libraries.

    A v6 script is returned unchanged, without remarks. A script without a version line that uses the names of v4 counts
    as v4. Never raises.
    """
    version, place = find_version(text)
    if version is not None and version >= NEWEST:
        return Migration(text, version)
    if version is None and reads_as_4(Document(text).snapshot):
        version = 4
    if version is None or version < OLDEST:
        which = (
            "has no //@version= line, which makes it Pine v1" if version is None else f"is written in Pine v{version}"
        )
        return Migration(text, version, refused=f"it {which}: only v{OLDEST} to v{NEWEST - 1} are migrated")
    with CollectionPaused():
        way = _Way(text, version, place)
    broken = _errors(way.document.diagnostics)
    if broken:
        return Migration(text, version, refused=_broken(text, broken[0], way.document))
    program = way.rewritten(libraries)
    lost = way.lost_comments()
    if lost:
        return Migration(text, version, refused=f"a comment would have been lost: {lost[0]}")
    if _errors(way.document.diagnostics):
        return Migration(text, version, refused="the result could not be read as v6, which should not happen")
    errors = _errors(program.diagnostics)
    return Migration(way.document.text, version, way.remarks(errors), tuple(errors))


def _broken(text: str, error: Diagnostic, document: Document) -> str:
    """Explain why a script that v6 cannot parse is not changed: because of its own syntax error, or one that only v6
    has."""
    own = Document(text)
    first = next(iter(_errors(own.diagnostics)), None)
    if first is not None:
        return f"it has a syntax error of its own in line {own.lines.position(first.span.start).line}: {first.message}"
    return f"line {document.lines.position(error.span.start).line} cannot be read as v6: {error.message}"


class _MovingRemark(NamedTuple):
    """A remark whose place still moves with the text. `place` is its offset after the first `step` groups of edits."""

    kind: RemarkKind
    text: str
    step: int
    place: int


class _Way:
    """A script during its migration: the current document, the edits so far, and the remarks."""

    def __init__(self, text: str, version: int, place: Span | None) -> None:
        """Make the script parse as v6. Its version line is at `place`. Names that v6 reserves are renamed, as they
        are read by the script's own version."""
        self._version = version
        self._old = text
        self._shifts: list[Shift] = []
        self._told: list[_MovingRemark] = []
        mark = _marked(text, place)
        if place is None:
            told = (
                f"without a //@version= line, a script is Pine v1: this one was read as v{version} because of its names"
            )
            self._tell(RemarkKind.LOOK, told, 0)
        self.document = Document(apply_edits(text, (mark,)))
        if not _errors(self.document.diagnostics):
            self._shifts.append(Shift((mark,)))
            return
        before = Document(text)
        edits = TreeEdits(before.snapshot)
        for start, told in rename_reserved(before.snapshot, edits):
            self._tell(RemarkKind.CHANGED, told, start)
        renamed, shift = edits.edits(), Shift((mark,))
        self._shifts.append(Shift((*renamed, mark)))
        if renamed:
            moved = [Edit(Span(shift.after(start), shift.after(end)), name) for (start, end), name in renamed]
            self.document = document_after(self.document.snapshot, moved)

    def rewritten(self, libraries: tuple[str, ...]) -> Program:
        """Apply the rewrites until none changes anything, and return the checked result. `libraries` are folders with
        imported libraries."""
        known = known_libraries(libraries)
        self._comments = _comments_of(self.document)
        script = OldScript(check(self.document, known), self._version)
        for _ in range(ROUNDS):
            with CollectionPaused():  # nothing that a round makes becomes garbage before its end
                if not self._round(script):
                    break
                script = OldScript(check(self.document, known), self._version)
        self._round(script, last=True)
        return script.program

    def _round(self, script: OldScript, *, last: bool = False) -> bool:
        """Run every rewrite once, and apply the changes that fit together. Return whether anything changed."""
        edits = script.facts.edits()
        done: list[RewriteChange] = []
        for rewrite in REWRITES:
            if rewrite.last != last or not rewrite.oldest <= self._version <= rewrite.newest:
                continue
            for change in rewrite.search(script):
                edits.look_at(script.span(change.node).start)
                if change.ask is None or _asked(edits, change):
                    done.append(change)
        made = edits.edits()
        for change in done:
            if change.ask is not None or not made:  # remarks without a change may become unnecessary in the next round
                self._tell(change.kind, change.text, script.span(change.node).start)
        if made:
            self._apply(made)
        return bool(made)

    def lost_comments(self) -> list[str]:
        """The comments of the old script that are missing in the new one."""
        kept = _comments_of(self.document)
        return list((self._comments - kept).elements())

    def _tell(self, kind: RemarkKind, text: str, place: int) -> None:
        self._told.append(_MovingRemark(kind, text, len(self._shifts), place))

    def _apply(self, edits: Iterable[Edit]) -> None:
        """Apply `edits`, which are in text order. Statements that no edit touches are not parsed again."""
        edits = tuple(edits)
        self._shifts.append(Shift(edits))
        self.document = document_after(self.document.snapshot, edits)

    def remarks(self, errors: Iterable[Diagnostic]) -> tuple[Remark, ...]:
        """All remarks in the order of their lines, including one for each of `errors`. Duplicates on a line are
        removed."""
        lines, old_lines = self.document.lines, LineIndex(self._old)
        for error in errors:
            hint = f" ({error.hint})" if error.hint else ""
            text = f"{error.code}: {error.message}{hint}"
            self._told.append(_MovingRemark(RemarkKind.LOOK, text, len(self._shifts), error.span.start))
        found: dict[Remark, None] = {}
        for kind, text, step, place in self._told:
            was = after = place
            for shift in reversed(self._shifts[:step]):
                was = shift.before(was)
            for shift in self._shifts[step:]:
                after = shift.after(after)
            found[Remark(kind, lines.position(after).line, old_lines.position(was).line, text)] = None
        return tuple(sorted(found, key=lambda remark: (remark.line, remark.was)))


def _asked(edits: TreeEdits, change: RewriteChange) -> bool:
    """Add all edits of `change` if they fit the others, or none of them. Return whether they were added."""
    assert change.ask is not None
    try:
        edits.attempt(change.ask)
    except EditError:
        return False
    return True


def _errors(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    return [finding for finding in diagnostics if finding.severity is Severity.ERROR]


def _comments_of(document: Document) -> Counter[str]:
    return Counter(document.text[span.start : span.end].rstrip() for span in document.comments)


def _marked(text: str, place: Span | None) -> Edit:
    """The edit that sets the version comment to v6, or inserts one at the start."""
    if place is None:
        start = len(text) - len(text.lstrip("\ufeff"))
        return Edit(Span(start, start), f"//@version={NEWEST}{newline_of(text)}")
    comment = text[place.start : place.end].rstrip()
    digits = comment.rsplit("=", 1)[1].lstrip()
    end = place.start + len(comment)
    return Edit(Span(end - len(digits), end), str(NEWEST))
