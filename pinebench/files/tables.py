"""CSV that a spreadsheet reads as what it says: a text that looks like a formula stays a text."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from pinebench.printable import printable

_ACTS = re.compile(r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""How a text begins that a spreadsheet runs; quotation marks before it are counted, so that reading is exact."""
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?%?", re.ASCII)


def harmless(text: str) -> str:
    """`text` as a cell: with a ' before it where a spreadsheet would run it; plain numbers stay as they are.

    The advice is OWASP's on CSV injection.
    """
    if not _ACTS.match(text) or _NUMBER.fullmatch(text):
        return text
    return f"'{text}"


def original(cell: str) -> str:
    """The text that `harmless` made `cell` of."""
    return cell[1:] if cell.startswith("'") and _ACTS.match(cell) else cell


def as_csv(rows: Iterable[Sequence[object]]) -> str:
    """Rows of texts and numbers as CSV; every text is made harmless, to spreadsheets and to terminals."""
    return "".join(map(_line, rows))


def _cell(text: str) -> str:
    return harmless(printable(text, keep="\r\n\t"))


def _line(row: Sequence[object]) -> str:
    text = io.StringIO()
    # Only marks of the line's end are quoted: with both of them here, a text with either stays in its cell.
    csv.writer(text, lineterminator="\r\n").writerow([_cell(c) if isinstance(c, str) else c for c in row])
    return text.getvalue().removesuffix("\r\n") + "\n"
