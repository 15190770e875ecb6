"""Splits a script into the parts of its layout: lines of code with their rows, comments, and blank lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from pinebench.formatting.same import LAYOUT
from pinebench.formatting.token_spacing import space_before
from pinebench.patterns import lazy_pattern
from pinebench.syntax.layout import INDENT_WIDTH
from pinebench.syntax.scanner import Scan

_BREAK = lazy_pattern(r"\r\n|\r|\n")
_SWITCH = lazy_pattern(r"//[ \t]*format:[ \t]*(off|on)[ \t]*$")
MOST_BLANK = 2
"""The largest number of blank lines in a row that are kept."""


@dataclass(slots=True)
class Word:
    """A token in its row.

    `column` is its old column (None after it moved to another row), and `gap` the old number of blanks before it.
    `space` is the new number of blanks, and `pad` the blanks added for alignment.
    """

    kind: str
    text: str
    column: int | None
    gap: int
    space: int
    pad: int = 0

    @property
    def width(self) -> int:
        """The number of columns for the word and the blanks before it."""
        return self.space + self.pad + len(self.text)


def width_of(words: Sequence[Word]) -> int:
    """Return the number of columns for words and the blanks before each one."""
    return sum([word.space + word.pad + len(word.text) for word in words])


@dataclass(slots=True)
class FormatRow:
    """One physical line of a statement. A comment on a line of its own is a row without words.

    `last` differs from `first` if the row ends in a multi-line string. `indent` is the new column of its start.
    """

    first: int
    last: int
    words: list[Word]
    column: int | None
    indent: int = 0
    comment: str = ""
    comment_column: int | None = None
    comment_gap: int = 0
    comment_pad: int = 0


@dataclass(slots=True)
class FormatLine:
    """A logical line of code, with the depth of its block. `column` is its start before formatting."""

    depth: int
    rows: list[FormatRow]
    column: int
    verbatim: tuple[str, ...] | None = None

    @property
    def first(self) -> int:
        """The number of the logical line's first physical line."""
        return self.rows[0].first

    @property
    def last(self) -> int:
        """The number of the logical line's last physical line."""
        return self.rows[-1].last


@dataclass(slots=True)
class LoneLine:
    """A comment on a line of its own, or a blank line, whose `text` is empty."""

    first: int
    text: str
    column: int
    indent: int = 0
    verbatim: tuple[str, ...] | None = None

    @property
    def last(self) -> int:
        """The number of the comment's line, which is also its first line."""
        return self.first


Item = FormatLine | LoneLine


def items_of(text: str, scans: Sequence[Scan], broken: Sequence[Scan] = ()) -> list[Item]:
    """Return the parts of the script `text`, in order, without blank lines at both ends.

    `scans` are its scanned chunks (top-level statements). The lines of `broken` chunks stay as they are.
    """
    page = _Page(text)
    items = page.items([each for each in scans if each not in broken])
    items = sorted([*items, *filter(None, map(page.untouched, broken))], key=lambda item: item.first)
    _place_remarks(items)
    _keep_switched_off(items, page.texts)
    return _with_blanks(items)


