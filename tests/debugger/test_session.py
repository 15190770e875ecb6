"""Debug sessions over the raw protocol: stops, steps forward and back, values, expressions, and a run that stays the
same."""

import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pinebench.debugger.debug_process import job_of
from pinebench.debugger.script_process import told
from pinebench.debugger.server import DebugServer, RequestRefused
from pinebench.workers.jobs import perform
from tests.debugger.client import Client

DATA = "sample:AAPL@60x120"
SCRIPT = """//@version=6
strategy("Debugged", overlay = true)
length = input.int(3, "Length")
scaled(x, n) =>
    total = 0.0
    for i = 1 to n
        total += x * i
    total
type Zone
    float top
    int touches = 0
var Zone zone = Zone.new(close)
var seen = array.new<float>()
var counts = map.new<string, int>()
mean = ta.sma(close, length)
both = scaled(close, 2) + scaled(open, 3)
if close > mean
    above = close - mean
    seen.push(above)
    zone.touches += 1
    counts.put("up", zone.touches)
word = close > open ? "up" : "down"
if ta.crossover(close, mean)
    strategy.entry("Long", strategy.long)
    alert("crossed")
if ta.crossunder(close, mean)
    strategy.close("Long")
var mark = line.new(bar_index, close, bar_index + 1, close)
mark.set_xy2(bar_index, close)
plot(mean)
log.info("bar {0}", bar_index)
"""
LINES = {text.strip(): number for number, text in enumerate(SCRIPT.splitlines(), 1)}
"""The number of each line of the script by its text."""


def test_a_breakpoint_stops_before_its_line_and_shows_the_values(client: Client, path: Path) -> None:
    line = LINES["zone.touches += 1"]
    client.launch(path, [line], data=DATA)
    stop = client.stopped()
    assert (stop["reason"], stop["line"], stop["hitBreakpointIds"]) == ("breakpoint", line, [1])
    [frame] = client.frames()
    assert frame["line"] == line and frame["source"]["path"] == str(path)
    scopes = client.scopes()
    assert list(scopes) == ["Globals", "Inputs", "Calls", "Built-ins", "Strategy", "Drawings"]
    assert client.variables(scopes["Inputs"]) == {"length": "3"}
    shown = client.variables(scopes["Globals"])
    assert shown["zone"].startswith("Zone {top: ") and shown["zone"].endswith("touches: 0}")
    assert shown["seen"].startswith("array of 1: [")
    assert shown["word"] == "(no value yet on this bar)"
    assert float(client.evaluate("above")) == pytest.approx(float(client.evaluate("close - mean")))
    strategy = client.variables(scopes["Strategy"])
    assert strategy["strategy.position_size"] == "0"
    assert client.variables(scopes["Drawings"])["lines"] != ""


def test_earlier_values_elements_and_fields_are_children(client: Client, path: Path) -> None:
    client.launch(path, [{"line": LINES["plot(mean)"], "condition": "bar_index == 30"}], data=DATA)
    assert client.stopped()["bar"] == 30
    found = client.ask("variables", variablesReference=client.scopes()["Globals"])["variables"]
    by_name = {each["name"]: each for each in found}
    history = client.variables(by_name["mean"]["variablesReference"], start=0, count=2)
    assert history == {"[1]": client.evaluate("mean[1]"), "[2]": client.evaluate("mean[2]")}
    fields = client.variables(by_name["zone"]["variablesReference"])
    assert fields["touches"] == client.evaluate("zone.touches") and "(earlier bars)" in fields
    assert client.variables(by_name["counts"]["variablesReference"])["up"] == fields["touches"]
    elements = client.variables(by_name["seen"]["variablesReference"], start=1, count=1)
    assert elements == {"[1]": client.evaluate("seen.get(1)")}


