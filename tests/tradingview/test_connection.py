"""The connection, in a real browser and against servers that misbehave as browsers do."""

import functools
import itertools
import math
import os
import re
import signal
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pinebench.context import CancelledError, Context
from pinebench.errors import UsageError
from pinebench.tradingview import browser, javascript, targets
from pinebench.tradingview.connection import Connection, retry_delay
from pinebench.tradingview.errors import CallTimeout, ConnectionFailed, ConnectionLost, PageError, ProtocolError
from pinebench.tradingview.tab import Tab
from tests.tradingview.support import CHART, LIMIT, Stage, quickest, start_browser, threads, until

OTHER = "https://www.tradingview.com/chart/other/"


_taken: list[socket.socket] = []


def unused_port() -> int:
    """A port at which no program listens, and that nobody else can get while the tests run."""
    held = socket.socket()
    held.bind(("127.0.0.1", 0))
    _taken.append(held)
    return held.getsockname()[1]


# -- retrying --------------------------------------------------------------------------------------------------------


def test_the_pauses_double_up_to_thirty_seconds() -> None:
    assert [retry_delay(n) for n in range(8)] == [0.5, 1, 2, 4, 8, 16, 30, 30]


def test_five_attempts_then_one_error_with_the_cause_and_what_to_do() -> None:
    pauses: list[float] = []
    told: list[str] = []
    lazy = Connection("127.0.0.1", unused_port(), sleep=pauses.append, notify=told.append)
    assert not pauses
    with pytest.raises(ConnectionFailed, match=r"^CDP connection failed: no program listens at 127") as caught:
        lazy.evaluate("1")
    assert pauses == [0.5, 1, 2, 4, 8]
    assert "pinebench launch" in str(caught.value.hint)
    assert len(told) == 1
    assert "no program listens" in told[0] and "pinebench launch" in told[0]
    # Of 15.5 s is left what the first attempt has not taken.
    assert re.search(r"Trying for 1?\d(\.\d)? s more\.$", told[0])


def test_no_wait_fails_at_once() -> None:
    pauses: list[float] = []
    told: list[str] = []
    with pytest.raises(ConnectionFailed, match="CDP connection failed"):
        Connection("127.0.0.1", unused_port(), wait=False, sleep=pauses.append, notify=told.append).evaluate("1")
    assert not pauses and not told


def test_the_note_goes_to_stderr_and_nothing_to_stdout(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ConnectionFailed):
        Connection("127.0.0.1", unused_port(), sleep=lambda _: None).evaluate("1")
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1 and err.startswith("pinebench: no program listens")


def test_a_browser_that_comes_later_is_found(stage: Stage) -> None:
    tab = stage.open()
    port = stage.port
    tries: list[float] = []

    def arrive(seconds: float) -> None:
        tries.append(seconds)
        late.port = port

    late = Connection("127.0.0.1", unused_port(), tab.target.id, sleep=arrive, notify=lambda _: None)
    with late:
        assert late.evaluate("1 + 1") == 2
    assert tries == [0.5]


def test_waiting_for_a_browser_can_be_called_off() -> None:
    called_off = threading.Event()
    context = Context(cancelled=called_off.is_set)
    failing = Connection("127.0.0.1", unused_port(), notify=lambda _: called_off.set())
    with pytest.raises(CancelledError):
        failing.evaluate("1", context=context)


def test_threads_that_waited_together_fail_together() -> None:
    pauses: list[float] = []
    gate = threading.Event()

    def pause(seconds: float) -> None:
        gate.wait(LIMIT)
        pauses.append(seconds)

    failing = Connection("127.0.0.1", unused_port(), sleep=pause, notify=lambda _: None)
    failures: list[str] = []

    def call() -> None:
        with pytest.raises(ConnectionFailed) as caught:
            failing.evaluate("1")
        failures.append(caught.value.message)

    workers = [threading.Thread(target=call) for _ in range(4)]
    for worker in workers:
        worker.start()
    until(lambda: all(worker.is_alive() for worker in workers))
    gate.set()
    for worker in workers:
        worker.join(LIMIT)
    assert len(failures) == 4
    assert pauses[:5] == [0.5, 1, 2, 4, 8]


