"""How a script of the gallery is drawn: by the studio in Chromium, and by `run --plot` as a PNG."""

import base64
import io

from PIL import Image

from pinebench.calendars.timeframes import timeframe
from pinebench.charts import ChartDescription, FillMark, as_png, picture, view_of
from pinebench.market.samples import find
from pinebench.studio.bars import StudioBars
from pinebench.workers.dispatch import execute
from pinebench.workers.jobs import opened
from pinebench.workers.request import Request
from tests.studio.support import CHART, Driver

WIDTH, HEIGHT = 900, 560
SYMBOL, BARS, SEEN, ROOM = "NASDAQ:AAPL", 500, 140, 8
_TAG = """(() => {
  for (const tag of document.querySelectorAll('.legend .tag')) {
    if (tag.textContent === 'made-up prices') tag.firstChild.nodeValue = 'sample data';
  }
})()"""
"""Gives the tag of made-up prices the words that it had when the pictures were looked at. It is the same on all of
them, and moves what follows it in its row; `test_own.py` tests its words."""
_FEWEST = 12
"""So many cells count at least, so that one letter more or less is not half a picture."""
_SAME = 6
"""Colours that are so near, of 255, are the same."""
_GRID = (60, 36)
"""What is kept of a picture: so many cells across and down, each with its mean colour."""


def prepare(page: Driver) -> None:
    """Show the chart alone, at the gallery's size."""
    page.connection.command(
        "Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False
    )
    page.until(f"innerWidth === {WIDTH}")
    hide_panel(page)
    show(page, "1D")


def show(page: Driver, resolution: str) -> None:
    """Show the chart's last bars at a resolution, with room after them."""
    if page.js(f"{CHART}.resolution()") != resolution:
        page.js(f"new Promise((done) => {CHART}.setResolution('{resolution}', done))")
    page.js(f"{CHART}._chartWidget.model().timeScale().zoomToBarsRange({BARS - SEEN}, {BARS + ROOM})")


def draw(page: Driver, source: str, resolution: str = "1D") -> Image.Image:
    """Add a script to the page's chart as a person does, and take a picture of the chart; the pointer stays away."""
    page.js(f"{CHART}.removeAllStudies()")
    show(page, resolution)
    page.editor.write(source)
    assert page.editor.compile().outcome in ("added", "updated")
    hide_panel(page)
    settled(page)
    show(page, resolution)
    settled(page)
    page.js(_TAG)
    return shot(page)


def hide_panel(page: Driver) -> None:
    """Close the panel at the foot, which opens with every script that is added, and wait until the chart has room."""
    page.js("TradingView.bottomWidgetBar.hideWidget('pine-editor')")
    box = "document.querySelector('.chart-container').getBoundingClientRect()"
    page.until(
        "(({width, height}, table) => Math.abs(table.clientHeight - height) < 2 && height > 300"
        f" && Math.abs(table.clientWidth - width) < 2)({box}, document.querySelector('.chart-markup-table table'))"
    )


def settled(page: Driver) -> None:
    """Wait until nothing runs and the frame after that is drawn."""
    page.until(
        "document.querySelector('[data-name=\"loading\"]') === null && ![...document.querySelectorAll("
        "'.legend__study .legend__detail')].some((node) => node.textContent === '…')"
    )
    page.js("(async () => { for (let i = 0; i < 3; i++) await new Promise((done) => requestAnimationFrame(done)); })()")


def shot(page: Driver, area: str = ".chart-container") -> Image.Image:
    """What is seen of an area of the page."""
    clip = page.js(
        f"(({{x, y, width, height}}) => ({{x, y, width, height, scale: 1}}))"
        f"(document.querySelector('{area}').getBoundingClientRect())"
    )
    answer = page.connection.command("Page.captureScreenshot", format="png", clip=clip)
    return Image.open(io.BytesIO(base64.b64decode(answer["data"]))).convert("RGB")


def chart(source: str, asked: str) -> ChartDescription:
    """The picture that `pinebench run --plot` writes, on the bars on which the studio runs scripts."""
    symbol, resolution = find(SYMBOL), timeframe(asked)
    assert symbol is not None
    found, _ = StudioBars().whole(symbol, resolution, BARS)
    ran = execute(Request(source, found.bars, found.symbol, samples=True))
    assert ran.result.error is None, ran.result.error
    view = view_of(opened(source, ()), len(found.bars) - SEEN)
    fills = [
        FillMark(one.bar, one.price, one.quantity if one.action == "buy" else -one.quantity, one.comment or one.id)
        for one in (ran.tested.fills if ran.tested is not None else ())
    ]
    return picture(ran.result, found.bars, found.symbol, view, fills)


def png(source: str, resolution: str = "1D") -> Image.Image:
    """The PNG as a picture."""
    return Image.open(io.BytesIO(as_png(chart(source, resolution)))).convert("RGB")


def measure(image: Image.Image) -> str:
    """What is kept of a picture: the mean colours of its cells, six hexadecimal digits each."""
    return image.resize(_GRID, Image.Resampling.BOX).tobytes().hex()


def distance(one: str, other: str, empty: str) -> float:
    """How far two measures are apart, 0 to 1, where either is another than that of a chart without scripts.

    It is the share of those cells that have another colour, a near one counted in part.
    """
    cells = list(zip(*map(_cells, (one, other, empty)), strict=True))
    changed = [(a, b) for a, b, none in cells if max(_apart(a, none), _apart(b, none)) > _SAME]
    return sum(min(max(_apart(a, b) - _SAME, 0) / 24, 1) for a, b in changed) / max(len(changed), _FEWEST)


def _cells(measure: str) -> list[bytes]:
    data = bytes.fromhex(measure)
    return [data[i : i + 3] for i in range(0, len(data), 3)]


def _apart(one: bytes, other: bytes) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))
