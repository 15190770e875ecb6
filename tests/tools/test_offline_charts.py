"""The tools for charts and indicators without a page: the catalogue, pictures, summaries, values."""

import io
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from PIL import Image

from pinebench.market.feeds import transport
from pinebench.tools import tool_calls
from pinebench.tools.chart_browser import ChartBrowser
from tests.indicators.schemas import SERIES_OF_ONE, SUMMARY_OF_ONE
from tests.sample import bars_file


@pytest.fixture(scope="module")
def desk() -> ChartBrowser:
    return ChartBrowser()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(bars_file(tmp_path_factory.mktemp("bars"), 150))


def test_the_list_of_indicators(desk: ChartBrowser) -> None:
    brief = tool_calls.call(desk, "list_indicators")
    assert {each["name"] for each in brief["indicators"]} >= {"rsi", "macd"} and "pages" not in brief
    first = tool_calls.call(desk, "list_indicators", {"page": 1})
    pages = [tool_calls.call(desk, "list_indicators", {"page": number}) for number in range(1, first["pages"] + 1)]
    for told in (brief, *pages):
        assert len(json.dumps(told, indent=2)) <= 24_000 and "truncated" not in told
    named = {each["name"]: each for told in pages for each in told["indicators"]}
    assert brief["total"] == first["total"] == len(brief["indicators"]) == len(named) >= 38
    found = tool_calls.call(desk, "list_indicators", {"search": "strength index", "kind": "panel"})
    assert named["rsi"] in found["indicators"] and found["total"] < 20
    assert "the last page is" in tool_calls.call(desk, "list_indicators", {"page": 99})["hint"]
    assert named["bbands"]["type"] == "overlay" and named["bbands"]["overlay"] is True
    assert named["cvd"]["type"] == "external" and named["rsi"]["type"] == "panel"
    settings = {each["name"]: (each["type"], each["default"]) for each in named["keltner"]["configurable_params"]}
    assert settings["period"] == ("int", 20) and settings["multiplier"] == ("float", 1.5)
    assert "aliases" not in named["cmf"] or named["cmf"]["aliases"]
    assert "configurable_params" not in named["ema_stack"] and named["wavetrend"]["signals"]


@pytest.mark.parametrize(("form", "keys"), [("PNG", set()), ("both", {"price", "indicators"})])
def test_a_chart_as_a_picture(desk: ChartBrowser, form: str, keys: set[str]) -> None:
    done = tool_calls.answer(desk, "generate_chart", {"format": form, "width": 800, "height": 600, "bars": 60})
    assert done.result["success"], done.result
    assert done.result["source"] == done.result["data"] == "sample" and done.result["symbol"] is None
    assert Image.open(io.BytesIO(done.images[0].data)).size == (800, 600)
    assert {"price", "indicators", "bars"} & set(done.result) == keys


def test_the_default_indicators_and_the_names_as_requested(desk: ChartBrowser) -> None:
    told = tool_calls.call(desk, "generate_chart", {"format": "summary"})
    assert list(told["indicators"]) == ["ema_stack", "cipher_b", "macd"] and told["price"]["bars"] == 200
    entries = ["bollinger", "rsi", {"name": "rsi", "length": 21}]
    named = tool_calls.call(desk, "generate_chart", {"format": "series", "panels": entries, "bars": 40})
    assert list(named["indicators"]) == ["bollinger", "rsi", "rsi_2"] and len(named["bars"]) == 40
    for one in told["indicators"].values():
        jsonschema.validate(one, SUMMARY_OF_ONE)
    for one in named["indicators"].values():
        jsonschema.validate(one, SERIES_OF_ONE)
    assert not any(bar["t"] for bar in named["bars"]) and told["last_bar"] is None


def test_bars_of_a_file_and_scripts_of_the_user(desk: ChartBrowser, file: str, tmp_path: Path) -> None:
    script = tmp_path / "mine.pine"
    script.write_text('//@version=6\nindicator("M")\nint n = input.int(2)\nplot(close * n, "N")\n', encoding="utf8")
    entry = {"pine": str(script), "inputs": {"n": 3}}
    asked: dict[str, Any] = {"data": file, "indicators": [entry, "rsi"], "format": "series", "bars": 20}
    told = tool_calls.call(desk, "generate_chart", asked)
    assert told["success"], told
    closes = [bar["c"] for bar in told["bars"]]
    assert told["indicators"]["mine"]["lines"][0]["values"] == [close * 3 for close in closes]
    assert None not in told["indicators"]["rsi"]["lines"][0]["values"]
    assert (told["symbol"], told["source"], told["data"]) == ("BINANCE:BTCUSDT", "fetched", "file")
    assert told["last_bar"] == told["bars"][-1]["t"]


