"""Matches regular expressions in a time that grows with the length of the pattern times the length of the text.

Python's own engine can try the same positions again and again, for some patterns practically without end, and cannot be
interrupted. Here each step of the pattern is tried at most once at each position of the text. A step that failed there
would fail again, because no step depends on the way to it. Therefore back-references are not possible.
"""

from __future__ import annotations

import re
from functools import cached_property
from importlib import import_module
from typing import Any

from pinebench.errors import UnavailableError

known: Any = import_module("re._constants")
parser: Any = import_module("re._parser")
"""Python's own parser of patterns. `tests/runtime/library/test_matching.py` checks it for each Python version."""

_STEPS = 20_000
"""The largest number of steps of one pattern; a counted repetition is written out as often as its count."""
_CHEAP = 10_000_000
"""The largest number of steps that Python's engine may need: about a fraction of a second."""
_NESTED = (known.BRANCH, known.MAX_REPEAT, known.MIN_REPEAT, known.POSSESSIVE_REPEAT)
_GREEDY = (known.MAX_REPEAT, known.POSSESSIVE_REPEAT)
_PLAIN = (known.LITERAL, known.NOT_LITERAL, known.ANY, known.IN, known.SUBPATTERN, known.MAX_REPEAT)
_SHORT = 12
"""The longest text on which Python's engine is fast for every pattern."""
Step = tuple[Any, ...]


class Pattern:
    """A pattern in Python's syntax. Raises re.error if it is not valid."""

    def __init__(self, text: str) -> None:
        try:
            self._tree = parser.parse(text, re.ASCII)
            self._fast = re.compile(text, re.ASCII)
            self._repeats = _repeats(self._tree)
        except RecursionError as error:
            raise UnavailableError("a regular expression with such deep nesting is not computed here") from error
        except (OverflowError, ValueError) as error:  # ValueError: a count with thousands of digits
            raise UnavailableError("a regular expression that repeats a part so often is not computed here") from error

    @cached_property
    def program(self) -> Program:
        """The steps of the pattern. Raises UnavailableError for a back-reference, and for too many steps."""
        if any(map(_is_unclear, _each(self._tree))):
            raise UnavailableError(
                "a regular expression that repeats a part that can be empty is not computed on a long text"
            )
        return Program(self._tree, self._tree.state.flags)

    def first(self, text: str) -> str:
        """The first part of `text` that matches, or an empty string.

        Python's engine is used if it cannot take long. Raises UnavailableError if neither engine can match the pattern.
        """
        repeats, size = self._repeats, max(len(text), 2)
        if size <= _SHORT if repeats is None else size ** (repeats + 1) <= _CHEAP:
            found = self._fast.search(text)
            return found[0] if found else ""
        return self.program.first(text)


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
    """All parts of a tree, at any depth."""
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


class Program:
    """A pattern as steps.

    `char` and `at` test the text, `split` tries one step before another, and `sub` tests whether another program
    matches here.
    """

    def __init__(self, tree: Any, flags: int) -> None:
        self.steps: list[Step] = []
        self._sequence(tree, flags)
        self._add("match")

    def first(self, text: str) -> str:
        failed: set[tuple[int, int]] = set()
        for start in range(len(text) + 1):
            end = self.end(text, start, failed)
            if end is not None:
                return text[start:end]
        return ""

    def end(self, text: str, start: int, failed: set[tuple[int, int]]) -> int | None:
        """The end of the match that begins at `start`, or None. `failed` has the places that were already tried."""
        waiting = [(0, start)]
        while waiting:
            place = waiting.pop()
            if place in failed:
                continue
            failed.add(place)
            number, position = place
            step = self.steps[number]
            match step[0]:
                case "char":
                    if position < len(text) and step[1].match(text, position):
                        waiting.append((number + 1, position + 1))
                case "at":
                    if step[1].match(text, position):
                        waiting.append((number + 1, position))
                case "split":
                    waiting += [(step[2], position), (step[1], position)]
                case "jump":
                    waiting.append((step[1], position))
                case "sub":
                    after = self._sub(step, text, position)
                    if after is not None:
                        waiting.append((number + 1, after))
                case _:
                    return position
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
            raise UnavailableError("a regular expression of this length is not computed here")
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
            self._sequence(value[3], (flags | value[1]) & ~value[2])
        elif kind in (known.ASSERT, known.ASSERT_NOT):
            direction, tree = value
            width = tree.getwidth()[0] if direction < 0 else 0
            self._add("sub", "look" if kind is known.ASSERT else "no look", Program(tree, flags), width)
        elif kind is known.ATOMIC_GROUP:
            self._add("sub", "atomic", Program(value, flags), 0)
        elif kind is known.POSSESSIVE_REPEAT:
            self._add("sub", "atomic", Program([(known.MAX_REPEAT, value)], flags), 0)
        elif kind in _NESTED:
            self._repeat(value, kind in _GREEDY, flags)
        else:
            raise UnavailableError("a regular expression with a back-reference is not computed here")

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
    return re.compile(text, (flags | re.ASCII) & (re.ASCII | re.IGNORECASE | re.MULTILINE | re.DOTALL))


def _member(kind: Any, value: Any) -> str:
    if kind is known.NEGATE:
        return "^"
    if kind is known.RANGE:
        return f"{_escaped(value[0])}-{_escaped(value[1])}"
    return _CATEGORIES[value] if kind is known.CATEGORY else _escaped(value)


def _escaped(code: int) -> str:
    return f"\\U{code:08x}"
