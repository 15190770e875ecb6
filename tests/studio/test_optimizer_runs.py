"""The page's optimizations: results as in a back-test, progress, stop, one at a time; and the tab of the tester."""

import json
import time
from typing import Any

import pytest

from pinebench.market.samples import find
from pinebench.studio.app import Studio
from pinebench.studio.web import StudioRequest
from tests.studio.support import CHART, Driver
from tests.studio.test_look import findings
from tests.tradingview.support import LIMIT

STRATEGY = """//@version=6
strategy("Cross", overlay = true, initial_capital = 10000, default_qty_type = strategy.percent_of_equity,
     default_qty_value = 50)
fast = input.int(3, "Fast", minval = 2, maxval = 6)
slow = input.int(20, "Slow, or slower", minval = 2)
kind = input.string("EMA, quick", "Kind", options = ["EMA, quick", "SMA"])
average(length) => kind == "SMA" ? ta.sma(close, length) : ta.ema(close, length)
if ta.crossover(average(fast), average(slow))
    strategy.entry("L", strategy.long)
if ta.crossunder(average(fast), average(slow))
    strategy.close("L")
"""
RANGES = {"in_0": "2:4:1", "in_2": ["EMA, quick", "SMA"]}


@pytest.fixture(scope="module")
def studio() -> Studio:
    return Studio()


def ask(studio: Studio, method: str, path: str, body: object = None) -> tuple[int, Any]:
    sent = b"" if body is None else json.dumps(body).encode()
    answer = studio.handle(StudioRequest(method, f"/studio/api/{path}", {}, {}, sent))
    return answer.status, json.loads(answer.body)


def chart(**more: Any) -> dict[str, Any]:
    assert find("AAPL") is not None
    return {"source": STRATEGY, "symbol": "AAPL", "resolution": "1W", "count": 100, "until": None, "inputs": {}, **more}


def begin(studio: Studio, **more: Any) -> tuple[int, Any]:
    given = {"ranges": RANGES, "metric": "net_profit", "most": 500, "holdout": 0.3, **more}
    return ask(studio, "POST", "optimize", chart(**given))


def finished(studio: Studio, number: int) -> dict[str, Any]:
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        _, told = ask(studio, "GET", f"optimize/{number}")
        if not told["going"]:
            return told
        time.sleep(0.02)
    raise AssertionError("the optimization did not end")


