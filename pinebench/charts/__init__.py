"""Draws runs like a chart shows them: prices, panes, plots and drawings, as a PNG, an SVG drawing or a page."""

from __future__ import annotations

from pinebench.charts.cutting import cut
from pinebench.charts.fills import Filled
from pinebench.charts.layout import HEIGHTS, WIDTHS, Frame, Shown, View, chart, picture, view_of
from pinebench.charts.png import as_png, require_pillow
from pinebench.charts.scene import Scene
from pinebench.charts.svg import as_html, as_svg

__all__ = [
    "HEIGHTS",
    "WIDTHS",
    "Filled",
    "Frame",
    "Scene",
    "Shown",
    "View",
    "as_html",
    "as_png",
    "as_svg",
    "chart",
    "cut",
    "picture",
    "require_pillow",
    "view_of",
]
