"""Several runs on the same bars: their panes, what is cut off, scales, time axes, and the limits of size."""

import io
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from PIL import Image

from pinebench.charts import THEMES, ChartDescription, PictureFrame, as_png, chart
from pinebench.charts.picture_layout import scene as laid_out
from pinebench.charts.picture_layout import stacked
from pinebench.charts.scales import Axis, Scale
from pinebench.charts.scene import Scene, SceneText, Surface
from pinebench.errors import UsageError
from pinebench.indicators import SourceBars, asked, compute, draw, load
from pinebench.market.bars import Bars, SymbolInfo
from tests.indicators.sample import HOUR, sample


def loaded(given: Bars, shown: int) -> SourceBars:
    return SourceBars(given, HOUR, "1h", "file", shown, "X:TEST")


def scene(*entries: Any, **more: Any) -> Scene:
    return laid_out(described(*entries, **more))


def described(*entries: Any, count: int = 60, shown: int = 60, **more: Any) -> ChartDescription:
    given = loaded(sample(count), shown)
    runs = [compute(one, given.bars, given.symbol, shown) for one in asked(entries)]
    return draw(given, runs, 800, 600, **more)


def words(drawn: Scene) -> list[str]:
    return [shape.text for layer in drawn.layers for shape in layer.shapes if isinstance(shape, SceneText)]


def test_overlays_share_the_pane_of_the_prices_and_panels_get_their_own() -> None:
    drawn = scene("bbands", "rsi", "emas", "macd")
    panes = [layer for layer in drawn.layers if any(isinstance(each, SceneText) for each in layer.shapes)]
    titles = [[each.text for each in layer.shapes if isinstance(each, SceneText)] for layer in panes]
    assert {"BB(20, 2)", "EMA Stack"} <= set(titles[0])
    own = [(layer, row) for layer, row in zip(panes, titles, strict=True) if {"RSI(14)", "MACD(12, 26, 9)"} & set(row)]
    assert [row[0] for _, row in own] == ["RSI(14)", "MACD(12, 26, 9)"]
    assert own[0][0].bottom == own[1][0].top - 1 and own[0][0].top > panes[0].bottom - 1


def test_legends_have_the_last_values_and_the_last_price_is_marked() -> None:
    drawn = scene("rsi")
    close = sample(60).close[-1]
    assert f"{close:.2f}" in words(drawn)
    assert any(text.startswith("X:TEST · 1h") and f"C {close:.2f}" in text for text in words(drawn))
    assert any(text.startswith("RSI ") for text in words(drawn))


def test_prices_have_the_decimals_of_the_tick() -> None:
    symbols = {"0.01": "118,234.50", "1": "118,234", "0.25": "118,234.50", "0.00001": "118,234.50000"}
    for tick, text in symbols.items():
        bars = sample(2)
        bars.close[-1] = 118_234.5 if tick != "1" else 118_234.0
        drawn = laid_out(chart([], bars, SymbolInfo(mintick=float(tick)), PictureFrame(0, 2), "t"))
        assert text in words(drawn)


def pine_scene(declared: str, *plots: str) -> Scene:
    return scene({"pine": "\n".join(["//@version=6", f'indicator("x"{declared})', *plots])})


def labels(drawn: Scene) -> list[SceneText]:
    """The labels on axes: they are on a ground of their own, in white or black."""
    found = [shape for layer in drawn.layers for shape in layer.shapes if isinstance(shape, SceneText)]
    return [each for each in found if each.color in (0xFFFFFFFF, 0x0F1318FF)]


def test_values_have_the_decimals_of_the_plot_else_of_the_script_else_of_the_prices() -> None:
    cases = {"": "1.08", ", precision = 4": "1.0823", ", format = format.percent": "1.08%"}
    for declared, text in cases.items():
        drawn = pine_scene(declared, 'plot(1.0823451, "V")', 'plot(-2500000.126, "W", precision = 1)')
        assert f"V {text}" in words(drawn) and [each.text for each in labels(drawn)].count(text) == 1
        assert any(each.startswith("W −2,500,000.1") for each in words(drawn))


def test_no_label_on_an_axis_covers_another_and_the_last_price_stays() -> None:
    alone, *_ = labels(pine_scene(", overlay = true", 'plot(close, "A", display = display.pane)'))
    plots = ['plot(close, "A")', 'plot(close + 0.01, "B", display = display.price_scale)', 'plot(close - 0.01, "C")']
    found = labels(pine_scene(", overlay = true", *plots))
    assert len(found) == 4 and found[0].y == pytest.approx(alone.y, abs=1)
    assert all(after - before >= 18 for before, after in pairwise(sorted(each.y for each in found)))


