"""Formats one script in steps, and verifies that only the layout changed."""

from __future__ import annotations

from pinebench.diagnostics import Severity
from pinebench.formatting.align import line_up
from pinebench.formatting.items import FormatLine, Item, items_of
from pinebench.formatting.row_layout import part_rows, place_rows, printed
from pinebench.formatting.same import say_the_same, scans_of
from pinebench.garbage import CollectionPaused
from pinebench.patterns import lazy_pattern
from pinebench.records import NamedTuple
from pinebench.syntax import nesting, parse
from pinebench.syntax.document import find_version
from pinebench.syntax.parser import parse_chunk
from pinebench.syntax.scanner import Scan

_NO_LIMIT = 1_000_000
_VERSION = 6
"""The only version whose layout rules are known well enough."""
_BREAK = lazy_pattern(r"\r\n|\r|\n")


class FormatStyle(NamedTuple):
    """The options of formatting.

    `width` is the number of characters, at least 40, beyond which a line of code is wrapped. Comments and strings are
    never broken. With `align`, aligned columns stay aligned; without it, one space is used everywhere.
    """

    width: int = 120
    align: bool = True


class FormatResult(NamedTuple):
    """A formatted script, or the unchanged script with the `reason` why it was not formatted. `broken` means that it
    has syntax errors."""

    text: str
    reason: str | None = None
    broken: bool = False


def format_text(text: str, style: FormatStyle = FormatStyle(), *, in_parts: bool = False) -> FormatResult:  # noqa: B008 - immutable
    """Format `text` by Pine's style guide: four spaces for each block, spaces around operators and after commas.

    Line ends, a byte order mark, comments, the breaks within a statement and up to two blank lines in a row are kept.
    The result has the same tokens, so the same tree, and the same comments. This is verified each time. A script with
    syntax errors, or of a version other than v6, is returned unchanged, with the reason. With `in_parts`, only the
    top-level statements that have syntax errors stay as they are.
    """
    version, _ = find_version(text)
    if version is not None and version < _VERSION:
        return FormatResult(text, f"only Pine v6 is formatted, and this script is v{version}")
    with CollectionPaused():
        scans = list(scans_of(text, _VERSION))
        broken = [scanned for scanned in scans if not _is_sound(scanned)]
        is_broken = bool(broken) and any(each.severity is Severity.ERROR for each in parse(text).diagnostics)
        if is_broken and not in_parts:
            return FormatResult(text, "it has syntax errors (pinebench lint shows them)", broken=True)
        for candidate in (style, style._replace(width=_NO_LIMIT)):
            result = _laid_out(text, scans, candidate, broken if is_broken else [])
            if result == text or say_the_same(scans, list(scans_of(result, _VERSION))):
                return FormatResult(result)
    return FormatResult(text, "it could not be laid out without a change of its meaning")


def _is_sound(scanned: Scan) -> bool:
    """Whether a chunk is certainly without faults."""
    return not scanned.faults and scanned.nesting <= nesting.LIMIT and not parse_chunk(scanned)[1]


def _laid_out(text: str, scans: list[Scan], style: FormatStyle, broken: list[Scan]) -> str:
    newline = _line_end(text)
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    lines: list[str] = []
    items = items_of(text, scans, broken)
    _arrange([item for item in items if isinstance(item, FormatLine) and item.verbatim is None], style)
    for item in items:
        lines += _printed(item)
    while lines and not lines[-1]:
        lines.pop()
    return mark + newline.join([*lines, ""]) if lines else mark


def _arrange(lines: list[FormatLine], style: FormatStyle) -> None:
    for line in lines:
        place_rows(line)
        part_rows(line, style.width)
    if style.align:
        for _ in line_up(lines):
            for line in lines:
                place_rows(line)


def _printed(item: Item) -> list[str]:
    if item.verbatim is not None:
        return list(item.verbatim)
    return printed(item) if isinstance(item, FormatLine) else [" " * item.indent + item.text if item.text else ""]


def _line_end(text: str) -> str:
    """The line break that the script uses first."""
    found = _BREAK.search(text)
    return found.group() if found else "\n"
