"""Searches the reference and the language pages for words."""

from __future__ import annotations

import math
import re
from collections import Counter

from pinebench import codes, reference
from pinebench.records import NamedTuple
from pinebench.reference import texts
from pinebench.services import topics

_WORD = re.compile(r"[^\W_]+")
_OF_QUESTIONS = frozenset(
    "a an and are be by can do does for from how i in is it make my not of on or so that the this to use what when "
    "where which why with you".split()
)
"""Words that say nothing about the subject of a question."""


class Hit(NamedTuple):
    """One search result: its name (the argument of `pinebench explain`), its kind and a sentence about it."""

    name: str
    kind: str
    sentence: str


def search(words: str, most: int = 20) -> list[Hit]:
    """Return at most `most` results that have all the `words` in their names or texts, best first.

    A word in the name counts most, then a word in the sentence, then a word in the texts around it. Words are compared
    by their beginnings, so that `average` finds `averages`.
    """
    wanted = [word.lower() for word in _WORD.findall(words)]
    if not wanted:
        return []
    scored: list[tuple[int, int, int, Hit]] = []
    popular = reference.uses()
    for number, (hit, more) in enumerate(_everything()):
        score = _score(wanted, hit, more)
        if score:
            scored.append((-score, -popular.get(hit.name, 0), number, hit))
    return [hit for *_, hit in sorted(scored)[:most]]


def nearest(question: str, limit: int) -> list[Hit]:
    """Return at most `limit` results that have the most and the rarest words of `question`, best first. A result has at
    least two of the words. Common words of questions, such as `how`, do not count."""
    wanted = {word for word in _WORD.findall(question.lower()) if word not in _OF_QUESTIONS}
    every = _everything()
    had = [(hit, {word: score for word in wanted if (score := _score([word], hit, more))}) for hit, more in every]
    counts = Counter(word for _, scores in had for word in scores)
    rarity = {word: math.log(len(every) / count) for word, count in counts.items()}
    scored = [
        (-sum(rarity[word] * (4 + score) for word, score in scores.items()), number, hit)
        for number, (hit, scores) in enumerate(had)
        if len(scores) > 1
    ]
    return [hit for *_, hit in sorted(scored)[:limit]]


def _everything() -> list[tuple[Hit, str]]:
    """Return all entries that can be found, each with further text about it."""
    found: list[tuple[Hit, str]] = []
    for kind, names, read in (
        ("function", reference.functions(), reference.function),
        ("variable", reference.variables(), reference.variable),
        ("constant", reference.constants(), reference.constant),
    ):
        for name in names:
            known = read(name)
            assert known is not None
            found.append((Hit(name, kind, known.description), _warnings(name)))
    for kind, names in (
        ("keyword", sorted(reference.keywords())),
        ("operator", reference.operators()),
        ("annotation", reference.compiler_annotations()),
    ):
        for name in names:
            word = reference.word(name)
            assert word is not None
            found.append((Hit(name, kind, word.description), _warnings(name)))
    found += [(Hit(name, "type", known.description), "") for name, known in reference.types().items()]
    found += [
        (Hit(topic.address, "topic", topic.title), f"{' '.join(topic.also)} {topic.text}") for topic in topics.topics()
    ]
    every = {**codes.all_codes(), **codes.opinion_codes()}
    found += [
        (Hit(code.name, "code", code.alias or code.template.splitlines()[0]), code.why) for code in every.values()
    ]
    return found


def _warnings(name: str) -> str:
    return " ".join(warning.text for warning in texts.text(name).watch_outs)


def _score(wanted: list[str], hit: Hit, more: str) -> int:
    """Return the score of an entry, from 1; 0 if one of the words is missing."""
    name = _WORD.findall(hit.name.lower().replace("_", " "))
    sentence = _WORD.findall(hit.sentence.lower())
    rest: list[str] | None = None
    score = 0
    for word in wanted:
        if word in name:
            score += 12
        elif any(each.startswith(word) for each in name):
            score += 8
        elif word in sentence:
            score += 6
        elif any(each.startswith(word) for each in sentence):
            score += 4
        elif len(word) > 2 and word in hit.name.lower():
            score += 3
        else:
            rest = _WORD.findall(more.lower()) if rest is None else rest
            if not any(each.startswith(word) for each in rest):
                return 0
            score += 1
    return score
