"""A page that stops answering anywhere in a compile: the whole command stays within the limit it was given, and its
advice is about the page.

The page is a real one until it hangs; from then on each thing that is asked takes all the time that it is given, on a
clock of the test's own, so that nobody waits.
"""

import socket
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from pinebench.compilers import CompilerUnavailable
from pinebench.compilers.chart import PICTURE_SECONDS, ChartCompiler
from pinebench.context import CancelledError, Context
from pinebench.errors import PinebenchError
from pinebench.tradingview import page, targets
from pinebench.tradingview.connection import Connection
from pinebench.tradingview.errors import CallTimeout
from pinebench.tradingview.tab import Tab
from tests.tradingview.support import LIMIT, Stage

GOOD = '//@version=6\nindicator("Good")\nplot(close)\n'

GIVEN = 15.5
"""Seconds."""

REAL_LIMITS = {
    "tradingview.targets.LIST_TIMEOUT": 3.0,
    "tradingview.tab.PROBE_TIMEOUT": 2.0,
    "tradingview.javascript.IDENTITY_TIMEOUT": 2.0,
    "tradingview.javascript.LOADING_TIMEOUT": 3.0,
    "tradingview.editor.OPEN_TIMEOUT": 10.0,
    "tradingview.editor.LOOK_TIMEOUT": 5.0,
    "tradingview.page.LOOK_TIMEOUT": 5.0,
    "compilers.chart.PICTURE_SECONDS": PICTURE_SECONDS,
}
"""What `patience` makes longer for slow machines; here nothing that answers is slow."""

TIMED = ("context", *(f"tradingview.{name}" for name in ("connection", "editor", "javascript", "tab", "page_lock")))

FUNCTIONS = ("toolkit", "toolkit_editor", "find_editor", "write_source", "compile_start", "compile_state")
"""The page functions of a compile."""


class Hanging:
    """A browser whose page hangs from a certain call on, and the clock that shows what that costs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1_000.0
        self.hung_at: float | None = None
        self.browser_too = False
        self.at = ""
        self.after = ""
        self.stages: set[Tab] = set()
        self._request, self._list, self._start = Tab.request, targets.list_targets, Tab.start
        clock = SimpleNamespace(monotonic=lambda: self.now, sleep=self.sleep)
        for module in TIMED:
            monkeypatch.setattr(f"pinebench.{module}.time", clock)
        for limit, seconds in REAL_LIMITS.items():
            monkeypatch.setattr(f"pinebench.{limit}", seconds)
        monkeypatch.setattr(Tab, "request", lambda tab, *arguments, **options: self.request(tab, *arguments, **options))
        monkeypatch.setattr(Tab, "start", lambda tab, within=LIMIT: self.start(tab, within))
        monkeypatch.setattr(targets, "list_targets", self.list_targets)

    def hang(self) -> None:
        """Let nothing answer from now on."""
        self.hung_at = self.now if self.hung_at is None else self.hung_at

    @property
    def took(self) -> float:
        """Seconds since the page hung."""
        assert self.hung_at is not None
        return self.now - self.hung_at

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        if self.hung_at is None:
            time.sleep(seconds)

    def request(
        self, tab: Tab, method: str, params: dict[str, Any], timeout: float, probe: bool = False, check: Any = None
    ) -> Any:
        if tab in self.stages:
            return self._request(tab, method, params, LIMIT, probe)
        function = params.get("functionDeclaration")
        if self.at and function in (page.source(self.at), page.declaration(self.at)):
            self.hang()
        if self.hung_at is not None:
            self.now += timeout
            raise CallTimeout(f"the page did not answer {method} within {timeout:g} s")
        answer = self._request(tab, method, params, LIMIT, probe)
        if self.after and function in (page.source(self.after), page.declaration(self.after)):
            self.hang()
        return answer

    def list_targets(self, host: str, port: int, within: float = LIMIT) -> list[targets.Target]:
        if self.hung_at is not None and self.browser_too:
            self.now += min(3.0, within)
            raise TimeoutError("timed out")
        return self._list(host, port)

    def start(self, tab: Tab, within: float) -> bool:
        if self.hung_at is not None and self.browser_too and tab not in self.stages:
            self.now += min(2.0, within)
            raise TimeoutError("timed out")
        return self._start(tab)


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hanging]:
    """A page that will hang."""
    with monkeypatch.context() as patch:
        yield Hanging(patch)


def compiler(stage: Stage, hanging: Hanging, told: list[str] | None = None) -> ChartCompiler:
    """A compiler on a page of its own, which waits on the test's clock."""
    tab = stage.open()
    hanging.stages.add(tab)
    notify = (lambda _: None) if told is None else told.append
    return ChartCompiler(connection=stage.connect(tab, sleep=hanging.sleep, notify=notify))


