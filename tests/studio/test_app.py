"""The studio as a function from request to response."""

import json
from pathlib import Path
from typing import Any

import pytest

from pinebench.studio.app import Studio
from pinebench.studio.compile import compile_source
from pinebench.studio.scripts import ScriptStore, StoredScript
from pinebench.studio.web import StudioRequest

pytestmark = pytest.mark.live

CLOSE = '//@version=6\nindicator("x")\nplot(close)\n'


@pytest.fixture(scope="module")
def studio() -> Studio:
    return Studio()


def ask(studio: Studio, method: str, path: str, body: object = None, **query: str) -> tuple[int, Any]:
    sent = b"" if body is None else json.dumps(body).encode()
    answer = studio.handle(StudioRequest(method, path, query, {}, sent))
    return answer.status, json.loads(answer.body) if answer.content_type.startswith("application/json") else answer.body


@pytest.mark.parametrize("path", ["/chart", "/chart/", "/chart/Kq3vTn8e", "/chart/Kq3vTn8e/"])
def test_the_page_is_at_every_charts_address(studio: Studio, path: str) -> None:
    status, body = ask(studio, "GET", path)
    assert status == 200
    assert b"/studio/assets/studio.js" in body


def test_the_page_names_no_host(studio: Studio) -> None:
    body = studio.handle(StudioRequest("GET", "/chart/")).body.decode()
    assert "127.0.0.1" not in body
    assert 'src="/studio/assets/studio.js?v=' in body


def test_the_root_leads_to_the_chart(studio: Studio) -> None:
    assert studio.handle(StudioRequest("GET", "/")).headers["Location"] == "/chart/"


@pytest.mark.parametrize("name", ["studio.js", "studio.css", "editor.worker.js", "LICENSES.txt"])
def test_the_built_files_are_there(studio: Studio, name: str) -> None:
    assert ask(studio, "GET", f"/studio/assets/{name}")[0] == 200


def test_bars_of_a_symbol(studio: Studio) -> None:
    status, answer = ask(studio, "GET", "/studio/api/bars", symbol="aapl", resolution="D", count="5")
    assert (status, len(answer["bars"]), answer["resolution"]) == (200, 5, "1D")
    assert answer["symbol"]["full_name"] == "NASDAQ:AAPL"
    assert answer["symbol"]["own"] is False
    assert len(answer["bars"][0]) == 6


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"text": "app"}, ["AAPL"]),
        ({"text": "NASDAQ:MS"}, ["MSFT"]),
        ({"text": "us", "search_type": "crypto"}, ["BTCUSDT", "ETHUSDT"]),
        ({"text": "", "exchange": "OANDA"}, ["EURUSD"]),
        ({"text": "no such thing"}, []),
    ],
)
def test_symbols_are_searched_as_at_tradingview(studio: Studio, query: dict[str, str], found: list[str]) -> None:
    status, answer = ask(studio, "GET", "/symbol-search/symbol_search/v3/", **query)
    assert (status, [symbol["symbol"] for symbol in answer["symbols"]]) == (200, found)
    assert all({"description", "exchange", "prefix", "type"} <= set(symbol) for symbol in answer["symbols"])


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"symbol": "NASDAQ:NONE"}, 404),
        ({"symbol": "AAPL", "resolution": "x"}, 400),
        ({"symbol": "AAPL", "count": "x"}, 200),
        ({"symbol": "AAPL", "count": "-1"}, 200),
        ({"symbol": "AAPL", "count": "9" * 50}, 200),
    ],
)
def test_strange_questions_for_bars(studio: Studio, query: dict[str, str], status: int) -> None:
    assert ask(studio, "GET", "/studio/api/bars", **query)[0] == status


def test_a_spread_has_no_chart_and_is_refused_by_name(studio: Studio) -> None:
    """It is never served as one of its symbols."""
    for name in ("NASDAQ:AAPL/NASDAQ:MSFT", "AAPL-MSFT", "1/AAPL", "AAPL*2"):
        status, answer = ask(studio, "GET", "/studio/api/bars", symbol=name)
        assert status == 404 and "bars" not in answer
        assert answer["error"].startswith(f"the studio has no chart of the spread '{name}': 'pinebench chart' draws it")
    told = ask(studio, "GET", "/studio/api/bars", symbol="NASDAQ:NONE")[1]["error"]
    assert told == "there is no symbol 'NASDAQ:NONE'"


