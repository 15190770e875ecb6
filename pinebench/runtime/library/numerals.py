"""Formats numbers as text: masks of `str.tostring`, DecimalFormat patterns of `str.format`, volumes and ticks."""

from __future__ import annotations

from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext
from functools import lru_cache
from math import copysign, floor, isinf
from typing import NamedTuple

from pinebench.errors import UnavailableError
from pinebench.runtime.library.numbers import tick_ratio

_remembered = lru_cache(2048, typed=True)
"""Scripts often write the same numbers again on every bar, so the texts are cached."""
_DIGITS = 700  # more than the digits of any double before its point, plus all decimals that may follow
_WHOLE_DIGITS, _DECIMALS = 309, 340
"""The largest number of digits and decimals that Java's DecimalFormat writes for a double, even if a pattern asks for
more."""
_EXACT = 2.0**53
_VOLUME_UNITS = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "K"))
_LONG = 9.223372036854775807e18


@_remembered
def plain(value: float) -> str:
    """Format a number without a mask: at most ten decimals, and an exponent outside 1e-21 to 1e21. An infinity becomes
    `NaN`."""
    if value != value or isinf(value):
        return "NaN"
    if value == 0:
        return "0"
    size = abs(value)
    sign = "-" if value < 0 else ""
    if 1e-21 < size < 1e21:
        text = _rounded_as_java(size, 10)
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return text if text == "0" else sign + text
    digits = Decimal(repr(size))
    exponent = digits.adjusted()
    with localcontext() as context:
        context.prec = _DIGITS
        rounded = _quantized_as_java(digits, size, Decimal(1).scaleb(exponent - 10))
        exponent = rounded.adjusted()
        mantissa = f"{rounded.scaleb(-exponent).normalize():f}"
    return f"{sign}{mantissa}E{exponent}"


def joined(value: float) -> str:
    """Format a number like `array.join`: up to 16 decimals."""
    if value != value or isinf(value):
        return "NaN"
    if not value:
        return "0"
    text = _rounded_as_java(abs(float(value)), 16)
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "-" + text if value < 0 and text != "0" else text


def as_java(value: float) -> str:
    """Format a number like Java's Double.toString, which `str.format` uses for the elements of an array."""
    if value != value:
        return "NaN"
    if isinf(value):
        return "-Infinity" if value < 0 else "Infinity"
    size = abs(value)
    if not size or 1e-3 <= size < 1e7:
        return repr(float(value))
    digits = Decimal(repr(float(size))).normalize()
    text = "".join(map(str, digits.as_tuple().digits))
    return f"{'-' if value < 0 else ''}{text[0]}.{text[1:] or '0'}E{digits.adjusted()}"


@_remembered
def masked(value: float, mask: str) -> str:
    """Implement `str.tostring` with a mask. The shortest decimal is rounded half up; a number that rounds to zero has
    no sign."""
    if value != value or isinf(value):
        return "NaN"
    value += 0.0
    positive, negative = _pattern(mask)
    side = negative if value < 0 else positive
    digits = half_up(abs(value) * side.scale, side.most)
    return (side if digits.strip("0.") else positive).write(digits)


def java_formatted(value: float, pattern: str) -> str:
    """Format a number with a DecimalFormat pattern. Its exact value as a double is rounded half to even."""
    if value != value:
        return "NaN"
    positive, negative = _pattern(pattern)
    side = negative if value < 0 or (value == 0 and copysign(1.0, value) < 0) else positive
    if isinf(value):
        return f"{side.prefix}∞{side.suffix}"
    return side.write(_rounded_as_java(abs(float(value)) * side.scale, side.most))


def percent(value: float) -> str:
    """Implement `str.tostring(value, format.percent)`."""
    return "NaN%" if value != value or isinf(value) else masked(value, "0.00") + "%"


def volume(value: float) -> str:
    """Implement `str.tostring(value, format.volume)`: up to three decimals, with a letter from K (thousand) to T
    (trillion)."""
    if value != value:
        return "NaN"
    if isinf(value):
        return "NaNT"
    for size, letter in _VOLUME_UNITS:
        if abs(value) >= size:
            return masked(value / size, "#.###") + letter
    return masked(value, "#")


@_remembered
def ticks(value: float, mintick: float) -> str:
    """Implement `str.tostring(value, format.mintick)`: round to units of the price scale, halves away from zero, then
    to whole ticks, halves up. The text has as many decimals as the price scale has zeros."""
    if value != value:
        return "NaN"
    if isinf(value):
        return "-Infinity" if value < 0 else "Infinity"
    move, scale = tick_ratio(mintick)
    # The quotient by the unit, not the product with the scale: 33.635 is 3363.49... hundredths, as recorded.
    count = value / (1 / scale)
    size = abs(count)
    whole = _LONG if size >= _LONG else size // 1.0
    if size < _LONG and size - whole >= 0.5:
        whole += 1.0
    rounded = floor(copysign(whole, count) / move + 0.5) * move / scale
    decimals = len(str(scale)) - 1
    return java_formatted(rounded, "0." + "0" * decimals if decimals else "0")