def test_values_of_indicators(desk: ChartBrowser, file: str) -> None:
    told = tool_calls.call(desk, "get_indicators", {"symbol": file, "indicators": ["rsi", "macd"], "interval": "4h"})
    assert told["interval"] == "4h" and told["bars"] == told["bars"] and set(told["indicators"]) == {"rsi", "macd"}
    assert told["bars"] == 38 and told["source"] == "fetched"
    assert any("aggregated" in remark for remark in told["remarks"])
    five = tool_calls.call(
        desk, "get_indicators", {"symbol": "sample:AAPL", "indicators": ["ema", "bb", "rsi", "macd", "atr"]}
    )
    assert five["data"] == "sample" and len(json.dumps(five["indicators"])) <= 2048


def test_an_average_is_one_line_of_its_length(desk: ChartBrowser) -> None:
    """Averages are asked for by name and length, and every one takes both names of a length."""
    for name in ("ema", "double_ema", "triple_ema", "sma", "wma", "hma"):
        for length in ("length", "period"):
            told = tool_calls.call(
                desk, "get_indicators", {"symbol": "sample:AAPL", "indicators": [{"name": name, length: 9}]}
            )
            assert told["success"], (name, length, told)
            [shown] = told["indicators"].values()
            assert shown["label"].endswith("(9)") and len(shown["lines"]) == 1, (name, length, shown)


def test_both_names_of_arguments_and_which_one_wins(desk: ChartBrowser, file: str) -> None:
    def told(**arguments: Any) -> dict[str, Any]:
        answer = tool_calls.call(desk, "generate_chart", {"format": "Summary", "bars": 3, **arguments})
        assert answer["success"], answer
        return answer

    assert told(symbol=file)["symbol"] == "BINANCE:BTCUSDT"
    assert told(ticker=file, symbol="no such symbol")["symbol"] == "BINANCE:BTCUSDT"
    assert told(interval="1d")["interval"] == "1d" and told()["interval"] == "4h"
    assert told(timeframe="1wk", interval="nonsense")["interval"] == "1wk"
    assert list(told(panels=["rsi"])["indicators"]) == ["rsi"]
    both = told(indicators=["atr", {"name": "RSI", "length": 5, "id": None}], panels=["rsi"])["indicators"]
    assert list(both) == ["atr", "RSI"] and both["RSI"]["label"] == "RSI(5)"
    assert list(told(indicators="rsi")["indicators"]) == ["rsi"]


def test_errors_have_the_words_that_clients_look_for(desk: ChartBrowser) -> None:
    def said(name: str, **arguments: Any) -> str:
        answer = tool_calls.call(desk, name, arguments)
        assert not answer["success"]
        return f"{answer['error']} ({answer.get('hint')})"

    assert "symbol is required" in said("get_indicators")
    assert "indicators must be a list with at least one entry" in said("get_indicators", symbol="X", indicators=[])
    for name in ("get_indicators", "generate_chart"):
        words = said(name, symbol="X", indicators=["rssi", "rsi", "foo bar"])
        assert "unknown indicators 'rssi', 'foo bar'" in words and "list_indicators" in words and "rsi?" in words
    assert "png, summary, both or series" in said("generate_chart", format="jpeg")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"format": "gif"}, "png, summary, both or series"),
        ({"indicators": ["rssi"]}, "did you mean rsi?"),
        ({"indicators": [{"length": 3}]}, '"name"'),
        ({"width": 8000}, "400 to 7680 wide"),
        ({"symbol": "XETR:SAP"}, "there is no feed for XETR:SAP"),
        ({"symbol": "AAPL", "data": ["x.csv"]}, "only one of symbol and data"),
        ({"data": ["no_such.csv"]}, "no_such.csv"),
        ({"timezone": "Mars"}, "Mars"),
        ({"compat": "talib"}, "chartgen"),
        ({"timeframe": "4hours"}, "4hours"),
    ],
)
def test_what_is_wrong_is_an_error_and_never_a_sample(
    desk: ChartBrowser, arguments: dict[str, Any], words: str
) -> None:
    told = tool_calls.call(desk, "generate_chart", {"bars": 5, "indicators": ["rsi"], **arguments})
    assert not told["success"] and words in f"{told['error']} {told.get('hint')}", told


@pytest.mark.parametrize("symbol", ["BTCUSDT", "GBTC"])
def test_a_failed_fetch_is_an_error(desk: ChartBrowser, symbol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing answers at these addresses."""
    monkeypatch.setenv("PINEBENCH_BINANCE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("PINEBENCH_YAHOO_URL", "http://127.0.0.1:9")
    monkeypatch.setattr(transport, "_FIRST_PAUSE", 0)
    told = tool_calls.call(desk, "get_indicators", {"symbol": symbol, "indicators": ["rsi"]})
    assert not told["success"] and "indicators" not in told
    assert ("binance" if symbol == "BTCUSDT" else "yahoo") in json.dumps(told).lower()
