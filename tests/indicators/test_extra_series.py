"""Indicators that need a series of their own: fetched, never from the future, and an error if it cannot be had."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pinebench.context import Context
from pinebench.market import Bars, SymbolInfo
from pinebench.market.feeds import feed_bars, transport
from pinebench.tools import tool_calls
from pinebench.tools.chart_browser import ChartBrowser
from tests.market.feeds.coins import LISTED, NOW, Coins, told
from tests.market.feeds.server import DAY, HOUR, Service, serving

FUNDING, INTEREST = "/fapi/v1/fundingRate", "/futures/data/openInterestHist"


@pytest.fixture
def coins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Service]:
    monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(feed_bars.time, "time", lambda: NOW / 1000)
    monkeypatch.setattr(transport, "_FIRST_PAUSE", 0)
    with serving(Service(Coins(), NOW)) as service:
        for name in ("BINANCE", "BINANCE_FUTURES", "FEARGREED", "YAHOO"):
            monkeypatch.setenv(f"PINEBENCH_{name}_URL", service.url)
        yield service


def chart(**arguments: Any) -> dict[str, Any]:
    return tool_calls.call(ChartBrowser(), "generate_chart", {"symbol": "BTCUSDT", "format": "series", **arguments})


def values(answer: dict[str, Any], name: str, channel: str = "lines") -> list[float | None]:
    return answer["indicators"][name][channel][0]["values"]


def latest(stamps: range, close: int) -> int:
    """The last of ascending `stamps` before `close`."""
    return max(stamp for stamp in stamps if stamp < close)


def test_every_bar_has_the_last_value_that_was_known_when_it_closed(coins: Service) -> None:
    answer = chart(indicators=["funding", "oi", "ls_ratio", "fng"], bars=30, interval="4h")
    assert answer["success"] and not any("error" in one for one in answer["indicators"].values()), answer
    closes = [bar["t"] * 1000 + 4 * HOUR for bar in answer["bars"]]
    eights, fours = range(LISTED, NOW, 8 * HOUR), range(NOW // HOUR * HOUR - 40 * DAY, NOW, 4 * HOUR)
    rates = [100 * told(latest(eights, close)) for close in closes]
    assert values(answer, "funding", "histogram") == pytest.approx(rates, abs=1e-6)
    assert values(answer, "oi") == pytest.approx([1e7 * told(latest(fours, close)) for close in closes])
    assert values(answer, "ls_ratio") == pytest.approx([told(latest(fours, close)) for close in closes], abs=1e-7)
    assert values(answer, "fng") == [((close - 1) // DAY) % 101 for close in closes]


def test_the_answer_says_where_a_series_is_from_and_how_new_it_is(coins: Service) -> None:
    answer = chart(indicators=["funding", "rsi", "fng"], bars=5)
    assert answer["source"] == "fetched" and set(answer["feeds"]) == {"funding", "fng"}
    told_ = answer["feeds"]["funding"]
    assert told_["source"] == "binance:BTCUSDT.funding:8h" and told_["last_bar"] == answer["last_bar"]
    assert told_["read"].startswith("read at 2026-01-01 00:30:00 UTC")
    assert answer["feeds"]["fng"]["source"] == "feargreed:INDEX:1d"


@pytest.mark.parametrize("interval", ["5m", "1d", "1wk"])
def test_other_timeframes(coins: Service, interval: str) -> None:
    answer = chart(indicators=["funding", "oi"], bars=3, interval=interval)
    step = {"5m": HOUR // 12, "1d": DAY, "1wk": 7 * DAY}[interval]
    closes = [bar["t"] * 1000 + step for bar in answer["bars"]]
    eights = range(LISTED, NOW, 8 * HOUR)
    rates = [100 * told(latest(eights, close)) for close in closes]
    assert values(answer, "funding", "histogram") == pytest.approx(rates, abs=1e-6)
    step = min(step, DAY)
    assert values(answer, "oi") == pytest.approx([1e7 * told((close - 1) // step * step) for close in closes])


def test_values_that_are_too_old_do_not_hold(coins: Service) -> None:
    """Binance keeps open interest for a month: earlier bars have none, and no value is carried over a hole."""
    answer = chart(indicators=["oi"], interval="1d", bars=60)
    found = values(answer, "oi")
    assert None not in found[-25:] and found[:25] == [None] * 25
    assert answer["feeds"]["oi"]["first_bar"] == answer["bars"][found.index(next(v for v in found if v))]["t"]
    rates = [{"fundingTime": LISTED + 8 * HOUR, "fundingRate": "0.5"}, {"fundingTime": NOW - DAY, "fundingRate": "1"}]
    coins.rows.broken[FUNDING] = rates
    found = values(chart(indicators=["funding"], interval="1h", bars=30), "funding", "histogram")
    assert [value for value in found if value is not None] == [100] * 9 and found[-1] is None


def test_volume_delta_from_the_takers(coins: Service) -> None:
    answer = chart(indicators=["cvd"], bars=20, interval="4h")
    found = values(answer, "cvd")
    steps = [(after or 0) - (before or 0) for before, after in pairwise(found)]
    bought = [bar["t"] // 14_400 % 11 for bar in answer["bars"]]
    assert steps == pytest.approx([2 * each - 12.5 for each in bought[1:]])
    assert answer["feeds"]["cvd"]["source"] == "binance:BTCUSDT.taker_buy:4h"


def test_shorter_bars_within_the_chart_s_bars(coins: Service) -> None:
    """Every bar of 5 minutes rises and has a volume of 12.5."""
    answer = chart(indicators=["volume_delta", "up_down_volume"], interval="1d", bars=3)
    assert values(answer, "up_down_volume", "histogram") == [288 * 12.5] * 3
    assert [line["values"] for line in answer["indicators"]["volume_delta"]["lines"] if line["label"] == "Delta close"]
    told_ = answer["feeds"]["volume_delta"]
    assert told_["source"] == "binance:BTCUSDT:5m" and told_["first_bar"] <= answer["bars"][0]["t"]
    first = sum(path == "/api/v3/klines" for path, _ in coins.asked)
    assert 0 < first < 6, "both take the same bars"


def test_shorter_bars_that_cannot_be_had_are_said(coins: Service) -> None:
    rows = coins.rows
    refused = (400, {"code": -1120, "msg": "Invalid interval."})
    coins.rows = lambda path, asked: refused if asked.get("interval") == "5m" else rows(path, asked)
    answer = chart(indicators=["volume_delta", "rsi"], interval="1d", bars=3)
    assert answer["success"] and answer["indicators"]["volume_delta"]["label"] == "Volume Delta (no data)"
    assert any(remark.startswith("volume_delta: ") for remark in answer["remarks"])


@pytest.mark.parametrize(
    "fault",
    [[{"fundingTime": "x"}], [{"fundingTime": NOW}], {"code": 1}, (451, {}), (400, {"msg": "no"}), (503, {}), []],
)
def test_a_failed_fetch_names_its_indicator_and_leaves_the_others_alone(coins: Service, fault: Any) -> None:
    coins.rows.broken[FUNDING] = fault
    for form in ("series", "summary", "both"):
        answer = chart(indicators=["funding", "rsi", "oi"], bars=5, format=form, width=400, height=300)
        assert answer["success"] and list(answer["indicators"]) == ["funding", "rsi", "oi"]
        one = answer["indicators"]["funding"]
        assert set(one) == {"label", "is_overlay", "error"} and one["label"] == "Funding (no data)"
        assert one["error"].startswith("funding: ") and one["error"] in answer["remarks"]
        assert all("error" not in answer["indicators"][name] for name in ("rsi", "oi"))
        assert "funding" not in answer["feeds"]
    told_ = tool_calls.call(ChartBrowser(), "get_indicators", {"symbol": "BTCUSDT", "indicators": ["macd", "funding"]})
    assert told_["indicators"]["funding"]["error"] == one["error"] and told_["indicators"]["macd"]["lines"]
    alone = chart(indicators=["funding"], bars=5)
    assert not alone["success"] and alone["error"] == one["error"], "a chart of nothing is no success"


def test_offline_is_an_error(coins: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINEBENCH_BINANCE_FUTURES_URL", "http://127.0.0.1:9")
    answer = chart(indicators=["oi", "rsi"], bars=5)
    assert "cannot be reached" in answer["indicators"]["oi"]["error"] and "values" in json.dumps(answer)


def test_takers_that_lack_bars_are_not_mixed_with_guesses(coins: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = coins.rows

    def lacking(path: str, asked: dict[str, str]) -> Any:
        content = whole(path, asked)
        return content[:-3] if path == "/api/v3/klines" and len(coins.asked) > 2 else content

    coins.rows = lacking
    answer = chart(indicators=["cvd", "rsi"], bars=20)
    assert "has no value on" in answer["indicators"]["cvd"]["error"] and "error" not in answer["indicators"]["rsi"]


@pytest.mark.parametrize("name", ["funding", "oi", "long_short", "fear_greed"])
def test_made_up_bars_and_other_markets_get_no_series(name: str, tmp_path: Path) -> None:
    answer = chart(symbol=None, indicators=[name, "rsi"], bars=5)
    assert "made-up" in answer["indicators"][name]["error"] and "feeds" not in answer
    path = tmp_path / "NASDAQ_AAPL_60.csv"
    path.write_text("time,open,high,low,close,volume\n1700000000,1,2,1,2,5\n1700003600,1,2,1,2,5\n", encoding="utf8")
    if name != "fear_greed":
        told_ = chart(symbol=None, data=str(path), indicators=[name, "rsi"], bars=5)
        assert "NASDAQ:AAPL has no" in told_["indicators"][name]["error"]


def test_volume_delta_without_takers_says_how_it_is_measured() -> None:
    answer = chart(symbol=None, indicators=["cvd"], bars=5)
    assert values(answer, "cvd")[-1] is not None
    assert any("closes in its range" in remark for remark in answer["remarks"])
    plain = chart(symbol=None, indicators=["cvd"], bars=5, compat="chartgen")
    assert not any("closes in its range" in remark for remark in plain["remarks"])


SCRIPT = """//@version=6
indicator("Mine")
float rate = request.security({}, {}, close)
plot(rate, "Rate")
"""


def test_the_sources_of_all_series_of_a_script_are_told(coins: Service) -> None:
    funding = SCRIPT.format('syminfo.tickerid + "_FUNDING"', "timeframe.period")
    both = funding + 'plot(request.security(syminfo.tickerid + "_OI", timeframe.period, close))\n'
    answer = chart(indicators=["funding", "oi", {"pine": both, "id": "mine"}], bars=12)
    feeds = answer["feeds"]
    assert feeds["mine"]["source"] == f"{feeds['funding']['source']}, {feeds['oi']['source']}"
    assert feeds["mine"]["last_bar"] == min(feeds["funding"]["last_bar"], feeds["oi"]["last_bar"])


def test_a_script_of_the_user_asks_for_a_series(coins: Service) -> None:
    by_name = SCRIPT.format('syminfo.tickerid + "_FUNDING"', "timeframe.period")
    given = SCRIPT.format('"RATE"', '"480"')
    answer = chart(
        indicators=["funding", {"pine": by_name, "id": "mine"}, {"pine": given, "id": "given"}],
        data=["RATE=binance:BTCUSDT.funding:8h"],
        bars=12,
    )
    rates = values(answer, "funding", "histogram")
    assert values(answer, "mine") == pytest.approx([rate / 100 for rate in rates if rate is not None])
    assert values(answer, "given")[-1] is not None and answer["feeds"]["mine"] == answer["feeds"]["funding"]
    coins.rows.broken[FUNDING] = (503, {})
    coins.asked.clear()
    failed = chart(indicators=[{"pine": by_name, "id": "mine"}, "rsi"], bars=12)
    assert failed["indicators"]["mine"]["error"].startswith("mine: ")


def test_bars_that_were_given_are_not_fetched(coins: Service) -> None:
    given = "BINANCE:BTCUSDT_FUNDING=binance:BTCUSDT:4h"
    answer = chart(indicators=["funding"], data=[given], bars=5)
    assert (values(answer, "funding", "histogram")[-1] or 0) > 1000 and "feeds" not in answer
    assert not any(path == FUNDING for path, _ in coins.asked)


class Engine:
    """An engine that holds 200 bars of one symbol."""

    def __init__(self, bars: Bars) -> None:
        self.bars = bars
        self.asked: list[tuple[str, str]] = []

    def window(self, symbol: str, interval: str) -> Bars | None:
        self.asked.append((symbol, interval))
        return self.bars if (symbol, interval) == ("BTCUSDT", "4h") else None

    def symbol_info(self, symbol: str, interval: str) -> SymbolInfo | None:
        return None


def values_of(engine: Engine | None, **arguments: Any) -> dict[str, Any]:
    given = {"symbol": "BTCUSDT", "indicators": ["rsi"], **arguments}
    return tool_calls.call(ChartBrowser(), "get_indicators", given, Context(engine=engine))


@pytest.mark.parametrize(("symbol", "interval"), [("btcusdt", "4h"), ("BINANCE:BTCUSDT", "240"), ("BTCUSDT", None)])
def test_bars_that_an_engine_holds_are_not_fetched(coins: Service, symbol: str, interval: str | None) -> None:
    fetched = feed_bars.fetch("binance:BTCUSDT:4h", 200)
    engine = Engine(fetched.bars)
    coins.asked.clear()
    asked = {"symbol": symbol, "indicators": ["bollinger", "rsi", "rsi"], "interval": interval}
    answer = values_of(engine, **asked)
    assert answer["source"] == "engine_cache" and not coins.asked and engine.asked == [("BTCUSDT", "4h")]
    assert list(answer["indicators"]) == ["bollinger", "rsi", "rsi_2"], "other names are found, too"
    assert (answer["bars"], answer["last_bar"]) == (200, fetched.bars.time[-1] // 1000)
    assert answer["data"] == "exchange" and answer["symbol"] == "BINANCE:BTCUSDT"
    plain = values_of(None, **asked)
    assert plain["source"] == "fetched"
    bands = [[line["last_value"] for line in each["indicators"]["bollinger"]["lines"]] for each in (answer, plain)]
    assert bands[0] == pytest.approx(bands[1])


def test_what_an_engine_does_not_hold_is_fetched(coins: Service) -> None:
    engine = Engine(feed_bars.fetch("binance:BTCUSDT:4h", 200).bars)
    for more in ({"interval": "1h"}, {"bars": 300}, {"interval": "1d"}):
        assert values_of(engine, **more)["source"] == "fetched", more
    assert values_of(Engine(Bars()))["source"] == "fetched"
