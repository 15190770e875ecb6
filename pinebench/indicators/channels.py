"""Sorts the plots and drawings of a run into the seven channels of a chart: lines, histograms, fills, signals and dots,
levels, horizontal bars, and lines between two points."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from pinebench.indicators.indicator_runs import IndicatorRun
from pinebench.runtime import Output

Values = list[float | None]
_SHOWN = 3
"""The bits of the constants `display.*` for the pane and the data window."""


class ChannelLine(NamedTuple):
    """A line or a histogram: its name, and its value on each shown bar. `ahead` holds the values after the last bar."""

    label: str | None
    values: Values
    ahead: tuple[float | None, ...] = ()


class Signal(NamedTuple):
    """A mark with a label: the index `x` of its bar among the shown bars, and its price `y`."""

    x: int
    y: float
    label: str


class Across(NamedTuple):
    """A horizontal bar. Its middle `y` and its `height` are prices. Its `width` and its `offset` from a side are
    fractions of the chart's width."""

    y: float
    height: float
    width: float
    offset: float
    left: bool


class Between(NamedTuple):
    """A line from one point to another: indexes `x1` and `x2` of bars, prices `y1` and `y2`."""

    x1: int
    y1: float
    x2: int
    y2: float
    dashed: bool


@dataclass
class Channels:
    """The plots and drawings of an indicator. Each value list has one entry for each bar that is shown.

    `dots` is the number of marks that are not signals, `hlines` holds the prices of levels, `hbars` the horizontal
    bars, and `divlines` the lines between two points.
    """

    lines: list[ChannelLine] = field(default_factory=list[ChannelLine])
    histograms: list[ChannelLine] = field(default_factory=list[ChannelLine])
    fills: list[tuple[Values, Values]] = field(default_factory=list[tuple[Values, Values]])
    signals: list[Signal] = field(default_factory=list[Signal])
    dots: int = 0
    hlines: list[float] = field(default_factory=list[float])
    hbars: list[Across] = field(default_factory=list[Across])
    divlines: list[Between] = field(default_factory=list[Between])


def channels(run: IndicatorRun) -> Channels:
    """Sort the plots and drawings of a run on the bars from index `run.first` on. Without bars, all channels are empty.

    A mark of a catalogue indicator is a signal only if the catalogue lists its label for the indicator. The indicator's
    other shapes count as dots. Its other labels are left out, because they only describe another channel.
    """
    found = Channels()
    if len(run.result.times) <= run.first:
        return found
    for output in run.result.outputs:
        reader = _READERS.get(output.function)
        if reader is not None and _is_shown(output):
            reader(found, output, run)
    _drawings(found, run)
    record = run.asked.record
    if record is not None and record.lines:
        by_title = {line.label: line for line in found.lines}
        known = [(label, by_title.get(title)) for label, title in record.lines.items()]
        found.lines = [line._replace(label=label) for label, line in known if line is not None]
    found.signals.sort(key=lambda signal: signal.x)
    return found


def finite(value: Any) -> float | None:
    """Return `value` if it is a number that JSON can hold, otherwise None."""
    return value if isinstance(value, int | float) and -1e100 < value < 1e100 else None


def _is_shown(output: Output) -> bool:
    display = output.settings.get("display", _SHOWN)
    return output.function == "fill" or not isinstance(display, int) or bool(display & _SHOWN)


def _offset(output: Output) -> int:
    offset = output.settings.get("offset")
    return int(offset) if isinstance(offset, int | float) and math.isfinite(offset) else 0


def _shifted(values: Sequence[Any], offset: int, run: IndicatorRun) -> Values:
    """A value for each shown bar, after values were moved by `offset` bars."""
    count = len(run.result.times)
    places = range(run.first - offset, count - offset)
    return [finite(values[place]) if 0 <= place < len(values) else None for place in places]


def _plot(found: Channels, output: Output, run: IndicatorRun) -> None:
    offset = _offset(output)
    values = _shifted(output.values, offset, run)
    ahead = tuple(map(finite, output.values[-offset:])) if 0 < offset <= len(output.values) else ()
    style = output.settings.get("style", "line")
    line = ChannelLine(output.title or None, values, ahead)
    if style in ("histogram", "columns"):
        found.histograms.append(line)
        return
    found.lines.append(line)
    if style in ("circles", "cross"):
        found.dots += sum(value is not None for value in values)


def _candles(found: Channels, output: Output, run: IndicatorRun) -> None:
    for name in ("open", "high", "low", "close"):
        values = output.columns.get(name, ())
        found.lines.append(ChannelLine(f"{output.title} {name}".strip(), _shifted(values, 0, run)))


def _shape(found: Channels, output: Output, run: IndicatorRun) -> None:
    label = output.title or str(output.settings.get("text") or "")
    where = output.settings.get("location", "abovebar")
    for x, value in enumerate(_shifted(output.values, _offset(output), run)):
        if not output.is_drawn(value):
            continue
        y = value if where == "absolute" else _beside(run, x, above=where in ("abovebar", "top"))
        _mark(found, x, y, label, run)


def _arrow(found: Channels, output: Output, run: IndicatorRun) -> None:
    for x, value in enumerate(_shifted(output.values, _offset(output), run)):
        if value:
            _mark(found, x, _beside(run, x, above=value < 0), output.title, run)


def _beside(run: IndicatorRun, x: int, *, above: bool) -> float | None:
    return finite((run.bars.high if above else run.bars.low)[x + run.first])


