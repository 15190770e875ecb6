"""Several runs on the same bars: their panes, what is cut off, scales, time axes, and the limits of size."""

from __future__ import annotations

import io
from itertools import pairwise
from typing import Any

import pytest
from PIL import Image

from pinebench.charts import Frame, Scene, as_html, as_png, as_svg
from pinebench.charts.layout import _price, _value, chart
from pinebench.charts.scales import Scale
from pinebench.charts.scene import Stroke, Surface, Words
from pinebench.errors import UsageError
from pinebench.indicators import Loaded, asked, compute, draw, load
from pinebench.market.bars import Bars, SymbolInfo
from tests.indicators.sample import HOUR, sample


def loaded(given: Bars, shown: int) -> Loaded:
    return Loaded(given, HOUR, "1h", "file", shown, "X:TEST")


def scene(*entries: Any, count: int = 60, shown: int = 60, **more: Any) -> Scene:
    given = loaded(sample(count), shown)
    runs = [compute(one, given.bars, given.symbol, shown) for one in asked(entries)]
    return draw(given, runs, 800, 600, **more)


def words(drawn: Scene) -> list[str]:
    return [shape.text for layer in drawn.layers for shape in layer.shapes if isinstance(shape, Words)]


def test_overlays_share_the_pane_of_the_prices_and_panels_get_their_own() -> None:
    drawn = scene("bbands", "rsi", "ema", "macd")
    panes = [layer for layer in drawn.layers if any(isinstance(each, Words) for each in layer.shapes)]
    titles = [[each.text for each in layer.shapes if isinstance(each, Words)] for layer in panes]
    assert {"BB(20, 2)", "EMA Stack"} <= set(titles[0])
    own = [(layer, row) for layer, row in zip(panes, titles, strict=True) if {"RSI(14)", "MACD(12, 26, 9)"} & set(row)]
    assert [row[0] for _, row in own] == ["RSI(14)", "MACD(12, 26, 9)"]
    assert own[0][0].bottom == pytest.approx(own[1][0].top) and own[0][0].top > panes[0].bottom - 1


def test_legends_have_the_last_values_and_the_last_price_is_marked() -> None:
    drawn = scene("rsi")
    close = sample(60).close[-1]
    assert f"{close:.2f}" in words(drawn)
    assert any(text.startswith("X:TEST · 1h") and text.endswith(f"C {close:.2f}") for text in words(drawn))
    assert any(text.startswith("RSI ") for text in words(drawn))


def test_prices_have_the_decimals_of_the_tick() -> None:
    symbols = {"0.01": "118,234.50", "1": "118,234", "0.25": "118,234.50", "0.00001": "118,234.50000"}
    for tick, text in symbols.items():
        assert _price(118_234.5 if tick != "1" else 118_234.0, SymbolInfo(mintick=float(tick))) == text


@pytest.mark.parametrize(
    ("value", "text"), [(1.0823451, "1.08235"), (118_234.56, "118,234.56"), (-2_500_000.0, "-2,500,000.00"), (0.0, "0")]
)
def test_values_in_legends_are_not_cut(value: float, text: str) -> None:
    assert _value(value, {}) == text
    assert _value(value, {"precision": 1}) == f"{value:,.1f}"


def test_a_run_that_began_earlier_is_drawn_like_on_all_bars() -> None:
    """Lines, boxes and labels stay at their bars."""
    pine = (
        '//@version=6\nindicator("x", overlay = true)\nplot(bar_index, "N", display = display.none)\n'
        "if bar_index == 55\n    box.new(50, 30, 55, 20, bgcolor = #FF00FF)\n"
        '    line.new(50, 20, 55, 30, color = #00FFFF)\n    label.new(55, 25, "here")\n'
    )
    whole, part = scene({"pine": pine}, shown=60), scene({"pine": pine}, shown=20)

    def width(drawn: Scene) -> float:
        corners = next(
            each.points
            for layer in drawn.layers
            for each in layer.shapes
            if isinstance(each, Surface) and each.color == 0xFF00FFFF
        )
        return corners[1][0] - corners[0][0]

    assert width(part) == pytest.approx(5 * step(part)) and width(whole) == pytest.approx(5 * step(whole))
    assert "here" in words(part)


def step(drawn: Scene) -> float:
    """The distance of two candles: of their wicks, which are vertical."""
    wicks = sorted(
        {
            each.points[0][0]
            for layer in drawn.layers
            for each in layer.shapes
            if isinstance(each, Stroke) and len(each.points) == 2 and each.points[0][0] == each.points[1][0]
        }
    )
    return min(after - before for before, after in pairwise(wicks) if after - before > 1)


def test_equal_ratios_are_equal_distances_on_a_logarithmic_scale() -> None:
    scale = Scale.around([1, 100], 0, 300, logarithmic=True)
    assert scale.y(1) - scale.y(10) == pytest.approx(scale.y(10) - scale.y(100))
    assert [text for _, text in scale.marks()] == ["1", "2", "5", "10", "20", "50", "100"]
    assert scale.y(0) > 300 and scale.y(-1) > 300


def test_a_logarithmic_scale_needs_positive_prices() -> None:
    given = sample(5)
    given.low[2] = -1
    with pytest.raises(UsageError, match="positive prices"):
        draw(loaded(given, 5), [], logarithmic=True)
    draw(loaded(given, 5), [])


@pytest.mark.parametrize("size", [(399, 600), (7681, 600), (800, 299), (800, 4321), (0, 0)])
def test_sizes_beyond_the_limits_are_refused(size: tuple[int, int]) -> None:
    with pytest.raises(UsageError) as caught:
        draw(loaded(sample(5), 5), [], *size)
    assert "400 to 7680 wide and 300 to 4320 high" in str(caught.value.hint)


@pytest.mark.parametrize("size", [(400, 300), (7680, 4320)])
def test_the_smallest_and_the_largest_picture(size: tuple[int, int]) -> None:
    image = Image.open(io.BytesIO(as_png(draw(loaded(sample(5), 5), [], *size))))
    assert image.size == size


def test_no_bars_and_one_bar_are_drawn() -> None:
    for count in (0, 1):
        given = loaded(sample(count), count)
        runs = [compute(one, given.bars, given.symbol) for one in asked(["rsi", "vpvr", "ichimoku", "session_vp"])]
        assert as_png(draw(given, runs, 400, 300))


def test_the_time_axis_is_in_the_wanted_zone() -> None:
    first, second = (words(scene("rsi", zone=zone)) for zone in ("Etc/UTC", "Asia/Tokyo"))
    assert first != second
    with pytest.raises(UsageError, match="Nowhere"):
        scene("rsi", zone="Europe/Nowhere")


def test_made_up_bars_are_called_so_and_have_no_times() -> None:
    texts = words(draw(load(None, None, 30), [], 800, 600))
    assert any(text.startswith("Sample (made up) · 4h  O ") for text in texts) and "D0" in texts
    assert not any("UTC" in text or "20" in text.split()[-1:] for text in texts)


def test_a_page_and_a_drawing_hold_the_same_shapes() -> None:
    drawn = scene("rsi")
    page, drawing = as_html(drawn), as_svg(drawn)
    inner = page[page.index("<rect") : page.index("</svg>")]
    assert inner in drawing and drawing.startswith("<?xml")


def test_without_runs_only_the_prices_are_drawn() -> None:
    bars = sample(10)
    assert len(chart([], bars, HOUR, Frame(0, 10), "t").layers) >= 3
