"""A script that never ends or eats memory is stopped within its budget. A limit of our own is told as our own."""

import re
from types import FrameType, TracebackType

import pytest

from pinebench.runtime.faults import RuntimeFault, StackFrame
from pinebench.runtime.guard import Overrun, RunBudget, guarded
from tests.runtime.running import runtime_of

FOREVER = "s = 0\nwhile close > 0\n    s += 1\nplot(s)"


class Bar:
    index = 0

    def stack(self, traceback: TracebackType | None) -> list[StackFrame]:
        return []

    def endless(self, frame: FrameType | None) -> None:
        return None


def stopped(source: str, budget: RunBudget) -> RuntimeFault:
    """The error that a script is stopped with on its only bar."""
    result = runtime_of(source, [1.0], budget=budget).run()
    assert result.error is not None and result.plots[0].values == []
    return result.error


LONG = "s = 0\nfor i = 0 to 999999999\n    s += 1\nplot(s)"


@pytest.mark.parametrize(
    ("budget", "begin", "end"),
    [
        (RunBudget(seconds=0.1), "the run took ", "own limit is 0.1 s. TradingView stops a script after 20 or 40 s"),
        (
            RunBudget(bar_seconds=0.1),
            "this bar took ",
            "own limit is 0.1 s a bar. TradingView stops a loop after 500 ms",
        ),
    ],
)
def test_our_own_limits_are_told_as_our_own(budget: RunBudget, begin: str, end: str) -> None:
    error = stopped(LONG, budget)
    used = r"[\d.]+ s (of processor time|on a busy machine \(5 times the limit\)), and pinebench's "
    words = "Error on bar 0: pinebench stopped the script: "
    assert re.match(re.escape(words + begin) + used + re.escape(end), error.message), error.message
    assert error.code in ("run-time-limit", "bar-time-limit") and error.line == 4


ENDLESS = {
    FOREVER: 4,
    "f(x) =>\n    math.sqrt(x)\ns = 0.0\nwhile true\n    s += f(s)\nplot(s)": 6,
    "f(x) =>\n    n = 0\n    while x > 0\n        for i = 0 to 9\n            n += i\n    n\nplot(f(close))": 5,
    "n = 0\nwhile true\n    while n < 9\n        n += 1\n        if n > 5\n            break\n    n := 0\nplot(n)": 4,
}
"""Loops that certainly have no end, and the lines of these loops."""
PERHAPS = (
    "f(x) =>\n    while x < 0\n        1\n    1\nn = 0\nwhile n >= 0\n    n := f(close)\nplot(n)",
    "n = 0\nwhile n >= 0\n    n := n == 7 ? 0 : n + 1\nplot(n)",  # who knows what the body makes of n?
    "n = 0\nwhile true\n    n := n == 7 ? 0 : n + 1\n    if n == 8\n        break\nplot(n)",
    "a = array.new<int>(1)\nwhile true\n    a.set(0, 1)\nplot(a.size())",  # a call that may stop the script
    "a = array.new<int>(1)\nn = 0\nwhile a.size() == 1\n    n := 1\nplot(n)",
    's = ""\nn = 0\nwhile true\n    n := n == 9 ? 0 : n + 1\n    s := n == 0 ? str.tostring(n) : s\nplot(n)',
)


def test_only_a_loop_that_certainly_has_no_end_is_told_in_the_words_of_tradingview() -> None:
    """It is so whichever limit it meets, and it is stopped long before our own limits, which are minutes here."""
    for source, line in ENDLESS.items():
        error = stopped(source, RunBudget(60, 0.1))
        assert (error.message, error.line) == ("Error on bar 0: Loop takes too long to execute (> 500 ms)", line), (
            source
        )
    for source in PERHAPS:  # in the first, the loop without an end never begins
        assert stopped(source, RunBudget(60, 0.1)).code == "bar-time-limit", source
    assert stopped(FOREVER, RunBudget(300, 100)).code == stopped(FOREVER, RunBudget(0.1)).code == "RE10022"


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
    with pytest.raises(RuntimeFault, match="stopped the script"), guarded(Bar(), RunBudget(seconds=0.01)):
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
    result = runtime_of(source, [1.0], budget=RunBudget(600, 600, memory=30 << 20)).run()
    assert result.error is not None and result.error.code == "memory-limit"
    assert "pinebench" in result.error.message and "Memory limits" not in result.error.message


def test_nothing_is_raised_after_the_end() -> None:
    with guarded(Bar(), RunBudget(seconds=0.001)):
        pass
    total = sum(range(2_000_000))
    assert total > 0


def test_a_fault_within_goes_its_way() -> None:
    with pytest.raises(RuntimeFault, match="enough"), guarded(Bar(), RunBudget()):
        raise RuntimeFault("RE10142", message="enough")
