"""The description of a chart that all renderers draw: bars, runs of scripts, fills, and display settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pinebench.amounts import tick_decimals
from pinebench.calendars.zones import zone
from pinebench.charts.fills import FillMark
from pinebench.charts.plots import is_shown
from pinebench.charts.themes import theme
from pinebench.checker import Program
from pinebench.errors import UsageError
from pinebench.market import MADE_UP
from pinebench.runtime import BarColumns, ChartSymbol, Drawing, Output, Result, declared_arguments

_PANE = 0.3
"""The share of the height that one pane below the prices gets."""
WIDTHS, HEIGHTS = (400, 7680), (300, 4320)
"""The least and the largest width and height of a picture, in pixels."""


@dataclass(frozen=True)
class PictureView:
    """The part of a run to draw, and the size of the picture.

    Bars `first` up to, but excluding, `last` are drawn (default: the last 300). The picture has `width` by `height`
    pixels and the colours of `theme`. The other fields come from the declaration statement. With `overlay`, plots are
    drawn in the price pane, behind the candles unless `behind` is false. They have their own scale if `scale` is "left"
    or "none". With `as_called`, plots are drawn in the order of their calls. Values have the script's `format`
    ("percent", "volume" or empty) and `precision` (default: the decimals of a price).
    """

    title: str
    overlay: bool
    first: int | None = None
    last: int | None = None
    width: int = 1600
    height: int = 900
    behind: bool = True
    scale: str = ""
    as_called: bool = False
    theme: str = "light"
    format: str = ""
    precision: int | None = None


def view_of(program: Program, first: int | None = None, last: int | None = None, theme: str = "light") -> PictureView:
    """Return the view of a script on bars `first` to `last` (exclusive), with its declaration statement's settings."""
    given = declared_arguments(program)
    return PictureView(
        str(given.get("title") or ""),
        bool(given.get("overlay")),
        first,
        last,
        behind=given.get("behind_chart") is not False,
        scale=str(given.get("scale") or "").removeprefix("scale."),
        as_called=bool(given.get("explicit_plot_zorder")),
        theme=theme,
        format=str(given.get("format") or "").removeprefix("format."),
        precision=_whole(given.get("precision")),
    )


def _whole(value: Any) -> int | None:
    return int(value) if isinstance(value, int | float) else None


class ShownRun(NamedTuple):
    """A run together with the view of its script."""

    result: Result
    view: PictureView

    @property
    def has_pane(self) -> bool:
        """Whether the run has its own pane below the prices."""
        own = [output for output in self.result.outputs if not on_price(output, self.view)]
        return not self.view.overlay and (any(map(is_shown, own)) or any(self.drawings(is_price=False).values()))

    def drawings(self, *, is_price: bool) -> dict[str, Sequence[Drawing]]:
        """Return drawings by kind, from the price pane if `is_price`, else from the run's own pane."""
        overlay = self.view.overlay
        return {
            kind: [each for each in drawings if is_price == (overlay or bool(getattr(each, "force_overlay", False)))]
            for kind, drawings in self.result.drawings.items()
        }


def on_price(output: Output, view: PictureView) -> bool:
    """Return whether an output of a run is drawn in the price pane."""
    return view.overlay or output.function == "barcolor" or bool(output.settings.get("force_overlay"))


@dataclass(frozen=True)
class PictureFrame:
    """The range of bars to draw, the size of the picture, its axes and its colours.

    Bars `first` up to, but excluding, `last` are drawn on `width` by `height` pixels. With `logarithmic`, equal
    distances mean equal price ratios. The time axis is in the time zone `zone` (default: the exchange's). If bars are
    not `dated`, the axis shows their numbers. `name` is the name of the bars in the legend (default: the symbol's
    name). `theme` is one of the `THEMES`.
    """

    first: int
    last: int
    width: int = 1600
    height: int = 900
    logarithmic: bool = False
    zone: str | None = None
    name: str = ""
    dated: bool = True
    theme: str = "light"


