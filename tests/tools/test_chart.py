"""Tools that change what the chart shows, each compared with what the page itself says."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pinebench.context import Context
from pinebench.market import samples
from pinebench.studio.bars import StudioBars
from pinebench.studio.resolutions import parse_resolution
from pinebench.tools.tool_calls import call
from pinebench.tradingview import javascript
from pinebench.tradingview.errors import ServiceError
from pinebench.tradingview.saved_scripts import SavedScripts
from tests.studio.support import BARS, CHART
from tests.tools.conftest import Bench
from tests.tradingview.chart_waiting import spacing_limits


def test_state_is_what_the_page_says(use: Any, bench: Bench) -> None:
    state = use("chart_get_state")
    assert state["symbol"] == bench.js(f"{CHART}.symbol()")
    assert state["resolution"] == bench.js(f"{CHART}.resolution()")
    assert (state["chartType"], state["chart_type"]) == (1, "Candles")
    assert [each["id"] for each in state["studies"]] == bench.js(f"{CHART}.getAllStudies().map(s => s.id)")


def test_symbol_and_timeframe_are_shown_with_their_bars(use: Any, bench: Bench) -> None:
    assert use("chart_set_symbol", symbol="msft")["symbol"] == "NASDAQ:MSFT"
    assert bench.js(f"{CHART}.symbol()") == "NASDAQ:MSFT"
    hour = use("chart_set_timeframe", timeframe="1h")
    assert (hour["resolution"], hour["verified"]) == ("60", True)
    times = bench.js(f"[0, 1].map(i => {BARS}.valueAt({BARS}.lastIndex() - i)[0])")
    assert times[0] - times[1] == 3600
    assert use("chart_set_timeframe", timeframe="D")["resolution"] == "1D"
    assert use("chart_set_symbol", symbol="NASDAQ:AAPL")["chart_ready"]


def test_a_symbol_that_is_not_there_leaves_the_old_one(
    refused: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pinebench.tools.timing.READY_MS", 1500)
    assert "does not show NASDAQ:NOSUCH" in refused("chart_set_symbol", symbol="NASDAQ:NOSUCH")
    assert bench.js(f"{CHART}.symbol()") == "NASDAQ:AAPL"
    assert bench.js(f"{BARS}.size()") > 0


@pytest.mark.parametrize("timeframe", ["0", "5x", "h4", ""])
def test_what_is_no_timeframe_is_refused(refused: Any, timeframe: str) -> None:
    assert refused("chart_set_timeframe", timeframe=timeframe).startswith("timeframe ")


def test_types_are_set_by_name_and_number(use: Any, refused: Any, bench: Bench) -> None:
    assert use("chart_set_type", chart_type="heikin ashi")["type_num"] == 8
    assert bench.js(f"{CHART}.chartType()") == 8
    assert use("chart_set_type", chart_type="1")["chart_type"] == "Candles"
    assert "must be one of" in refused("chart_set_type", chart_type="Candels")
    assert "must be one of" in refused("chart_set_type", chart_type="10")
    assert "Renko charts are not drawn here" in refused("chart_set_type", chart_type="Renko")
    assert use("chart_set_type", chart_type="Candles")["type_num"] == bench.js(f"{CHART}.chartType()") == 1


def test_indicators_are_added_changed_hidden_and_removed(use: Any, refused: Any, bench: Bench) -> None:
    added = use("chart_manage_indicator", action="add", indicator="Relative Strength Index", inputs={"length": 7})
    study = added["entity_id"]
    assert added["verified"]
    assert bench.js(f"{CHART}.getStudyById('{study}').getInputValues()[0].value") == 7
    assert use("data_get_indicator", entity_id=study)["inputs"] == [{"id": "length", "value": 7}]
    assert added["computed"]
    values = use("data_get_study_values", study_filter="relative")
    assert values["study_count"] == 1
    assert 0 < float(values["studies"][0]["values"]["RSI"]) < 100
    changed = use("indicator_set_inputs", entity_id=study, inputs='{"length": 21}')
    assert changed["updated_inputs"] == {"length": 21} and changed["computed"]
    anew = use("data_get_study_values", study_filter="relative")["studies"][0]["values"]["RSI"]
    assert anew != values["studies"][0]["values"]["RSI"]
    assert use("indicator_set_inputs", entity_id=study, inputs={"length": 21})["computed"], "nothing is to be computed"
    assert bench.js(f"{CHART}.getStudyById('{study}').getInputValues()[0].value") == 21
    assert "no input lenght" in refused("indicator_set_inputs", entity_id=study, inputs={"lenght": 5})
    assert use("indicator_toggle_visibility", entity_id=study, visible=False)["visible"] is False
    assert bench.js(f"{CHART}.getStudyById('{study}').isVisible()") is False
    count = bench.js(f"{CHART}.getAllStudies().length")
    removed = use("chart_manage_indicator", action="remove", entity_id=study)
    assert removed["new_study_count"] == count - 1
    assert "there is no study" in refused("chart_manage_indicator", action="remove", entity_id=study)
    assert study in refused("data_get_indicator", entity_id=study)
    assert study in refused("indicator_toggle_visibility", entity_id=study, visible=True)


def test_the_study_of_a_person_at_the_same_moment_is_not_taken_for_ours(use: Any, refused: Any, bench: Bench) -> None:
    """An unknown input has the new study removed again: that of the person must stay."""
    bench.js(
        f"""void (() => {{ const chart = {CHART}; const own = chart.createStudy; chart.createStudy = async (name) => {{
        await own.call(chart, "Moving Average Simple");
        await new Promise((done) => setTimeout(done, 100));
        return own.call(chart, name); }}; window.undo = () => {{ chart.createStudy = own; }}; }})()"""
    )
    try:
        assert "no input nonsense" in refused(
            "chart_manage_indicator", action="add", indicator="Relative Strength Index", inputs={"nonsense": 1}
        )
    finally:
        bench.js("window.undo()")
    (left,) = bench.js(f"{CHART}.getAllStudies()")
    assert "Moving Average" in left["name"]
    use("chart_manage_indicator", action="remove", entity_id=left["id"])


@pytest.mark.parametrize(
    ("ours", "id"),
    [
        ("throw new Error('unknown study name')", None),
        ("return 'notListed'", None),
        ("return new Promise(() => undefined)", "first"),
        ("return undefined", "first"),
    ],
)
def test_a_new_study_is_ours_only_if_the_page_neither_refuses_nor_names_another(
    use: Any, bench: Bench, ours: str, id: str | None
) -> None:
    bench.js(
        f"""void (() => {{ const chart = {CHART}; const own = chart.createStudy; chart.createStudy = async (name) => {{
        await own.call(chart, name); {ours}; }}; window.undo = () => {{ chart.createStudy = own; }}; }})()"""
    )
    try:
        asked = {"name": "Moving Average Simple", "inputs": None, "limit": 300}
        added = bench.driver.page.call("add_study", asked)
    finally:
        bench.js("window.undo()")
    (there,) = bench.js(f"{CHART}.getAllStudies()")
    assert added["id"] == (id and there["id"])
    use("chart_manage_indicator", action="remove", entity_id=there["id"])


def test_the_study_of_a_person_stays_where_the_plan_allows_none(use: Any, bench: Bench) -> None:
    """The page may leave the request open while it says that by a dialog."""
    bench.js(
        f"""void (() => {{ const chart = {CHART}; const own = chart.createStudy;
        const dialog = document.createElement("div"); chart.createStudy = async (name) => {{
        await own.call(chart, name);
        dialog.setAttribute("role", "dialog");
        dialog.dataset.name = "gopro"; dialog.textContent = "Upgrade your plan";
        dialog.style.cssText = "position:fixed;top:10px;left:10px;width:300px;height:120px";
        document.body.append(dialog); return new Promise(() => undefined); }};
        window.undo = () => {{ chart.createStudy = own; dialog.remove(); }}; }})()"""
    )
    try:
        asked = {"name": "Moving Average Simple", "inputs": None, "limit": 300}
        added = bench.driver.page.call("add_study", asked)
    finally:
        bench.js("window.undo()")
    assert (added["id"], added["dialog"]) == (None, "Upgrade your plan")
    (there,) = bench.js(f"{CHART}.getAllStudies()")
    use("chart_manage_indicator", action="remove", entity_id=there["id"])


@pytest.mark.parametrize("hidden", [[], ["isLoading", "isFailed", "status"]])
def test_values_are_there_when_the_answer_comes(use: Any, bench: Bench, hidden: list[str]) -> None:
    """Also on builds of the page that do not say how a study stands."""
    added = use("chart_manage_indicator", action="add", indicator="Moving Average Simple", inputs={"length": 5})
    study = added["entity_id"]
    source = f"{CHART}._chartWidget.model().model().dataSources().find(s => s.id && s.id() === '{study}')"
    for name in hidden:
        bench.js(f"delete {source}.{name}")
    try:
        for length in (9, 17, 33):
            assert use("indicator_set_inputs", entity_id=study, inputs={"length": length})["computed"]
            (found,) = use("data_get_study_values", study_filter="Moving Average")["studies"]
            closes = [bar["close"] for bar in use("data_get_ohlcv", count=length)["bars"]]
            (value,) = found["values"].values()
            assert float(value) == pytest.approx(sum(closes) / length, abs=0.006)
    finally:
        use("chart_manage_indicator", action="remove", entity_id=study)


def test_an_indicator_that_is_not_there_or_has_no_such_input_adds_nothing(refused: Any, bench: Bench) -> None:
    count = bench.js(f"{CHART}.getAllStudies().length")
    assert "was not added" in refused("chart_manage_indicator", action="add", indicator="No Such Index")
    words = refused("chart_manage_indicator", action="add", indicator="Relative Strength Index", inputs={"nope": 1})
    assert "no input nope" in words
    assert "indicator is missing" in refused("chart_manage_indicator", action="add")
    assert "entity_id is missing" in refused("chart_manage_indicator", action="remove")
    assert bench.js(f"{CHART}.getAllStudies().length") == count


def test_the_visible_part_is_read_and_set(use: Any, refused: Any, bench: Bench) -> None:
    first, last = bench.js(f"[50, 20].map(i => {BARS}.valueAt({BARS}.lastIndex() - i)[0])")
    done = use("chart_set_visible_range", **{"from": first, "to": last})
    assert done["verified"]
    seen = use("chart_get_visible_range")["visible_range"]
    assert abs(seen["from"] - first) <= 2 * 86400
    assert seen == bench.js(f"{CHART}.getVisibleRange()")
    assert "from must be before to" in refused("chart_set_visible_range", **{"from": 5, "to": 5})
    assert "no bars in this range" in refused("chart_set_visible_range", **{"from": 1000, "to": 2000})


def test_a_date_is_put_into_the_middle(use: Any, refused: Any) -> None:
    done = use("chart_scroll_to_date", date="2026-06-01")
    assert done["actual"]["from"] <= done["centered_on"] <= done["actual"]["to"]
    # Older than the 500 bars that a chart begins with.
    older = use("chart_scroll_to_date", date="2023-06-01")
    assert older["actual"]["from"] <= older["centered_on"] <= older["actual"]["to"]
    assert "not a date" in refused("chart_scroll_to_date", date="soon")
    assert refused("chart_scroll_to_date", date="1999-01-01")


def test_symbols_are_described_and_found(use: Any, bench: Bench) -> None:
    info = use("symbol_info")
    assert (info["exchange"], info["type"]) == ("NASDAQ", "stock")
    found = use("symbol_search", query="btc")
    assert "BINANCE:BTCUSDT" in [each["full_name"] for each in found["results"]]
    assert use("symbol_search", query="btc", type="forex")["count"] == 0


def test_a_chart_that_names_a_symbol_before_its_bars_is_not_believed(
    use: Any, refused: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = use("quote_get", symbol="NASDAQ:MSFT")["close"]
    assert use("chart_set_symbol", symbol="NASDAQ:MSFT")["verified_by"].startswith("the bars")
    use("chart_set_symbol", symbol="NASDAQ:AAPL")
    bench.driver.set(nameFirst=400)
    assert use("quote_get", symbol="NASDAQ:MSFT")["close"] == truth
    bench.driver.set(nameFirst=-1)
    monkeypatch.setattr("pinebench.tools.timing.READY_MS", 500)
    monkeypatch.setattr("pinebench.tools.evidence.SETTLE_SECONDS", 0.1)
    said = refused("chart_set_symbol", symbol="NASDAQ:MSFT")
    assert "named NASDAQ:MSFT 1D" in said and "still" in said
    said = refused("quote_get")
    assert "it still has the bars of NASDAQ:AAPL" in said or "has not loaded it" in said
    bench.driver.set(nameFirst=0)
    bench.js(f"new Promise((done) => {CHART}.setSymbol('NASDAQ:AAPL', done))")


def test_a_question_that_blocks_the_symbol_is_named(
    refused: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pinebench.tools.timing.READY_MS", 400)
    bench.driver.set(question="replay")
    assert "Continue your last replay?" in refused("chart_set_symbol", symbol="NASDAQ:MSFT")
    bench.driver.set(question="")


def test_only_changed_inputs_are_written_and_settings_are_refused(use: Any, refused: Any, bench: Bench) -> None:
    study = bench.js(f"{CHART}.createStudy('Relative Strength Index')")
    bench.driver.set(fragileInputs=True)
    listed = [each["id"] for each in use("data_get_indicator", entity_id=study)["inputs"]]
    assert "length" in listed and "pineId" not in listed and "text" not in listed
    assert "pineId" in refused("indicator_set_inputs", entity_id=study, inputs={"pineId": "x", "length": 5})
    assert use("indicator_set_inputs", entity_id=study, inputs={"length": 21})["updated_inputs"] == {"length": 21}
    added = use("chart_manage_indicator", action="add", indicator="RSI", inputs={"length": 5})
    for each, length in ((study, 21), (added["entity_id"], 5)):
        held = bench.js(f"{CHART}.getStudyById('{each}').getInputValues()")
        assert {"id": "length", "value": length} in held, "the write destroyed the study"
    bench.driver.set(fragileInputs=False)
    bench.js(f"{CHART}.removeAllStudies()")


def test_a_refusal_names_what_the_page_did_and_not_the_caller(use: Any, bench: Bench) -> None:
    study = bench.js(f"{CHART}.createStudy('Relative Strength Index')")
    change = {"entity_id": study, "inputs": {"length": 5}}
    bench.driver.set(at={"study.setInputValues": "undefined"})
    stays = bench.call("indicator_set_inputs", **change)
    assert stays["error"] == 'the study has {"length": 14} instead of {"length": 5}' and stays["inputs"] == {
        "length": 14
    }
    bench.driver.set(at={})
    # A page that destroys the study at any write: the values were not to blame.
    bench.js(f"""void (() => {{
      const chart = {CHART};
      const own = (window.ownStudy = chart.getStudyById);
      let gone = false;
      chart.getStudyById = (id) => {{
        const study = own(id);
        const inputs = () => (gone ? [] : study.getInputValues());
        return {{ ...study, setInputValues: () => (gone = true), getInputValues: inputs }};
      }};
    }})()""")
    wiped = bench.call("indicator_set_inputs", **change)
    bench.js(f"void ({CHART}.getStudyById = window.ownStudy)")
    assert "the page has damaged it" in wiped["error"] and "without saving" in wiped["hint"], wiped
    assert "range" not in wiped["hint"]
    bench.driver.set(studyLimit=1)
    full = bench.call("chart_manage_indicator", action="add", indicator="Bollinger Bands")
    assert not full["success"] and "the plan allows no further indicator" in full["hint"], full
    bench.driver.set(studyLimit=0)
    bench.driver.press("Escape", "Escape", 27)
    bench.driver.until("document.querySelectorAll('[role=dialog]').length === 0")
    bench.js(f"{CHART}.removeAllStudies()")


def test_indicators_are_searched_and_added_as_a_person_does(use: Any, refused: Any, bench: Bench) -> None:
    dialog = "document.querySelector('[data-name=\"indicators-dialog\"]')"
    found = use("indicator_search", query="relative strength")
    assert "Relative Strength Index" in [each["title"] for each in found["indicators"]]
    assert bench.js(f"{dialog} === null"), "the dialog is left open"
    added = use("indicator_add", title="Relative Strength Index")
    assert [study["id"] for study in bench.js(f"{CHART}.getAllStudies()")] == [added["entity_id"]]
    assert "lists no 'No such thing'" in refused("indicator_add", title="No such thing")
    assert bench.js(f"{dialog} === null")
    bench.driver.set(refusedStudies=True)
    second = use("chart_manage_indicator", action="add", indicator="Bollinger Bands", inputs={"length": 7})
    assert second["inputs"] == {"length": 7} and second["new_study_count"] == 2
    bench.driver.set(refusedStudies=False)
    bench.js(f"{CHART}.removeAllStudies()")


def test_a_saved_script_is_not_told_as_added_when_its_version_is_unknown(
    use: Any, refused: Any, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.driver.editor.write("//@version=6\nindicator('Own')\nplot(close)\n")
    use("pine_save", name="Own")

    def silent(*_: object) -> None:
        raise ServiceError("the script service does not answer")

    monkeypatch.setattr(SavedScripts, "listed", silent)
    assert "its version cannot be compared" in refused("indicator_add", title="Own")
    bench.js(f"{CHART}.removeAllStudies()")


def test_a_range_before_the_loaded_bars_is_shown_without_the_pages_own_range(use: Any, bench: Bench) -> None:
    bench.js(f"new Promise((done) => {CHART}.setSymbol('NASDAQ:AAPL', done))")
    bench.driver.set(noVisibleRange=True)
    older = use("chart_scroll_to_date", date="2023-06-01")
    assert older["actual"]["from"] <= older["centered_on"] <= older["actual"]["to"]
    bench.driver.set(noVisibleRange=False)


@pytest.mark.parametrize(
    ("tool", "more"),
    [
        ("indicator_set_inputs", {"inputs": {"length": 5}}),
        ("indicator_toggle_visibility", {"visible": True}),
        ("data_get_indicator", {}),
    ],
)
def test_studies_of_unknown_ids_are_named(refused: Any, tool: str, more: dict[str, Any]) -> None:
    assert refused(tool, entity_id="zzzzzz", **more) == "there is no study zzzzzz on the chart"


def test_a_symbol_is_put_back_where_nobody_waits_for_it_any_more(bench: Bench) -> None:
    asked: list[float] = []

    def cancelled() -> bool:
        asked.append(0)
        return bool(bench.js(f"{CHART}.symbol()") == "NASDAQ:NOSUCH")

    told = call(bench.chart_browser, "chart_set_symbol", {"symbol": "NASDAQ:NOSUCH"}, Context(cancelled=cancelled))
    assert asked and not told["success"]
    bench.driver.until(f"{CHART}.symbol() === 'NASDAQ:AAPL' && {BARS}.size() > 0")


SPACED = "1 5 15 60 240 720 1440 4H 1S 30S D 1D 3D W 2W M 1M 3M 12M 100R 10T x".split()


def test_python_the_page_and_the_studio_agree_on_the_distance_between_bars(bench: Bench) -> None:
    text = (Path(javascript.__file__).parent / "js" / "toolkit.js").read_text(encoding="utf-8")
    body = text[text.index("  toolkit.spacingLimits =") : text.index("  const gapsOf =")]
    asked = f"(() => {{ const toolkit = {{}}; {body}; return {SPACED}.map((one) => toolkit.spacingLimits(one)) }})()"
    ours = [spacing_limits(each) for each in SPACED]
    assert bench.js(asked) == [None if each is None else list(each) for each in ours]
    market, compared = StudioBars(), 0
    for symbol in ("BINANCE:BTCUSDT", "NASDAQ:AAPL"):
        found = samples.find(symbol)
        assert found is not None
        for name, limits in zip(SPACED, ours, strict=True):
            timeframe = parse_resolution(name)
            is_longer = timeframe is not None and 14_400 < timeframe.seconds < 86_400
            if timeframe is None or limits is None or (is_longer and symbol == "NASDAQ:AAPL"):
                continue  # a session of 6.5 hours has one such bar a day
            times = [bar.time for bar in market.bars(found, timeframe, 40)]
            least = min(after - before for before, after in pairwise(times))
            assert limits[0] <= least <= limits[1], (symbol, name, least)
            compared += 1
    assert compared > 20
