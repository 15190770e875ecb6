"""How names may be misspelled: which known names are near an unknown one, and whether a slip of a finger is proof of
what was meant.

Hints and fixes both ask here, so that they never name different things.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import Enum
from functools import lru_cache

LIKENESS = 0.72
"""Names less alike than this (by difflib's ratio) are not offered as what was meant."""
LIKENESS_WITHIN = 0.65
"""The same within a namespace, where there are fewer names to choose from."""
COMPARED = 100
"""So many names that share most letters with a written one are compared with it letter by letter at most."""
LENGTHS_APART = 4
"""Names whose lengths differ by more letters are not compared."""

_BESIDE = {
    "a": "qwsz", "b": "vghn", "c": "xdfv", "d": "serfcx", "e": "wsdr", "f": "drtgvc", "g": "ftyhbv", "h": "gyujnb",
    "i": "ujko", "j": "huikmn", "k": "jiolm", "l": "kop", "m": "njk", "n": "bhjm", "o": "iklp", "p": "ol", "q": "wa",
    "r": "edft", "s": "awedxz", "t": "rfgy", "u": "yhji", "v": "cfgb", "w": "qase", "x": "zsdc", "y": "tghu",
    "z": "asx",
}  # fmt: skip
"""The keys beside the key of each letter."""


class Slip(Enum):
    """How one slip of a finger makes one name of another."""

    CASE = "letters of another case, or an underscore left out or too many"
    SWAPPED = "two letters swapped"
    DOUBLED = "a letter doubled, or one of two left out"
    INSIDE = "a letter left out or too many, neither the first nor the last"
    BESIDE = "the key beside, neither for the first letter nor for the last"
    END = "the last letter left out"
    OTHER = "any other letter wrong, left out or too many"
    FIGURE = "a figure wrong, left out or too many"


OPEN: Mapping[Slip, int] = {Slip.CASE: 2, Slip.SWAPPED: 4, Slip.DOUBLED: 5, Slip.INSIDE: 5, Slip.BESIDE: 7}
"""Names that a script chooses: any other may have been forgotten, so that first and last letters say nothing."""
NUMERIC: Mapping[Slip, int] = {
    Slip.CASE: 2,
    Slip.SWAPPED: 3,
    Slip.DOUBLED: 5,
    Slip.INSIDE: 6,
    Slip.BESIDE: 6,
    Slip.END: 6,
}
"""Functions that compute: others have more of them, with names as near (`tanh` and `tan`, `wwma` and `wma`)."""
CLOSED: Mapping[Slip, int] = {
    Slip.CASE: 2,
    Slip.SWAPPED: 3,
    Slip.DOUBLED: 4,
    Slip.INSIDE: 4,
    Slip.BESIDE: 4,
    Slip.END: 4,
    Slip.OTHER: 5,
}
"""Names of which Pine has so many and no more: constants, parameters, what can be done with its objects."""


def slip(written: str, meant: str) -> Slip | None:
    """The one slip of a finger that makes `written` of `meant`, or None when it takes more."""
    if written == meant:
        return None
    if _shape(written)[0] == _shape(meant)[0] and _edges(written) == _edges(meant):
        return Slip.CASE
    if len(written) == len(meant):
        wrong = [place for place in range(len(meant)) if written[place] != meant[place]]
        if len(wrong) == 2 and wrong[1] == wrong[0] + 1:
            one, other = wrong
            if written[one] == meant[other] and written[other] == meant[one]:
                return Slip.FIGURE if _has_figure(written[one] + written[other]) else Slip.SWAPPED
        if len(wrong) != 1:
            return None
        if _has_figure(written[wrong[0]] + meant[wrong[0]]):
            return Slip.FIGURE
        inside = 0 < wrong[0] < len(meant) - 1
        near = written[wrong[0]].lower() in _BESIDE.get(meant[wrong[0]].lower(), "")
        return Slip.BESIDE if inside and near else Slip.OTHER
    short, long = sorted((written, meant), key=len)
    if len(long) - len(short) != 1:
        return None
    place = next((place for place in range(len(short)) if short[place] != long[place]), len(short))
    if long[place + 1 :] != short[place:]:
        return None
    if _has_figure(long[place]):
        return Slip.FIGURE
    if place and long[place] == long[place - 1]:
        return Slip.DOUBLED
    if 0 < place < len(long) - 1:
        return Slip.INSIDE
    return Slip.END if place and len(written) < len(meant) else Slip.OTHER


def is_proof(written: str, meant: str, others: Iterable[str], needed: Mapping[Slip, int]) -> bool:
    """Whether `written` can only be a slip for `meant`.

    `others` are all names that can stand there; none of them may be as near, nor begin or end like `written`. `needed`
    (OPEN, NUMERIC or CLOSED) says how long the meant name must be at least for each slip to be proof: of short names
    each slip makes another name. A slip that it does not have is none, and neither is another figure.
    """
    kind = slip(written, meant)
    least = needed.get(kind) if kind else None
    if least is None or len(meant) < least:
        return False
    return not any(_rivals(written, other) for other in others if other not in (meant, written))


def _rivals(written: str, other: str) -> bool:
    """Whether `other` may be what was meant as well."""
    return other.startswith(written) or other.endswith(written) or slip(written, other) is not None


def goes_on(written: str, candidates: Iterable[str]) -> list[str]:
    """The few of `candidates` that begin with `written` and go on: of a name that was cut off any may be meant."""
    longer = sorted(name for name in candidates if len(written) >= _TOLD_BY and name.startswith(written))
    return longer if len(longer) <= _MOST_MEANT else []


_TOLD_BY = 4
"""Letters that a beginning has at least which says what is meant."""
_MOST_MEANT = 4


def of_the_same_words(written: str, candidates: Iterable[str]) -> list[str]:
    """The few of `candidates` that share most words with `written`, two at least (`avg_entry_price`,
    `position_avg_price`)."""
    words = set(written.lower().split("_"))
    if len(words) < 2:
        return []
    shared = {name: len(words & set(name.split("_"))) for name in candidates}
    most = max(shared.values(), default=0)
    found = sorted(name for name, count in shared.items() if count == most)
    return found if most > 1 and len(found) <= _MOST_MEANT else []


def nearest(written: str, candidates: Iterable[str], count: int = 3, least: float = LIKENESS) -> list[str]:
    """The `candidates` that `written` may be a misspelling of, likeliest first, at most `count`.

    Names one slip away come before all that are like it only, of which COMPARED are looked at. Within a namespace names
    that are cut after a word, or longer than known ones, stand between.
    """
    folded, letters = _shape(written)
    slipped: list[tuple[float, str]] = []
    alike: list[tuple[int, str]] = []
    for candidate in candidates:
        apart = abs(len(candidate) - len(written))
        if candidate == written:
            continue
        if least <= LIKENESS_WITHIN and (part := _part(written, candidate)):
            slipped.append((part, candidate))
            continue
        if apart > LENGTHS_APART:
            continue
        others_folded, others = _shape(candidate)
        # What is not in both cannot match: most names are done with after this bound.
        shared = min(len(written) - (letters & ~others).bit_count(), len(candidate) - (others & ~letters).bit_count())
        whole = len(written) + len(candidate)
        if 2 * shared >= whole - 3 or others_folded == folded:
            score = _slipped(written, candidate)
            if score:
                slipped.append((score, candidate))
                continue
        if 2 * shared >= least * whole:
            alike.append((whole - 2 * shared, candidate))
    scored = slipped if len(slipped) >= count else [*slipped, *_alike(written, alike, least)]
    scored.sort(key=lambda pair: (-pair[0], pair[1]))
    return [candidate for _, candidate in scored[:count]]


def _slipped(written: str, candidate: str) -> float:
    """How sure it is that the names differ by a slip only, or by the order of their letters; 0 when they do not."""
    first = 0.5 if candidate[:1] == written[:1] else 0.0
    kind = slip(written, candidate)
    if kind is not None:
        return first + (_SAME if kind is Slip.CASE else _SLIPPED)
    shuffled = first and len(written) == len(candidate) and sorted(written) == sorted(candidate)
    return _SHUFFLED if shuffled else 0.0


def _part(written: str, candidate: str) -> float:
    """How likely it is that one of the names is the beginning of the other, as with `position` and `position_size`, or
    with `stochastic` and `stoch`; 0 when it is not."""
    if len(written) >= _SHORTEST_PART and candidate.startswith(f"{written}_"):
        return _CUT - len(candidate) / 1000
    if len(written) > _SHORTEST_PART and candidate.endswith(f"_{written}") and len(candidate) < 2 * len(written) + 3:
        return _CUT - len(candidate) / 500
    words = written.split("_")
    if len(words) > 1 and len(candidate) > len(written) and set(words) < set(candidate.split("_")):
        return _CUT - len(candidate) / 500
    if len(candidate) > _SHORTEST_PART and written.startswith(candidate) and len(written) > len(candidate) + 1:
        return _LONGER + len(candidate) / 1000
    return 0.0


def _alike(written: str, candidates: list[tuple[int, str]], least: float) -> Iterator[tuple[float, str]]:
    """The candidates whose likeness is at least `least`, with it; each comes with how much of it cannot match."""
    if not candidates:
        return
    from difflib import SequenceMatcher  # here, because a clean script needs no advice

    matcher: SequenceMatcher[str] = SequenceMatcher(autojunk=False)
    matcher.set_seq2(written.lower())
    for _, candidate in sorted(candidates)[:COMPARED]:
        matcher.set_seq1(candidate.lower())
        if matcher.quick_ratio() >= least and (ratio := matcher.ratio()) >= least and _goes_alike(written, candidate):
            yield ratio + (0.05 if candidate[:1] == written[:1] else 0.0), candidate


def _goes_alike(written: str, candidate: str) -> bool:
    """Whether two names that begin alike go on alike, too: a family of names begins with the same words."""
    one, other = written.lower(), candidate.lower()
    begun = next((n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    if begun < _BEGINNING or min(len(one), len(other)) - begun < _BEGINNING:
        return True
    from difflib import SequenceMatcher

    return SequenceMatcher(None, one[begun:], other[begun:], autojunk=False).ratio() >= _GOING_ON


_BEGINNING = 6
"""Letters of a beginning that names of one family share, and of what must follow to be compared."""
_GOING_ON = 0.5


def best(written: str, candidates: Collection[str], least: float = LIKENESS) -> str | None:
    """What `written` most likely stands for, else the only one of `candidates` that begins or ends so, or None."""
    near = nearest(written, candidates, 1, least)
    if not near and len(written) >= _SHORTEST_PART:
        near = [candidate for candidate in candidates if candidate.startswith(written) and candidate != written]
        near = near or [
            candidate
            for candidate in candidates
            if candidate.endswith(written) and len(written) < len(candidate) < 2 * len(written) + 3
        ]
    return near[0] if len(near) == 1 else None


_SHORTEST_PART = 3
"""The letters a name must have to be taken for the beginning or the end of another."""
_SAME, _SLIPPED, _SHUFFLED, _CUT, _LONGER = 4.0, 3.0, 2.0, 1.5, 1.2
"""What counts more than likeness: other case only, one slip, the same letters in another order, cut after a word,
longer than what is known."""


@lru_cache(maxsize=8192)
def _shape(name: str) -> tuple[str, int]:
    """A name folded, and a bit for each of its letters: many names are compared with one, and with others again."""
    letters = 0
    for letter in name.lower():
        letters |= 1 << min(ord(letter), 128)
    return _folded(name), letters


def _folded(name: str) -> str:
    return name.replace("_", "").lower()


def _edges(name: str) -> tuple[bool, bool]:
    return name.startswith("_"), name.endswith("_")


def _has_figure(letters: str) -> bool:
    return any(map(str.isdigit, letters))