@dataclass(slots=True)
class _Page:
    text: str
    starts: list[int] = field(default_factory=list[int])
    texts: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        text = self.text
        ends = [(found.start(), found.end()) for found in _BREAK.finditer(text)]
        self.starts = [0, *(end for _, end in ends)]
        stops = [*(start for start, _ in ends), len(text)]
        self.texts = [text[start:stop] for start, stop in zip(self.starts, stops, strict=True)]
        self.texts[0] = self.texts[0].removeprefix("\ufeff")

    def items(self, scans: Sequence[Scan]) -> list[Item]:
        found: list[Item] = []
        for scanned in scans:
            offset = scanned.offset
            comments = [(offset + start, offset + end) for start, end in scanned.comments]
            found += self._lines(offset, scanned.types, scanned.tokens, comments)
        found.sort(key=lambda item: item.first)
        return found

    def untouched(self, scanned: Scan) -> FormatLine | None:
        """The lines of a chunk as one item that stays as it is; None if they are blank."""
        first, last = self._number(scanned.offset), self._number(min(scanned.end, len(self.text)) - 1)
        while first <= last and not self.texts[first].strip():
            first += 1
        while last >= first and not self.texts[last].strip():
            last -= 1
        if first > last:
            return None
        return FormatLine(0, [FormatRow(first, last, [], 0)], 0, tuple(self.texts[first : last + 1]))

    def _lines(
        self, offset: int, types: list[str], tokens: list[tuple[int, int, str]], comments: list[tuple[int, int]]
    ) -> list[Item]:
        lines: list[FormatLine] = []
        depth = 0
        pending: list[tuple[str, int, int, str]] = []
        for kind, (start, end, text) in zip(types, tokens, strict=True):
            if kind not in LAYOUT:
                pending.append((kind, offset + start, offset + end, text))
                continue
            if pending:
                lines.append(self._line(depth, pending))
                pending = []
            depth += (kind == "INDENT") - (kind == "DEDENT")
        return [*lines, *self._remarks(lines, comments)]

    def _line(self, depth: int, tokens: list[tuple[str, int, int, str]]) -> FormatLine:
        rows: list[FormatRow] = []
        before: list[str] = []
        words: list[Word] = []
        next_line = end_before = -1
        shift = 0
        for kind, start, end, text in tokens:
            if start >= next_line:
                number = self._number(start)
                next_line = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text) + 1
                shift = self._column(start) - start
                if not rows or number != rows[-1].last:
                    words = []
                    rows.append(FormatRow(number, number, words, start + shift))
            if words:
                words.append(Word(kind, text, start + shift, start - end_before, space_before(before, kind)))
            else:
                words.append(Word(kind, text, start + shift, 0, 0))
            if "\n" in text or "\r" in text:
                rows[-1].last = self._number(end - 1)
                next_line = -1
            before.append(kind)
            end_before = end
        return FormatLine(depth, rows, rows[0].column or 0)

    def _remarks(self, lines: list[FormatLine], comments: list[tuple[int, int]]) -> list[LoneLine]:
        """The comments between lines of code. The other comments are added to their lines."""
        remarks: list[LoneLine] = []
        rows = {row.last: row for line in lines for row in line.rows}
        for start, end in comments:
            number, column = self._number(start), self._column(start)
            text = self.text[start:end].rstrip()
            row = rows.get(number)
            if row is not None:
                row.comment, row.comment_column = text, column
                code = self.text[self.starts[number] : start]
                row.comment_gap = len(code) - len(code.rstrip())
                continue
            inside = next((line for line in lines if line.first < number < line.last), None)
            if inside is None:
                remarks.append(LoneLine(number, text, column))
            else:
                inside.rows.append(FormatRow(number, number, [], column, comment=text, comment_column=column))
                inside.rows.sort(key=lambda row: row.first)
        return remarks

    def _number(self, offset: int) -> int:
        return bisect_right(self.starts, offset) - 1

    def _column(self, offset: int) -> int:
        """The number of columns before `offset` on its line. A tab counts as four."""
        start = self.starts[self._number(offset)]
        before = self.text[start:offset].removeprefix("\ufeff")
        return len(before) + (INDENT_WIDTH - 1) * before.count("\t")


def _place_remarks(items: list[Item]) -> None:
    """Indent each comment like the line below it, or like the block above that it was indented with."""
    columns: list[int] = []
    above = -1
    after: list[int] = [0] * len(items)
    below = 0
    for index in range(len(items) - 1, -1, -1):
        item = items[index]
        after[index] = below
        if isinstance(item, FormatLine):
            below = item.depth
    for index, item in enumerate(items):
        if isinstance(item, FormatLine):
            del columns[item.depth :]
            columns += [item.column] * (item.depth + 1 - len(columns))
            above = item.depth
            continue
        depth = after[index]
        for deeper in range(above, depth, -1):
            if columns[deeper] <= item.column:
                depth = deeper
                break
        item.indent = depth * INDENT_WIDTH


def _keep_switched_off(items: list[Item], texts: list[str]) -> None:
    """Mark the items from `// format: off` to `// format: on`, which stay as they are."""
    off = False
    for item in items:
        switch = _SWITCH.match(item.text) if isinstance(item, LoneLine) else None
        if off or switch:
            item.verbatim = tuple(texts[item.first : item.last + 1])
        if switch:
            off = switch[1] == "off"


def _with_blanks(items: list[Item]) -> list[Item]:
    spaced: list[Item] = []
    off = False
    for item in items:
        if spaced:
            missing = item.first - spaced[-1].last - 1
            kept = missing if off else min(missing, MOST_BLANK)
            spaced += [LoneLine(item.first - kept + index, "", 0) for index in range(kept)]
        switch = _SWITCH.match(item.text) if isinstance(item, LoneLine) else None
        if switch:
            off = switch[1] == "off"
        spaced.append(item)
    return spaced
