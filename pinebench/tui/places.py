"""The places of a snippet that are to be filled in: where they are, also while one writes, and which comes next."""

from __future__ import annotations

import re
from typing import NamedTuple

from pinebench.diagnostics import Span

_PLACE = re.compile(r"\$\{(\d+):([^}]*)\}|\$(\d+)")


class Filled(NamedTuple):
    """A snippet as text, and its places in the order in which they are filled in; the last is where one goes on."""

    text: str
    spans: list[Span]


def filled(snippet: str, newline: str) -> Filled:
    """`snippet` with what its places say; its lines end in `newline`, which may bring an indentation along."""
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
    return Filled(text, spans or [Span(len(text), len(text))])


class Places:
    """Those of the snippet that was written last; none once one has gone through them, or elsewhere."""

    def __init__(self) -> None:
        self._spans: list[Span] = []
        self._at = 0

    @property
    def here(self) -> Span | None:
        """The place that is being filled in."""
        return self._spans[self._at] if self._spans else None

    def begin(self, spans: list[Span]) -> None:
        """Begin with the first of `spans`; a single one is no more than where one goes on."""
        self._spans, self._at = (list(spans) if len(spans) > 1 else []), 0

    def leave(self) -> None:
        """Be done with them."""
        self._spans = []

    def step(self, by: int) -> Span | None:
        """Go to the next place (1) or the one before (-1); at the last one they are done. None where there is none."""
        if not self._spans or self._at + by < 0:
            return None
        self._at += by
        span = self._spans[self._at]
        if self._at == len(self._spans) - 1:
            self.leave()
        return span

    def changed(self, start: int, end: int, length: int) -> None:
        """What stood from `start` to `end` gives way to so many characters: places move with their text."""
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
