"""Matches regular expressions in a time that grows with the length of the pattern times the length of the text.

Regular expressions written by users run only here: `Pattern.first` for scripts, and `Pattern.by_line` for searches in a
text. Nothing else passes a user's expression to `re`.

Python's own engine can try the same positions again and again, for some patterns practically without end, and cannot be
interrupted. Here each step of the pattern is tried at most once at each position of the text. A step that failed there
would fail again, because no step depends on the path that led to it. Therefore back-references are not possible.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import Any

from pinebench.errors import UnavailableError
from pinebench.patterns import lazy_pattern
from pinebench.records import NamedTuple

known: Any = import_module("re._constants")
parser: Any = import_module("re._parser")
"""Python's own parser of patterns. `tests/test_regular_expressions.py` checks it for each Python version."""

_STEPS = 20_000
"""The largest number of steps of one pattern; a counted repetition is written out as often as its count."""
_CHEAP = 10_000_000
"""The largest number of steps that Python's engine may need: about a fraction of a second."""
_NESTED = (known.BRANCH, known.MAX_REPEAT, known.MIN_REPEAT, known.POSSESSIVE_REPEAT)
_GREEDY = (known.MAX_REPEAT, known.POSSESSIVE_REPEAT)
_PLAIN = (known.LITERAL, known.NOT_LITERAL, known.ANY, known.IN, known.SUBPATTERN, known.MAX_REPEAT)
_SHORT = 12
"""The largest length of text for which Python's engine is fast with every pattern."""
_SECONDS = 2.0
"""The processor time after which a search through lines is given up."""
_MOST_TRIED = 2_000_000
"""The largest number of steps that are tried in one line."""
_REFERENCE = lazy_pattern(r"\\(?:g<(\w+)>|(\d{1,2})|(.))", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}
Step = tuple[Any, ...]


class Match(NamedTuple):
    """A part of a text that matches.

    `start` and `end` are its offsets in the text. `groups` has the texts of its groups by number, the whole match
    first, and None for a group that matched nothing. `names` has the numbers of named groups.
    """

    start: int
    end: int
    groups: tuple[str | None, ...]
    names: Mapping[str, int]

    def expand(self, template: str) -> str:
        r"""Return `template` with `\1`, `\g<1>` and `\g<name>` replaced with groups, and escapes such as `\n` and `\t`
        with their characters.

        Everything else stays unchanged.
        """

        def filled(reference: re.Match[str]) -> str:
            name, number, letter = reference.groups()
            if letter is not None:
                return "\\" if letter == "\\" else _LETTERS.get(letter, reference[0])
            text = number or name or ""
            place = int(text) if text.isdecimal() else self.names.get(text, len(self.groups))
            return (self.groups[place] or "") if place < len(self.groups) else reference[0]

        return _REFERENCE.sub(filled, template)


class Pattern:
    """A pattern in Python's syntax, with flags of `re`. Raises re.error, or UnavailableError if it is too complex."""

    def __init__(self, text: str, flags: int = re.ASCII) -> None:
        try:
            self._tree = parser.parse(text, flags)
            self._fast = re.compile(text, flags)
            self._repeats = _repeats(self._tree)
        except RecursionError as error:
            raise UnavailableError("this regular expression is nested too deeply for pinebench") from error
        except (OverflowError, ValueError) as error:  # ValueError: a count with thousands of digits
            raise UnavailableError(
                "this regular expression repeats a part too often, and pinebench does not compute it"
            ) from error

    @cached_property
    def program(self) -> RegexProgram:
        """The steps of the pattern. Raises UnavailableError for a back-reference, a repeated part that can be empty, or
        too many steps."""
        if any(map(_is_unclear, _each(self._tree))):
            raise UnavailableError(
                "this regular expression repeats a part that can be empty, and pinebench does not "
                "compute it on a long text"
            )
        return RegexProgram(self._tree, self._tree.state.flags)

    def first(self, text: str) -> str:
        """Return the first part of `text` that matches, or an empty string.

        Python's engine is used if it cannot take long. Raises UnavailableError if neither engine can match the pattern.
        """
        if self._is_cheap(text):
            found = self._fast.search(text)
            return found[0] if found else ""
        return self.program.first(text)

    def by_line(self, text: str) -> Iterator[Match]:
        """Yield the matches in each line of `text`, in order. Each line is searched by itself, without its line end.

        Raises UnavailableError if neither engine can search a line, or if the search takes too long. Matches that were
        found before have been yielded already.
        """
        begun, start = time.thread_time(), 0
        for line in re.split("(\r\n|\r|\n)", text):
            if not line.startswith(("\r", "\n")):
                yield from self._in_line(line, start)
                if time.thread_time() - begun > _SECONDS:
                    raise UnavailableError("the search takes too long", "use a simpler regular expression")
            start += len(line)

    def _in_line(self, line: str, start: int) -> Iterator[Match]:
        names = self._fast.groupindex
        if self._is_cheap(line):
            for found in self._fast.finditer(line):
                yield Match(start + found.start(), start + found.end(), (found[0], *found.groups()), names)
            return
        for begin, end, groups in self.program.matches(line, self._fast.groups):
            yield Match(start + begin, start + end, (line[begin:end], *groups), names)

    def _is_cheap(self, text: str) -> bool:
        repeats, size = self._repeats, max(len(text), 2)
        return size <= _SHORT if repeats is None else size ** (repeats + 1) <= _CHEAP


