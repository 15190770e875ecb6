"""Small pictures of scripts for the list of indicators: a script's drawing on the sample market, without axes."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache

from pinebench.charts import cut, view_of
from pinebench.charts.drawing_pictures import draw_drawings
from pinebench.charts.plots import GREEN, RED, Pane, draw_candle, draw_outputs, is_shown, scaled_values
from pinebench.charts.scales import Axis, Scale
from pinebench.charts.scene import Layer, Scene, SceneText, Shape
from pinebench.charts.svg import scene_as_svg
from pinebench.errors import PinebenchError
from pinebench.market import Bars, SymbolInfo, sample_bars, samples
from pinebench.runtime import Drawing, Look, RunBudget
from pinebench.studio.resolutions import parse_resolution
from pinebench.workers.dispatch import execute
from pinebench.workers.jobs import opened, perform
from pinebench.workers.request import Request

SVG = "image/svg+xml"
WIDTH, HEIGHT = 112, 44
"""The size of a picture in pixels, as the page shows it."""
_SHOWN = 44
"""The number of bars in a picture."""
_RUN_ON = 320
_SYMBOL, _RESOLUTIONS = "NASDAQ:AAPL", ("1D", "15")
"""The bars of a picture. A script that refuses days is drawn on minutes."""
_LONGEST_MARK = 2
"""The largest number of characters of a mark; longer text could not be read in so small a picture."""
_AT_ONCE = 2
"""The number of pictures that are drawn at the same time, so that the scripts on the chart do not wait for them."""
_KEPT = 256
_SECONDS = 5.0
"""The processor time that a script has for its picture."""
_PARTS = ("linefill", "line", "box", "polyline")


class NoPicture(PinebenchError):
    """Raised if a script draws nothing, or if it cannot run on the sample market; the message says why."""


def digest_of(source: str, *, dark: bool) -> str:
    """Return the name of a picture, computed from the script and the page's theme: dark or light."""
    return hashlib.sha256(f"{WIDTH} {HEIGHT} {dark} {source}".encode()).hexdigest()[:20]


class Pictures:
    """Draws pictures, and caches the most recent ones; safe to use from many threads."""

    def __init__(self) -> None:
        self._turns = threading.Semaphore(_AT_ONCE)
        self._lock = threading.Lock()
        self._known: OrderedDict[str, bytes | NoPicture] = OrderedDict()

    def of(self, source: str, *, dark: bool) -> bytes:
        """Return the picture of a script as SVG, for a dark or a light page. Raises NoPicture if there is nothing to
        draw."""
        digest = digest_of(source, dark=dark)
        with self._lock:
            known = self._known.get(digest)
        if known is None:
            with self._turns:
                known = self._known.get(digest) or _drawn(source, dark)
            with self._lock:
                self._known[digest] = known
                while len(self._known) > _KEPT:
                    self._known.popitem(last=False)
        if isinstance(known, NoPicture):
            raise known
        return known


def _drawn(source: str, dark: bool) -> bytes | NoPicture:
    """The picture of a script, on the first of the intervals on which it runs; or why there is none."""
    reason = NoPicture("the script draws nothing on these bars")
    for resolution in _RESOLUTIONS:
        chart = _chart(resolution)
        request = Request(source, *chart, samples=True, budget=RunBudget(seconds=_SECONDS), look=Look(dark))
        try:
            drawn = execute(request, sketch)
        except PinebenchError as error:
            return NoPicture(error.message)
        if drawn[0] == "picture":
            return drawn[1].encode()
        reason = NoPicture(drawn[1])
    return reason


@cache
def _chart(resolution: str) -> tuple[Bars, SymbolInfo]:
    symbol, parsed = samples.find(_SYMBOL), parse_resolution(resolution)
    assert symbol is not None and parsed is not None
    return sample_bars(symbol, parsed, _RUN_ON), symbol.info(parsed.text)


def sketch(request: Request) -> tuple[str, str]:
    """Run a script and draw it: `("picture", svg)`, or `("nothing", reason)`."""
    ran = perform(request)
    if ran.result.error is not None:
        return "nothing", ran.result.error.message
    view = view_of(opened(request.source, request.libraries))
    first = max(0, len(request.bars) - _SHOWN)
    bars, result = request.bars.last(_SHOWN), cut(ran.result, first)
    axis = Axis(bars.time, 0, len(bars), 0, WIDTH, 1)
    outputs = [one for one in result.outputs if view.overlay or not one.settings.get("force_overlay")]
    drawings: dict[str, Sequence[Drawing]] = {kind: result.drawings.get(kind, ()) for kind in _PARTS}
    values = [value for one in outputs if is_shown(one) for value in scaled_values(one, axis, bars)]
    if not values and not view.overlay and not any(drawings.values()):
        return "nothing", "the script draws nothing on these bars"
    if view.overlay:
        values += [*bars.low, *bars.high]
    scale = Scale.around(values, 0, HEIGHT)
    plots = Pane(axis, scale, bars)
    draw_outputs(plots, outputs, result.outputs, as_called=view.as_called)
    draw_drawings(plots, drawings)
    candles = Pane(axis, scale, bars)
    for index in range(len(bars) if view.overlay else 0):
        prices = (bars.open[index], bars.high[index], bars.low[index], bars.close[index])
        color = GREEN if prices[3] >= prices[0] else RED
        draw_candle(candles, index, prices, color, color, color)
    layer = Layer(0, 0, WIDTH, HEIGHT, list(filter(_is_legible, [*plots.shapes, *candles.shapes])))
    return "picture", scene_as_svg(Scene(WIDTH, HEIGHT, 0, view.title, [layer]))


def _is_legible(shape: Shape) -> bool:
    return not isinstance(shape, SceneText) or len(shape.text) <= _LONGEST_MARK
