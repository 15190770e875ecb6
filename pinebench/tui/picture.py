"""Candles, lines and marks, drawn with terminal characters: a bar is one column, and a cell has two half cells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from rich.style import Style
from rich.text import Text


class Candle(NamedTuple):
    """A bar; `time` is in milliseconds since 1970, in UTC."""

    time: int
    open: float
    high: float
    low: float
    close: float


class PictureLine(NamedTuple):
    """A line over the candles: its colour, and a value for each bar, or None if the bar has none."""

    title: str
    values: Sequence[float | None]
    color: str


class Arrow(NamedTuple):
    """A mark at a bar: above its high or below its low."""

    bar: int
    is_above: bool
    sign: str
    color: str


def draw(
    candles: Sequence[Candle],
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
    room = max(1, width - 11)
    first = max(0, len(candles) - room)
    shown = list(candles[first:])
    if not shown or height < 2:
        return Text("")
    low, high = min(candle.low for candle in shown), max(candle.high for candle in shown)
    lines = [line for line in lines if _is_near(line, first, low, high)]
    for line in lines:
        known = [value for value in line.values[first:] if value is not None]
        low, high = min([low, *known]), max([high, *known])
    span = (high - low) or abs(high) or 1.0
    places = digits(shown)
    steps = 2 * height

    def level(value: float) -> int:
        return min(max(round((value - low) / span * (steps - 1)), 0), steps - 1)

    grid: list[list[tuple[str, str]]] = [[(" ", "")] * room for _ in range(height)]
    for column, candle in enumerate(shown):
        color = up if candle.close >= candle.open else down
        bottom, top = sorted((level(candle.open), level(candle.close)))
        for row in range(height):
            sign = _cell(row, bottom, top, level(candle.low), level(candle.high))
            is_grey = is_plain and color == down and sign in "█▄▀"
            grid[height - 1 - row][column] = ("▒" if is_grey else sign, color)
    for line in lines:
        for column, value in enumerate(line.values[first:]):
            if value is not None and column < room:
                grid[height - 1 - level(value) // 2][column] = ("•", line.color)
    for mark in marks:
        column = mark.bar - first
        if 0 <= column < len(shown):
            row = level(shown[column].high) // 2 + 1 if mark.is_above else level(shown[column].low) // 2 - 1
            grid[height - 1 - min(max(row, 0), height - 1)][column] = (mark.sign, mark.color)
    text = Text(no_wrap=True)
    for row, cells in enumerate(grid):
        for sign, color in cells:
            text.append(sign, style=Style(color=color) if color else "")
        here = high - span * row / max(1, height - 1)
        text.append(f" {_short(here, places):>9}" if row % 3 == 0 or row == height - 1 else "", style=quiet)
        text.append("\n" if row < height - 1 else "")
    return text


def digits(candles: Sequence[Candle]) -> int:
    """The number of decimals of the last bars' prices: at least 2, and at most as many as make seven figures."""
    prices = [price for candle in candles[-20:] for price in candle[1:]]
    size = max((abs(price) for price in prices), default=0.0)
    most = 2 if size == 0 else min(max(6 - math.floor(math.log10(size)), 2), 8)
    return max([2, *(len(f"{price:.{most}f}".rstrip("0").partition(".")[2]) for price in prices)])


def price(value: float, places: int) -> str:
    """A price with `places` decimals, but at least 2."""
    return f"{value:,.{max(2, places)}f}"


def _short(value: float, places: int) -> str:
    """A price in nine columns, with fewer decimals if there is no room for all of them."""
    return next(
        (text for count in range(max(2, places), 0, -1) if len(text := f"{value:,.{count}f}") <= 9), number(value)
    )


def axis(candles: Sequence[Candle], width: int) -> str:
    """The line below a picture of `draw` with the same width: the times of its first and its last bar, in UTC."""
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
    known = [value for value in line.values[first:] if value is not None and math.isfinite(value)]
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
    """A value in few characters."""
    if value is None:
        return "na"
    size = abs(value)
    return f"{value:,.0f}" if size >= 10_000 else f"{value:,.2f}" if size >= 1 else f"{value:.5f}"


def sparkline(values: Sequence[float | None], width: int) -> str:
    """The last `width` values as a row of small columns; a missing value is a space."""
    shown = values[-width:]
    known = [value for value in shown if value is not None]
    if not known:
        return " " * len(shown)
    low, span = min(known), (max(known) - min(known)) or 1.0
    return "".join(" " if value is None else "▁▂▃▄▅▆▇█"[round((value - low) / span * 7)] for value in shown)
