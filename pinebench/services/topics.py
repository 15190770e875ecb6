"""The topics of the language pages: a topic is a page of `docs/language`, or one of its sections.

A page begins with `# TITLE`, a section with `## TITLE`. A line `<!-- also: NAME, NAME -->` below a title gives other
names for the topic. ALIASES has further common names for the subjects of the pages. New pages are found without being
listed anywhere.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from pinebench.errors import UnavailableError
from pinebench.records import NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

ALIASES = {
    "simple vs series": "qualifiers",
    "series vs simple": "qualifiers",
    "const input simple series": "qualifiers",
    "type system": "types and qualifiers",
    "int division": "integer division",
    "execution": "execution model",
    "bar by bar": "execution model",
    "when does my script run": "execution model",
    "realtime": "rollback",
    "real time": "rollback",
    "call on every bar": "functions run every bar",
    "consistency": "functions run every bar",
    "not available": "na",
    "udt": "user-defined types",
    "objects": "user-defined types",
    "structs": "user-defined types",
    "classes": "user-defined types",
    "copy": "objects copied",
    "square brackets": "history operator",
    "past values": "history operator",
    "max_bars_back": "maximum lookback error",
    "lookback": "maximum lookback error",
    "lookahead": "lookahead_on",
    "repaint": "repainting",
    "future leak": "repainting",
    "mtf": "higher timeframe",
    "multi timeframe": "higher timeframe",
    "request.security": "requests",
    "security": "requests",
    "lower timeframe": "security_lower_tf",
    "lists": "arrays",
    "dictionaries": "maps",
    "backtest": "strategies and the broker",
    "strategy tester": "strategies and the broker",
    "orders": "order filled",
    "fills": "order filled",
    "position size": "large order",
    "commission": "costs back-test",
    "local scope": "scopes",
    "global scope": "scopes",
    "assignment": "scopes and variables",
    "tuples": "return several values",
    "overloads": "functions same name",
    "drawing limits": "limits",
    "too many plots": "limits",
    "timeouts": "limits",
    "slow": "script faster",
    "performance": "script faster",
    "drawings": "drawings and plots",
    "old labels disappear": "old drawings vanish",
    "naming": "style",
    "annotations": "document function",
    "v5": "migration",
    "v5 to v6": "migration",
    "upgrade": "migration",
}
"""Other names of subjects: each means the topic whose title has these words."""

_ALSO = re.compile(r"^<!-- also: (.*?) -->$", re.MULTILINE)
_FENCE = re.compile(r"^```pine .*$", re.MULTILINE)
"""The first line of a block of code with a remark for tests, such as the code of the error that it has."""
_WORD = re.compile(r"[^\W_][\w.]*")
_FILLERS = frozenset("a an and are difference do does how i in is my of on or the to versus vs what why".split())


class Topic(NamedTuple):
    """A page or a section: its title, other names, text in Markdown, and the page's file name without its extension."""

    title: str
    also: tuple[str, ...]
    text: str
    page: str

    @property
    def is_page(self) -> bool:
        """Whether the topic is a page rather than a section."""
        return self.text.startswith("# ")

    @property
    def address(self) -> str:
        """The name by which the topic is found: `PAGE`, or `PAGE#SECTION` with hyphens for spaces."""
        if self.is_page:
            return self.page
        return f"{self.page}#{'-'.join(_WORD.findall(self.title.lower()))}"


@cache
def topics(folder: Path | None = None) -> tuple[Topic, ...]:
    """Return all topics, page by page, of the pages in `folder`, or else of our own; none if the pages are missing."""
    from pinebench.files import resources

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


def find(name: str, candidates: tuple[Topic, ...] | None = None) -> Topic | None:
    """Return the topic of `candidates` (by default all) called `name`, or None. The name may be an address, a title,
    another name or an alias. If none of them matches, the title must have all the words of `name`."""
    every = topics() if candidates is None else candidates
    wanted = _plain(name)
    if not wanted:
        return None
    exact = next((topic for topic in every if topic.address == name.strip().lower()), None)
    if exact is not None:
        return exact
    for topic in every:
        if wanted in (_plain(topic.title), *map(_plain, topic.also)):
            return topic
    for words in (wanted, _aliases().get(wanted, "")):
        titled = [topic for topic in every if words and set(words.split()) <= set(_plain(topic.title).split())]
        if titled:
            return min(titled, key=lambda topic: len(topic.title))
    return None


def titles() -> list[str]:
    """Return the titles of all topics, and their other names."""
    return [name for topic in topics() for name in (topic.title, *topic.also)]


def _of_page(page: str, text: str) -> list[Topic]:
    """The topics of a page: the whole page, then each section."""
    found: list[Topic] = []
    for number, part in enumerate(_parts(text)):
        title = part.partition("\n")[0].lstrip("#").strip()
        also = _ALSO.search(part)
        names = tuple(name.strip() for name in also[1].split(",")) if also is not None else ()
        shown = part if number else text
        found.append(Topic(title, names, _FENCE.sub("```pine", _ALSO.sub("", shown)).strip() + "\n", page))
    return found


def _parts(text: str) -> list[str]:
    """Cut a page before each title of the first or second level; titles within blocks of code do not count."""
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
    """Return a name in lower case and singular, without punctuation and filler words, to ignore spellings."""
    words = [word.rstrip(".") for word in _WORD.findall(name.lower().replace("-", " ").replace("`", " "))]
    kept = [word for word in words if word not in _FILLERS]
    return " ".join(word.removesuffix("s") if len(word) > 3 else word for word in kept)
