"""Finds the timeframe of bars from the intervals between them, and measures how regular these intervals are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import NamedTuple

from pinebench.calendars.timeframes import timeframe
from pinebench.market.bars import Bars
from pinebench.totals import total

_DAY = 86_400_000
_SECONDS = (45, 30, 15, 10, 5, 1)
"""The lengths of Pine's timeframes in seconds."""
_FRIDAY = 4
_SHORTEST = {"D": 20 / 24, "W": 5.0, "M": 27.0}
"""The smallest distance in days between bars of a day, a week or a month. A day can have 23 hours."""
_MONTH = 27.5 * _DAY
"""The smallest distance between two months: less than 28 days, because one of them can have 23 hours."""
_ENOUGH = 4
"""The number of bars from which their times can contradict a timeframe that is longer or shorter."""


class Spacing(NamedTuple):
    """The most frequent interval between two bars, as a timeframe, and the regularity of the intervals.

    `share` is the fraction (0 to 1) of the intervals that are as long as `timeframe`, 0 for fewer than two bars.
    `kinds` is the number of different intervals. `is_irregular` is true if fewer than half of the intervals within a
    day are as long as `timeframe`, or if another length makes up a quarter of them. It is false if there are too few
    bars to tell.
    """

    timeframe: str
    share: float
    kinds: int
    is_irregular: bool

    @property
    def in_words(self) -> str:
        """The share of bars that open at the usual interval after the previous bar, in words; "" if all do."""
        if not self.share:
            return "fewer than two bars do not show it"
        if self.kinds == 1:
            return ""
        others = f"{self.kinds - 1} other distance{'s occur' if self.kinds > 2 else ' occurs'}"
        usual = timeframe(self.timeframe).in_words()
        return f"{_percent(self.share)} of the bars open {usual} after the bar before; {others}"


def _percent(share: float) -> str:
    return f"{math.floor(100 * share)} %"


def spacing(times: Sequence[int]) -> Spacing:
    """Measure the spacing of bars that open at `times` (milliseconds UTC, in order)."""
    steps = _steps(times)
    if not steps:
        return Spacing("1D", 0.0, 0, False)
    step = min(steps, key=lambda one: (-steps[one], one))
    same = steps[step]
    if step >= _MONTH:  # months have several lengths
        same = int(total(count for each, count in steps.items() if _name(each) == _name(step)))
    kinds = len({_name(each) if each >= _MONTH else each for each in steps})
    return Spacing(_name(step), same / steps.total(), kinds, _is_irregular(times, step))


def timeframe_of(bars: Bars) -> str:
    """Return the most frequent interval between two bars, as a timeframe; a day for fewer than two bars."""
    return spacing(bars.time).timeframe


def contradiction(times: Sequence[int], named: str) -> str | None:
    """Return a sentence that says why bars opening at `times` cannot have the timeframe `named`; None if they can."""
    steps = _steps(times)
    if len(times) < _ENOUGH or not steps:
        return None
    wanted = timeframe(named)
    if wanted.unit == "T":
        return None
    length = wanted.multiplier * _SHORTEST[wanted.unit] * _DAY if wanted.unit in _SHORTEST else wanted.seconds * 1000.0
    step = min(steps, key=lambda one: (-steps[one], one))
    own = timeframe(_name(step)).in_words()
    if step < length:
        return f"most bars are {own} apart, which is shorter than {wanted.in_words()}"
    common = math.gcd(*steps)
    if common >= 2 * wanted.seconds * 1000:
        return f"no two bars are less than {timeframe(_name(common)).in_words()} apart"
    return None


def _steps(times: Sequence[int]) -> Counter[int]:
    """Count the distances between two bars, in milliseconds. Friday to Monday counts as one day."""
    return Counter(
        _DAY if later - before == 3 * _DAY and _weekday(before) == _FRIDAY else later - before
        for before, later in pairwise(times)
    )


def _weekday(time: int) -> int:
    return datetime.fromtimestamp(time / 1000, UTC).weekday()


def _is_irregular(times: Sequence[int], step: int) -> bool:
    """Return whether less than half of the distances within a day are `step`, or a quarter have one other length."""
    if step >= _DAY:
        return False
    inside = Counter(later - before for before, later in pairwise(times) if before // _DAY == later // _DAY)
    total = inside.total()
    others = max((count for each, count in inside.items() if each != step), default=0)
    return total >= _ENOUGH and (inside[step] * 2 < total or others * 4 >= total)


def _name(step: int) -> str:
    """Return the timeframe of Pine whose bars are `step` milliseconds apart, or the next shorter one."""
    if step < 60_000:
        return f"{next((each for each in _SECONDS if each * 1000 <= step), 1)}S"
    if step < _DAY:
        return str(step // 60_000)
    if step >= _MONTH:
        return f"{min(round(step / (30.4 * _DAY)), 12)}M"
    days = round(step / _DAY)
    return f"{days // 7}W" if days % 7 == 0 else f"{days}D"
