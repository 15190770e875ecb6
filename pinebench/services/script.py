"""A script in an editor: a text that changes, and each state of it with what is known about that."""

from __future__ import annotations

from functools import cached_property

from pinebench.checker.checking import LibrarySource
from pinebench.checker.probe import Probe, probe
from pinebench.checker.program import Program, check
from pinebench.diagnostics import Fix, Span
from pinebench.syntax import Document, Snapshot, nodes
from pinebench.syntax.lines import common


class View:
    """One state of a script, which never changes.

    `program` is its check, made when it is first asked for. What is asked in the middle of typing goes on from `known`,
    the check of an earlier state, so that no answer waits for a whole check.
    """

    def __init__(self, snapshot: Snapshot, sources: LibrarySource | None, known: Program | None) -> None:
        self.snapshot = snapshot
        self.sources = sources
        self.earlier = known
        """The check of an earlier state, None where there is none."""
        self.fixes: dict[tuple[str, Span, str], tuple[Fix, ...]] = {}
        """The fixes that were found, by code, place and message of what they mend."""

    @property
    def text(self) -> str:
        """The whole text."""
        return self.snapshot.text

    @cached_property
    def program(self) -> Program:
        """The checked script."""
        return check(self.snapshot, self.sources)

    @property
    def is_checked(self) -> bool:
        """Whether `program` is there already."""
        return "program" in self.__dict__

    @property
    def known(self) -> Program:
        """The latest check there is, of this state or an earlier one; where there is none, this state is checked."""
        if self.earlier is None or self.is_checked:
            return self.program
        return self.earlier

    def probe(self, start: int, head: str, expressions: list[str]) -> Probe:
        """What `expressions` mean in the line that begins at `start` with `head`.

        Within a function that takes what it is given, all depends on the calls that follow it: then this state is
        checked, so that the answer never depends on what was there before.
        """
        known = self.program if self._is_open(start) else self.known
        return probe(known, self.snapshot, start, head, expressions)

    def _is_open(self, offset: int) -> bool:
        """Whether `offset` is in a function with a parameter that states no type."""
        body = self.snapshot.chunk_at(offset).body
        functions = (node for node in body if isinstance(node, nodes.FunctionDeclaration))
        return any(parameter.type is None for function in functions for parameter in function.parameters)


class OpenScript:
    """A text in an editor, with the libraries that it can import."""

    def __init__(self, text: str, sources: LibrarySource | None = None) -> None:
        self._document = Document(text)
        self.view = View(self._document.snapshot, sources, None)
        """The state now."""

    def edit(self, start: int, end: int, replacement: str) -> None:
        """Replace the text from `start` to `end`."""
        self._document.edit(start, end, replacement)
        self._go_on(self.view.sources)

    def replace(self, text: str) -> None:
        """Take over a whole new text; what both have at the beginning and the end is not parsed again."""
        old = self.view.text
        start = common(old, text)
        rest = common(old[start:][::-1], text[start:][::-1])
        self.edit(start, len(old) - rest, text[start : len(text) - rest])

    def refresh(self, sources: LibrarySource | None) -> None:
        """Look for imported libraries in `sources` from now on; what was known with others is forgotten."""
        self.view = View(self._document.snapshot, sources, None)

    def _go_on(self, sources: LibrarySource | None) -> None:
        before = self.view
        known = before.program if before.is_checked else before.earlier
        self.view = View(self._document.snapshot, sources, known)
