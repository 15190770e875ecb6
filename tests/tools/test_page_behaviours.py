"""Tools for prices, studies, strategies and Pine under each behaviour of the page: a right answer, or a refusal.

`page_behaviours.json` has what each tool did; from it `docs/page-behaviours.md` gets its table. The test fails if a
tool does anything else now, so also if it was right and refuses. The rows are run in parts (`-k part2`). With the
environment variable WRITE_BEHAVIOURS=1, a part writes what its tools did.
"""

import itertools
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pinebench.studio.session import StudioSession
from pinebench.tools import registry
from pinebench.tradingview import browser
from tests.studio.support import BARS, CHART, Tabs, begin_so
from tests.studio.test_faults import EDITOR_CLOSED
from tests.tools.conftest import Bench
from tests.tools.page_cases import AAPL, MARK, MSFT, SWITCHING, DataCases, Judge, Stage, near
from tests.tradingview.support import LIMIT

ROOT = Path(__file__).parents[2]
BEHAVIOURS = json.loads((ROOT / "pinebench/studio/page/src/behaviours.json").read_text(encoding="utf-8"))
KNOWN = Path(__file__).with_name("page_behaviours.json")
WRITE = os.environ.get("WRITE_BEHAVIOURS") == "1"
PARTS = 6
"""Each part of the rows runs alone in a few minutes, also beside other tests."""

in_parts = pytest.mark.parametrize("part", range(PARTS), ids=[f"part{i + 1}" for i in range(PARTS)])


@pytest.fixture(scope="module")
def stage(bench: Bench, tmp_path_factory: pytest.TempPathFactory) -> Stage:
    made = Stage(bench, tmp_path_factory.mktemp("exports"))
    made.prepare()
    return made


def under(stage: Stage, behaviour: dict[str, Any]) -> dict[str, str]:
    """What each tool for data does under one behaviour."""
    began = time.monotonic()
    stage.show(AAPL)
    if behaviour.get("replay"):
        half = stage.bench.js(f"{BARS}.valueAt(250)[0]")
        stage.bench.js(f"TradingViewApi._replayApi.selectDate({half * 1000})")
        stage.bench.driver.until(f"{BARS}.size() === 251")
        stage.bench.driver.until(
            f"{CHART}._chartWidget.model().model().dataSources().every((source) => !source.isLoading())"
        )
    stage.bench.driver.set(**behaviour["faults"])
    cases = DataCases(stage, replay=bool(behaviour.get("replay")))
    never = behaviour["faults"].get("nameFirst") == -1 or bool(
        {"stuckSymbol", "wrongSpacing", "restlessBars", "endlessLoading"} & set(behaviour["faults"])
    )
    never = never or behaviour["faults"].get("question") == "replay" or behaviour["faults"].get("oldReport") == -1
    found: dict[str, str] = {}
    with pytest.MonkeyPatch.context() as patch:
        if (
            never
        ):  # what never comes need not be waited for long, but what comes must come in time on a busy machine, too
            patch.setattr("pinebench.tools.timing.READY_MS", 1_500)
            patch.setattr("pinebench.tools.strategy.TESTED_MS", 500)
            patch.setattr("pinebench.tools.evidence.SETTLE_SECONDS", 0.2)
        for label, name, arguments, is_right in cases.reads():
            found[label] = stage.outcome(name, arguments, is_right)
        found["stream quote"] = cases.streamed()
        for label, name, arguments, is_right in cases.changes():
            if label in SWITCHING and not behaviour.get("switching"):
                continue
            if never:
                stage.show(AAPL)
                stage.bench.driver.set(**behaviour["faults"])
            found[label] = stage.outcome(name, arguments, is_right)
            assert len(stage.inputs()) >= 1, f"{label} destroyed the study"
    if behaviour.get("replay"):
        stage.bench.js("void TradingViewApi._replayApi.stopReplay()")
    stage.show(AAPL)
    for study in stage.bench.js(f"{CHART}.getAllStudies()"):
        if study["name"] == "Bollinger Bands":
            stage.bench.js(f"void {CHART}.removeEntity('{study['id']}')")
    print(f"{behaviour['name']}: {time.monotonic() - began:.1f} s", flush=True)
    return found