def test_a_remote_host_needs_a_word() -> None:
    with pytest.raises(UsageError, match="not this computer"):
        Connection("192.0.2.1", 9222)
    assert Connection("192.0.2.1", 9222, allow_remote=True).host == "192.0.2.1"
    assert Connection("localhost", 9222).host == "127.0.0.1"


# -- evaluating ------------------------------------------------------------------------------------------------------


def test_values_come_back(stage: Stage) -> None:
    reached = stage.connect(stage.open())
    assert reached.evaluate("({a: [1, 'x', null, true]})") == {"a": [1, "x", None, True]}
    assert reached.evaluate("undefined") is None
    assert math.isnan(reached.evaluate("NaN"))
    assert reached.evaluate("-Infinity") == -math.inf
    assert math.copysign(1, reached.evaluate("-0")) == -1
    assert reached.evaluate("2n ** 70n") == 2**70
    assert reached.evaluate("new Promise(done => setTimeout(() => done(7), 20))", await_promise=True) == 7
    assert reached.evaluate("document", return_by_value=False)["subtype"] == "node"


def test_exceptions_are_raised_with_their_description(stage: Stage) -> None:
    reached = stage.connect(stage.open())
    with pytest.raises(PageError, match="TypeError: told you") as caught:
        reached.evaluate("(() => { throw new TypeError('told you') })()")
    assert "at <anonymous>" in caught.value.description
    with pytest.raises(PageError, match="later"):
        reached.evaluate("Promise.reject(new Error('later'))", await_promise=True)
    with pytest.raises(PageError, match="SyntaxError"):
        reached.evaluate("((")


def test_a_typing_mistake_is_an_error(stage: Stage) -> None:
    tab = stage.connect(stage.open()).tab()
    with pytest.raises(AttributeError):
        _ = tab.Runtme


def test_a_promise_that_never_resolves_ends_at_the_limit(stage: Stage) -> None:
    reached = stage.connect(stage.open())
    with pytest.raises(CallTimeout):
        reached.evaluate("new Promise(() => {})", await_promise=True, timeout=0.3)
    assert reached.evaluate("6 * 7") == 42
    assert reached.connects == 1


