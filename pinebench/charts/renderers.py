"""Renders a chart as a file: PNG, SVG or HTML."""

from __future__ import annotations

from pinebench.charts.described import ChartDescription
from pinebench.charts.page import as_html, require_page
from pinebench.charts.picture_layout import scene
from pinebench.charts.png import require_pillow, scene_as_png
from pinebench.charts.svg import scene_as_svg
from pinebench.errors import UsageError

__all__ = ["PICTURES", "as_file", "as_html", "as_png", "as_svg", "check_name", "require_renderer"]

PICTURES = (".png", ".svg", ".html", ".htm")
"""The extensions of the files that a chart can be written to."""


def check_name(name: str) -> None:
    """Raise UsageError if the file name `name` does not end in one of PICTURES."""
    if not name.lower().endswith(PICTURES):
        raise UsageError(f"{name} is neither a picture nor a page", "expected .png, .svg or .html")


def require_renderer(name: str) -> None:
    """Raise UnavailableError if Pillow or the built page is missing, and a chart file called `name` needs it."""
    if name.lower().endswith(".png"):
        require_pillow()
    if name.lower().endswith((".html", ".htm")):
        require_page()


def as_file(chart: ChartDescription, name: str) -> bytes:
    """Return the chart as a file. The extension of `name`, one of PICTURES, selects the format."""
    if name.lower().endswith(".png"):
        return as_png(chart)
    return (as_svg(chart) if name.lower().endswith(".svg") else as_html(chart)).encode()


def as_png(chart: ChartDescription) -> bytes:
    """Return the chart as a PNG file. Raises UnavailableError if Pillow, which the extra `run` installs, is missing."""
    return scene_as_png(scene(chart))


def as_svg(chart: ChartDescription) -> str:
    """Return the chart as an SVG file."""
    return scene_as_svg(scene(chart))
