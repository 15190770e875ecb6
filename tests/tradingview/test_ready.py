"""When a chart counts as ready."""

from __future__ import annotations

from typing import Any

import pytest

from pinebench.tradingview import ready
from pinebench.tradingview.errors import PageError
from pinebench.tradingview.page import Page
from pinebench.tradingview.ready import not_ready, same_symbol, spacing_limits, wait_for_chart_ready
from tests.tables import each
from tests.tradingview.support import LIMIT, Stage

LIMIT_MS = int(LIMIT * 1000)

GOOD: dict[str, Any] = {
    "loading": False,
    "symbol": "NASDAQ:AAPL",
    "resolution": "60",
    "legend": "NASDAQ:AAPL",
    "bar_nodes": 2,
    "count": 3,
    "last_index": 2,
    "last_time": 7200,
    "times": [0, 3600, 7200],
}


class Script:
    """Stands for the page: gives one prepared look after the other, the last one for ever."""

    def __init__(self, *looks: dict[str, Any] | Exception) -> None:
        self.looks = [*looks]
        self.taken = 0
        self.now = 0.0

    def call(self, *_: Any, **__: Any) -> dict[str, Any]:
        look = self.looks[min(self.taken, len(self.looks) - 1)]
        self.taken += 1
        if isinstance(look, Exception):
            raise look
        return look

    def sleep(self, seconds: float) -> None:
        assert seconds == 0.2
        self.now += seconds

    def wait(self, *args: Any, **options: Any) -> bool:
        page: Any = self
        return wait_for_chart_ready(page, *args, sleep=self.sleep, clock=lambda: self.now, **options)


def look(**changes: Any) -> dict[str, Any]:
    return {**GOOD, **changes}


def test_ready_after_two_looks_that_equal_the_one_before() -> None:
    script = Script(GOOD)
    assert script.wait("nasdaq:aapl", "60")
    assert script.taken == 3


def test_a_spinner_starts_the_count_anew() -> None:
    script = Script(GOOD, GOOD, look(loading=True), GOOD)
    assert script.wait()
    assert script.taken == 6


def test_another_symbol_starts_the_count_anew() -> None:
    script = Script(GOOD, GOOD, look(symbol="NASDAQ:MSFT"), GOOD)
    assert script.wait("AAPL")
    assert script.taken == 6


def test_changing_bars_start_the_count_anew() -> None:
    script = Script(GOOD, GOOD, look(count=4, last_index=3), GOOD)
    assert script.wait()
    assert script.taken == 6


def test_bars_of_another_spacing_start_the_count_anew() -> None:
    script = Script(GOOD, GOOD, look(times=[0, 300, 600]), GOOD)
    assert script.wait(expected_tf="60")
    assert script.taken == 6


def test_no_bars_are_never_ready() -> None:
    assert not Script(look(count=0, times=[])).wait(timeout_ms=1000)


def test_a_page_that_cannot_be_read_is_not_ready_yet() -> None:
    script = Script(PageError("TypeError: torn down"), GOOD)
    assert script.wait()


def test_the_limit_ends_the_wait_with_false() -> None:
    script = Script(look(loading=True))
    assert not script.wait(timeout_ms=3000)
    assert script.now == pytest.approx(3.0, abs=0.21)


def test_without_the_chart_api_the_legend_and_the_nodes_decide() -> None:
    bare = look(symbol=None, resolution=None, count=0, times=[], last_index=None, last_time=None)
    assert not_ready(bare, "AAPL", None) is None
    assert not_ready(bare, "MSFT", None) == "the chart shows NASDAQ:AAPL"
    assert not_ready({**bare, "bar_nodes": 0}, None, None) == "there are no bars"


@each(
    ("wanted", "shown", "same"),
    [
        ("AAPL", "NASDAQ:AAPL", True),
        ("nasdaq:aapl", "NASDAQ:AAPL", True),
        ("NASDAQ:AAPL", "AAPL", True),
        ("NASDAQ:AAPL", "BATS:AAPL", True),
        ("NASDAQ:AAPL", "NASDAQ:AAP", False),
        ("BINANCE:BTCUSDT", "BYBIT:BTCUSDT", False),
        ("", "NASDAQ:AAPL", False),
    ],
)
def test_symbols_are_compared_without_case_and_missing_exchanges(wanted: str, shown: str, same: bool) -> None:
    assert same_symbol(wanted, shown) is same


@each(
    ("timeframe", "seconds"),
    [
        ("1", 60),
        ("60", 3600),
        ("15S", 15),
        ("D", 86_400),
        ("1D", 82_800),
        ("W", 604_800),
        ("M", 2_592_000),
        ("3M", 7_776_000),
    ],
)
def test_a_timeframe_has_a_spacing(timeframe: str, seconds: int) -> None:
    limits = spacing_limits(timeframe)
    assert limits is not None
    assert limits[0] <= seconds <= limits[1]


@pytest.mark.parametrize("timeframe", ["100R", "10T", "", "x"])
def test_ranges_and_ticks_have_none(timeframe: str) -> None:
    assert spacing_limits(timeframe) is None


def test_a_range_is_compared_by_name() -> None:
    assert not_ready(look(resolution="100R"), None, "100R") is None
    assert not_ready(look(), None, "100R") is not None


def test_the_real_page_becomes_ready_after_a_slow_change(stage: Stage) -> None:
    tab = stage.open(slow_symbol=300, slow_bars=200)
    page = Page(stage.connect(tab))
    assert wait_for_chart_ready(page, timeout_ms=LIMIT_MS)
    stage.value(tab, "void TradingViewApi._activeChartWidgetWV.value().setSymbol('NASDAQ:MSFT')")
    stage.value(tab, "void TradingViewApi._activeChartWidgetWV.value().setResolution('5')")
    assert wait_for_chart_ready(page, "NASDAQ:MSFT", "5", timeout_ms=LIMIT_MS)
    state = page.call("chart_state", read=True)
    assert state["symbol"] == "NASDAQ:MSFT"
    assert state["times"][1] - state["times"][0] == 300


def test_the_real_page_with_wrong_bars_is_not_ready(stage: Stage) -> None:
    tab = stage.open(wrong_spacing=1)
    stage.value(tab, "void TradingViewApi._activeChartWidgetWV.value().setResolution('5')")
    assert not wait_for_chart_ready(Page(stage.connect(tab)), None, "5", timeout_ms=700)


def test_the_real_page_with_a_spinner_is_not_ready(stage: Stage) -> None:
    page = Page(stage.connect(stage.open(loading_for=60_000)))
    assert not wait_for_chart_ready(page, timeout_ms=600)
    assert ready.POLL == 0.2
