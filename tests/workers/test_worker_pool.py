"""Workers: nothing that a script does holds, crashes or outgrows who asked, and no worker outlives who started it."""

import contextlib
import ctypes
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pinebench.context import CancelledError, Context, DeadlineError
from pinebench.errors import PinebenchError, UsageError
from pinebench.market.bars import SymbolInfo
from pinebench.runtime.builtins import FUNCTIONS
from pinebench.runtime.guard import RunBudget
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.report import report
from pinebench.workers import dispatch, run_reports, worker_pool, worker_protocol
from pinebench.workers.dispatch import execute, look_for_repainting
from pinebench.workers.jobs import RunResult, perform
from pinebench.workers.request import Request, WorkerStop
from tests.processes import all_end, family
from tests.runtime.running import HEAD, bars_of, runtime_of

SYMBOL = SymbolInfo(timeframe="15")
CLOSES = [float(10 + number % 7) for number in range(40)]
TIGHT = RunBudget(seconds=1, bar_seconds=0.5, memory=192 << 20)
OVERRUNS = ("run-time-limit", "bar-time-limit", "RE10022", "memory-limit")
HOG = 'str.match("never", "ends")'
"""A call that `hogging` makes stay inside C for years."""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")


@pytest.fixture(params=["forked here", "forked by a process that stays warm"])
def started(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[worker_pool.Pool]:
    """A pool of the test's own, whose workers are started in one way or the other."""
    pool = worker_pool.Pool()
    if request.param == "forked here":
        monkeypatch.setattr(worker_pool.Nursery, "start", lambda _: worker_pool._forked())
    else:
        monkeypatch.setattr(worker_pool.Nursery, "start", worker_pool.Nursery._bred)
    monkeypatch.setattr("pinebench.workers.dispatch.shared", pool)
    yield pool
    pool.close()


def run(source: str, budget: RunBudget = TIGHT, **more: Any) -> RunResult:
    text = source if source.startswith("//@version") else HEAD + source
    return execute(Request(text, bars_of(CLOSES), SYMBOL, budget=budget, **more))


def hogging(request: Request) -> RunResult:
    """What `perform` gives where a built-in function stays inside C, with every lock of the interpreter held."""
    known = FUNCTIONS["str.match"]
    FUNCTIONS["str.match"] = lambda *_, **__: str(re.match("(a+)+$", "a" * 60 + "b"))
    try:
        return perform(request)
    finally:
        FUNCTIONS["str.match"] = known


def left(source: str, budget: RunBudget = TIGHT) -> tuple[str, int | None]:
    """The code and the line that a script stopped with."""
    error = execute(Request(HEAD + source, bars_of(CLOSES), SYMBOL, budget=budget), hogging).result.error
    assert error is not None, "the script came to its end"
    return error.code, error.line


def test_the_report_of_a_run_is_the_same_on_both_sides(started: worker_pool.Pool) -> None:
    source = """
n = input.int(2, "Length")
plot(ta.sma(close, n), "Average")
plotshape(close > 12, "Up")
if barstate.islast
    label.new(bar_index, high, "end", color = color.new(color.red, 50))
    line.new(bar_index, low, bar_index + 1, high)
    box.new(1, 2, 3, 4)
    polyline.new(array.from(chart.point.from_index(1, 2), chart.point.from_index(2, 3)))
    log.info("done")
    alert("over")
t = table.new(position.top_left, 1, 1)
t.cell(0, 0, "x", bgcolor = color.blue)
"""
    here = runtime_of(source, CLOSES, inputs={"Length": 3}).run()
    assert report(run(source, inputs={"Length": 3}).result) == report(here)
    assert execute(Request(HEAD + source, bars_of(CLOSES), SYMBOL, {"Length": 3}), run_reports.of_run) == report(here)


def test_the_orders_of_a_strategy_are_filled() -> None:
    ran = run(
        '//@version=6\nstrategy("S", default_qty_type = strategy.fixed, default_qty_value = 1)\n'
        'if bar_index == 3\n    strategy.entry("L", strategy.long)\n'
        "plot(strategy.position_size)"
    )
    assert ran.result.plots[0].values[-1] == 1
    assert [(one.bar, one.side) for one in ran.tested.open_trades] == [(4, 1)]  # type: ignore[union-attr]


def test_refusals_come_back_as_what_they_are(started: worker_pool.Pool) -> None:
    with pytest.raises(NotComputed, match="a request for NYSE:NONE") as refused:
        run('plot(request.security("NYSE:NONE", "", close))')
    assert refused.value.exit_code == 3
    with pytest.raises(UsageError, match="does not compile"):
        run("plot(nothing)")
    with pytest.raises(UsageError, match="not a strategy"):
        execute(Request(f"{HEAD}plot(close)", bars_of(CLOSES), SYMBOL), run_reports.of_trades)


# what the guard inside stops, with the line of the loop


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("s = 0\nwhile close > 0\n    s += 1\nplot(s)", 4),
        ("s = 0\nfor i = 0 to 9\n    while close > 0\n        s += 1\nplot(s)", 5),
        ("f() =>\n    s = 0\n    while true\n        s += 1\n    s\nplot(f())", 5),
        ("f(x) =>\n    math.sqrt(x)\ns = 0.0\nwhile true\n    s += f(s)\nplot(s)", 6),
        ('x = request.security(syminfo.tickerid, "D", close)\ns = 0.0\nwhile true\n    s += x\nplot(s)', 5),
    ],
)
def test_an_endless_loop_is_named_by_its_own_line(source: str, line: int) -> None:
    assert left(source) == ("RE10022", line)


