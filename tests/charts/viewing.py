"""Charts as a browser shows their files, and how far two pictures of a chart are apart."""

import base64
import io
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops, ImageFilter

from pinebench.charts import ChartDescription, as_html, as_png, as_svg
from pinebench.charts.picture_layout import scene
from pinebench.charts.scene import Layer, SceneText
from pinebench.tradingview import targets
from pinebench.tradingview.tab import Tab
from pinebench.tradingview.targets import Target
from tests.tradingview.support import LIMIT, until

_SAME = 20
"""Colours that differ by no more in each channel, of 255, are the same."""
_ROW = 17
Area = tuple[int, int, int, int]


class Viewer:
    """A tab that shows files of charts, at the size of the chart."""

    def __init__(self, port: int, folder: Path) -> None:
        entry = targets.ask_browser("127.0.0.1", port, "/json/new?about:blank", "PUT")
        self._tab = Tab("127.0.0.1", port, Target(entry["id"], "page", "", "about:blank"))
        self._tab.start()
        self._port = port
        self._folder = folder

    def close(self) -> None:
        """Close the tab."""
        self._tab.stop()
        targets.ask_browser("127.0.0.1", self._port, f"/json/close/{self._tab.target.id}")

    def show(self, chart: ChartDescription, kind: str = "html") -> None:
        """Show a chart as a page, or as a drawing if `kind` is `svg`."""
        path = self._folder / f"chart.{kind}"
        path.write_text(as_html(chart) if kind == "html" else as_svg(chart), encoding="utf-8")
        size = {"width": chart.frame.width, "height": chart.frame.height, "deviceScaleFactor": 1, "mobile": False}
        self._tab.request("Page.bringToFront", {}, LIMIT)
        self._tab.request("Emulation.setDeviceMetricsOverride", size, LIMIT)
        self._tab.request("Page.navigate", {"url": "about:blank"}, LIMIT)
        self._tab.request("Page.navigate", {"url": path.as_uri()}, LIMIT)
        is_drawn = "window.drawn === true" if kind == "html" else "true"
        self.until(f"location.href === {path.as_uri()!r} && document.readyState === 'complete' && {is_drawn}")

    def js(self, expression: str) -> Any:
        """The value of an expression."""
        asked = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        answer = self._tab.request("Runtime.evaluate", asked, LIMIT)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until a condition holds."""
        until(lambda: self.js(condition))

    def move(self, x: float, y: float) -> None:
        """Move the pointer."""
        self._tab.request("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y}, LIMIT)

    def picture(self) -> Image.Image:
        """What is seen."""
        answer = self._tab.request("Page.captureScreenshot", {"format": "png"}, LIMIT)
        return Image.open(io.BytesIO(base64.b64decode(answer["data"]))).convert("RGB")


def pictures(viewer: Viewer, chart: ChartDescription) -> dict[str, Image.Image]:
    """The chart as all three renderers draw it."""
    found = {"png": Image.open(io.BytesIO(as_png(chart))).convert("RGB")}
    for kind in ("svg", "html"):
        viewer.show(chart, kind)
        found[kind] = viewer.picture()
    return found


def distance(one: Image.Image, other: Image.Image, chart: ChartDescription) -> float:
    """How far two pictures of a chart are apart in the areas of its plots, from 0 to 1.

    Both are blurred by one pixel, so that it does not matter how a line between two rows of pixels is smoothed. The
    distance is the share of the drawn pixels whose colour is not among the colours of the nine nearest pixels of the
    other picture, or between them. So places may differ by one pixel.
    """
    one, other = (each.filter(ImageFilter.BoxBlur(1)) for each in (one, other))
    ground = tuple((scene(chart).background >> shift) & 0xFF for shift in (24, 16, 8))
    apart = drawn = 0
    for area in areas(chart):
        a, b = one.crop(area), other.crop(area)
        apart += _count(ImageChops.lighter(_strange(a, b), _strange(b, a)))
        empty = Image.new("RGB", a.size, ground)
        drawn += _count(ImageChops.lighter(ImageChops.difference(a, empty), ImageChops.difference(b, empty)))
    return apart / max(drawn, 1)


def areas(chart: ChartDescription) -> list[Area]:
    """The areas of plots: the panes without their axes and without the rows of their legends."""
    drawn = scene(chart)
    panes = [
        layer
        for layer in drawn.layers
        if layer.right == drawn.width - 84 and any(isinstance(shape, SceneText) for shape in layer.shapes)
    ]
    rows = [len({each.y for each in _begins(pane)}) for pane in panes]
    return [
        (int(each.left), int(each.top) + 5 + _ROW * count, int(each.right), int(each.bottom))
        for each, count in zip(panes, rows, strict=True)
    ]


def _begins(pane: Layer) -> list[SceneText]:
    """The texts with which the rows of a pane's legends begin."""
    words = [each for each in pane.shapes if isinstance(each, SceneText)]
    return [each for each in words if each.x == pane.left + 6 and each.align == "left"]


def _strange(image: Image.Image, other: Image.Image) -> Image.Image:
    """How far each pixel is outside of the colours around the same place in another picture."""
    least, most = other.filter(ImageFilter.MinFilter(3)), other.filter(ImageFilter.MaxFilter(3))
    return ImageChops.lighter(ImageChops.subtract(least, image), ImageChops.subtract(image, most))


def _count(difference: Image.Image) -> int:
    """The number of pixels that differ in any channel by more than what is the same."""
    red, green, blue = difference.split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return sum(most.histogram()[_SAME + 1 :])
