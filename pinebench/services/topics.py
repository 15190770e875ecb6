"""The topics of the language pages: a topic is a page of `docs/language`, or one of its sections.

A page begins with `# TITLE`, a section with `## TITLE`. A line `<!-- also: NAME, NAME -->` below a title gives other
names for the topic. ALIASES has names that people use for the subjects that the pages are about. New pages are found
without being listed anywhere.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

ALIASES = {
    "series vs simple": "qualifiers",
    "simple vs series": "qualifiers",
    "const input simple series": "qualifiers",
    "execution": "execution model",
    "bar by bar": "execution model",
    "rollback": "execution model",
    "realtime": "execution model",
    "udt": "user-defined types",
    "objects": "user-defined types",
    "structs": "user-defined types",
    "classes": "user-defined types",
    "square brackets": "history operator",
    "history": "history operator",
    "past values": "history operator",
    "lookahead": "repainting",
    "repaint": "repainting",
    "future leak": "repainting",
    "mtf": "requests",
    "multi timeframe": "requests",
    "higher timeframe": "requests",
    "request.security": "requests",
    "arrays": "collections",
    "lists": "collections",
    "maps": "collections",
    "matrices": "collections",
    "backtest": "strategies",
    "broker": "strategies",
    "orders": "strategies",
    "scope": "scopes",
    "local scope": "scopes",
    "global scope": "scopes",
    "loops": "scopes",
    "functions": "functions",
    "methods": "methods",
    "drawing limits": "limits",
    "too many plots": "limits",
    "timeouts": "limits",
    "naming": "style",
    "v5": "migration",
    "v5 to v6": "migration",
    "upgrade": "migration",
}
"""Other names of subjects: each means the topic whose title has these words."""

_ALSO = re.compile(r"^<!-- also: (.*?) -->$", re.MULTILINE)
_WORD = re.compile(r"[^\W_][\w.]*")
_FILLERS = frozenset("a an and in is of on or the to versus vs what".split())


class Topic(NamedTuple):
    """A page or a section: its title, other names, text in Markdown, and the page's file name without its ending."""

    title: str
    also: tuple[str, ...]
    text: str
    page: str

    @property
    def address(self) -> str:
        """The name by which the topic is found: `PAGE`, or `PAGE#SECTION` with hyphens for spaces."""
        if self.text.startswith("# "):
            return self.page
        return f"{self.page}#{'-'.join(_WORD.findall(self.title.lower()))}"


@cache
def topics(folder: Path | None = None) -> tuple[Topic, ...]:
    """All topics, page by page, of the pages in `folder`, or else of our own; none if the pages are missing."""
    from pinebench import resources
    from pinebench.errors import UnavailableError

    if folder is None:
        try:
            folder = resources.folder("language")
        except UnavailableError:
            return ()
    found: list[Topic] = []
    for path in sorted(folder.glob("*.md")):
        if path.name != "README.md":
            found += _of_page(path.stem, path.read_text(encoding="utf-8"))
    return tuple(found)


def find(name: str, among: tuple[Topic, ...] | None = None) -> Topic | None:
    """The topic called `name`, or None: by its address, its title, another name, an alias, or because its title has all
    the words of `name`.
    """
    every = topics() if among is None else among
    wanted = _plain(name)
    if not wanted:
        return None
    exact = next((topic for topic in every if topic.address == name.strip().lower()), None)
    if exact is not None:
        return exact
    for topic in every:
        if wanted in (_plain(topic.title), *map(_plain, topic.also)):
            return topic
    for words in (_aliases().get(wanted, ""), wanted):
        titled = [topic for topic in every if words and set(words.split()) <= set(_plain(topic.title).split())]
        if titled:
            return min(titled, key=lambda topic: len(topic.title))
    return None


def titles() -> list[str]:
    """The titles of all topics, and their other names."""
    return [name for topic in topics() for name in (topic.title, *topic.also)]


def _of_page(page: str, text: str) -> list[Topic]:
    """The topics of a page: the page up to its first section, then each section."""
    found: list[Topic] = []
    for part in _parts(text):
        title = part.partition("\n")[0].lstrip("#").strip()
        also = _ALSO.search(part)
        names = tuple(name.strip() for name in also[1].split(",")) if also is not None else ()
        found.append(Topic(title, names, _ALSO.sub("", part).strip() + "\n", page))
    return found


def _parts(text: str) -> list[str]:
    """A page, cut before each title of the first or second level; titles within blocks of code do not count."""
    parts: list[list[str]] = []
    in_code = False
    for line in text.splitlines():
        in_code ^= line.startswith("```")
        if not in_code and re.match(r"##? ", line):
            parts.append([])
        if parts:
            parts[-1].append(line)
    return ["\n".join(lines) for lines in parts]


@cache
def _aliases() -> dict[str, str]:
    return {_plain(name): _plain(words) for name, words in ALIASES.items()}


def _plain(name: str) -> str:
    """A name in small letters, without signs and filling words, so that spellings do not matter."""
    words = [word.rstrip(".") for word in _WORD.findall(name.lower().replace("-", " ").replace("`", " "))]
    return " ".join(word for word in words if word not in _FILLERS)