def test_labels_move_away_from_the_first_that_is_seen() -> None:
    assert stacked([50, 45, 52, 300, 51], 0, 100) == [50, 32, 86, 300, 68]
    assert stacked([-20, 60, 60], 0, 100) == [-20, 60, 78] and stacked([], 0, 100) == []


def test_a_run_that_began_earlier_is_drawn_like_on_all_bars() -> None:
    """Lines, boxes and labels stay at their bars."""
    pine = (
        '//@version=6\nindicator("x", overlay = true)\nplot(bar_index, "N", display = display.none)\n'
        "if bar_index == 55\n    box.new(50, 30, 55, 20, bgcolor = #FF00FF)\n"
        '    line.new(50, 20, 55, 30, color = #00FFFF)\n    label.new(55, 25, "here")\n'
    )
    for shown in (60, 20):
        drawn = described({"pine": pine}, shown=shown)
        [corners] = [
            each.points
            for layer in laid_out(drawn).layers
            for each in layer.shapes
            if isinstance(each, Surface) and each.color == 0xFF00FFFF
        ]
        step = (800 - 8 - 84) / (shown + drawn.ahead)
        assert corners[1][0] - corners[0][0] == pytest.approx(5 * step)
        assert 8 + (50 - (60 - shown) + 0.5) * step - 0.5 == pytest.approx(corners[0][0])
        assert "here" in words(laid_out(drawn))


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


def test_marks_of_the_time_axis_are_the_openings_of_sessions_months_and_years() -> None:
    """Two sessions from 9:30 to 16:00 in New York, over a year's end."""
    days = [datetime(2024, 12, 31, 14, 30, tzinfo=UTC), datetime(2025, 1, 2, 14, 30, tzinfo=UTC)]
    times = [int((day + timedelta(minutes=30 * bar)).timestamp() * 1000) for day in days for bar in range(13)]
    wide = Axis(times, 0, 26, 0, 26 * 40, 0, "America/New_York")
    assert dict(wide.marks())[13] == "2025" and {10, 16} & dict(wide.marks()).keys() == {16}
    assert all(after - before >= 2 for before, after in pairwise(sorted(dict(wide.marks()))))
    months = [int(datetime(2024, month, 1, 5, tzinfo=UTC).timestamp() * 1000) for month in range(1, 13)]
    assert [text for _, text in Axis(months, 0, 12, 0, 1200, 0, "America/New_York").marks()][1:] == [
        f"{datetime(2024, month, 1):%b}" for month in range(2, 13)
    ]
    assert "5" in [text for _, text in Axis([day * 86_400_000 for day in range(9)], 0, 9, 0, 900, 0).marks()]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_theme_has_its_ground_and_texts_that_can_be_read_on_it(theme: str) -> None:
    colors = THEMES[theme]
    drawn = scene("rsi", theme=theme)
    assert drawn.background == colors.background
    inks = {shape.color for layer in drawn.layers for shape in layer.shapes if isinstance(shape, SceneText)}
    assert colors.ink in inks
    bright = [sum(color >> shift & 0xFF for shift in (8, 16, 24)) for color in (colors.ink, colors.background)]
    assert abs(bright[0] - bright[1]) > 450


def test_a_theme_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="no theme 'blue'"):
        scene("rsi", theme="blue")


def test_volumes_are_at_the_foot_of_the_prices_pane_and_left_out_if_there_are_none() -> None:
    bars = sample(20)
    colors = {THEMES["light"].volume_up, THEMES["light"].volume_down}

    def volumes() -> list[Surface]:
        layers = laid_out(chart([], bars, HOUR, PictureFrame(0, 20), "t")).layers
        return [each for layer in layers for each in layer.shapes if isinstance(each, Surface) and each.color in colors]

    tops = [each.points[0][1] for each in volumes()]
    assert len(tops) == 20 and tops.index(min(tops)) == bars.volume.index(max(bars.volume))
    assert min(tops) == round(872 - 0.16 * (872 - 26)) and {each.points[2][1] for each in volumes()} == {872}
    bars.volume[:] = [0.0] * 20
    assert not volumes()


def test_the_time_axis_is_in_the_wanted_zone() -> None:
    first, second = (words(scene("rsi", zone=zone)) for zone in ("Etc/UTC", "Asia/Tokyo"))
    assert first != second
    with pytest.raises(UsageError, match="Nowhere"):
        scene("rsi", zone="Europe/Nowhere")


def test_made_up_bars_are_called_so_and_have_no_times() -> None:
    texts = words(laid_out(draw(load(None, None, 30), [], 800, 600)))
    assert any(text.startswith("Sample (made up) · 4h  O ") for text in texts) and "D0" in texts
    assert not any("UTC" in text or "20" in text.split()[-1:] for text in texts)


def test_without_runs_only_the_prices_are_drawn() -> None:
    bars = sample(10)
    assert len(laid_out(chart([], bars, HOUR, PictureFrame(0, 10), "t")).layers) >= 3