@dataclass(frozen=True)
class ChartDescription:
    """Runs on the same bars, and the fills of a strategy's orders. `title` is the title of the picture."""

    shown: Sequence[ShownRun]
    bars: BarColumns
    symbol: ChartSymbol
    frame: PictureFrame
    title: str
    fills: Sequence[FillMark] = ()

    @property
    def below(self) -> list[ShownRun]:
        """The runs that have a pane below the prices."""
        return [each for each in self.shown if each.has_pane]

    @property
    def share(self) -> float:
        """The fraction of the picture's height, from 0 to 0.7, for all panes below the prices together."""
        panes = len(self.below)
        return 0 if not panes else min(_PANE + 0.13 * (panes - 1), 0.7)

    @property
    def ahead(self) -> int:
        """The number of bars for which there is free space after the last bar."""
        frame = self.frame
        return max((_ahead(each.result, frame.first, frame.last) for each in self.shown), default=6)

    @property
    def zone(self) -> str:
        """The time zone of the time axis; UTC if the exchange's time zone is unknown."""
        if self.frame.zone is not None:
            return self.frame.zone
        try:
            zone(self.symbol.timezone)
        except UsageError:
            return "Etc/UTC"
        return self.symbol.timezone

    @property
    def name(self) -> str:
        """The name of the bars in the legend."""
        symbol = self.symbol
        own = f"{symbol.prefix}:{symbol.symbol} {symbol.timeframe}" if symbol.prefix else symbol.symbol
        return self.frame.name or own

    @property
    def decimals(self) -> int:
        """The number of decimals of a price, which follows from the symbol's tick."""
        return tick_decimals(self.symbol.mintick)

    @property
    def is_intraday(self) -> bool:
        """Whether the bars have a time of day."""
        return self.symbol.timeframe[-1:] not in ("D", "W", "M")

    @property
    def has_volume(self) -> bool:
        """Whether any visible bar has a volume."""
        return any(volume > 0 for volume in self.bars.volume[self.frame.first : self.frame.last])


def picture(
    result: Result, bars: BarColumns, symbol: ChartSymbol, view: PictureView, fills: Sequence[FillMark] = ()
) -> ChartDescription:
    """Describe the chart of one run on its bars, with a strategy's fills. Raises the errors of `chart`."""
    last = len(bars.time) if view.last is None else view.last
    first = max(last - 300, 0) if view.first is None else view.first
    frame = PictureFrame(first, last, view.width, view.height, theme=view.theme)
    made_up = MADE_UP if getattr(symbol, "is_made_up", False) else ""
    return chart([ShownRun(result, view)], bars, symbol, frame, f"{symbol.symbol}{made_up} · {view.title}", fills)


def chart(
    runs: Sequence[ShownRun],
    bars: BarColumns,
    symbol: ChartSymbol,
    frame: PictureFrame,
    title: str,
    fills: Sequence[FillMark] = (),
) -> ChartDescription:
    """Describe a chart of runs on the same bars: overlays on the prices, and each other run in a pane below.

    `title` is the title of the picture, and `fills` are the fills of a strategy's orders. Without bars, the picture has
    only an empty price pane. Raises UsageError for a size beyond the limits, for an unknown time zone or theme, and for
    a logarithmic scale if a price is not positive.
    """
    _check(frame, bars)
    return ChartDescription(runs if frame.last > frame.first else (), bars, symbol, frame, title, fills)


def _check(frame: PictureFrame, bars: BarColumns) -> None:
    (least, most), (lowest, highest) = WIDTHS, HEIGHTS
    if not (least <= frame.width <= most and lowest <= frame.height <= highest):
        raise UsageError(
            f"a picture cannot be {frame.width} by {frame.height} pixels",
            f"it may be {least} to {most} wide and {lowest} to {highest} high",
        )
    theme(frame.theme)
    if frame.zone is not None:
        zone(frame.zone)
    if frame.logarithmic and any(not low > 0 for low in bars.low[frame.first : frame.last]):
        raise UsageError("a logarithmic scale needs positive prices", "draw these bars on a linear scale")


def _ahead(result: Result, first: int, last: int) -> int:
    """The number of bars of free space after the last bar, so that drawings in the future are visible.

    Drawings more than a third of the shown bars ahead are ignored.
    """
    usual = max((last - first) // 20, 6)
    places: list[Any] = [
        getattr(each, name)
        for kind, names in (("line", ("x1", "x2")), ("box", ("right",)), ("label", ("x",)))
        for each in result.drawings.get(kind, ())
        for name in names
        if getattr(each, "xloc", "") == "bar_index"
    ]
    farthest = max((x for x in places if x is not None and x == x and x < last + (last - first) // 3), default=0)
    return max(usual, int(farthest) - last + (last - first) // 12)