class _PatternHalf(NamedTuple):
    """One half of a pattern: the texts around the digits, the numbers of digits, and the factor of the number: 100 for
    a percent sign, 1000 for a per mille sign."""

    prefix: str
    suffix: str
    whole: int
    least: int
    most: int
    group: int
    drops_zero: bool
    scale: int = 1

    def write(self, digits: str) -> str:
        """Format `digits`, which are rounded to `most` decimals: the required digits, in groups, between prefix and
        suffix."""
        whole, _, decimals = digits.partition(".")
        decimals = decimals[: self.least] + decimals[self.least :].rstrip("0")
        decimals = decimals.ljust(self.least, "0")
        whole = whole.zfill(self.whole) if self.whole else whole
        if self.drops_zero and whole == "0" and decimals:
            whole = ""
        if self.group:
            head = len(whole) % self.group
            groups = [whole[:head]] if head else []
            groups += [whole[k : k + self.group] for k in range(head, len(whole), self.group)]
            whole = ",".join(groups)
        return f"{self.prefix}{whole}{'.' if decimals else ''}{decimals}{self.suffix}"


@lru_cache(256)
def _pattern(text: str) -> tuple[_PatternHalf, _PatternHalf]:
    """The positive and the negative half of a DecimalFormat pattern. If there is no negative half, it is the positive
    one after a minus sign. Raises UnavailableError for an exponent."""
    parts = unquoted(text)
    cut = next((k for k, (letter, literal) in enumerate(parts) if letter == ";" and not literal), None)
    positive = _side(parts if cut is None else parts[:cut])
    if cut is None:
        return positive, positive._replace(prefix="-" + positive.prefix)
    other = _side(parts[cut + 1 :])
    return positive, positive._replace(prefix=other.prefix, suffix=other.suffix)


def unquoted(text: str) -> list[tuple[str, bool]]:
    """Return the characters of a pattern, and whether each is literal. Two quotes mean one literal quote."""
    parts: list[tuple[str, bool]] = []
    quoted = False
    position = 0
    while position < len(text):
        if text[position] == "'":
            if text[position : position + 2] == "''":
                parts.append(("'", True))
                position += 1
            else:
                quoted = not quoted
        else:
            parts.append((text[position], quoted))
        position += 1
    return parts


def _side(parts: list[tuple[str, bool]]) -> _PatternHalf:
    places = [k for k, (letter, literal) in enumerate(parts) if letter in "#0,." and not literal]
    if not places:
        return _PatternHalf("".join(letter for letter, _ in parts), "", 0, 0, 0, 0, False)
    first, last = places[0], places[-1] + 1
    if ("E", False) in parts[first:last]:
        raise UnavailableError("a number format with an exponent (E) is not computed by pinebench")
    around = parts[:first] + parts[last:]
    digits = "".join(letter for letter, _ in parts[first:last])
    whole, _, decimals = digits.partition(".")
    least = decimals.count("0")
    group = len(whole) - whole.rfind(",") - 1 if "," in whole else 0
    return _PatternHalf(
        "".join(letter for letter, _ in parts[:first]),
        "".join(letter for letter, _ in parts[last:]),
        min(whole.count("0"), _WHOLE_DIGITS),
        min(least, _DECIMALS),
        min(len(decimals.replace(",", "").replace(".", "")), _DECIMALS),
        group,
        least > 0 and "0" not in whole,
        100 if ("%", False) in around else 1000 if ("‰", False) in around else 1,
    )


def half_up(size: float, places: int) -> str:
    """Format `size`, a number that is not negative, with `places` decimals. Its shortest decimal is rounded half up."""
    text = repr(size)
    if "e" in text:
        with localcontext() as context:
            context.prec = _DIGITS
            return f"{Decimal(text).quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP):f}"
    whole, _, decimals = text.partition(".")
    if len(decimals) <= places:
        return f"{whole}.{decimals.ljust(places, '0')}"
    number = int(whole + decimals[:places]) + (decimals[places] >= "5")
    digits = str(number).zfill(places + 1)
    return f"{digits[:-places]}.{digits[-places:]}" if places else digits


def _rounded_as_java(size: float, places: int) -> str:
    """Format a number that is not negative with `places` decimals, rounded like DecimalFormat."""
    text = repr(size)
    if "e" not in text and (1e-3 <= size < _EXACT or size == 0):
        whole, _, decimals = text.partition(".")
        if len(decimals) <= places:
            return f"{whole}.{decimals.ljust(places, '0')}" if places else whole
        return f"{size:.{places}f}"
    with localcontext() as context:
        context.prec = _DIGITS
        return f"{_quantized_as_java(Decimal(text), size, Decimal(1).scaleb(-places)):f}"


def _quantized_as_java(digits: Decimal, size: float, quantum: Decimal) -> Decimal:
    """Round the shortest decimal of a double at `quantum`. A tie is decided by the exact value of the double.

    Below a thousandth, a number whose only digit is a 5 right after the last place is rounded down, because Java reads
    it as `5.0E-n`.
    """
    down = digits.quantize(quantum, rounding=ROUND_DOWN)
    rest = (digits - down) * 2
    if rest > quantum:
        return down + quantum
    if rest < quantum or (size < 1e-3 and not down):
        return down
    own = Decimal(size)
    if own == digits:
        return digits.quantize(quantum, rounding=ROUND_HALF_EVEN)
    return down + quantum if own > digits else down
