"""Draws runs as charts: prices, panes, plots and drawings, as a PNG file, an SVG file or an HTML page."""

from pinebench.charts.bar_cut import cut
from pinebench.charts.described import (
    HEIGHTS,
    WIDTHS,
    ChartDescription,
    PictureFrame,
    PictureView,
    ShownRun,
    chart,
    picture,
    view_of,
)
from pinebench.charts.fills import FillMark, filled
from pinebench.charts.page import page_data, require_page
from pinebench.charts.png import require_pillow
from pinebench.charts.renderers import PICTURES, as_file, as_html, as_png, as_svg, check_name, require_renderer
from pinebench.charts.themes import THEMES

__all__ = [
    "HEIGHTS",
    "PICTURES",
    "THEMES",
    "WIDTHS",
    "ChartDescription",
    "FillMark",
    "PictureFrame",
    "PictureView",
    "ShownRun",
    "as_file",
    "as_html",
    "as_png",
    "as_svg",
    "chart",
    "check_name",
    "cut",
    "filled",
    "page_data",
    "picture",
    "require_page",
    "require_pillow",
    "require_renderer",
    "view_of",
]