def _repeats(tree: Any) -> int | None:
    """The number of repetitions in a pattern; None if one of them contains a choice or another repetition."""
    count = 0
    for kind, value in _each(tree):
        if kind in _NESTED and kind is not known.BRANCH:
            if any(inner in _NESTED for inner, _ in _each(value[2])):
                return None
            count += 1
    return count


def _is_unclear(part: tuple[Any, Any]) -> bool:
    """Whether a part repeats something without a limit that can be empty in some cases.

    Then the result depends on the way to a step.
    """
    kind, value = part
    if kind not in _NESTED or kind is known.BRANCH or value[1] != known.MAXREPEAT or value[2].getwidth()[0]:
        return False
    return any(inner not in _PLAIN for inner, _ in _each(value[2]))


def _each(tree: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    waiting = [tree]
    while waiting:
        for kind, value in waiting.pop():
            found.append((kind, value))
            waiting += _inside(kind, value)
    return found


def _inside(kind: Any, value: Any) -> list[Any]:
    if kind is known.BRANCH:
        return list(value[1])
    if kind in _NESTED:
        return [value[2]]
    if kind is known.SUBPATTERN:
        return [value[3]]
    if kind in (known.ASSERT, known.ASSERT_NOT):
        return [value[1]]
    return [value] if kind is known.ATOMIC_GROUP else []


Way = tuple[Any, ...] | None
"""The beginnings and ends of groups on the way to a step, the last one first, as nested tuples: (earlier way, mark,
position)."""


class RegexProgram:
    """A pattern compiled to steps.

    `char` and `at` test the text, `split` tries one step before another, `mark` notes where a group begins or ends, and
    `sub` tests whether another program matches here.
    """

    def __init__(self, tree: Any, flags: int) -> None:
        self.steps: list[Step] = []
        self._sequence(tree, flags)
        self._add("match")

    def first(self, text: str) -> str:
        """Return the first part of `text` that matches, or an empty string."""
        failed: set[tuple[int, int]] = set()
        for start in range(len(text) + 1):
            end = self.end(text, start, failed)
            if end is not None:
                return text[start:end]
        return ""

    def matches(self, text: str, groups: int) -> Iterator[tuple[int, int, tuple[str | None, ...]]]:
        """Yield each part of `text` that matches: its start, its end, and the texts of `groups` groups.

        Raises UnavailableError after too many steps.
        """
        failed: set[tuple[int, int]] = set()
        tried, start, after_empty = 0, 0, False
        while start <= len(text):
            before = len(failed)
            found = self._found(text, start, failed, start + after_empty)
            tried += len(failed) - before
            if tried > _MOST_TRIED:
                raise UnavailableError("the search takes too long", "use a simpler regular expression")
            if found is None:
                start, after_empty = start + 1, False
                continue
            end, way = found
            yield start, end, _groups(text, way, groups)
            failed, start, after_empty = set(), end, end == start

    def end(self, text: str, start: int, failed: set[tuple[int, int]]) -> int | None:
        """Return the end of the match that begins at `start`, or None. `failed` has the pairs of a step and a position
        that were already tried."""
        found = self._found(text, start, failed, start)
        return None if found is None else found[0]

    def _found(self, text: str, start: int, failed: set[tuple[int, int]], least: int) -> tuple[int, Way] | None:
        """The end of the match that begins at `start` and ends at `least` or later, and the way to it."""
        waiting: list[tuple[int, int, Way]] = [(0, start, None)]
        while waiting:
            number, position, way = waiting.pop()
            if (number, position) in failed:
                continue
            failed.add((number, position))
            step = self.steps[number]
            match step[0]:
                case "char":
                    if position < len(text) and step[1].match(text, position):
                        waiting.append((number + 1, position + 1, way))
                case "at":
                    if step[1].match(text, position):
                        waiting.append((number + 1, position, way))
                case "split":
                    waiting += [(step[2], position, way), (step[1], position, way)]
                case "jump":
                    waiting.append((step[1], position, way))
                case "mark":
                    waiting.append((number + 1, position, (way, step[1], position)))
                case "sub":
                    after = self._sub(step, text, position)
                    if after is not None:
                        waiting.append((number + 1, after, way))
                case _:
                    if position >= least:
                        return position, way
        return None

    def _sub(self, step: Step, text: str, position: int) -> int | None:
        """The position after a look-around or an atomic group; None if it does not match."""
        _, kind, program, width = step
        if kind == "atomic":
            return program.end(text, position, set())
        begin = position - width
        found = begin >= 0 and program.end(text, begin, set()) is not None
        return position if found == (kind == "look") else None

    def _add(self, *step: Any) -> int:
        if len(self.steps) >= _STEPS:
            raise UnavailableError("this regular expression is too long, and pinebench does not compute it")
        self.steps.append(step)
        return len(self.steps) - 1

    def _sequence(self, tree: Any, flags: int) -> None:
        for kind, value in tree:
            self._part(kind, value, flags)

    def _part(self, kind: Any, value: Any, flags: int) -> None:
        if kind in (known.LITERAL, known.NOT_LITERAL, known.ANY, known.IN):
            self._add("char", _alone(kind, value, flags))
        elif kind is known.AT:
            self._add("at", _alone(kind, value, flags))
        elif kind is known.BRANCH:
            self._branch(value[1], flags)
        elif kind is known.SUBPATTERN:
            self._group(value, flags)
        elif kind in (known.ASSERT, known.ASSERT_NOT):
            direction, tree = value
            width = tree.getwidth()[0] if direction < 0 else 0
            self._add("sub", "look" if kind is known.ASSERT else "no look", RegexProgram(tree, flags), width)
        elif kind is known.ATOMIC_GROUP:
            self._add("sub", "atomic", RegexProgram(value, flags), 0)
        elif kind is known.POSSESSIVE_REPEAT:
            self._add("sub", "atomic", RegexProgram([(known.MAX_REPEAT, value)], flags), 0)
        elif kind in _NESTED:
            self._repeat(value, kind in _GREEDY, flags)
        else:
            raise UnavailableError("this regular expression has a back-reference, and pinebench does not compute it")

    def _group(self, value: Any, flags: int) -> None:
        group, added, dropped, tree = value
        if group is not None:
            self._add("mark", 2 * group)
        self._sequence(tree, (flags | added) & ~dropped)
        if group is not None:
            self._add("mark", 2 * group + 1)

    def _branch(self, choices: list[Any], flags: int) -> None:
        ends: list[int] = []
        for tree in choices[:-1]:
            split = self._add("split", 0, 0)
            self._sequence(tree, flags)
            ends.append(self._add("jump", 0))
            self.steps[split] = ("split", split + 1, len(self.steps))
        self._sequence(choices[-1], flags)
        for end in ends:
            self.steps[end] = ("jump", len(self.steps))

    def _repeat(self, value: Any, is_greedy: bool, flags: int) -> None:
        least, most, tree = value
        for _ in range(least):
            self._sequence(tree, flags)
        if most == known.MAXREPEAT:
            split = self._add("split", 0, 0)
            self._sequence(tree, flags)
            self._add("jump", split)
            self._close([split], is_greedy)
            return
        splits: list[int] = []
        for _ in range(most - least):
            splits.append(self._add("split", 0, 0))
            self._sequence(tree, flags)
        self._close(splits, is_greedy)

    def _close(self, splits: list[int], is_greedy: bool) -> None:
        """Set the targets of `splits`: the repetition itself and the end of all repetitions, in greedy or lazy
        order."""
        end = len(self.steps)
        for split in splits:
            self.steps[split] = ("split", split + 1, end) if is_greedy else ("split", end, split + 1)


def _groups(text: str, way: Way, count: int) -> tuple[str | None, ...]:
    """The text of each group on a way: its last one."""
    places: dict[int, int] = {}
    while way is not None:
        way, mark, position = way
        places.setdefault(mark, position)
    return tuple(
        text[places[2 * number] : places[2 * number + 1]] if 2 * number + 1 in places else None
        for number in range(1, count + 1)
    )


_CATEGORIES = {
    known.CATEGORY_DIGIT: r"\d",
    known.CATEGORY_NOT_DIGIT: r"\D",
    known.CATEGORY_SPACE: r"\s",
    known.CATEGORY_NOT_SPACE: r"\S",
    known.CATEGORY_WORD: r"\w",
    known.CATEGORY_NOT_WORD: r"\W",
}
_PLACES = {
    known.AT_BEGINNING: "^",
    known.AT_BEGINNING_STRING: r"\A",
    known.AT_BOUNDARY: r"\b",
    known.AT_NON_BOUNDARY: r"\B",
    known.AT_END: "$",
    known.AT_END_STRING: r"\Z",
}


def _alone(kind: Any, value: Any, flags: int) -> re.Pattern[str]:
    """One character or position of a pattern as a separate pattern, which cannot backtrack."""
    if kind is known.AT:
        text = _PLACES[value]
    elif kind is known.ANY:
        text = "."
    elif kind is known.IN:
        text = f"[{''.join(_member(*each) for each in value)}]"
    else:
        text = re.escape(chr(value)) if kind is known.LITERAL else f"[^{_escaped(value)}]"
    return re.compile(text, flags & (re.ASCII | re.IGNORECASE | re.MULTILINE | re.DOTALL))


def _member(kind: Any, value: Any) -> str:
    if kind is known.NEGATE:
        return "^"
    if kind is known.RANGE:
        return f"{_escaped(value[0])}-{_escaped(value[1])}"
    return _CATEGORIES[value] if kind is known.CATEGORY else _escaped(value)


def _escaped(code: int) -> str:
    return f"\\U{code:08x}"
