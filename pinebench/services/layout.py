"""Formats a script, or some of its lines, as edits that change as little as possible."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import accumulate

from pinebench.diagnostics import Edit, Span
from pinebench.formatting import Style, format_text
from pinebench.services.script import View


def layout(view: View, style: Style, span: Span | None = None) -> list[Edit]:
    """The edits that format the script by Pine's style guide, or only the lines that `span` touches.

    There are none if the script is formatted already, or if formatting these lines alone could change the script's
    meaning.
    """
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
    """Return the edits that format the line before the one at `offset`, for use after Enter was pressed.

    No other line changes, so the cursor stays at its place.
    """
    start = view.text.rfind("\n", 0, offset) + 1
    if not start:
        return []
    line = Span(view.text.rfind("\n", 0, start - 1) + 1, start)
    edits = layout(view, style, line)
    return [each for each in edits if each.span == line and each.text.count("\n") == 1]


def edits_between(text: str, result: str) -> list[Edit]:
    """The edits of whole lines that turn `text` into `result`. Common lines are not touched."""
    before, after = text.splitlines(keepends=True), result.splitlines(keepends=True)
    starts = [0, *accumulate(map(len, before))]
    return [
        Edit(Span(starts[first], starts[last]), "".join(after[begin:end]))
        for first, last, begin, end in _changes(before, after)
    ]


def _changes(before: list[str], after: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the changed lines as half-open ranges before and after. Ranges of equal length are split into single
    lines."""
    for tag, first, last, begin, end in SequenceMatcher(None, before, after).get_opcodes():
        if tag == "equal":
            continue
        if last - first == end - begin:
            yield from ((first + n, first + n + 1, begin + n, begin + n + 1) for n in range(last - first))
        else:
            yield first, last, begin, end


def _is_sound(view: View, edits: list[Edit], style: Style) -> bool:
    """Whether formatting only some lines keeps the meaning: the fully formatted script must be the same before and
    after."""
    from pinebench.syntax.edits import apply_edits

    changed = apply_edits(view.text, edits)
    return format_text(changed, style).text == format_text(view.text, style).text