def test_memory_that_a_script_fills_is_named_by_the_line(started: worker_pool.Pool) -> None:
    nodes = "type Node\n    float a\n    Node next\nvar Node f = na\nwhile true\n    f := Node.new(1, f)\nplot(close)"
    assert left(nodes, RunBudget(60, 60, 48 << 20))[0] == "memory-limit"


def test_a_worker_that_is_ended_for_memory_gives_an_error_with_words(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Request(HEAD + "plot(close)", bars_of(CLOSES), SYMBOL)
    with pytest.raises(worker_pool.WorkerEnded) as ended:
        dispatch.result_of("memory", ())
    monkeypatch.setattr(worker_pool, "_used", lambda _: (0.0, 2))
    watch = worker_pool._WorkerWatch(cast(Any, SimpleNamespace(number=0)), 60, 1, Context())
    assert watch._excess(0, (0.0, 0)) == "memory-limit"
    assert ended.value.stop == WorkerStop("memory-limit")
    assert "memory" in str(perform(replace(asked, stop=ended.value.stop)).result.error)


def test_the_time_of_the_whole_run_is_never_told_as_the_time_of_a_bar() -> None:
    asked = Request(HEAD, bars_of(CLOSES), SYMBOL, budget=RunBudget(40, 5))
    ended = WorkerStop("run-time-limit")
    assert dispatch._stop(ended, 5.5, asked) == WorkerStop("bar-time-limit", spent=5.5)
    assert [dispatch._stop(ended, spent, asked).code for spent in (39.9, 41.0, None)] == ["run-time-limit"] * 3


def test_who_is_ended_from_outside_is_told_whose_limit_it_was() -> None:
    """In no word is it TradingView's error of a loop: nobody knows whether TradingView stops the script."""
    asked = Request(f"{HEAD}plot(close)", bars_of(CLOSES), SYMBOL, budget=RunBudget(40, 5))
    for stop, words in (
        (
            WorkerStop("bar-time-limit", spent=6.1),
            "this bar took 6.1 s of processor time, and pinebench's own limit is 5 s",
        ),
        (
            WorkerStop("run-time-limit", spent=41.0),
            "the run took 41 s of processor time, and pinebench's own limit is 40 s",
        ),
        (WorkerStop("run-time-limit"), "the run took longer, and pinebench's own limit is 40 s"),
    ):
        error = perform(replace(asked, stop=stop)).result.error
        assert error is not None and error.code == stop.code and words in error.message
        assert "> 500 ms" not in error.message


# what never lets the guard in


def test_a_call_that_stays_inside_c_is_ended_and_named_by_its_loop(started: worker_pool.Pool) -> None:
    in_a_loop = f"for i = 0 to 9\n    if bar_index == 30\n        log.info({HOG})\nplot(close)"
    assert left(in_a_loop, RunBudget(30, 0.5)) == ("bar-time-limit", 3)
    assert left(f"x = {HOG}\nplot(str.length(x))", RunBudget(0.5, 20)) == ("run-time-limit", 3)
    assert run("plot(close)").result.error is None


PATTERNS = ("({0}+)+$b", "({0}*)*c", "({0}|{0})+$d", "({0}|{0}{0})+e", "^({0}+)+$f", "(.*)*g")
PLACES = ("{0}", "if bar_index == {1}\n    {0}", "for i = 0 to 3\n    {0}", "f() =>\n    {0}\n    0\nf()")
CALLS = (
    'str.match(str.repeat("{2}", {1}), "{0}")',
    'str.match(str.repeat("{2}", {1}) + "!", "{0}")',
    'str.repeat("{2}", {1}0000000)',
    'str.replace_all(str.repeat("{2}", 4000), "{2}", str.repeat("{2}", 4000))',
    "str.tostring(math.sum(close, {1}00000000))",
    'str.format(str.repeat("{{0}}", {1}00), str.repeat("{2}", 4000))',
)


def _hog(rng: random.Random) -> str:
    """A script that may stay inside C, or asks for a large piece of memory, somewhere."""
    letter, many = rng.choice("abxé"), rng.randint(36, 60)
    call = rng.choice(CALLS).format(rng.choice(PATTERNS).format(letter), many, letter)
    rest = rng.choice(("plot(close)", "plot(ta.sma(close, 3))"))
    return rng.choice(PLACES).format(f"log.info({call})", rng.randint(0, 39)) + f"\n{rest}"


def _held(source: str) -> None:
    """The script is ended within its budget and its grace, by an error of a run that names a line of it, or it ends."""
    budget = RunBudget(0.2, 0.2, 128 << 20)
    spent = _spent()
    try:
        error = run(source, budget).result.error
    except PinebenchError as refusal:
        assert "pinebench has a fault" not in refusal.message, source
        return
    assert error is None or error.code not in OVERRUNS or error.line, source
    assert _spent() - spent < 1, "who asks is not held"


def _spent() -> float:
    return time.process_time()


@pytest.mark.parametrize("seed", range(4))
def test_generated_hogs_are_ended(seed: int) -> None:
    _held(_hog(random.Random(seed)))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(200))
