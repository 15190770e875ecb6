"""What must not happen in a session: a traceback, a silent wait, a process that stays behind, or an evaluation that
changes the run."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pinebench.debugger.protocol import Stream
from tests.debugger.client import Client

DATA = "sample:AAPL@60x60"
SCRIPT = """//@version=6
indicator("Faults", overlay = true)
type Zone
    float top
    int touches = 0
var zone = Zone.new(close)
var xs = array.new<float>()
var counts = map.new<string, int>()
var grid = matrix.new<float>(1, 1, 0.0)
add(float x) =>
    xs.push(x)
    xs.size()
method grow(Zone this) =>
    this.touches += 1
    this.touches
n = add(close)
counts.put("a", n)
plot(n)
"""
LAST = len(SCRIPT.splitlines())
has_processes = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc")


def processes(session: int) -> list[int]:
    """The living processes of a session (`setsid`)."""
    found: list[int] = []
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                fields = (place / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] not in "ZX":
                found.append(int(place.name))
    return found


def until_none(session: int) -> None:
    end = time.monotonic() + 60
    while processes(session):
        assert time.monotonic() < end, "processes of the session stayed behind"
        time.sleep(0.02)


CHANGES = (
    *("xs.pop()", "xs.shift()", "xs.remove(0)", "array.pop(xs)", "xs.clear()", "grid.remove_row(0)"),
    *("counts.remove('a')", "counts.put('a', 1)", "grow(zone)", "zone.grow()", "add(1.0)"),
    *("add(1.0) > 3 ? close : open", "line.new(0, 0, 1, 1)", "label.new(bar_index, close).get_y()", "box.copy(na)"),
    *("alert('now')", "log.info('x')", "runtime.error('x')", "zone.touches := 5", "n := 5", "varip k = 5"),
    "request.security(syminfo.tickerid, 'D', add(close))",
)


def test_expressions_that_change_something_are_refused_and_change_nothing(client: Client, path: Path) -> None:
    client.launch(path, [{"line": LAST, "condition": "bar_index == 5"}], data=DATA)
    client.stopped()
    before = client.all_values()
    for text in CHANGES:
        answer = client.request("evaluate", expression=text, frameId=0, context="watch")
        assert not answer["success"] and answer["message"], (text, answer)
    assert client.all_values() == before


def test_every_expression_at_a_stop_shows_its_own_value(client: Client, path: Path) -> None:
    """The value of an expression is freed after the answer, and the next one may lie at its place in memory."""
    client.launch(path, [{"line": LAST, "condition": "bar_index == 3"}], data=DATA)
    client.stopped()
    texts = [f"a{number}" for number in range(8)] * 4
    shown = [client.evaluate(f"str.split('{text},b', ',')") for text in texts]
    assert shown == [f'array of 2: ["{text}", "b"]' for text in texts]


def test_the_error_of_an_expression_is_the_one_that_the_script_would_have(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "na.pine"
    declared = "type Zone\n    float top\nvar zone = Zone.new(close)\nvar Zone none = na\nvar array<float> xs = na\n"
    path.write_text(f'//@version=6\nindicator("x")\n{declared}plot(close)\n', "utf-8")
    client.launch(path, [8], data=DATA)
    client.stopped()
    for text, told in (
        ("none.top", "Cannot access the 'Zone.top' field of an undefined object. The object is 'na'."),
        ("xs.size()", "Cannot call array methods when id of array is na."),
    ):
        answer = client.request("evaluate", expression=text, frameId=0, context="watch")
        assert not answer["success"]
        assert answer["message"].startswith(f"'{text}' stops with an error: ") and told in answer["message"]


def test_an_expression_reads_fields_of_a_type_that_the_script_first_uses_later(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "types.pine"
    types = "enum Side\n    up\ntype First\n    float x\ntype Second\n    float p\n"
    body = "var First one = na\nvar two = Second.new(1.0)\nif bar_index == 1\n    one := First.new(5.0)\nplot(close)\n"
    path.write_text(f'//@version=6\nindicator("x")\n{types}{body}', "utf-8")
    client.launch(path, [{"line": 10, "condition": "bar_index == 3"}], data=DATA)
    client.stopped()
    assert (client.evaluate("one.x"), client.evaluate("two.p")) == ("5", "1")


def test_rows_of_a_matrix_that_are_left_out_are_not_shown_as_empty(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "grid.pine"
    path.write_text('//@version=6\nindicator("x")\nvar grid = matrix.new<int>(5, 20, 1)\nplot(close)\n', "utf-8")
    client.launch(path, [4], data=DATA)
    client.stopped()
    row = f"[{'1, ' * 10}…]"
    assert client.evaluate("grid") == f"matrix of 5 x 20: [{row}, {row}, …]"


def test_a_condition_that_cannot_be_evaluated_is_told_once(client: Client, path: Path) -> None:
    client.launch(path, [{"line": LAST, "condition": "xs.get(7) > 0"}], data=DATA)
    assert client.stopped()["bar"] == 7
    told = [text for text in client.outputs if "could not be evaluated" in text]
    assert len(told) == 1 and told[0].startswith(f"line {LAST}: the condition 'xs.get(7) > 0' could not be evaluated")
    assert client.go("reverseContinue")["reason"] == "entry"
    assert client.go("continue")["bar"] == 7
    assert len([text for text in client.outputs if "could not be evaluated" in text]) == 1


@pytest.mark.soak
def test_a_condition_is_true_or_false(client: Client, path: Path) -> None:
    client.ask("initialize", adapterID="x")
    client.ask("launch", program=str(path), data=DATA)
    told = client.set_breakpoints(path, [{"line": LAST, "condition": "close"}])
    assert not told[0]["verified"] and "bool" in told[0]["message"]


@pytest.mark.soak
def test_two_breakpoints_on_one_line_both_count(client: Client, path: Path) -> None:
    both = [{"line": LAST, "condition": "bar_index >= 3"}, {"line": LAST, "hitCondition": "6"}]
    client.launch(path, both, data=DATA)
    stops = [client.stopped(), *(client.go("continue") for _ in range(2))]
    assert [(stop["bar"], len(stop["hitBreakpointIds"])) for stop in stops] == [(3, 1), (4, 1), (5, 2)]


@pytest.mark.soak
def test_a_library_is_not_debugged_which_is_said(client: Client, path: Path, tmp_path: Path) -> None:
    client.launch(path, [LAST], data=DATA)
    client.stopped()
    [told] = client.set_breakpoints(tmp_path / "library.pine", [3])
    assert told == {"verified": False, "message": "this file is not part of the debugged script"}
    assert client.go("continue")["bar"] == 1, "the breakpoints of the script itself stay"


@pytest.mark.soak
def test_a_step_back_over_updates_of_a_live_bar_shows_what_was(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "live.pine"
    body = "var closes = 0\nvarip ticks = 0\nvar seen = array.new<float>()\ncloses += 1\nticks += 1\nseen.push(close)\n"
    path.write_text(f'//@version=6\nindicator("x")\n{body}plot(close)\n', "utf-8")
    client.launch(path, [{"line": 9, "condition": "barstate.isrealtime"}], data=DATA, live=3)
    stop, trace = client.stopped(), []
    while stop["reason"] != "terminated" and len(trace) < 10:
        trace.append((stop["bar"], stop["line"], stop["count"], client.all_values()))
        stop = client.go("continue")
    for bar, line, count, values in reversed(trace[:-1]):
        stop = client.go("reverseContinue") if stop["count"] != count else stop
        while stop["count"] > count:
            stop = client.go("reverseContinue")
        assert (stop["bar"], stop["line"], stop["count"], client.all_values()) == (bar, line, count, values)
    assert {client.evaluate("closes"), client.evaluate("seen.size()")} == {str(trace[0][0] + 1)}
    assert client.go("pinebench/previousBar")["bar"] == trace[0][0] - 1
    for bar, line, _, values in trace[:5]:
        stop = client.go("continue")
        assert (stop["bar"], stop["line"], client.all_values()) == (bar, line, values)


def test_an_editor_shows_no_message_for_what_it_asked_before_it_heard_of_the_end(client: Client, path: Path) -> None:
    """It asks for the variables of each stop by itself, and a person may press Stop meanwhile."""
    client.launch(path, [LAST], data=DATA)
    client.stopped()
    refused = [client.request("evaluate", expression="nowhere", frameId=0, context="hover")]
    client.ask("continue", threadId=1)
    client.ask("terminate")
    refused += [
        *(client.request(command, threadId=1) for command in ("stackTrace", "next", "stepBack", "pinebench/nextBar")),
        client.request("scopes", frameId=0),
        client.request("variables", variablesReference=1),
        client.request("evaluate", expression="n", frameId=0, context="watch"),
        client.request("pinebench/chart", bars=5),
    ]
    for answer in refused:
        assert not answer["success"], answer
        assert answer["body"]["error"]["showUser"] is False, answer
    answer = client.request("attach")
    assert answer["body"]["error"]["showUser"] is True, "a person asked for this"


BAD: list[dict[str, Any]] = [
    *({"data": data} for data in ("gone.csv", "sample:AAPL@soon", "broken.csv", "empty.csv", ".", [1, {}], 5)),
    *({"timeframe": "soon"}, {"bars": 0}, {"bars": -3}, {"live": -1}, {"live": True}),
    *(
        {"symbolInfo": "gone.toml"},
        {"symbolInfo": "broken.csv"},
        {"program": "."},
        {"program": "nul\0"},
        {"program": 5},
    ),
]


def test_launches_with_bad_arguments_are_refused_in_a_sentence(
    client: Client, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path.parent)
    (path.parent / "broken.csv").write_bytes(b"time,open,high\n\xff\xfe,x\n1,2\n")
    (path.parent / "empty.csv").write_bytes(b"")
    client.ask("initialize", adapterID="x")
    for given in BAD:
        answer = client.request("launch", **{"program": str(path), "data": DATA, **given})
        said = answer["message"]
        assert not answer["success"] and len(said) > 10, given
        assert not any(word in said for word in ("Traceback", "Error(", "object at 0x", "arguments of")), said
    client.launch(path, [LAST], data=DATA)
    assert client.stopped()["line"] == LAST, "a launch with good arguments follows"


COUNTED = """//@version=6
indicator("Counted")
up = close > open
twice = close * 2
plot(twice)
plot(up ? 1 : 0)
"""


@pytest.fixture
def counted(tmp_path: Path) -> Path:
    file = tmp_path / "counted.pine"
    file.write_text(COUNTED, "utf-8")
    return file


def test_after_going_back_hits_are_counted_as_before(client: Client, counted: Path) -> None:
    client.launch(counted, [{"line": 5, "hitCondition": "% 2"}], data=DATA)
    assert [client.stopped()["bar"], *(client.go("continue")["bar"] for _ in range(3))] == [1, 3, 5, 7]
    assert client.go("reverseContinue")["bar"] == 5
    assert [client.go("continue")["bar"] for _ in range(2)] == [7, 9]
    assert client.go("stepBack")["bar"] == 9
    assert [client.go("continue")["bar"] for _ in range(2)] == [9, 11]


def test_a_line_that_a_step_goes_to_counts_as_a_hit_and_logs_its_message(client: Client, counted: Path) -> None:
    lines = [{"line": 4, "hitCondition": ">= 3"}, {"line": 3, "logMessage": "up is {up[1]}"}]
    client.launch(counted, lines, data=DATA, stopOnEntry=True)
    assert client.stopped()["line"] == 3
    while client.go("next")["bar"] < 2:
        pass
    told = [text for text in client.outputs if text.startswith("up is")]
    assert len(told) == 3, "one message on each bar, the first one at the entry"
    stop = client.go("continue")
    assert (stop["bar"], stop["line"]) == (2, 4)
    client.go("pinebench/previousBar")
    assert len([text for text in client.outputs if text.startswith("up is")]) == 3, "a message is told once"


def test_parts_that_never_change_can_be_evaluated(client: Client, counted: Path) -> None:
    client.launch(counted, [{"line": 5, "condition": "bar_index == math.pow(2, 3)"}], data=DATA)
    assert client.stopped()["bar"] == 8
    for text, value in {
        "na(1 / 0)": "true",
        "int(na)": "na",
        "close > math.pow(10, 2)": "true",
        "str.length('four') + bar_index": "12",
        "math.max(math.sqrt(16), nz(float(na), 3))": "4",
        "math.round(close[math.round(1.2)] / close[1])": "1",
    }.items():
        assert client.evaluate(text) == value, text


EVENTS = """//@version=6
strategy("Events")
if bar_index % 5 == 0
    strategy.entry("L", strategy.long)
