"""Every result that carries prices says when they are made up or from the user's own file."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pinebench.tools import registry
from pinebench.tools.registry import Tool
from pinebench.tradingview import browser
from pinebench.tradingview.connection import Connection
from tests.studio.support import Tabs, studio_session
from tests.tools.conftest import Bench, hardly_waiting_for

TOOLS = registry.tools()

WITHOUT_PRICES = {
    # Names, ids, times, arrangement and texts of scripts; nothing that is read from bars.
    *("tv_health_check", "chart_get_state", "chart_set_symbol", "chart_set_timeframe", "chart_manage_indicator"),
    *("chart_scroll_to_date", "symbol_info", "symbol_search", "indicator_set_inputs", "indicator_toggle_visibility"),
    *("indicator_search", "indicator_add", "data_load_history", "chart_compare"),
    *("chart_set_type", "chart_get_visible_range", "chart_set_visible_range"),
    *("pine_get_source", "pine_set_source", "pine_smart_compile", "pine_get_errors"),
    *("pine_get_console", "pine_save", "pine_new", "pine_open", "pine_list_scripts", "pine_current"),
    *("watchlist_add", "watchlist_remove", "watchlist_move", "watchlist_section"),
    *("watchlists_list", "watchlists_create", "watchlists_fill", "watchlists_switch", "watchlists_delete"),
    "tv_reconnect",
    *("draw_list", "draw_remove_one", "draw_clear", "alert_delete"),
    *("replay_start", "replay_autoplay", "replay_stop"),
    *("pane_list", "pane_set_layout", "pane_focus", "pane_set_symbol", "layout_list", "layout_switch", "layout_new"),
    *("tv_discover", "tv_ui_state", "ui_click", "ui_hover", "ui_open_panel", "ui_fullscreen", "ui_keyboard"),
    *("ui_type_text", "ui_scroll", "ui_mouse_click"),
}
"""The tools on a page that carry no prices. A new tool on a page declares `prices` or is added here."""

PRICE_KEYS = {
    *("open", "high", "low", "close", "last", "bid", "ask", "price", "bids", "asks", "bars", "spread", "plots"),
    *("position", "realized_pnl", "trades", "metrics", "equity_summary", "values", "change_percent", "points"),
}
"""Keys of results that hold prices, or what is computed from prices."""


def keys(schema: Any) -> set[str]:
    """All keys that a JSON schema names, at any depth."""
    if isinstance(schema, list):
        return {key for each in schema for key in keys(each)}
    if not isinstance(schema, dict):
        return set()
    return {*schema.get("properties", {}), *(key for each in schema.values() for key in keys(each))}


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_a_tool_that_gives_prices_declares_it(tool: Tool) -> None:
    if tool.needs.page:
        assert tool.prices != (tool.name in WITHOUT_PRICES), "declare prices=True, or say that it carries none"
    found = PRICE_KEYS & keys(tool.output_schema())
    assert tool.prices or not found, f"its result has {found}"
    if tool.prices:
        assert tool.output_schema()["properties"][tool.prices_key]["enum"]
        assert tool.prices_key not in tool.result_keys


def test_the_list_names_tools_that_exist() -> None:
    assert set(TOOLS) >= WITHOUT_PRICES


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("quote_get", {}),
        ("quote_get", {"symbol": "BINANCE:BTCUSDT"}),
        ("data_get_ohlcv", {}),
        ("data_get_ohlcv", {"summary": True}),
        ("data_get_study_values", {}),
        ("watchlist_get", {}),
        ("replay_status", {}),
        ("compare_symbols", {"symbols": ["NASDAQ:AAPL", "NASDAQ:MSFT"]}),
        ("batch_run", {"symbols": ["NASDAQ:MSFT"]}),
    ],
)
def test_made_up_prices_are_marked(use: Any, name: str, arguments: dict[str, Any]) -> None:
    assert use(name, **arguments)["data"] == "sample"


def test_made_up_prices_on_a_picture_and_in_a_file_are_marked(use: Any, tmp_path: Path) -> None:
    assert use("capture_screenshot", base64=True)["prices"] == "sample"
    assert use("data_export_csv", path=str(tmp_path / "a.csv"))["data"] == "sample"


def test_results_without_prices_are_not_marked(use: Any) -> None:
    assert "data" not in use("chart_get_state")


def test_prices_of_the_real_page_are_not_marked(use: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "origin", lambda *_: "tradingview")
    assert "data" not in use("quote_get")
    assert "data" not in use("data_get_ohlcv", count=1)


def test_prices_are_marked_as_made_up_where_the_studio_cannot_say(use: Any, bench: Bench) -> None:
    bench.js("void (window.fetched = window.fetch, window.fetch = () => Promise.reject(new Error('gone')))")
    try:
        assert use("quote_get")["data"] == "sample"
    finally:
        bench.js("void (window.fetch = window.fetched)")


@pytest.fixture(scope="module")
def own(chromium: browser.RunningBrowser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """A studio that charts a CSV file of the user's."""
    folder = tmp_path_factory.mktemp("bars")
    with (folder / "XETR_MINE_1D.csv").open("w", newline="", encoding="utf-8") as file:
        rows = [(1_700_006_400 + 86_400 * day, 10 + day, 12 + day, 9 + day, 11 + day, 5) for day in range(40)]
        csv.writer(file).writerows([("time", "open", "high", "low", "close", "volume"), *rows])
    with studio_session(bars=folder) as session:
        tabs = Tabs(chromium.port, session)
        made = Bench(tabs(), session)
        made.driver.page.bring_to_front()
        made.use("chart_set_symbol", symbol="XETR:MINE")
        yield made
        made.chart_browser.close()
        tabs.close()


def test_prices_of_the_users_own_file_are_marked_as_such(own: Bench) -> None:
    quote = own.use("quote_get")
    assert (quote["close"], quote["data"]) == (50, "file")
    assert own.use("data_get_ohlcv", count=2)["data"] == "file"
    assert own.use("replay_status")["data"] == "file"
    assert own.use("capture_screenshot", region="chart")["prices"] == "file"


def test_one_made_up_price_marks_the_whole_result(own: Bench) -> None:
    assert own.use("quote_get", symbol="NASDAQ:AAPL")["data"] == "sample"
    assert own.use("compare_symbols", symbols=["XETR:MINE", "NASDAQ:AAPL"])["data"] == "sample"
    assert own.use("batch_run", symbols=["XETR:MINE"])["data"] == "file"
    with hardly_waiting_for("X:NOSUCH"):
        assert own.use("batch_run", symbols=["XETR:MINE", "X:NOSUCH"])["data"] == "file"