def test_many_generated_hogs_are_ended(seed: int) -> None:
    _held(_hog(random.Random(1000 + seed)))


def _hold(_: Request, what: str = "") -> Any:
    """What a fault of ours could do in a worker."""
    match what:
        case "allocate":
            return len(bytearray(3 << 30))
        case "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "raise":
            raise ValueError("of ours")
        case "objects":
            return threading.Thread
        case _:
            while True:
                pass
    return None


def test_what_is_no_run_is_ended_too(started: worker_pool.Pool) -> None:
    request = Request(f"{HEAD}plot(close)", bars_of(CLOSES), SYMBOL, budget=RunBudget(0, 0, 64 << 20))
    with pytest.raises(PinebenchError, match="ended"):
        execute(request, partial(_hold, what="crash"))
    with pytest.raises(RuntimeError, match="of ours"):
        execute(request, partial(_hold, what="raise"))
    with pytest.raises(pickle.UnpicklingError, match="is not allowed in an answer"):
        execute(request, partial(_hold, what="objects"))
    with pytest.raises(DeadlineError):
        execute(request, _hold, Context.within(0.3))
    assert run("plot(close)").result.error is None


def test_a_run_can_be_called_off_and_others_go_on(started: worker_pool.Pool) -> None:
    called_off = threading.Event()
    hog = f"{HEAD}log.info({HOG})\nplot(close)"
    ended: list[BaseException] = []

    def hold() -> None:
        try:
            execute(Request(hog, bars_of(CLOSES), SYMBOL), hogging, Context(cancelled=called_off.is_set))
        except CancelledError as error:
            ended.append(error)

    holding = threading.Thread(target=hold)
    holding.start()
    for _ in range(5):
        assert run("plot(close)").result.error is None
    assert not ended
    called_off.set()
    holding.join(120)
    assert len(ended) == 1


