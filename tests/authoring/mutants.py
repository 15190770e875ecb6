"""Scripts with one fault each, made from the project's own sound scripts: what people and models get wrong, by kind."""

import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from pinebench.checker import check
from pinebench.diagnostics import Severity
from pinebench.files import resources
from pinebench.syntax import parse

LONGEST = 9_000
"""Characters; longer scripts make the tests slow and say nothing more."""


class Mutant(NamedTuple):
    """A broken script, the kind of its fault, the sound script, and the built-in at fault (for the kinds that have
    one)."""

    kind: str
    text: str
    sound: str
    builtin: str | None


class _Change(NamedTuple):
    pattern: str
    change: Callable[[re.Match[str], random.Random], str]
    builtin: int | None = None


def _slip(word: str, chance: random.Random) -> str:
    """`word` with one slip of a finger, never in its first letter."""
    place = chance.randrange(1, len(word))
    kind = chance.randrange(3)
    if kind == 0 and place + 1 < len(word):
        return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    if kind == 1:
        return word[:place] + word[place + 1 :]
    return word[:place] + word[place] + word[place:]


_NAMESPACES = "ta|math|str|array|color|input|request|strategy"
_MOVED = "sma|ema|rsi|atr|highest|lowest|crossover|crossunder|abs|max|min|round|tostring|security|stdev|change"
_PARAMETERS = "title|color|linewidth|minval|maxval|group|tooltip|style|text|overlay|defval|length|source|xloc|textcolor"

KINDS: dict[str, _Change] = {
    "built-in misspelled": _Change(
        rf"\b((?:{_NAMESPACES})\.(?:\w{{4,}}))\b(?=\()",
        lambda m, c: m[1].partition(".")[0] + "." + _slip(m[1].partition(".")[2], c),
        1,
    ),
    # a use of a name: at a declared parameter (before `=>`), nothing says which of the two spellings was meant
    "own name misspelled": _Change(r"(?<=[(, ])(?!false\b)([a-z]\w{4,})(?=[,)])(?!.*=>)", lambda m, c: _slip(m[1], c)),
    "version line missing": _Change(r"^//@version=6\n", lambda m, c: ""),
    "bracket not closed": _Change(r"\)(?=\n)", lambda m, c: ""),
    "bracket too many": _Change(r"\)(?=\n)", lambda m, c: "))"),
    "= for :=": _Change(r":=", lambda m, c: "="),
    ":= for =": _Change(r"^(\w+) = ", lambda m, c: f"{m[1]} := "),
    "na without type": _Change(r"\b(?:float|int|string|label|line|box|color) (\w+ = na)\b", lambda m, c: m[1]),
    "name of version 4": _Change(rf"\b((?:ta|math|str|request)\.({_MOVED}))\(", lambda m, c: f"{m[2]}(", 1),
    "study": _Change(r"^indicator\(", lambda m, c: "study("),
    "parameter misspelled": _Change(rf"(?<=[(, ])({_PARAMETERS})(?= ?=[^=])", lambda m, c: _slip(m[1], c)),
    "argument missing": _Change(
        r"\b(ta\.(?:sma|ema|rsi|highest|lowest|stdev|wma))\(([\w.]+), ?[\w.]+\)", lambda m, c: f"{m[1]}({m[2]})", 1
    ),
    "argument too many": _Change(
        r"\b(ta\.(?:sma|ema|rsi|stdev|wma))\(([\w.]+), ?([\w.]+)\)", lambda m, c: f"{m[1]}({m[2]}, {m[3]}, 1)", 1
    ),
    "argument of another type": _Change(
        r"\b(ta\.(?:sma|ema|rsi|stdev|wma))\(([\w.]+), ?[\w.]+\)", lambda m, c: f'{m[1]}({m[2]}, "14")', 1
    ),
    "position after name": _Change(r"\bplot\((\w+), (\"[^\"\n]*\")", lambda m, c: f"plot(series = {m[1]}, {m[2]}"),
    "&& and ||": _Change(r" (and|or) ", lambda m, c: " && " if m[1] == "and" else " || "),
    "= for ==": _Change(r"(?<= )==(?= )", lambda m, c: "="),
    "pasted quotation marks": _Change(r"\"(\w+)\"", lambda m, c: f"\u201c{m[1]}\u201d"),
    "semicolon": _Change(r"\)$", lambda m, c: ");"),
    "comparison with na": _Change(r"\bna\((\w+)\)", lambda m, c: f"({m[1]} == na)"),
    "type misspelled": _Change(r"\b(float|int|string|bool) (?=\w+ =)", lambda m, c: _slip(m[1], c) + " "),
    "wrapped on a multiple of 4": _Change(
        r"^([ ]*(?:\w+ )*\w+ :?= [^\n(\"]*?) (and|or|[-+*?]) (?=[\w(])", lambda m, c: f"{m[1]} {m[2]}\n    "
    ),
}


@cache
def sound_scripts() -> tuple[str, ...]:
    """The project's samples and templates that the checker accepts."""
    paths = [*sorted(resources.folder("samples").glob("*.pine")), *sorted(resources.folder("templates").glob("*.pine"))]
    texts = [path.read_text("utf-8") for path in paths]
    return tuple(text for text in texts if len(text) < LONGEST and not has_errors(text))


def has_errors(text: str) -> bool:
    """Whether the checker finds an error in `text`."""
    return any(finding.severity is Severity.ERROR for finding in check(parse(text)).diagnostics)


def mutants(kind: str, count: int, seed: int = 1) -> Iterator[Mutant]:
    """`count` different mutants of one kind that the checker refuses, or as many as there are."""
    chance = random.Random(f"{kind} {seed}")
    pattern = re.compile(KINDS[kind].pattern, re.MULTILINE)
    places = [(text, match) for text in sound_scripts() for match in pattern.finditer(text) if _is_code(text, match)]
    chance.shuffle(places)
    seen: set[str] = set()
    for text, match in places:
        if len(seen) == count:
            return
        changed = text[: match.start()] + KINDS[kind].change(match, chance) + text[match.end() :]
        if changed != text and changed not in seen and has_errors(changed):
            seen.add(changed)
            group = KINDS[kind].builtin
            yield Mutant(kind, changed, text, match[group] if group else None)


def _is_code(text: str, match: re.Match[str]) -> bool:
    """Whether the match is neither in a comment nor inside a string (strings that it holds whole are fine)."""
    before = text[: match.start()].rpartition("\n")[2]
    return "//" not in before.replace("//@", "") and before.count('"') % 2 == 0
