"""An agent without a browser works by tools alone, in a session by stdio: pictures, bars of all kinds, folders."""

import base64
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pyarrow as pa
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from pyarrow import parquet

from tests.authoring.fake_anthropic import FakeAnthropic, script
from tests.market.feeds.coins import NOW as COINS_NOW
from tests.market.feeds.coins import Coins
from tests.market.feeds.server import Service, serving
from tests.market.feeds.test_yahoo import NOW as YAHOO_NOW
from tests.market.feeds.test_yahoo import Market
from tests.sample import chart

INDICATOR = '//@version=6\nindicator("Mean", overlay = true)\nplot(ta.sma(close, 5), "Mean")\n'
STRATEGY = """//@version=6
strategy("Cross", overlay = true)
float mean = ta.sma(close, 5)
if ta.crossover(close, mean)
    strategy.entry("L", strategy.long)
if ta.crossunder(close, mean)
    strategy.close("L")
"""
STOPPED = INDICATOR + 'runtime.error("no")\n'
WEB = {"binance": ["binance:BTCUSDT:4h", "RATE=binance:BTCUSDT.funding:8h"], "yahoo": ["yahoo:AAPL:1h"]}


class Answers:
    """The answers to the calls of one session, by the names of the calls."""

    def __init__(self) -> None:
        self.folder = Path()
        self.outside = Path()
        self.by_name: dict[str, Any] = {}

    def told(self, name: str) -> dict[str, Any]:
        return self.by_name[name].structured_content

    def images(self, name: str) -> list[bytes]:
        return [base64.b64decode(each.data) for each in self.by_name[name].content if each.type == "image"]


def calls(folder: Path) -> dict[str, tuple[str, dict[str, Any]]]:
    """The calls of the session, by name."""
    csv, packed = (str(folder / f"NASDAQ_AAPL_60.{ending}") for ending in ("csv", "parquet"))
    found: dict[str, tuple[str, dict[str, Any]]] = {
        "write": ("pine_write", {"request": "draw a mean", "template": "none", "data": csv, "image": True}),
        "save": ("script_save", {"path": "mean.pine", "source": INDICATOR}),
        "csv": ("pine_run", {"source": INDICATOR, "data": csv, "image": True}),
        "parquet": ("pine_run", {"source": INDICATOR, "data": packed, "image": True}),
        "plain": ("pine_run", {"source": INDICATOR, "data": csv}),
        "stopped": ("pine_run", {"source": STOPPED, "data": csv, "image": True}),
        "ccxt": ("pine_run", {"source": INDICATOR, "data": "ccxt:nowhere:BTC/USD:1h"}),
        "trades": ("pine_backtest", {"source": STRATEGY, "data": packed, "image": True}),
        "chart": (
            "generate_chart",
            {"data": csv, "format": "both", "indicators": [{"pine": str(folder / "mean.pine")}], "bars": 60},
        ),
        "feeds": ("generate_chart", {"symbol": "BTCUSDT", "format": "both", "indicators": ["funding", "rsi"]}),
    }
    for name, data in WEB.items():
        for tool, source in (("pine_run", INDICATOR), ("pine_backtest", STRATEGY)):
            found[f"{tool} {name}"] = (tool, {"source": source, "data": data, "bars": 50, "image": True})
    for name in ("script_save", "script_read"):
        for path in ("../out.pine", "link.pine", "way/out.pine", str(folder.parent / "out.pine")):
            more = {"source": INDICATOR} if name == "script_save" else {}
            found[f"{name} {path}"] = (name, {"path": path, **more})
    return found


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answers]:
    answers = Answers()
    answers.folder = tmp_path_factory.mktemp("work") / "scripts"
    answers.folder.mkdir()
    answers.outside = answers.folder.parent / "out.pine"
    answers.outside.write_text("// not yours\n")
    (answers.folder / "link.pine").symlink_to(answers.outside)
    (answers.folder / "way").symlink_to(answers.folder.parent)
    columns = chart("AAPL", count=120)[0].columns()
    names = ("time", "open", "high", "low", "close", "volume")
    rows = [",".join(names), *(",".join(map(repr, row)) for row in zip(*columns, strict=True))]
    (answers.folder / "NASDAQ_AAPL_60.csv").write_text("\n".join(rows))
    parquet.write_table(pa.table(dict(zip(names, columns, strict=True))), answers.folder / "NASDAQ_AAPL_60.parquet")
    state = tmp_path_factory.mktemp("state")
    coins, shares = Service(Coins(), COINS_NOW), Service(Market(), int(YAHOO_NOW.timestamp() * 1000))
    with serving(coins), serving(shares), FakeAnthropic([script(INDICATOR)]) as claude:
        environment = {
            "PINEBENCH_STATE_DIR": str(state),
            "PINEBENCH_CACHE_DIR": str(state),
            "PINEBENCH_BINANCE_URL": coins.url,
            "PINEBENCH_BINANCE_FUTURES_URL": coins.url,
            "PINEBENCH_YAHOO_URL": shares.url,
            "ANTHROPIC_BASE_URL": claude.url,
            "ANTHROPIC_API_KEY": "key-of-the-test",
            "NO_PROXY": "127.0.0.1",
        }
        options = ["--folder", str(answers.folder), "--tools", "default,scripts", "--cdp-port", "9"]
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "pinebench", "mcp", *options], env=environment
        )

        async def work() -> None:
            async with Client(stdio_client(command), mode="legacy") as client:
                for name, (tool, arguments) in calls(answers.folder).items():
                    answers.by_name[name] = await client.call_tool(tool, arguments)

        anyio.run(work)
        yield answers


