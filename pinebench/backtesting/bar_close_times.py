"""Computes when the prices of a bar become known, even for bars whose time is only a date."""

from __future__ import annotations

from pinebench.runtime import Chart


def known_times(chart: Chart) -> tuple[list[int], list[int]]:
    """Return, for each bar, the times (milliseconds UTC) at which its first price is known and at which it closes.

    A bar closes at the latest when the next one opens. Files and feeds often use a date as the time of a daily, weekly
    or monthly bar; such a bar begins with the first session after that time.
    """
    times, grid = chart.bars.time, chart.grid
    starts, ends = list(times), [int(end) for end in grid.closes(times)]
    if not chart.timeframe.is_intraday:
        for i, time in enumerate(times):
            bar = grid.bar(time)
            if bar.close <= time:
                bar = grid.back(time, -1) or bar
            starts[i], ends[i] = max(time, bar.open), max(time + 1, bar.close)
    laters = [*times[1:], *ends[-1:]]
    ends = [max(time + 1, min(end, later)) for time, end, later in zip(times, ends, laters, strict=True)]
    return [min(start, end - 1) for start, end in zip(starts, ends, strict=True)], ends
