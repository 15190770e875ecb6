"""Slips of the hand and habits from other languages: a word or sign too many, too few, or not Pine's."""

import random
import re
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import NamedTuple

from pinebench.syntax import nodes
from tests.checker.mutation.lines import moved
from tests.checker.mutation.script import Edit, Script, Word

SYNTAX = ("CE10156", "CE10013", "CE10144", "CE10016", "CE10005", "CE10015", "CE10161")
"""What TradingView's parser answers; which of these it is depends on what stands around the fault."""

_GUARDS = nodes.If | nodes.While | nodes.ForTo | nodes.ForIn
_BREAK = re.compile(r"[\r\n]")
_VALUE = ("INT", "FLOAT", "STRING", "COLOR", "BOOL")
_OPERAND = ("NAME", *_VALUE)


class Slip(NamedTuple):
    """A site: what is to be replaced by what."""

    start: int
    end: int
    text: str


def make(script: Script, site: Slip, chance: random.Random) -> Edit:
    """The change that a site stands for."""
    return Edit(*site)


def around(script: Script, site: Slip, edit: Edit) -> Iterable[int]:
    """The changed line and its neighbours: a line that breaks off, or that should, is often told by the next one."""
    text = script.text
    before = text.rfind("\n", 0, script.line_start(edit.start))
    start = moved(edit, edit.end)
    behind = re.compile(r"[^\r\n]*(?:\r\n?|\n)(?:[ \t]*(?://[^\r\n]*)?(?:\r\n?|\n))*").match(text, edit.end)
    return (max(before, 0), edit.start, start, start + len(behind.group()) if behind else start)


def _each(script: Script, choose: Callable[[Word, Word], Slip | None]) -> Iterable[Slip]:
    """The slips that `choose` makes of a token and the one behind it."""
    for word, following in pairwise(script.tokens):
        slip = choose(word, following)
        if slip is not None:
            yield slip


def _triples(script: Script) -> Iterable[tuple[Word, Word, Word]]:
    """Each token with its neighbours, where all three stand on one line and a blank is behind it."""
    tokens = script.tokens
    for before, word, following in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if word.end < following.start and not _BREAK.search(script.text, before.end, following.start):
            yield before, word, following


def _without(word: Word) -> Slip:
    return Slip(word.start, word.end, "")


def commas(script: Script) -> Iterable[Slip]:
    """A comma left out between two values on one line."""
    for before, word, following in _triples(script):
        if word.kind == "COMMA" and before.kind in _OPERAND and following.kind in _OPERAND:
            yield _without(word)


def doubled_commas(script: Script) -> Iterable[Slip]:
    """A comma twice."""
    return _each(script, lambda word, _: Slip(word.end, word.end, ",") if word.kind == "COMMA" else None)


def missing_operators(script: Script) -> Iterable[Slip]:
    """An operator left out between two values, at least one of which is no name."""
    for before, word, following in _triples(script):
        values = (before.kind in _VALUE) + (following.kind in _VALUE)
        if values and word.kind == "OPERATOR" and before.kind in _OPERAND and following.kind in _OPERAND:
            yield Slip(word.start, word.end, " ")


def doubled_operators(script: Script) -> Iterable[Slip]:
    """An operator that takes two values followed by another."""
    return _each(script, lambda word, _: Slip(word.end, word.end, " *") if word.kind == "OPERATOR" else None)


def doubled_dots(script: Script) -> Iterable[Slip]:
    """Two dots where one belongs."""
    return _each(script, lambda word, _: Slip(word.end, word.end, ".") if word.kind == "DOT" else None)


def foreign_words(script: Script) -> Iterable[Slip]:
    """`&&` and `||`."""
    foreign = {"and": "&&", "or": "||"}
    return _each(
        script, lambda word, _: Slip(word.start, word.end, foreign[word.text]) if word.text in foreign else None
    )


def _headers(script: Script) -> Iterable[tuple[Word, Word]]:
    """The first word and the line's end of the `if` and `while` headers that stand on a line of their own."""
    first: Word | None = None
    for word, following in pairwise(script.tokens):
        if word.kind in ("IF", "WHILE"):
            first = word
        elif word.kind == "NEWLINE":
            if first is not None and following.kind == "INDENT" and script.line(first.start) == script.line(word.start):
                yield first, word
            first = None