def test_checking_a_source(studio: Studio) -> None:
    status, answer = ask(studio, "POST", "/studio/api/check", {"source": "//@version=6\nindicator('x')\nplot(zzz)\n"})
    assert (status, answer["ok"]) == (200, False)
    assert answer["markers"][0]["code"] == "CE10272"


def test_a_source_that_is_no_text_to_others_is_still_checked(studio: Studio) -> None:
    for source in ("\ud800", 'indicator("\udfff")\nplot(\ud83d)', "\0", "//@version=6\n" + "(" * 5000):
        assert ask(studio, "POST", "/studio/api/check", {"source": source})[0] == 200


@pytest.mark.parametrize("body", [None, [], {"source": 1}, {"source": "x" * 2_000_001}, "text"])
def test_what_is_no_source_is_refused(studio: Studio, body: object) -> None:
    assert ask(studio, "POST", "/studio/api/check", body)[0] == 400


def test_a_fresh_studio_is_furnished(studio: Studio) -> None:
    layouts = ask(studio, "GET", "/studio/api/documents/layouts")[1]
    assert len(layouts) == 2
    assert layouts[0]["symbol"] != layouts[1]["symbol"]
    assert ask(studio, "GET", "/studio/api/documents/watchlist")[1]
    (script,) = ask(studio, "GET", "/pine-facade/list/", filter="saved")[1]
    source = ask(studio, "GET", f"/pine-facade/get/{script['scriptIdPart']}/last")[1]["source"]
    assert compile_source(source).diagnostics == []


def test_what_was_changed_stays_changed(tmp_path: Path) -> None:
    first = Studio(ScriptStore(tmp_path / "s.sqlite3"))
    assert ask(first, "PUT", "/studio/api/documents/watchlist", ["AMEX:SPY"])[0] == 200
    (script,) = ask(first, "GET", "/pine-facade/list/")[1]
    assert ask(first, "POST", f"/pine-facade/delete/{script['scriptIdPart']}")[0] == 200
    again = Studio(ScriptStore(tmp_path / "s.sqlite3"))
    assert ask(again, "GET", "/studio/api/documents/watchlist")[1] == ["AMEX:SPY"]
    assert ask(again, "GET", "/pine-facade/list/")[1] == []


@pytest.mark.parametrize("name", ["secrets", "x"])
def test_other_documents_are_not_kept(studio: Studio, name: str) -> None:
    assert ask(studio, "GET", f"/studio/api/documents/{name}")[0] == 404
    assert ask(studio, "PUT", f"/studio/api/documents/{name}", [])[0] == 400


def test_readiness_is_told_by_the_page() -> None:
    studio = Studio()
    assert not studio.ready.is_set()
    assert ask(studio, "POST", "/studio/api/ready")[0] == 200
    assert studio.ready.is_set()


class _LateReader(ScriptStore):
    """A store that still looks empty: another studio furnished it after it was read."""

    def document(self, name: str) -> str | None:
        del name
        return None

    def scripts(self) -> list[StoredScript]:
        return []


def test_two_studios_can_furnish_one_store_at_once(tmp_path: Path) -> None:
    path = tmp_path / "studio.sqlite3"
    Studio(ScriptStore(path))
    Studio(_LateReader(path))
    assert [script.name for script in ScriptStore(path).scripts()] == ["Trend ribbon"]


def test_prices_of_a_file_are_called_ones_own(tmp_path: Path) -> None:
    (tmp_path / "MINE_GOLD_60.csv").write_text("time,open,high,low,close\n1700000000,1,2,0.5,1.5\n")
    own = Studio(bars=tmp_path)
    assert ask(own, "GET", "/studio/api/bars", symbol="MINE:GOLD", resolution="60")[1]["symbol"]["own"] is True
    assert ask(own, "GET", "/studio/api/bars", symbol="AAPL", resolution="60")[1]["symbol"]["own"] is False


