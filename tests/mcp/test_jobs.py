"""A model with tools only, no browser, no shell, finishes six jobs by stdio: write, check, run, see, back-test, save.

Each job uses what the tools answered, as a model would: the next call's arguments come from the results before it.
"""

import base64
import json
import struct
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from pinebench.cli import main
from tests.sample import chart

BARS = 400
DRAFT = """//@version=6
indicator("Steps", overlay = true)
length = input.int(10, "Length")
average = ta.smaa(close, length)
plot(average, "Average")
if barstate.islast
    label.new(bar_index, high, "close " + str.tostring(close, "#.##"))
alertcondition(ta.crossover(close, average), "Up")
"""
Job = Callable[["Model"], Awaitable[None]]


class Model:
    """A model at work: it has the tools that the server lists, a folder of the user's, and what jobs left."""

    def __init__(self, client: Client, folder: Path) -> None:
        self._client = client
        self.folder = folder
        self.tools: set[str] = set()
        self.found: dict[str, Any] = {}

    async def use(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        return (await self.answer(name, **arguments)).structured_content

    async def answer(self, name: str, /, **arguments: Any) -> Any:
        assert name in self.tools, f"{name} is not offered"
        answer = await self._client.call_tool(name, arguments)
        assert answer.structured_content["success"] or arguments.get("path") == "steps.pine", answer.structured_content
        return answer


async def write(model: Model) -> None:
    """A script from a template, with another length, that passes."""
    names = (await model.use("template_search", query="supertrend strategy"))["templates"]
    source = (await model.use("template_get", name=names[0]["name"]))["source"]
    signature = await model.use("pine_explain", name="strategy.close_all")
    model.found["strategy"] = source.rstrip() + f"\nif last_bar_index == bar_index\n    {signature['name']}()\n"
    told = await model.use("pine_analyze", source=model.found["strategy"])
    model.found["write"] = (names[0]["name"], told["passes_check"])


async def check(model: Model) -> None:
    """A draft with an error: the diagnosis names place and fix, the repair passes."""
    told = await model.use("pine_analyze", source=DRAFT)
    fixed = await model.use("pine_fix", source=DRAFT, guess=True)
    model.found["script"] = fixed["source"]
    model.found["check"] = (told["diagnostics"][0], fixed)


async def run(model: Model) -> None:
    """What the script shows on the user's bars, in two days of them."""
    whole = await model.use("pine_run", source=model.found["script"], data=str(model.folder / "bars.csv"))
    days = {"from": "2024-01-03", "to": "2024-01-05"}
    part = await model.use("pine_run", source=model.found["script"], data=str(model.folder / "bars.csv"), **days)
    honest = await model.use("pine_repaint_check", source=model.found["script"], data=str(model.folder / "bars.csv"))
    model.found["run"] = (whole, part, honest)


async def see(model: Model) -> None:
    """A picture of the run, and what it drew in words."""
    arguments = {"source": model.found["script"], "data": str(model.folder / "bars.csv")}
    model.found["see"] = await model.answer("pine_run", **arguments, image=True, drawings=True)


async def back_test(model: Model) -> None:
    """Figures and trades of the strategy, and what an auditor says of them."""
    arguments = {"source": model.found["strategy"], "data": str(model.folder / "bars.csv")}
    tested = await model.use("pine_backtest", **arguments)
    audited = await model.use("pine_audit_strategy", **arguments)
    model.found["back-test"] = (tested, audited)


async def save(model: Model) -> None:
    """The script in the user's folder, the file that was there before being replaced on purpose only."""
    source = model.found["script"]
    first = await model.use("script_save", path="steps.pine", source=source)
    version = (await model.use("script_read", path="steps.pine"))["version"]
    second = await model.use("script_save", path="steps.pine", source=source, replaces=version)
    model.found["save"] = (first, second, await model.use("script_list"))


JOBS: tuple[Job, ...] = (write, check, run, see, back_test, save)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """A model that has done all jobs with a server of its own, started as clients start it."""
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "steps.pine").write_text("// the user's own\n")
    bars, _ = chart("AAPL", count=BARS)
    start = 1704067200  # 2024-01-01
    rows = (
        f"{start + 3600 * number},{','.join(map(repr, row))}"
        for number, row in enumerate(zip(*bars.columns()[1:], strict=True))
    )
    (folder / "bars.csv").write_text("time,open,high,low,close,volume\n" + "\n".join(rows))

    async def work() -> Model:
        arguments = ["-m", "pinebench", "mcp", "--folder", str(folder), "--cdp-port", "9"]
        state = {"PINEBENCH_STATE_DIR": str(tmp_path_factory.mktemp("state"))}
        parameters = StdioServerParameters(command=sys.executable, args=arguments, env=state)
        async with Client(stdio_client(parameters), mode="legacy") as client:
            made = Model(client, folder)
            made.tools = {tool.name for tool in (await client.list_tools()).tools}
            for job in JOBS:
                await job(made)
            return made

    return anyio.run(work)


