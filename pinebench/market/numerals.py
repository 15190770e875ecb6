"""Recognizes the number format of a file: decimal points or commas, and thousands separators."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

_SIGN = re.compile(r"^(-?)[$€£¥₹]")
_POINT = re.compile(r"-?(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?", re.ASCII)
_COMMA = re.compile(r"-?(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+)(?:,\d+)?(?:[eE][-+]?\d+)?", re.ASCII)
_SPACED = re.compile(r"-?[1-9]\d{0,2}([ \u00a0\u202f'\u2019])\d{3}(?:\1\d{3})*(?:[.,]\d*)?", re.ASCII)
"""A number with spaces or apostrophes as thousands separators."""
_EITHER = re.compile(r"-?[1-9]\d{0,2},\d{3}", re.ASCII)
"""A number whose comma could be a decimal comma or a thousands separator."""
_THOUSANDS = re.compile(r"-?[1-9]\d{0,2}(?:\.\d{3})+", re.ASCII)
"""A number whose points could be thousands separators."""
ABSENT = ("", "nan", "na", "n/a", "null", "-")
"""Cells that mark an unknown volume."""
_UNITS = {"K": 1e3, "M": 1e6, "B": 1e9}

Numerals = Callable[[str], str]
"""Rewrites a number of a file as Python reads it. Raises ValueError for another form."""


class AmbiguousNumbers(ValueError):
    """An error for numbers such as 1,234 whose comma may be a decimal comma or a thousands separator."""


def numerals(cells: Iterable[str]) -> Numerals | None:
    """Return a function that rewrites numbers in the format of `cells` for Python; None if they need no change.

    Raises AmbiguousNumbers if a comma may be a decimal comma or a thousands separator.
    """
    given = [cell.strip() for cell in cells]
    found = [_plain(cell) for cell in given]
    commas = [cell for cell in found if "," in cell]
    if not commas:
        if has_thousands(found):
            return _with_comma
        return _plain if found != given else None
    is_point = [cell for cell in commas if "." in cell or cell.count(",") > 1]
    if is_point:
        return with_point if all(map(_POINT.fullmatch, is_point)) else _with_comma
    if all(map(_EITHER.fullmatch, commas)):
        raise AmbiguousNumbers(commas[0])
    return _with_comma


def has_thousands(cells: Iterable[str]) -> bool:
    """Return whether points in these numbers are certainly thousands separators, as in 1.234.567."""
    marked = [cell for cell in cells if "." in cell]
    return any(cell.count(".") > 1 for cell in marked) and all(map(_THOUSANDS.fullmatch, marked))


def perhaps_thousands(cells: Iterable[str]) -> str:
    """Return the first number whose point may be a thousands separator, such as 100.000; "" if another number shows
    that points are decimal points."""
    found = [_plain(cell) for cell in cells]
    marked = [cell for cell in found if "." in cell]
    is_open = all(map(_THOUSANDS.fullmatch, marked)) and all(len(cell) < 4 for cell in found if "." not in cell)
    return marked[0] if marked and is_open else ""


def volume_numerals(cells: Iterable[str], prices: Numerals | None, has_point: bool) -> Numerals | None:
    """Return a function that rewrites volumes in the format of `cells` for Python; None if they need no change.

    `prices` is the function for the prices of the same file, and `has_point` says whether a price has a point. Raises
    AmbiguousNumbers if the prices do not show whether a point is a thousands separator.
    """
    if prices is not None:
        return prices
    given = [cell.strip() for cell in cells if cell.strip().lower() not in ABSENT]
    found = [_plain(cell) for cell in given]
    if has_point:
        return with_point if found != given or any("," in cell for cell in found) else None
    if any(cell.count(".") > 1 and _THOUSANDS.fullmatch(cell) for cell in found):
        return _with_comma
    if doubtful := perhaps_thousands(found):
        raise AmbiguousNumbers(doubtful)
    return _plain if found != given else None


def volume(text: str, rewrite: Numerals | None) -> float:
    """Convert a volume to a number. It may be in thousands, millions or billions, as in `1.2M`. Raises ValueError if it
    is not a number."""
    unit = _UNITS.get(text[-1:].upper(), 1.0)
    plain = text if unit == 1.0 else text[:-1]
    return float(rewrite(plain) if rewrite is not None else plain) * unit


def _plain(text: str) -> str:
    bare = _SIGN.sub(r"\1", text.strip().replace("\u2212", "-"))
    spaced = _SPACED.fullmatch(bare)
    return bare if spaced is None else bare.replace(spaced[1], "")


def with_point(text: str) -> str:
    """Return a number that is written with a decimal point, without the commas between its thousands. Raises ValueError
    for any other string."""
    plain = _plain(text)
    if not _POINT.fullmatch(plain):
        raise ValueError(text)
    return plain.replace(",", "")


def _with_comma(text: str) -> str:
    plain = _plain(text)
    if not _COMMA.fullmatch(plain):
        raise ValueError(text)
    return plain.replace(".", "").replace(",", ".")
