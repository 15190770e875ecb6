"""The whole picture: panes one below the other, with candles, axes, legends, plots and drawings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pinebench.calendars.zones import zone
from pinebench.charts.drawn import draw_drawings, draw_table
from pinebench.charts.fills import Filled, draw_fills
from pinebench.charts.plots import (
    BLUE,
    GREEN,
    RED,
    SHOWN_IN_STATUS_LINE,
    Pane,
    draw_candle,
    draw_outputs,
    is_shown,
    painted,
    scaled_values,
)
from pinebench.charts.scales import Axis, Scale, moment
from pinebench.charts.scene import Layer, Scene, Shape, Stroke, Words, rectangle
from pinebench.checker import Program
from pinebench.errors import UsageError
from pinebench.runtime import BarColumns, Drawing, Output, Result, Symbol, Table, declared_arguments

_WHITE, _INK, _GRID, _RULE = 0xFFFFFFFF, 0x131722FF, 0xE9ECF1FF, 0xB2B5BEFF
_LEFT, _AXIS, _TOP, _FOOT = 8, 84, 26, 26
_PANE = 0.3
"""The share of the height that one pane below the prices gets."""
_ROW = 17
WIDTHS, HEIGHTS = (400, 7680), (300, 4320)
"""The least and the largest width and height of a picture, in pixels."""


@dataclass(frozen=True)
class View:
    """The part of a run to draw, and the size of the picture.

    Bars `first` to `last` (exclusive) are drawn, by default the last 300, on `width` by `height` pixels. The other
    fields come from the declaration. With `overlay`, the plots are drawn in the pane of the prices, behind the candles
    unless `behind` is false. They have a scale of their own if `scale` is "left" or "none". With `as_called`, plots are
    drawn in the order of their calls.
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


def view_of(program: Program, first: int | None = None, last: int | None = None) -> View:
    """Return the view of a script, with the title and other fields from its declaration."""
    given = declared_arguments(program)
    return View(
        str(given.get("title") or ""),
        bool(given.get("overlay")),
        first,
        last,
        behind=given.get("behind_chart") is not False,
        scale=str(given.get("scale") or "").removeprefix("scale."),
        as_called=bool(given.get("explicit_plot_zorder")),
    )


class Shown(NamedTuple):
    """A run, and the view of its script."""

    result: Result
    view: View


@dataclass(frozen=True)
class Frame:
    """The part of the bars to draw, the size of the picture, and its axes.

    Bars `first` to `last` (exclusive) are drawn on `width` by `height` pixels. With `logarithmic`, equal distances are
    equal ratios of prices. The time axis is in the time zone `zone`, by default the exchange's; bars that are not
    `dated` have numbers in place of times. `name` is the name of the bars in the legend, by default the symbol's. With
    `marked`, the last price is marked on its axis, and the last bar's prices are in the legend.
    """

    first: int
    last: int
    width: int = 1600
    height: int = 900
    logarithmic: bool = False
    zone: str | None = None
    marked: bool = False
    name: str = ""
    dated: bool = True


def picture(result: Result, bars: BarColumns, symbol: Symbol, view: View, fills: Sequence[Filled] = ()) -> Scene:
    """Draw a run on its bars, with the fills of a strategy's orders."""
    last = len(bars.time) if view.last is None else view.last
    first = max(last - 300, 0) if view.first is None else view.first
    frame = Frame(first, last, view.width, view.height)
    return chart([Shown(result, view)], bars, symbol, frame, f"{symbol.symbol} · {view.title}", fills)


def chart(
    shown: Sequence[Shown],
    bars: BarColumns,
    symbol: Symbol,
    frame: Frame,
    title: str,
    fills: Sequence[Filled] = (),
) -> Scene:
    """Draw runs on the same bars: overlays on the prices, and a pane below them for each other run.

    `title` is the title of the picture, `fills` are the fills of a strategy's orders. Without bars, the picture has
    only an empty pane of prices. Raises UsageError for a size
    beyond the limits, for a time zone that is not known, and for a logarithmic scale with prices that are not positive.
    """
    _check(frame, bars)
    shown = shown if frame.last > frame.first else ()
    left = _AXIS if any(each.view.scale == "left" for each in shown) else _LEFT
    ahead = max((_ahead(each.result, frame.first, frame.last) for each in shown), default=6)
    named = frame.zone or _zone(symbol)
    axis = Axis(bars.time, frame.first, frame.last, left, frame.width - _AXIS, ahead, named, frame.dated)
    scene = Scene(frame.width, frame.height, _WHITE, title)
    below = [each for each in shown if _has_pane(each)]
    bottom = float(frame.height - _FOOT)
    tall = (bottom - _TOP) * _share(len(below)) / max(len(below), 1)
    _price_pane(scene, axis, bars, symbol, shown, frame, (_TOP, bottom - tall * len(below)), fills)
    for number, each in enumerate(below):
        top = bottom - tall * (len(below) - number)
        _own_pane(scene, axis, bars, each, (top, top + tall))
    _feet(scene, axis)
    return scene