if bar_index % 5 == 3
    strategy.close("L")
    alert("closed")
plot(close)
"""


@pytest.mark.parametrize("filters", [["order"], ["fill"], ["alert"], ["order", "fill", "alert"]])
def test_after_going_back_to_an_event_the_run_goes_on_to_the_next_one(
    client: Client, tmp_path: Path, filters: list[str]
) -> None:
    path = tmp_path / "events.pine"
    path.write_text(EVENTS, "utf-8")
    client.launch(path, filters=filters, data=DATA)
    stops = [client.stopped(), *(client.go("continue") for _ in range(5))]
    places = [(stop["count"], stop["text"]) for stop in stops]
    for back in (1, 3):
        stop = [client.go("reverseContinue") for _ in range(back)][-1]
        again = [(stop["count"], stop["text"])]
        while again[-1] != places[-1]:
            stop = client.go("continue")
            again.append((stop["count"], stop["text"]))
        assert again == places[-1 - back :]


WRONG: list[tuple[str, Any, str]] = [
    ("setBreakpoints", {"breakpoints": [{"line": 3}]}, "setBreakpoints: source is missing"),
    ("setBreakpoints", {"source": "x"}, "setBreakpoints: source is not an object"),
    ("evaluate", {}, "evaluate: expression is missing"),
    ("evaluate", {"expression": ["x"]}, "evaluate: expression is not a text"),
    ("scopes", {"frameId": "x"}, "scopes: frameId is not a whole number"),
    ("variables", {"variablesReference": 1, "start": []}, "variables: start is not a whole number"),
    ("setFunctionBreakpoints", {"breakpoints": [{}]}, "setFunctionBreakpoints: name is missing"),
    ("setExceptionBreakpoints", {"filters": 5}, "setExceptionBreakpoints: filters is not a list"),
    ("pinebench/chart", {"width": "wide"}, "pinebench/chart: width is not a whole number"),
    ("pinebench/bar", {}, "pinebench/bar: bar is missing"),
    ("evaluate", "x", "evaluate: the arguments are not an object"),
]


@pytest.mark.parametrize("command, given, said", WRONG)
def test_wrong_arguments_are_said_in_words(client: Client, counted: Path, command: str, given: Any, said: str) -> None:
    client.launch(counted, [5], data=DATA)
    client.stopped()
    client.stream.write({"type": "request", "command": command, "arguments": given})
    client._number += 1
    answer = client.stream.read()
    while answer is not None and answer["type"] == "event":
        answer = client.stream.read()
    assert answer is not None and not answer["success"] and answer["message"] == said


@pytest.mark.parametrize("name", ["line", "condition", "hitCondition", "logMessage"])
def test_a_wrong_breakpoint_leaves_the_session_and_the_other_breakpoints(
    client: Client, counted: Path, name: str
) -> None:
    client.launch(counted, [5], data=DATA)
    client.stopped()
    wrong = {"line": 4} | {name: ["x"]}
    answer = client.request("setBreakpoints", source={"path": str(counted)}, breakpoints=[{"line": 3}, wrong])
    kind = "a whole number" if name == "line" else "a text"
    assert not answer["success"] and answer["message"] == f"setBreakpoints: {name} is not {kind}"
    stop = client.go("continue")
    assert (stop["bar"], stop["line"]) == (1, 5)


def test_a_script_can_be_launched_again_after_its_end(client: Client, counted: Path) -> None:
    for _ in range(3):
        client.launch(counted, [{"line": 5, "condition": "bar_index == 7"}], data=DATA)
        assert client.stopped()["bar"] == 7
        client.ask("terminate")
        assert client.stopped()["reason"] == "terminated"


def test_the_configuration_is_done_once(client: Client, counted: Path) -> None:
    assert not client.request("configurationDone")["success"]
    client.launch(counted, [5], data=DATA)
    assert client.stopped()["bar"] == 0
    answer = client.request("configurationDone")
    assert not answer["success"] and answer["message"] == "the script has already started"
    assert client.evaluate("bar_index") == "0", "it is still stopped"


def test_a_part_of_a_list_that_is_not_there_is_empty(client: Client, path: Path) -> None:
    client.launch(path, [{"line": LAST, "condition": "bar_index == 5"}], data=DATA)
    client.stopped()
    globals_ = client.ask("variables", variablesReference=client.scopes()["Globals"])["variables"]
    [xs] = [each["variablesReference"] for each in globals_ if each["name"] == "xs"]
    names = ["[0]", "[1]", "[2]", "[3]", "[4]", "[5]", "(earlier bars)"]
    for start, count, shown in (
        (0, 0, names),
        (-3, 2, names[:2]),
        (5, 9, names[5:]),
        (7, 1, []),
        (99, 1, []),
        (2, -1, []),
    ):
        assert [*client.variables(xs, start=start, count=count)] == shown, (start, count)


def test_a_bar_that_is_not_there_is_said_with_the_bars_that_are(client: Client, counted: Path) -> None:
    client.launch(counted, [5], data=DATA)
    client.stopped()
    answer = client.request("pinebench/bar", bar=1000)
    assert answer["message"] == "the bar 1000: there is no such bar (the bars are numbered from 0 to 59)"
    answer = client.request("pinebench/bar", bar="2130-01-01")
    assert answer["message"].startswith("the bar 2130-01-01 is after the last bar (the last bar is at ")
    answer = client.request("evaluate", expression=":bar soon", context="repl")
    assert answer["message"].startswith("the bar soon is not a date (")


@pytest.mark.soak
def test_inputs_that_the_script_does_not_have_are_said(client: Client, path: Path) -> None:
    client.ask("initialize", adapterID="x")
    answer = client.request("launch", program=str(path), data=DATA, inputs={"nothing": {"a": 1}})
    assert not answer["success"] and "nothing" in answer["message"]


@pytest.mark.soak
def test_messages_that_make_no_sense_are_answered(client: Client, path: Path) -> None:
    client.launch(path, [LAST], data=DATA)
    client.stopped()
    for command, given in {
        "setBreakpoints": {"source": 5},
        "variables": {"variablesReference": 10**30},
        "scopes": {"frameId": "x"},
        "evaluate": {"expression": ["x"], "frameId": -1},
        "pinebench/chart": {"width": "wide"},
        "pinebench/bar": {},
        "stackTrace": {"levels": [1]},
        "setFunctionBreakpoints": {"breakpoints": [{}]},
    }.items():
        answer = client.request(command, **given)
        assert not answer["success"] and answer["message"], command
    client.stream.write({"type": "request", "command": "scopes", "arguments": [1]})
    client._number += 1
    assert not client.request("goto")["success"]
    assert client.evaluate("bar_index") == "0"


@pytest.mark.soak
def test_questions_after_the_end_are_answered(client: Client, path: Path) -> None:
    client.launch(path, data=DATA)
    assert client.stopped()["reason"] == "terminated"
    client.set_breakpoints(path, [LAST])
    for command in ("continue", "next", "stackTrace", "pause", "stepBack", "pinebench/chart"):
        assert not client.request(command, threadId=1)["success"] or command == "pause"


@pytest.mark.soak
@has_processes
def test_a_client_that_is_gone_in_the_middle_of_a_run_leaves_no_process(path: Path) -> None:
    path.write_text('//@version=6\nindicator("x")\na = 0\nfor i = 0 to 1e9\n    a += 1\nplot(a)\n', "utf-8")
    adapter = Adapter(path)
    adapter.ended("configurationDone")
    session = adapter.child()
    assert processes(session)
    adapter.process.stdin.close()  # type: ignore[union-attr]
    assert adapter.process.wait(60) == 0
    until_none(session)


@pytest.mark.soak
@has_processes
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_an_adapter_that_is_killed_leaves_no_process(path: Path, number: signal.Signals) -> None:
    adapter = Adapter(path, [LAST])
    adapter.ended("stopped")
    session = adapter.child()
    adapter.request("stepBack")
    adapter.ended("stopped")
    adapter.process.send_signal(number)
    adapter.process.wait(60)
    until_none(session)


@pytest.mark.soak
@has_processes
def test_a_process_that_is_killed_ends_the_session_in_words(path: Path) -> None:
    """Its sleeping copies keep the pipe to the adapter open, so that the pipe does not tell its end."""
    for moves in ((), ("stepBack",)):
        adapter = Adapter(path, [{"line": LAST, "condition": "bar_index == 20"}])
        adapter.ended("stopped")
        for move in moves:
            adapter.request(move)
            adapter.ended("stopped")
        session = adapter.child()
        # A copy that woke up left a younger one asleep. Older ones are asleep, too.
        for one in sorted(processes(session), key=_ticks)[-2:] if moves else [session]:
            with contextlib.suppress(ProcessLookupError):  # the adapter has noticed the end of the first one
                os.kill(one, signal.SIGKILL)
        adapter.ended("terminated")
        assert any("the process that ran the script ended" in text for text in adapter.said)
        until_none(session)
        adapter.process.stdin.close()  # type: ignore[union-attr]
        assert adapter.process.wait(60) == 0


def _ticks(process: int) -> int:
    """When a process started."""
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[19])


class Adapter:
    """`pinebench debug` in a process of its own, with a session that has begun."""

    def __init__(self, path: Path, breakpoints: list[Any] | None = None) -> None:
        command = [sys.executable, "-m", "pinebench", "debug"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdin is not None and self.process.stdout is not None
        self._stream = Stream(self.process.stdout, self.process.stdin)  # type: ignore[arg-type]
        self.said: list[str] = []
        self.request("initialize")
        self.request("launch", program=str(path), data=DATA)
        self.ended("initialized")
        given = [one if isinstance(one, dict) else {"line": one} for one in breakpoints or []]
        self.request("setBreakpoints", source={"path": str(path)}, breakpoints=given)
        self.request("configurationDone")

    def request(self, command: str, **given: Any) -> None:
        self._stream.write({"type": "request", "command": command, "arguments": given})

    def ended(self, what: str) -> None:
        """Read up to this event, or the response to this request."""
        while True:
            message = self._stream.read()
            assert message is not None, "the adapter is gone"
            if message.get("event") == "output":
                self.said.append(message["body"]["output"])
            if what in (message.get("event"), message.get("command")):
                return

    def child(self) -> int:
        """The number of the session of the process that runs the script."""
        found = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        assert found
        return int(found[0])
