"""Formats a script, or some of its lines, as edits that change as little as possible."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import accumulate

from pinebench.diagnostics import Edit, Severity, Span
from pinebench.formatting import FormatStyle, format_text
from pinebench.services.script import ScriptView
from pinebench.syntax import parse
from pinebench.syntax.layout import INDENT_WIDTH


def layout(view: ScriptView, style: FormatStyle, span: Span | None = None) -> list[Edit]:
    """Return the edits that format the script by Pine's style guide, or only the lines that `span` touches.

    Top-level statements with syntax errors stay as they are. There are no edits if the script is already formatted, or
    if formatting only these lines could change the script's meaning.
    """
    return _layout(view.text, style, span)


def why_unchanged(view: ScriptView, style: FormatStyle, span: Span | None = None) -> str:
    """Return the reason why `layout` has no edits, although the script (or the part `span`) is not formatted. Empty if
    it is formatted."""
    if span is not None and _touched(_edits(view.text, style), span):
        return "formatting only these lines could change the script's meaning"
    whole = format_text(view.text, style)
    if span is not None and whole.broken and not _has_faults(view.text, span):
        return ""  # the errors are in other lines
    return whole.reason or ""


def _edits(text: str, style: FormatStyle) -> list[Edit]:
    """The edits that format `text`, without its statements that have syntax errors."""
    result = format_text(text, style, in_parts=True).text
    return edits_between(text, result) if result != text else []


def _touched(edits: list[Edit], span: Span) -> list[Edit]:
    return [edit for edit in edits if edit.span.start < span.end and edit.span.end > span.start]


def _layout(text: str, style: FormatStyle, span: Span | None) -> list[Edit]:
    edits = _edits(text, style)
    if span is None:
        return edits
    edits = _touched(edits, span)
    return edits if _is_sound(text, edits, style) else []


_BODIES = ("na", "true => na", "int x", "x")
"""A line for the body of each kind of block."""


def layout_finished_line(view: ScriptView, style: FormatStyle, offset: int) -> list[Edit]:
    """Return the edits that format the line before the line at `offset`. Editors call this after the user presses
    Enter. A line that opens a block has no body yet, so the new line is indented for it. No other line changes."""
    text = view.text
    start = text.rfind("\n", 0, offset) + 1
    if not start:
        return []
    line = Span(text.rfind("\n", 0, start - 1) + 1, start)
    end = text.find("\n", start)
    end = end if end >= 0 else len(text)
    opened = _with_body(text, line, Span(start, end))
    if opened is None:
        return _of_line(text, style, line)
    indent = " " * (_indent(text[line.start : line.end]) + INDENT_WIDTH)
    blank = Span(start, end - text[start:end].endswith("\r"))
    indented = [] if text[blank.start : blank.end] == indent else [Edit(blank, indent)]
    return [*_of_line(opened, style, line), *indented]


def _of_line(text: str, style: FormatStyle, line: Span) -> list[Edit]:
    """Return the edit that formats one line, if it keeps the number of lines."""
    return [each for each in _layout(text, style, line) if each.span == line and each.text.count("\n") == 1]


def _with_body(text: str, line: Span, below: Span) -> str | None:
    """Return the script with a body for the block that `line` opens, in place of the blank line `below`. Return None if
    the line opens no block, or if the line below is not blank."""
    if text[below.start : below.end].strip() or not text[line.start : line.end].strip():
        return None
    if not _has_faults(text, Span(line.start, line.start)):
        return None
    indent = " " * (_indent(text[line.start : line.end]) + INDENT_WIDTH)
    tried = (f"{text[: below.start]}{indent}{body}{text[below.end :]}" for body in _BODIES)
    return next((each for each in tried if not _has_faults(each, Span(line.start, line.start))), None)


def _has_faults(text: str, span: Span) -> bool:
    """Whether a top-level statement that `span` touches has a syntax error."""
    snapshot = parse(text)
    start, end = snapshot.chunk_at(span.start).start, snapshot.chunk_at(max(span.start, span.end - 1)).end
    errors = (each for each in snapshot.diagnostics if each.severity is Severity.ERROR)
    return any(start <= each.span.start <= end for each in errors)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def edits_between(text: str, result: str) -> list[Edit]:
    """Return the edits of whole lines that turn `text` into `result`. Equal lines are not changed."""
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


def _is_sound(text: str, edits: list[Edit], style: FormatStyle) -> bool:
    """Return whether formatting only some lines keeps the meaning: the fully formatted script must be the same before
    and after."""
    from pinebench.syntax.edits import apply_edits

    changed = apply_edits(text, edits)
    return format_text(changed, style, in_parts=True).text == format_text(text, style, in_parts=True).text
