"""The functions of `math.*`.

Whole numbers are doubles at run time, so a result that is an int in Pine can be an infinity or na here. The logarithm
to base 10 is correctly rounded. Sine, exponential and similar functions are the platform's; TradingView's results may
differ in the last bit.
"""

from __future__ import annotations

import decimal
import math
from functools import lru_cache, reduce

from pinebench.runtime.library.context import BarContext

NA = math.nan
INFINITY = math.inf

_TIE = 10**10
_HALF = 5 * 10**9 - 1  # half minus the tolerance of 1e-10, both in units of 1e-10
_WHOLE = 2.0**52  # from here on every double is whole
_FRACTIONS = 16  # a tick of one sixteenth, or half of it, and so on, is quoted as a fraction
_SPLIT = 2.0**27 + 1  # splits a double into two halves


def absolute(number: float) -> float:
    """Implement `math.abs(number)`."""
    return -number if number < 0 else number + 0


def floor(number: float) -> float:
    """Implement `math.floor(number)`."""
    return math.floor(number) if -INFINITY < number < INFINITY else number


def ceil(number: float) -> float:
    """Implement `math.ceil(number)`."""
    return math.ceil(number) if -INFINITY < number < INFINITY else number


def round_whole(number: float) -> float:
    """Implement `math.round(number)`. Halves are rounded away from zero, without tolerance; an infinity gives na."""
    if not -INFINITY < number < INFINITY:
        return NA
    if number >= 0:
        return math.floor(number + 0.5) if number < _WHOLE else math.trunc(number)
    return 0 - math.floor(0.5 - number) if number > -_WHOLE else math.trunc(number)


def round_to(number: float, precision: float) -> float:
    """Implement `math.round(number, precision)`. Only the fraction is scaled and rounded, halves away from zero.

    A tie is decided by the exact product, with a tolerance of 1e-10. A precision that is not positive rounds to a whole
    number, and a precision above 16 counts as 16.
    """
    if not -INFINITY < number < INFINITY:
        return number
    if precision != precision:
        return round_whole(number)
    if precision <= 0:
        return float(round_whole(number))
    size = -number if number < 0 else number
    scale = 1.0 / math.pow(10.0, -min(precision, 16.0))
    fraction = math.fmod(size, 1.0)
    scaled = fraction * scale
    units = math.floor(scaled)
    beyond = scaled - units - 0.5
    if abs(beyond) < 1e-9 + scaled * 1.8e-15:
        away = _beyond_half(scaled - units, rest_of_product(fraction, scale), 1.0)
        if away != away:
            units += exactly_rounds_up(fraction, scale, units)
        elif away > 0:
            units += 1
    elif beyond > 0:
        units += 1
    rounded = size - fraction + units / scale
    return 0.0 - rounded if number < 0 else rounded


def rest_of_product(left: float, right: float) -> float:
    """Return the rounding error of `left * right`: the exact product minus the rounded one. The method is Dekker's (A
    floating-point technique, 1971)."""
    wide = left * _SPLIT
    high = wide - (wide - left)
    low = left - high
    wide = right * _SPLIT
    upper = wide - (wide - right)
    lower = right - upper
    return high * upper - left * right + high * lower + low * upper + low * lower


def _beyond_half(above: float, rest: float, whole: float) -> float:
    """How far `above + rest` is beyond half of `whole`, with the tolerance; na if that is too near to know."""
    away = above - 0.4999999999 * whole + rest
    return NA if abs(away) < 1e-15 * whole else away


def exactly_rounds_up(fraction: float, scale: float, units: int) -> bool:
    """Return whether the exact product of `fraction` and `scale` is at least half a unit above `units`, with a
    tolerance of 1e-10."""
    above, below = fraction.as_integer_ratio()
    scale_above, scale_below = scale.as_integer_ratio()
    above, below = above * scale_above, below * scale_below
    return (above - units * below) * _TIE >= _HALF * below