def test_a_busy_loop_of_ours_is_ended(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(javascript, "SPARE", 4 * LIMIT)  # the browser may take its time to end it
    reached = stage.connect(stage.open())
    with pytest.raises(CallTimeout, match="was stopped"):
        reached.evaluate("(() => { for (;;); })()", timeout=0.3)
    assert reached.evaluate("6 * 7") == 42


def test_a_busy_page_function_is_ended(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(javascript, "SPARE", 8.0)  # the browser may take its time to end it
    reached = stage.connect(stage.open())
    tab = reached.tab()
    root = javascript.evaluate(tab, "globalThis", False, False, LIMIT)["objectId"]
    with pytest.raises(CallTimeout, match="was stopped"):
        javascript.call_function(tab, "function () { for (;;); }", root, {}, True, 0.3)
    assert reached.evaluate("6 * 7") == 42


HANG = "void setTimeout(() => { console.log('hung'); for (;;); }, 0)"


def hang(tab: Tab) -> threading.Event:
    """An event that is set once `HANG` holds the tab's page, which cannot be asked any more then."""
    hung = threading.Event()
    tab.event_handlers["Runtime.consoleAPICalled"] = lambda **_: hung.set()
    return hung


def test_a_page_that_hangs_by_itself_is_freed_before_the_last_attempt(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab = stage.open()
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        # While it hangs it does not answer however long it is waited for; once it is freed it may take its time.
        monkeypatch.setattr("pinebench.tradingview.connection.ANSWER_TIMEOUT", LIMIT if len(pauses) == 4 else 0.1)

    reached = stage.connect(tab, sleep=pause, notify=lambda _: None)
    hung = hang(tab)
    reached.evaluate(HANG)
    assert hung.wait(LIMIT)
    assert reached.evaluate("6 * 7") == 42
    assert pauses == [0.5, 1, 2, 4]
    assert reached.connects == 1


def test_a_page_that_hangs_for_a_while_is_waited_for(stage: Stage) -> None:
    reached = stage.connect(stage.open(), notify=lambda _: None)
    busy = "void setTimeout(() => { const end = Date.now() + 2500; while (Date.now() < end); }, 0)"
    reached.evaluate(busy)
    assert reached.evaluate("6 * 7") == 42
    assert reached.connects == 1


def test_a_page_that_hung_before_we_came_is_named(stage: Stage) -> None:
    tab = stage.open()
    hung = hang(tab)
    tab.post("Runtime.evaluate", expression=HANG)
    assert hung.wait(LIMIT)
    with pytest.raises(
        ConnectionFailed, match="does not answer: a dialog or one of the page's own scripts blocks it"
    ) as caught:
        stage.connect(tab, wait=False).evaluate("1")
    assert "reload" in str(caught.value.hint)
    tab.terminate()


def test_a_long_call_of_ours_is_not_taken_for_a_dead_page(stage: Stage) -> None:
    reached = stage.connect(stage.open())
    reached.evaluate("1")
    results: list[Any] = []
    long = "(() => { const end = Date.now() + 1000; while (Date.now() < end); return 'long'; })()"
    worker = threading.Thread(target=lambda: results.append(reached.evaluate(long)))
    worker.start()
    until(lambda: reached.tab().busy() or results)
    assert reached.evaluate("'short'") == "short"
    worker.join(LIMIT)
    assert results == ["long"]
    assert reached.connects == 1


# -- native dialogs --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", ["alert('x')", "confirm('x')", "prompt('x')"])
def test_a_native_dialog_does_not_block(stage: Stage, call: str) -> None:
    reached = stage.connect(stage.open())
    assert not reached.evaluate(call, timeout=LIMIT)
    assert [dialog["message"] for dialog in reached.dialogs] == ["x"]


def test_a_dialog_between_calls_is_dismissed_by_the_next_one(stage: Stage) -> None:
    tab = stage.open()
    reached = stage.connect(tab)
    ours = reached.tab()
    reached.evaluate("void setTimeout(() => alert('later'), 300)")
    until(lambda: ours.dialog)
    assert reached.evaluate("6 * 7", timeout=LIMIT) == 42
    assert reached.dialogs[-1]["message"] == "later"


# -- losing the page -------------------------------------------------------------------------------------------------


def in_flight(stage: Stage, tab: Tab, reached: Connection, act: Callable[[], Any]) -> tuple[Exception, float]:
    """Start a call that never answers, lose the page by `act`; the error, and how long it took from there."""
    caught: list[Exception] = []

    def call() -> None:
        try:
            reached.evaluate("window.held = true, new Promise(() => {})", await_promise=True, timeout=4 * LIMIT)
        except Exception as error:
            caught.append(error)

    worker = threading.Thread(target=call)
    worker.start()
    # A call that is only about to be sent would run on the page that follows, and wait there for ever.
    until(lambda: stage.value(tab, "window.held === true"))
    started = time.monotonic()
    act()
    worker.join(LIMIT)
    took = time.monotonic() - started
    assert not worker.is_alive()
    return caught[0], took


def test_a_crash_ends_the_call_and_a_reload_mends_it(stage: Stage) -> None:
    tab = stage.open()
    reached = stage.connect(tab, sleep=lambda _: tab.post("Page.reload"), notify=lambda _: None)
    error, _ = in_flight(stage, tab, reached, lambda: tab.post("Page.crash"))
    assert isinstance(error, ConnectionLost) and "crashed" in str(error)


def test_a_closed_tab_ends_the_call(stage: Stage) -> None:
    def close_one() -> float:
        tab = stage.open()
        reached = stage.connect(tab, wait=False)
        address = f"/json/close/{tab.target.id}"
        error, took = in_flight(stage, tab, reached, lambda: targets.ask_browser("127.0.0.1", stage.port, address))
        assert isinstance(error, ConnectionLost)
        with pytest.raises(UsageError, match="is not open"):
            reached.evaluate("1")
        return took

    assert quickest(close_one, 1) < 1


def test_a_navigation_ends_the_call_and_the_new_page_answers(stage: Stage) -> None:
    tab = stage.open()
    reached = stage.connect(tab)
    error, _ = in_flight(stage, tab, reached, lambda: tab.post("Page.reload"))
    assert isinstance(error, ProtocolError | PageError | ConnectionLost), error
    assert until(lambda: reached.evaluate("typeof TradingViewApi") == "object")


def test_a_read_is_repeated_on_the_new_document(stage: Stage) -> None:
    tab = stage.open()
    reached = stage.connect(tab)
    reached.evaluate("1")
    tab.post("Page.reload")
    assert reached.evaluate("document.readyState", read=True) in ("loading", "interactive", "complete")


def test_a_page_that_leaves_tradingview_is_let_go(stage: Stage) -> None:
    tab = stage.open()
    reached = stage.connect(tab, wait=False)
    ours = reached.tab()
    until(lambda: reached.evaluate("1") == 1 and not ours.moved)
    tab.request("Page.navigate", {"url": "about:blank"}, LIMIT)
    until(lambda: ours.moved)
    with pytest.raises((ConnectionFailed, UsageError), match=r"another page|is empty"):
        reached.evaluate("window.secret = 1")
    assert stage.value(tab, "window.secret") is None


def test_switching_attaches_to_the_other_page(stage: Stage) -> None:
    first, second = stage.open(), stage.open(OTHER)
    reached = stage.connect(first)
    assert reached.evaluate("location.pathname") == "/chart/abc/"
    assert reached.switch(second.target.id).id == second.target.id
    assert reached.evaluate("location.pathname") == "/chart/other/"


def test_the_page_stays_the_same_while_it_is_there(stage: Stage) -> None:
    first = stage.open(CHART + "sticky/")
    reached = Connection("127.0.0.1", stage.port)
    with reached:
        reached.switch(first.target.id)
        reached.wanted = None
        stage.open(OTHER)
        reached.tab().stop()
        assert reached.evaluate("location.pathname") == "/chart/abc/sticky/"


@pytest.mark.parametrize(
    ("before", "after"), [(CHART, CHART), ("https://www.tradingview.com/chart/", OTHER)], ids=["same", "without layout"]
)
def test_a_chart_that_is_closed_and_opened_again_is_found_again(stage: Stage, before: str, after: str) -> None:
    def charts() -> list[targets.Target]:
        return [page for page in stage.pages() if page.kind is targets.PageKind.CHART]

    until(lambda: not charts())
    first = stage.open(before)
    reached = stage.connect(wait=False)
    assert reached.evaluate("location.href") == before
    targets.ask_browser("127.0.0.1", stage.port, f"/json/close/{first.target.id}")
    until(lambda: not charts())
    with pytest.raises(ConnectionFailed, match="no chart is open"):
        reached.evaluate("1")
    stage.open(after, symbol="NASDAQ:AAPL")
    assert reached.evaluate("location.href").startswith(after)


@pytest.mark.parametrize("address", [OTHER, CHART])
def test_no_other_chart_is_used_when_its_chart_is_closed(stage: Stage, address: str) -> None:
    """The next write would change a chart that nobody chose, also one at the same address that was open beside it."""
    until(lambda: all(page.kind is not targets.PageKind.CHART for page in stage.pages()))
    first = stage.open()
    reached = stage.connect(wait=False)
    reached.wanted = first.target.id
    second = stage.open(address)
    assert reached.evaluate("1") == 1
    reached.wanted = None
    targets.ask_browser("127.0.0.1", stage.port, f"/json/close/{first.target.id}")
    until(lambda: all(page.id != first.target.id for page in stage.pages()))
    until(lambda: reached._tab is not None and reached._tab.lost)
    for _ in range(2):
        with pytest.raises(ConnectionFailed, match=r"is closed.* uses no other chart by itself") as caught:
            reached.evaluate("window.written = 1")
        assert second.target.id[:8] in caught.value.message and "target_switch" in str(caught.value.hint)
    assert stage.value(second, "window.written") is None
    reached.switch(second.target.id)
    assert reached.evaluate("1") == 1


def test_two_clients_share_a_page(stage: Stage) -> None:
    tab = stage.open()
    first, second = stage.connect(tab), stage.connect(tab)
    first.evaluate("window.shared = 5")
    assert second.evaluate("window.shared") == 5


def test_a_local_page_counts_only_with_the_studio_marker(stage: Stage) -> None:
    plain = stage.open("http://127.0.0.1:7/plain", body="<title>plain</title>")
    with pytest.raises(ConnectionFailed, match="local page"):
        stage.connect(plain, wait=False).evaluate("1")
    marked = "<script>window.__PINEBENCH_STUDIO__ = {version: '1'}</script>"
    studio = stage.open("http://127.0.0.1:7/studio", body=marked)
    reached = stage.connect(studio, wait=False)
    assert reached.evaluate("1") == 1
    assert reached.origin() == "studio"


def test_a_foreign_page_cannot_pass_as_a_studio(stage: Stage) -> None:
    marked = "<script>window.__PINEBENCH_STUDIO__ = {version: '1'}</script>"
    tab = stage.open("https://evil.test/chart/", body=marked)
    with pytest.raises(UsageError, match="another page"):
        stage.connect(tab, wait=False).evaluate("1")
    chart = stage.open(body=marked)
    assert stage.connect(chart).origin() == "tradingview"


def test_closing_leaves_no_thread_behind(stage: Stage) -> None:
    tab = stage.open()
    before = threads()
    reached = stage.connect(tab)
    reached.evaluate("1")
    assert threads() != before
    reached.close()
    until(lambda: threads() <= before)


# -- many threads, dying browsers ------------------------------------------------------------------------------------


def hammer(reached: Connection, count: int) -> list[tuple[int, Any]]:
    """`count` calls from 8 threads; every call's number with what came back for it."""
    results: list[tuple[int, Any]] = []

    def work(first: int) -> None:
        for number in range(first, count, 8):
            results.append((number, reached.evaluate(f"({number} * 3)", timeout=LIMIT, read=True)))

    workers = [threading.Thread(target=work, args=(first,)) for first in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(600)
    return results


@pytest.mark.parametrize("count", [800, pytest.param(10_000, marks=pytest.mark.soak)])
def test_no_call_is_lost_or_mixed(stage: Stage, count: int) -> None:
    reached = stage.connect(stage.open())
    results = hammer(reached, count)
    assert sorted(results) == [(number, number * 3) for number in range(count)]
    assert reached.connects == 1


def kill(launched: browser.RunningBrowser) -> None:
    assert launched.pid is not None
    os.killpg(launched.pid, signal.SIGKILL)


@pytest.mark.live
@pytest.mark.parametrize("times", [2, pytest.param(20, marks=pytest.mark.soak)])
def test_a_browser_that_dies_during_calls(tmp_path: Path, times: int) -> None:
    numbers = itertools.count()
    reached = Connection("127.0.0.1", unused_port(), wait=False)

    def kill_one() -> float:
        launched = start_browser(tmp_path / str(next(numbers)))
        stage = Stage(launched)
        try:
            tab = stage.open()
            reached.port = launched.port
            assert reached.evaluate("6 * 7") == 42
            error, took = in_flight(stage, tab, reached, functools.partial(kill, launched))
            assert isinstance(error, ConnectionLost)
            with pytest.raises(ConnectionFailed, match=r"^CDP connection failed"):
                reached.evaluate("1")
        finally:
            stage.close()
            launched.stop()
        return took

    for _ in range(times):
        assert quickest(kill_one, 1) < 1
    reached.close()


@pytest.mark.live
def test_a_read_survives_a_new_browser(tmp_path: Path) -> None:
    launched = start_browser(tmp_path / "first")
    stage = Stage(launched)
    tab = stage.open()
    replacements: list[tuple[browser.RunningBrowser, Stage]] = []

    def replace(_: float) -> None:
        fresh = start_browser(tmp_path / "second")
        staged = Stage(fresh)
        staged.open()
        replacements.append((fresh, staged))
        reached.port = fresh.port

    reached = Connection("127.0.0.1", launched.port, sleep=replace, notify=lambda _: None)
    try:
        assert reached.evaluate("6 * 7") == 42
        answers: list[Any] = []
        stage.value(tab, "window.holds = true")
        waiting = "window.holds ? (window.held = true, new Promise(() => {})) : Promise.resolve('read')"
        worker = threading.Thread(
            target=lambda: answers.append(reached.evaluate(waiting, await_promise=True, read=True, timeout=LIMIT))
        )
        worker.start()
        until(lambda: stage.value(tab, "window.held === true"))
        kill(launched)
        worker.join(2 * LIMIT)
        assert answers == ["read"]
    finally:
        reached.close()
        stage.close()
        launched.stop()
        for fresh, staged in replacements:
            staged.close()
            fresh.stop()