def _check(frame: Frame, bars: BarColumns) -> None:
    (least, most), (lowest, highest) = WIDTHS, HEIGHTS
    if not (least <= frame.width <= most and lowest <= frame.height <= highest):
        raise UsageError(
            f"a picture cannot be {frame.width} by {frame.height} pixels",
            f"it may be {least} to {most} wide and {lowest} to {highest} high",
        )
    if frame.zone is not None:
        zone(frame.zone)
    if frame.logarithmic and any(not low > 0 for low in bars.low[frame.first : frame.last]):
        raise UsageError("a logarithmic scale needs positive prices", "draw these bars without it")


def _share(panes: int) -> float:
    """The share of the height that panes below the prices get together."""
    return 0 if not panes else min(_PANE + 0.13 * (panes - 1), 0.7)


def _has_pane(each: Shown) -> bool:
    own = [output for output in each.result.outputs if not _on_price(output, each.view)]
    return not each.view.overlay and (any(map(is_shown, own)) or _has_drawings(each.result, each.view))


def _ahead(result: Result, first: int, last: int) -> int:
    """The number of bars of free space after the last bar, so that drawings in the future are visible.

    Drawings more than a third of the shown bars ahead are ignored.
    """
    usual = max((last - first) // 20, 6)
    places = [
        getattr(each, name)
        for kind, names in (("line", ("x1", "x2")), ("box", ("right",)), ("label", ("x",)))
        for each in result.drawings.get(kind, ())
        for name in names
        if getattr(each, "xloc", "") == "bar_index"
    ]
    farthest = max((x for x in places if x is not None and x == x and x < last + (last - first) // 3), default=0)
    return max(usual, int(farthest) - last + (last - first) // 12)


def _on_price(output: Output, view: View) -> bool:
    return view.overlay or output.function == "barcolor" or bool(output.settings.get("force_overlay"))


def _drawings(result: Result, view: View, *, is_price: bool) -> dict[str, Sequence[Drawing]]:
    """The drawings of a pane by kind."""
    return {
        kind: [each for each in drawings if is_price == (view.overlay or bool(getattr(each, "force_overlay", False)))]
        for kind, drawings in result.drawings.items()
    }


def _has_drawings(result: Result, view: View) -> bool:
    return any(_drawings(result, view, is_price=False).values())


class _Own(NamedTuple):
    """The outputs and drawings of a run in one pane, and the scale that it has there for itself, if any."""

    shown: Shown
    outputs: list[Output]
    drawings: dict[str, Sequence[Drawing]]
    scale: Scale | None


def _price_pane(
    scene: Scene,
    axis: Axis,
    bars: BarColumns,
    symbol: Symbol,
    shown: Sequence[Shown],
    frame: Frame,
    height: tuple[float, float],
    fills: Sequence[Filled],
) -> None:
    parts = [_on_prices(each, axis, height) for each in shown]
    prices = [price for column in (bars.high, bars.low) for price in column[axis.first : axis.last]]
    for part in parts:
        prices += _asked(part.outputs, axis) if part.scale is None else []
    heights = [value for part in parts if part.scale is None for value in _heights(part.drawings)]
    scale = Scale.around(prices or heights, *height, logarithmic=frame.logarithmic)
    layer = Layer(axis.left, height[0], axis.right, height[1])
    layer.shapes += _grid(axis, scale)
    candles = Pane(axis, scale, bars)
    _draw_bars(candles, bars, [each.result for each in shown])
    behind = [part for part in parts if part.shown.view.behind]
    layer.shapes += [shape for part in behind for shape in _drawn(part, axis, scale, bars)]
    layer.shapes += candles.shapes
    layer.shapes += [shape for part in parts if part not in behind for shape in _drawn(part, axis, scale, bars)]
    traded = Pane(axis, scale, bars)
    draw_fills(traded, fills)
    layer.shapes += traded.shapes
    scene.layers.append(layer)
    y = _heading(layer, symbol, bars, axis, frame)
    for part in parts:
        if part.outputs or part.shown.view.overlay or len(parts) == 1:
            _legend(layer, y, part.outputs, axis, part.shown.view.title)
            y += _ROW
    _draw_tables(layer, parts)
    _axis(scene, scale, axis, height)
    if frame.marked and frame.last > frame.first:
        _mark_last(scene, scale, axis, bars, symbol, height)
    for part in parts:
        if part.scale is not None and part.shown.view.scale == "left":
            _axis(scene, part.scale, axis, height, on_left=True)
    _rule(scene, height[1])


def _on_prices(each: Shown, axis: Axis, height: tuple[float, float]) -> _Own:
    """The part of a run in the pane of the prices."""
    outputs = [output for output in each.result.outputs if _on_price(output, each.view)]
    drawings = _drawings(each.result, each.view, is_price=True)
    has_own = each.view.overlay and each.view.scale in ("left", "none")
    scale = Scale.around(_asked(outputs, axis) or _heights(drawings), *height) if has_own else None
    return _Own(each, outputs, drawings, scale)


def _own_pane(scene: Scene, axis: Axis, bars: BarColumns, each: Shown, height: tuple[float, float]) -> None:
    """Draw a run in a pane below the prices."""
    outputs = [output for output in each.result.outputs if not _on_price(output, each.view)]
    drawings = _drawings(each.result, each.view, is_price=False)
    scale = Scale.around(_asked(outputs, axis) or _heights(drawings), *height)
    part = _Own(each, outputs, drawings, scale)
    layer = Layer(axis.left, height[0], axis.right, height[1])
    layer.shapes += [*_grid(axis, scale), *_drawn(part, axis, scale, bars)]
    scene.layers.append(layer)
    _legend(layer, layer.top + 12, outputs, axis, each.view.title)
    _draw_tables(layer, [part])
    _axis(scene, scale, axis, height, on_left=each.view.scale == "left")
    _rule(scene, height[1])


def _drawn(part: _Own, axis: Axis, scale: Scale, bars: BarColumns) -> list[Shape]:
    """The plots and drawings of a run, on its own scale or on `scale`."""
    pane = Pane(axis, part.scale or scale, bars)
    draw_outputs(pane, part.outputs, part.shown.result.outputs, as_called=part.shown.view.as_called)
    draw_drawings(pane, part.drawings)
    return pane.shapes


def _asked(outputs: list[Output], axis: Axis) -> list[float]:
    """The values that a scale must include."""
    return [value for output in outputs if is_shown(output) for value in scaled_values(output, axis)]


def _draw_tables(layer: Layer, parts: Sequence[_Own]) -> None:
    for part in parts:
        for table in part.drawings.get("table", ()):
            if isinstance(table, Table):
                draw_table(layer, table)


def _rule(scene: Scene, y: float) -> None:
    rule = ((0, y - 0.5), (scene.width, y - 0.5))
    scene.layers.append(Layer(0, y - 1, scene.width, y, [Stroke(rule, _RULE)]))


def _mark_last(
    scene: Scene, scale: Scale, axis: Axis, bars: BarColumns, symbol: Symbol, height: tuple[float, float]
) -> None:
    """Mark the last close on the axis of the prices, in the colour of its bar."""
    close, last = bars.close[axis.last - 1], axis.last - 1
    color, y = GREEN if close >= bars.open[last] else RED, scale.y(close)
    line = Layer(axis.left, height[0], axis.right, height[1])
    line.shapes.append(Stroke(((axis.left, y), (axis.right, y)), color, 1, "dotted"))
    tag = Layer(axis.right, height[0], float(scene.width), height[1])
    tag.shapes.append(rectangle(axis.right, y - 9, scene.width, y + 9, color))
    tag.shapes.append(Words(axis.right + 6, y, _price(close, symbol), _WHITE, 11))
    scene.layers += [line, tag]


def _heights(drawings: dict[str, Sequence[Any]]) -> list[float]:
    """The prices of drawings, for a pane that shows only drawings."""
    found = [value for line in drawings.get("line", ()) for value in (line.y1, line.y2)]
    found += [label.y for label in drawings.get("label", ())]
    found += [value for box in drawings.get("box", ()) for value in (box.top, box.bottom)]
    return [*found, *(point.price for each in drawings.get("polyline", ()) for point in each.points)]


def _draw_bars(pane: Pane, bars: BarColumns, results: Sequence[Result]) -> None:
    outputs = [output for result in results for output in result.outputs if output.function == "barcolor"]
    colors = [painted(output, len(bars.time)) for output in outputs]
    for index in range(pane.axis.first, pane.axis.last):
        color = GREEN if bars.close[index] >= bars.open[index] else RED
        for color_of in colors:
            given = color_of(index)
            color = given if given is not None else color
        prices = (bars.open[index], bars.high[index], bars.low[index], bars.close[index])
        draw_candle(pane, index, prices, color, color, color)


def _zone(symbol: Symbol) -> str:
    """The exchange's time zone, which the time axis uses; UTC if the zone is unknown."""
    try:
        zone(symbol.timezone)
    except UsageError:
        return "Etc/UTC"
    return symbol.timezone


def _name(symbol: Symbol) -> str:
    return f"{symbol.prefix}:{symbol.symbol} {symbol.timeframe}" if symbol.prefix else symbol.symbol


def _grid(axis: Axis, scale: Scale) -> list[Stroke]:
    across = [Stroke(((axis.left, scale.y(at)), (axis.right, scale.y(at))), _GRID) for at, _ in scale.marks()]
    return across + [
        Stroke(((axis.x(index), scale.top), (axis.x(index), scale.bottom)), _GRID) for index, _ in axis.marks()
    ]


def _heading(layer: Layer, symbol: Symbol, bars: BarColumns, axis: Axis, frame: Frame) -> float:
    """Write the symbol and the time of the last bar, and return the height of the next row."""
    y = layer.top + 12
    if not axis.times or axis.last <= axis.first:
        return y
    last = axis.last - 1
    words = frame.name or _name(symbol)
    words += f"  {moment(axis.times[last])} UTC" if frame.dated else ""
    if frame.marked:
        row = zip("OHLC", (bars.open, bars.high, bars.low, bars.close), strict=True)
        words += "".join(f"  {name} {_price(column[last], symbol)}" for name, column in row)
    layer.shapes.append(Words(layer.left + 6, y, words, _INK, 12))
    return y + _ROW


def _legend(layer: Layer, y: float, outputs: list[Output], axis: Axis, title: str) -> None:
    """Write the names of the plots of the status line with their values on the last bar, in their colours."""
    x = layer.left + 6
    layer.shapes.append(Words(x, y, title, _INK, 12))
    x += len(title) * 7.4 + 14
    for output in outputs:
        values = [value for value in _last_values(output, axis.last - 1) if value is not None and value == value]
        if not values or x > layer.right - 120 or not is_shown(output, SHOWN_IN_STATUS_LINE):
            continue
        column = output.columns.get("color")
        color = column[axis.last - 1] if column is not None else output.settings.get("color", BLUE)
        text = " ".join([output.title, *(_value(value, output.settings) for value in values)]).strip()
        layer.shapes.append(Words(x, y, text, (color or _INK) | 0xFF, 11))
        x += len(text) * 6.8 + 12


_PRICES = ("open", "high", "low", "close")
_IN_LEGEND = {"plot": ("series",), "plotarrow": ("series",), "plotbar": _PRICES, "plotcandle": _PRICES}
"""The columns of each plot function that a legend has."""


def _last_values(output: Output, index: int) -> list[Any]:
    columns = [output.columns.get(name, []) for name in _IN_LEGEND.get(output.function, ())]
    return [column[index] for column in columns if index < len(column)]


def _price(value: float, symbol: Symbol) -> str:
    """A price with the decimals of the symbol's tick."""
    decimals = len(f"{symbol.mintick:.10f}".rstrip("0").partition(".")[2])
    return f"{value:,.{decimals}f}"


def _value(value: float, settings: dict[str, Any]) -> str:
    """Format a value with the format and precision of its plot, if the plot has them."""
    precision, unit = settings.get("precision"), str(settings.get("format") or "").removeprefix("format.")
    decimals = precision if isinstance(precision, int) else None
    if unit == "volume":
        size, letter = next((each for each in _SIZES if abs(value) >= each[0]), (1, ""))
        return f"{value / size:.{2 if decimals is None else decimals}f}{letter}"
    if decimals is None and abs(value) >= _LARGE:
        decimals = 2  # six digits would cut the decimals of large values, or write a power of ten
    text = f"{value:.6g}" if decimals is None else f"{value:,.{decimals}f}"
    return f"{text}%" if unit == "percent" else text


_LARGE = 10_000
_SIZES = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "K"))


def _axis(scene: Scene, scale: Scale, axis: Axis, height: tuple[float, float], *, on_left: bool = False) -> None:
    begin, end = (0.0, axis.left) if on_left else (axis.right, float(scene.width))
    edge, text = (end, end - 6) if on_left else (begin, begin + 6)
    layer = Layer(begin, height[0], end, height[1])
    layer.shapes.append(Stroke(((edge, height[0]), (edge, height[1])), _RULE))
    align = "right" if on_left else "left"
    layer.shapes += [Words(text, scale.y(at), words, _INK, 11, align) for at, words in scale.marks()]
    scene.layers.append(layer)


def _feet(scene: Scene, axis: Axis) -> None:
    layer = Layer(0, scene.height - _FOOT, scene.width, scene.height)
    middle = scene.height - _FOOT / 2
    for index, text in axis.marks():
        layer.shapes.append(Words(max(axis.x(index), len(text) * 3.5 + 2), middle, text, _INK, 11, "center"))
    scene.layers.append(layer)