class PineCases:
    """The calls of the tools for the Pine editor, each with what is right."""

    def __init__(self, bench: Bench, number: int) -> None:
        self.bench, self.name = bench, f"Fresh {number}"
        self.mark = f"Mine {number}"
        self.text = f'//@version=6\nindicator("{self.mark}", overlay = true)\nplot(close)\n'

    def sees(self, text: str) -> bool:
        """Whether the editor that can be seen shows the text."""
        shown = "document.querySelectorAll('.monaco-editor .view-lines')"
        seen = f"[...{shown}].filter((node) => node.offsetParent !== null).map((node) => node.textContent).join()"
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:  # Monaco draws a moment after it has the text
            if text.replace(" ", "") in self.bench.js(seen).replace("\xa0", "").replace(" ", ""):
                return True
            time.sleep(0.05)
        return False

    def bound(self) -> str:
        return self.bench.js("document.querySelector('[data-name=\"pine-script-name\"]').textContent")

    def names(self, result: dict[str, Any], bound: bool) -> bool:
        """Whether the answer says rightly to which script the editor's Save writes."""
        return bound if result["bound"] else result["saves_to"] == self.bound()

    def on_chart(self) -> list[str]:
        return [each["name"] for each in self.bench.js(f"{CHART}.getAllStudies()")]

    def saved(self) -> dict[str, str]:
        listed = self.bench.js("fetch('/pine-facade/list/').then((answer) => answer.json())")
        return {each["scriptName"]: each["version"] for each in listed}

    def cases(self) -> Iterator[tuple[str, dict[str, Any], Judge]]:
        source = self.text
        yield (
            "pine_new",
            {"name": self.name, "discard": True},
            lambda r: self.names(r, self.bound() != MARK) and self.sees(self.name),
        )
        yield "pine_set_source", {"source": source}, lambda _: self.sees(self.mark)
        yield "pine_get_source", {}, lambda r: r["source"] == source
        yield "pine_smart_compile", {}, lambda _: self.mark in self.on_chart()
        yield "pine_get_errors", {}, lambda r: r["errors"] == []
        yield "pine_get_console", {}, lambda r: r["entry_count"] > 0
        yield "pine_get_logs", {}, lambda r: r["logs"] == []
        yield "pine_current", {}, lambda r: r["name"] == self.bound() and r["char_count"] == len(source)
        yield "pine_save", {}, lambda r: r["name"] == self.name and self.name in self.saved()
        yield "pine_list_scripts", {}, lambda r: {each["name"] for each in r["scripts"]} == set(self.saved())
        yield (
            "pine_open",
            {"name": MARK, "discard": True},
            lambda r: self.names(r, self.bound() == MARK) and self.sees("Trend"),
        )


def as_known(found: dict[str, dict[str, str]], kind: str) -> None:
    """Fail with every wrong answer, and with every tool that did better before; write down what the tools did if that
    is wanted."""
    wrong = {f"{name}: {tool}": said for name, row in found.items() for tool, said in row.items() if said[0] == "w"}
    assert not wrong, "\n".join(f"{key} -> {said}" for key, said in wrong.items())
    known = json.loads(KNOWN.read_text(encoding="utf-8")) if KNOWN.exists() else {}
    if WRITE:
        told = {**known, kind: {**known.get(kind, {}), **found}}
        KNOWN.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        return
    told = {name: {tool: known[kind].get(name, {}).get(tool) for tool in row} for name, row in found.items()}
    others = {
        f"{name}: {tool}": f"was {told[name][tool]}, is {said}"
        for name, row in found.items()
        for tool, said in row.items()
        if said != told[name][tool]
    }
    assert not others, f"{others}\nif that is meant: WRITE_BEHAVIOURS=1, then scripts/docs/generate.py"


