"""Every stop of breakpoints in one run, without stopping: those known by construction, and those of a session."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pinebench.debugger.breakpoint_stops import BreakpointStops, StopPlace, listed
from pinebench.debugger.engine import Breakpoint
from pinebench.errors import UsageError
from pinebench.market import Bars, SymbolInfo
from pinebench.workers.dispatch import execute
from pinebench.workers.request import Request, WorkerStop
from tests.debugger.client import Client
from tests.runtime.running import HEAD, bars_of

SCRIPT = """//@version=6
indicator("Stops")
length = input.int(3)
var total = 0
twice(float x) =>
    doubled = x * 2
    doubled
if bar_index % 10 == 4
    total := total + 1
    for i = 0 to 2
        total += i
out = twice(total) + twice(close)
plot(out)
"""
BARS = bars_of([10.0, 11.0, 12.0, 11.0, 10.0, 9.0, 12.0, 13.0], minutes=60)
FIRST = HEAD.count("\n") + 1
BODY = """// a remark
length = input.int(3)
twice(float x) =>
    float y = x * 2
    y
rising = close > open
if close > 11
    a = twice(close)
    log.info(str.tostring(a))

total = 0.0
for i = 0 to 3
    total += i
plot(total)
"""


def _listed(
    *asked: tuple[int, str], text: str = SCRIPT, bars: str = "sample:AAPL@60x50", **more: object
) -> BreakpointStops:
    request = Request(text, Bars(), SymbolInfo(), **more)  # type: ignore[arg-type]
    return execute(request, partial(listed, breakpoints=[Breakpoint(*one) for one in asked], bars=bars))


def asked(line: int, condition: str = "", hits: str = "", body: str = BODY) -> tuple[int, list[int]]:
    """The line from the first of the body (from 1), and the bars."""
    request = Request(HEAD + body, BARS, SymbolInfo(timeframe="60"))
    found = listed(request, [Breakpoint(FIRST + line - 1, condition, hits)])
    assert found.error is None and not found.troubles and not found.faults
    moved = found.moved[FIRST + line - 1]
    return moved and moved - FIRST + 1, list(dict.fromkeys(place.bar for place in found.places))


def test_a_line_is_hit_where_its_code_runs() -> None:
    above = [i for i, close in enumerate(BARS.close) if close > 11]
    assert asked(8) == (8, above)
    assert asked(4) == (4, above), "a line of a function is hit where the function is called"
    assert asked(13) == (13, list(range(8))), "once for a bar, however often the loop runs"


def test_a_line_without_code_moves_to_the_next_line_with_code() -> None:
    assert asked(10)[0] == 11
    assert asked(1)[0] == 4, "neither a remark, an input, nor the head of a function runs"
    assert asked(15) == (0, [])


def test_a_condition_is_tested_at_its_line_and_hits_are_counted() -> None:
    assert asked(6, "close > 11 and bar_index > 3") == (6, [6, 7])
    assert asked(4, "x == 12") == (4, [2, 6]), "it sees the parameters of the function"
    assert asked(13, "i == 2 and bar_index == 5") == (13, [5])
    assert asked(6, "", "% 3") == (6, [2, 5])
    assert asked(6, "close > 10", ">= 4") == (6, [6, 7]), "only the bars on which the condition is true are counted"


def test_stops_are_listed_in_the_order_of_the_run() -> None:
    found = _listed((9, ""), (12, "bar_index == 14 or bar_index == 15"), (6, "x < 3"))
    assert found.moved == {9: 9, 12: 12, 6: 6} and not found.troubles and not found.is_cut and found.error is None
    nines = [place.bar for place in found.places if place.line == 9]
    assert nines == [4, 14, 24, 34, 44]
    assert [place.bar for place in found.places if place.line == 12] == [14, 15]
    # In the function, the condition sees the parameter: total is 0 until bar 4, and 4 after the loop.
    assert [place.bar for place in found.places if place.line == 6] == [0, 1, 2, 3]
    assert found.places == sorted(found.places, key=lambda place: place.bar)
    assert found.places.index(StopPlace(14, 9)) < found.places.index(StopPlace(14, 12))


def test_a_line_without_code_moves_its_breakpoint_and_a_wrong_condition_is_said() -> None:
    found = _listed((2, ""), (9, "nothing > 1"), (100, ""), (12, "total.push(1)"), (13, "close"), (6, "", "often"))  # type: ignore[arg-type]
    assert found.moved[2] > 2 and found.moved[100] == 0
    assert "nothing" in found.troubles[9] and not any(place.line in (9, 12, 13) for place in found.places)
    assert 12 in found.troubles and "bool" in found.troubles[13]
    assert found.troubles[6] == "'often' is not a hit condition, such as 5, >= 3 or % 10"


def test_a_condition_that_changes_something_is_refused() -> None:
    body = "xs = array.from(1, 2)\na = close\nplot(a)\n"
    found = listed(Request(HEAD + body, BARS, SymbolInfo()), [Breakpoint(FIRST + 1, "xs.shift() > 1")])
    assert "would change the state of the run" in found.troubles[FIRST + 1] and found.places == []


def test_a_condition_that_stops_with_an_error_is_said_once_and_stops_nothing() -> None:
    body = "var xs = array.new<float>()\nxs.push(close)\nplot(close)\n"
    found = listed(Request(HEAD + body, BARS, SymbolInfo()), [Breakpoint(FIRST + 2, "xs.get(2) > 11")])
    assert [place.bar for place in found.places] == [2, 3, 4, 5, 6, 7]
    assert found.faults.keys() == {FIRST + 2} and found.faults[FIRST + 2].startswith("on bar 0: 'xs.get(2) > 11'")


def test_what_cannot_run_is_said() -> None:
    with pytest.raises(UsageError):
        _listed((9, ""), bars="sample:NOTHING")
    with pytest.raises(UsageError, match="too long"):
        listed(Request(SCRIPT, Bars(), SymbolInfo(), stop=WorkerStop("run-time-limit")), [Breakpoint(9)], "sample:AAPL")


def test_a_session_stops_at_the_listed_places_and_says_the_listed_messages(client: Client, tmp_path: Path) -> None:
    """Conditions, numbers of hits and log points, two of them on one line, against a real session."""
    wanted = [
        Breakpoint(6, "x < 3"),
        Breakpoint(8, hits="% 7"),
        Breakpoint(8, "bar_index > 40", ">= 5"),
        Breakpoint(9, message="total is {total}, {close > open}"),
        Breakpoint(11, "i == 1", "2"),
        Breakpoint(12, "total > 8"),
        Breakpoint(13, "math.max(out, 0) > 1", "< 4", "out {out}"),
    ]
    path = tmp_path / "it.pine"
    path.write_text(SCRIPT, "utf-8")
    asked: list[dict[str, Any]] = [
        {"line": one.line, "condition": one.condition, "hitCondition": one.hits, "logMessage": one.message}
        for one in wanted
    ]
    client.launch(path, asked, data="sample:AAPL@60x50")
    seen: list[StopPlace] = []
    while (stop := client.stopped())["reason"] != "terminated":
        if not seen or seen[-1] != (stop["bar"], stop["line"]):
            seen.append(StopPlace(stop["bar"], stop["line"]))
        client.ask("continue", threadId=1)
    request = Request(SCRIPT, Bars(), SymbolInfo())
    found = listed(request, wanted, "sample:AAPL@60x50")
    assert found.places == seen and len(seen) > 20 and {place.line for place in seen} == {6, 8, 11, 12}
    said = [text.rstrip("\n") for text in client.outputs]
    assert [one.text for one in found.messages] == said and len(said) == 5 + 3
