"""The places of values: a table of kinds of outputs and flags of `display`, and the labels that scales draw."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from tests.studio.support import BARS, CHART, FRAMES, Driver, away

PLACES = ("pane", "price_scale", "status_line", "data_window")
OUTPUTS = {
    "plot": ("plot({value}, '{title}', color = color.white, display = {display})", PLACES),
    "plotshape": ("plotshape({value}, '{title}', display = {display})", ("status_line", "data_window")),
    "plotchar": ("plotchar({value}, '{title}', '', location.top, display = {display})", ("status_line", "data_window")),
    "plotarrow": ("plotarrow({value}, '{title}', display = {display})", ("status_line", "data_window")),
    "plotcandle": (
        "plotcandle({value}, {value}, {value}, {value}, '{title}', color = color.white, display = {display})",
        ("price_scale", "status_line", "data_window"),
    ),
    "plotbar": (
        "plotbar({value}, {value}, {value}, {value}, '{title}', color = color.white, display = {display})",
        ("price_scale", "status_line", "data_window"),
    ),
}
"""The calls of all kinds of outputs with values, and the places at which their values are written as text."""
WATCH_TEXTS = """(() => {
  if (window.__texts !== undefined) return;
  window.__texts = [];
  const plain = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const { f } = this.getTransform();
    if (this.canvas.clientWidth < 140 && this.canvas.isConnected) window.__texts.push([String(text), y + f]);
    return plain.apply(this, arguments);
  };
})()"""


@pytest.fixture
def page(shared: Driver) -> Iterator[Driver]:
    """The module's page without studies, on the regular scale."""
    yield shared
    shared.js(f"{CHART}.removeAllStudies()")
    scale(shared, "Regular")


def scale(page: Driver, mode: str) -> None:
    """Choose how the scale of the prices runs, as a person does."""
    page.click('[data-name="chart-scale-menu"]')
    items = "[...document.querySelectorAll('[role^=\"menuitem\"]')]"
    item = f"{items}.find((one) => one.textContent.includes({json.dumps(mode)}))"
    page.until(f"{item} !== undefined")
    page.js(f"{item}.click()")


def add(page: Driver, declared: str, *lines: str) -> None:
    page.editor.write("\n".join(["//@version=6", declared, *lines, ""]))
    assert page.editor.compile().outcome in ("added", "updated")
    away(page)


def on_scales(page: Driver) -> list[tuple[str, float]]:
    """The texts that the axes of prices draw, with their heights, once all of them are drawn anew."""
    page.js(WATCH_TEXTS)
    page.js("window.__texts.length = 0")
    page.js(f"(document.body.style.width = 'calc(100% - 2px)', {FRAMES})")
    page.js("window.__texts.length = 0")
    page.js(f"(document.body.style.width = '', {FRAMES})")
    page.until("window.__texts.length > 5")
    return [(text, y) for text, y in page.js("window.__texts")]


def rows_of_data(page: Driver) -> list[list[str]]:
    """The rows of the data window: names and values."""
    page.click('[data-name="data-window-button"]')
    page.until("document.querySelector('[data-name=\"data-window-bar\"] > div') !== null")
    row = "[row.querySelector('dt').firstChild.textContent.trim(), row.querySelector('dd').textContent]"
    return page.js(f"[...document.querySelectorAll('[data-name=\"data-window-bar\"] > div')].map((row) => {row})")


def legend(page: Driver) -> list[str]:
    """The values of the study in the legend."""
    values = "[...document.querySelectorAll('.legend__plots > span')]"
    page.until(f"{values}.length > 0")
    return page.js(f"{values}.map((one) => one.textContent)")


def test_each_output_is_written_at_the_places_of_its_display_and_at_no_other(page: Driver) -> None:
    """The flags are independent: a plot without its line keeps its label, and a mark without text its value."""
    cases: list[tuple[str, str, tuple[str, ...]]] = []
    for number, (kind, (call, places)) in enumerate(OUTPUTS.items()):
        # A script may have 64 plots, and each candle counts as several.
        few = ("data_window", "all") if kind in ("plotcandle", "plotbar") else (*PLACES, "all", "none")
        for flag, place in enumerate(few):
            value = 201 + number * 6 + flag
            line = call.format(value=value, title=value, display=f"display.{place}")
            cases.append((line, f"{value}.00", tuple(each for each in places if place in (each, "all"))))
    add(page, 'indicator("Table", overlay = true)', *[line for line, _, _ in cases])
    found = {
        "status_line": legend(page),
        "data_window": [value for _, value in rows_of_data(page)],
        "price_scale": [text for text, _ in on_scales(page)],
    }
    for line, text, expected in cases:
        for place, texts in found.items():
            if place == "price_scale" and place not in expected and not line.startswith("plot("):
                continue  # the axis has round prices, too
            assert (text in texts) == (place in expected), (line, place)