def rows_of(part: int, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of a part, and the page without a switch, which every part has."""
    return [{"name": "none", "faults": {}, "switching": True}, *rows[part::PARTS]]


DATA_ROWS = [each for each in BEHAVIOURS if not {"remount", "load", "apart"} & set(each)]
PINE_ROWS = [each for each in BEHAVIOURS if not {"replay", "load", "apart"} & set(each)]
APART_ROWS = [each for each in BEHAVIOURS if "apart" in each]


MONEY = {
    "bars 0.4 s late": {"quote_get symbol": "right", "compare_symbols": "right"},
    "no crosshair": {"data_get_study_values": "right"},
    "report 0.9 s late": {"batch_run get_strategy_results": "right"},
    "long trades": {"data_get_trades": "right", "data_export_csv trades": "right"},
    "decimal comma": {"watchlist_get": "right", "depth_get": "right"},
    "session disconnected": {"quote_get": "refused", "data_get_study_values": "refused"},
    "no report": {"data_get_strategy_results": "refused"},
}
"""The answers that were wrong once and cost money; every run of the tests looks at them, not only the long one."""


def test_numbers_that_were_wrong_once_are_right_or_refused(stage: Stage) -> None:
    for name, wanted in MONEY.items():
        stage.show(AAPL)
        stage.bench.driver.set(**next(each["faults"] for each in BEHAVIOURS if each["name"] == name))
        cases = DataCases(stage, replay=False)
        found = {
            label: stage.outcome(tool, given, right)
            for label, tool, given, right in itertools.chain(cases.reads(), cases.changes())
            if label in wanted
        }
        assert found == wanted, name
    stage.show(AAPL)
    bench = stage.bench
    bench.driver.scripts.open(MARK, discard=True)
    bench.driver.set(strayTestApi=True)
    _, given, right = next(PineCases(bench, 77).cases())
    assert stage.outcome("pine_new", given, right) == "right"
    bench.js(f"void Object.assign(window.__studioFaults, {stage.reset})")


@pytest.mark.soak
@in_parts
def test_prices_studies_and_strategies_are_right_or_refused(stage: Stage, part: int) -> None:
    found = {each["name"]: under(stage, each) for each in rows_of(part, DATA_ROWS)}
    assert set(found["none"].values()) == {"right"}, found["none"]
    as_known(found, "data")


def mount(bench: Bench) -> None:
    """Close the editor's panel and open it again, whatever classes it has."""
    bench.js(EDITOR_CLOSED)
    shown = "[...document.querySelectorAll('.view-lines')].filter((node) => node.offsetParent !== null).length"
    bench.driver.until(f"{shown} === 0")
    bench.js("TradingView.bottomWidgetBar.setWidgetAvailability?.('scripteditor', true)")
    bench.js("void TradingView.bottomWidgetBar.activateScriptEditorTab()")
    bench.driver.until(f"{shown} > 0")


def pine_row(stage: Stage, number: int, behaviour: dict[str, Any]) -> dict[str, str]:
    """What each tool for the Pine editor does under one behaviour."""
    began, bench = time.monotonic(), stage.bench
    bench.driver.scripts.open(MARK, discard=True)
    cases = PineCases(bench, number)
    before = cases.saved()[MARK]
    if not behaviour.get("load"):
        bench.driver.set(**behaviour["faults"])
    if behaviour.get("remount"):
        mount(bench)
    row = {name: stage.outcome(name, arguments, is_right) for name, arguments, is_right in cases.cases()}
    assert cases.saved()[MARK] == before, f"{behaviour['name']}: the saved script was written over"
    bench.js(f"void Object.assign(window.__studioFaults, {stage.reset})")
    if behaviour.get("remount"):
        mount(bench)
    print(f"{behaviour['name']}: {time.monotonic() - began:.1f} s", flush=True)
    return row


@pytest.mark.soak
@in_parts
def test_pine_tools_are_right_or_refused(stage: Stage, part: int) -> None:
    stage.show(AAPL)
    rows = enumerate(rows_of(part, PINE_ROWS))
    found = {each["name"]: pine_row(stage, 100 * part + number, each) for number, each in rows}
    assert set(found["none"].values()) == {"right"}, found["none"]
    as_known(found, "pine")


@pytest.mark.soak
def test_pine_tools_are_right_or_refused_on_a_page_that_begins_so(
    chromium: browser.RunningBrowser, tmp_path: Path
) -> None:
    found: dict[str, dict[str, str]] = {}
    for number, behaviour in enumerate(each for each in BEHAVIOURS if each.get("load")):
        with StudioSession() as session:
            tabs = Tabs(chromium.port, session)
            made = Bench(tabs(**behaviour["faults"]), session)
            found[behaviour["name"]] = pine_row(Stage(made, tmp_path), 900 + number, behaviour)
            made.chart_browser.close()
            tabs.close()
    as_known(found, "pine")


class ApartCases:
    """The calls of the tools for the watchlist, drawings, replays and layouts, by the part of the page, each with what
    is right."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self.bench = stage, stage.bench
        row = self.bench.js(f"{BARS}.valueAt({BARS}.lastIndex() - 20)")
        self.place = {"time": row[0], "price": row[4]}
        self.last = {"time": stage.truth[AAPL]["bar"][0], "price": stage.truth[AAPL]["bar"][4]}

    def watchlist(self) -> Iterator[tuple[str, dict[str, Any], Judge]]:
        kept = "fetch('/studio/api/documents/watchlist').then((answer) => answer.json())"

        def right(result: dict[str, Any]) -> bool:
            """Every symbol of the list is told, and a price only if the page shows it."""
            rows = {each["symbol"]: each["last"] for each in result["symbols"]}
            symbols = [each for each in self.bench.js(kept) if not each.startswith("#")]
            priced = {symbol for symbol, last in rows.items() if last is not None}
            shown = "[...document.querySelectorAll('[data-symbol-full]')].map((row) => row.dataset.symbolFull)"
            return list(rows) == symbols and priced == set(self.bench.js(shown)) and near(rows[AAPL], self.of(AAPL))

        yield "watchlist_get", {}, right
        yield "watchlist_remove", {"symbol": MSFT}, lambda _: MSFT not in self.bench.js(kept)
        yield "watchlist_add", {"symbol": MSFT}, lambda r: MSFT in self.bench.js(kept) and r["action"] == "added"

    def of(self, symbol: str) -> float:
        return self.stage.truth[symbol]["bar"][4]

    def drawings(self) -> Iterator[tuple[str, dict[str, Any], Judge]]:
        shapes = f"{CHART}.getAllShapes().map((shape) => shape.id)"
        one, two = self.place, self.last
        yield (
            "draw_shape",
            {"shape": "horizontal_line", "point": one},
            lambda r: r["entity_id"] in self.bench.js(shapes),
        )
        yield (
            "draw_shape two points",
            {"shape": "trend_line", "point": one, "point2": two},
            lambda r: r["entity_id"] in self.bench.js(shapes),
        )
        yield "draw_list", {}, lambda r: [each["id"] for each in r["shapes"]] == self.bench.js(shapes)
        yield "draw_clear", {"confirm": True}, lambda _: self.bench.js(shapes) == []

    def replays(self) -> Iterator[tuple[str, dict[str, Any], Judge]]:
        started = "TradingViewApi._replayApi.isReplayStarted().value()"
        date = self.bench.js(f"new Date({BARS}.valueAt(250)[0] * 1000).toISOString()")
        yield "replay_start", {"date": date}, lambda r: self.bench.js(started) and r["verified"]
        yield "replay_stop", {}, lambda _: not self.bench.js(started)

    def layouts(self) -> Iterator[tuple[str, dict[str, Any], Judge]]:
        name = "TradingViewApi.layoutName()"
        made = f"Made {next(self.stage.number)}"
        yield (
            "layout_switch",
            {"name": "Crypto hours", "discard": True},
            lambda _: self.bench.js(name) == "Crypto hours",
        )
        yield ("layout_new", {"name": made, "confirm": True}, lambda r: self.bench.js(name) == made == r["layout"])

    def catalogue(self) -> Iterator[tuple[str, dict[str, Any], Judge]]:
        """A script that is saved, seen in the dialog, and saved again."""
        title = "Catalogue"
        for text in ("plot(open, 'First')", "plot(close, 'Second')"):
            self.bench.driver.editor.write(f"//@version=6\nindicator('{title}')\n{text}\n")
            self.bench.use("pine_save", name=title, confirm=True)
            assert title in [each["title"] for each in self.bench.use("indicator_search", query=title)["indicators"]]
        sources = f"{CHART}._chartWidget.model().model().dataSources().filter((one) => one.name() === '{title}')"
        plots = f"{sources}.map((one) => Object.values(one.metaInfo().styles).map((style) => style.title))"
        yield "indicator_add", {"title": title}, lambda _: self.bench.js(plots) == [["Second"]]
        assert ["First"] not in self.bench.js(plots), "an older version stays on the chart"
        self.bench.js(f"void {CHART}.removeAllStudies()")


def layouts_of(bench: Bench) -> dict[str, str]:
    """The names of the saved layouts by their ids, past all tools."""
    listed = bench.js("fetch('/studio/api/documents/layouts').then((answer) => answer.json())")
    return {each["url"]: each["name"] for each in listed}


def apart_row(stage: Stage, behaviour: dict[str, Any]) -> dict[str, str]:
    """What the tools of one part of the page do under one behaviour; on a page without a switch, those of all parts."""
    began, bench = time.monotonic(), stage.bench
    cases = ApartCases(stage)
    ready = {"watchlist": lambda: stage.panel("watchlist"), "layouts": lambda: leave(bench)}
    row: dict[str, str] = {}
    for part in (
        (behaviour["apart"],) if "apart" in behaviour else ("watchlist", "drawings", "replays", "catalogue", "layouts")
    ):
        ready.get(part, lambda: None)()
        before = layouts_of(bench)
        begin_so(bench.driver, behaviour["faults"])
        row |= {name: stage.outcome(name.split()[0], given, right) for name, given, right in getattr(cases, part)()}
        assert layouts_of(bench).items() >= before.items(), f"{behaviour['name']}: a layout lost its name"
        begin_so(bench.driver, {})
        bench.js(f"void Object.assign(window.__studioFaults, {stage.reset})")
        bench.js("void TradingViewApi._replayApi.stopReplay()")
        bench.js(f"void {CHART}.removeAllShapes()")
    print(f"{behaviour['name']}: {time.monotonic() - began:.1f} s", flush=True)
    return row


def leave(bench: Bench) -> None:
    """Show the first layout without a question, so that nothing on the chart is unsaved."""
    bench.use("layout_switch", name="Morning desk", discard=True)
    bench.driver.until(f"{CHART}.dataReady()")


@pytest.mark.soak
def test_other_parts_of_the_page_are_right_or_refused(
    chromium: browser.RunningBrowser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a page of its own, because it loads other layouts and other documents."""
    rows = [{"name": "none", "faults": {}}, *APART_ROWS]
    with StudioSession() as session:
        tabs = Tabs(chromium.port, session)
        made = Stage(Bench(tabs(), session), tmp_path)
        made.truth = {AAPL: {"bar": made.bench.js(f"{BARS}.valueAt({BARS}.lastIndex())")}}
        monkeypatch.setattr("pinebench.tools.layout.NEW_SECONDS", 8.0)
        found = {each["name"]: apart_row(made, each) for each in rows}
        made.bench.chart_browser.close()
        tabs.close()
    assert set(found["none"].values()) == {"right"}, found["none"]
    as_known(found, "apart")


ELSEWHERE = {
    "chart_set_type": "it reads no number, and writes none",
    "chart_get_visible_range": "chart_scroll_to_date and chart_set_visible_range read it",
    "chart_set_visible_range": "chart_scroll_to_date does the same",
    "chart_compare": "tests/tools/test_overlays.py",
    "indicator_search": "indicator_add searches first",
    "symbol_search": "it asks a service, not the page",
    "morning_brief": "scan_symbols reads for it; tests/tools/test_morning_brief.py",
}
"""Tools for the chart that the table does not have, and why."""


def test_the_table_has_every_behaviour_and_every_tool() -> None:
    known: dict[str, dict[str, dict[str, str]]] = json.loads(KNOWN.read_text(encoding="utf-8"))
    assert set(known["data"]) == {"none", *(each["name"] for each in DATA_ROWS)}
    assert set(known["apart"]) == {"none", *(each["name"] for each in APART_ROWS)}
    begun = {each["name"] for each in BEHAVIOURS if each.get("load")}
    assert set(known["pine"]) - begun == {"none", *(each["name"] for each in PINE_ROWS)}
    assert {said for part in known.values() for row in part.values() for said in row.values()} == {"right", "refused"}
    for part in (known["data"], known["pine"]):
        every = set(part["none"])
        for name, row in part.items():
            missing = every - set(row) - set(SWITCHING)
            assert not missing, f"{name} has no {sorted(missing)}"
    listed = {label.split()[0] for part in known.values() for label in part["none"]}
    groups = ("chart", "view", "data", "strategy", "pine", "batch")
    wanted = {tool.name for tool in registry.tools().values() if tool.needs.page and tool.group in groups}
    assert wanted - listed == set(ELSEWHERE)