def test_steps_go_over_into_and_out_of_functions_and_through_loops(client: Client, path: Path) -> None:
    line = LINES["both = scaled(close, 2) + scaled(open, 3)"]
    client.launch(path, [line], data=DATA)
    client.stopped()
    assert client.go("next")["line"] == line + 1
    client.go("continue")
    inside = client.go("stepIn")
    assert inside["line"] == LINES["total = 0.0"]
    names = [frame["name"] for frame in client.frames()]
    assert names[0] == "scaled()" and names[1].startswith("main (bar 1,")
    assert client.frames()[1]["line"] == line
    assert client.variables(client.scopes()["Locals"])["n"] == "2"
    visited = [client.go("stepIn")["line"] for _ in range(6)]
    head, body = LINES["for i = 1 to n"], LINES["total += x * i"]
    assert visited == [head, head, body, head, body, LINES["total"]]
    assert client.evaluate("i") == "2" and client.evaluate("x * n") == client.evaluate("close * 2")
    assert client.evaluate("length", frame=1) == "3"
    out = client.go("stepOut")
    assert out["line"] == line + 1
    assert client.go("stepOut")["bar"] == 2  # out of the global code is the next bar


def test_steps_go_back_to_where_the_run_was(client: Client, path: Path) -> None:
    client.launch(path, [LINES["plot(mean)"]], data=DATA)
    client.stopped()
    client.set_breakpoints(path, [])
    trace = [(stop["bar"], stop["line"], client.all_values()) for stop in (client.go("next") for _ in range(5))]
    for bar, line, values in reversed(trace[:-1]):
        stop = client.go("stepBack")
        assert (stop["bar"], stop["line"]) == (bar, line)
        assert client.all_values() == values
    assert client.go("pinebench/previousBar")["bar"] == 0
    stop = client.go("stepBack")
    assert (stop["reason"], stop["bar"], stop["count"]) == ("entry", 0, 1)


def test_steps_back_after_each_other_are_those_of_one_at_a_time(client: Client, path: Path) -> None:
    """The first step back looks at the steps before; the next ones know from it where to go, into and over calls."""
    client.launch(path, [{"line": LINES["plot(mean)"], "condition": "bar_index == 40"}], data=DATA)
    client.stopped()
    client.set_breakpoints(path, [])
    trace = [client.go("next") for _ in range(25)]
    places = [(stop["bar"], stop["line"], stop["count"]) for stop in trace]
    back = [client.go("stepBack") for _ in places[1:]]
    assert [(stop["bar"], stop["line"], stop["count"]) for stop in back] == places[-2::-1]
    inside = client.go("stepIn")
    while inside["line"] != LINES["total += x * i"]:
        inside = client.go("stepIn")
    again = [(client.go("stepBack")["line"], len(client.frames())) for _ in range(3)]
    head = LINES["for i = 1 to n"]
    assert again == [(head, 2), (head, 2), (LINES["total = 0.0"], 2)]
    assert client.go("stepBack")["line"] == LINES["both = scaled(close, 2) + scaled(open, 3)"]


LONG = """//@version=6
indicator("A long call")
many(n) =>
    total = 0.0
    for i = 1 to n
        total += i
    total
before = close
after = many(bar_index == 5 ? 60000 : 1)
plot(after + before)
"""


def test_a_step_back_goes_over_a_call_with_many_steps(client: Client, path: Path) -> None:
    """Only the last steps are looked at first, and ever more if the place is not among them."""
    path.write_text(LONG, "utf-8")
    client.launch(path, [{"line": 10, "condition": "bar_index == 5"}], data=DATA)
    stop = client.stopped()
    back = client.go("stepBack")
    assert (back["line"], back["bar"], len(client.frames())) == (9, 5, 1)
    assert stop["count"] - back["count"] > 100_000
    assert client.go("stepBack")["line"] == 8
    again = client.go("continue")
    assert (again["line"], again["count"]) == (10, stop["count"])
    assert client.evaluate("after") == "1800030000"


