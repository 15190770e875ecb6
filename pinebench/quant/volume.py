"""Volume: relative volume, the volume-weighted average price with bands, and the volume profile."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from pinebench.market import Bars
from pinebench.quant.figure import Statistic, deviation, known, mean, quotient, too_few, total, unknown

VALUE_AREA = 0.7
_AROUND, _PROMINENCE = 2, 0.1
_NO_VOLUME = "the bars have no volume"


def relative_volume(volumes: Sequence[float], window: int) -> Statistic:
    """Return the last volume divided by the mean of the `window` volumes before it."""
    before = _before(volumes, window)
    if isinstance(before, Statistic):
        return before
    return quotient(volumes[-1], mean(before), "the earlier bars have no volume")


def volume_z(volumes: Sequence[float], window: int) -> Statistic:
    """Return the distance of the last volume from the mean of the `window` volumes before it, in units of their
    standard deviation."""
    before = _before(volumes, window)
    if isinstance(before, Statistic):
        return before
    return quotient(volumes[-1] - mean(before), deviation(before), "all earlier volumes are the same")


def _before(volumes: Sequence[float], window: int) -> list[float] | Statistic:
    """The `window` volumes before the last one, or why they cannot be used."""
    if window < 2 or len(volumes) <= window:
        return too_few(len(volumes), max(window, 2) + 1, "bars")
    seen = list(volumes[-window - 1 :])
    if not all(map(math.isfinite, seen)):
        return unknown("a volume is na")
    return seen[:-1]


class VwapFigures(NamedTuple):
    """The volume-weighted average price, and the standard deviation for its bands: `price ± n * deviation`."""

    price: Statistic
    deviation: Statistic
    distance: Statistic
    """The distance of the last close from the average price, in standard deviations."""


def vwap(bars: Bars, first: int = 0) -> VwapFigures:
    """Return the volume-weighted average of (high + low + close) / 3 from bar index `first` on, like `ta.vwap` anchored
    there.

    The deviation is the population's standard deviation, weighted by volume. A bar with a na price or volume is left
    out.
    """
    typical: list[float] = []
    weights: list[float] = []
    for at in range(first, len(bars)):
        price, weight = (bars.high[at] + bars.low[at] + bars.close[at]) / 3, bars.volume[at]
        if math.isfinite(price) and 0 < weight < math.inf:
            typical.append(price)
            weights.append(weight)
    if not weights:
        nothing = unknown(_NO_VOLUME)
        return VwapFigures(nothing, nothing, nothing)
    whole = total(weights)
    price = total(p * w for p, w in zip(typical, weights, strict=True)) / whole
    spread = math.sqrt(total(w * (p - price) ** 2 for p, w in zip(typical, weights, strict=True)) / whole)
    if max(typical) == min(typical):
        spread = 0.0
    close = bars.close[-1]
    if not math.isfinite(close):
        return VwapFigures(known(price), known(spread), unknown("the last close is na"))
    return VwapFigures(known(price), known(spread), quotient(close - price, spread, "all prices are the same"))


class VolumeProfile(NamedTuple):
    """Volume by price. `rows` has the volume of each row; a row is `step` high, and the first begins at the price
    `low`.

    `point_of_control` is the middle of the row with the most volume (the lowest one if there are several). The value
    area has the rows around it with 70 per cent of the volume, from the price `value_low` to `value_high`. `high_nodes`
    are the middles of rows that have more volume than the two rows on each side, by at least a tenth of the largest
    row; `low_nodes` are the middles of rows that have less. In both lists, the clearest nodes come first.
    """

    low: float
    step: float
    rows: list[float]
    point_of_control: Statistic
    value_low: Statistic
    value_high: Statistic
    high_nodes: list[float]
    low_nodes: list[float]


def profile(bars: Bars, rows: int = 24) -> VolumeProfile:
    """Compute the volume profile of bars, with the same definitions as the catalogue's indicator `volume_profile`. The
    volume of a bar is spread evenly from its low to its high. A bar with a na price or volume is left out."""
    used = [
        (low, high, close, volume)
        for _, _, high, low, close, volume in zip(*bars.columns(), strict=True)
        if math.isfinite(low + high + close) and 0 < volume < math.inf
    ]
    bottom, top = min((each[0] for each in used), default=0.0), max((each[1] for each in used), default=0.0)
    if not used or rows < 1:
        return _empty(bottom, _NO_VOLUME)
    step = (top - bottom) / rows
    if not step:
        return _empty(bottom, "all prices are the same")
    if not math.isfinite(rows * step + total(each[3] for each in used)):
        return _empty(bottom, "the numbers are too large to compute with")
    weights = [0.0] * rows
    for low, high, close, volume in used:
        _spread(weights, bottom, step, low, high, close, volume)
    busiest = max(range(rows), key=lambda row: (weights[row], -row))
    first, last = _value_area(weights, busiest)
    return VolumeProfile(
        bottom,
        step,
        weights,
        known(bottom + (busiest + 0.5) * step),
        known(bottom + first * step),
        known(bottom + (last + 1) * step),
        _nodes(weights, bottom, step, high=True),
        _nodes(weights, bottom, step, high=False),
    )


def _empty(low: float, why: str) -> VolumeProfile:
    nothing = unknown(why)
    return VolumeProfile(low, 0.0, [], nothing, nothing, nothing, [], [])


def _spread(
    weights: list[float], bottom: float, step: float, low: float, high: float, close: float, volume: float
) -> None:
    """Add the volume of a bar to the rows between its low and its high, by their share of its range."""
    last = len(weights) - 1
    if high == low:
        weights[min(math.floor((close - bottom) / step), last)] += volume
        return
    first, end = (min(math.floor((price - bottom) / step), last) for price in (low, high))
    if first == end:
        weights[first] += volume
        return
    for row in range(first, end + 1):
        edge = bottom + row * step
        overlap = min(high, edge + step) - max(low, edge)
        if overlap > 0:
            weights[row] += volume * overlap / (high - low)


def _value_area(weights: Sequence[float], busiest: int) -> tuple[int, int]:
    """The first and the last row of the value area: it grows by the larger of the two rows next to it, the lower one if
    they are the same."""
    first = last = busiest
    inside, wanted = weights[busiest], VALUE_AREA * total(weights)
    while inside < wanted and (first > 0 or last < len(weights) - 1):
        below = weights[first - 1] if first > 0 else 0.0
        above = weights[last + 1] if last < len(weights) - 1 else 0.0
        if (below >= above and first > 0) or last == len(weights) - 1:
            first -= 1
            inside += below
        else:
            last += 1
            inside += above
    return first, last


def _nodes(weights: Sequence[float], bottom: float, step: float, *, high: bool) -> list[float]:
    """The middles of the rows that have more volume than all rows around them, or less; the clearest first."""
    most = max(weights)
    found: list[tuple[float, float]] = []
    for row, own in enumerate(weights):
        around = [*weights[max(row - _AROUND, 0) : row], *weights[row + 1 : row + 1 + _AROUND]]
        if not around:
            continue
        near = max(around)
        beats = own > near if high else own < min(around)
        counts = own > 0 if high else near > 0 and own < most
        clear = own - near if high else near - own
        if beats and counts and clear >= _PROMINENCE * most:
            found.append((clear, bottom + (row + 0.5) * step))
    return [price for _, price in sorted(found, key=lambda each: -each[0])]
