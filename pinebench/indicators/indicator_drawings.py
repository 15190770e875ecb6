"""Draws indicators on their bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pinebench.charts import ChartDescription, FillMark, PictureFrame, PictureView, ShownRun, chart, cut, view_of
from pinebench.indicators.indicator_runs import IndicatorRun
from pinebench.indicators.sources import SourceBars

WIDTH, HEIGHT = 1920, 1080


def draw(
    loaded: SourceBars,
    runs: Sequence[IndicatorRun],
    width: int = WIDTH,
    height: int = HEIGHT,
    *,
    logarithmic: bool = False,
    zone: str | None = None,
    theme: str = "light",
) -> ChartDescription:
    """Describe a chart of the shown bars with all indicators, `width` by `height` pixels. Trades of a strategy are
    marked.

    With `logarithmic`, equal distances are equal ratios of prices. The time axis is in the time zone `zone`, by default
    the exchange's. `theme` is the name of a theme. Raises UsageError for a size beyond the limits, and for an unknown
    time zone or theme.
    """
    bars = loaded.bars.last(loaded.shown)
    frame = PictureFrame(
        0,
        len(bars),
        width,
        height,
        logarithmic=logarithmic,
        zone=zone,
        name=loaded.title,
        dated=loaded.priced.dated,
        theme=theme,
    )
    shown = [ShownRun(cut(run.result, run.first), _view(run)) for run in runs]
    fills = [fill for run in runs for fill in _fills(run)]
    return chart(shown, bars, loaded.symbol, frame, loaded.title, fills)


def _view(run: IndicatorRun) -> PictureView:
    view = view_of(run.asked.program)
    return replace(view, title=run.asked.label, overlay=run.asked.is_overlay)


def _fills(run: IndicatorRun) -> list[FillMark]:
    return [
        FillMark(
            one.bar - run.first,
            one.price,
            one.quantity if one.action == "buy" else -one.quantity,
            one.comment or one.id,
        )
        for one in run.fills
        if one.bar >= run.first
    ]