def _mark(found: Channels, x: int, y: float | None, label: str, run: IndicatorRun) -> None:
    if y is None:
        return
    if label and _is_signal(label, run):
        found.signals.append(Signal(x, float(y), label))
    else:
        found.dots += 1


def _is_signal(label: str, run: IndicatorRun) -> bool:
    """Whether a mark is a signal: all of a script of the user, and those that a record names."""
    return run.asked.record is None or label in run.asked.record.signals


def _fill(found: Channels, output: Output, run: IndicatorRun) -> None:
    """Add the fill between two plots. A fill between two levels says nothing more than the levels."""
    edges = [_edge(output.settings.get(name), run) for name in ("plot1", "plot2")]
    if edges[0] is not None and edges[1] is not None:
        found.fills.append((edges[0], edges[1]))


def _edge(number: object, run: IndicatorRun) -> Values | None:
    if not isinstance(number, int) or not 0 <= number < len(run.result.outputs):
        return None
    output = run.result.outputs[number]
    return _shifted(output.values, _offset(output), run)


def _level(found: Channels, output: Output, _run: IndicatorRun) -> None:
    price = finite(output.settings.get("price"))
    if price is not None:
        found.hlines.append(price)


_READERS = {
    "plot": _plot,
    "plotcandle": _candles,
    "plotbar": _candles,
    "plotshape": _shape,
    "plotchar": _shape,
    "plotarrow": _arrow,
    "fill": _fill,
    "hline": _level,
}


# drawings


def _drawings(found: Channels, run: IndicatorRun) -> None:
    drawings: dict[str, Sequence[Any]] = run.result.drawings  # type: ignore[assignment]
    for line in drawings.get("line", ()):
        _line(found, line, run)
    for box in drawings.get("box", ()):
        _box(found, box, run)
    for label in drawings.get("label", ()):
        _label(found, label, run)
    for polyline in drawings.get("polyline", ()):
        _polyline(found, polyline, run)


def _line(found: Channels, line: Any, run: IndicatorRun) -> None:
    if line.y1 == line.y2 and line.extend == "both" and finite(line.y1) is not None:
        found.hlines.append(line.y1)
        return
    label = _segment(line.color, run)
    if label is not None:
        count = len(run.result.times) - run.first
        first = min(max(line.x1 - run.first, 0), count)
        last = min(max(line.x2 - run.first + 1, first), count)
        values: Values = [None] * first + [finite(line.y1)] * (last - first) + [None] * (count - last)
        found.lines.append(ChannelLine(label, values))
        return
    _between(found, (line.x1, line.y1, line.x2, line.y2), line.xloc, line.style, run)


def _segment(color: int | None, run: IndicatorRun) -> str | None:
    """The name that the indicator's record gives to lines of a colour."""
    record = run.asked.record
    return None if record is None or color is None else record.segments.get(f"#{color >> 8:06X}")


def _polyline(found: Channels, polyline: Any, run: IndicatorRun) -> None:
    """Add a line between each two points; one with a name is a line with a value at each of its points."""
    points = [(point.along(polyline.xloc), point.price) for point in polyline.points]
    label = _segment(polyline.line_color, run)
    if label is not None:
        at = {_index(x, polyline.xloc, run): finite(y) for x, y in points}
        found.lines.append(ChannelLine(label, [at.get(x) for x in range(len(run.result.times) - run.first)]))
        return
    for (x1, y1), (x2, y2) in pairwise(points):
        _between(found, (x1, y1, x2, y2), polyline.xloc, polyline.line_style, run)


def _between(found: Channels, ends: tuple[Any, Any, Any, Any], xloc: str, style: str, run: IndicatorRun) -> None:
    x1, y1, x2, y2 = _index(ends[0], xloc, run), finite(ends[1]), _index(ends[2], xloc, run), finite(ends[3])
    if x1 is not None and x2 is not None and y1 is not None and y2 is not None and max(x1, x2) >= 0:
        found.divlines.append(Between(x1, y1, x2, y2, style in ("dashed", "dotted")))


def _index(x: Any, xloc: str, run: IndicatorRun) -> int | None:
    """The index among the shown bars of a bar's index or a time."""
    if finite(x) is None:
        return None
    if xloc != "bar_time":
        return int(x) - run.first
    return bisect_right(run.result.times, x) - 1 - run.first


def _box(found: Channels, box: Any, run: IndicatorRun) -> None:
    left, right = _index(box.left, box.xloc, run), _index(box.right, box.xloc, run)
    top, bottom = finite(box.top), finite(box.bottom)
    count = len(run.result.times) - run.first
    if left is None or right is None or top is None or bottom is None or not count or right < 0:
        return
    left = max(left, 0)
    width, offset, on_left = (right - left) / count, left / count, True
    parts = [_number(part) for part in str(box.text or "").split(" ")]
    if len(parts) == 2 and parts[0] is not None and parts[1] is not None and box.text_color is None:
        width, offset = parts[0], parts[1]
        on_left = left <= count - 1 - right
    found.hbars.append(Across((top + bottom) / 2, abs(top - bottom), width, offset, on_left))


def _number(text: str) -> float | None:
    try:
        return finite(float(text))
    except ValueError:
        return None


def _label(found: Channels, label: Any, run: IndicatorRun) -> None:
    x = _index(label.x, label.xloc, run)
    count = len(run.result.times) - run.first
    if x is None or not x >= 0:
        return
    on_bar = min(x, count - 1)
    y = finite(label.y) if label.yloc == "price" else _beside(run, on_bar, above=label.yloc == "abovebar")
    text = str(label.text or "")
    if not text or _is_signal(text, run):
        _mark(found, x, y, text, run)
