"""Reads files of many short scripts that mark what is to be found in them.

A line `// ---- KIND` begins a script; the kind says which head stands before it (none for `whole`). A comment
`// expect: CODE@COLUMN, CODE@COLUMN` tells what must be reported on the next line; columns count as TradingView's do,
over all pieces of a wrapped statement. What is reported elsewhere stands behind the kind, as `CODE@LINE:COLUMN`.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pinebench.diagnostics import Diagnostic
from pinebench.syntax import Document

_HEADS = {
    "indicator": '//@version=6\nindicator("t")\n',
    "strategy": '//@version=6\nstrategy("t")\n',
    "library": '//@version=6\nlibrary("t")\n',
    "whole": "",
}
_SCRIPT = re.compile(r"^// ---- (\w+)(?:: (.+))?\n", re.MULTILINE)
_EXPECTED = re.compile(r"[ \t]*// expect: (.+)")

Place = tuple[str, int, int]
"""A code, and the line and column at which TradingView reports it."""


class RuleScript(NamedTuple):
    """A whole script, what must be found in it, and how a test calls it."""

    text: str
    expected: list[Place]
    name: str


def rule_scripts(folder: Path) -> list[RuleScript]:
    """Every script of every file in `folder`."""
    return [script for path in sorted(folder.glob("*.pine")) for script in _scripts(path)]


def reported(findings: list[Diagnostic], document: Document) -> list[Place]:
    """Where TradingView reports `findings`, sorted as in `RuleScript.expected`."""
    places = [(found.code, found.tv_position or document.lines.position(found.span.start)) for found in findings]
    return sorted((code, place.line, place.column) for code, place in places)


def _scripts(path: Path) -> Iterator[RuleScript]:
    text = path.read_bytes().decode()
    heads = list(_SCRIPT.finditer(text))
    assert heads and not heads[0].start(), path
    ends = [head.start() for head in heads[1:]] + [len(text) + 1]
    for number, (head, end) in enumerate(zip(heads, ends, strict=True), 1):
        body = text[head.end() : end - 1]
        start = _HEADS[head[1]]
        expected = [*_elsewhere(head[2] or ""), *_marked(body, start.count("\n"))]
        yield RuleScript(start + body, sorted(expected), f"{path.stem}-{number}")


def _elsewhere(words: str) -> Iterator[Place]:
    for word in filter(None, words.split(", ")):
        code, place = word.split("@")
        line, column = map(int, place.split(":"))
        yield code, line, column


def _marked(body: str, lines_before: int) -> Iterator[Place]:
    waiting: list[str] = []
    for number, line in enumerate(body.split("\n"), lines_before + 1):
        marked = _EXPECTED.fullmatch(line)
        if marked:
            waiting += marked[1].split(", ")
            continue
        for word in waiting:
            code, column = word.split("@")
            yield code, number, int(column)
        waiting = []
    assert not waiting, "a mark has no line below it"
