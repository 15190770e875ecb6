"""What the studio's inspector is told: values of names, hits of breakpoints, reasons and lives of orders, as JSON."""

import json
from typing import Any

import pytest

from pinebench.studio import inspector_answers
from pinebench.studio.app import Studio
from pinebench.studio.outcome import page
from pinebench.studio.web import StudioRequest

SCRIPT = """//@version=6
indicator("x")
n = input.int(3, "N")
twice(float x) =>
    float y = x * 2
    y
mean = ta.sma(close, n)
rising = close > mean
tone = rising ? color.green : color.new(color.red, 50)
if rising
    both = twice(close) + twice(open)
var list = array.new<float>()
list.push(close)
plot(mean, "Mean")
"""
LATE = 4_000_000_000_000
STRATEGY = """//@version=6
strategy("Steps", overlay = true)
if bar_index % 40 == 10
    strategy.entry("In", strategy.long, comment = "go")
if bar_index % 40 == 30
    strategy.close("In")
"""


@pytest.fixture(scope="module")
def studio() -> Studio:
    return Studio()


def ask(studio: Studio, question: str, source: str = SCRIPT, until: int | None = None, **about: Any) -> dict[str, Any]:
    """The answer to a question; without one, the answer of a run."""
    body: dict[str, Any] = {"source": source, "symbol": "NASDAQ:AAPL", "resolution": "1D", "count": 100}
    body |= {"until": until, "inputs": {}, **about}
    response = studio.handle(StudioRequest("POST", f"/studio/api/{question}", body=json.dumps(body).encode()))
    assert response.status == 200, response.body
    return json.loads(response.body)


