"""A script that never ends or eats memory is stopped within its budget, in TradingView's words."""

from __future__ import annotations

from types import TracebackType

import pytest

from pinebench.runtime.faults import RuntimeFault, StackFrame
from pinebench.runtime.guard import Budget, Overrun, guarded
from tests.runtime.running import runtime_of

FOREVER = "s = 0\nwhile close > 0\n    s += 1\nplot(s)"


class Bar:
    index = 0

    def stack(self, traceback: TracebackType | None) -> list[StackFrame]:
        return []


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        (Budget(seconds=0.1), "Error on bar 0: The script takes too long to execute. The time limit is 0.1 seconds."),
        (Budget(bar_seconds=0.1), "Error on bar 0: Loop takes too long to execute (> 500 ms)"),
    ],
)
def test_an_endless_loop_is_stopped(budget: Budget, message: str) -> None:
    result = runtime_of(FOREVER, [1.0], budget=budget).run()
    assert result.error is not None
    assert result.error.message == message
    assert result.plots[0].values == []


def test_a_browser_has_no_threads_and_its_page_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", refuse)
    with pytest.raises(RuntimeError, match="thread"):  # elsewhere no run goes on without its guard
        runtime_of("plot(close)", [1.0]).run()
    monkeypatch.setattr("sys.platform", "emscripten")
    assert runtime_of("plot(close)", [1.0]).run().plots[0].values == [1.0]


def test_who_loses_an_interruption_is_interrupted_again() -> None:
    lost = 0
    with pytest.raises(RuntimeFault, match="takes too long"), guarded(Bar(), Budget(seconds=0.01)):
        while True:
            try:
                while True:  # within, as newer versions of Python raise it where a loop begins anew
                    sum(range(1000))
            except Overrun:  # as Python itself does in a destructor
                lost += 1
                if lost == 2:
                    raise
    assert lost == 2


def test_a_loop_over_an_array_that_grows_is_stopped() -> None:
    source = "a = array.from(1)\nfor x in a\n    a.push(x)\nplot(a.size())"
    result = runtime_of(source, [1.0]).run()
    assert result.error is not None and result.error.code == "array-too-large"


def test_memory_that_grows_without_end_is_stopped() -> None:
    source = """
type Node
    float a = 0
    Node next = na
var Node first = na
while true
    first := Node.new(1, first)
plot(close)
"""
    result = runtime_of(source, [1.0], budget=Budget(600, 600, memory=30 << 20)).run()
    assert result.error is not None and result.error.code == "RE10139"


def test_nothing_is_raised_after_the_end() -> None:
    with guarded(Bar(), Budget(seconds=0.001)):
        pass
    total = sum(range(2_000_000))
    assert total > 0


def test_a_fault_within_goes_its_way() -> None:
    with pytest.raises(RuntimeFault, match="enough"), guarded(Bar(), Budget()):
        raise RuntimeFault("RE10142", message="enough")
