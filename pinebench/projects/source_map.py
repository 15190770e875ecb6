"""The source map of a bundle: it maps the bundle's lines and columns to the original files."""

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
    """A file that is part of a bundle: its path, its library's path (None for the script), and its text's digest."""

    file: str
    library: str | None
    digest: str


class SourceRange(NamedTuple):
    """A range of the bundle, and the range of file number `file` that it comes from.

    Both have a start and an exclusive end. If `exact` is true, their texts are the same. Otherwise the text was
    replaced as a whole, for example a name with another name.
    """

    start: TextPosition
    end: TextPosition
    file: int
    source_start: TextPosition
    source_end: TextPosition
    exact: bool


class SourceName(NamedTuple):
    """A name that exists only in the bundle, with the original name in the library and its spelling in the script."""

    library: str
    name: str
    spelling: str


class SourcePlace(NamedTuple):
    """A range of an original file. The end is exclusive."""

    file: str
    start: TextPosition
    end: TextPosition


def digest_of(text: str) -> str:
    """Return a digest of `text`, which shows whether the text has changed."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class SourceMap:
    """Maps positions of a bundle to the files that it was made from. `digest` is the digest of the bundle's text."""

    def __init__(
        self, digest: str, files: Sequence[SourceFile], names: Mapping[str, SourceName], ranges: Sequence[SourceRange]
    ) -> None:
        self.digest = digest
        self.files = tuple(files)
        self.names = dict(names)
        self.ranges = tuple(sorted(ranges))
        self._starts = [each.start for each in self.ranges]

    def fits(self, text: str) -> bool:
        """Return whether `text` is the bundle of this map. The map is useless for any other text."""
        return digest_of(text) == self.digest

    def place(self, start: TextPosition, end: TextPosition | None = None) -> SourcePlace | None:
        """Return the place in an original file for the range from `start` to `end` of the bundle; None for new text.

        If the range does not end in the file in which it starts, the result covers only the start.
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
        """Return the file and the line for a line of the bundle; None for a line of new text."""
        for each in self.ranges[max(bisect_right(self._starts, TextPosition(line, 1)) - 1, 0) :]:
            if each.start.line > line:
                return None
            if each.end > TextPosition(line, 1):
                return self.files[each.file].file, _moved(max(each.start, TextPosition(line, 1)), each).line
        return None

    def message(self, words: str, file: str) -> str:
        """Replace each name of the bundle in the message `words` with its spelling in `file`."""
        here = next((each.library for each in self.files if each.file == file), None)

        def spelled(found: re.Match[str]) -> str:
            meaning = self.names.get(found.group())
            if meaning is None:
                return found.group()
            return meaning.spelling if here is None else meaning.name

        return _WORD.sub(spelled, words)

    def _range_at(self, position: TextPosition) -> SourceRange | None:
        """Return the range that contains `position`, or else ends there, where compilers report a missing end."""
        index = bisect_right(self._starts, position) - 1
        found = self.ranges[index] if index >= 0 else None
        return found if found is not None and position <= found.end else None

    def _range_before(self, position: TextPosition) -> SourceRange | None:
        """Return the range that contains the last character before `position`."""
        index = bisect_right(self._starts, position) - 1
        while index >= 0 and self.ranges[index].start >= position:
            index -= 1
        return self.ranges[index] if index >= 0 and position <= self.ranges[index].end else None

    def encode(self) -> dict[str, Any]:
        """Return the map as plain data for JSON."""
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
    """Decode a map from the content of the file `name`. Raises UsageError if it is not a source map."""
    try:
        plain: Any = decoding.loads(data)
        if plain["format"] != _FORMAT:
            raise UsageError(f"{name} is a source map from another version of pinebench", "bundle the script again")
        files = [SourceFile(**each) for each in plain["files"]]
        ranges = [_range(each) for each in plain["ranges"]]
        if any(not 0 <= each.file < len(files) for each in ranges):
            raise ValueError("a range refers to a file that is not listed")
        return SourceMap(
            str(plain["digest"]), files, {key: SourceName(**each) for key, each in plain["names"].items()}, ranges
        )
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{name} is not a source map: {error}", "bundle the script again") from None


def _range(numbers: list[int]) -> SourceRange:
    if len(numbers) != 10 or not all(isinstance(each, int) for each in numbers):
        raise ValueError("a range is not a list of ten whole numbers")
    places = [TextPosition(*numbers[at : at + 2]) for at in (0, 2, 5, 7)]
    return SourceRange(places[0], places[1], numbers[4], places[2], places[3], bool(numbers[9]))


def _moved(position: TextPosition, found: SourceRange) -> TextPosition:
    """Convert a position in the bundle to the position in its original file."""
    if not found.exact:
        return found.source_start
    lines = position.line - found.start.line
    if lines:
        return TextPosition(found.source_start.line + lines, position.column)
    return TextPosition(found.source_start.line, found.source_start.column + position.column - found.start.column)


def _moved_end(position: TextPosition, found: SourceRange) -> TextPosition:
    return _moved(position, found) if found.exact else found.source_end
