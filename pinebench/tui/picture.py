"""Candles, lines and marks, drawn with terminal characters: a bar is one column, and a cell has two half cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from rich.style import Style
from rich.text import Text


class PictureBar(NamedTuple):
    """A bar; `time` is in milliseconds since 1970, in UTC."""

    time: int
    open: float
    high: float
    low: float
    close: float


class PictureLine(NamedTuple):
    """A line over the candles: its colour, and a value for each bar, or None if the bar has none.

    The values of a plotted signal are bools. They are not prices, so `draw` leaves the line out.
    """

    title: str
    values: Sequence[float | None]
    color: str


class Arrow(NamedTuple):
    """A mark at a bar: above its high or below its low."""

    bar: int
    is_above: bool
    sign: str
    color: str


_Grid = list[list[tuple[str, str]]]
"""The signs of a picture and their colours, by row and column."""


def draw(
    candles: Sequence[PictureBar],
    lines: Sequence[PictureLine],
    marks: Sequence[Arrow],
    width: int,
    height: int,
    colors: tuple[str, str, str],
    *,
    is_plain: bool = False,
) -> Text:
    """Draw the last bars that fit into `width` columns and `height` rows.

    `colors` are the colours of rising bars, of falling bars, and of the prices at the right. Lines whose values are far
    from the prices are left out. `is_plain` is for screens without colours: the bodies of falling bars are then grey.
    """
    up, down, quiet = colors
    first = max(0, len(candles) - max(1, width - 11))
    shown = list(candles[first:])
    if not shown or height < 2:
        return Text("")
    low, high = min(candle.low for candle in shown), max(candle.high for candle in shown)
    lines = [line for line in lines if _is_near(line, first, low, high)]
    for line in lines:
        known = [value for value in line.values[first:] if value is not None]
        low, high = min([low, *known]), max([high, *known])
    span = (high - low) or abs(high) or 1.0

    def level(value: float) -> int:
        steps = 2 * height
        return min(max(round((value - low) / span * (steps - 1)), 0), steps - 1)

    grid: _Grid = [[(" ", "")] * max(1, width - 11) for _ in range(height)]
    for column, candle in enumerate(shown):
        color = up if candle.close >= candle.open else down
        _draw_candle(grid, column, candle, level, color, is_grey=is_plain and color == down)
    for line in lines:
        for column, value in enumerate(line.values[first:]):
            if value is not None and column < len(grid[0]):
                grid[height - 1 - level(value) // 2][column] = ("•", line.color)
    for mark in marks:
        if 0 <= mark.bar - first < len(shown):
            _draw_mark(grid, mark.bar - first, shown[mark.bar - first], level, mark)
    places = digits(shown)
    prices = [_short(high - span * row / max(1, height - 1), places) for row in range(height)]
    return _written(grid, prices, quiet)


def _draw_mark(grid: _Grid, column: int, candle: PictureBar, level: Callable[[float], int], mark: Arrow) -> None:
    row = level(candle.high) // 2 + 1 if mark.is_above else level(candle.low) // 2 - 1
    grid[len(grid) - 1 - min(max(row, 0), len(grid) - 1)][column] = (mark.sign, mark.color)


def _draw_candle(
    grid: _Grid, column: int, candle: PictureBar, level: Callable[[float], int], color: str, *, is_grey: bool
) -> None:
    """Draw a bar into its column, with a grey body if `is_grey`."""
    bottom, top = sorted((level(candle.open), level(candle.close)))
    for row in range(len(grid)):
        sign = _cell(row, bottom, top, level(candle.low), level(candle.high))
        grid[len(grid) - 1 - row][column] = ("▒" if is_grey and sign in "█▄▀" else sign, color)


def _written(grid: _Grid, prices: Sequence[str], color: str) -> Text:
    """The picture as text, with the prices of some of the rows at the right."""
    text = Text(no_wrap=True)
    last = len(grid) - 1
    for row, cells in enumerate(grid):
        for sign, own in cells:
            text.append(sign, style=Style(color=own) if own else "")
        text.append(f" {prices[row]:>9}" if row % 3 == 0 or row == last else "", style=color)
        text.append("\n" if row < last else "")
    return text


def digits(candles: Sequence[PictureBar]) -> int:
    """Return the number of decimals that the last bars' prices need, from 2 to 8. More than 2 are used only if prices
    then have at most seven digits."""
    prices = [price for candle in candles[-20:] for price in candle[1:]]
    size = max((abs(price) for price in prices), default=0.0)
    most = 2 if size == 0 else min(max(6 - math.floor(math.log10(size)), 2), 8)
    return max([2, *(len(f"{price:.{most}f}".rstrip("0").partition(".")[2]) for price in prices)])


def price(value: float, places: int) -> str:
    """Return a price with `places` decimals, but at least 2."""
    return f"{value:,.{max(2, places)}f}"


def _short(value: float, places: int) -> str:
    """A price in nine columns, with fewer decimals if there is no room for all of them."""
    return next(
        (text for count in range(max(2, places), 0, -1) if len(text := f"{value:,.{count}f}") <= 9), number(value)
    )


def axis(candles: Sequence[PictureBar], width: int) -> str:
    """Return the line below a picture of the same width: the times (UTC) of its first and its last bar."""
    room = max(1, width - 11)
    shown = candles[-room:]
    first, last = (_moment(candle.time) for candle in (shown[0], shown[-1]))
    if len(shown) < len(first) + len(last) + 2:
        return last.rjust(len(shown))
    return first + last.rjust(len(shown) - len(first))


def _moment(milliseconds: int) -> str:
    found = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return found.strftime("%Y-%m-%d" if found.hour == found.minute == 0 else "%Y-%m-%d %H:%M")


def _is_near(line: PictureLine, first: int, low: float, high: float) -> bool:
    """Whether a line's values are near the prices: at most twice the range of the candles above or below it."""
    numbers = (value for value in line.values[first:] if value is not None and not isinstance(value, bool))
    known = [value for value in numbers if math.isfinite(value)]
    room = 2 * (high - low)
    return bool(known) and low - room <= min(known) and max(known) <= high + room


def _cell(row: int, bottom: int, top: int, low: int, high: int) -> str:
    """The character of a candle in one cell.

    `row` counts cells from the bottom. The body reaches from `bottom` to `top` and the wick from `low` to `high`, in
    half cells.
    """
    lower, upper = bottom <= 2 * row <= top, bottom <= 2 * row + 1 <= top
    if lower or upper:
        return "█" if lower and upper else "▄" if lower else "▀"
    return "│" if low <= 2 * row + 1 and 2 * row <= high else " "


def number(value: float | None) -> str:
    """Format a value in a few characters: with fewer decimals if it is large, `na` if it is None."""
    if value is None:
        return "na"
    if isinstance(value, bool):
        return str(value).lower()
    size = abs(value)
    return f"{value:,.0f}" if size >= 10_000 else f"{value:,.2f}" if size >= 1 or not value else f"{value:.5f}"


def sparkline(values: Sequence[float | None], width: int) -> str:
    """Return the last `width` values as a row of small columns; a missing value is a space."""
    shown = values[-width:]
    known = [value for value in shown if value is not None]
    if not known:
        return " " * len(shown)
    low, span = min(known), (max(known) - min(known)) or 1.0
    return "".join(" " if value is None else "▁▂▃▄▅▆▇█"[round((value - low) / span * 7)] for value in shown)
