"""Formats numbers, money, percentages and volumes for people, in the same way for pictures, reports and the terminal.
Also aligns the columns of tables.

`studio/page/src/model/formats.ts` formats values on pages in the same way. The minus of these texts is a hyphen,
because programs read the output of commands. `with_minus` converts it for pictures and pages.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import zip_longest

NO_VALUE = "∅"
"""The text shown for a missing value."""
_LETTERS = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "K"))
_MOST_DECIMALS = 16
_VOLUME_DECIMALS = 2
"""The number of decimals of a volume in `value_text`, whatever the `precision`."""
_SURE_DIGITS = 15
"""The number of significant digits that every number keeps."""
_SIGN = re.compile(r"(?<![\w.,)\]-])-(?=\d)")
"""The sign of a negative number in a text; not the hyphen of a word, of a range or of a date."""


def fixed_text(value: float, decimals: int) -> str:
    """Return `value` with exactly `decimals` decimals: "68,420.00". Zero has no sign; nan and infinity are NO_VALUE."""
    if not math.isfinite(value):
        return NO_VALUE
    text = f"{value:,.{min(max(decimals, 0), _MOST_DECIMALS)}f}"
    return text if any(digit in text for digit in "123456789") else text.removeprefix("-")


def short_text(value: float, decimals: int) -> str:
    """Return `value` with at most `decimals` decimals, without trailing zeros or rounding errors: "0.661", "20,000"."""
    if not math.isfinite(value):
        return NO_VALUE
    sure = _SURE_DIGITS - 1 - int(f"{value:.17e}".partition("e")[2])
    text = fixed_text(value, min(decimals, max(sure, 0)))
    return text.rstrip("0").rstrip(".") if "." in text else text


def with_minus(text: str) -> str:
    """Replace each hyphen in a formatted number with a minus sign (−)."""
    return text.replace("-", "−")


def with_minus_signs(sentence: str) -> str:
    """Replace the hyphen before each negative number in a sentence with a minus sign (−); other hyphens stay."""
    return _SIGN.sub("−", sentence)


def money_text(value: float) -> str:
    """Return an amount of money with two decimals, without its currency: "-4,866.05"."""
    return fixed_text(value, 2)


def tick_decimals(tick: float) -> int:
    """Return the number of decimals of a price with the tick size `tick`: 2 for 0.25, 0 for 1."""
    return len(f"{tick:.10f}".rstrip("0").partition(".")[2])


def price_text(price: float, decimals: int) -> str:
    """Return `price` with the symbol's number of decimals, or with more if the price itself has more: "127.00".

    Digits that result only from rounding errors are ignored.
    """
    fixed, exact = fixed_text(price, decimals), short_text(price, 12)
    return exact if len(exact.partition(".")[2]) > decimals else fixed


def percent_text(percent: float) -> str:
    """Return `percent` (50 means a half) with two decimals and a percent sign: "50.00%"."""
    text = fixed_text(percent, 2)
    return text if text == NO_VALUE else f"{text}%"


def signed_text(value: float, decimals: int) -> str:
    """Return a number with its sign, even if it is positive: "+1.22". Zero has no sign."""
    text = fixed_text(value, decimals)
    return f"+{text}" if value > 0 and any(digit in text for digit in "123456789") else text


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless the number is 1: "1 line", "2,000 lines"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def volume_text(value: float, decimals: int) -> str:
    """Return a volume with K, M, B or T for thousands to trillions: "2.50M"."""
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
    """Return a plot's value with `precision` decimals, or with the price's `decimals` if `precision` is None.

    `unit` is the end of the plot's `format.*` constant, such as `percent`, or empty. A `volume` has two decimals.
    """
    if unit == "volume":
        return volume_text(value, _VOLUME_DECIMALS)
    text = fixed_text(value, decimals if precision is None else precision)
    return f"{text}%" if unit == "percent" else text


def aligned(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Return one line for each row of cells. The first `left` columns are aligned to the left, the others to the
    right."""
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    return [
        "  ".join(cell.ljust(widths[k]) if k < left else cell.rjust(widths[k]) for k, cell in enumerate(row)).rstrip()
        for row in rows
    ]
