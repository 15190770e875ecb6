"""What git leaves out of a folder: the `.gitignore` files in it, and above it up to the root of its repository.

Git matches the entries of a folder while it walks, so that what lies in a folder that is left out cannot come back;
libraries that match whole paths say something else of patterns such as `src/**` beside `!src/a.pine`.
"""

from __future__ import annotations

import codecs
import os
import re
from typing import NamedTuple

from pinebench import files
from pinebench.errors import UsageError
from pinebench.files import repositories

_NAME = ".gitignore"


class Ignored:
    """Answers for paths below a folder whether git would leave them out; each `.gitignore` is read once.

    The folder itself was named by somebody, so that only what is in it is asked about. Where it is in no repository,
    the files in it count all the same. What is in a repository, a submodule too, is its own business: what is said
    above its root is not asked.
    """

    def __init__(self, folder: str) -> None:
        top = os.path.realpath(folder)
        self._root = repositories.root_of(top) or top
        self._places: dict[str, str] = {}
        self._speaking: dict[str, list[tuple[str, list[_Pattern]]]] = {}

    def leaves_out(self, path: str, *, is_folder: bool = False) -> bool:
        """Whether the file or folder at `path`, in a folder that is not left out, is; the nearest file that says
        anything about it decides."""
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
        """The patterns that say something about what is in `folder`, the nearest file's first, each with the folder
        that they are for."""
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
    """One line of a `.gitignore`: what each part of a path must be (None: any number of folders), whether it speaks of
    names anywhere below, of folders only, and takes back what an earlier line left out."""

    parts: tuple[re.Pattern[str] | None, ...]
    anywhere: bool
    folders_only: bool
    negated: bool

    def fits(self, names: list[str]) -> bool:
        """Whether the path with these `names` fits."""
        if self.anywhere:
            names = names[-1:]
        last = len(self.parts)
        reached = {0}
        for name in names:
            # A run of folders in the middle may be empty; one at the end holds what is in the folder before it.
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
    """What the last of `patterns` that fits says; None where none does."""
    if not patterns:
        return None
    # As git does, by bytes: `?` is one of them.
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
    """The pattern that a line holds; None for a comment, and for a line that git does not understand."""
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
_TOKEN = re.compile(
    r"(?P<stars>\*+)|(?P<any>\?)|\\(?P<escaped>.)|"
    r"\[(?P<not>[!^]?)(?P<set>\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*)\]|(?P<bad>[\[\\])|(?P<plain>[^*?\\\[]+)",
    re.DOTALL,
)
_IN_SET = re.compile(r"\[:(?P<name>[a-z]+):\]|\\(?P<escaped>.)|(?P<dash>-)|(?P<plain>.)", re.DOTALL)


def _name(glob: str) -> re.Pattern[str] | None:
    """What matches one name by `glob`: each run between stars where it fits first, which needs no going back."""
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
    """The characters of a `[…]` as a set of a regular expression."""
    found: list[str] = []
    for token in _IN_SET.finditer(text):
        if token["name"]:
            found.append(_CLASSES.get(token["name"], ""))
        elif token["dash"]:
            found.append("-" if found and token.end() < len(text) else r"\-")
        else:
            found.append(re.escape(token["escaped"] or token["plain"]))
    return "".join(found)
