"""Places the rows of a statement, and splits rows that are too long."""

from __future__ import annotations

from pinebench.formatting.items import FormatLine, FormatRow, Word, width_of
from pinebench.formatting.token_spacing import is_unary
from pinebench.records import NamedTuple
from pinebench.syntax.layout import INDENT_WIDTH

_OPENERS = frozenset(("LPAR", "LSQB", "TUPLE_OPEN"))
_CLOSERS = frozenset(("RPAR", "RSQB"))
_BRACKETS = _OPENERS | _CLOSERS
_WRAP = 5
"""The indentation of a continued row. It is not a multiple of four, which would make the row a block."""
_WHOLE = frozenset(("IMPORT", "FOR"))
"""Statements that start with one of these are never split."""
_LAST_RESORT = 1000
"""More brackets than ever occur."""


class _Bracket(NamedTuple):
    """An open bracket: the old and new column of the word after it, and the indentation of the bracket's row."""

    was: int | None
    goes: int
    indent: int


def place_rows(line: FormatLine) -> None:
    """Set the indentation of each row of `line`.

    A row that was aligned with the word after its open bracket stays aligned. Other rows are indented by five spaces,
    and by four more for each further bracket. A row that starts with a closing bracket is indented like the row of its
    opening bracket.
    """
    base = line.depth * INDENT_WIDTH
    line.rows[0].indent = base
    if len(line.rows) == 1:
        return
    opened: list[_Bracket] = []
    for number, row in enumerate(line.rows):
        if number:
            row.indent = _indent(row, base, opened)
        _open_and_close(row, opened)


def _indent(row: FormatRow, base: int, opened: list[_Bracket]) -> int:
    closed = 0
    while closed < min(len(opened), len(row.words)) and row.words[closed].kind in _CLOSERS:
        closed += 1
    if closed:
        return opened[-closed].indent
    if opened and row.column is not None and opened[-1].was == row.column:
        return opened[-1].goes
    return base + _WRAP + INDENT_WIDTH * max(len(opened) - 1, 0)


def _open_and_close(row: FormatRow, opened: list[_Bracket]) -> None:
    column = row.indent
    words = row.words
    for index, word in enumerate(words):
        column += word.width
        if word.kind not in _BRACKETS:
            continue
        if word.kind in _CLOSERS:
            if opened:
                opened.pop()
        elif index + 1 < len(words):
            opened.append(_Bracket(words[index + 1].column, column + words[index + 1].pad, row.indent))
        else:
            opened.append(_Bracket(None, 0, row.indent))


def part_rows(line: FormatLine, width: int) -> None:
    """Split the rows of `line` whose code is wider than `width`, as far as possible.

    A row is split inside as few brackets as possible, at the last such position in the row.
    """
    if line.rows[0].words[0].kind in _WHOLE or all(_fits(row, width) for row in line.rows):
        return
    rows: list[FormatRow] = []
    depth = 0
    before: list[str] = []
    for row in line.rows:
        rest, indent = row, row.indent
        while rest.words:
            cut = _place(rest.words, width - indent, depth, before)
            piece, rest = _cut(rest, cut)
            rows.append(piece)
            depth += sum((word.kind in _OPENERS) - (word.kind in _CLOSERS) for word in piece.words)
            before += [word.kind for word in piece.words]
            indent = line.depth * INDENT_WIDTH + _WRAP + INDENT_WIDTH * max(depth - 1, 0)
        if not row.words:
            rows.append(row)
    line.rows = rows
    place_rows(line)


def _fits(row: FormatRow, width: int) -> bool:
    return row.indent + width_of(row.words) <= width


def _cut(row: FormatRow, place: int) -> tuple[FormatRow, FormatRow]:
    """Split `row` after its first `place` words. The rest becomes a row of its own."""
    rest = row.words[place:]
    if not rest:
        return row, FormatRow(row.first, row.last, [], None)
    for word in rest:
        word.column, word.gap = None, 1
    rest[0].space = 0
    behind = FormatRow(row.first, row.last, rest, None, comment=row.comment)
    return FormatRow(row.first, row.last, row.words[:place], row.column), behind


def _place(words: list[Word], room: int, depth: int, before: list[str]) -> int:
    """The number of words before the split. All of them if they fit into `room` or cannot be split."""
    if room >= width_of(words) or any("\n" in word.text or "\r" in word.text for word in words):
        return len(words)
    used = 0
    found: dict[int, int] = {}
    kinds = list(before)
    for index, word in enumerate(words[:-1], 1):
        used += word.width
        if used > room:
            break
        depth += (word.kind in _OPENERS) - (word.kind in _CLOSERS)
        if _may_end(word, kinds, depth):
            # directly after a bracket is the worst place: it leaves the shortest row
            found[depth + _LAST_RESORT * (word.kind in _OPENERS)] = index
        kinds.append(word.kind)
    return found[min(found)] if found else len(words)


def _may_end(word: Word, before: list[str], depth: int) -> bool:
    """Whether a row may end with `word`, which is inside `depth` brackets."""
    if word.kind == "COMMA":
        return depth > 0
    if word.kind == "SIGN":
        return not is_unary(before)
    return word.kind in ("OPERATOR", "QUESTION", "COLON", "LPAR")


def printed(line: FormatLine) -> list[str]:
    """Return the rows of `line` as text. A row with a multi-line string contains line breaks."""
    return [_printed(row) for row in line.rows]


def _printed(row: FormatRow) -> str:
    if not row.words:
        return " " * row.indent + row.comment
    first, *rest = row.words
    code = " " * row.indent + first.text + "".join(" " * (word.space + word.pad) + word.text for word in rest)
    return f"{code}{' ' * (1 + row.comment_pad)}{row.comment}" if row.comment else code
