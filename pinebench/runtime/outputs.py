"""The outputs of a script as columns of values: plots, shapes, fills, lines, colours, and alert conditions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

_TOO_GREAT = 1e100
"""From this number on, TradingView shows no value in an export or in the data window, although `na()` of it is
false."""


@dataclass(slots=True)
class Output:
    """The output of one call of a plot function. `function` is its name. `settings` are the arguments that are the same
    on all bars. `columns` are the values of the other arguments, one for each bar."""

    function: str
    line: int
    settings: dict[str, Any] = field(default_factory=dict)
    columns: dict[str, list[Any]] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return str(self.settings.get("title") or "")

    @property
    def values(self) -> list[Any]:
        """The main column of the output, such as the values of a plot."""
        return next(iter(self.columns.values()), [])

    def is_drawn(self, value: Any) -> bool:
        """Return whether a shape, a character or an arrow is drawn for a value. Nothing is drawn for na and false. 0 is
        drawn only if the location is `location.absolute`."""
        is_none = value is None or value is False or value != value
        return not is_none and (value != 0 or self.settings.get("location") == "absolute")

    @property
    def exported(self) -> list[Any]:
        """The values as an export shows them: na for numbers that are too large."""
        return [
            math.nan if isinstance(value, int | float) and not -_TOO_GREAT < value < _TOO_GREAT else value
            for value in self.values
        ]


class Outputs:
    """The outputs of one run, numbered in the order of the script."""

    def __init__(self, functions: list[tuple[str, int]]) -> None:
        self.all = [Output(function, line) for function, line in functions]

    def column(self, number: int, name: str) -> list[Any]:
        """Return a column of an output. The caller appends each bar's value to it."""
        return self.all[number].columns.setdefault(name, [])

    def configure(self, number: int, settings: dict[str, Any]) -> None:
        self.all[number].settings.update(settings)

    def cut(self, bars: int) -> None:
        """Remove the values of bar `bars` and of later bars."""
        for output in self.all:
            for column in output.columns.values():
                del column[bars:]
