"""Lays out a picture: panes below each other, with candles, volumes, axes, legends, plots and drawings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from pinebench.amounts import fixed_text, value_text, volume_text, with_minus
from pinebench.charts.described import ChartDescription, PictureView, ShownRun, on_price
from pinebench.charts.drawing_pictures import draw_drawings, draw_table, reach
from pinebench.charts.fills import draw_fills
from pinebench.charts.plots import (
    BLUE,
    SHOWN_IN_STATUS_LINE,
    SHOWN_ON_SCALE,
    Pane,
    draw_outputs,
    is_shown,
    painted,
    scaled_values,
)
from pinebench.charts.scales import Axis, Scale, moment
from pinebench.charts.scene import Layer, Scene, SceneText, Shape, Stroke, rectangle, text_width
from pinebench.charts.themes import Theme, theme
from pinebench.runtime import BarColumns, Drawing, Output, Table

_WHITE, _BLACK = 0xFFFFFFFF, 0x0F1318FF
_LEFT, _AXIS, _TOP, _FOOT = 8, 84, 26, 28
_ROW = 17
_LABEL = 0.4
"""The share of the width that a label after the last bar may take."""
_BESIDE = 20
"""The pixels to the right of a legend that stay free."""
_HALF = 7
"""Half of the height of a text beside an axis."""
_HALF_TAG = 9
"""Half of the height of a label on an axis."""
_VOLUME = 0.16
"""The share of the height of the prices' pane that the largest volume has."""


def scene(chart: ChartDescription) -> Scene:
    """Lay out a chart: overlays are drawn on the prices, and each other run in a pane below them."""
    frame, colors = chart.frame, theme(chart.frame.theme)
    left, right = _sides(chart)
    axis = Axis(chart.bars.time, frame.first, frame.last, left, right, ahead(chart), chart.zone, frame.dated)
    found = Scene(frame.width, frame.height, colors.background, chart.title)
    below = chart.below
    whole = frame.height - _TOP - _FOOT - len(below)  # without the rules between the panes
    tall = whole * chart.share / max(len(below), 1)
    edge = _TOP + round(whole - tall * len(below))
    drawing = _Drawing(found, axis, chart, colors)
    drawing.price_pane((_TOP, edge))
    for number, each in enumerate(below, 1):
        top, edge = edge + 1, _TOP + number + round(whole - tall * (len(below) - number))
        drawing.own_pane(each, (top, edge))
    drawing.feet()
    return found


def ahead(chart: ChartDescription) -> int:
    """Return the number of bars to leave free after the last bar, with room for the labels that begin there.

    A label may take up at most 40 percent of the width.
    """
    frame = chart.frame
    found, (left, right) = chart.ahead, _sides(chart)
    for label in (label for each in chart.shown for label in each.result.drawings.get("label", ())):
        x = getattr(label, "x", None)
        if getattr(label, "xloc", "") != "bar_index" or x is None or not frame.last - 1 <= x < frame.last + chart.ahead:
            continue
        wide = right - left
        share = wide / (wide - min(reach(label), _LABEL * wide))
        found = max(found, math.ceil((x - frame.first + 0.5) * share) - (frame.last - frame.first))
    return found


def _sides(chart: ChartDescription) -> tuple[int, int]:
    """The places of the axes, between which bars are drawn."""
    left = _AXIS if any(each.view.scale == "left" for each in chart.shown) else _LEFT
    return left, chart.frame.width - _AXIS


class _PaneRun(NamedTuple):
    """The outputs and drawings of a run in one pane, and the scale that it has there for itself, if any."""

    shown: ShownRun
    outputs: list[Output]
    drawings: dict[str, Sequence[Drawing]]
    scale: Scale | None


class _Tag(NamedTuple):
    """A label on an axis: the height of its value, its text, and the colour of its ground."""

    y: float
    text: str
    color: int


