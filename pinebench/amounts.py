"""Numbers, money, percentages and volumes as people read them: one form for pictures, reports and the terminal. And
rows of them in columns.

`studio/page/src/model/formats.ts` writes the same texts on pages. A minus is a hyphen here, because programs read the
output of commands; `with_minus` gives the form of pictures and pages.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import zip_longest

NO_VALUE = "∅"
"""The text for a value that is missing."""
_LETTERS = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "K"))
_MOST_DECIMALS = 16
_VOLUME_DECIMALS = 2
"""The decimals of volumes in `value_text`, which no precision changes."""
_SURE_DIGITS = 15
"""The significant digits that every number keeps."""
_SIGN = re.compile(r"(?<![\w.,)\]-])-(?=\d)")
"""The sign of a negative number in a text; not the hyphen of a word, of a range or of a date."""


def fixed_text(value: float, decimals: int) -> str:
    """A number with exactly as many decimals: "68,420.00". A number that is rounded to zero has no sign."""
    if not math.isfinite(value):
        return NO_VALUE
    text = f"{value:,.{min(max(decimals, 0), _MOST_DECIMALS)}f}"
    return text if any(digit in text for digit in "123456789") else text.removeprefix("-")


def short_text(value: float, decimals: int) -> str:
    """A number with at most as many decimals, without digits that are only errors of rounding: "0.661", "20,000"."""
    if not math.isfinite(value):
        return NO_VALUE
    sure = _SURE_DIGITS - 1 - int(f"{value:.17e}".partition("e")[2])
    text = fixed_text(value, min(decimals, max(sure, 0)))
    return text.rstrip("0").rstrip(".") if "." in text else text


def with_minus(text: str) -> str:
    """The text of a number with the minus sign (−) in place of a hyphen."""
    return text.replace("-", "−")


def with_minus_signs(words: str) -> str:
    """A sentence in which each negative number has the sign that people write; other hyphens stay."""
    return _SIGN.sub("−", words)


def money_text(value: float) -> str:
    """An amount of money, without its currency: "-4,866.05"."""
    return fixed_text(value, 2)


def tick_decimals(tick: float) -> int:
    """The number of decimals that prices on a grid with this tick have: 2 for 0.25, 0 for 1."""
    return len(f"{tick:.10f}".rstrip("0").partition(".")[2])


def price_text(price: float, decimals: int) -> str:
    """A price with the symbol's number of decimals, or with more if the price itself has more: "127.00".

    Digits that are only errors of rounding do not count.
    """
    fixed, exact = fixed_text(price, decimals), short_text(price, 12)
    return exact if len(exact.partition(".")[2]) > decimals else fixed


def percent_text(percent: float) -> str:
    """A number of percent: "50.00%"."""
    text = fixed_text(percent, 2)
    return text if text == NO_VALUE else f"{text}%"


def signed_text(value: float, decimals: int) -> str:
    """A number with its sign, also if it is positive: "+1.22". Zero has none."""
    text = fixed_text(value, decimals)
    return f"+{text}" if value > 0 and any(digit in text for digit in "123456789") else text


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the plural if it is not 1: "1 line", "2,000 lines"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def volume_text(value: float, decimals: int) -> str:
    """A number with a letter for its size: "2.50M"."""
    for number, (least, letter) in enumerate(_LETTERS):
        if abs(value) < least or not math.isfinite(value):
            continue
        # 999,999.99 is 1.00M, not 1,000.00K.
        greater, next_letter = _LETTERS[number - 1] if number else (math.inf, letter)
        if round(abs(value) / least, decimals) >= greater / least:
            return fixed_text(value / greater, decimals) + next_letter
        return fixed_text(value / least, decimals) + letter
    return fixed_text(value, decimals)


def value_text(value: float, unit: str, precision: int | None, decimals: int) -> str:
    """A value of a plot with its format and precision; `decimals` are the decimals of a price.

    `unit` is the last part of a constant `format.*`, or empty.
    """
    if unit == "volume":
        return volume_text(value, _VOLUME_DECIMALS)
    text = fixed_text(value, decimals if precision is None else precision)
    return f"{text}%" if unit == "percent" else text


def aligned(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Rows of cells as lines with aligned columns: the first `left` columns to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    return [
        "  ".join(cell.ljust(widths[k]) if k < left else cell.rjust(widths[k]) for k, cell in enumerate(row)).rstrip()
        for row in rows
    ]
