"""Streams tell each change once, go on when the chart comes back, and end when they are told to."""

import threading
from typing import Any

import pytest

from pinebench.context import Context
from pinebench.errors import UsageError
from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.chart_streams import INTERVALS, stream
from tests.studio.support import BARS, CHART
from tests.tools.conftest import Bench


def first(bench: Bench, what: str, **options: Any) -> dict[str, Any]:
    """The first thing that a stream says."""
    return next(stream(bench.chart_browser, what, interval=50, **options))


@pytest.mark.parametrize("what", INTERVALS)
def test_every_stream_says_something_at_once(bench: Bench, what: str) -> None:
    said = first(bench, what)
    assert said["_stream"] == ("all-panes" if what == "all" else what)
    assert said["_ts"] > 1_700_000_000_000


def test_a_stream_has_the_keys_that_clients_know(bench: Bench) -> None:
    bars = first(bench, "bars")
    assert {"symbol", "resolution", "bar_time", "open", "high", "low", "close", "volume"} <= bars.keys()
    assert bars["data"] == first(bench, "quote")["data"] == "sample"
    assert bars["bar_time"] == bench.js(f"{BARS}.valueAt({BARS}.lastIndex())[0]")
    assert bars["bar_index"] == bench.js(f"{BARS}.size()") - 1
    assert first(bench, "all")["pane_count"] == 1
    for what in ("lines", "labels", "tables"):
        assert first(bench, what)["symbol"] == bars["symbol"]


def test_a_change_is_told_once(bench: Bench) -> None:
    stop = threading.Event()
    said: list[dict[str, Any]] = []
    context = Context(cancelled=stop.is_set)
    symbols = ["NASDAQ:MSFT", "NASDAQ:AAPL"]
    for each in stream(bench.chart_browser, "quote", interval=50, context=context):
        said.append(each)
        if len(said) == 3:
            stop.set()
        elif symbols:
            bench.use("chart_set_symbol", symbol=symbols.pop(0))
    assert [each["symbol"] for each in said] == ["NASDAQ:AAPL", "NASDAQ:MSFT", "NASDAQ:AAPL"]


def test_what_stays_the_same_is_told_once_only(bench: Bench) -> None:
    said = list(stream(bench.chart_browser, "bars", interval=50, context=Context.within(1.0)))
    assert len(said) == 1


def test_a_note_is_told_and_is_no_change(bench: Bench) -> None:
    bench.use("chart_set_type", chart_type="HeikinAshi")
    try:
        assert "HeikinAshi" in first(bench, "bars")["notes"][0]
        chart = bench.chart_browser
        ages = iter(range(1000))

        def tell(*_: object) -> list[str]:
            return [f"the last bar opened {next(ages)} s ago"]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(chart, "notes", tell)
            said = list(stream(chart, "bars", interval=50, context=Context.within(1.0)))
    finally:
        bench.use("chart_set_type", chart_type="Candles")
    assert len(said) == 1 and next(ages) > 2


def test_a_chart_that_is_not_there_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinebench.tools.chart_streams.AGAIN", 0.05)
    notes: list[str] = []
    chart_browser = ChartBrowser(port=9)
    assert list(stream(chart_browser, "quote", context=Context.within(0.5), notify=notes.append)) == []
    assert len(notes) == 1
    assert "no program listens" in notes[0]


def test_a_stream_goes_on_after_the_page_was_loaded_anew(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinebench.tools.chart_streams.AGAIN", 0.1)
    running = stream(bench.chart_browser, "quote", interval=50)
    assert next(running)["symbol"] == "NASDAQ:AAPL"
    bench.js(f"{CHART}.setSymbol('NASDAQ:MSFT', {{}})")
    bench.driver.connection.command("Page.reload")
    assert next(running)["symbol"] == "NASDAQ:MSFT"
    bench.driver.until(f"window.TradingViewApi && {BARS}.size() > 0")
    bench.use("chart_set_symbol", symbol="NASDAQ:AAPL")


@pytest.mark.parametrize(("what", "interval"), [("nothing", None), ("quote", 10)])
def test_what_cannot_be_streamed_is_refused(what: str, interval: int | None) -> None:
    with pytest.raises(UsageError):
        next(stream(ChartBrowser(port=9), what, interval=interval))