@pytest.mark.parametrize(
    "name", ["write", "csv", "parquet", "trades", "chart", "feeds", *(f"pine_run {each}" for each in WEB)]
)
def test_a_picture_comes_as_content_beside_the_data(session: Answers, name: str) -> None:
    assert session.told(name)["success"], session.told(name)
    [image] = session.images(name)
    assert image.startswith(b"\x89PNG") and struct.unpack(">II", image[16:24]) > (400, 300)
    assert any(each.type == "text" for each in session.by_name[name].content)


def test_only_who_asks_gets_a_picture_and_a_missing_one_is_explained(session: Answers) -> None:
    assert not session.images("plain") and not session.images("stopped")
    assert any("there is no picture: the script stopped" in each for each in session.told("stopped")["remarks"])


def test_bars_come_from_files_and_feeds(session: Answers) -> None:
    csv, packed = session.told("csv"), session.told("parquet")
    assert csv["plots"] == packed["plots"] and (csv["bars"], csv["data"]) == (120, "file")
    for name, symbol in (("binance", "BINANCE:BTCUSDT"), ("yahoo", "NMS:AAPL")):
        for tool in ("pine_run", "pine_backtest"):
            told = session.told(f"{tool} {name}")
            assert (told["symbol"], told["bars"], told["data"]) == (symbol, 50, "exchange"), told
    assert session.told("feeds")["feeds"]["funding"]["source"] == "binance:BTCUSDT.funding:8h"
    refused = session.told("ccxt")
    assert not refused["success"] and "ccxt knows no exchange 'nowhere'" in refused["error"]


def test_what_claude_wrote_is_saved_and_drawn_from_the_folder(session: Answers) -> None:
    assert session.told("write")["source"] == INDICATOR and session.told("write")["passes"]
    assert session.told("save")["verified"] and (session.folder / "mean.pine").read_text() == INDICATOR
    assert session.told("chart")["indicators"]["mean"]["lines"][0]["label"] == "Mean"


def test_nothing_outside_the_folder_is_written_or_read(session: Answers) -> None:
    outside = [name for name in session.by_name if name.startswith("script_")]
    assert len(outside) == 8
    for name in outside:
        told = session.told(name)
        assert not told["success"] and "outside the allowed folders" in told["error"] and "not yours" not in str(told)
    assert session.outside.read_text() == "// not yours\n"
    assert sorted(each.name for each in session.folder.parent.iterdir()) == ["out.pine", "scripts"]
