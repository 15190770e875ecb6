"""The source map of a bundle: for each of its lines and columns the file and the place that a person wrote."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from pinebench import decoding
from pinebench.diagnostics import TextPosition
from pinebench.errors import UsageError
from pinebench.records import NamedTuple

_WORD = re.compile(r"[A-Za-z_]\w*")
_FORMAT = 1


class SourceFile(NamedTuple):
    """A file that is part of a bundle: its path, the path of the library in it (None for the script), its text's
    digest."""

    file: str
    library: str | None
    digest: str


class SourceRange(NamedTuple):
    """A range of the bundle and the range of the file number `file` that it comes from.

    Both begin and end at a position; the end is exclusive. If `exact` is set, the text of both is the same. Otherwise
    it was replaced as a whole, such as a name by another name.
    """

    start: TextPosition
    end: TextPosition
    file: int
    source_start: TextPosition
    source_end: TextPosition
    exact: bool


class SourceName(NamedTuple):
    """The meaning of a name that only the bundle has: the name in its library, and how the script spells it."""

    library: str
    name: str
    spelling: str


class SourcePlace(NamedTuple):
    """A range of a file that a person wrote. The end is exclusive."""

    file: str
    start: TextPosition
    end: TextPosition


def digest_of(text: str) -> str:
    """A digest of `text`, which shows whether the text was changed."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class SourceMap:
    """Finds the places of a bundle in the files that it is made from. `digest` is the digest of the bundle's text."""

    def __init__(
        self, digest: str, files: Sequence[SourceFile], names: Mapping[str, SourceName], ranges: Sequence[SourceRange]
    ) -> None:
        self.digest = digest
        self.files = tuple(files)
        self.names = dict(names)
        self.ranges = tuple(sorted(ranges))
        self._starts = [each.start for each in self.ranges]

    def fits(self, text: str) -> bool:
        """Whether `text` is the bundle of this map. The places of any other text are not known."""
        return digest_of(text) == self.digest

    def place(self, start: TextPosition, end: TextPosition | None = None) -> SourcePlace | None:
        """The place in a file of the range from `start` to `end` of the bundle. None for text that no file has.

        The end is in the same file as the start; if the range ends in another file, the result is the start only.
        """
        first = self._range_at(start)
        if first is None:
            return None
        begin, past = _moved(start, first), _moved_end(start, first)
        if end is not None and end > start:
            last = self._range_before(end)
            if last is not None and last.file == first.file:
                past = max(past, _moved_end(end, last))
            else:
                past = first.source_end
        elif first.exact:
            past = begin
        return SourcePlace(self.files[first.file].file, begin, past)

    def line(self, line: int) -> tuple[str, int] | None:
        """The file and the line of a line of the bundle, or None for a line that no file has."""
        for each in self.ranges[max(bisect_right(self._starts, TextPosition(line, 1)) - 1, 0) :]:
            if each.start.line > line:
                return None
            if each.end > TextPosition(line, 1):
                return self.files[each.file].file, _moved(max(each.start, TextPosition(line, 1)), each).line
        return None

    def message(self, words: str, file: str) -> str:
        """Write each name of the bundle in `words` as people wrote it in `file`."""
        here = next((each.library for each in self.files if each.file == file), None)

        def spelled(found: re.Match[str]) -> str:
            meaning = self.names.get(found.group())
            if meaning is None:
                return found.group()
            return meaning.spelling if here is None else meaning.name

        return _WORD.sub(spelled, words)

    def _range_at(self, position: TextPosition) -> SourceRange | None:
        """The range with `position`, or the one that ends there, which is where compilers place a missing end."""
        index = bisect_right(self._starts, position) - 1
        found = self.ranges[index] if index >= 0 else None
        return found if found is not None and position <= found.end else None

    def _range_before(self, position: TextPosition) -> SourceRange | None:
        """The range with the last character before `position`."""
        index = bisect_right(self._starts, position) - 1
        while index >= 0 and self.ranges[index].start >= position:
            index -= 1
        return self.ranges[index] if index >= 0 and position <= self.ranges[index].end else None

    def encode(self) -> dict[str, Any]:
        """The map as plain data for JSON."""
        return {
            "format": _FORMAT,
            "digest": self.digest,
            "files": [each._asdict() for each in self.files],
            "names": {name: meaning._asdict() for name, meaning in self.names.items()},
            "ranges": [
                [*each.start, *each.end, each.file, *each.source_start, *each.source_end, int(each.exact)]
                for each in self.ranges
            ],
        }


def decode(data: bytes, name: str) -> SourceMap:
    """Read a map from the content of the file `name`. Raises UsageError if it is none."""
    try:
        plain: Any = decoding.loads(data)
        if plain["format"] != _FORMAT:
            raise UsageError(f"{name} is a source map of another version of pinebench", "bundle the script again")
        files = [SourceFile(**each) for each in plain["files"]]
        ranges = [_range(each) for each in plain["ranges"]]
        if any(not 0 <= each.file < len(files) for each in ranges):
            raise ValueError("a range of no file")
        return SourceMap(
            str(plain["digest"]), files, {key: SourceName(**each) for key, each in plain["names"].items()}, ranges
        )
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{name} is not a source map: {error}", "bundle the script again") from None


def _range(numbers: list[int]) -> SourceRange:
    if len(numbers) != 10 or not all(isinstance(each, int) for each in numbers):
        raise ValueError("a range that is not ten whole numbers")
    places = [TextPosition(*numbers[at : at + 2]) for at in (0, 2, 5, 7)]
    return SourceRange(places[0], places[1], numbers[4], places[2], places[3], bool(numbers[9]))


def _moved(position: TextPosition, found: SourceRange) -> TextPosition:
    """The place of a position of the bundle in its file."""
    if not found.exact:
        return found.source_start
    lines = position.line - found.start.line
    if lines:
        return TextPosition(found.source_start.line + lines, position.column)
    return TextPosition(found.source_start.line, found.source_start.column + position.column - found.start.column)


def _moved_end(position: TextPosition, found: SourceRange) -> TextPosition:
    return _moved(position, found) if found.exact else found.source_end
