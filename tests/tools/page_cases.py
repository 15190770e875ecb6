"""What the tools for data are asked on a page, and when their answers are right."""

import csv
import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pinebench.context import Context
from pinebench.tools.chart_streams import stream
from tests.studio.support import BARS, CHART
from tests.tools.conftest import Bench

AAPL, MSFT = "NASDAQ:AAPL", "NASDAQ:MSFT"
MARK = "Trend ribbon"
SCRIPT = """//@version=6
strategy("Everything", overlay = true, initial_capital = 10000, default_qty_value = 10)
int length = input.int(5, "Length", minval = 1)
float mean = ta.sma(close, length)
bool up = ta.crossover(close, mean)
if up
    strategy.entry("L", strategy.long)
if ta.crossunder(close, mean)
    strategy.entry("S", strategy.short)
plot(mean, "Mean")
plotshape(up, "Up", shape.triangleup, location.belowbar, text = "U")
if barstate.islast
    line.new(bar_index - 5, close, bar_index, close)
    label.new(bar_index, high, "here")
    box.new(bar_index - 3, high, bar_index, low)
    table.cell(table.new(position.top_right, 1, 1), 0, 0, str.tostring(close))
"""
TRUTH = f"""(() => {{
  const sources = {CHART}._chartWidget.model().model().dataSources();
  const strategy = sources.find((source) => source.name() === 'Everything');
  const report = strategy.reportData();
  const values = Object.fromEntries(sources.map((source) => [source.name(), source._lastBarValues]));
  const trade = report.trades.at(-1);
  return {{
    bar: {BARS}.valueAt({BARS}.lastIndex()), size: {BARS}.size(), rsi: values['Relative Strength Index'].RSI,
    mean: values.Everything.Mean, net: report.performance.all.netProfit, trades: report.trades.length,
    profit: trade.tp.v, side: trade.e.tp, entry: trade.e.p,
  }};
}})()"""
SWITCHING = ("batch_run quote", "batch_run get_strategy_results", "compare_symbols", "scan_symbols")


"""The tools that show many symbols, which are run under the behaviours that concern symbols."""
Judge = Callable[[dict[str, Any]], bool]


class Stage:
    """The page under test: what is true of it, and what tools say."""

    def __init__(self, bench: Bench, folder: Path) -> None:
        self.bench, self.folder = bench, folder
        self.number = itertools.count()
        self.truth: dict[str, dict[str, Any]] = {}
        bench.driver.page.bring_to_front()
        self.reset = bench.js("JSON.stringify(window.__studioFaults)")

    # -- the page, past all tools ---------------------------------------------------------------------------------

    def show(self, symbol: str, resolution: str = "D") -> None:
        """Show a symbol without a fault, and wait until the strategy and the study have computed."""
        self.bench.js(f"void Object.assign(window.__studioFaults, {self.reset})")
        change = f"{CHART}.setSymbol('{symbol}'); {CHART}.setResolution('{resolution}', done);"
        self.bench.js(f"new Promise((done) => {{ {change} }})")
        sources = f"{CHART}._chartWidget.model().model().dataSources()"
        self.bench.driver.until(f"{sources}.every((source) => !source.isLoading())")

    def prepare(self) -> None:
        """Put the study and the strategy on the chart, and learn what is true of both symbols."""
        self.bench.driver.editor.write(SCRIPT)
        assert self.bench.driver.editor.compile().outcome == "added"
        self.rsi = self.bench.js(f"{CHART}.createStudy('Relative Strength Index')")
        for symbol in (MSFT, AAPL):
            self.show(symbol)
            self.truth[symbol] = self.bench.js(TRUTH)
        assert self.truth[AAPL]["net"] != self.truth[MSFT]["net"]

    def panel(self, name: str) -> None:
        """Open a panel beside the chart, and wait until its prices are there."""
        self.bench.use("ui_open_panel", panel=name)
        ready = {
            "watchlist": "[...document.querySelectorAll('[data-symbol-full]')].slice(0, 2).every((row) => "
            "/[.,]\\d\\d/.test(row.textContent))",
            "trading": "document.querySelectorAll('.depth__price').length === 20",
        }
        self.bench.driver.until(ready[name])

    def last(self) -> float:
        """The close of the last bar that the chart really has."""
        return self.bench.js(f"{BARS}.valueAt({BARS}.lastIndex())[4]")

    def inputs(self) -> dict[str, Any]:
        """The inputs of the study as they are."""
        held = self.bench.js(f"{CHART}.getStudyById('{self.rsi}').getInputValues()")
        return {each["id"]: each["value"] for each in held}

    # -- judging --------------------------------------------------------------------------------------------------

    def outcome(self, name: str, arguments: dict[str, Any], is_right: Judge) -> str:
        """`right`, `refused`, or `wrong` with the answer."""
        said = self._judged(self.bench.call(name, **arguments), is_right)
        if said.startswith("wrong"):
            print(f"{name} {list(arguments)}: {said}", flush=True)
        return said

    def _judged(self, result: dict[str, Any], is_right: Judge) -> str:
        if not result["success"]:
            assert len(result["error"]) > 10, result
            assert "internal error" not in result["error"], result
            return "refused"
        failed = [row for row in result.get("results", ()) if not row["success"]] or result.get("failed")
        try:
            is_ok = is_right(result)
        except (KeyError, IndexError, TypeError, ValueError, StopIteration) as error:
            return f"wrong: {error!r} {json.dumps(result)[:600]}"
        if not is_ok:
            return f"wrong: {json.dumps(result)[:600]}"
        return "refused" if failed else "right"