def test_hits_are_counted_up_to_where_a_step_back_is_looked_for(client: Client, path: Path) -> None:
    path.write_text(LONG, "utf-8")
    client.launch(path, [{"line": 6, "hitCondition": "== 30000"}], data=DATA)
    stop = client.stopped()
    assert (stop["bar"], client.evaluate("i")) == (5, "29995")
    for _ in range(3):
        client.go("stepBack")
    assert client.evaluate("i") == "29994"
    again = client.go("continue")
    assert (again["line"], again["count"], client.evaluate("i")) == (6, stop["count"], "29995")


def test_without_copies_of_the_process_going_back_is_refused(
    client: Client, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows has no fork: the editor is told so at the beginning, and the session goes on forward."""
    monkeypatch.setattr("pinebench.debugger.server.CAN_GO_BACK", False)
    offered = client.ask("initialize", adapterID="x")
    assert offered["supportsStepBack"] is offered["supportsRestartFrame"] is False
    client.ask("launch", program=str(path), data=DATA, stopOnEntry=True)
    client.wait("initialized")
    client.ask("setExceptionBreakpoints", filters=[])
    client.ask("configurationDone")
    client.stopped()
    client.evaluate(":bar 9", context="repl")
    assert client.stopped()["bar"] == 9
    for command in ("stepBack", "reverseContinue", "restartFrame", "pinebench/previousBar"):
        answer = client.request(command, threadId=1)
        assert not answer["success"] and "only on Linux and macOS" in answer["message"], command
    for text in (":previous", ":bar 3"):
        assert not client.request("evaluate", expression=text, context="repl")["success"]
    assert client.evaluate("bar_index") == "9"
    assert client.go("pinebench/nextBar")["bar"] == 10


def test_a_reverse_run_stops_at_the_last_breakpoint(client: Client, path: Path) -> None:
    line = LINES["seen.push(above)"]
    client.launch(path, [line], data=DATA)
    stops = [client.stopped(), *(client.go("continue") for _ in range(5))]
    for stop in reversed(stops[:-1]):
        back = client.go("reverseContinue")
        assert (back["reason"], back["bar"], back["line"]) == ("breakpoint", stop["bar"], line)
    assert client.go("reverseContinue")["reason"] == "entry"
    assert client.go("continue")["bar"] == stops[0]["bar"]


def test_conditions_hit_counts_and_log_points(client: Client, path: Path) -> None:
    line = LINES["plot(mean)"]
    client.ask("initialize", adapterID="x")
    client.ask("launch", program=str(path), data=DATA)
    client.wait("initialized")
    told = client.set_breakpoints(
        path,
        [
            {"line": line, "condition": "close > mean and bar_index > 10"},
            {"line": line, "hitCondition": "% 50"},
            {"line": line, "logMessage": "close is {close}, mean {mean[1]}"},
            {"line": line, "condition": "clse > 1"},
            {"line": line, "hitCondition": "often"},
            {"line": 9000},
        ],
    )
    assert [each["verified"] for each in told] == [True, True, True, False, False, False]
    assert told[3]["message"].startswith('Undeclared identifier "clse"')
    assert told[4]["message"] == "'often' is not a hit condition, such as 5, >= 3 or % 10"
    client.ask("configurationDone")
    first = client.stopped()
    assert first["hitBreakpointIds"] == [1] and first["bar"] > 10
    assert client.evaluate("close > mean") == "true"
    assert any(text.startswith("close is ") and "mean na" in text for text in client.outputs)
    while 2 not in first["hitBreakpointIds"]:
        first = client.go("continue")
    assert first["bar"] == 49


def test_bars_orders_fills_alerts_and_errors_stop_too(client: Client, path: Path) -> None:
    path.write_text(SCRIPT + 'if bar_index == 100\n    runtime.error("enough")\n', "utf-8")
    client.launch(path, [], ["order", "fill", "alert", "error"], data=DATA)
    order = client.stopped()
    while order["line"] != LINES['strategy.entry("Long", strategy.long)']:
        order = client.go("continue")
    assert (order["description"], order["line"]) == ("order", LINES['strategy.entry("Long", strategy.long)'])
    assert client.ask("exceptionInfo", threadId=1)["description"] == "strategy.entry Long"
    alert = client.go("continue")
    assert alert["description"] == "alert" and alert["line"] == LINES['alert("crossed")']
    fill = client.go("continue")
    assert fill["description"] == "fill" and fill["bar"] == order["bar"] + 1
    assert client.ask("exceptionInfo", threadId=1)["description"].startswith("fill of ")
    client.ask("setExceptionBreakpoints", filters=["error"])
    bars = client.ask("setFunctionBreakpoints", breakpoints=[{"name": "bar 90"}, {"name": "bar 9999"}])["breakpoints"]
    assert [each["verified"] for each in bars] == [True, False]
    stop = client.go("continue")
    assert (stop["reason"], stop["bar"], stop["line"]) == ("function breakpoint", 90, 12)
    error = client.go("continue")
    assert error["description"] == "run-time error" and error["bar"] == 100
    assert error["line"] == len(SCRIPT.splitlines()) + 2
    assert client.evaluate("bar_index") == "100"
    assert client.go("stepBack")["bar"] == 100
    assert client.go("continue")["description"] == "run-time error"
    assert client.go("continue")["reason"] == "terminated"
    assert any("enough" in text for text in client.outputs)


def test_no_breakpoint_on_the_way_to_a_bar_stops_the_run(client: Client, path: Path) -> None:
    client.launch(path, [LINES["seen.push(above)"]], data=DATA, stopOnEntry=True)
    assert client.stopped()["reason"] == "entry"
    client.ask("setFunctionBreakpoints", breakpoints=[{"name": "bar 40"}])
    client.evaluate(":bar 80", context="repl")
    assert client.stopped()["bar"] == 80
    assert client.go("continue")["reason"] == "breakpoint"


def test_words_in_the_console_move_to_bars(client: Client, path: Path) -> None:
    client.launch(path, data=DATA, stopOnEntry=True)
    assert client.stopped()["reason"] == "entry"
    client.evaluate(":bar 80", context="repl")
    assert client.stopped()["bar"] == 80
    client.evaluate(":previous", context="repl")
    assert client.stopped()["bar"] == 79
    client.evaluate(":bar 5", context="repl")
    assert client.stopped()["bar"] == 5
    client.evaluate(":next", context="repl")
    assert client.stopped()["bar"] == 6
    assert not client.request("evaluate", expression=":gone", context="repl")["success"]


def test_expressions_are_checked_and_change_nothing(client: Client, path: Path) -> None:
    client.launch(path, [{"line": LINES["plot(mean)"], "condition": "bar_index == 40"}], data=DATA)
    client.stopped()
    for text, said in {
        "seen.push(1.0)": "Void expression cannot be assigned",
        "seen.pop()": "would change the state of the run",
        "ta.ema(close, 9)": "keeps a state from bar to bar",
        "close >": "",
        "close > 'a'": "",
        "nothing": "Undeclared identifier",
    }.items():
        answer = client.request("evaluate", expression=text, frameId=0, context="repl")
        assert not answer["success"] and said in answer["message"], answer
    assert client.evaluate("ta.sma(close, length)") == client.evaluate("mean")
    assert client.evaluate("math.max(close, open) == close ? word : 'other'") in ('"up"', '"other"')
    assert client.evaluate("str.tostring(bar_index) + '!'") == '"40!"'
    assert client.evaluate("(close - open)[3] == close[3] - open[3]") == "true"
    assert client.evaluate("na(mean[39])") == "true"
    assert (
        client.evaluate("strategy.position_size")
        == client.variables(client.scopes()["Strategy"])["strategy.position_size"]
    )


def test_a_debugged_run_is_the_same_run(client: Client, path: Path) -> None:
    plain = told(perform(job_of({"program": str(path), "data": DATA}).request).result)
    client.launch(path, [LINES["total += x * i"]], ["order", "fill", "alert"], data=DATA)
    random = Random(1)
    client.stopped()
    for _ in range(12):
        client.go(random.choice(["next", "stepIn", "stepOut", "continue", "stepBack", "reverseContinue"]))
    client.all_values()
    assert client.ask("pinebench/chart")["svg"]
    client.set_breakpoints(path, [])
    client.ask("setExceptionBreakpoints", filters=[])
    client.ask("continue", threadId=1)
    assert client.wait("pinebench/result")["body"]["told"] == plain
    client.wait("terminated")


@pytest.mark.soak
def test_debugged_runs_of_100_scripts_are_the_same_runs() -> None:
    checked = 0
    for script in scripts():
        client = Client()
        try:
            client.ask("initialize", adapterID="x")
            if not client.request("launch", program=str(script), data="sample:AAPL@60x300")["success"]:
                continue
            client.wait("initialized")
            client.ask("setExceptionBreakpoints", filters=[])
            client.ask("configurationDone")
            result = client.wait("pinebench/result", "terminated")
            if result["event"] == "terminated":  # the script needs something that is not computed
                continue
            job = job_of({"program": str(script), "data": "sample:AAPL@60x300"})
            assert result["body"]["told"] == told(perform(job.request).result), script
        finally:
            client.close()
        checked += 1
        if checked == 100:
            return
    assert not os.environ.get("PINEBENCH_CORPUS")


def test_live_bars_run_again_with_each_update(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "live.pine"
    path.write_text(
        '//@version=6\nindicator("x")\nvar closes = 0\nvarip ticks = 0\ncloses += 1\nticks += 1\nplot(close)\n', "utf-8"
    )
    client.launch(path, [{"line": 7, "condition": "barstate.isrealtime"}], data=DATA, live=2)
    seen: list[tuple[str, ...]] = []
    stop = client.stopped()
    while stop["reason"] != "terminated":
        seen.append(tuple(client.evaluate(text) for text in ("bar_index", "closes", "ticks", "barstate.isconfirmed")))
        stop = client.go("continue")
    assert seen == [
        (str(bar), str(bar + 1), str(bar + 1 + tick + 3 * (bar - 118)), "true" if tick == 3 else "false")
        for bar in (118, 119)
        for tick in range(4)
    ]


def test_a_script_that_does_not_compile_or_is_missing_is_refused(client: Client, path: Path) -> None:
    path.write_text("//@version=6\nindicator('x')\nplot(clse)\n", "utf-8")
    client.ask("initialize", adapterID="x")
    for given in (
        {"program": str(path)},
        {"program": str(path) + ".gone"},
        {},
        {"program": str(path), "live": "no"},
        {"program": str(path), "data": "gone.csv"},
    ):
        answer = client.request("launch", **given)
        assert not answer["success"] and answer["message"]
    assert not client.request("stackTrace", threadId=1)["success"]
    assert not client.request("gone")["success"]


def scripts() -> list[Path]:
    """Ten scripts: templates, or those below the folder that PINEBENCH_CORPUS names."""
    folder = os.environ.get("PINEBENCH_CORPUS")
    found = sorted((Path(__file__).parents[2] / "pine" / "templates").glob("*.pine"))
    if folder:
        found = [path for path in sorted(Path(folder).rglob("*.pine")) if 3000 < path.stat().st_size < 20000]
        Random(7).shuffle(found)
    return found


def walk(path: Path, steps: int, random: Random) -> int:
    """Walk through a script at random, and compare all values with those of earlier visits. Returns the steps."""
    client = Client()
    known: dict[tuple[int, str], Any] = {}
    charts: dict[tuple[int, str], Any] = {}
    try:
        client.ask("initialize", adapterID="x")
        answer = client.request("launch", program=str(path), data="sample:AAPL@60x300", stopOnEntry=True)
        if not answer["success"]:
            return 0
        client.wait("initialized")
        lines = client.ask("breakpointLocations", source={"path": str(path)}, line=1, endLine=9999)["breakpoints"]
        more = ({}, {"condition": "bar_index % 7 == 3"}, {"hitCondition": "% 5"}, {"logMessage": "close is {close}"})
        client.set_breakpoints(path, [{"line": random.choice(lines)["line"], **each} for each in more])
        client.ask("setFunctionBreakpoints", breakpoints=[{"name": f"bar {random.randrange(300)}"}])
        client.ask("setExceptionBreakpoints", filters=["end"])
        client.ask("configurationDone")
        stop = client.stopped()
        for done in range(steps):
            if stop["reason"] == "terminated":
                return done
            if stop.get("description") != "the run ended":
                place = (stop["count"], "event" if stop["reason"] == "exception" else "")
                values = client.all_values() if random.random() < 0.08 or place in known else None
                if values is not None:
                    assert known.setdefault(place, values) == values, (path, place)
                    assert client.evaluate("bar_index + 0") == str(stop["bar"])
                    seen = client.ask("pinebench/chart", bars=20) if random.random() < 0.2 else None
                    if seen is not None:
                        assert charts.setdefault(place, seen) == seen, (path, place)
            way = random.choice(_WAYS)
            near = {"bar": min(max(stop["bar"] + random.randint(-9, 9), 0), 299)} if way == "pinebench/bar" else {}
            stop = client.go(way, **near)
        return steps
    finally:
        client.close()


_WAYS = (
    *("next", "next", "stepIn", "stepIn", "stepOut", "continue", "pinebench/nextBar"),
    *("stepBack", "stepBack", "stepBack", "reverseContinue", "pinebench/previousBar"),
    *("restartFrame", "pinebench/bar"),
)


def test_after_any_way_to_a_step_the_values_are_the_same(path: Path) -> None:
    assert walk(path, 30, Random(2)) == 30


@pytest.mark.soak
@pytest.mark.timeout(3600)  # ten thousand steps, each a question and its answer
def test_after_any_way_to_a_step_the_values_are_the_same_in_ten_scripts() -> None:
    random = Random(35)
    steps = walked = 0
    for path in scripts():
        done = walk(path, 1000, random)
        steps, walked = steps + done, walked + (done == 1000)
        if walked == 10:
            break
    assert walked == 10 and steps >= 10_000


def test_functions_of_libraries_and_requests_run_as_a_whole(client: Client, tmp_path: Path) -> None:
    folder = tmp_path / "libraries" / "someone" / "Tools"
    folder.mkdir(parents=True)
    library = '//@version=6\nlibrary("Tools")\nexport twice(float x) =>\n    both = x + x\n    both\n'
    (folder / "1.pine").write_text(library, "utf-8")
    (tmp_path / "pinebench.toml").write_text('[check]\nlibrary-paths = ["libraries"]\n', "utf-8")
    path = tmp_path / "it.pine"
    lines = (
        '//@version=6\nindicator("x")\nimport someone/Tools/1 as tools\nf() =>\n    array.new<float>().get(0)\n'
        'y = tools.twice(close)\nz = bar_index == 9 ? request.security("", "D", f()) : y\nplot(z)\n'
    )
    path.write_text(lines, "utf-8")
    client.launch(path, [6], ["error"], data=DATA)
    stop = client.stopped()
    if stop["line"] == 6:
        assert client.go("stepIn")["line"] == 7
        client.set_breakpoints(path, [])
        stop = client.go("continue")
    assert stop["description"] == "run-time error" and [frame["line"] for frame in client.frames()][-1] == 7


def test_a_condition_that_is_not_checked_leaves_all_earlier_breakpoints(
    client: Client, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = LINES["plot(mean)"]
    client.launch(path, [{"line": line, "condition": "bar_index % 10 == 5"}], data=DATA)
    assert client.stopped()["bar"] == 5
    with monkeypatch.context() as patch:

        def silent(*_: Any, **__: Any) -> None:
            raise RequestRefused("the script did not answer")

        patch.setattr(DebugServer, "_ask", silent)
        given = [{"line": line}, {"line": line, "condition": "bar_index == 100"}]
        answer = client.request("setBreakpoints", source={"path": str(path)}, breakpoints=given)
        assert (answer["success"], answer["message"]) == (False, "the script did not answer")
    client.ask("setExceptionBreakpoints", filters=[])
    assert client.go("continue")["bar"] == 15
