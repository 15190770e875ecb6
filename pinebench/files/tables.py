"""Writes CSV in which texts that look like formulas stay texts when a spreadsheet opens them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from pinebench.printable import printable

_ACTS = re.compile(r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""The start of a text that a spreadsheet would run. Leading apostrophes are included, so that `original` is exact."""
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?%?", re.ASCII)


def harmless(text: str) -> str:
    """The cell for `text`: with a leading ' if a spreadsheet would run it. Plain numbers stay as they are.

    This follows OWASP's advice on CSV injection.
    """
    if not _ACTS.match(text) or _NUMBER.fullmatch(text):
        return text
    return f"'{text}"


def original(cell: str) -> str:
    """The text that `harmless` made `cell` from."""
    return cell[1:] if cell.startswith("'") and _ACTS.match(cell) else cell


def as_csv(rows: Iterable[Sequence[object]]) -> str:
    """Rows of texts and numbers as CSV. Every text is made harmless to spreadsheets and terminals."""
    return "".join(map(_line, rows))


def _cell(text: str) -> str:
    return harmless(printable(text, keep="\r\n\t"))


def _line(row: Sequence[object]) -> str:
    text = io.StringIO()
    # the writer only quotes characters of its line end, so both are in it: then a text with either stays in its cell
    csv.writer(text, lineterminator="\r\n").writerow([_cell(c) if isinstance(c, str) else c for c in row])
    return text.getvalue().removesuffix("\r\n") + "\n"
