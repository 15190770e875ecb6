"""Tools that read the chart's data, compared with the bars that the page holds."""

import csv
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from pinebench.tools import data
from pinebench.tradingview.connection import Connection
from tests.studio.support import BARS, CHART
from tests.tools.conftest import Bench

_DRAWN = """//@version=6
indicator("Relative drawings", overlay = true, max_labels_count = 100)
plot(close, "Last")
if barstate.islast
    for level in array.from(101.257, 101.257, 1.08731)
        line.new(bar_index - 5, level, bar_index, level)
    line.new(bar_index - 5, 1, bar_index, 2)
    for i = 0 to 79
        label.new(bar_index, 100 + i, "label " + str.tostring(i), textcolor = color.white)
    box.new(bar_index - 2, 12, bar_index, 10)
    box.new(bar_index - 2, 10, bar_index, 12)
    table cells = table.new(position.top_right, 2, 2)
    table.cell(cells, 0, 0, "a")
    table.cell(cells, 1, 0, "b")
    table.cell(cells, 0, 1, "")
    table.cell(cells, 1, 1, "d")
"""


def _add(bench: Bench, source: str) -> str:
    """Put a script on the chart; its id."""
    bench.driver.page.bring_to_front()
    bench.driver.editor.write(source)
    assert bench.driver.editor.compile().outcome in ("added", "updated")
    return bench.js(f"{CHART}.getAllStudies().at(-1).id")


def test_the_quote_is_the_last_bar(use: Any, bench: Bench) -> None:
    quote = use("quote_get")
    bar = bench.js(f"{BARS}.valueAt({BARS}.lastIndex())")
    assert [quote[name] for name in ("time", "open", "high", "low", "close", "volume")] == bar
    assert (quote["symbol"], quote["exchange"]) == ("NASDAQ:AAPL", "NASDAQ")


def test_another_symbols_quote_is_its_own_and_the_chart_comes_back(use: Any, bench: Bench) -> None:
    other = use("quote_get", symbol="BINANCE:BTCUSDT")
    assert other["symbol"] == "BINANCE:BTCUSDT"
    assert other["close"] > 1000
    assert bench.js(f"{CHART}.symbol()") == "NASDAQ:AAPL"


def test_older_bars_are_loaded_and_the_view_stays(use: Any, refused: Any, bench: Bench) -> None:
    bench.js(f"new Promise((done) => {CHART}.setSymbol('NASDAQ:AAPL', done))")
    before = use("chart_get_visible_range")["visible_range"]
    done = use("data_load_history", bars=800)
    assert done["complete"] and done["bar_count"] >= 800 and done["loaded"] >= 300
    assert done["bar_count"] == bench.js(f"{BARS}.size()")
    assert done["first_time"] == bench.js(f"{BARS}.valueAt(0)[0]")
    assert use("chart_get_visible_range")["visible_range"] == pytest.approx(before, abs=2 * 86400)
    all_of_them = use("data_load_history", since="1970-01-01")
    assert all_of_them["history_exhausted"] and not all_of_them["complete"]
    assert "no older bars" in all_of_them["note"]
    assert "either bars or since" in refused("data_load_history")
    bench.js(f"new Promise((done) => {CHART}.setSymbol('NASDAQ:AAPL', done))")


def test_a_chart_without_bars_has_no_complete_history(use: Any, bench: Bench) -> None:
    series = f"{CHART}._chartWidget.model().mainSeries()"
    bench.js(
        f"void (window.kept = [{BARS}.firstIndex, {BARS}.lastIndex, {series}.requestMoreDataAvailable],"
        f" {BARS}.firstIndex = {BARS}.lastIndex = () => null, {series}.requestMoreDataAvailable = () => false)"
    )
    try:
        found = use("data_load_history", since="2020-01-31")
    finally:
        bench.js(f"void ([{BARS}.firstIndex, {BARS}.lastIndex, {series}.requestMoreDataAvailable] = window.kept)")
    assert (found["bar_count"], found["complete"]) == (0, False)