def named(told: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [one for one in told["names"] if one["name"] == name]


def at(one: dict[str, Any], bar: int) -> str | None:
    """The text of a name's value on a bar, as the page finds it."""
    return [text for first, text in zip(one["bars"], one["texts"], strict=True) if first <= bar][-1]


def test_values_are_those_that_the_chart_plots(studio: Studio) -> None:
    ran = ask(studio, "run")
    told = ask(studio, "inspect/values", first=0, last=99)
    assert (told["first"], told["last"], told["error"], told["dropped"]) == (0, 99, None, [])
    assert told["offset"] == ran["ran"]["bars"] - 100
    (mean,) = named(told, "mean")
    assert (mean["line"], mean["kind"], mean["call"]) == (7, "series float", False)
    for bar, value in enumerate(ran["outputs"][0]["columns"]["series"]):
        assert at(mean, bar) == f"{value:.10g}"
    assert "before" in mean
    assert {one["kind"] for one in told["names"] if one["name"] in ("n", "list", "x")} == {
        "input int",
        "var array<float>",
        "parameter series float",
    }
    (rising,) = named(told, "rising")
    colors = {(at(rising, bar), at(named(told, "tone")[0], bar)) for bar in range(100)}
    assert colors == {("true", "#4CAF50"), ("false", "#F2364580")}
    assert at(named(told, "n")[0], 5) == "3"
    both = named(told, "both")[0]
    assert {at(both, bar) is None for bar in range(100) if at(rising, bar) == "false"} == {True}, "its code did not run"
    assert [one["site"] for one in named(told, "y")] == ["twice(close) on line 11", "twice(open) on line 11"]


def test_values_fit_into_an_answer(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    request = _request(60)
    monkeypatch.setattr(inspector_answers, "_CELLS", 1)
    told = json.loads(inspector_answers.values(request, 400, 10, 30))
    assert (told["first"], told["last"]) == (0, 49)
    told = json.loads(inspector_answers.values(request, 400, 200, 220))
    assert told["first"] <= 200
    assert told["last"] >= 220
    whole = json.loads(inspector_answers.values(request, 400, 395, 399))
    assert whole["last"] == 399
    assert named(whole, "list")[0]["since"] == whole["first"], "it changes on every bar"


def test_nothing_is_told_from_after_the_present_bar_of_a_replay(studio: Studio) -> None:
    times = ask(studio, "run")["times"]
    now = times[39]
    told = ask(studio, "inspect/values", until=now, first=0, last=99)
    assert (told["last"], told["ended"]) == (39, 39)
    assert max(bar for one in told["names"] for bar in one["bars"]) <= 39
    hits = ask(studio, "inspect/hits", until=now, line=7, condition="")
    assert (max(hits["times"]), hits["line"]) == (now, 7)
    assert times[39] < times[60]
    late = ask(studio, "inspect/why", until=now, expression="mean", time=times[60] * 1000, line=0, call="")
    assert late["time"] == now, "the question is about the last bar that exists"


def test_hits_are_at_the_bars_where_the_condition_is_true(studio: Studio) -> None:
    told = ask(studio, "inspect/hits", line=10, condition="rising and bar_index == last_bar_index - 3")
    ran = ask(studio, "run")
    assert set(told["times"]) <= {ran["times"][-4]}
    assert told["line"] == 10
    wrong = ask(studio, "inspect/hits", line=7, condition="mean +")
    assert "'mean +' is not a valid condition at line 7" in wrong["refused"]


def test_why_tells_the_tree_of_an_expression(studio: Studio) -> None:
    times = ask(studio, "run")["times"]
    told = ask(
        studio, "inspect/why", expression="close > mean and false == rising", time=times[-1] * 1000, line=0, call=""
    )
    assert told["time"] == times[-1]
    assert told["value"] == "false"
    assert told["reasons"]
    assert [part["text"] for part in told["parts"]] == ["close > mean and false == rising"]
    assert told["parts"][0]["line"] == 0, "it is not a line of the script"
    assert {"close > mean"} <= {part["text"] for part in told["parts"][0]["parts"]}
    wrong = ask(studio, "inspect/why", expression="y", time=times[-1] * 1000, line=0, call="")
    assert "not an expression of the script's global scope" in wrong["refused"]
    assert (
        "does not compile"
        in ask(studio, "inspect/why", SCRIPT + "zzz", expression="y", time=LATE, line=0, call="")["refused"]
    )


def test_why_at_a_line_tells_which_call_and_why_a_block_did_not_run(studio: Studio) -> None:
    rising = next(one for one in ask(studio, "inspect/values", first=0, last=99)["names"] if one["name"] == "rising")
    times = ask(studio, "run")["times"]
    ups = {at(rising, bar): times[bar] * 1000 for bar in range(100)}
    told = ask(studio, "inspect/why", expression="y", time=ups["true"], line=5, call="twice(open)")
    assert told["note"].startswith("line 5 ran once on this bar in the call 'twice(open)'")
    assert {part["text"] for part in told["parts"]} == {"float y = x * 2"} and told["value"] != "not evaluated"
    told = ask(studio, "inspect/why", expression="both", time=ups["false"], line=11, call="")
    assert told["value"] == "not evaluated"
    assert told["reasons"][0] == "line 11 did not run on this bar: the condition in line 10 was false"


def test_the_life_of_an_order_goes_from_its_call_to_its_fill(studio: Studio) -> None:
    tested = ask(studio, "run", STRATEGY)["tested"]
    closed = [trade for trade in tested["trades"] if trade["x"] is not None][-1]
    for end in (closed["e"], closed["x"]):
        (fill,) = [one for one in tested["filledOrders"] if one["tm"] == end["tm"] and one["p"] == end["p"]]
        life = ask(studio, "inspect/order", STRATEGY, order=fill["id"], time=fill["tm"])
        assert life["cause"] == "filled", fill["id"]
        assert [step["what"] for step in life["steps"]] == ["called", "placed", "filled"]
        assert life["steps"][0]["line"] in (4, 6)
        assert life["steps"][-1]["time"] * 1000 == fill["tm"]
    assert "not a strategy" in ask(studio, "inspect/order", order="In", time=LATE)["refused"]


def test_a_script_that_stopped_tells_the_values_until_then(studio: Studio) -> None:
    stops = SCRIPT + 'if bar_index == last_bar_index - 10\n    runtime.error("no more")\n'
    told = ask(studio, "inspect/values", stops, first=0, last=99)
    assert "no more" in told["error"]
    assert told["last"] < 90


@pytest.mark.parametrize(
    ("question", "about"),
    [("values", {}), ("values", {"first": "a", "last": 1}), ("hits", {"line": 1}), ("why", {"time": 1}), ("x", {})],
)
def test_a_question_of_another_shape_is_refused(studio: Studio, question: str, about: dict[str, Any]) -> None:
    body = {"source": SCRIPT, "symbol": "NASDAQ:AAPL", "resolution": "1D", "count": 9, "until": None, "inputs": {}}
    response = studio.handle(
        StudioRequest("POST", f"/studio/api/inspect/{question}", body=json.dumps(body | about).encode())
    )
    assert response.status in (400, 404)


def test_the_inspector_is_for_the_owner(studio: Studio) -> None:
    for question in ("values", "hits", "why", "order"):
        assert studio.handle(StudioRequest("POST", f"/studio/api/inspect/{question}", visitor=True)).status == 401


def test_the_chart_gets_the_same_run_with_and_without_an_inspector(studio: Studio) -> None:
    request = _request(60)
    before = page(request)
    inspector_answers.values(request, 60, 0, 59)
    assert page(request) == before


def _request(count: int) -> Any:
    from tests.inspecting.checked import request_of

    return request_of(SCRIPT, 400 if count == 60 else count)
