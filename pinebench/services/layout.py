"""Laying out a script or some lines of it anew, as edits that touch no more than has to change."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import accumulate

from pinebench.diagnostics import Edit, Span
from pinebench.formatting import Style, format_text
from pinebench.services.script import View


def layout(view: View, style: Style, span: Span | None = None) -> list[Edit]:
    """The edits that lay the script out by Pine's style guide, all of it or the lines that `span` touches; none where
    that cannot be done without changing what it says."""
    text = view.text
    result = format_text(text, style).text
    if result == text:
        return []
    edits = edits_between(text, result)
    if span is None:
        return edits
    edits = [edit for edit in edits if edit.span.start < span.end and edit.span.end > span.start]
    return edits if _is_sound(view, edits, style) else []


def layout_finished_line(view: View, style: Style, offset: int) -> list[Edit]:
    """Return the edits that format the line before the one that holds `offset`, as after Enter was pressed there.

    No other line changes, so that the cursor stays where it is.
    """
    start = view.text.rfind("\n", 0, offset) + 1
    if not start:
        return []
    line = Span(view.text.rfind("\n", 0, start - 1) + 1, start)
    edits = layout(view, style, line)
    return [each for each in edits if each.span == line and each.text.count("\n") == 1]


def edits_between(text: str, result: str) -> list[Edit]:
    """The edits by which `text` becomes `result`, of whole lines; lines that both have stay."""
    before, after = text.splitlines(keepends=True), result.splitlines(keepends=True)
    starts = [0, *accumulate(map(len, before))]
    return [
        Edit(Span(starts[first], starts[last]), "".join(after[begin:end]))
        for first, last, begin, end in _changes(before, after)
    ]


def _changes(before: list[str], after: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """Which lines become which, as half-open ranges; line by line where as many come as go."""
    for tag, first, last, begin, end in SequenceMatcher(None, before, after).get_opcodes():
        if tag == "equal":
            continue
        if last - first == end - begin:
            yield from ((first + n, first + n + 1, begin + n, begin + n + 1) for n in range(last - first))
        else:
            yield first, last, begin, end


def _is_sound(view: View, edits: list[Edit], style: Style) -> bool:
    """Whether laying out some lines alone says the same as before: both come out the same when all is laid out."""
    from pinebench.syntax.edits import apply_edits

    changed = apply_edits(view.text, edits)
    return format_text(changed, style).text == format_text(view.text, style).text
