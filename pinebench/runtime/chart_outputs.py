"""The outputs of an indicator with a timeframe of its own, on the bars of the chart."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any

from pinebench.runtime.chart import Chart
from pinebench.runtime.outputs import Output, Outputs


class ChartOutputs:
    """The outputs of an indicator on bars of another timeframe, shown on the chart's bars as in TradingView's help.

    On history, a bar of the chart shows the value of the last bar of the other timeframe that has closed. With gaps,
    only the first bar of the chart at whose close the value is known shows it. Without gaps, a live bar shows the value
    of the other timeframe's open bar. If several shorter bars close within a bar of the chart, the last one is shown.
    """

    def __init__(self, outputs: Outputs, own: Chart, chart: Chart, *, has_gaps: bool) -> None:
        """Show `outputs`, which are computed on the bars of `own`, on the bars of `chart`, with or without gaps."""
        self._outputs = outputs
        self._own = own
        self._chart = chart
        self._has_gaps = has_gaps
        self._is_shorter = own.timeframe.seconds < chart.timeframe.seconds
        self.all = [Output(each.function, each.line, each.settings) for each in outputs.all]

    def history(self) -> None:
        """Compute the values to show on all bars of the chart as history."""
        ends = self._own.grid.closes(self._own.bars.time)
        places = [bisect_right(ends, end) - 1 for end in self._chart.grid.closes(self._chart.bars.time)]
        if self._has_gaps:
            places = [-1 if i and places[i - 1] == place else place for i, place in enumerate(places)]
        self._show(0, places)

    def update(self, *, closed: bool) -> None:
        """Compute the values to show on the chart's last bar, which is live; `closed` tells whether it has closed. An
        indicator on shorter bars has no values there, because shorter bars get no updates."""
        number = len(self._chart) - 1
        end = self._chart.close_time(number)
        place = bisect_left(self._own.bars.time, end) - 1
        is_over = closed and place >= 0 and self._own.close_time(place) <= end
        self._show(number, [-1 if self._is_shorter or (self._has_gaps and not is_over) else place])

    def cut(self) -> None:
        """Remove all shown values."""
        for output in self.all:
            output.columns.clear()

    def bar_of(self, place: int) -> int:
        """Return the index of the first bar of the chart that shows bar `place` of the other timeframe."""
        if not 0 <= place < len(self._own) or not len(self._chart):
            return max(len(self._chart) - 1, 0)
        ends = self._chart.grid.closes(self._chart.bars.time)
        return min(bisect_left(ends, self._own.close_time(place)), len(ends) - 1)

    def _show(self, first: int, places: Sequence[int]) -> None:
        """Set the values of the chart's bars from `first` on; a place of -1 has no value."""
        for shown, made in zip(self.all, self._outputs.all, strict=True):
            for name, values in made.columns.items():
                column, nothing = shown.columns.setdefault(name, []), _nothing(name, values)
                column[first:] = [values[place] if 0 <= place < len(values) else nothing for place in places]


def _nothing(name: str, values: Sequence[Any]) -> Any:
    """The value of a column on bars without a value: no colour, false, or na."""
    if "color" in name:
        return None
    return False if values and isinstance(values[0], bool) else math.nan
