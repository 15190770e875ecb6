"""A script in an editor: a text that changes, and its states with their checks."""

from __future__ import annotations

from functools import cached_property

from pinebench.checker import LibrarySource, Probe, Program, check, probe
from pinebench.diagnostics import Diagnostic, Fix, Span
from pinebench.records import NamedTuple
from pinebench.syntax import Document, Snapshot, nodes
from pinebench.syntax.lines import common


class JudgedText(NamedTuple):
    """A text without errors, and its findings."""

    text: str
    found: tuple[Diagnostic, ...]


class ScriptView:
    """One state of a script, which never changes. `program` is the checked script, computed on first use. Requests
    while the user types use `known`, the latest check, so that none waits for a complete check."""

    def __init__(self, snapshot: Snapshot, sources: LibrarySource | None, known: Program | None) -> None:
        self.snapshot = snapshot
        self.sources = sources
        self.earlier = known
        """The check of an earlier state, or None."""
        self.fixes: dict[tuple[str, Span, str], tuple[Fix, ...]] = {}
        """A cache of fixes, by code, span and message of the finding."""
        self.judged: JudgedText | None = None
        """The latest state without errors whose findings were computed: this one, or an earlier one."""

    def after(self, snapshot: Snapshot) -> ScriptView:
        """Return the view of a later state of the same script. Until that state is checked, it uses the checks of this
        one."""
        later = ScriptView(snapshot, self.sources, self.program if self.is_checked else self.earlier)
        later.judged = self.judged
        return later

    @property
    def text(self) -> str:
        """The whole text of the script."""
        return self.snapshot.text

    @cached_property
    def program(self) -> Program:
        """The checked script."""
        return check(self.snapshot, self.sources)

    @property
    def is_checked(self) -> bool:
        """Whether `program` was already computed."""
        return "program" in self.__dict__

    @property
    def known(self) -> Program:
        """The latest check that exists, of this state or an earlier one. If there is none, this state is checked."""
        if self.earlier is None or self.is_checked:
            return self.program
        return self.earlier

    def probe(self, start: int, head: str, expressions: list[str]) -> Probe:
        """Find the types of `expressions` as if they stood in the line that begins at the offset `start`, after the
        line's first part `head`, such as an indentation or `f(x) =>`.

        In a function with untyped parameters, everything depends on calls that may come later. In that case, this state
        is checked completely, so that the answer never depends on earlier states.
        """
        known = self._finished(start, head) if self._is_open(start) else self.known
        return probe(known, self.snapshot, start, head, expressions)

    def _finished(self, start: int, head: str) -> Program:
        """Return the check of this state. If the text has syntax errors, the line that begins at `start` is completed
        first. The parameters of a broken function would have no types."""
        if not self.snapshot.diagnostics:
            return self.program
        document = Document(self.snapshot)
        end = self.text.find("\n", start)
        document.edit(start, end if end >= 0 else len(self.text), f"{head}na")
        return check(document.snapshot, self.sources)

    def _is_open(self, offset: int) -> bool:
        """Whether `offset` is in a function with an untyped parameter."""
        body = self.snapshot.chunk_at(offset).body
        functions = (node for node in body if isinstance(node, nodes.FunctionDeclaration))
        return any(parameter.type is None for function in functions for parameter in function.parameters)


class OpenScript:
    """A text in an editor, with the libraries that it can import."""

    def __init__(self, text: str, sources: LibrarySource | None = None) -> None:
        self._document = Document(text)
        self.view = ScriptView(self._document.snapshot, sources, None)
        """The view of the current text."""

    def edit(self, start: int, end: int, replacement: str) -> None:
        """Replace the text from `start` to `end`."""
        self._document.edit(start, end, replacement)
        self.view = self.view.after(self._document.snapshot)

    def replace(self, text: str) -> None:
        """Replace the whole text. The common beginning and end of both texts are not parsed again."""
        old = self.view.text
        start = common(old, text)
        rest = common(old[start:][::-1], text[start:][::-1])
        self.edit(start, len(old) - rest, text[start : len(text) - rest])

    def refresh(self, sources: LibrarySource | None) -> None:
        """Find imported libraries in `sources` from now on, and drop checks that used the earlier sources."""
        self.view = ScriptView(self._document.snapshot, sources, None)
