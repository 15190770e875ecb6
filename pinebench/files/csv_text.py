"""Writes CSV in which cells that look like formulas stay plain text when a spreadsheet opens them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from pinebench.patterns import lazy_pattern
from pinebench.printable import printable

_BEGINS = "[=+\\-@\uff1d\uff0b\uff0d\uff20]"
_ACTS = lazy_pattern(rf"(^(?='*(?:[\t\r\n]|{_BEGINS}))|[;\t\r\n](?=['\"]*{_BEGINS}))")
"""The places where a spreadsheet would see the start of a formula: at the start of a text, and after a mark that may
separate cells there, such as a semicolon in many countries. Apostrophes that follow are included, so that `original` is
exact."""
_MENDED = lazy_pattern(rf"(^(?='+(?:[\t\r\n]|{_BEGINS}))|[;\t\r\n](?='['\"]*{_BEGINS}))'")
"""The places where `harmless` wrote an apostrophe, with the apostrophe."""
_NUMBER = lazy_pattern(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?%?", re.ASCII)


def harmless(text: str) -> str:
    """Return the CSV cell for `text`, with an apostrophe wherever a spreadsheet would read the start of a formula. A
    plain number is not changed.

    This follows OWASP's advice on CSV injection.
    """
    return text if _NUMBER.fullmatch(text) else _ACTS.sub(r"\1'", text)


def original(cell: str) -> str:
    """Return the text from which `harmless` made `cell`."""
    return _MENDED.sub(r"\1", cell)


def as_csv(rows: Iterable[Sequence[object]]) -> str:
    """Return rows of strings and numbers as CSV. Strings are made harmless to spreadsheets and terminals."""
    return "".join(map(_line, rows))


def _cell(text: str) -> str:
    return harmless(printable(text, keep="\r\n\t"))


def _line(row: Sequence[object]) -> str:
    text = io.StringIO()
    # the writer only quotes characters of its line end, so both are in it: then a text with either stays in its cell
    csv.writer(text, lineterminator="\r\n").writerow([_cell(c) if isinstance(c, str) else c for c in row])
    return text.getvalue().removesuffix("\r\n") + "\n"
