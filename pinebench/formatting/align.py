"""Keeps alignment: words and comments that somebody aligned below each other with blanks."""

from __future__ import annotations

from collections.abc import Iterator

from pinebench.formatting.items import FormatLine, FormatRow, width_of

_SIGNS = frozenset(("ASSIGN", "REASSIGN", "ARROW", "QUESTION", "COLON", "OPERATOR", "SIGN"))
"""Kinds that only align with their own kind: signs with signs, values with values."""
_STRUCTURES = frozenset(("IF", "ELSE", "FOR", "WHILE", "SWITCH", "ONCE", "TYPE", "ENUM", "IMPORT"))
"""Structures whose first line does not align with declarations: equal columns there are a coincidence."""
_SEPARATORS = _SIGNS | {"COMMA", "LPAR", "LSQB"}
_Column = tuple[int, str, str, str]
"""The original column of a word, its kind, the kind of the word before it, and the structure that its row starts."""
_ROUNDS = 2
"""The number of passes: aligning moves the columns that continuation rows depend on, and the other way round."""


def line_up(lines: list[FormatLine]) -> Iterator[None]:
    """Set the padding that keeps words and comments aligned. Yield whenever the caller must place the rows again."""
    groups = [group for stretch in _stretches(lines) if _is_wide(stretch) for group in _groups(stretch)]
    for _ in range(_ROUNDS if groups else 0):
        for row, index in (member for group in groups for member in group):
            _set_pad(row, index, 0)
        for members in groups:
            columns = [_column(row, index) for row, index in members]
            for (row, index), column in zip(members, columns, strict=True):
                _set_pad(row, index, max(columns) - column)
        yield


def _stretches(lines: list[FormatLine]) -> Iterator[list[FormatLine]]:
    """Yield the runs of statements without a line between them."""
    stretch: list[FormatLine] = []
    for line in lines:
        if stretch and line.first > stretch[-1].last + 1:
            yield stretch
            stretch = []
        stretch.append(line)
    if stretch:
        yield stretch


def _is_wide(lines: list[FormatLine]) -> bool:
    """Whether there are more blanks than needed at some place."""
    return any(gap > 1 for line in lines for row in line.rows for _, _, gap in _places(row))


def _rows(lines: list[FormatLine]) -> tuple[list[FormatRow], list[list[int]]]:
    """The rows of code, and for each row the numbers of the rows that it aligns with.

    These are the row on the previous line, and, for the first row of a statement, the first row of the previous
    statement.
    """
    rows: list[FormatRow] = []
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


def _groups(lines: list[FormatLine]) -> list[list[tuple[FormatRow, int]]]:
    """Groups of words that were in one column of successive rows, from left to right. A comment counts as a row's
    last word.

    At least one word of each group had more blanks before it than needed.
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
                        wide.remove(id(other))  # the list is freed, and a new one may have its id
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


def _places(row: FormatRow) -> Iterator[tuple[int, _Column, int]]:
    """Yield each word after the first, and the comment: its number, its column and the blanks before it."""
    words = row.words
    structure = words[0].kind if words and words[0].kind in _STRUCTURES else ""
    for index, word in enumerate(words[1:], 1):
        if word.column is not None and word.space:
            kind = word.kind if word.kind in _SIGNS else ""
            before = words[index - 1].kind
            yield index, (word.column, kind, before if before in _SEPARATORS else "", structure), word.gap
    if row.comment and words and row.comment_column is not None:
        yield len(words), (row.comment_column, "comment", "", ""), row.comment_gap


def _set_pad(row: FormatRow, index: int, pad: int) -> None:
    if index < len(row.words):
        row.words[index].pad = pad
    else:
        row.comment_pad = pad


def _column(row: FormatRow, index: int) -> int:
    """The column of word number `index` without its padding."""
    return row.indent + width_of(row.words[:index]) + (row.words[index].space if index < len(row.words) else 1)
