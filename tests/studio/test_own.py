"""Bars that a person brings: files given to the page, a folder that is watched, what is said where they are no bars."""

import base64
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pinebench import files
from pinebench.files import file_states
from pinebench.market import exchanges
from pinebench.market.bar_loader import Data
from pinebench.market.bars import Bars
from pinebench.market.samples import find
from pinebench.studio.app import Studio
from pinebench.studio.own import OwnBars
from pinebench.studio.resolutions import parse_resolution
from pinebench.studio.web import StudioRequest
from pinebench.tradingview import browser
from tests.sample import symbol as sample_symbol
from tests.studio.support import BARS, CHART, Driver, Tabs, studio_session

HEAD = "time,open,high,low,close,volume\n"


def text(count: int, close: float = 2) -> str:
    return HEAD + "".join(f"{1700000000 + 3600 * number},1,3,0.5,{close},10\n" for number in range(count))


def post(studio: Studio, path: str, body: bytes, **query: str) -> tuple[int, dict[str, Any]]:
    answer = studio.handle(StudioRequest("POST", f"/studio/api/{path}", query, body=body))
    return answer.status, json.loads(answer.body)


def bars(studio: Studio, symbol: str, resolution: str = "60") -> list[Any]:
    asked = StudioRequest("GET", "/studio/api/bars", {"symbol": symbol, "resolution": resolution})
    return json.loads(studio.handle(asked).body).get("bars", [])


def test_a_file_given_to_the_page_is_charted_and_kept_for_the_next_start(tmp_path: Path) -> None:
    studio = Studio(kept=tmp_path / "kept")
    status, told = post(studio, "data", text(30).encode(), name="my prices.csv")
    assert (status, told) == (200, {"symbol": "PINEBENCH:MY_PRICES", "resolution": "60", "bars": 30})
    assert len(bars(studio, "PINEBENCH:MY_PRICES")) == 30
    again = Studio(kept=tmp_path / "kept")
    assert len(bars(again, "PINEBENCH:MY_PRICES")) == 30
    status, told = post(again, "data", text(40).encode(), name="my prices.csv")
    assert len(bars(again, "PINEBENCH:MY_PRICES")) == 40


def test_whether_there_are_volumes_is_a_fact_about_the_source_and_not_about_the_loaded_bars(tmp_path: Path) -> None:
    rows = [f"{1700000000 + 3600 * number},1,3,0.5,2" for number in range(30)]
    (tmp_path / "XETR_ZERO_60.csv").write_text(HEAD + "".join(f"{row},{9 * (not n)}\n" for n, row in enumerate(rows)))
    (tmp_path / "XETR_NONE_60.csv").write_text("\n".join(["time,open,high,low,close", *rows]))
    (tmp_path / "XETR_NONE_1D.csv").write_text(HEAD + "2023-11-15,1,3,0.5,2,10\n2023-11-16,1,3,0.5,2,10\n")
    studio = Studio(bars=tmp_path)
    cases = [
        ("XETR:ZERO", "60", True),
        ("XETR:ZERO", "240", True),
        ("XETR:NONE", "60", False),
        ("XETR:NONE", "1D", True),
    ]
    for symbol, resolution, known in (*cases, ("XETR:NONE", "5", False), ("NASDAQ:AAPL", "60", True)):
        query = {"symbol": symbol, "resolution": resolution, "count": "5"}
        told = json.loads(studio.handle(StudioRequest("GET", "/studio/api/bars", query)).body)
        assert told["symbol"]["has_volume"] is known, (symbol, resolution)


