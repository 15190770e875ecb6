"""Values that change in place: each bar has their contents of that bar, and what does not change costs nothing."""

import inspect
import os
from pathlib import Path
from random import Random

import pytest

from pinebench import reference
from pinebench.checker import open_program
from pinebench.errors import PinebenchError
from pinebench.inspecting.frozen_values import plain
from pinebench.inspecting.run_recording import RunRecording
from pinebench.market import SymbolInfo
from pinebench.runtime import Runtime
from pinebench.runtime.builtins import FUNCTIONS
from pinebench.workers.jobs import perform
from pinebench.workers.request import Request
from tests.inspecting.checked import RecordingComparison, request_of
from tests.inspecting.test_run_recording import scripts
from tests.runtime.running import HEAD, bars_of

SYMBOL = SymbolInfo(timeframe="60")
CLOSES = [10.0 + (7 * k) % 11 for k in range(60)]
MANY = (Path(__file__).parent / "many.pine").read_text(encoding="utf-8")


def compared(source: str, memory: int | None = None) -> RecordingComparison:
    recording = RecordingComparison() if memory is None else RecordingComparison(memory=memory)
    ran = perform(Request(source, bars_of(CLOSES, minutes=60), SYMBOL), recorder=recording)
    assert ran.result.error is None
    return recording


def test_each_bar_has_the_contents_of_that_bar() -> None:
    recording = compared(HEAD.replace(")", ", max_lines_count = 20)", 1) + MANY)
    assert recording.bars == len(CLOSES)
    assert list(recording.wrong()) == []


def test_each_bar_has_its_contents_also_if_the_values_are_packed_in_many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinebench.inspecting.run_recording._CHUNK", 7)
    assert list(compared(HEAD + MANY).wrong()) == []


def test_a_bar_that_runs_again_has_the_contents_of_its_last_run() -> None:
    recording = RecordingComparison()
    runtime = Runtime(open_program(HEAD + MANY), bars_of(CLOSES[:20], minutes=60), SYMBOL, recorder=recording)
    runtime.run()
    time = runtime.chart.bars.time[-1]
    for close in CLOSES[20:26]:
        time += 3_600_000
        for part in (close + 1, close - 1, close):
            runtime.update(time, (close, close + 2, close - 2, part, 1.0), closed=part == close)
        assert list(recording.wrong()) == []
    assert recording.bars == 26


def test_what_does_not_change_is_copied_once() -> None:
    body = """type Swing
    float price
    chart.point at
    label mark
var swings = array.new<Swing>()
if bar_index < 20
    swings.push(Swing.new(close, chart.point.now(close), label.new(bar_index, close)))
plot(close)
"""
    sizes: list[int] = []
    for count in (30, 60):
        recording = RunRecording()
        perform(Request(HEAD + body, bars_of(CLOSES[:count], minutes=60), SYMBOL), recorder=recording)
        sizes.append(recording._follower.size)  # pyright: ignore[reportPrivateUsage]
    assert sizes[0] == sizes[1]


def test_a_slice_of_an_array_that_became_too_short_does_not_stop_the_script() -> None:
    body = """var all = array.from(1.0, 2.0, 3.0)
var part = all.slice(0, 3)
if bar_index == 2
    all.clear()
plot(close)
"""
    recording = RunRecording()
    ran = perform(Request(HEAD + body, bars_of(CLOSES[:5], minutes=60), SYMBOL), recorder=recording)
    assert ran.result.error is None
    part = next(name for name in recording.names() if name.name == "part")
    assert plain(recording.value(part, 1)) == [1.0, 2.0, 3.0]
    assert plain(recording.value(part, 3)) == []


def test_an_array_of_a_request_that_the_script_changes_has_its_contents_of_each_bar() -> None:
    body = """seen() =>
    var all = array.new<float>()
    all.push(close)
    all
given = request.security(syminfo.tickerid, "240", seen())
if not na(given) and bar_index % 2 == 0
    given.push(-1.0)
plot(na(given) ? 0 : given.size())
"""
    recording = RecordingComparison()
    ran = perform(Request(HEAD + body, bars_of(CLOSES[:20], minutes=60), SYMBOL), recorder=recording)
    assert list(recording.wrong()) == []
    [call] = [name for name in recording.names() if name.name.startswith("request.")]
    sizes = [len(plain(recording.value(call, bar)) or []) for bar in range(recording.bars)]
    assert sizes == ran.result.plots[0].values
    assert len(set(sizes)) > 3


def test_the_reference_knows_all_functions_of_the_library_that_change_their_argument() -> None:
    """The recording copies only what these functions are called with."""
    changing: set[str] = set()
    known: set[str] = set()
    for name, function in FUNCTIONS.items():
        found = reference.function(name.partition("#")[0])
        if name.startswith(("array.", "matrix.", "map.")) and found is not None:
            source = inspect.getsource(function)
            if "_writable(" in source or "pop(" in source or ".clear()" in source or "[_key(" in source:
                changing.add(name)
            if "object" in found.effects.changes:
                known.add(name)
    assert changing <= known | {"map.get"}
    assert len(known) > 20


@pytest.mark.soak
def test_contents_of_300_scripts_are_those_of_copies() -> None:
    paths = scripts()
    Random(36).shuffle(paths)
    checked = 0
    wrong: dict[str, list[str]] = {}
    for path in paths:
        if checked == 300:
            break
        recording = RecordingComparison(0.05)
        try:
            perform(request_of(Path(path).read_text("utf-8"), 700), recorder=recording)
        except PinebenchError:  # it does not compile, or needs something that is not computed
            continue
        checked += 1
        if found := list(recording.wrong()):
            wrong[path.name] = found
    assert wrong == {}
    assert checked == min(300, len(paths)) or not os.environ.get("PINEBENCH_CORPUS")