def round_to_mintick(context: BarContext, number: float) -> float:
    """Implement `math.round_to_mintick(number)`: round to ticks, halves away from zero. Ties are decided as in
    `round_to`."""
    move, scale = tick_ratio(context.symbol.mintick)
    return round_to_tick(number, move, scale)


def round_to_tick(number: float, move: float, scale: float) -> float:
    """Round `number` like `round_to_mintick` for a tick of `move / scale`."""
    if not -INFINITY < number < INFINITY:
        return number
    size = -number if number < 0 else number
    product = size * scale
    scaled = product / move
    if scaled > _WHOLE or (move != 1 and product > _WHOLE):
        return exactly_rounded(number, int(move), int(scale))
    units = math.floor(scaled)
    beyond = scaled - units - 0.5
    if abs(beyond) < 1e-6 + scaled * 1.8e-15:
        # The numbers of ticks and their product with the move are whole numbers below 2 ** 53, so `left` is exact.
        left = product - units * move
        away = _beyond_half(left, rest_of_product(size, scale), move)
        if away != away:
            return exactly_rounded(number, int(move), int(scale))
        if away > 0:
            units += 1
    elif beyond > 0:
        units += 1
    return (0 - units if number < 0 else units) * move / scale


def exactly_rounded(number: float, move: int, scale: int) -> float:
    """Round `number` like `round_to_tick`, with integers of any size."""
    size = abs(number)
    if size * scale == INFINITY:
        return number  # so large that it has no fraction
    above, below = float(size).as_integer_ratio()
    above, below = above * scale, below * move
    units, rest = divmod(above, below)
    units += rest * _TIE >= _HALF * below
    return (-units if number < 0 else units) * move / scale


def tick_ratio(mintick: float) -> tuple[int, int]:
    """Return a tick as two whole numbers `(minmove, pricescale)`. The scale is a power of ten if the tick is a
    decimal. A sixteenth, a 32nd and smaller halves are fractions, although they have an end as decimals."""
    above, below = mintick.as_integer_ratio()
    if above == 1 and below >= _FRACTIONS:
        return above, below
    scale = 1
    while scale < 10**16:
        move = round(mintick * scale)
        if move and abs(move / scale - mintick) <= mintick * 1e-12:
            return move, scale
        scale *= 10
    return above, below


def larger(first: float, second: float) -> float:
    """Implement `math.max` of two numbers. The result is na if one of them is na."""
    if first != first or second != second:
        return NA
    return second if second > first else first


def smaller(first: float, second: float) -> float:
    """Implement `math.min` of two numbers. The result is na if one of them is na."""
    if first != first or second != second:
        return NA
    return second if second < first else first


def maximum(*numbers: float) -> float:
    """Implement `math.max(number0, number1, ...)`. The result is na if one of them is na."""
    return reduce(larger, numbers)


def minimum(*numbers: float) -> float:
    """Implement `math.min(number0, number1, ...)`. The result is na if one of them is na."""
    return reduce(smaller, numbers)


def average(*numbers: float) -> float:
    """Implement `math.avg(number0, number1, ...)`. Three or more numbers are added with a compensated sum."""
    count = len(numbers)
    if count <= 2:
        sum_ = 0.0
        for number in numbers:
            sum_ += number
        return sum_ / count
    sum_, carry = 0.0, 0.0
    for number in numbers:
        step = number - carry
        after = sum_ + step
        carry = (after - sum_) - step
        sum_ = after
    return (sum_ - carry) / count


def power(base: float, exponent: float) -> float:
    """Implement `math.pow(base, exponent)`. Squares and square roots are exactly a product and `sqrt`."""
    if exponent == 2:
        return base * base
    if exponent == 1:
        return base
    if exponent == 0.5 and base >= 0:
        return math.sqrt(base)
    if base != base or exponent != exponent:
        return NA if exponent != 0 else 1.0
    if base == 0 and exponent < 0:
        return INFINITY
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -INFINITY if base < 0 and exponent % 2 == 1 else INFINITY
    except ValueError:
        return NA


