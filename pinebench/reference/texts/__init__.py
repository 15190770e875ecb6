"""The texts of the reference: examples, the values that they show, warnings, and phrases about parameters.

The sentence about a built-in is in its record (`pinebench.reference.records`). The rest is here, because only people
and models read it: these files are opened when a text is first requested, and checking a script never opens them.

- `GROUP.txt` has the examples of one group of built-ins. `== NAME` begins an entry, and `-- TEXT` begins a
  pitfall, which the script after it demonstrates. Scripts have no version line, and indicators without settings have
  no declaration. A line `@ KEY=VALUE ...` before a script chooses its bars and the values to show
  (`scripts/docs/reference_examples.py`). With `overlay=true`, the added declaration says `overlay = true`.
- `parameters.txt` has a phrase for each parameter. `NAME: TEXT` holds for all functions that have such a parameter; a
  line below `== PATTERN` only for the functions that the pattern matches.
- `shown.json` has the values that each script shows when it runs. `scripts/docs/generate.py` writes and compares it.
"""

from __future__ import annotations

import json
import os
from functools import cache

from pinebench.records import NamedTuple

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_HEAD = "//@version=6\n"
_DECLARATION = 'indicator("Example")\n'
_OVERLAY = 'indicator("Example", overlay = true)\n'
_DECLARATIONS = ("indicator(", "strategy(", "library(")
GROUPS = ("general", "collections", "drawings", "plain", "requests", "strategy", "ta", "text", "words")
"""The files with examples, without their ending."""


Options = tuple[tuple[str, str], ...]
"""The options of a run: keys and values. A later one replaces an earlier one with the same key."""


class ReferenceScript(NamedTuple):
    """A script of the reference: its lines as they are shown, the options of its run, and the values that it shows."""

    text: str
    options: Options = ()
    shown: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        """The complete script, with the version line and the declaration."""
        if any(line.startswith(_DECLARATIONS) for line in self.text.splitlines()):
            return f"{_HEAD}{self.text}\n"
        return _HEAD + (_OVERLAY if ("overlay", "true") in self.options else _DECLARATION) + f"{self.text}\n"


class WatchOut(NamedTuple):
    """A pitfall, and the script that demonstrates it."""

    text: str
    script: ReferenceScript


class BuiltinText(NamedTuple):
    """The example of a built-in, keyword or operator (None if it has none), and its pitfalls."""

    example: ReferenceScript | None = None
    watch_outs: tuple[WatchOut, ...] = ()


def text(name: str) -> BuiltinText:
    """Return the texts about `name`, which are empty if there are none."""
    return texts().get(name, _NOTHING)


@cache
def texts() -> dict[str, BuiltinText]:
    """Return all texts by name."""
    shown: dict[str, list[list[str]]] = json.loads(_read("shown.json") or "{}")
    found: dict[str, BuiltinText] = {}
    for group in GROUPS:
        head, *parts = _read(f"{group}.txt").split("\n== ")
        for part in parts:
            name, _, rest = part.partition("\n")
            found[name] = _text(rest, shown.get(name, []), _options(head.strip()))
    return found


@cache
def phrases() -> tuple[tuple[str, dict[str, str]], ...]:
    """Return the phrases about parameters: a pattern of function names, and the phrase of each parameter. The first
    pattern, which is empty, matches all functions."""
    found: list[tuple[str, dict[str, str]]] = []
    for part in ("\n" + _read("parameters.txt")).split("\n== "):
        pattern, _, rest = part.partition("\n")
        pairs = (line.partition(": ") for line in rest.splitlines() if line)
        found.append((pattern, {name: phrase for name, _, phrase in pairs}))
    return tuple(found)


def phrase(function: str, parameter: str) -> str:
    """Return the phrase about a parameter of `function`; empty if it has none."""
    return _phrases_of(function).get(parameter.partition(",")[0], "")


@cache
def _phrases_of(function: str) -> dict[str, str]:
    """The phrases for one function. A later pattern goes before an earlier one."""
    from fnmatch import fnmatchcase

    found: dict[str, str] = {}
    for pattern, pairs in phrases():
        if not pattern or any(fnmatchcase(function, each) for each in pattern.split()):
            found.update(pairs)
    return found


_NOTHING = BuiltinText()


def _text(rest: str, shown: list[list[str]], usual: Options) -> BuiltinText:
    example, *others = ("\n" + rest).split("\n-- ")
    results = [tuple(lines) for lines in shown]
    first = _script(example, results[0] if results else (), usual)
    watch_outs: list[WatchOut] = []
    for number, part in enumerate(others, 1):
        told, _, script = part.partition("\n")
        watch_outs.append(WatchOut(told, _script(script, results[number] if number < len(results) else (), usual)))
    return BuiltinText(first if first.text else None, tuple(watch_outs))


def _script(lines: str, shown: tuple[str, ...], usual: Options) -> ReferenceScript:
    options = usual
    lines = lines.strip("\n")
    if lines.startswith("@ "):
        first, _, lines = lines.partition("\n")
        options = (*usual, *_options(first))
    return ReferenceScript(lines, options, shown)


def _options(line: str) -> Options:
    """The options of a line that begins with `@`."""
    pairs = (word.partition("=") for word in line.removeprefix("@").split())
    return tuple((key, value) for key, _, value in pairs)


def _read(name: str) -> str:
    """A file of this folder; empty if it is missing."""
    try:
        with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""
