"""Numbers and texts in generated code: Pine's empty values, division, remainders, loops over ranges, and history."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from pinebench.runtime.faults import RuntimeFault

NA = float("nan")
INFINITE = float("inf")
EXACT = 1 << 53
"""Whole numbers beyond this become doubles, as on TradingView."""


class DeferredText:
    """A string whose parts are joined on first read. It is never empty, and its copies are plain strings."""

    __slots__ = ("_given", "_join", "_text")

    def __init__(self, join: Callable[..., str], given: tuple[Any, ...]) -> None:
        """Store the values `given`, from which `join` makes the text."""
        self._join = join
        self._given = given
        self._text: str | None = None

    def __str__(self) -> str:
        if self._text is None:
            self._text = self._join(*self._given)
        return self._text

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)


def by_zero(value: float) -> float:
    """Return the result of `value / 0`: na or an infinity."""
    if value != value or value == 0:
        return NA
    return INFINITE if value > 0 else -INFINITE


def quotient(left: float, right: float) -> float:
    """Return `left / right`; na or infinite for a division by zero, never an error."""
    return left / right if right else by_zero(left)


def remainder(left: float, right: float) -> float:
    """Return `left % right` with the sign of `left`; na for a division by zero."""
    if not right or left != left or right != right or abs(left) == INFINITE:
        return NA
    if isinstance(left, int) and isinstance(right, int):
        return left - right * (abs(left) // abs(right)) * (1 if (left < 0) == (right < 0) else -1)
    return math.fmod(left, right)


def product(left: float, right: float) -> float:
    """Return `left * right` for whole numbers; a double if it is too large to be exact."""
    value = left * right
    return value if -EXACT <= value <= EXACT or value != value else float(left) * float(right)


_NEAR = 1e-10
OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": quotient,
    "%": remainder,
}
"""Operators with two operands; a product of whole numbers may be too large to be exact (`product`)."""
COMPARISONS: dict[str, Callable[[Any, float], bool]] = {
    "<": lambda difference, near: difference < -near,
    ">": lambda difference, near: difference > near,
    "<=": lambda difference, near: difference <= near,
    ">=": lambda difference, near: difference >= -near,
    "==": lambda difference, near: -near <= difference <= near,
    "!=": lambda difference, near: near < abs(difference) < INFINITE,
}
"""Comparisons by the difference of both sides; a comparison with na is false."""


def compared(operator: str, difference: float, *, is_exact: bool) -> bool:
    """Compare two numbers with `operator`, given their difference. `is_exact` is true for whole numbers; others are
    compared with a tolerance."""
    return COMPARISONS[operator](difference, 0 if is_exact else _NEAR)


def is_empty(value: Any) -> bool:
    """Return whether a value of any kind is na: None, nan, infinity or an empty string."""
    if value is None or value == "":
        return True
    return isinstance(value, float) and not -INFINITE < value < INFINITE


def inverted(operator: str, value: Any) -> Any:
    """Return the result of an operator with one operand: `not`, `-`, `float` or `na`."""
    if operator == "not":
        return not value
    if operator == "-":
        return -value
    return value + 0.0 if operator == "float" else is_empty(value)


def same(left: object, right: object) -> bool:
    """Return `left == right`; na is not equal to anything."""
    return left is not None and right is not None and left == right


def different(left: object, right: object) -> bool:
    """Return `left != right`; na is not different from anything."""
    return left is not None and right is not None and left != right


def whole(value: Any) -> Any:
    """Return `int(value)`: the value rounded toward zero."""
    return value if value is None or not -INFINITE < value < INFINITE else int(value)


def truth(value: Any) -> bool:
    """Return `bool(value)`; na and zero are false."""
    if not isinstance(value, float | int):
        return bool(value) and not is_empty(value)
    return value != 0 and -INFINITE < value < INFINITE


# loops


def rounds(first: float, last: float, step: float = 1) -> Any:
    """Return the values of a loop's counter from `first` to `last`, up or down; none if a bound is na. Raises RE10021
    for a step that is not positive."""
    checked_step(step)
    if type(first) is int and type(last) is int and type(step) is int:  # most loops
        return range(first, last + 1, step) if first <= last else range(first, last - 1, -step)
    if first != first or last != last:
        return ()
    if isinstance(first, int) and isinstance(step, int) and -INFINITE < last < INFINITE:
        return range(first, math.floor(last) + 1, step) if first <= last else range(first, math.ceil(last) - 1, -step)
    return _climbed(first, last, step if first <= last else -step)


def _climbed(value: float, last: float, step: float) -> Iterator[float]:
    while value <= last if step > 0 else value >= last:
        yield value
        value += step


def checked_step(step: float) -> float:
    """Return `step`. Raises RE10021 if it is zero or negative."""
    if step <= 0:
        raise RuntimeFault("RE10021")
    return step


# history


MOST_BARS_BACK = 10_000


def bars_back(offset: float) -> int:
    """Return a history offset as a whole number, 0 for na. Raises RE10008 if it is negative or too large."""
    if offset != offset:
        return 0
    steps = int(max(min(offset, 2147483647), -2147483648))
    if not 0 <= steps <= MOST_BARS_BACK:
        raise RuntimeFault("RE10008", invalidBarsBack=steps, maxBarsBack=MOST_BARS_BACK)
    return steps


def past(history: list[Any], offset: float, current: Any, empty: Any) -> Any:
    """Return a variable's value `offset` bars ago. `history` has its earlier values, newest last. `current` is its
    value now, and `empty` is the na of its kind."""
    steps = offset if isinstance(offset, int) and 0 <= offset <= MOST_BARS_BACK else bars_back(offset)
    if steps == 0:
        return current
    return history[-steps] if steps <= len(history) else empty


def back(column: list[Any], i: int, offset: float, empty: Any) -> Any:
    """Return the value of a column `offset` bars before bar `i`; `empty` before the first bar."""
    steps = offset if isinstance(offset, int) and 0 <= offset <= MOST_BARS_BACK else bars_back(offset)
    return column[i - steps] if steps <= i else empty
