"""Finds known names that an unknown name may be a misspelling of, and decides whether a single typing error is certain.

Hints and fixes both use this module, so that they never suggest different names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import Enum
from functools import lru_cache

LIKENESS = 0.72
"""The least likeness (difflib's ratio) of a suggested name."""
LIKENESS_WITHIN = 0.65
"""The least likeness within a namespace, where there are fewer names to choose from."""
COMPARED = 100
"""The largest number of names that are compared letter by letter; the names that share the most letters come first."""
LENGTHS_APART = 4
"""Names whose lengths differ by more than this are not compared."""

_BESIDE = {
    "a": "qwsz", "b": "vghn", "c": "xdfv", "d": "serfcx", "e": "wsdr", "f": "drtgvc", "g": "ftyhbv", "h": "gyujnb",
    "i": "ujko", "j": "huikmn", "k": "jiolm", "l": "kop", "m": "njk", "n": "bhjm", "o": "iklp", "p": "ol", "q": "wa",
    "r": "edft", "s": "awedxz", "t": "rfgy", "u": "yhji", "v": "cfgb", "w": "qase", "x": "zsdc", "y": "tghu",
    "z": "asx",
}  # fmt: skip
"""The neighbours of each letter on the keyboard."""


class Slip(Enum):
    """The kinds of typing errors that turn one name into another."""

    CASE = "letters of another case, or an underscore left out or too many"
    SWAPPED = "two letters swapped"
    DOUBLED = "a letter doubled, or one of two left out"
    INSIDE = "a letter left out or too many, neither the first nor the last"
    BESIDE = "the key beside, neither for the first letter nor for the last"
    END = "the last letter left out"
    OTHER = "any other letter wrong, left out or too many"
    FIGURE = "a figure wrong, left out or too many"


OPEN: Mapping[Slip, int] = {Slip.CASE: 2, Slip.SWAPPED: 4, Slip.DOUBLED: 5, Slip.INSIDE: 5, Slip.BESIDE: 7}
"""Shortest lengths for names that a script chooses. A wrong first or last letter proves nothing: the script may have
meant another name that was never declared."""
NUMERIC: Mapping[Slip, int] = {
    Slip.CASE: 2,
    Slip.SWAPPED: 3,
    Slip.DOUBLED: 5,
    Slip.INSIDE: 6,
    Slip.BESIDE: 6,
    Slip.END: 6,
}
"""Shortest lengths for functions that compute. Other languages have more of them, with similar names (`tanh` and
`tan`, `wwma` and `wma`)."""
CLOSED: Mapping[Slip, int] = {
    Slip.CASE: 2,
    Slip.SWAPPED: 3,
    Slip.DOUBLED: 4,
    Slip.INSIDE: 4,
    Slip.BESIDE: 4,
    Slip.END: 4,
    Slip.OTHER: 5,
}
"""Shortest lengths for names from a complete list: constants, parameters, and the methods of Pine's objects."""


def slip(written: str, meant: str) -> Slip | None:
    """Return the single typing error that turns `meant` into `written`; None if there is more than one."""
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
    """Return whether `written` can only be a misspelling of `meant`.

    `others` are all possible names at this point. None of them may be one typing error away, or begin or end with
    `written`. `needed` (OPEN, NUMERIC or CLOSED) has, for each kind of error, the shortest length of `meant` at which
    it is certain: in short names, an error easily produces another name. Kinds that are missing there, such as a wrong
    digit, are never certain.
    """
    kind = slip(written, meant)
    least = needed.get(kind) if kind else None
    if least is None or len(meant) < least:
        return False
    return not any(_rivals(written, other) for other in others if other not in (meant, written))


def _rivals(written: str, other: str) -> bool:
    """Return whether the name `other` is also a possible meaning."""
    return other.startswith(written) or other.endswith(written) or slip(written, other) is not None


def goes_on(written: str, candidates: Iterable[str]) -> list[str]:
    """Return the `candidates` that begin with `written`, if there are only a few. The name may have been cut off."""
    longer = sorted(name for name in candidates if len(written) >= _TOLD_BY and name.startswith(written))
    return longer if len(longer) <= _MOST_MEANT else []


_TOLD_BY = 4
"""The smallest number of letters that are accepted as the beginning of a longer name."""
_MOST_MEANT = 4


def of_the_same_words(written: str, candidates: Iterable[str]) -> list[str]:
    """Return the `candidates` that share the most words with `written`, and at least two, such as `position_avg_price`
    for `avg_entry_price`. Return none if there are more than a few."""
    words = set(written.lower().split("_"))
    if len(words) < 2:
        return []
    shared = {name: len(words & set(name.split("_"))) for name in candidates}
    most = max(shared.values(), default=0)
    found = sorted(name for name, count in shared.items() if count == most)
    return found if most > 1 and len(found) <= _MOST_MEANT else []


def nearest(written: str, candidates: Iterable[str], count: int = 3, min_likeness: float = LIKENESS) -> list[str]:
    """Return at most `count` of the `candidates` that `written` may be a misspelling of, most likely first.

    `min_likeness` is the lowest similarity, from 0 to 1, of a name that differs by more than one typing error. Names
    that are one typing error away precede names that are only similar; at most COMPARED of the latter are compared.
    Within a namespace, names that are cut off after a word, or longer than a known name, come in between.
    """
    folded, letters = _shape(written)
    slipped: list[tuple[float, str]] = []
    alike: list[tuple[int, str]] = []
    for candidate in candidates:
        apart = abs(len(candidate) - len(written))
        if candidate == written:
            continue
        if min_likeness <= LIKENESS_WITHIN and (part := _part(written, candidate)):
            slipped.append((part, candidate))
            continue
        if apart > LENGTHS_APART:
            continue
        others_folded, others = _shape(candidate)
        # Letters that are not in both names cannot match, and this bound excludes most names.
        shared = min(len(written) - (letters & ~others).bit_count(), len(candidate) - (others & ~letters).bit_count())
        whole = len(written) + len(candidate)
        if 2 * shared >= whole - 3 or others_folded == folded:
            score = _slipped(written, candidate)
            if score:
                slipped.append((score, candidate))
                continue
        if 2 * shared >= min_likeness * whole:
            alike.append((whole - 2 * shared, candidate))
    scored = slipped if len(slipped) >= count else [*slipped, *_alike(written, alike, min_likeness)]
    scored.sort(key=lambda pair: (-pair[0], pair[1]))
    return [candidate for _, candidate in scored[:count]]


def _slipped(written: str, candidate: str) -> float:
    """How likely it is that the names differ only by a typing error, or by the order of their letters. 0 if they do
    not."""
    first = 0.5 if candidate[:1] == written[:1] else 0.0
    kind = slip(written, candidate)
    if kind is not None:
        return first + (_SAME if kind is Slip.CASE else _SLIPPED)
    shuffled = first and len(written) == len(candidate) and sorted(written) == sorted(candidate)
    return _SHUFFLED if shuffled else 0.0


def _part(written: str, candidate: str) -> float:
    """How likely it is that one name is a part of the other, as `position` of `position_size`, or `stoch` of
    `stochastic`. 0 if it is not."""
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
    """Yield the candidates whose likeness is at least `least`, with their likeness.

    Each candidate comes with the number of its letters that cannot match.
    """
    if not candidates:
        return
    from difflib import SequenceMatcher  # imported here, because a script without errors needs no hints

    matcher: SequenceMatcher[str] = SequenceMatcher(autojunk=False)
    matcher.set_seq2(written.lower())
    for _, candidate in sorted(candidates)[:COMPARED]:
        matcher.set_seq1(candidate.lower())
        if matcher.quick_ratio() >= least and (ratio := matcher.ratio()) >= least and _goes_alike(written, candidate):
            yield ratio + (0.05 if candidate[:1] == written[:1] else 0.0), candidate


def _goes_alike(written: str, candidate: str) -> bool:
    """Return whether two names with the same beginning are also alike after it. Names of one family begin with the same
    words."""
    one, other = written.lower(), candidate.lower()
    begun = next((n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    if begun < _BEGINNING or min(len(one), len(other)) - begun < _BEGINNING:
        return True
    from difflib import SequenceMatcher

    return SequenceMatcher(None, one[begun:], other[begun:], autojunk=False).ratio() >= _GOING_ON


_BEGINNING = 6
"""The rests of two names are compared only if the common beginning and the rests have at least this number of letters.
"""
_GOING_ON = 0.5


def best(written: str, candidates: Collection[str], min_likeness: float = LIKENESS) -> str | None:
    """Return the most likely meaning of `written`: a candidate with a similarity of at least `min_likeness` (0 to 1),
    or else the only candidate that begins or ends with it; None if there is neither."""
    near = nearest(written, candidates, 1, min_likeness)
    if not near and len(written) >= _SHORTEST_PART:
        near = [candidate for candidate in candidates if candidate.startswith(written) and candidate != written]
        near = near or [
            candidate
            for candidate in candidates
            if candidate.endswith(written) and len(written) < len(candidate) < 2 * len(written) + 3
        ]
    return near[0] if len(near) == 1 else None


_SHORTEST_PART = 3
"""The smallest number of letters of a name that may be the beginning or end of another one."""
_SAME, _SLIPPED, _SHUFFLED, _CUT, _LONGER = 4.0, 3.0, 2.0, 1.5, 1.2
"""Scores above any likeness: same letters in another case, one typing error, the same letters in another order, cut
off after a word, longer than a known name."""


@lru_cache(maxsize=8192)
def _shape(name: str) -> tuple[str, int]:
    """A name without underscores in lower case, and a bit set of its letters. Cached, because the same names are
    compared often."""
    letters = 0
    for letter in name.lower():
        letters |= 1 << min(ord(letter), 128)
    return name.replace("_", "").lower(), letters


def _edges(name: str) -> tuple[bool, bool]:
    return name.startswith("_"), name.endswith("_")


def _has_figure(letters: str) -> bool:
    return any(map(str.isdigit, letters))