def thens(script: Script) -> Iterable[Slip]:
    """`then` behind a condition."""
    return (Slip(end.start, end.start, " then") for _, end in _headers(script))


def colons(script: Script) -> Iterable[Slip]:
    """A colon behind a condition."""
    return (Slip(end.start, end.start, ":") for _, end in _headers(script))


def braces(script: Script) -> Iterable[Slip]:
    """A brace behind a condition."""
    return (Slip(end.start, end.start, " {") for _, end in _headers(script))


def missing_ifs(script: Script) -> Iterable[Slip]:
    """The word `if` or `while` left out at the start of a line."""
    for first, _ in _headers(script):
        if not script.text[script.line_start(first.start) : first.start].strip():
            yield Slip(first.start, first.end + 1, "")


def missing_tos(script: Script) -> Iterable[Slip]:
    """`to` left out of a loop."""
    return _each(script, lambda word, _: _without(word) if word.kind == "TO" else None)


def missing_arrows(script: Script) -> Iterable[Slip]:
    """`=>` left out before a block; where nothing is before it on its line, that is no fault."""
    for word, following in pairwise(script.tokens):
        before = script.text[script.line_start(word.start) : word.start]
        if word.kind == "ARROW" and following.kind == "NEWLINE" and before.strip():
            yield _without(word)


def _statement_ends(script: Script) -> Iterable[tuple[nodes.VariableDeclaration | nodes.Reassignment, int]]:
    """The simple statements on one line of their own, with their ends."""
    for kind in (nodes.VariableDeclaration, nodes.Reassignment):
        for statement in script.all(kind):
            if script.stands_alone(statement) and script.is_one_line(statement):
                yield statement, script.end(statement)


def semicolons(script: Script) -> Iterable[Slip]:
    """A semicolon at the end of a statement."""
    return (Slip(end, end, ";") for _, end in _statement_ends(script))


def open_ends(script: Script) -> Iterable[Slip]:
    """A statement that ends in an operator."""
    return (Slip(end, end, " +") for _, end in _statement_ends(script))


def missing_values(script: Script) -> Iterable[Slip]:
    """A name is declared or assigned, and the line breaks off."""
    for statement, end in _statement_ends(script):
        yield Slip(script.start(statement.value), end, "")


def _lines(script: Script, text: str) -> Iterable[Slip]:
    """`text` as a line of its own before each statement on a line of its own, indented like it."""
    for statement, _ in _statement_ends(script):
        indent = script.indent(statement)
        if indent is not None:
            place = script.line_start(script.start(statement))
            yield Slip(place, place, f"{indent}{text}\n")


def increments(script: Script) -> Iterable[Slip]:
    """`i++`."""
    return _lines(script, "mutant++")


def lone_braces(script: Script) -> Iterable[Slip]:
    """A line with nothing but a brace, in column one."""
    return (slip._replace(text="}\n") for slip in _lines(script, "}"))


def hash_comments(script: Script) -> Iterable[Slip]:
    """A comment behind `#`."""
    return _lines(script, "# mutant")


def returns(script: Script) -> Iterable[Slip]:
    """`return` before a value."""
    return _lines(script, "return mutant")


def dedented_bodies(script: Script) -> Iterable[Slip]:
    """The one line of a block, outermost, in column one."""
    for block in script.inner_blocks():
        owner, first = block.owner, block.statements[0]
        if not isinstance(owner, _GUARDS) or owner.body is not block.statements or len(block.statements) > 1:
            continue
        if script.is_one_line(first) and (script.indent(owner), script.indent(first)) == ("", "    "):
            start = script.start(first)
            yield Slip(start - 4, start, "")


def missing_switches(script: Script) -> Iterable[Slip]:
    """The word `switch` left out before its subject, or before the line's end."""
    for switch in script.all(nodes.Switch):
        start = script.start(switch)
        yield Slip(start, script.start(switch.subject) if switch.subject is not None else start + len("switch"), "")