def near(one: Any, other: float, share: float = 1e-3) -> bool:
    """Whether a number, or the text of one, is near `other`."""
    return abs(float(str(one).replace(",", "").replace("−", "-")) - other) <= abs(other) * share


class DataCases:
    """The calls of the tools for prices, studies and strategies, each with what is right."""

    def __init__(self, stage: Stage, *, replay: bool) -> None:
        self.stage, self.replay = stage, replay
        self.here, self.there = stage.truth[AAPL], stage.truth[MSFT]

    def of(self, symbol: str) -> float:
        return self.stage.truth[symbol]["bar"][4]

    def told(self, result: dict[str, Any], *, right: bool) -> bool:
        """In a replay nothing is of now: the answer must say so."""
        return bool(result.get("replay") and result.get("replay_date")) if self.replay else right

    def export(self, what: str) -> dict[str, Any]:
        path = self.stage.folder / f"{next(self.stage.number)}.csv"
        return {"path": str(path), "what": what}

    def last_row(self, result: dict[str, Any]) -> dict[str, str]:
        with Path(result["file_path"]).open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))[-1]

    def quotes(self, row: dict[str, Any]) -> bool:
        return not row["success"] or near(row["result"]["close"], self.of(row["symbol"]))

    def nets(self, row: dict[str, Any]) -> bool:
        return not row["success"] or near(row["result"]["metrics"]["netProfit"], self.stage.truth[row["symbol"]]["net"])

    def values(self, result: dict[str, Any]) -> bool:
        found = {each["name"]: each for each in result["studies"]}
        rsi, own = found["Relative Strength Index"], found["Everything"]
        return near(rsi["values"]["RSI"], self.here["rsi"]) and near(own["values"]["Mean"], self.here["mean"])

    def trade(self, result: dict[str, Any]) -> bool:
        last = result["trades"][-1]
        side = {"l": "long", "s": "short"}[self.here["side"][0]]
        exact = near(last["profit"], self.here["profit"]) and near(last["entry_price"], self.here["entry"])
        return exact and last["side"] == side and result["total"] == self.here["trades"]

    def depth(self, result: dict[str, Any]) -> bool:
        levels = (result["bids"], result["asks"])
        return all(len(each) == 10 and near(each[0]["price"], self.of(AAPL), 0.01) for each in levels)

    def watchlist(self, result: dict[str, Any]) -> bool:
        rows = {each["symbol"]: each["last"] for each in result["symbols"]}
        return near(rows[AAPL], self.of(AAPL)) and near(rows[MSFT], self.of(MSFT))

    def scanned(self, row: dict[str, Any]) -> bool:
        rsi = next(each for each in row["studies"] if each["name"] == "Relative Strength Index")
        right = near(rsi["values"]["RSI"], self.stage.truth[row["symbol"]]["rsi"])
        return near(row["close"], self.of(row["symbol"])) and right

    def drawn(self, result: dict[str, Any]) -> bool:
        own = next(each for each in result["studies"] if each["name"] == "Everything")
        return result["symbol"] == AAPL and any(value > 0 for key, value in own.items() if key.startswith("total"))

    def tables(self, result: dict[str, Any]) -> bool:
        return near(result["studies"][0]["tables"][0]["rows"][0], self.of(AAPL))

    def verified(self, result: dict[str, Any]) -> bool:
        """The chart has a part of the script's history, so that sums over all trades cannot be compared."""
        plots, trades = result["plots"], result["trades"]
        same = result["verdict"] != "different" and all(each["verdict"] == "equal" for each in plots)
        if self.stage.bench.js("window.__studioFaults.noReport"):
            return same and trades["verdict"] == "not compared" and len(trades["reason"]) > 10
        return same and trades["different"] == 0 and trades["equal"] > 20

    def listed(self, result: dict[str, Any]) -> bool:
        rows = {each["symbol"]: each["last"] for each in result["quotes"]}
        return near(rows[AAPL], self.of(AAPL), 0.05) and near(rows[MSFT], self.of(MSFT), 0.05)

    def sees(self, date: int) -> bool:
        """Whether the chart's view has a moment."""
        return self.stage.bench.js(f"(({{from, to}}) => from <= {date} && {date} <= to)({CHART}.getVisibleRange())")

    def shows(self, entity_id: str) -> bool:
        return self.stage.bench.js(f"{CHART}.getStudyById('{entity_id}').isVisible()")

    def reads(self) -> Iterator[tuple[str, str, dict[str, Any], Judge]]:
        told = self.told
        yield "quote_get", "quote_get", {}, lambda r: told(r, right=near(r["close"], self.of(AAPL)))
        yield (
            "data_get_ohlcv",
            "data_get_ohlcv",
            {"count": 5},
            lambda r: told(r, right=near(r["bars"][-1]["close"], self.of(AAPL))),
        )
        yield (
            "data_get_study_values",
            "data_get_study_values",
            {},
            lambda r: told(r, right=self.replay or self.values(r)),
        )
        yield (
            "data_get_indicator",
            "data_get_indicator",
            {"entity_id": self.stage.rsi},
            lambda r: (
                "length" in [each["id"] for each in r["inputs"]]
                and not any(e["id"].startswith("pine") for e in r["inputs"])
            ),
        )
        for kind in ("lines", "labels", "boxes", "shapes"):
            yield f"data_get_pine_{kind}", f"data_get_pine_{kind}", {}, lambda r: told(r, right=self.drawn(r))
        yield "data_get_pine_tables", "data_get_pine_tables", {}, lambda r: told(r, right=self.tables(r))
        yield (
            "data_get_strategy_results",
            "data_get_strategy_results",
            {},
            lambda r: told(r, right=near(r["metrics"]["netProfit"], self.here["net"])),
        )
        yield "data_get_trades", "data_get_trades", {}, lambda r: told(r, right=self.trade(r))
        yield "data_get_equity", "data_get_equity", {}, lambda r: told(r, right=r["data_points"] == 100)
        yield (
            "pine_verify",
            "pine_verify",
            {"study": "Everything", "source": SCRIPT},
            lambda r: told(r, right=self.replay or self.verified(r)),
        )
        yield "symbol_info", "symbol_info", {}, lambda r: r["full_name"] == AAPL and "Apple" in r["description"]
        yield (
            "chart_get_state",
            "chart_get_state",
            {},
            lambda r: r["symbol"] == AAPL and {each["name"] for each in r["studies"]} >= {"Relative Strength Index"},
        )
        yield "pane_read", "pane_read", {}, lambda r: told(r, right=near(r["panes"][0]["close"], self.of(AAPL)))
        yield "quotes_get", "quotes_get", {"symbols": [AAPL, MSFT]}, self.listed
        yield (
            "data_export_csv bars",
            "data_export_csv",
            self.export("bars"),
            lambda r: told(r, right=near(self.last_row(r)["close"], self.of(AAPL))),
        )
        yield (
            "data_export_csv studies",
            "data_export_csv",
            self.export("studies"),
            lambda r: told(r, right=near(self.last_row(r)["Relative Strength Index: RSI"], self.here["rsi"])),
        )
        yield (
            "data_export_csv trades",
            "data_export_csv",
            self.export("trades"),
            lambda r: told(r, right=near(self.last_row(r)["Net P&L USD"], self.here["profit"])),
        )
        self.stage.panel("trading")
        yield "depth_get", "depth_get", {}, lambda r: told(r, right=self.depth(r))
        self.stage.panel("watchlist")
        yield "watchlist_get", "watchlist_get", {}, self.watchlist

    def changes(self) -> Iterator[tuple[str, str, dict[str, Any], Judge]]:
        stage, told = self.stage, self.told
        both = {"symbols": [AAPL, MSFT]}
        yield (
            "quote_get symbol",
            "quote_get",
            {"symbol": MSFT},
            lambda r: told(r, right=near(r["close"], self.of(MSFT))),
        )
        yield (
            "batch_run quote",
            "batch_run",
            {**both, "action": "quote"},
            lambda r: told(r, right=all(map(self.quotes, r["results"]))),
        )
        yield (
            "batch_run get_strategy_results",
            "batch_run",
            {**both, "action": "get_strategy_results"},
            lambda r: told(r, right=all(map(self.nets, r["results"]))),
        )
        yield (
            "compare_symbols",
            "compare_symbols",
            both,
            lambda r: told(r, right=all(near(row["close"], self.of(row["symbol"])) for row in r["symbols"])),
        )
        yield "scan_symbols", "scan_symbols", both, lambda r: told(r, right=all(map(self.scanned, r["matches"])))
        yield (
            "indicator_set_inputs",
            "indicator_set_inputs",
            {"entity_id": stage.rsi, "inputs": {"length": 21}},
            (lambda _: stage.inputs()["length"] == 21),
        )
        yield (
            "indicator_set_inputs back",
            "indicator_set_inputs",
            {"entity_id": stage.rsi, "inputs": {"length": 14}},
            lambda _: stage.inputs()["length"] == 14,
        )
        yield (
            "chart_manage_indicator add",
            "chart_manage_indicator",
            {"action": "add", "indicator": "Bollinger Bands", "inputs": {"length": 7}},
            lambda r: any(
                each["id"] == "length" and each["value"] == 7
                for each in stage.bench.js(f"{CHART}.getStudyById('{r['entity_id']}').getInputValues()")
            ),
        )
        yield (
            "indicator_add",
            "indicator_add",
            {"title": "Bollinger Bands"},
            lambda r: stage.bench.js(f"{CHART}.getAllStudies().some((one) => one.id === '{r['entity_id']}')"),
        )
        for visible in (False, True):
            yield (
                f"indicator_toggle_visibility {'on' if visible else 'off'}",
                "indicator_toggle_visibility",
                {"entity_id": stage.rsi, "visible": visible},
                lambda r: self.shows(stage.rsi) == r["visible"],
            )
        date = int(stage.bench.js(f"{BARS}.valueAt(100)[0]"))
        yield "chart_scroll_to_date", "chart_scroll_to_date", {"date": str(date)}, lambda _: self.sees(date)
        yield (
            "data_load_history",
            "data_load_history",
            {"bars": 700},
            lambda r: r["bar_count"] == stage.bench.js(f"{BARS}.size()") and (r["bar_count"] >= 700 or "note" in r),
        )
        yield "chart_set_timeframe", "chart_set_timeframe", {"timeframe": "60"}, lambda _: self.spacing() == 3600
        yield (
            "chart_set_symbol",
            "chart_set_symbol",
            {"symbol": MSFT},
            lambda _: self.replay or near(stage.last(), self.of(MSFT)),
        )

    def spacing(self) -> float:
        return self.stage.bench.js(
            f"Math.min(...[1, 2, 3, 4].map((i) => {BARS}.valueAt(i)[0] - {BARS}.valueAt(i - 1)[0]))"
        )

    def streamed(self) -> str:
        """The first value of the stream of quotes."""
        over: list[str] = []
        context = Context(cancelled=lambda: bool(over))
        values = stream(self.stage.bench.chart_browser, "quote", context=context, notify=over.append)
        value = next(values, None)
        over.append("")  # ends it
        if value is None:
            return "refused"
        return "right" if self.told(value, right=near(value["close"], self.of(AAPL))) else f"wrong: {value}"