RUN = {"source": CLOSE, "symbol": "AAPL", "resolution": "1D", "count": 20, "until": None, "inputs": {}}


def test_a_script_runs_on_the_bars_that_the_chart_shows(studio: Studio) -> None:
    bars = ask(studio, "GET", "/studio/api/bars", symbol="AAPL", resolution="1D", count="20")[1]["bars"]
    status, told = ask(studio, "POST", "/studio/api/run", RUN)
    assert status == 200
    assert told["times"] == [bar[0] for bar in bars]
    assert told["outputs"][0]["columns"]["series"] == [bar[4] for bar in bars]
    earlier = ask(studio, "POST", "/studio/api/run", {**RUN, "until": bars[4][0]})[1]
    assert earlier["times"] == told["times"][:5]


@pytest.mark.parametrize(
    "change",
    [
        {"source": 1},
        {"symbol": "NYSE:NONE"},
        {"resolution": "soon"},
        {"count": "many"},
        {"until": "now"},
        {"inputs": [1]},
        {"inputs": {"in_0": {}}},
    ],
)
def test_what_cannot_be_run_is_refused(studio: Studio, change: dict[str, object]) -> None:
    assert ask(studio, "POST", "/studio/api/run", {**RUN, **change})[0] == 400


def test_nobody_else_has_scripts_run(studio: Studio) -> None:
    request = StudioRequest("POST", "/studio/api/run", body=json.dumps(RUN).encode(), visitor=True)
    assert studio.handle(request).status == 401


def test_scripts_on_charts_of_own_files_may_ask_for_them(tmp_path: Path) -> None:
    for name, price in (("ONE", 5), ("TWO", 7)):
        rows = [f"{1_700_000_000 + 86_400 * day},{price},{price},{price},{price},1" for day in range(5)]
        (tmp_path / f"XETR_{name}_1D.csv").write_text("\n".join(["time,open,high,low,close,volume", *rows]))
    source = '//@version=6\nindicator("x")\nplot(request.security("XETR:TWO", "1D", close))\n'
    asked = {**RUN, "source": source, "symbol": "XETR:ONE"}
    told = ask(Studio(bars=tmp_path), "POST", "/studio/api/run", asked)[1]
    assert told["outputs"][0]["columns"]["series"] == [7] * 5


def test_a_quote_invents_no_volume_and_no_change(tmp_path: Path) -> None:
    for name, closes in (("ZERO", (0, 5)), ("BELOW", (-10, -5))):
        rows = [f"{1_700_000_000 + 86_400 * day},{price},{price},{price},{price}" for day, price in enumerate(closes)]
        (tmp_path / f"MINE_{name}_1D.csv").write_text("\n".join(["time,open,high,low,close", *rows]))
    own = Studio(bars=tmp_path)

    def quote(symbol: str) -> Any:
        return ask(own, "GET", "/symbol", symbol=symbol, fields="volume,change_abs,change")[1]

    assert quote("MINE:ZERO") == {"volume": None, "change_abs": 5, "change": None}
    assert quote("MINE:BELOW") == {"volume": None, "change_abs": 5, "change": 50}
    assert quote("NASDAQ:AAPL")["volume"] > 0


def test_the_results_on_bars_that_change_during_the_request_are_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "XETR_ONE_1D.csv"

    def write(price: int) -> None:
        rows = [f"{1_700_000_000 + 86_400 * day},{price},{price},{price},{price},1" for day in range(5)]
        path.write_text("\n".join(["time,open,high,low,close,volume", *rows]))

    write(5)
    own = Studio(bars=tmp_path)
    asked = {**RUN, "symbol": "XETR:ONE"}
    whole = own._market.whole

    def changed_meanwhile(*arguments: Any) -> Any:
        found = whole(*arguments)
        write(70)
        own._market.own._looked = 0.0
        return found

    with monkeypatch.context() as patched:
        patched.setattr(own._market, "whole", changed_meanwhile)
        ask(own, "POST", "/studio/api/run", asked)
    own._market.own._looked = 0.0
    told = ask(own, "POST", "/studio/api/run", asked)[1]
    assert told["outputs"][0]["columns"]["series"] == [70] * 5
