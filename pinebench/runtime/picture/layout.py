"""The whole picture: panes one below the other, with candles, axes, legends, plots and drawings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pinebench.calendars.zones import zone
from pinebench.checker import Program
from pinebench.errors import UsageError
from pinebench.runtime.chart import BarColumns, Symbol
from pinebench.runtime.drawings import Drawing, Table
from pinebench.runtime.outputs import Output
from pinebench.runtime.picture.drawn import draw_drawings, draw_table
from pinebench.runtime.picture.fills import Filled, draw_fills
from pinebench.runtime.picture.plots import (
    BLUE,
    GREEN,
    RED,
    Pane,
    draw_candle,
    draw_outputs,
    is_shown,
    painted,
    scaled_values,
)
from pinebench.runtime.picture.scales import Axis, Scale, moment
from pinebench.runtime.picture.scene import Layer, Scene, Stroke, Words
from pinebench.runtime.runtime import Result, declared_arguments

_WHITE, _INK, _GRID, _RULE = 0xFFFFFFFF, 0x131722FF, 0xE9ECF1FF, 0xB2B5BEFF
_LEFT, _AXIS, _TOP, _FOOT = 8, 84, 26, 26
_PANE = 0.3
"""The share of the height that the script's own pane gets."""


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


def picture(result: Result, bars: BarColumns, symbol: Symbol, view: View, fills: Sequence[Filled] = ()) -> Scene:
    """Draw a run on its bars, with the fills of a strategy's orders."""
    last = len(bars.time) if view.last is None else view.last
    first = max(last - 300, 0) if view.first is None else view.first
    left = _AXIS if view.scale == "left" else _LEFT
    axis = Axis(bars.time, first, last, left, view.width - _AXIS, _ahead(result, first, last), _zone(symbol))
    scene = Scene(view.width, view.height, _WHITE, f"{symbol.symbol} · {view.title}")
    own = [output for output in result.outputs if not _on_price(output, view)]
    has_pane = not view.overlay and (any(map(is_shown, own)) or _has_drawings(result, view))
    bottom = view.height - _FOOT
    split = bottom - (bottom - _TOP) * _PANE if has_pane else bottom
    on_price = [output for output in result.outputs if _on_price(output, view)]
    prices = [price for column in (bars.high, bars.low) for price in column[first:last]]
    _pane(scene, axis, bars, symbol, result, view, (_TOP, split), on_price, prices, is_price=True, fills=fills)
    if has_pane:
        _pane(scene, axis, bars, symbol, result, view, (split, bottom), own, [], is_price=False)
    _feet(scene, axis)
    return scene


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


def _pane(
    scene: Scene,
    axis: Axis,
    bars: BarColumns,
    symbol: Symbol,
    result: Result,
    view: View,
    height: tuple[float, float],
    outputs: list[Output],
    values: list[float],
    *,
    is_price: bool,
    fills: Sequence[Filled] = (),
) -> None:
    drawings = _drawings(result, view, is_price=is_price)
    has_own = is_price and view.overlay and view.scale in ("left", "none")
    asked = [value for output in outputs if is_shown(output) for value in scaled_values(output, axis)]
    scale = Scale.around(values if has_own else [*values, *asked] or _heights(drawings), *height)
    own = Scale.around(asked or _heights(drawings), *height) if has_own else scale
    layer = Layer(axis.left, height[0], axis.right, height[1])
    layer.shapes += _grid(axis, own if not is_price else scale)
    pane = Pane(axis, own, bars)
    draw_outputs(pane, outputs, result.outputs, as_called=view.as_called)
    draw_drawings(pane, drawings)
    prices = Pane(axis, scale, bars)
    if is_price:
        _draw_bars(prices, bars, result)
    layer.shapes += [*pane.shapes, *prices.shapes] if view.behind else [*prices.shapes, *pane.shapes]
    traded = Pane(axis, scale, bars)
    draw_fills(traded, fills)
    layer.shapes += traded.shapes
    scene.layers.append(layer)
    heading = f"{_name(symbol)}  {moment(axis.times[axis.last - 1])} UTC" if is_price and axis.times else ""
    _legend(layer, outputs, axis, heading, view.title)
    for table in drawings.get("table", ()):
        if isinstance(table, Table):
            draw_table(layer, table)
    on_left = view.scale == "left"
    if is_price or not on_left:
        _axis(scene, scale, axis, height)
    if on_left and (has_own or not is_price):
        _axis(scene, own, axis, height, on_left=True)
    rule = ((0, height[1] - 0.5), (scene.width, height[1] - 0.5))
    scene.layers.append(Layer(0, height[1] - 1, scene.width, height[1], [Stroke(rule, _RULE)]))


def _heights(drawings: dict[str, Sequence[Any]]) -> list[float]:
    """The prices of drawings, for a pane that shows only drawings."""
    found = [value for line in drawings.get("line", ()) for value in (line.y1, line.y2)]
    found += [label.y for label in drawings.get("label", ())]
    found += [value for box in drawings.get("box", ()) for value in (box.top, box.bottom)]
    return [*found, *(point.price for each in drawings.get("polyline", ()) for point in each.points)]


def _draw_bars(pane: Pane, bars: BarColumns, result: Result) -> None:
    colors = [painted(output, len(bars.time)) for output in result.outputs if output.function == "barcolor"]
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


def _legend(layer: Layer, outputs: list[Output], axis: Axis, heading: str, title: str) -> None:
    """Write the names of the visible plots with their values on the last bar, in their colours."""
    y = layer.top + 12
    if heading:
        layer.shapes.append(Words(layer.left + 6, y, heading, _INK, 12))
        y += 17
    x = layer.left + 6
    layer.shapes.append(Words(x, y, title, _INK, 12))
    x += len(title) * 7.4 + 14
    for output in outputs:
        if output.function != "plot" or not is_shown(output):
            continue
        value = output.values[axis.last - 1] if axis.last - 1 < len(output.values) else None
        if value is None or value != value or x > layer.right - 120:
            continue
        column = output.columns.get("color")
        color = column[axis.last - 1] if column is not None else output.settings.get("color", BLUE)
        text = f"{output.title} {_value(value, output.settings)}".strip()
        layer.shapes.append(Words(x, y, text, (color or _INK) | 0xFF, 11))
        x += len(text) * 6.8 + 12


def _value(value: float, settings: dict[str, Any]) -> str:
    """Format a value with the format and precision of its plot, if the plot has them."""
    precision, unit = settings.get("precision"), str(settings.get("format") or "").removeprefix("format.")
    decimals = precision if isinstance(precision, int) else None
    if unit == "volume":
        size, letter = next((each for each in _SIZES if abs(value) >= each[0]), (1, ""))
        return f"{value / size:.{2 if decimals is None else decimals}f}{letter}"
    text = f"{value:.6g}" if decimals is None else f"{value:.{decimals}f}"
    return f"{text}%" if unit == "percent" else text


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
