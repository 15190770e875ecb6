"""Finds the files that git ignores in a folder: reads the `.gitignore` files in the folder and above it, up to the
repository's root.

Git matches the entries of a folder while it walks, so a file in an ignored folder cannot be included again. Libraries
that match complete paths give different results for patterns such as `src/**` beside `!src/a.pine`.
"""

from __future__ import annotations

import codecs
import os
import re

from pinebench import files
from pinebench.errors import UsageError
from pinebench.files import repositories
from pinebench.patterns import lazy_pattern
from pinebench.records import NamedTuple

_NAME = ".gitignore"


class GitIgnore:
    """Decides which paths below a folder git ignores. Each `.gitignore` is read once.

    The user named the folder itself, so only the paths in it are tested. If the folder is not in a repository, its
    `.gitignore` files are used anyway. Inside a repository, and also inside a submodule, files above its root are not
    read.
    """

    def __init__(self, folder: str) -> None:
        top = os.path.realpath(folder)
        self._root = repositories.root_of(top) or top
        self._places: dict[str, str] = {}
        self._speaking: dict[str, list[tuple[str, list[_Pattern]]]] = {}

    def leaves_out(self, path: str, *, is_folder: bool = False) -> bool:
        """Return whether git ignores the file or folder at `path`, whose own folder is not ignored. The nearest
        `.gitignore` with a matching pattern decides."""
        beside, name = os.path.split(path)
        if beside not in self._places:
            self._places[beside] = os.path.realpath(beside)
        speaking = self._speaking_in(self._places[beside])
        if not speaking:
            return False
        absolute = os.path.join(self._places[beside], name)
        for folder, patterns in speaking:
            verdict = _verdict(patterns, absolute, folder, is_folder)
            if verdict is not None:
                return verdict
        return False

    def _speaking_in(self, folder: str) -> list[tuple[str, list[_Pattern]]]:
        """The patterns that apply to what is in `folder`, each with the folder that it is relative to; the nearest
        file's patterns come first."""
        unknown: list[str] = []
        while folder not in self._speaking:
            unknown.append(folder)
            if folder == self._root or repositories.is_root(folder):
                break
            folder = os.path.dirname(folder)
        speaking = self._speaking.get(folder, [])
        for each in reversed(unknown):
            own = [_patterns_in(os.path.join(each, _NAME))]
            if repositories.is_root(each):
                own.append(_patterns_in(repositories.exclude_file(each)))
            speaking = [*((each, patterns) for patterns in own if patterns), *speaking]
            self._speaking[each] = speaking
        return speaking


class _Pattern(NamedTuple):
    """One line of a `.gitignore`.

    `parts` are the patterns of the parts of a path; None stands for any number of folders. `anywhere` is true if the
    pattern matches names in any folder below, `folders_only` if it matches only folders, and `negated` if it includes
    again what an earlier line ignored.
    """

    parts: tuple[re.Pattern[str] | None, ...]
    anywhere: bool
    folders_only: bool
    negated: bool

    def fits(self, names: list[str]) -> bool:
        """Whether the pattern fits the path with these `names`."""
        if self.anywhere:
            names = names[-1:]
        last = len(self.parts)
        reached = {0}
        for name in names:
            # `**` in the middle may match no folder at all; `**` at the end matches everything in the folder before it.
            reached |= {at + 1 for at in reached if at + 1 < last and self.parts[at] is None}
            following: set[int] = set()
            for at in reached - {last}:
                part = self.parts[at]
                if part is None:
                    following |= {at, last} if at + 1 == last else {at}
                elif part.fullmatch(name):
                    following.add(at + 1)
            reached = following
        return last in reached


def _verdict(patterns: list[_Pattern], path: str, folder: str, is_folder: bool) -> bool | None:
    """Whether the last of `patterns` that fits `path` ignores it; None if none fits."""
    if not patterns:
        return None
    # Git matches bytes: `?` is one byte.
    names = os.fsencode(os.path.relpath(path, folder)).decode("latin-1").split(os.sep)
    for pattern in reversed(patterns):
        if (is_folder or not pattern.folders_only) and pattern.fits(names):
            return not pattern.negated
    return None


def _patterns_in(file: str) -> list[_Pattern]:
    if not os.path.isfile(file):
        return []
    try:
        lines = files.read_bytes(file).removeprefix(codecs.BOM_UTF8).decode("latin-1").split("\n")
    except UsageError:
        return []
    return [pattern for line in lines if (pattern := _pattern(line.removesuffix("\r")))]


def _pattern(line: str) -> _Pattern | None:
    """The pattern in a line of a `.gitignore`; None for a comment and for a line that git does not understand."""
    line = re.sub(r"(?<!\\) +$", "", line)
    if not line or line.startswith("#"):
        return None
    negated = line.startswith("!")
    line = line[negated:]
    folders_only = line.endswith("/")
    line = line.removesuffix("/")
    if not line:
        return None
    names = line.removeprefix("/").split("/")
    parts: list[re.Pattern[str] | None] = []
    for name in names:
        if len(names) > 1 and len(name) > 1 and not name.strip("*"):
            if not parts or parts[-1] is not None:
                parts.append(None)
            continue
        compiled = _name(name)
        if compiled is None:
            return None
        parts.append(compiled)
    return _Pattern(tuple(parts), "/" not in line, folders_only, negated)


_CLASSES = {
    "alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z", "xdigit": "0-9a-fA-F",
    "space": r"\s", "blank": r" \t", "punct": r"!-/:-@\[-`{-~",
}  # fmt: skip
_TOKEN = lazy_pattern(
    r"(?P<stars>\*+)|(?P<any>\?)|\\(?P<escaped>.)|"
    r"\[(?P<not>[!^]?)(?P<set>\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*)\]|(?P<bad>[\[\\])|(?P<plain>[^*?\\\[]+)",
    re.DOTALL,
)
_IN_SET = lazy_pattern(r"\[:(?P<name>[a-z]+):\]|\\(?P<escaped>.)|(?P<dash>-)|(?P<plain>.)", re.DOTALL)


def _name(glob: str) -> re.Pattern[str] | None:
    """Compile the glob of one name. Each run between stars matches at its first possible place, so no backtracking is
    needed."""
    runs = [""]
    for token in _TOKEN.finditer(glob):
        if token["bad"]:
            return None
        if token["stars"]:
            runs.append("")
        elif token["any"]:
            runs[-1] += "."
        elif token["set"] is not None:
            runs[-1] += f"[{'^' if token['not'] else ''}{_set(token['set'])}]"
        else:
            runs[-1] += re.escape(token["escaped"] or token["plain"])
    first, *others = runs
    text = first + "".join(f"(?>.*?{run})" for run in others[:-1])
    if others:
        text += f".*{others[-1]}"
    try:
        return re.compile(text, re.DOTALL)
    except re.error:
        return None


def _set(text: str) -> str:
    """Convert the inside of a `[…]` to the inside of a set of a regular expression."""
    found: list[str] = []
    for token in _IN_SET.finditer(text):
        if token["name"]:
            found.append(_CLASSES.get(token["name"], ""))
        elif token["dash"]:
            found.append("-" if found and token.end() < len(text) else r"\-")
        else:
            found.append(re.escape(token["escaped"] or token["plain"]))
    return "".join(found)
