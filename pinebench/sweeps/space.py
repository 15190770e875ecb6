"""The inputs that a sweep varies, each with its values in order."""

from __future__ import annotations

import itertools
import math
import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from pinebench.backtesting.backtest import NO_STRATEGY
from pinebench.checker import Program
from pinebench.errors import UsageError
from pinebench.runtime import SOURCES, Input, input_named, inputs_of, kind_of, settings_of

Inputs = dict[str, Any]
"""The values of inputs by name, as a run takes them."""
Place = tuple[int, ...]
"""A combination: the index of the value of each axis."""

_MOST_VALUES = 10_000
MOST_COMBINATIONS = 1_000_000
"""The largest number of combinations that a grid may have."""
_PARTS = 10
"""The number of steps of a range of floats for which no step is given."""
_EXAMPLE = 5
"""The largest number of values of an input in an example."""
_RANGE = "expected, for example, 'Length=5:50:5' (from:to:step) or 'Mode=EMA,SMA'"


@dataclass(frozen=True)
class InputAxis:
    """An input with its values. `name` is its title, or its variable or number if the title is not unique. `is_ordered`
    is True if neighbouring values are similar, as for numbers."""

    name: str
    values: tuple[Any, ...]
    is_ordered: bool


@dataclass(frozen=True)
class Space:
    """All combinations of the values of the axes. `fixed` are inputs with a single value, which every run gets."""

    axes: tuple[InputAxis, ...]
    fixed: Mapping[str, Any]

    @property
    def size(self) -> int:
        """The number of combinations."""
        return math.prod(len(axis.values) for axis in self.axes)

    def inputs(self, combination: Place) -> Inputs:
        """Return the varied inputs of a combination, by name. `combination` holds an index into the values of each
        axis."""
        return {axis.name: axis.values[k] for axis, k in zip(self.axes, combination, strict=True)}

    def places(self) -> Iterator[Place]:
        """Yield all combinations. The last axis varies fastest."""
        return itertools.product(*(range(len(axis.values)) for axis in self.axes))

    def drawn(self, count: int, seed: int) -> list[Place]:
        """Return `count` different combinations in random order, or all of them if there are fewer."""
        return [self._place(number) for number in _numbers(self.size, count, seed)]

    def _place(self, number: int) -> Place:
        found: list[int] = []
        for axis in reversed(self.axes):
            number, k = divmod(number, len(axis.values))
            found.append(k)
        return tuple(reversed(found))

    def neighbours(self, combination: Place) -> list[Place]:
        """Return the combinations that differ by one step on one ordered axis."""
        found: list[Place] = []
        for at, axis in enumerate(self.axes):
            if axis.is_ordered:
                steps = (k for k in (combination[at] - 1, combination[at] + 1) if 0 <= k < len(axis.values))
                found += [(*combination[:at], k, *combination[at + 1 :]) for k in steps]
        return found

    def example(self, most: int) -> dict[str, tuple[Any, ...]]:
        """Return a few values of the first inputs, by name, with at most `most` combinations; empty if impossible."""
        found: dict[str, tuple[Any, ...]] = {}
        for axis in self.axes:
            values = axis.values[:: math.ceil(len(axis.values) / _EXAMPLE)]
            is_readable = "=" not in axis.name and not any("," in str(value) for value in values)
            if is_readable and len(found) < 2 and math.prod(map(len, (*found.values(), values))) <= most:
                found[axis.name] = values
        return found

    def at_the_edge(self, combination: Place) -> list[InputAxis]:
        """Return the ordered axes (three values or more) on which the combination has the first or the last value."""
        pairs = zip(self.axes, combination, strict=True)
        return [
            axis for axis, k in pairs if axis.is_ordered and len(axis.values) > 2 and k in (0, len(axis.values) - 1)
        ]


def _numbers(size: int, count: int, seed: int) -> Iterable[int]:
    """Return `count` different numbers below `size` in random order, or all of them if there are fewer."""
    if count >= size:
        return range(size)
    chance = random.Random(seed)
    if size <= sys.maxsize:
        return chance.sample(range(size), count)
    found: dict[int, None] = {}  # a range of this size has no length in Python
    while len(found) < count:
        found[chance.randrange(size)] = None
    return found