def test_a_check_of_a_script_that_never_ends_tells_what_stopped_it() -> None:
    endless = f"{HEAD}s = 0\nwhile true\n    s += 1\nplot(s)"
    request = Request(endless, bars_of(CLOSES), SYMBOL, budget=RunBudget(0.2, 0.2))
    found = look_for_repainting(request, seconds=5)
    assert found.error is not None and found.error.code in OVERRUNS and found.error.line == 4 and not found.ok


# what stays


@pytest.mark.skipif(not hasattr(os, "getpriority") or not hasattr(os, "fork"), reason="no priorities, or no forks")
def test_workers_give_way_to_a_process_that_answers_many() -> None:
    nursery = worker_pool.Nursery(worker_pool.NICENESS)
    try:
        nursery.warm()
        assert nursery._breeder is not None
        number = nursery._breeder[0].pid
        own, lowest = os.getpriority(os.PRIO_PROCESS, 0), 19
        assert os.getpriority(os.PRIO_PROCESS, number) == min(own + worker_pool.NICENESS, lowest)
    finally:
        nursery.close()


def test_a_worker_is_kept_and_replaced_once_it_has_grown(started: worker_pool.Pool) -> None:
    with contextlib.suppress(
        AttributeError
    ):  # of glibc: a worker that is forked here must not grow into what is free here
        ctypes.CDLL(None).malloc_trim(0)
    run("plot(close)")
    (first,) = started._free
    run("plot(open)")
    assert [each.number for each in started._free] == [first.number]
    grows = (
        "var texts = array.new<string>(0)\nfor i = 0 to 200\n"
        "    texts.push(str.repeat(str.tostring(bar_index * 1000 + i), 7000))\nplot(texts.size())"
    )
    ran = run(grows, RunBudget(60, 60, 1 << 30))
    assert ran.result.error is None
    assert first.number not in [each.number for each in started._free]


def test_a_worker_that_somebody_ended_is_replaced(started: worker_pool.Pool) -> None:
    run("plot(close)")
    os.kill(started._free[0].number, signal.SIGKILL)
    assert run("plot(close)").result.error is None


def test_an_answer_holds_records_of_runs_and_nothing_else() -> None:
    with pytest.raises(pickle.UnpicklingError):
        worker_protocol.answer_of(pickle.dumps(partial(os.system, "true")))
    assert worker_protocol.answer_of(pickle.dumps({"a": [1.5, None, "x"]})) == {"a": [1.5, None, "x"]}


# nobody is left behind

STARTS = """
import sys, threading, time
sys.path.insert(0, {root!r})
from pinebench.workers import worker_pool
from pinebench.workers.request import Request, WorkerStop
from pinebench.workers.dispatch import execute
from tests.workers.test_worker_pool import CLOSES, HEAD, HOG, SYMBOL, bars_of, hogging
print("started", flush=True)
if {threads}:
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
execute(Request(HEAD + "plot(close)", bars_of(CLOSES), SYMBOL))
print(worker_pool.shared._free[0].number, flush=True)
if {busy}:
    threading.Timer(0.3, lambda: print("busy", flush=True)).start() if {threads} else print("busy", flush=True)
    execute(Request(HEAD + f"log.info({{HOG}})\\nplot(close)", bars_of(CLOSES), SYMBOL), hogging)
print("idle", flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("threads", [False, True])
@pytest.mark.parametrize("busy", [False, True])
def test_no_worker_outlives_who_started_it(how: signal.Signals, threads: bool, busy: bool) -> None:
    root = str(Path(__file__).parents[2])
    source = STARTS.format(root=root, threads=threads, busy=busy)
    process = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    told = [process.stdout.readline() for _ in range(3)]
    assert told[2].strip() in ("busy", "idle"), told
    started = family(process.pid)
    assert int(told[1]) in started
    process.send_signal(how)
    process.wait(120)
    process.stdout.close()
    assert all_end(started), "a worker goes on"