def test_each_input_is_written_at_the_places_of_its_display(page: Driver) -> None:
    inputs = {
        "input.int(7, 'N')": "7",
        "input.string('SMA', 'Kind', options = ['SMA', 'EMA'])": "SMA",
        "input.session('0930-1600', 'Hours')": "0930-1600",
        "input.timeframe('60', 'Frame')": "60",
        "input.symbol('NASDAQ:MSFT', 'Other')": "NASDAQ:MSFT",
        "input.enum(E.one, 'Enum')": "First",
        "input.bool(true, 'On', display = display.all)": "true",
        "input.bool(true, 'Hidden')": "",
        "input.int(99, 'Silent', display = display.data_window)": "",
    }
    lines = [f"i{number} = {call}" for number, call in enumerate(inputs)]
    add(page, 'indicator("In", overlay = true)', "enum E", '    one = "First"', *lines, "plot(close)")
    title = page.js("document.querySelector('[data-name=\"legend-study-title\"]').textContent")
    assert title == " ".join(["In", *filter(None, inputs.values())])
    data = dict(rows_of_data(page))
    assert data["Silent"] == "99" and data["Kind"] == "SMA" and "Hidden" not in data


def test_labels_have_the_unit_of_their_scale_and_the_last_price_is_never_covered(page: Driver) -> None:
    near = "plot(close - 0.1, 'Near', color = color.white)"
    add(page, 'indicator("Labels", overlay = true)', near, "plot(close * 0.999, 'Nearer', color = color.white)")
    close = page.js(f"{BARS}.valueAt({BARS}.lastIndex())[4]")
    regular = on_scales(page)
    labels = {f"{close:.2f}", f"{close - 0.1:.2f}", f"{close * 0.999:.2f}"}
    assert labels <= {text for text, _ in regular}
    heights = sorted(y for text, y in dict(regular).items() if text in labels)
    assert all(after - before >= 18 for before, after in pairwise(heights)), regular
    bars = page.js(f"Array.from({{length: {BARS}.size()}}, (_, i) => {BARS}.valueAt(i))")
    units = {
        "Percent": lambda value, first: f"{(value / first - 1) * 100:.2f}%",
        "Indexed to 100": lambda value, first: f"{value / first * 100:.2f}",
    }
    for mode, text in units.items():
        scale(page, mode)
        drawn = {each.replace("−", "-") for each, _ in on_scales(page)}
        # All labels count from the same bar at the left edge, which may be cut.
        begins = page.js(f"{CHART}.getVisibleRange().from")
        seen = next(index for index, bar in enumerate(bars) if bar[0] >= begins)
        firsts = [bars[index][4] for index in range(seen - 3, seen + 4)]
        expected = [{text(value, first) for value in (close, close - 0.1, close * 0.999)} for first in firsts]
        assert any(each <= drawn for each in expected), (mode, sorted(drawn), expected)
        assert not labels & drawn


def test_a_bar_has_one_date_everywhere_and_a_day_has_no_time(page: Driver) -> None:
    page.js("TradingView.bottomWidgetBar.showWidget('pine-editor')")
    entry = "if bar_index % 40 == 10\n    strategy.entry('In', strategy.long)"
    add(page, 'strategy("Dated", overlay = true)', entry, "if bar_index % 40 == 30", "    strategy.close('In')")
    texts = {
        "legend": "document.querySelector('.legend__date')?.textContent",
        "data window": "document.querySelector('[data-name=\"data-window-bar\"] dd')?.textContent",
        "list of bars": "document.querySelector('.dataWindow tbody tr[aria-current] th')?.textContent",
    }
    trade = "document.querySelector('[data-name=\"trade-row\"] td:nth-child(3)')?.textContent.split(' · ')[1]"
    for resolution, form in (("1D", r"\d{4}-\d\d-\d\d"), ("60", r"\d{4}-\d\d-\d\d \d\d:\d\d")):
        page.js(f"new Promise((done) => {CHART}.setResolution('{resolution}', done))")
        away(page)
        page.click('[data-name="data-window-button"]')
        found = {place: page.until(text) for place, text in texts.items()}
        assert len(set(found.values())) == 1 and re.fullmatch(form, found["legend"]), found
        page.js("TradingView.bottomWidgetBar.showWidget('backtesting')")
        page.until("document.querySelectorAll('.strategyReport__tab').length > 2")
        page.js("document.querySelectorAll('.strategyReport__tab')[2].click()")
        page.until(f"/^{form}$/.test({trade} ?? '')")
    page.js(f"new Promise((done) => {CHART}.setResolution('1D', done))")


def test_ticks_have_the_format_of_their_script(page: Driver) -> None:
    add(page, 'indicator("Share", format = format.percent, precision = 3)', "plot(bar_index % 20 - 10.0)")
    study = [text for text, _ in on_scales(page) if text.endswith("%")]
    assert len(study) > 3 and all(re.fullmatch(r"−?[\d,]+\.\d{3}%", text) for text in study), study


@pytest.mark.parametrize(
    ("symbol", "form"), [("OANDA:EURUSD", r"\d\.\d{5}"), ("BINANCE:BTCUSDT", r"\d{2},\d{3}\.\d{2}")]
)
def test_the_scale_writes_prices_as_the_label_of_the_last_price_does(page: Driver, symbol: str, form: str) -> None:
    page.js(f"new Promise((done) => {CHART}.setSymbol('{symbol}', done))")
    texts = {text for text, _ in on_scales(page)}
    page.js(f"new Promise((done) => {CHART}.setSymbol('NASDAQ:AAPL', done))")
    assert len(texts) > 3
    assert [text for text in texts if not re.fullmatch(form, text)] == []
