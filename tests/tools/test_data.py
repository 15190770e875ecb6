"""Tools that read the chart's data, compared with the bars that the page holds."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from tests.studio.support import BARS, CHART
from tests.tools.conftest import Bench

_GRAPHICS = """(() => {
  const kept = (entries) => ({ _primitivesDataById: new Map(entries) });
  const wrapped = (name, map, entries) => [name, new Map([[map, new Map([[false, kept(entries)]])]])];
  const flat = (name, map, entries) => [name, new Map([[map, kept(entries)]])];
  const chart = TradingViewApi._activeChartWidgetWV.value();
  const model = chart._chartWidget.model().model();
  const source = model.dataSources()[0];
  source._graphics = { _primitivesCollection: Object.fromEntries([
    wrapped('dwglines', 'lines', [
      [1, { y1: 101.257, y2: 101.257, x1: 5, x2: 9, st: 'sol', w: 1, ci: 0 }],
      [2, { y1: 101.257, y2: 101.257, x1: 6, x2: 9, st: 'sol', w: 1, ci: 0 }],
      [3, { y1: 1.08731, y2: 1.08731, x1: 6, x2: 9, st: 'sol', w: 1, ci: 0 }],
      [4, { y1: 1, y2: 2, x1: 6, x2: 9, st: 'sol', w: 1, ci: 0 }]]),
    wrapped('dwglabels', 'labels', Array.from({ length: 80 },
      (_, i) => [i, { t: 'label ' + i, y: 100 + i, x: i, yl: 'pr', sz: 'sm', tci: 1, ci: 2 }])),
    wrapped('dwgboxes', 'boxes', [
      [1, { y1: 10, y2: 12, x1: 1, x2: 2, c: 3, bc: 4 }], [2, { y1: 12, y2: 10, x1: 1, x2: 2, c: 3, bc: 4 }]]),
    flat('dwgtablecells', 'tableCells', [
      [1, { tid: 7, row: 1, col: 1, t: 'd' }], [2, { tid: 7, row: 0, col: 0, t: 'a' }],
      [3, { tid: 7, row: 0, col: 1, t: 'b' }], [4, { tid: 7, row: 1, col: 0, t: '' }]]),
  ]) };
  return source.metaInfo().description;
})()"""


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


def test_bars_are_given_whole_or_summed_up(use: Any, bench: Bench) -> None:
    found = use("data_get_ohlcv", count=3)
    last = bench.js(f"[2, 1, 0].map(i => {BARS}.valueAt({BARS}.lastIndex() - i))")
    assert [list(bar.values()) for bar in found["bars"]] == last
    assert found["total_available"] == bench.js(f"{BARS}.size()")
    assert use("data_get_ohlcv", count=100_000)["bar_count"] == 500
    summary = use("data_get_ohlcv", count=50, summary=True)
    assert "bars" not in summary
    assert summary["high"] == max(
        bar[2] for bar in bench.js(f"Array.from({{length: 50}}, (_, i) => {BARS}.valueAt({BARS}.lastIndex() - i))")
    )
    assert len(summary["last_5_bars"]) == 5
    assert summary["change_pct"].endswith("%")


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
    use("chart_manage_indicator", action="remove", entity_id=study)


def test_what_scripts_drew_is_read(use: Any, bench: Bench) -> None:
    study = use("chart_manage_indicator", action="add", indicator="Relative Strength Index")["entity_id"]
    name = bench.js(_GRAPHICS)
    (lines,) = use("data_get_pine_lines")["studies"]
    assert lines == {"name": name, "total_lines": 4, "horizontal_levels": [101.26, 1.08731]}
    assert len(use("data_get_pine_lines", verbose=True)["studies"][0]["all_lines"]) == 4
    (labels,) = use("data_get_pine_labels", max_labels=2)["studies"]
    assert labels["total_labels"] == 80
    assert labels["labels"] == [{"text": "label 78", "price": 178}, {"text": "label 79", "price": 179}]
    assert use("data_get_pine_labels")["studies"][0]["showing"] == 50
    assert use("data_get_pine_labels", verbose=True, max_labels=1)["studies"][0]["labels"][0]["textColor"] == 1
    (boxes,) = use("data_get_pine_boxes", verbose=True)["studies"]
    assert boxes["zones"] == [{"high": 12, "low": 10}]
    assert len(boxes["all_boxes"]) == 2
    (tables,) = use("data_get_pine_tables")["studies"]
    assert tables["tables"] == [{"rows": ["a | b", "d"]}]
    marked = use("data_get_pine_labels", study_filter="relative")
    assert marked["untrusted"] == ["studies"]
    assert use("data_get_pine_lines", study_filter="nothing like it")["study_count"] == 0
    use("chart_manage_indicator", action="remove", entity_id=study)
