"""Edits on the tree: replace, remove or wrap nodes, or insert statements next to them, and keep the text around them.

All requested changes are collected first and converted to text edits together, so that several changes of one statement
are combined correctly. Comments are never lost: a comment inside a removed part moves to a line of its own before the
statement. Overlapping changes are refused, and so is a change that would leave a block empty.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import accumulate
from operator import methodcaller

from pinebench.diagnostics import Edit, Span
from pinebench.patterns import lazy_pattern
from pinebench.records import NamedTuple
from pinebench.syntax import nodes
from pinebench.syntax.build import PRECEDENCE
from pinebench.syntax.document import parse
from pinebench.syntax.layout import can_begin_statement
from pinebench.syntax.nodes import Node
from pinebench.syntax.snapshot import Snapshot
from pinebench.syntax.source import Chunk
from pinebench.syntax.walk import LEAVES, slots, walk

INDENT = "    "
"""One level of indentation. In a script that indents with tabs it is one tab."""

_LINE_LISTS = frozenset(("body", "otherwise", "cases", "fields"))
"""The lists whose items are on lines of their own, or on one line with commas between them."""
_COMMA_LISTS = frozenset(("arguments", "items", "parameters", "names"))
"""The lists whose items are inside brackets, with commas between them."""
_MAY_BE_EMPTY = ((nodes.Call, "arguments"), (nodes.FunctionDeclaration, "parameters"))
_TERNARY, _UNARY, _CLOSED = 0, 1 + max(PRECEDENCE.values()), 2 + max(PRECEDENCE.values())
"""The precedence of expressions that are not binary operations, on the scale of `PRECEDENCE`."""
_HELD: dict[tuple[type[Node], str], int] = {
    (nodes.Unary, "operand"): _UNARY,
    (nodes.Ternary, "condition"): _TERNARY + 1,
    (nodes.Member, "object"): _CLOSED,
    (nodes.History, "object"): _CLOSED,
    (nodes.Call, "callee"): _CLOSED,
    **{(kind, "condition"): _CLOSED for kind in nodes.ONE_TIME},
}
"""The lowest precedence that an expression needs in each place to be used without parentheses. A condition of `once`
needs the highest, because `once` before a sign is read as a name."""

_WORD = lazy_pattern(r"[\w.#]")


_ASKED = ("_replaced", "_removed", "_wrapped", "_blocks", "_inserted", "_touched", "_gone")
"""The names of the attributes that hold the requested changes."""


class EditError(ValueError):
    """Raised for a change that is impossible: it overlaps with another one, or would not leave a valid script."""


class _Place(NamedTuple):
    """The place of a node: its span in the text, its chunk, its parent, the attribute of the parent that holds it,
    and the list of its siblings if it is in one."""

    span: Span
    chunk: Chunk
    parent: Node | None
    slot: str
    siblings: list[Node] | None

    @property
    def on_lines(self) -> bool:
        """Whether the node is an item of a list whose items are on lines of their own."""
        return self.siblings is not None and self.slot in _LINE_LISTS


class _TextEdit(NamedTuple):
    """An edit of the text. `order` decides the order of insertions at the same place."""

    start: int
    end: int
    order: tuple[int, int, int]
    text: str


class TreeEdits:
    """Collects changes on the tree of one snapshot.

    Every method raises EditError if its change overlaps with an earlier one, and KeyError for a node of another tree.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._text = snapshot.text
        self._comments = snapshot.comments
        self._places = _NodePlaces(snapshot)
        self._end = len(self._text) + 1
        self._replaced: dict[int, tuple[Node, str]] = {}
        self._removed: dict[int, Node] = {}
        self._wrapped: list[tuple[Node, str, str]] = []
        self._blocks: list[tuple[Node, str]] = []
        self._inserted: list[tuple[Node, bool, str]] = []
        self._touched: list[tuple[int, int, bool]] = []
        self._gone: list[tuple[int, int, int]] = []
        match = re.search(r"\r\n?|\n", self._text)
        self._newline = match[0] if match else "\n"

    def fresh(self) -> TreeEdits:
        """Return an empty collection of changes for the same snapshot. It is cheaper than a new `TreeEdits`."""
        fresh = TreeEdits.__new__(TreeEdits)
        fresh.__dict__.update(self.__dict__)
        fresh._replaced, fresh._removed = {}, {}
        fresh._wrapped, fresh._blocks, fresh._inserted = [], [], []
        fresh._touched, fresh._gone = [], []
        return fresh

    def look_at(self, offset: int) -> None:
        """Index the nodes of the top-level statement at `offset`, to find them without a search of the whole tree."""
        self._places.add(self._snapshot.chunk_at(offset))

    # changes that can be requested

    def span(self, node: Node) -> Span:
        """Return the span of `node` in the text."""
        return self._places[id(node)].span

    def line_with(self, node: Node) -> list[Node]:
        """Return the statements on the same line as the statement `node`. Raises EditError if they do not begin the
        line."""
        if not self._places[id(node)].on_lines:
            raise EditError(f"a {type(node).__name__} is not on a line")
        line = self._run(node)
        if not self._begins_line(line[0]):
            raise EditError("the statements do not begin their line")
        return line

    def replace(self, node: Node, text: str) -> None:
        """Replace `node` by `text`. An expression gets parentheses if it would be parsed differently without them.
        `text` has no indentation if it is a statement."""
        self._refuse_link(node)
        self._require_free(node)
        self._replaced[id(node)] = node, text
        self._touch(node, goes=True)

    def remove(self, node: Node) -> None:
        """Remove a statement, a case of a switch, a field, an argument, a parameter or an item of a tuple."""
        place = self._places[id(node)]
        if not place.on_lines and (place.siblings is None or place.slot not in _COMMA_LISTS):
            raise EditError(f"a {type(node).__name__} that is not in a list cannot be removed")
        self._refuse_link(node)
        self._require_free(node)
        self._removed[id(node)] = node
        self._touch(node, goes=True)

    def insert_before(self, node: Node, text: str) -> None:
        """Insert the statement `text` (lines without indentation) before the statement `node` and after the comments
        above it."""
        self._insert(node, text, after=False)

    def insert_after(self, node: Node, text: str) -> None:
        """Insert the statement `text` (lines without indentation) after the statement `node`."""
        self._insert(node, text, after=True)

    def wrap(self, node: Node, before: str, after: str) -> None:
        """Put `before` and `after` around an expression, as in `na(`, `)`. A later wrap goes around an earlier one."""
        self._require_kept(node)
        self._wrapped.append((node, before, after))
        self._touch(node)

    def wrap_in_block(self, node: Node, header: str) -> None:
        """Make the statement `node` the block of `header`, as in `if close > open`."""
        self._require_kept(node)
        if (
            not self._places[id(node)].on_lines
            or not self._alone(node)
            or any(node is other for other, _ in self._blocks)
        ):
            raise EditError("only a statement that has its lines to itself can become a block, and once")
        if getattr(node, "exported", False):
            raise EditError("an export must not be in a block")
        self._blocks.append((node, header))
        self._touch(node)

    def attempt(self, ask: Callable[[TreeEdits], object]) -> None:
        """Make all the changes that `ask` requests, or none: if one of them is impossible, undo all of them and raise
        its EditError."""
        before = {name: self.__dict__[name].copy() for name in _ASKED}
        try:
            ask(self)
            if len(self._removed) != len(before["_removed"]):
                self._require_blocks()
        except EditError:
            self.__dict__.update(before)
            raise

    def merge(self, other: TreeEdits) -> None:
        """Add all changes of `other`, which must be on the same snapshot, or none of them."""
        if other._snapshot is not self._snapshot:
            raise EditError("the edits belong to another text")
        self.attempt(other._ask_of)

    def _ask_of(self, another: TreeEdits) -> None:
        for node, text in self._replaced.values():
            another.replace(node, text)
        for node in self._removed.values():
            another.remove(node)
        for node, is_after, text in self._inserted:
            another._insert(node, text, after=is_after)
        for node, before, after in self._wrapped:
            another.wrap(node, before, after)
        for node, header in self._blocks:
            another.wrap_in_block(node, header)

    def edits(self) -> tuple[Edit, ...]:
        """Return the requested changes as text edits, in text order. Raises EditError if a block would be empty.
        Adjacent changes become one edit, so that the order of edits at the same place never matters."""
        self._require_blocks()
        found: list[Edit] = []
        for start, end, _, text in sorted(self._pieces(), key=lambda piece: (piece.start, piece.order)):
            if found and found[-1].span.end == start:
                before = found.pop()
                start, text = before.span.start, before.text + text
            found.append(Edit(Span(start, end), text))
        return tuple(found)

    # overlaps

    def _refuse_link(self, node: Node) -> None:
        if self._places[id(node)].slot == "otherwise" and isinstance(node, nodes.If) and not self._begins_line(node):
            raise EditError("an 'else if' cannot be removed alone")

    def _require_free(self, node: Node) -> None:
        """Raise EditError if a change was requested inside `node`, or if `node` is removed or replaced by another
        change."""
        self._require_kept(node)
        span = self.span(node)
        for at in range(bisect_left(self._touched, (span.start,)), len(self._touched)):
            start, end, is_beside = self._touched[at]
            if start > span.end:
                break
            # An insertion next to a statement is also next to the expression that the statement consists of.
            if end <= span.end and not (is_beside and (start, end) == span):
                raise EditError("a part of this is already changed")

    def _require_kept(self, node: Node, *, beside: bool = False) -> None:
        """Raise EditError if a removed or replaced node contains `node`. Such nodes do not overlap with each other."""
        span = self.span(node)
        at = bisect_right(self._gone, (span.start, self._end)) - 1
        for start, end, number in self._gone[max(at - 1, 0) : at + 1]:
            if start <= span.start and span.end <= end and not (beside and number == id(node)):
                raise EditError("this part of the script has already been removed or replaced")

    def _touch(self, node: Node, *, goes: bool = False, beside: bool = False) -> None:
        start, end = self.span(node)
        insort(self._touched, (start, end, beside))
        if goes:
            insort(self._gone, (start, end, id(node)))

    def _insert(self, node: Node, text: str, *, after: bool) -> None:
        place = self._places[id(node)]
        if not place.on_lines or not self._alone(node):
            raise EditError("a statement cannot be added next to this one, because it shares its line with other code")
        self._require_kept(node, beside=True)
        self._inserted.append((node, after, text))
        self._touch(node, beside=True)

    def _require_blocks(self) -> None:
        """Raise EditError if all items of a list are removed that must not be empty."""
        for node in self._removed.values():
            _, _, parent, slot, siblings = self._places[id(node)]
            if parent is None or (type(parent), slot) in _MAY_BE_EMPTY or siblings is None:
                continue
            beside = any(other in siblings for other, _, _ in self._inserted)
            if not beside and all(id(other) in self._removed for other in siblings):
                raise EditError(f"the {slot} of this {type(parent).__name__} would be empty")

    # conversion to text edits

    def _pieces(self) -> Iterator[_TextEdit]:
        runs: dict[int, list[Node]] = {}
        for node in self._removed.values():
            run = self._run(node)
            runs.setdefault(id(run[0]), run)
        gone: list[Span] = []
        for run in runs.values():
            for piece in self._without_removed(run):
                gone.append(Span(piece.start, piece.end))
                yield piece
        for node, text in self._replaced.values():
            start, end = self.span(node)
            gone.append(Span(start + 1, end))
            yield from self._replacement(node, text)
        for number, (node, before, after) in enumerate(self._wrapped):
            start, end = self.span(node)
            yield _TextEdit(start, start, (2, start - end, -number), self._apart(start, start, before))
            yield _TextEdit(end, end, (-1, end - start, number), after)
        for number, (node, is_after, text) in enumerate(self._inserted):
            yield self._insertion(node, is_after, text, number)
        for node, header in self._blocks:
            yield from self._block(node, header, gone)

    def _replacement(self, node: Node, text: str) -> Iterator[_TextEdit]:
        start, end = self.span(node)
        place = self._places[id(node)]
        if place.on_lines:
            text = self._indented(text, self._indentation(node)).lstrip(" \t")
        elif _needs_parentheses(place, text):
            text = f"({text})"
        yield _TextEdit(start, end, (3, 0, 0), self._apart(start, end, text))
        yield from self._saved(node, start, end)

    def _without_removed(self, run: list[Node]) -> Iterator[_TextEdit]:
        """Yield the edits that delete the removed items from a list whose items are separated by commas."""
        kept = [index for index, node in enumerate(run) if id(node) not in self._removed]
        if not kept and self._places[id(run[0])].on_lines:
            yield self._line_removal(run)
            return
        first_kept = kept[0] if kept else len(run)
        for index, node in enumerate(run):
            if id(node) not in self._removed:
                continue
            start, end = self.span(node)
            if index < first_kept and index + 1 < len(run):
                end = self.span(run[index + 1]).start
            elif index and kept:
                start = self.span(run[index - 1]).end
            yield _TextEdit(start, end, (3, 0, 0), "")
            yield from self._saved(node, start, end)

    def _line_removal(self, run: list[Node]) -> _TextEdit:
        """The edit that deletes whole lines and keeps the comments in them."""
        first, last = self.span(run[0]).start, self.span(run[-1]).end
        start, stop = self._line_start(first), self._line_end(last)
        end = self._after_newline(stop)
        comments = "".join(
            f"{self._indentation(run[0])}{comment}{self._newline}" for comment in self._said(start, stop)
        )
        return _TextEdit(start, end, (3, 0, 0), comments)

    def _saved(self, node: Node, start: int, end: int) -> Iterator[_TextEdit]:
        """Yield the edit that moves the comments between `start` and `end` to lines of their own, before the
        statement of `node`."""
        holder = node
        while not self._begins_line(holder) or not self._places[id(holder)].on_lines:
            parent = self._places[id(holder)].parent
            if parent is None:
                break
            holder = parent
        line = self._line_start(self.span(holder).start)
        text = "".join(f"{self._indentation(holder)}{comment}{self._newline}" for comment in self._said(start, end))
        if text:
            yield _TextEdit(line, line, (1, -1_000_000_000, start), text)

    def _said(self, start: int, end: int) -> list[str]:
        first = bisect_left(self._comments, (start, start))
        found: list[str] = []
        for comment in self._comments[first:]:
            if comment.start >= end:
                break
            found.append(self._text[comment.start : comment.end])
        return found

    def _insertion(self, node: Node, after: bool, text: str, number: int) -> _TextEdit:
        start, end = self.span(node)
        lines = self._indented(text, self._indentation(node)) + self._newline
        if not after:
            line = self._line_start(start)
            return _TextEdit(line, line, (1, start - end, number), lines)
        line = self._after_newline(self._line_end(end))
        if line == self._line_end(end):  # the last line of the text has no line break
            lines = self._newline + lines.removesuffix(self._newline)
        return _TextEdit(line, line, (0, end - start, number), lines)

    def _block(self, node: Node, header: str, gone: list[Span]) -> Iterator[_TextEdit]:
        start, end = self.span(node)
        first = self._line_start(start)
        yield _TextEdit(first, first, (1, start - end, 1_000_000), f"{self._indentation(node)}{header}{self._newline}")
        line = first
        in_strings = self._places.lines_within_strings
        level = _level(self._text[first:start])
        while line < end:
            stop = self._line_end(line)
            blank = not self._text[line:stop].strip()
            if not blank and line not in in_strings and not any(span.start <= line < span.end for span in gone):
                yield _TextEdit(line, line, (2, -1_000_000_000, 0), level)
            line = self._after_newline(stop)

    # places

    def _run(self, node: Node) -> list[Node]:
        """The list of items that contains `node`, separated by commas: all in its brackets, or the statements of its
        line."""
        _, _, _, slot, siblings = self._places[id(node)]
        assert siblings is not None
        if slot in _COMMA_LISTS:
            return siblings
        at = first = last = next(index for index, other in enumerate(siblings) if other is node)
        while first > 0 and self._joined(siblings[first - 1], siblings[first]):
            first -= 1
        while last + 1 < len(siblings) and self._joined(siblings[last], siblings[last + 1]):
            last += 1
        assert first <= at <= last
        return siblings[first : last + 1]

    def _joined(self, node: Node, following: Node) -> bool:
        between = self._text[self.span(node).end : self.span(following).start]
        return between.lstrip(" \t").startswith(",")

    def _alone(self, node: Node) -> bool:
        """Whether the lines of `node`, an item of a list, contain only it and perhaps a comment."""
        end = self.span(node).end
        rest = self._text[end : self._line_end(end)].strip()
        # An item after a comma or the body of a function may also start a line, as a continuation.
        return (
            self._begins_line(node)
            and can_begin_statement(self._indentation(node))
            and (not rest or rest.startswith("//"))
            and len(self._run(node)) == 1
        )

    def _begins_line(self, node: Node) -> bool:
        start = self.span(node).start
        return not self._text[self._line_start(start) : start].strip()

    def _indentation(self, node: Node) -> str:
        """The indentation of the line of `node`, including the blocks that are put around it."""
        start = self.span(node).start
        line = self._line_start(start)
        within = sum(
            1 for other, _ in self._blocks if other is not node and self._holds(self.span(other), self.span(node))
        )
        found = re.compile(r"[ \t]*").match(self._text, line)
        own = found[0] if found else ""
        return _level(own) * within + own

    @staticmethod
    def _holds(outer: Span, inner: Span) -> bool:
        return outer.start <= inner.start and inner.end <= outer.end

    def _indented(self, text: str, indentation: str) -> str:
        inside = _lines_within_strings(parse(text).snapshot)
        lines: list[str] = []
        position = 0
        for line in text.splitlines(keepends=True):
            body = line.rstrip("\r\n")
            lines.append(body if position in inside or not body else indentation + body)
            position += len(line)
        return self._newline.join(lines)

    def _apart(self, start: int, end: int, text: str) -> str:
        """Add blanks to `text` where it would join with an adjacent word."""
        if text and start and _WORD.match(text[0]) and _WORD.match(self._text[start - 1]):
            text = " " + text
        if text and end < len(self._text) and _WORD.match(text[-1]) and _WORD.match(self._text[end]) and end > start:
            text += " "
        return text

    def _line_start(self, offset: int) -> int:
        return max(self._text.rfind("\n", 0, offset), self._text.rfind("\r", 0, offset)) + 1

    def _line_end(self, offset: int) -> int:
        found = re.compile(r"[\r\n]").search(self._text, offset)
        return found.start() if found else len(self._text)

    def _after_newline(self, offset: int) -> int:
        found = re.compile(r"\r\n?|\n").match(self._text, offset)
        return found.end() if found else offset


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Apply `edits`, which must not overlap, to `text`. Insertions at the same offset keep their order."""
    parts: list[str] = []
    position = 0
    for (start, end), replacement in sorted(edits, key=_place_of):
        parts += (text[position:start], replacement)
        position = end
    return "".join(parts) + text[position:]


def joined(text: str, edits: Iterable[Edit]) -> Edit:
    """Combine `edits` of `text` into one edit that covers all of them. There must be at least one edit."""
    ordered = sorted(edits, key=_place_of)
    start, end = ordered[0].span.start, max(edit.span.end for edit in ordered)
    moved = [Edit(Span(edit.span.start - start, edit.span.end - start), edit.text) for edit in ordered]
    return Edit(Span(start, end), apply_edits(text[start:end], moved))


def _place_of(edit: Edit) -> Span:
    return edit.span


class Shift:
    """Converts offsets in a text to offsets in the text after some edits, and back."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self._edits = sorted(edits, key=_place_of)
        self._deltas = list(accumulate((len(text) - (end - start) for (start, end), text in self._edits), initial=0))
        self._starts = [edit.span.start for edit in self._edits]
        self._new = [start + delta for start, delta in zip(self._starts, self._deltas, strict=False)]

    def after(self, place: int) -> int:
        """Return the offset in the edited text for the offset `place` in the old text. An offset inside replaced text
        never maps beyond the end of the new text."""
        number = bisect_right(self._starts, place) - 1
        if number < 0:
            return place
        (start, end), text = self._edits[number]
        if place < end:
            return self._new[number] + min(place - start, len(text))
        return place + self._deltas[number + 1]

    def edit_at(self, place: int) -> Edit | None:
        """Return the edit whose new text contains the offset `place` of the edited text, or None."""
        number = bisect_right(self._new, place) - 1
        return (
            self._edits[number] if number >= 0 and place < self._new[number] + len(self._edits[number].text) else None
        )

    def before(self, place: int) -> int:
        """Return the offset in the old text for the offset `place` in the edited text. An offset inside inserted text
        never maps beyond the end of the replaced text."""
        number = bisect_right(self._new, place) - 1
        if number < 0:
            return place
        (start, end), text = self._edits[number]
        if place < self._new[number] + len(text):
            return min(start + place - self._new[number], max(start, end))
        return place - self._deltas[number + 1]