class _Drawing:
    """Draws the panes of a chart into a scene."""

    def __init__(self, scene: Scene, axis: Axis, chart: ChartDescription, colors: Theme) -> None:
        self._scene = scene
        self._axis = axis
        self._chart = chart
        self._bars = chart.bars
        self._colors = colors
        outputs = [output for each in chart.shown for output in each.result.outputs]
        self._painted = [painted(output, len(self._bars.time)) for output in outputs if output.function == "barcolor"]

    def price_pane(self, height: tuple[float, float]) -> None:
        """Draw the prices with volumes, the runs on them, and the fills."""
        axis, bars, chart = self._axis, self._bars, self._chart
        parts = [_on_prices(each, axis, bars, height) for each in chart.shown]
        scale = self._price_scale(parts, height)
        layer = Layer(axis.left, height[0], axis.right, height[1])
        layer.shapes += self._grid(scale)
        layer.shapes += self._volumes(height)
        candles = Pane(axis, scale, bars)
        self._draw_bars(candles)
        behind = [part for part in parts if part.shown.view.behind]
        layer.shapes += [shape for part in behind for shape in _drawn(part, axis, scale, bars)]
        layer.shapes += candles.shapes
        layer.shapes += [shape for part in parts if part not in behind for shape in _drawn(part, axis, scale, bars)]
        traded = Pane(axis, scale, bars)
        draw_fills(traded, chart.fills)
        layer.shapes += traded.shapes
        self._scene.layers.append(layer)
        y = self._heading(layer)
        for part in parts:
            if part.outputs or part.shown.view.overlay:
                y = self._legend(layer, y, part.outputs, part.shown.view)
        _draw_tables(layer, parts)
        self._scale_axis(scale, height)
        self._mark_last(scale, height)
        own = [tag for part in parts if part.scale is None for tag in self._tags_of(part, scale)]
        self._tags(height, [*self._last_price(scale), *own])
        for part in parts:
            if part.scale is not None and part.shown.view.scale == "left":
                self._scale_axis(part.scale, height, on_left=True)
                self._tags(height, self._tags_of(part, part.scale), on_left=True)
        self._rule(height[1])

    def own_pane(self, run: ShownRun, height: tuple[float, float]) -> None:
        """Draw a run in a pane below the prices."""
        axis, bars = self._axis, self._bars
        outputs = [output for output in run.result.outputs if not on_price(output, run.view)]
        drawings = run.drawings(is_price=False)
        scale = Scale.around(_asked(outputs, axis, bars) or _heights(drawings), *height)
        part = _PaneRun(run, outputs, drawings, scale)
        layer = Layer(axis.left, height[0], axis.right, height[1])
        layer.shapes += [*self._grid(scale), *_drawn(part, axis, scale, bars)]
        self._scene.layers.append(layer)
        self._legend(layer, layer.top + 12, outputs, run.view)
        _draw_tables(layer, [part])
        on_left = run.view.scale == "left"
        self._scale_axis(scale, height, on_left=on_left, unit="%" if run.view.format == "percent" else "")
        self._tags(height, self._tags_of(part, scale), on_left=on_left)
        self._rule(height[1])

    def feet(self) -> None:
        """Write the times below the panes."""
        scene, axis = self._scene, self._axis
        layer = Layer(0, scene.height - _FOOT, scene.width, scene.height)
        middle = scene.height - _FOOT / 2
        for index, text in axis.marks():
            x = max(axis.x(index), text_width(text, 11) / 2 + 2)
            layer.shapes.append(SceneText(x, middle, text, self._colors.ink, 11, "center"))
        scene.layers.append(layer)

    def _price_scale(self, parts: Sequence[_PaneRun], height: tuple[float, float]) -> Scale:
        axis, bars = self._axis, self._bars
        prices = [price for column in (bars.high, bars.low) for price in column[axis.first : axis.last]]
        for part in parts:
            prices += _asked(part.outputs, axis, bars) if part.scale is None else []
        heights = [value for part in parts if part.scale is None for value in _heights(part.drawings)]
        return Scale.around(prices or heights, *height, logarithmic=self._chart.frame.logarithmic)

    def _volumes(self, height: tuple[float, float]) -> list[Shape]:
        """The volumes at the bottom of the prices' pane."""
        if not self._chart.has_volume:
            return []
        axis, bars, colors = self._axis, self._bars, self._colors
        most = max(volume for volume in bars.volume[axis.first : axis.last] if math.isfinite(volume))
        half, tall = axis.step / 2, (height[1] - height[0]) * _VOLUME
        gap = 1 if axis.step > 1 else 0
        found: list[Shape] = []
        for index in range(axis.first, axis.last):
            volume = bars.volume[index]
            if volume > 0 and math.isfinite(volume):
                x, top = axis.x(index), round(height[1] - tall * volume / most)
                color = colors.volume_up if bars.close[index] >= bars.open[index] else colors.volume_down
                left = round(x - half)
                found.append(rectangle(left, top, max(round(x + half) - gap, left + 1), height[1], color))
        return found

    def _draw_bars(self, pane: Pane) -> None:
        bars, wide = self._bars, _candle_width(pane.axis.step)
        for index in range(pane.axis.first, pane.axis.last):
            prices = (bars.open[index], bars.high[index], bars.low[index], bars.close[index])
            pane.shapes += _candle(pane, index, prices, wide, self._bar_color(index))

    def _bar_color(self, index: int) -> int:
        """The colour of a bar: the last one that a script gives it, else the one of its direction."""
        bars, colors = self._bars, self._colors
        given = (color_of(index) for color_of in reversed(self._painted))
        own = colors.up if bars.close[index] >= bars.open[index] else colors.down
        return next((color for color in given if color is not None), own)

    def _rule(self, y: float) -> None:
        """Draw the edge of a pane, in the row of pixels below it."""
        wide = float(self._scene.width)
        self._scene.layers.append(Layer(0, y, wide, y + 1, [rectangle(0, y, wide, y + 1, self._colors.rule)]))

    def _mark_last(self, scale: Scale, height: tuple[float, float]) -> None:
        """Draw a line at the last close, in the colour of its bar."""
        axis, bars = self._axis, self._bars
        if axis.last <= axis.first:
            return
        close, last = bars.close[axis.last - 1], axis.last - 1
        color, y = self._bar_color(last), scale.y(close)
        line = Layer(axis.left, height[0], axis.right, height[1])
        line.shapes.append(Stroke(((axis.left, y), (axis.right, y)), color, 1, "dotted"))
        self._scene.layers.append(line)

    def _last_price(self, scale: Scale) -> list[_Tag]:
        """The label of the last close; none without bars."""
        last = self._axis.last - 1
        if last < self._axis.first:
            return []
        close = self._bars.close[last]
        return [_Tag(scale.y(close), self._price(close), self._bar_color(last))]

    def _tags_of(self, part: _PaneRun, scale: Scale) -> list[_Tag]:
        """The labels of the plots of a run on the axis: their last values, in their colours."""
        last, found = self._axis.last - 1, list[_Tag]()
        for output in part.outputs:
            values = _last_values(output, last)
            if len(values) < _ON_SCALE.get(output.function, math.inf) or not math.isfinite(values[-1]):
                continue
            column = output.columns.get("color")
            color = column[last] if column is not None and last < len(column) else output.settings.get("color", BLUE)
            is_seen = isinstance(color, int) and color & 0xFF and not output.settings.get("offset")
            if is_seen and is_shown(output, SHOWN_ON_SCALE):
                text = self._value(values[-1], output, part.shown.view)
                found.append(_Tag(scale.y(values[-1]), text, color | 0xFF))
        return found

    def _tags(self, height: tuple[float, float], tags: list[_Tag], *, on_left: bool = False) -> None:
        """Draw labels on an axis, none over another. The first one stays at its value."""
        begin, end = (0.0, self._axis.left) if on_left else (self._axis.right, float(self._scene.width))
        layer = Layer(begin, height[0], end, height[1])
        for tag, y in zip(tags, stacked([tag.y for tag in tags], *height), strict=True):
            layer.shapes.append(rectangle(begin, y - _HALF_TAG, end, y + _HALF_TAG, tag.color))
            layer.shapes.append(SceneText(begin + 6, y, tag.text, _BLACK if _is_light(tag.color) else _WHITE, 11))
        self._scene.layers.append(layer)

    def _grid(self, scale: Scale) -> list[Shape]:
        axis, color = self._axis, self._colors.grid
        heights = [scale.y(at) for at, _ in scale.marks()]
        across: list[Shape] = [Stroke(((axis.left, y), (axis.right, y)), color) for y in heights]
        places = [axis.x(index) for index, _ in axis.marks()]
        return across + [Stroke(((x, scale.top), (x, scale.bottom)), color) for x in places]

    def _heading(self, layer: Layer) -> float:
        """Write the symbol, the time and the prices of the last bar, and return the height of the next row."""
        y, axis, bars = layer.top + 12, self._axis, self._bars
        if not axis.times or axis.last <= axis.first:
            return y
        last = axis.last - 1
        parts = [self._chart.name]
        if self._chart.frame.dated:
            parts.append(moment(axis.times[last], axis.zone, is_intraday=self._chart.is_intraday))
        row = zip("OHLC", (bars.open, bars.high, bars.low, bars.close), strict=True)
        parts += [f"{name} {self._price(column[last])}" for name, column in row]
        if self._chart.has_volume:
            parts.append(f"Vol {volume_text(bars.volume[last], 2)}")
        rows = [""]
        for part in parts:
            longer = f"{rows[-1]}  {part}" if rows[-1] else part
            if rows[-1] and text_width(longer, 12) > layer.right - layer.left - _BESIDE:
                rows.append(part)
            else:
                rows[-1] = longer
        for words in rows:
            layer.shapes.append(self._words(layer.left + 6, y, words, self._colors.ink, 12))
            y += _ROW
        return y

    def _words(self, x: float, y: float, text: str, color: int, size: int) -> SceneText:
        """A text of a legend. It has an edge in the colour of the ground, so that it can be read on plots."""
        return SceneText(x, y, text, color, size, outline=self._colors.background)

    def _legend(self, layer: Layer, y: float, outputs: list[Output], view: PictureView) -> float:
        """Write the names of the plots of the status line with their values on the last bar, in their colours. A row
        that is too long continues in the next one. The height of the row after the last one is returned."""
        begin, last = layer.left + 6, self._axis.last - 1
        layer.shapes.append(self._words(begin, y, view.title, self._colors.ink, 12))
        x = begin + text_width(view.title, 12) + 12
        for output in outputs:
            values = _last_values(output, last)
            if not values or not is_shown(output, SHOWN_IN_STATUS_LINE):
                continue
            column = output.columns.get("color")
            color = column[last] if column is not None else output.settings.get("color", BLUE)
            text = " ".join([output.title, *(self._value(value, output, view) for value in values)]).strip()
            wide = text_width(text, 11)
            if x > begin and x + wide > layer.right - _BESIDE:
                x, y = begin, y + _ROW
            layer.shapes.append(self._words(x, y, text, (color or self._colors.ink) | 0xFF, 11))
            x += wide + 12
        return y + _ROW

    def _price(self, value: float) -> str:
        return with_minus(fixed_text(value, self._chart.decimals))

    def _value(self, value: float, output: Output, view: PictureView) -> str:
        """A value with the format and precision of its plot, otherwise of its script."""
        asked, own = output.settings.get("precision"), str(output.settings.get("format") or "")
        precision = asked if isinstance(asked, int) else view.precision
        return with_minus(
            value_text(value, own.removeprefix("format.") or view.format, precision, self._chart.decimals)
        )

    def _scale_axis(self, scale: Scale, height: tuple[float, float], *, on_left: bool = False, unit: str = "") -> None:
        axis, colors = self._axis, self._colors
        begin, end = (0.0, axis.left) if on_left else (axis.right, float(self._scene.width))
        edge, text = (end, end - 6) if on_left else (begin, begin + 6)
        layer = Layer(begin, height[0], end, height[1])
        layer.shapes.append(Stroke(((edge, height[0]), (edge, height[1])), colors.rule))
        align = "right" if on_left else "left"
        marks = ((scale.y(at), words) for at, words in scale.marks())
        inside = [(y, words) for y, words in marks if height[0] + _HALF < y < height[1] - _HALF]
        layer.shapes += [SceneText(text, y, words + unit, colors.ink, 11, align) for y, words in inside]
        self._scene.layers.append(layer)


