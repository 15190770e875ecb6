"""Draws a run like the chart shows it: prices, panes, and the script's plots and drawings, as a PNG or a page."""

from __future__ import annotations

from pinebench.runtime.picture.fills import Filled
from pinebench.runtime.picture.layout import View, picture, view_of
from pinebench.runtime.picture.png import as_png, require_pillow
from pinebench.runtime.picture.scene import Scene
from pinebench.runtime.picture.svg import as_html

__all__ = ["Filled", "Scene", "View", "as_html", "as_png", "picture", "require_pillow", "view_of"]
