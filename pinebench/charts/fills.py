"""Draws the fills of a strategy's orders as TradingView does: an arrow beside the bar, and a mark at the price."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pinebench.broker import Fill
from pinebench.charts.marks import sign
from pinebench.charts.plots import Pane
from pinebench.charts.scene import SceneText, Stroke

_BUY, _SELL = 0x2962FFFF, 0xD500F9FF
_ROW = 13
_WIDE = 7
"""If a bar is narrower than this number of pixels, there is no room for text."""


class FillMark(NamedTuple):
    """A fill: its bar, its price, its quantity (negative for a sale), and its signal."""

    bar: int
    price: float
    quantity: float
    signal: str


def filled(fills: Iterable[Fill]) -> list[FillMark]:
    """Return the chart's marks for a broker's fills."""
    return [
        FillMark(one.bar, one.price, one.quantity if one.action == "buy" else -one.quantity, one.comment or one.id)
        for one in fills
    ]


def draw_fills(pane: Pane, fills: Sequence[FillMark]) -> None:
    """Draw buys below their bars and sells above them. Several fills on the same bar are stacked.

    Signal and quantity are shown if the bars are wide enough.
    """
    axis, scale, bars = pane.axis, pane.scale, pane.bars
    rows: dict[tuple[int, bool], int] = {}
    step = axis.x(axis.first + 1) - axis.x(axis.first)
    for fill in fills:
        if not axis.first <= fill.bar < axis.last:
            continue
        is_buy = fill.quantity > 0
        color, away = (_BUY, 1) if is_buy else (_SELL, -1)
        x, at = axis.x(fill.bar), scale.y(fill.price)
        pane.shapes.append(Stroke(((x - max(step, 5), at), (x + max(step, 5) / 2, at)), color, 2))
        row = rows.get((fill.bar, is_buy), 0)
        tip = scale.y(bars.low[fill.bar] if is_buy else bars.high[fill.bar]) + away * (9 + row)
        pane.shapes.append(sign("arrowup" if is_buy else "arrowdown", x, tip, 5, color))
        rows[fill.bar, is_buy] = row + _ROW
        if step < _WIDE:
            continue
        words = f"{fill.signal} {fill.quantity:+g}".strip()
        pane.shapes.append(SceneText(x, tip + away * 14, words, color, 10, "center"))
        rows[fill.bar, is_buy] = row + 2 * _ROW
