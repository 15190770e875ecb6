"""Reads daily rates of a currency pair from a file, and finds the rate for each bar of a chart."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pinebench import files
from pinebench.errors import UsageError
from pinebench.market.bar_files import BadTable, read_table
from pinebench.market.numerals import AmbiguousNumbers, numerals
from pinebench.market.stamps import time_form

_DAY = 86_400_000
_LARGEST_FILE = 100_000_000
_EXPECTED = "expected the columns time, and close or rate"


@dataclass(frozen=True, slots=True)
class Rates:
    """Daily rates. `days` are the starts of the days in milliseconds UTC, and `values` are the rates at their ends."""

    days: Sequence[int]
    values: Sequence[float]

    def at(self, times: Sequence[int], are_ends: bool = False) -> list[float]:
        """Return the rate for each bar that opens at `times`: the rate of the last day that has ended when the bar
        opens.

        With `are_ends`, `times` are the ends of bars longer than a day; such a bar gets the rate of the day before its
        last day. Bars before the first day get the first rate. (TradingView's manual, "Currency".)
        """
        found: list[float] = []
        for time in times:
            moment = time - 1 if are_ends else time
            number = bisect_right(self.days, moment - _DAY) - 1
            found.append(self.values[max(number, 0)])
        return found


def read_rates(path: Path) -> Rates:
    """Read the rates of a CSV file with the columns time and close, like an exported chart, or time and rate.

    Times are the starts of days, as in files of bars. Raises UsageError with the line that is not a rate.
    """
    try:
        rows = list(read_table(files.read(path, _LARGEST_FILE).text))
    except BadTable as error:
        raise UsageError(f"{path}, line {error.line}: {error}", error.hint) from None
    heads = [head.strip().lower() for head in rows[0][1]] if rows else []
    place = next((heads.index(name) for name in ("rate", "close") if name in heads), None)
    if place is None or "time" not in heads or len(rows) < 2:
        raise UsageError(f"{path} has no rates", _EXPECTED)
    days: list[int] = []
    values: list[float] = []
    stamps, cells = ([_cell(row, column) for _, row in rows[1:]] for column in (heads.index("time"), place))
    first = f"{path}, line {rows[1][0]}"
    read_time = time_form(stamps[0], first, stamps[1:]).read
    try:
        written = numerals(cells) or str
    except AmbiguousNumbers as doubtful:
        what = f"{first}: the comma in {doubtful} may be a decimal comma or a thousands separator"
        raise UsageError(what, "write rates with decimal points, and without thousands separators") from None
    for (line, _), stamp, cell in zip(rows[1:], stamps, cells, strict=True):
        where = f"{path}, line {line}"
        try:
            time, value = read_time(stamp), float(written(cell))
        except (ValueError, OverflowError):
            raise UsageError(f"{where}: expected a day and a rate", _EXPECTED) from None
        if not (math.isfinite(value) and value > 0) or "_" in cell:
            raise UsageError(f"{where}: {cell} is not a rate", "expected positive numbers")
        if days and time // _DAY <= days[-1] // _DAY:
            raise UsageError(
                f"{where}: the day is not after the previous day",
                "the rates must be in chronological order, one for each day",
            )
        days.append(time)
        values.append(value)
    return Rates(days, values)


def _cell(row: list[str], place: int) -> str:
    return row[place].strip() if place < len(row) else ""
