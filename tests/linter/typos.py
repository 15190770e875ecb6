"""One slip of a finger in a sound script, and what a repair made of it: the sound script again, the same under another
name, nothing, or something else, which must never be."""

import random
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, NamedTuple

from pinebench.checker import Program, open_program
from pinebench.diagnostics import Severity
from pinebench.syntax import parse
from pinebench.syntax.document import form
from pinebench.syntax.nodes import Member, Name, Node

_NEAR = {
    "a": "qwsz", "b": "vghn", "c": "xdfv", "d": "serfcx", "e": "wsdr", "f": "drtgvc", "g": "ftyhbv", "h": "gyujnb",
    "i": "ujko", "j": "huikmn", "k": "jiolm", "l": "kop", "m": "njk", "n": "bhjm", "o": "iklp", "p": "ol", "q": "wa",
    "r": "edft", "s": "awedxz", "t": "rfgy", "u": "yhji", "v": "cfgb", "w": "qase", "x": "zsdc", "y": "tghu",
    "z": "asx", "0": "9", "1": "2", "2": "13", "3": "24", "4": "35", "5": "46", "6": "57", "7": "68", "8": "79",
    "9": "80", "(": "9", ")": "0", "[": "p]", "]": "[", "=": "-+", "-": "=0", "+": "=", ",": ".m", ".": ",/", ":": ";l",
    '"': "'", "<": ",", ">": ".", "?": "/", "/": "?.", "*": "8", "_": "-", " ": "b",
}  # fmt: skip
"""The keys beside each key."""


class Typo(NamedTuple):
    """A script with one slip, where and of which kind it is, and the sound script."""

    text: str
    sound: str
    place: int
    kind: str


def typos(sound: str, chance: random.Random, tries: int) -> Iterator[Typo]:
    """Slips in the code of `sound` that make an error of it, from so many tries."""
    document = parse(sound)
    comments = document.comments
    starts = [comment.start for comment in comments]
    for _ in range(tries):
        place = chance.randrange(len(sound))
        number = bisect_right(starts, place) - 1
        in_comment = number >= 0 and place < comments[number].end
        if (sound[place] in " \t\r\n" and chance.random() < 0.7) or in_comment:
            continue
        kind, text = _slip(sound, place, chance)
        if text != sound and has_errors(text):
            yield Typo(text, sound, place, kind)


def _slip(text: str, place: int, chance: random.Random) -> tuple[str, str]:
    before, here, after = text[:place], text[place], text[place + 1 :]
    kind = chance.choice(("left out", "doubled", "swapped", "beside", "case", "also beside", "anything"))
    match kind:
        case "left out":
            return kind, before + after
        case "doubled":
            return kind, before + here + here + after
        case "swapped":
            return kind, before + after[:1] + here + after[1:]
        case "case":
            return kind, before + here.swapcase() + after
        case "beside" | "also beside":
            near = _NEAR.get(here.lower(), here)
            beside = chance.choice(near)
            beside = beside.upper() if here.isupper() else beside
            return kind, before + beside + ("" if kind == "beside" else here) + after
        case _:
            return kind, before + chance.choice("abcxyzABC_0129()[]{}<>=!+-*/%?:;,.&|#@'\"\\ \n\t") + here + after


def has_errors(text: str) -> bool:
    """Whether the checker finds an error in `text`."""
    return any(finding.severity is Severity.ERROR for finding in open_program(text).diagnostics)


def outcome(sound: str, mended: str, broken: str) -> str:
    """`restored`, `renamed` consistently, `left`, `altered` (changed, yet it does not compile) or `changed`."""
    if mended == broken:
        return "left"
    same = compare(sound, mended)
    if same != "other":
        return same
    return "altered" if has_errors(mended) else "changed"


def compare(sound: str, mended: str) -> str:
    """`restored` where both texts have the same tree, `renamed` where names that the script chooses differ, each in all
    its places, else `other`."""
    one, other = open_program(sound), open_program(mended)
    if form(one.document) == form(other.document):
        return "restored"
    return "renamed" if _shape(one) == _shape(other) else "other"


def _shape(program: Program) -> list[Any]:
    """A tree as a flat list without places, with a number for each name that the script chooses."""
    found: list[Any] = []
    numbers: dict[object, int] = {}
    stack: list[Any] = [
        (value, chunk.start) for chunk in reversed(program.document.chunks) for value in chunk.body[::-1]
    ]
    while stack:
        value, base = stack.pop()
        if isinstance(value, Node):
            found.append(type(value).__name__)
            fields = [name for name in value._fields if not name.endswith("_start")]
            if isinstance(value, Name | Member):
                place = base + (value.start if isinstance(value, Name) else value.name_start)
                symbol = program.symbol_at(place)
                own = symbol is not None and not isinstance(symbol, str)
                found.append(numbers.setdefault(symbol, len(numbers)) if own else getattr(value, fields[-1]))
                fields = fields[:-1]
            stack += [(getattr(value, name), base) for name in reversed(fields)]
        elif isinstance(value, list):
            found.append("[")
            stack += [("]", base), *((item, base) for item in value[::-1])]
        else:
            found.append(value)
    return found
