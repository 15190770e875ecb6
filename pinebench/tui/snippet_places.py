"""The fields of a snippet that a person fills in: their spans after each edit, and the order in which they are
visited."""

from __future__ import annotations

import re
from typing import NamedTuple

from pinebench.diagnostics import Span

_PLACE = re.compile(r"\$\{(\d+):([^}]*)\}|\$(\d+)")


class FilledSnippet(NamedTuple):
    """A snippet as text, and the spans of its fields in the order of filling. The cursor stays in the last field."""

    text: str
    spans: list[Span]


def filled(snippet: str, newline: str) -> FilledSnippet:
    """Fill the fields of `snippet` with their default texts. `newline` replaces its line ends, and may include an
    indentation."""
    text = ""
    found: list[tuple[int, Span]] = []
    place = 0
    snippet = snippet.replace("\n", newline)
    for match in _PLACE.finditer(snippet):
        text += snippet[place : match.start()]
        said = match.group(2) or ""
        number = int(match.group(1) or match.group(3))
        found.append((number or len(snippet), Span(len(text), len(text) + len(said))))
        text += said
        place = match.end()
    text += snippet[place:]
    spans = [span for _, span in sorted(found)]
    return FilledSnippet(text, spans or [Span(len(text), len(text))])


class SnippetPlaces:
    """The fields of the last inserted snippet. They are forgotten after the last field, or after an edit elsewhere."""

    def __init__(self) -> None:
        self._spans: list[Span] = []
        self._at = 0

    @property
    def here(self) -> Span | None:
        """The span of the field that is being filled in; None if there is none."""
        return self._spans[self._at] if self._spans else None

    def begin(self, spans: list[Span]) -> None:
        """Begin with the first of `spans`. A single field is not stored, because there is no other field to go to."""
        self._spans, self._at = (list(spans) if len(spans) > 1 else []), 0

    def leave(self) -> None:
        """Leave the snippet: forget its fields."""
        self._spans = []

    def step(self, by: int) -> Span | None:
        """Go to the next field (1) or the previous one (-1), and return its span; None if there is none.

        After the last field is reached, all fields are forgotten.
        """
        if not self._spans or self._at + by < 0:
            return None
        self._at += by
        span = self._spans[self._at]
        if self._at == len(self._spans) - 1:
            self.leave()
        return span

    def changed(self, start: int, end: int, length: int) -> None:
        """Move the fields when `length` characters replace the text from `start` to `end`.

        After an edit outside of the current field, all fields are forgotten.
        """
        here = self.here
        if here is None:
            return
        if start < here.start or end > here.end:
            self.leave()
            return
        more = length - (end - start)
        for number, span in enumerate(self._spans):
            if number == self._at:
                self._spans[number] = Span(span.start, span.end + more)
            elif span.start >= end and (number > self._at or span.start > end):
                self._spans[number] = Span(span.start + more, span.end + more)