def test_a_parquet_file_is_charted(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {"time": [1700000000 + 60 * n for n in range(5)]} | {
        n: [1.0] * 5 for n in ("open", "high", "low", "close")
    }
    packed = io.BytesIO()
    parquet.write_table(pandas.table(columns), packed)
    status, told = post(Studio(), "data", packed.getvalue(), name="XETR_PACKED_1.parquet")
    assert (status, told["symbol"], told["bars"]) == (200, "XETR:PACKED", 5)


@pytest.mark.parametrize(
    ("name", "body", "words"),
    [
        ("picture.png", b"x", "not a file of bars"),
        ("bars.csv", b"time,open,high,low\n1,1,1,1\n", "no column 'close'"),
        ("bars.csv", HEAD.encode(), "bars.csv"),
        ("bars.csv", b"\xff\xfe\x00", "bars.csv"),
        ("fast.csv", (HEAD + "1700000000,1,1,1,1,1\n1700000005,1,1,1,1,1\n").encode(), "'5S' cannot be charted"),
        ("bars.parquet", b"none", "bars.parquet"),
        ("../../evil.csv", b"", "evil.csv"),
    ],
)
def test_what_is_no_file_of_bars_is_refused_in_words_and_not_kept(
    tmp_path: Path, name: str, body: bytes, words: str
) -> None:
    kept = tmp_path / "kept"
    status, told = post(Studio(kept=kept), "data", body, name=name)
    assert status == 422
    assert words in told["error"]
    assert str(tmp_path) not in told["error"]
    assert list(kept.iterdir()) == [] if kept.is_dir() else True


def test_a_name_cannot_leave_the_folder(tmp_path: Path) -> None:
    status, _ = post(Studio(kept=tmp_path / "a" / "kept"), "data", text(3).encode(), name="../../../evil.csv")
    assert status == 200
    assert [path.name for path in tmp_path.rglob("*.csv")] == ["evil.csv"]
    assert (tmp_path / "a" / "kept" / "evil.csv").is_file()


def test_a_visitor_gives_nothing_and_sees_nothing() -> None:
    studio = Studio()
    post(studio, "data", text(3).encode(), name="XETR_MINE_60.csv")
    visitor = StudioRequest("POST", "/studio/api/data", {"name": "x.csv"}, body=text(3).encode(), visitor=True)
    assert studio.handle(visitor).status == 401
    seen = studio.handle(StudioRequest("GET", "/studio/api/symbols", {"text": "MINE"}, visitor=True))
    assert json.loads(seen.body)["symbols"] == []
    assert "data" not in json.loads(studio.handle(StudioRequest("GET", "/studio/api/health", visitor=True)).body)


def changed(path: Path, content: str, second: int) -> None:
    path.write_text(content)
    os.utime(path, (second, second))


def test_a_folder_is_watched_and_a_damaged_file_keeps_the_bars_that_it_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pinebench.studio.own._LOOK_SECONDS", 0)
    changed(tmp_path / "XETR_ONE_60.csv", text(3), 1)
    own = OwnBars(tmp_path)
    first = own.generation
    own.look()
    assert own.generation == first, "nothing changed"
    changed(tmp_path / "XETR_ONE_60.csv", text(5), 2)
    changed(tmp_path / "XETR_TWO_60.csv", text(4), 2)
    own.look()
    assert (own.generation, [len(one.bars) for one in own.series]) == (first + 1, [5, 4])
    changed(tmp_path / "XETR_ONE_60.csv", "time,open\n", 3)
    (tmp_path / "XETR_TWO_60.csv").unlink()
    own.look()
    assert [len(one.bars) for one in own.series] == [5]
    assert "XETR_ONE_60.csv" in own.problems[0]


def test_two_contents_with_the_same_time_and_size_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "NASDAQ_AAPL_60.csv"
    path.write_text(text(3, close=2))
    stamp = files.stamp_of(path)
    monkeypatch.setattr(file_states, "stamp_of", lambda _: stamp)  # a file system that counts whole seconds
    own = OwnBars(tmp_path)
    before = own.generation
    own._look()
    assert own.generation == before, "nothing was written"
    path.write_text(text(3, close=1))
    own._look()
    assert own.generation == before + 1 and own.series[0].bars.close[0] == 1


def test_an_exchange_is_asked_once_and_its_bars_are_charted(monkeypatch: pytest.MonkeyPatch) -> None:
    symbol, hour = find("BTCUSDT"), parse_resolution("60")
    assert symbol is not None
    assert hour is not None
    asked: list[str] = []

    def fetch(name: str, _count: int) -> Data:
        asked.append(name)
        made = Bars([1_700_000_000_000], [1.0], [2.0], [0.5], [1.5], [3.0])
        return Data(made, symbol.info("60"), "milliseconds", "exchange")

    monkeypatch.setattr(exchanges, "fetch", fetch)
    studio = Studio()
    status, told = post(studio, "data/exchange", b'{"name": "ccxt:binance:BTC/USDT:1h"}')
    assert (status, told["symbol"], told["bars"]) == (200, "BINANCE:BTCUSDT", 1)
    assert [bar[4] for bar in bars(studio, "BINANCE:BTCUSDT")] == [1.5]
    assert asked == ["ccxt:binance:BTC/USDT:1h"]
    assert post(studio, "data/exchange", b'{"name": "elsewhere"}')[0] == 400


def test_what_templates_ask_for_is_in_the_sample_market() -> None:
    for name in ("NASDAQ:TLT", "NASDAQ:QQQ", "AMEX:GLD", "TVC:DXY", "BINANCE:BTCUSDT.P"):
        assert len(bars(Studio(), name, "1D")) == 500
    assert sample_symbol("BINANCE:BTCUSDT.P").info("60").basecurrency == "BTC"


@pytest.fixture(scope="module")
def watched(
    tmp_path_factory: pytest.TempPathFactory, chromium: browser.RunningBrowser
) -> Iterator[tuple[Driver, Path]]:
    folder = tmp_path_factory.mktemp("watched")
    changed(folder / "XETR_LIVE_60.csv", text(30), 1)
    with studio_session(bars=folder) as running:
        tabs = Tabs(chromium.port, running)
        yield tabs(), folder
        tabs.close()


def test_a_file_that_is_dropped_on_the_page_is_on_the_chart(watched: tuple[Driver, Path]) -> None:
    page, _ = watched
    file = f"new File([{json.dumps(text(50, 2.5))}], 'XETR_DROPPED_60.csv', {{type: 'text/csv'}})"
    event = "new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer: data})"
    drop = (
        f"(() => {{ const data = new DataTransfer(); data.items.add({file});"
        " const place = document.querySelector('.view-lines') ?? document.body;"
        f" for (const kind of ['dragenter', 'dragover', 'drop']) place.dispatchEvent({event}); }})()"
    )
    before = page.editor.read()
    page.js(drop)
    page.until(f"{CHART}.symbol() === 'XETR:DROPPED' && {BARS}.size() === 50")
    page.until("[...document.querySelectorAll('[data-name=toast]')].some((one) => one.textContent.includes('50 bars'))")
    assert page.editor.read() == before, "a drop on the editor puts nothing into the text"
    assert page.js("document.querySelector('[data-name=\"drop-veil\"]') === null")


def test_a_file_of_the_folder_that_changes_is_shown(watched: tuple[Driver, Path]) -> None:
    page, folder = watched
    page.js(f"new Promise((done) => {{ {CHART}.setSymbol('XETR:LIVE'); {CHART}.setResolution('60', done); }})")
    page.until(f"{BARS}.size() === 30")
    changed(folder / "XETR_LIVE_60.csv", text(33), 2)
    page.until(f"{BARS}.size() === 33")


def test_a_picture_says_that_prices_are_made_up_only_if_they_are(watched: tuple[Driver, Path]) -> None:
    page, _ = watched

    def marked(symbol: str) -> tuple[str, int]:
        page.js(f"new Promise((done) => {{ {CHART}.setSymbol('{symbol}'); {CHART}.setResolution('60', done); }})")
        page.until(f"document.querySelector('[data-name=legend-source-title]').textContent === '{symbol}'")
        picture = page.js("TradingViewApi._chartWidgetCollection.takeScreenshot()").partition(",")[2]
        seen = Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGB").crop((0, 0, 320, 40))
        colors = {color: count for count, color in seen.getcolors(320 * 40) or ()}
        return page.js("document.querySelector('.legend .tag').textContent"), colors.get((0xFF, 0xD5, 0x4F), 0)

    tag, count = marked("NASDAQ:AAPL")
    assert tag == "made-up prices" and count > 1000
    assert marked("XETR:LIVE") == ("your data", 0)


def test_the_search_says_how_to_chart_ones_own_data(watched: tuple[Driver, Path]) -> None:
    page, _ = watched
    page.click("#header-toolbar-symbol-search")
    page.until("document.querySelector('[role=dialog] input[type=file]') !== null")
    page.js(
        "(() => { const field = document.querySelector('[role=dialog] [role=combobox]');"
        " Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, 'QQQQQQQ');"
        " field.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )
    page.until("document.querySelector('[data-name=\"my-data\"]')?.textContent.includes('drop a CSV')")
    page.js("document.querySelector('[role=dialog] [aria-label=Close]').click(), 1")


def test_what_a_file_does_not_say_about_its_symbol_is_left_out_and_the_assumption_of_scripts_is_told(
    tmp_path: Path,
) -> None:
    (tmp_path / "XETR_MINE_60.csv").write_text(text(30))
    (tmp_path / "XETR_SAID_60.csv").write_text(text(30))
    (tmp_path / "XETR_SAID_60.toml").write_text('type = "futures"\ncurrency = "EUR"\n')
    studio = Studio(bars=tmp_path)

    def shown(name: str) -> dict[str, Any]:
        asked = StudioRequest("GET", "/studio/api/symbols", {"text": name})
        return json.loads(studio.handle(asked).body)["symbols"][0]

    mine, said = shown("MINE"), shown("SAID")
    assert (mine["type"], mine["currency"]) == ("", "")
    words = "type crypto and currency USD assumed for scripts; a file XETR_MINE_60.toml can set them"
    assert words in mine["read"]
    assert (said["type"], said["currency"]) == ("futures", "EUR")
    assert not any("assumed" in each for each in said["read"])
    words = '//@version=6\nstrategy("S", default_qty_type = strategy.fixed)\nstrategy.entry("L", strategy.long)\n'
    for symbol, currency in (("XETR:MINE", ""), ("XETR:SAID", "EUR"), ("NASDAQ:AAPL", "USD")):
        asked = {"source": words, "symbol": symbol, "resolution": "60", "count": 20, "until": None, "inputs": {}}
        assert post(studio, "run", json.dumps(asked).encode())[1]["tested"]["currency"] == currency