def outage(chart: ChartCompiler, context: Context) -> CompilerUnavailable:
    """What a compile says that cannot be done."""
    with pytest.raises(CompilerUnavailable) as caught:
        chart.compile(GOOD, context)
    return caught.value


def is_about_the_page(error: CompilerUnavailable) -> bool:
    """Whether message and advice send a person to the page, not to a longer limit or another browser."""
    said = f"{error.message} {error.hint}"
    return "answer" in error.message and "look at the page" in said and "reload" in said and "more time" not in said


def test_a_page_that_hung_before(stage: Stage, hanging: Hanging) -> None:
    told: list[str] = []
    chart = compiler(stage, hanging, told)
    hanging.hang()
    error = outage(chart, Context.within(GIVEN))
    assert hanging.took <= GIVEN
    assert is_about_the_page(error)
    assert len(told) == 1 and "13.5 s more" in told[0]


@pytest.mark.parametrize(
    ("when", "function"),
    [*(("at", function) for function in FUNCTIONS), *(("after", function) for function in FUNCTIONS[:-1])],
)
def test_a_page_that_hangs_on_the_way(stage: Stage, hanging: Hanging, function: str, when: str) -> None:
    chart = compiler(stage, hanging)
    setattr(hanging, when, function)
    error = outage(chart, Context.within(GIVEN))
    assert hanging.took <= GIVEN
    assert is_about_the_page(error)


@pytest.mark.parametrize("function", ["find_editor", "write_source", "compile_state"])
@pytest.mark.parametrize("given", [0.4, 1.0, 3.0])
def test_hardly_any_time_is_not_exceeded_either(stage: Stage, hanging: Hanging, function: str, given: float) -> None:
    chart = compiler(stage, hanging)
    hanging.at = function
    with pytest.raises(PinebenchError) as caught:
        chart.compile(GOOD, Context.within(given))
    assert hanging.took <= given
    if given >= 3:
        assert isinstance(caught.value, CompilerUnavailable) and is_about_the_page(caught.value)


def test_a_browser_that_hangs_with_its_page(stage: Stage, hanging: Hanging) -> None:
    chart = compiler(stage, hanging)
    hanging.browser_too = True
    hanging.hang()
    error = outage(chart, Context.within(GIVEN))
    assert hanging.took <= GIVEN
    assert "did not answer in time" in error.message
    assert "more time" not in str(error.hint)


def test_without_a_limit_a_page_that_hung_takes_as_long_as_was_said(stage: Stage, hanging: Hanging) -> None:
    told: list[str] = []
    chart = compiler(stage, hanging, told)
    hanging.hang()
    error = outage(chart, Context())
    assert is_about_the_page(error)
    assert hanging.took <= 15.5
    assert "13.5 s more" in told[0]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_without_a_limit_a_page_that_hangs_on_the_way_is_left_soon(
    stage: Stage, hanging: Hanging, function: str
) -> None:
    chart = compiler(stage, hanging)
    hanging.at = function
    assert is_about_the_page(outage(chart, Context()))
    assert hanging.took <= 22


def test_a_page_that_hangs_after_its_verdict_costs_only_the_picture(stage: Stage, hanging: Hanging) -> None:
    chart = compiler(stage, hanging)
    chart.compile(GOOD, Context())
    real = chart.editor.compile

    def hang_after(*arguments: Any, **options: Any) -> Any:
        compiled = real(*arguments, **options)
        hanging.hang()
        return compiled

    chart.editor.compile = hang_after
    verdict = chart.compile(GOOD, Context.within(GIVEN))
    assert verdict.ok and verdict.evidence["screenshot"] is None
    assert hanging.took <= PICTURE_SECONDS


def test_who_cancels_hears_of_that(stage: Stage, hanging: Hanging) -> None:
    chart = compiler(stage, hanging)
    hanging.hang()
    with pytest.raises(CancelledError):
        chart.compile(GOOD, Context(hanging.now + GIVEN, cancelled=lambda: hanging.took > 3))


def test_nothing_is_said_to_be_ended_that_was_not(stage: Stage, hanging: Hanging) -> None:
    chart = compiler(stage, hanging)
    hanging.at = "find_editor"
    assert "could not be stopped" in outage(chart, Context()).message


def test_a_free_port_is_no_page_and_is_said_so(hanging: Hanging) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    hanging.hang()
    chart = ChartCompiler(connection=Connection(port=port, sleep=hanging.sleep, notify=lambda _: None))
    error = outage(chart, Context.within(GIVEN))
    assert hanging.took <= GIVEN
    assert "no program listens" in error.message and "pinebench launch" in str(error.hint)