def inverse(text: str, edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Return the edits that undo `edits`, which were applied to `text`."""
    back: list[Edit] = []
    delta = 0
    for (start, end), replacement in edits:
        begin = start + delta
        back.append(Edit(Span(begin, begin + len(replacement)), text[start:end]))
        delta += len(replacement) - (end - start)
    return tuple(back)


def _level(indentation: str) -> str:
    return "\t" if indentation.startswith("\t") else INDENT


class _NodePlaces(dict[int, _Place]):
    """An index from the identity of each node to its place. Chunks are indexed when an unknown node is looked up."""

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__()
        self._snapshot = snapshot
        self._left = dict.fromkeys(snapshot.chunks)

    @cached_property
    def lines_within_strings(self) -> set[int]:
        """The offsets of all lines that start inside a string."""
        return _lines_within_strings(self._snapshot)

    def __missing__(self, key: int) -> _Place:
        while self._left:
            self.add(next(iter(self._left)))
            if key in self:
                return self[key]
        raise KeyError(key)

    def add(self, chunk: Chunk) -> None:
        """Index the nodes of `chunk`."""
        if chunk not in self._left:
            return
        del self._left[chunk]
        top: list[Node] = [*chunk.body]
        stack: list[tuple[Node, Node | None, str, list[Node] | None]] = [(node, None, "body", top) for node in top]
        while stack:
            node, parent, slot, siblings = stack.pop()
            span = Span(chunk.start + node.start, chunk.start + node.end)
            self[id(node)] = _Place(span, chunk, parent, slot, siblings)
            if node.__class__ in LEAVES:
                continue
            for name, value in slots(node):
                if isinstance(value, Node):
                    stack.append((value, node, name, None))
                else:
                    stack += [(item, node, name, value) for item in value]


def _needs_parentheses(place: _Place, text: str) -> bool:
    parent = place.parent
    if parent is None:
        return False
    if isinstance(parent, nodes.Binary):
        least = PRECEDENCE[parent.operator] + (1 if place.slot == "right" else 0)
    else:
        least = _HELD.get((type(parent), place.slot), 0)
    if not least:
        return False
    is_literal, strength = _holding(text)
    return place.slot in ("object", "callee") if is_literal else strength < least


@lru_cache(maxsize=1_024)
def _holding(text: str) -> tuple[bool, int]:
    """Whether the expression `text` is a literal, and its precedence (-1 if `text` is not an expression)."""
    found = expression(text)
    return isinstance(found, nodes.Literal), -1 if found is None else _strength(found)


def _strength(node: Node) -> int:
    if isinstance(node, nodes.Ternary):
        return _TERNARY
    if isinstance(node, nodes.Binary):
        return PRECEDENCE[node.operator]
    return _UNARY if isinstance(node, nodes.Unary) else _CLOSED


def expression(text: str) -> Node | None:
    """Parse a single expression. Return None if `text` is not a single expression."""
    document = parse(f"x = {text}\n")
    body = document.chunks[0].body
    if document.diagnostics or len(document.chunks) != 1 or len(body) != 1:
        return None
    return body[0].value if isinstance(body[0], nodes.VariableDeclaration) else None


def _lines_within_strings(snapshot: Snapshot) -> set[int]:
    """The offsets of all lines that start inside a string."""
    found: set[int] = set()
    for chunk in snapshot.chunks:
        for node in walk(chunk.body):
            if isinstance(node, nodes.Literal) and node.kind == "string":
                start = chunk.start + node.start
                found.update(start + match.end() for match in re.finditer(r"\r\n?|\n", node.text))
    return found


def replacing(node: Node, text: str) -> Callable[[TreeEdits], object]:
    """Return a function that replaces `node` by `text` in the `TreeEdits` passed to it."""
    return methodcaller("replace", node, text)


def removing(node: Node) -> Callable[[TreeEdits], object]:
    """Return a function that removes `node` in the `TreeEdits` passed to it."""
    return methodcaller("remove", node)


def wrapping(node: Node, before: str, after: str) -> Callable[[TreeEdits], object]:
    """Return a function that puts `before` and `after` around `node` in the `TreeEdits` passed to it."""
    return methodcaller("wrap", node, before, after)