def range_text(name: str, values: Iterable[Any]) -> str:
    """Return the values of an input as text that `space_of` can parse: `Length=5,10`."""
    return f"{name}={','.join(_exact(value) for value in values)}"


def _exact(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def space_of(program: Program, texts: Sequence[str]) -> Space:
    """Parse texts such as `Length=5:50:5`, `Mode=EMA,SMA`, `Length=20` or `Length` (the script's own range).

    Without texts, all inputs with a range in the script vary: numbers with `minval` and `maxval`, and inputs with
    `options`. Raises UsageError for a script that is not a strategy, for a text that cannot be parsed, for a value that
    the input does not accept, or if no input varies.
    """
    if not program.is_strategy:
        raise UsageError(*NO_STRATEGY)
    known = inputs_of(program)
    axes, fixed = _of_texts(program, texts)
    if not axes:
        names = {_name(one, known): one for one in known}
        axes = [axis for name, one in names.items() if name not in fixed and (axis := _own(name, one)) is not None]
    if not axes:
        words = "no input has a range" if known else "the script has no inputs"
        raise UsageError(f"there is nothing to vary: {words}", f"{_RANGE}, or minval and maxval in the script")
    return Space(tuple(axes), fixed)


def _of_texts(program: Program, texts: Sequence[str]) -> tuple[list[InputAxis], Inputs]:
    """Return the inputs that vary according to these texts, and the inputs with a single value."""
    known = inputs_of(program)
    names = {_name(one, known): one for one in known}
    axes: list[InputAxis] = []
    fixed: Inputs = {}
    for text in texts:
        title, separator, values = text.partition("=")
        chosen = input_named(known, title)
        name = next(name for name, one in names.items() if one is chosen)
        if name in fixed or any(axis.name == name for axis in axes):
            raise UsageError(f"{text}: {name} is given twice", "give each input one range")
        axis = _axis(program, name, names[name], values if separator else None, text)
        if len(axis.values) > 1:
            axes.append(axis)
        else:
            fixed |= dict.fromkeys([name], *axis.values)
    return axes, fixed


def space_of_values(program: Program, ranges: Mapping[str, Any]) -> Space:
    """Return the space for `ranges`, which maps the title or the variable of an input to its values. The values are a
    text as for `space_of`, a `range` or another sequence, or a single value. None as the values of an input means the
    input's own range, and an empty `ranges` means all ranges of the script. Raises UsageError like `space_of`."""
    texts = [name if value is None else f"{name}={value}" for name, value in ranges.items() if _is_text(value)]
    others = {name: value for name, value in ranges.items() if not _is_text(value)}
    if not others:
        return space_of(program, texts)
    axes, fixed = _of_texts(program, texts)
    known = inputs_of(program)
    for title, value in others.items():
        one = input_named(known, title)
        name = _name(one, known)
        values = tuple(value) if isinstance(value, Iterable) else (value,)
        read = _read(program, name, one, values, name)
        if not read or name in fixed or any(axis.name == name for axis in axes):
            raise UsageError(f"{name} has no values, or is given twice", "give each input its values once")
        if len(read) > 1:
            axes.append(_listed(name, one, read))
        else:
            fixed |= dict.fromkeys([name], *read)
    if not axes:
        raise UsageError("there is nothing to vary: every input has one value", _RANGE)
    return Space(tuple(axes), fixed)


def _is_text(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _name(one: Input, known: Sequence[Input]) -> str:
    """Return the name of an input in a run: its title, or its variable or number if others have the same title."""
    return next(
        (name for name in (one.title, one.variable) if name and _is_named(one, name, known)), _number(one, known)
    )


def _is_named(one: Input, name: str, known: Sequence[Input]) -> bool:
    try:
        return input_named(list(known), name) is one
    except UsageError:
        return False


def _number(one: Input, known: Sequence[Input]) -> str:
    return f"in_{list(known).index(one)}"


def _own(name: str, one: Input) -> InputAxis | None:
    """Return the axis of the input's range in the script; None if it has none."""
    if one.options and one.kind not in ("color", "enum"):
        return _listed(name, one, dict.fromkeys(map(_plain, one.options)))
    if kind_of(one).is_number and one.least is not None and one.most is not None and one.least < one.most:
        return InputAxis(name, _steps(one, str(one.least), str(one.most), None, name), True)
    return None


def _axis(program: Program, name: str, one: Input, values: str | None, text: str) -> InputAxis:
    if values is None:
        axis = _own(name, one) or _both(name, one)
        if axis is None:
            raise UsageError(
                f"{text}: {name} has no range in the script: neither minval and maxval nor options", _RANGE
            )
        return axis
    parts = values.split(":")
    if kind_of(one).is_number and len(parts) in (2, 3):
        found = _steps(one, parts[0], parts[1], parts[2] if len(parts) == 3 else None, text)
    elif values in map(str, one.options):
        found = (values,)
    else:
        found = tuple(part.strip() for part in values.split(",")) if values else ()
    if not found:
        raise UsageError(f"{text} has no value", _RANGE)
    try:
        read = _read(program, name, one, found, text)
    except UsageError as error:
        raise UsageError(error.message, error.hint or _RANGE) from None
    return _listed(name, one, read)


def _listed(name: str, one: Input, values: Iterable[Any]) -> InputAxis:
    """Make the axis of these values. Numbers are sorted, so that neighbours are similar."""
    is_number = kind_of(one).is_number
    return InputAxis(name, tuple(sorted(values) if is_number else values), is_number)


def _both(name: str, one: Input) -> InputAxis | None:
    if one.kind == "bool":
        return InputAxis(name, (False, True), False)
    return InputAxis(name, SOURCES, False) if one.kind == "source" else None


def _read(program: Program, name: str, one: Input, values: Sequence[Any], place: str) -> tuple[Any, ...]:
    """Convert values as the input would. Raises UsageError for a value that the input does not accept, and for two
    that mean the same, such as the name and the title of an enum member."""
    read = [next(iter(settings_of(program, {name: value}).values())) for value in values]
    if len(set(read)) < len(read):
        raise UsageError(f"{place}: a value is given twice", "give each value once")
    return tuple(read) if kind_of(one).is_number or one.kind == "bool" else tuple(map(_plain, values))


def _plain(value: Any) -> Any:
    return value if isinstance(value, int | float | bool) else str(value)


def _steps(one: Input, low: str, high: str, step: str | None, place: str) -> tuple[Any, ...]:
    """Return the values from `low` to `high`, in decimal numbers: 0.1:0.5:0.1 has 0.3 and not 0.30…04."""
    try:
        first, last = Decimal(low), Decimal(high)
        width = Decimal(step) if step is not None else _width(one, first, last)
        if not (first.is_finite() and last.is_finite() and width > 0 and last >= first):
            raise InvalidOperation
        count = int((last - first) / width) + 1
    except (InvalidOperation, ValueError, OverflowError):
        raise UsageError(f"{place} is not a range from a smaller number to a larger one", _RANGE) from None
    if count > _MOST_VALUES:
        raise UsageError(f"{place} has {count} values, and at most {_MOST_VALUES} are allowed", "give a larger step")
    values = [first + k * width for k in range(count)]
    if one.kind != "int":
        return tuple(map(float, values))
    if any(value != int(value) for value in values):
        raise UsageError(f"{place}: this input takes whole numbers", _RANGE)
    return tuple(map(int, values))


def _width(one: Input, first: Decimal, last: Decimal) -> Decimal:
    if one.step is not None and one.step > 0:
        return Decimal(str(one.step))
    return Decimal(1) if one.kind == "int" else (last - first) / _PARTS or Decimal(1)


def shown(inputs: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> str:
    """Format inputs for people: `Length=5, Mode=EMA`."""
    return ", ".join(f"{name}={word(value)}" for name, value in dict(inputs).items())


def word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.10g}" if isinstance(value, float) else str(value)