def going(studio: Studio, number: int) -> str:
    """The words about the progress once the first runs are done."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        progress = ask(studio, "GET", f"optimize/{number}")[1]["progress"]
        if progress is not None and progress["share"] > 0:
            return progress["words"]
        time.sleep(0.02)
    raise AssertionError("the optimization did not begin")


def test_a_result_is_what_the_chart_shows_with_the_same_inputs(studio: Studio) -> None:
    status, begun = begin(studio, inputs={"in_1": 12, "in_0": 6}, holdout=0.0)
    assert status == 200, begun
    told = finished(studio, begun["number"])
    assert told["problem"] is None
    found = told["results"]
    assert found["ids"] == ["in_0", "in_2"]
    assert [axis["values"] for axis in found["axes"]] == [[2, 3, 4], ["EMA, quick", "SMA"]]
    assert len(found["runs"]) == 6
    for (fast, kind), value, *_ in found["runs"][:2]:
        inputs = {"in_0": [2, 3, 4][fast], "in_1": 12, "in_2": RANGES["in_2"][kind]}
        _, ran = ask(studio, "POST", "run", chart(inputs=inputs))
        assert ran["tested"]["performance"]["all"]["netProfit"] == pytest.approx(value)


def test_held_back_figures_stand_beside_and_words_judge(studio: Studio) -> None:
    _, begun = begin(studio)
    found = finished(studio, begun["number"])["results"]
    assert found["complete"] is True
    assert found["holdout"] == 0.3
    assert found["best"][0]["held"]["seen"]["trades"] is not None
    assert found["judgement"]["verdict"] in ("luck", "more than luck")
    assert found["judgement"]["reasons"]


def test_a_stop_keeps_the_finished_runs_and_lets_the_next_begin(studio: Studio) -> None:
    slow = STRATEGY.replace("average(length) =>", "for i = 0 to 30000\n    slow\naverage(length) =>")
    _, begun = begin(studio, source=slow, ranges={"in_0": "2:6:1", "in_1": "10:60:1"})
    status, refused = begin(studio)
    assert (status, refused["error"]) == (422, "another optimization is running")
    assert "of 255 runs" in going(studio, begun["number"])
    ask(studio, "POST", f"optimize/{begun['number']}/stop")
    told = finished(studio, begun["number"])
    assert told["problem"] is None
    assert told["results"]["complete"] is False
    assert 0 < len(told["results"]["runs"]) < 255
    status, again = begin(studio)
    assert status == 200
    finished(studio, again["number"])


@pytest.mark.parametrize(
    ("more", "status", "words"),
    [
        ({"ranges": {}}, 422, "no input is chosen"),
        ({"ranges": {"in_0": "5:2:1"}}, 422, "is not a range"),
        ({"ranges": {"in_0": "2:90:1"}}, 422, "at most 6"),
        ({"ranges": {"in_9": "2:3:1"}}, 422, "in_9"),
        ({"metric": "luck"}, 422, "luck"),
        ({"source": "//@version=6\nindicator('x')\nplot(close)\n"}, 422, "not a strategy"),
        ({"most": 0}, 400, "most"),
        ({"most": 10**9}, 400, "most"),
        ({"holdout": 2.0}, 422, "fraction of bars to hold back"),
        ({"symbol": "NOWHERE"}, 400, "existing symbol"),
    ],
)
def test_what_cannot_be_optimized_is_refused_in_words(
    more: dict[str, Any], status: int, words: str, studio: Studio
) -> None:
    answer = begin(studio, **more)
    assert answer[0] == status, answer
    assert words in json.dumps(answer[1])


def test_an_unknown_number_is_not_found(studio: Studio) -> None:
    assert ask(studio, "GET", "optimize/999999")[0] == 404
    assert ask(studio, "POST", "optimize/999999/stop")[0] == 200


PANEL = "document.querySelector('[data-name=\"backtesting\"]')"
STUDY = f"{CHART}.getStudyById({CHART}.getAllStudies().at(-1).id)"
INPUTS = f"Object.fromEntries({STUDY}.getInputValues().map((one) => [one.id, one.value]))"


SEEN_AT_ONCE = f"""(() => {{
  const panel = {PANEL}.querySelector('[role="tabpanel"]').getBoundingClientRect();
  const isSeen = (node) => {{
    const {{left, top, right, bottom}} = node.getBoundingClientRect();
    const isInside = right <= panel.right + 1 && bottom <= panel.bottom + 1 && top >= panel.top;
    return isInside && node.contains(document.elementFromPoint(left + 4, top + 4));
  }};
  const names = ['optimizer-verdict', 'best-row', 'heat-map', 'heat-cell'];
  return Object.fromEntries(names.map((name) => [name, isSeen(document.querySelector(`[data-name="${{name}}"]`))]));
}})()"""


@pytest.mark.live
def test_the_tab_finds_the_best_and_a_click_puts_its_inputs_onto_the_chart(shared: Driver) -> None:
    page = shared
    page.js("TradingView.bottomWidgetBar.showWidget('pine-editor')")
    page.editor.write(STRATEGY)
    assert page.editor.compile().outcome == "added"
    try:
        page.js("TradingView.bottomWidgetBar.showWidget('backtesting')")
        page.until(f"{PANEL}?.querySelectorAll('[role=\"tab\"]').length === 6")
        page.js(f"{PANEL}.querySelectorAll('[role=\"tab\"]')[4].click()")
        words = f"{PANEL}.querySelector('[data-name=\"combinations\"]').textContent"
        assert page.until(words) == "10 combinations", "the inputs whose range the script knows are chosen"
        assert findings(page, '[data-name="backtesting"]') == []
        page.click('[data-name="optimize"]')
        page.until(f"{PANEL}.querySelectorAll('[data-name=\"heat-cell\"]').length === 10")
        assert "Verdict: " in page.js(f"{PANEL}.querySelector('[data-name=\"optimizer-verdict\"]').textContent")
        seen = page.js(SEEN_AT_ONCE)
        assert seen == dict.fromkeys(seen, True) and len(seen) == 4, "without scrolling, at the page's usual size"
        heads = page.js(f"{PANEL}.querySelector('.optimizer__best thead').textContent")
        assert "Held back: net profit" in heads
        assert findings(page, '[data-name="backtesting"]') == []
        # Losses are red, profits green, minus signs alike.
        cells = page.js(
            f"[...{PANEL}.querySelectorAll('[data-name=\"heat-cell\"]')].map((cell) => [cell.textContent,"
            " ...getComputedStyle(cell).backgroundColor.match(/[\\d.]+/g).map(Number)])"
        )
        for text, red, green, *_ in cells:
            assert (red > green) == text.startswith("−") and "-" not in text, text
            assert len(text.partition(".")[2]) == 2, "all cells have the decimals of the table beside them"

        cell = f"{PANEL}.querySelectorAll('[data-name=\"heat-cell\"]')[8]"
        assert page.js(f"{cell}.title") == "Fast = 5, Kind = SMA"
        page.js(f"{cell}.click()")
        page.until(f"{INPUTS}.in_0 === 5")
        assert page.js(INPUTS) == {"in_0": 5, "in_1": 20, "in_2": "SMA"}
        said = f"{PANEL}.querySelector('[data-name=\"optimizer-said\"]').textContent"
        assert page.until(said) == "On the chart: Fast = 5, Kind = SMA"
        page.js(f"{PANEL}.querySelector('[data-name=\"best-row\"] button').click()")
        assert page.until(said).startswith("On the chart: Fast = ")
    finally:
        page.js(f"{CHART}.removeAllStudies()")
        page.js("TradingView.bottomWidgetBar.showWidget('pine-editor')")