def stacked(heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return the vertical positions of labels, moved apart if they overlap. The first visible label stays in place.

    Labels outside `top` to `bottom` are not visible and stay too. `studio/page/src/view/study/labels.ts` does the same.
    """
    found = list(heights)
    seen = [number for number, y in enumerate(heights) if top <= y <= bottom]
    if not seen:
        return found
    first, *others = seen
    others.sort(key=lambda number: heights[number])
    edge = heights[first]
    for number in reversed([each for each in others if heights[each] < heights[first]]):
        edge = found[number] = min(heights[number], edge - 2 * _HALF_TAG)
    edge = heights[first]
    for number in (each for each in others if heights[each] >= heights[first]):
        edge = found[number] = max(heights[number], edge + 2 * _HALF_TAG)
    return found


def _is_light(color: int) -> bool:
    red, green, blue = (color >> shift & 0xFF for shift in (24, 16, 8))
    return 0.299 * red + 0.587 * green + 0.114 * blue > 140


def _candle_width(step: float) -> int:
    """The pixels of a candle's body, if bars are `step` pixels apart: more air between wider ones, and a wick in the
    middle. lightweight-charts has the same rule."""
    if 2.5 <= step <= 4:
        return 3
    share = 1 - 0.2 * math.atan(max(step - 4, 0)) / (math.pi / 2)
    wide = max(math.floor(step * share), 1)
    return wide - 1 if wide >= 2 and wide % 2 == 0 else wide


def _candle(pane: Pane, index: int, prices: Sequence[float], wide: int, color: int) -> list[Shape]:
    """A candle on whole pixels, so that all candles have sharp edges and the same width."""
    if not all(map(math.isfinite, prices)):
        return []
    open_, high, low, close = (round(pane.scale.y(price) - 0.5) for price in prices)
    x = round(pane.axis.x(index) - 0.5)
    left = x - wide // 2
    return [
        rectangle(x, high, x + 1, max(low, high) + 1, color),
        rectangle(left, min(open_, close), left + wide, max(open_, close) + 1, color),
    ]


def _on_prices(each: ShownRun, axis: Axis, bars: BarColumns, height: tuple[float, float]) -> _PaneRun:
    """The part of a run in the pane of the prices."""
    outputs = [output for output in each.result.outputs if on_price(output, each.view)]
    drawings = each.drawings(is_price=True)
    has_own = each.view.overlay and each.view.scale in ("left", "none")
    scale = Scale.around(_asked(outputs, axis, bars) or _heights(drawings), *height) if has_own else None
    return _PaneRun(each, outputs, drawings, scale)


def _drawn(part: _PaneRun, axis: Axis, scale: Scale, bars: BarColumns) -> list[Shape]:
    """The plots and drawings of a run, on its own scale or on `scale`."""
    pane = Pane(axis, part.scale or scale, bars)
    draw_outputs(pane, part.outputs, part.shown.result.outputs, as_called=part.shown.view.as_called)
    draw_drawings(pane, part.drawings)
    return pane.shapes


def _asked(outputs: list[Output], axis: Axis, bars: BarColumns) -> list[float]:
    """The values that a scale must include."""
    return [value for output in outputs if is_shown(output) for value in scaled_values(output, axis, bars)]


def _draw_tables(layer: Layer, parts: Sequence[_PaneRun]) -> None:
    for part in parts:
        for table in part.drawings.get("table", ()):
            if isinstance(table, Table):
                draw_table(layer, table)


def _heights(drawings: dict[str, Sequence[Any]]) -> list[float]:
    """The prices of drawings, for a pane that shows only drawings."""
    found = [value for line in drawings.get("line", ()) for value in (line.y1, line.y2)]
    found += [label.y for label in drawings.get("label", ())]
    found += [value for box in drawings.get("box", ()) for value in (box.top, box.bottom)]
    return [*found, *(point.price for each in drawings.get("polyline", ()) for point in each.points)]


_PRICES = ("open", "high", "low", "close")
_ON_SCALE = {"plot": 1, "plotbar": 4, "plotcandle": 4}
"""The plot functions whose last value gets a label on the axis, with the number of values that the label needs."""
_IN_LEGEND = {
    **dict.fromkeys(("plot", "plotarrow", "plotchar", "plotshape"), ("series",)),
    **dict.fromkeys(("plotbar", "plotcandle"), _PRICES),
}
"""The columns of each plot function that the legend shows."""


def _last_values(output: Output, index: int) -> list[float]:
    """The values of a plot on a bar that a legend has; na is left out."""
    columns = [output.columns.get(name, []) for name in _IN_LEGEND.get(output.function, ())]
    found = [column[index] for column in columns if index < len(column)]
    return [float(value) for value in found if isinstance(value, int | float) and value == value]
