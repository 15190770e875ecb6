"""A chart as a file: a PNG, an SVG drawing, or a page."""

from __future__ import annotations

from pinebench.charts.described import Chart
from pinebench.charts.layout import scene
from pinebench.charts.page import as_html
from pinebench.charts.png import scene_as_png
from pinebench.charts.svg import scene_as_svg

__all__ = ["as_html", "as_png", "as_svg"]


def as_png(chart: Chart) -> bytes:
    """Return the PNG file. Raises UnavailableError if Pillow, of the extra `run`, is not installed."""
    return scene_as_png(scene(chart))


def as_svg(chart: Chart) -> str:
    """Return the drawing as an SVG file."""
    return scene_as_svg(scene(chart))