def test_prices_of_a_page_whose_session_ended_or_that_replays_are_not_told_as_of_now(
    use: Any, refused: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.driver.set(sessionDisconnected=True)
    for tool in ("quote_get", "data_get_ohlcv", "data_get_study_values", "watchlist_get"):
        assert "Session disconnected" in refused(tool), tool
    bench.driver.set(sessionDisconnected=False)
    bench.js(f"TradingViewApi._replayApi.selectDate({BARS}.valueAt(250)[0] * 1000)")
    bench.driver.until(f"{BARS}.size() === 251")
    quote = use("quote_get")
    shown = bench.js("TradingViewApi._replayApi.currentDate().value()") / 1000
    assert quote["replay"] and quote["replay_date"] == datetime.fromtimestamp(shown, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    assert "replays the past" in quote["notes"][0]
    bench.js("void TradingViewApi._replayApi.stopReplay()")
    bench.driver.until(f"{BARS}.size() === 500")
    assert "replay" not in use("quote_get")
    # On the page itself the last bar should be of now; the studio's sample ends in the past.
    monkeypatch.setattr(Connection, "origin", lambda *_: "tradingview")
    bench.js("void (window.dated = Date.now, Date.now = () => window.dated() + 9 * 86400000)")
    assert "the last bar of NASDAQ:AAPL opened" in use("quote_get")["notes"][0]
    bench.js("void (Date.now = window.dated)")


def test_the_order_book_is_read_while_its_panel_is_open(use: Any, refused: Any, bench: Bench) -> None:
    assert "no order book" in refused("depth_get")
    assert "bid" not in use("quote_get")
    near = round(use("quote_get")["last"] * 1.01, 1)
    for text, wanted in ((f"{near}", near), (f"{near}".replace(".", ","), near), ("1,234.5", None)):
        node = f"<p class=headerRow-x><b class=last-y>{text}</b></p>"
        bench.js(f"document.body.insertAdjacentHTML('beforeend', '{node}')")
        assert use("quote_get").get("header_price") == wanted, "a price far from the last bar is not told"
        bench.js("document.querySelector('.headerRow-x').remove()")
    use("ui_open_panel", panel="trading")
    found = use("depth_get")
    last = use("quote_get")
    assert (found["symbol"], found["source"]) == ("NASDAQ:AAPL", "studio sample")
    assert (found["bid_levels"], found["ask_levels"]) == (10, 10)
    assert found["bids"] == sorted(found["bids"], key=lambda level: -level["price"])
    assert found["asks"] == sorted(found["asks"], key=lambda level: level["price"])
    assert found["bids"][0]["price"] == last["bid"] < found["asks"][0]["price"] == last["ask"]
    assert found["spread"] == pytest.approx(last["ask"] - last["bid"])
    assert all(level["size"] > 0 for level in found["bids"] + found["asks"])
    assert use("depth_get") == found
    use("ui_open_panel", panel="trading", action="close")


LADDER = """<div class="dom-k2"><div class="row-1"><i class="bidSize-a"></i><i class="price-b">68,421.50</i>
<i class="askSize-c">1.2K</i></div><div class="row-1"><i class="bidSize-a">0.75</i><i class="price-b">68,420.00</i>
<i class="askSize-c"></i></div></div>"""
SIDED = """<table class="orderBook-x"><tr class="sell"><td class="price">0,0125</td><td class="qty">1 250</td></tr>
<tr class="buy"><td class="price">0,0124</td><td class="qty">3</td></tr></table>"""
UNSIDED = """<div class="dom-k3"><div class="row-1"><i class="price-b">12.50</i><i class="size-a">7</i></div>
<div class="row-1"><i class="price-b">12.25</i><i class="size-a">3</i></div></div>"""
UNSIZED = """<table class="orderBook-x"><tr class="sell"><td class="price">12.5</td><td class="qty">…</td></tr>
</table>"""
BARE = """<table data-name="dom"><tr><td>5</td><td>12.5</td></tr></table>"""


@pytest.mark.parametrize(
    ("markup", "bids", "asks", "raw"),
    [
        (LADDER, [{"price": 68420.0, "size": 0.75}], [{"price": 68421.5, "size": 1200.0}], []),
        (SIDED, [{"price": 0.0124, "size": 3}], [{"price": 0.0125, "size": 1250}], []),
        (UNSIDED, [], [], [12.5, 7, 12.25, 3]),
        (UNSIZED, [], [{"price": 12.5, "size": None}], []),
        (BARE, [], [], [5, 12.5]),
    ],
)
def test_order_books_of_other_builds_are_read(
    use: Any, bench: Bench, markup: str, bids: Any, asks: Any, raw: Any
) -> None:
    bench.js(f"void document.body.insertAdjacentHTML('beforeend', {json.dumps(f'<div id=other>{markup}</div>')})")
    try:
        found = use("depth_get")
    finally:
        bench.js("document.getElementById('other').remove()")
    assert (found["bids"], found["asks"], found.get("raw_values", [])) == (bids, asks, raw)
    assert ("note" in found) == bool(raw)


def test_bars_are_given_whole_or_summed_up(use: Any, bench: Bench) -> None:
    found = use("data_get_ohlcv", count=3)
    last = bench.js(f"[2, 1, 0].map(i => {BARS}.valueAt({BARS}.lastIndex() - i))")
    assert [list(bar.values()) for bar in found["bars"]] == last
    assert found["total_available"] == bench.js(f"{BARS}.size()")
    many = use("data_get_ohlcv", count=100_000)
    assert many["bar_count"] == 500
    assert "count 100000 is above this tool's limit, so 500 was used" in many["notes"]
    assert not any("was taken" in note for note in found.get("notes", []))
    summary = use("data_get_ohlcv", count=50, summary=True)
    assert "bars" not in summary
    assert summary["high"] == max(
        bar[2] for bar in bench.js(f"Array.from({{length: 50}}, (_, i) => {BARS}.valueAt({BARS}.lastIndex() - i))")
    )
    assert len(summary["last_5_bars"]) == 5
    assert summary["change_pct"].endswith("%")


@pytest.mark.parametrize(("first", "last", "change"), [(-37.6, -40.0, "-6.38%"), (-4.0, 2.0, "150.00%"), (0, 1, "n/a")])
def test_a_change_from_a_negative_price_has_its_own_sign(first: float, last: float, change: str) -> None:
    """Crude oil closed at -37.63 in 2020; a fall from there was told as a rise."""
    bar = {"time": 0, "high": 3.0, "low": -50.0, "volume": None}
    rows = [{**bar, "open": first, "close": first}, {**bar, "open": last, "close": last}]
    assert data.summarised(cast("list[data.BarRecord]", rows))["change_pct"] == change


def test_computed_bars_are_not_told_as_prices_of_the_market(use: Any, bench: Bench) -> None:
    """The bars of Heikin Ashi are averages: nobody traded at their prices."""
    assert not any("computed" in note for note in use("quote_get").get("notes", []))
    use("chart_set_type", chart_type="HeikinAshi")
    try:
        for name in ("quote_get", "data_get_ohlcv", "data_get_study_values", "pane_read"):
            assert any("shows HeikinAshi bars" in note for note in use(name)["notes"]), name
    finally:
        use("chart_set_type", chart_type="Candles")


def test_bars_without_a_volume_have_none(use: Any, bench: Bench) -> None:
    """Some symbols, such as currencies and indices, have no volume; 0 would be a figure."""
    bench.js(f"{BARS}.was = {BARS}.valueAt; {BARS}.valueAt = (at) => {BARS}.was(at)?.slice(0, 5)")
    assert use("quote_get")["volume"] is None
    assert [bar["volume"] for bar in use("data_get_ohlcv", count=2)["bars"]] == [None, None]
    assert use("data_get_ohlcv", count=9, summary=True)["avg_volume"] is None
    bench.js(f"{BARS}.valueAt = (at) => {BARS}.was(at) && [...{BARS}.was(at).slice(0, 5), NaN]")
    assert use("data_get_ohlcv", count=9, summary=True)["avg_volume"] is None
    bench.js(f"{BARS}.valueAt = {BARS}.was; delete {BARS}.was")


def test_bars_are_written_for_spreadsheets(use: Any, refused: Any, bench: Bench, tmp_path: Path) -> None:
    path = tmp_path / "aapl.csv"
    written = use("data_export_csv", path=str(path))
    rows = list(csv.reader(path.open(encoding="utf-8")))
    assert rows[0] == ["time", "open", "high", "low", "close", "volume"]
    assert len(rows) == written["rows"] + 1 == bench.js(f"{BARS}.size()") + 1
    assert rows[-1][0].endswith("Z")
    assert [float(value) for value in rows[-1][1:]] == bench.js(f"{BARS}.valueAt({BARS}.lastIndex())")[1:]
    assert refused("data_export_csv", path=str(path))
    assert "must end in .csv" in refused("data_export_csv", path=str(tmp_path / "x.pine"))
    study = use("chart_manage_indicator", action="add", indicator="Relative Strength Index")["entity_id"]
    beside = use("data_export_csv", path=str(tmp_path / "b.csv"), what="studies")
    assert beside["columns"][-1] == "Relative Strength Index: RSI"
    bench.driver.set(noExport=True)  # then the studies' own series have the values
    assert use("data_export_csv", path=str(tmp_path / "c.csv"), what="studies")["columns"] == beside["columns"]
    assert (tmp_path / "c.csv").read_text().splitlines()[-1] == (tmp_path / "b.csv").read_text().splitlines()[-1]
    bench.driver.set(noExport=False)
    use("chart_manage_indicator", action="remove", entity_id=study)


_SLOW = """//@version=6
indicator("Slow", overlay = true)
float sum = 0.0
for i = 0 to 1500
    sum += math.sqrt(i) - math.sqrt(i)
plot(close + sum, "Last")
plotshape(barstate.islast, "Here", shape.triangleup, location.belowbar)
if barstate.islast
    line.new(bar_index - 5, 7, bar_index, 7)
"""


_PLAIN = """//@version=6
indicator("Plain", overlay = true)
plotshape(barstate.isfirst, "Here", shape.triangleup, location.belowbar)
"""


def test_studies_that_are_being_computed_are_waited_for(use: Any, bench: Bench) -> None:
    """Whoever asks right after a compile is not told that a script says and draws nothing."""
    bench.driver.page.bring_to_front()
    for number, name in enumerate(("data_get_study_values", "data_get_pine_lines", "data_get_pine_shapes")):
        bench.driver.editor.write(_SLOW.replace("Slow", f"Slow {number}"))
        assert bench.driver.editor.compile().outcome in ("added", "updated")
        told = use(name)
        assert [each["name"] for each in told["studies"]] == [f"Slow {number}"], told
    bench.js(f"{CHART}.removeAllStudies()")


def test_a_script_that_is_still_computed_is_listed_as_such(
    use: Any, refused: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nobody is told that a script draws nothing while it is computed."""
    study = _add(bench, _PLAIN)
    tools = ("data_get_pine_lines", "data_get_pine_tables", "data_get_pine_shapes")
    assert [use(name, study_filter="Plain")["studies"] for name in tools[:2]] == [[], []]
    found = (
        f"{CHART}._chartWidget.model().model().dataSources().find((one) => one.metaInfo?.().description === 'Plain')"
    )
    assert use("data_get_study_values", study_filter="Plain")["studies"][0]["values"]
    bench.js(f"void ({found}.isLoading = () => true)")
    monkeypatch.setattr("pinebench.tools.timing.COMPUTED_MS", 100)
    for name in (*tools, "data_get_study_values"):
        (told,) = use(name, study_filter="Plain")["studies"]
        assert told["note"] == "it is still being computed", name
    (values,) = use("data_get_study_values", study_filter="Plain")["studies"]
    assert values["values"] == {}  # they may be those of the former symbol or inputs
    path = tmp_path / "plain.csv"
    assert "still computing Plain" in refused("data_export_csv", path=str(path), what="studies")
    assert not path.exists()
    use("chart_manage_indicator", action="remove", entity_id=study)


def test_values_are_of_the_last_bar_wherever_the_crosshair_is(use: Any, bench: Bench) -> None:
    """A person's pointer over an old bar made its values the last ones."""
    head = '//@version=6\nindicator("Pointed", overlay = true, format = format.volume)\n'
    _add(bench, head + 'plot(close, "Close")\nplot(volume, "Vol")\n')
    before = use("data_get_study_values", study_filter="Pointed")["studies"][0]
    assert before["source"] == "data_window" and "note" not in before
    box = bench.js(
        "(({x, y, width, height}) => [x + width / 3, y + height / 2])"
        "(document.querySelector('[data-name=pane-canvas]').getBoundingClientRect())"
    )
    bench.driver.connection.command("Input.dispatchMouseEvent", type="mouseMoved", x=box[0], y=box[1])
    source = f"{CHART}._chartWidget.model().model().dataSources().at(-1)"
    last = bench.js(f"{BARS}.valueAt({BARS}.lastIndex())")
    try:
        bench.driver.until(f"{source}.dataWindowView().items()[0]._value !== {json.dumps(before['values']['Close'])}")
        found = use("data_get_study_values", study_filter="Pointed")["studies"][0]
    finally:
        bench.driver.connection.command("Input.dispatchMouseEvent", type="mouseMoved", x=2, y=2)
        bench.js(f"{CHART}.removeAllStudies()")
    assert found["source"] == "series" and "another bar" in found["note"]
    assert (float(found["values"]["Close"]), float(found["values"]["Vol"])) == (last[4], last[5])


def test_what_scripts_drew_is_read(use: Any, bench: Bench) -> None:
    study, name = _add(bench, _DRAWN), "Relative drawings"
    (lines,) = use("data_get_pine_lines")["studies"]
    assert lines == {"name": name, "total_lines": 4, "horizontal_levels": [101.26, 1.08731]}
    assert len(use("data_get_pine_lines", verbose=True)["studies"][0]["all_lines"]) == 4
    coarse = use("data_get_pine_lines", precision=1)["studies"][0]["horizontal_levels"]
    assert coarse == [101.3, 1.1]
    (labels,) = use("data_get_pine_labels", max_labels=2)["studies"]
    assert labels["total_labels"] == 80
    assert labels["labels"] == [{"text": "label 78", "price": 178}, {"text": "label 79", "price": 179}]
    assert use("data_get_pine_labels")["studies"][0]["showing"] == 50
    assert (
        use("data_get_pine_labels", verbose=True, max_labels=1)["studies"][0]["labels"][0]["textColor"] == "#FFFFFFFF"
    )
    (boxes,) = use("data_get_pine_boxes", verbose=True)["studies"]
    assert boxes["zones"] == [{"high": 12, "low": 10}]
    assert len(boxes["all_boxes"]) == 2
    (tables,) = use("data_get_pine_tables")["studies"]
    assert tables["tables"] == [{"rows": ["a | b", " | d"]}]
    marked = use("data_get_pine_labels", study_filter="relative")
    assert marked["untrusted"] == ["studies"]
    assert use("data_get_pine_lines", study_filter="nothing like it")["study_count"] == 0
    use("chart_manage_indicator", action="remove", entity_id=study)
