"""Keeps columns lined up that were: words and comments below each other, where somebody put blanks to get them so."""

from __future__ import annotations

from collections.abc import Iterator

from pinebench.formatting.items import Line, Row, width_of

_SIGNS = frozenset(("ASSIGN", "REASSIGN", "ARROW", "QUESTION", "COLON", "OPERATOR", "SIGN"))
"""Only like stands below like: signs below signs of their kind, values below values."""
_STRUCTURES = frozenset(("IF", "ELSE", "FOR", "WHILE", "SWITCH", "ONCE", "TYPE", "ENUM", "IMPORT"))
"""Nobody lines up the parts of a structure's head with those of a declaration: they meet by chance."""
_SEPARATORS = _SIGNS | {"COMMA", "LPAR", "LSQB"}
_Column = tuple[int, str, str, str]
"""Where a word stood, its own kind, the kind of what stands before it, and the structure that its row begins."""
_ROUNDS = 2
"""Lining up moves what rows are hung from, and the other way round."""


def line_up(lines: list[Line]) -> Iterator[None]:
    """Set how many blanks words and comments get to stay below their like; yields when rows must be placed anew."""
    groups = [group for stretch in _stretches(lines) if _is_wide(stretch) for group in _groups(stretch)]
    for _ in range(_ROUNDS if groups else 0):
        for row, index in (member for group in groups for member in group):
            _set_pad(row, index, 0)
        for members in groups:
            columns = [_column(row, index) for row, index in members]
            for (row, index), column in zip(members, columns, strict=True):
                _set_pad(row, index, max(columns) - column)
        yield


def _stretches(lines: list[Line]) -> Iterator[list[Line]]:
    """Statements that follow each other without a line between them."""
    stretch: list[Line] = []
    for line in lines:
        if stretch and line.first > stretch[-1].last + 1:
            yield stretch
            stretch = []
        stretch.append(line)
    if stretch:
        yield stretch


def _is_wide(lines: list[Line]) -> bool:
    """Whether there are more blanks somewhere than needed."""
    return any(gap > 1 for line in lines for row in line.rows for _, _, gap in _places(row))


def _rows(lines: list[Line]) -> tuple[list[Row], list[list[int]]]:
    """The rows of code, and for each the numbers of those that it stands below.

    That is the row on the line before, and for the first row of a statement the first row of the statement before.
    """
    rows: list[Row] = []
    above: list[list[int]] = []
    statement = -1
    for line in lines:
        for number, row in enumerate(line.rows):
            near = [len(rows) - 1] if rows and row.first <= rows[-1].last + 1 and rows[-1].words else []
            if number == 0:
                if statement >= 0:
                    near.append(statement)
                statement = len(rows)
            rows.append(row)
            above.append(near)
    return rows, above


def _groups(lines: list[Line]) -> list[list[tuple[Row, int]]]:
    """Words, and comments as the words behind the last, that stood in one column of rows below each other.

    At least one of them must have had more blanks before it than it needs. From left to right.
    """
    rows, above = _rows(lines)
    group_at: list[dict[_Column, list[tuple[int, int]]]] = []
    wide: set[int] = set()
    every: dict[int, tuple[_Column, list[tuple[int, int]]]] = {}
    for number, row in enumerate(rows):
        here: dict[_Column, list[tuple[int, int]]] = {}
        group_at.append(here)
        for index, column, gap in _places(row):
            group: list[tuple[int, int]] | None = None
            for near in above[number]:
                other = group_at[near].get(column)
                if other is None or other is group:
                    continue
                if group is None:
                    group = other
                else:
                    group += other
                    for member, _ in other:
                        group_at[member][column] = group
                    if id(other) in wide:
                        wide.add(id(group))
                    every.pop(id(other), None)
            if group is None:
                group = []
                every[id(group)] = (column, group)
            group.append((number, index))
            here[column] = group
            if gap > 1:
                wide.add(id(group))
    kept = [entry for key, entry in every.items() if key in wide and len(entry[1]) > 1]
    kept.sort(key=lambda entry: entry[0])
    return [[(rows[number], index) for number, index in members] for _, members in kept]


def _places(row: Row) -> Iterator[tuple[int, _Column, int]]:
    """For each word behind the first, and the comment: its number, where it stood and the blanks before it."""
    words = row.words
    structure = words[0].kind if words and words[0].kind in _STRUCTURES else ""
    for index, word in enumerate(words[1:], 1):
        if word.column is not None and word.space:
            kind = word.kind if word.kind in _SIGNS else ""
            before = words[index - 1].kind
            yield index, (word.column, kind, before if before in _SEPARATORS else "", structure), word.gap
    if row.comment and words and row.comment_column is not None:
        yield len(words), (row.comment_column, "comment", "", ""), row.comment_gap


def _set_pad(row: Row, index: int, pad: int) -> None:
    if index < len(row.words):
        row.words[index].pad = pad
    else:
        row.comment_pad = pad


def _column(row: Row, index: int) -> int:
    """Where the word of that number would stand without a pad of its own."""
    return row.indent + width_of(row.words[:index]) + (row.words[index].space if index < len(row.words) else 1)