def test_a_script_is_written_from_a_template(model: Model) -> None:
    name, passes = model.found["write"]
    assert passes and name == "supertrend_strategy"


def test_a_draft_is_checked_and_mended(model: Model) -> None:
    error, fixed = model.found["check"]
    assert (error["line"], error["code"]) == (4, "CE10271")
    assert "ta.sma" in error["hint"]
    assert fixed["passes_check"] and "ta.sma(close, length)" in fixed["source"]


def test_a_script_is_run_on_the_users_bars(model: Model) -> None:
    whole, part, honest = model.found["run"]
    assert (whole["bars"], whole["timeframe"], whole["data"]) == (BARS, "60", "file")
    assert len(part["times"]) == 48 and part["first_bar"] == 48
    assert part["times"][0] == 1704240000
    assert len(part["plots"][0]["values"]) == 48 and None not in part["plots"][0]["values"]
    assert not honest["repaints"]


def test_a_run_is_seen(model: Model) -> None:
    answer = model.found["see"]
    [image] = [each for each in answer.content if each.type == "image"]
    data = base64.b64decode(image.data)
    width, height = struct.unpack(">II", data[16:24])
    assert data.startswith(b"\x89PNG") and width >= 600 and height >= 300
    told = answer.structured_content
    assert told["labels"] == [told["contents"]["labels"][0]["text"]]
    assert told["labels"][0].startswith("close ")


def test_a_strategy_is_back_tested_and_audited(model: Model) -> None:
    tested, audited = model.found["back-test"]
    assert tested["stopped"] is None
    assert tested["report"]["trades"] > 0
    assert tested["trade_count"] == tested["report"]["trades"] + tested["report"]["open_trades"]
    assert audited["run"]["figures"]["net_profit"] == tested["report"]["net_profit"]
    assert (audited["score"] == 100) <= (tested["report"]["net_profit"] > 0)


def test_a_script_is_saved_and_the_users_own_text_is_not_lost(model: Model) -> None:
    first, second, listed = model.found["save"]
    assert not first["success"] and "exists" in first["error"]
    assert second["verified"] and (model.folder / "steps.pine").read_text() == model.found["script"]
    assert Path(second["replaced"]).read_text() == "// the user's own\n"
    assert listed["count"] == 1


def test_a_folder_must_be_there_and_is_entered_into_a_clients_configuration_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scripts").mkdir()
    assert main(["mcp", "--folder", "nowhere"]) == 2
    assert "--folder nowhere: there is no such folder" in capsys.readouterr().err
    assert main(["mcp", "--folder", "/", "--install", "claude-code"]) == 2
    assert "the root folder cannot be allowed, because it contains all files on the computer" in capsys.readouterr().err
    assert not (tmp_path / ".mcp.json").exists()
    assert main(["mcp", "--folder", "scripts", "--install", "claude-code"]) == 0
    entry = json.loads((tmp_path / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"]["pinebench"]
    assert entry["args"][-2:] == ["--folder", str(tmp_path / "scripts")]