def square_root(number: float) -> float:
    """Implement `math.sqrt(number)`. The result is na below zero."""
    return math.sqrt(number) if number >= 0 else NA


def exponential(number: float) -> float:
    """Implement `math.exp(number)`."""
    try:
        return math.exp(number)
    except OverflowError:
        return INFINITY


def logarithm(number: float) -> float:
    """Implement `math.log(number)`. The result is na below zero, minus infinity at zero."""
    if number > 0:
        return math.log(number)
    return -INFINITY if number == 0 else NA


def logarithm10(number: float) -> float:
    """Implement `math.log10(number)`. The result is na below zero, minus infinity at zero."""
    if 0 < number < INFINITY:
        return _rounded_logarithm10(number)
    if number == 0:
        return -INFINITY
    return number if number > 0 else NA


_BITS = 96
_ONE = 1 << _BITS
_PRECISE = decimal.Context(prec=60)
_DOUBT = 1 << 12
"""A bound on the error of the sum below, in units of its last bit."""
_DIRECT = 1 << (_BITS - 20)
"""The smallest sum that has enough significant digits."""


def _rounded_logarithm10(number: float) -> float:
    """The double that is nearest to the logarithm to base 10 of a positive finite number.

    It is summed with whole numbers in units of 2**-96. If the sum is not precise enough for correct rounding, the
    logarithm is computed with 60 digits.
    """
    fraction, exponent = math.frexp(number)
    mantissa = int(fraction * 2.0**53)
    share = mantissa >> 43  # the first ten bits
    factor = (1 << 20) // share  # about 1024 / fraction, so that the product of both is near 1024
    rest = (mantissa * factor << (_BITS - 63)) - _ONE
    power = sum_ = rest
    k = 2
    while power:
        power = -(power * rest >> _BITS)
        sum_ += power // k
        k += 1
    found = (sum_ * _constant("e") >> _BITS) - _constant(factor) + exponent * _constant(2) + 10 * _constant(2)
    low, high = (found - _DOUBT) / _ONE, (found + _DOUBT) / _ONE
    if low == high and abs(found) > _DIRECT:
        return low
    return float(_PRECISE.log10(decimal.Decimal(number)))


@lru_cache(2048)
def _constant(number: int | str) -> int:
    """The logarithm to base 10 of a whole number, or of Euler's number, in units of 2**-96."""
    value = _PRECISE.exp(decimal.Decimal(1)) if number == "e" else decimal.Decimal(number)
    return int((_PRECISE.log10(value) * _ONE).to_integral_value())


def sign(number: float) -> float:
    """Implement `math.sign(number)`: 1, -1 or 0, na for na."""
    if number > 0:
        return 1.0
    if number < 0:
        return -1.0
    return 0.0 if number == 0 else NA


def sine(angle: float) -> float:
    """Implement `math.sin(angle)`, in radians."""
    return math.sin(angle) if -INFINITY < angle < INFINITY else NA


def cosine(angle: float) -> float:
    """Implement `math.cos(angle)`, in radians."""
    return math.cos(angle) if -INFINITY < angle < INFINITY else NA


def tangent(angle: float) -> float:
    """Implement `math.tan(angle)`, in radians."""
    return math.tan(angle) if -INFINITY < angle < INFINITY else NA


def arc_sine(value: float) -> float:
    """Implement `math.asin(angle)`. The result is na outside -1 to 1."""
    return math.asin(value) if -1 <= value <= 1 else NA


def arc_cosine(value: float) -> float:
    """Implement `math.acos(angle)`. The result is na outside -1 to 1."""
    return math.acos(value) if -1 <= value <= 1 else NA


def arc_tangent(value: float) -> float:
    """Implement `math.atan(angle)`."""
    return math.atan(value)


def to_degrees(radians: float) -> float:
    """Implement `math.todegrees(radians)`."""
    return radians * 180 / math.pi


def to_radians(degrees: float) -> float:
    """Implement `math.toradians(degrees)`."""
    return degrees / 180 * math.pi
