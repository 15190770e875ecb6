"""The market page: charts with all seven channels, alerts, and a paper account whose orders are sent once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pinebench.engine import Engine
from pinebench.studio.session import Session
from pinebench.tradingview import browser
from tests.engine.exchange import Exchange
from tests.mcp.web.support import PASSPHRASE, Server
from tests.studio.market_page import HISTORY, Market, opened, play, trading
from tests.studio.support import Tabs
from tests.studio.test_look import findings

ANNA = "anna's own words"
_ORDERS = '[data-name="orders"]'


@pytest.fixture(scope="module")
def traded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Engine, Exchange]]:
    with pytest.MonkeyPatch.context() as patch, trading(tmp_path_factory.mktemp("traded"), patch) as found:
        yield found


@pytest.fixture(scope="module")
def server(traded: tuple[Engine, Exchange], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("served"), engine=traded[0], users={"anna": ANNA}) as found:
        yield found


def log_in(page: Market, user: str, passphrase: str) -> None:
    page.click('[data-name="log-in"]')
    page.until("document.querySelector('input[name=passphrase]') !== null")
    page.fill("input[name=user]", user)
    page.fill("input[name=passphrase]", passphrase)
    page.click("button[value=allow]")
    page.until("document.querySelector('.market') !== null")


def token(page: Market) -> str:
    return str(page.js("JSON.parse(sessionStorage.getItem('pinebench-login')).access"))


def test_a_person_logs_in_and_has_alerts_and_paper_orders(
    chromium: browser.Launched, server: Server, traded: tuple[Engine, Exchange]
) -> None:
    engine, exchange = traded
    address = f"{server.url}/app"
    with opened(chromium.port, address) as page, opened(chromium.port, address) as anna:
        log_in(page, "owner", PASSPHRASE)
        log_in(anna, "anna", ANNA)
        assert page.js("location.href") == address, "neither code nor state stays in the address"

        page.chart("BTCUSDT", "1m")
        assert page.text(".market__legend").startswith("BINANCE:BTCUSDT")
        assert page.text(".market__warning") == ""
        assert [one["type"] for one in page.held()[0]][:2] == ["Candlestick", "Histogram"]

        page.tab("alerts")
        page.says("alerts: live", '[data-name="stream"]')
        page.fill("[name=level]", "161.5")
        page.click('[data-name="new-alert"] button')
        page.says("close at or above 161.5", '[data-name="alerts"]')
        anna.tab("alerts")
        anna.says("No alert waits.")
        play(engine, exchange, HISTORY)  # it closes at 161
        play(engine, exchange, HISTORY + 1)  # it closes at 162
        page.says("Alert: BTCUSDT", ".market__toasts")
        page.says("at 162", '[data-name="history"]')
        page.says("No alert waits.", '[data-name="alerts"]')
        assert findings(page) == []
        assert "BTCUSDT" not in anna.text(".market__toasts") + anna.text('[data-name="history"]')
        page.click('[data-name="history"] button', "Set again")
        page.says("close at or above 161.5", '[data-name="alerts"]')
        page.click('[data-name="alerts"] button', "Delete")
        page.click("dialog button", "Delete")
        page.says("No alert waits.", '[data-name="alerts"]')

        page.tab("paper")
        page.fill('[data-name="new-order"] [name=quantity]', "2")
        page.fill('[data-name="new-order"] [name=stop_loss]', "90.005")
        page.click("[name=side][value=buy]")
        page.click('[data-name="new-order"] button')
        page.says("BUY", "dialog")
        page.says("90.005", "dialog")
        assert findings(page, "dialog") == []
        twice = (
            "(() => { const one = document.querySelector('[data-name=\"send-order\"]'); one.click(); one.click(); })()"
        )
        page.js(twice)
        page.says("Buy 2 BTCUSDT", _ORDERS)
        play(engine, exchange, HISTORY + 2)  # it opens at 162
        page.says("Long 2 BTCUSDT from 162", '[data-name="positions"]')
        assert [each["state"] for each in engine.orders("owner") if each["type"] == "market"] == ["Filled"]
        assert engine.orders("anna") == []
        page.click('[data-name="positions"] button', "Close")
        page.says("SELL", "dialog")
        page.click('[data-name="send-order"]')
        play(engine, exchange, HISTORY + 3)
        page.says("No open position.")
        anna.tab("paper")
        anna.says("No open order.", _ORDERS)
        anna.click('[data-name="kill-switch"]')
        anna.click("dialog button", "Stop paper trading")
        anna.says("only the owner", ".market__toasts")
        page.click('[data-name="kill-switch"]')
        page.click("dialog button", "Stop paper trading")
        page.says("Paper trading is stopped: stopped by the owner")
        page.click(".market__warning button")
        page.until("!document.querySelector('.market__warning')")

        known = token(page)
        assert server.is_let_in(known)
        page.click('[data-name="log-out"]')
        page.until("document.querySelector('[data-name=\"log-in\"]') !== null")
        assert not server.is_let_in(known)
        assert page.js("sessionStorage.getItem('pinebench-login')") is None
        assert server.is_let_in(token(anna)), "another person's log-in stays"
