"""The catalogue of templates, and the search for the best template for a request. A template is `templates/<name>.pine`
with metadata in `templates/<name>.toml`: `title`, `kind` (indicator, strategy or library), `purpose`, `inputs` (a table
that describes each input, by title), `fails_when` and `keywords`."""

from __future__ import annotations

import math
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pinebench.errors import UnavailableError, UsageError
from pinebench.files.resources import folder
from pinebench.near import near_names

GOOD_MATCH = 5.0
"""The lowest score of a good match; without one, the script is written from scratch."""

MOSTLY = 0.5
"""The share of a request's words that a template must know for the request to be about it."""
PARTLY = 0.2
"""The lower share that is enough if the request names the template."""

STANDING_OUT = 2 * GOOD_MATCH
MARGIN = 1.3
"""A template that the request names is chosen anyway if its score is at least STANDING_OUT, and at least MARGIN times
the second best score."""
FAR_AHEAD = 3.5 * GOOD_MATCH
CLEAR_MARGIN = 1.75
"""A template that the request does not name is chosen with FAR_AHEAD and CLEAR_MARGIN as limits instead."""

# Words that say nothing about the script that is wanted.
_COMMON = frozenset(
    "a an and are as at be by can chart create for from give i in indicator into is it like make me my of on or pine"
    " please plot script show signal signals some strategy that the this to trading tradingview use using v6 want when"
    " where which with write".split()
)


@dataclass(frozen=True, slots=True)
class Template:
    """A template with its metadata. `inputs` maps the title of each input to its description."""

    name: str
    title: str
    kind: str
    purpose: str
    inputs: dict[str, str]
    fails_when: str
    keywords: tuple[str, ...]
    path: Path

    @property
    def source(self) -> str:
        """The text of the script."""
        return self.path.read_text("utf-8")


def templates(where: Path | None = None) -> tuple[Template, ...]:
    """Return all templates, sorted by name, from the folder `where` (default: pinebench's own templates). Raises
    UnavailableError if metadata are missing or malformed, which means that the installation is broken."""
    return _templates(where or folder("templates"))


def template(name: str, folder: Path | None = None) -> Template:
    """Return the template named `name`; `-` and `_` in names count as equal. Raises UsageError, which suggests similar
    names, if there is none."""
    wanted = name.lower().replace("-", "_")
    known = {found.name: found for found in templates(folder)}
    if wanted in known:
        return known[wanted]
    close = near_names(wanted, known, 3)
    raise UsageError(
        f"there is no template '{name}'",
        f"did you mean {' or '.join(close)}?" if close else "see 'pinebench template list'",
    )


def search(text: str, folder: Path | None = None) -> list[tuple[float, Template]]:
    """Return the templates that share words with `text`, each with its score, best first. A rare word counts more than
    a common one. A word counts once in the purpose, twice in the keywords, and three times in the name or title."""
    found = templates(folder)
    words = _words(text)
    bags = [_weights(item) for item in found]
    scored: list[tuple[float, Template]] = []
    for item, bag in zip(found, bags, strict=True):
        score = sum(bag.get(word, 0.0) * _rarity(word, bags) for word in words)
        if _says_other_kind(text, item.kind):
            score *= 0.5
        if score > 0:
            scored.append((score, item))
    return sorted(scored, key=lambda pair: (-pair[0], pair[1].name))


def best_match(request: str, folder: Path | None = None) -> Template | None:
    """Return the template to use for `request`; None if none is good enough. It has the requested kind, and either
    a good score and the same subject as `request`, or a score far above the scores of all others."""
    found = search(request, folder)
    for score, item in found:
        if score >= GOOD_MATCH and not _says_other_kind(request, item.kind) and _is_about(request, item):
            return item
    return _outstanding(request, found)


def _outstanding(request: str, found: list[tuple[float, Template]]) -> Template | None:
    """Return the best template, if it is far ahead of all others. A template that the request names needs a smaller
    lead."""
    ranked = [(score, item) for score, item in found if not _says_other_kind(request, item.kind)]
    if not ranked:
        return None
    (score, item), others = ranked[0], ranked[1:]
    second = others[0][0] if others else 0.0
    least, margin = (STANDING_OUT, MARGIN) if _names(request, item) else (FAR_AHEAD, CLEAR_MARGIN)
    return item if score >= least and score >= margin * second else None


def _is_about(request: str, item: Template) -> bool:
    """Return whether `request` is mostly about `item`, or names it and is partly about it."""
    words = _words(request)
    known = len(words & _weights(item).keys())
    return known >= MOSTLY * len(words) or (_names(request, item) and known >= PARTLY * len(words))


def _names(request: str, item: Template) -> bool:
    """Return whether `request` contains the words of the title of `item` side by side."""
    title = _words(item.title)
    said = [_stem(word) for word in _plain_words(request)]
    return any(title <= set(said[start : start + len(title) + 1]) for start in range(len(said)))


@cache
def _templates(where: Path) -> tuple[Template, ...]:
    return tuple(_read(path) for path in sorted(where.glob("*.pine")))


def _read(path: Path) -> Template:
    try:
        values: dict[str, Any] = tomllib.loads(path.with_suffix(".toml").read_text("utf-8"))
        return Template(
            path.stem,
            str(values["title"]),
            str(values["kind"]),
            str(values["purpose"]),
            {str(title): str(text) for title, text in values["inputs"].items()},
            str(values["fails_when"]),
            tuple(map(str, values["keywords"])),
            path,
        )
    except (OSError, tomllib.TOMLDecodeError, KeyError, AttributeError, TypeError) as error:
        raise UnavailableError(
            f"the template {path.stem} has invalid metadata: {error}", "reinstall pinebench"
        ) from None


def _words(text: str) -> set[str]:
    """Return the stems of the words of `text`, without common words."""
    return {_stem(word) for word in _plain_words(text)}


def _plain_words(text: str) -> list[str]:
    return [word for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in _COMMON]


def _stem(word: str) -> str:
    for ending in ("ings", "ing", "ers", "er", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word.removesuffix(ending)
    return word


def _weights(item: Template) -> dict[str, float]:
    told = dict.fromkeys(_words(item.purpose), 1.0)
    chosen = dict.fromkeys(_words(" ".join(item.keywords)), 2.0)
    return told | chosen | dict.fromkeys(_words(f"{item.name.replace('_', ' ')} {item.title}"), 3.0)


def _rarity(word: str, bags: list[dict[str, float]]) -> float:
    holding = sum(word in bag for bag in bags)
    return math.log((1 + len(bags)) / (1 + holding)) + 0.1 if holding else 0.0


def _says_other_kind(text: str, kind: str) -> bool:
    said = {word for word in ("indicator", "strategy", "library") if re.search(rf"\b{word}\b", text.lower())}
    return bool(said) and kind not in said
